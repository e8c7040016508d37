// SPDX-License-Identifier: GPL-2.0-only
/* The command, which waits until it may call exec, and the signals that end it or acrctl. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../util/message.h"
#include "cmd.h"
#include "target.h"

/* exit statuses of shells: found but not executable, not found, ended by a signal */
#define EXIT_NOT_EXECUTABLE	126
#define EXIT_NOT_FOUND		127
#define EXIT_SIGNAL_BASE	128
/* time for a command to end after SIGTERM */
#define PATIENCE_S		3
#define MSEC_PER_SEC		1000

/* In place of the terminal it reads and writes nothing. */
static void leave_terminal(void)
{
	int fd, null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (isatty(fd))
			dup2(null, fd);
	}
}

/* Until exec the parent's mask holds: signals from the terminal stay pending for both. */
static _Noreturn void run_child(const struct target *t, int go_fd, int failed_fd)
{
	char **command = t->opt.command;
	char byte;
	int err;

	/* end of file: the parent gave up or was killed */
	if (read(go_fd, &byte, 1) != 1)
		_exit(EXIT_NOT_EXECUTABLE);
	sigaction(SIGPIPE, &t->signals.pipe, NULL);
	sigaction(SIGXFSZ, &t->signals.file_size, NULL);
	sigaction(SIGCHLD, &t->signals.child, NULL);
	sigprocmask(SIG_SETMASK, &t->signals.mask, NULL);
	if (t->opt.output_is_taken)
		dup2(STDERR_FILENO, STDOUT_FILENO);
	if (t->opt.terminal_is_taken)
		leave_terminal();
	execvp(command[0], command);
	err = errno;
	if (write(failed_fd, &err, sizeof(err)) != sizeof(err))
		_exit(EXIT_NOT_EXECUTABLE);
	_exit(err == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE);
}

/**
 * target_start_child() - fork the command; it waits for target_go()
 *
 * Return: 0 or -errno.
 */
int target_start_child(struct target *t)
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
		run_child(t, go[0], failed[1]);
	}
	close(go[0]);
	close(failed[1]);
	t->child.go_fd = go[1];
	t->child.failed_fd = failed[0];
	if (pid < 0)
		return -errno;
	t->child.pid = pid;
	return 0;
}

static struct message_word shown_name(const struct target *t)
{
	return acrpmu_message_word(t->opt.command[0], strlen(t->opt.command[0]));
}

/* A signal came before the command was started: to us, or to the process that waits. */
static int refuse_to_go(struct target *t, int sig)
{
	struct message_word name = shown_name(t);

	if (t->child.again)
		TARGET_SAY(t, "ended by signal %d (%s) before '%s' was started again", sig,
			   strsignal(sig), name.text);
	else
		TARGET_SAY(t, "ended by signal %d (%s) before '%s' was started; nothing was %s",
			   sig, strsignal(sig), name.text, t->text->done);
	return -EINTR;
}

/**
 * target_go() - let the command call exec
 *
 * Return: 0, or -errno after a message; -ENOEXEC if exec failed, with the reason in @t->child;
 * -EINTR if a signal came before, which @t->stop_signal or the status in @t->child names.
 */
int target_go(struct target *t)
{
	struct target_child *c = &t->child;
	ssize_t n;

	if (!c->pid)
		return 0;
	target_take_signals(t);
	if (t->stop_signal)
		return refuse_to_go(t, t->stop_signal);
	n = write(c->go_fd, "", 1);
	close(c->go_fd);
	c->go_fd = -1;
	if (n != 1) {
		target_reap(t, true);
		return refuse_to_go(t, WIFSIGNALED(c->status) ? WTERMSIG(c->status) : SIGPIPE);
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
		"acrctl: %s: cannot run '%s': %s; check its name, PATH and permissions\n",
		t->text->command, shown_name(t).text, strerror(c->exec_errno));
	return -ENOEXEC;
}

/**
 * target_reap() - check whether the command has ended, or wait until it has
 *
 * A command that waits for target_go() is not started any more once this waits for its end.
 */
void target_reap(struct target *t, bool wait)
{
	struct target_child *c = &t->child;
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
	/* another waitpid() got its status: report failure */
	if (pid < 0 && errno == ECHILD)
		c->status = W_EXITCODE(EXIT_FAILURE, 0);
	c->ended = pid == c->pid || (pid < 0 && errno == ECHILD);
}

