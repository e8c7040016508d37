/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Messages that wait to be read, first in, first out. */
#ifndef _ACRPMU_LIB_QUEUE_H
#define _ACRPMU_LIB_QUEUE_H

#include <stddef.h>

/**
 * struct queue_entry - a message that waits
 * @next: the one after it
 * @size: bytes of @bytes
 * @bytes: the message, aligned
 */
struct queue_entry {
	struct queue_entry *next;
	size_t size;
	unsigned char bytes[] __attribute__((aligned(8)));
};

/**
 * struct queue - messages in the order in which they came
 * @first: the oldest, NULL: none
 * @last: the newest
 * @bytes: of all of them
 */
struct queue {
	struct queue_entry *first;
	struct queue_entry *last;
	size_t bytes;
};

/**
 * acrpmu_queue_add() - append a copy of a message
 * @bytes: the message
 * @size: its bytes
 *
 * Return: 0; -ENOMEM.
 */
int acrpmu_queue_add(struct queue *queue, const void *bytes, size_t size);

/**
 * acrpmu_queue_take() - remove the oldest message
 *
 * Return: the message, to be freed by free(); NULL: there is none.
 */
struct queue_entry *acrpmu_queue_take(struct queue *queue);

/**
 * acrpmu_queue_free() - free all messages
 */
void acrpmu_queue_free(struct queue *queue);

#endif /* _ACRPMU_LIB_QUEUE_H */
