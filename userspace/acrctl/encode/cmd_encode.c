// SPDX-License-Identifier: GPL-2.0-only
/* acrctl encode: the registers that events would be programmed with, on this or any other CPU. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/util.h"
#include "encode.h"

static const char usage[] =
"Usage: acrctl encode [--pmu NAME] [--events DIR] [--acr HOW] [-c N] [--json] [-e] EVENTS...\n"
"       acrctl encode [--pmu NAME] [--events DIR] [--acr HOW] [--json] [--window N] --when COND\n"
"\n"
"Show the counters and register values that event groups would get, without touching any.\n"
"EVENTS are as for 'acrctl record'. An event for which neither a period is given nor its table\n"
"suggests one is shown as a plain counter.\n"
"\n"
"  -e, --event EVENTS   an event or group in perf's syntax, may be repeated\n"
"  -c, --count N        period of events that have none of their own, instead of the suggested one\n"
WHEN_USAGE
RELOAD_USAGE
"  -p, --pmu NAME       the CPU; 'list' names those known (default: that of this machine, or\n"
"                       " NAMES_DEFAULT_PMU " if this machine's is not known)\n"
"  -E, --events DIR     read named events from JSON files in perf's or Intel's form\n"
"  -j, --json           print JSON\n"
"  -h, --help           show this help\n"
"\n"
"'acrctl encode --pmu montecito --help' shows the options of that CPU, too.\n";

static int refuse(const struct encode *e, const struct acrpmu_message *m)
{
	if (e->json)
		return encode_print_json(encode_refusal_json(e, m)) ? ACRCTL_EXIT_FAILED :
								      ACRCTL_EXIT_USAGE;
	output_error("encode", m, &e->args);
	return ACRCTL_EXIT_USAGE;
}

/* ---- the command -------------------------------------------------------------------------- */

/* Returns an exit status, or -1 to go on. */
static int open_names(struct encode *e)
{
	struct acrpmu_message message;
	int err = names_open(&e->names, &message);

	if (err == -ENOMEM)
		return output_no_memory("encode");
	return err ? refuse(e, &message) : -1;
}

/* An event that names its CPU overrides a guess. Refused events have no groups. */
static void choose_by_event(struct encode *e)
{
	unsigned int i;

	for (i = 0; !e->spec && i < e->args.nr; i++)
		e->names.guessed &= !strstr(e->args.strings[i], "::");
	for (i = 0; e->names.guessed && e->spec && i < acrpmu_spec_nr_groups(e->spec); i++) {
		const struct acrpmu_spec_event *ev = acrpmu_spec_event(e->spec, i, 0);

		if (*ev->cpu && !acrpmu_cpu_by_name(ev->cpu, &e->cpu))
			e->names.guessed = false;
	}
}

/* Returns an exit status, or -1 to go on. */
static int refuse_cpu(struct encode *e)
{
	struct acrpmu_message m = { .code = "cpu-registers" };

	snprintf(m.text, sizeof(m.text), "the registers of %s are not known here",
		 acrpmu_events_cpuid(e->names.events));
	snprintf(m.hint, sizeof(m.hint), "'acrctl list' shows the names of its events and their "
		 "codes");
	return refuse(e, &m);
}

static int add_events(struct encode *e, const char *event, int argc, char **argv)
{
	return event_args_add(&e->args, event, argc, argv, &optind) ? ACRCTL_EXIT_FAILED : -1;
}

static int print_usage(const struct encode *e)
{
	const char *pmu = e->names.pmu;
	int status = output_help(usage);

	if (pmu && names_is_montecito(pmu, strlen(pmu)) && printf("\n%s", montecito_usage) < 0)
		status = ACRCTL_EXIT_FAILED;
	return status;
}

static const struct option options[] = {
	{ "event", required_argument, NULL, 'e' },
	{ "count", required_argument, NULL, 'c' },
	{ "when", required_argument, NULL, WHEN_OPT_WHEN },
	{ "window", required_argument, NULL, WHEN_OPT_WINDOW },
	{ "acr", required_argument, NULL, RELOAD_OPT_ACR },
	{ "pmu", required_argument, NULL, 'p' },
	{ "events", required_argument, NULL, 'E' },
	{ "json", no_argument, NULL, 'j' },
	{ "help", no_argument, NULL, 'h' },
};

static struct option all_options[ARRAY_SIZE(options) + MONTECITO_NR_OPTIONS + 1];

