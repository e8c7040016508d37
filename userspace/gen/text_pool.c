// SPDX-License-Identifier: LGPL-2.1-or-later
/* A pool of strings that stores each string once. */
#include "text_pool.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE	(8U << 10)
#define FIRST_SLOTS	1024U
#define MAX_LEN		(1U << 30)

/* The odd factor is 2^64 divided by the golden ratio. */
static __u64 mix(__u64 h, __u64 word)
{
	h = (h ^ word) * 0x9e3779b97f4a7c15ULL;
	return h ^ h >> 32;
}

/* By words, since descriptions are long. */
static __u32 hash(const char *string, size_t len)
{
	__u64 word, h = len;

	for (; len >= sizeof(word); string += sizeof(word), len -= sizeof(word)) {
		memcpy(&word, string, sizeof(word));
		h = mix(h, word);
	}
	word = 0;
	memcpy(&word, string, len);
	return mix(h, word);
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

static bool is_at(const struct text_pool *pool, __u32 offset, const char *string, size_t len)
{
	const char *at = pool->bytes + offset;

	return offset + len < pool->len && !at[len] && !memcmp(at, string, len);
}

/* The slot of a string: with its offset, or a free one. */
static struct text_slot *find_slot(const struct text_pool *pool, __u32 h, const char *string,
				   size_t len)
{
	__u32 i;

	for (i = h;; i++) {
		struct text_slot *slot = &pool->slots[i & (pool->nr_slots - 1)];

		if (!slot->offset ||
		    (slot->hash == h && is_at(pool, slot->offset, string, len)))
			return slot;
	}
}

static void move_slot(struct text_pool *pool, const struct text_slot *slot)
{
	__u32 i = slot->hash;

	while (pool->slots[i & (pool->nr_slots - 1)].offset)
		i++;
	pool->slots[i & (pool->nr_slots - 1)] = *slot;
}

static int grow_slots(struct text_pool *pool)
{
	const __u32 nr = pool->nr_slots;
	struct text_slot *old = pool->slots;
	__u32 i;

	pool->slots = calloc((size_t)nr * 2, sizeof(*pool->slots));
	if (!pool->slots) {
		pool->slots = old;
		return -ENOMEM;
	}
	pool->nr_slots = nr * 2;
	for (i = 0; i < nr; i++) {
		if (old[i].offset)
			move_slot(pool, &old[i]);
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
	struct text_slot *slot;
	__u32 h;

	*offset = 0;
	if (!len)
		return 0;
	h = hash(string, len);
	slot = find_slot(pool, h, string, len);
	*offset = slot->offset;
	if (*offset)
		return 0;
	if (len >= pool->size - pool->len && grow_bytes(pool, len))
		return -ENOMEM;
	*offset = pool->len;
	*slot = (struct text_slot){ .hash = h, .offset = *offset };
	memcpy(pool->bytes + pool->len, string, len);
	pool->len += len;
	pool->bytes[pool->len++] = '\0';
	pool->nr++;
	return pool->nr > pool->nr_slots / 4 * 3 ? grow_slots(pool) : 0;
}

char *text_pool_take(struct text_pool *pool, size_t *len)
{
	char *bytes = pool->bytes;

	*len = pool->len;
	pool->bytes = NULL;
	return bytes;
}

void text_pool_free(struct text_pool *pool)
{
	free(pool->bytes);
	free(pool->slots);
	memset(pool, 0, sizeof(*pool));
}
