/* SPDX-License-Identifier: GPL-2.0-only */
/* Entries found again by numbers: names are made and compared once for all samples of a place. */
#ifndef _ACRCTL_REPORT_PLACES_H
#define _ACRCTL_REPORT_PLACES_H

#include "../../util/tuples.h"
#include "graph.h"
#include "keys.h"

#define PLACES_LINE	64	/* of the CPU's cache, in bytes */
#define PLACES_TURNS	256	/* tasks that are kept */
#define PLACES_BITS	15	/* of the number of buckets of addresses that are kept */
#define PLACES_BUCKET	4	/* of them, in a line of the cache */
#define PLACES_FUNCTION_BITS	14	/* of the number of buckets of functions */
#define PLACES_FUNCTIONS	2	/* of them, in such a line */

/* Fields of a sample on which its source depends. */
struct places_fields {
	uint64_t kind;			/* event and level */
	uint64_t task;
	uint64_t cpu;			/* 0 if not chosen */
	uint64_t era;			/* never 0 */
};

/* A task that ran a short time ago. */
struct places_turn {
	struct places_fields fields;
	size_t source;
};

/* An address that some sample had. */
struct places_recent {
	__u64 ip;
	__u32 source;			/* its number + 1, 0: none so far */
	__u32 origin;			/* its number */
};

struct places_bucket {
	struct places_recent of[PLACES_BUCKET];		/* the newest first */
};

/* A function that some sample of a source had. */
struct places_function {
	const char *dso;
	const char *symbol;		/* NULL: none so far */
	__u32 source;
	__u32 origin;
};

struct places_functions {
	struct places_function of[PLACES_FUNCTIONS];	/* the newest first */
} __attribute__((aligned(PLACES_LINE)));

/* A sample to be added. */
struct places_spot {
	__u32 event;			/* of the entry */
	__u32 source;			/* the number of its source */
	__u64 period;
	struct places_bucket *bucket;	/* where its address is kept */
	struct places_functions *functions;	/* where its function is, if its address is not */
	struct keys_origin from;	/* and then its properties */
	__u32 origin;			/* the number of its origin, and so of its entry */
};

/* Of the samples of an origin. */
struct places_sum {
	__u64 samples;
	__u64 period;
};

/* Zeroed it is empty. */
struct places {
	const bool *chosen;		/* properties, HIST_NR_KEYS of them */
	struct graph *graph;		/* of which places have the inlined functions, NULL: none */
	struct tuples sources;		/* of addresses: event, level, task and its maps */
	struct places_turn turns[PLACES_TURNS];		/* by a number of the task */
	struct places_bucket *recent;	/* addresses by a hash, NULL: none so far */
	struct places_functions *functions;	/* by a hash, NULL: none so far */
	struct tuples origins;		/* what places have their texts from */
	struct hist_entry **entries;	/* by number of the origin */
	struct places_sum *sums;	/* by number of the origin */
	size_t room;
};

int places_add(struct places *p, struct hist *h, struct view *v, const struct pd_sample *s,
	       size_t nr, struct places_spot *spots);
void places_end(struct places *p);
void places_free(struct places *p);

#endif /* _ACRCTL_REPORT_PLACES_H */
