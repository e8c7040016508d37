// SPDX-License-Identifier: GPL-2.0-only
/* One open session: making it whole or not at all, running it, and giving everything back. */
#include <linux/anon_inodes.h>
#include <linux/cpu.h>
#include <linux/file.h>
#include <linux/poll.h>
#include <linux/sched/clock.h>
#include <linux/sched/task.h>
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "clean.h"
#include "client.h"
#include "core/constraint.h"
#include "extra.h"
#include "ioctl.h"
#include "main.h"
#include "owner.h"
#include "task.h"

/* serialises what changes sessions, claims and CPUs; see client.h */
DEFINE_MUTEX(acrpmu_lock);
LIST_HEAD(acrpmu_sessions);

static u64 last_id;		/* acrpmu_lock */
static unsigned int nr_sessions;	/* written under acrpmu_lock */

static struct acrpmu_part *part_of(const struct acrpmu_session *session, int cpu)
{
	return per_cpu_ptr(session->parts, cpu);
}

/* ---- on one CPU ---- */

static void start_here(void *data)
{
	struct acrpmu_session *session = data;
	struct acrpmu_part *part = this_cpu_ptr(session->parts);

	if (session->task_target)
		acrpmu_task_resume(session);
	else if (part->taken && !part->ctx->running)
		acrpmu_pmu_start(part->ctx);
}

static void stop_here(void *data)
{
	struct acrpmu_session *session = data;
	struct acrpmu_ctx *ctx;

	if (!this_cpu_ptr(session->parts)->taken)
		return;
	ctx = acrpmu_pmu_running(session);
	if (ctx)
		acrpmu_pmu_stop(ctx);
	acrpmu_pmu_drain(session);
}

static void sync_here(void *data)
{
	struct acrpmu_session *session = data;
	struct acrpmu_ctx *ctx;

	if (!this_cpu_ptr(session->parts)->taken)
		return;
	ctx = acrpmu_pmu_running(session);
	if (ctx)
		acrpmu_pmu_sync(ctx);
}

static void take_here(void *data)
{
	struct acrpmu_session *session = data;

	acrpmu_pmu_take(session);
	this_cpu_ptr(session->parts)->taken = true;
}

static void give_here(void *data)
{
	struct acrpmu_session *session = data;

	stop_here(session);
	this_cpu_ptr(session->parts)->taken = false;
	acrpmu_pmu_give(session);
}

static void foreign_here(void *data)
{
	u64 *cntrs = data;

	*cntrs = acrpmu_pmu_foreign(*cntrs);
}

/* ---- taking CPUs ---- */

static void name_holder(const struct acrpmu_session *session, struct acrpmu_error *err)
{
	rcu_read_lock();
	/* The number of a process that is gone may be somebody else's by now. */
	if (pid_task(session->creator, PIDTYPE_TGID))
		err->holder_pid = pid_vnr(session->creator);
	rcu_read_unlock();
	strscpy(err->holder, session->comm, sizeof(err->holder));
}

static void name_holder_of_cntrs(int cpu, u64 cntrs, struct acrpmu_error *err)
{
	unsigned int cntr;

	for (cntr = 0; cntr < ACRPMU_NR_SLOTS; cntr++) {
		const struct acrpmu_session *holder = acrpmu_pmu_of(cpu)->slot[cntr].session;

		if (cntrs & BIT_ULL(cntr) && holder) {
			err->cpu = cpu;
			name_holder(holder, err);
			return;
		}
	}
}

static bool uses_msr(const struct acrpmu_session *session, u32 msr)
{
	unsigned int i;

	for (i = 0; i < session->plan.nr; i++)
		if (session->plan.hw[i].extra_msr == msr)
			return true;
	return false;
}

static void name_holder_of_extra(const struct acrpmu_session *session, struct acrpmu_error *err)
{
	const struct acrpmu_session *other;

	list_for_each_entry(other, &acrpmu_sessions, node) {
		if (!uses_msr(other, err->limit) ||
		    !cpumask_intersects(other->cpus, session->cpus))
			continue;
		err->cpu = cpumask_any_and(other->cpus, session->cpus);
		name_holder(other, err);
		return;
	}
}

