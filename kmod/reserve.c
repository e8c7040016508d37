// SPDX-License-Identifier: GPL-2.0-only
/* Reserving the CPUs, counters and extra registers of a session, all of them or none. */
#include <linux/cpu.h>
#include <linux/slab.h>

#include "../uapi/acrpmu_netlink.h"
#include "session.h"
#include "clean.h"
#include "core/attr.h"
#include "core/refuse.h"
#include "extra.h"
#include "hold.h"
#include "notify.h"
#include "owner.h"
#include "pmu.h"
#include "registry.h"
#include "reserve.h"
#include "restore.h"
#include "task.h"
#include "topic.h"

/* ---- all CPUs of a session ---- */

/* It is checked when it comes online, see acrpmu_hold_can_serve(). */
static bool comes_later(const struct acrpmu_session *session, int cpu)
{
	return session->takes_new && !cpu_online(cpu);
}

/* What all CPUs of the session can do, so that an event is the same on each of them. */
static void find_caps(struct acrpmu_session *session)
{
	bool first = true;
	int cpu;

	for_each_cpu(cpu, session->cpus) {
		const struct acrpmu_caps *caps = &acrpmu_pmu_of(cpu)->caps;

		if (comes_later(session, cpu))
			continue;
		if (first)
			session->caps = *caps;
		session->caps.cntrs &= caps->cntrs;
		session->caps.reloadable_cntrs &= caps->reloadable_cntrs;
		session->caps.cause_cntrs &= caps->cause_cntrs;
		session->caps.rdpmc_disable &= caps->rdpmc_disable;
		first = false;
	}
}

static int refuse_offline(int cpu, struct acrpmu_error *err)
{
	int ret = acrpmu_refuse(err, -ENODEV, ACRPMU_REASON_CPU_OFFLINE, ACRPMU_NO_EVENT, cpu, 0);

	err->cpu = cpu;
	return ret;
}

static int check_cpus(struct acrpmu_session *session, struct acrpmu_error *err)
{
	const struct acrpmu_caps *first = NULL;
	int cpu, ret;

	if (cpumask_empty(session->cpus))
		return acrpmu_refuse(err, -EINVAL, ACRPMU_REASON_CPU_EMPTY, ACRPMU_NO_EVENT, 0, 0);
	if (session->takes_new && !cpumask_intersects(session->cpus, cpu_online_mask))
		return refuse_offline(cpumask_first(session->cpus), err);
	for_each_cpu(cpu, session->cpus) {
		const struct acrpmu_pmu *pmu = acrpmu_pmu_of(cpu);

		if (comes_later(session, cpu))
			continue;
		if (!cpu_online(cpu))
			ret = refuse_offline(cpu, err);
		else if (!pmu->usable)
			ret = acrpmu_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_NO_PMU, ACRPMU_NO_EVENT,
					    0, 0);
		else if (first && !acrpmu_model_same_kind(first, &pmu->caps))
			ret = acrpmu_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_CPU_MIXED,
					    ACRPMU_NO_EVENT, pmu->caps.signature, 0);
		else
			ret = acrpmu_attr_check_caps(&session->group, &pmu->caps, cpu, err);
		if (ret) {
			err->cpu = cpu;
			return ret;
		}
		first = &pmu->caps;
	}
	return 0;
}

static int check_all_counters(const struct cpumask *cpus, struct acrpmu_error *err)
{
	int cpu, ret = 0;

	for_each_cpu(cpu, cpus) {
		if (cpu_online(cpu))
			ret = acrpmu_hold_check(cpu, err);
		if (ret)
			break;
	}
	return ret;
}

/* Sessions that have a CPU back fit together as before, in whichever order they come. */
static int plan_cpu(struct acrpmu_session *session, int cpu, bool again, struct acrpmu_error *err)
{
	if (again && acrpmu_hold_keep_plan(acrpmu_session_on(session, cpu)))
		return 0;
	return acrpmu_hold_plan(session, cpu, again, err);
}

