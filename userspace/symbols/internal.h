/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions shared by the files that make up a space. */
#ifndef _SYMBOLS_INTERNAL_H
#define _SYMBOLS_INTERNAL_H

#include <stdlib.h>

#include "space.h"

#define SYM_FIRST_ROOM	16

/* Make room for one more element of an array; NULL: out of memory, and nothing has changed. */
static inline void *sym_grow(void *array, size_t nr, size_t *room, size_t elem)
{
	size_t more = *room ? *room * 2 : SYM_FIRST_ROOM;

	if (nr < *room)
		return array;
	array = reallocarray(array, more, elem);
	if (array)
		*room = more;
	return array;
}

/* task.c */
struct sym_process *sym_process_find(const struct sym_space *sp, __u32 pid);
struct sym_process *sym_process_get(struct sym_space *sp, __u32 pid);

/* dso.c */
int sym_dso_get(struct sym_space *sp, const char *name, const struct sym_build_id *id,
		size_t *index);

#endif /* _SYMBOLS_INTERNAL_H */
