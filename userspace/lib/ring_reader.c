// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading rings: the module's, and those that use head and tail as perf does. */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

#define RECORD_ALIGN	sizeof(__u64)
/* offset of the number in a PERF_RECORD_LOST: header and id come first */
#define LOST_OFFSET	(sizeof(struct perf_event_header) + sizeof(__u64))

/**
 * struct acrpmu_ring - a ring and how far it was read
 * @memory: the ring; @memory.tail is only written, since shared memory is no state
 * @ops: how system calls are made, NULL if somebody else has mapped the ring
 * @page: its first page, NULL if somebody else has mapped the ring
 * @bytes: bytes of the whole mapping
 * @tail: end of what was consumed
 * @next: position of the next record
 * @head: end of the data when it was looked at last
 * @joined: room for a record that wraps around the end
 */
struct acrpmu_ring {
	struct acrpmu_ring_memory memory;
	const struct acrpmu_ops *ops;
	struct acrpmu_ring_page *page;
	size_t bytes;
	__u64 tail;
	__u64 next;
	__u64 head;
	__u64 joined[(UINT16_MAX + 1) / sizeof(__u64)];
};

/* ---- opening ------------------------------------------------------------------------------ */

static bool is_ring_size(__u64 size)
{
	return size >= RECORD_ALIGN && !(size & (size - 1));
}

static int new_ring(const struct acrpmu_ring_memory *memory, struct acrpmu_ring **ring)
{
	struct acrpmu_ring *r = calloc(1, sizeof(*r));

	if (!r)
		return -ENOMEM;
	r->memory = *memory;
	r->tail = *memory->tail;
	r->next = r->tail;
	r->head = r->tail;
	*ring = r;
	return 0;
}

/**
 * acrpmu_ring_open() - read a ring that the caller has mapped, such as one of perf's
 * @memory: the ring; its memory must stay mapped until acrpmu_ring_unmap()
 * @ring: out, to be freed by acrpmu_ring_unmap(); written only on success
 *
 * Return: 0; -EINVAL: the size is no power of 2, or less than 8; -ENOMEM.
 */
int acrpmu_ring_open(const struct acrpmu_ring_memory *memory, struct acrpmu_ring **ring)
{
	return is_ring_size(memory->size) ? new_ring(memory, ring) : -EINVAL;
}

/* Find the ring in its mapping; -EPROTO if the first page does not describe one that lies there. */
static int find_ring(struct acrpmu_ring_page *page, size_t bytes, struct acrpmu_ring_memory *memory)
{
	__u64 offset = page->data_offset, size = page->data_size;

	if (!is_ring_size(size) || offset < sizeof(*page) || offset > bytes ||
	    size > bytes - offset)
		return -EPROTO;
	*memory = (struct acrpmu_ring_memory){
		.data = (const unsigned char *)page + offset,
		.size = size,
		.head = (const __u64 *)&page->data_head,
		.tail = (__u64 *)&page->data_tail,
	};
	return 0;
}

/**
 * acrpmu_ring_map() - map the ring of one CPU
 * @session: a session with sampled events
 * @cpu: a CPU of it
 * @ring: out, to be unmapped by acrpmu_ring_unmap(); written only on success
 *
 * Return: 0; -EINVAL: the session has no rings; -EPROTO: the mapping holds no ring; -ENOMEM; the
 * error of mmap(2).
 */
int acrpmu_ring_map(struct acrpmu_session *session, unsigned int cpu, struct acrpmu_ring **ring)
{
	struct acrpmu_ring_memory memory;
	void *base;
	int err;

	if (!session->ring_bytes)
		return -EINVAL;
	err = session->ops->mmap(session->fd, session->ring_bytes, ACRPMU_RING_OFFSET(cpu), &base);
	if (err)
		return err;
	err = find_ring(base, session->ring_bytes, &memory);
	if (!err)
		err = new_ring(&memory, ring);
	if (err) {
		session->ops->munmap(base, session->ring_bytes);
		return err;
	}
	(*ring)->ops = session->ops;
	(*ring)->page = base;
	(*ring)->bytes = session->ring_bytes;
	return 0;
}

/**
 * acrpmu_ring_unmap() - free a ring, with the mapping that acrpmu_ring_map() made
 * @ring: may be NULL
 */
void acrpmu_ring_unmap(struct acrpmu_ring *ring)
{
	if (!ring)
		return;
	if (ring->page)
		ring->ops->munmap(ring->page, ring->bytes);
	free(ring);
}

/**
 * acrpmu_ring_page() - first page of a ring
 *
 * Return: the page; NULL if acrpmu_ring_open() made the ring.
 */
struct acrpmu_ring_page *acrpmu_ring_page(struct acrpmu_ring *ring)
{
	return ring->page;
}

/* ---- the two positions -------------------------------------------------------------------- */

/*
 * The writer puts data first, then the head; the reader reads the head first, then data, then
 * writes the tail.  So the reader sees only whole records, and the writer overwrites only what was
 * read.  The acquire below pairs with the writer's store-release of the head, the release with the
 * writer's load of the tail, on which its writing depends.
 */
static int load_head(struct acrpmu_ring *ring)
{
	__u64 head = __atomic_load_n(ring->memory.head, __ATOMIC_ACQUIRE);

	if (head - ring->tail > ring->memory.size)
		return -EPROTO;
	ring->head = head;
	return 0;
}