static int refuse_in_use(int cpu, u64 cntrs, struct acrpmu_error *err)
{
	int ret = acrpmu_attr_refuse(err, -EBUSY, ACRPMU_REASON_PMU_IN_USE, ACRPMU_ATTR_NO_EVENT,
				     cntrs, 0);

	err->cpu = cpu;
	if (acrpmu_owner_is_perf())
		acrpmu_owner_name(cpu, err);
	return ret;
}

/* A claim would push running events out without a word. */
static int look_at_counters(int cpu, struct acrpmu_error *err)
{
	u64 cntrs = acrpmu_owner_cntrs(cpu);

	smp_call_function_single(cpu, foreign_here, &cntrs, 1);
	return cntrs ? refuse_in_use(cpu, cntrs, err) : 0;
}

static int check_unused(const struct cpumask *cpus, struct acrpmu_error *err)
{
	int cpu, ret;

	for_each_cpu(cpu, cpus) {
		ret = look_at_counters(cpu, err);
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
	/* Somebody may have come since the check. */
	ret = look_at_counters(cpu, err);
	if (ret)
		acrpmu_owner_put(cpu);
	return ret;
}

static u64 free_cntrs(int cpu)
{
	const struct acrpmu_cpu *pmu = acrpmu_pmu_of(cpu);

	return pmu->caps.cntrs & ~pmu->held_cntrs & ~acrpmu_owner_cntrs(cpu);
}

static void take_cpu(struct acrpmu_session *session, int cpu)
{
	acrpmu_extra_take(session, cpu);
	smp_call_function_single(cpu, take_here, session, 1);
}

static bool can_retake(struct acrpmu_session *session, int cpu)
{
	const struct acrpmu_caps *caps = &acrpmu_pmu_of(cpu)->caps;

	return acrpmu_pmu_of(cpu)->usable && caps->model == session->caps.model &&
	       !(session->caps.cntrs & ~caps->cntrs) &&
	       !(session->caps.reloadable_cntrs & ~caps->reloadable_cntrs) &&
	       !(session->caps.cause_cntrs & ~caps->cause_cntrs);
}

/**
 * acrpmu_client_retake_cpu() - take a CPU of a session that has come online again
 * @session: the session; one of CPUs takes only what a system suspend took from it
 * @cpu: the CPU, online and discovered
 *
 * What cannot be had is reported by ACRPMU_STATE_CPU_LOST: nothing is counted there.
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_client_retake_cpu(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_part *part = part_of(session, cpu);
	bool wanted = session->task_target || part->suspended;
	struct acrpmu_error err = { };

	part->suspended = false;
	part->lost_cpu = true;
	if (!wanted || !can_retake(session, cpu) || check_unused(cpumask_of(cpu), &err) ||
	    own_cpu(cpu, &err))
		return;
	if (session->plan.all_cntrs & ~free_cntrs(cpu) || !acrpmu_extra_fits(session, cpu)) {
		acrpmu_owner_put(cpu);
		return;
	}
	take_cpu(session, cpu);
	part->lost_cpu = false;
	if (session->enabled)
		smp_call_function_single(cpu, start_here, session, 1);
}

/**
 * acrpmu_client_give_cpu() - let go of a CPU: counters stopped, registers as they were found
 * @session: the session; it may or may not have taken the CPU
 * @cpu: the CPU, still able to run code
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_client_give_cpu(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_part *part = part_of(session, cpu);

	lockdep_assert_held(&acrpmu_lock);
	if (!part->taken)
		return;
	smp_call_function_single(cpu, give_here, session, 1);
	acrpmu_extra_give(session, cpu);
	acrpmu_owner_put(cpu);
}

/**
 * acrpmu_client_lose_cpu() - a CPU of the session goes offline
 * @session: the session
 * @cpu: the CPU, still able to run code
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_client_lose_cpu(struct acrpmu_session *session, int cpu)
{
	if (!part_of(session, cpu)->taken)
		return;
	acrpmu_client_give_cpu(session, cpu);
	part_of(session, cpu)->lost_cpu = true;
	wake_up_all(&session->wait);
}

/**
 * acrpmu_client_suspend() - give every CPU back before the system sleeps and registers are lost
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_client_suspend(void)
{
	struct acrpmu_session *session;
	int cpu;

	list_for_each_entry(session, &acrpmu_sessions, node) {
		for_each_cpu(cpu, session->cpus) {
			if (!part_of(session, cpu)->taken)
				continue;
			part_of(session, cpu)->suspended = true;
			acrpmu_client_give_cpu(session, cpu);
		}
	}
}

/**
 * acrpmu_client_resume() - take the CPUs again that acrpmu_client_suspend() gave back
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_client_resume(void)
{
	struct acrpmu_session *session;
	int cpu;

	list_for_each_entry(session, &acrpmu_sessions, node)
		for_each_cpu_and(cpu, session->cpus, cpu_online_mask)
			if (part_of(session, cpu)->suspended)
				acrpmu_client_retake_cpu(session, cpu);
}

/* ---- making a session ---- */

/* What all CPUs of the session can do, so that one plan fits each of them. */
static u64 common_caps(struct acrpmu_session *session)
{
	u64 free = ~0ULL;
	bool first = true;
	int cpu;

	for_each_cpu(cpu, session->cpus) {
		const struct acrpmu_caps *caps = &acrpmu_pmu_of(cpu)->caps;

		if (first)
			session->caps = *caps;
		session->caps.cntrs &= caps->cntrs;
		session->caps.reloadable_cntrs &= caps->reloadable_cntrs;
		session->caps.cause_cntrs &= caps->cause_cntrs;
		free &= free_cntrs(cpu);
		first = false;
	}
	return free;
}

static int check_extra(const struct acrpmu_session *session, const struct acrpmu_cpu *pmu,
		       struct acrpmu_error *err)
{
	unsigned int i;

	for (i = 0; i < session->group.nr; i++) {
		int reg = acrpmu_extra_reg_find(pmu->caps.model, session->group.ev[i].config);

		if (reg >= 0 && !(pmu->extra_regs & BIT(reg)))
			return acrpmu_attr_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_EXTRA_HIDDEN, i,
						  session->group.ev[i].extra_value,
						  pmu->caps.model->extra_regs[reg].msr);
	}
	return 0;
}

