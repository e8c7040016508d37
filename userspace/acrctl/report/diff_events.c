// SPDX-License-Identifier: GPL-2.0-only
/* report --diff: which events of two recordings are the same. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../terminal.h"
#include "diff.h"

static const struct pd_file_event *event_of(const struct diff *d, int side, __u32 event)
{
	return &d->sides[side].view.reader.events[event];
}

static bool same_name(const struct pd_file_event *a, const struct pd_file_event *b)
{
	return !strcmp(a->name, b->name);
}

/* Events with other periods or reload masks have other names. */
static bool same_encoding(const struct pd_file_event *a, const struct pd_file_event *b)
{
	return a->attr.type == b->attr.type && a->attr.config == b->attr.config &&
	       a->attr.config1 == b->attr.config1 && a->attr.config2 == b->attr.config2 &&
	       a->attr.exclude_user == b->attr.exclude_user &&
	       a->attr.exclude_kernel == b->attr.exclude_kernel;
}

static void pair_by(struct diff *d, bool (*same)(const struct pd_file_event *a,
						 const struct pd_file_event *b))
{
	struct diff_side *old = &d->sides[DIFF_OLD], *new = &d->sides[DIFF_NEW];
	__u32 i, j;

	for (i = 0; i < old->view.reader.nr_events; i++) {
		for (j = 0; j < new->view.reader.nr_events && old->pair_of[i] < 0; j++) {
			const struct pd_file_event *a = event_of(d, DIFF_OLD, i);
			const struct pd_file_event *b = event_of(d, DIFF_NEW, j);

			if (new->pair_of[j] >= 0 || view_is_dummy(a) || view_is_dummy(b) ||
			    !same(a, b))
				continue;
			old->pair_of[i] = d->nr_pairs;
			new->pair_of[j] = d->nr_pairs;
			d->pairs[d->nr_pairs++] = (struct diff_pair){ .events = { i, j } };
		}
	}
}

static int begin_side(struct diff_side *s)
{
	__u32 i, nr = s->view.reader.nr_events;

	s->pair_of = calloc(nr, sizeof(*s->pair_of));
	s->totals = calloc(nr, sizeof(*s->totals));
	if (!s->pair_of || !s->totals)
		return -ENOMEM;
	for (i = 0; i < nr; i++)
		s->pair_of[i] = -1;
	return 0;
}

static void print_events(const struct diff *d, int side)
{
	const struct diff_side *s = &d->sides[side];
	const char *between = "";
	__u32 i;

	fprintf(stderr, "%s has ", s->args.path);
	for (i = 0; i < s->view.reader.nr_events; i++) {
		if (view_is_dummy(event_of(d, side, i)))
			continue;
		fprintf(stderr, "%s'", between);
		terminal_print(stderr, 0, event_of(d, side, i)->name);
		fputs("'", stderr);
		between = ", ";
	}
	fputs(*between ? "; " : "none; ", stderr);
}

/* What is left out, or not the same. */
static void note(const struct diff *d)
{
	const char *old = d->sides[DIFF_OLD].condition.text;
	const char *new = d->sides[DIFF_NEW].condition.text;
	__u32 i;
	int side;

	if (!old != !new || (old && strcmp(old, new)))
		fprintf(stderr,
			"acrctl: report: the recordings have different conditions, so that a change may come from what was sampled\n");
	for (side = 0; side < DIFF_SIDES; side++) {
		for (i = 0; i < d->sides[side].view.reader.nr_events; i++) {
			if (d->sides[side].pair_of[i] >= 0 || view_is_dummy(event_of(d, side, i)))
				continue;
			fputs("acrctl: report: '", stderr);
			terminal_print(stderr, 0, event_of(d, side, i)->name);
			fprintf(stderr, "' is only in %s and not compared\n",
				d->sides[side].args.path);
		}
	}
}

/**
 * diff_pair_events() - pair the events of two open recordings: by name, else by encoding
 *
 * Return: 0; -ENOMEM; -EINVAL after a message: they have none in common.
 */
int diff_pair_events(struct diff *d)
{
	if (begin_side(&d->sides[DIFF_OLD]) || begin_side(&d->sides[DIFF_NEW]))
		return -ENOMEM;
	d->pairs = calloc(d->sides[DIFF_OLD].view.reader.nr_events, sizeof(*d->pairs));
	if (!d->pairs)
		return -ENOMEM;
	pair_by(d, same_name);
	pair_by(d, same_encoding);
	if (d->nr_pairs) {
		note(d);
		return 0;
	}
	fputs("acrctl: report: --diff: the recordings have no event in common: ", stderr);
	print_events(d, DIFF_OLD);
	print_events(d, DIFF_NEW);
	fputs("record the same events\n", stderr);
	return -EINVAL;
}
