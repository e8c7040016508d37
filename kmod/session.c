// SPDX-License-Identifier: GPL-2.0-only
/* The life of a session: created whole or not at all, run, read and destroyed. */
#include <linux/security.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "session.h"
#include "buffer.h"
#include "core/refuse.h"
#include "ctx.h"
#include "limits.h"
#include "registry.h"
#include "reserve.h"
#include "task.h"

static void sync_here(void *data)
{
	struct acrpmu_session *session = data;

	if (acrpmu_session_here(session)->held)
		acrpmu_ctx_sync_session(session);
}

/* ---- creating ---- */

static int add_target(struct acrpmu_session *session, pid_t pid, struct acrpmu_error *err)
{
	int cpu;

	if (session->task_target)
		return acrpmu_task_attach(session, pid, err);
	for_each_cpu(cpu, session->cpus) {
		struct acrpmu_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);

		if (!ctx)
			return -ENOMEM;
		acrpmu_ctx_init(ctx, session);
		acrpmu_session_on(session, cpu)->ctx = ctx;
	}
	return 0;
}

/* Everything that can be refused comes first; once the CPUs are reserved nothing can fail. */
static int set_up(struct acrpmu_session *session, pid_t pid, struct acrpmu_error *err)
{
	int ret;

	ret = acrpmu_reserve_check(session, err);
	if (!ret)
		ret = acrpmu_buffer_alloc(session, err);
	if (!ret)
		ret = add_target(session, pid, err);
	if (!ret && !(session->group.flags & ACRPMU_SESSION_PARKED))
		ret = acrpmu_reserve_cpus(session, err);
	if (ret)
		acrpmu_task_detach_all(session);
	else
		acrpmu_registry_add(session);
	return ret;
}

static void free_session(struct acrpmu_session *session)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		acrpmu_ctx_exit_pause(acrpmu_session_on(session, cpu));
		kfree(acrpmu_session_on(session, cpu)->ctx);
	}
	acrpmu_buffer_free(session);
	free_percpu(session->scpus);
	put_pid(session->creator);
	put_pid_ns(session->ns);
	free_cpumask_var(session->cpus);
	kfree(session);
}

/*
 * A counter that nothing restarts wraps after 2^40 occurrences or more; folding it into the count
 * well before that keeps the count right however long the session runs.
 */
#define FOLD_INTERVAL	(30 * HZ)

static void fold_counts(struct work_struct *work)
{
	struct acrpmu_session *session = container_of(work, struct acrpmu_session, fold.work);

	acrpmu_registry_lock();
	on_each_cpu_mask(session->cpus, sync_here, session, true);
	acrpmu_registry_unlock();
	schedule_delayed_work(&session->fold, FOLD_INTERVAL);
}

static struct acrpmu_session *alloc_session(const struct acrpmu_group *group)
{
	struct acrpmu_session *session = kzalloc(sizeof(*session), GFP_KERNEL);
	int cpu;

	if (!session)
		return NULL;
	session->scpus = alloc_percpu(struct acrpmu_session_cpu);
	if (!session->scpus || !zalloc_cpumask_var(&session->cpus, GFP_KERNEL)) {
		free_percpu(session->scpus);
		kfree(session);
		return NULL;
	}
	session->group = *group;
	session->task_target = group->flags & ACRPMU_SESSION_TASK;
	session->parked = true;
	raw_spin_lock_init(&session->lock);
	INIT_LIST_HEAD(&session->node);
	INIT_LIST_HEAD(&session->ctxs);
	init_waitqueue_head(&session->wait);
	INIT_DELAYED_WORK(&session->fold, fold_counts);
	session->ns = get_pid_ns(task_active_pid_ns(current));
	session->creator = get_task_pid(current, PIDTYPE_TGID);
	get_task_comm(session->comm, current);
	for_each_possible_cpu(cpu) {
		acrpmu_session_on(session, cpu)->session = session;
		acrpmu_ctx_init_pause(acrpmu_session_on(session, cpu));
	}
	acrpmu_buffer_init(session);
	return session;
}

static void forget(struct acrpmu_session *session)
{
	/* A probe on another CPU may have found a context of this session just before. */
	if (session->task_target) {
		acrpmu_task_put_probes();
		synchronize_rcu();
	}
	free_session(session);
}

static int check_allowed(const struct acrpmu_group *group, struct acrpmu_error *err)
{
	if (group->kernel_events && security_locked_down(LOCKDOWN_PERF))
		return acrpmu_refuse(err, -EPERM, ACRPMU_REASON_LOCKDOWN,
				     __ffs64(group->kernel_events), 0, 0);
	if (group->flags & ACRPMU_SESSION_TASK && !(acrpmu_features & ACRPMU_FEATURE_TASK))
		return acrpmu_refuse(err, -EOPNOTSUPP, ACRPMU_REASON_TARGET, ACRPMU_NO_EVENT, 0, 0);
	return 0;
}

