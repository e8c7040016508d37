// SPDX-License-Identifier: GPL-2.0-only
/* Signals while a target is observed: blocked, and taken one by one. */
#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "target.h"

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
	/* a closed pipe is a write error, not the end */
	if (sigaction(SIGPIPE, &ignore, &t->signals.pipe))
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
