// SPDX-License-Identifier: GPL-2.0-only
/* The life of a session: created whole or not at all, run and destroyed. */
#include <linux/cred.h>
#include <linux/memcontrol.h>
#include <linux/perf_event.h>
#include <linux/sched/mm.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "../uapi/acrpmu_netlink.h"
#include "session.h"
#include "account.h"
#include "arrive.h"
#include "attach.h"
#include "buffer.h"
#include "cgroup.h"
#include "core/attr.h"
#include "core/refuse.h"
#include "ctx.h"
#include "fold.h"
#include "followed.h"
#include "hold.h"
#include "limits.h"
#include "notify.h"
#include "own.h"
#include "registry.h"
#include "reserve.h"
#include "session_cpu.h"
#include "spare.h"
#include "target.h"
#include "task.h"
#include "yield.h"

/* ---- creating ---- */

static void free_memory(struct work_struct *work)
{
	struct acrpmu_session *session = container_of(to_rcu_work(work), struct acrpmu_session,
						      free);

	acrpmu_spare_end(session);
	acrpmu_cgroup_free(session);
	acrpmu_session_cpu_free(session);
	acrpmu_target_free(session);
	mem_cgroup_put(session->memcg);
	put_pid_ns(session->ns);
	free_cpumask_var(session->refused);
	free_cpumask_var(session->wanted);
	free_cpumask_var(session->reach);
	free_cpumask_var(session->cpus);
	kvfree(session->scpu);
	kfree(session);
}

static void free_session(struct acrpmu_session *session)
{
	acrpmu_session_cpu_stop(session);
	acrpmu_buffer_exit(session);
	put_pid(session->creator);
	put_cred(session->cred);
	mmdrop(session->mm);
	/* A probe on another CPU may have found a context of this session just before. */
	INIT_RCU_WORK(&session->free, free_memory);
	queue_rcu_work(acrpmu_wq, &session->free);
}

static struct acrpmu_session *alloc_session(const struct acrpmu_group *group, bool unprivileged)
{
	struct acrpmu_session *session = kzalloc(sizeof(*session), GFP_KERNEL_ACCOUNT);

	if (!session)
		return NULL;
	session->scpu = kvcalloc(nr_cpu_ids, sizeof(*session->scpu), GFP_KERNEL_ACCOUNT);
	if (!session->scpu || !zalloc_cpumask_var(&session->cpus, GFP_KERNEL_ACCOUNT) ||
	    !zalloc_cpumask_var(&session->reach, GFP_KERNEL_ACCOUNT) ||
	    !zalloc_cpumask_var(&session->wanted, GFP_KERNEL_ACCOUNT) ||
	    !zalloc_cpumask_var(&session->refused, GFP_KERNEL_ACCOUNT)) {
		free_cpumask_var(session->wanted);
		free_cpumask_var(session->reach);
		free_cpumask_var(session->cpus);
		kvfree(session->scpu);
		kfree(session);
		return NULL;
	}
	session->group = *group;
	session->task_target = group->flags & ACRPMU_SESSION_TASK;
	session->probes = group->flags & (ACRPMU_SESSION_TASK | ACRPMU_SESSION_CGROUP);
	session->unprivileged = unprivileged;
	session->parked = true;
	raw_spin_lock_init(&session->lock);
	mutex_init(&session->rings_lock);
	mutex_init(&session->reserve_lock);
	INIT_LIST_HEAD(&session->node);
	INIT_LIST_HEAD(&session->scpus);
	INIT_LIST_HEAD(&session->targets);
	acrpmu_buffer_begin(session);
	acrpmu_arrive_begin(session);
	acrpmu_spare_begin(session);
	mmgrab(current->mm);
	session->mm = current->mm;
	session->memcg = get_mem_cgroup_from_mm(current->mm);
	session->ns = get_pid_ns(task_active_pid_ns(current));
	session->cred = get_current_cred();
	session->created_ns = ktime_get_boottime_ns();
	session->creator = get_task_pid(current, PIDTYPE_TGID);
	get_task_comm(session->comm, current);
	return session;
}

/* Only checks; a group that can never fit is refused before anything else happens. */
static int enlist(struct acrpmu_session *session, const struct cpumask *cpus,
		  struct acrpmu_error *err)
{
	int ret;

	acrpmu_registry_lock();
	session->follows_all = session->task_target &&
			       (!cpus || session->group.flags & ACRPMU_SESSION_ARRIVE);
	session->takes_new = !session->task_target && session->group.flags & ACRPMU_SESSION_ARRIVE;
	cpumask_copy(session->cpus, cpus ?: cpu_online_mask);
	ret = acrpmu_reserve_check(session, err);
	if (session->takes_new)
		cpumask_and(session->reach, session->cpus, cpu_online_mask);
	if (!ret)
		ret = acrpmu_registry_add(session, err);
	acrpmu_registry_unlock();
	return ret;
}

