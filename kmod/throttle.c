// SPDX-License-Identifier: GPL-2.0-only
/* Limits on the overflows and the PMI time of a CPU, beyond which sessions pause. */
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/minmax.h>
#include <linux/sched/clock.h>

#include "session.h"
#include "limits.h"
#include "throttle.h"

/**
 * acrpmu_throttle_rate() - count an overflow, and check whether it exceeds the sample rate
 *
 * The window is a jiffy: the clock that costs nothing to read.
 *
 * Context: NMI, on the CPU of @scpu.
 */
bool acrpmu_throttle_rate(struct acrpmu_session_cpu *scpu)
{
	unsigned long now = READ_ONCE(jiffies);

	if (scpu->tick != now) {
		scpu->tick = now;
		scpu->tick_overflows = 0;
	}
	return ++scpu->tick_overflows > acrpmu_max_per_tick;
}

NOKPROBE_SYMBOL(acrpmu_throttle_rate);

/*
 * PMIs of kernel-level events may use a share of each tick: a kernel busy with PMIs alone would
 * starve its other work.  User code always gets to run between two PMIs.  A single slow PMI is no
 * evidence, because the host may have run something else.
 */
#define MIN_PMIS_PER_TICK	16
#define MAX_NS_OF_A_PMI		(TICK_NSEC / 64)

/**
 * acrpmu_throttle_time() - check whether PMIs have used up their share of this tick
 *
 * Context: NMI, on the CPU of @budget.
 */
bool acrpmu_throttle_time(const struct acrpmu_budget *budget)
{
	return budget->nr_pmis >= MIN_PMIS_PER_TICK && budget->used_ns > acrpmu_max_ns_per_tick;
}

NOKPROBE_SYMBOL(acrpmu_throttle_time);

/**
 * acrpmu_throttle_charge() - charge this CPU's budget for a PMI that began at @start_ns
 *
 * Context: NMI, on the CPU of @budget.
 */
void acrpmu_throttle_charge(struct acrpmu_budget *budget, u64 start_ns)
{
	u64 now_ns = local_clock();

	if (now_ns - budget->start_ns > TICK_NSEC) {
		budget->start_ns = now_ns;
		budget->nr_pmis = 0;
		budget->used_ns = 0;
	}
	budget->nr_pmis++;
	budget->used_ns += min_t(u64, now_ns - start_ns, MAX_NS_OF_A_PMI);
}

NOKPROBE_SYMBOL(acrpmu_throttle_charge);
