// SPDX-License-Identifier: GPL-2.0-only
/* Taking what is unread from a ring as whole records, and counting them. */
#include "ring.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <linux/perf_event.h>

/* place of the number in a PERF_RECORD_LOST: header and id come first */
#define LOST_OFFSET	(sizeof(struct perf_event_header) + sizeof(__u64))

static __u64 word_at(const struct rec_ring *r, __u64 pos)
{
	__u64 value;

	/* records are multiples of 8 bytes, so that a word never wraps */
	memcpy(&value, r->data + (pos & (r->data_size - 1)), sizeof(value));
	return value;
}

static int count_records(const struct rec_ring *r, __u64 at, __u64 end, struct rec_counts *counts)
{
	struct perf_event_header h;
	__u64 word;

	counts->bytes += end - at;
	for (; at < end; at += h.size) {
		word = word_at(r, at);
		memcpy(&h, &word, sizeof(h));
		if (h.size < sizeof(h) || h.size % sizeof(__u64) || h.size > end - at)
			return -EIO;
		if (h.type == PERF_RECORD_SAMPLE)
			counts->samples++;
		else if (h.type == PERF_RECORD_LOST && h.size >= LOST_OFFSET + sizeof(word))
			counts->lost += word_at(r, at + LOST_OFFSET);
	}
	return 0;
}

/**
 * rec_ring_peek() - what is unread
 * @r: the ring
 * @b: the records, in the ring itself, and how many they are
 *
 * Return: 0, or -EIO if the ring does not hold whole records.
 */
int rec_ring_peek(const struct rec_ring *r, struct rec_batch *b)
{
	/* pairs with the writer's barrier between data and head */
	__u64 head = __atomic_load_n(r->head, __ATOMIC_ACQUIRE);
	__u64 tail = *r->tail, size = head - tail, from, first;
	int err;

	memset(b, 0, sizeof(*b));
	b->end = head;
	if (!size)
		return 0;
	if (size > r->data_size)
		return -EIO;
	err = count_records(r, tail, head, &b->counts);
	if (err)
		return err;
	from = tail & (r->data_size - 1);
	first = size < r->data_size - from ? size : r->data_size - from;
	b->iov[b->nr].iov_base = (void *)(r->data + from);
	b->iov[b->nr++].iov_len = first;
	if (first < size) {
		b->iov[b->nr].iov_base = (void *)r->data;
		b->iov[b->nr++].iov_len = size - first;
	}
	return 0;
}

/**
 * rec_ring_consume() - give the room back to the writer
 * @r: the ring
 * @b: what was written to the file
 * @counts: grows by it
 */
void rec_ring_consume(struct rec_ring *r, const struct rec_batch *b, struct rec_counts *counts)
{
	counts->samples += b->counts.samples;
	counts->lost += b->counts.lost;
	counts->bytes += b->counts.bytes;
	/* pairs with the writer's read of the tail before it writes data */
	__atomic_store_n(r->tail, b->end, __ATOMIC_RELEASE);
}

/**
 * rec_ring_unmap() - end the mapping
 * @r: the ring
 */
void rec_ring_unmap(struct rec_ring *r)
{
	if (r->base)
		munmap(r->base, r->length);
	r->base = NULL;
}
