// SPDX-License-Identifier: GPL-2.0-only
/* CPUs that come and go: released before, and marked to be reserved again after. */
#include <linux/cpu.h>
#include <linux/cpumask.h>

#include "../uapi/acrpmu_netlink.h"
#include "session.h"
#include "hold.h"
#include "notify.h"
#include "owner.h"
#include "registry.h"
#include "restore.h"

/*
 * ACRPMU_REASON_SUSPEND or ACRPMU_REASON_SHUTDOWN: the system is going to sleep, and registers
 * reserved now would silently be lost, or going down, and the next kernel would find them;
 * acrpmu_lock.
 */
static u32 stopped;
static bool waking;	/* sessions still wait for what they had before a sleep; acrpmu_lock */

/**
 * acrpmu_restore_is_stopped() - check whether the system is going to sleep, or going down
 *
 * Context: process, acrpmu_lock held.
 */
bool acrpmu_restore_is_stopped(void)
{
	lockdep_assert_held(&acrpmu_lock);
	return stopped;
}

static bool sleeps_on(const struct acrpmu_session *session, const struct cpumask *cpus)
{
	const struct acrpmu_session_cpu *scpu;

	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (acrpmu_hold_is_asleep(scpu) && cpumask_test_cpu(scpu->cpu, cpus))
			return true;
	return false;
}

static bool anyone_sleeps_on(const struct cpumask *cpus)
{
	const struct acrpmu_session *session;

	list_for_each_entry(session, &acrpmu_sessions, node)
		if (sleeps_on(session, cpus))
			return true;
	return false;
}

/**
 * acrpmu_restore_stopped() - check whether the system is going to sleep, waking up, or going down
 *
 * Context: process, acrpmu_lock held.
 * Return: the reason for which the session can reserve none of @cpus, or ACRPMU_REASON_NONE.
 */
u32 acrpmu_restore_stopped(const struct acrpmu_session *session, const struct cpumask *cpus)
{
	if (stopped)
		return stopped;
	/* The sessions that were there before come first. */
	return waking && !sleeps_on(session, cpus) && anyone_sleeps_on(cpus) ?
	       ACRPMU_REASON_SUSPEND : ACRPMU_REASON_NONE;
}

static void want(struct acrpmu_session *session, int cpu)
{
	cpumask_clear_cpu(cpu, session->refused);
	cpumask_set_cpu(cpu, session->wanted);
	irq_work_queue(&acrpmu_notice);
}

/* A parked session reserves what is online when it is unparked. */
static bool wants(const struct acrpmu_session *session, int cpu)
{
	const struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);

	if (session->parked || !acrpmu_hold_can_serve(session, cpu))
		return false;
	if (cpumask_test_cpu(cpu, session->reach))
		return scpu && (acrpmu_hold_is_lost(scpu) || acrpmu_hold_is_asleep(scpu));
	return session->takes_new && cpumask_test_cpu(cpu, session->cpus);
}

/**
 * acrpmu_restore_cpu() - reserve a CPU that comes online for a session that wants it: see arrive.c
 *
 * ACRPMU_STATE_CPU_LOST reports what cannot be reserved: nothing is counted there.
 *
 * Context: process, acrpmu_lock held; @cpu is discovered.
 */
void acrpmu_restore_cpu(struct acrpmu_session *session, int cpu)
{
	lockdep_assert_held(&acrpmu_lock);
	/* acrpmu_restore_resume() restores it. */
	if (!stopped && wants(session, cpu))
		want(session, cpu);
}

/**
 * acrpmu_restore_lose_cpu() - release a CPU that goes offline, for a session
 *
 * Context: process, may sleep, acrpmu_lock held; @cpu still runs code.  Needs acrpmu_owner_settle()
 * afterwards.
 */
void acrpmu_restore_lose_cpu(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);

	lockdep_assert_held(&acrpmu_lock);
	if (!scpu)
		return;
	if (!acrpmu_session_holds(scpu)) {
		acrpmu_hold_unclaim(scpu);
		return;
	}
	acrpmu_hold_release(scpu, ACRPMU_HOLD_NONE);
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
	list_for_each_entry(session, &acrpmu_sessions, node) {
		acrpmu_hold_release_all(session, ACRPMU_HOLD_ASLEEP);
		acrpmu_hold_note_all_missed(session);
	}
	acrpmu_registry_unlock();
	settle_all();
}

static void wake_session(struct acrpmu_session *session)
{
	struct acrpmu_session_cpu *scpu;
	int cpu;

	for_each_cpu(cpu, session->cpus) {
		scpu = acrpmu_session_on(session, cpu);
		if (cpu_online(cpu) && wants(session, cpu))
			want(session, cpu);
		else if (scpu && acrpmu_hold_is_asleep(scpu))
			acrpmu_hold_lose(scpu);
	}
}

/**
 * acrpmu_restore_resume() - reserve the CPUs that acrpmu_restore_stop() released for a sleep
 *
 * They are reserved in workers, because in-tree perf must not ask whether the task that has started
 * the sleep may have events, and a signal to that task must not cost anyone a CPU.
 *
 * Context: process, may sleep, without locks; acrpmu_restore_done() must follow.
 */
void acrpmu_restore_resume(void)
{
	struct acrpmu_session *session;

	acrpmu_registry_lock();
	stopped = ACRPMU_REASON_NONE;
	waking = true;
	list_for_each_entry(session, &acrpmu_sessions, node)
		wake_session(session);
	acrpmu_registry_unlock();
}

/**
 * acrpmu_restore_done() - note that the workers of acrpmu_restore_resume() are done
 *
 * Context: process, without locks.
 */
void acrpmu_restore_done(void)
{
	mutex_lock(&acrpmu_lock);
	waking = false;
	mutex_unlock(&acrpmu_lock);
}
