/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* A pool of strings that stores each string once. */
#ifndef _ACRPMU_GEN_TEXT_POOL_H
#define _ACRPMU_GEN_TEXT_POOL_H

#include <stddef.h>
#include <linux/types.h>

/**
 * struct text_slot - a place of the hash table
 * @hash: of the string
 * @offset: where it is, 0 if the slot is free
 */
struct text_slot {
	__u32 hash;
	__u32 offset;
};

/**
 * struct text_pool - strings one after another, each closed by 0
 * @bytes: the strings; the first is the empty one
 * @len: bytes in use
 * @size: bytes allocated
 * @slots: hash table
 * @nr_slots: a power of two
 * @nr: slots in use
 */
struct text_pool {
	char *bytes;
	__u32 len;
	__u32 size;
	struct text_slot *slots;
	__u32 nr_slots;
	__u32 nr;
};

/**
 * text_pool_init() - make a pool that holds only the empty string
 * @pool: out; call text_pool_free() in any case
 *
 * Return: 0; -ENOMEM.
 */
int text_pool_init(struct text_pool *pool);

/**
 * text_pool_add() - store a string
 * @pool: its bytes may move
 * @string: the string, without a 0 in it
 * @len: its bytes
 * @offset: out, its offset in @pool->bytes
 *
 * Return: 0; -ENOMEM, also when the text would be longer than 1 GiB.
 */
int text_pool_add(struct text_pool *pool, const char *string, size_t len, __u32 *offset);

/**
 * text_pool_take() - take the strings out of a pool
 * @pool: all that can be done with it afterwards is text_pool_free()
 * @len: out, bytes of the strings
 *
 * Return: the strings; free() them.
 */
char *text_pool_take(struct text_pool *pool, size_t *len);

/**
 * text_pool_free() - free a pool
 */
void text_pool_free(struct text_pool *pool);

#endif /* _ACRPMU_GEN_TEXT_POOL_H */
