// SPDX-License-Identifier: GPL-2.0-only
/* acrctl record: its command line, and the order in which a recording begins and ends. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../lib/event_number.h"
#include "cmd.h"
#include "names.h"
#include "option.h"
#include "record.h"
#include "record_words.h"

/* longest wait for the watchdog's return; its helper goes on by itself */
#define RESUME_MS	5000

static const char usage[] =
"Usage: acrctl record -e GROUP [-e GROUP]... [-c N] [-o FILE] [-v] [-m PAGES]\n"
"                     [-a | -C CPUS | -p PID | -- COMMAND [ARG]...]\n"
"\n"
"Record samples of event groups into a file that perf and 'acrctl report' read.\n"
"\n"
"  -e, --event GROUP     events in perf's syntax, such as\n"
"                        '{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}'\n"
"  -c, --count N         period of events that have none of their own (default: the one that the\n"
"                        table of events suggests, if it has one)\n"
"  -E, --events DIR      read named events from JSON files in perf's or Intel's form\n"
"  -- COMMAND            run a command and follow it; counting starts when it is executed\n"
"  -p, --pid PID         follow a process that runs, all its threads, until it ends\n"
"  -a, --all-cpus        record all CPUs, until Ctrl-C or while COMMAND runs\n"
"  -C, --cpu CPUS        record these CPUs, such as 0-3,5, until Ctrl-C or while COMMAND runs\n"
"  -i, --no-inherit      do not follow new threads and processes\n"
"  -o, --output FILE     file to write (default: perf.data); an older one becomes FILE.old\n"
"  -m, --mmap-pages N    data pages of each ring, a power of 2 (default: 128)\n"
"  -B, --no-buildid      leave the table of build-ids out of the file\n"
"      --pause-watchdog  stop the NMI watchdog meanwhile; it is started again however this ends\n"
"  -q, --quiet           print no closing line\n"
"  -v, --verbose         first explain the groups: who reloads whom, periods and their ratio, and what\n"
"                        is programmed; show progress on a terminal with COMMAND too\n"
"  -h, --help            show this help\n"
"\n"
"The exit status is that of COMMAND, 128 + N if signal N ended it, 127 or 126 if it cannot be run;\n"
"otherwise 0, 1 if recording failed, 2 for a wrong command line.\n";

static bool parse_number(const char *what, const char *text, __u64 max, __u64 *value)
{
	size_t bad;

	if (!acrpmu_number_parse(text, strlen(text), value, &bad) && *value && *value <= max)
		return true;
	fprintf(stderr, "acrctl: record: %s '%s' is not a number from 1 to %llu\n", what, text,
		max);
	return false;
}

static bool parse_count(const char *text, __u64 *count)
{
	struct acrpmu_message message;

	if (!event_args_count(text, count, &message))
		return true;
	output_error("record", &message, NULL);
	return false;
}

static bool parse_output(const char *path)
{
	if (*path && strcmp(path, "-"))
		return true;
	fprintf(stderr,
		"acrctl: record: -o '%s': a recording cannot go into a pipe or to the terminal; name a file, and print it with 'acrctl script -i FILE'\n",
		path);
	return false;
}

static bool take_option(struct record_options *o, int c)
{
	__u64 value = 0;

	switch (c) {
	case 'p':
		if (!parse_number("-p", optarg, INT_MAX, &value))
			return false;
		o->pid = value;
		return true;
	case 'm':
		if (!parse_number("-m", optarg, ACRPMU_MAX_RING_PAGES, &value))
			return false;
		if (value & (value - 1)) {
			fprintf(stderr,
				"acrctl: record: -m %llu is not a power of 2; use 64, 128, 256 or another one up to %d\n",
				value, ACRPMU_MAX_RING_PAGES);
			return false;
		}
		o->ring_pages = value;
		return true;
	case 'c':
		return parse_count(optarg, &o->count);
	case 'E':
		o->events_dir = optarg;
		return true;
	case 'C':
		o->cpus = optarg;
		return true;
	case 'o':
		o->output = optarg;
		return parse_output(optarg);
	}
	return true;
}

static bool check_target(const struct record_options *o)
{
	int targets = o->all + !!o->cpus + !!o->pid;

	if (!o->groups.nr) {
		fprintf(stderr,
			"acrctl: record: no events: name a group with -e, see 'acrctl record --help'\n");
		return false;
	}
	if (targets > 1 || (o->pid && o->command)) {
		fprintf(stderr,
			"acrctl: record: more than one target: choose one of -a, -C, -p and a command (a command may go with -a or -C to limit the time)\n");
		return false;
	}
	if (!targets && !o->command) {
		fprintf(stderr,
			"acrctl: record: nothing to record: give a command after --, or -a, -C CPUS or -p PID\n");
		return false;
	}
	return true;
}

