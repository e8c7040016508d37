// SPDX-License-Identifier: LGPL-2.1-or-later
/* Memory that is allocated in small pieces and freed all at once. */
#include "arena.h"

#include <stdlib.h>
#include <string.h>

#define CHUNK_SIZE	(16UL << 10)

/**
 * struct chunk - one allocation
 * @next: the one before it
 * @bytes: the memory
 */
struct chunk {
	struct chunk *next;
	max_align_t bytes[];
};

/**
 * struct arena - chunks of memory; only the newest has free bytes
 * @chunks: all of them
 * @used: bytes of the newest chunk in use
 * @size: bytes of the newest chunk
 */
struct arena {
	struct chunk *chunks;
	size_t used;
	size_t size;
};

struct arena *arena_new(void)
{
	return calloc(1, sizeof(struct arena));
}

static int add_chunk(struct arena *arena, size_t size)
{
	struct chunk *chunk = calloc(1, sizeof(*chunk) + size);

	if (!chunk)
		return -1;
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	arena->used = 0;
	arena->size = size;
	return 0;
}

void *arena_alloc(struct arena *arena, size_t size)
{
	const size_t align = _Alignof(max_align_t);
	void *bytes;

	if (size > (size_t)-1 / 2)
		return NULL;
	size = size ? (size + align - 1) / align * align : align;
	if (arena->size - arena->used < size &&
	    add_chunk(arena, size > CHUNK_SIZE ? size : CHUNK_SIZE))
		return NULL;
	bytes = (char *)arena->chunks->bytes + arena->used;
	arena->used += size;
	return bytes;
}

char *arena_copy(struct arena *arena, const char *bytes, size_t len)
{
	char *copy = len + 1 ? arena_alloc(arena, len + 1) : NULL;

	return copy ? memcpy(copy, bytes, len) : NULL;
}

void arena_free(struct arena *arena)
{
	struct chunk *chunk;

	if (!arena)
		return;
	while ((chunk = arena->chunks)) {
		arena->chunks = chunk->next;
		free(chunk);
	}
	free(arena);
}
