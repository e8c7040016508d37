// SPDX-License-Identifier: GPL-2.0-only
/* Call chains added up: a tree of functions, each below the one that comes before it in a chain. */
#include "tree.h"

#include <search.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM	4

/* By name alone. */
static int compare_names(const void *a, const void *b)
{
	const struct tree_node *x = a, *y = b;
	int diff = x->level - y->level;

	if (!diff)
		diff = x->inlined - y->inlined;
	if (!diff)
		diff = strcmp(x->symbol, y->symbol);
	return diff ? diff : strcmp(x->dso, y->dso);
}

static struct tree_node *make_node(const struct tree_function *f)
{
	struct tree_node *node = calloc(1, sizeof(*node));

	if (!node)
		return NULL;
	node->level = f->level;
	node->inlined = f->inlined;
	node->symbol = strdup(f->symbol);
	node->dso = strdup(f->dso);
	if (node->symbol && node->dso)
		return node;
	tree_free(node);
	return NULL;
}

static struct tree_node *add_child(struct tree_node *node, const struct tree_function *f)
{
	struct tree_node *child;

	if (node->nr == node->room) {
		size_t room = node->room ? node->room * 2 : FIRST_ROOM;
		struct tree_node **more = reallocarray(node->children, room, sizeof(*more));

		if (!more)
			return NULL;
		node->children = more;
		node->room = room;
	}
	child = make_node(f);
	if (child && !tsearch(child, &node->by_name, compare_names)) {
		tree_free(child);
		child = NULL;
	}
	if (child)
		node->children[node->nr++] = child;
	return child;
}

/**
 * tree_step() - count a sample for a function that follows @node in a chain
 * @node: the function before it, or the root
 *
 * Return: the function's node, NULL: out of memory.
 */
struct tree_node *tree_step(struct tree_node *node, const struct tree_function *f, __u64 period)
{
	const struct tree_node key = {
		.symbol = (char *)f->symbol, .dso = (char *)f->dso, .level = f->level,
		.inlined = f->inlined,
	};
	struct tree_node **found = tfind(&key, &node->by_name, compare_names);
	struct tree_node *child = found ? *found : add_child(node, f);

	if (!child)
		return NULL;
	child->samples++;
	child->period += period;
	return child;
}

/* The heaviest first, then by name so that the order is always the same. */
static int compare(const void *a, const void *b)
{
	const struct tree_node *x = *(struct tree_node *const *)a;
	const struct tree_node *y = *(struct tree_node *const *)b;

	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return compare_names(x, y);
}

/**
 * tree_sort() - order the children of all nodes by weight
 */
void tree_sort(struct tree_node *node)
{
	size_t i;

	if (node->nr)
		qsort(node->children, node->nr, sizeof(*node->children), compare);
	for (i = 0; i < node->nr; i++)
		tree_sort(node->children[i]);
}

static void keep_node(void *node)
{
	(void)node;
}

/**
 * tree_free() - free a node and all below it; NULL is none
 */
void tree_free(struct tree_node *node)
{
	size_t i;

	if (!node)
		return;
	tdestroy(node->by_name, keep_node);
	for (i = 0; i < node->nr; i++)
		tree_free(node->children[i]);
	free(node->children);
	free(node->symbol);
	free(node->dso);
	free(node);
}
