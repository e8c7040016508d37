// SPDX-License-Identifier: GPL-2.0-only
/* Taking whole records out of a ring: empty, wrapped, full, and rings that make no sense. */
#include <errno.h>
#include <linux/perf_event.h>

#include "tap.h"
#include "userspace/acrctl/record/ring.h"

#define SIZE	64

static unsigned char data[SIZE] __attribute__((aligned(8)));
static __u64 head, tail;
static struct rec_ring ring = {
	.data = data, .data_size = SIZE, .head = &head, .tail = &tail,
};

static void put(__u64 at, __u32 type, __u16 size)
{
	struct perf_event_header h = { .type = type, .size = size };

	memcpy(data + at % SIZE, &h, sizeof(h));
}

static void test_empty(void)
{
	struct rec_batch b;

	head = 40;
	tail = 40;
	is_u64(rec_ring_peek(&ring, &b), 0, "an empty ring");
	is_u64(b.nr, 0, "has no piece");
	is_u64(b.counts.bytes, 0, "and no byte");
}

static void test_wrapped(void)
{
	struct rec_counts counts = { .samples = 10, .lost = 20, .bytes = 30 };
	struct rec_batch b;
	__u64 lost = 5;

	tail = 3 * SIZE + 40;
	put(tail, PERF_RECORD_SAMPLE, 16);
	put(tail + 16, PERF_RECORD_LOST, 24);
	memcpy(data + (tail + 32) % SIZE, &lost, sizeof(lost));
	head = tail + 40;
	is_u64(rec_ring_peek(&ring, &b), 0, "a ring that wraps");
	is_u64(b.nr, 2, "has two pieces");
	is_u64(b.iov[0].iov_len, 24, "up to the end");
	ok(b.iov[1].iov_base == data, "and from the beginning");
	is_u64(b.iov[1].iov_len, 16, "the rest");
	is_u64(b.counts.samples, 1, "one sample");
	is_u64(b.counts.lost, 5, "the number lost, beyond the wrap");
	is_u64(tail, 3 * SIZE + 40, "nothing is consumed yet");
	rec_ring_consume(&ring, &b, &counts);
	is_u64(tail, head, "all is consumed");
	is_u64(counts.samples, 11, "and added to what went before: samples");
	is_u64(counts.lost, 25, "lost");
	is_u64(counts.bytes, 70, "bytes");
}

static void test_senseless(void)
{
	struct rec_batch b;
	__u64 at;

	tail = 0;
	head = SIZE + 8;
	for (at = 0; at < SIZE; at += 8)
		put(at, PERF_RECORD_SAMPLE, 8);
	is_u64(rec_ring_peek(&ring, &b), -EIO, "more than there is room for");
	head = 16;
	put(0, PERF_RECORD_SAMPLE, 0);
	is_u64(rec_ring_peek(&ring, &b), -EIO, "a record of size 0");
	put(0, PERF_RECORD_SAMPLE, 12);
	is_u64(rec_ring_peek(&ring, &b), -EIO, "a record of odd size");
	put(0, PERF_RECORD_SAMPLE, 24);
	is_u64(rec_ring_peek(&ring, &b), -EIO, "a record beyond the head");
	head = -8ULL;
	is_u64(rec_ring_peek(&ring, &b), -EIO, "a head before the tail");
}

int main(void)
{
	plan(0);
	test_empty();
	test_wrapped();
	test_senseless();
	return done();
}
