// SPDX-License-Identifier: GPL-2.0-only
/* Noticing that somebody else has got at the counters of a session, which ends there then. */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "session.h"
#include "ctx.h"
#include "fold.h"
#include "hold.h"
#include "lost.h"
#include "msr.h"
#include "notify.h"
#include "owner.h"
#include "pmu.h"
#include "registry.h"
#include "settle.h"
#include "taken.h"
#include "yield.h"

/*
 * A claim keeps in-tree perf off, and nothing keeps off other modules.  So a session checks that
 * its CPU is still its own before it uses what the counters hold, before a reader is woken, and
 * once a second.  On a CPU that it has lost, it stops without touching a register, and then
 * restores those that still have its values.
 *
 * That is done by the CPU itself, in a call by a holder of acrpmu_lock.  What needs other locks is
 * left to acrpmu_taken_settle().
 */
#define LOST_PMI	(HZ / 2)	/* one that has not come by then is taken for lost */

static DEFINE_MUTEX(settle_mutex);	/* one acrpmu_taken_settle() at a time; outermost */

static u64 overflows_of(const struct acrpmu_session_cpu *scpu)
{
	u64 overflows = 0;
	unsigned int i;

	for (i = 0; i < scpu->plan.nr; i++)
		overflows += scpu->accounts.overflows[i];
	return overflows;
}

/*
 * A counter that has lost its PMI would run to its end before it raised another one.  A PMI that is
 * on its way, or late, has come by the next look, unless that follows at once.  Where somebody else
 * has masked the entry of the local APIC, all get lost.
 */
static void make_up_for_lost(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_due *due = &scpu->due;
	bool masked = false;
	u64 cntrs = 0, overflows;

	if ((due->cntrs || due->masked) && time_before(jiffies, due->since + LOST_PMI))
		return;
	if (scpu->running && !scpu->paused) {
		cntrs = acrpmu_msr_read(MSR_CORE_PERF_GLOBAL_STATUS) & scpu->plan.int_cntrs;
		masked = acrpmu_msr_pmi_masked();
	}
	/* After the status: an NMI may come. */
	overflows = overflows_of(scpu);
	if (masked && due->masked) {
		acrpmu_msr_pmi_unmask();
		masked = false;
	}
	if (cntrs & due->cntrs && overflows == due->overflows) {
		acrpmu_ctx_sync_session(scpu);
		cntrs = 0;
	}
	due->cntrs = cntrs;
	due->masked = masked;
	due->overflows = overflows;
	due->since = jiffies;
}

static void check_here(void *unused)
{
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	unsigned long cntrs = pmu->held_cntrs;
	unsigned int cntr;

	for_each_set_bit(cntr, &cntrs, ACRPMU_CNTRS_MAX) {
		const struct acrpmu_slot *slot = &pmu->slot[cntr];

		/* Each session once, by the counter of its first event. */
		if (!slot->scpu || slot->ev || acrpmu_yield_check(slot->scpu))
			continue;
		/* That may show that one was set back. */
		acrpmu_fold_counting(slot->scpu);
		if (!acrpmu_yield_found(slot->scpu))
			make_up_for_lost(slot->scpu);
	}
}

/* ---- all CPUs ---- */

/* Where nothing counts, only the claim is looked at, which interrupts nobody. */
static bool needs_check(int cpu)
{
	const struct acrpmu_session_cpu *scpu;
	const struct acrpmu_session *session;

	list_for_each_entry(session, &acrpmu_sessions, node) {
		scpu = acrpmu_session_on(session, cpu);
		if (scpu && acrpmu_session_holds(scpu) &&
		    (READ_ONCE(session->enabled) || !acrpmu_owner_is_effective(cpu)))
			return true;
	}
	return false;
}

static bool check_all(void)
{
	bool any = false;
	int cpu;

	acrpmu_registry_lock();
	for_each_online_cpu(cpu) {
		if (!READ_ONCE(acrpmu_pmu_of(cpu)->held_cntrs))
			continue;
		any = true;
		if (!needs_check(cpu))
			continue;
		/* Before a session that has lost it is gone. */
		acrpmu_notify_changes(cpu);
		smp_call_function_single(cpu, check_here, NULL, 1);
	}
	acrpmu_registry_unlock();
	return any;
}

