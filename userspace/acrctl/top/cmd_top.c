// SPDX-License-Identifier: GPL-2.0-only
/* acrctl top: its command line, and the order in which it begins and ends. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../util/message.h"
#include "../ui/color.h"
#include "screen.h"

#define DEFAULT_DELAY_MS	2000
#define MIN_DELAY_MS		100
#define MAX_DELAY_S		86400
#define DEFAULT_ROWS		20
#define MAX_NUMBER		1000000000
/* of the recent samples in each interval, as perf has it */
#define KEEP			(7.0 / 8)

static const char usage[] =
"Usage: acrctl top [-e GROUP]... [-c N] [-d S] [-n N] [-s KEY,...] [--plain]\n"
"                  [-a | -C CPUS | -p PID | -t TID | -G CGROUP | -- COMMAND [ARG]...]\n"
"       acrctl top --when COND [--window N | -F HZ] ...\n"
"\n"
"Show the code with the most samples while they are taken, on a terminal or as blocks of text.\n"
"\n"
"  -e, --event GROUP     events in perf's syntax, see acrctl-events(7)\n"
"                        (default: " SAMPLING_DEFAULT_EVENT ", with period 1000003)\n"
"  -c, --count N         period of events that have none of their own (default: the one that the\n"
"                        table of events suggests, if it has one)\n"
WHEN_USAGE WHEN_RATE_USAGE
SAMPLING_JITTER_USAGE
RELOAD_USAGE
"      --all-user        sample user level only, except events with the modifier u or k\n"
"      --all-kernel      the same for kernel level\n"
"  -E, --events DIR      read named events from JSON files in perf's or Intel's form\n"
"  -a, --all-cpus        sample all CPUs, which is the default\n"
"  -C, --cpu CPUS        sample these CPUs, such as 0-3,5; with -p or COMMAND the process on these\n"
"                        CPUs only\n"
"  -p, --pid PID[,PID]...  follow running processes with all their threads\n"
"  -t, --tid TID[,TID]...  follow running threads\n"
"  -G, --cgroup CGROUP   follow the tasks of a cgroup (v2) and of those below it\n"
"  -- COMMAND            run a command and follow it; it gets no terminal\n"
"  -i, --no-inherit      do not follow new threads and processes\n"
"  -d, --delay S         seconds from one refresh to the next (default: 2)\n"
"  -n, --iterations N    end after so many refreshes\n"
"  -s, --sort KEY,...    distinguish samples by: comm, pid, tid, cpu, dso, sym (default: dso,sym)\n"
"      --per-cpu         the same as --sort cpu,dso,sym\n"
"      --per-task        the same as --sort comm,pid,dso,sym\n"
"  -z, --zero            show only samples of the last interval (default: recent ones, which count\n"
"                        7/8 as much with every refresh)\n"
"      --since-start     show all samples since the start\n"
"      --percent-limit P show only rows with at least P percent\n"
"      --entries N       show N rows (default: 20 in a block of text, on a terminal all; 0: all)\n"
"      --plain           print blocks of text on a terminal, too\n"
"      --stdio           the same, as perf calls it\n"
"  -m, --mmap-pages N    data pages of each ring, a power of 2 (default: 128)\n"
"      --exclude-guest   drop samples taken inside guests (virtual machines)\n"
"      --pause-watchdog  stop the NMI watchdog in the meantime; it starts again however this ends\n"
"  -h, --help            show this help\n"
"\n"
"On a terminal '?' explains the keys.  The exit status is that of COMMAND if it ended by itself;\n"
"otherwise 0, 1 if sampling failed, 2 for a wrong command line.\n";

enum {
	OPT_PER_CPU = TARGET_OPT_WATCHDOG + 1, OPT_PER_TASK, OPT_SINCE_START, OPT_PERCENT_LIMIT,
	OPT_ENTRIES, OPT_PLAIN,
};

/* ---- the command line --------------------------------------------------------------------- */

static int take_sort(struct top *t, const char *arg)
{
	static const struct view_command command = {
		.name = "top", .list_shown = "--sort", .choices = keys_choices,
		.nr_choices = HIST_NR_KEYS,
	};
	struct view_args args = { 0 };
	char *list = strdup(arg);
	bool good;

	if (!list) {
		TARGET_SAY(&t->sm.target, "there is no memory left for the command line");
		return -ENOMEM;
	}
	good = view_args_choose(&command, &args, list);
	free(list);
	if (good)
		memcpy(t->show.view.chosen, args.chosen, sizeof(t->show.view.chosen));
	return good ? 0 : -EINVAL;
}

