// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading one JSON file of events: perf's (an array), Intel's (with "Events") or Itanium's. */
#include "json_events.h"

#include <errno.h>
#include <json-c/json.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "file.h"

/* Of one entry: json-c's trees take some hundred times the memory of a text made of brackets. */
#define MAX_ENTRY_LEN	(256U << 10)
#define MAX_DEPTH	8
#define BLANKS		" \t\r\n"

static const char * const field_names[JSON_NR_FIELDS] = {
	[JSON_ANY_THREAD] = "AnyThread",
	[JSON_ARCH_STD_EVENT] = "ArchStdEvent",
	[JSON_BRIEF_DESCRIPTION] = "BriefDescription",
	[JSON_CONFIG_CODE] = "ConfigCode",
	[JSON_COUNTER] = "Counter",
	[JSON_COUNTER_MASK] = "CounterMask",
	[JSON_DEPRECATED] = "Deprecated",
	[JSON_DESCRIPTION] = "DESCRIPTION",
	[JSON_EDGE_DETECT] = "EdgeDetect",
	[JSON_EQUAL] = "Equal",
	[JSON_EVENT_CODE] = "EventCode",
	[JSON_EVENT_NAME] = "EventName",
	[JSON_EVENTID_CODE] = "EventidCode",
	[JSON_EXT_SEL] = "ExtSel",
	[JSON_FC_MASK] = "FCMask",
	[JSON_FILTER] = "Filter",
	[JSON_INVERT] = "Invert",
	[JSON_MATRIX_REGISTER] = "MATRIX_REGISTER",
	[JSON_MATRIX_REQUEST] = "MATRIX_REQUEST",
	[JSON_MATRIX_RESPONSE] = "MATRIX_RESPONSE",
	[JSON_MATRIX_VALUE] = "MATRIX_VALUE",
	[JSON_METRIC_EXPR] = "MetricExpr",
	[JSON_METRIC_NAME] = "MetricName",
	[JSON_MSR_INDEX] = "MSRIndex",
	[JSON_MSR_VALUE] = "MSRValue",
	[JSON_PEBS] = "PEBS",
	[JSON_PORT_MASK] = "PortMask",
	[JSON_PUBLIC_DESCRIPTION] = "PublicDescription",
	[JSON_SAMPLE_AFTER_VALUE] = "SampleAfterValue",
	[JSON_UMASK] = "UMask",
	[JSON_UMASK_EXT] = "UMaskExt",
	[JSON_UNIT] = "Unit",
	[JSON_EAR] = "Ear",
	[JSON_ETB] = "Etb",
	[JSON_GROUP] = "Group",
	[JSON_INDEX] = "Index",
	[JSON_MAX_INCR] = "MaxIncr",
	[JSON_QUALIFIERS] = "Qualifiers",
	[JSON_SET] = "Set",
	[JSON_TYPE] = "Type",
	[JSON_UNIT_MASKS] = "UnitMasks",
};

/* What Itanium's form has besides its own fields, which begin with JSON_EAR. */
static const bool itanium_has[JSON_NR_FIELDS] = {
	[JSON_BRIEF_DESCRIPTION] = true,
	[JSON_COUNTER] = true,
	[JSON_EVENT_CODE] = true,
	[JSON_EVENT_NAME] = true,
	[JSON_UMASK] = true,
};

/*
 * Fields that say nothing about what is to be programmed: what precise events record, on which
 * counters, errata, where perf takes a measure from, how it prints a number, how many counters a
 * unit has.
 */
static const char * const skipped_names[] = {
	"AggregationMode", "CollectPEBSRecord", "Compat", "CounterHTOff", "CounterType",
	"CountersNumFixed", "CountersNumGeneric", "Data_LA", "ELLC", "Errata", "Experimental",
	"L1_Hit_Indication", "MetricGroup", "Offcore", "PDIR_COUNTER", "PDISTCounter",
	"PEBScounters", "PerPkg", "Precise", "RetirementLatencyMax", "RetirementLatencyMean",
	"RetirementLatencyMin", "ScaleUnit", "Speculative", "TakenAlone",
};

