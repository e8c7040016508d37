// SPDX-License-Identifier: GPL-2.0-only
/* What to observe: the command line, the tasks of a process, CPUs. */
#include "target.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "cmd.h"

/* longest wait for the watchdog; its helper goes on by itself */
#define RESUME_MS	5000

/* CPUs, not tasks on them. */
static bool is_cpus(const struct target *t)
{
	return t->opt.all || (t->opt.cpus && !t->opt.pid && !t->opt.command);
}

static int add_tid(struct target *t, pid_t tid)
{
	pid_t *more = reallocarray(t->tids, t->nr_tids + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	t->tids = more;
	more[t->nr_tids++] = tid;
	return 0;
}

static int find_tasks(struct target *t)
{
	struct dirent *d;
	char path[64];
	DIR *dir;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", t->opt.pid);
	dir = opendir(path);
	if (!dir) {
		TARGET_SAY(t, "there is no process %d; 'ps -e' lists those that exist", t->opt.pid);
		return -ESRCH;
	}
	while (!err && (d = readdir(dir))) {
		if (isdigit(d->d_name[0]))
			err = add_tid(t, atoi(d->d_name));
	}
	closedir(dir);
	t->pid_fd = syscall(SYS_pidfd_open, t->opt.pid, 0);
	if (!err && t->pid_fd < 0) {
		err = -errno;
		TARGET_SAY(t, "process %d: %s; give the process, not one of its threads",
			   t->opt.pid, strerror(-err));
	}
	return err;
}

static int refuse_second(const struct target *t, const char *what)
{
	TARGET_SAY(t, "%s", what);
	return -EINVAL;
}

/**
 * target_take_option() - read an option about the target; others are left alone
 *
 * Return: 0, or -EINVAL after a message.
 */
int target_take_option(struct target *t, int c, const char *arg)
{
	__u64 pid;
	int err;

	if (c == 'p' && t->opt.pid)
		return refuse_second(t, "-p is given twice: only one process can be followed; "
				     "choose one, or all CPUs with -a");
	if (c == 'C' && t->opt.cpus)
		return refuse_second(t, "-C is given twice: give all CPUs in one list, such as "
				     "0,1");
	if (c == 'p') {
		err = event_args_number(t->text->command, "-p", arg, INT_MAX, &pid);
		if (err)
			return err;
		t->opt.pid = pid;
	}
	if (c == 'C')
		t->opt.cpus = arg;
	t->opt.all |= c == 'a';
	t->opt.inherit &= c != 'i';
	t->opt.pause_watchdog |= c == TARGET_OPT_WATCHDOG;
	return 0;
}

/**
 * target_check() - check that the command line names one target
 *
 * Return: whether it does; if not, a message has been printed.
 */
bool target_check(const struct target *t)
{
	const struct target_options *o = &t->opt;

	if ((o->all && (o->cpus || o->pid)) || (o->pid && o->command)) {
		TARGET_SAY(t, "more than one target: choose one of -a, -p and a command (a command "
			   "may go with -a to limit the time, and -C with -p or a command names "
			   "the CPUs on which it is %s)", t->text->done);
		return false;
	}
	if (!o->all && !o->cpus && !o->pid && !o->command) {
		TARGET_SAY(t, "nothing to %s: give a command after --, or -a, -C CPUS or -p PID",
			   t->text->verb);
		return false;
	}
	return true;
}

static int find_online(struct target *t)
{
	int err = cpu_list_online(&t->online);

	if (err)
		TARGET_SAY(t, "the online CPUs cannot be read from " CPU_LIST_ONLINE ": %s",
			   strerror(-err));
	return err;
}

/**
 * target_parse_cpus() - find the CPUs: those of -C, or all that are online
 *
 * Return: 0, or -errno after a message.
 */
int target_parse_cpus(struct target *t)
{
	const char *bad;
	int err = find_online(t);

	if (err)
		return err;
	if (!t->opt.cpus)
		return cpu_list_online(&t->cpus);
	err = cpu_list_parse(&t->cpus, t->opt.cpus, &bad);
	if (err == -EINVAL)
		TARGET_SAY(t, "-C '%s' is not a list of CPUs at '%s'; write it like 0-3,5",
			   t->opt.cpus, bad);
	else if (err == -ERANGE)
		TARGET_SAY(t, "-C '%s': no CPU has a number above %d, as at '%s'; see "
			   CPU_LIST_ONLINE, t->opt.cpus, CPU_LIST_MAX, bad);
	else if (err)
		TARGET_SAY(t, "there is no memory left for the list of CPUs");
	return err;
}

/**
 * target_find() - find the tasks of a process; fork a command, which then waits
 *
 * Return: 0, or -errno after a message.
 */
int target_find(struct target *t)
{
	int err = 0;

	if (t->opt.command) {
		err = target_start_child(t);
		if (err) {
			TARGET_SAY(t, "fork: %s", strerror(-err));
			return err;
		}
	}
	if (is_cpus(t))
		return 0;
	return t->opt.pid ? find_tasks(t) : add_tid(t, t->child.pid);
}

/**
 * target_misses_cpu() - whether -a was given and a CPU has come online since target_find()
 *
 * Sessions of CPUs do not extend to new ones.
 */
bool target_misses_cpu(const struct target *t)
{
	struct cpu_list now = { NULL };
	bool misses = false;
	size_t i;

	if (t->opt.all && !cpu_list_online(&now)) {
		for (i = 0; i < now.nr; i++)
			misses |= !cpu_list_has(&t->cpus, now.cpus[i]);
	}
	cpu_list_free(&now);
	return misses;
}

/**
 * target_starts_at_exec() - whether counting starts by itself when the command is executed
 *
 * If not, the caller enables the sessions, at once unless @opt.delayed.
 */
bool target_starts_at_exec(const struct target *t)
{
	return t->child.pid && t->nr_tids && !t->opt.delayed;
}

/**
 * target_session_options() - set the CPUs or tasks of a session
 * @cpus: those of the target that the session is for
 */
void target_session_options(const struct target *t, const struct cpu_list *cpus,
			    struct acrpmu_session_options *options)
{
	/* without a list the module takes all CPUs that are online */
	if (!t->nr_tids || t->opt.cpus || cpus->nr < t->cpus.nr) {
		options->cpus = cpus->cpus;
		options->nr_cpus = cpus->nr;
	}
	if (!t->nr_tids)
		return;
	if (options->nr_cpus && !t->opt.cpus && t->arrive)
		options->flags |= ACRPMU_SESSION_ARRIVE;
	options->flags |= ACRPMU_SESSION_TASK;
	if (t->opt.inherit)
		options->flags |= ACRPMU_SESSION_INHERIT;
	if (t->child.pid) {
		options->pid = t->child.pid;
		if (!t->opt.delayed)
			options->flags |= ACRPMU_SESSION_ENABLE_ON_EXEC;
	} else {
		options->pid = t->opt.pid;
		options->flags |= ACRPMU_SESSION_PROCESS;
	}
}

/**
 * target_pause_watchdog() - stop the NMI watchdog if the user asked for that
 *
 * Return: 0, also where there is none; or -errno after a message.
 */
int target_pause_watchdog(struct target *t)
{
	const char *failed;
	int err;

	if (!t->opt.pause_watchdog)
		return 0;
	err = watchdog_pause(&t->watchdog, &watchdog_default_paths, &failed);
	if (err == -ENOENT && !strcmp(failed, watchdog_default_paths.control))
		return 0;
	if (err)
		TARGET_SAY(t, "the NMI watchdog cannot be paused: %s: %s; run as root", failed,
			   strerror(-err));
	return err;
}

/**
 * target_resume_watchdog() - undo target_pause_watchdog(), after the sessions are closed
 */
void target_resume_watchdog(struct target *t)
{
	if (watchdog_resume(&t->watchdog, RESUME_MS))
		TARGET_SAY(t, "the NMI watchdog starts again when the other sessions have ended");
}

/**
 * target_release() - free the target, after the sessions are closed
 */
void target_release(struct target *t)
{
	target_resume_watchdog(t);
	cpu_list_free(&t->cpus);
	cpu_list_free(&t->online);
	free(t->tids);
	target_forget_child(t);
	if (t->signal_fd >= 0)
		close(t->signal_fd);
	if (t->pid_fd >= 0)
		close(t->pid_fd);
}
