/* SPDX-License-Identifier: GPL-2.0-only */
/* Ring arithmetic on a given page: space, wrap, publish order, lost records. */
#ifndef _ACRPMU_CORE_RING_H
#define _ACRPMU_CORE_RING_H

#include "types.h"
#include "../../uapi/acrpmu.h"

/**
 * DOC: one writer, one reader
 *
 * A ring has one writing CPU: its owner.  There the PMI handler writes, and process context too
 * (a last lost record), with interrupts off.  A PMI may interrupt the latter half way; it then
 * finds the ring busy, leaves the data alone and only counts what it could not write.  PMIs do
 * not nest.  So no atomic operation is needed, each word has one writer at a time:
 *
 * ============== ================================== ==========================================
 * word           written by                         read by
 * ============== ================================== ==========================================
 * @head, @size   outermost writer                   all on this CPU
 * @lost_outer    outermost writer                   all
 * @lost_nested   a writer that interrupted another  all
 * @lost_reported outermost writer                   outermost writer
 * ============== ================================== ==========================================
 *
 * The mapped page is output except for data_tail, which is input: read once, then bounded.  Nothing
 * else is ever read back from it, so that a user who scribbles over the page harms only himself.
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
 * struct acrpmu_ring - the module's side of one CPU's ring
 * @page: first page of the mapping
 * @data: start of the data, one piece of @size bytes
 * @size: bytes of the data, a power of 2
 * @head: end of the data, ever growing; the copy that counts
 * @lost_outer: overflows without room, counted by the outermost writer
 * @lost_nested: overflows that found the ring busy
 * @lost_reported: how many of both a lost record has told
 * @busy: a write is going on
 */
struct acrpmu_ring {
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
 * @size: bytes of the data, a power of 2, at least ACRPMU_RING_ALIGN
 *
 * Context: process, before the ring can be seen by anyone else.
 */
void acrpmu_ring_init(struct acrpmu_ring *ring, struct acrpmu_ring_page *page, void *data,
		      u64 data_offset, u64 size);

/**
 * acrpmu_ring_write() - write one record
 * @ring: the ring
 * @rec: the record, starting with struct perf_event_header
 * @size: its bytes, a multiple of ACRPMU_RING_ALIGN
 *
 * While overflows are lost and not yet reported, nothing is written and one more is counted as
 * lost: acrpmu_ring_write_lost() comes first, so that records and losses stay in order.
 *
 * Context: the owner CPU, NMI, or process context with interrupts off.  Bounded: two copies.
 * Return: true if it was written; otherwise it has been counted as lost.
 */
bool acrpmu_ring_write(struct acrpmu_ring *ring, const void *rec, u32 size);

/**
 * acrpmu_ring_write_lost() - write the record that tells of lost overflows
 * @ring: the ring
 * @rec: a PERF_RECORD_LOST that tells @lost
 * @size: its bytes, a multiple of ACRPMU_RING_ALIGN
 * @lost: from acrpmu_ring_pending()
 *
 * Context: as acrpmu_ring_write().
 * Return: true if it was written and @lost is no longer pending; false changes nothing.
 */
bool acrpmu_ring_write_lost(struct acrpmu_ring *ring, const void *rec, u32 size, u64 lost);

/**
 * acrpmu_ring_pending() - overflows lost and not yet told by a record
 * @ring: the ring
 *
 * Context: the owner CPU, also NMI.
 * Return: their number.
 */
u64 acrpmu_ring_pending(const struct acrpmu_ring *ring);

/**
 * acrpmu_ring_count_lost() - count overflows as lost that were never offered as a record
 * @ring: the ring
 * @lost: their number
 *
 * Context: as acrpmu_ring_write().
 */
void acrpmu_ring_count_lost(struct acrpmu_ring *ring, u64 lost);

/**
 * acrpmu_ring_lost() - overflows lost since the ring was made
 * @ring: the ring
 *
 * Context: any CPU; another CPU's ring is read without tearing.
 * Return: their number, reported or not.
 */
u64 acrpmu_ring_lost(const struct acrpmu_ring *ring);

/**
 * acrpmu_ring_unread() - bytes that the reader has not consumed
 * @ring: the ring
 *
 * Context: any CPU, also NMI.
 * Return: 0 to the size; a tail that makes no sense counts as a full ring.
 */
u64 acrpmu_ring_unread(const struct acrpmu_ring *ring);

#endif /* _ACRPMU_CORE_RING_H */
