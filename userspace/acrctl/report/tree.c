// SPDX-License-Identifier: GPL-2.0-only
/* Paths through functions, as call chains are, and the tree that those of an entry make up. */
#include "tree.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/util.h"

#define FIRST_ROOM	64

/* Make room for @more elements; NULL: out of memory, and nothing has changed. */
static void *grow(void *array, size_t nr, size_t more, size_t *room, size_t size)
{
	size_t enough = *room ? *room : FIRST_ROOM;

	while (enough - nr < more)
		enough *= 2;
	if (enough == *room)
		return array;
	array = reallocarray(array, enough, size);
	if (array)
		*room = enough;
	return array;
}

/**
 * tree_function() - the number of a function; texts are equal only at equal addresses
 *
 * Return: the number, or TREE_NONE: out of memory.
 */
__u32 tree_function(struct tree *t, const struct tree_function *f)
{
	const uint64_t names[] = {
		(uintptr_t)f->symbol, (uintptr_t)f->dso,
		(unsigned char)f->level << CHAR_BIT | f->inlined,
	};
	size_t number = tuples_add(&t->names, names, ARRAY_SIZE(names), NULL);
	struct tree_function *more;

	if (number >= TREE_NONE)
		return TREE_NONE;
	more = grow(t->functions, number, 1, &t->room_functions, sizeof(*more));
	if (!more)
		return TREE_NONE;
	t->functions = more;
	more[number] = *f;
	return number;
}

/**
 * tree_add() - add a path without samples
 * @functions: their numbers, @nr of them
 * @next: another path of the same entry, or TREE_NONE
 *
 * Return: its number, or TREE_NONE: out of memory.
 */
__u32 tree_add(struct tree *t, const __u32 *functions, __u32 nr, __u32 next)
{
	struct tree_path *paths;
	__u32 *steps;

	steps = grow(t->steps, t->nr_steps, nr, &t->room_steps, sizeof(*steps));
	if (!steps)
		return TREE_NONE;
	t->steps = steps;
	paths = grow(t->paths, t->nr_paths, 1, &t->room_paths, sizeof(*paths));
	if (!paths || t->nr_paths >= TREE_NONE)
		return TREE_NONE;
	t->paths = paths;
	memcpy(steps + t->nr_steps, functions, nr * sizeof(*steps));
	paths[t->nr_paths] = (struct tree_path){ .begin = t->nr_steps, .nr = nr, .next = next };
	t->nr_steps += nr;
	return t->nr_paths++;
}

/**
 * tree_root() - begin a tree of paths
 * @last: the last that was added, the first of a list
 * @root: its @paths are to be freed
 *
 * Return: 0 or -ENOMEM.
 */
int tree_root(const struct tree *t, __u32 last, struct tree_node *root)
{
	size_t nr = 0;
	__u32 i;

	*root = (struct tree_node){ .function = TREE_NONE };
	for (i = last; i != TREE_NONE; i = t->paths[i].next)
		nr++;
	root->paths = reallocarray(NULL, nr ? nr : 1, sizeof(*root->paths));
	if (!root->paths)
		return -ENOMEM;
	for (i = last; i != TREE_NONE; i = t->paths[i].next)
		root->paths[root->nr_paths++] = i;
	return 0;
}

/* By name alone. */
static int compare_names(const struct tree_function *x, const struct tree_function *y)
{
	int diff = x->level - y->level;

	if (!diff)
		diff = x->inlined - y->inlined;
	if (!diff)
		diff = strcmp(x->symbol, y->symbol);
	return diff ? diff : strcmp(x->dso, y->dso);
}

/* The heaviest first, then by name so that the order is always the same. */
static int compare_nodes(const void *a, const void *b, void *tree)
{
	const struct tree_node *x = a, *y = b;
	const struct tree *t = tree;

	if (x->period != y->period)
		return x->period > y->period ? -1 : 1;
	if (x->samples != y->samples)
		return x->samples > y->samples ? -1 : 1;
	return compare_names(&t->functions[x->function], &t->functions[y->function]);
}

/* A path, and its function at the depth that is looked at. */
struct fork {
	__u32 function;
	__u32 path;
};

static int compare_forks(const void *a, const void *b)
{
	const struct fork *x = a, *y = b;

	return x->function < y->function ? -1 : x->function > y->function;
}

/* Order the paths of a node by their next functions; those that end come last. */
static int order_paths(const struct tree *t, const struct tree_node *node)
{
	struct fork *forks = reallocarray(NULL, node->nr_paths + 1, sizeof(*forks));
	size_t i;

	if (!forks)
		return -ENOMEM;
	for (i = 0; i < node->nr_paths; i++) {
		const struct tree_path *p = &t->paths[node->paths[i]];

		forks[i].path = node->paths[i];
		forks[i].function = node->depth < p->nr ? t->steps[p->begin + node->depth] :
							   TREE_NONE;
	}
	qsort(forks, node->nr_paths, sizeof(*forks), compare_forks);
	for (i = 0; i < node->nr_paths; i++)
		node->paths[i] = forks[i].path;
	free(forks);
	return 0;
}

/* Adds the paths of a node, which are ordered, up by their next functions. */
static size_t add_up(const struct tree *t, const struct tree_node *node, struct tree_node *next)
{
	size_t i, nr = 0;

	for (i = 0; i < node->nr_paths; i++) {
		const struct tree_path *p = &t->paths[node->paths[i]];

		if (node->depth >= p->nr)
			break;
		if (!nr || next[nr - 1].function != t->steps[p->begin + node->depth])
			next[nr++] = (struct tree_node){
				.function = t->steps[p->begin + node->depth],
				.depth = node->depth + 1, .paths = &node->paths[i],
			};
		next[nr - 1].nr_paths++;
		next[nr - 1].samples += p->samples;
		next[nr - 1].period += p->period;
	}
	return nr;
}

/**
 * tree_next() - find the functions that come next, the heaviest first
 * @node: the order of its paths changes
 * @next: set to @nr functions; to be freed
 *
 * Return: 0 or -ENOMEM.
 */
int tree_next(const struct tree *t, const struct tree_node *node, struct tree_node **next,
	      size_t *nr)
{
	*next = reallocarray(NULL, node->nr_paths + 1, sizeof(**next));
	if (!*next)
		return -ENOMEM;
	if (order_paths(t, node)) {
		free(*next);
		return -ENOMEM;
	}
	*nr = add_up(t, node, *next);
	qsort_r(*next, *nr, sizeof(**next), compare_nodes, (void *)t);
	return 0;
}

/**
 * tree_free() - free all paths
 */
void tree_free(struct tree *t)
{
	tuples_free(&t->names);
	free(t->functions);
	free(t->steps);
	free(t->paths);
}
