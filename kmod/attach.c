// SPDX-License-Identifier: GPL-2.0-only
/* Following tasks, or every thread of processes, from now on. */
#include <linux/cpumask.h>
#include <linux/err.h>
#include <linux/memcontrol.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/mm.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "session.h"
#include "attach.h"
#include "core/refuse.h"
#include "ctx.h"
#include "followed.h"
#include "own.h"
#include "registry.h"
#include "session_cpu.h"
#include "target.h"
#include "task.h"

/*
 * UNPARK reserves the CPUs on which it may run; a session that counts waits for it there.  For a
 * user without privileges these are also the only CPUs that may be asked for.
 */
static int extend_reach(struct acrpmu_session *session, const struct task_struct *task)
{
	cpumask_var_t cpus;
	int ret = 0;

	if (!(session->follows_all || session->unprivileged) || !READ_ONCE(session->parked))
		return 0;
	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	cpumask_and(cpus, task->cpus_ptr, session->cpus);
	/* It only grows: most threads of a process add nothing. */
	if (!cpumask_subset(cpus, session->reach))
		ret = acrpmu_session_cpu_get(session, cpus);
	mutex_lock(&acrpmu_lock);
	if (!ret && session->parked)
		cpumask_or(session->reach, session->reach, cpus);
	mutex_unlock(&acrpmu_lock);
	free_cpumask_var(cpus);
	return ret;
}

/* A task that runs alone on its CPU is not switched, so that no probe would notice it. */
static void notice(struct acrpmu_session *session, const struct task_struct *task)
{
	if (READ_ONCE(session->active) && task_is_running(task))
		smp_call_function_single(task_cpu(task), acrpmu_task_notice_here, session, 1);
}

static int follow(struct acrpmu_session *session, struct acrpmu_target *target,
		  struct task_struct *task)
{
	struct acrpmu_ctx *ctx;
	unsigned long flags;
	bool added, exiting;
	int ret;

	ret = extend_reach(session, task);
	if (ret)
		return ret;
	ctx = kzalloc(acrpmu_ctx_bytes(session->group.nr), GFP_KERNEL_ACCOUNT);
	if (!ctx)
		return -ENOMEM;
	acrpmu_task_init_ctx(ctx, session, target, task);
	raw_spin_lock_irqsave(&session->lock, flags);
	/* Not active before it is sure to stay: a switch might start it. */
	added = acrpmu_followed_add(ctx, false);
	/*
	 * PF_EXITING is set before sched_process_exit: either it is seen here, or the probe sees
	 * the context.
	 */
	smp_mb();
	exiting = READ_ONCE(task->flags) & PF_EXITING;
	if (added && exiting) {
		acrpmu_task_drop_ctx(ctx);
	} else if (added) {
		acrpmu_target_join(ctx);
		acrpmu_followed_activate(ctx, session->active);
	}
	raw_spin_unlock_irqrestore(&session->lock, flags);
	if (!added)
		kfree(ctx);
	if (exiting)
		return -ESRCH;
	notice(session, task);
	return 0;
}

static int attach(struct acrpmu_session *session, struct acrpmu_target *target,
		  struct task_struct *task, struct acrpmu_error *err)
{
	int ret = acrpmu_own_begin(session, task, err);

	if (ret)
		return ret;
	ret = follow(session, target, task);
	acrpmu_own_end(session, task);
	return ret;
}

static struct task_struct *find_task(pid_t pid, bool process)
{
	enum pid_type type = process ? PIDTYPE_TGID : PIDTYPE_PID;
	struct pid *ref = pid ? find_get_pid(pid) : get_task_pid(current, type);
	struct task_struct *task = get_pid_task(ref, type);

	put_pid(ref);
	return task;
}

/* Threads of a process that exist since @since_ns or longer: references to @room of them. */
static unsigned int get_threads(struct task_struct *leader, u64 since_ns,
				struct task_struct **threads, unsigned int room)
{
	struct task_struct *thread;
	unsigned int nr = 0;

	rcu_read_lock();
	for_each_thread(leader, thread) {
		if (thread->start_time > since_ns || thread->flags & PF_EXITING)
			continue;
		if (nr < room)
			threads[nr] = get_task_struct(thread);
		nr++;
	}
	rcu_read_unlock();
	return nr;
}