/* It has a few seconds to end, fewer if a second signal comes; then it is killed. */
static void end_child(struct target *t)
{
	struct pollfd signals = { .fd = t->signal_fd, .events = POLLIN };
	unsigned int i;

	kill(t->child.pid, SIGTERM);
	for (i = 0; i < PATIENCE_S && !t->child.ended && !t->give_up; i++) {
		poll(&signals, 1, MSEC_PER_SEC);
		target_take_signals(t);
	}
	if (t->child.ended || t->give_up)
		return;
	fprintf(stderr,
		"acrctl: %s: '%s' has not ended %d seconds after SIGTERM; it is killed (SIGKILL)\n",
		t->text->command, shown_name(t).text, PATIENCE_S);
	kill(t->child.pid, SIGKILL);
}

/**
 * target_cut_child() - note that counting is over, so that target_finish_child() ends the command
 */
void target_cut_child(struct target *t)
{
	t->child.cut = t->child.pid && !t->child.ended;
}

/**
 * target_finish_child() - wait for the end of the command; after an error, or if cut, end it
 */
void target_finish_child(struct target *t, int err)
{
	struct target_child *c = &t->child;

	/* acrctl has failed or is done: the command runs for nothing */
	if ((err || c->cut) && c->pid && !c->ended && c->go_fd < 0 && !c->exec_errno)
		end_child(t);
	if (!t->give_up)
		target_reap(t, true);
}

/**
 * target_forget_child() - reset what is known of a command that has ended, so that it can run again
 */
void target_forget_child(struct target *t)
{
	if (t->child.go_fd >= 0)
		close(t->child.go_fd);
	if (t->child.failed_fd >= 0)
		close(t->child.failed_fd);
	t->child = (struct target_child){ .go_fd = -1, .failed_fd = -1, .again = true };
	if (t->opt.command)
		t->nr_tids = 0;
}

/* The exit status that a shell would report; 0 without a command, or if it was cut. */
static int child_status(const struct target_child *c)
{
	if (!c->pid || !c->ended || c->cut)
		return 0;
	if (c->exec_errno)
		return c->exec_errno == ENOENT ? EXIT_NOT_FOUND : EXIT_NOT_EXECUTABLE;
	if (WIFSIGNALED(c->status))
		return EXIT_SIGNAL_BASE + WTERMSIG(c->status);
	return WEXITSTATUS(c->status);
}

/**
 * target_exit_status() - exit status of acrctl after target_finish_child()
 *
 * Return: the status: that of the command, or ACRCTL_EXIT_FAILED, or 128 + N after signal N.
 */
int target_exit_status(const struct target *t, int err)
{
	const struct target_child *c = &t->child;
	/* a signal came before the command could be started */
	bool early = err == -EINTR && (t->stop_signal || WIFSIGNALED(c->status));

	if (c->exec_errno)
		return child_status(c);
	if (err && !early)
		return ACRCTL_EXIT_FAILED;
	if (t->stop_signal && (early || (c->pid && !c->ended)))
		return EXIT_SIGNAL_BASE + t->stop_signal;
	return child_status(c);
}

/* ---- signals: blocked, and taken one by one ------------------------------------------------ */

/* A signalfd also reports ignored signals, but nohup(1) must keep its effect. */
static void add_unless_ignored(sigset_t *set, int sig)
{
	struct sigaction now;

	if (!sigaction(sig, NULL, &now) && now.sa_handler != SIG_IGN)
		sigaddset(set, sig);
}

/**
 * target_open_signals() - block signals until target_take_signals() takes them
 *
 * Return: 0 or -errno.
 */
int target_open_signals(struct target *t)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	struct sigaction usual = { .sa_handler = SIG_DFL };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigaddset(&set, SIGCHLD);
	add_unless_ignored(&set, SIGHUP);
	add_unless_ignored(&set, SIGQUIT);
	/* with SIGCHLD ignored the kernel discards exit statuses */
	if (sigprocmask(SIG_BLOCK, &set, &t->signals.mask) ||
	    sigaction(SIGCHLD, &usual, &t->signals.child))
		return -errno;
	/* a closed pipe and a file at its limit are write errors, not the end */
	if (sigaction(SIGPIPE, &ignore, &t->signals.pipe) ||
	    sigaction(SIGXFSZ, &ignore, &t->signals.file_size))
		return -errno;
	t->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return t->signal_fd < 0 ? -errno : 0;
}

/**
 * target_take_signals() - take pending signals, which set @t->stop_signal and @t->child
 */
void target_take_signals(struct target *t)
{
	struct signalfd_siginfo info;

	while (read(t->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGCHLD) {
			target_reap(t, false);
			continue;
		}
		/* the first ends the command, the second acrctl in any case */
		t->give_up = !t->child.pid || t->stop_signal;
		t->stop_signal = info.ssi_signo;
		/* signals from the terminal have already reached the command */
		if (t->child.pid && !t->child.ended && !t->give_up && info.ssi_code <= 0)
			kill(t->child.pid, info.ssi_signo);
	}
}