/**
 * struct reading - a text being read
 * @path: what reports call it
 * @itanium: it is of Itanium's form
 * @at: what is read next
 * @end: behind the last byte
 * @counted: up to here lines are counted
 * @line: line of @counted
 * @tokener: json-c's reader
 * @unknown: names of fields that were reported as unknown; NULL: none
 * @fn: told of each event
 * @ctx: handed to @fn
 * @counts: what was found
 * @reporter: whom to tell of faults
 */
struct reading {
	const char *path;
	bool itanium;
	const char *at;
	const char *end;
	const char *counted;
	unsigned int line;
	struct json_tokener *tokener;
	struct json_object *unknown;
	json_event_fn fn;
	void *ctx;
	struct json_counts *counts;
	struct reporter *reporter;
};

const char *json_field_name(enum json_field field)
{
	return field_names[field];
}

static unsigned int count_lines(const char *from, const char *to)
{
	unsigned int nr = 0;

	while ((from = memchr(from, '\n', to - from))) {
		from++;
		nr++;
	}
	return nr;
}

/* Only ever asked of places further and further behind. */
static unsigned int line_of(struct reading *r, const char *at)
{
	r->line += count_lines(r->counted, at);
	r->counted = at;
	return r->line;
}

static bool is_blank(char c)
{
	return c && strchr(BLANKS, c);
}

static void skip_blanks(struct reading *r)
{
	while (r->at < r->end && is_blank(*r->at))
		r->at++;
}

static bool take(struct reading *r, char c)
{
	skip_blanks(r);
	if (r->at >= r->end || *r->at != c)
		return false;
	r->at++;
	return true;
}

/* Behind the closing quote of the string that starts at @at. */
static const char *skip_string(const char *at, const char *end)
{
	const char *quote = memchr(at + 1, '"', end - at - 1);

	if (!quote)
		return end;
	if (quote[-1] != '\\')
		return quote + 1;
	for (at++; at < end && *at != '"'; at++)
		at += *at == '\\';
	return at < end ? at + 1 : end;
}

/*
 * The next name of a field of the outermost object in @at to @end, which starts with its brace or
 * behind an earlier field's name. @depth is 0 at first.
 */
static const char *next_key(const char *at, const char *end, int *depth, size_t *len)
{
	while (at < end) {
		const char *start = at;

		if (*at != '"') {
			*depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
			at++;
			continue;
		}
		at = skip_string(at, end);
		*len = at - start;
		if (*depth != 1)
			continue;
		while (at < end && is_blank(*at))
			at++;
		if (at < end && *at == ':')
			return start;
	}
	return NULL;
}

/* Names of fields in a text, at any depth: more than next_key() gives, but in less time. */
static int count_keys(const char *at, const char *end)
{
	int nr = 0;

	while ((at = memchr(at, '"', end - at))) {
		at = skip_string(at, end);
		while (at < end && (*at == ' ' || *at == '\t' || *at == '\r' || *at == '\n'))
			at++;
		nr += at < end && *at == ':';
	}
	return nr;
}

static unsigned int name_line(const struct json_event *event, const char *name)
{
	const char *end = event->text + event->text_len;
	const size_t want = strlen(name);
	const char *key = event->text;
	size_t len = 0;
	int depth = 0;

	while ((key = next_key(key + len, end, &depth, &len))) {
		if (len == want + 2 && !memcmp(key + 1, name, want))
			return event->line + count_lines(event->text, key);
	}
	return event->line;
}

unsigned int json_event_line(const struct json_event *event, enum json_field field)
{
	return name_line(event, field_names[field]);
}

