// SPDX-License-Identifier: GPL-2.0-only
/* Whom to record: the command to run, the tasks of a process, or CPUs. */
#include "record.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define ONLINE_FILE	"/sys/devices/system/cpu/online"
#define LIST_LEN	4096
#define MAX_CPU		65535
/* exit statuses of shells: found but not executable, not found, ended by a signal */
#define EXIT_NOT_EXECUTABLE	126
#define EXIT_NOT_FOUND		127
#define EXIT_SIGNAL_BASE	128
/* how long a command may take to end when it is asked to */
#define PATIENCE_S	3
#define MSEC_PER_SEC	1000

static int add_cpu(struct record *r, long cpu)
{
	int *more;
	size_t i;

	for (i = 0; i < r->nr_cpus; i++) {
		if (r->cpus[i] == cpu)
			return 0;
	}
	more = reallocarray(r->cpus, r->nr_cpus + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	r->cpus = more;
	more[r->nr_cpus++] = cpu;
	return 0;
}

/* "0-3,5": returns 0, or -EINVAL with the list's first bad place in @bad. */
static int parse_cpus(struct record *r, const char *list, const char **bad)
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
		if (last < first || last > MAX_CPU)
			return -EINVAL;
		for (; first <= last; first++) {
			if (add_cpu(r, first))
				return -ENOMEM;
		}
		at = end + 1;
		*bad = end;
	} while (*end == ',');
	return *end && *end != '\n' ? -EINVAL : 0;
}

static int online_cpus(struct record *r)
{
	char list[LIST_LEN];
	const char *bad;
	int err = -ENOENT;
	FILE *f = fopen(ONLINE_FILE, "re");

	if (f && fgets(list, sizeof(list), f))
		err = parse_cpus(r, list, &bad);
	if (f)
		fclose(f);
	if (err)
		fprintf(stderr, "acrctl: record: the online CPUs cannot be read from "
			ONLINE_FILE ": %s\n", strerror(-err));
	return err;
}

static int add_tid(struct record *r, pid_t tid)
{
	pid_t *more = reallocarray(r->tids, r->nr_tids + 1, sizeof(*more));

	if (!more)
		return -ENOMEM;
	r->tids = more;
	more[r->nr_tids++] = tid;
	return 0;
}

static int find_tasks(struct record *r)
{
	struct dirent *d;
	char path[64];
	DIR *dir;
	int err = 0;

	snprintf(path, sizeof(path), "/proc/%d/task", r->opt.pid);
	dir = opendir(path);
	if (!dir) {
		fprintf(stderr,
			"acrctl: record: there is no process %d; 'ps -e' lists those that exist\n",
			r->opt.pid);
		return -ESRCH;
	}
	while (!err && (d = readdir(dir))) {
		if (isdigit(d->d_name[0]))
			err = add_tid(r, atoi(d->d_name));
	}
	closedir(dir);
	r->pid_fd = syscall(SYS_pidfd_open, r->opt.pid, 0);
	if (!err && r->pid_fd < 0) {
		err = -errno;
		fprintf(stderr,
			"acrctl: record: process %d: %s; give the process, not one of its threads\n",
			r->opt.pid, strerror(-err));
	}
	return err;
}

