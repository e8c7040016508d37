/* SPDX-License-Identifier: GPL-2.0-only */
/* Showing the hottest code of what is sampled: what was asked for, what is open, what came. */
#ifndef _ACRCTL_TOP_H
#define _ACRCTL_TOP_H

#include "live.h"
#include "show.h"

struct screen;

/* The command line. */
struct top_options {
	bool plain;			/* blocks of text, even on a terminal */
	__u64 delay_ms;			/* from one refresh to the next */
	__u64 nr_refreshes;		/* before the end, 0: any number */
	bool rows_given;
	__u64 nr_rows;			/* that are shown, 0: all */
};

struct top {
	struct top_options opt;
	struct sampling sm;
	struct live live;
	struct tally tally;
	struct tally_rows rows;
	size_t nr_cut;			/* rows beyond those that are shown */
	struct show show;
	struct screen *screen;		/* NULL: blocks of text */
	double *samples_per_s;		/* by event, in the last interval */
	__u64 lost;			/* samples, by its end */
	__u64 throttled;		/* likewise */
	__u64 refreshed_ns;		/* when it ended */
	__u64 drained_ns;		/* when the rings were last read */
	__u64 played_ns;		/* up to when what they held is added up */
	__u64 counted_ns;		/* the same when the last interval ended */
	__u64 renewed_ns;		/* when /proc was read again */
	__u64 nr_refreshes;
	bool over;			/* the target has ended */
	bool reader_gone;		/* nobody reads the blocks of text */
};

/* summary.c */
#define TOP_SUMMARY_LINES	3
int top_make_rows(struct top *t);
char *top_summary(const struct top *t, unsigned int line);
void top_closing(struct top *t);

/* plain.c */
int top_plain_print(struct top *t);

/* loop.c */
struct sampling_sink top_loop_sink(struct top *t);
void top_loop_begin(struct top *t);
int top_loop_run(struct top *t);

#endif /* _ACRCTL_TOP_H */
