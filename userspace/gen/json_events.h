/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading one JSON file of events: perf's (an array), Intel's (with "Events") or Itanium's. */
#ifndef _ACRPMU_GEN_JSON_EVENTS_H
#define _ACRPMU_GEN_JSON_EVENTS_H

#include <stdbool.h>

#include "report.h"

/* Fields of an event that mean something here, in the order of json_field_name(). */
enum json_field {
	JSON_ANY_THREAD,
	JSON_ARCH_STD_EVENT,
	JSON_BRIEF_DESCRIPTION,
	JSON_CONFIG_CODE,
	JSON_COUNTER,
	JSON_COUNTER_MASK,
	JSON_DEPRECATED,
	JSON_DESCRIPTION,
	JSON_EDGE_DETECT,
	JSON_EQUAL,
	JSON_EVENT_CODE,
	JSON_EVENT_NAME,
	JSON_EVENTID_CODE,
	JSON_EXT_SEL,
	JSON_FC_MASK,
	JSON_FILTER,
	JSON_INVERT,
	JSON_MATRIX_REGISTER,
	JSON_MATRIX_REQUEST,
	JSON_MATRIX_RESPONSE,
	JSON_MATRIX_VALUE,
	JSON_METRIC_EXPR,
	JSON_METRIC_NAME,
	JSON_MSR_INDEX,
	JSON_MSR_VALUE,
	JSON_PEBS,
	JSON_PORT_MASK,
	JSON_PUBLIC_DESCRIPTION,
	JSON_SAMPLE_AFTER_VALUE,
	JSON_UMASK,
	JSON_UMASK_EXT,
	JSON_UNIT,
	/* those that only Itanium's form has */
	JSON_EAR,
	JSON_ETB,
	JSON_GROUP,
	JSON_INDEX,
	JSON_MAX_INCR,
	JSON_QUALIFIERS,
	JSON_SET,
	JSON_TYPE,
	JSON_UNIT_MASKS,
	JSON_NR_FIELDS
};

/**
 * struct json_value - value of a field
 * @at: its first byte, without blanks around it; NULL: the event has no such field, or "Null" in it
 * @len: its bytes, none of them 0
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
 * @bad: events with a field that is there twice, or is no string or number; reported
 */
struct json_counts {
	unsigned int events;
	unsigned int metrics;
	unsigned int others;
	unsigned int bad;
};

/**
 * typedef json_event_fn - told of each event of a file
 * @ctx: as given to json_events_read()
 * @event: valid during the call only
 *
 * Return: 0 to go on; otherwise reading ends with this value.
 */
typedef int (*json_event_fn)(void *ctx, const struct json_event *event);

/**
 * json_field_name() - a field as files spell it
 * @field: which
 *
 * Return: its name.
 */
const char *json_field_name(enum json_field field);

/**
 * json_event_line() - line of a field
 * @event: an event
 * @field: one of its fields
 *
 * Return: the line of the field's name, or that of the event if it lacks the field.
 */
unsigned int json_event_line(const struct json_event *event, enum json_field field);

/**
 * json_events_parse() - read the text of a file
 * @path: what reports call it
 * @text: the text; need not be closed by 0
 * @len: its bytes
 * @fn: told of each event
 * @ctx: handed to @fn
 * @counts: out
 * @reporter: whom to tell of faults
 *
 * An entry may have 256 KiB and nest 8 deep, so that memory stays bounded whatever is in the text.
 *
 * Return: 0; -EINVAL after a fatal report, then the events before the fault were given to @fn;
 * -ENOMEM; what @fn returned.
 */
int json_events_parse(const char *path, const char *text, size_t len, json_event_fn fn, void *ctx,
		      struct json_counts *counts, struct reporter *reporter);

/**
 * json_events_read() - read a file
 * @path: it
 * @fn: told of each event
 * @ctx: handed to @fn
 * @counts: out
 * @reporter: whom to tell of faults
 *
 * Return: as json_events_parse(); -EINVAL also if the file cannot be read.
 */
int json_events_read(const char *path, json_event_fn fn, void *ctx, struct json_counts *counts,
		     struct reporter *reporter);

/**
 * json_itanium_read() - read a file of Itanium's form: perf's, with other fields
 * @path: it
 * @fn: told of each entry, since there is nothing but events
 * @ctx: handed to @fn
 * @counts: out
 * @reporter: whom to tell of faults, fields of the other forms among them
 *
 * Return: as json_events_read().
 */
int json_itanium_read(const char *path, json_event_fn fn, void *ctx, struct json_counts *counts,
		      struct reporter *reporter);

#endif /* _ACRPMU_GEN_JSON_EVENTS_H */
