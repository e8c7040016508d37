// SPDX-License-Identifier: GPL-2.0-only
/* The call chains of report: collecting them below entries, and printing them. */
#include "graph.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "../terminal.h"
#include "../ui/color.h"

#define MIN_PERCENT	0.5	/* of an event; what is rarer is added up */
#define INDENT		2
#define FIRST_COLUMN	22	/* below the names of entries */

static struct tree_node *step(const struct stack_frame *frame, struct tree_node *node,
			      __u64 period)
{
	const struct tree_function f = {
		.symbol = frame->symbol,
		.dso = frame->dso,
		.level = frame->level,
		.inlined = frame->inlined,
	};

	return tree_step(node, &f, period);
}

/*
 * Callers, nearest first; or all from the outermost caller to the function itself.  Where code was
 * inlined into the function, that comes before its callers, followed by the function.
 */
static int add_path(enum view_graph order, struct tree_node *node, const struct stack *st,
		    __u64 period)
{
	size_t i;

	if (order == VIEW_GRAPH_CALLEE) {
		for (i = !st->frames[0].inlined; node && i < st->nr; i++)
			node = step(&st->frames[i], node, period);
	} else {
		for (i = st->nr; node && i > 0; i--)
			node = step(&st->frames[i - 1], node, period);
	}
	return node ? 0 : -ENOMEM;
}

/**
 * graph_add() - add the chain of a sample to the tree of its entry
 * @st: room for its frames
 *
 * Return: 0 or -ENOMEM.
 */
int graph_add(struct view *v, struct stack *st, enum view_graph order, struct hist_entry *e,
	      const struct pd_sample *s, __u64 period)
{
	if (!(s->fields & PERF_SAMPLE_CALLCHAIN))
		return 0;
	if (!e->chains)
		e->chains = calloc(1, sizeof(*e->chains));
	if (!e->chains || stack_read(st, v, s))
		return -ENOMEM;
	return add_path(order, e->chains, st, period);
}

struct totals {
	__u64 period;
	__u64 samples;
};

static double percent(const struct totals *t, __u64 period, __u64 samples)
{
	return t->period ? 100.0 * period / t->period : 100.0 * samples / t->samples;
}

static void print_indent(unsigned int depth)
{
	printf("%*s", FIRST_COLUMN + (int)depth * INDENT, "");
}

static void print_share(double share)
{
	enum color color = color_of_percent(share);

	color_begin(stdout, color);
	printf("%6.2f%%  ", share);
	color_end(stdout, color);
}

/* A function with the samples of the one before it stands in its column, without a percentage. */
static void print_below(const struct tree_node *node, const struct totals *t, unsigned int depth)
{
	__u64 period = 0, samples = 0;
	size_t i, rest = 0;

	for (i = 0; i < node->nr; i++) {
		const struct tree_node *child = node->children[i];
		double share = percent(t, child->period, child->samples);
		bool only = node->samples == child->samples;

		if (share < MIN_PERCENT) {
			period += child->period;
			samples += child->samples;
			rest++;
			continue;
		}
		print_indent(depth);
		if (only)
			printf("         ");
		else
			print_share(share);
		printf("[%c] ", child->level);
		terminal_print(stdout, 0, child->symbol);
		printf("%s\n", child->inlined ? " (inlined)" : "");
		print_below(child, t, depth + !only);
	}
	if (!rest)
		return;
	print_indent(depth);
	printf("%6.2f%%  (%zu others, each below %.1f%%)\n", percent(t, period, samples), rest,
	       MIN_PERCENT);
}

/**
 * graph_print() - print the tree of an entry, in percent of its event
 */
void graph_print(const struct hist_entry *e, __u64 total_period, __u64 total_samples)
{
	const struct totals t = { .period = total_period, .samples = total_samples };

	if (!e->chains || !e->chains->nr)
		return;
	print_below(e->chains, &t, 1);
	printf("\n");
}

/**
 * graph_member() - the name of the array in which JSON has what comes next in a chain
 */
const char *graph_member(enum view_graph order)
{
	return order == VIEW_GRAPH_CALLEE ? "callers" : "callees";
}

static void add_below(struct json_object **json, const struct tree_node *node, unsigned int depth)
{
	size_t i;

	for (i = 0; i < node->nr; i++) {
		const struct tree_node *n = node->children[i];

		jsonout_add(json, jsonout_object("depth", jsonout_count(depth),
						 "samples", jsonout_count(n->samples),
						 "period", jsonout_count(n->period),
						 "symbol", jsonout_text(n->symbol),
						 "dso", jsonout_text(n->dso),
						 "level", jsonout_text(view_level_name(n->level)),
						 "inlined", jsonout_bool(n->inlined), NULL));
		add_below(json, n, depth + 1);
	}
}

/**
 * graph_json() - make an array of all that is below a node; NULL is an empty tree
 *
 * The tree is flat, each function before those of the next depth, since readers of JSON limit how
 * deep arrays may be nested.
 */
struct json_object *graph_json(const struct tree_node *node)
{
	struct json_object *json = json_object_new_array();

	if (node)
		add_below(&json, node, 1);
	return json;
}