static int plan_cpus(struct acrpmu_session *session, const struct cpumask *cpus, bool again,
		     struct acrpmu_error *err)
{
	int cpu, done, ret;

	for_each_cpu(cpu, cpus) {
		ret = plan_cpu(session, cpu, again, err);
		if (!ret)
			continue;
		for_each_cpu(done, cpus) {
			if (done == cpu)
				break;
			acrpmu_extra_release(session, done);
		}
		return ret;
	}
	return 0;
}

static bool can_reserve(const struct acrpmu_session *session, int cpu)
{
	return cpu_online(cpu) && acrpmu_hold_can_serve(session, cpu);
}

/* ---- a reservation: claim, then clean without locks, then take ---- */

/**
 * struct reservation - CPUs that a session is reserving, all or none
 * @session: it, with its reserve_lock held
 * @unpark: to end its being parked; otherwise for one that is not parked, by a worker: one CPU that
 *	a task has reached, or that has come back
 * @cpus: the CPUs
 * @reach: those that the session reached when its unparking began: ATTACH may extend its reach
 *	at any time, and what that adds is reserved when a task runs there; else empty
 * @cleaned: those on which in-tree perf has forgotten its counters
 * @err: filled when refused
 */
struct reservation {
	struct acrpmu_session *session;
	bool unpark;
	cpumask_var_t cpus;
	cpumask_var_t reach;
	cpumask_var_t cleaned;
	struct acrpmu_error *err;
};

static void find_cpus(struct reservation *res)
{
	int cpu;

	acrpmu_registry_lock();
	cpumask_copy(res->reach, res->session->reach);
	for_each_cpu(cpu, res->reach)
		if (can_reserve(res->session, cpu))
			cpumask_set_cpu(cpu, res->cpus);
	acrpmu_registry_unlock();
}

static int refuse_stuck(int cpu, struct acrpmu_error *err)
{
	int ret = acrpmu_refuse(err, -EBUSY, ACRPMU_REASON_CPU_STUCK, ACRPMU_NO_EVENT,
				ACRPMU_CLEAN_LIMIT_MS, 0);

	err->cpu = cpu;
	return ret;
}

static int check_state(const struct reservation *res)
{
	u32 stopped = acrpmu_restore_stopped(res->session, res->cpus);

	if (stopped)
		return acrpmu_refuse(res->err, -EBUSY, stopped, ACRPMU_NO_EVENT, 0, 0);
	if (res->session->aborting || (!res->unpark && res->session->parked))
		return -EINTR;
	return 0;
}

/* Its tasks may run on none of its CPUs now: once unparked, it waits for one to run there. */
static bool waits(const struct reservation *res)
{
	return res->unpark && res->session->follows_all && cpumask_empty(res->reach);
}

/* No CPU is left: somebody else has taken one, for good, or all are offline. */
static int refuse_all(struct reservation *res)
{
	const struct acrpmu_session_cpu *scpu;

	list_for_each_entry_lockless(scpu, &res->session->scpus, node) {
		if (!acrpmu_hold_is_taken(scpu))
			continue;
		*res->err = scpu->taken;
		return -ENODEV;
	}
	return refuse_offline(cpumask_first(res->session->cpus), res->err);
}

static int check_cpus_left(struct reservation *res)
{
	int ret;

	acrpmu_registry_lock();
	ret = check_state(res);
	if (!ret && cpumask_empty(res->cpus) && !waits(res))
		ret = refuse_all(res);
	acrpmu_registry_unlock();
	return ret;
}

/* Nothing can be reserved that is in use already. */
static int check_unused(struct reservation *res)
{
	int ret = check_cpus_left(res);
	int cpu;

	if (!ret)
		ret = acrpmu_owner_find(res->cpus, res->err);
	for_each_cpu(cpu, res->cpus)
		if (!ret)
			ret = acrpmu_hold_check_unclaimed(cpu, res->err);
	return ret ?: acrpmu_owner_check(res->cpus, res->err);
}

