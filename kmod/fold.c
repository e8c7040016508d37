// SPDX-License-Identifier: GPL-2.0-only
/* Folding running counters into counts before they wrap. */
#include <linux/cpumask.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "cell_inline.h"
#include "fold.h"
#include "pmu.h"
#include "registry.h"

/*
 * A counter that nothing restarts wraps after 2^40 occurrences or more; folding it into the count
 * well before that keeps the count right however long the session runs.
 */
#define INTERVAL	(30 * HZ)

static void count_running(const struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, unsigned int ev)
{
	const struct acrpmu_event_hw *hw = &ctx->scpu->plan.hw[ev];
	u64 raw = acrpmu_msr_read_counter(hw->cntr);

	acrpmu_cell_check(ctx, ev, raw);
	acrpmu_cell_count_to(pmu, ctx, ev, sign_extend64(raw, acrpmu_cell_width(pmu, hw) - 1));
}

/* Without stopping the counters, so that nothing is missed. */
static void fold_ctx(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx)
{
	struct acrpmu_session_cpu *scpu = ctx->scpu;
	const struct acrpmu_plan *plan = &scpu->plan;
	u64 periodic = ctx->session->group.sampled_events | ctx->session->group.reloaded_events;
	unsigned int i;

	acrpmu_pmu_settling_begin(pmu, plan);
	for (i = 0; i < plan->nr; i++) {
		if (!(periodic & BIT_ULL(i)))
			count_running(pmu, ctx, i);
	}
	/* If a PMI came in between and skipped its counter, stopping accounts for it. */
	if (acrpmu_pmu_settling_end(pmu)) {
		acrpmu_ctx_stop(ctx);
		acrpmu_ctx_start(ctx, scpu);
	}
}

/* Those of sampled and reloaded events start anew before they wrap. */
static void fold_here(void *unused)
{
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	unsigned long cntrs = pmu->held_cntrs;
	unsigned int cntr;

	if (acrpmu_pmu_is_lost(pmu))
		return;
	for_each_set_bit(cntr, &cntrs, ACRPMU_CNTRS_MAX) {
		const struct acrpmu_slot *slot = &pmu->slot[cntr];

		/* Each session once, by the counter of its first event. */
		if (!slot->ev && slot->scpu->running)
			fold_ctx(pmu, slot->scpu->running);
	}
}

/**
 * acrpmu_fold_counting() - fold the counters of events that only count, which no PMI looks at
 * @scpu: a session that holds this CPU
 *
 * Context: interrupts off, on the CPU in question.
 */
void acrpmu_fold_counting(const struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_ctx *ctx = scpu->running;
	unsigned int i;

	for (i = 0; ctx && i < scpu->plan.nr; i++)
		if (!(acrpmu_cell_jumping(ctx) & BIT_ULL(i)))
			count_running(acrpmu_pmu_here(), ctx, i);
}

static void fold(struct work_struct *work);
static DECLARE_DELAYED_WORK(fold_work, fold);

/* One call for each CPU with sessions, however many there are; others are left in peace. */
static void fold(struct work_struct *work)
{
	int cpu;

	for_each_online_cpu(cpu)
		if (READ_ONCE(acrpmu_pmu_of(cpu)->held_cntrs))
			smp_call_function_single(cpu, fold_here, NULL, 1);
	if (acrpmu_registry_count())
		acrpmu_fold_arm();
}

/**
 * acrpmu_fold_arm() - fold in a while, and again while there are sessions
 *
 * Context: process.
 */
void acrpmu_fold_arm(void)
{
	queue_delayed_work(acrpmu_wq, &fold_work, INTERVAL);
}

/**
 * acrpmu_fold_exit() - undo acrpmu_fold_arm()
 *
 * Context: process, may sleep, at unload; no session is left.
 */
void acrpmu_fold_exit(void)
{
	cancel_delayed_work_sync(&fold_work);
}
