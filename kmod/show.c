// SPDX-License-Identifier: GPL-2.0-only
/* What sessions hold, for readers: one in /proc/PID/fdinfo, all of them in debugfs. */
#include <linux/cpumask.h>
#include <linux/debugfs.h>
#include <linux/module.h>
#include <linux/pid.h>
#include <linux/seq_file.h>

#include "session.h"
#include "registry.h"
#include "show.h"

static struct dentry *dir;

/* ---- a session ---- */

static const char *state_of(const struct acrpmu_session *session)
{
	if (session->parked)
		return "parked";
	return session->enabled ? "enabled" : "disabled";
}

static void show_event(struct seq_file *m, const struct acrpmu_ev *ev)
{
	seq_printf(m, "event:\tconfig=%#llx", ev->config);
	if (ev->extra_value)
		seq_printf(m, " extra=%#llx", ev->extra_value);
	if (ev->period)
		seq_printf(m, " period=%llu", ev->period);
	if (ev->cause_events)
		seq_printf(m, " acr_mask=%#llx", ev->cause_events);
	seq_printf(m, "%s%s%s\n", ev->flags & ACRPMU_EVENT_USER ? " user" : "",
		   ev->flags & ACRPMU_EVENT_KERNEL ? " kernel" : "",
		   ev->flags & ACRPMU_EVENT_SAMPLED ? " sampled" : "");
}

static bool same_cntrs(const struct acrpmu_session *session, int a, int b)
{
	const struct acrpmu_plan *of_a = &acrpmu_session_on(session, a)->plan;
	const struct acrpmu_plan *of_b = &acrpmu_session_on(session, b)->plan;
	unsigned int i;

	for (i = 0; i < session->group.nr; i++)
		if (of_a->hw[i].cntr != of_b->hw[i].cntr)
			return false;
	return true;
}

/* One line for the CPUs with the counters of the first of @left, which leave that set. */
static void show_cntrs(struct seq_file *m, const struct acrpmu_session *session,
		       struct cpumask *left, struct cpumask *same)
{
	int first = cpumask_first(left), cpu;
	unsigned int i;

	cpumask_clear(same);
	for_each_cpu(cpu, left)
		if (same_cntrs(session, first, cpu))
			cpumask_set_cpu(cpu, same);
	cpumask_andnot(left, left, same);
	seq_printf(m, "counters:\tCPUs %*pbl:", cpumask_pr_args(same));
	for (i = 0; i < session->group.nr; i++)
		seq_printf(m, " %d", acrpmu_session_on(session, first)->plan.hw[i].cntr);
	seq_putc(m, '\n');
}

static void show_held(struct seq_file *m, const struct acrpmu_session *session)
{
	static cpumask_t left, same;	/* acrpmu_lock */
	const struct acrpmu_session_cpu *scpu;

	lockdep_assert_held(&acrpmu_lock);
	cpumask_clear(&left);
	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (acrpmu_session_holds(scpu))
			cpumask_set_cpu(scpu->cpu, &left);
	while (!cpumask_empty(&left))
		show_cntrs(m, session, &left, &same);
}

static void show(struct seq_file *m, const struct acrpmu_session *session)
{
	unsigned int i;

	seq_printf(m, "session:\t%llu\n", session->id);
	seq_printf(m, "pid:\t%d\ncommand:\t", pid_vnr(session->creator));
	seq_escape(m, session->comm, "\n\\");
	seq_printf(m, "\nstate:\t%s\n", state_of(session));
	if (session->task_target)
		seq_printf(m, "tasks:\t%u\n", READ_ONCE(session->nr_tasks));
	if (session->group.restarted_events)
		seq_puts(m, "reload:\tsoftware\n");
	for (i = 0; i < session->group.nr; i++)
		show_event(m, &session->group.ev[i]);
	show_held(m, session);
}

/**
 * acrpmu_show_session() - print a session as lines of a key, a tab and a value
 *
 * Context: process, may sleep.
 */
void acrpmu_show_session(struct seq_file *m, const struct acrpmu_session *session)
{
	mutex_lock(&acrpmu_lock);
	show(m, session);
	mutex_unlock(&acrpmu_lock);
}

/* ---- all sessions ---- */

/* Numbers only grow, so a reader resumes after the last one whatever has gone in between. */
static void *seek(loff_t *pos)
{
	struct acrpmu_session *session;

	list_for_each_entry(session, &acrpmu_sessions, node) {
		if (session->id < *pos)
			continue;
		*pos = session->id;
		return session;
	}
	return NULL;
}

/* The lock is held for one buffer of text at a time. */
static void *sessions_start(struct seq_file *m, loff_t *pos)
{
	mutex_lock(&acrpmu_lock);
	return seek(pos);
}

static void *sessions_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct acrpmu_session *session = v;

	*pos = session->id + 1;
	if (list_is_last(&session->node, &acrpmu_sessions))
		return NULL;
	return list_next_entry(session, node);
}

static void sessions_stop(struct seq_file *m, void *v)
{
	mutex_unlock(&acrpmu_lock);
}

static int sessions_show(struct seq_file *m, void *v)
{
	show(m, v);
	seq_putc(m, '\n');
	return 0;
}

static const struct seq_operations sessions_sops = {
	.start = sessions_start,
	.next = sessions_next,
	.stop = sessions_stop,
	.show = sessions_show,
};

DEFINE_SEQ_ATTRIBUTE(sessions);

/**
 * acrpmu_show_init() - list all sessions in debugfs, if the kernel has it
 *
 * Context: process, at load.
 */
void acrpmu_show_init(void)
{
	dir = debugfs_create_dir("acrpmu", NULL);
	debugfs_create_file("sessions", 0400, dir, NULL, &sessions_fops);
}

/**
 * acrpmu_show_exit() - undo acrpmu_show_init(), and wait for readers
 *
 * Context: process, may sleep, at unload.
 */
void acrpmu_show_exit(void)
{
	debugfs_remove(dir);
}