/* Refuse the text at @at; the field is the last one that begins before it in the entry @entry. */
static int refuse(struct reading *r, const char *entry, const char *at, const char *why)
{
	const char *key = entry, *last = NULL;
	size_t len = 0, last_len = 0;
	char field[64] = "";
	int depth = 0;

	while ((key = next_key(key + len, at, &depth, &len))) {
		last = key;
		last_len = len - 2;
	}
	if (last && last_len < sizeof(field))
		memcpy(field, last + 1, last_len);
	report_say(r->reporter, REPORT_FATAL, r->path, line_of(r, at), field,
		   "%s; the file is not used", why);
	return -EINVAL;
}

/* json-c says what is wrong, but has no words for running out of text. */
static int refuse_value(struct reading *r, const char *from, size_t len)
{
	const enum json_tokener_error error = json_tokener_get_error(r->tokener);
	size_t parsed = json_tokener_get_parse_end(r->tokener);
	const char *why = json_tokener_error_desc(error);

	if (error == json_tokener_error_depth)
		why = "this is nested more than 8 deep";
	else if (error == json_tokener_continue && len < MAX_ENTRY_LEN)
		why = "the file ends within this entry";
	else if (error == json_tokener_continue)
		why = "this entry has more than 256 KiB";
	return refuse(r, from, from + (parsed < len ? parsed : len), why);
}

/* Any JSON value; NULL is one too. */
static int read_value(struct reading *r, struct json_object **value)
{
	const char *from = r->at;
	size_t len = r->end - r->at;

	if (len > MAX_ENTRY_LEN)
		len = MAX_ENTRY_LEN;
	json_tokener_reset(r->tokener);
	*value = json_tokener_parse_ex(r->tokener, from, len);
	if (json_tokener_get_error(r->tokener) != json_tokener_success)
		return refuse_value(r, from, len);
	r->at += json_tokener_get_parse_end(r->tokener);
	return 0;
}

static bool form_has(const struct reading *r, enum json_field field)
{
	return r->itanium ? field >= JSON_EAR || itanium_has[field] : field < JSON_EAR;
}

static int find_field(const struct reading *r, const char *name)
{
	const size_t size = strlen(name) + 1;
	int i;

	for (i = 0; i < JSON_NR_FIELDS; i++) {
		if (!memcmp(field_names[i], name, 1) && !strncmp(field_names[i], name, size) &&
		    form_has(r, i))
			return i;
	}
	return -1;
}

static void trim(struct json_value *value)
{
	while (value->len && is_blank(value->at[value->len - 1]))
		value->len--;
	while (value->len && is_blank(*value->at)) {
		value->at++;
		value->len--;
	}
	if (!value->len || (value->len == 4 && !strncasecmp(value->at, "null", 4)))
		*value = (struct json_value){ .at = NULL };
}

/* Return: whether it is a string, a number, a truth value or null. */
static bool set_value(struct json_value *value, struct json_object *object)
{
	switch (json_object_get_type(object)) {
	case json_type_null:
		return true;
	case json_type_boolean:
		value->at = json_object_get_boolean(object) ? "1" : "0";
		break;
	case json_type_array:
	case json_type_object:
		return false;
	default:
		value->at = json_object_get_string(object);
	}
	if (!value->at)
		return false;
	value->len = strlen(value->at);
	trim(value);
	return true;
}

/* @name: what the field is called, or "" if only its escapes hide that it is there twice. */
static int refuse_twice(struct reading *r, const struct json_event *event, const char *key,
			const char *name)
{
	r->counts->bad++;
	report_say(r->reporter, REPORT_NOTE, r->path,
		   event->line + count_lines(event->text, key), name,
		   "%s there twice; the event is left out", *name ? "this is" : "a field is");
	return 1;
}

/* Find the name by a set, since a text made for it could have thousands. */
static int find_twice(struct reading *r, const struct json_event *event,
		      struct json_object *names, int want)
{
	const char *end = event->text + event->text_len, *key = event->text;
	size_t len = 0;
	int depth = 0;

