// SPDX-License-Identifier: GPL-2.0-only
/* acrctl list: the events that have names, of this or any other CPU. */
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/util.h"
#include "../../util/suggest.h"
#include "../jsonout.h"
#include "list.h"
#include "../../montecito/acrctl/montecito.h"

#define NEAREST_MAX	5
#define GP_CNTRS_MAX	32

static const char usage[] =
"Usage: acrctl list [PATTERN]... [--topic TOPIC] [--pmu NAME] [--events DIR] [--json]\n"
"\n"
"List events that have names: what each counts, how it is encoded, where it can count.\n"
"\n"
"  PATTERN              names that contain this, or with * ? [ ] match it as a whole, in upper\n"
"                       or lower case; glm::PATTERN for libpfm's names, which are listed only for\n"
"                       this, for a pattern without --json, or with --topic libpfm\n"
"  -t, --topic TOPIC    only events of this topic, such as pipeline or cache\n"
"  -p, --pmu NAME       the CPU, or a table of events; 'list' names those known (default: the CPU\n"
"                       of this machine, or " NAMES_DEFAULT_PMU " if it is not known)\n"
"  -E, --events DIR     read events from JSON files in perf's or Intel's form\n"
"  -j, --json           print JSON\n"
"  -h, --help           show this help\n"
"\n"
"ACRCTL_CPUID=GenuineIntel-6-DD-0 in the environment chooses the CPU, too. On a terminal output\n"
"goes through $PAGER, default 'less -FRX'.\n";

/* ---- JSON --------------------------------------------------------------------------------- */

static struct json_object *cntrs_json(__u64 cntrs)
{
	struct json_object *json = json_object_new_array();
	unsigned int i;

	for (i = 0; i < GP_CNTRS_MAX; i++) {
		if (cntrs & BIT_ULL(i))
			jsonout_add(&json, jsonout_count(i));
	}
	return json;
}

static struct json_object *extra_reg_json(const struct acrpmu_named *named)
{
	if (!named->extra_msr)
		return jsonout_null;
	return jsonout_object("msr", jsonout_hex(named->extra_msr),
			      "value", jsonout_hex(named->extra_value), NULL);
}

static struct json_object *fixed_json(const struct acrpmu_named *named)
{
	return named->fixed < 0 ? jsonout_null : jsonout_count(named->fixed);
}

/* The CPU as 'acrctl encode' prints it, unless another unit or kind of core counts the event. */
static const char *pmu_of(const struct list *list, const struct acrpmu_named *named)
{
	if (*list->cpu.name)
		return named->flags & ACRPMU_NAMED_OTHER_PMU ? named->pmu : list->cpu.name;
	return strcmp(named->pmu, acrpmu_events_pmu(list->names.events)) ? named->pmu :
	       acrpmu_events_table(list->names.events);
}

static struct json_object *event_json(const struct list *list, const struct acrpmu_named *named)
{
	return jsonout_object("name", jsonout_text(named->name),
			      "pmu", jsonout_text(pmu_of(list, named)),
			      "topic", jsonout_text(named->topic),
			      "desc", jsonout_text(named->desc),
			      "config", jsonout_hex(named->config),
			      "extra_reg", extra_reg_json(named),
			      "fixed", fixed_json(named),
			      "counters", cntrs_json(named->gp_cntrs),
			      "period", jsonout_count(named->period),
			      "deprecated", jsonout_bool(named->flags & ACRPMU_NAMED_DEPRECATED),
			      "pebs", jsonout_bool(named->flags & ACRPMU_NAMED_PEBS),
			      NULL);
}

/* Returns an exit status. */
static int print_json(const struct list *list)
{
	struct json_object *events = json_object_new_array(), *json;
	unsigned int i;

	for (i = 0; i < list->nr; i++)
		jsonout_add(&events, event_json(list, &list->found[i]));
	for (i = 0; i < list->nr_pfm; i++)
		jsonout_add(&events, event_json(list, &list->pfm[i].named));
	json = jsonout_object("schema", jsonout_text("acrctl-list/1"), "events", events, NULL);
	if (jsonout_print(json))
		return output_no_memory("list");
	putchar('\n');
	return ACRCTL_EXIT_DONE;
}

/* ---- nothing found ------------------------------------------------------------------------ */

static void suggest_topic(const struct list *list, const char *topic)
{
	struct suggestion best = { NULL };
	struct acrpmu_pfm_event pfm;
	struct acrpmu_named named;
	unsigned int i;

	for (i = 0; !acrpmu_events_get(list->names.events, i, &named); i++) {
		if (!strcasecmp(named.topic, topic))
			return;
		acrpmu_suggest_consider(&best, topic, strlen(topic), named.topic);
	}
	if (!acrpmu_events_get_pfm(list->names.events, 0, &pfm))
		acrpmu_suggest_consider(&best, topic, strlen(topic), ACRPMU_PFM_TOPIC);
	fprintf(stderr, "acrctl: list: there is no topic '%s'; ", topic);
	if (best.word)
		fprintf(stderr, "did you mean '%s'?\n", best.word);
	else
		fprintf(stderr, "'acrctl list' without --topic shows them all\n");
}

static void suggest_names(const struct list *list, const char *pattern)
{
	const char *nearest[NEAREST_MAX];
	char word[ACRPMU_NAME_LEN];
	unsigned int i, nr, len = 0;

	/* the name without wildcards */
	for (; *pattern && len < sizeof(word) - 1; pattern++) {
		if (!strchr("*?[]", *pattern))
			word[len++] = *pattern;
	}
	nr = acrpmu_events_nearest(list->names.events, word, len, nearest, NEAREST_MAX);
	for (i = 0; i < nr; i++)
		fprintf(stderr, "%s'%s'", !i ? "did you mean " : i + 1 < nr ? ", " : " or ",
			nearest[i]);
	fprintf(stderr, "%s\n", nr ? "?" : "'acrctl list' without a pattern shows them all");
}

