// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that come and go: released before, and restored after. */
#include <linux/cache.h>
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/workqueue.h>

#include "../uapi/acrpmu_netlink.h"
#include "session.h"
#include "clean.h"
#include "hold.h"
#include "notify.h"
#include "owner.h"
#include "registry.h"
#include "restore.h"
#include "topic.h"

/*
 * ACRPMU_REASON_SUSPEND or ACRPMU_REASON_SHUTDOWN: the system is going to sleep, and registers
 * reserved now would silently be lost, or going down, and the next kernel would find them;
 * acrpmu_lock.
 */
static u32 stopped;
static cpumask_t waking;	/* CPUs that wake() has still to restore; acrpmu_lock */

/**
 * acrpmu_restore_stopped() - check whether the system is going to sleep, waking up, or going down
 *
 * Context: process, acrpmu_lock held.
 * Return: the reason for which none of @cpus can be reserved, or ACRPMU_REASON_NONE.
 */
u32 acrpmu_restore_stopped(const struct cpumask *cpus)
{
	if (stopped)
		return stopped;
	/* The sessions that were there before come first. */
	return cpumask_intersects(cpus, &waking) ? ACRPMU_REASON_SUSPEND : ACRPMU_REASON_NONE;
}

static bool wants_restore(const struct acrpmu_session *session,
			  const struct acrpmu_session_cpu *scpu)
{
	return !session->parked && !acrpmu_session_holds(scpu) &&
	       cpumask_test_cpu(scpu->cpu, session->reach) && cpu_online(scpu->cpu) &&
	       acrpmu_hold_can_serve(session, scpu->cpu) &&
	       (session->task_target || acrpmu_hold_is_asleep(scpu));
}

static bool had_cpu(const struct acrpmu_session_cpu *scpu)
{
	return scpu->plan.nr;
}

static bool is_wanted(int cpu)
{
	const struct acrpmu_session_cpu *scpu;
	const struct acrpmu_session *session;

	list_for_each_entry(session, &acrpmu_sessions, node) {
		scpu = acrpmu_session_on(session, cpu);
		if (scpu && wants_restore(session, scpu))
			return true;
	}
	return false;
}

/**
 * struct claim - a CPU on which sessions are to be restored
 * @ret: why in-tree perf is not kept off it for them, negative; 0: it is, or nobody wants the CPU
 * @wanted: by a session
 */
struct claim {
	int cpu;
	int ret;
	bool wanted;
	struct acrpmu_error err;
};

static bool is_claimed(const struct claim *claim)
{
	return claim->wanted && !claim->ret;
}

/* Perf events opened while no session held the CPU run by now, and conflict. */
static struct claim claim_cpu(int cpu)
{
	struct claim claim = { .cpu = cpu };

	mutex_lock(&acrpmu_lock);
	claim.wanted = is_wanted(cpu);
	mutex_unlock(&acrpmu_lock);
	if (!claim.wanted)
		return claim;
	claim.ret = acrpmu_hold_check_unclaimed(cpu, &claim.err) ?:
		    acrpmu_owner_get(cpu, &claim.err);
	/* Without acrpmu_lock, because perf's locks are taken. */
	if (claim.ret == -EBUSY && acrpmu_topic_wanted(ACRPMU_NL_TOPIC_CONFLICTS))
		acrpmu_owner_name(&claim.err);
	return claim;
}

static void share_claim(int cpu)
{
	struct acrpmu_session_cpu *scpu;
	struct acrpmu_session *session;

	list_for_each_entry(session, &acrpmu_sessions, node) {
		scpu = acrpmu_session_on(session, cpu);
		if (scpu && !acrpmu_hold_is_claimed(scpu) && wants_restore(session, scpu))
			acrpmu_hold_share_claim(scpu);
	}
}