/* That of a session which follows its tasks everywhere grows with each of them. */
static int find_reach(struct acrpmu_session *session, pid_t pid, struct acrpmu_error *err)
{
	int ret = session->unprivileged ? acrpmu_own_check_cpus(session, pid, err) : 0;

	if (ret)
		return ret;
	if (session->follows_all)
		return 0;
	if (!session->takes_new)
		cpumask_copy(session->reach, session->cpus);
	return acrpmu_session_cpu_get(session, session->reach);
}

static int set_up(struct acrpmu_session *session, pid_t pid, struct acrpmu_error *err)
{
	int ret = acrpmu_buffer_init(session, err);
	u32 target;

	if (!ret && session->group.flags & ACRPMU_SESSION_CGROUP)
		ret = acrpmu_cgroup_get(session, pid, err);
	if (!ret && session->task_target)
		ret = acrpmu_attach(session, pid, session->group.flags & ACRPMU_SESSION_PROCESS,
				    &target, err);
	if (!ret)
		ret = find_reach(session, pid, err);
	if (!ret && !(session->group.flags & ACRPMU_SESSION_PARKED))
		ret = acrpmu_session_unpark(session, err);
	return ret;
}

static int check_allowed(const struct acrpmu_group *group, bool unprivileged,
			 struct acrpmu_error *err)
{
	int ret = unprivileged ? acrpmu_attr_check_own(group, err) : 0;

	if (ret)
		return ret;
	if (group->kernel_events && security_locked_down(LOCKDOWN_PERF))
		return acrpmu_refuse(err, -EPERM, ACRPMU_REASON_LOCKDOWN,
				     __ffs64(group->kernel_events), 0, 0);
	if (group->kernel_events && compat_perf_allow_kernel())
		return acrpmu_refuse(err, -EPERM, ACRPMU_REASON_KERNEL_LEVEL,
				     __ffs64(group->kernel_events), 0, 0);
	if (!(group->flags & ACRPMU_SESSION_TASK) && compat_perf_allow_cpu())
		return acrpmu_refuse(err, -EPERM, ACRPMU_REASON_WHOLE_CPU, ACRPMU_NO_EVENT, 0, 0);
	if (group->flags & ACRPMU_SESSION_TASK && !(acrpmu_features & ACRPMU_FEATURE_TASK))
		return acrpmu_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_TARGET, ACRPMU_NO_EVENT, 0, 0);
	if (group->flags & ACRPMU_SESSION_CGROUP && !(acrpmu_features & ACRPMU_FEATURE_TARGETS))
		return acrpmu_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_TARGET, ACRPMU_NO_EVENT, 0, 0);
	return 0;
}

/**
 * acrpmu_session_create() - create a session whole, or not at all
 * @group: a checked group
 * @cpus: CPUs of the target; NULL for every online CPU
 * @pid: task of a task session; descriptor of the cgroup of a session of one
 * @unprivileged: the caller lacks CAP_PERFMON, and may follow only tasks of the same user
 * @err: filled when refused
 *
 * Context: process, may sleep.
 * Return: the session, or an ERR_PTR() of the errno that the ABI's table gives.
 */
struct acrpmu_session *acrpmu_session_create(const struct acrpmu_group *group,
					     const struct cpumask *cpus, pid_t pid,
					     bool unprivileged, struct acrpmu_error *err)
{
	int ret = check_allowed(group, unprivileged, err);
	struct acrpmu_session *session;

	session = ret ? NULL : alloc_session(group, unprivileged);
	if (!session)
		return ERR_PTR(ret ?: -ENOMEM);
	ret = session->probes ? acrpmu_task_get_probes() : 0;
	if (ret) {
		free_session(session);
		return ERR_PTR(ret);
	}
	ret = enlist(session, cpus, err);
	if (!ret)
		ret = set_up(session, pid, err);
	if (ret) {
		acrpmu_notify_refused(NULL, ret, err);
		acrpmu_session_destroy(session);
		return ERR_PTR(ret);
	}
	mutex_lock(&acrpmu_lock);
	acrpmu_notify_created(session);
	mutex_unlock(&acrpmu_lock);
	acrpmu_fold_arm();
	return session;
}

static void look_for_changes(const struct acrpmu_session *session)
{
	const struct acrpmu_session_cpu *scpu;

	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (acrpmu_session_holds(scpu))
			acrpmu_notify_changes(scpu->cpu);
}