/* A group that no CPU like this can hold is refused before anyone else is disturbed. */
static int check_fits(struct acrpmu_session *session, struct acrpmu_error *err)
{
	s8 cntr[ACRPMU_MAX_EVENTS];

	common_caps(session);
	return acrpmu_constraint_assign(&session->group, &session->caps, session->caps.cntrs, cntr,
					err);
}

static int check_cpus(struct acrpmu_session *session, struct acrpmu_error *err)
{
	const struct acrpmu_model *model = NULL;
	int cpu, ret;

	if (cpumask_empty(session->cpus))
		return acrpmu_attr_refuse(err, -EINVAL, ACRPMU_REASON_CPU_EMPTY,
					  ACRPMU_ATTR_NO_EVENT, 0, 0);
	for_each_cpu(cpu, session->cpus) {
		const struct acrpmu_cpu *pmu = acrpmu_pmu_of(cpu);

		if (!cpu_online(cpu))
			ret = acrpmu_attr_refuse(err, -ENODEV, ACRPMU_REASON_CPU_OFFLINE,
						 ACRPMU_ATTR_NO_EVENT, cpu, 0);
		else if (!pmu->usable)
			ret = acrpmu_attr_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_NO_PMU,
						 ACRPMU_ATTR_NO_EVENT, 0, 0);
		else if (model && model != pmu->caps.model)
			ret = acrpmu_attr_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_CPU_MIXED,
						 ACRPMU_ATTR_NO_EVENT, pmu->caps.signature, 0);
		else
			ret = acrpmu_attr_check_caps(&session->group, &pmu->caps, cpu, err);
		if (!ret)
			ret = check_extra(session, pmu, err);
		if (ret) {
			err->cpu = cpu;
			return ret;
		}
		model = pmu->caps.model;
	}
	return 0;
}

