/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading one JSON file of events: perf's (an array), Intel's (with "Events") or Itanium's. */
#ifndef _ACRPMU_GEN_JSON_EVENTS_H
#define _ACRPMU_GEN_JSON_EVENTS_H

#include "json_entry.h"

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
