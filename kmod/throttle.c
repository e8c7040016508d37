// SPDX-License-Identifier: GPL-2.0-only
/* The limits on the overflows and the PMI time of a CPU, applied to its sessions. */
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/sched/clock.h>

#include "session.h"
#include "core/budget.h"
#include "limits.h"
#include "pmu.h"
#include "throttle.h"

/* Of a very slow PMI only this much counts. */
#define MAX_NS_OF_A_PMI		(TICK_NSEC / 8)

/* Only sessions that hold a counter here can run, so these are few. */
static noinline bool must_pause(const struct acrpmu_pmu *pmu, const struct acrpmu_session_cpu *scpu)
{
	const struct acrpmu_use *running[ACRPMU_NR_SLOTS];
	u64 left = pmu->int_cntrs;
	unsigned int nr = 0;

	for (; left; left &= left - 1) {
		const struct acrpmu_session_cpu *other = pmu->slot[__ffs64(left)].scpu;

		if (!other->paused)
			running[nr++] = &other->use;
	}
	return acrpmu_budget_must_pause(&pmu->budget, &scpu->use, running, nr,
					hweight64(pmu->int_cntrs));
}

NOKPROBE_SYMBOL(must_pause);

/**
 * acrpmu_throttle_overflow() - count an overflow, and check whether its session must pause
 *
 * The limits are those of the CPU, whatever its sessions count.  The window is a jiffy: the clock
 * that costs nothing to read.
 *
 * Context: NMI, on the CPU of @pmu and @scpu.
 */
bool acrpmu_throttle_overflow(struct acrpmu_pmu *pmu, struct acrpmu_session_cpu *scpu)
{
	if (likely(!acrpmu_budget_overflow(&pmu->budget, &scpu->use, READ_ONCE(jiffies),
					   READ_ONCE(acrpmu_pace.max_per_tick),
					   READ_ONCE(acrpmu_pace.max_ns_per_tick))))
		return false;
	return must_pause(pmu, scpu);
}

NOKPROBE_SYMBOL(acrpmu_throttle_overflow);

/**
 * acrpmu_throttle_charge() - charge this CPU's budget for a PMI that began at @start_ns
 *
 * Context: NMI, on the CPU of @pmu.
 */
void acrpmu_throttle_charge(struct acrpmu_pmu *pmu, u64 start_ns)
{
	acrpmu_budget_charge(&pmu->budget,
			     min_t(u64, local_clock() - start_ns, MAX_NS_OF_A_PMI));
}

NOKPROBE_SYMBOL(acrpmu_throttle_charge);
