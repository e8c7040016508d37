// SPDX-License-Identifier: GPL-2.0-only
/* Reserving the CPUs, counters and extra registers of a session, all of them or none. */
#include <linux/cpu.h>
#include <linux/pid.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "clean.h"
#include "session.h"
#include "core/attr.h"
#include "core/refuse.h"
#include "extra.h"
#include "owner.h"
#include "pmu.h"
#include "registry.h"
#include "reserve.h"
#include "task.h"

/* The system is going to sleep: registers reserved now would silently be lost; acrpmu_lock. */
static bool suspending;

/* ---- on one CPU ---- */

static void reserve_here(void *data)
{
	struct acrpmu_session *session = data;

	acrpmu_pmu_reserve(session);
	acrpmu_session_here(session)->held = true;
}

static void release_here(void *data)
{
	struct acrpmu_session *session = data;

	acrpmu_task_stop_here(session);
	acrpmu_session_here(session)->held = false;
	acrpmu_pmu_release(session);
}

static void foreign_here(void *data)
{
	u64 *cntrs = data;

	*cntrs = acrpmu_pmu_foreign(*cntrs);
}

/* ---- reserving one CPU ---- */

static void name_holder(const struct acrpmu_session *session, struct acrpmu_error *err)
{
	rcu_read_lock();
	/* The number of a process that has exited may be reused. */
	if (pid_task(session->creator, PIDTYPE_TGID))
		err->holder_pid = pid_vnr(session->creator);
	rcu_read_unlock();
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

	for (i = 0; scpu->held && i < scpu->plan.nr; i++)
		if (scpu->plan.hw[i].extra_msr == msr && scpu->plan.hw[i].extra_value == value)
			return true;
	return false;
}

/* Find the session that set the conflicting value. */
static void name_holder_of_extra(int core, struct acrpmu_error *err)
{
	const struct acrpmu_session *other;
	int cpu;

	list_for_each_entry(other, &acrpmu_sessions, node)
		for_each_cpu(cpu, other->cpus)
			if (acrpmu_pmu_of(cpu)->core == core &&
			    uses_extra(acrpmu_session_on(other, cpu), err->limit, err->value)) {
				name_holder(other, err);
				return;
			}
}

static int refuse_in_use(int cpu, u64 cntrs, struct acrpmu_error *err)
{
	int ret = acrpmu_refuse(err, -EBUSY, ACRPMU_REASON_PMU_IN_USE, ACRPMU_NO_EVENT, cntrs, 0);

	err->cpu = cpu;
	if (acrpmu_owner_is_perf())
		acrpmu_owner_name(cpu, err);
	return ret;
}

/* Claiming would silently deschedule running events. */
static int check_counters(int cpu, struct acrpmu_error *err)
{
	u64 cntrs = acrpmu_owner_cntrs(cpu);

	smp_call_function_single(cpu, foreign_here, &cntrs, 1);
	return cntrs ? refuse_in_use(cpu, cntrs, err) : 0;
}

static int check_unused(const struct cpumask *cpus, struct acrpmu_error *err)
{
	int cpu, ret;

	for_each_cpu(cpu, cpus) {
		ret = check_counters(cpu, err);
		if (ret)
			return ret;
	}
	return acrpmu_owner_check(cpus, err);
}

static int own_cpu(int cpu, struct acrpmu_error *err)
{
	int ret = acrpmu_owner_get(cpu, err);

	if (ret)
		return ret;
	if (!acrpmu_pmu_of(cpu)->nr_sessions)
		acrpmu_clean_cpu(cpu);
	/* Another user may have appeared since the check. */
	ret = check_counters(cpu, err);
	if (ret)
		acrpmu_owner_put(cpu);
	return ret;
}

static u64 free_cntrs(int cpu)
{
	const struct acrpmu_pmu *pmu = acrpmu_pmu_of(cpu);

	return pmu->caps.cntrs & ~pmu->held_cntrs & ~acrpmu_owner_cntrs(cpu);
}