/* Of libpfm's names, compare those of events, without unit masks. */
static void suggest_pfm(const struct list *list, const char *event)
{
	struct suggestion best = { NULL };
	struct acrpmu_pfm_event pfm;
	unsigned int i;

	for (i = 0; !acrpmu_events_get_pfm(list->names.events, i, &pfm); i++)
		acrpmu_suggest_consider(&best, event, strcspn(event, ":"), pfm.event);
	if (best.word)
		fprintf(stderr, "did you mean '%s::%s'?\n", list->cpu.short_name, best.word);
	else
		fprintf(stderr, "'acrctl list %s::' shows them all\n", list->cpu.short_name);
}

static int nothing_found(const struct list *list, const struct list_wanted *wanted)
{
	const char *table = acrpmu_events_table(list->names.events);
	unsigned int i;

	if (wanted->topic)
		suggest_topic(list, wanted->topic);
	for (i = 0; i < wanted->nr_patterns; i++) {
		fprintf(stderr, "acrctl: list: no event of %s%s%s has a name like '%s'; ",
			*table ? table : "this CPU", wanted->topic ? " of the topic " : "",
			wanted->topic ? wanted->topic : "", wanted->patterns[i]);
		if (strstr(wanted->patterns[i], "::"))
			suggest_pfm(list, strstr(wanted->patterns[i], "::") + strlen("::"));
		else
			suggest_names(list, wanted->patterns[i]);
	}
	return ACRCTL_EXIT_FAILED;
}

/* ---- the command -------------------------------------------------------------------------- */

static int print(struct list *list, const struct list_wanted *wanted)
{
	struct acrpmu_message message;
	int err, status = ACRCTL_EXIT_DONE;

	if (acrpmu_events_missing(list->names.events, &message)) {
		output_error("list", &message, NULL);
		status = ACRCTL_EXIT_FAILED;
		return wanted->json && print_json(list) ? ACRCTL_EXIT_FAILED : status;
	}
	err = list_choose(list, wanted, &message);
	if (err == -ENOMEM)
		return output_no_memory("list");
	if (err) {
		output_error("list", &message, NULL);
		return ACRCTL_EXIT_USAGE;
	}
	if (!list->nr && !list->nr_pfm)
		status = nothing_found(list, wanted);
	if (wanted->json)
		return print_json(list) ? ACRCTL_EXIT_FAILED : status;
	if (!status && list_print_text(list))
		status = ACRCTL_EXIT_FAILED;
	return status;
}

static int run(struct list *list, const struct list_wanted *wanted)
{
	bool pmus = names_asks_for_list(list->names.pmu);
	const struct montecito_request montecito = {
		.names = &list->names,
		.words = { .strings = wanted->patterns, .nr = wanted->nr_patterns },
		.topic = wanted->topic,
		.json = wanted->json,
	};
	struct acrpmu_message message;
	char cpu[ACRPMU_NAME_LEN];
	int err, status = montecito_list(&montecito);

	if (status >= 0)
		return status;
	if (pmus)
		list->names.pmu = NULL;
	/* "glm::ICACHE" says which CPU, too */
	else if (!list->names.pmu && !getenv(NAMES_CPUID_ENV))
		list->names.pmu = list_cpu_of_patterns(wanted, cpu, sizeof(cpu));
	err = names_open(&list->names, &message);
	if (err == -ENOMEM)
		return output_no_memory("list");
	if (pmus)
		return names_list_pmus(&list->names, wanted->json);
	if (err) {
		output_error("list", &message, NULL);
		return ACRCTL_EXIT_USAGE;
	}
	if (acrpmu_events_cpu(list->names.events, &list->cpu))
		list->cpu = (struct acrpmu_cpu){ .name = "" };
	return print(list, wanted);
}

/* Returns an exit status, or -1 to go on. */
static int parse_options(struct list *list, struct list_wanted *wanted, int argc, char **argv)
{
	static const struct option options[] = {
		{ "topic", required_argument, NULL, 't' },
		{ "pmu", required_argument, NULL, 'p' },
		{ "events", required_argument, NULL, 'E' },
		{ "json", no_argument, NULL, 'j' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int c;

	optind = 1;
	while ((c = getopt_long(argc, argv, ":t:p:E:jh", options, NULL)) != -1) {
		if (c == 't')
			wanted->topic = optarg;
		else if (c == 'p')
			list->names.pmu = optarg;
		else if (c == 'E')
			list->names.dir = optarg;
		else if (c == 'j')
			wanted->json = true;
		else if (c == 'h')
			return output_help(usage);
		else
			return option_refuse("list", c, argv, options);
	}
	wanted->patterns = argv + optind;
	wanted->nr_patterns = argc - optind;
	return -1;
}

/**
 * cmd_list() - acrctl list
 *
 * Return: the exit status.
 */
int cmd_list(int argc, char **argv)
{
	struct list list = { .names = { .command = "list", .guess = NAMES_GUESS_UNKNOWN } };
	struct list_wanted wanted = { NULL };
	int status;

	status = parse_options(&list, &wanted, argc, argv);
	if (status < 0)
		status = run(&list, &wanted);
	free(list.found);
	free(list.pfm);
	names_close(&list.names);
	return status;
}