static int take_percent(struct top *t, const char *arg)
{
	char *end;
	double percent = strtod(arg, &end);

	if (end != arg && !*end && percent >= 0 && percent <= 100) {
		t->show.view.min_percent = percent;
		return 0;
	}
	TARGET_SAY(&t->sm.target, "--percent-limit '%s' is not a number of percent from 0 to 100",
		   acrpmu_message_word(arg, strlen(arg)).text);
	return -EINVAL;
}

static int take_entries(struct top *t, const char *arg)
{
	t->opt.rows_given = true;
	return event_args_number_or_0("top", "--entries", arg, MAX_NUMBER, &t->opt.nr_rows);
}

static int take_option(struct top *t, int c, const char *arg)
{
	switch (c) {
	case 'd':
		return event_args_seconds("top", "-d", arg, MIN_DELAY_MS, MAX_DELAY_S,
					  &t->opt.delay_ms);
	case 'n':
		return event_args_number("top", "-n", arg, MAX_NUMBER, &t->opt.nr_refreshes);
	case 's':
		return take_sort(t, arg);
	case OPT_PER_CPU:
		show_per_cpu(&t->show);
		return 0;
	case OPT_PER_TASK:
		show_per_task(&t->show);
		return 0;
	case 'z':
		t->tally.keep = 0;
		return 0;
	case OPT_SINCE_START:
		t->show.view.recent = false;
		return 0;
	case OPT_PERCENT_LIMIT:
		return take_percent(t, arg);
	case OPT_ENTRIES:
		return take_entries(t, arg);
	case OPT_PLAIN:
		t->opt.plain = true;
		return 0;
	}
	return sampling_take_option(&t->sm, c, arg);
}

static int parse_options(struct top *t, int argc, char **argv)
{
	static const struct option options[] = {
		{ "event", required_argument, NULL, 'e' },
		{ "count", required_argument, NULL, 'c' },
		{ "when", required_argument, NULL, WHEN_OPT_WHEN },
		{ "window", required_argument, NULL, WHEN_OPT_WINDOW },
		{ "samples-per-sec", required_argument, NULL, WHEN_OPT_RATE },
		{ "acr", required_argument, NULL, RELOAD_OPT_ACR },
		{ "all-user", no_argument, NULL, SAMPLING_OPT_ALL_USER },
		{ "all-kernel", no_argument, NULL, SAMPLING_OPT_ALL_KERNEL },
		{ "events", required_argument, NULL, 'E' },
		{ "all-cpus", no_argument, NULL, 'a' },
		{ "cpu", required_argument, NULL, 'C' },
		{ "pid", required_argument, NULL, 'p' },
		{ "tid", required_argument, NULL, 't' },
		{ "cgroup", required_argument, NULL, 'G' },
		{ "no-inherit", no_argument, NULL, 'i' },
		{ "delay", required_argument, NULL, 'd' },
		{ "iterations", required_argument, NULL, 'n' },
		{ "sort", required_argument, NULL, 's' },
		{ "per-cpu", no_argument, NULL, OPT_PER_CPU },
		{ "per-task", no_argument, NULL, OPT_PER_TASK },
		{ "zero", no_argument, NULL, 'z' },
		{ "since-start", no_argument, NULL, OPT_SINCE_START },
		{ "percent-limit", required_argument, NULL, OPT_PERCENT_LIMIT },
		{ "entries", required_argument, NULL, OPT_ENTRIES },
		{ "plain", no_argument, NULL, OPT_PLAIN },
		{ "stdio", no_argument, NULL, OPT_PLAIN },
		{ "mmap-pages", required_argument, NULL, 'm' },
		{ "jitter", required_argument, NULL, SAMPLING_OPT_JITTER },
		{ "exclude-guest", no_argument, NULL, SAMPLING_OPT_EXCLUDE_GUEST },
		{ "pause-watchdog", no_argument, NULL, TARGET_OPT_WATCHDOG },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, "+:e:c:E:F:m:d:n:s:zh" TARGET_SHORT_OPTIONS, options,
				NULL)) != -1) {
		if (c == '?' || c == ':')
			return option_refuse("top", c, argv, options);
		if (c == 'h')
			return output_help(usage);
		if (take_option(t, c, optarg))
			return ACRCTL_EXIT_USAGE;
		/* not a usage error: memory ran out */
		if (c == 'e' && event_args_add(&t->sm.opt.groups, optarg, argc, argv, &optind))
			return ACRCTL_EXIT_FAILED;
	}
	return -1;
}

