// SPDX-License-Identifier: GPL-2.0-only
/* What to observe: the command line, the tasks of processes, CPUs. */
#include "target.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../util/message.h"
#include "cmd.h"
#include "terminal.h"

/* longest wait for the watchdog; its helper goes on by itself */
#define RESUME_MS	5000

/* CPUs, not tasks on them. */
static bool is_cpus(const struct target *t)
{
	return t->opt.all || t->opt.cgroup ||
	       (t->opt.cpus && !t->opt.nr_tasks && !t->opt.command);
}

static int add_tid(struct target *t, pid_t tid)
{
	pid_t *more;
	size_t i;

	for (i = 0; i < t->nr_tids; i++) {
		if (t->tids[i] == tid)
			return 0;
	}
	more = reallocarray(t->tids, t->nr_tids + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	t->tids = more;
	more[t->nr_tids++] = tid;
	return 0;
}

/* A task that is named twice is followed once. */
static int add_task(struct target *t, pid_t id, bool thread)
{
	struct target_task *more;
	size_t i;

	for (i = 0; i < t->opt.nr_tasks; i++) {
		if (t->opt.tasks[i].id == id && t->opt.tasks[i].thread == thread)
			return 0;
	}
	more = reallocarray(t->opt.tasks, t->opt.nr_tasks + 1, sizeof(*more));
	if (!more) {
		TARGET_SAY(t, "there is no memory left for the list of tasks");
		return -ENOMEM;
	}
	t->opt.tasks = more;
	more[t->opt.nr_tasks++] = (struct target_task){ .id = id, .thread = thread };
	return 0;
}

/* Each number of a list. */
static int take_tasks(struct target *t, const char *option, const char *arg)
{
	char *list = strdup(arg), *rest = list, *number;
	int err = list ? 0 : -ENOMEM;
	__u64 id;

	while (!err && (number = strsep(&rest, ","))) {
		err = event_args_number(t->text->command, option, number, INT_MAX, &id);
		if (!err)
			err = add_task(t, id, option[1] == 't');
	}
	free(list);
	return err;
}

/* ---- tasks that exist --------------------------------------------------------------------- */

/* Tasks have one directory each in /proc, also threads, which no listing shows. */
static pid_t process_of(pid_t id)
{
	char path[64], line[256];
	pid_t process = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", id);
	f = fopen(path, "re");
	while (f && !process && fgets(line, sizeof(line), f))
		sscanf(line, "Tgid: %d", &process);
	if (f)
		fclose(f);
	return process;
}

static int refuse_missing(const struct target *t, const struct target_task *task)
{
	TARGET_SAY(t, "there is no %s %d; 'ps -e%s' lists those that exist",
		   task->thread ? "thread" : "process", task->id, task->thread ? "L" : "");
	return -ESRCH;
}

static int find_threads(struct target *t, const struct target_task *task)
{
	struct dirent *d;
	char path[64];
	DIR *dir;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", task->id);
	dir = opendir(path);
	if (!dir)
		return -ESRCH;
	while (!err && (d = readdir(dir))) {
		if (isdigit(d->d_name[0]))
			err = add_tid(t, atoi(d->d_name));
	}
	closedir(dir);
	return err;
}

/* Only processes have such a descriptor on every kernel. */
static int watch_process(struct target *t, const struct target_task *task)
{
	struct epoll_event event = { .events = EPOLLIN };
	int err = 0;

	if (t->ends_fd < 0)
		t->ends_fd = epoll_create1(EPOLL_CLOEXEC);
	event.data.fd = syscall(SYS_pidfd_open, task->id, 0);
	if (t->ends_fd < 0 || event.data.fd < 0 ||
	    epoll_ctl(t->ends_fd, EPOLL_CTL_ADD, event.data.fd, &event))
		err = -errno;
	if (err)
		TARGET_SAY(t, "process %d: %s", task->id, strerror(-err));
	return err;
}

static int find_task(struct target *t, struct target_task *task)
{
	int err;

	task->process = process_of(task->id);
	if (!task->process)
		return refuse_missing(t, task);
	if (task->thread)
		return add_tid(t, task->id);
	if (task->process != task->id) {
		TARGET_SAY(t, "-p %d is a thread of process %d; give that, or -t %d for the thread "
			   "alone", task->id, task->process, task->id);
		return -EINVAL;
	}
	err = find_threads(t, task);
	if (err == -ESRCH)
		return refuse_missing(t, task);
	return err ?: watch_process(t, task);
}

static int find_tasks(struct target *t)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < t->opt.nr_tasks; i++)
		err = find_task(t, &t->opt.tasks[i]);
	t->nr_running = t->opt.nr_tasks;
	return err;
}

/**
 * target_leave_out() - report that a task has ended, which existed when the command line was read
 */
void target_leave_out(struct target *t, struct target_task *task)
{
	if (task->process)
		TARGET_SAY(t, "%s %d has ended before it could be %s",
			   task->thread ? "thread" : "process", task->id, t->text->done);
	task->process = 0;
}

/**
 * target_find_new_threads() - list the threads of processes again; those that are new follow
 *
 * Return: 0, or -ENOMEM after a message.
 */
int target_find_new_threads(struct target *t)
{
	size_t i;
	int err;

	for (i = 0; i < t->opt.nr_tasks; i++) {
		struct target_task *task = &t->opt.tasks[i];

		if (task->thread || !task->process)
			continue;
		err = find_threads(t, task);
		if (err == -ENOMEM) {
			TARGET_SAY(t, "there is no memory left for the list of threads");
			return err;
		}
		if (err)
			target_leave_out(t, task);
	}
	return 0;
}

/**
 * target_take_ends() - note which processes have ended, when @ends_fd is readable
 */
