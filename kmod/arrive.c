// SPDX-License-Identifier: GPL-2.0-only
/* Reserving CPUs on which tasks of a session were seen running, and CPUs that are back. */
#include <linux/atomic.h>
#include <linux/cache.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/workqueue.h>

#include "session.h"
#include "arrive.h"
#include "clean.h"
#include "hold.h"
#include "notify.h"
#include "registry.h"
#include "reserve.h"
#include "restore.h"
#include "session_cpu.h"
#include "task.h"

/* A CPU that cannot be reserved is not tried at every switch, and each time after twice as long. */
#define RETRY_FIRST	HZ
#define RETRY_LAST	(32 * HZ)

/* Its works may wait for in-tree perf, as long as that likes, and nothing else for them. */
static struct workqueue_struct *arrive_wq;

/* One CPU that perf holds up must not get all workers. */
#define MAX_WAITING	32
static atomic_t __percpu *waiting __ro_after_init;

static bool reserve_state(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_error err = { };
	int ret;

	if (acrpmu_session_cpu_get(session, cpumask_of(cpu)))
		return false;
	ret = acrpmu_reserve_arrived(session, cpu, &err);
	if (ret) {
		mutex_lock(&acrpmu_lock);
		acrpmu_notify_refused_cpu(acrpmu_session_on(session, cpu), ret, &err);
		mutex_unlock(&acrpmu_lock);
	}
	return !ret;
}

static bool reserve_cpu(struct acrpmu_session *session, int cpu)
{
	bool reserved = false;

	if (acrpmu_clean_is_stuck(cpu))
		return false;
	if (atomic_inc_return(per_cpu_ptr(waiting, cpu)) <= MAX_WAITING)
		reserved = reserve_state(session, cpu);
	atomic_dec(per_cpu_ptr(waiting, cpu));
	return reserved;
}

static void retry_later(struct acrpmu_session *session)
{
	unsigned long after = READ_ONCE(session->retry_after);

	if (queue_delayed_work(acrpmu_wq, &session->retry, after))
		WRITE_ONCE(session->retry_at, jiffies + after);
}

/* A CPU that is back, but that somebody else has by now: tell readers, and whoever listens. */
static void note_refused(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);

	mutex_lock(&acrpmu_lock);
	/* Before another sleep it is not refused: it is tried again after that. */
	if (scpu && !session->parked && !acrpmu_restore_is_stopped() &&
	    (scpu->ctx || acrpmu_hold_is_asleep(scpu)))
		acrpmu_hold_lose(scpu);
	/* An offline CPU is tried again when it comes online. */
	if (!session->parked && cpu_online(cpu)) {
		cpumask_set_cpu(cpu, session->refused);
		/* Switches since then have asked for it again. */
		cpumask_clear_cpu(cpu, session->wanted);
	}
	mutex_unlock(&acrpmu_lock);
	wake_up_all(&session->wait);
}

/* Missed time goes on being counted where the CPU cannot be reserved. */
static void arrive(struct work_struct *work)
{
	struct acrpmu_session *session = container_of(work, struct acrpmu_session, arrive);
	int cpu;

	mutex_lock(&session->reserve_lock);
	for_each_cpu(cpu, session->wanted) {
		/* First, lest it is lost that a task is noticed there again. */
		cpumask_clear_cpu(cpu, session->wanted);
		if (reserve_cpu(session, cpu)) {
			WRITE_ONCE(session->retry_after, RETRY_FIRST);
			wake_up_all(&session->wait);
		} else {
			note_refused(session, cpu);
		}
	}
	mutex_unlock(&session->reserve_lock);
	if (!cpumask_empty(session->refused))
		retry_later(session);
}

/* A task that runs alone on such a CPU is not switched, and must be noticed again. */
static void try_again(struct acrpmu_session *session, int cpu)
{
	if (session->task_target) {
		smp_call_function_single(cpu, acrpmu_task_notice_here, session, 1);
		return;
	}
	cpumask_set_cpu(cpu, session->wanted);
	irq_work_queue(&acrpmu_notice);
}