	while ((key = next_key(key + len, end, &depth, &len))) {
		char *name = strndup(key + 1, len - 2);
		int ret = 0;

		if (!name)
			return -ENOMEM;
		if (json_object_object_get_ex(names, name, NULL))
			ret = refuse_twice(r, event, key, name);
		else if (json_object_object_add(names, name, NULL))
			ret = -ENOMEM;
		free(name);
		if (ret)
			return ret;
	}
	if (json_object_object_length(names) > want)
		return refuse_twice(r, event, event->text, "");
	return 0;
}

/*
 * json-c keeps the last of two fields of one name and says nothing. Entries have as many names as
 * fields, unless one is there twice or they nest, which is rare, so that counting is enough.
 * Return: 1 if a field is there twice, which is reported; 0; -ENOMEM.
 */
static int check_twice(struct reading *r, const struct json_event *event,
		       struct json_object *object)
{
	const int nr = json_object_object_length(object);
	struct json_object *names;
	int ret;

	if (count_keys(event->text, event->text + event->text_len) == nr)
		return 0;
	names = json_object_new_object();
	if (!names)
		return -ENOMEM;
	ret = find_twice(r, event, names, nr);
	json_object_put(names);
	return ret;
}

/* A name that is a number is a mistake; most other fields are numbers, in quotes or not. */
static bool set_field(struct json_event *event, enum json_field field, struct json_object *object)
{
	if (field == JSON_EVENT_NAME && object && !json_object_is_type(object, json_type_string))
		return false;
	return set_value(&event->values[field], object);
}

/* Return: the first field with a value that cannot be used, JSON_NR_FIELDS if there is none. */
static enum json_field set_values(const struct reading *r, struct json_event *event,
				  struct json_object *object)
{
	enum json_field bad = JSON_NR_FIELDS;

	json_object_object_foreach(object, name, member) {
		const int field = find_field(r, name);

		if (field >= 0 && !set_field(event, field, member) && field < (int)bad)
			bad = field;
	}
	return bad;
}

static bool has(const struct json_event *event, enum json_field field)
{
	return event->values[field].at;
}

/* A field that nothing but an event has: without a name it is one that was meant to have one. */
static bool codes_event(const struct json_event *event)
{
	static const enum json_field fields[] = {
		JSON_UMASK, JSON_MSR_INDEX, JSON_MSR_VALUE, JSON_SAMPLE_AFTER_VALUE,
		JSON_COUNTER_MASK, JSON_EDGE_DETECT, JSON_INVERT, JSON_ANY_THREAD, JSON_EQUAL,
	};
	unsigned int i;

	for (i = 0; i < sizeof(fields) / sizeof(fields[0]); i++) {
		if (has(event, fields[i]))
			return true;
	}
	return false;
}

static bool is_event(const struct json_event *event)
{
	return has(event, JSON_EVENT_NAME) || has(event, JSON_EVENT_CODE) ||
	       has(event, JSON_CONFIG_CODE) || has(event, JSON_EVENTID_CODE) ||
	       has(event, JSON_MATRIX_REQUEST) || has(event, JSON_MATRIX_RESPONSE) ||
	       (has(event, JSON_ARCH_STD_EVENT) && !has(event, JSON_METRIC_EXPR));
}

static bool is_metric(const struct json_event *event)
{
	return !is_event(event) && (has(event, JSON_METRIC_NAME) || has(event, JSON_METRIC_EXPR));
}

static bool is_skipped(const struct reading *r, const char *name)
{
	unsigned int i;

	for (i = 0; !r->itanium && i < sizeof(skipped_names) / sizeof(skipped_names[0]); i++) {
		if (!strcmp(skipped_names[i], name))
			return true;
	}
	return false;
}

/* It may be misspelt. Each name is told once, since all events of a file may have it. */
static int report_unknown(struct reading *r, const struct json_event *event, const char *name)
{
	if (json_object_object_get_ex(r->unknown, name, NULL))
		return 0;
	if (!r->unknown)
		r->unknown = json_object_new_object();
	if (!r->unknown || json_object_object_add(r->unknown, name, NULL))
		return -ENOMEM;
	report_say(r->reporter, REPORT_WARNING, r->path, name_line(event, name), name,
		   "this field is not known; what it says is not used");
	return 0;
}

