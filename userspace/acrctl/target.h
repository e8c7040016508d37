/* SPDX-License-Identifier: GPL-2.0-only */
/* Whom record and stat follow: a command to run, a process, or CPUs; what ends it. */
#ifndef _ACRCTL_TARGET_H
#define _ACRCTL_TARGET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "../lib/acrpmu_lib.h"
#include "watchdog.h"

/**
 * struct target_words - a command of acrctl in its messages
 * @command: its name
 * @verb: what it does
 * @done: the same, when it is done
 */
struct target_words {
	const char *command;
	const char *verb;
	const char *done;
};

/**
 * struct target_options - the command line, as far as it is about the target
 * @all: every CPU
 * @cpus: list of CPUs, NULL: not given
 * @pid: a process that exists, 0: not given
 * @command: a command to run, NULL: none
 * @inherit: follow new tasks too
 * @pause_watchdog: stop the NMI watchdog meanwhile
 * @output_is_taken: standard output is for our own results; that of @command goes to standard error
 */
struct target_options {
	bool all;
	const char *cpus;
	pid_t pid;
	char **command;
	bool inherit;
	bool pause_watchdog;
	bool output_is_taken;
};

/**
 * struct target_child - the command being followed
 * @pid: its process, 0: none
 * @go_fd: a byte here lets it call exec, -1: done
 * @failed_fd: its errno if exec fails
 * @status: of waitpid()
 * @ended: it has ended and @status is valid
 * @exec_errno: why exec failed, 0: it did not
 * @again: it has run before
 */
struct target_child {
	pid_t pid;
	int go_fd;
	int failed_fd;
	int status;
	bool ended;
	int exec_errno;
	bool again;
};

/**
 * struct target_signals - what is changed of the signals that acrctl was started with
 * @mask: signals blocked
 * @pipe: what SIGPIPE does
 * @child: what SIGCHLD does
 */
struct target_signals {
	sigset_t mask;
	struct sigaction pipe;
	struct sigaction child;
};

/**
 * struct target - the target
 * @words: who asks
 * @opt: the command line
 * @cpus: CPUs concerned
 * @nr_cpus: how many
 * @tids: threads that exist now, none for CPUs
 * @nr_tids: how many
 * @child: the command
 * @pid_fd: becomes readable when the process given ends, -1: none
 * @signal_fd: SIGINT and others that end it all, and SIGCHLD
 * @signals: signals as they were before
 * @stop_signal: signal that ended it, 0: none
 * @give_up: end without waiting for the command
 * @watchdog: the pause of the NMI watchdog
 */
struct target {
	const struct target_words *words;
	struct target_options opt;
	int *cpus;
	size_t nr_cpus;
	pid_t *tids;
	size_t nr_tids;
	struct target_child child;
	int pid_fd;
	int signal_fd;
	struct target_signals signals;
	int stop_signal;
	bool give_up;
	struct watchdog watchdog;
};

/* a target before anything is open */
#define TARGET_INIT(words_)							\
	{									\
		.words = (words_),						\
		.opt = { .inherit = true },					\
		.child = { .go_fd = -1, .failed_fd = -1 },			\
		.pid_fd = -1,							\
		.signal_fd = -1,						\
		.watchdog = { .keep_fd = -1, .done_fd = -1 },			\
	}

/* options that record and stat have in common, for getopt_long() */
#define TARGET_OPT_WATCHDOG	512
#define TARGET_SHORT_OPTIONS	"aC:p:i"

/* A line on stderr in the name of the command. */
#define TARGET_SAY(t, format, ...)	\
	fprintf(stderr, "acrctl: %s: " format "\n", (t)->words->command, ##__VA_ARGS__)

/* target.c */
int target_take_option(struct target *t, int c, const char *arg);
bool target_check(const struct target *t);
int target_parse_cpus(struct target *t);
int target_find(struct target *t);
bool target_misses_cpu(const struct target *t);
bool target_starts_at_exec(const struct target *t);
void target_session_options(const struct target *t, struct acrpmu_session_options *options);
int target_pause_watchdog(struct target *t);
void target_resume_watchdog(struct target *t);
void target_release(struct target *t);

/* target_signal.c */
int target_open_signals(struct target *t);
void target_take_signals(struct target *t);

/* target_child.c */
int target_start_child(struct target *t);
int target_go(struct target *t);
void target_reap(struct target *t, bool wait);
void target_finish_child(struct target *t, int err);
void target_forget_child(struct target *t);
int target_exit_status(const struct target *t, int err);

#endif /* _ACRCTL_TARGET_H */