static int make_plan(struct acrpmu_session *session, struct acrpmu_error *err)
{
	u64 free = common_caps(session);
	s8 cntr[ACRPMU_MAX_EVENTS];
	int cpu, ret;

	ret = acrpmu_constraint_assign(&session->group, &session->caps, free, cntr, err);
	if (ret == -EBUSY) {
		for_each_cpu(cpu, session->cpus) {
			if (!err->holder[0])
				name_holder_of_cntrs(cpu, err->value, err);
		}
		if (!err->holder[0])
			strscpy(err->holder, "acrpmu", sizeof(err->holder));
	}
	if (ret)
		return ret;
	ret = acrpmu_extra_choose(session, &session->caps, err);
	if (ret == -EBUSY)
		name_holder_of_extra(session, err);
	if (ret)
		return ret;
	return acrpmu_reload_plan(&session->group, &session->caps, cntr, &session->extra,
				  &session->plan);
}

static int own_cpus(struct acrpmu_session *session, struct acrpmu_error *err)
{
	int cpu, failed, ret;

	ret = check_unused(session->cpus, err);
	if (ret)
		return ret;
	for_each_cpu(failed, session->cpus) {
		ret = own_cpu(failed, err);
		if (ret)
			goto undo;
	}
	return 0;

undo:
	for_each_cpu(cpu, session->cpus) {
		if (cpu == failed)
			break;
		acrpmu_owner_put(cpu);
	}
	return ret;
}

static int add_cpu_ctxs(struct acrpmu_session *session)
{
	int cpu;

	for_each_cpu(cpu, session->cpus) {
		struct acrpmu_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);

		if (!ctx)
			return -ENOMEM;
		acrpmu_pmu_ctx_init(ctx, session);
		part_of(session, cpu)->ctx = ctx;
	}
	return 0;
}

static struct task_struct *find_task(pid_t pid, bool process)
{
	enum pid_type type = process ? PIDTYPE_TGID : PIDTYPE_PID;
	struct pid *ref = pid ? find_get_pid(pid) : get_task_pid(current, type);
	struct task_struct *task = get_pid_task(ref, type);

	put_pid(ref);
	return task;
}

/* A thread of the process that is not followed yet, with a reference; NULL if there is none. */
static struct task_struct *other_thread(struct acrpmu_session *session,
					struct task_struct *leader)
{
	struct task_struct *thread, *found = NULL;

	rcu_read_lock();
	for_each_thread(leader, thread) {
		if (!acrpmu_task_follows(session, thread) && !(thread->flags & PF_EXITING)) {
			found = get_task_struct(thread);
			break;
		}
	}
	rcu_read_unlock();
	return found;
}

/* Threads come and go meanwhile: the search ends when it finds no other one. */
static int add_threads(struct acrpmu_session *session, struct task_struct *leader)
{
	struct task_struct *thread;
	int ret;

	while ((thread = other_thread(session, leader))) {
		ret = acrpmu_task_attach(session, thread);
		put_task_struct(thread);
		if (ret && ret != -ESRCH)
			return ret;
		cond_resched();
	}
	return READ_ONCE(session->nr_tasks) ? 0 : -ESRCH;
}

static int add_task(struct acrpmu_session *session, pid_t pid, struct acrpmu_error *err)
{
	bool process = session->group.flags & ACRPMU_SESSION_PROCESS;
	struct task_struct *task = find_task(pid, process);
	int ret = -ESRCH;

	if (task) {
		ret = process ? add_threads(session, task) : acrpmu_task_attach(session, task);
		put_task_struct(task);
	}
	if (ret == -ESRCH)
		acrpmu_attr_refuse(err, ret, ACRPMU_REASON_TASK, ACRPMU_ATTR_NO_EVENT, pid, 0);
	return ret;
}

