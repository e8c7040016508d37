// SPDX-License-Identifier: GPL-2.0-only
/* Ring arithmetic on a given page: space, wrap, publish order, lost records. */
#include "ring.h"

void acrpmu_ring_init(struct acrpmu_ring_writer *ring, struct acrpmu_ring_page *page, void *data,
		      u64 data_offset, u64 size)
{
	memset(ring, 0, sizeof(*ring));
	ring->page = page;
	ring->data = data;
	ring->size = size;

	page->version = ACRPMU_RING_VERSION;
	page->size = sizeof(*page);
	page->data_offset = data_offset;
	page->data_size = size;
}

/* false: interrupted another write on this CPU */
static bool enter(struct acrpmu_ring_writer *ring)
{
	if (READ_ONCE(ring->busy))
		return false;
	WRITE_ONCE(ring->busy, 1);
	barrier();	/* with acrpmu_ring_leave() */
	return true;
}

void acrpmu_ring_copy_in(struct acrpmu_ring_writer *ring, const void *rec, u32 size)
{
	u64 offset = ring->head & (ring->size - 1);
	u64 first = min_t(u64, size, ring->size - offset);

	memcpy(ring->data + offset, rec, first);
	memcpy(ring->data, (const u8 *)rec + first, size - first);
}

NOKPROBE_SYMBOL(acrpmu_ring_copy_in);

static bool put(struct acrpmu_ring_writer *ring, const void *rec, u32 size)
{
	if (size > ring->size - acrpmu_ring_unread(ring))
		return false;
	acrpmu_ring_copy_in(ring, rec, size);
	acrpmu_ring_publish(ring, size);
	return true;
}

/*
 * A writer that interrupted another counts in its own member, or one of both additions would be
 * lost.  The page's copy may then lag behind until the next loss; acrpmu_ring_lost() is exact.
 */
static void count_lost(struct acrpmu_ring_writer *ring, u64 *member, u64 lost)
{
	WRITE_ONCE(*member, *member + lost);
	WRITE_ONCE(ring->page->lost, acrpmu_ring_lost(ring));
}

void acrpmu_ring_count_lost(struct acrpmu_ring_writer *ring, u64 lost)
{
	if (!enter(ring)) {
		count_lost(ring, &ring->lost_nested, lost);
		return;
	}
	count_lost(ring, &ring->lost_outer, lost);
	acrpmu_ring_leave(ring);
}

NOKPROBE_SYMBOL(acrpmu_ring_count_lost);

bool acrpmu_ring_write_note(struct acrpmu_ring_writer *ring, const void *rec, u32 size)
{
	bool written;

	if (!enter(ring))
		return false;
	written = !acrpmu_ring_pending(ring) && put(ring, rec, size);
	acrpmu_ring_leave(ring);
	return written;
}

NOKPROBE_SYMBOL(acrpmu_ring_write_note);

bool acrpmu_ring_write_lost(struct acrpmu_ring_writer *ring, const void *rec, u32 size, u64 lost)
{
	bool written;

	if (!enter(ring))
		return false;
	written = put(ring, rec, size);
	if (written)
		ring->lost_reported += lost;
	acrpmu_ring_leave(ring);
	return written;
}

NOKPROBE_SYMBOL(acrpmu_ring_write_lost);
