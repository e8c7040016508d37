// SPDX-License-Identifier: GPL-2.0-only
/* Starting and stopping a session's counters, with its tasks: at switch, fork, exec and exit. */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>
#include <trace/events/sched.h>

#include "session.h"
#include "buffer.h"
#include "cgroup.h"
#include "ctx.h"
#include "followed.h"
#include "missed.h"
#include "own.h"
#include "pmu.h"
#include "registry.h"
#include "spare.h"
#include "target.h"
#include "task.h"
#include "topic.h"
#include "yield.h"

enum { SWITCH, FORK, EXEC, EXIT, NR_PROBES };

/* Not acrpmu_lock: setting a tracepoint takes cpus_read_lock(), which must come first. */
static DEFINE_MUTEX(users_lock);
static unsigned int nr_users;			/* task sessions; users_lock */

/**
 * struct acrpmu_attaching - a process that is being attached
 * @node: in the list of them
 * @session: it inherits whatever the process forks; constant
 * @target: what that belongs to; constant
 * @leader: of the process; a reference is held
 * @cred: of the task that attaches it; a reference is held
 * @free: frees it after every probe that may have found it
 */
struct acrpmu_attaching {
	struct list_head node;
	struct acrpmu_session *session;
	struct acrpmu_target *target;
	struct task_struct *leader;
	const struct cred *cred;
	struct rcu_work free;
};

static DEFINE_MUTEX(attaching_lock);
/* changed under attaching_lock, read by RCU */
static LIST_HEAD(all_attaching);

/* ---- switches ---- */

/* Ask for the CPU, from where nothing may wake. */
static void want_cpu(struct acrpmu_session *session, int cpu)
{
	const struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);

	if (!(scpu && scpu->taken.reason) && cpumask_test_cpu(cpu, session->cpus) &&
	    !cpumask_test_cpu(cpu, session->refused) &&
	    !cpumask_test_and_set_cpu(cpu, session->wanted))
		irq_work_queue(&acrpmu_notice);
}

/* @ctx may count from now on: start it, in place of one of the same session if that still runs. */
static void switch_in(struct acrpmu_ctx *ctx, int cpu)
{
	struct acrpmu_session *session = ctx->session;
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);
	bool holds = scpu && acrpmu_session_holds(scpu);

	if (acrpmu_ctx_runs(ctx) || !READ_ONCE(session->enabled))
		return;
	if (holds && !acrpmu_pmu_is_lost(acrpmu_pmu_here())) {
		if (scpu->running)
			acrpmu_ctx_switch(scpu->running, ctx);
		else
			acrpmu_ctx_start(ctx, scpu);
	}
	if (acrpmu_ctx_runs(ctx))
		return;
	acrpmu_missed_begin(ctx);
	/* It may have been deactivated at the same time: either sees the other. */
	smp_mb();
	if (!READ_ONCE(ctx->active))
		acrpmu_missed_end(ctx);
	if (!holds)
		want_cpu(session, cpu);
}

static void switch_out(struct acrpmu_ctx *ctx)
{
	if (acrpmu_ctx_runs(ctx))
		acrpmu_ctx_stop(ctx);
	else if (unlikely(atomic64_read(&ctx->missed_since_ns)))
		acrpmu_missed_end(ctx);
}

static noinline void switch_tasks(struct task_struct *prev, struct task_struct *next)
{
	struct acrpmu_followed *from = acrpmu_followed_find(prev);
	struct acrpmu_followed *to = acrpmu_followed_find(next);
	int cpu = smp_processor_id();
	struct acrpmu_ctx *ctx;

	if (to)
		list_for_each_entry_rcu(ctx, &to->active, of_active)
			switch_in(ctx, cpu);
	if (from)
		list_for_each_entry_rcu(ctx, &from->active, of_active)
			switch_out(ctx);
	acrpmu_cgroup_switch(next, cpu);
}

