// SPDX-License-Identifier: GPL-2.0-only
/* Making in-tree perf forget counters that its events have left behind. */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/jiffies.h>
#include <linux/kthread.h>
#include <linux/mm_types.h>
#include <linux/mmu_context.h>
#include <linux/percpu.h>
#include <linux/sched/mm.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "clean.h"
#include "rdpmc.h"

/*
 * Perf remembers which counters its events have used on a CPU.  When it switches to an address
 * space that may use RDPMC, it zeroes all of them, so that no foreign counts can be read, including
 * counters that a session has reserved since.  So switch to such an address space beforehand.
 *
 * It is that of the process that loaded the module.  Usually that one has exited, so that no
 * program runs in it, and the permission opens nothing to anyone.
 */
static struct mm_struct *loader_mm;

/**
 * struct cleaner - the request to clean one CPU
 * @work: runs on that CPU
 * @done: the last of the requests that it has answered
 * @stuck_until: jiffies until which it is taken for one that does not answer
 */
struct cleaner {
	struct work_struct work;
	atomic64_t done;
	unsigned long stuck_until;
};

static struct cleaner __percpu *cleaners __ro_after_init;
static atomic64_t last_request = ATOMIC64_INIT(0);
static DECLARE_WAIT_QUEUE_HEAD(answers);

/* Unless it answers before, because its request stays queued */
#define STUCK_FOR	(60 * HZ)

/*
 * A lazy kernel thread may still have @loader_mm loaded, and then using it would switch nothing.
 * With interrupts on, another CPU that flushes that address space could come in between.
 */
static void leave_loader_mm(void)
{
	local_irq_disable();
	compat_leave_mm();
	local_irq_enable();
}

/**
 * acrpmu_clean_here() - make in-tree perf zero now what it would zero on this CPU later
 *
 * @loader_mm is left after it has got the permission.  Whatever loads it from then on, this
 * function or a task of the loader that runs in between, switches to it with the permission, and
 * perf zeroes the counters.  So this cannot fail.  Only while perf's attribute rdpmc is 0 nobody
 * has the permission: then perf zeroes nothing, and will not before that changes.
 *
 * Context: a kernel thread bound to this CPU, may sleep.
 */
void acrpmu_clean_here(void)
{
	atomic_inc(&loader_mm->context.perf_rdpmc_allowed);
	acrpmu_rdpmc_begin_check();
	leave_loader_mm();
	kthread_use_mm(loader_mm);
	acrpmu_rdpmc_end_check();
	kthread_unuse_mm(loader_mm);
	atomic_dec(&loader_mm->context.perf_rdpmc_allowed);
	leave_loader_mm();
}

static void clean_cpu(struct work_struct *work)
{
	struct cleaner *cleaner = container_of(work, struct cleaner, work);
	u64 request = atomic64_read(&last_request);

	/* Work for a CPU that goes offline runs elsewhere. */
	if (cleaner == raw_cpu_ptr(cleaners))
		acrpmu_clean_here();
	if (cleaner == raw_cpu_ptr(cleaners))
		atomic64_set(&cleaner->done, request);
	/* Pairs with note_stuck(): of the answer and the time either sees what the other wrote. */
	smp_mb();
	WRITE_ONCE(cleaner->stuck_until, jiffies);
	wake_up_all(&answers);
}

#define CLEAN_LIMIT	msecs_to_jiffies(ACRPMU_CLEAN_LIMIT_MS)

static bool answered(const struct cpumask *cpus, u64 request, struct cpumask *done)
{
	bool all = true;
	int cpu;

	for_each_cpu(cpu, cpus) {
		if ((u64)atomic64_read(&per_cpu_ptr(cleaners, cpu)->done) >= request)
			cpumask_set_cpu(cpu, done);
		else if (cpu_online(cpu))
			all = false;
	}
	return all;
}

static void note_stuck(const struct cpumask *cpus, u64 request, const struct cpumask *done)
{
	struct cleaner *cleaner;
	int cpu;

	for_each_cpu_andnot(cpu, cpus, done) {
		cleaner = per_cpu_ptr(cleaners, cpu);
		WRITE_ONCE(cleaner->stuck_until, jiffies + STUCK_FOR);
		/* Pairs with clean_cpu(), which may have answered since the wait ended. */
		smp_mb();
		if ((u64)atomic64_read(&cleaner->done) >= request)
			WRITE_ONCE(cleaner->stuck_until, jiffies);
	}
}

/**
 * acrpmu_clean_cpus() - make in-tree perf zero now what it would zero on some CPUs later
 * @cpus: CPUs with counters that neither perf nor a session uses
 * @abort: ends the wait when it becomes true, see acrpmu_clean_wake(), as a signal does; NULL if
 *	nothing may end it
 * @done: out, those that did it within ACRPMU_CLEAN_LIMIT_MS
 *
 * A CPU does it in a kernel thread, which a real-time task may hold off for ever.
 *
 * Context: process, may sleep, without locks.
 * Return: 0; -ERESTARTSYS if a signal came.
 */
int acrpmu_clean_cpus(const struct cpumask *cpus, const bool *abort, struct cpumask *done)
{
	u64 request = atomic64_inc_return(&last_request);
	long left;
	int cpu;

	cpumask_clear(done);
	for_each_cpu(cpu, cpus)
		queue_work_on(cpu, system_highpri_wq, &per_cpu_ptr(cleaners, cpu)->work);
	if (abort)
		left = wait_event_interruptible_timeout(answers, answered(cpus, request, done) ||
							READ_ONCE(*abort), CLEAN_LIMIT);
	else
		left = wait_event_timeout(answers, answered(cpus, request, done), CLEAN_LIMIT);
	if (!left)
		note_stuck(cpus, request, done);
	return min(left, 0L);
}

/**
 * acrpmu_clean_is_stuck() - check whether a CPU has not answered lately, and would be waited for
 *
 * Context: any.
 */
bool acrpmu_clean_is_stuck(int cpu)
{
	return time_before(jiffies, READ_ONCE(per_cpu_ptr(cleaners, cpu)->stuck_until));
}

/**
 * acrpmu_clean_wake() - make acrpmu_clean_cpus() see that its @abort has become true
 *
 * Context: process.
 */
void acrpmu_clean_wake(void)
{
	wake_up_all(&answers);
}

/**
 * acrpmu_clean_init() - keep the address space that cleaning switches to
 *
 * Context: process, at load.
 * Return: 0; -EINVAL if a kernel thread loads the module; -ENOMEM.
 */
int acrpmu_clean_init(void)
{
	int cpu;

	if (!current->mm)
		return -EINVAL;
	cleaners = alloc_percpu(struct cleaner);
	if (!cleaners)
		return -ENOMEM;
	mmgrab(current->mm);
	loader_mm = current->mm;
	for_each_possible_cpu(cpu) {
		INIT_WORK(&per_cpu_ptr(cleaners, cpu)->work, clean_cpu);
		per_cpu_ptr(cleaners, cpu)->stuck_until = jiffies;
	}
	return 0;
}

/**
 * acrpmu_clean_exit() - undo acrpmu_clean_init()
 *
 * Context: process, may sleep, at unload; no session is left.
 */
void acrpmu_clean_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		cancel_work_sync(&per_cpu_ptr(cleaners, cpu)->work);
	mmdrop(loader_mm);
	free_percpu(cleaners);
}
