// SPDX-License-Identifier: GPL-2.0-only
/* What the events that in-tree perf counts on this CPU use. */
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>

#include "intree.h"
#include "intree_here.h"

/* What the events of this CPU that perf counts now use: counters, or whether an extra register. */
static void add_uses(const struct perf_event_context *ctx, u64 *cntrs, u32 msr, bool *extra)
{
	const struct perf_event *event;

	list_for_each_entry_rcu(event, &ctx->event_list, event_entry) {
		if (READ_ONCE(event->state) != PERF_EVENT_STATE_ACTIVE ||
		    !acrpmu_intree_is_core(event))
			continue;
		if ((u32)event->hw.idx < BITS_PER_TYPE(u64))
			*cntrs |= BIT_ULL(event->hw.idx);
		*extra |= msr && event->hw.extra_reg.reg == msr;
	}
}

static void find_uses(const struct perf_event *claim, u64 *cntrs, u32 msr, bool *extra)
{
	const struct perf_event_context *of_task;

	*cntrs = 0;
	*extra = false;
	/* Perf changes neither here while interrupts are off, which RCU waits for, too. */
	rcu_read_lock();
	add_uses(claim->ctx, cntrs, msr, extra);
	of_task = rcu_dereference_raw(*compat_perf_ctx(current));
	if (of_task)
		add_uses(of_task, cntrs, msr, extra);
	rcu_read_unlock();
}

/**
 * acrpmu_intree_here_cntrs() - find the counters of this CPU that in-tree perf uses now
 * @claim: a claim of this CPU
 *
 * Context: interrupts off.
 * Return: mask of counters.
 */
u64 acrpmu_intree_here_cntrs(const struct perf_event *claim)
{
	bool extra;
	u64 cntrs;

	find_uses(claim, &cntrs, 0, &extra);
	return cntrs;
}

/**
 * acrpmu_intree_here_extra() - check whether in-tree perf uses an extra register on this CPU now
 * @claim: a claim of this CPU
 *
 * Context: interrupts off.
 */
bool acrpmu_intree_here_extra(const struct perf_event *claim, u32 msr)
{
	bool extra;
	u64 cntrs;

	find_uses(claim, &cntrs, msr, &extra);
	return extra;
}