static void retry(struct work_struct *work)
{
	struct acrpmu_session *session = container_of(to_delayed_work(work), struct acrpmu_session,
						      retry);
	unsigned long after = READ_ONCE(session->retry_after);
	int cpu;

	WRITE_ONCE(session->retry_after, min_t(unsigned long, 2 * after, RETRY_LAST));
	for_each_cpu(cpu, session->refused) {
		if (acrpmu_clean_is_stuck(cpu))
			continue;
		cpumask_clear_cpu(cpu, session->refused);
		try_again(session, cpu);
	}
	if (!cpumask_empty(session->refused))
		retry_later(session);
}

/* A work of each session, so that none waits for what another one waits for. */
static void find_sessions(struct work_struct *work)
{
	struct acrpmu_session *session;

	mutex_lock(&acrpmu_lock);
	list_for_each_entry(session, &acrpmu_sessions, node)
		if (!cpumask_empty(session->wanted))
			queue_work(arrive_wq, &session->arrive);
	mutex_unlock(&acrpmu_lock);
}

static DECLARE_WORK(find_work, find_sessions);

static void notice(struct irq_work *work)
{
	queue_work(acrpmu_wq, &find_work);
}

/**
 * acrpmu_arrive_begin() - prepare a new session for arrivals
 *
 * Context: process.
 */
void acrpmu_arrive_begin(struct acrpmu_session *session)
{
	INIT_WORK(&session->arrive, arrive);
	INIT_DELAYED_WORK(&session->retry, retry);
	session->retry_after = RETRY_FIRST;
}

/**
 * acrpmu_arrive_hasten() - try refused CPUs soon, because a session has released some
 *
 * Not at once: a program that creates and closes sessions must not make all others try each time.
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_arrive_hasten(void)
{
	struct acrpmu_session *session;

	lockdep_assert_held(&acrpmu_lock);
	list_for_each_entry(session, &acrpmu_sessions, node) {
		WRITE_ONCE(session->retry_after, RETRY_FIRST);
		if (cpumask_empty(session->refused))
			continue;
		if (time_after(READ_ONCE(session->retry_at), jiffies + RETRY_FIRST)) {
			WRITE_ONCE(session->retry_at, jiffies + RETRY_FIRST);
			mod_delayed_work(acrpmu_wq, &session->retry, RETRY_FIRST);
		}
	}
}

/**
 * acrpmu_arrive_end() - end the arrivals of a session that is in no list any more
 *
 * Context: process, may sleep, without locks; acrpmu_session.aborting is set.
 */
void acrpmu_arrive_end(struct acrpmu_session *session)
{
	acrpmu_clean_wake();
	cancel_work_sync(&session->arrive);
	cancel_delayed_work_sync(&session->retry);
}

/**
 * acrpmu_arrive_flush() - wait until every CPU that is wanted by now was reserved, or refused
 *
 * Context: process, may sleep, without locks.
 */
void acrpmu_arrive_flush(void)
{
	irq_work_sync(&acrpmu_notice);
	flush_work(&find_work);
	flush_workqueue(arrive_wq);
}

/**
 * acrpmu_arrive_init() - reserve CPUs whenever acrpmu_notice is queued
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_arrive_init(void)
{
	waiting = alloc_percpu(atomic_t);
	if (!waiting)
		return -ENOMEM;
	arrive_wq = alloc_workqueue("acrpmu_arrive", WQ_UNBOUND, 0);
	if (!arrive_wq) {
		free_percpu(waiting);
		return -ENOMEM;
	}
	/* With PREEMPT_RT not in a thread: a real-time task would hold off those of all CPUs. */
	acrpmu_notice = IRQ_WORK_INIT_HARD(notice);
	return 0;
}

/**
 * acrpmu_arrive_exit() - undo acrpmu_arrive_init()
 *
 * Context: process, may sleep, at unload; no session is left.
 */
void acrpmu_arrive_exit(void)
{
	irq_work_sync(&acrpmu_notice);
	cancel_work_sync(&find_work);
	destroy_workqueue(arrive_wq);
	free_percpu(waiting);
}
