// SPDX-License-Identifier: GPL-2.0-only
/* One CPU of a session: checked, claimed, planned, held and released. */
#include <linux/cpu.h>
#include <linux/pid_namespace.h>
#include <linux/smp.h>

#include "session.h"
#include "account.h"
#include "buffer.h"
#include "core/refuse.h"
#include "ctx.h"
#include "extra.h"
#include "hold.h"
#include "missed.h"
#include "lost.h"
#include "notify.h"
#include "owner.h"
#include "pids.h"
#include "pmu.h"
#include "registry.h"
#include "settle.h"
#include "task.h"
#include "yield.h"

static void reserve_here(void *data)
{
	struct acrpmu_session_cpu *scpu = data;

	if (acrpmu_yield_at_once(scpu))
		return;
	acrpmu_pmu_reserve(scpu);
	/* A timer that would have ended an earlier pause may have left with its offline CPU. */
	scpu->paused = false;
	acrpmu_hold_move(scpu, ACRPMU_HOLD_HELD);
}

/**
 * struct release - the end of a session's counters on a CPU
 * @next: the state that it leaves the session in
 */
struct release {
	struct acrpmu_session_cpu *scpu;
	enum acrpmu_hold_state next;
};

static void release_here(void *data)
{
	const struct release *release = data;
	struct acrpmu_session_cpu *scpu = release->scpu;

	if (acrpmu_yield_check(scpu))
		return;
	acrpmu_ctx_stop_session(scpu);
	if (acrpmu_yield_found(scpu))
		return;
	acrpmu_buffer_flush(scpu);
	acrpmu_hold_move(scpu, release->next);
	acrpmu_pmu_release(scpu);
}

static void foreign_here(void *data)
{
	u64 *cntrs = data;

	*cntrs = acrpmu_pmu_foreign(*cntrs);
}

/* ---- reserving one CPU ---- */

static void name_holder(const struct acrpmu_session *session, struct acrpmu_error *err)
{
	err->holder_pid = acrpmu_pids_of(session->creator, &init_pid_ns);
	strscpy(err->holder, session->comm, sizeof(err->holder));
}

static void name_holder_of_cntrs(int cpu, struct acrpmu_error *err)
{
	unsigned int cntr;

	err->cpu = cpu;
	for (cntr = 0; cntr < ACRPMU_NR_SLOTS; cntr++) {
		const struct acrpmu_session *holder = acrpmu_pmu_of(cpu)->slot[cntr].session;

		if (err->value & BIT_ULL(cntr) && holder) {
			name_holder(holder, err);
			return;
		}
	}
	strscpy(err->holder, "acrpmu", sizeof(err->holder));
}

static bool uses_extra(const struct acrpmu_session_cpu *scpu, u32 msr, u64 value)
{
	unsigned int i;

	for (i = 0; acrpmu_session_holds(scpu) && i < scpu->plan.nr; i++)
		if (scpu->plan.hw[i].extra_msr == msr && scpu->plan.hw[i].extra_value == value)
			return true;
	return false;
}

/* Find the session that set the conflicting value. */
static void name_holder_of_extra(int core, struct acrpmu_error *err)
{
	const struct acrpmu_session_cpu *scpu;
	const struct acrpmu_session *other;

	list_for_each_entry(other, &acrpmu_sessions, node)
		list_for_each_entry_lockless(scpu, &other->scpus, node)
			if (acrpmu_pmu_of(scpu->cpu)->core == core &&
			    uses_extra(scpu, err->limit, err->value)) {
				name_holder(other, err);
				return;
			}
}

static int refuse_in_use(int cpu, u64 cntrs, struct acrpmu_error *err)
{
	int ret = acrpmu_refuse(err, -EBUSY, ACRPMU_REASON_PMU_IN_USE, ACRPMU_NO_EVENT, cntrs, 0);

	err->cpu = cpu;
	if (acrpmu_owner_is_perf())
		strscpy(err->holder, "perf", sizeof(err->holder));
	return ret;
}

/**
 * acrpmu_hold_check() - check that nobody else has enabled counters of a CPU
 * @err: filled when refused
 *
 * Claiming would silently deschedule running events.
 *
 * Context: process, may sleep; the CPU is claimed, or acrpmu_owner_lock() held.
 * Return: 0 or -EBUSY; 0 if the CPU is offline.
 */