/* Everything that can be refused comes first; after the CPUs are taken only memory can run out. */
static int place(struct acrpmu_session *session, pid_t pid, struct acrpmu_error *err)
{
	int cpu, ret;

	ret = check_cpus(session, err);
	if (!ret)
		ret = check_fits(session, err);
	if (ret)
		return ret;
	ret = own_cpus(session, err);
	if (ret)
		return ret;
	ret = make_plan(session, err);
	if (ret)
		goto err_owner;
	ret = session->task_target ? add_task(session, pid, err) : add_cpu_ctxs(session);
	if (ret)
		goto err_owner;
	for_each_cpu(cpu, session->cpus)
		take_cpu(session, cpu);
	return 0;

err_owner:
	acrpmu_task_detach_all(session);
	for_each_cpu(cpu, session->cpus)
		acrpmu_owner_put(cpu);
	return ret;
}

static void free_session(struct acrpmu_session *session)
{
	int cpu;

	if (session->parts) {
		for_each_possible_cpu(cpu) {
			acrpmu_buffer_uninit(part_of(session, cpu));
			kfree(part_of(session, cpu)->ctx);
		}
		free_percpu(session->parts);
	}
	put_pid(session->creator);
	put_pid_ns(session->ns);
	free_cpumask_var(session->cpus);
	kfree(session);
}

/*
 * A counter that nobody restarts wraps after 2^40 occurrences or more; counting on well before
 * that keeps its count right however long it runs.
 */
#define FOLD_INTERVAL	(30 * HZ)

static void fold_counts(struct work_struct *work)
{
	struct acrpmu_session *session = container_of(work, struct acrpmu_session, fold.work);

	on_each_cpu_mask(session->cpus, sync_here, session, true);
	schedule_delayed_work(&session->fold, FOLD_INTERVAL);
}

static struct acrpmu_session *alloc_session(const struct acrpmu_group *group,
					    const struct cpumask *cpus)
{
	struct acrpmu_session *session = kzalloc(sizeof(*session), GFP_KERNEL);
	int cpu;

	if (!session)
		return NULL;
	if (!zalloc_cpumask_var(&session->cpus, GFP_KERNEL)) {
		kfree(session);
		return NULL;
	}
	session->group = *group;
	session->task_target = group->flags & ACRPMU_SESSION_TASK;
	raw_spin_lock_init(&session->lock);
	INIT_LIST_HEAD(&session->node);
	INIT_LIST_HEAD(&session->ctxs);
	init_waitqueue_head(&session->wait);
	INIT_DELAYED_WORK(&session->fold, fold_counts);
	session->ns = get_pid_ns(task_active_pid_ns(current));
	session->creator = get_task_pid(current, PIDTYPE_TGID);
	get_task_comm(session->comm, current);
	session->follows_all = session->task_target && !cpus;
	cpumask_copy(session->cpus, cpus ?: cpu_online_mask);

	session->parts = alloc_percpu(struct acrpmu_part);
	if (!session->parts)
		goto err;
	for_each_possible_cpu(cpu)
		acrpmu_buffer_init(part_of(session, cpu), session);
	for_each_cpu(cpu, session->cpus)
		if (acrpmu_buffer_alloc(part_of(session, cpu)))
			goto err;
	return session;

err:
	free_session(session);
	return NULL;
}

static void forget(struct acrpmu_session *session)
{
	/* A probe on another CPU may have found a context of this session just before. */
	if (session->task_target)
		synchronize_rcu();
	free_session(session);
}

/* Undo place(): no CPU and no task knows the session afterwards. */
static void displace(struct acrpmu_session *session)
{
	int cpu;

	WRITE_ONCE(session->enabled, false);
	for_each_cpu(cpu, session->cpus)
		acrpmu_client_give_cpu(session, cpu);
	acrpmu_task_detach_all(session);
	list_del(&session->node);
	WRITE_ONCE(nr_sessions, nr_sessions - 1);
}

/* Make and place a session, between the locks that keep CPUs and other sessions still. */
static int create_locked(const struct acrpmu_group *group, const struct cpumask *cpus, pid_t pid,
			 struct acrpmu_session **made, struct acrpmu_error *err)
{
	struct acrpmu_session *session = alloc_session(group, cpus);
	int ret;

