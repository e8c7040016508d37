// SPDX-License-Identifier: GPL-2.0-only
/* A heap in large pages, for commands that keep much. */
#include "heap.h"

#include <malloc.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define LARGE_PAGE	((size_t)2 << 20)
#define HEAP_SIZE	(8 * LARGE_PAGE)
#define FIRST_SIZE	((size_t)256 << 10)	/* more than the heap has to begin with */
#define HEADER		(2 * sizeof(size_t))	/* of what malloc() returns */

/**
 * heap_enlarge() - let what is allocated from now on lie in large pages, if the kernel has them
 *
 * One fault gets all of such a page, where it may take longer to get 500 small ones than to fill
 * them.  Memory that is not used costs nothing.
 */
void heap_enlarge(void)
{
	static void *start;	/* what the heap has in front of the first large page */
	uintptr_t first, end;

	if (start)
		return;
	mallopt(M_MMAP_THRESHOLD, 2 * LARGE_PAGE);
	mallopt(M_TRIM_THRESHOLD, HEAP_SIZE);
	mallopt(M_TOP_PAD, HEAP_SIZE);
	start = malloc(FIRST_SIZE);
	mallopt(M_TOP_PAD, 0);
	/* behind all that malloc() has written */
	first = ((uintptr_t)start + FIRST_SIZE + HEADER + LARGE_PAGE - 1) & -LARGE_PAGE;
	end = (uintptr_t)sbrk(0) & -LARGE_PAGE;
	/* another allocator than the C library's has it elsewhere */
	if (!start || end <= first || end - first > HEAP_SIZE)
		return;
	if (!madvise((void *)first, end - first, MADV_HUGEPAGE))
		start = realloc(start, first - (uintptr_t)start - HEADER);
}
