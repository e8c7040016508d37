// SPDX-License-Identifier: GPL-2.0-only
/* acrctl monitor: the command line, and which messages are printed. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"
#include "../../util/suggest.h"
#include "../../util/util.h"
#include "follow.h"

static const char usage[] =
"Usage: acrctl monitor [--topic LIST] [-p PID,...] [--session N] [--json] [-q]\n"
"\n"
"Show which sessions exist, and then what happens to sessions and CPUs, until Ctrl-C, until nobody\n"
"reads any more, or until the module is unloaded.\n"
"\n"
"  -t, --topic LIST   only these topics (default: all):\n"
"                       sessions   sessions: created, enabled, disabled, ended with their counts\n"
"                       conflicts  counters reserved, released, refused, or changed by others\n"
"                       losses     lost samples, and pauses because of too many overflows\n"
"                       cpus       CPUs that go online or offline, and those that sessions lose\n"
"  -p, --pid PID,...  only sessions that these processes have created, what they were refused,\n"
"                     and what others were refused because of them; may be repeated\n"
"      --session N    only this session; ends with it, if sessions is among the topics\n"
"  -j, --json         print JSON, an object on each line\n"
"  -q, --quiet        no notes on standard error\n"
"  -h, --help         show this help\n"
"\n"
"It takes CAP_PERFMON; without it users see only their own sessions, and only if the administrator\n"
"lets them observe their own tasks. The exit status is 0 when it was stopped or --session N has\n"
"ended, 1 when the module was unloaded or nothing can be monitored, 2 for a wrong command line.\n";

enum { OPT_SESSION = 1024 };

static const struct {
	const char *name;
	__u32 topic;
} topics[] = {
	{ "sessions", ACRPMU_NL_TOPIC_SESSIONS },
	{ "conflicts", ACRPMU_NL_TOPIC_CONFLICTS },
	{ "losses", ACRPMU_NL_TOPIC_LOSSES },
	{ "cpus", ACRPMU_NL_TOPIC_CPUS },
};

static int refuse_topic(const char *name)
{
	const struct message_word shown = acrpmu_message_word(name, strlen(name));
	struct suggestion best = { NULL };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(topics); i++)
		acrpmu_suggest_consider(&best, name, strlen(name), topics[i].name);
	fprintf(stderr, "acrctl: monitor: there is no topic '%s'; ", shown.text);
	if (best.word)
		fprintf(stderr, "did you mean '%s'?\n", best.word);
	else
		fprintf(stderr, "topics are sessions, conflicts, losses and cpus\n");
	return -EINVAL;
}

static int take_topic(struct follow *f, const char *name)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(topics); i++) {
		if (strcmp(name, topics[i].name))
			continue;
		f->topics |= topics[i].topic;
		return 0;
	}
	return refuse_topic(name);
}

static int take_pid(struct follow *f, const char *number)
{
	__u32 *more;
	__u64 pid;
	int err = event_args_number("monitor", "-p", number, INT_MAX, &pid);

	if (err)
		return err;
	more = reallocarray(f->pids, f->nr_pids + 1, sizeof(*more));
	if (!more) {
		output_no_memory("monitor");
		return -ENOMEM;
	}
	f->pids = more;
	more[f->nr_pids++] = pid;
	return 0;
}

/* Each word of a list. */
static int take_list(struct follow *f, const char *arg,
		     int (*take)(struct follow *f, const char *word))
{
	char *list = strdup(arg), *rest = list, *word;
	int err = 0;

	if (!list) {
		output_no_memory("monitor");
		return -ENOMEM;
	}
	while (!err && (word = strsep(&rest, ",")))
		err = take(f, word);
	free(list);
	return err;
}

static int take_option(struct follow *f, int c)
{
	switch (c) {
	case 't':
		return take_list(f, optarg, take_topic);
	case 'p':
		return take_list(f, optarg, take_pid);
	case OPT_SESSION:
		return event_args_number("monitor", "--session", optarg, LLONG_MAX, &f->session);
	case 'j':
		f->json = true;
		return 0;
	default:
		f->quiet = true;
		return 0;
	}
}

/* Returns an exit status, or -1 to go on. */
static int parse_options(struct follow *f, int argc, char **argv)
{
	static const struct option options[] = {
		{ "topic", required_argument, NULL, 't' },
		{ "pid", required_argument, NULL, 'p' },
		{ "session", required_argument, NULL, OPT_SESSION },
		{ "json", no_argument, NULL, 'j' },
		{ "quiet", no_argument, NULL, 'q' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, ":t:p:jqh", options, NULL)) != -1) {
		if (c == '?' || c == ':')
			return option_refuse("monitor", c, argv, options);
		if (c == 'h')
			return output_help(usage);
		if (take_option(f, c))
			return ACRCTL_EXIT_USAGE;
	}
	if (optind < argc) {
		fprintf(stderr,
			"acrctl: monitor: takes no argument '%s'; see 'acrctl monitor --help'\n",
			argv[optind]);
		return ACRCTL_EXIT_USAGE;
	}
	if (!f->topics)
		f->topics = ACRPMU_NL_TOPICS;
	return -1;
}

/**
 * cmd_monitor() - acrctl monitor
 *
 * Return: the exit status.
 */
int cmd_monitor(int argc, char **argv)
{
	struct follow f = { .listener = { .command = "monitor" } };
	int status = parse_options(&f, argc, argv);

	if (status < 0)
		status = follow_run(&f);
	free(f.pids);
	return status;
}
