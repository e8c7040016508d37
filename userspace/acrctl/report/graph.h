/* SPDX-License-Identifier: GPL-2.0-only */
/* The call chains of report: collecting them below entries, and printing them. */
#ifndef _ACRCTL_REPORT_GRAPH_H
#define _ACRCTL_REPORT_GRAPH_H

#include "../../util/tuples.h"
#include "../jsonout.h"
#include "../stack.h"
#include "report.h"
#include "tree.h"

/* All chains; zeroed it is empty. */
struct graph {
	enum view_graph order;
	struct stack stack;		/* of the chain that is added */
	struct tree tree;		/* of all entries */
	struct tuples chains;		/* as recorded, by number of the path in @tree */
	struct tuples inlined;		/* functions at the addresses of samples, by number */
	uint64_t *words;		/* room for a chain */
	__u32 *path;			/* and for its functions */
	size_t room;
};

__u32 graph_inlined(struct graph *g, struct view *v, const struct pd_sample *s);
int graph_add(struct graph *g, struct view *v, const struct pd_sample *s, __u64 place,
	      struct hist_entry *e, __u64 period);
int graph_print(const struct graph *g, const struct hist_entry *e, __u64 total_period,
		__u64 total_samples);
const char *graph_member(enum view_graph order);
struct json_object *graph_json(const struct graph *g, const struct hist_entry *e);
void graph_free(struct graph *g);

#endif /* _ACRCTL_REPORT_GRAPH_H */
