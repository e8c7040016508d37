// SPDX-License-Identifier: LGPL-2.1-or-later
/* A group that samples a condition, as text: the condition, and the same as an event string. */
#include "cond_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/types.h"
#include "../../kmod/regs.h"
#include "../util/extra_term.h"
#include "cpu_identity.h"
#include "perf_name.h"
#include "text.h"

#define THRESHOLD_LEN	64
#define COUNTERS	"counters="
#define FIELDS		(PERFEVTSEL_EDGE | PERFEVTSEL_INV | PERFEVTSEL_CMASK | PERFEVTSEL_EQ | \
			 PERFEVTSEL_UMASK2)
#define DECIMAL_SHOWN	12	/* longer ones are written as a fraction */

/**
 * acrpmu_comparison_threshold() - what a comparison compares with, exactly
 * @comparison: of struct acrpmu_condition
 * @buf: out, "0.2", or "1/3" if it has no end or a late one; 0-terminated unless @size is 0
 * @size: its bytes
 *
 * Return: length of the whole text, as snprintf().
 */
size_t acrpmu_comparison_threshold(const struct acrpmu_comparison *comparison, char *buf,
				   size_t size)
{
	char decimal[THRESHOLD_LEN];
	size_t len = acrpmu_decimal_print(comparison->num, comparison->den, decimal,
					  sizeof(decimal));

	if (len <= DECIMAL_SHOWN && !strchr(decimal, '/'))
		return snprintf(buf, size, "%s", decimal);
	return snprintf(buf, size, "%llu/%llu", (unsigned long long)comparison->num,
			(unsigned long long)comparison->den);
}

char *acrpmu_cond_text(const struct spec_group *group)
{
	const struct acrpmu_condition *c = group->condition;
	char *text, threshold[THRESHOLD_LEN];
	unsigned int i;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (i = 0; i < c->nr_comparisons; i++) {
		const struct acrpmu_comparison *comparison = &c->comparisons[i];

		acrpmu_comparison_threshold(comparison, threshold, sizeof(threshold));
		fprintf(f, "%s%s / %s %c %s", i ? " && " : "",
			group->ev[comparison->a].pub.text, group->ev[comparison->b].pub.text,
			comparison->below ? '<' : '>', threshold);
	}
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

/* ---- as events ---------------------------------------------------------------------------- */

static const char *group_pmu(const struct spec_group *group)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (*group->ev[i].pub.pmu)
			return group->ev[i].pub.pmu;
	}
	return CPU_PMU;
}

/* Not as modifiers: perf has no i and c=, and its e is another one. */
static void print_fields(FILE *f, __u64 config)
{
	if (config & PERFEVTSEL_EDGE)
		fprintf(f, ",edge=1");
	if (config & PERFEVTSEL_INV)
		fprintf(f, ",inv=1");
	if (config & PERFEVTSEL_CMASK)
		fprintf(f, ",cmask=%llu", (unsigned long long)((config & PERFEVTSEL_CMASK) >>
							       PERFEVTSEL_CMASK_SHIFT));
}

/* All that a name stands for; counters= is not perf's, which has counters of its own tables. */
static void print_code(FILE *f, const struct spec_event *ev)
{
	const struct acrpmu_event_attr *attr = &ev->pub.attr;

	fprintf(f, "event=0x%llx,umask=0x%llx",
		(unsigned long long)(attr->config & PERFEVTSEL_EVENT),
		(unsigned long long)(attr->config & PERFEVTSEL_UMASK) >> PERFEVTSEL_UMASK_SHIFT);
	if (attr->extra_value && (*ev->pub.cpu || ev->given & SPEC_NAMED_EXTRA))
		fprintf(f, ",%s=0x%llx",
			acrpmu_extra_term(ev->named_msr ? ev->named_msr : MSR_OFFCORE_RSP_0),
			(unsigned long long)attr->extra_value);
	if (attr->allowed_cntrs)
		fprintf(f, ",counters=0x%llx", (unsigned long long)attr->allowed_cntrs);
}

/* Whether a term is a name to which perf adds no bits of the event select. */
static bool is_bare_name(struct span term)
{
	struct perf_name code;

	return acrpmu_perf_name_code(NULL, term.at, term.len, &code) != PERF_NAME_NONE;
}