/*
 * Interrupts are off and the run queue is locked: nothing here may wake, allocate or lock.  RCU
 * waits for code with interrupts off.
 */
static void probe_switch(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	if (unlikely(acrpmu_followed_maybe(prev) || acrpmu_followed_maybe(next) ||
		     !list_empty(&acrpmu_cgroup_sessions)))
		switch_tasks(prev, next);
}

/* ---- fork, exec, exit ---- */

/**
 * acrpmu_task_init_ctx() - prepare a zeroed context for a task
 *
 * Context: any but NMI.
 */
void acrpmu_task_init_ctx(struct acrpmu_ctx *ctx, struct acrpmu_session *session,
			  struct acrpmu_target *target, struct task_struct *task)
{
	ctx->target = target;
	ctx->task = task;
	ctx->tgid = task_tgid_nr_ns(task, session->ns);
	ctx->pid = task_pid_nr_ns(task, session->ns);
	acrpmu_ctx_init(ctx, session);
}

static bool follow(struct acrpmu_ctx *ctx)
{
	struct acrpmu_session *session = ctx->session;
	unsigned long flags;
	bool added;

	raw_spin_lock_irqsave(&session->lock, flags);
	added = acrpmu_followed_add(ctx, session->active);
	if (added)
		acrpmu_target_join(ctx);
	raw_spin_unlock_irqrestore(&session->lock, flags);
	return added;
}

/* The new task has not run yet, so nothing else changes its contexts. */
static void inherit(struct acrpmu_session *session, struct acrpmu_target *target,
		    struct task_struct *child)
{
	struct acrpmu_ctx *ctx = acrpmu_spare_get(session);
	unsigned long flags;

	if (ctx) {
		acrpmu_task_init_ctx(ctx, session, target, child);
		if (!follow(ctx))
			acrpmu_spare_put(ctx);
		return;
	}
	raw_spin_lock_irqsave(&session->lock, flags);
	session->inherit_failed++;
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

static void probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct acrpmu_attaching *attaching;
	struct acrpmu_followed *followed;
	struct acrpmu_ctx *ctx;

	rcu_read_lock();
	followed = acrpmu_followed_find(parent);
	if (followed)
		list_for_each_entry_rcu(ctx, &followed->ctxs, of_task)
			if (ctx->session->group.flags & ACRPMU_SESSION_INHERIT)
				inherit(ctx->session, ctx->target, child);
	/* The parent itself may not be followed yet, nor checked. */
	list_for_each_entry_rcu(attaching, &all_attaching, node)
		if (same_thread_group(parent, attaching->leader) &&
		    acrpmu_own_inherits(attaching->session, attaching->cred) &&
		    !acrpmu_followed_ctx(child, attaching->session))
			inherit(attaching->session, attaching->target, child);
	rcu_read_unlock();
}

/* A session that exec enables has its contexts active before. */
static void exec_ctx(struct acrpmu_ctx *ctx, struct task_struct *task)
{
	struct acrpmu_session *session = ctx->session;
	unsigned long flags;
	bool first;

	/* A thread that execs takes over the leader's ids. */
	ctx->tgid = task_tgid_nr_ns(task, session->ns);
	ctx->pid = task_pid_nr_ns(task, session->ns);
	if (!(session->group.flags & ACRPMU_SESSION_ENABLE_ON_EXEC) ||
	    READ_ONCE(session->exec_seen))
		return;
	raw_spin_lock_irqsave(&session->lock, flags);
	first = !session->exec_seen;
	WRITE_ONCE(session->exec_seen, true);
	if (first && !session->enabled && !session->exec_waits) {
		session->enabled_since_ns = ktime_get_ns();
		/* Before, so that whoever disables it finds the mark. */
		acrpmu_topic_mark_enabled(session);
		WRITE_ONCE(session->enabled, true);
	}
	raw_spin_unlock(&session->lock);
	if (first && READ_ONCE(ctx->active))
		switch_in(ctx, smp_processor_id());
	local_irq_restore(flags);
}

