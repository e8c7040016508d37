/* SPDX-License-Identifier: GPL-2.0-only */
/* The call chains of report: collecting them below entries, and printing them. */
#ifndef _ACRCTL_REPORT_GRAPH_H
#define _ACRCTL_REPORT_GRAPH_H

#include "../jsonout.h"
#include "../stack.h"
#include "report.h"
#include "tree.h"

int graph_add(struct view *v, struct stack *st, enum view_graph order, struct hist_entry *e,
	      const struct pd_sample *s, __u64 period);
void graph_print(const struct hist_entry *e, __u64 total_period, __u64 total_samples);
const char *graph_member(enum view_graph order);
struct json_object *graph_json(const struct tree_node *node);

#endif /* _ACRCTL_REPORT_GRAPH_H */
