// SPDX-License-Identifier: LGPL-2.1-or-later
/* One entry of a file of events: from its JSON object to the fields of an event. */
#include "json_entry.h"

#include <errno.h>
#include <json-c/json.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "../util/util.h"
#include "json_scan.h"

static unsigned int name_line(const struct json_event *event, const char *name)
{
	const char *end = event->text + event->text_len;
	const size_t want = strlen(name);
	const char *key = event->text;
	size_t len = 0;
	int depth = 0;

	while ((key = json_next_key(key + len, end, &depth, &len))) {
		if (len == want + 2 && !memcmp(key + 1, name, want))
			return event->line + json_count_lines(event->text, key);
	}
	return event->line;
}

unsigned int json_event_line(const struct json_event *event, enum json_field field)
{
	return name_line(event, json_field_name(field));
}

void json_value_trim(struct json_value *value)
{
	while (value->len && json_is_blank(value->at[value->len - 1]))
		value->len--;
	while (value->len && json_is_blank(*value->at)) {
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
	json_value_trim(value);
	return true;
}

/* @name: the field's name, or "" if it is there twice only after unescaping. */
static int refuse_twice(struct json_entries *e, const struct json_event *event, const char *key,
			const char *name)
{
	e->counts->bad++;
	report_say(e->reporter, REPORT_NOTE, e->path,
		   event->line + json_count_lines(event->text, key), name,
		   "%s there twice; the event is left out", *name ? "this is" : "a field is");
	return 1;
}

/* A set, since a hostile text could have thousands of names. */
static int find_twice(struct json_entries *e, const struct json_event *event,
		      struct json_object *names, int want)
{
	const char *end = event->text + event->text_len, *key = event->text;
	size_t len = 0;
	int depth = 0;

	while ((key = json_next_key(key + len, end, &depth, &len))) {
		char *name = strndup(key + 1, len - 2);
		int ret = 0;

		if (!name)
			return -ENOMEM;
		if (json_object_object_get_ex(names, name, NULL))
			ret = refuse_twice(e, event, key, name);
		else if (json_object_object_add(names, name, NULL))
			ret = -ENOMEM;
		free(name);
		if (ret)
			return ret;
	}
	if (json_object_object_length(names) > want)
		return refuse_twice(e, event, event->text, "");
	return 0;
}

/*
 * json-c silently keeps the last of two fields of one name. An entry has as many names as fields
 * unless one is there twice or objects nest, which is rare: count first.
 * Return: 1 if a field is there twice, which is reported; 0; -ENOMEM.
 */
static int check_twice(struct json_entries *e, const struct json_event *event,
		       struct json_object *object)
{
	const int nr = json_object_object_length(object);
	struct json_object *names;
	int ret;

	if (json_count_keys(event->text, event->text + event->text_len) == nr)
		return 0;
	names = json_object_new_object();
	if (!names)
		return -ENOMEM;
	ret = find_twice(e, event, names, nr);
	json_object_put(names);
	return ret;
}

/* A name must be a string; most other fields are numbers, quoted or not. */
static bool set_field(struct json_event *event, enum json_field field, struct json_object *object)
{
	if (field == JSON_EVENT_NAME && object && !json_object_is_type(object, json_type_string))
		return false;
	return set_value(&event->values[field], object);
}

/* Return: the first field with a value that cannot be used, JSON_NR_FIELDS if there is none. */
static enum json_field set_values(const struct json_entries *e, struct json_event *event,
				  struct json_object *object)
{
	enum json_field bad = JSON_NR_FIELDS;

	json_object_object_foreach(object, name, member) {
		const int field = json_field_find(e->itanium, name, strlen(name));

		if (field >= 0 && !set_field(event, field, member) && field < (int)bad)
			bad = field;
	}
	return bad;
}

static bool has(const struct json_event *event, enum json_field field)
{
	return event->values[field].at;
}

/* Only events have these fields: an entry with one but without a name has lost its name. */
static bool codes_event(const struct json_event *event)
{
	static const enum json_field fields[] = {
		JSON_UMASK, JSON_MSR_INDEX, JSON_MSR_VALUE, JSON_SAMPLE_AFTER_VALUE,
		JSON_COUNTER_MASK, JSON_EDGE_DETECT, JSON_INVERT, JSON_ANY_THREAD, JSON_EQUAL,
	};
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(fields); i++) {
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

bool json_event_is_metric(const struct json_event *event)
{
	return !is_event(event) && (has(event, JSON_METRIC_NAME) || has(event, JSON_METRIC_EXPR));
}

/* It may be misspelt. Report each name once: all events of a file may have it. */
static int report_unknown(struct json_entries *e, const struct json_event *event, const char *name)
{
	if (json_object_object_get_ex(e->unknown, name, NULL))
		return 0;
	if (!e->unknown)
		e->unknown = json_object_new_object();
	if (!e->unknown || json_object_object_add(e->unknown, name, NULL))
		return -ENOMEM;
	report_say(e->reporter, REPORT_WARNING, e->path, name_line(event, name), name,
		   "this field is not known; it is ignored");
	return 0;
}

static int check_names(struct json_entries *e, const struct json_event *event,
		       struct json_object *object)
{
	json_object_object_foreach(object, name, member) {
		const size_t len = strlen(name);

		(void)member;
		if (json_field_find(e->itanium, name, len) < 0 &&
		    json_field_find_skipped(e->itanium, name, len) < 0 &&
		    report_unknown(e, event, name))
			return -ENOMEM;
	}
	return 0;
}

int json_entry_count(struct json_entries *e, const struct json_event *event)
{
	if (json_event_is_metric(event)) {
		e->counts->metrics++;
		return 0;
	}
	if (e->itanium || is_event(event) || codes_event(event)) {
		e->counts->events++;
		return e->fn(e->ctx, event);
	}
	e->counts->others++;
	return 0;
}

int json_entry_use(struct json_entries *e, struct json_event *event, struct json_object *object)
{
	const enum json_field bad = set_values(e, event, object);
	int ret;

	if (bad != JSON_NR_FIELDS) {
		e->counts->bad++;
		report_say(e->reporter, REPORT_NOTE, e->path, json_event_line(event, bad),
			   json_field_name(bad), "this is no string%s; the event is left out",
			   bad == JSON_EVENT_NAME ? "" : " or number");
		return 0;
	}
	if (json_event_is_metric(event))
		return json_entry_count(e, event);
	ret = check_twice(e, event, object);
	if (ret)
		return ret < 0 ? ret : 0;
	ret = check_names(e, event, object);
	return ret ? ret : json_entry_count(e, event);
}