static int claim_all(struct reservation *res)
{
	int cpu, ret = 0;

	for_each_cpu(cpu, res->cpus)
		if (!ret)
			ret = acrpmu_hold_claim(acrpmu_session_on(res->session, cpu), res->err);
	return ret;
}

static int clean_all(struct reservation *res)
{
	cpumask_var_t unclean;
	int cpu, ret = 0;

	if (!zalloc_cpumask_var(&unclean, GFP_KERNEL))
		return -ENOMEM;
	for_each_cpu(cpu, res->cpus)
		if (!acrpmu_owner_is_clean(cpu))
			cpumask_set_cpu(cpu, unclean);
	if (!cpumask_empty(unclean))
		ret = acrpmu_clean_cpus(unclean, &res->session->aborting, res->cleaned);
	free_cpumask_var(unclean);
	return ret;
}

/* Check a CPU that may have changed while no lock was held. */
static int check_claimed(const struct reservation *res, int cpu)
{
	const struct acrpmu_session_cpu *scpu = acrpmu_session_on(res->session, cpu);

	if (!acrpmu_hold_is_claimed(scpu) || !can_reserve(res->session, cpu) ||
	    !acrpmu_owner_is_effective(cpu))
		return refuse_offline(cpu, res->err);
	if (cpumask_test_cpu(cpu, res->cleaned))
		acrpmu_owner_set_clean(cpu);
	return acrpmu_owner_is_clean(cpu) ? 0 : refuse_stuck(cpu, res->err);
}

/* Tasks are not counted on a CPU that is gone or stuck, unless it was asked for by number. */
static int leave_out(struct reservation *res)
{
	int cpu, ret = 0;

	for_each_cpu(cpu, res->cpus) {
		ret = check_claimed(res, cpu);
		if (ret && !res->session->follows_all)
			return ret;
		if (!ret)
			continue;
		acrpmu_hold_lose(acrpmu_session_on(res->session, cpu));
		acrpmu_hold_unclaim(acrpmu_session_on(res->session, cpu));
		cpumask_clear_cpu(cpu, res->cpus);
	}
	if (cpumask_empty(res->cpus) && !waits(res))
		return ret ?: refuse_all(res);
	memset(res->err, 0, sizeof(*res->err));
	return 0;
}

static int plan_all(struct reservation *res)
{
	int ret = check_state(res);

	if (!ret)
		ret = leave_out(res);
	/* Another user may have appeared since the check. */
	if (!ret)
		ret = check_all_counters(res->cpus, res->err);
	return ret ?: plan_cpus(res->session, res->cpus, !res->unpark, res->err);
}

static void drop_all(struct reservation *res)
{
	int cpu;

	for_each_cpu(cpu, res->cpus)
		acrpmu_hold_unclaim(acrpmu_session_on(res->session, cpu));
}

static void take_all(struct reservation *res)
{
	struct acrpmu_session *session = res->session;
	struct acrpmu_session_cpu *scpu;
	int cpu;

	for_each_cpu(cpu, res->cpus)
		acrpmu_hold_take(acrpmu_session_on(session, cpu));
	acrpmu_notify_claimed(session, res->cpus);
	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (cpumask_test_cpu(scpu->cpu, res->reach) && !acrpmu_session_holds(scpu))
			acrpmu_hold_lose(scpu);
	session->parked = false;
	acrpmu_hold_note_all_missed(session);
	acrpmu_task_activate(session);
	for_each_cpu(cpu, res->cpus)
		acrpmu_hold_start(acrpmu_session_on(session, cpu));
	if (res->unpark)
		acrpmu_notify_session(session, ACRPMU_NL_CHANGE_UNPARKED);
}

static int reserve_all(struct reservation *res)
{
	int ret = check_unused(res);

	if (ret)
		return ret;
	ret = claim_all(res);
	if (!ret)
		ret = clean_all(res);
	acrpmu_registry_lock();
	if (!ret)
		ret = plan_all(res);
	if (ret)
		drop_all(res);
	else
		take_all(res);
	acrpmu_registry_unlock();
	acrpmu_hold_settle(res->session);
	return ret;
}

