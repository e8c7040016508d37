// SPDX-License-Identifier: GPL-2.0-only
/* acrctl stat: its command line, and the order in which counting begins and ends. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmd.h"
#include "stat.h"

#define MAX_INTERVAL_MS	3600000
#define MAX_ROTATE_MS	10000
#define MAX_REPEAT	1000000
#define ROTATE_MS	10

static const char usage[] =
"Usage: acrctl stat [-e GROUP]... [--offcore-latency REQUEST[,REQUEST]...] [-I MS] [-r N] [-j]\n"
"                   [-A | --per-thread] [-o FILE] [-v] [-a | -C CPUS | -p PID | -t TID | -G CGROUP | -- COMMAND [ARG]...]\n"
"       acrctl stat --when COND [--window N] ...\n"
"\n"
"Count events, without samples. Events in braces count at the same time and are read together.\n"
"Groups that do not fit at once take turns; their counts are then estimates, printed with the share\n"
"of the time that each group ran.\n"
"\n"
"  -e, --event GROUP     events in perf's syntax, such as '{instructions,cycles}:u'\n"
"                        (default: instructions, cycles, ref-cycles, branches, branch-misses,\n"
"                        cache-references and cache-misses)\n"
"      --when COND       instead of -e: count the windows in which a condition holds, such as\n"
"                        'instructions / cycles > 2' or 'branch-misses / branches > 20%', and bound\n"
"                        their share of all windows\n"
WHEN_WINDOW_USAGE
"      --offcore-latency REQUEST,...\n"
"                        average latency of requests such as DMND_DATA_RD or DMND_RFO:u, on\n"
"                        Goldmont and Goldmont Plus\n"
RELOAD_USAGE
"      --twins           add a plain counter for each reloaded event, which by hardware has no\n"
"                        count otherwise\n"
"      --all-user        count user level only, except events with the modifier u or k\n"
"      --all-kernel      the same for kernel level\n"
"  -E, --events DIR      read named events from JSON files in perf's or Intel's form\n"
"  -- COMMAND            run a command and follow it; counting starts when it is executed\n"
"  -p, --pid PID[,PID]...  count running processes with all their threads until they end\n"
"  -t, --tid TID[,TID]...  count running threads until they end\n"
"  -G, --cgroup CGROUP   count the tasks of a cgroup (v2) and of those below it, on all CPUs or those of\n"
"                        -C, until Ctrl-C or while COMMAND runs\n"
"  -a, --all-cpus        count all CPUs, until Ctrl-C or while COMMAND runs\n"
"  -C, --cpu CPUS        count these CPUs, such as 0-3,5, until Ctrl-C; with -p or COMMAND the\n"
"                        process on these CPUs only\n"
"  -A, --no-aggr         with -a or -C: print each CPU on its own\n"
"      --per-thread      with -p or -t: print each thread on its own, with those that it creates\n"
"  -i, --no-inherit      do not follow new threads and processes\n"
"  -D, --delay MS        begin MS milliseconds after the target runs; -1: wait for 'enable' by --control\n"
"      --duration S      end S seconds after counting has begun, and then COMMAND\n"
"      --control fd:CTL[,ACK] | fifo:CTL[,ACK]\n"
"                        read the commands enable, disable, snapshot, ping and stop from CTL, a line\n"
"                        each, and answer 'ack' on ACK\n"
"  -I, --interval MS     print the counts of each interval\n"
"  -r, --repeat N        run COMMAND N times; print means and standard deviations\n"
"      --rotate MS       length of a turn (default: 10)\n"
"  -j, --json            print JSON, on standard output unless -o names a file\n"
"  -o, --output FILE     print to a file, - for standard output\n"
"      --pause-watchdog  stop the NMI watchdog while counting; it starts again however this ends\n"
"  -v, --verbose         first explain the groups and what is programmed\n"
"  -h, --help            show this help\n"
"\n"
"Text goes to standard error if a COMMAND runs, otherwise to standard output. If JSON or -o - uses\n"
"standard output, that of COMMAND is redirected to standard error.\n"
"The exit status is that of COMMAND, 128 + N if signal N ended it, 127 or 126 if it cannot be run;\n"
"otherwise 0, 1 if counting failed, a group never ran, or others kept all groups from running for\n"
"more than 1 % of the time, 2 for a wrong command line.\n";

static const char *const default_events[] = {
	"instructions", "cycles", "ref-cycles", "branches", "branch-misses", "cache-references",
	"cache-misses",
};

/* ---- the command line --------------------------------------------------------------------- */

