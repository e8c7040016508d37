// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading one JSON file of events: perf's (an array), Intel's (with "Events") or Itanium's. */
#include "json_events.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>

#include "file.h"
#include "json_plain.h"
#include "json_scan.h"

/* Of one entry: for a text of brackets, json-c's tree takes about a hundred times its memory. */
#define MAX_ENTRY_LEN	(256U << 10)
#define MAX_DEPTH	8

/**
 * struct reading - a text being read
 * @at: what is read next
 * @end: past the last byte
 * @counted: lines are counted up to here
 * @line: line of @counted
 * @tokener: json-c's reader, once it is needed
 */
struct reading {
	struct json_entries entries;
	const char *at;
	const char *end;
	const char *counted;
	unsigned int line;
	struct json_tokener *tokener;
};

/* @at never moves backwards. */
static unsigned int line_of(struct reading *r, const char *at)
{
	r->line += json_count_lines(r->counted, at);
	r->counted = at;
	return r->line;
}

static void skip_blanks(struct reading *r)
{
	while (r->at < r->end && json_is_blank(*r->at))
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

/* Refuse the text at @at; the field is the last one that begins before it in the entry @entry. */
static int refuse(struct reading *r, const char *entry, const char *at, const char *why)
{
	const char *key = entry, *last = NULL;
	size_t len = 0, last_len = 0;
	char field[64] = "";
	int depth = 0;

	while ((key = json_next_key(key + len, at, &depth, &len))) {
		last = key;
		last_len = len - 2;
	}
	if (last && last_len < sizeof(field))
		memcpy(field, last + 1, last_len);
	report_say(r->entries.reporter, REPORT_FATAL, r->entries.path, line_of(r, at), field,
		   "%s; the file is not used", why);
	return -EINVAL;
}

/* json-c has a description for every error but the end of the text. */
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

static int start_tokener(struct reading *r)
{
	int flags = JSON_TOKENER_STRICT | JSON_TOKENER_ALLOW_TRAILING_CHARS;

	if (r->tokener) {
		json_tokener_reset(r->tokener);
		return 0;
	}
	r->tokener = json_tokener_new_ex(MAX_DEPTH);
	if (!r->tokener)
		return -ENOMEM;
	if (!json_is_ascii(r->at, r->end))
		flags |= JSON_TOKENER_VALIDATE_UTF8;
	json_tokener_set_flags(r->tokener, flags);
	return 0;
}

static size_t longest_entry(const struct reading *r)
{
	const size_t len = r->end - r->at;

	return len < MAX_ENTRY_LEN ? len : MAX_ENTRY_LEN;
}

/* Any JSON value; NULL is JSON's null. */
static int read_value(struct reading *r, struct json_object **value)
{
	const size_t len = longest_entry(r);
	const char *from = r->at;
	int ret = start_tokener(r);

	if (ret)
		return ret;
	*value = json_tokener_parse_ex(r->tokener, from, len);
	if (json_tokener_get_error(r->tokener) != json_tokener_success)
		return refuse_value(r, from, len);
	r->at += json_tokener_get_parse_end(r->tokener);
	return 0;
}

static int read_entry(struct reading *r)
{
	struct json_event event = {
		.path = r->entries.path,
		.text = r->at,
		.line = line_of(r, r->at),
	};
	struct json_object *object;
	int ret;

	if (*r->at != '{')
		return refuse(r, r->at, r->at, "an event in braces is expected here");
	if (json_plain_use(&r->entries, &event, r->at + longest_entry(r), &ret)) {
		r->at += event.text_len;
		return ret;
	}
	ret = read_value(r, &object);
	if (ret)
		return ret;
	event.text_len = r->at - event.text;
	ret = json_entry_use(&r->entries, &event, object);
	json_object_put(object);
	return ret;
}

/* A formula of events: only counted. */
static int skip_metric(struct reading *r)
{
	struct json_object *object;
	int ret = read_value(r, &object);

	if (ret)
		return ret;
	json_object_put(object);
	r->entries.counts->metrics++;
	return 0;
}

/* The entries of an array, after its bracket. */
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
 * struct members - what the outermost object contains
 * @events: an array called "Events"
 * @other_kind: formulas or latencies: one of Intel's files without events
 * @others: anything else but a string
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

/* Intel's forms; perf's metricgroups.json is an object too, but has only descriptions. */
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
	report_say(r->entries.reporter, REPORT_FATAL, r->entries.path, line, "Events",
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

static int parse(struct reading *r, const char *text, size_t len)
{
	int ret;

	r->at = text;
	r->end = text + len;
	r->counted = text;
	r->line = 1;
	ret = read_file(r);
	if (r->tokener)
		json_tokener_free(r->tokener);
	json_object_put(r->entries.unknown);
	return ret;
}

static int read_path(struct reading *r)
{
	size_t len;
	char *text;
	int ret;

	ret = file_read(r->entries.path, &text, &len, r->entries.reporter);
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
		.entries = {
			.path = path, .fn = fn, .ctx = ctx, .counts = counts, .reporter = reporter,
		},
	};

	memset(counts, 0, sizeof(*counts));
	return parse(&r, text, len);
}

int json_events_read(const char *path, json_event_fn fn, void *ctx, struct json_counts *counts,
		     struct reporter *reporter)
{
	struct reading r = {
		.entries = {
			.path = path, .fn = fn, .ctx = ctx, .counts = counts, .reporter = reporter,
		},
	};

	memset(counts, 0, sizeof(*counts));
	return read_path(&r);
}

int json_itanium_read(const char *path, json_event_fn fn, void *ctx, struct json_counts *counts,
		      struct reporter *reporter)
{
	struct reading r = {
		.entries = {
			.path = path, .itanium = true, .fn = fn, .ctx = ctx, .counts = counts,
			.reporter = reporter,
		},
	};

	memset(counts, 0, sizeof(*counts));
	return read_path(&r);
}
