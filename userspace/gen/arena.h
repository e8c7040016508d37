/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that is allocated in small pieces and freed all at once. */
#ifndef _ACRPMU_GEN_ARENA_H
#define _ACRPMU_GEN_ARENA_H

#include <stddef.h>

struct arena;

/**
 * arena_new() - create an arena
 *
 * Return: the arena, NULL if out of memory. Free it with arena_free().
 */
struct arena *arena_new(void);

/**
 * arena_alloc() - allocate memory
 *
 * Return: zeroed memory, aligned for any type; NULL if out of memory.
 */
void *arena_alloc(struct arena *arena, size_t size);

/**
 * arena_copy() - copy bytes and append a 0
 *
 * Return: the copy, NULL if out of memory.
 */
char *arena_copy(struct arena *arena, const char *bytes, size_t len);

/**
 * arena_free() - free an arena and all that was allocated from it
 * @arena: may be NULL
 */
void arena_free(struct arena *arena);

#endif /* _ACRPMU_GEN_ARENA_H */
