/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Scanning JSON text for what json-c does not report: lines, names of fields, pure ASCII. */
#ifndef _ACRPMU_GEN_JSON_SCAN_H
#define _ACRPMU_GEN_JSON_SCAN_H

#include <stdbool.h>
#include <stddef.h>

unsigned int json_count_lines(const char *from, const char *to);

static inline bool json_is_blank(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

/*
 * The name of the next field of the outermost object, between @at and @end. Start at the object's
 * brace with @depth 0; go on behind the name that was found.
 */
const char *json_next_key(const char *at, const char *end, int *depth, size_t *len);

/* Counts names of fields at any depth: more than json_next_key() finds, but in less time. */
int json_count_keys(const char *at, const char *end);

/* json-c checks UTF-8 byte by byte, which takes a third of its time: pure ASCII needs no check. */
bool json_is_ascii(const char *at, const char *end);

#endif /* _ACRPMU_GEN_JSON_SCAN_H */
