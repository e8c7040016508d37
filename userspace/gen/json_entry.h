/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* One entry of a file of events: from its JSON object to the fields of an event. */
#ifndef _ACRPMU_GEN_JSON_ENTRY_H
#define _ACRPMU_GEN_JSON_ENTRY_H

#include <stddef.h>

#include "json_fields.h"
#include "report.h"

struct json_object;

/**
 * struct json_value - value of a field
 * @at: its first byte, without blanks around it; NULL: the event lacks the field or it is "Null"
 * @len: its bytes, none of which is 0
 */
struct json_value {
	const char *at;
	size_t len;
};

/**
 * struct json_event - one entry of a file
 * @path: the file
 * @line: line of its opening brace
 * @text: its text, from that brace
 * @text_len: bytes of @text
 * @values: its fields
 */
struct json_event {
	const char *path;
	unsigned int line;
	const char *text;
	size_t text_len;
	struct json_value values[JSON_NR_FIELDS];
};

/**
 * struct json_counts - what a file held
 * @events: entries that are events (or requests and responses of an offcore matrix)
 * @metrics: entries that are metrics
 * @others: other entries, such as numbers of counters
 * @bad: events with a field that is there twice, or is no string or number; they are reported
 */
struct json_counts {
	unsigned int events;
	unsigned int metrics;
	unsigned int others;
	unsigned int bad;
};

/**
 * typedef json_event_fn - receives each event of a file
 * @ctx: as given to json_events_read()
 * @event: valid only during the call
 *
 * Return: 0 to go on; otherwise reading ends with this value.
 */
typedef int (*json_event_fn)(void *ctx, const struct json_event *event);

/**
 * struct json_entries - the entries of one file
 * @path: the file's name in reports
 * @itanium: it has Itanium's form
 * @unknown: names of fields that were reported as unknown, NULL if none
 * @fn: called for each event
 * @ctx: passed to @fn
 * @counts: what was found
 * @reporter: receives reports
 */
struct json_entries {
	const char *path;
	bool itanium;
	struct json_object *unknown;
	json_event_fn fn;
	void *ctx;
	struct json_counts *counts;
	struct reporter *reporter;
};

/**
 * json_event_line() - the line of a field
 *
 * Return: the line of the field's name, or that of the event if it lacks the field.
 */
unsigned int json_event_line(const struct json_event *event, enum json_field field);

/* Take blanks off both ends; "Null" is no value. */
void json_value_trim(struct json_value *value);

/* Whether its values are those of a metric. */
bool json_event_is_metric(const struct json_event *event);

/**
 * json_entry_count() - count an entry, and pass it on if it is an event
 * @entries: its file
 * @event: the entry
 *
 * Return: 0, or what json_entries.fn returned.
 */
int json_entry_count(struct json_entries *entries, const struct json_event *event);

/**
 * json_entry_use() - pass an entry on if it is an event, count it otherwise
 * @entries: its file
 * @event: path, line and text of the entry; its values are set here
 * @object: the entry as json-c read it
 *
 * Return: 0, -ENOMEM, or what json_entries.fn returned.
 */
int json_entry_use(struct json_entries *entries, struct json_event *event,
		   struct json_object *object);

#endif /* _ACRPMU_GEN_JSON_ENTRY_H */
