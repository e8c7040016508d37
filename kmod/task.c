// SPDX-License-Identifier: GPL-2.0-only
/* Starting and stopping a session's counters, with its tasks: at switch, fork, exec and exit. */
#include <linux/hashtable.h>
#include <linux/pid_namespace.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <trace/events/sched.h>

#include "session.h"
#include "core/refuse.h"
#include "buffer.h"
#include "ctx.h"
#include "registry.h"
#include "task.h"

/*
 * Only the task itself can set a preempt notifier, so sched_switch looks tasks up by address
 * instead, and only while a task session exists.
 */
#define TASK_HASH_BITS	10

/* of contexts; changed under tasks_lock, read by RCU */
static DEFINE_HASHTABLE(tasks, TASK_HASH_BITS);
/* inside acrpmu_session.lock; interrupts off */
static DEFINE_RAW_SPINLOCK(tasks_lock);

enum { SWITCH, FORK, EXEC, EXIT, NR_PROBES };

/* Not acrpmu_lock: setting a tracepoint takes cpus_read_lock(), which must come first. */
static DEFINE_MUTEX(users_lock);
static unsigned int nr_users;			/* task sessions; users_lock */

static void hash_ctx(struct acrpmu_ctx *ctx)
{
	raw_spin_lock(&tasks_lock);
	hash_add_rcu(tasks, &ctx->hash, (unsigned long)ctx->task);
	raw_spin_unlock(&tasks_lock);
}

static void unhash_ctx(struct acrpmu_ctx *ctx)
{
	raw_spin_lock(&tasks_lock);
	hash_del_rcu(&ctx->hash);
	raw_spin_unlock(&tasks_lock);
}

/* @ctx, or the first one after it in its bucket, that belongs to @task */
static struct acrpmu_ctx *skip_others(struct acrpmu_ctx *ctx, const struct task_struct *task)
{
	while (ctx && ctx->task != task)
		ctx = hlist_entry_safe(rcu_dereference_raw(hlist_next_rcu(&ctx->hash)),
				       struct acrpmu_ctx, hash);
	return ctx;
}

static struct acrpmu_ctx *first_ctx(const struct task_struct *task)
{
	struct hlist_head *bucket = &tasks[hash_min((unsigned long)task, HASH_BITS(tasks))];

	return skip_others(hlist_entry_safe(rcu_dereference_raw(hlist_first_rcu(bucket)),
					    struct acrpmu_ctx, hash), task);
}

/* The contexts of a task stay reachable from one that is being dropped. */
static struct acrpmu_ctx *next_ctx(const struct acrpmu_ctx *ctx)
{
	return skip_others(hlist_entry_safe(rcu_dereference_raw(hlist_next_rcu(&ctx->hash)),
					    struct acrpmu_ctx, hash), ctx->task);
}

static bool may_run(const struct acrpmu_session *session)
{
	return READ_ONCE(session->enabled) && acrpmu_session_here(session)->held;
}

/* Under rcu_read_lock(). */
static struct acrpmu_ctx *find_ctx(const struct acrpmu_session *session,
				   const struct task_struct *task)
{
	struct acrpmu_ctx *ctx;

	for (ctx = first_ctx(task); ctx; ctx = next_ctx(ctx))
		if (ctx->session == session)
			return ctx;
	return NULL;
}

/* Interrupts are off and the run queue is locked: nothing here may wake, allocate or lock. */
static void probe_switch(void *data, bool preempt, struct task_struct *prev,
			 struct task_struct *next, unsigned int prev_state)
{
	struct acrpmu_ctx *ctx, *to;

	rcu_read_lock();
	for (ctx = first_ctx(prev); ctx; ctx = next_ctx(ctx)) {
		if (!ctx->running)
			continue;
		to = may_run(ctx->session) ? find_ctx(ctx->session, next) : NULL;
		if (to)
			acrpmu_ctx_switch(ctx, to);
		else
			acrpmu_ctx_stop(ctx);
	}
	for (ctx = first_ctx(next); ctx; ctx = next_ctx(ctx))
		if (!ctx->running && may_run(ctx->session))
			acrpmu_ctx_start(ctx);
	rcu_read_unlock();
}

static struct acrpmu_ctx *new_ctx(struct acrpmu_session *session, struct task_struct *task,
				  gfp_t gfp)
{
	struct acrpmu_ctx *ctx = kzalloc(sizeof(*ctx), gfp);

	if (!ctx)
		return NULL;
	ctx->task = task;
	ctx->tgid = task_tgid_nr_ns(task, session->ns);
	ctx->pid = task_pid_nr_ns(task, session->ns);
	acrpmu_ctx_init(ctx, session);
	return ctx;
}

/*
 * Fails if the session is closing, since a fork may have found its parent just before, or if the
 * task is followed already, since a new thread may be found in its process and by its fork.
 */