/* Returns an exit status, or -1 to go on. */
static int parse_options(struct encode *e, int argc, char **argv)
{
	struct acrpmu_message m;
	int c, status = -1;

	memcpy(all_options, options, sizeof(options));
	memcpy(all_options + ARRAY_SIZE(options), montecito_options, sizeof(montecito_options));
	optind = 1;
	/* in order, since events may come without -e; messages are printed here */
	while (status < 0 &&
	       (c = getopt_long(argc, argv, "-:e:c:p:E:jh", all_options, NULL)) != -1) {
		int bad = 0;

		if (c == 'e' || c == 1)
			status = add_events(e, optarg, argc, argv);
		else if (c == 'c')
			bad = event_args_count(optarg, &e->count, &m);
		else if (c == 'p')
			e->names.pmu = optarg;
		else if (c == 'E')
			e->names.dir = optarg;
		else if (c == 'j')
			e->json = true;
		else if (c == 'h' && !*e->wrong.code)
			return print_usage(e);
		else if (c == '?' || c == ':')
			bad = option_refusal(&m, "encode", c, argv, all_options);
		else if (c == WHEN_OPT_WHEN || c == WHEN_OPT_WINDOW)
			bad = when_take_option(&e->when, c, optarg, &m);
		else if (c == RELOAD_OPT_ACR)
			bad = reload_take_option(&e->asked, c, optarg, &m);
		else if (c != 'h')
			status = montecito_args_add(&e->montecito, c);
		/* printed at the end, when it is known whether as JSON */
		if (bad && !*e->wrong.code)
			e->wrong = m;
	}
	while (status < 0 && optind < argc) {
		const char *event = argv[optind++];

		status = add_events(e, event, argc, argv);
	}
	return status;
}

/*
 * The claim holds one general-purpose counter that in-tree perf chooses: check that the groups fit
 * whichever it is.
 */
static bool fits_beside_claim(const struct encode *e,
			      struct acrpmu_event_hw hw[][ACRPMU_MAX_EVENTS])
{
	unsigned int i;

	for (i = 0; i < ACRPMU_FIXED_BASE; i++) {
		if (e->cpu.cntrs & BIT_ULL(i) &&
		    acrpmu_encode_all(e->spec, &e->cpu, BIT_ULL(i), hw[0], NULL))
			return false;
	}
	return true;
}

/* Not an error: other kernels have no claim. */
static int warn_of_claim(const struct encode *e)
{
	unsigned int nr = acrpmu_spec_nr_groups(e->spec);
	struct acrpmu_event_hw (*hw)[ACRPMU_MAX_EVENTS];

	if (!encode_may_be_claimed(&e->cpu))
		return 0;
	hw = calloc(nr, sizeof(*hw));
	if (!hw)
		return -ENOMEM;
	if (!fits_beside_claim(e, hw))
		fprintf(stderr,
			"acrctl: encode: note: the claim that keeps in-tree perf off takes one general-purpose counter on "
			ENCODE_CLAIM_KERNELS
			", and the events may not fit beside it; leave one out there\n");
	free(hw);
	return 0;
}

/* Not an error here: the registers are shown, if need be with nothing in the extra one. */
static void warn_of_refusals(const struct encode *e)
{
	struct acrpmu_message m;
	unsigned int g;

	for (g = 0; g < acrpmu_spec_nr_groups(e->spec); g++) {
		if (acrpmu_spec_check_runnable(e->spec, g, e->cpu.name, &m) &&
		    (!strcmp(m.code, "extra-missing") || !strcmp(m.code, "event-pebs")))
			fprintf(stderr, "acrctl: encode: note: %s, and is refused where it would "
				"run; %s\n", m.text, m.hint);
	}
}

static int encode_groups(struct encode *e)
{
	unsigned int nr = acrpmu_spec_nr_groups(e->spec);
	struct acrpmu_event_hw (*hw)[ACRPMU_MAX_EVENTS] = calloc(nr, sizeof(*hw));
	struct acrpmu_message message;
	int status;

	if (!hw)
		return output_no_memory("encode");
	/* all or nothing: print only once every group has been encoded */
	if (acrpmu_encode_all(e->spec, &e->cpu, 0, hw[0], &message))
		status = refuse(e, &message);
	else if (warn_of_claim(e))
		status = output_no_memory("encode");
	else
		status = e->json ? encode_print_json(encode_groups_json(e, hw)) :
				   encode_print_text(e, hw);
	if (!status)
		warn_of_refusals(e);
	free(hw);
	return status;
}

/* ---- all of it ---------------------------------------------------------------------------- */

static int parse_as(struct encode *e, enum reload reload, struct acrpmu_message *message)
{
	bool software = reload == RELOAD_SOFTWARE;
	struct acrpmu_parse_options options = {
		.size = sizeof(options),
		.flags = ACRPMU_PARSE_COUNT | ACRPMU_PARSE_TABLE_PERIOD,
		.period = e->count,
		.events = e->names.events,
	};
	const struct acrpmu_condition_options how = {
		.size = sizeof(how),
		.flags = software ? ACRPMU_CONDITION_SOFTWARE : 0,
		.window = e->when.window,
	};
	int err;

	if (!acrpmu_events_cpu(e->names.events, &e->cpu) && !e->names.guessed)
		options.pmu = e->cpu.name;
	if (e->when.condition) {
		options.flags = 0;
		err = acrpmu_spec_parse_condition(e->when.condition, &how, &options, &e->spec,
						  message);
	} else {
		if (software)
			options.flags |= ACRPMU_PARSE_SOFTWARE;
		err = acrpmu_spec_parse((const char *const *)e->args.strings, e->args.nr, &options,
					&e->spec, message);
	}
	choose_by_event(e);
	return err;
}

