// SPDX-License-Identifier: GPL-2.0-only
/* acrctl record: its command line, and the order in which a recording begins and ends. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/clock.h"
#include "../../util/message.h"
#include "../../util/util.h"
#include "../cmd.h"
#include "../pprof/pprof.h"
#include "record.h"

static const char usage[] =
"Usage: acrctl record [-e GROUP]... [-c N] [-o FILE] [-v] [-m PAGES]\n"
"                     [-a | -C CPUS | -p PID | -t TID | -G CGROUP | -- COMMAND [ARG]...]\n"
"       acrctl record --when COND [--window N | -F HZ] ...\n"
"       acrctl record --every TIME --for TIME [--push URL] ...\n"
"\n"
"Record samples of event groups into a file that perf and 'acrctl report' read.\n"
"\n"
"  -e, --event GROUP     events in perf's syntax, such as\n"
"                        '{cpu/instructions,period=200000,acr_mask=0x2/u,cpu/cycles,period=100000,acr_mask=0x3/u}'\n"
"                        (default: " SAMPLING_DEFAULT_EVENT ", with period 1000003)\n"
"  -c, --count N         period of events that have none of their own (default: the one that the\n"
"                        table of events suggests, if it has one)\n"
WHEN_USAGE WHEN_RATE_USAGE
SAMPLING_JITTER_USAGE
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
"      --switch-output[=signal | SIZE | TIME]\n"
"                        close the file and begin another one when SIGUSR2 comes, after SIZE of records\n"
"                        (such as 100M), or each TIME (such as 10m); each is named FILE.YYYYMMDDhhmmsscc\n"
"      --switch-max-files N  keep the last N of these files\n"
ROUND_ARGS_USAGE
PUSH_ARGS_USAGE
"      --push-labels LIST  labels of samples: some of cpu,comm,pid,tid,event,host,condition (default:\n"
"                        comm,event,condition; servers keep a series for each combination)\n"
"  -m, --mmap-pages N    data pages of each ring, a power of 2 (default: 128)\n"
"  -g                    record call chains: of user code by its frame pointers\n"
"      --call-graph fp   the same; there is no dwarf or lbr\n"
"      --max-stack N     most frames of a call chain, up to 127, which is the default; with -g\n"
"      --exclude-guest   drop samples taken inside guests (virtual machines)\n"
"  -z, --compression-level[=N]  compress records with zstd at level 1 to 22 (default: 1; 0: do not)\n"
"      --buildid-cache   add the files that samples hit to perf's build-id cache\n"
"  -N, --no-buildid-cache  do not, which is the default\n"
"      --buildid-dir DIR  that cache (default: ~/.debug)\n"
"  -B, --no-buildid      leave the table of build-ids out of the file\n"
"      --pause-watchdog  stop the NMI watchdog while recording; it starts again however this ends\n"
"  -q, --quiet           print no notes, no progress, and closing lines only if samples are lost\n"
"  -v, --verbose         first explain the groups: which event reloads which, periods and their ratio,\n"
"                        and register values; show progress on a terminal with COMMAND too; with\n"
"                        --every also print a line for each round\n"
"  -h, --help            show this help\n"
"\n"
"The exit status is that of COMMAND, 128 + N if signal N ended it, 127 or 126 if it cannot be run;\n"
"otherwise 0, 1 if recording failed, 2 for a wrong command line.\n";

enum {
	OPT_CALL_GRAPH = TARGET_OPT_WATCHDOG + 1, OPT_MAX_STACK, OPT_CACHE, OPT_CACHE_DIR,
	OPT_SWITCH, OPT_SWITCH_MAX, OPT_LABELS
};

static bool parse_output(struct record_options *o, const char *path)
{
	o->output = path;
	o->named = true;
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

static bool parse_call_graph(struct sampling_options *o, const char *mode)
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

static bool check_chains(const struct sampling_options *o)
{
	if (!o->max_stack || o->chains)
		return true;
	fprintf(stderr,
		"acrctl: record: --max-stack %u limits call chains, of which there are none; add -g, or leave it out\n",
		o->max_stack);
	return false;
}

static bool check_cache(const struct record_options *o)
{
	const char *why = o->stream ? "a stream ends before they are known" :
			  !o->build_ids ? "-B leaves build-ids out" : NULL;

	if (o->cache && why)
		fprintf(stderr,
			"acrctl: record: --buildid-cache adds the files that samples hit, and %s; leave one out\n",
			why);
	else if (o->cache_dir && !o->cache)
		fprintf(stderr,
			"acrctl: record: --buildid-dir has no effect without --buildid-cache; add that, or leave it out\n");
	return !(o->cache ? why : o->cache_dir);
}

static bool parse_level(struct record_options *o, const char *arg)
{
	__u64 level = PD_LEVEL_DEFAULT;

	/* 0 is perf's word for none */
	if (arg && event_args_number_or_0("record", "--compression-level", arg, PD_LEVEL_MAX,
					  &level))
		return false;
	o->level = level;
	return true;
}

