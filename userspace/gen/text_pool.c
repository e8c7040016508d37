// SPDX-License-Identifier: LGPL-2.1-or-later
/* A pool of strings that stores each string once. */
#include "text_pool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE	(8U << 10)
#define FIRST_SLOTS	1024U
#define MAX_LEN		(1U << 30)

/* FNV-1a: short strings, and the same result everywhere */
static __u32 hash(const char *string, size_t len)
{
	__u32 h = 2166136261U;
	size_t i;

	for (i = 0; i < len; i++)
		h = (h ^ (unsigned char)string[i]) * 16777619U;
	return h;
}

int text_pool_init(struct text_pool *pool)
{
	memset(pool, 0, sizeof(*pool));
	pool->bytes = calloc(1, FIRST_SIZE);
	pool->slots = calloc(FIRST_SLOTS, sizeof(*pool->slots));
	if (!pool->bytes || !pool->slots)
		return -ENOMEM;
	pool->size = FIRST_SIZE;
	pool->nr_slots = FIRST_SLOTS;
	pool->len = 1;
	return 0;
}

/* The slot of a string: with its offset, or a free one. */
static __u32 *find_slot(const struct text_pool *pool, const char *string, size_t len)
{
	__u32 i = hash(string, len);

	for (;; i++) {
		__u32 *slot = &pool->slots[i & (pool->nr_slots - 1)];
		const char *at = pool->bytes + *slot;

		if (!*slot || (*slot + len < pool->len && !at[len] && !memcmp(at, string, len)))
			return slot;
	}
}

static int grow_slots(struct text_pool *pool)
{
	const __u32 nr = pool->nr_slots;
	__u32 *old = pool->slots;
	__u32 i;

	pool->slots = calloc((size_t)nr * 2, sizeof(*pool->slots));
	if (!pool->slots) {
		pool->slots = old;
		return -ENOMEM;
	}
	pool->nr_slots = nr * 2;
	for (i = 0; i < nr; i++) {
		const char *string = pool->bytes + old[i];

		if (old[i])
			*find_slot(pool, string, strlen(string)) = old[i];
	}
	free(old);
	return 0;
}

static int grow_bytes(struct text_pool *pool, size_t len)
{
	size_t size = pool->size;
	char *bytes;

	if (len >= MAX_LEN - pool->len)
		return -ENOMEM;
	while (size < pool->len + len + 1)
		size *= 2;
	bytes = realloc(pool->bytes, size);
	if (!bytes)
		return -ENOMEM;
	pool->bytes = bytes;
	pool->size = size;
	return 0;
}

int text_pool_add(struct text_pool *pool, const char *string, size_t len, __u32 *offset)
{
	__u32 *slot;

	*offset = 0;
	if (!len)
		return 0;
	slot = find_slot(pool, string, len);
	*offset = *slot;
	if (*slot)
		return 0;
	if (len >= pool->size - pool->len && grow_bytes(pool, len))
		return -ENOMEM;
	*slot = *offset = pool->len;
	memcpy(pool->bytes + pool->len, string, len);
	pool->len += len;
	pool->bytes[pool->len++] = '\0';
	pool->nr++;
	return pool->nr * 2 > pool->nr_slots ? grow_slots(pool) : 0;
}

void text_pool_free(struct text_pool *pool)
{
	free(pool->bytes);
	free(pool->slots);
	memset(pool, 0, sizeof(*pool));
}
