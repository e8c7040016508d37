// SPDX-License-Identifier: GPL-2.0-only
/* Registered code ranges and sums over the access totals. */
#include "access.h"

bool access_range_add(struct access_ranges *ranges, uint64_t start, uint64_t end)
{
	unsigned int i = ranges->nr;

	if (end <= start || i == ACCESS_MAX_RANGES)
		return false;
	ranges->range[i].start = start;
	ranges->range[i].end = end;
	/* Other CPUs may be searching the table */
	__atomic_store_n(&ranges->nr, i + 1, __ATOMIC_RELEASE);
	return true;
}

bool access_in_range(const struct access_ranges *ranges, uint64_t address)
{
	unsigned int i, nr = __atomic_load_n(&ranges->nr, __ATOMIC_ACQUIRE);

	for (i = 0; i < nr; i++)
		if (address >= ranges->range[i].start && address < ranges->range[i].end)
			return true;
	return false;
}

uint64_t access_sum(const struct access_stats *stats, unsigned int origins,
		    unsigned int windows, enum access_op op, uint32_t msr)
{
	uint32_t first = msr == PMU_MSR_END ? 0 : msr;
	uint32_t last = msr == PMU_MSR_END ? PMU_MSR_END - 1 : msr;
	uint64_t sum = 0;
	int origin, window;

	for (origin = 0; origin < NR_ORIGINS; origin++)
		for (window = 0; window < 2; window++) {
			if (!(origins >> origin & 1) || !(windows >> window & 1))
				continue;
			for (msr = first; msr <= last; msr++)
				sum += stats->n[origin][window][op][msr];
		}
	return sum;
}
