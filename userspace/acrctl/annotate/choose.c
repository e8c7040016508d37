// SPDX-License-Identifier: GPL-2.0-only
/* Which function to show: the one that was named, or the one with most samples. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"
#include "../../util/number.h"
#include "../../util/suggest.h"
#include "../terminal.h"
#include "annotate.h"

#define SHOWN_MAX	8	/* functions in a list of those that match */

static bool in_dso(const struct annotate *an, const struct annotate_function *f)
{
	const char *slash = strrchr(f->dso, '/');

	return !an->dso || !strcmp(f->dso, an->dso) || (slash && !strcmp(slash + 1, an->dso));
}

/* By name, or by an address as the file numbers it. */
static bool has_name(const char *name, const struct annotate_function *f)
{
	__u64 addr;
	size_t bad;

	if (!name || !strcmp(name, f->symbol))
		return true;
	if (strncmp(name, "0x", 2) || acrpmu_number_parse(name, strlen(name), &addr, &bad))
		return false;
	return addr == f->at.start || (addr > f->at.start && addr < f->at.end);
}

static void print_function(const struct annotate_function *f)
{
	fputs("  ", stderr);
	terminal_print(stderr, 0, f->symbol);
	fprintf(stderr, " at %#llx in ", f->at.start);
	terminal_print(stderr, 0, f->dso);
	fprintf(stderr, ": %llu samples\n", f->samples);
}

static void refuse_several(const struct annotate *an, size_t nr)
{
	struct message_word shown = acrpmu_message_word(an->symbol,
							strlen(an->symbol));
	size_t i, printed = 0;

	fprintf(stderr,
		"acrctl: annotate: '%s' is the name of %zu functions with samples; name the file of one with --dso, or give its address in place of the name:\n",
		shown.text, nr);
	for (i = 0; i < an->functions_known.nr; i++) {
		const struct annotate_function *f = &an->functions[i];

		if (!in_dso(an, f) || !has_name(an->symbol, f))
			continue;
		if (printed++ == SHOWN_MAX) {
			fprintf(stderr, "  and %zu more\n", nr - SHOWN_MAX);
			break;
		}
		print_function(f);
	}
}

static void refuse_unknown(const struct annotate *an)
{
	struct message_word shown = acrpmu_message_word(an->symbol,
							strlen(an->symbol));
	struct message_word dso = acrpmu_message_word(an->dso ? an->dso : "",
						      an->dso ? strlen(an->dso) : 0);
	struct suggestion best = { NULL };
	size_t i;

	for (i = 0; i < an->functions_known.nr; i++) {
		if (in_dso(an, &an->functions[i]))
			acrpmu_suggest_consider(&best, an->symbol,
						strlen(an->symbol), an->functions[i].symbol);
	}
	fprintf(stderr, "acrctl: annotate: no sample is in a function '%s'", shown.text);
	if (an->dso)
		fprintf(stderr, " of a file '%s'", dso.text);
	if (best.word) {
		fputs("; did you mean '", stderr);
		terminal_print(stderr, 0, best.word);
		fputs("'?\n", stderr);
	} else {
		fputs("; 'acrctl report --sort dso,sym' lists the functions that have samples\n",
		      stderr);
	}
}

static void refuse_all(const struct annotate *an)
{
	struct message_word dso = acrpmu_message_word(an->dso ? an->dso : "",
						      an->dso ? strlen(an->dso) : 0);

	if (!an->nr_events)
		fprintf(stderr,
			"acrctl: annotate: %s has no samples; record for longer, or with a shorter period\n",
			an->args.path);
	else if (an->dso)
		fprintf(stderr,
			"acrctl: annotate: no sample is in a function with a name of a file '%s'; 'acrctl report --sort dso' lists the files that have samples\n",
			dso.text);
	else
		fprintf(stderr,
			"acrctl: annotate: no sample of %s is in a function with a name; install the symbols of its programs, or name the kernel with --vmlinux\n",
			an->args.path);
}

/* Add up the samples of the chosen function by event. */
static void add_up(struct annotate *an)
{
	size_t i, e;

	for (i = 0; i < an->known.nr; i++) {
		size_t nr;
		const uint64_t *key = tuples_get(&an->known, i, &nr);

		if (key[1] != an->chosen_number)
			continue;
		for (e = 0; e < an->nr_events; e++) {
			if (an->events[e] != key[0])
				continue;
			an->in_function[e].samples += an->counts[i].samples;
			an->in_function[e].period += an->counts[i].period;
		}
	}
}

/**
 * annotate_choose() - set the function to show
 *
 * Return: 0, or -ENOENT after a message.
 */
int annotate_choose(struct annotate *an)
{
	const struct annotate_function *best = NULL;
	size_t i, nr = 0;

	for (i = 0; i < an->functions_known.nr; i++) {
		const struct annotate_function *f = &an->functions[i];

		if (!in_dso(an, f) || !has_name(an->symbol, f))
			continue;
		nr++;
		if (!best || f->samples > best->samples)
			best = f;
	}
	if (best && (nr == 1 || !an->symbol)) {
		an->chosen = best;
		an->chosen_number = best - an->functions;
		add_up(an);
		return 0;
	}
	if (nr)
		refuse_several(an, nr);
	else if (an->symbol)
		refuse_unknown(an);
	else
		refuse_all(an);
	return -ENOENT;
}