static int parse_args(struct record_options *o, int argc, char **argv)
{
	enum { OPT_WATCHDOG = 256 };
	static const struct option options[] = {
		{ "event", required_argument, NULL, 'e' },
		{ "count", required_argument, NULL, 'c' },
		{ "events", required_argument, NULL, 'E' },
		{ "all-cpus", no_argument, NULL, 'a' },
		{ "cpu", required_argument, NULL, 'C' },
		{ "pid", required_argument, NULL, 'p' },
		{ "no-inherit", no_argument, NULL, 'i' },
		{ "output", required_argument, NULL, 'o' },
		{ "mmap-pages", required_argument, NULL, 'm' },
		{ "no-buildid", no_argument, NULL, 'B' },
		{ "pause-watchdog", no_argument, NULL, OPT_WATCHDOG },
		{ "quiet", no_argument, NULL, 'q' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "+:e:c:E:aC:p:io:m:Bqvh", options, NULL)) != -1) {
		if (c == '?' || c == ':')
			return option_refuse("record", c, argv, options);
		if (!take_option(o, c))
			return ACRCTL_EXIT_USAGE;
		/* the words are there; it is memory that was not */
		if (c == 'e' && event_args_add(&o->groups, optarg, argc, argv, &optind))
			return ACRCTL_EXIT_FAILED;
		if (c == 'h')
			return fputs(usage, stdout) < 0 ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
		o->all |= c == 'a';
		o->quiet |= c == 'q';
		o->verbose |= c == 'v';
		o->inherit &= c != 'i';
		o->build_ids &= c != 'B';
		o->pause_watchdog |= c == OPT_WATCHDOG;
	}
	if (optind < argc)
		o->command = argv + optind;
	return check_target(o) ? -1 : ACRCTL_EXIT_USAGE;
}

static int parse_strings(struct record *r, const struct names *names,
			 struct acrpmu_message *message)
{
	struct acrpmu_parse_options options = {
		.size = sizeof(options),
		.flags = ACRPMU_PARSE_TABLE_PERIOD,
		.period = r->opt.count,
		.events = names->events,
	};
	struct acrpmu_cpu cpu;

	if (!acrpmu_events_cpu(names->events, &cpu))
		options.pmu = cpu.name;
	return acrpmu_spec_parse((const char *const *)r->opt.groups.strings, r->opt.groups.nr,
				 &options, &r->spec, message);
}

static int parse_groups(struct record *r)
{
	struct names names = { .command = "record", .dir = r->opt.events_dir };
	struct acrpmu_message message;
	int err;

	err = names_open(&names, &message);
	if (!err)
		err = parse_strings(r, &names, &message);
	if (!err)
		err = acrpmu_spec_check_sampled(r->spec, &message);
	if (err)
		output_error("record", &message, &r->opt.groups);
	else
		r->nr_groups = acrpmu_spec_nr_groups(r->spec);
	names_close(&names);
	return err;
}

static int open_device(struct record *r)
{
	struct acrpmu_message message;
	int err = acrpmu_open(acrctl_ops, &r->device, &message);

	if (err)
		output_error("record", &message, &r->opt.groups);
	return err;
}

/* Blocked, a signal is noticed even if it is ignored: nohup(1) must go on to protect from it. */
static void add_unless_ignored(sigset_t *set, int sig)
{
	struct sigaction now;

	if (!sigaction(sig, NULL, &now) && now.sa_handler != SIG_IGN)
		sigaddset(set, sig);
}

static int open_signals(struct record *r)
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
	/* where SIGCHLD is ignored the kernel throws exit statuses away */
	if (sigprocmask(SIG_BLOCK, &set, &r->signals.mask) ||
	    sigaction(SIGCHLD, &usual, &r->signals.child))
		return -errno;
	/* a closed pipe is an error of a write, not the end */
	if (sigaction(SIGPIPE, &ignore, &r->signals.pipe))
		return -errno;
	r->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return r->signal_fd < 0 ? -errno : 0;
}

static int pause_watchdog(struct record *r)
{
	const char *failed;
	int err;

	if (!r->opt.pause_watchdog)
		return 0;
	err = watchdog_pause(&r->watchdog, &watchdog_default_paths, &failed);
	if (err == -ENOENT && !strcmp(failed, watchdog_default_paths.control))
		return 0;
	if (err)
		fprintf(stderr,
			"acrctl: record: the NMI watchdog cannot be paused: %s: %s; run as root\n",
			failed, strerror(-err));
	return err;
}

/* The command, forked before this, keeps the limit it would have had. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

/* Events start by themselves when the command is executed, or else from here. */
static bool starts_at_exec(const struct record *r)
{
	return r->child.pid && r->nr_tids;
}

