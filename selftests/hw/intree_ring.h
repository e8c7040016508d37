/* SPDX-License-Identifier: GPL-2.0-only */
/* The ring of an event of in-tree perf. */
#ifndef HW_INTREE_RING_H
#define HW_INTREE_RING_H

#include <linux/perf_event.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#define INTREE_RING_PAGES	64

/**
 * intree_ring() - map the ring of an event
 * @fd: its descriptor
 *
 * Return: the ring, NULL if it cannot be mapped.
 */
static inline struct perf_event_mmap_page *intree_ring(int fd)
{
	void *page = mmap(NULL, (1 + INTREE_RING_PAGES) * 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
			  fd, 0);

	return page == MAP_FAILED ? NULL : page;
}

/**
 * intree_ring_drain() - read the samples of a ring that has not wrapped around
 * @page: the ring
 * @fn: called for each with its first field, which struct intree makes the address; may be NULL
 * @data: passed to it
 *
 * Return: how many there are.
 */
static inline uint64_t intree_ring_drain(struct perf_event_mmap_page *page,
					 void (*fn)(uint64_t ip, void *data), void *data)
{
	uint64_t head = __atomic_load_n(&page->data_head, __ATOMIC_ACQUIRE), nr = 0;
	const char *start = (const char *)page + page->data_offset;
	struct perf_event_header header;
	uint64_t ip;

	while (page->data_tail < head && head <= page->data_size) {
		memcpy(&header, start + page->data_tail, sizeof(header));
		memcpy(&ip, start + page->data_tail + sizeof(header), sizeof(ip));
		if (header.type == PERF_RECORD_SAMPLE) {
			nr++;
			if (fn)
				fn(ip, data);
		}
		page->data_tail += header.size;
	}
	return nr;
}

/**
 * intree_ring_unmap() - unmap it
 * @page: the ring or NULL
 */
static inline void intree_ring_unmap(struct perf_event_mmap_page *page)
{
	if (page)
		munmap(page, (1 + INTREE_RING_PAGES) * 4096);
}

#endif /* HW_INTREE_RING_H */
