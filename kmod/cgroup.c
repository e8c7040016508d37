// SPDX-License-Identifier: GPL-2.0-only
/* Sessions of a cgroup: they count on a CPU while a task of it, or of one below it, runs there. */
#include <linux/cgroup.h>
#include <linux/cpumask.h>
#include <linux/percpu.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/smp.h>
#include <linux/tracepoint.h>
#include <linux/workqueue.h>

#include "session.h"
#include "cgroup.h"
#include "core/refuse.h"
#include "ctx.h"
#include "registry.h"

/* changed under sessions_lock */
LIST_HEAD(acrpmu_cgroup_sessions);

#ifdef CONFIG_CGROUPS
#include <trace/events/cgroup.h>

#define MOVE	"cgroup_attach_task"

static struct tracepoint *move_tp;		/* constant after load */

static DEFINE_MUTEX(sessions_lock);

/*
 * The task that this CPU's sessions were last compared with; UNDECIDED as long as they may not have
 * been started or stopped for it yet.  Written on the CPU, interrupts off.
 */
static DEFINE_PER_CPU(unsigned long, compared);

#define UNDECIDED	1UL

/* What follows sees the cgroup that a task has moved to, or the probe of the move finds it here. */
static void begin_compare(struct task_struct *task)
{
	this_cpu_write(compared, (unsigned long)task | UNDECIDED);
	/* Pairs with the barrier in probe_move(). */
	smp_mb();
}

static void end_compare(struct task_struct *task)
{
	/* Pairs with the acquire in is_wrong(): the decision is visible before this is. */
	smp_store_release(this_cpu_ptr(&compared), (unsigned long)task);
}

/**
 * acrpmu_cgroup_has() - check that the current task belongs to the cgroup of a session, or to one
 *	below it
 * @task: the current task
 *
 * Context: interrupts off; the caller starts the session before they are on again.
 */
bool acrpmu_cgroup_has(const struct acrpmu_session *session, struct task_struct *task)
{
	bool has;

	/* Only the next switch, or a look, will know that the caller is done. */
	begin_compare(task);
	rcu_read_lock();
	has = task_under_cgroup_hierarchy(task, session->cgroup);
	rcu_read_unlock();
	return has;
}

/* Under rcu_read_lock().  NULL for a session that does not count on that CPU, whatever runs. */
static struct acrpmu_ctx *ctx_on(const struct acrpmu_session *session, int cpu)
{
	struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, cpu);

	if (!scpu || !acrpmu_session_holds(scpu) || !READ_ONCE(session->enabled))
		return NULL;
	return scpu->ctx;
}

/**
 * acrpmu_cgroup_switch_all() - start and stop the sessions of cgroups on this CPU
 * @next: the task that runs from now on
 * @cpu: this CPU
 *
 * Context: interrupts off, under rcu_read_lock(); the run queue may be locked.
 */
void acrpmu_cgroup_switch_all(struct task_struct *next, int cpu)
{
	struct acrpmu_session *session;

	begin_compare(next);
	list_for_each_entry_rcu(session, &acrpmu_cgroup_sessions, of_cgroup) {
		struct acrpmu_ctx *ctx = ctx_on(session, cpu);
		bool has;

		if (!ctx)
			continue;
		has = task_under_cgroup_hierarchy(next, session->cgroup);
		WRITE_ONCE(acrpmu_session_on(session, cpu)->in_cgroup, has);
		if (has && !acrpmu_ctx_runs(ctx))
			acrpmu_ctx_start(ctx, acrpmu_session_on(session, cpu));
		else if (!has && acrpmu_ctx_runs(ctx))
			acrpmu_ctx_stop(ctx);
	}
	end_compare(next);
}

/* ---- tasks that move while they run ---- */

/* CPUs that must look again */
static cpumask_t cpus_to_look;

static void look_here(void *unused)
{
	acrpmu_cgroup_switch(current, smp_processor_id());
}

static void look(struct work_struct *work)
{
	int cpu;

	for_each_cpu(cpu, &cpus_to_look)
		if (cpumask_test_and_clear_cpu(cpu, &cpus_to_look))
			smp_call_function_single(cpu, look_here, NULL, true);
}

static DECLARE_WORK(look_work, look);

/*
 * Check whether a task runs on a CPU where a session counts although it has left the session's
 * cgroup, or does not count although it has come.  Most moves change nothing, and a user who may
 * move tasks must not disturb the CPUs of others.
 */
static bool is_wrong(struct task_struct *task, int cpu)
{
	struct acrpmu_session *session;
	unsigned long seen;

	/* Pairs with the release in end_compare(). */
	seen = smp_load_acquire(per_cpu_ptr(&compared, cpu));
	if ((seen & ~UNDECIDED) != (unsigned long)task)
		return false;
	list_for_each_entry_rcu(session, &acrpmu_cgroup_sessions, of_cgroup) {
		struct acrpmu_ctx *ctx = ctx_on(session, cpu);

		/* Not what runs: a reading may stop it for a moment. */
		if (ctx && (seen & UNDECIDED ||
			    READ_ONCE(acrpmu_session_on(session, cpu)->in_cgroup) !=
			    task_under_cgroup_hierarchy(task, session->cgroup)))
			return true;
	}
	return false;
}

