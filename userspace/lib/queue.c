// SPDX-License-Identifier: LGPL-2.1-or-later
/* Messages that wait to be read, first in, first out. */
#include "queue.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int acrpmu_queue_add(struct queue *queue, const void *bytes, size_t size)
{
	struct queue_entry *entry = malloc(sizeof(*entry) + size);

	if (!entry)
		return -ENOMEM;
	entry->next = NULL;
	entry->size = size;
	memcpy(entry->bytes, bytes, size);
	if (queue->first)
		queue->last->next = entry;
	else
		queue->first = entry;
	queue->last = entry;
	queue->bytes += size;
	return 0;
}

struct queue_entry *acrpmu_queue_take(struct queue *queue)
{
	struct queue_entry *entry = queue->first;

	if (!entry)
		return NULL;
	queue->first = entry->next;
	queue->bytes -= entry->size;
	return entry;
}

void acrpmu_queue_free(struct queue *queue)
{
	struct queue_entry *entry;

	while ((entry = acrpmu_queue_take(queue)))
		free(entry);
}
