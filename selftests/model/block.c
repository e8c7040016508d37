// SPDX-License-Identifier: GPL-2.0-only
/* Building and searching the record of a translated block. */
#include <stdlib.h>

#include "block.h"
#include "cache.h"
#include "cost.h"

/* Linux: the upper half of the address space is the kernel's */
#define KERNEL_ADDRESS_BIT	63
#define PAGE_BYTES		4096ULL

struct block *block_new(uint64_t start, size_t max)
{
	struct block *b = calloc(1, sizeof(*b) + max * sizeof(b->insn[0]));

	if (!b)
		return NULL;
	b->start = start;
	b->end = start;
	b->level = start >> KERNEL_ADDRESS_BIT ? LEVEL_KERNEL : LEVEL_USER;
	return b;
}

void block_add(struct block *b, const uint8_t *bytes, size_t size)
{
	struct insn_cost cost = cost_of(bytes, size);
	uint32_t i = b->nr++;

	b->insn[i].offset = b->end - b->start;
	b->insn[i].units = block_units(b, i) + cost.units;
	b->insn[i].branches = block_branches(b, i) + cost.branch;
	b->conditional = cost.conditional;
	b->plain = cost.plain && (b->plain || !i);
	b->end += size;
}

int block_index(const struct block *b, uint64_t address)
{
	uint32_t low = 0, high = b->nr;

	if (address < b->start || address >= b->end)
		return -1;
	while (low < high) {
		uint32_t mid = (low + high) / 2;

		if (b->start + b->insn[mid].offset == address)
			return mid;
		if (b->start + b->insn[mid].offset < address)
			low = mid + 1;
		else
			high = mid;
	}
	return -1;
}

void block_finish(struct block *b, uint32_t penalty)
{
	uint32_t units = block_units(b, b->nr) + (b->conditional ? penalty : 0);
	uint32_t cycles = (units + CYC_UNITS - 1) / CYC_UNITS;

	b->weight = cycles > b->nr ? cycles : b->nr;
}

uint64_t block_second_page(const struct block *b)
{
	uint64_t page = (b->end - 1) & ~(PAGE_BYTES - 1);

	return b->nr && page > b->start ? page : 0;
}

static struct block_lines lines_of(uint64_t physical, uint64_t size)
{
	uint64_t first = physical >> CACHE_LINE_SHIFT;

	return (struct block_lines){
		first, ((physical + size - 1) >> CACHE_LINE_SHIFT) - first + 1,
	};
}

void block_place(struct block *b, uint64_t first, uint64_t second)
{
	uint64_t page = block_second_page(b);

	b->lines[0] = lines_of(first, (page ? page : b->end) - b->start);
	if (page)
		b->lines[1] = lines_of(second, b->end - page);
}