static void put_threads(struct task_struct **threads, unsigned int nr)
{
	while (nr--)
		put_task_struct(threads[nr]);
	kvfree(threads);
}

/* A thread has its start time before it is in the list, so one may appear between the rounds. */
static struct task_struct **all_threads(struct task_struct *leader, u64 since_ns, unsigned int *nr)
{
	struct task_struct **threads;
	unsigned int room;

	for (;;) {
		room = get_threads(leader, since_ns, NULL, 0);
		threads = kvmalloc_array(room + 1, sizeof(*threads), GFP_KERNEL_ACCOUNT);
		if (!threads)
			return NULL;
		*nr = get_threads(leader, since_ns, threads, room);
		if (*nr <= room)
			return threads;
		put_threads(threads, room);
	}
}

static int attach_threads(struct acrpmu_session *session, struct acrpmu_target *target,
			  struct task_struct *leader, struct acrpmu_error *err)
{
	struct task_struct **threads;
	unsigned int i, nr, nr_attached = 0;
	int ret = 0;

	threads = all_threads(leader, ktime_get_ns(), &nr);
	if (!threads)
		return -ENOMEM;
	for (i = 0; i < nr && (!ret || ret == -ESRCH); i++) {
		ret = fatal_signal_pending(current) ? -EINTR :
			attach(session, target, threads[i], err);
		nr_attached += !ret;
		cond_resched();
	}
	put_threads(threads, nr);
	if (ret && ret != -ESRCH)
		return ret;
	return nr_attached ? 0 : -ESRCH;
}

/*
 * Threads come and go in the meantime.  Those that exist now are attached one by one; if new ones
 * are inherited, the probe follows what any thread of the process forks, attached or not.
 */
static int attach_process(struct acrpmu_session *session, struct acrpmu_target *target,
			  struct task_struct *leader, struct acrpmu_error *err)
{
	struct acrpmu_attaching *attaching;
	int ret;

	if (!(session->group.flags & ACRPMU_SESSION_INHERIT))
		return attach_threads(session, target, leader, err);
	attaching = acrpmu_task_begin_attaching(session, target, leader);
	if (!attaching)
		return -ENOMEM;
	ret = attach_threads(session, target, leader, err);
	acrpmu_task_end_attaching(attaching);
	return ret;
}

static int attach_to(struct acrpmu_session *session, struct acrpmu_target *target, pid_t pid,
		     bool process, struct acrpmu_error *err)
{
	struct task_struct *task = find_task(pid, process);
	int ret;

	if (!task)
		return -ESRCH;
	ret = process ? attach_process(session, target, task, err) :
			attach(session, target, task, err);
	put_task_struct(task);
	return ret;
}

/**
 * acrpmu_attach() - follow a task, or every thread of a process
 * @session: a task session, which may count already
 * @pid: the task or process; 0 for the caller
 * @process: it is a process
 * @nr: out, number of the target that the tasks belong to, 0 if there is nothing new to follow
 * @err: filled when refused
 *
 * What the session follows already stays as it is.
 *
 * Context: process, may sleep, without acrpmu_lock, after acrpmu_task_get_probes().
 * Return: 0; -ESRCH if all of them have exited; -EPERM if the session may not follow one of them,
 * -EINTR and -ENOMEM, when some threads may be followed; -EMFILE if it has too many targets.
 */
int acrpmu_attach(struct acrpmu_session *session, pid_t pid, bool process, u32 *nr,
		  struct acrpmu_error *err)
{
	struct mem_cgroup *before = set_active_memcg(session->memcg);
	struct acrpmu_target *target = acrpmu_target_begin(session, err);
	int ret = PTR_ERR_OR_ZERO(target);

	*nr = 0;
	if (!ret) {
		ret = attach_to(session, target, pid, process, err);
		*nr = acrpmu_target_end(session, target);
	}
	set_active_memcg(before);
	if (ret == -ESRCH)
		acrpmu_refuse(err, ret, ACRPMU_REASON_TASK, ACRPMU_NO_EVENT, pid, 0);
	return ret;
}
