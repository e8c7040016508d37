/* SPDX-License-Identifier: GPL-2.0-only */
/* What record and stat observe: a command to run, a process, or CPUs; and what ends it. */
#ifndef _ACRCTL_TARGET_H
#define _ACRCTL_TARGET_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/types.h>

#include "../lib/acrpmu_lib.h"
#include "cpu_list.h"
#include "watchdog.h"

/* What messages call a command of acrctl: "record", "record", "recorded". */
struct target_text {
	const char *command;
	const char *verb;
	const char *done;
};

/* A process or thread that exists. */
struct target_task {
	pid_t id;
	pid_t process;			/* that it belongs to; 0: it has ended */
	bool thread;			/* only the thread @id */
};

/* The part of the command line that is about the target. */
struct target_options {
	bool all;			/* every CPU */
	const char *cpus;		/* list of CPUs, NULL: not given */
	struct target_task *tasks;	/* of -p and -t, in order */
	size_t nr_tasks;
	const char *cgroup;		/* name or path, NULL: not given */
	char **command;			/* to run, NULL: none */
	bool inherit;			/* follow new tasks too */
	bool pause_watchdog;
	bool output_is_taken;		/* redirect stdout of @command to stderr */
	bool terminal_is_taken;		/* leave no terminal to @command */
	bool delayed;			/* counting does not begin with the target */
	bool listed;			/* each CPU is printed: those that come later are not */
};

/* The process of the command. */
struct target_child {
	pid_t pid;			/* 0: none */
	int go_fd;			/* a byte here lets it call exec, -1: done */
	int failed_fd;			/* its errno if exec fails */
	int status;			/* of waitpid(), if @ended */
	bool ended;
	int exec_errno;			/* 0: exec did not fail */
	bool again;			/* the command has run before */
	bool cut;			/* it is ended because counting is over */
};

/* Signal mask and actions that acrctl was started with. */
struct target_signals {
	sigset_t mask;
	struct sigaction pipe;
	struct sigaction file_size;
	struct sigaction child;
};

struct target {
	const struct target_text *text;
	struct target_options opt;
	struct cpu_list cpus;		/* of -C, otherwise those online */
	struct cpu_list online;
	struct cpu_list later;		/* of all CPUs those that sessions reserve when they come */
	bool arrive;			/* the module reserves CPUs when tasks run there */
	pid_t *tids;			/* threads that exist now, none for CPUs */
	size_t nr_tids;
	struct target_child child;
	int cgroup_fd;			/* its directory, -1: none */
	int ends_fd;			/* readable when a process of -p has ended, -1: none */
	size_t nr_running;		/* of those, plus all threads of -t */
	int signal_fd;			/* SIGINT and others that end it all, and SIGCHLD */
	struct target_signals signals;
	int stop_signal;		/* that ended it, 0: none */
	bool give_up;			/* do not wait for the command */
	struct watchdog watchdog;
};

/* a target with nothing open */
#define TARGET_INIT(text_)							\
	{									\
		.text = (text_),						\
		.opt = { .inherit = true },					\
		.child = { .go_fd = -1, .failed_fd = -1 },			\
		.cgroup_fd = -1,						\
		.ends_fd = -1,							\
		.signal_fd = -1,						\
		.watchdog = { .keep_fd = -1, .done_fd = -1 },			\
	}

/* options that record and stat have in common, for getopt_long() */
#define TARGET_OPT_WATCHDOG	512
#define TARGET_SHORT_OPTIONS	"aC:p:t:G:i"

/* A line on stderr in the name of the command. */
#define TARGET_SAY(t, format, ...)	\
	fprintf(stderr, "acrctl: %s: " format "\n", (t)->text->command, ##__VA_ARGS__)

/* target.c */
int target_take_option(struct target *t, int c, const char *arg);
bool target_check(const struct target *t);
int target_parse_cpus(struct target *t);
int target_find(struct target *t);
void target_leave_out(struct target *t, struct target_task *task);
int target_find_new_threads(struct target *t);
bool target_takes_all(const struct target *t);
bool target_starts_at_exec(const struct target *t);
void target_take_ends(struct target *t);
bool target_has_ended(const struct target *t);
void target_print(const struct target *t, FILE *f);
int target_pause_watchdog(struct target *t);
void target_resume_watchdog(struct target *t);
void target_release(struct target *t);

/* target_cgroup.c */
int target_open_cgroup(struct target *t);

/* target_session.c */
int target_session_create(struct target *t, struct acrpmu_device *device,
			  const struct acrpmu_spec *spec, unsigned int group,
			  const struct cpu_list *cpus, struct acrpmu_session_options *options,
			  struct acrpmu_session **session, struct acrpmu_message *message);
int target_session_create_thread(struct target *t, struct acrpmu_device *device,
				 const struct acrpmu_spec *spec, unsigned int group,
				 const struct cpu_list *cpus,
				 struct acrpmu_session_options *options, pid_t tid,
				 struct acrpmu_session **session, struct acrpmu_message *message);

/* target_child.c */
int target_start_child(struct target *t);
int target_go(struct target *t);
void target_reap(struct target *t, bool wait);
void target_cut_child(struct target *t);
void target_finish_child(struct target *t, int err);
void target_forget_child(struct target *t);
int target_exit_status(const struct target *t, int err);
int target_open_signals(struct target *t);
void target_take_signals(struct target *t);

#endif /* _ACRCTL_TARGET_H */