static void reserve_cpu(struct acrpmu_session *session, int cpu)
{
	acrpmu_extra_apply(cpu);
	smp_call_function_single(cpu, reserve_here, session, 1);
}

static bool can_serve(const struct acrpmu_session *session, int cpu)
{
	const struct acrpmu_caps *caps = &acrpmu_pmu_of(cpu)->caps;

	return acrpmu_pmu_of(cpu)->usable && caps->model == session->caps.model &&
	       !(session->caps.cntrs & ~caps->cntrs) &&
	       !(session->caps.reloadable_cntrs & ~caps->reloadable_cntrs) &&
	       !(session->caps.cause_cntrs & ~caps->cause_cntrs);
}

/* The CPU may be going offline, but still runs code. */
static void release_cpu(struct acrpmu_session *session, int cpu)
{
	if (!acrpmu_session_on(session, cpu)->held)
		return;
	smp_call_function_single(cpu, release_here, session, 1);
	acrpmu_extra_release(session, cpu);
	acrpmu_extra_apply(cpu);
	acrpmu_owner_put(cpu);
}

/* ---- all CPUs of a session ---- */

/* What all CPUs of the session can do, so that an event is the same on each of them. */
static void find_caps(struct acrpmu_session *session)
{
	bool first = true;
	int cpu;

	for_each_cpu(cpu, session->cpus) {
		const struct acrpmu_caps *caps = &acrpmu_pmu_of(cpu)->caps;

		if (first)
			session->caps = *caps;
		session->caps.cntrs &= caps->cntrs;
		session->caps.reloadable_cntrs &= caps->reloadable_cntrs;
		session->caps.cause_cntrs &= caps->cause_cntrs;
		first = false;
	}
}

static int check_cpus(struct acrpmu_session *session, struct acrpmu_error *err)
{
	const struct acrpmu_model *model = NULL;
	int cpu, ret;

	if (cpumask_empty(session->cpus))
		return acrpmu_refuse(err, -EINVAL, ACRPMU_REASON_CPU_EMPTY, ACRPMU_NO_EVENT, 0, 0);
	for_each_cpu(cpu, session->cpus) {
		const struct acrpmu_pmu *pmu = acrpmu_pmu_of(cpu);

		if (!cpu_online(cpu))
			ret = acrpmu_refuse(err, -ENODEV, ACRPMU_REASON_CPU_OFFLINE,
					    ACRPMU_NO_EVENT, cpu, 0);
		else if (!pmu->usable)
			ret = acrpmu_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_NO_PMU, ACRPMU_NO_EVENT,
					    0, 0);
		else if (model && model != pmu->caps.model)
			ret = acrpmu_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_CPU_MIXED,
					    ACRPMU_NO_EVENT, pmu->caps.signature, 0);
		else
			ret = acrpmu_attr_check_caps(&session->group, &pmu->caps, cpu, err);
		if (ret) {
			err->cpu = cpu;
			return ret;
		}
		model = pmu->caps.model;
	}
	return 0;
}

/* Counters and extra registers of a CPU; from now on the registers are the session's. */
static int plan_cpu(struct acrpmu_session *session, int cpu, struct acrpmu_error *err)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);
	int ret;

	/* A register may hide since the session was created: the CPU may have been offline. */
	ret = acrpmu_extra_check(session, cpu, err);
	if (ret)
		return ret;
	ret = acrpmu_extra_reserve(session, cpu, session->caps.cntrs & free_cntrs(cpu), err);
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

static int plan_cpus(struct acrpmu_session *session, const struct cpumask *cpus,
		     struct acrpmu_error *err)
{
	int cpu, done, ret;