/* Exec may enable it at any moment. */
static bool set_disabled(struct acrpmu_session *session)
{
	bool enabled = xchg(&session->enabled, false);

	if (enabled) {
		session->enabled_ns += ktime_get_ns() - session->enabled_since_ns;
		look_for_changes(session);
	}
	return enabled;
}

/**
 * acrpmu_session_destroy() - stop a session and release all that it holds
 *
 * Context: process, may sleep; nobody else uses the session any more.
 */
void acrpmu_session_destroy(struct acrpmu_session *session)
{
	acrpmu_registry_lock();
	set_disabled(session);
	WRITE_ONCE(session->aborting, true);
	acrpmu_reserve_release(session);
	acrpmu_task_detach_all(session);
	acrpmu_notify_ended(session);
	acrpmu_registry_remove(session);
	acrpmu_arrive_hasten();
	acrpmu_registry_unlock();
	acrpmu_hold_settle(session);
	acrpmu_arrive_end(session);
	acrpmu_cgroup_put(session);
	if (session->probes)
		acrpmu_task_put_probes();
	free_session(session);
}

/* ---- running ---- */

static void sync_here(void *data)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(data, smp_processor_id());

	if (!scpu || !acrpmu_session_holds(scpu) || acrpmu_yield_check(scpu))
		return;
	acrpmu_ctx_sync_session(scpu);
	acrpmu_yield_found(scpu);
}

/* Others are left in peace. */
static bool holds_cpu(int cpu, void *data)
{
	const struct acrpmu_session_cpu *scpu = acrpmu_session_on(data, cpu);

	return scpu && acrpmu_session_holds(scpu);
}

static void on_session_cpus(struct acrpmu_session *session, smp_call_func_t func)
{
	on_each_cpu_cond_mask(holds_cpu, func, session, true, session->cpus);
}

/**
 * acrpmu_session_sync() - bring counts and accounts of all CPUs up to date
 *
 * Context: process, may sleep, cpus_read_lock() and acrpmu_lock held.
 */
void acrpmu_session_sync(struct acrpmu_session *session)
{
	lockdep_assert_held(&acrpmu_lock);
	on_session_cpus(session, sync_here);
}

static bool stop(struct acrpmu_session *session)
{
	bool enabled = set_disabled(session);

	on_session_cpus(session, acrpmu_task_stop_here);
	acrpmu_hold_note_all_missed(session);
	acrpmu_task_activate(session);
	return enabled;
}

static void check_here(void *data)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(data, smp_processor_id());

	if (scpu && acrpmu_session_holds(scpu))
		acrpmu_yield_check(scpu);
}

static void start(struct acrpmu_session *session)
{
	/* Before a switch to one of its tasks writes its own values again. */
	on_session_cpus(session, check_here);
	session->enabled_since_ns = ktime_get_ns();
	WRITE_ONCE(session->enabled, true);
	acrpmu_hold_note_all_missed(session);
	acrpmu_task_activate(session);
	on_session_cpus(session, acrpmu_task_start_here);
}

/**
 * acrpmu_session_enable() - start a session
 *
 * Context: process, may sleep.
 */
void acrpmu_session_enable(struct acrpmu_session *session)
{
	acrpmu_registry_lock();
	if (!session->enabled) {
		start(session);
		acrpmu_notify_session(session, ACRPMU_NL_CHANGE_ENABLED);
	}
	acrpmu_registry_unlock();
}

static void flush_here(void *data)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(data, smp_processor_id());

	if (scpu && acrpmu_session_holds(scpu))
		acrpmu_buffer_flush(scpu);
}

/**
 * acrpmu_session_disable() - stop a session and wake its pollers
 *
 * Context: process, may sleep.
 */
void acrpmu_session_disable(struct acrpmu_session *session)
{
	bool enabled;

	acrpmu_registry_lock();
	enabled = stop(session);
	on_session_cpus(session, flush_here);
	if (enabled)
		acrpmu_notify_session(session, ACRPMU_NL_CHANGE_DISABLED);
	acrpmu_registry_unlock();
	wake_up_all(&session->wait);
}

/**
 * acrpmu_session_park() - release all CPUs of a session, which stays open without counting
 *
 * Context: process, may sleep.
 */
void acrpmu_session_park(struct acrpmu_session *session)
{
	acrpmu_registry_lock();
	if (!session->parked) {
		acrpmu_reserve_release(session);
		acrpmu_arrive_hasten();
		acrpmu_notify_session(session, ACRPMU_NL_CHANGE_PARKED);
	}
	acrpmu_registry_unlock();
	acrpmu_hold_settle(session);
}