int acrpmu_hold_check(int cpu, struct acrpmu_error *err)
{
	u64 cntrs = acrpmu_owner_cntrs(cpu);

	if (smp_call_function_single(cpu, foreign_here, &cntrs, 1))
		return 0;
	return cntrs ? refuse_in_use(cpu, cntrs, err) : 0;
}

/**
 * acrpmu_hold_check_unclaimed() - do acrpmu_hold_check() on a CPU that need not be claimed
 * @err: filled when refused
 *
 * Context: as acrpmu_owner_lock().
 * Return: as acrpmu_hold_check().
 */
int acrpmu_hold_check_unclaimed(int cpu, struct acrpmu_error *err)
{
	int ret;

	/* The claim of another session must not be taken for perf's event. */
	acrpmu_owner_lock(cpu);
	ret = acrpmu_hold_check(cpu, err);
	acrpmu_owner_unlock(cpu);
	return ret;
}

/**
 * acrpmu_hold_claim() - keep in-tree perf off a CPU, for a session
 * @err: filled when refused
 *
 * Context: as acrpmu_owner_lock(), but without the hotplug lock.
 * Return: 0; -EBUSY; -EOPNOTSUPP; -ENOMEM.  0 also if the CPU has gone offline; then it is
 * not claimed.
 */
int acrpmu_hold_claim(struct acrpmu_session_cpu *scpu, struct acrpmu_error *err)
{
	int ret = acrpmu_owner_get(scpu->cpu, err);

	if (ret)
		return cpu_online(scpu->cpu) ? ret : 0;
	acrpmu_registry_lock();
	if (acrpmu_hold_is_claimed(scpu) || acrpmu_hold_is_taken(scpu) ||
	    !acrpmu_owner_is_effective(scpu->cpu)) {
		acrpmu_owner_put(scpu->cpu);
		WRITE_ONCE(scpu->unsettled, true);
	} else {
		acrpmu_hold_move(scpu, scpu->state | ACRPMU_HOLD_PERF_OFF);
		WRITE_ONCE(scpu->unsettled, false);
	}
	acrpmu_registry_unlock();
	return 0;
}

static void end_claim(struct acrpmu_session_cpu *scpu)
{
	acrpmu_owner_put(scpu->cpu);
	WRITE_ONCE(scpu->unsettled, true);
}

/* What the CPU itself cannot release. */
static void end_hold(struct acrpmu_session_cpu *scpu)
{
	acrpmu_extra_release(scpu->session, scpu->cpu);
	acrpmu_extra_apply(scpu->cpu);
	end_claim(scpu);
	if (scpu->state == ACRPMU_HOLD_YIELDED) {
		acrpmu_hold_move(scpu, ACRPMU_HOLD_TAKEN);
		/* Nobody is to wait for perf because of a CPU that others have. */
		WRITE_ONCE(scpu->unsettled, false);
	}
}

/**
 * acrpmu_hold_unclaim() - undo acrpmu_hold_claim(), if it was called, up to acrpmu_hold_settle()
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_hold_unclaim(struct acrpmu_session_cpu *scpu)
{
	if (!acrpmu_hold_is_claimed(scpu))
		return;
	if (scpu->state == ACRPMU_HOLD_YIELDED) {
		end_hold(scpu);
		acrpmu_settle_later(scpu->cpu);
		return;
	}
	acrpmu_hold_move(scpu, acrpmu_hold_without_claim(scpu));
	end_claim(scpu);
}

/**
 * acrpmu_hold_settle() - let in-tree perf use the CPUs that a session has released
 *
 * Others are not waited for, whoever may have them.
 *
 * Context: as acrpmu_owner_lock(), but without the hotplug lock.
 */
void acrpmu_hold_settle(const struct acrpmu_session *session)
{
	struct acrpmu_session_cpu *scpu;

	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (xchg(&scpu->unsettled, false))
			acrpmu_owner_settle(scpu->cpu);
}

static u64 free_cntrs(int cpu)
{
	const struct acrpmu_pmu *pmu = acrpmu_pmu_of(cpu);

	return pmu->caps.cntrs & ~pmu->held_cntrs & ~acrpmu_owner_cntrs(cpu);
}

