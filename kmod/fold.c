// SPDX-License-Identifier: GPL-2.0-only
/* Folding running counters into counts before they wrap. */
#include <linux/cpumask.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "ctx.h"
#include "fold.h"
#include "pmu.h"
#include "registry.h"

/*
 * A counter that nothing restarts wraps after 2^40 occurrences or more; folding it into the count
 * well before that keeps the count right however long the session runs.
 */
#define INTERVAL	(30 * HZ)

static void fold_here(void *unused)
{
	acrpmu_ctx_fold();
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
