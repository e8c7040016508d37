// SPDX-License-Identifier: GPL-2.0-only
/* Making in-tree perf forget counters that its events have left behind. */
#include <linux/kthread.h>
#include <linux/mm_types.h>
#include <linux/pid_namespace.h>
#include <linux/sched/mm.h>
#include <linux/sched/task.h>
#include <linux/workqueue.h>

#include "clean.h"

/*
 * Perf remembers which counters its events have used on a CPU.  When it switches to an address
 * space that may use RDPMC, it zeroes all of them, so that no foreign counts can be read, including
 * counters that a session has reserved since.  So switch to such an address space beforehand.
 */
struct pair {
	/* two, since switching to the current one has no effect; a kernel thread has one */
	struct mm_struct *mm[2];
};

static void switch_to_both(const struct pair *pair)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pair->mm); i++) {
		if (!pair->mm[i])
			continue;
		kthread_use_mm(pair->mm[i]);
		kthread_unuse_mm(pair->mm[i]);
	}
}

static void allow_rdpmc(const struct pair *pair, int by)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(pair->mm); i++)
		if (pair->mm[i])
			atomic_add(by, &pair->mm[i]->context.perf_rdpmc_allowed);
}

/* The second round revokes the permission on the CPU. */
static long clean_here(void *data)
{
	const struct pair *pair = data;

	allow_rdpmc(pair, 1);
	switch_to_both(pair);
	allow_rdpmc(pair, -1);
	switch_to_both(pair);
	return 0;
}

static struct mm_struct *mm_of_init(void)
{
	struct task_struct *init;
	struct mm_struct *mm;

	rcu_read_lock();
	init = init_pid_ns.child_reaper;
	get_task_struct(init);
	rcu_read_unlock();
	mm = get_task_mm(init);
	put_task_struct(init);
	return mm;
}

/**
 * acrpmu_clean_cpu() - make in-tree perf zero now what it would zero later
 * @cpu: an online CPU with counters that neither perf nor a session uses
 *
 * Context: process, may sleep; @cpu stays online.
 */
void acrpmu_clean_cpu(int cpu)
{
	struct pair pair = { { get_task_mm(current), mm_of_init() } };
	unsigned int i;

	work_on_cpu(cpu, clean_here, &pair);
	for (i = 0; i < ARRAY_SIZE(pair.mm); i++)
		if (pair.mm[i])
			mmput(pair.mm[i]);
}
