/* SPDX-License-Identifier: GPL-2.0-only */
/* Ring arithmetic on a given page: space, wrap, publish order, lost records. */
#ifndef _ACRPMU_CORE_RING_H
#define _ACRPMU_CORE_RING_H

#include "types.h"
#include "../../uapi/acrpmu.h"

/**
 * DOC: one writer, one reader
 *
 * Only one CPU writes a ring: its owner.  There the PMI handler writes, and so does process context
 * (a last lost record), with interrupts off.  A PMI may interrupt the latter halfway; it then finds
 * the ring busy, leaves the data alone and only counts what it could not write.  PMIs do not nest.
 * Each member has one writer at a time, so that no atomic operation is needed:
 *
 * ============== ================================== ==========================================
 * member         written by                         read by
 * ============== ================================== ==========================================
 * @head, @size   outermost writer                   all on this CPU
 * @lost_outer    outermost writer                   all
 * @lost_nested   a writer that interrupted another  all
 * @lost_reported outermost writer                   outermost writer
 * ============== ================================== ==========================================
 *
 * The mapped page is output except for data_tail, which is input: read once, then bounded.  Nothing
 * else is ever read back from it, so that users who overwrite the page harm only themselves.
 *
 * Barriers:
 *
 *   writer                                    reader
 *   A  smp_load_acquire(data_tail)            C  smp_load_acquire(data_head)
 *      write the record                          read the records
 *   B  smp_store_release(data_head)           D  smp_mb(), store data_tail (or store-release)
 *
 *   B pairs with C: a record is complete before its head is seen.
 *   D pairs with A: a record is read before its space is used again.
 */

/**
 * struct acrpmu_ring_writer - the module's side of one CPU's ring
 * @page: first page of the mapping
 * @data: start of the data, @size contiguous bytes
 * @size: size of the data in bytes, a power of 2
 * @head: bytes written since the ring was made; @page->data_head is only a copy of it
 * @lost_outer: number of overflows without room, counted by the outermost writer
 * @lost_nested: number of overflows that found the ring busy
 * @lost_reported: how many of both lost records have reported
 * @busy: 1 during a write, else 0
 */
struct acrpmu_ring_writer {
	struct acrpmu_ring_page *page;
	u8 *data;
	u64 size;
	u64 head;
	u64 lost_outer;
	u64 lost_nested;
	u64 lost_reported;
	u32 busy;
};

#define ACRPMU_RING_VERSION	1	/* acrpmu_ring_page.version */
#define ACRPMU_RING_ALIGN	8	/* every record starts and ends on such a boundary */

/**
 * acrpmu_ring_init() - set up an empty ring
 * @ring: out
 * @page: first page of the mapping, all zero
 * @data: start of the data
 * @data_offset: bytes from the start of the mapping to the data
 * @size: size of the data in bytes, a power of 2, at least ACRPMU_RING_ALIGN
 *
 * Context: process, before anyone else can see the ring.
 */
void acrpmu_ring_init(struct acrpmu_ring_writer *ring, struct acrpmu_ring_page *page, void *data,
		      u64 data_offset, u64 size);

/**
 * acrpmu_ring_lost() - count the overflows lost since the ring was made
 *
 * Context: any CPU; another CPU's ring is read without tearing.
 * Return: their number, reported or not.
 */
static __always_inline u64 acrpmu_ring_lost(const struct acrpmu_ring_writer *ring)
{
	return READ_ONCE(ring->lost_outer) + READ_ONCE(ring->lost_nested);
}

/**
 * acrpmu_ring_pending() - count the lost overflows that no record has reported yet
 *
 * Context: the owner CPU, also NMI.
 * Return: their number.
 */
static __always_inline u64 acrpmu_ring_pending(const struct acrpmu_ring_writer *ring)
{
	return ring->lost_outer + ring->lost_nested - ring->lost_reported;
}

/**
 * acrpmu_ring_unread() - count the bytes that the reader has not consumed
 *
 * Context: any CPU, also NMI.
 * Return: 0 to the size of the data; a nonsensical tail counts as a full ring.
 */
static __always_inline u64 acrpmu_ring_unread(const struct acrpmu_ring_writer *ring)
{
	/* A: pairs with D, see "one writer, one reader"; loaded once, as users can change it */
	u64 unread = READ_ONCE(ring->head) - smp_load_acquire(&ring->page->data_tail);

	return min_t(u64, unread, ring->size);
}

