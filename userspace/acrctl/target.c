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

#define ONLINE_FILE	"/sys/devices/system/cpu/online"
#define LIST_LEN	4096
#define MAX_CPU		32767	/* the module takes a map of a page */
/* longest wait for the watchdog; its helper goes on by itself */
#define RESUME_MS	5000

/* CPUs, not tasks wherever they run. */
static bool is_cpus(const struct target *t)
{
	return t->opt.all || t->opt.cpus;
}

static bool has_cpu(const struct target *t, int cpu)
{
	size_t i;

	for (i = 0; i < t->nr_cpus; i++) {
		if (t->cpus[i] == cpu)
			return true;
	}
	return false;
}

static int add_cpu(struct target *t, long cpu)
{
	int *more;

	if (has_cpu(t, cpu))
		return 0;
	more = reallocarray(t->cpus, t->nr_cpus + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	t->cpus = more;
	more[t->nr_cpus++] = cpu;
	return 0;
}

/* "0-3,5": returns 0, or -EINVAL or -ERANGE with the first bad character in @bad. */
static int parse_cpus(struct target *t, const char *list, const char **bad)
{
	const char *at = list;
	long first, last;
	char *end;

	do {
		*bad = at;
		if (!isdigit(*at))
			return -EINVAL;
		first = strtol(at, &end, 10);
		last = first;
		if (*end == '-') {
			*bad = end + 1;
			if (!isdigit(end[1]))
				return -EINVAL;
			last = strtol(end + 1, &end, 10);
		}
		if (last < first)
			return -EINVAL;
		if (last > MAX_CPU)
			return -ERANGE;
		for (; first <= last; first++) {
			if (add_cpu(t, first))
				return -ENOMEM;
		}
		at = end + 1;
		*bad = end;
	} while (*end == ',');
	return *end && *end != '\n' ? -EINVAL : 0;
}

static int online_cpus(struct target *t)
{
	char list[LIST_LEN];
	const char *bad;
	int err = -ENOENT;
	FILE *f = fopen(ONLINE_FILE, "re");

	if (f && fgets(list, sizeof(list), f))
		err = parse_cpus(t, list, &bad);
	if (f)
		fclose(f);
	if (err)
		TARGET_SAY(t, "the online CPUs cannot be read from " ONLINE_FILE ": %s",
			   strerror(-err));
	return err;
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
	int targets = t->opt.all + !!t->opt.cpus + !!t->opt.pid;

	if (targets > 1 || (t->opt.pid && t->opt.command)) {
		TARGET_SAY(t, "more than one target: choose one of -a, -C, -p and a command "
			   "(a command may go with -a or -C to limit the time)");
		return false;
	}
	if (!targets && !t->opt.command) {
		TARGET_SAY(t, "nothing to %s: give a command after --, or -a, -C CPUS or -p PID",
			   t->text->verb);
		return false;
	}
	return true;
}

/**
 * target_parse_cpus() - parse the list of -C, if it is given
 *
 * Return: 0, or -EINVAL, -ERANGE or -ENOMEM after a message.
 */
int target_parse_cpus(struct target *t)
{
	const char *bad;
	int err;

	if (!t->opt.cpus)
		return 0;
	err = parse_cpus(t, t->opt.cpus, &bad);
	if (err == -EINVAL)
		TARGET_SAY(t, "-C '%s' is not a list of CPUs at '%s'; write it like 0-3,5",
			   t->opt.cpus, bad);
	else if (err == -ERANGE)
		TARGET_SAY(t, "-C '%s': no CPU has a number above %d, as at '%s'; see " ONLINE_FILE,
			   t->opt.cpus, MAX_CPU, bad);
	else if (err)
		TARGET_SAY(t, "there is no memory left for the list of CPUs");
	return err;
}

/**
 * target_find() - find the CPUs and, of a process, the tasks; fork a command, which then waits
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
	if (!t->nr_cpus)
		err = online_cpus(t);
	if (err || is_cpus(t))
		return err;
	return t->opt.pid ? find_tasks(t) : add_tid(t, t->child.pid);
}

/**
 * target_misses_cpu() - whether -a was given and a CPU has come online since target_find()
 *
 * Sessions of CPUs do not extend to new ones.
 */
bool target_misses_cpu(const struct target *t)
{
	struct target now = { .text = t->text };
	bool misses = false;
	size_t i;

	if (t->opt.all && !online_cpus(&now)) {
		for (i = 0; i < now.nr_cpus; i++)
			misses |= !has_cpu(t, now.cpus[i]);
	}
	free(now.cpus);
	return misses;
}

/**
 * target_starts_at_exec() - whether counting starts by itself when the command is executed
 *
 * If not, the caller enables the sessions.
 */
bool target_starts_at_exec(const struct target *t)
{
	return t->child.pid && t->nr_tids;
}

/**
 * target_session_options() - set the CPUs or tasks of a session
 */
void target_session_options(const struct target *t, struct acrpmu_session_options *options)
{
	if (!t->nr_tids) {
		options->cpus = t->cpus;
		options->nr_cpus = t->nr_cpus;
		return;
	}
	options->flags |= ACRPMU_SESSION_TASK;
	if (t->opt.inherit)
		options->flags |= ACRPMU_SESSION_INHERIT;
	if (t->child.pid) {
		options->pid = t->child.pid;
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
	free(t->cpus);
	free(t->tids);
	target_forget_child(t);
	if (t->signal_fd >= 0)
		close(t->signal_fd);
	if (t->pid_fd >= 0)
		close(t->pid_fd);
}