/**
 * acrpmu_task_drop_ctx() - fold a stopped context into the totals of its session, and free it
 *
 * Context: any but NMI, acrpmu_session.lock held.
 */
void acrpmu_task_drop_ctx(struct acrpmu_ctx *ctx)
{
	lockdep_assert_held(&ctx->session->lock);
	acrpmu_missed_end(ctx);
	acrpmu_target_fold(ctx);
	acrpmu_followed_drop(ctx);
}

static void end_ctx(struct acrpmu_ctx *ctx, bool privileged)
{
	struct acrpmu_session *session = ctx->session;
	unsigned long flags;

	raw_spin_lock_irqsave(&session->lock, flags);
	session->privileged_exec |= privileged;
	if (acrpmu_ctx_runs(ctx))
		acrpmu_ctx_stop(ctx);
	/* Closing the session, or a late attach, may have dropped it already. */
	if (!list_empty(&ctx->node)) {
		acrpmu_task_drop_ctx(ctx);
		/* Under the lock, so that a session being closed waits for it. */
		if (!session->nr_tasks)
			acrpmu_buffer_wake(session);
	}
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

/*
 * Whoever opened a session may not be allowed to see what a privileged program does.  This is the
 * rule by which in-tree perf ends the events of a task, once the new credentials are in place.
 */
static void probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm)
{
	struct acrpmu_followed *followed;
	struct acrpmu_ctx *ctx;
	bool privileged;

	rcu_read_lock();
	privileged = !compat_dumpable_by_user(task);
	followed = acrpmu_followed_find(task);
	if (followed)
		list_for_each_entry_rcu(ctx, &followed->ctxs, of_task) {
			if (privileged || acrpmu_own_ends_at(ctx->session, bprm))
				end_ctx(ctx, true);
			else
				exec_ctx(ctx, task);
		}
	rcu_read_unlock();
}

static void probe_exit(void *data, struct task_struct *task)
{
	struct acrpmu_followed *followed;
	struct acrpmu_ctx *ctx;

	rcu_read_lock();
	followed = acrpmu_followed_find(task);
	if (followed)
		list_for_each_entry_rcu(ctx, &followed->ctxs, of_task)
			end_ctx(ctx, false);
	rcu_read_unlock();
}

static void probe_exit_in_group(void *data, struct task_struct *task, bool group_dead)
{
	probe_exit(data, task);
}

#define PROBE_EXIT	compat_exit_probe(probe_exit, probe_exit_in_group)

/* ---- probing ---- */

static struct probe {
	const char *name;
	void *func;
	struct tracepoint *tp;
} probes[NR_PROBES] = {
	[SWITCH] = { "sched_switch", probe_switch },
	[FORK] = { "sched_process_fork", probe_fork },
	[EXEC] = { "sched_process_exec", probe_exec },
	[EXIT] = { "sched_process_exit", PROBE_EXIT },
};

static void find_probe(struct tracepoint *tp, void *data)
{
	unsigned int i;

	for (i = 0; i < NR_PROBES; i++)
		if (!strcmp(tp->name, probes[i].name))
			probes[i].tp = tp;
}

/* Never called: fails to build with a kernel that passes other arguments to a tracepoint. */
static void __maybe_unused check_probe_types(void)
{
	check_trace_callback_type_sched_switch(probe_switch);
	check_trace_callback_type_sched_process_fork(probe_fork);
	check_trace_callback_type_sched_process_exec(probe_exec);
	check_trace_callback_type_sched_process_exit(PROBE_EXIT);
}

/**
 * acrpmu_task_init() - find the scheduler's tracepoints
 *
 * Context: process, at load.
 * Return: 0; -EOPNOTSUPP if the kernel lacks one, which rules out task sessions.
 */
