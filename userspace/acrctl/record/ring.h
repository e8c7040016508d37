/* SPDX-License-Identifier: GPL-2.0-only */
/* Moving whole records from a ring to a file, whatever the ring's first page looks like. */
#ifndef _ACRCTL_RING_H
#define _ACRCTL_RING_H

#include <sys/uio.h>
#include <linux/types.h>

/**
 * struct rec_ring - a ring that this process reads
 * @base: the mapping, NULL if there is none
 * @length: its bytes
 * @data: the records
 * @data_size: their room, a power of 2
 * @head: how far they were written
 * @tail: how far they were read
 */
struct rec_ring {
	void *base;
	size_t length;
	const unsigned char *data;
	__u64 data_size;
	const __u64 *head;
	__u64 *tail;
};

/**
 * struct rec_counts - what went by
 * @samples: PERF_RECORD_SAMPLE
 * @lost: sum of all PERF_RECORD_LOST
 * @bytes: of all records
 */
struct rec_counts {
	__u64 samples;
	__u64 lost;
	__u64 bytes;
};

/**
 * struct rec_batch - the unread part of a ring
 * @iov: one or two pieces
 * @nr: how many; 0: nothing unread
 * @end: what the tail becomes
 * @counts: what it holds
 */
struct rec_batch {
	struct iovec iov[2];
	int nr;
	__u64 end;
	struct rec_counts counts;
};

int rec_ring_peek(const struct rec_ring *r, struct rec_batch *b);
void rec_ring_consume(struct rec_ring *r, const struct rec_batch *b, struct rec_counts *counts);
void rec_ring_unmap(struct rec_ring *r);

#endif /* _ACRCTL_RING_H */