static bool add_ctx(struct acrpmu_ctx *ctx)
{
	struct acrpmu_session *session = ctx->session;
	unsigned long flags;
	bool add;

	raw_spin_lock_irqsave(&session->lock, flags);
	add = !session->closing && !find_ctx(session, ctx->task);
	if (add) {
		list_add_tail(&ctx->node, &session->ctxs);
		session->nr_tasks++;
		hash_ctx(ctx);
	}
	raw_spin_unlock_irqrestore(&session->lock, flags);
	if (!add)
		kfree(ctx);
	return add;
}

/* The new task has not run yet, so nothing else changes its contexts. */
static void probe_fork(void *data, struct task_struct *parent, struct task_struct *child)
{
	struct acrpmu_ctx *ctx, *copy;

	rcu_read_lock();
	for (ctx = first_ctx(parent); ctx; ctx = next_ctx(ctx)) {
		if (!(ctx->session->group.flags & ACRPMU_SESSION_INHERIT))
			continue;
		copy = new_ctx(ctx->session, child, GFP_ATOMIC | __GFP_NOWARN);
		if (copy) {
			add_ctx(copy);
		} else {
			unsigned long flags;

			raw_spin_lock_irqsave(&ctx->session->lock, flags);
			ctx->session->inherit_failed++;
			raw_spin_unlock_irqrestore(&ctx->session->lock, flags);
		}
	}
	rcu_read_unlock();
}

static void probe_exec(void *data, struct task_struct *task, pid_t old_pid,
		       struct linux_binprm *bprm)
{
	struct acrpmu_ctx *ctx;
	unsigned long flags;

	local_irq_save(flags);
	rcu_read_lock();
	for (ctx = first_ctx(task); ctx; ctx = next_ctx(ctx)) {
		struct acrpmu_session *session = ctx->session;

		/* A thread that execs takes over the leader's ids. */
		ctx->tgid = task_tgid_nr_ns(task, session->ns);
		ctx->pid = task_pid_nr_ns(task, session->ns);
		if (!(session->group.flags & ACRPMU_SESSION_ENABLE_ON_EXEC) ||
		    xchg(&session->exec_seen, true))
			continue;
		if (!session->enabled) {
			session->enabled_since_ns = ktime_get_mono_fast_ns();
			WRITE_ONCE(session->enabled, true);
		}
		if (!ctx->running && may_run(session))
			acrpmu_ctx_start(ctx);
	}
	rcu_read_unlock();
	local_irq_restore(flags);
}

/* Fold a stopped context into the totals of its session, and free it. */
static void drop_ctx(struct acrpmu_ctx *ctx)
{
	struct acrpmu_session *session = ctx->session;
	unsigned int ev;

	lockdep_assert_held(&session->lock);
	for (ev = 0; ev < session->group.nr; ev++)
		session->gone_total[ev] += ctx->cell[ev].total;
	session->gone_ns += ctx->running_ns;
	list_del_init(&ctx->node);
	session->nr_tasks--;
	unhash_ctx(ctx);
	kfree_rcu(ctx, rcu);
}

static void exit_task(struct task_struct *task)
{
	struct acrpmu_ctx *ctx;
	unsigned long flags;

	local_irq_save(flags);
	rcu_read_lock();
	for (ctx = first_ctx(task); ctx; ctx = next_ctx(ctx)) {
		struct acrpmu_session *session = ctx->session;
		bool last = false;

		if (ctx->running)
			acrpmu_ctx_stop(ctx);
		raw_spin_lock(&session->lock);
		/* Closing the session, or a late attach, may have dropped it already. */
		if (!list_empty(&ctx->node)) {
			drop_ctx(ctx);
			last = !session->nr_tasks;
		}
		raw_spin_unlock(&session->lock);
		if (last)
			acrpmu_buffer_wake(acrpmu_session_here(session));
	}
	rcu_read_unlock();
	local_irq_restore(flags);
}

static void probe_exit(COMPAT_EXIT_PROBE_ARGS)
{
	exit_task(task);
}

static struct probe {
	const char *name;
	void *func;
	struct tracepoint *tp;
} probes[NR_PROBES] = {
	[SWITCH] = { "sched_switch", probe_switch },
	[FORK] = { "sched_process_fork", probe_fork },
	[EXEC] = { "sched_process_exec", probe_exec },
	[EXIT] = { "sched_process_exit", probe_exit },
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
	check_trace_callback_type_sched_process_exit(probe_exit);
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
	if (!nr_users)
		ret = set_probes();
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
	if (!--nr_users)
		clear_probes(NR_PROBES);
	mutex_unlock(&users_lock);
}

static int attach(struct acrpmu_session *session, struct task_struct *task)
{
	struct acrpmu_ctx *ctx = new_ctx(session, task, GFP_KERNEL);
	unsigned long flags;
	bool exiting;

	lockdep_assert_held(&acrpmu_lock);
	if (!ctx)
		return -ENOMEM;
	rcu_read_lock();
	if (!add_ctx(ctx)) {
		rcu_read_unlock();
		return 0;
	}

	/*
	 * PF_EXITING is set before sched_process_exit: either it is seen here, or the probe sees
	 * the context, or both; then an empty list shows that the probe was first.
	 */
	raw_spin_lock_irqsave(&session->lock, flags);
	exiting = READ_ONCE(task->flags) & PF_EXITING;
	if (exiting && !list_empty(&ctx->node))
		drop_ctx(ctx);
	raw_spin_unlock_irqrestore(&session->lock, flags);
	rcu_read_unlock();
	return exiting ? -ESRCH : 0;
}