/**
 * acrpmu_session_create() - create a session whole, or not at all
 * @group: a checked group
 * @cpus: CPUs of the target; NULL for every online CPU
 * @pid: task of a task session
 * @err: filled when refused
 *
 * Context: process, may sleep.
 * Return: the session, or an ERR_PTR() of the errno that the ABI's table gives.
 */
struct acrpmu_session *acrpmu_session_create(const struct acrpmu_group *group,
					     const struct cpumask *cpus, pid_t pid,
					     struct acrpmu_error *err)
{
	int ret = check_allowed(group, err);
	struct acrpmu_session *session;

	session = ret ? NULL : alloc_session(group);
	if (!session)
		return ERR_PTR(ret ?: -ENOMEM);
	ret = session->task_target ? acrpmu_task_get_probes() : 0;
	if (ret) {
		free_session(session);
		return ERR_PTR(ret);
	}
	acrpmu_registry_lock();
	session->follows_all = session->task_target && !cpus;
	cpumask_copy(session->cpus, cpus ?: cpu_online_mask);
	ret = set_up(session, pid, err);
	acrpmu_registry_unlock();
	if (ret) {
		forget(session);
		return ERR_PTR(ret);
	}
	schedule_delayed_work(&session->fold, FOLD_INTERVAL);
	return session;
}

/**
 * acrpmu_session_destroy() - stop a session and release all that it holds
 *
 * Context: process, may sleep; nobody else uses the session any more.
 */
void acrpmu_session_destroy(struct acrpmu_session *session)
{
	cancel_delayed_work_sync(&session->fold);
	acrpmu_registry_lock();
	WRITE_ONCE(session->enabled, false);
	acrpmu_reserve_release(session);
	acrpmu_task_detach_all(session);
	acrpmu_registry_remove(session);
	acrpmu_registry_unlock();
	forget(session);
}

/* ---- running ---- */

static void on_session_cpus(struct acrpmu_session *session, smp_call_func_t func)
{
	on_each_cpu_mask(session->cpus, func, session, true);
}

/* Exec may enable it at any moment. */
static bool stop(struct acrpmu_session *session)
{
	bool enabled = xchg(&session->enabled, false);

	if (enabled)
		session->enabled_ns += ktime_get_ns() - session->enabled_since_ns;
	on_session_cpus(session, acrpmu_task_stop_here);
	return enabled;
}

static void start(struct acrpmu_session *session)
{
	session->enabled_since_ns = ktime_get_ns();
	WRITE_ONCE(session->enabled, true);
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
	if (!session->enabled)
		start(session);
	acrpmu_registry_unlock();
}

static void flush_here(void *data)
{
	struct acrpmu_session *session = data;

	acrpmu_buffer_flush(acrpmu_session_here(session));
}

/**
 * acrpmu_session_disable() - stop a session and wake its pollers
 *
 * Context: process, may sleep.
 */
void acrpmu_session_disable(struct acrpmu_session *session)
{
	acrpmu_registry_lock();
	stop(session);
	on_session_cpus(session, flush_here);
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
	if (!session->parked)
		acrpmu_reserve_release(session);
	acrpmu_registry_unlock();
}

/**
 * acrpmu_session_unpark() - reserve the CPUs of a parked session, and count if it is enabled
 *
 * Context: process, may sleep.
 * Return: 0; -EBUSY; -ENODEV if no CPU is left; -ENOMEM.
 */
int acrpmu_session_unpark(struct acrpmu_session *session, struct acrpmu_error *err)
{
	int ret = 0;

	acrpmu_registry_lock();
	if (session->parked) {
		ret = acrpmu_reserve_cpus(session, err);
		if (!ret && session->enabled)
			on_session_cpus(session, acrpmu_task_start_here);
	}
	acrpmu_registry_unlock();
	return ret;
}

static int first_held_cpu(const struct acrpmu_session *session)
{
	int cpu;

	for_each_cpu(cpu, session->cpus)
		if (acrpmu_session_on(session, cpu)->held)
			return cpu;
	return cpumask_first(session->cpus);
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
	scpu = acrpmu_session_on(session, cpu == ACRPMU_CPU_ALL ? first_held_cpu(session) : cpu);
	for (i = 0; i < session->group.nr; i++)
		hw[i] = scpu->held ? scpu->plan.hw[i] : (struct acrpmu_event_hw){ .cntr = -1 };
	mutex_unlock(&acrpmu_lock);
	return 0;
}

static void reset_ctxs(struct acrpmu_session *session)
{
	struct acrpmu_ctx *ctx;
	unsigned long flags;
	int cpu;

	raw_spin_lock_irqsave(&session->lock, flags);
	list_for_each_entry(ctx, &session->ctxs, node)
		acrpmu_ctx_reset(ctx);
	memset(session->gone_total, 0, sizeof(session->gone_total));
	session->gone_ns = 0;
	raw_spin_unlock_irqrestore(&session->lock, flags);
	for_each_cpu(cpu, session->cpus)
		if (acrpmu_session_on(session, cpu)->ctx)
			acrpmu_ctx_reset(acrpmu_session_on(session, cpu)->ctx);
}