/* Until it may go it has the parent's signals: what the terminal sends to both waits for both. */
static _Noreturn void run_child(const struct record *r, int go_fd, int failed_fd)
{
	char **command = r->opt.command;
	char byte;
	int err;

	/* end of file: the parent gave up or was killed */
	if (read(go_fd, &byte, 1) != 1)
		_exit(EXIT_NOT_EXECUTABLE);
	sigaction(SIGPIPE, &r->signals.pipe, NULL);
	sigaction(SIGCHLD, &r->signals.child, NULL);
	sigprocmask(SIG_SETMASK, &r->signals.mask, NULL);
	execvp(command[0], command);
	err = errno;
	if (write(failed_fd, &err, sizeof(err)) != sizeof(err))
		_exit(EXIT_NOT_EXECUTABLE);
	_exit(err == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

static int start_child(struct record *r)
{
	int go[2], failed[2];
	pid_t pid;

	if (pipe2(go, O_CLOEXEC))
		return -errno;
	if (pipe2(failed, O_CLOEXEC)) {
		close(go[0]);
		close(go[1]);
		return -errno;
	}
	fflush(NULL);
	pid = fork();
	if (!pid) {
		close(go[1]);
		close(failed[0]);
		run_child(r, go[0], failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	r->child.go_fd = go[1];
	r->child.failed_fd = failed[0];
	if (pid < 0)
		return -errno;
	r->child.pid = pid;
	return 0;
}

/**
 * record_target_cpus() - read the list of -C, if there is one
 * @r: the recording
 *
 * Return: 0, or -EINVAL or -ENOMEM after a message.
 */
int record_target_cpus(struct record *r)
{
	const char *bad;
	int err;

	if (!r->opt.cpus)
		return 0;
	err = parse_cpus(r, r->opt.cpus, &bad);
	if (err == -EINVAL)
		fprintf(stderr,
			"acrctl: record: -C '%s' is not a list of CPUs at '%s'; write it like 0-3,5\n",
			r->opt.cpus, bad);
	else if (err)
		fprintf(stderr, "acrctl: record: there is no memory left for the list of CPUs\n");
	return err;
}

/**
 * record_target_find() - find the tasks and CPUs to record; a command is forked but waits
 * @r: the recording, record_target_cpus() done
 *
 * Return: 0, or -errno after a message.
 */
int record_target_find(struct record *r)
{
	int err;

	if (r->opt.command) {
		err = start_child(r);
		if (err) {
			fprintf(stderr, "acrctl: record: fork: %s\n", strerror(-err));
			return err;
		}
	}
	if (r->nr_cpus)
		return 0;
	err = online_cpus(r);
	if (err || r->opt.all)
		return err;
	return r->opt.pid ? find_tasks(r) : add_tid(r, r->child.pid);
}

/* A signal came before the command was started: to us, or to the process that waits. */
static int refuse_to_go(struct record *r, int sig)
{
	fprintf(stderr,
		"acrctl: record: ended by signal %d (%s) before '%s' was started; nothing was recorded\n",
		sig, strsignal(sig), r->opt.command[0]);
	return -EINTR;
}

/**
 * record_target_go() - let the command call exec
 * @r: the recording
 *
 * Return: 0, or -errno after a message; -ENOEXEC if exec failed, with the reason in @r->child;
 * -EINTR if a signal came before, which @r->stop_signal or the status in @r->child names.
 */
int record_target_go(struct record *r)
{
	struct record_child *c = &r->child;
	ssize_t n;

	if (!c->pid)
		return 0;
	record_loop_signals(r);
	if (r->stop_signal)
		return refuse_to_go(r, r->stop_signal);
	n = write(c->go_fd, "", 1);
	close(c->go_fd);
	c->go_fd = -1;
	if (n != 1) {
		record_target_reap(r, true);
		return refuse_to_go(r, WIFSIGNALED(c->status) ? WTERMSIG(c->status) : SIGPIPE);
	}
	do {
		n = read(c->failed_fd, &c->exec_errno, sizeof(c->exec_errno));
	} while (n < 0 && errno == EINTR);
	close(c->failed_fd);
	c->failed_fd = -1;
	if (n != sizeof(c->exec_errno)) {
		c->exec_errno = 0;
		return 0;
	}
	fprintf(stderr,
		"acrctl: record: cannot run '%s': %s; check its name, PATH and permissions\n",
		r->opt.command[0], strerror(c->exec_errno));
	return -ENOEXEC;
}

/**
 * record_target_end() - end the command: recording has failed, and its work is of no use
 * @r: the recording
 *
 * It gets a few seconds for it, less if signals come meanwhile, then it is killed.
 */
void record_target_end(struct record *r)
{
	struct pollfd signals = { .fd = r->signal_fd, .events = POLLIN };
	const char *name = r->opt.command[0];
	unsigned int i;

	kill(r->child.pid, SIGTERM);
	for (i = 0; i < PATIENCE_S && !r->child.ended && !r->give_up; i++) {
		poll(&signals, 1, MSEC_PER_SEC);
		record_loop_signals(r);
	}
	if (r->child.ended || r->give_up)
		return;
	fprintf(stderr,
		"acrctl: record: '%s' has not ended %d seconds after SIGTERM; it is killed (SIGKILL)\n",
		name, PATIENCE_S);
	kill(r->child.pid, SIGKILL);
}

/**
 * record_target_reap() - find out whether the command has ended
 * @r: the recording
 * @wait: do not return before it has; a command that was never started is not started any more
 */
void record_target_reap(struct record *r, bool wait)
{
	struct record_child *c = &r->child;
	pid_t pid;

	if (c->go_fd >= 0 && wait) {
		close(c->go_fd);
		c->go_fd = -1;
	}
	if (!c->pid || c->ended)
		return;
	do {
		pid = waitpid(c->pid, &c->status, wait ? 0 : WNOHANG);
	} while (pid < 0 && errno == EINTR);
	/* somebody else has fetched its status: that it went well cannot be said */
	if (pid < 0 && errno == ECHILD)
		c->status = W_EXITCODE(EXIT_FAILURE, 0);
	c->ended = pid == c->pid || (pid < 0 && errno == ECHILD);
}

/**
 * record_target_status() - exit status that the command's end stands for, as in a shell
 * @r: the recording
 *
 * Return: the status; 0 without a command.
 */
int record_target_status(const struct record *r)
{
	const struct record_child *c = &r->child;

	if (!c->pid || !c->ended)
		return 0;
	if (c->exec_errno)
		return c->exec_errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	if (WIFSIGNALED(c->status))
		return EXIT_SIGNAL_BASE + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}
