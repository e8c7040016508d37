/* SPDX-License-Identifier: GPL-2.0-only */
/* report --diff: what two recordings have in common, and what has changed between them. */
#ifndef _ACRCTL_REPORT_DIFF_H
#define _ACRCTL_REPORT_DIFF_H

#include "condition.h"
#include "places.h"
#include "report.h"
#include "shares.h"

/* The recordings. */
enum { DIFF_OLD, DIFF_NEW, DIFF_SIDES };

/* All samples of an event. */
struct diff_total {
	__u64 samples;
	__u64 period;			/* sum of their periods */
	double squares;			/* sum of the squares of their periods */
};

/* A recording. */
struct diff_side {
	struct view_args args;
	struct view view;
	struct condition condition;
	struct hist hist;		/* events are numbers of pairs */
	struct places places;
	int *pair_of;			/* by event; -1: it is not compared */
	struct diff_total *totals;	/* by event */
};

/* Samples that agree in the keys; NULL: the recording has none. */
struct diff_row {
	const struct hist_entry *entries[DIFF_SIDES];
	struct shares_change change;
};

/* An event of both. */
struct diff_pair {
	__u32 events[DIFF_SIDES];
	struct diff_row *rows;		/* the largest changes first */
	size_t nr_rows;
};

struct diff {
	struct diff_side sides[DIFF_SIDES];
	struct diff_pair *pairs;
	__u32 nr_pairs;
};

static inline const struct diff_total *diff_total(const struct diff *d, const struct diff_pair *p,
						  int side)
{
	return &d->sides[side].totals[p->events[side]];
}

/* diff.c */
int diff_check(const struct view_args *a);
int diff_run(const struct view_args *a);
double diff_share(const struct diff_total *all, const struct hist_entry *e);

/* diff_events.c */
int diff_pair_events(struct diff *d);

/* diff_text.c */
void diff_print(const struct diff *d);

/* diff_json.c */
int diff_print_json(const struct diff *d);

#endif /* _ACRCTL_REPORT_DIFF_H */