static int open_sideband(struct record *r)
{
	struct sideband_target t = {
		.tids = r->tids,
		.nr_tids = r->nr_tids,
		.cpus = r->cpus,
		.nr_cpus = r->nr_cpus,
		.inherit = r->opt.inherit,
		.enable_on_exec = starts_at_exec(r),
	};
	int err;

	raise_file_limit();
	err = sideband_open(&r->sideband, &t, RECORD_SAMPLE_TYPE);
	if (err)
		record_words_sideband(r, err);
	/* before /proc is read: what changes meanwhile is said twice rather than never */
	else if (!starts_at_exec(r))
		sideband_enable(&r->sideband, true);
	return err;
}

static int start(struct record *r)
{
	int err = 0;

	if (!starts_at_exec(r))
		err = record_sessions_switch(r, true);
	if (!err)
		err = record_target_go(r);
	return err ? err : record_place_publish(r);
}

/* Stop, take what is left and close the file; @err is what went wrong before. */
static int stop(struct record *r, int err)
{
	int ret = err;

	record_sessions_switch(r, false);
	sideband_enable(&r->sideband, false);
	if (!ret)
		ret = record_loop_drain(r);
	if (record_sessions_read(r) && !ret)
		ret = -EIO;
	if (record_file_finish(r) && !ret)
		ret = -EIO;
	return ret;
}

/* Everything is open: record and finish the file. */
static int record(struct record *r)
{
	int err = start(r);

	/* there is no recording, and no file of it */
	if (err)
		return err;
	err = stop(r, record_loop_run(r));
	record_words_closing(r, err);
	return err;
}

static int prepare(struct record *r)
{
	int err = record_place_check(r);

	if (!err)
		err = open_device(r);
	if (!err)
		err = open_signals(r);
	if (!err)
		err = record_target_find(r);
	if (!err)
		err = pause_watchdog(r);
	if (!err)
		err = record_sessions_open(r);
	if (!err && r->opt.verbose)
		record_words_sessions(r);
	if (!err)
		err = open_sideband(r);
	if (!err)
		err = record_file_begin(r);
	return err;
}

static void finish_child(struct record *r, int err)
{
	/* recording failed under way: the command's work is of no use */
	if (err && r->child.pid && !r->child.ended && r->child.go_fd < 0 && !r->child.exec_errno)
		record_target_end(r);
	if (!r->give_up)
		record_target_reap(r, true);
}

static void release(struct record *r)
{
	record_file_close(r);
	record_place_leave(r);
	sideband_close(&r->sideband);
	record_sessions_close(r);
	free(r->sessions);
	if (watchdog_resume(&r->watchdog, RESUME_MS))
		fprintf(stderr,
			"acrctl: record: the NMI watchdog comes back when the other sessions have ended\n");
	free(r->cpus);
	free(r->tids);
	if (r->child.go_fd >= 0)
		close(r->child.go_fd);
	if (r->child.failed_fd >= 0)
		close(r->child.failed_fd);
	if (r->signal_fd >= 0)
		close(r->signal_fd);
	if (r->pid_fd >= 0)
		close(r->pid_fd);
	acrpmu_close(r->device);
	acrpmu_spec_free(r->spec);
	event_args_free(&r->opt.groups);
}

static int exit_status(const struct record *r, int err)
{
	/* a signal came before the command could be started */
	bool early = err == -EINTR && (r->stop_signal || WIFSIGNALED(r->child.status));

	if (r->child.exec_errno)
		return record_target_status(r);
	if (err && !early)
		return ACRCTL_EXIT_FAILED;
	/* that, or gave up waiting for the command */
	if (r->stop_signal && (early || (r->child.pid && !r->child.ended)))
		return 128 + r->stop_signal;
	return record_target_status(r);
}

/* What the words of the command line mean; returns the exit status, or -1 if they are right. */
static int parse_words(struct record *r)
{
	int err = parse_groups(r);

	if (!err)
		err = record_target_cpus(r);
	if (!err)
		return -1;
	return err == -ENOMEM ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_USAGE;
}

/**
 * cmd_record() - acrctl record
 * @argc: number of arguments, the command's name included
 * @argv: the arguments
 *
 * Return: the exit status.
 */
int cmd_record(int argc, char **argv)
{
	struct record r = {
		.opt = { .output = "perf.data", .inherit = true, .build_ids = true },
		.argc = argc,
		.argv = argv,
		.file_fd = -1,
		.signal_fd = -1,
		.pid_fd = -1,
		.child = { .go_fd = -1, .failed_fd = -1 },
		.watchdog = { .keep_fd = -1, .done_fd = -1 },
	};
	int err, status;

	status = parse_args(&r.opt, argc, argv);
	if (status < 0)
		status = parse_words(&r);
	if (status < 0) {
		err = prepare(&r);
		if (!err)
			err = record(&r);
		finish_child(&r, err);
		status = exit_status(&r, err);
	}
	release(&r);
	return status;
}