static void restore_session(struct acrpmu_session_cpu *scpu, bool same)
{
	struct acrpmu_error err = { };
	int ret;

	if (!acrpmu_owner_is_clean(scpu->cpu))
		return;
	ret = acrpmu_hold_check(scpu->cpu, &err);
	if (!ret && same && !acrpmu_hold_keep_plan(scpu))
		return;
	if (!ret && !same)
		ret = acrpmu_hold_plan(scpu->session, scpu->cpu, &err);
	if (ret) {
		acrpmu_notify_refused_cpu(scpu, ret, &err);
		return;
	}
	acrpmu_hold_take(scpu);
	acrpmu_notify_claimed(scpu->session, cpumask_of(scpu->cpu));
	acrpmu_hold_start(scpu);
}

/* First restore sessions with old counters that are free, lest a new schedule takes them. */
static void restore_sessions(int cpu)
{
	struct acrpmu_session_cpu *scpu;
	struct acrpmu_session *session;
	int round;

	for (round = 0; round < 2; round++)
		list_for_each_entry(session, &acrpmu_sessions, node) {
			scpu = acrpmu_session_on(session, cpu);
			if (scpu && acrpmu_hold_is_claimed(scpu) && wants_restore(session, scpu) &&
			    (round || had_cpu(scpu)))
				restore_session(scpu, !round);
		}
}

/* Report to readers, and those who listen, what could not be restored. */
static void report_lost(const struct claim *claim)
{
	int cpu = claim->cpu;
	struct acrpmu_session_cpu *scpu;
	struct acrpmu_session *session;

	list_for_each_entry(session, &acrpmu_sessions, node) {
		scpu = acrpmu_session_on(session, cpu);
		if (!scpu || session->parked || acrpmu_session_holds(scpu) ||
		    !cpumask_test_cpu(cpu, session->reach))
			continue;
		if (claim->ret && wants_restore(session, scpu))
			acrpmu_notify_refused_cpu(scpu, claim->ret, &claim->err);
		acrpmu_hold_unclaim(scpu);
		acrpmu_hold_lose(scpu);
		wake_up_all(&session->wait);
	}
}

/* Restore what the sessions want on a CPU. */
static void restore(const struct claim *claim, bool clean)
{
	int cpu = claim->cpu;

	lockdep_assert_held(&acrpmu_lock);
	if (clean)
		acrpmu_owner_set_clean(cpu);
	if (is_claimed(claim)) {
		if (!stopped && acrpmu_owner_is_effective(cpu))
			share_claim(cpu);
		acrpmu_owner_put(cpu);
	}
	if (stopped)
		return;
	restore_sessions(cpu);
	report_lost(claim);
}

/**
 * acrpmu_restore_cpu() - restore task sessions on a CPU that has come online
 *
 * CPU sessions have lost it for good.  ACRPMU_STATE_CPU_LOST reports what cannot be restored:
 * nothing is counted there.
 *
 * Context: a kernel thread bound to @cpu, may sleep, hotplug lock held for writing; @cpu is
 * discovered.
 */
void acrpmu_restore_cpu(int cpu)
{
	struct claim claim;

	/* acrpmu_restore_resume() restores it. */
	if (READ_ONCE(stopped))
		return;
	claim = claim_cpu(cpu);
	if (is_claimed(&claim))
		acrpmu_clean_here();
	mutex_lock(&acrpmu_lock);
	restore(&claim, is_claimed(&claim));
	mutex_unlock(&acrpmu_lock);
	acrpmu_owner_settle(cpu);
}

/**
 * acrpmu_restore_lose_cpu() - release a CPU that goes offline
 *
 * A CPU session, even a parked one, loses it for good, unless the system suspends.
 *
 * Context: process, may sleep, acrpmu_lock held; @cpu still runs code.  Needs acrpmu_owner_settle()
 * afterwards.
 */
