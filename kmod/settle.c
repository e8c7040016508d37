// SPDX-License-Identifier: GPL-2.0-only
/* Letting in-tree perf use CPUs that were taken from sessions, while nobody waits for it. */
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>

#include "owner.h"
#include "settle.h"

/**
 * struct settle - the work of one CPU
 * @work: waits as long as in-tree perf keeps the CPU's events locked
 * @cpu: the CPU
 */
struct settle {
	struct work_struct work;
	int cpu;
};

static struct settle __percpu *settles __ro_after_init;
static struct workqueue_struct *settle_wq;

static void settle(struct work_struct *work)
{
	acrpmu_owner_settle(container_of(work, struct settle, work)->cpu);
}

/**
 * acrpmu_settle_later() - let in-tree perf use a CPU that has no user any more, as soon as perf
 *	gives way
 *
 * Context: any but NMI.
 */
void acrpmu_settle_later(int cpu)
{
	queue_work(settle_wq, &per_cpu_ptr(settles, cpu)->work);
}

/**
 * acrpmu_settle_flush() - wait until in-tree perf may use all such CPUs
 *
 * Context: process, may sleep, without locks.
 */
void acrpmu_settle_flush(void)
{
	flush_workqueue(settle_wq);
}

/**
 * acrpmu_settle_init() - allocate the works
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_settle_init(void)
{
	int cpu;

	settle_wq = alloc_workqueue("acrpmu_settle", WQ_UNBOUND, 0);
	if (!settle_wq)
		return -ENOMEM;
	settles = alloc_percpu(struct settle);
	if (!settles) {
		destroy_workqueue(settle_wq);
		return -ENOMEM;
	}
	for_each_possible_cpu(cpu) {
		INIT_WORK(&per_cpu_ptr(settles, cpu)->work, settle);
		per_cpu_ptr(settles, cpu)->cpu = cpu;
	}
	return 0;
}

/**
 * acrpmu_settle_exit() - undo acrpmu_settle_init()
 *
 * Context: process, may sleep, at unload.
 */
void acrpmu_settle_exit(void)
{
	destroy_workqueue(settle_wq);
	free_percpu(settles);
}
