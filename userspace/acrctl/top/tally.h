/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples added up while they arrive, in bounded memory: since the start, and the recent ones. */
#ifndef _ACRCTL_TOP_TALLY_H
#define _ACRCTL_TOP_TALLY_H

#include "../../util/intern.h"
#include "../../util/tuples.h"
#include "../report/keys.h"

/* of distinct entries; some MiB with their texts */
#define TALLY_MAX_ENTRIES	32768

/* Samples, and the occurrences that they stand for. */
struct tally_sum {
	double samples;
	double period;
};

struct tally_sums {
	struct tally_sum now;		/* of this interval, which is not shown before it ends */
	struct tally_sum all;		/* of all intervals since the start */
	struct tally_sum recent;	/* the same, of which less counts with every interval */
};

/* Zeroed but for @nr_events, @totals, @max and @keep it is empty. */
struct tally {
	__u32 nr_events;
	struct tally_sums *totals;	/* by event, with what was left out */
	size_t max;			/* of entries */
	double keep;			/* what remains of recent samples in the next interval */
	struct intern texts;		/* of the keys */
	struct tuples entries;		/* of an event, a level, the numbers of the texts */
	struct tally_sums *sums;	/* by number of the entry */
	size_t room;			/* of @sums */
	__u64 nr_pruned;		/* entries that were left out so far */
	struct tally_sums pruned;	/* their samples */
};

/* Orders of rows; those by key follow. */
enum { TALLY_BY_OVERHEAD, TALLY_BY_SAMPLES, TALLY_BY_KEY };

#define TALLY_NR_ORDERS	(TALLY_BY_KEY + HIST_NR_KEYS)

/* What is shown of a tally. */
struct tally_view {
	__u32 event;
	bool recent;			/* instead of all since the start */
	bool chosen[HIST_NR_KEYS];	/* keys that distinguish rows */
	unsigned int order;		/* TALLY_BY_*, with HIST_* added to the last */
	bool reversed;
	const char *filter;		/* text that some chosen key contains, empty: any */
	double min_percent;
};

/* Entries that agree in the chosen keys. */
struct tally_row {
	char level;			/* VIEW_LEVEL_*, 0 without HIST_SYM */
	const char *keys[HIST_NR_KEYS];	/* empty where not chosen */
	struct tally_sum sum;
	double percent;			/* of the event */
};

/* Valid until the tally changes; zeroed it is empty. */
struct tally_rows {
	struct tally_row *rows;
	size_t nr;
	size_t nr_others;		/* that the filter or the smallest share leaves out */
	struct tuples tuples;		/* of keys, while it is made */
	size_t room;
};

int tally_init(struct tally *t, __u32 nr_events);
int tally_add(struct tally *t, const struct hist_entry *key, __u64 period, bool recent);
void tally_tick(struct tally *t);
void tally_clear(struct tally *t);
struct tally_sum tally_total(const struct tally *t, __u32 event, bool recent);
int tally_rows(const struct tally *t, const struct tally_view *view, struct tally_rows *rows);
void tally_rows_free(struct tally_rows *rows);
void tally_free(struct tally *t);

#endif /* _ACRCTL_TOP_TALLY_H */