	if (!session)
		return -ENOMEM;
	ret = place(session, pid, err);
	if (ret) {
		forget(session);
		return ret;
	}
	session->id = ++last_id;
	list_add_tail(&session->node, &acrpmu_sessions);
	WRITE_ONCE(nr_sessions, nr_sessions + 1);
	*made = session;
	return 0;
}

/**
 * acrpmu_client_create() - make a session whole, or not at all
 * @group: a checked group
 * @cpus: CPUs of the target; NULL for every online CPU
 * @pid: task of a task session
 * @err: filled when refused
 *
 * Context: process, may sleep.
 * Return: the session, or an ERR_PTR() of the errno that the ABI's table gives.
 */
struct acrpmu_session *acrpmu_client_create(const struct acrpmu_group *group,
					    const struct cpumask *cpus, pid_t pid,
					    struct acrpmu_error *err)
{
	bool task_target = group->flags & ACRPMU_SESSION_TASK;
	struct acrpmu_session *session;
	int ret;

	if (group->kernel_events && security_locked_down(LOCKDOWN_PERF))
		return ERR_PTR(acrpmu_attr_refuse(err, -EPERM, ACRPMU_REASON_LOCKDOWN,
						  __ffs64(group->kernel_events), 0, 0));
	if (task_target && !(acrpmu_features & ACRPMU_FEATURE_TASK))
		return ERR_PTR(acrpmu_attr_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_TARGET,
						  ACRPMU_ATTR_NO_EVENT, 0, 0));
	if (task_target) {
		ret = acrpmu_task_start();
		if (ret)
			return ERR_PTR(ret);
	}
	cpus_read_lock();
	mutex_lock(&acrpmu_lock);
	ret = create_locked(group, cpus, pid, &session, err);
	mutex_unlock(&acrpmu_lock);
	cpus_read_unlock();
	if (!ret) {
		schedule_delayed_work(&session->fold, FOLD_INTERVAL);
		return session;
	}
	if (task_target)
		acrpmu_task_stop();
	return ERR_PTR(ret);
}

/**
 * acrpmu_client_destroy() - stop a session and give everything back
 * @session: the session; nobody uses it any more
 *
 * Context: process, may sleep.
 */
void acrpmu_client_destroy(struct acrpmu_session *session)
{
	cancel_delayed_work_sync(&session->fold);
	cpus_read_lock();
	mutex_lock(&acrpmu_lock);
	displace(session);
	mutex_unlock(&acrpmu_lock);
	cpus_read_unlock();
	if (session->task_target)
		acrpmu_task_stop();
	forget(session);
}

/**
 * acrpmu_client_file() - make the file that owns a session
 * @session: the session; it belongs to the file when this succeeds
 *
 * Context: process, may sleep.
 * Return: the file or an ERR_PTR().
 */
struct file *acrpmu_client_file(struct acrpmu_session *session)
{
	return anon_inode_getfile("[acrpmu]", &acrpmu_client_fops, session, O_RDWR | O_CLOEXEC);
}

/**
 * acrpmu_client_count() - sessions that exist
 *
 * Context: any.
 * Return: their number.
 */
unsigned int acrpmu_client_count(void)
{
	return READ_ONCE(nr_sessions);
}

/* ---- running a session ---- */

static void on_session_cpus(struct acrpmu_session *session, smp_call_func_t func)
{
	on_each_cpu_mask(session->cpus, func, session, true);
}

static void pause(struct acrpmu_session *session)
{
	if (session->enabled)
		session->enabled_ns += ktime_get_ns() - session->enabled_since_ns;
	WRITE_ONCE(session->enabled, false);
	on_session_cpus(session, stop_here);
}

static void resume(struct acrpmu_session *session)
{
	session->enabled_since_ns = ktime_get_ns();
	WRITE_ONCE(session->enabled, true);
	on_session_cpus(session, start_here);
}

