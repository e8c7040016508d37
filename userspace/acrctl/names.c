// SPDX-License-Identifier: GPL-2.0-only
/* Named events on the command line: of which CPU, from which files, and errors in those. */
#include "names.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../util/message.h"
#include "../util/suggest.h"
#include "../util/util.h"
#include "jsonout.h"

#define SHOWN_REPORTS	10
#define PREFIX_END	"::"	/* of a CPU, as libpfm writes it */

static void show_report(void *ctx, const char *line)
{
	struct names *names = ctx;

	if (names->nr_repeated) {
		names->nr_repeated--;
		return;
	}
	if (names->nr_reports++ < SHOWN_REPORTS)
		fprintf(stderr, "acrctl: %s: %s\n", names->command, line);
}

/* What the library advises is all that commands without --pmu can do. */
static void suggest_pmu(const struct names *names, struct acrpmu_message *message)
{
	if (names->guess == NAMES_NO_GUESS)
		return;
	if (!strcmp(message->code, "no-table"))
		acrpmu_message_hint(message, "name one of its directories with --pmu, or see "
				    "whether its mapfile.csv has that CPU");
	else if (!strcmp(message->code, "events-cpu"))
		acrpmu_message_hint(message, "choose that CPU with --pmu, or give the directory "
				    "of events of this one");
}

static int open_for(struct names *names, const char *pmu, const char *cpuid,
		    struct acrpmu_message *message)
{
	const struct acrpmu_events_options options = {
		.size = sizeof(options),
		.pmu = pmu,
		.cpuid = cpuid,
		.dir = names->dir,
		.report = show_report,
		.ctx = names,
		.cpu = pmu ? NULL : names->cpu,
	};
	int err = acrpmu_events_open(&options, &names->events, message);

	if (err)
		suggest_pmu(names, message);
	return err;
}

/* The library knows what can be counted, which Montecito is not. */
static void suggest_montecito(const struct names *names, struct acrpmu_message *message)
{
	const char *pmu = names->pmu;

	if (pmu && !strcmp(message->code, "unknown-pmu") &&
	    acrpmu_suggest_distance(pmu, strlen(pmu), MONTECITO_NAME) != SUGGEST_FAR)
		acrpmu_message_hint(message, "did you mean '" MONTECITO_NAME "'?");
}

static bool must_guess(const struct names *names)
{
	struct acrpmu_cpu cpu;

	if (names->guess == NAMES_NO_GUESS)
		return false;
	if (acrpmu_events_cpu(names->events, &cpu))
		return true;
	return names->guess == NAMES_GUESS_OTHER && !cpu.known;
}

/**
 * names_open() - find the named events
 *
 * The environment variable ACRCTL_CPUID is the CPU if --pmu is not given.
 *
 * Return: 0, or as acrpmu_events_open(); names_close() in any case.
 */
int names_open(struct names *names, struct acrpmu_message *message)
{
	const char *cpuid = getenv(NAMES_CPUID_ENV);
	int err;

	if (names->pmu || (cpuid && !*cpuid))
		cpuid = NULL;
	err = open_for(names, names->pmu, cpuid, message);
	if (err)
		suggest_montecito(names, message);
	if (names->pmu || cpuid || !names->guess || (err && err != -ENOENT) ||
	    (!err && !must_guess(names)))
		return err;
	acrpmu_events_close(names->events);
	names->events = NULL;
	names->guessed = true;
	/* the second attempt reads the same files and reports the same errors */
	names->nr_repeated = names->nr_reports;
	return open_for(names, NAMES_DEFAULT_PMU, NULL, message);
}

/**
 * names_close() - undo names_open()
 */
void names_close(struct names *names)
{
	if (names->nr_reports > SHOWN_REPORTS)
		fprintf(stderr, "acrctl: %s: and %u more like these\n", names->command,
			names->nr_reports - SHOWN_REPORTS);
	acrpmu_events_close(names->events);
	names->events = NULL;
	names->nr_reports = 0;
}

/**
 * names_asks_for_list() - whether --pmu asks for the names that it accepts
 */
bool names_asks_for_list(const char *pmu)
{
	return pmu && (!strcmp(pmu, "list") || !strcmp(pmu, "help"));
}

