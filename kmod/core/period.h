/* SPDX-License-Identifier: GPL-2.0-only */
/* Period to start value and reload value and back: width, limits, remainder. */
#ifndef _ACRPMU_CORE_PERIOD_H
#define _ACRPMU_CORE_PERIOD_H

#include "types.h"

/**
 * ACRPMU_PERIOD_MAX_RELOAD - longest period of a counter that is reloaded
 *
 * CFG_C holds 32 bits of a wider counter.  Up to here bit 31 of the reload value is set, so that it
 * makes no difference whether the CPU fills the upper bits with ones or with copies of that bit.
 * The manual does not say which, and no silicon has shown it yet.
 */
#define ACRPMU_PERIOD_MAX_RELOAD	0x7fffffffULL
/** ACRPMU_PERIOD_MAX_SIGNED - longest period where writes carry 31 bits and the sign */
#define ACRPMU_PERIOD_MAX_SIGNED	0x7fffffffULL

/**
 * acrpmu_period_max() - compute the longest period of a counter
 * @width: width of the counter in bits, 32 to 64
 * @full_width: whether it can be written in full width
 *
 * Half the range, so that the sign shows whether a counter has overflowed.
 *
 * Context: any, also NMI.
 * Return: the period in occurrences.
 */
u64 acrpmu_period_max(unsigned int width, bool full_width);

/**
 * acrpmu_period_mask() - build the mask of a counter's bits
 * @width: width of the counter in bits, 1 to 64
 *
 * Context: any, also NMI.
 * Return: the mask.
 */
static __always_inline u64 acrpmu_period_mask(unsigned int width)
{
	return GENMASK_ULL(width - 1, 0);
}

/**
 * acrpmu_period_start() - compute the counter value at the start of a period
 * @period: occurrences to the overflow; 0 starts a plain counter at 0
 * @width: width of the counter in bits, 1 to 64
 *
 * Context: any, also NMI.
 * Return: -@period in @width bits.
 */
u64 acrpmu_period_start(u64 period, unsigned int width);

/**
 * acrpmu_period_reload() - compute the reload value (CFG_C) of a period
 * @period: in occurrences, 1 to ACRPMU_PERIOD_MAX_RELOAD
 *
 * Context: any, also NMI.
 * Return: -@period in 32 bits.
 */
u64 acrpmu_period_reload(u64 period);

/**
 * acrpmu_period_settable() - find the value to write to a stopped counter
 * @raw: the value that it had, sign-extended
 * @full_width: whether counters can be written in full width
 *
 * Without full width a write keeps 31 bits and the sign (SDM vol. 3, "Full-Width Writes to
 * Performance Counter Registers").  A count beyond that continues at 0: it has overflowed anyway.
 *
 * Context: any, also NMI.
 * Return: @raw if the counter can hold it, else 0.
 */
static __always_inline u64 acrpmu_period_settable(u64 raw, bool full_width)
{
	return full_width || (s64)raw == (s32)raw ? raw : 0;
}

/**
 * acrpmu_period_count() - count the occurrences between two readings of a counter
 * @from: the earlier value
 * @to: the later value, less than the whole range of the counter after @from
 * @width: width of the counter in bits, 1 to 64
 *
 * Context: any, also NMI.
 * Return: the occurrences; the counter may have wrapped around once.
 */
static __always_inline u64 acrpmu_period_count(u64 from, u64 to, unsigned int width)
{
	return (to - from) & acrpmu_period_mask(width);
}

/**
 * acrpmu_period_overflowed() - check whether a counter has overflowed
 * @value: reading of a counter that started at acrpmu_period_start() of a valid period
 * @width: width of the counter in bits, 1 to 64
 *
 * Context: any, also NMI.
 * Return: true if @value is not negative.
 */
static __always_inline bool acrpmu_period_overflowed(u64 value, unsigned int width)
{
	return !(value & BIT_ULL(width - 1));
}

#endif /* _ACRPMU_CORE_PERIOD_H */
