// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the ring against a plain queue, with a reader that misbehaves and a nested writer. */
#include "core_helpers.h"
#include "kmod/core/ring.h"

#define RING_BYTES	256
#define DATA_OFFSET	4096

/* A ring with data up to the end of its allocation, so that ASan sees an overrun. */
struct fixture {
	struct acrpmu_ring_writer ring;
	struct acrpmu_ring_page *page;
	u8 *data;
};

static void setup(struct fixture *f)
{
	f->page = calloc(1, sizeof(*f->page));
	f->data = calloc(1, RING_BYTES);
	acrpmu_ring_init(&f->ring, f->page, f->data, DATA_OFFSET, RING_BYTES);
}

static void teardown(struct fixture *f)
{
	free(f->page);
	free(f->data);
}

/* The naive reader: byte by byte. */
static void read_out(struct fixture *f, void *to, u32 size)
{
	u64 tail = f->page->data_tail;
	u32 i;

	for (i = 0; i < size; i++)
		((u8 *)to)[i] = f->data[(tail + i) % RING_BYTES];
	f->page->data_tail = tail + size;
}

/* As the PMI handler does: in its place, or by way of @bounce. */
static bool write_record(struct acrpmu_ring_writer *ring, const void *rec, u32 size)
{
	u8 bounce[RING_BYTES + 8];
	void *to = acrpmu_ring_begin(ring, size, bounce);

	if (!to) {
		acrpmu_ring_count_lost(ring, 1);
		return false;
	}
	memcpy(to, rec, size);
	acrpmu_ring_commit(ring, to, bounce, size);
	return true;
}

static bool write_n(struct fixture *f, u32 size)
{
	u8 rec[RING_BYTES + 8] = { 0 };

	return write_record(&f->ring, rec, size);
}

static void test_init(void)
{
	struct fixture f;

	setup(&f);
	is_u64(f.page->version, 1, "version");
	is_u64(f.page->size, sizeof(*f.page), "size of the struct");
	is_u64(f.page->data_offset, DATA_OFFSET, "offset of the data");
	is_u64(f.page->data_size, RING_BYTES, "size of the data");
	is_u64(f.page->data_head, 0, "head");
	is_u64(acrpmu_ring_unread(&f.ring), 0, "nothing to read");
	teardown(&f);
}

static void test_space(void)
{
	struct fixture f;

	setup(&f);
	ok(write_n(&f, RING_BYTES), "a record as large as the ring fits");
	is_u64(f.page->data_head, RING_BYTES, "head");
	is_u64(acrpmu_ring_unread(&f.ring), RING_BYTES, "unread");
	ok(!write_n(&f, 8), "nothing more fits");
	is_u64(f.page->lost, 1, "which is counted");
	is_u64(acrpmu_ring_lost(&f.ring), 1, "on both sides");
	is_u64(f.page->data_head, RING_BYTES, "the head stays");
	teardown(&f);

	setup(&f);
	ok(!write_n(&f, RING_BYTES + 8), "a record larger than the ring never fits");
	teardown(&f);

	setup(&f);
	write_n(&f, 200);
	f.page->data_tail = 200;
	ok(write_n(&f, RING_BYTES), "space that was read is used again, across the end");
	teardown(&f);
}

/* Without room for a copy a record that would wrap is refused, and that is no loss. */
static void test_no_bounce(void)
{
	struct fixture f;

	setup(&f);
	write_n(&f, 200);
	f.page->data_tail = 200;
	ok(!acrpmu_ring_begin(&f.ring, 64, NULL), "a record that would wrap is refused");
	is_u64(f.ring.busy, 0, "the ring is not busy");
	is_u64(acrpmu_ring_lost(&f.ring), 0, "nothing is lost");
	ok(acrpmu_ring_begin(&f.ring, 56, NULL) == f.data + 200, "one up to the end is not");
	teardown(&f);
}

static void test_lost_comes_first(void)
{
	struct fixture f;
	u64 lost = 1;

	setup(&f);
	write_n(&f, RING_BYTES);
	write_n(&f, 8);
	write_n(&f, 8);
	f.page->data_tail = 64;
	ok(!write_n(&f, 8), "with losses untold no record is written, though it would fit");
	is_u64(acrpmu_ring_pending(&f.ring), 3, "three are untold");
	ok(acrpmu_ring_write_lost(&f.ring, &lost, 8, 3), "the lost record is written");
	is_u64(acrpmu_ring_pending(&f.ring), 0, "none is untold");
	is_u64(acrpmu_ring_lost(&f.ring), 3, "the total stays");
	ok(write_n(&f, 8), "records are written again");
	ok(!acrpmu_ring_write_lost(&f.ring, &lost, 64, 0), "no room for another lost record");
	is_u64(acrpmu_ring_lost(&f.ring), 3, "which is no loss itself");

	acrpmu_ring_count_lost(&f.ring, 10);
	is_u64(acrpmu_ring_pending(&f.ring), 10, "losses from elsewhere are pending as well");
	is_u64(f.page->lost, 13, "and shown on the page");
	teardown(&f);
}

static void test_note(void)
{
	struct fixture f;
	u8 rec[64] = { 0 };

	setup(&f);
	ok(acrpmu_ring_write_note(&f.ring, rec, 64), "a note is written");
	is_u64(f.page->data_head, 64, "and published");
	while (write_record(&f.ring, rec, 8))
		;
	ok(!acrpmu_ring_write_note(&f.ring, rec, 8), "a full ring takes none");
	is_u64(acrpmu_ring_lost(&f.ring), 1, "which is no loss");
	f.page->data_tail = f.page->data_head;
	ok(!acrpmu_ring_write_note(&f.ring, rec, 8), "nor one while losses are not reported");
	ok(acrpmu_ring_write_lost(&f.ring, rec, 8, 1) && acrpmu_ring_write_note(&f.ring, rec, 8),
	   "after them it is written");
	f.ring.busy = 1;
	ok(!acrpmu_ring_write_note(&f.ring, rec, 8), "nor one nested in another write");
	is_u64(acrpmu_ring_lost(&f.ring), 1, "which is no loss either");
	f.ring.busy = 0;
	teardown(&f);
}