static bool names_counters(struct span term)
{
	return term.len > strlen(COUNTERS) && !memcmp(term.at, COUNTERS, strlen(COUNTERS));
}

/* The bytes of the first term, which a comma between quotes does not end. */
static size_t term_len(struct span terms)
{
	char quote = 0;
	size_t i;

	for (i = 0; i < terms.len && (quote || terms.at[i] != ','); i++) {
		char c = terms.at[i];

		/* a quote in the middle of a value is part of it */
		if (quote ? c == quote : (c == '\'' || c == '"') && i && terms.at[i - 1] == '=')
			quote = quote ? 0 : c;
	}
	return i;
}

/* Terms of an event of which more bits are set than its name says: the name as a code. */
static void print_coded(FILE *f, const struct spec_event *ev, struct span terms)
{
	const char *end = terms.at + terms.len, *before = "";
	bool named = false;

	for (; terms.at < end; terms.at++) {
		struct span term = { terms.at, 0 };

		terms.len = end - terms.at;
		term.len = term_len(terms);
		terms.at += term.len;
		if (!named && is_bare_name(term)) {
			fputs(before, f);
			print_code(f, ev);
			named = true;
		} else if (!names_counters(term)) {
			fprintf(f, "%s%.*s", before, (int)term.len, term.at);
		} else {
			continue;
		}
		before = ",";
	}
}

/* Terms behind the slash, without those of modifiers. */
static struct span terms_of(const struct spec_event *ev)
{
	const char *text = ev->pub.text, *open = strchr(text, '/');

	if (!open)
		return (struct span){ text, strcspn(text, ":") };
	return (struct span){ open + 1, strrchr(text, '/') - open - 1 };
}

static bool has_bare_name(const struct spec_event *ev)
{
	struct span terms = terms_of(ev), term;
	const char *end = terms.at + terms.len;

	for (; terms.at < end; terms.at++) {
		terms.len = end - terms.at;
		term = (struct span){ terms.at, term_len(terms) };
		if (is_bare_name(term))
			return true;
		terms.at += term.len;
	}
	return false;
}

/* An event with what the condition decided as two terms more. */
static void print_event(FILE *f, const struct spec_event *ev, const char *pmu)
{
	const struct acrpmu_event_attr *attr = &ev->pub.attr;
	struct span terms = terms_of(ev);

	fprintf(f, "%s/", pmu);
	if (*ev->pub.cpu)
		print_code(f, ev);
	else if (attr->config & FIELDS && has_bare_name(ev))
		print_coded(f, ev, terms);
	else
		fprintf(f, "%.*s", (int)terms.len, terms.at);
	print_fields(f, *ev->pub.cpu ? attr->config : ev->modified_config);
	fprintf(f, ",period=%llu,acr_mask=0x%llx/%s%s", (unsigned long long)attr->period,
		(unsigned long long)attr->acr_mask, ev->levels & ACRPMU_EVENT_USER ? "u" : "",
		ev->levels & ACRPMU_EVENT_KERNEL ? "k" : "");
}

/**
 * acrpmu_spec_group_string() - a group that samples a condition, as an event string
 * @group: index of the group
 * @buf: out, "{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,...}"; 0-terminated unless
 *	@size is 0
 * @size: its bytes
 *
 * acrpmu_spec_parse() makes the same group of it, but for the columns and perhaps the names.  perf
 * reads it, too, unless an event has counters=, umask2= or a name with blanks, which perf lacks.
 *
 * Return: length of the whole text, as snprintf(); 0 if there is no such group, it was not made
 * from a condition, or there is no memory.
 */
size_t acrpmu_spec_group_string(const struct acrpmu_spec *spec, unsigned int group, char *buf,
				size_t size)
{
	const struct spec_group *g = group < spec->nr ? spec->groups[group] : NULL;
	unsigned int i;
	size_t len;
	char *text;
	FILE *f;

	if (size)
		*buf = 0;
	f = g && g->condition ? open_memstream(&text, &len) : NULL;
	if (!f)
		return 0;
	for (i = 0; i <= g->condition->nr_comparisons; i++) {
		fputc(i ? ',' : '{', f);
		print_event(f, &g->ev[i], group_pmu(g));
	}
	fputc('}', f);
	if (fclose(f))
		len = 0;
	else
		snprintf(buf, size, "%s", text);
	free(text);
	return len;
}