static struct json_object *pmu_json(const struct acrpmu_cpu *cpu)
{
	return jsonout_object("name", jsonout_text(cpu->name),
			      "short_name", jsonout_text(*cpu->short_name ? cpu->short_name : NULL),
			      "core", jsonout_text(cpu->core),
			      "pmu_version", jsonout_count(cpu->pmu_version),
			      "acr", jsonout_bool(cpu->flags & ACRPMU_CPU_ACR), NULL);
}

static struct json_object *pmus_json(void)
{
	/* its PMU has no version of CPUID's */
	static const struct acrpmu_cpu mont = {
		.name = MONTECITO_NAME,
		.short_name = MONTECITO_SHORT_NAME,
		.core = MONTECITO_CORE,
	};
	struct json_object *pmus = json_object_new_array();
	const char *name = NULL;
	struct acrpmu_cpu cpu;

	while ((name = acrpmu_cpu_next_name(name))) {
		if (!acrpmu_cpu_by_name(name, &cpu))
			jsonout_add(&pmus, pmu_json(&cpu));
	}
	jsonout_add(&pmus, pmu_json(&mont));
	return jsonout_object("schema", jsonout_text("acrctl-pmus/1"), "pmus", pmus, NULL);
}

static void print_pmus(const struct names *names)
{
	const char *name = NULL;
	struct acrpmu_cpu cpu;

	while ((name = acrpmu_cpu_next_name(name))) {
		if (!acrpmu_cpu_by_name(name, &cpu))
			printf("%-17s %-8s %-14s PMU version %u%s\n", cpu.name, cpu.short_name,
			       cpu.core, cpu.pmu_version,
			       cpu.flags & ACRPMU_CPU_ACR ? ", auto counter reload" : "");
	}
	printf("%-17s %-8s %-14s only encoded\n", MONTECITO_NAME, MONTECITO_SHORT_NAME,
	       MONTECITO_CORE);
	if (!names->events)
		return;
	while ((name = acrpmu_events_next_table(names->events, name))) {
		if (acrpmu_cpu_by_name(name, &cpu))
			printf("%-17s %-8s table of events\n", name, "");
	}
}

/**
 * names_list_pmus() - print what --pmu accepts; the events may be open or not
 *
 * Return: the exit status.
 */
int names_list_pmus(struct names *names, bool json)
{
	if (!json) {
		print_pmus(names);
		return ACRCTL_EXIT_DONE;
	}
	if (jsonout_print(pmus_json()))
		return output_no_memory(names->command);
	putchar('\n');
	return ACRCTL_EXIT_DONE;
}

/* Check whether @cpu, of @len bytes, is a name of Montecito. Case does not matter. */
bool names_is_montecito(const char *cpu, size_t len)
{
	static const char *const names[] = { MONTECITO_NAME, MONTECITO_SHORT_NAME };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (strlen(names[i]) == len && !strncasecmp(cpu, names[i], len))
			return true;
	}
	return false;
}

/* Return the length of "montecito::" at the start of an event or a pattern, 0 if it has none. */
size_t names_montecito_prefix(const char *text)
{
	const char *end = strstr(text, PREFIX_END);

	return end && names_is_montecito(text, end - text) ? end - text + strlen(PREFIX_END) : 0;
}

/* Explain a refusal that points at an event of Montecito where other CPUs' events are counted. */
void names_explain_montecito(const struct event_args *args, struct acrpmu_message *message)
{
	const unsigned int string = message->string, column = message->column;

	if (!column || string >= args->nr || column > strlen(args->strings[string]) ||
	    !names_montecito_prefix(args->strings[string] + column - 1))
		return;
	acrpmu_message_text(message, "other-cpu", "events of " MONTECITO_NAME " can be encoded "
			    "but not counted, nor mixed with those of other CPUs");
	acrpmu_message_hint(message, "'acrctl encode --pmu " MONTECITO_NAME "' shows their "
			    "registers");
	message->string = string;
	message->column = column;
}

/*
 * Check whether @pattern selects @name: the whole name if it has any of * ? [, else some of it.
 * Case does not matter.
 */
bool names_match(const char *name, const char *pattern)
{
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, name, FNM_CASEFOLD);
	return strcasestr(name, pattern);
}
