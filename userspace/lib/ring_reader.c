// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading a ring: records one after another, each in one piece. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

#define RECORD_ALIGN	sizeof(__u64)

/**
 * struct acrpmu_ring - a mapped ring of one CPU
 * @ops: how system calls are made
 * @page: its first page
 * @data: its data
 * @size: bytes of the data, a power of 2; read once, the page can be written by the reader
 * @bytes: bytes of the whole mapping
 * @head: end of the data when it was looked at last
 * @next: position of the next record
 * @joined: room for a record that wraps around the end
 */
struct acrpmu_ring {
	const struct acrpmu_ops *ops;
	struct acrpmu_ring_page *page;
	const unsigned char *data;
	__u64 size;
	size_t bytes;
	__u64 head;
	__u64 next;
	__u64 joined[(UINT16_MAX + 1) / sizeof(__u64)];
};

/* Whether the first page describes data that lie in the mapping. */
static int check_page(const struct acrpmu_ring *ring)
{
	const struct acrpmu_ring_page *page = ring->page;

	if (page->data_size < RECORD_ALIGN || page->data_size & (page->data_size - 1))
		return -EPROTO;
	if (page->data_offset < sizeof(*page) || page->data_offset > ring->bytes ||
	    page->data_size > ring->bytes - page->data_offset)
		return -EPROTO;
	return 0;
}

/**
 * acrpmu_ring_map() - map the ring of one CPU
 * @session: a session with sampled events
 * @cpu: a CPU of it
 * @ring: out, to be unmapped by acrpmu_ring_unmap(); written only on success
 *
 * Return: 0; -EINVAL: the session has no rings; -EPROTO: not a ring as we know it; -ENOMEM; what
 * mmap(2) says.
 */
int acrpmu_ring_map(struct acrpmu_session *session, unsigned int cpu, struct acrpmu_ring **ring)
{
	struct acrpmu_ring *r;
	void *base;
	int err;

	if (!session->ring_bytes)
		return -EINVAL;
	r = calloc(1, sizeof(*r));
	if (!r)
		return -ENOMEM;
	r->ops = session->ops;
	r->bytes = session->ring_bytes;
	err = r->ops->mmap(session->fd, r->bytes, ACRPMU_RING_OFFSET(cpu), &base);
	if (err) {
		free(r);
		return err;
	}
	r->page = base;
	err = check_page(r);
	if (err) {
		acrpmu_ring_unmap(r);
		return err;
	}
	r->size = r->page->data_size;
	r->data = (const unsigned char *)base + r->page->data_offset;
	r->next = r->page->data_tail;
	r->head = r->next;
	*ring = r;
	return 0;
}

/**
 * acrpmu_ring_unmap() - give a ring back
 * @ring: may be NULL
 */
void acrpmu_ring_unmap(struct acrpmu_ring *ring)
{
	if (!ring)
		return;
	ring->ops->munmap(ring->page, ring->bytes);
	free(ring);
}

/**
 * acrpmu_ring_page() - first page of a ring
 * @ring: the ring
 *
 * Return: the page.
 */
struct acrpmu_ring_page *acrpmu_ring_page(struct acrpmu_ring *ring)
{
	return ring->page;
}

/* Copy out of the ring, around its end if need be. */
static void copy_out(const struct acrpmu_ring *ring, __u64 from, void *to, size_t len)
{
	__u64 offset = from & (ring->size - 1);
	size_t first = len < ring->size - offset ? len : ring->size - offset;

	memcpy(to, ring->data + offset, first);
	memcpy((unsigned char *)to + first, ring->data, len - first);
}

/**
 * acrpmu_ring_next() - the next record
 * @ring: the ring
 * @record: out, valid until the next call for this ring; written only with 1
 *
 * Return: 1: a record; 0: none now; -EPROTO: what the ring holds is no record.
 */
int acrpmu_ring_next(struct acrpmu_ring *ring, const struct perf_event_header **record)
{
	struct perf_event_header header;
	__u64 offset, unread;

	if (ring->next == ring->head)
		/* pairs with the module's store-release of data_head, after the record */
		ring->head = __atomic_load_n(&ring->page->data_head, __ATOMIC_ACQUIRE);
	unread = ring->head - ring->next;
	if (!unread)
		return 0;
	if (unread > ring->size || unread < sizeof(header))
		return -EPROTO;
	copy_out(ring, ring->next, &header, sizeof(header));
	if (header.size < sizeof(header) || header.size % RECORD_ALIGN || header.size > unread)
		return -EPROTO;

	offset = ring->next & (ring->size - 1);
	if (header.size <= ring->size - offset) {
		*record = (const struct perf_event_header *)(ring->data + offset);
	} else {
		copy_out(ring, ring->next, ring->joined, header.size);
		*record = (const struct perf_event_header *)ring->joined;
	}
	ring->next += header.size;
	return 1;
}

/**
 * acrpmu_ring_consume() - make room: give back every record that acrpmu_ring_next() returned
 * @ring: the ring
 *
 * The records must not be used any more.
 */
void acrpmu_ring_consume(struct acrpmu_ring *ring)
{
	/* pairs with the module's load of data_tail before it writes: our reads are done */
	__atomic_store_n(&ring->page->data_tail, ring->next, __ATOMIC_SEQ_CST);
}