/**
 * acrpmu_client_enable() - start a session
 * @session: the session
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int acrpmu_client_enable(struct acrpmu_session *session)
{
	cpus_read_lock();
	mutex_lock(&acrpmu_lock);
	if (!session->enabled)
		resume(session);
	mutex_unlock(&acrpmu_lock);
	cpus_read_unlock();
	return 0;
}

/* The losses that no later record would tell. */
static void flush_here(void *data)
{
	struct acrpmu_session *session = data;
	struct acrpmu_part *part = this_cpu_ptr(session->parts);
	struct acrpmu_record rec = {
		.time = local_clock(),
		.id = session->group.ev[0].id,
		.cpu = smp_processor_id(),
	};

	if (part->mem)
		acrpmu_buffer_flush_lost(part, &rec);
}

/**
 * acrpmu_client_disable() - stop a session
 * @session: the session
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int acrpmu_client_disable(struct acrpmu_session *session)
{
	cpus_read_lock();
	mutex_lock(&acrpmu_lock);
	pause(session);
	on_session_cpus(session, flush_here);
	mutex_unlock(&acrpmu_lock);
	cpus_read_unlock();
	wake_up_all(&session->wait);
	return 0;
}

static void reset_ctxs(struct acrpmu_session *session)
{
	struct acrpmu_ctx *ctx;
	unsigned long flags;
	int cpu;

	raw_spin_lock_irqsave(&session->lock, flags);
	list_for_each_entry(ctx, &session->ctxs, node)
		acrpmu_pmu_ctx_reset(ctx);
	memset(session->gone_total, 0, sizeof(session->gone_total));
	session->gone_ns = 0;
	raw_spin_unlock_irqrestore(&session->lock, flags);
	for_each_cpu(cpu, session->cpus)
		if (part_of(session, cpu)->ctx)
			acrpmu_pmu_ctx_reset(part_of(session, cpu)->ctx);
}

/**
 * acrpmu_client_reset() - set counts, times and started periods back
 * @session: the session
 *
 * Context: process, may sleep.
 * Return: 0.
 */
int acrpmu_client_reset(struct acrpmu_session *session)
{
	bool enabled;
	int cpu;

	cpus_read_lock();
	mutex_lock(&acrpmu_lock);
	enabled = session->enabled;
	pause(session);
	reset_ctxs(session);
	session->enabled_ns = 0;
	for_each_cpu(cpu, session->cpus)
		memcpy(part_of(session, cpu)->overflows_reset, part_of(session, cpu)->overflows,
		       sizeof(part_of(session, cpu)->overflows));
	if (enabled)
		resume(session);
	mutex_unlock(&acrpmu_lock);
	cpus_read_unlock();
	return 0;
}

/* ---- reading ---- */

static void add_part(const struct acrpmu_session *session, int cpu, struct acrpmu_read *read,
		     struct acrpmu_count *counts)
{
	const struct acrpmu_part *part = part_of(session, cpu);
	unsigned int i;

	for (i = 0; i < session->group.nr; i++) {
		counts[i].overflows += READ_ONCE(part->overflows[i]) - part->overflows_reset[i];
		if (part->ctx)
			counts[i].value += READ_ONCE(part->ctx->cell[i].total);
	}
	if (part->ctx)
		read->time_running_ns += READ_ONCE(part->ctx->running_ns);
	read->records += READ_ONCE(part->records);
	read->lost += acrpmu_ring_lost(&part->ring);
	read->throttled += READ_ONCE(part->throttled);
	read->discarded += READ_ONCE(part->discarded);
	if (part->taken)
		read->nr_cpus++;
	if (part->lost_cpu)
		read->state |= ACRPMU_STATE_CPU_LOST;
}

static void add_tasks(struct acrpmu_session *session, struct acrpmu_read *read,
		      struct acrpmu_count *counts)
{
	const struct acrpmu_ctx *ctx;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&session->lock, flags);
	list_for_each_entry(ctx, &session->ctxs, node) {
		for (i = 0; i < session->group.nr; i++)
			counts[i].value += READ_ONCE(ctx->cell[i].total);
		read->time_running_ns += READ_ONCE(ctx->running_ns);
	}
	for (i = 0; i < session->group.nr; i++)
		counts[i].value += session->gone_total[i];
	read->time_running_ns += session->gone_ns;
	read->inherit_failed = session->inherit_failed;
	read->nr_tasks = session->nr_tasks;
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

