/* SPDX-License-Identifier: GPL-2.0-only */
/* Accesses to PMU registers: totals by register, by origin and by PMI window. */
#ifndef MODEL_ACCESS_H
#define MODEL_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include "pmu_regs.h"

/**
 * enum access_op - kind of access
 * @ACCESS_RD: RDMSR
 * @ACCESS_WR: WRMSR
 * @ACCESS_RDPMC: RDPMC, accounted under the counter's version 6 address
 * @NR_ACCESS_OPS: how many kinds there are
 */
enum access_op { ACCESS_RD, ACCESS_WR, ACCESS_RDPMC, NR_ACCESS_OPS };

/**
 * enum access_origin - where the instruction lies
 * @ORIGIN_OTHER: outside the registered ranges
 * @ORIGIN_RANGE: inside a registered range, or called straight from one
 * @NR_ORIGINS: how many there are
 */
enum access_origin { ORIGIN_OTHER, ORIGIN_RANGE, NR_ORIGINS };

/**
 * struct access_counts - accesses by origin and kind
 * @n: the counts
 */
struct access_counts {
	uint64_t n[NR_ORIGINS][NR_ACCESS_OPS];
};

/**
 * struct access_stats - all accesses of a CPU
 * @n: by origin, whether in a PMI handler, kind, and register
 */
struct access_stats {
	uint64_t n[NR_ORIGINS][2][NR_ACCESS_OPS][PMU_MSR_END];
};

#define ACCESS_MAX_RANGES	16

/**
 * struct access_ranges - code with accesses that are counted separately
 * @nr: number of ranges
 * @range: each from @start up to but not including @end
 */
struct access_ranges {
	unsigned int nr;
	struct {
		uint64_t start, end;
	} range[ACCESS_MAX_RANGES];
};

/*
 * Register a range.
 *
 * Return: false if the range is empty or the table is full.
 */
bool access_range_add(struct access_ranges *ranges, uint64_t start, uint64_t end);

/* Check whether an address lies in a registered range. */
bool access_in_range(const struct access_ranges *ranges, uint64_t address);

/*
 * Sum up accesses.
 * @origins: origins to include, bit per enum access_origin
 * @windows: 1 for accesses outside PMI handlers, 2 for those inside, 3 for both
 * @msr: register, or PMU_MSR_END for all of them
 */
uint64_t access_sum(const struct access_stats *stats, unsigned int origins,
		    unsigned int windows, enum access_op op, uint32_t msr);

#endif /* MODEL_ACCESS_H */