	for_each_cpu(cpu, cpus) {
		ret = plan_cpu(session, cpu, err);
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

/* A CPU session loses a CPU that goes offline for good; tasks are counted there again. */
static bool wants_cpu(const struct acrpmu_session *session, int cpu)
{
	return cpu_online(cpu) && can_serve(session, cpu) &&
	       (session->task_target || !acrpmu_session_on(session, cpu)->lost_cpu);
}

static void wanted_cpus(struct acrpmu_session *session, struct cpumask *cpus)
{
	int cpu;

	cpumask_clear(cpus);
	for_each_cpu(cpu, session->cpus)
		if (wants_cpu(session, cpu))
			cpumask_set_cpu(cpu, cpus);
}

static void disown_cpus(const struct cpumask *cpus, int end)
{
	int cpu;

	for_each_cpu(cpu, cpus) {
		if (cpu == end)
			break;
		acrpmu_owner_put(cpu);
	}
}

static int own_cpus(const struct cpumask *cpus, struct acrpmu_error *err)
{
	int cpu, ret;

	ret = check_unused(cpus, err);
	if (ret)
		return ret;
	for_each_cpu(cpu, cpus) {
		ret = own_cpu(cpu, err);
		if (ret) {
			disown_cpus(cpus, cpu);
			return ret;
		}
	}
	return 0;
}

static int reserve_cpus(struct acrpmu_session *session, const struct cpumask *cpus,
			struct acrpmu_error *err)
{
	int cpu, ret;

	if (suspending)
		return acrpmu_refuse(err, -EBUSY, ACRPMU_REASON_SUSPEND, ACRPMU_NO_EVENT, 0, 0);
	if (cpumask_empty(cpus))
		return acrpmu_refuse(err, -ENODEV, ACRPMU_REASON_CPU_OFFLINE, ACRPMU_NO_EVENT,
				     cpumask_first(session->cpus), 0);
	ret = own_cpus(cpus, err);
	if (ret)
		return ret;
	ret = plan_cpus(session, cpus, err);
	if (ret) {
		disown_cpus(cpus, nr_cpu_ids);
		return ret;
	}
	for_each_cpu(cpu, session->cpus) {
		acrpmu_session_on(session, cpu)->lost_cpu = !cpumask_test_cpu(cpu, cpus);
		if (cpumask_test_cpu(cpu, cpus))
			reserve_cpu(session, cpu);
	}
	session->parked = false;
	return 0;
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
		ret = acrpmu_extra_check(session, cpu, err);
		if (ret && err->reason == ACRPMU_REASON_EXTRA_HIDDEN)
			err->cpu = cpu;
		if (ret)
			return ret;
	}
	return 0;
}

/**
 * acrpmu_reserve_cpus() - reserve all CPUs of a checked session that are online, or none
 *
 * Context: process, may sleep, cpus_read_lock() and acrpmu_lock held.
 * Return: 0; -EBUSY; -ENODEV if no CPU is left; -ENOMEM.
 */
int acrpmu_reserve_cpus(struct acrpmu_session *session, struct acrpmu_error *err)
{
	cpumask_var_t cpus;
	int ret;

	lockdep_assert_held(&acrpmu_lock);
	if (!alloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	wanted_cpus(session, cpus);
	ret = reserve_cpus(session, cpus, err);
	free_cpumask_var(cpus);
	return ret;
}

/**
 * acrpmu_reserve_release() - stop a session and release its CPUs, with registers as they were found
 *
 * Context: process, may sleep, cpus_read_lock() and acrpmu_lock held.
 */
void acrpmu_reserve_release(struct acrpmu_session *session)
{
	int cpu;

	lockdep_assert_held(&acrpmu_lock);
	for_each_cpu(cpu, session->cpus) {
		acrpmu_session_on(session, cpu)->suspended = false;
		release_cpu(session, cpu);
	}
	session->parked = true;
}

/* ---- CPUs that come and go ---- */

static bool wants_restore(const struct acrpmu_session *session, int cpu)
{
	const struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);

	return !session->parked && !scpu->held && can_serve(session, cpu) &&
	       (session->task_target || scpu->suspended);
}

static bool had_cpu(const struct acrpmu_session *session, int cpu)
{
	return acrpmu_session_on(session, cpu)->plan.nr;
}

/* Reserve what the session had on the CPU, if all of it is free. */
static bool keep_plan(struct acrpmu_session *session, int cpu)
{
	const struct acrpmu_plan *plan = &acrpmu_session_on(session, cpu)->plan;

	return !(plan->all_cntrs & ~free_cntrs(cpu)) && acrpmu_extra_keep(session, cpu);
}

static void restore_cpu(struct acrpmu_session *session, int cpu, bool same)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);
	struct acrpmu_error err = { };

	/* Perf events opened while the session held the CPU still wait and conflict only now. */
	if (check_counters(cpu, &err) || own_cpu(cpu, &err))
		return;
	if (same ? !keep_plan(session, cpu) : plan_cpu(session, cpu, &err)) {
		acrpmu_owner_put(cpu);
		return;
	}
	reserve_cpu(session, cpu);
	scpu->lost_cpu = false;
	scpu->suspended = false;
	if (session->enabled)
		smp_call_function_single(cpu, acrpmu_task_start_here, session, 1);
}

