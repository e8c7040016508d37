/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits on the overflows and the PMI time of a CPU: whether they hold, and what must pause. */
#ifndef _ACRPMU_CORE_BUDGET_H
#define _ACRPMU_CORE_BUDGET_H

#include "types.h"

/*
 * A single slow PMI is no evidence, because the host may have run something else: take the average
 * of about the last 128.
 */
#define ACRPMU_PMI_WEIGHT_SHIFT	7

/**
 * struct acrpmu_budget - what all sessions have used of one CPU in the current tick
 * @tick: number of the tick
 * @overflows: their overflows in it
 * @reached: @overflows when a limit was first exceeded in it, 0 while the limits hold
 * @pmis: PMIs in it
 * @pmi_cycles: time that a PMI takes, in cycles of the TSC, a running average over many; scaled
 */
struct acrpmu_budget {
	u64 tick;
	unsigned int overflows;
	unsigned int reached;
	unsigned int pmis;
	u64 pmi_cycles;
};

/**
 * struct acrpmu_use - what one session has used of one CPU
 * @tick: number of the tick in which it last overflowed
 * @overflows: its overflows in that tick
 */
struct acrpmu_use {
	u64 tick;
	unsigned int overflows;
};

/**
 * acrpmu_budget_overflow() - count an overflow, and check whether a limit is exceeded
 * @use: of the session that overflowed
 * @tick: number of the current tick, not less than before
 * @max_overflows: limit of overflows in a tick, at least 1
 * @max_cycles: limit of the PMIs' time in a tick, in cycles of the TSC
 *
 * Context: any, also NMI.
 * Return: true if one is.
 */
static __always_inline bool acrpmu_budget_overflow(struct acrpmu_budget *budget,
						   struct acrpmu_use *use, u64 tick,
						   unsigned int max_overflows, u64 max_cycles)
{
	if (budget->tick != tick)
		*budget = (struct acrpmu_budget){ .tick = tick, .pmi_cycles = budget->pmi_cycles };
	if (use->tick != tick)
		*use = (struct acrpmu_use){ .tick = tick };
	use->overflows++;
	budget->overflows++;
	if (budget->overflows <= max_overflows &&
	    budget->pmis * (budget->pmi_cycles >> ACRPMU_PMI_WEIGHT_SHIFT) <= max_cycles)
		return false;
	if (!budget->reached)
		budget->reached = budget->overflows;
	return true;
}

/**
 * acrpmu_budget_must_pause() - check whether a session pauses, now that a limit is exceeded
 * @use: of the session that overflowed just now
 * @running: of the sessions that do not pause, once or several times, with or without @use
 * @nr: how many @running are
 * @nr_cntrs: counters of the CPU with INT, at least as many as sessions that can overflow
 *
 * A session with less than an equal share of the overflows that exceeded the limit never pauses.
 * Another does unless one with more of them still runs: so the largest pauses first.  But that one
 * may not come to its next overflow, for instance because its task does not run any more.  So once
 * there are twice as many overflows as when the limit was exceeded, each that has its share pauses.
 *
 * Bound, while a limit stays exceeded: of the overflows that pause nobody, those of sessions
 * without their share are less than @reached in all, and others happen only up to twice @reached.
 * One that pauses its session is the last of its counter, unless the pause ends within the tick.
 * So a tick has fewer overflows than three times @reached, plus @nr_cntrs and one for each counter
 * of such a pause.
 *
 * Context: any, also NMI.
 * Return: true if it does.
 */
bool acrpmu_budget_must_pause(const struct acrpmu_budget *budget, const struct acrpmu_use *use,
			      const struct acrpmu_use *const *running, unsigned int nr,
			      unsigned int nr_cntrs);

/**
 * acrpmu_budget_charge() - charge a budget for a PMI
 * @cycles: its duration in cycles of the TSC
 *
 * Context: any, also NMI.
 */
static __always_inline void acrpmu_budget_charge(struct acrpmu_budget *budget, u64 cycles)
{
	budget->pmis++;
	budget->pmi_cycles += cycles - (budget->pmi_cycles >> ACRPMU_PMI_WEIGHT_SHIFT);
}

#endif /* _ACRPMU_CORE_BUDGET_H */
