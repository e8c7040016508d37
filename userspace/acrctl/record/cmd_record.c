// SPDX-License-Identifier: GPL-2.0-only
/* acrctl record: its command line, and the order in which a recording begins and ends. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../../util/message.h"
#include "../../util/util.h"
#include "../cmd.h"
#include "../permission.h"
#include "record.h"

/* a prime, so that samples do not fall into step with loops */
#define DEFAULT_EVENT	"cycles:u"
#define DEFAULT_KERNEL_EVENT	"cycles:k"
#define DEFAULT_PERIOD	1000003

static const char usage[] =
"Usage: acrctl record [-e GROUP]... [-c N] [-o FILE] [-v] [-m PAGES]\n"
"                     [-a | -C CPUS | -p PID | -t TID | -G CGROUP | -- COMMAND [ARG]...]\n"
"       acrctl record --when COND [--window N | -F HZ] ...\n"
"\n"
"Record samples of event groups into a file that perf and 'acrctl report' read.\n"
"\n"
"  -e, --event GROUP     events in perf's syntax, such as\n"
"                        '{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}'\n"
"                        (default: " DEFAULT_EVENT ", with period 1000003)\n"
"  -c, --count N         period of events that have none of their own (default: the one that the\n"
"                        table of events suggests, if it has one)\n"
WHEN_USAGE WHEN_RATE_USAGE
RELOAD_USAGE
"      --all-user        sample user level only, except events with the modifier u or k\n"
"      --all-kernel      the same for kernel level\n"
"  -E, --events DIR      read named events from JSON files in perf's or Intel's form\n"
"  -- COMMAND            run a command and follow it; counting starts when it is executed\n"
"  -p, --pid PID[,PID]...  follow running processes with all their threads until they end\n"
"  -t, --tid TID[,TID]...  follow running threads until they end\n"
"  -G, --cgroup CGROUP   record the tasks of a cgroup (v2) and of those below it, on all CPUs or those of\n"
"                        -C, until Ctrl-C or while COMMAND runs\n"
"  -a, --all-cpus        record all CPUs, until Ctrl-C or while COMMAND runs\n"
"  -C, --cpu CPUS        record these CPUs, such as 0-3,5, until Ctrl-C; with -p or COMMAND the\n"
"                        process on these CPUs only\n"
"  -i, --no-inherit      do not follow new threads and processes\n"
"  -D, --delay MS        begin MS milliseconds after the target runs; -1: wait for 'enable' by --control\n"
"      --duration S      end S seconds after sampling has begun, and then COMMAND\n"
"      --control fd:CTL[,ACK] | fifo:CTL[,ACK]\n"
"                        read the commands enable, disable, snapshot, ping and stop from CTL, a line\n"
"                        each, and answer 'ack' on ACK\n"
"  -o, --output FILE     file to write (default: perf.data); an older one becomes FILE.old;\n"
"                        - for a stream on standard output, such as into 'perf report -i -'\n"
"  -m, --mmap-pages N    data pages of each ring, a power of 2 (default: 128)\n"
"  -g                    record call chains: of user code by its frame pointers\n"
"      --call-graph fp   the same; there is no dwarf or lbr\n"
"      --max-stack N     most frames of a call chain, up to 127, which is the default; with -g\n"
"      --exclude-guest   drop samples taken inside guests (virtual machines)\n"
"  -B, --no-buildid      leave the table of build-ids out of the file\n"
"      --pause-watchdog  stop the NMI watchdog while recording; it starts again however this ends\n"
"  -q, --quiet           print no closing line\n"
"  -v, --verbose         first explain the groups: which event reloads which, periods and their ratio,\n"
"                        and register values; show progress on a terminal with COMMAND too\n"
"  -h, --help            show this help\n"
"\n"
"The exit status is that of COMMAND, 128 + N if signal N ended it, 127 or 126 if it cannot be run;\n"
"otherwise 0, 1 if recording failed, 2 for a wrong command line.\n";

enum {
	OPT_EXCLUDE_GUEST = TARGET_OPT_WATCHDOG + 1, OPT_ALL_USER, OPT_ALL_KERNEL, OPT_CALL_GRAPH,
	OPT_MAX_STACK
};