/* A PMI while process context is half way through: it finds the ring busy. */
static void test_nested(void)
{
	struct fixture f;
	u8 rec[8] = { 0 };

	setup(&f);
	f.ring.busy = 1;
	ok(!write_record(&f.ring, rec, 8), "a nested record is not written");
	ok(!acrpmu_ring_write_lost(&f.ring, rec, 8, 1), "nor a nested lost record");
	acrpmu_ring_count_lost(&f.ring, 4);
	is_u64(f.page->data_head, 0, "the head stays");
	is_u64(f.ring.lost_outer, 0, "the interrupted writer's count stays");
	is_u64(f.ring.lost_nested, 5, "all is in the nested one's");
	is_u64(f.ring.busy, 1, "the ring stays busy");
	f.ring.busy = 0;
	is_u64(acrpmu_ring_pending(&f.ring), 5, "the next lost record reports them");
	ok(acrpmu_ring_write_lost(&f.ring, rec, 8, 5) && write_record(&f.ring, rec, 8),
	   "then records are written again");
	is_u64(f.ring.busy, 0, "the ring is not busy in the end");
	teardown(&f);
}

/* Whether the ring has the byte over and over, from a position on. */
static bool has_bytes(const struct fixture *f, u64 from, u8 byte, u32 size)
{
	u32 i;

	for (i = 0; i < size; i++) {
		if (f->data[(from + i) % RING_BYTES] != byte)
			return false;
	}
	return true;
}

/* Whatever a user writes to the page, the data stays within the ring. */
static void test_scribbled_page(void)
{
	u8 rec[8 * 40];
	unsigned int n, bad = 0;
	struct fixture f;

	setup(&f);
	f.page->data_tail = 8;
	ok(!write_n(&f, 8), "a tail before the head's past means no room: in the future");
	f.page->data_tail = -(u64)RING_BYTES - 8;
	ok(!write_n(&f, 8), "or further back than the ring is long");
	is_u64(acrpmu_ring_unread(&f.ring), RING_BYTES, "which counts as a full ring");
	teardown(&f);

	setup(&f);
	for (n = 0; n < 100000; n++) {
		u64 head = f.ring.head, pending;
		u32 size;

		*((u64 *)f.page + rnd_below(sizeof(*f.page) / 8)) = rnd_below(2) ? rnd() : head;
		pending = acrpmu_ring_pending(&f.ring);
		if (pending)
			acrpmu_ring_write_lost(&f.ring, &pending, 8, pending);
		head = f.ring.head;
		size = 8 * (1 + rnd_below(40));
		memset(rec, n, sizeof(rec));
		if (write_record(&f.ring, rec, size))
			bad += f.page->data_head != f.ring.head || f.ring.head != head + size ||
			       !has_bytes(&f, head, n, size);
		else
			bad += f.ring.head != head;
		bad += f.ring.head > 100000 * (u64)RING_BYTES;
	}
	is_u64(bad, 0, "100000 scribbles: the private head rules, no overrun");
	teardown(&f);
}

/*
 * Writer and reader in random steps, the head about to wrap around 2^64: what comes out is what
 * went in, in order, and written + lost = offered.
 */
static void test_against_queue(void)
{
	u64 queue[64], next = 1, got, written = 0, offered = 0, reported = 0, bad = 0;
	unsigned int n, i, in = 0, out = 0, words;
	struct fixture f;

	setup(&f);
	f.ring.head = -(u64)RING_BYTES * 3;
	f.page->data_head = f.ring.head;
	f.page->data_tail = f.ring.head;

	for (n = 0; n < 200000; n++) {
		u64 rec[8], pending = acrpmu_ring_pending(&f.ring);

		if (rnd_below(2) && in - out > 0) {	/* read a word */
			read_out(&f, &got, 8);
			bad += got != queue[out++ % 64];
			continue;
		}
		if (pending) {
			rec[0] = -pending;
			if (acrpmu_ring_write_lost(&f.ring, rec, 8, pending)) {
				queue[in++ % 64] = rec[0];
				reported += pending;
			}
		}
		words = 1 + rnd_below(8);
		for (i = 0; i < words; i++)
			rec[i] = next + i;
		offered++;
		if (write_record(&f.ring, rec, words * 8)) {
			for (i = 0; i < words; i++)
				queue[in++ % 64] = rec[i];
			written++;
		}
		next += words;
		bad += acrpmu_ring_unread(&f.ring) != (u64)(in - out) * 8;
	}
	is_u64(bad, 0, "all that was written comes out in order");
	is_u64(written + acrpmu_ring_lost(&f.ring), offered, "written + lost = offered");
	is_u64(reported + acrpmu_ring_pending(&f.ring), acrpmu_ring_lost(&f.ring),
	       "reported + pending = lost");
	ok(written > 10000 && reported > 10000, "both were common: %llu written, %llu reported",
	   written, reported);
	ok(f.ring.head < 1ULL << 63, "the head did wrap around");
	teardown(&f);
}

int main(void)
{
	plan(0);
	test_init();
	test_space();
	test_no_bounce();
	test_lost_comes_first();
	test_note();
	test_nested();
	test_scribbled_page();
	test_against_queue();
	return done();
}
