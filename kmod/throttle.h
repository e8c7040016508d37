/* SPDX-License-Identifier: GPL-2.0-only */
/* The limits on the overflows and the PMI time of a CPU, applied to its sessions. */
#ifndef _ACRPMU_THROTTLE_H
#define _ACRPMU_THROTTLE_H

#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/types.h>
#include <asm/tsc.h>

#include "session.h"
#include "core/budget.h"
#include "limits.h"
#include "pmu.h"

bool acrpmu_throttle_must_pause(const struct acrpmu_pmu *pmu,
				const struct acrpmu_session_cpu *scpu);

/**
 * acrpmu_throttle_overflow() - count an overflow, and check whether its session must pause
 *
 * The limits are those of the CPU, whatever its sessions count.  The window is a jiffy: the clock
 * that costs nothing to read.
 *
 * Context: NMI, on the CPU of @pmu and @scpu.
 */
static __always_inline bool acrpmu_throttle_overflow(struct acrpmu_pmu *pmu,
						     struct acrpmu_session_cpu *scpu)
{
	return unlikely(acrpmu_budget_overflow(&pmu->budget, &scpu->use, READ_ONCE(jiffies),
					       READ_ONCE(acrpmu_pace.max_per_tick),
					       READ_ONCE(acrpmu_pace.max_cycles_per_tick))) &&
	       acrpmu_throttle_must_pause(pmu, scpu);
}

/**
 * acrpmu_throttle_charge() - charge this CPU's budget for a PMI that began at @start_tsc
 *
 * Context: NMI, on the CPU of @pmu.
 */
static __always_inline void acrpmu_throttle_charge(struct acrpmu_pmu *pmu, u64 start_tsc)
{
	acrpmu_budget_charge(&pmu->budget,
			     min(rdtsc() - start_tsc, acrpmu_pace.max_cycles_of_pmi));
}

#endif /* _ACRPMU_THROTTLE_H */