/**
 * acrpmu_hold_start() - count on a CPU that was just taken, if the session is enabled
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_hold_start(struct acrpmu_session_cpu *scpu)
{
	if (scpu->session->enabled)
		smp_call_function_single(scpu->cpu, acrpmu_task_start_here, scpu->session, 1);
}

/**
 * acrpmu_hold_reach() - extend the reach of a session, with rings that its readers do not know yet
 * @cpus: CPUs with a state, which may be in its reach
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_hold_reach(struct acrpmu_session *session, const struct cpumask *cpus)
{
	int cpu;

	for_each_cpu_andnot(cpu, cpus, session->reach) {
		acrpmu_session_on(session, cpu)->late_ring = true;
		cpumask_set_cpu(cpu, session->reach);
	}
}

/**
 * acrpmu_hold_take() - program the registers of a planned CPU, which the session holds from now on
 *
 * Context: process, may sleep, acrpmu_lock held; nothing can fail any more.
 */
void acrpmu_hold_take(struct acrpmu_session_cpu *scpu)
{
	acrpmu_hold_reach(scpu->session, cpumask_of(scpu->cpu));
	acrpmu_extra_apply(scpu->cpu);
	smp_call_function_single(scpu->cpu, reserve_here, scpu, 1);
	acrpmu_lost_arm();
	scpu->reported_reason = ACRPMU_REASON_NONE;
	scpu->reported_paused = false;
}

/**
 * acrpmu_hold_can_serve() - check that a CPU can do what the session was checked for, and was not
 *	taken from it
 * @cpu: one of its CPUs
 *
 * Context: process, acrpmu_lock held.
 */
bool acrpmu_hold_can_serve(const struct acrpmu_session *session, int cpu)
{
	const struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);
	const struct acrpmu_caps *caps = &acrpmu_pmu_of(cpu)->caps;

	return !(scpu && acrpmu_hold_is_taken(scpu)) && acrpmu_pmu_of(cpu)->usable &&
	       acrpmu_model_same_kind(caps, &session->caps) &&
	       !(session->caps.cntrs & ~caps->cntrs) &&
	       session->caps.rdpmc_disable <= caps->rdpmc_disable &&
	       !(session->caps.reloadable_cntrs & ~caps->reloadable_cntrs) &&
	       !(session->caps.cause_cntrs & ~caps->cause_cntrs);
}

/**
 * acrpmu_hold_release() - stop a session on a CPU, with registers as they were found
 * @next: NONE or ASLEEP: the state that it leaves a session in that holds the CPU, or sleeps there
 *
 * Context: process, may sleep, acrpmu_lock held; the CPU may be going offline, but still runs code.
 * Needs acrpmu_hold_settle() or acrpmu_owner_settle() afterwards.
 */
void acrpmu_hold_release(struct acrpmu_session_cpu *scpu, enum acrpmu_hold_state next)
{
	struct release release = { .scpu = scpu, .next = next };

	if (acrpmu_session_holds(scpu)) {
		if (READ_ONCE(scpu->session->enabled))
			acrpmu_notify_changes(scpu->cpu);
		smp_call_function_single(scpu->cpu, release_here, &release, 1);
		end_hold(scpu);
		return;
	}
	acrpmu_hold_unclaim(scpu);
	if (scpu->state == ACRPMU_HOLD_ASLEEP && next != ACRPMU_HOLD_ASLEEP)
		acrpmu_hold_move(scpu, next);
}

/**
 * acrpmu_hold_release_all() - do acrpmu_hold_release() on all CPUs of a session, and report it
 * @next: NONE or ASLEEP
 *
 * Context: as acrpmu_hold_release().
 */
void acrpmu_hold_release_all(struct acrpmu_session *session, enum acrpmu_hold_state next)
{
	static cpumask_t held;		/* acrpmu_lock */
	struct acrpmu_session_cpu *scpu;

	acrpmu_account_held(session, &held);
	list_for_each_entry_lockless(scpu, &session->scpus, node)
		acrpmu_hold_release(scpu, next);
	acrpmu_notify_released(session, &held);
}

/**
 * acrpmu_hold_end_yield() - release the rest of what a session has on a taken CPU, and report it
 *
 * Needs acrpmu_settle_later() afterwards.
 *
 * Context: as acrpmu_hold_release().
 */
void acrpmu_hold_end_yield(struct acrpmu_session_cpu *scpu)
{
	if (scpu->state != ACRPMU_HOLD_YIELDED)
		return;
	end_hold(scpu);
	acrpmu_hold_note_missed(scpu);
	acrpmu_notify_released(scpu->session, cpumask_of(scpu->cpu));
	acrpmu_notify_cpu_lost(scpu);
}