static int check_names(struct reading *r, const struct json_event *event,
		       struct json_object *object)
{
	json_object_object_foreach(object, name, member) {
		(void)member;
		if (find_field(r, name) < 0 && !is_skipped(r, name) &&
		    report_unknown(r, event, name))
			return -ENOMEM;
	}
	return 0;
}

static int use_entry(struct reading *r, struct json_event *event, struct json_object *object)
{
	const enum json_field bad = set_values(r, event, object);
	int ret;

	if (bad != JSON_NR_FIELDS) {
		r->counts->bad++;
		report_say(r->reporter, REPORT_NOTE, r->path, json_event_line(event, bad),
			   field_names[bad], "this is no string%s; the event is left out",
			   bad == JSON_EVENT_NAME ? "" : " or number");
		return 0;
	}
	if (is_metric(event)) {
		r->counts->metrics++;
		return 0;
	}
	ret = check_twice(r, event, object);
	if (ret)
		return ret < 0 ? ret : 0;
	ret = check_names(r, event, object);
	if (ret)
		return ret;
	if (r->itanium || is_event(event) || codes_event(event)) {
		r->counts->events++;
		return r->fn(r->ctx, event);
	}
	r->counts->others++;
	return 0;
}

static int read_entry(struct reading *r)
{
	struct json_event event = { .path = r->path, .text = r->at, .line = line_of(r, r->at) };
	struct json_object *object;
	int ret;

	if (*r->at != '{')
		return refuse(r, r->at, r->at, "an event in braces is expected here");
	ret = read_value(r, &object);
	if (ret)
		return ret;
	event.text_len = r->at - event.text;
	ret = use_entry(r, &event, object);
	json_object_put(object);
	return ret;
}

/* A formula of events: counted, and of no more use here. */
static int skip_metric(struct reading *r)
{
	struct json_object *object;
	int ret = read_value(r, &object);

	if (ret)
		return ret;
	json_object_put(object);
	r->counts->metrics++;
	return 0;
}

/* The entries of an array, its bracket was taken. */
static int read_entries(struct reading *r, int (*read_one)(struct reading *r))
{
	if (take(r, ']'))
		return 0;
	do {
		int ret;

		skip_blanks(r);
		if (r->at >= r->end)
			return refuse(r, r->end, r->end,
				      "the file ends where an event is expected");
		ret = read_one(r);
		if (ret)
			return ret;
	} while (take(r, ','));
	if (!take(r, ']'))
		return refuse(r, r->at, r->at, "',' or ']' is expected here");
	return 0;
}

/**
 * struct members - what the outermost object has
 * @events: an array called "Events"
 * @other_kind: what makes it one of Intel's files without events: formulas, or latencies
 * @others: something that is none of these, nor a string
 */
struct members {
	bool events;
	bool other_kind;
	bool others;
};

static bool is_other_kind(const char *name)
{
	return !strcmp(name, "Metrics") || !strcmp(name, "Data");
}

static int read_member(struct reading *r, struct members *members)
{
	struct json_object *object;
	bool events, other_kind;
	const char *from;
	int ret;

	skip_blanks(r);
	from = r->at;
	if (r->at >= r->end || *r->at != '"')
		return refuse(r, from, from, "the name of a field in quotes is expected here");
	ret = read_value(r, &object);
	if (ret)
		return ret;
	events = !strcmp(json_object_get_string(object), "Events");
	other_kind = is_other_kind(json_object_get_string(object));
	json_object_put(object);
	if (!take(r, ':'))
		return refuse(r, r->at, r->at, "':' is expected here");
	if (events && take(r, '[')) {
		members->events = true;
		return read_entries(r, read_entry);
	}
	if (other_kind && take(r, '[')) {
		members->other_kind = true;
		return read_entries(r, skip_metric);
	}
	skip_blanks(r);
	ret = read_value(r, &object);
	if (ret)
		return ret;
	members->other_kind |= other_kind && json_object_is_type(object, json_type_object);
	members->others |= !json_object_is_type(object, json_type_string);
	json_object_put(object);
	return 0;
}