static bool check_times(const struct top *t)
{
	if (t->show.view.recent || t->tally.keep)
		return true;
	fprintf(stderr,
		"acrctl: top: --zero shows the last interval, and --since-start all of them; leave one of the two out\n");
	return false;
}

static int parse_args(struct top *t, int argc, char **argv)
{
	struct target_options *target = &t->sm.target.opt;
	int status = parse_options(t, argc, argv);

	if (status >= 0)
		return status;
	status = sampling_take_condition(&t->sm);
	if (status >= 0)
		return status;
	if (optind < argc)
		target->command = argv + optind;
	if (!target->cpus && !target->nr_tasks && !target->cgroup && !target->command)
		target->all = true;
	t->opt.plain |= !isatty(STDIN_FILENO) || !color_terminal(stdout);
	if (t->opt.plain && !t->opt.rows_given)
		t->opt.nr_rows = DEFAULT_ROWS;
	/* what a command prints must not be among the blocks, nor on the screen */
	target->output_is_taken = t->opt.plain;
	target->terminal_is_taken = !t->opt.plain;
	return check_times(t) && target_check(&t->sm.target) &&
	       !event_args_levels("top", t->sm.opt.levels) ? -1 : ACRCTL_EXIT_USAGE;
}

/* ---- the order ---------------------------------------------------------------------------- */

static int begin_table(struct top *t)
{
	int err = live_begin(&t->live, &t->sm);

	if (!err)
		err = tally_init(&t->tally, t->live.nr_events);
	t->show.nr_events = t->live.nr_events;
	t->samples_per_s = calloc(t->live.nr_events + 1, sizeof(*t->samples_per_s));
	if (err || !t->samples_per_s) {
		TARGET_SAY(&t->sm.target,
			   "there is no memory left for what runs; sample fewer CPUs with -C");
		return -ENOMEM;
	}
	return 0;
}

static int prepare(struct top *t)
{
	int err = sampling_check_device(&t->sm);

	if (!err)
		err = target_open_signals(&t->sm.target);
	if (!err)
		err = target_find(&t->sm.target);
	if (!err)
		err = target_pause_watchdog(&t->sm.target);
	if (!err)
		err = sampling_sessions_open(&t->sm);
	if (!err)
		err = sampling_open_sideband(&t->sm);
	if (!err)
		err = begin_table(t);
	return err;
}

static int start(struct top *t)
{
	int err = 0;

	top_loop_begin(t);
	if (!target_starts_at_exec(&t->sm.target))
		err = sampling_sessions_switch(&t->sm, true);
	if (!err)
		err = target_go(&t->sm.target);
	if (!err && !t->opt.plain)
		err = screen_open(t);
	return err;
}

static int run(struct top *t)
{
	int err = start(t);

	if (!err)
		err = top_loop_run(t);
	screen_close(t);
	sampling_sessions_switch(&t->sm, false);
	if (err)
		return err;
	/* the user has seen enough of the command */
	if (!t->sm.target.give_up)
		target_cut_child(&t->sm.target);
	top_closing(t);
	return sampling_sessions_taken(&t->sm) ? -EBUSY : 0;
}

static void release(struct top *t)
{
	tally_rows_free(&t->rows);
	tally_free(&t->tally);
	live_end(&t->live);
	free(t->samples_per_s);
	sampling_release(&t->sm);
}

/**
 * cmd_top() - acrctl top
 *
 * Return: the exit status.
 */
int cmd_top(int argc, char **argv)
{
	static const struct target_text text = { "top", "observe", "observed" };
	struct top t = {
		.opt = { .delay_ms = DEFAULT_DELAY_MS },
		.sm.target = TARGET_INIT(&text),
		.tally = { .max = TALLY_MAX_ENTRIES, .keep = KEEP },
		.show.view = { .recent = true },
	};
	int err, status;

	t.show.view.filter = t.show.filter;
	show_per_symbol(&t.show);
	t.sm.sink = top_loop_sink(&t);
	status = parse_args(&t, argc, argv);
	if (status < 0)
		status = sampling_parse(&t.sm);
	if (status < 0) {
		err = prepare(&t);
		if (!err)
			err = run(&t);
		target_finish_child(&t.sm.target, err);
		status = target_exit_status(&t.sm.target, err);
	}
	release(&t);
	return status;
}
