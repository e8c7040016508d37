// SPDX-License-Identifier: LGPL-2.1-or-later
/* Scanning JSON text for what json-c does not report: lines, names of fields, pure ASCII. */
#include "json_scan.h"

#include <stddef.h>
#include <string.h>
#include <linux/types.h>

unsigned int json_count_lines(const char *from, const char *to)
{
	unsigned int nr = 0;

	while ((from = memchr(from, '\n', to - from))) {
		from++;
		nr++;
	}
	return nr;
}

/* Past the closing quote of the string that starts at @at. */
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

const char *json_next_key(const char *at, const char *end, int *depth, size_t *len)
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
		while (at < end && json_is_blank(*at))
			at++;
		if (at < end && *at == ':')
			return start;
	}
	return NULL;
}

int json_count_keys(const char *at, const char *end)
{
	int nr = 0;

	while ((at = memchr(at, '"', end - at))) {
		at = skip_string(at, end);
		while (at < end && json_is_blank(*at))
			at++;
		nr += at < end && *at == ':';
	}
	return nr;
}

bool json_is_ascii(const char *at, const char *end)
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