static bool check_moved(struct task_struct *task)
{
	int cpu = task_cpu(task);

	if (!is_wrong(task, cpu))
		return false;
	cpumask_set_cpu(cpu, &cpus_to_look);
	return true;
}

/* A spinlock is held, interrupts may be off: the CPUs are called from a worker. */
static void probe_move(void *data, struct cgroup *to, const char *path, struct task_struct *task,
		       bool threadgroup)
{
	struct task_struct *thread;
	bool wrong = false;

	/* Tasks have moved already.  Pairs with the barrier in begin_compare(). */
	smp_mb();
	rcu_read_lock();
	if (threadgroup)
		for_each_thread(task, thread)
			wrong |= check_moved(thread);
	else
		wrong = check_moved(task);
	rcu_read_unlock();
	if (wrong)
		queue_work(acrpmu_wq, &look_work);
}

/* Never called: fails to build with a kernel that passes other arguments to the tracepoint. */
static void __maybe_unused check_probe_type(void)
{
	check_trace_callback_type_cgroup_attach_task(probe_move);
}

static void find_probe(struct tracepoint *tp, void *data)
{
	if (!strcmp(tp->name, MOVE))
		move_tp = tp;
}

/**
 * acrpmu_cgroup_init() - find the tracepoint of moves between cgroups
 *
 * Context: process, at load.
 * Return: whether there can be sessions of cgroups.
 */
bool acrpmu_cgroup_init(void)
{
	for_each_kernel_tracepoint(find_probe, NULL);
	return move_tp;
}

/* ---- sessions ---- */

static int add(struct acrpmu_session *session)
{
	int ret = 0;

	mutex_lock(&sessions_lock);
	if (list_empty(&acrpmu_cgroup_sessions))
		ret = tracepoint_probe_register(move_tp, probe_move, NULL);
	if (!ret)
		list_add_rcu(&session->of_cgroup, &acrpmu_cgroup_sessions);
	mutex_unlock(&sessions_lock);
	return ret;
}

/**
 * acrpmu_cgroup_get() - let a new session count for a cgroup only
 * @fd: of the cgroup's directory, in the caller's table
 * @err: filled when refused
 *
 * Context: process, may sleep, without locks, after acrpmu_task_get_probes().
 * Return: 0; -EBADF; the errno of tracepoint_probe_register().
 */
int acrpmu_cgroup_get(struct acrpmu_session *session, int fd, struct acrpmu_error *err)
{
	struct cgroup *cgroup = cgroup_get_from_fd(fd);
	int ret;

	if (IS_ERR(cgroup))
		return acrpmu_refuse(err, -EBADF, ACRPMU_REASON_CGROUP, ACRPMU_NO_EVENT, fd, 0);
	session->cgroup = cgroup;
	ret = add(session);
	if (!ret)
		return 0;
	session->cgroup = NULL;
	cgroup_put(cgroup);
	return ret;
}

/**
 * acrpmu_cgroup_put() - undo acrpmu_cgroup_get(), if it succeeded, up to acrpmu_cgroup_free()
 *
 * Context: process, may sleep, without locks; the session holds no CPU any more.
 */
void acrpmu_cgroup_put(struct acrpmu_session *session)
{
	bool last;

	if (!session->cgroup)
		return;
	mutex_lock(&sessions_lock);
	list_del_rcu(&session->of_cgroup);
	last = list_empty(&acrpmu_cgroup_sessions);
	if (last)
		tracepoint_probe_unregister(move_tp, probe_move, NULL);
	mutex_unlock(&sessions_lock);
	if (!last)
		return;
	/* The module may be unloaded after this. */
	tracepoint_synchronize_unregister();
	flush_work(&look_work);
}

/**
 * acrpmu_cgroup_free() - release the cgroup
 *
 * Context: process, a grace period after acrpmu_cgroup_put().
 */
void acrpmu_cgroup_free(struct acrpmu_session *session)
{
	if (session->cgroup)
		cgroup_put(session->cgroup);
}

#else /* !CONFIG_CGROUPS */

bool acrpmu_cgroup_has(const struct acrpmu_session *session, struct task_struct *task)
{
	return false;
}

void acrpmu_cgroup_switch_all(struct task_struct *next, int cpu)
{
}

bool acrpmu_cgroup_init(void)
{
	return false;
}

int acrpmu_cgroup_get(struct acrpmu_session *session, int fd, struct acrpmu_error *err)
{
	return -EOPNOTSUPP;
}

void acrpmu_cgroup_put(struct acrpmu_session *session)
{
}

void acrpmu_cgroup_free(struct acrpmu_session *session)
{
}

#endif /* CONFIG_CGROUPS */
