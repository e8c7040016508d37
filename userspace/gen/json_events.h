/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading one JSON file of events: perf's (an array), Intel's (with "Events") or Itanium's. */
#ifndef _ACRPMU_GEN_JSON_EVENTS_H
#define _ACRPMU_GEN_JSON_EVENTS_H

#include "json_entry.h"

/**
 * json_events_parse() - read the text of a file
 * @path: its name in reports
 * @text: the text, not terminated
 * @len: its bytes
 * @fn: called for each event
 * @ctx: passed to @fn
 * @counts: out
 * @reporter: receives reports
 *
 * An entry may have 256 KiB and nest 8 deep, which bounds memory for any text.
 *
 * Return: 0; -EINVAL after a fatal report, then the events before the fault were given to @fn;
 * -ENOMEM; what @fn returned.
 */
int json_events_parse(const char *path, const char *text, size_t len, json_event_fn fn, void *ctx,
		      struct json_counts *counts, struct reporter *reporter);

/**
 * json_events_read() - read a file
 * @fn: called for each event
 * @ctx: passed to @fn
 * @counts: out
 * @reporter: receives reports
 *
 * Return: as json_events_parse(); -EINVAL also if the file cannot be read.
 */
int json_events_read(const char *path, json_event_fn fn, void *ctx, struct json_counts *counts,
		     struct reporter *reporter);

/**
 * json_itanium_read() - read a file of Itanium's form: perf's, with other fields
 * @fn: called for each entry: all of them are events
 * @ctx: passed to @fn
 * @counts: out
 * @reporter: receives reports, also of fields that belong to the other forms
 *
 * Return: as json_events_read().
 */
int json_itanium_read(const char *path, json_event_fn fn, void *ctx, struct json_counts *counts,
		      struct reporter *reporter);

#endif /* _ACRPMU_GEN_JSON_EVENTS_H */