void acrpmu_restore_lose_cpu(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);
	bool held = scpu && acrpmu_session_holds(scpu);

	lockdep_assert_held(&acrpmu_lock);
	if (!scpu)
		return;
	/* Parked too: it must not return to a CPU that its running siblings have lost. */
	if (!held && (stopped || !session->parked || session->task_target)) {
		acrpmu_hold_unclaim(scpu);
		return;
	}
	acrpmu_hold_release(scpu, ACRPMU_HOLD_NONE);
	if (held)
		acrpmu_notify_released(session, cpumask_of(cpu));
	acrpmu_hold_lose(scpu);
	wake_up_all(&session->wait);
}

static void settle_all(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		acrpmu_owner_settle(cpu);
}

/**
 * acrpmu_restore_stop() - release every CPU before the system sleeps or goes down
 * @reason: ACRPMU_REASON_SUSPEND or ACRPMU_REASON_SHUTDOWN
 *
 * Context: process, may sleep, without locks.
 */
void acrpmu_restore_stop(u32 reason)
{
	struct acrpmu_session *session;

	acrpmu_registry_lock();
	stopped = reason;
	list_for_each_entry(session, &acrpmu_sessions, node)
		acrpmu_hold_release_all(session, ACRPMU_HOLD_ASLEEP);
	acrpmu_registry_unlock();
	settle_all();
}

/**
 * struct waker - the restoring of one CPU after a sleep
 * @work: does it; one for each CPU, so that none waits for what another one waits for
 * @cpu: the CPU
 * @clean: the CPU again, if in-tree perf has forgotten its counters
 */
struct waker {
	struct work_struct work;
	int cpu;
	cpumask_var_t clean;
};

static struct waker __percpu *wakers __ro_after_init;

/*
 * In a worker, because in-tree perf must not ask whether the task that has started the sleep may
 * have events, and a signal to that task must not cost anyone a CPU.
 */
static void wake(struct work_struct *work)
{
	struct waker *waker = container_of(work, struct waker, work);
	int cpu = waker->cpu;
	struct claim claim = claim_cpu(cpu);

	cpumask_clear(waker->clean);
	if (is_claimed(&claim))
		acrpmu_clean_cpus(cpumask_of(cpu), NULL, waker->clean);
	acrpmu_registry_lock();
	restore(&claim, cpumask_test_cpu(cpu, waker->clean));
	cpumask_clear_cpu(cpu, &waking);
	acrpmu_registry_unlock();
	acrpmu_owner_settle(cpu);
}

/**
 * acrpmu_restore_resume() - restore the CPUs that acrpmu_restore_stop() released for a sleep
 *
 * Context: process, may sleep, without locks.
 */
void acrpmu_restore_resume(void)
{
	int cpu;

	mutex_lock(&acrpmu_lock);
	stopped = ACRPMU_REASON_NONE;
	cpumask_copy(&waking, cpu_possible_mask);
	mutex_unlock(&acrpmu_lock);
	for_each_possible_cpu(cpu)
		queue_work(acrpmu_wq, &per_cpu_ptr(wakers, cpu)->work);
	for_each_possible_cpu(cpu)
		flush_work(&per_cpu_ptr(wakers, cpu)->work);
}

/**
 * acrpmu_restore_init() - prepare for CPUs that come and go
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_restore_init(void)
{
	int cpu;

	wakers = alloc_percpu(struct waker);
	if (!wakers)
		return -ENOMEM;
	for_each_possible_cpu(cpu) {
		struct waker *waker = per_cpu_ptr(wakers, cpu);

		INIT_WORK(&waker->work, wake);
		waker->cpu = cpu;
		if (!zalloc_cpumask_var(&waker->clean, GFP_KERNEL)) {
			acrpmu_restore_exit();
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * acrpmu_restore_exit() - undo acrpmu_restore_init()
 *
 * Context: process, at unload; the system does not wake up any more for the module.
 */
void acrpmu_restore_exit(void)
{
	int cpu;

	for_each_possible_cpu(cpu)
		free_cpumask_var(per_cpu_ptr(wakers, cpu)->clean);
	free_percpu(wakers);
}
