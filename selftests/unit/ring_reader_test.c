// SPDX-License-Identifier: GPL-2.0-only
/* Reading whole records out of rings: empty, wrapped, full, and rings with broken contents. */
#include <errno.h>
#include <linux/perf_event.h>

#include "tap.h"
#include "userspace/lib/acrpmu_lib.h"

#define SIZE	64

static unsigned char data[SIZE] __attribute__((aligned(8)));
static __u64 head, tail;
static struct acrpmu_ring_memory memory = {
	.data = data, .size = SIZE, .head = &head, .tail = &tail,
};

static void put(__u64 at, __u32 type, __u16 size)
{
	struct perf_event_header h = { .type = type, .size = size };

	memcpy(data + at % SIZE, &h, sizeof(h));
}

static struct acrpmu_ring *open_ring(void)
{
	struct acrpmu_ring *ring = NULL;

	is_u64(acrpmu_ring_open(&memory, &ring), 0, "a ring is opened");
	return ring;
}

static void test_empty(void)
{
	struct acrpmu_ring_batch b;
	struct acrpmu_ring *ring;

	head = 40;
	tail = 40;
	ring = open_ring();
	ok(!acrpmu_ring_page(ring), "it has no page of the module");
	is_u64(acrpmu_ring_peek(ring, &b), 0, "an empty ring");
	is_u64(b.nr_runs, 0, "has no run");
	is_u64(b.bytes, 0, "and no byte");
	acrpmu_ring_unmap(ring);
}

static void put_wrapped(void)
{
	__u64 lost = 5;

	tail = 3 * SIZE + 40;
	put(tail, PERF_RECORD_SAMPLE, 16);
	put(tail + 16, PERF_RECORD_LOST, 24);
	memcpy(data + (tail + 32) % SIZE, &lost, sizeof(lost));
	head = tail + 40;
}

static void test_wrapped(void)
{
	struct acrpmu_ring_batch b;
	struct acrpmu_ring *ring;

	put_wrapped();
	ring = open_ring();
	is_u64(acrpmu_ring_peek(ring, &b), 0, "a ring that wraps");
	is_u64(b.nr_runs, 2, "has two runs");
	is_u64(b.runs[0].iov_len, 24, "up to the end");
	ok(b.runs[1].iov_base == data, "and from the beginning");
	is_u64(b.runs[1].iov_len, 16, "the rest");
	is_u64(b.samples, 1, "one sample");
	is_u64(b.lost, 5, "the number of lost records, behind the wrap");
	is_u64(b.bytes, 40, "all bytes");
	is_u64(tail, 3 * SIZE + 40, "nothing is consumed yet");
	is_u64(acrpmu_ring_peek(ring, &b), 0, "what is not consumed");
	is_u64(b.bytes, 40, "is returned again");
	acrpmu_ring_consume(ring);
	is_u64(tail, head, "all is consumed");
	is_u64(acrpmu_ring_peek(ring, &b), 0, "then the ring");
	is_u64(b.nr_runs, 0, "is empty");
	acrpmu_ring_unmap(ring);
}

static void test_record_by_record(void)
{
	const struct perf_event_header *record = NULL;
	struct acrpmu_ring *ring;

	put_wrapped();
	ring = open_ring();
	is_u64(acrpmu_ring_next(ring, &record), 1, "the first record");
	is_u64(record->type, PERF_RECORD_SAMPLE, "is the sample");
	acrpmu_ring_consume(ring);
	is_u64(tail, 3 * SIZE + 56, "it is consumed alone");
	is_u64(acrpmu_ring_next(ring, &record), 1, "the second one");
	is_u64(((const __u64 *)record)[2], 5, "is in one piece although it wraps");
	is_u64(acrpmu_ring_next(ring, &record), 0, "there is no third one");
	acrpmu_ring_unmap(ring);
}

/* A reader must not trust its own position once others can write it. */
static void test_tail_overwritten(void)
{
	struct acrpmu_ring_batch b;
	struct acrpmu_ring *ring;

	put_wrapped();
	ring = open_ring();
	tail = 8;
	is_u64(acrpmu_ring_peek(ring, &b), 0, "after somebody wrote the tail");
	is_u64(b.bytes, 40, "the ring holds what it held");
	acrpmu_ring_consume(ring);
	is_u64(tail, head, "and the tail is right again");
	acrpmu_ring_unmap(ring);
}

static void refuse(__u16 size, __u64 to, const char *what)
{
	const struct perf_event_header *record;
	struct acrpmu_ring_batch b;
	struct acrpmu_ring *ring;

	tail = 0;
	head = to;
	put(0, PERF_RECORD_SAMPLE, size);
	ring = open_ring();
	is_u64(acrpmu_ring_peek(ring, &b), -EPROTO, what);
	is_u64(b.nr_runs, 0, "gives no run");
	is_u64(acrpmu_ring_next(ring, &record), -EPROTO, "and no record");
	is_u64(acrpmu_ring_next(ring, &record), -EPROTO, "the second time neither");
	acrpmu_ring_unmap(ring);
}

static void test_broken(void)
{
	__u64 at;

	for (at = 0; at < SIZE; at += 8)
		put(at, PERF_RECORD_SAMPLE, 8);
	refuse(8, SIZE + 8, "more than fits the ring");
	refuse(0, 16, "a record of size 0");
	refuse(12, 16, "a record of odd size");
	refuse(24, 16, "a record beyond the head");
	refuse(8, -8ULL, "a head before the tail");
}

static void test_sizes(void)
{
	static const __u64 sizes[] = { 0, 4, 48 };
	struct acrpmu_ring *ring = NULL;
	unsigned int i;

	for (i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
		memory.size = sizes[i];
		is_u64(acrpmu_ring_open(&memory, &ring), -EINVAL, "a size that no ring has");
		ok(!ring, "opens no ring");
	}
	memory.size = SIZE;
}

int main(void)
{
	plan(0);
	test_empty();
	test_wrapped();
	test_record_by_record();
	test_tail_overwritten();
	test_broken();
	test_sizes();
	return done();
}