/* First restore sessions whose old counters are free, so that no new schedule takes them. */
static void restore_cpus(const struct cpumask *cpus)
{
	struct acrpmu_session *session;
	int cpu, round;

	for (round = 0; round < 2; round++)
		list_for_each_entry(session, &acrpmu_sessions, node)
			for_each_cpu_and(cpu, session->cpus, cpus)
				if (wants_restore(session, cpu) && (round || had_cpu(session, cpu)))
					restore_cpu(session, cpu, !round);
}

/* Report to readers what could not be restored. */
static void report_lost_cpus(const struct cpumask *cpus)
{
	struct acrpmu_session *session;
	int cpu;

	list_for_each_entry(session, &acrpmu_sessions, node) {
		for_each_cpu_and(cpu, session->cpus, cpus) {
			struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);

			if (session->parked || scpu->held)
				continue;
			scpu->suspended = false;
			scpu->lost_cpu = true;
			wake_up_all(&session->wait);
		}
	}
}

/**
 * acrpmu_reserve_restore_cpu() - restore task sessions on a CPU that has come online
 *
 * CPU sessions have lost it for good.  ACRPMU_STATE_CPU_LOST reports what cannot be restored:
 * nothing is counted there.
 *
 * Context: process, may sleep, acrpmu_lock held; @cpu is online and discovered.
 */
void acrpmu_reserve_restore_cpu(int cpu)
{
	lockdep_assert_held(&acrpmu_lock);
	/* acrpmu_reserve_resume() restores all CPUs together. */
	if (suspending)
		return;
	restore_cpus(cpumask_of(cpu));
	report_lost_cpus(cpumask_of(cpu));
}

/**
 * acrpmu_reserve_lose_cpu() - release a CPU that goes offline
 *
 * A CPU session, even a parked one, loses it for good, unless the system suspends.
 *
 * Context: process, may sleep, acrpmu_lock held; @cpu still runs code.
 */
void acrpmu_reserve_lose_cpu(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);

	lockdep_assert_held(&acrpmu_lock);
	/* Parked too: it must not return to a CPU that its running siblings have lost. */
	if (!scpu->held && (suspending || !session->parked || session->task_target))
		return;
	if (scpu->held)
		release_cpu(session, cpu);
	scpu->lost_cpu = true;
	wake_up_all(&session->wait);
}

/**
 * acrpmu_reserve_suspend() - release every CPU before the system sleeps and loses registers
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_reserve_suspend(void)
{
	struct acrpmu_session *session;
	int cpu;

	lockdep_assert_held(&acrpmu_lock);
	suspending = true;
	list_for_each_entry(session, &acrpmu_sessions, node) {
		for_each_cpu(cpu, session->cpus) {
			if (!acrpmu_session_on(session, cpu)->held)
				continue;
			acrpmu_session_on(session, cpu)->suspended = true;
			release_cpu(session, cpu);
		}
	}
}

/**
 * acrpmu_reserve_resume() - restore the CPUs that acrpmu_reserve_suspend() released
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_reserve_resume(void)
{
	lockdep_assert_held(&acrpmu_lock);
	suspending = false;
	restore_cpus(cpu_online_mask);
	report_lost_cpus(cpu_possible_mask);
}