void target_take_ends(struct target *t)
{
	struct epoll_event event;

	while (epoll_wait(t->ends_fd, &event, 1, 0) == 1) {
		close(event.data.fd);
		t->nr_running--;
	}
}

/**
 * target_has_ended() - whether all processes of -p have ended, and no thread was given
 *
 * The end of threads is that of the sessions.
 */
bool target_has_ended(const struct target *t)
{
	return t->opt.nr_tasks && !t->nr_running;
}

static void print_tasks(const struct target *t, FILE *f)
{
	size_t i;

	for (i = 0; i < t->opt.nr_tasks; i++)
		fprintf(f, "%s %s %d", i ? "," : "", t->opt.tasks[i].thread ? "thread" : "process",
			t->opt.tasks[i].id);
}

static void print_command(FILE *f, char **command)
{
	for (; *command; command++) {
		fputc(' ', f);
		terminal_print(f, 0, *command);
	}
}

/**
 * target_print() - print what is observed, each word after a blank
 */
void target_print(const struct target *t, FILE *f)
{
	const struct target_options *o = &t->opt;

	if (o->nr_tasks)
		print_tasks(t, f);
	else if (o->cgroup)
		fprintf(f, " cgroup %s", acrpmu_message_word(o->cgroup, strlen(o->cgroup)).text);
	else if (o->all)
		fputs(" all CPUs", f);
	else if (o->cpus && !o->command)
		fprintf(f, " CPUs %s", o->cpus);
	if (o->command && (o->all || o->cgroup))
		fputs(" during", f);
	if (o->command)
		print_command(f, o->command);
	if (o->cpus && (o->nr_tasks || o->cgroup || o->command))
		fprintf(f, " on CPUs %s", o->cpus);
}

/* ---- the command line --------------------------------------------------------------------- */

static int refuse_second(const struct target *t, const char *what)
{
	TARGET_SAY(t, "%s", what);
	return -EINVAL;
}

/**
 * target_take_option() - read an option about the target; others are left alone
 *
 * Return: 0, -EINVAL or -ENOMEM after a message.
 */
int target_take_option(struct target *t, int c, const char *arg)
{
	int err = 0;

	if (c == 'C' && t->opt.cpus)
		return refuse_second(t, "-C is given twice: give all CPUs in one list, such as "
				     "0,1");
	if (c == 'G' && t->opt.cgroup)
		return refuse_second(t, "-G is given twice: only one cgroup can be followed; "
				     "choose one, or one above both");
	if (c == 'G')
		t->opt.cgroup = arg;
	if (c == 'p' || c == 't')
		err = take_tasks(t, c == 'p' ? "-p" : "-t", arg);
	if (c == 'C')
		t->opt.cpus = arg;
	t->opt.all |= c == 'a';
	t->opt.inherit &= c != 'i';
	t->opt.pause_watchdog |= c == TARGET_OPT_WATCHDOG;
	return err;
}

/**
 * target_check() - check that the command line names one target
 *
 * Return: whether it does; if not, a message has been printed.
 */
bool target_check(const struct target *t)
{
	const struct target_options *o = &t->opt;

	if ((o->all && (o->cpus || o->nr_tasks)) || (o->nr_tasks && o->command)) {
		TARGET_SAY(t, "more than one target: choose one of -a, -p or -t, and a command (a "
			   "command may go with -a to limit the time, and -C with -p, -t or a "
			   "command names the CPUs on which it is %s)", t->text->done);
		return false;
	}
	if (o->cgroup && o->nr_tasks) {
		TARGET_SAY(t, "more than one target: choose -G, or -p and -t; a cgroup is %s with "
			   "all its tasks", t->text->done);
		return false;
	}
	if (!o->all && !o->cpus && !o->nr_tasks && !o->cgroup && !o->command) {
		TARGET_SAY(t, "nothing to %s: give a command after --, or -a, -C CPUS, -p PID, "
			   "-t TID or -G CGROUP", t->text->verb);
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
			   acrpmu_message_word(t->opt.cpus, strlen(t->opt.cpus)).text,
			   acrpmu_message_word(bad, strlen(bad)).text);
	else if (err == -ERANGE)
		TARGET_SAY(t, "-C '%s': no CPU has a number above %d, as at '%s'; see "
			   CPU_LIST_ONLINE,
			   acrpmu_message_word(t->opt.cpus, strlen(t->opt.cpus)).text, CPU_LIST_MAX,
			   acrpmu_message_word(bad, strlen(bad)).text);
	else if (err)
		TARGET_SAY(t, "there is no memory left for the list of CPUs");
	return err;
}

/**
 * target_find() - find the tasks that were given; fork a command, which then waits
 *
 * Return: 0, or -errno after a message.
 */
int target_find(struct target *t)
{
	int err = target_open_cgroup(t);

	if (err)
		return err;
	if (t->opt.command) {
		err = target_start_child(t);
		if (err) {
			TARGET_SAY(t, "fork: %s", strerror(-err));
			return err;
		}
	}
	if (is_cpus(t))
		return 0;
	return t->opt.nr_tasks ? find_tasks(t) : add_tid(t, t->child.pid);
}

/**
 * target_takes_all() - whether all CPUs are observed, also those that come online later
 */
bool target_takes_all(const struct target *t)
{
	return t->opt.all || (t->opt.cgroup && !t->opt.cpus);
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
	cpu_list_free(&t->later);
	free(t->tids);
	free(t->opt.tasks);
	target_forget_child(t);
	if (t->signal_fd >= 0)
		close(t->signal_fd);
	if (t->ends_fd >= 0)
		close(t->ends_fd);
	if (t->cgroup_fd >= 0)
		close(t->cgroup_fd);
}
