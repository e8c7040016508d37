// SPDX-License-Identifier: GPL-2.0-only
/* acrctl list: what libacrpfm knows about each event. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../acrctl/jsonout.h"
#include "../../acrctl/terminal.h"
#include "../../util/message.h"
#include "../../util/util.h"
#include "encoding.h"

#define INDENT		"        "
#define UMASK_LEN	64
#define PREFIX_END	"::"

struct event {
	unsigned int i;
	char name[MONTECITO_NAME_LEN];
	char *desc;
	int code;
	unsigned long umask;
	pfmlib_regmask_t counters;
	unsigned int maxincr;
	int type;
	int group;
	int set;
	unsigned int nr_umasks;
};

static const char *const types[] = {
	[PFMLIB_MONT_EVT_ACTIVE] = "active",
	[PFMLIB_MONT_EVT_FLOATING] = "floating",
	[PFMLIB_MONT_EVT_CAUSAL] = "causal",
	[PFMLIB_MONT_EVT_SELF_FLOATING] = "self-floating",
};

static const char *const groups[] = {
	[PFMLIB_MONT_EVT_NO_GRP] = NULL,
	[PFMLIB_MONT_EVT_L1D_CACHE_GRP] = "L1D",
	[PFMLIB_MONT_EVT_L2D_CACHE_GRP] = "L2D",
};

/* Qualifiers, each with the check that it can restrict an event. */
static const struct {
	const char *name;
	int (*supports)(unsigned int i);
} qualifiers[] = {
	{ "opcm", pfm_mont_support_opcm },
	{ "iarr", pfm_mont_support_iarr },
	{ "darr", pfm_mont_support_darr },
};

static const struct {
	const char *name;
	int (*is)(unsigned int i);
} ears[] = {
	{ "instruction cache", pfm_mont_is_iear_cache },
	{ "instruction TLB", pfm_mont_is_iear_tlb },
	{ "data cache", pfm_mont_is_dear_cache },
	{ "data TLB", pfm_mont_is_dear_tlb },
	{ "data ALAT", pfm_mont_is_dear_alat },
};

/* Does not fail for an existing event. */
static void read_event(unsigned int i, struct event *ev)
{
	*ev = (struct event){ .i = i };
	pfm_get_event_name(i, ev->name, sizeof(ev->name));
	if (pfm_get_event_description(i, &ev->desc))
		ev->desc = NULL;
	pfm_get_event_code(i, &ev->code);
	pfm_mont_get_event_umask(i, &ev->umask);
	pfm_get_event_counters(i, &ev->counters);
	pfm_mont_get_event_maxincr(i, &ev->maxincr);
	pfm_mont_get_event_type(i, &ev->type);
	pfm_mont_get_event_group(i, &ev->group);
	pfm_mont_get_event_set(i, &ev->set);
	pfm_get_num_event_masks(i, &ev->nr_umasks);
}

static const char *word_of(const char *const *words, unsigned int nr, int value)
{
	return value >= 0 && (unsigned int)value < nr ? words[value] : NULL;
}

static const char *ear_of(unsigned int i)
{
	unsigned int k;

	for (k = 0; k < ARRAY_SIZE(ears); k++) {
		if (ears[k].is(i))
			return ears[k].name;
	}
	return NULL;
}

/* ---- which events ------------------------------------------------------------------------- */

static const char *without_prefix(const char *pattern)
{
	return pattern + names_montecito_prefix(pattern);
}

static bool is_wanted(const struct montecito_request *request, const char *name)
{
	unsigned int i;

	for (i = 0; i < request->words.nr; i++) {
		if (names_match(name, without_prefix(request->words.strings[i])))
			return true;
	}
	return !request->words.nr;
}

/* Find the next matching event from @i on; return false after the last one. */
static bool next_event(const struct montecito_request *request, unsigned int i, struct event *ev)
{
	unsigned int nr = 0;

	for (pfm_get_num_events(&nr); i < nr; i++) {
		read_event(i, ev);
		if (is_wanted(request, ev->name))
			return true;
		free(ev->desc);
	}
	return false;
}