/**
 * acrpmu_ring_consume() - let the writer overwrite all records returned so far
 *
 * The records that acrpmu_ring_next() or acrpmu_ring_peek() returned must not be used any more.
 */
void acrpmu_ring_consume(struct acrpmu_ring *ring)
{
	ring->tail = ring->next;
	__atomic_store_n(ring->memory.tail, ring->tail, __ATOMIC_RELEASE);
}

/* ---- records ------------------------------------------------------------------------------ */

static const unsigned char *at(const struct acrpmu_ring *ring, __u64 pos)
{
	return (const unsigned char *)ring->memory.data + (pos & (ring->memory.size - 1));
}

/* Contiguous bytes from a position on, at most @len. */
static size_t piece(const struct acrpmu_ring *ring, __u64 pos, size_t len)
{
	__u64 room = ring->memory.size - (pos & (ring->memory.size - 1));

	return len < room ? len : room;
}

/* Records are multiples of 8 bytes, so that a 64-bit word never wraps. */
static void read_word(const struct acrpmu_ring *ring, __u64 pos, void *word)
{
	memcpy(word, at(ring, pos), sizeof(__u64));
}

/* The header of the record at a position before the head. */
static int read_header(const struct acrpmu_ring *ring, __u64 pos, struct perf_event_header *header)
{
	__u64 unread = ring->head - pos;

	if (unread < sizeof(*header))
		return -EPROTO;
	read_word(ring, pos, header);
	if (header->size < sizeof(*header) || header->size % RECORD_ALIGN || header->size > unread)
		return -EPROTO;
	return 0;
}

/**
 * acrpmu_ring_next() - read the next record
 * @record: out, in one piece, valid until the next call for this ring; written only with 1
 *
 * Return: 1: a record; 0: no unread record now; -EPROTO: the ring holds something else.
 */
int acrpmu_ring_next(struct acrpmu_ring *ring, const struct perf_event_header **record)
{
	struct perf_event_header header;
	size_t first;
	int err = 0;

	if (ring->next == ring->head)
		err = load_head(ring);
	if (err || ring->next == ring->head)
		return err;
	err = read_header(ring, ring->next, &header);
	if (err)
		return err;
	first = piece(ring, ring->next, header.size);
	if (first == header.size) {
		*record = (const struct perf_event_header *)at(ring, ring->next);
	} else {
		memcpy(ring->joined, at(ring, ring->next), first);
		memcpy((unsigned char *)ring->joined + first, ring->memory.data,
		       header.size - first);
		*record = (const struct perf_event_header *)ring->joined;
	}
	ring->next += header.size;
	return 1;
}

/* Nearly all records are samples: count those up to the end of the memory or of the data. */
static __u64 count_samples(const struct acrpmu_ring *ring, __u64 pos, __u64 *samples)
{
	const unsigned char *p = at(ring, pos), *end = p + piece(ring, pos, ring->head - pos);
	const unsigned char *begin = p;
	struct perf_event_header header;

	for (; end - p >= (ptrdiff_t)sizeof(header); p += header.size, ++*samples) {
		/* read once, since the memory is shared */
		memcpy(&header, p, sizeof(header));
		if (header.type != PERF_RECORD_SAMPLE || header.size < sizeof(header) ||
		    header.size % RECORD_ALIGN || header.size > end - p)
			break;
	}
	return pos + (p - begin);
}

static int count_records(const struct acrpmu_ring *ring, struct acrpmu_ring_batch *batch)
{
	struct perf_event_header header;
	__u64 pos, lost;
	int err;

	for (pos = ring->tail;; pos += header.size) {
		pos = count_samples(ring, pos, &batch->samples);
		if (pos == ring->head)
			return 0;
		err = read_header(ring, pos, &header);
		if (err)
			return err;
		if (header.type == PERF_RECORD_SAMPLE) {
			batch->samples++;
		} else if (header.type == PERF_RECORD_LOST &&
			   header.size >= LOST_OFFSET + sizeof(lost)) {
			read_word(ring, pos + LOST_OFFSET, &lost);
			batch->lost += lost;
		}
	}
}

/**
 * acrpmu_ring_peek() - get all records that are not consumed yet, where they lie in the ring
 * @batch: out, valid until acrpmu_ring_consume()
 *
 * Return: 0, also without any record; -EPROTO: the ring does not hold whole records.
 */
int acrpmu_ring_peek(struct acrpmu_ring *ring, struct acrpmu_ring_batch *batch)
{
	size_t first;
	int err;

	*batch = (struct acrpmu_ring_batch){ .nr_runs = 0 };
	err = load_head(ring);
	if (!err)
		err = count_records(ring, batch);
	if (err)
		return err;
	ring->next = ring->head;
	batch->bytes = ring->head - ring->tail;
	first = piece(ring, ring->tail, batch->bytes);
	if (first)
		batch->runs[batch->nr_runs++] = (struct iovec){
			(void *)at(ring, ring->tail), first,
		};
	if (first < batch->bytes)
		batch->runs[batch->nr_runs++] = (struct iovec){
			(void *)ring->memory.data, batch->bytes - first,
		};
	return 0;
}