static bool parse_count(const char *text, __u64 *count)
{
	struct acrpmu_message message;

	if (!event_args_count(text, count, &message))
		return true;
	output_error("record", &message, NULL);
	return false;
}

static bool parse_output(struct record_options *o, const char *path)
{
	o->output = path;
	o->stream = !strcmp(path, "-");
	if (!o->stream && *path)
		return true;
	if (!o->stream) {
		fprintf(stderr,
			"acrctl: record: -o '' names no file; name one, or - for standard output\n");
		return false;
	}
	o->output = "standard output";
	if (!isatty(STDOUT_FILENO))
		return true;
	fprintf(stderr,
		"acrctl: record: -o -: a terminal cannot show a recording; pipe it into 'acrctl report -i -' or 'perf report -i -'\n");
	return false;
}

static bool parse_call_graph(struct record_options *o, const char *mode)
{
	static const struct {
		const char *mode;
		const char *why;
	} others[] = {
		{ "dwarf", "needs a copy of the stack in each sample, which the module lacks" },
		{ "lbr", "needs the last branch records of the CPU, which the module ignores" },
	};
	struct message_word shown = acrpmu_message_word(mode, strlen(mode));
	unsigned int i;

	o->chains = !strcmp(mode, "fp");
	for (i = 0; !o->chains && i < ARRAY_SIZE(others); i++) {
		size_t len = strlen(others[i].mode);

		if (strncmp(mode, others[i].mode, len) || (mode[len] && mode[len] != ','))
			continue;
		fprintf(stderr,
			"acrctl: record: --call-graph %s %s; use --call-graph fp and build programs with -fno-omit-frame-pointer, or 'perf record --call-graph %s'\n",
			others[i].mode, others[i].why, shown.text);
		return false;
	}
	if (!o->chains)
		fprintf(stderr, "acrctl: record: --call-graph '%s' is not known; use fp\n",
			shown.text);
	return o->chains;
}

static bool check_chains(const struct record_options *o)
{
	if (!o->max_stack || o->chains)
		return true;
	fprintf(stderr,
		"acrctl: record: --max-stack %u limits call chains, of which there are none; add -g, or leave it out\n",
		o->max_stack);
	return false;
}

static bool take_option(struct record_options *o, int c)
{
	__u64 value = 0;

	switch (c) {
	case 'm':
		if (event_args_number("record", "-m", optarg, ACRPMU_MAX_RING_PAGES, &value))
			return false;
		if (value & (value - 1)) {
			fprintf(stderr,
				"acrctl: record: -m %llu is not a power of 2; use 64, 128, 256 or another one up to %d\n",
				value, ACRPMU_MAX_RING_PAGES);
			return false;
		}
		o->ring_pages = value;
		return true;
	case 'g':
		o->chains = true;
		return true;
	case OPT_CALL_GRAPH:
		return parse_call_graph(o, optarg);
	case OPT_MAX_STACK:
		if (event_args_number("record", "--max-stack", optarg, ACRPMU_MAX_STACK, &value))
			return false;
		o->max_stack = value;
		return true;
	case 'c':
		return parse_count(optarg, &o->count);
	case 'E':
		o->events_dir = optarg;
		return true;
	case 'o':
		return parse_output(o, optarg);
	}
	return true;
}

static bool take_when(struct record_options *o, int c)
{
	struct acrpmu_message message;

	if (!when_take_option(&o->when, c, optarg, &message))
		return true;
	output_error("record", &message, NULL);
	return false;
}

static bool take_reload(struct record *r, int c)
{
	struct acrpmu_message message;

	if (!reload_take_option(&r->kinds.asked, c, optarg, &message))
		return true;
	output_error("record", &message, NULL);
	return false;
}

/* Returns an exit status, or -1 to go on. */
static int take_condition(struct record_options *o)
{
	struct acrpmu_message message;

	if (when_check(&o->when, o->groups.nr, o->count, &message)) {
		output_error("record", &message, NULL);
		return ACRCTL_EXIT_USAGE;
	}
	if (o->when.condition && when_add(&o->when, &o->groups))
		return ACRCTL_EXIT_FAILED;
	return -1;
}

