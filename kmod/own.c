// SPDX-License-Identifier: GPL-2.0-only
/* What a creator without CAP_PERFMON may follow: tasks of the same user, no more. */
#include <linux/binfmts.h>
#include <linux/capability.h>
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/perf_event.h>
#include <linux/rcupdate.h>
#include <linux/rwsem.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/user_namespace.h>

#include "session.h"
#include "core/refuse.h"
#include "own.h"
#include "paranoid.h"

/* Up to here in-tree perf lets users observe their own tasks at user level. */
#define PARANOID_MAX	2

/* ---- the caller ---- */

/*
 * Of in-tree perf's questions to security modules, this one comes closest: about its own, on
 * opening an event of a task, modules cannot ask.  Unless the caller had CAP_PERFMON, it would be
 * answered by perf_event_paranoid.
 */
static int ask_security(void)
{
	struct cred *asking = prepare_creds();
	const struct cred *caller;
	int ret;

	if (!asking)
		return -ENOMEM;
	cap_raise(asking->cap_effective, CAP_PERFMON);
	put_user_ns(asking->user_ns);
	asking->user_ns = get_user_ns(&init_user_ns);
	caller = override_creds(asking);
	ret = compat_perf_allow_cpu();
	revert_creds(caller);
	put_cred(asking);
	return ret;
}

/**
 * acrpmu_own_check_caller() - check that perf's own rules let the caller observe own tasks
 * @err: filled when refused
 *
 * Context: process, may sleep.
 * Return: 0; -EPERM with the reason in @err; -ENOMEM.
 */
int acrpmu_own_check_caller(struct acrpmu_error *err)
{
	int level = acrpmu_paranoid_level(), ret;

	if (level > PARANOID_MAX)
		return acrpmu_refuse(err, -EPERM, ACRPMU_REASON_PARANOID, ACRPMU_NO_EVENT, level,
				     PARANOID_MAX);
	ret = ask_security();
	return !ret || ret == -ENOMEM ? ret :
	       acrpmu_refuse(err, -EPERM, ACRPMU_REASON_WHOLE_CPU, ACRPMU_NO_EVENT, 0, 0);
}

/* ---- tasks ---- */

/* The kernel exports no such check to modules: these are the rules of ptrace(2), but stricter. */

static bool has_only(const struct cred *cred, kuid_t uid, kgid_t gid)
{
	return uid_eq(cred->uid, uid) && uid_eq(cred->euid, uid) && uid_eq(cred->suid, uid) &&
	       gid_eq(cred->gid, gid) && gid_eq(cred->egid, gid) && gid_eq(cred->sgid, gid);
}

static u32 check_cred(const struct cred *observer, const struct cred *cred)
{
	if (!has_only(observer, observer->uid, observer->gid) ||
	    !has_only(cred, observer->uid, observer->gid))
		return ACRPMU_REASON_OWN_USER;
	if (cred->user_ns != observer->user_ns)
		return ACRPMU_REASON_OWN_NAMESPACE;
	/* A privileged program may make itself dumpable again. */
	if (!cap_issubset(cred->cap_permitted, observer->cap_permitted))
		return ACRPMU_REASON_OWN_USER;
	return ACRPMU_REASON_NONE;
}

/* A task without memory is exiting, and will not be followed. */
static u32 check_dumpable(struct task_struct *task)
{
	bool dumpable;

	task_lock(task);
	dumpable = !task->mm || compat_dumpable_by_user(task);
	task_unlock(task);
	return dumpable ? ACRPMU_REASON_NONE : ACRPMU_REASON_OWN_DUMPABLE;
}

/* Whoever has the descriptor may differ from the creator: both must be allowed. */
static u32 check_task(const struct acrpmu_session *session, struct task_struct *task)
{
	const struct cred *cred;
	u32 reason;

	rcu_read_lock();
	cred = __task_cred(task);
	reason = check_cred(session->cred, cred);
	if (!reason)
		reason = check_cred(current_cred(), cred);
	if (!reason)
		reason = check_dumpable(task);
	rcu_read_unlock();
	return reason;
}

static int refuse(const struct acrpmu_session *session, struct task_struct *task, u32 reason,
		  struct acrpmu_error *err)
{
	return acrpmu_refuse(err, -EPERM, reason, ACRPMU_NO_EVENT,
			     task_pid_nr_ns(task, session->ns), 0);
}

/**
 * acrpmu_own_begin() - check that a session may follow a task, and keep that so
 * @err: filled when refused
 *
 * Until acrpmu_own_end() the task cannot execute a program that would give it other credentials;
 * one that does so later finds the session following it, and ends that.
 *
 * Context: process, may sleep, without locks.
 * Return: 0; -EPERM with the reason in @err; -EINTR if killed.
 */
int acrpmu_own_begin(struct acrpmu_session *session, struct task_struct *task,
		     struct acrpmu_error *err)
{
	u32 reason;

	if (!session->unprivileged)
		return 0;
	reason = check_dumpable(current);
	if (reason)
		return refuse(session, current, reason, err);
	if (down_read_killable(&task->signal->exec_update_lock))
		return -EINTR;
	reason = check_task(session, task);
	if (!reason)
		return 0;
	up_read(&task->signal->exec_update_lock);
	return refuse(session, task, reason, err);
}

/**
 * acrpmu_own_end() - undo acrpmu_own_begin()
 *
 * Context: process.
 */
void acrpmu_own_end(struct acrpmu_session *session, struct task_struct *task)
{
	if (session->unprivileged)
		up_read(&task->signal->exec_update_lock);
}

/**
 * acrpmu_own_inherits() - check that a session may follow what the current task forks
 * @session: attaches the process of the current task, but perhaps not yet this thread
 * @cred: of whoever attaches it
 *
 * Context: the probe of fork.
 */
bool acrpmu_own_inherits(const struct acrpmu_session *session, const struct cred *cred)
{
	const struct cred *own = current_cred();

	if (!session->unprivileged)
		return true;
	return !check_cred(session->cred, own) && !check_cred(cred, own) && current->mm &&
	       compat_dumpable_by_user(current);
}

/**
 * acrpmu_own_check_cpus() - check that the tasks of a session may run on the CPUs to be reserved
 * @pid: the task or process, for @err
 * @err: filled when refused
 *
 * Others, such as isolated ones, are none of the user's business.  A session that reserves CPUs
 * when its tasks run there is right in any case.
 *
 * Context: process; the session is being created.
 * Return: 0 or -EPERM.
 */
int acrpmu_own_check_cpus(const struct acrpmu_session *session, pid_t pid, struct acrpmu_error *err)
{
	int cpu, ret = 0;

	if (session->follows_all)
		return 0;
	for_each_cpu(cpu, session->cpus) {
		if (cpumask_test_cpu(cpu, session->reach))
			continue;
		ret = acrpmu_refuse(err, -EPERM, ACRPMU_REASON_OWN_TASKS, ACRPMU_NO_EVENT, pid, 0);
		err->cpu = cpu;
		break;
	}
	return ret;
}

/**
 * acrpmu_own_ends_at() - check whether a session must not follow a program just executed
 *
 * For others the program's being dumpable decides, which fs.suid_dumpable may overrule.
 *
 * Context: any.
 */
bool acrpmu_own_ends_at(const struct acrpmu_session *session, const struct linux_binprm *bprm)
{
	return session->unprivileged &&
	       (bprm->secureexec || bprm->interp_flags & BINPRM_FLAGS_ENFORCE_NONDUMP);
}