/**
 * acrpmu_session_reset() - zero counts and times, and restart periods
 *
 * Context: process, may sleep.
 */
void acrpmu_session_reset(struct acrpmu_session *session)
{
	bool enabled;
	int cpu;

	acrpmu_registry_lock();
	enabled = stop(session);
	on_session_cpus(session, sync_here);
	reset_ctxs(session);
	session->enabled_ns = 0;
	for_each_cpu(cpu, session->cpus) {
		struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);

		memcpy(scpu->overflows_reset, scpu->seen.overflows, sizeof(scpu->seen.overflows));
	}
	if (enabled)
		start(session);
	acrpmu_registry_unlock();
}

/* ---- reading ---- */

static void add_ctx(const struct acrpmu_session *session, const struct acrpmu_ctx *ctx,
		    struct acrpmu_read *read, struct acrpmu_count *counts)
{
	u64 seen[ACRPMU_MAX_EVENTS], seen_ns;
	unsigned int i, seq;

	do {
		seq = raw_read_seqcount_begin(&ctx->seq);
		for (i = 0; i < session->group.nr; i++)
			seen[i] = ctx->cell[i].seen;
		seen_ns = ctx->seen_ns;
	} while (read_seqcount_retry(&ctx->seq, seq));
	for (i = 0; i < session->group.nr; i++)
		counts[i].value += seen[i];
	read->time_running_ns += seen_ns;
}

static void add_session_cpu(const struct acrpmu_session *session, int cpu,
			    struct acrpmu_read *read, struct acrpmu_count *counts)
{
	const struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);
	unsigned int i;

	for (i = 0; i < session->group.nr; i++)
		counts[i].overflows += scpu->seen.overflows[i] - scpu->overflows_reset[i];
	if (scpu->ctx)
		add_ctx(session, scpu->ctx, read, counts);
	read->records += scpu->seen.records;
	read->lost += scpu->seen.lost;
	read->throttled += scpu->seen.throttled;
	read->discarded += scpu->seen.discarded;
	if (scpu->held)
		read->nr_cpus++;
	if (scpu->lost_cpu)
		read->state |= ACRPMU_STATE_CPU_LOST;
}

static void add_tasks(struct acrpmu_session *session, struct acrpmu_read *read,
		      struct acrpmu_count *counts)
{
	const struct acrpmu_ctx *ctx;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&session->lock, flags);
	list_for_each_entry(ctx, &session->ctxs, node)
		add_ctx(session, ctx, read, counts);
	for (i = 0; i < session->group.nr; i++)
		counts[i].value += session->gone_total[i];
	read->time_running_ns += session->gone_ns;
	read->inherit_failed = session->inherit_failed;
	read->nr_tasks = session->nr_tasks;
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

/**
 * acrpmu_session_ended() - check whether nothing is left that could count again
 *
 * Context: any; a snapshot without acrpmu_lock.
 */
bool acrpmu_session_ended(const struct acrpmu_session *session)
{
	int cpu;

	if (session->task_target)
		return !READ_ONCE(session->nr_tasks);
	if (READ_ONCE(session->parked))
		return false;
	for_each_cpu(cpu, session->cpus)
		if (READ_ONCE(acrpmu_session_on(session, cpu)->held) ||
		    READ_ONCE(acrpmu_session_on(session, cpu)->suspended))
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
 * acrpmu_session_read() - read counts and accounts of a session
 * @read: in and out, its flags and sizes already checked
 * @counts: out, one for each event, zeroed
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if @read->cpu is not one of a CPU session's.
 */
int acrpmu_session_read(struct acrpmu_session *session, struct acrpmu_read *read,
			struct acrpmu_count *counts)
{
	bool all = read->cpu == ACRPMU_CPU_ALL;
	int cpu;

	if (!all && (session->task_target || read->cpu < 0 || read->cpu >= nr_cpu_ids ||
		     !cpumask_test_cpu(read->cpu, session->cpus)))
		return -EINVAL;

	acrpmu_registry_lock();
	/* Counts must not move from task to task while the tasks are read one by one. */
	WRITE_ONCE(session->reading, true);
	on_session_cpus(session, sync_here);
	for_each_cpu(cpu, session->cpus)
		if (all || cpu == read->cpu)
			add_session_cpu(session, cpu, read, counts);
	if (session->task_target)
		add_tasks(session, read, counts);
	WRITE_ONCE(session->reading, false);
	read->time_enabled_ns = session->enabled_ns;
	if (session->enabled) {
		read->time_enabled_ns += ktime_get_ns() - session->enabled_since_ns;
		read->state |= ACRPMU_STATE_ENABLED;
	}
	if (session->parked)
		read->state |= ACRPMU_STATE_PARKED;
	if (session->new_cpus)
		read->state |= ACRPMU_STATE_CPU_LOST;
	if (acrpmu_session_ended(session))
		read->state |= ACRPMU_STATE_ENDED;
	acrpmu_registry_unlock();
	finish_counts(session, counts);
	return 0;
}