/**
 * acrpmu_hold_lose() - note that a session lacks a CPU which it does not hold, and report it
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_hold_lose(struct acrpmu_session_cpu *scpu)
{
	if (acrpmu_hold_is_lost(scpu))
		return;
	acrpmu_hold_move(scpu, (scpu->state & ACRPMU_HOLD_PERF_OFF) | ACRPMU_HOLD_LOST);
	acrpmu_hold_note_missed(scpu);
	acrpmu_notify_cpu_lost(scpu);
}

/**
 * acrpmu_hold_note_missed() - note whether a session of CPUs counts nothing on one that it wants
 *
 * Tasks are missed one by one instead, see task.c.
 *
 * Context: process, acrpmu_lock held; whenever that may have changed.
 */
void acrpmu_hold_note_missed(struct acrpmu_session_cpu *scpu)
{
	const struct acrpmu_session *session = scpu->session;

	if (!scpu->ctx)
		return;
	if (session->enabled && !session->parked &&
	    (acrpmu_hold_is_lost(scpu) || acrpmu_hold_is_asleep(scpu)))
		acrpmu_missed_begin(scpu->ctx);
	else
		acrpmu_missed_end(scpu->ctx);
}

/**
 * acrpmu_hold_note_all_missed() - do acrpmu_hold_note_missed() on all CPUs of a session
 *
 * Context: as there.
 */
void acrpmu_hold_note_all_missed(struct acrpmu_session *session)
{
	struct acrpmu_session_cpu *scpu;

	list_for_each_entry_lockless(scpu, &session->scpus, node)
		acrpmu_hold_note_missed(scpu);
}

/* What other sessions had on a CPU, and will want again. */
static u64 awaited_cntrs(const struct acrpmu_session *session, int cpu)
{
	const struct acrpmu_session_cpu *scpu;
	const struct acrpmu_session *other;
	u64 cntrs = 0;

	list_for_each_entry(other, &acrpmu_sessions, node) {
		scpu = acrpmu_session_on(other, cpu);
		if (other != session && !other->parked && scpu &&
		    (acrpmu_hold_is_lost(scpu) || acrpmu_hold_is_asleep(scpu)))
			cntrs |= scpu->plan.all_cntrs;
	}
	return cntrs;
}

/**
 * acrpmu_hold_plan() - find counters and extra registers on a CPU, and reserve the registers
 * @cpu: a claimed CPU of the session
 * @spare: leave counters alone, if possible, that other sessions had there and may want again
 * @err: filled when refused
 *
 * Context: process, acrpmu_lock held.
 * Return: 0 or an errno of the ABI's table.
 */
int acrpmu_hold_plan(struct acrpmu_session *session, int cpu, bool spare, struct acrpmu_error *err)
{
	u64 awaited = spare ? awaited_cntrs(session, cpu) : 0;
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);
	u64 cntrs = session->caps.cntrs & free_cntrs(cpu);
	int ret;

	/* A register may hide since the session was created: the CPU may have been offline. */
	ret = acrpmu_extra_check(session, cpu, err);
	if (ret)
		return ret;
	ret = acrpmu_extra_reserve(session, cpu, cntrs & ~awaited, err);
	if (ret && awaited)
		ret = acrpmu_extra_reserve(session, cpu, cntrs, err);
	if (ret == -EBUSY && err->reason == ACRPMU_REASON_HELD)
		name_holder_of_cntrs(cpu, err);
	else if (ret == -EBUSY)
		name_holder_of_extra(acrpmu_pmu_of(cpu)->core, err);
	if (ret)
		return ret;
	ret = acrpmu_reload_plan(&session->group, &session->caps, &scpu->schedule, &scpu->plan);
	if (ret)
		acrpmu_extra_release(session, cpu);
	return ret;
}

/**
 * acrpmu_hold_keep_plan() - reserve what the session had on a CPU, if all of it is free
 *
 * Context: process, acrpmu_lock held.
 */
bool acrpmu_hold_keep_plan(struct acrpmu_session_cpu *scpu)
{
	return scpu->plan.nr && !(scpu->plan.all_cntrs & ~free_cntrs(scpu->cpu)) &&
	       acrpmu_extra_keep(scpu->session, scpu->cpu);
}