static int parse_args(struct record *r, int argc, char **argv)
{
	static const struct option options[] = {
		{ "event", required_argument, NULL, 'e' },
		{ "count", required_argument, NULL, 'c' },
		{ "when", required_argument, NULL, WHEN_OPT_WHEN },
		{ "window", required_argument, NULL, WHEN_OPT_WINDOW },
		{ "samples-per-sec", required_argument, NULL, WHEN_OPT_RATE },
		{ "acr", required_argument, NULL, RELOAD_OPT_ACR },
		{ "events", required_argument, NULL, 'E' },
		{ "output", required_argument, NULL, 'o' },
		{ "mmap-pages", required_argument, NULL, 'm' },
		{ "call-graph", required_argument, NULL, OPT_CALL_GRAPH },
		{ "max-stack", required_argument, NULL, OPT_MAX_STACK },
		{ "exclude-guest", no_argument, NULL, OPT_EXCLUDE_GUEST },
		{ "no-buildid", no_argument, NULL, 'B' },
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
		{ "quiet", no_argument, NULL, 'q' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	struct record_options *o = &r->opt;
	int c, status;

	optind = 1;
	while ((c = getopt_long(argc, argv, "+:e:c:E:F:o:m:gBqvh" TARGET_SHORT_OPTIONS
				CONTROL_SHORT_OPTIONS, options, NULL)) != -1) {
		if (c == '?' || c == ':')
			return option_refuse("record", c, argv, options);
		if (!take_option(o, c) || !take_when(o, c) || !take_reload(r, c) ||
		    target_take_option(&r->target, c, optarg) ||
		    control_take_option(&r->control, c, optarg))
			return ACRCTL_EXIT_USAGE;
		/* not a usage error: memory ran out */
		if (c == 'e' && event_args_add(&o->groups, optarg, argc, argv, &optind))
			return ACRCTL_EXIT_FAILED;
		if (c == 'h')
			return fputs(usage, stdout) < 0 ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
		o->quiet |= c == 'q';
		o->verbose |= c == 'v';
		o->build_ids &= c != 'B';
		o->exclude_guest |= c == OPT_EXCLUDE_GUEST;
		o->levels |= c == OPT_ALL_USER ? ACRPMU_PARSE_USER : 0;
		o->levels |= c == OPT_ALL_KERNEL ? ACRPMU_PARSE_KERNEL : 0;
	}
	status = take_condition(o);
	if (status >= 0)
		return status;
	if (optind < argc)
		r->target.opt.command = argv + optind;
	r->target.opt.output_is_taken = o->stream;
	r->target.opt.delayed = r->control.delay_ms;
	return target_check(&r->target) && control_check(&r->control) &&
	       check_chains(o) && !event_args_levels("record", o->levels) ?
	       -1 : ACRCTL_EXIT_USAGE;
}

static int add_default_group(struct record *r)
{
	struct record_options *o = &r->opt;
	const char *event = o->levels == ACRPMU_PARSE_KERNEL ? DEFAULT_KERNEL_EVENT :
							       DEFAULT_EVENT;
	int none = 0;

	if (o->groups.nr)
		return 0;
	if (!o->count)
		o->count = DEFAULT_PERIOD;
	fprintf(stderr,
		"acrctl: record: no events were given: sampling %s with period %llu; choose others with -e\n",
		event, o->count);
	return event_args_add(&o->groups, event, 0, NULL, &none);
}

static int parse_groups(struct record *r)
{
	const struct acrpmu_parse_options options = {
		.flags = ACRPMU_PARSE_TABLE_PERIOD | r->opt.levels, .period = r->opt.count,
	};
	struct acrpmu_message message;
	int err;

	err = kinds_parse(&r->kinds, "record", r->opt.events_dir, &r->opt.groups, &r->opt.when,
			  &options, &r->spec);
	if (err)
		return err;
	if (!r->opt.quiet)
		when_explain_window(r->spec, stderr, "acrctl: record: ");
	r->nr_groups = acrpmu_spec_nr_groups(r->spec);
	err = acrpmu_spec_check_sampled(r->spec, &message);
	if (err)
		output_error("record", &message, &r->opt.groups);
	return err;
}

/* A wrong command line is refused even without the module. */
static int check_device(const struct record *r)
{
	if (r->device)
		return permission_check("record", r->device) ?: record_adapt_check(r);
	output_error("record", &r->device_why, &r->opt.groups);
	return -ENODEV;
}

/* The command was forked before this and keeps its limit. */
static void raise_file_limit(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit) || limit.rlim_cur == limit.rlim_max)
		return;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
}