int acrpmu_task_init(void)
{
	unsigned int i;

	for_each_kernel_tracepoint(find_probe, NULL);
	for (i = 0; i < NR_PROBES; i++)
		if (!probes[i].tp)
			return -EOPNOTSUPP;
	return 0;
}

static void clear_probes(unsigned int nr)
{
	while (nr--)
		tracepoint_probe_unregister(probes[nr].tp, probes[nr].func, NULL);
	tracepoint_synchronize_unregister();
}

static int set_probes(void)
{
	unsigned int i;
	int ret;

	for (i = 0; i < NR_PROBES; i++) {
		ret = tracepoint_probe_register(probes[i].tp, probes[i].func, NULL);
		if (ret) {
			clear_probes(i);
			return ret;
		}
	}
	return 0;
}

/**
 * acrpmu_task_get_probes() - probe the scheduler's tracepoints for a task session
 *
 * Calls nest; each needs an acrpmu_task_put_probes().
 *
 * Context: process, may sleep, without cpus_read_lock().
 * Return: 0 or the errno of tracepoint_probe_register().
 */
int acrpmu_task_get_probes(void)
{
	int ret = 0;

	mutex_lock(&users_lock);
	if (!nr_users) {
		acrpmu_spare_fill();
		ret = set_probes();
	}
	if (!ret)
		nr_users++;
	mutex_unlock(&users_lock);
	return ret;
}

/**
 * acrpmu_task_put_probes() - undo acrpmu_task_get_probes()
 *
 * The last call waits for running probes.
 *
 * Context: process, may sleep, without cpus_read_lock().
 */
void acrpmu_task_put_probes(void)
{
	mutex_lock(&users_lock);
	if (!--nr_users) {
		clear_probes(NR_PROBES);
		acrpmu_spare_empty();
	}
	mutex_unlock(&users_lock);
}

/* ---- attaching and detaching ---- */

static void free_attaching(struct work_struct *work)
{
	struct acrpmu_attaching *attaching = container_of(to_rcu_work(work),
							  struct acrpmu_attaching, free);

	put_task_struct(attaching->leader);
	put_cred(attaching->cred);
	kfree(attaching);
}

/**
 * acrpmu_task_begin_attaching() - inherit whatever a process forks, attached thread or not
 * @target: what that belongs to
 * @leader: of the process
 *
 * Context: process, may sleep.
 * Return: to be ended by acrpmu_task_end_attaching(), NULL without memory.
 */
struct acrpmu_attaching *acrpmu_task_begin_attaching(struct acrpmu_session *session,
						     struct acrpmu_target *target,
						     struct task_struct *leader)
{
	struct acrpmu_attaching *attaching = kzalloc(sizeof(*attaching), GFP_KERNEL_ACCOUNT);

	if (!attaching)
		return NULL;
	attaching->session = session;
	attaching->target = target;
	attaching->leader = get_task_struct(leader);
	attaching->cred = get_current_cred();
	INIT_RCU_WORK(&attaching->free, free_attaching);
	mutex_lock(&attaching_lock);
	list_add_rcu(&attaching->node, &all_attaching);
	mutex_unlock(&attaching_lock);
	return attaching;
}

/**
 * acrpmu_task_end_attaching() - undo acrpmu_task_begin_attaching()
 *
 * Context: process, may sleep.
 */
void acrpmu_task_end_attaching(struct acrpmu_attaching *attaching)
{
	mutex_lock(&attaching_lock);
	list_del_rcu(&attaching->node);
	mutex_unlock(&attaching_lock);
	queue_rcu_work(acrpmu_wq, &attaching->free);
}

static void close_session(struct acrpmu_session *session)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&session->lock, flags);
	session->closing = true;
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

static void detach(struct acrpmu_ctx *ctx, void *arg)
{
	acrpmu_task_drop_ctx(ctx);
}

