// SPDX-License-Identifier: GPL-2.0-only
/* A session for a target: created with its CPUs or its first task, and then with the others. */
#include <errno.h>
#include <string.h>

#include "cmd.h"
#include "target.h"

static void set_cpus(const struct target *t, const struct cpu_list *cpus,
		     struct acrpmu_session_options *options)
{
	/* without a list the module takes all CPUs that are online */
	if (!t->nr_tids || t->opt.cpus || cpus->nr < t->cpus.nr) {
		options->cpus = cpus->cpus;
		options->nr_cpus = cpus->nr;
	}
	if (t->later.nr)
		options->flags |= ACRPMU_SESSION_ARRIVE;
	if (t->opt.cgroup) {
		options->flags |= ACRPMU_SESSION_CGROUP;
		options->pid = t->cgroup_fd;
	}
	if (!t->nr_tids)
		return;
	if (options->nr_cpus && !t->opt.cpus && t->arrive)
		options->flags |= ACRPMU_SESSION_ARRIVE;
	options->flags |= ACRPMU_SESSION_TASK;
	if (t->opt.inherit)
		options->flags |= ACRPMU_SESSION_INHERIT;
	if (!t->child.pid)
		return;
	options->pid = t->child.pid;
	if (!t->opt.delayed)
		options->flags |= ACRPMU_SESSION_ENABLE_ON_EXEC;
}

/* Create it with the first task that still exists, which @at then is. */
static int create(struct target *t, struct acrpmu_device *device, const struct acrpmu_spec *spec,
		  unsigned int group, struct acrpmu_session_options *options, size_t *at,
		  struct acrpmu_session **session, struct acrpmu_message *message)
{
	__u32 flags = options->flags;
	int err = -ESRCH;

	for (*at = 0; *at < t->opt.nr_tasks; ++*at) {
		struct target_task *task = &t->opt.tasks[*at];

		options->pid = task->id;
		options->flags = flags | (task->thread ? 0 : ACRPMU_SESSION_PROCESS);
		err = acrpmu_session_create(device, spec, group, options, session, message);
		if (err != -ESRCH || t->opt.nr_tasks == 1)
			return err;
		target_leave_out(t, task);
	}
	return err;
}

static int attach_others(struct target *t, struct acrpmu_session *session, size_t first,
			 struct acrpmu_message *message)
{
	size_t i;
	int err;

	for (i = first + 1; i < t->opt.nr_tasks; i++) {
		struct target_task *task = &t->opt.tasks[i];

		err = acrpmu_session_attach(session, task->id,
					    task->thread ? 0 : ACRPMU_ATTACH_PROCESS, NULL,
					    message);
		if (err && err != -ESRCH)
			return err;
		if (err)
			target_leave_out(t, task);
	}
	return 0;
}

/**
 * target_session_create() - create a session of the target
 * @cpus: CPUs of the target that the session is for, as kind.reach
 * @options: all but target and CPUs; with ACRPMU_SESSION_PARKED the session stays parked
 * @session: out, only on success
 * @message: out, why not
 *
 * Several tasks share one session: its counters count each of them.  One that has ended since it
 * was found is left out with a message, unless it is the last.
 *
 * Return: 0 or -errno; then nothing is left open.
 */
int target_session_create(struct target *t, struct acrpmu_device *device,
			  const struct acrpmu_spec *spec, unsigned int group,
			  const struct cpu_list *cpus, struct acrpmu_session_options *options,
			  struct acrpmu_session **session, struct acrpmu_message *message)
{
	bool parked = options->flags & ACRPMU_SESSION_PARKED;
	struct acrpmu_session *s;
	size_t first;
	int err;

	set_cpus(t, cpus, options);
	if (!t->opt.nr_tasks)
		return acrpmu_session_create(device, spec, group, options, session, message);
	/* so that all CPUs are reserved at once, or none */
	if (t->opt.nr_tasks > 1)
		options->flags |= ACRPMU_SESSION_PARKED;
	err = create(t, device, spec, group, options, &first, &s, message);
	if (err)
		return err;
	err = attach_others(t, s, first, message);
	if (!err && !parked)
		err = acrpmu_session_unpark(s, spec, group, message);
	if (err)
		acrpmu_session_close(s);
	else
		*session = s;
	return err;
}

/**
 * target_session_create_thread() - create a session of one thread of the target
 * @options: as for target_session_create(), with ACRPMU_SESSION_PARKED
 * @tid: the thread; the caller attaches the others
 *
 * The other parameters are as for target_session_create().
 *
 * Return: 0 or -errno.
 */
int target_session_create_thread(struct target *t, struct acrpmu_device *device,
				 const struct acrpmu_spec *spec, unsigned int group,
				 const struct cpu_list *cpus,
				 struct acrpmu_session_options *options, pid_t tid,
				 struct acrpmu_session **session, struct acrpmu_message *message)
{
	set_cpus(t, cpus, options);
	options->pid = tid;
	return acrpmu_session_create(device, spec, group, options, session, message);
}