static int open_sideband(struct record *r)
{
	int err;

	raise_file_limit();
	err = sideband_open(&r->sideband, &r->target, RECORD_SAMPLE_TYPE);
	if (err)
		record_messages_sideband(r, err);
	/* before /proc is read: a change may then be recorded twice, but is never missed */
	else if (!target_starts_at_exec(&r->target))
		sideband_enable(&r->sideband, true);
	return err;
}

static int start(struct record *r)
{
	int err = 0;

	if (!target_starts_at_exec(&r->target) && !r->target.opt.delayed)
		err = record_sessions_switch(r, true);
	if (!err)
		err = target_go(&r->target);
	return err ? err : record_publish_rename(r);
}

/* Stop, drain the rings and close the file; @err is what went wrong before. */
static int stop(struct record *r, int err)
{
	int ret;

	record_sessions_switch(r, false);
	sideband_enable(&r->sideband, false);
	ret = record_loop_drain(r);
	if (err)
		ret = err;
	/* count what is left */
	if (r->write_err)
		record_loop_drain(r);
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

	/* nothing was recorded, and there is no file */
	if (err)
		return err;
	err = stop(r, record_loop_run(r));
	if (r->control.stop)
		target_cut_child(&r->target);
	record_messages_closing(r, err);
	return err;
}

static int prepare(struct record *r)
{
	int err = record_publish_check(r);

	if (!err)
		err = control_open(&r->control);
	if (!err)
		err = check_device(r);
	if (!err)
		err = target_open_signals(&r->target);
	if (!err)
		err = target_find(&r->target);
	if (!err)
		err = target_pause_watchdog(&r->target);
	if (!err)
		err = record_sessions_open(r);
	if (!err && r->opt.verbose)
		record_messages_groups(r);
	if (!err)
		err = open_sideband(r);
	if (!err)
		err = record_file_begin(r);
	return err;
}

static void release(struct record *r)
{
	record_file_close(r);
	record_publish_discard(r);
	sideband_close(&r->sideband);
	record_sessions_close(r);
	free(r->sessions);
	target_release(&r->target);
	control_close(&r->control);
	acrpmu_close(r->device);
	acrpmu_spec_free(r->spec);
	kinds_free(&r->kinds);
	event_args_free(&r->opt.groups);
}

/* Parse events and CPUs; returns the exit status, or -1 to go on. */
static int parse_targets(struct record *r)
{
	int err = add_default_group(r);

	if (!err)
		err = target_parse_cpus(&r->target);
	if (err)
		return err == -EINVAL || err == -ERANGE ? ACRCTL_EXIT_USAGE : ACRCTL_EXIT_FAILED;
	/* before the groups, because events differ between kinds of CPUs */
	acrpmu_open(acrctl_ops, &r->device, &r->device_why);
	err = kinds_find(&r->kinds, r->device, &r->target);
	if (err)
		return ACRCTL_EXIT_FAILED;
	err = parse_groups(r);
	if (!err)
		return -1;
	return err == -ENOMEM || err == -EOPNOTSUPP ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_USAGE;
}

/**
 * cmd_record() - acrctl record
 *
 * Return: the exit status.
 */
int cmd_record(int argc, char **argv)
{
	static const struct target_text text = { "record", "record", "recorded" };
	struct record r = {
		.opt = { .output = "perf.data", .build_ids = true },
		.argc = argc,
		.argv = argv,
		.target = TARGET_INIT(&text),
		.control = CONTROL_INIT("record"),
		.file_fd = -1,
	};
	int err, status;

	status = parse_args(&r, argc, argv);
	if (status < 0)
		status = parse_targets(&r);
	if (status < 0) {
		err = prepare(&r);
		if (!err)
			err = record(&r);
		target_finish_child(&r.target, err);
		status = target_exit_status(&r.target, err);
	}
	release(&r);
	return status;
}