static int nothing_found(const struct montecito_request *request)
{
	char nearest[MONTECITO_NAME_LEN];
	unsigned int i;

	for (i = 0; i < request->words.nr; i++) {
		const char *pattern = without_prefix(request->words.strings[i]);
		struct montecito_span span = { pattern, strlen(pattern) };

		fprintf(stderr, "acrctl: list: no event of " MONTECITO_NAME " has a name like '");
		terminal_print(stderr, 0, pattern);
		if (montecito_nearest(span, nearest))
			fprintf(stderr, "'; did you mean '%s'?\n", nearest);
		else
			fprintf(stderr, "'; 'acrctl list --pmu " MONTECITO_NAME
				"' shows them all\n");
	}
	return ACRCTL_EXIT_FAILED;
}

/* ---- text --------------------------------------------------------------------------------- */

/* "PMC4-9" */
static void print_counters(const struct event *ev)
{
	pfmlib_regmask_t counters = ev->counters;
	const char *before = "counters PMC";
	unsigned int i, last;

	for (i = 0; i < PFMLIB_REG_MAX; i = last + 1) {
		last = i;
		if (!pfm_regmask_isset(&counters, i))
			continue;
		while (last + 1 < PFMLIB_REG_MAX && pfm_regmask_isset(&counters, last + 1))
			last++;
		printf("%s%u", before, i);
		if (last > i)
			printf("-%u", last);
		before = ", PMC";
	}
}

static void print_qualifiers(const struct event *ev)
{
	const char *before = "; qualifiers ";
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(qualifiers); i++) {
		if (!qualifiers[i].supports(ev->i))
			continue;
		printf("%s%s", before, qualifiers[i].name);
		before = ", ";
	}
}

static void print_umasks(const struct event *ev)
{
	char name[UMASK_LEN];
	unsigned int i;

	printf(INDENT "unit masks, at least one:");
	for (i = 0; i < ev->nr_umasks; i++) {
		if (!pfm_get_event_mask_name(ev->i, i, name, sizeof(name)))
			printf("%s %s", i ? "," : "", name);
	}
	putchar('\n');
}

static void print_event(const struct event *ev, unsigned int columns)
{
	const char *group = word_of(groups, ARRAY_SIZE(groups), ev->group);
	const char *type = word_of(types, ARRAY_SIZE(types), ev->type), *ear = ear_of(ev->i);

	printf("  %s\n", ev->name);
	if (ev->desc)
		terminal_print_wrapped(INDENT, ev->desc, columns);
	printf(INDENT "code 0x%02x, umask 0x%lx; %s", ev->code, ev->umask, type ? type : "?");
	if (group)
		printf("; group %s, set %d", group, ev->set);
	print_qualifiers(ev);
	printf("\n" INDENT);
	print_counters(ev);
	printf("; at most %u in a cycle", ev->maxincr);
	if (ev->maxincr > 1)
		printf(": thres=0 to %u", ev->maxincr - 1);
	putchar('\n');
	if (ev->nr_umasks)
		print_umasks(ev);
	if (ear)
		printf(INDENT "event address register: %s\n", ear);
	if (pfm_mont_is_etb(ev->i))
		printf(INDENT "execution trace buffer\n");
}

static int print_text(const struct montecito_request *request)
{
	unsigned int columns = terminal_columns(), i, nr = 0;
	struct terminal_pager pager;
	struct event ev;

	pfm_get_num_events(&nr);
	terminal_page_begin(&pager);
	printf(MONTECITO_NAME " (" MONTECITO_CORE "), of libacrpfm: encoded, but not counted\n"
	       "events: " MONTECITO_NAME ", built in\n\n");
	for (i = 0; next_event(request, i, &ev); i = ev.i + 1) {
		print_event(&ev, columns);
		free(ev.desc);
	}
	return terminal_page_end(&pager, "list") ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
}

/* ---- JSON --------------------------------------------------------------------------------- */

static struct json_object *counters_json(const struct event *ev)
{
	struct json_object *json = json_object_new_array();
	pfmlib_regmask_t counters = ev->counters;
	unsigned int i;

	for (i = 0; i < PFMLIB_REG_MAX; i++) {
		if (pfm_regmask_isset(&counters, i))
			jsonout_add(&json, jsonout_count(i));
	}
	return json;
}

