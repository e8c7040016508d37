// SPDX-License-Identifier: GPL-2.0-only
/* Limits on the overflows and the PMI time of a CPU, beyond which sessions pause. */
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/math.h>
#include <linux/minmax.h>
#include <linux/sched/clock.h>

#include "session.h"
#include "limits.h"
#include "throttle.h"

/*
 * A single slow PMI is no evidence, because the host may have run something else: take the average
 * of about the last 128, in which a very slow one does not count in full.
 */
#define PMI_WEIGHT_SHIFT	7
#define MAX_NS_OF_A_PMI		(TICK_NSEC / 8)

static bool beyond_limits(const struct acrpmu_budget *budget)
{
	return budget->overflows > READ_ONCE(acrpmu_pace.max_per_tick) ||
	       budget->pmis * (budget->pmi_ns >> PMI_WEIGHT_SHIFT) >
	       READ_ONCE(acrpmu_pace.max_ns_per_tick);
}

/**
 * acrpmu_throttle_overflow() - count an overflow, and check whether its session must pause
 *
 * The limits are those of the CPU, whatever its sessions count.  Once they are exceeded, a session
 * pauses that has at least an equal share of the overflows until then: always the one with the
 * most, at its next overflow.  The others go on, each up to that share, so that a tick has less
 * than twice the overflows that reached the limit.
 *
 * The window is a jiffy: the clock that costs nothing to read.
 *
 * Context: NMI, on the CPU of @budget and @scpu.
 */
bool acrpmu_throttle_overflow(struct acrpmu_budget *budget, struct acrpmu_session_cpu *scpu)
{
	unsigned long now = READ_ONCE(jiffies);

	if (budget->tick != now)
		*budget = (struct acrpmu_budget){ .tick = now, .pmi_ns = budget->pmi_ns };
	if (scpu->tick != now) {
		scpu->tick = now;
		scpu->tick_overflows = 0;
		budget->nr_sessions++;
	}
	scpu->tick_overflows++;
	budget->overflows++;
	if (likely(!beyond_limits(budget)))
		return false;
	if (!budget->share)
		budget->share = DIV_ROUND_UP(budget->overflows, budget->nr_sessions);
	return scpu->tick_overflows >= budget->share;
}

NOKPROBE_SYMBOL(acrpmu_throttle_overflow);

/**
 * acrpmu_throttle_charge() - charge this CPU's budget for a PMI that began at @start_ns
 *
 * Context: NMI, on the CPU of @budget.
 */
void acrpmu_throttle_charge(struct acrpmu_budget *budget, u64 start_ns)
{
	u64 ns = min_t(u64, local_clock() - start_ns, MAX_NS_OF_A_PMI);

	budget->pmis++;
	budget->pmi_ns += ns - (budget->pmi_ns >> PMI_WEIGHT_SHIFT);
}

NOKPROBE_SYMBOL(acrpmu_throttle_charge);