enum {
	OPT_LATENCY = 256, OPT_TWINS, OPT_ROTATE, OPT_ALL_USER, OPT_ALL_KERNEL, OPT_THREADS,
};

/* Returns 0, or the exit status after a message. */
static int take_option(struct stat *st, int c, int argc, char **argv)
{
	struct stat_options *o = &st->opt;
	struct acrpmu_message message;
	int none = 0, err = 0;

	switch (c) {
	case 'e':
		/* not a usage error: memory ran out */
		return event_args_add(&o->groups, optarg, argc, argv, &optind) ?
		       ACRCTL_EXIT_FAILED : 0;
	case OPT_LATENCY:
		return event_args_add(&o->latency, optarg, 0, NULL, &none) ?
		       ACRCTL_EXIT_FAILED : 0;
	case 'I':
		err = event_args_number("stat", "-I", optarg, MAX_INTERVAL_MS, &o->interval_ms);
		break;
	case 'r':
		err = event_args_number("stat", "-r", optarg, MAX_REPEAT, &o->repeat);
		break;
	case OPT_ROTATE:
		err = event_args_number("stat", "--rotate", optarg, MAX_ROTATE_MS, &o->rotate_ms);
		break;
	case RELOAD_OPT_ACR:
		err = reload_take_option(&st->kinds.asked, c, optarg, &message);
		if (err)
			output_error("stat", &message, NULL);
		break;
	case 'E':
		o->events_dir = optarg;
		break;
	case 'o':
		o->output = optarg;
		break;
	}
	o->json |= c == 'j';
	o->per_cpu |= c == 'A';
	st->target.opt.listed |= c == 'A';
	o->per_thread |= c == OPT_THREADS;
	o->verbose |= c == 'v';
	o->twins |= c == OPT_TWINS;
	o->levels |= c == OPT_ALL_USER ? ACRPMU_PARSE_USER : 0;
	o->levels |= c == OPT_ALL_KERNEL ? ACRPMU_PARSE_KERNEL : 0;
	if (err || stat_condition_take_option(st, c, optarg) ||
	    control_take_option(&st->control, c, optarg))
		return ACRCTL_EXIT_USAGE;
	return target_take_option(&st->target, c, optarg) ? ACRCTL_EXIT_USAGE : 0;
}

static bool check_args(const struct stat *st)
{
	const struct stat_options *o = &st->opt;
	const struct target_options *t = &st->target.opt;
	const char *wrong = NULL;

	if (!target_check(&st->target) || !control_check(&st->control) ||
	    event_args_levels("stat", o->levels) || !tsc_check("stat"))
		return false;
	if (o->per_thread && o->per_cpu)
		wrong = "--per-thread and -A: a thread is counted on whatever CPU it runs; leave "
			"one of them out";
	else if (o->per_thread && !t->nr_tasks)
		wrong = "--per-thread: only threads that exist are counted one by one; give "
			"processes with -p, or threads with -t";
	else if (o->per_cpu && !t->all && !t->cgroup && (t->nr_tasks || t->command))
		wrong = "-A: tasks are counted wherever they run; give CPUs with -a, or with -C "
			"without a process or command";
	else if (o->repeat && !t->command)
		wrong = "-r: only a command can be run again; give one after --";
	else if (o->repeat && o->interval_ms)
		wrong = "-r and -I: intervals of several runs have no common mean; leave one of "
			"them out";
	else if (o->repeat && st->control.path)
		wrong = "-r and --control: runs that are switched by commands have no common "
			"mean; leave one of them out";
	else if (o->output && !*o->output)
		wrong = "-o: the name of the file is empty; name one, or - for standard output";
	if (wrong)
		fprintf(stderr, "acrctl: stat: %s\n", wrong);
	return !wrong;
}

/* Programs read our standard output: nothing else may go there. */
static bool takes_output(const struct stat_options *o)
{
	return o->output ? !strcmp(o->output, "-") : o->json;
}

