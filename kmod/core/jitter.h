/* SPDX-License-Identifier: GPL-2.0-only */
/* The random part of periods: how wide it is, which events have one, and how it is drawn. */
#ifndef _ACRPMU_CORE_JITTER_H
#define _ACRPMU_CORE_JITTER_H

#include "group.h"
#include "types.h"

/** ACRPMU_JITTER_MAX - widest random part of a period to either side, in occurrences */
#define ACRPMU_JITTER_MAX	BIT_ULL(30)

/**
 * acrpmu_jitter_span() - count the values that the random part of a period can have
 * @period: the mean, in occurrences
 * @percent: the largest random part to either side, in per cent of @period; 0: there is none
 * @longest: longest period of the counter, at least @period
 *
 * Context: any.
 * Return: an odd number; 1 if there is none.
 */
u64 acrpmu_jitter_span(u64 period, u32 percent, u64 longest);

/**
 * acrpmu_jitter_group() - find the events of a group that have random parts
 * @group: in and out, with all other members
 * @percent: widest random part to either side in per cent of each period
 *
 * A ratio of periods must stay what it is: an event with a part in a mask keeps its period, unless
 * software restarts all such events at each overflow of one, so that whole windows can be scaled.
 *
 * Context: any.
 */
void acrpmu_jitter_group(struct acrpmu_group *group, u32 percent);

/**
 * acrpmu_jitter_draw() - draw a number
 * @state: in and out, any odd number to begin with
 *
 * A multiplicative congruential generator modulo 2^64, since the handler of each PMI waits for it.
 * Multiplying by an odd number permutes the odd numbers: after a random one each is as likely as
 * any other.  The multiplier has good figures in Steele and Vigna, "Computationally easy,
 * spectrally good multipliers".
 *
 * Context: any, also NMI; an NMI in between may draw the same number, which does no harm.
 * Return: an odd number.
 */
static __always_inline u64 acrpmu_jitter_draw(u64 *state)
{
	return *state *= 0xf1357aea2e62a9c5ULL;
}

/**
 * acrpmu_jitter_offset() - scale a number drawn to one of the values of a random part
 * @draw: from acrpmu_jitter_draw()
 * @span: from acrpmu_jitter_span()
 *
 * The results of @draw and -@draw add up to @span - 1, since no odd number is scaled to a whole
 * one: the mean over all numbers is exactly (@span - 1) / 2.
 *
 * Context: any, also NMI.
 * Return: 0 to @span - 1, what is drawn beyond the shortest period.
 */
static __always_inline u64 acrpmu_jitter_offset(u64 draw, u64 span)
{
	unsigned __int128 scaled = (unsigned __int128)draw * span;

	return scaled >> 64;
}

#endif /* _ACRPMU_CORE_JITTER_H */