static void look(struct work_struct *work)
{
	bool any = check_all();

	acrpmu_taken_settle();
	if (any)
		acrpmu_lost_arm();
}

/* ---- CPUs that were lost ---- */

static bool is_new(const struct acrpmu_session_cpu *scpu)
{
	return scpu->taken.reason && !scpu->taken_named;
}

/**
 * acrpmu_taken_is_new() - check whether a session has lost a CPU that is yet to be settled
 *
 * Context: process, acrpmu_lock held.
 */
bool acrpmu_taken_is_new(const struct acrpmu_session *session)
{
	const struct acrpmu_session_cpu *scpu;

	if (!session->taken)
		return false;
	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (is_new(scpu))
			return true;
	return false;
}

/* Release what the CPUs could not; @by_perf: those where a holder is to be found. */
static void end_yields(struct cpumask *lost, struct cpumask *by_perf)
{
	struct acrpmu_session_cpu *scpu;
	struct acrpmu_session *session;

	cpumask_clear(lost);
	cpumask_clear(by_perf);
	acrpmu_registry_lock();
	list_for_each_entry(session, &acrpmu_sessions, node) {
		if (!session->taken)
			continue;
		list_for_each_entry_lockless(scpu, &session->scpus, node) {
			if (!is_new(scpu))
				continue;
			acrpmu_hold_end_yield(scpu);
			cpumask_set_cpu(scpu->cpu, lost);
			if (scpu->taken.reason == ACRPMU_REASON_CLAIM_LOST)
				cpumask_set_cpu(scpu->cpu, by_perf);
		}
	}
	acrpmu_registry_unlock();
}

static void report(int cpu, const struct acrpmu_error *by_perf)
{
	struct acrpmu_session_cpu *scpu;
	struct acrpmu_session *session;

	mutex_lock(&acrpmu_lock);
	list_for_each_entry(session, &acrpmu_sessions, node) {
		scpu = acrpmu_session_on(session, cpu);
		if (!scpu || !is_new(scpu))
			continue;
		if (scpu->taken.reason == ACRPMU_REASON_CLAIM_LOST) {
			strscpy(scpu->taken.holder, by_perf->holder, sizeof(scpu->taken.holder));
			scpu->taken.holder_pid = by_perf->holder_pid;
		}
		scpu->taken_named = true;
		acrpmu_notify_taken(scpu);
		wake_up_all(&session->wait);
	}
	mutex_unlock(&acrpmu_lock);
}

static void settle(int cpu, bool by_perf)
{
	struct acrpmu_error err = {
		.reason = ACRPMU_REASON_CLAIM_LOST, .cpu = cpu, .holder = "perf",
	};

	/* Before perf may schedule others there. */
	if (by_perf)
		acrpmu_owner_name(&err);
	report(cpu, &err);
	acrpmu_settle_later(cpu);
}

/**
 * acrpmu_taken_settle() - release CPUs that sessions have lost, and report by whom
 *
 * Context: process, may sleep, without locks.
 */
void acrpmu_taken_settle(void)
{
	static cpumask_t lost, by_perf;		/* settle_mutex */
	int cpu;

	mutex_lock(&settle_mutex);
	end_yields(&lost, &by_perf);
	for_each_cpu(cpu, &lost)
		settle(cpu, cpumask_test_cpu(cpu, &by_perf));
	mutex_unlock(&settle_mutex);
}

/**
 * acrpmu_taken_init() - look at all CPUs of sessions whenever one may be lost, and once a second
 *
 * Context: process, at load.
 */
void acrpmu_taken_init(void)
{
	acrpmu_lost_init(look);
}

/**
 * acrpmu_taken_exit() - undo acrpmu_taken_init()
 *
 * Context: process, may sleep, at unload; no session is left.
 */
void acrpmu_taken_exit(void)
{
	acrpmu_lost_exit();
}