/* Returns the exit status, or -1 to go on. */
static int parse_args(struct stat *st, int argc, char **argv)
{
	static const struct option options[] = {
		{ "event", required_argument, NULL, 'e' },
		{ "offcore-latency", required_argument, NULL, OPT_LATENCY },
		{ "acr", required_argument, NULL, RELOAD_OPT_ACR },
		{ "twins", no_argument, NULL, OPT_TWINS },
		{ "when", required_argument, NULL, WHEN_OPT_WHEN },
		{ "window", required_argument, NULL, WHEN_OPT_WINDOW },
		{ "events", required_argument, NULL, 'E' },
		{ "no-aggr", no_argument, NULL, 'A' },
		{ "per-thread", no_argument, NULL, OPT_THREADS },
		{ "interval", required_argument, NULL, 'I' },
		{ "repeat", required_argument, NULL, 'r' },
		{ "rotate", required_argument, NULL, OPT_ROTATE },
		{ "json", no_argument, NULL, 'j' },
		{ "output", required_argument, NULL, 'o' },
		{ "all-cpus", no_argument, NULL, 'a' },
		{ "cpu", required_argument, NULL, 'C' },
		{ "pid", required_argument, NULL, 'p' },
		{ "tid", required_argument, NULL, 't' },
		{ "cgroup", required_argument, NULL, 'G' },
		{ "no-inherit", no_argument, NULL, 'i' },
		{ "pause-watchdog", no_argument, NULL, TARGET_OPT_WATCHDOG },
		{ "delay", required_argument, NULL, 'D' },
		{ "duration", required_argument, NULL, CONTROL_OPT_DURATION },
		{ "control", required_argument, NULL, CONTROL_OPT_FILES },
		{ "all-user", no_argument, NULL, OPT_ALL_USER },
		{ "all-kernel", no_argument, NULL, OPT_ALL_KERNEL },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c, status;

	optind = 1;
	while ((c = getopt_long(argc, argv, "+:e:E:AI:r:jo:vh" TARGET_SHORT_OPTIONS
				CONTROL_SHORT_OPTIONS, options, NULL)) != -1) {
		if (c == '?' || c == ':')
			return option_refuse("stat", c, argv, options);
		if (c == 'h')
			return output_help(usage);
		status = take_option(st, c, argc, argv);
		if (status)
			return status;
	}
	status = stat_condition_take(st);
	if (status >= 0)
		return status;
	if (optind < argc)
		st->target.opt.command = argv + optind;
	st->target.opt.output_is_taken = takes_output(&st->opt);
	st->target.opt.delayed = st->control.delay_ms;
	return check_args(st) ? -1 : ACRCTL_EXIT_USAGE;
}

static int add_default_groups(struct stat *st)
{
	int none = 0, err = 0;
	unsigned int i;

	if (st->opt.groups.nr || st->opt.latency.nr)
		return 0;
	for (i = 0; !err && i < sizeof(default_events) / sizeof(*default_events); i++)
		err = event_args_add(&st->opt.groups, default_events[i], 0, NULL, &none);
	return err;
}

static int parse_groups(struct stat *st);

/* If they do not fit, windows that match are counted all the same. */
static int add_counters(struct stat *st)
{
	int err = stat_condition_add_counters(st);

	st->opt.twins = !err;
	if (err != -ENOSPC)
		return err;
	acrpmu_spec_free(st->spec);
	st->spec = NULL;
	return parse_groups(st);
}

static int parse_groups(struct stat *st)
{
	/* suggested periods are for sampling; here only events that take part in reload need one */
	const struct acrpmu_parse_options options = {
		.flags = ACRPMU_PARSE_COUNT | ACRPMU_PARSE_COUNT_ALL | ACRPMU_PARSE_TABLE_PERIOD |
			 st->opt.levels,
	};
	struct acrpmu_message message;
	int err;

	err = kinds_parse(&st->kinds, "stat", st->opt.events_dir, &st->opt.groups, &st->opt.when,
			  &options, &st->spec);
	if (err)
		return err;
	st->nr_groups = acrpmu_spec_nr_groups(st->spec);
	if (st->kinds.reload == RELOAD_HARDWARE && st->opt.when.condition && !st->opt.twins &&
	    !*st->no_shares.text)
		return add_counters(st);
	err = st->opt.twins ? acrpmu_spec_add_twins(st->spec, &message) : 0;
	if (err)
		output_error("stat", &message, &st->opt.groups);
	return err;
}

/* ---- the start ---------------------------------------------------------------------------- */

/**
 * stat_refuse_module() - say what the module cannot do
 *
 * Return: -EOPNOTSUPP.
 */
int stat_refuse_module(const struct stat *st, const char *cannot)
{
	fprintf(stderr,
		"acrctl: stat: the module cannot %s (its ABI version is %u, this is %d); install module and acrctl of one version\n",
		cannot, st->abi_version, ACRPMU_ABI_VERSION);
	return -EOPNOTSUPP;
}

static int query_device(struct stat *st)
{
	struct acrpmu_message message;
	struct acrpmu_cpu_info *cpus;
	struct acrpmu_info info;
	unsigned int i;
	int err;

	err = acrpmu_device_info(st->device, &info, &cpus);
	if (err) {
		acrpmu_explain(err, NULL, NULL, 0, &message);
		output_error("stat", &message, NULL);
		return err;
	}
	for (i = 0; i < info.nr_cpus && !*st->cpu; i++) {
		if (cpus[i].flags & ACRPMU_CPU_USABLE)
			snprintf(st->cpu, sizeof(st->cpu), "%s", cpus[i].name);
	}
	free(cpus);
	st->abi_version = info.abi_version;
	if (info.features & ACRPMU_FEATURE_PARK)
		return 0;
	return stat_refuse_module(st, "let groups take turns");
}

/* A wrong command line is refused even without the module. */
static int check_device(struct stat *st)
{
	if (st->device)
		return query_device(st);
	output_error("stat", &st->device_why, NULL);
	return -ENODEV;
}

/**
 * stat_open_output() - open what counts are printed to, unless it is open
 *
 * Return: 0, or -errno after a message.
 */
int stat_open_output(struct stat *st)
{
	const char *path = st->opt.output;

	if (st->out)
		return 0;
	st->out = st->opt.json || !st->target.opt.command ? stdout : stderr;
	if (!path)
		return 0;
	st->out = strcmp(path, "-") ? fopen(path, "we") : stdout;
	if (st->out)
		return 0;
	fprintf(stderr, "acrctl: stat: -o %s: %s; name another file\n", path, strerror(errno));
	return -errno;
}

static int close_output(struct stat *st)
{
	bool failed;

	/* output_finish() flushes standard output */
	if (!st->out || st->out == stdout || st->out == stderr)
		return 0;
	failed = ferror(st->out);
	if (!fclose(st->out) && !failed)
		return 0;
	fprintf(stderr, "acrctl: stat: writing %s failed; part of the output is missing\n",
		st->opt.output);
	return -EIO;
}

/**
 * stat_flush() - flush what was printed
 *
 * Return: 0, or -EIO; output_finish() has the message.
 */
int stat_flush(const struct stat *st)
{
	return fflush(st->out) || ferror(st->out) ? -EIO : 0;
}

static int prepare(struct stat *st)
{
	int err = control_open(&st->control);

	if (!err)
		err = target_open_signals(&st->target);
	if (!err)
		err = target_find(&st->target);
	if (!err)
		err = target_pause_watchdog(&st->target);
	return err;
}

/* Parse events and CPUs; returns the exit status, or -1 to go on. */
static int parse_targets(struct stat *st)
{
	int err = add_default_groups(st);

	if (!err)
		err = target_parse_cpus(&st->target);
	if (!err)
		err = stat_latency_check(st);
	if (err)
		return err == -EINVAL || err == -ERANGE ? ACRCTL_EXIT_USAGE : ACRCTL_EXIT_FAILED;
	/* before the groups, because events differ between kinds of CPUs */
	acrpmu_open(acrctl_ops, &st->device, &st->device_why);
	if (kinds_find(&st->kinds, st->device, &st->target))
		return ACRCTL_EXIT_FAILED;
	/* the names of latency events depend on the CPU */
	if (st->opt.latency.nr && (check_device(st) || stat_latency_add_groups(st)))
		return ACRCTL_EXIT_FAILED;
	err = parse_groups(st);
	if (!err)
		when_explain_window(st->spec, stderr, "acrctl: stat: ");
	if (!err)
		return *st->cpu || !check_device(st) ? -1 : ACRCTL_EXIT_FAILED;
	return err == -ENOMEM || err == -EOPNOTSUPP ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_USAGE;
}

static void release(struct stat *st)
{
	stat_sessions_close(st);
	stat_sessions_free(st);
	target_release(&st->target);
	control_close(&st->control);
	acrpmu_close(st->device);
	acrpmu_spec_free(st->spec);
	kinds_free(&st->kinds);
	event_args_free(&st->opt.groups);
	event_args_free(&st->opt.latency);
}

/**
 * cmd_stat() - acrctl stat
 *
 * Return: the exit status.
 */
int cmd_stat(int argc, char **argv)
{
	static const struct target_text text = { "stat", "count", "counted" };
	struct stat st = {
		.opt = { .rotate_ms = ROTATE_MS },
		.target = TARGET_INIT(&text),
		.control = CONTROL_INIT("stat"),
	};
	int err, status;

	status = parse_args(&st, argc, argv);
	if (status < 0)
		status = parse_targets(&st);
	if (status < 0) {
		err = prepare(&st);
		if (!err)
			err = stat_run(&st);
		target_finish_child(&st.target, err);
		if (close_output(&st) && !err)
			err = -EIO;
		status = target_exit_status(&st.target, err);
	}
	release(&st);
	return status;
}