/* Intel's forms; perf's metricgroups.json is an object too, of nothing but descriptions. */
static int read_members(struct reading *r)
{
	const unsigned int line = line_of(r, r->at);
	struct members members = { .events = false };
	int ret;

	if (take(r, '}'))
		return 0;
	do {
		ret = read_member(r, &members);
		if (ret)
			return ret;
	} while (take(r, ','));
	if (!take(r, '}'))
		return refuse(r, r->at, r->at, "',' or '}' is expected here");
	if (members.events || members.other_kind || !members.others)
		return 0;
	report_say(r->reporter, REPORT_FATAL, r->path, line, "Events",
		   "this object has no Events, a list; the file is not used");
	return -EINVAL;
}

static int read_file(struct reading *r)
{
	int ret;

	if (r->end - r->at >= 3 && !memcmp(r->at, "\xef\xbb\xbf", 3))
		r->at += 3;
	if (take(r, '['))
		ret = read_entries(r, read_entry);
	else if (take(r, '{'))
		ret = read_members(r);
	else
		return refuse(r, r->at, r->at, "'[' or '{' is expected at the start");
	if (ret)
		return ret;
	skip_blanks(r);
	if (r->at != r->end)
		return refuse(r, r->at, r->at, "nothing more is expected here");
	return 0;
}

/* json-c looks at every byte to check UTF-8, which takes a third of its time. */
static bool is_ascii(const char *at, const char *end)
{
	__u64 word, all = 0;

	for (; end - at >= (ptrdiff_t)sizeof(word); at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		all |= word;
	}
	for (; at < end; at++)
		all |= *at & 0x80;
	return !(all & 0x8080808080808080ULL);
}

/* @r says what to read and whom to tell. */
static int parse(struct reading *r, const char *text, size_t len)
{
	int flags = JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS;
	int ret;

	r->at = text;
	r->end = text + len;
	r->counted = text;
	r->line = 1;
	r->tokener = json_tokener_new_ex(MAX_DEPTH);
	if (!r->tokener)
		return -ENOMEM;
	if (!is_ascii(text, r->end))
		flags |= JSON_TOKENER_VALIDATE_UTF8;
	json_tokener_set_flags(r->tokener, flags);
	ret = read_file(r);
	json_tokener_free(r->tokener);
	json_object_put(r->unknown);
	return ret;
}

static int read_path(struct reading *r)
{
	size_t len;
	char *text;
	int ret;

	ret = file_read(r->path, &text, &len, r->reporter);
	if (ret)
		return ret;
	ret = parse(r, text, len);
	free(text);
	return ret;
}

int json_events_parse(const char *path, const char *text, size_t len, json_event_fn fn, void *ctx,
		      struct json_counts *counts, struct reporter *reporter)
{
	struct reading r = {
		.path = path, .fn = fn, .ctx = ctx, .counts = counts, .reporter = reporter,
	};

	memset(counts, 0, sizeof(*counts));
	return parse(&r, text, len);
}

int json_events_read(const char *path, json_event_fn fn, void *ctx, struct json_counts *counts,
		     struct reporter *reporter)
{
	struct reading r = {
		.path = path, .fn = fn, .ctx = ctx, .counts = counts, .reporter = reporter,
	};

	memset(counts, 0, sizeof(*counts));
	return read_path(&r);
}

int json_itanium_read(const char *path, json_event_fn fn, void *ctx, struct json_counts *counts,
		      struct reporter *reporter)
{
	struct reading r = {
		.path = path, .itanium = true, .fn = fn, .ctx = ctx, .counts = counts,
		.reporter = reporter,
	};

	memset(counts, 0, sizeof(*counts));
	return read_path(&r);
}