static int reserve(struct acrpmu_session *session, bool unpark, int cpu, struct acrpmu_error *err)
{
	struct reservation res = { .session = session, .unpark = unpark, .err = err };
	int ret = -ENOMEM;

	lockdep_assert_held(&session->reserve_lock);
	if (zalloc_cpumask_var(&res.cpus, GFP_KERNEL) &&
	    zalloc_cpumask_var(&res.reach, GFP_KERNEL) &&
	    zalloc_cpumask_var(&res.cleaned, GFP_KERNEL)) {
		if (unpark)
			find_cpus(&res);
		else
			cpumask_set_cpu(cpu, res.cpus);
		ret = reserve_all(&res);
	}
	free_cpumask_var(res.cleaned);
	free_cpumask_var(res.reach);
	free_cpumask_var(res.cpus);
	/* Without locks, because perf's are taken; who listens reads what a worker names. */
	if (ret == -EBUSY && (unpark || acrpmu_topic_wanted(ACRPMU_NL_TOPIC_CONFLICTS)))
		acrpmu_owner_name(err);
	return ret;
}

/**
 * acrpmu_reserve_check() - check that a session would fit its CPUs if they were idle
 *
 * A group that does not fit even then is refused before anyone else is disturbed.
 *
 * Context: process, may sleep, cpus_read_lock() and acrpmu_lock held.
 * Return: 0 or an errno of the ABI's table other than -EBUSY.
 */
int acrpmu_reserve_check(struct acrpmu_session *session, struct acrpmu_error *err)
{
	int cpu, ret;

	lockdep_assert_held(&acrpmu_lock);
	ret = check_cpus(session, err);
	if (ret)
		return ret;
	find_caps(session);
	ret = acrpmu_attr_check_cntrs(&session->group, &session->caps, err);
	if (ret)
		return ret;
	for_each_cpu(cpu, session->cpus) {
		if (comes_later(session, cpu))
			continue;
		ret = acrpmu_extra_check(session, cpu, err);
		if (ret && err->reason == ACRPMU_REASON_EXTRA_HIDDEN)
			err->cpu = cpu;
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * acrpmu_reserve_unpark() - reserve the CPUs that a parked, checked session reaches, or none
 *
 * They are those that are online, without those that do not answer if it follows its tasks
 * everywhere.
 *
 * Context: process, may sleep, without locks but the session's reserve_lock.
 * Return: 0; -EBUSY; -EOPNOTSUPP; -ENODEV if no CPU is left; -ENOMEM; -EINTR if something ended it;
 * -ERESTARTSYS if a signal came.
 */
int acrpmu_reserve_unpark(struct acrpmu_session *session, struct acrpmu_error *err)
{
	return session->parked ? reserve(session, true, -1, err) : 0;
}

/**
 * acrpmu_reserve_arrived() - reserve a CPU on which tasks of a session run, or that is back
 * @cpu: one of its CPUs; it has a state there
 *
 * Context: as acrpmu_reserve_unpark().
 * Return: as acrpmu_reserve_unpark(); 0 if it holds the CPU already, or has lost it for good.
 */
int acrpmu_reserve_arrived(struct acrpmu_session *session, int cpu, struct acrpmu_error *err)
{
	const struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);

	if (acrpmu_session_holds(scpu) || acrpmu_hold_is_taken(scpu))
		return 0;
	return reserve(session, false, cpu, err);
}

/**
 * acrpmu_reserve_release() - stop a session and release its CPUs, with registers as they were found
 *
 * Context: process, may sleep, cpus_read_lock() and acrpmu_lock held; needs acrpmu_hold_settle()
 * afterwards.
 */
void acrpmu_reserve_release(struct acrpmu_session *session)
{
	lockdep_assert_held(&acrpmu_lock);
	acrpmu_hold_release_all(session, ACRPMU_HOLD_NONE);
	session->parked = true;
	acrpmu_hold_note_all_missed(session);
	cpumask_clear(session->wanted);
	cpumask_clear(session->refused);
	acrpmu_task_activate(session);
}
