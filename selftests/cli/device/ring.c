// SPDX-License-Identifier: GPL-2.0-only
/* Writing records to a ring. */
#include <string.h>

#include "device.h"

/**
 * ring_has_data() - whether something is unread
 */
bool ring_has_data(const struct ring *ring)
{
	return ring->data && *ring->head != __atomic_load_n(ring->tail, __ATOMIC_ACQUIRE);
}

/**
 * ring_put() - write a record
 *
 * Return: false without a ring, or if the record does not fit: then it is not written.
 */
bool ring_put(struct ring *ring, const void *record, size_t bytes)
{
	uint64_t head, tail, at, first;

	if (!ring->data)
		return false;
	head = *ring->head;
	tail = __atomic_load_n(ring->tail, __ATOMIC_ACQUIRE);
	if (head - tail + bytes > ring->size)
		return false;
	at = head % ring->size;
	first = ring->size - at < bytes ? ring->size - at : bytes;
	memcpy(ring->data + at, record, first);
	memcpy(ring->data, (const char *)record + first, bytes - first);
	__atomic_store_n(ring->head, head + bytes, __ATOMIC_RELEASE);
	return true;
}