/* Nothing is left that could count again. */
static bool ended(const struct acrpmu_session *session)
{
	int cpu;

	if (session->task_target)
		return !READ_ONCE(session->nr_tasks);
	for_each_cpu(cpu, session->cpus)
		if (READ_ONCE(part_of(session, cpu)->taken) ||
		    READ_ONCE(part_of(session, cpu)->suspended))
			return false;
	return true;
}

static void finish_counts(const struct acrpmu_session *session, struct acrpmu_count *counts)
{
	unsigned int i;

	for (i = 0; i < session->group.nr; i++) {
		if (!(session->group.reloaded_events & BIT_ULL(i)))
			continue;
		counts[i].flags = ACRPMU_COUNT_RELOADED;
		counts[i].value = counts[i].overflows * session->group.ev[i].period;
	}
}

/**
 * acrpmu_client_read() - counts and accounts of a session
 * @session: the session
 * @read: in and out, its flags and sizes already checked
 * @counts: out, one for each event, zeroed
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if @read->cpu is none of a CPU session's.
 */
int acrpmu_client_read(struct acrpmu_session *session, struct acrpmu_read *read,
		       struct acrpmu_count *counts)
{
	bool all = read->cpu == ACRPMU_CPU_ALL;
	int cpu;

	if (!all && (session->task_target || read->cpu < 0 || read->cpu >= nr_cpu_ids ||
		     !cpumask_test_cpu(read->cpu, session->cpus)))
		return -EINVAL;

	cpus_read_lock();
	mutex_lock(&acrpmu_lock);
	on_session_cpus(session, sync_here);
	for_each_cpu(cpu, session->cpus)
		if (all || cpu == read->cpu)
			add_part(session, cpu, read, counts);
	if (session->task_target)
		add_tasks(session, read, counts);
	read->time_enabled_ns = session->enabled_ns;
	if (session->enabled) {
		read->time_enabled_ns += ktime_get_ns() - session->enabled_since_ns;
		read->state |= ACRPMU_STATE_ENABLED;
	}
	if (session->new_cpus)
		read->state |= ACRPMU_STATE_CPU_LOST;
	if (ended(session))
		read->state |= ACRPMU_STATE_ENDED;
	mutex_unlock(&acrpmu_lock);
	cpus_read_unlock();
	finish_counts(session, counts);
	return 0;
}

/* ---- the file ---- */

static int client_release(struct inode *inode, struct file *file)
{
	acrpmu_client_destroy(file->private_data);
	return 0;
}

static int client_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct acrpmu_session *session = file->private_data;
	u64 offset = (u64)vma->vm_pgoff << PAGE_SHIFT;
	u64 cpu = offset / ACRPMU_RING_OFFSET(1);

	if (offset != ACRPMU_RING_OFFSET(cpu) || cpu >= nr_cpu_ids ||
	    !cpumask_test_cpu(cpu, session->cpus))
		return -EINVAL;
	return acrpmu_buffer_mmap(part_of(session, cpu), vma);
}

static __poll_t client_poll(struct file *file, poll_table *wait)
{
	struct acrpmu_session *session = file->private_data;
	bool over, any = false, enough = false;
	int cpu;

	poll_wait(file, &session->wait, wait);
	for_each_cpu(cpu, session->cpus) {
		u64 unread = acrpmu_buffer_unread(part_of(session, cpu));

		any |= unread > 0;
		enough |= unread > 0 && unread >= session->group.wakeup_bytes;
	}
	over = ended(session);
	/* What is left when nothing more will come is enough. */
	if (any && (over || !READ_ONCE(session->enabled)))
		enough = true;
	return (enough ? EPOLLIN | EPOLLRDNORM : 0) | (over ? EPOLLHUP : 0);
}

const struct file_operations acrpmu_client_fops = {
	.owner = THIS_MODULE,
	.release = client_release,
	.mmap = client_mmap,
	.poll = client_poll,
	.unlocked_ioctl = acrpmu_ioctl_session,
	.compat_ioctl = compat_ptr_ioctl,
	.llseek = noop_llseek,
};
