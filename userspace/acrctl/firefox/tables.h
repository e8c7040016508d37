/* SPDX-License-Identifier: GPL-2.0-only */
/* What the samples of a profile refer to: strings, files, functions, frames and stacks. */
#ifndef _ACRCTL_FIREFOX_TABLES_H
#define _ACRCTL_FIREFOX_TABLES_H

#include "../../util/intern.h"
#include "../../util/tuples.h"
#include "../stack.h"

#define FIREFOX_FAILED	((__u64)-1)

/* How code runs; numbers are indexes of meta.categories. */
enum firefox_category {
	FIREFOX_OTHER,
	FIREFOX_USER,
	FIREFOX_KERNEL,
	FIREFOX_GUEST,
};

/* Tables of tuples; what a tuple refers to is a number + 1 where it may be missing, then 0. */
struct firefox_tables {
	struct view *view;
	struct intern strings;
	struct tuples libs;		/* dso, path, name without its directory */
	struct tuples symbols;		/* lib, address, size, name */
	struct tuples places;		/* kernel, dso, offset */
	struct firefox_place *found;	/* by number of @places */
	size_t room_found;
	struct tuples sources;		/* name */
	struct tuples functions;	/* name, lib + 1, source + 1 */
	/* address + 1, depth, category, function, symbol + 1, line */
	struct tuples frames;
	struct tuples stacks;		/* prefix + 1, frame */
};

__u64 firefox_stack(struct firefox_tables *t, __u32 pid, const struct stack *st);
int firefox_put_tables(const struct firefox_tables *t, FILE *out);
int firefox_put_libs(const struct firefox_tables *t, FILE *out);
int firefox_put_text(FILE *out, const char *text);
void firefox_free_tables(struct firefox_tables *t);

#endif /* _ACRCTL_FIREFOX_TABLES_H */
