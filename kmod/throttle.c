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
 * acrpmu_throttle_rate() - count an overflow against the sample rate
 * @scpu: the session on this CPU
 *
 * The window is a tick: the clock that costs nothing to read.
 *
 * Context: NMI, on that CPU.
 * Return: whether it is beyond the rate.
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
 * PMIs of kernel-level events may take a share of each tick's length: a kernel that does little but
 * handle them would never come to its other work.  User code goes on between two PMIs in any case.
 * A single slow PMI says nothing, as the host may have run something else.
 */
#define MIN_PMIS_PER_TICK	16
#define MAX_NS_OF_A_PMI		(TICK_NSEC / 64)

/**
 * acrpmu_throttle_time() - check whether PMIs have used up their time of this tick
 *
 * Context: NMI, on the CPU of @budget.
 */
bool acrpmu_throttle_time(const struct acrpmu_budget *budget)
{
	return budget->nr_pmis >= MIN_PMIS_PER_TICK && budget->used_ns > acrpmu_max_ns_per_tick;
}

NOKPROBE_SYMBOL(acrpmu_throttle_time);

/**
 * acrpmu_throttle_charge() - charge a PMI that ends now
 * @budget: that of this CPU
 * @start_ns: local_clock() when the PMI began
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