static struct json_object *qualifiers_json(const struct event *ev)
{
	struct json_object *json = json_object_new_array();
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(qualifiers); i++) {
		if (qualifiers[i].supports(ev->i))
			jsonout_add(&json, jsonout_text(qualifiers[i].name));
	}
	return json;
}

static struct json_object *umasks_json(const struct event *ev)
{
	struct json_object *json = json_object_new_array();
	char name[UMASK_LEN];
	unsigned int i;

	for (i = 0; i < ev->nr_umasks; i++) {
		if (!pfm_get_event_mask_name(ev->i, i, name, sizeof(name)))
			jsonout_add(&json, jsonout_text(name));
	}
	return json;
}

static struct json_object *event_json(const struct event *ev)
{
	const char *group = word_of(groups, ARRAY_SIZE(groups), ev->group);

	return jsonout_object("name", jsonout_text(ev->name),
			      "pmu", jsonout_text(MONTECITO_NAME),
			      "desc", jsonout_text(ev->desc),
			      "code", jsonout_hex(ev->code),
			      "umask", jsonout_hex(ev->umask),
			      "type", jsonout_text(word_of(types, ARRAY_SIZE(types), ev->type)),
			      "group", jsonout_text(group),
			      "set", group ? jsonout_count(ev->set) : jsonout_null,
			      "counters", counters_json(ev),
			      "maxincr", jsonout_count(ev->maxincr),
			      "qualifiers", qualifiers_json(ev),
			      "umasks", umasks_json(ev),
			      "ear", jsonout_text(ear_of(ev->i)),
			      "etb", jsonout_bool(pfm_mont_is_etb(ev->i)), NULL);
}

static int print_json(const struct montecito_request *request)
{
	struct json_object *events = json_object_new_array(), *json;
	struct event ev;
	unsigned int i;

	for (i = 0; next_event(request, i, &ev); i = ev.i + 1) {
		jsonout_add(&events, event_json(&ev));
		free(ev.desc);
	}
	json = jsonout_object("schema", jsonout_text("acrctl-list-montecito/1"),
			      "events", events, NULL);
	if (jsonout_print(json))
		return output_no_memory("list");
	putchar('\n');
	return ACRCTL_EXIT_DONE;
}

/* ---- the command -------------------------------------------------------------------------- */

static int refuse(const char *code, const char *text, const char *hint)
{
	struct acrpmu_message message;

	acrpmu_message_text(&message, code, "%s", text);
	acrpmu_message_hint(&message, "%s", hint);
	output_error("list", &message, NULL);
	return ACRCTL_EXIT_USAGE;
}

/* Returns an exit status, or -1 to go on. */
static int check(const struct montecito_request *request)
{
	unsigned int i;

	if (request->topic)
		return refuse("usage", "the events of " MONTECITO_NAME " have no topics",
			      "leave --topic out and use a part of their names, like L2D");
	if (request->names->dir)
		return refuse("usage", "the events of " MONTECITO_NAME " are not read from files",
			      "leave --events out");
	for (i = 0; i < request->words.nr; i++) {
		const char *pattern = request->words.strings[i];

		if (strstr(pattern, PREFIX_END) && !names_montecito_prefix(pattern))
			return refuse("other-cpu", "a pattern names another CPU than "
				      MONTECITO_NAME,
				      "leave out the text before the two colons");
	}
	return -1;
}

/* Run acrctl list; return the exit status, or -1 if the command line is not for Montecito. */
int montecito_list(const struct montecito_request *request)
{
	const struct event_args *patterns = &request->words;
	struct event ev;
	int status;
	bool found;

	if (!montecito_is_chosen(request->names, patterns->strings, patterns->nr))
		return -1;
	status = check(request);
	if (status >= 0)
		return status;
	if (pfm_force_pmu(PFMLIB_MONTECITO_PMU))
		return refuse("internal", "libacrpfm does not know " MONTECITO_NAME, "");
	found = next_event(request, 0, &ev);
	if (found)
		free(ev.desc);
	else
		status = nothing_found(request);
	if (request->json)
		return print_json(request) ? ACRCTL_EXIT_FAILED : found ? ACRCTL_EXIT_DONE : status;
	return found ? print_text(request) : status;
}