/**
 * acrpmu_task_detach_all() - stop following the tasks of a stopped session
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_task_detach_all(struct acrpmu_session *session)
{
	lockdep_assert_held(&acrpmu_lock);
	close_session(session);
	acrpmu_followed_walk(session, detach, NULL);
}

/* CPUs that run tasks of the session being activated, or will soon; acrpmu_lock */
static cpumask_t running_on;

static void activate(struct acrpmu_ctx *ctx, void *arg)
{
	bool active = ctx->session->active;

	acrpmu_followed_activate(ctx, active);
	/* See switch_in(). */
	smp_mb();
	if (!active || !READ_ONCE(ctx->session->enabled))
		acrpmu_missed_end(ctx);
	else if (task_is_running(ctx->task))
		cpumask_set_cpu(task_cpu(ctx->task), &running_on);
}

/**
 * acrpmu_task_notice_here() - look at the task on this CPU as if it had just been switched to
 * @data: the session
 *
 * A task that runs alone on its CPU is not switched, so that no probe would notice it.
 *
 * Context: interrupts off.
 */
void acrpmu_task_notice_here(void *data)
{
	struct acrpmu_ctx *ctx = acrpmu_followed_ctx(current, data);

	if (ctx && READ_ONCE(ctx->active))
		switch_in(ctx, smp_processor_id());
}

/**
 * acrpmu_task_activate() - let switches visit the tasks of a session only while it may count
 *
 * Context: process, may sleep, acrpmu_lock held; whenever that may have changed.
 */
void acrpmu_task_activate(struct acrpmu_session *session)
{
	bool exec = session->group.flags & ACRPMU_SESSION_ENABLE_ON_EXEC;
	bool active, changed;
	unsigned long flags;

	lockdep_assert_held(&acrpmu_lock);
	raw_spin_lock_irqsave(&session->lock, flags);
	active = !session->parked && (session->enabled || (exec && !session->exec_seen));
	changed = session->active != active;
	session->active = active;
	raw_spin_unlock_irqrestore(&session->lock, flags);
	/* Until exec, a session that is disabled stays active. */
	if (!changed && (session->enabled || !active))
		return;
	cpumask_clear(&running_on);
	acrpmu_followed_walk(session, activate, NULL);
	on_each_cpu_mask(&running_on, acrpmu_task_notice_here, session, true);
}

/* ---- a session on this CPU ---- */

static void start_current(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_ctx *ctx = acrpmu_followed_ctx(current, scpu->session);

	/* A task that is being attached is not active yet, and may be dropped again. */
	if (!ctx || !READ_ONCE(ctx->active) || acrpmu_ctx_runs(ctx))
		return;
	acrpmu_missed_end(ctx);
	acrpmu_ctx_start(ctx, scpu);
}

/**
 * acrpmu_task_start_here() - start an enabled session on this CPU
 *
 * Context: interrupts off; whoever made this CPU call holds acrpmu_lock.
 */
void acrpmu_task_start_here(void *data)
{
	struct acrpmu_session *session = data;
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, smp_processor_id());

	if (!scpu || !acrpmu_session_holds(scpu) || !READ_ONCE(session->enabled) ||
	    acrpmu_yield_check(scpu))
		return;
	if (session->task_target)
		start_current(scpu);
	else if (!acrpmu_ctx_runs(scpu->ctx) &&
		 (!session->cgroup || acrpmu_cgroup_has(session, current)))
		acrpmu_ctx_start(scpu->ctx, scpu);
}

/**
 * acrpmu_task_stop_here() - stop a session on this CPU
 *
 * Context: interrupts off; whoever made this CPU call holds acrpmu_lock.
 */
void acrpmu_task_stop_here(void *data)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(data, smp_processor_id());

	if (!scpu || !acrpmu_session_holds(scpu) || acrpmu_yield_check(scpu))
		return;
	acrpmu_ctx_stop_session(scpu);
	acrpmu_yield_found(scpu);
}