static bool parse_labels(struct record_options *o, const char *list)
{
	o->labels_given = true;
	if (pprof_labels_parse(list, &o->labels))
		return true;
	fprintf(stderr,
		"acrctl: record: --push-labels '%s' is not a list of labels; choose from cpu,comm,pid,tid,event,host,condition\n",
		acrpmu_message_word(list, strlen(list)).text);
	return false;
}

static bool take_option(struct record *r, int c)
{
	struct sampling_options *o = &r->sm.opt;
	__u64 value = 0;

	switch (c) {
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
	case 'o':
		return parse_output(&r->opt, optarg);
	case 'z':
		return parse_level(&r->opt, optarg);
	case 'N':
	case OPT_CACHE:
		r->opt.cache = c == OPT_CACHE;
		return true;
	case OPT_CACHE_DIR:
		r->opt.cache_dir = optarg;
		return true;
	case OPT_LABELS:
		return parse_labels(&r->opt, optarg);
	case OPT_SWITCH:
		return record_switch_take(&r->next, optarg);
	case OPT_SWITCH_MAX:
		return !event_args_number("record", "--switch-max-files", optarg, RECORD_MAX_FILES,
					  &r->next.max_files);
	}
	return true;
}

static int parse_args(struct record *r, int argc, char **argv)
{
	static const struct option own[] = {
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
		{ "switch-output", optional_argument, NULL, OPT_SWITCH },
		{ "switch-max-files", required_argument, NULL, OPT_SWITCH_MAX },
		{ "every", required_argument, NULL, ROUND_OPT_EVERY },
		{ "for", required_argument, NULL, ROUND_OPT_FOR },
		{ "spread", required_argument, NULL, ROUND_OPT_SPREAD },
		{ "push-labels", required_argument, NULL, OPT_LABELS },
		{ "jitter", required_argument, NULL, SAMPLING_OPT_JITTER },
		{ "exclude-guest", no_argument, NULL, SAMPLING_OPT_EXCLUDE_GUEST },
		{ "compression-level", optional_argument, NULL, 'z' },
		{ "no-buildid", no_argument, NULL, 'B' },
		{ "buildid-cache", no_argument, NULL, OPT_CACHE },
		{ "no-buildid-cache", no_argument, NULL, 'N' },
		{ "buildid-dir", required_argument, NULL, OPT_CACHE_DIR },
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
		{ "all-user", no_argument, NULL, SAMPLING_OPT_ALL_USER },
		{ "all-kernel", no_argument, NULL, SAMPLING_OPT_ALL_KERNEL },
		{ "quiet", no_argument, NULL, 'q' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	const struct option *options = push_args_with(own);
	struct sampling_options *o = &r->sm.opt;
	int c, status;

	optind = 1;
	while ((c = getopt_long(argc, argv, "+:e:c:E:F:o:m:gz::BNqvh" TARGET_SHORT_OPTIONS
				CONTROL_SHORT_OPTIONS, options, NULL)) != -1) {
		if (c == '?' || c == ':')
			return option_refuse("record", c, argv, options);
		if (!take_option(r, c) || !round_args_take(&r->rounds, c, optarg) ||
		    !push_args_take(&r->push, c, optarg) ||
		    sampling_take_option(&r->sm, c, optarg) ||
		    control_take_option(&r->control, c, optarg))
			return ACRCTL_EXIT_USAGE;
		/* not a usage error: memory ran out */
		if (c == 'e' && event_args_add(&o->groups, optarg, argc, argv, &optind))
			return ACRCTL_EXIT_FAILED;
		if (c == 'h')
			return output_help(usage);
		o->quiet |= c == 'q';
		o->verbose |= c == 'v';
		r->opt.build_ids &= c != 'B';
	}
	status = sampling_take_condition(&r->sm);
	if (status >= 0)
		return status;
	if (optind < argc)
		r->sm.target.opt.command = argv + optind;
	r->sm.target.opt.output_is_taken = r->opt.stream;
	r->sm.target.opt.delayed = r->control.delay_ms;
	return target_check(&r->sm.target) && control_check(&r->control) &&
	       round_args_check(&r->rounds, r->push.options.access.url) &&
	       (!r->push.options.access.url || push_args_check(&r->push)) &&
	       check_chains(o) && check_cache(&r->opt) && record_switch_check(r) &&
	       record_rounds_check(r) && !event_args_levels("record", o->levels) ?
	       -1 : ACRCTL_EXIT_USAGE;
}

static int start(struct record *r)
{
	int err = 0;

	if (!target_starts_at_exec(&r->sm.target) && !r->sm.target.opt.delayed)
		err = sampling_sessions_switch(&r->sm, true);
	if (!err)
		err = target_go(&r->sm.target);
	return err ? err : record_publish_rename(r);
}

/* Stop, drain the rings and close the file; @err is what went wrong before. */
static int stop(struct record *r, int err)
{
	int ret;

	sampling_sessions_switch(&r->sm, false);
	sideband_enable(&r->sm.sideband, false);
	ret = record_loop_drain(r);
	if (err)
		ret = err;
	/* count what is left */
	if (r->write_err)
		record_loop_drain(r);
	if (sampling_sessions_read(&r->sm) && !ret)
		ret = -EIO;
	/* the next one could not begin, and is removed */
	if (r->file_fd < 0 || r->temp)
		return ret;
	if (record_file_finish(r) && !ret)
		ret = -EIO;
	if (r->next.on && record_switch_publish(r) && !ret)
		ret = -EIO;
	return ret;
}

/* Everything is open: record and finish the file. */
static int record(struct record *r)
{
	__u64 begin_ms = clock_now_ms(CLOCK_BOOTTIME);
	int err = start(r);

	/* nothing was recorded, and there is no file */
	if (err)
		return err;
	err = record_loop_run(r);
	r->ran_ms = clock_now_ms(CLOCK_BOOTTIME) - begin_ms;
	r->end_ns = clock_now_ns(CLOCK_REALTIME);
	err = stop(r, err);
	if (r->control.stop)
		target_cut_child(&r->sm.target);
	record_messages_closing(r, err);
	return !err && sampling_sessions_taken(&r->sm) ? -EBUSY : err;
}

static int prepare(struct record *r)
{
	int err = record_publish_check(r);

	record_switch_listen(&r->next);
	if (!err)
		err = record_keep_begin(r);
	if (!err)
		err = control_open(&r->control);
	if (!err)
		err = sampling_check_device(&r->sm);
	if (!err)
		err = target_open_signals(&r->sm.target);
	if (!err)
		err = target_find(&r->sm.target);
	if (!err)
		err = target_pause_watchdog(&r->sm.target);
	if (!err)
		err = sampling_sessions_open(&r->sm);
	if (!err && (r->sm.opt.verbose || r->opt.explain))
		record_messages_groups(r);
	if (!err)
		err = sampling_open_sideband(&r->sm);
	if (!err)
		err = record_file_begin(r);
	if (!err)
		record_switch_begin(r);
	return err;
}

/**
 * record_once() - make one recording of what was asked for; record_release() in any case
 *
 * Return: an exit status.
 */
int record_once(struct record *r)
{
	int status = sampling_parse(&r->sm), err;

	if (status >= 0)
		return status;
	err = prepare(r);
	if (!err)
		err = record(r);
	target_finish_child(&r->sm.target, err);
	return target_exit_status(&r->sm.target, err);
}

/**
 * record_release() - close and free everything
 */
void record_release(struct record *r)
{
	record_switch_free(&r->next);
	free(r->before);
	record_file_close(r);
	record_publish_discard(r);
	record_keep_end(r);
	control_close(&r->control);
	sampling_release(&r->sm);
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
		.opt = {
			.output = "perf.data", .fd = -1, .build_ids = true,
			.labels = 1U << PPROF_COMM | 1U << PPROF_EVENT | 1U << PPROF_CONDITION,
		},
		.argc = argc,
		.argv = argv,
		.sm.target = TARGET_INIT(&text),
		.control = CONTROL_INIT("record"),
		.file_fd = -1,
	};
	int status;

	r.sm.sink = record_loop_sink(&r);
	push_args_init(&r.push, "record", "acrctl: record: ");
	status = parse_args(&r, argc, argv);
	if (status < 0)
		status = r.rounds.every_ms ? record_rounds_run(&r) : record_once(&r);
	record_release(&r);
	push_args_free(&r.push);
	return status;
}
