// SPDX-License-Identifier: GPL-2.0-only
/* acrctl ps: the sessions that exist, with what they hold. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>

#include "../jsonout.h"
#include "monitor.h"

static const char usage[] =
"Usage: acrctl ps [--json]\n"
"\n"
"Show which sessions exist: by which process and user they were created, what they count, and on\n"
"which counters of which CPUs.\n"
"\n"
"  -j, --json   print JSON\n"
"  -h, --help   show this help\n"
"\n"
"AGE is the time since the session was created; PID is '-' if the process has exited or is not\n"
"visible here. Events are as -e takes them. It takes CAP_PERFMON; without it users see only their\n"
"own sessions, and only if the administrator lets them observe their own tasks.\n";

struct ps {
	struct listener listener;
	bool json;
	struct moment now;
	struct ps_table table;
	struct json_object *sessions;	/* with @json */
};

static int add_session(struct ps *ps, const struct acrpmu_notice *session)
{
	struct known known = { NULL };
	struct known_session *k = known_add(&known, session);
	const struct item item = {
		.notice = session, .session = k, .now = ps->now,
	};
	int err = k ? known_set_events(k, &ps->listener.names, session) : -ENOMEM;

	if (!err && ps->json)
		jsonout_add(&ps->sessions, session_json(&item));
	else if (!err)
		err = ps_table_add(&ps->table, &item);
	known_free(&known);
	return err;
}

static int take_session(void *ctx, const struct acrpmu_notice *session)
{
	return add_session(ctx, session);
}

static int print(struct ps *ps)
{
	if (!ps->json) {
		if (ps->table.nr)
			ps_table_print(stdout, &ps->table);
		else
			fprintf(stderr, "acrctl: ps: there is no session\n");
		return ACRCTL_EXIT_DONE;
	}
	if (jsonout_print(jsonout_object("schema", jsonout_text("acrctl-ps/1"),
					 "time", time_json(ps->now.real_ns),
					 "sessions", ps->sessions, NULL)))
		return output_no_memory("ps");
	putchar('\n');
	return ACRCTL_EXIT_DONE;
}

static int run(struct ps *ps)
{
	struct acrpmu_message message = { .code = "" };
	int err = listener_open(&ps->listener);

	if (err)
		return ACRCTL_EXIT_FAILED;
	ps->now = moment_now();
	ps->sessions = ps->json ? json_object_new_array() : NULL;
	err = acrpmu_monitor_sessions(ps->listener.monitor, take_session, ps, &message);
	if (!err) {
		listener_note_limits(&ps->listener);
		return print(ps);
	}
	if (ps->json)
		json_object_put(ps->sessions);
	if (!*message.code)
		return output_no_memory("ps");
	output_error("ps", &message, NULL);
	return ACRCTL_EXIT_FAILED;
}

/* Returns an exit status, or -1 to go on. */
static int parse_options(struct ps *ps, int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, ":jh", options, NULL)) != -1) {
		if (c == 'h')
			return output_help(usage);
		if (c != 'j')
			return option_refuse("ps", c, argv, options);
		ps->json = true;
	}
	if (optind == argc)
		return -1;
	fprintf(stderr, "acrctl: ps: takes no argument '%s'; see 'acrctl ps --help'\n",
		argv[optind]);
	return ACRCTL_EXIT_USAGE;
}

/**
 * cmd_ps() - acrctl ps
 *
 * Return: the exit status.
 */
int cmd_ps(int argc, char **argv)
{
	struct ps ps = { .listener = { .command = "ps" } };
	int status = parse_options(&ps, argc, argv);

	if (status >= 0)
		return status;
	status = run(&ps);
	ps_table_free(&ps.table);
	listener_close(&ps.listener);
	return status;
}
