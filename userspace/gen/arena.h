/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Memory that is taken bit by bit and given back all at once. */
#ifndef _ACRPMU_GEN_ARENA_H
#define _ACRPMU_GEN_ARENA_H

#include <stddef.h>

struct arena;

/**
 * arena_new() - make an arena
 *
 * Return: it, to be freed by arena_free(); NULL without memory.
 */
struct arena *arena_new(void);

/**
 * arena_alloc() - take memory
 * @arena: from where
 * @size: bytes
 *
 * Return: zeroed memory, aligned for anything; NULL without memory.
 */
void *arena_alloc(struct arena *arena, size_t size);

/**
 * arena_copy() - copy bytes and close them by 0
 * @arena: from where
 * @bytes: what to copy
 * @len: how many
 *
 * Return: the copy, NULL without memory.
 */
char *arena_copy(struct arena *arena, const char *bytes, size_t len);

/**
 * arena_free() - give all back
 * @arena: what, may be NULL
 */
void arena_free(struct arena *arena);

#endif /* _ACRPMU_GEN_ARENA_H */
