/* SPDX-License-Identifier: GPL-2.0-only */
/* Entries found again by numbers: names are made and compared once for all samples of a place. */
#ifndef _ACRCTL_REPORT_PLACES_H
#define _ACRCTL_REPORT_PLACES_H

#include "../../util/tuples.h"
#include "graph.h"
#include "keys.h"

struct places_recent;

/* Zeroed it is empty. */
struct places {
	const bool *chosen;		/* properties, HIST_NR_KEYS of them */
	struct graph *graph;		/* of which places have the inlined functions, NULL: none */
	struct tuples sources;		/* what addresses depend on: event, level, task and its maps */
	uint64_t last[4];		/* the fields from which the last source was made */
	size_t source;			/* the number of that */
	struct places_recent *recent;	/* addresses by a hash, NULL: none so far */
	struct tuples origins;		/* what places have their texts from */
	struct hist_entry **entries;	/* by number of the origin */
	size_t room;
	__u64 place;			/* of the last sample: numbers of origin and source */
};

struct hist_entry *places_add(struct places *p, struct hist *h, struct view *v,
			      const struct pd_sample *s, __u32 event, __u64 period);
void places_free(struct places *p);

#endif /* _ACRCTL_REPORT_PLACES_H */