/* CPUs that came online for the first time while it was parked. */
static int reach_new(struct acrpmu_session *session)
{
	cpumask_var_t cpus;
	int cpu, ret;

	if (!session->takes_new)
		return 0;
	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	acrpmu_registry_lock();
	for_each_cpu_andnot(cpu, session->cpus, session->reach)
		if (cpu_online(cpu) && acrpmu_hold_can_serve(session, cpu))
			cpumask_set_cpu(cpu, cpus);
	acrpmu_registry_unlock();
	ret = acrpmu_session_cpu_get(session, cpus);
	mutex_lock(&acrpmu_lock);
	if (!ret)
		acrpmu_hold_reach(session, cpus);
	mutex_unlock(&acrpmu_lock);
	free_cpumask_var(cpus);
	return ret;
}

/**
 * acrpmu_session_unpark() - reserve the CPUs of a parked session, and count if it is enabled
 *
 * Context: process, may sleep.
 * Return: as acrpmu_reserve_unpark(), and -ERESTARTSYS if a signal came before.
 */
int acrpmu_session_unpark(struct acrpmu_session *session, struct acrpmu_error *err)
{
	int ret;

	if (mutex_lock_interruptible(&session->reserve_lock))
		return -ERESTARTSYS;
	ret = session->parked ? reach_new(session) : 0;
	ret = ret ?: acrpmu_reserve_unpark(session, err);
	mutex_unlock(&session->reserve_lock);
	/* One in the making is reported by whoever creates it. */
	if (ret)
		acrpmu_notify_refused(session, ret, err);
	return ret;
}

static struct acrpmu_session_cpu *first_held(const struct acrpmu_session *session)
{
	struct acrpmu_session_cpu *scpu;
	int cpu;

	for_each_cpu(cpu, session->cpus) {
		scpu = acrpmu_session_on(session, cpu);
		if (scpu && acrpmu_session_holds(scpu))
			return scpu;
	}
	return NULL;
}

/**
 * acrpmu_session_query() - get how the events of a session are programmed
 * @cpu: one of its CPUs; ACRPMU_CPU_ALL: the first that it holds
 * @hw: out, one for each event; counter -1 and all else 0 if the session does not hold the CPU
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if @cpu is not one of the session's.
 */
int acrpmu_session_query(struct acrpmu_session *session, int cpu, struct acrpmu_event_hw *hw)
{
	const struct acrpmu_session_cpu *scpu;
	unsigned int i;

	if (cpu != ACRPMU_CPU_ALL &&
	    (cpu < 0 || cpu >= nr_cpu_ids || !cpumask_test_cpu(cpu, session->cpus)))
		return -EINVAL;
	mutex_lock(&acrpmu_lock);
	scpu = cpu == ACRPMU_CPU_ALL ? first_held(session) : acrpmu_session_on(session, cpu);
	for (i = 0; i < session->group.nr; i++)
		hw[i] = scpu && acrpmu_session_holds(scpu) ? scpu->plan.hw[i] :
					     (struct acrpmu_event_hw){ .cntr = -1 };
	mutex_unlock(&acrpmu_lock);
	return 0;
}

static void reset_ctx(struct acrpmu_ctx *ctx, void *arg)
{
	acrpmu_ctx_reset(ctx);
}

static void reset_scpu(struct acrpmu_session_cpu *scpu)
{
	memcpy(scpu->overflows_reset, scpu->seen.overflows, sizeof(scpu->seen.overflows));
	memcpy(scpu->outside_reset, scpu->seen.outside, sizeof(scpu->seen.outside));
	acrpmu_account_periods_reset(scpu);
	if (scpu->ctx)
		acrpmu_ctx_reset(scpu->ctx);
}

/* An exec in the meantime enables nothing. */
static bool hold_exec(struct acrpmu_session *session, bool hold)
{
	unsigned long flags;
	bool seen;

	raw_spin_lock_irqsave(&session->lock, flags);
	session->exec_waits = hold;
	seen = session->exec_seen;
	raw_spin_unlock_irqrestore(&session->lock, flags);
	return seen;
}

/**
 * acrpmu_session_reset() - zero counts and times, and restart periods
 *
 * Context: process, may sleep.
 */
void acrpmu_session_reset(struct acrpmu_session *session)
{
	struct acrpmu_session_cpu *scpu;
	bool enabled, exec, seen;

	acrpmu_registry_lock();
	seen = hold_exec(session, true);
	enabled = stop(session);
	acrpmu_session_sync(session);
	acrpmu_followed_walk(session, reset_ctx, NULL);
	acrpmu_target_reset(session);
	list_for_each_entry_lockless(scpu, &session->scpus, node)
		reset_scpu(scpu);
	session->enabled_ns = 0;
	exec = hold_exec(session, false) != seen;
	if (exec || enabled)
		start(session);
	if (exec && !enabled)
		acrpmu_notify_session(session, ACRPMU_NL_CHANGE_ENABLED);
	acrpmu_registry_unlock();
}
