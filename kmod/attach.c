// SPDX-License-Identifier: GPL-2.0-only
/* Following a task, or every thread of a process, from now on. */
#include <linux/cpumask.h>
#include <linux/mm.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>

#include "session.h"
#include "attach.h"
#include "core/refuse.h"
#include "ctx.h"
#include "followed.h"
#include "task.h"

static int attach(struct acrpmu_session *session, struct task_struct *task)
{
	struct acrpmu_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL_ACCOUNT);
	unsigned long flags;
	bool added, exiting;

	if (!ctx)
		return -ENOMEM;
	acrpmu_task_init_ctx(ctx, session, task);
	raw_spin_lock_irqsave(&session->lock, flags);
	added = acrpmu_followed_add(ctx);
	/*
	 * PF_EXITING is set before sched_process_exit: either it is seen here, or the probe sees
	 * the context.
	 */
	smp_mb();
	exiting = READ_ONCE(task->flags) & PF_EXITING;
	if (added && exiting)
		acrpmu_task_drop_ctx(ctx);
	raw_spin_unlock_irqrestore(&session->lock, flags);
	if (!added)
		kfree(ctx);
	if (session->follows_all)
		cpumask_or(session->reach, session->reach, task->cpus_ptr);
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

static int attach_threads(struct acrpmu_session *session, struct task_struct *leader)
{
	struct task_struct **threads;
	unsigned int i, nr;
	int ret = 0;

	threads = all_threads(leader, ktime_get_ns(), &nr);
	if (!threads)
		return -ENOMEM;
	for (i = 0; i < nr && (!ret || ret == -ESRCH); i++) {
		ret = fatal_signal_pending(current) ? -EINTR : attach(session, threads[i]);
		cond_resched();
	}
	put_threads(threads, nr);
	if (ret && ret != -ESRCH)
		return ret;
	return READ_ONCE(session->nr_tasks) ? 0 : -ESRCH;
}

/*
 * Threads come and go in the meantime.  Those that exist now are attached one by one; if new ones
 * are inherited, the probe follows what any thread of the process forks, attached or not.
 */
static int attach_process(struct acrpmu_session *session, struct task_struct *leader)
{
	int ret;

	if (!(session->group.flags & ACRPMU_SESSION_INHERIT))
		return attach_threads(session, leader);
	session->leader = get_task_struct(leader);
	acrpmu_task_attaching(session, true);
	ret = attach_threads(session, leader);
	acrpmu_task_attaching(session, false);
	return ret;
}

/**
 * acrpmu_attach() - follow a task, or every thread of a process
 * @session: a task session
 * @pid: the task or process; 0 for the caller
 * @err: filled when refused
 *
 * Context: process, may sleep, without acrpmu_lock, after acrpmu_task_get_probes().
 * Return: 0; -ESRCH if all of them have exited; -EINTR; -ENOMEM.
 */
int acrpmu_attach(struct acrpmu_session *session, pid_t pid, struct acrpmu_error *err)
{
	bool process = session->group.flags & ACRPMU_SESSION_PROCESS;
	struct task_struct *task = find_task(pid, process);
	int ret = -ESRCH;

	if (task) {
		ret = process ? attach_process(session, task) : attach(session, task);
		put_task_struct(task);
	}
	if (ret == -ESRCH)
		acrpmu_refuse(err, ret, ACRPMU_REASON_TASK, ACRPMU_NO_EVENT, pid, 0);
	return ret;
}
