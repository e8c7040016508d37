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
#define FIRST_ROOM	256

static bool make_room(struct graph *g, size_t nr)
{
	size_t room = g->room ? g->room : FIRST_ROOM;
	uint64_t *words;
	__u32 *path;

	while (room < nr)
		room *= 2;
	if (room == g->room)
		return true;
	words = reallocarray(g->words, room, sizeof(*words));
	if (words)
		g->words = words;
	path = reallocarray(g->path, room, sizeof(*path));
	if (path)
		g->path = path;
	if (words && path)
		g->room = room;
	return words && path;
}

static __u32 number_of(struct graph *g, const struct stack_frame *frame)
{
	const struct tree_function f = {
		.symbol = frame->symbol,
		.dso = frame->dso,
		.level = frame->level,
		.inlined = frame->inlined,
	};

	return tree_function(&g->tree, &f);
}

/*
 * The functions of the stack.  Callers, nearest first; or all from the outermost caller to the
 * function itself.  Where code was inlined into the function, that comes before its callers,
 * followed by the function.
 */
static __u32 add_path(struct graph *g, __u32 next)
{
	bool callee = g->order == VIEW_GRAPH_CALLEE;
	const struct stack *st = &g->stack;
	size_t i, nr = 0, first = callee && !st->frames[0].inlined;

	if (!make_room(g, st->nr))
		return TREE_NONE;
	for (i = first; i < st->nr; i++) {
		size_t from = callee ? i : st->nr - 1 - i;

		g->path[nr] = number_of(g, &st->frames[from]);
		if (g->path[nr++] == TREE_NONE)
			return TREE_NONE;
	}
	return tree_add(&g->tree, g->path, nr, next);
}

/*
 * The chain as recorded.  Where its first address is that of the sample, the place has what matters
 * of it, so that all samples of a function with the same callers have one chain.
 * @leaf: paths end with the function itself, which the place need not name
 */
static size_t copy_chain(uint64_t *words, const struct pd_sample *s, __u64 place, bool leaf)
{
	bool first = true;
	size_t i, nr = 0;

	words[nr++] = place;
	for (i = 0; i < s->nr_chain; i++) {
		bool same = !leaf && first && s->chain[i] == s->ip;

		first &= s->chain[i] >= PERF_CONTEXT_MAX;
		words[nr++] = same ? 0 : s->chain[i];
	}
	return nr;
}

/**
 * graph_add() - add the chain of a sample to the tree of its entry
 * @place: a number that decides about entry, inlined functions at its address, and those at others
 *
 * Return: 0 or -ENOMEM.
 */
int graph_add(struct graph *g, struct view *v, const struct pd_sample *s, __u64 place,
	      struct hist_entry *e, __u64 period)
{
	bool added, leaf = g->order != VIEW_GRAPH_CALLEE;
	struct tree_path *path;
	size_t number;

	if (!(s->fields & PERF_SAMPLE_CALLCHAIN))
		return 0;
	if (!make_room(g, s->nr_chain + 1))
		return -ENOMEM;
	number = tuples_add(&g->chains, g->words, copy_chain(g->words, s, place, leaf), &added);
	if (number == TUPLES_FAILED)
		return -ENOMEM;
	if (added) {
		if (stack_read(&g->stack, v, s) || add_path(g, e->paths) != number)
			return -ENOMEM;
		e->paths = number;
	}
	path = &g->tree.paths[number];
	path->samples++;
	path->period += period;
	return 0;
}

/**
 * graph_inlined() - number the functions that were inlined at the address of a sample
 *
 * Return: the number, 0 if there are none; TREE_NONE: out of memory.
 */
