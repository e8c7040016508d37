// SPDX-License-Identifier: GPL-2.0-only
/* A heap in large pages, for what the commands that read a recording keep. */
#include "heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE	((size_t)2 << 20)
#define HEAP_SIZE	(8 * LARGE_PAGE)
#define FIRST_SIZE	((size_t)256 << 10)	/* more than the heap has to begin with */
#define TOP_PAD		(128 << 10)	/* as malloc() has it at first */
#define HEADER		(2 * sizeof(size_t))	/* of what malloc() returns */

/**
 * heap_enlarge() - let what is allocated from now on lie in large pages, if the kernel has them
 *
 * A large page takes one fault, 512 small pages take 512, each of which may cost more than what is
 * done with the memory.  A command that keeps little uses one large page.
 */
void heap_enlarge(void)
{
	static void *start;	/* of the heap, up to the first large page */
	uintptr_t first, end;

	if (start)
		return;
	mallopt(M_MMAP_THRESHOLD, 2 * LARGE_PAGE);
	mallopt(M_TRIM_THRESHOLD, HEAP_SIZE);
	mallopt(M_TOP_PAD, HEAP_SIZE);
	start = malloc(FIRST_SIZE);
	mallopt(M_TOP_PAD, TOP_PAD);
	/* malloc() has written nothing from there on */
	first = ((uintptr_t)start + FIRST_SIZE + HEADER + LARGE_PAGE - 1) & -LARGE_PAGE;
	end = (uintptr_t)sbrk(0) & -LARGE_PAGE;
	/* not so if another malloc() than that of the C library was linked in */
	if (!start || end <= first || end - first > HEAP_SIZE)
		return;
	if (!madvise((void *)first, end - first, MADV_HUGEPAGE))
		start = realloc(start, first - (uintptr_t)start - HEADER);
}