/* internal: end a write; what began it set @busy and a barrier */
static __always_inline void acrpmu_ring_leave(struct acrpmu_ring_writer *ring)
{
	barrier();	/* the compiler moves no access out of the busy section */
	WRITE_ONCE(ring->busy, 0);
}

/* internal: show the reader @size bytes more */
static __always_inline void acrpmu_ring_publish(struct acrpmu_ring_writer *ring, u32 size)
{
	u64 head = ring->head + size;

	WRITE_ONCE(ring->head, head);
	/* B: pairs with C */
	smp_store_release(&ring->page->data_head, head);
}

/* internal: copy a record to the end of the data, and what is left of it to the start */
void acrpmu_ring_copy_in(struct acrpmu_ring_writer *ring, const void *rec, u32 size);

/**
 * acrpmu_ring_count_lost() - count overflows as lost for which there is no record
 * @lost: their number
 *
 * Context: as acrpmu_ring_begin().
 */
void acrpmu_ring_count_lost(struct acrpmu_ring_writer *ring, u64 lost);

/**
 * acrpmu_ring_has_room() - check whether a record of @size bytes may be written now
 *
 * Context: the owner CPU, NMI, or process context with interrupts off.
 */
static __always_inline bool acrpmu_ring_has_room(const struct acrpmu_ring_writer *ring, u32 size)
{
	/* A: as in acrpmu_ring_unread() */
	u64 unread = ring->head - smp_load_acquire(&ring->page->data_tail);

	/* A nonsensical tail counts as a full ring, as there. */
	return !READ_ONCE(ring->busy) && !acrpmu_ring_pending(ring) && unread <= ring->size &&
	       size <= ring->size - unread;
}

/**
 * acrpmu_ring_begin() - begin to write a record in its place
 * @size: its size in bytes, a multiple of ACRPMU_RING_ALIGN
 * @bounce: room for @size bytes, for a record that wraps around the end of the data; NULL: none
 *	such is written
 *
 * While lost overflows are not yet reported, there is no room: acrpmu_ring_write_lost() must come
 * first, so that records and losses stay in order.  The reader may overwrite what is written there.
 *
 * Context: the owner CPU, NMI, or process context with interrupts off.
 * Return: where to write the record, to be followed by acrpmu_ring_commit(); NULL without room,
 * which is no loss yet.
 */
static __always_inline void *acrpmu_ring_begin(struct acrpmu_ring_writer *ring, u32 size,
					       void *bounce)
{
	u64 offset = ring->head & (ring->size - 1);

	if (unlikely(!acrpmu_ring_has_room(ring, size)))
		return NULL;
	if (unlikely(size > ring->size - offset) && !bounce)
		return NULL;
	WRITE_ONCE(ring->busy, 1);
	barrier();	/* with acrpmu_ring_leave() */
	return likely(size <= ring->size - offset) ? ring->data + offset : bounce;
}

/**
 * acrpmu_ring_commit() - end what acrpmu_ring_begin() has begun
 * @rec: what that returned
 * @bounce: what it was called with
 * @size: likewise
 *
 * Context: as acrpmu_ring_begin().
 */
static __always_inline void acrpmu_ring_commit(struct acrpmu_ring_writer *ring, const void *rec,
					       const void *bounce, u32 size)
{
	if (unlikely(bounce && rec == bounce))
		acrpmu_ring_copy_in(ring, rec, size);
	acrpmu_ring_publish(ring, size);
	acrpmu_ring_leave(ring);
}

/**
 * acrpmu_ring_write_note() - write a record that is no loss if there is no room for it
 * @rec: the record, not that of an overflow
 * @size: its size in bytes, a multiple of ACRPMU_RING_ALIGN
 *
 * As with acrpmu_ring_begin(), lost overflows must be reported first.
 *
 * Context: as acrpmu_ring_begin().
 * Return: true if the record was written; false: nothing changed.
 */
bool acrpmu_ring_write_note(struct acrpmu_ring_writer *ring, const void *rec, u32 size);

/**
 * acrpmu_ring_write_lost() - write a record that reports lost overflows
 * @rec: a PERF_RECORD_LOST for @lost overflows
 * @size: its size in bytes, a multiple of ACRPMU_RING_ALIGN
 * @lost: from acrpmu_ring_pending()
 *
 * Context: as acrpmu_ring_begin().
 * Return: true if the record was written and @lost is no longer pending; false: nothing changed.
 */
bool acrpmu_ring_write_lost(struct acrpmu_ring_writer *ring, const void *rec, u32 size, u64 lost);

#endif /* _ACRPMU_CORE_RING_H */
