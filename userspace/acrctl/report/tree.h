/* SPDX-License-Identifier: GPL-2.0-only */
/* Call chains added up: a tree of functions, each below the one that comes before it in a chain. */
#ifndef _ACRCTL_REPORT_TREE_H
#define _ACRCTL_REPORT_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/* One frame by name. */
struct tree_function {
	const char *symbol;
	const char *dso;
	char level;			/* VIEW_LEVEL_* */
	bool inlined;
};

/* A function that some chains have in the same place; the root has no name. */
struct tree_node {
	char *symbol;
	char *dso;
	char level;			/* VIEW_LEVEL_* */
	bool inlined;
	__u64 samples;
	__u64 period;			/* sum of their periods */
	struct tree_node **children;	/* what comes next, ordered by tree_sort() */
	void *by_name;			/* the same as a search tree of tsearch() */
	size_t nr;
	size_t room;
};

struct tree_node *tree_step(struct tree_node *node, const struct tree_function *f, __u64 period);
void tree_sort(struct tree_node *node);
void tree_free(struct tree_node *node);

#endif /* _ACRCTL_REPORT_TREE_H */