static struct task_struct *find_task(pid_t pid, bool process)
{
	enum pid_type type = process ? PIDTYPE_TGID : PIDTYPE_PID;
	struct pid *ref = pid ? find_get_pid(pid) : get_task_pid(current, type);
	struct task_struct *task = get_pid_task(ref, type);

	put_pid(ref);
	return task;
}

#define THREADS_AT_ONCE	64

/* Threads of the process that are not followed yet, with references. */
static unsigned int get_threads(struct acrpmu_session *session, struct task_struct *leader,
				struct task_struct **threads)
{
	struct task_struct *thread;
	unsigned int nr = 0;

	rcu_read_lock();
	for_each_thread(leader, thread) {
		if (nr == THREADS_AT_ONCE)
			break;
		if (!find_ctx(session, thread) && !(thread->flags & PF_EXITING))
			threads[nr++] = get_task_struct(thread);
	}
	rcu_read_unlock();
	return nr;
}

static int add_some_threads(struct acrpmu_session *session, struct task_struct *leader)
{
	struct task_struct *threads[THREADS_AT_ONCE];
	unsigned int i, nr = get_threads(session, leader, threads);
	int ret = 0;

	for (i = 0; i < nr; i++) {
		if (!ret || ret == -ESRCH)
			ret = attach(session, threads[i]);
		put_task_struct(threads[i]);
	}
	return ret && ret != -ESRCH ? ret : nr;
}

/* Threads come and go in the meantime: search until no new one is found. */
static int add_threads(struct acrpmu_session *session, struct task_struct *leader)
{
	int ret;

	do {
		if (fatal_signal_pending(current))
			return -EINTR;
		cond_resched();
		ret = add_some_threads(session, leader);
	} while (ret > 0);
	if (ret)
		return ret;
	return READ_ONCE(session->nr_tasks) ? 0 : -ESRCH;
}

/**
 * acrpmu_task_attach() - follow a task, or every thread of a process
 * @session: a task session
 * @pid: the task or process; 0 for the caller
 * @err: filled when refused
 *
 * Context: process, may sleep, acrpmu_lock held, after acrpmu_task_get_probes().
 * Return: 0; -ESRCH if all of them have exited; -EINTR; -ENOMEM.
 */
int acrpmu_task_attach(struct acrpmu_session *session, pid_t pid, struct acrpmu_error *err)
{
	bool process = session->group.flags & ACRPMU_SESSION_PROCESS;
	struct task_struct *task = find_task(pid, process);
	int ret = -ESRCH;

	if (task) {
		ret = process ? add_threads(session, task) : attach(session, task);
		put_task_struct(task);
	}
	if (ret == -ESRCH)
		acrpmu_refuse(err, ret, ACRPMU_REASON_TASK, ACRPMU_NO_EVENT, pid, 0);
	return ret;
}

/**
 * acrpmu_task_detach_all() - stop following the tasks of a stopped session
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_task_detach_all(struct acrpmu_session *session)
{
	struct acrpmu_ctx *ctx, *next;
	unsigned long flags;

	lockdep_assert_held(&acrpmu_lock);
	raw_spin_lock_irqsave(&session->lock, flags);
	session->closing = true;
	list_for_each_entry_safe(ctx, next, &session->ctxs, node)
		drop_ctx(ctx);
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

static void start_current(struct acrpmu_session *session)
{
	struct acrpmu_ctx *ctx;
	unsigned long flags;

	local_irq_save(flags);
	rcu_read_lock();
	for (ctx = first_ctx(current); ctx; ctx = next_ctx(ctx))
		if (ctx->session == session && !ctx->running && may_run(session))
			acrpmu_ctx_start(ctx);
	rcu_read_unlock();
	local_irq_restore(flags);
}

/**
 * acrpmu_task_start_here() - start an enabled session on this CPU
 *
 * Context: interrupts off; whoever made this CPU call holds acrpmu_lock.
 */
void acrpmu_task_start_here(void *data)
{
	struct acrpmu_session *session = data;
	struct acrpmu_session_cpu *scpu = acrpmu_session_here(session);

	if (session->task_target)
		start_current(session);
	else if (scpu->held && !scpu->ctx->running)
		acrpmu_ctx_start(scpu->ctx);
}

/**
 * acrpmu_task_stop_here() - stop a session on this CPU
 *
 * Context: interrupts off; whoever made this CPU call holds acrpmu_lock.
 */
void acrpmu_task_stop_here(void *data)
{
	struct acrpmu_session *session = data;

	if (acrpmu_session_here(session)->held)
		acrpmu_ctx_stop_session(session);
}
