/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Reading entries of plain strings, as nearly all are, without json-c. */
#ifndef _ACRPMU_GEN_JSON_PLAIN_H
#define _ACRPMU_GEN_JSON_PLAIN_H

#include "json_entry.h"

/**
 * json_plain_use() - use an entry if it is plain
 * @entries: its file
 * @event: path, line and start of the text of the entry; the rest is set here
 * @end: where the entry must have ended
 * @ret: out, as json_entry_use() returns
 *
 * An entry is plain if all of its values are strings of ASCII without escapes, and if it has no
 * field twice and, unless it is a metric, no field that is not known. json-c would find the same in
 * it, in several times the time.
 *
 * Return: whether it was; otherwise nothing was used, and json-c has to read the entry.
 */
bool json_plain_use(struct json_entries *entries, struct json_event *event, const char *end,
		    int *ret);

#endif /* _ACRPMU_GEN_JSON_PLAIN_H */