__u32 graph_inlined(struct graph *g, struct view *v, const struct pd_sample *s)
{
	struct pd_sample alone = *s;
	size_t i;

	alone.fields &= ~PERF_SAMPLE_CALLCHAIN;
	if (stack_read(&g->stack, v, &alone) || !make_room(g, g->stack.nr))
		return TREE_NONE;
	if (!g->stack.frames[0].inlined)
		return 0;
	for (i = 0; i < g->stack.nr; i++) {
		g->words[i] = number_of(g, &g->stack.frames[i]);
		if (g->words[i] == TREE_NONE)
			return TREE_NONE;
	}
	i = tuples_add(&g->inlined, g->words, g->stack.nr, NULL);
	return i >= TREE_NONE - 1 ? TREE_NONE : i + 1;
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

static int print_below(const struct graph *g, const struct tree_node *node, const struct totals *t,
		       unsigned int depth);

static int print_node(const struct graph *g, const struct tree_node *node, const struct totals *t,
		      unsigned int depth, bool only)
{
	const struct tree_function *f = &g->tree.functions[node->function];

	print_indent(depth);
	if (only)
		printf("         ");
	else
		print_share(percent(t, node->period, node->samples));
	printf("[%c] ", f->level);
	terminal_print(stdout, 0, f->symbol);
	printf("%s\n", f->inlined ? " (inlined)" : "");
	return print_below(g, node, t, depth + !only);
}

static void print_rest(const struct totals *t, const struct totals *rest, size_t nr,
		       unsigned int depth)
{
	print_indent(depth);
	printf("%6.2f%%  (%zu others, each below %.1f%%)\n",
	       percent(t, rest->period, rest->samples), nr, MIN_PERCENT);
}

/*
 * A function with the samples of the one before it stands in its column, without a percentage.
 * Returns 0 or -ENOMEM.
 */
static int print_below(const struct graph *g, const struct tree_node *node, const struct totals *t,
		       unsigned int depth)
{
	struct totals rest = { 0 };
	struct tree_node *next;
	size_t i, nr, nr_rest = 0;
	int err = tree_next(&g->tree, node, &next, &nr);

	if (err)
		return err;
	for (i = 0; !err && i < nr; i++) {
		if (percent(t, next[i].period, next[i].samples) < MIN_PERCENT) {
			rest.period += next[i].period;
			rest.samples += next[i].samples;
			nr_rest++;
		} else {
			err = print_node(g, &next[i], t, depth, node->samples == next[i].samples);
		}
	}
	free(next);
	if (!err && nr_rest)
		print_rest(t, &rest, nr_rest, depth);
	return err;
}

static bool has_functions(const struct graph *g, const struct hist_entry *e)
{
	__u32 i = e->paths;

	while (i != TREE_NONE && !g->tree.paths[i].nr)
		i = g->tree.paths[i].next;
	return i != TREE_NONE;
}

/**
 * graph_print() - print the tree of an entry, in percent of its event
 *
 * Return: 0 or -ENOMEM.
 */
int graph_print(const struct graph *g, const struct hist_entry *e, __u64 total_period,
		__u64 total_samples)
{
	const struct totals t = { .period = total_period, .samples = total_samples };
	struct tree_node root;
	int err = tree_root(&g->tree, e->paths, &root);

	if (!err)
		err = print_below(g, &root, &t, 1);
	if (!err && has_functions(g, e))
		printf("\n");
	free(root.paths);
	return err;
}

/**
 * graph_member() - the name of the array in which JSON has what comes next in a chain
 */
const char *graph_member(enum view_graph order)
{
	return order == VIEW_GRAPH_CALLEE ? "callers" : "callees";
}

static int add_below(struct json_object **json, const struct tree *t, const struct tree_node *node)
{
	struct tree_node *next;
	size_t i, nr;
	int err = tree_next(t, node, &next, &nr);

	if (err)
		return err;
	for (i = 0; !err && i < nr; i++) {
		const struct tree_function *f = &t->functions[next[i].function];

		jsonout_add(json, jsonout_object("depth", jsonout_count(next[i].depth),
						 "samples", jsonout_count(next[i].samples),
						 "period", jsonout_count(next[i].period),
						 "symbol", jsonout_text(f->symbol),
						 "dso", jsonout_text(f->dso),
						 "level", jsonout_text(view_level_name(f->level)),
						 "inlined", jsonout_bool(f->inlined), NULL));
		err = add_below(json, t, &next[i]);
	}
	free(next);
	return err;
}

/**
 * graph_json() - make an array of all that is below an entry
 *
 * The tree is flat, each function before those of the next depth, since readers of JSON limit how
 * deep arrays may be nested.
 *
 * Return: the array; NULL: out of memory.
 */
struct json_object *graph_json(const struct graph *g, const struct hist_entry *e)
{
	struct json_object *json = json_object_new_array();
	struct tree_node root;
	int err = tree_root(&g->tree, e->paths, &root);

	if (!err)
		err = add_below(&json, &g->tree, &root);
	free(root.paths);
	if (!err)
		return json;
	json_object_put(json);
	return NULL;
}

/** graph_free() - free all chains */
void graph_free(struct graph *g)
{
	stack_free(&g->stack);
	tree_free(&g->tree);
	tuples_free(&g->chains);
	tuples_free(&g->inlined);
	free(g->words);
	free(g->path);
}