/* The groups decide for which CPU they are, if none is chosen; then it is known what that has. */
static enum reload choose_reload(const struct encode *e)
{
	bool used = false;
	unsigned int g;

	for (g = 0; g < acrpmu_spec_nr_groups(e->spec); g++)
		used |= reload_is_used(e->spec, g);
	if (!used)
		return RELOAD_AUTO;
	if (e->asked != RELOAD_AUTO)
		return e->asked;
	return e->cpu.flags & ACRPMU_CPU_ACR ? RELOAD_HARDWARE : RELOAD_SOFTWARE;
}

/* Returns an exit status, or -1 to go on. */
static int parse(struct encode *e)
{
	enum reload as = e->asked;
	struct acrpmu_message message;
	struct acrpmu_cpu cpu;
	int err;

	if (as == RELOAD_AUTO && !e->names.guessed &&
	    !acrpmu_events_cpu(e->names.events, &cpu) && !(cpu.flags & ACRPMU_CPU_ACR))
		as = RELOAD_SOFTWARE;
	err = parse_as(e, as, &message);
	if (!err)
		e->reload = choose_reload(e);
	if (!err && e->reload == RELOAD_SOFTWARE && as == RELOAD_AUTO) {
		acrpmu_spec_free(e->spec);
		e->spec = NULL;
		err = parse_as(e, e->reload, &message);
	}
	if (err == -ENOMEM)
		return output_no_memory("encode");
	if (!err)
		return -1;
	names_explain_montecito(&e->args, &message);
	return refuse(e, &message);
}

static int encode_events(struct encode *e)
{
	static const struct acrpmu_message no_event = {
		.code = "no-event",
		.text = "no event is given",
		.hint = "name some, like 'cycles', or see 'acrctl encode --help'",
	};
	int status = open_names(e);

	if (status >= 0)
		return status;
	if (!e->args.nr)
		return refuse(e, &no_event);
	status = parse(e);
	if (status >= 0)
		return status;
	return *e->cpu.name ? encode_groups(e) : refuse_cpu(e);
}

/* Returns an exit status, or -1 to go on. */
static int take_condition(struct encode *e)
{
	const char *pmu = e->names.pmu;
	struct acrpmu_message m;

	if (when_check(&e->when, e->args.nr, e->count, &m))
		return refuse(e, &m);
	if (!e->when.condition)
		return -1;
	if (e->montecito.nr || (pmu && names_is_montecito(pmu, strlen(pmu)))) {
		m = (struct acrpmu_message){
			.code = "condition-cpu",
			.text = "conditions are not for " MONTECITO_NAME ": its counters restart "
				"no others",
			.hint = "choose another CPU with --pmu, or name events",
		};
		return refuse(e, &m);
	}
	return when_add(&e->when, &e->args) ? ACRCTL_EXIT_FAILED : -1;
}

/* Text begins with the CPU; JSON, which is for programs, and a refusal do not explain it. */
static void note_guess(const struct encode *e)
{
	if (e->names.guessed && e->args.nr)
		fprintf(stderr, "acrctl: encode: note: this machine's CPU is not known, so events "
			"are those of " NAMES_DEFAULT_PMU "; --pmu chooses another\n");
}

static int run(struct encode *e)
{
	const struct montecito_request montecito = {
		.names = &e->names,
		.words = e->args,
		.args = &e->montecito,
		.count = e->count,
		.json = e->json,
	};
	int status;

	if (*e->wrong.code)
		return refuse(e, &e->wrong);
	if (names_asks_for_list(e->names.pmu))
		return names_list_pmus(&e->names, e->json);
	status = take_condition(e);
	if (status < 0 && !e->when.condition)
		status = montecito_encode(&montecito);
	if (status >= 0)
		return status;
	status = encode_events(e);
	if (e->json || status)
		note_guess(e);
	return status;
}

/**
 * cmd_encode() - acrctl encode
 *
 * Return: the exit status.
 */
int cmd_encode(int argc, char **argv)
{
	struct encode e = { .names = { .command = "encode", .guess = NAMES_GUESS_OTHER } };
	int status;

	status = parse_options(&e, argc, argv);
	if (status < 0)
		status = run(&e);
	acrpmu_spec_free(e.spec);
	names_close(&e.names);
	event_args_free(&e.args);
	montecito_args_free(&e.montecito);
	return status;
}
