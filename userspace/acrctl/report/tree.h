/* SPDX-License-Identifier: GPL-2.0-only */
/* Paths through functions, as call chains are, and the tree that those of an entry make up. */
#ifndef _ACRCTL_REPORT_TREE_H
#define _ACRCTL_REPORT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#include "../../util/tuples.h"

#define TREE_NONE	((__u32)-1)	/* no function or path, such as out of memory */

/* One frame by name. */
struct tree_function {
	const char *symbol;
	const char *dso;
	char level;			/* VIEW_LEVEL_* */
	bool inlined;
};

/* Samples that have the same functions in the same order. */
struct tree_path {
	size_t begin;			/* in the functions of all paths */
	__u32 nr;			/* of its functions */
	__u32 next;			/* the path added before, of the same entry, or TREE_NONE */
	__u64 samples;
	__u64 period;			/* sum of their periods */
};

/* All paths; zeroed it is empty. */
struct tree {
	struct tuples names;		/* of functions: pointers, equal if the texts are */
	struct tree_function *functions;	/* by number of the names */
	size_t room_functions;
	__u32 *steps;			/* functions of all paths, by number */
	size_t nr_steps;
	size_t room_steps;
	struct tree_path *paths;
	size_t nr_paths;
	size_t room_paths;
};

/* A function that some paths have in the same place, behind the same functions. */
struct tree_node {
	__u32 function;			/* TREE_NONE in front of the first ones */
	__u32 depth;			/* how many functions are in front of it, with itself */
	__u64 samples;
	__u64 period;			/* sum of their periods */
	__u32 *paths;			/* their numbers, a part of those of the node before it */
	size_t nr_paths;
};

__u32 tree_function(struct tree *t, const struct tree_function *f);
__u32 tree_add(struct tree *t, const __u32 *functions, __u32 nr, __u32 next);
int tree_root(const struct tree *t, __u32 last, struct tree_node *root);
int tree_next(const struct tree *t, const struct tree_node *node, struct tree_node **next,
	      size_t *nr);
void tree_free(struct tree *t);

#endif /* _ACRCTL_REPORT_TREE_H */
