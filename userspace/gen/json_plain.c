// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading entries of plain strings, as nearly all are, without json-c. */
#include "json_plain.h"

#include <string.h>
#include <linux/types.h>

#include "json_scan.h"

/**
 * struct scan - an entry being scanned
 * @at: what comes next
 * @end: where it must have ended
 * @fields: bits of enum json_field that were there
 * @skipped: bits of the fields that do not matter
 * @unknown: there were others
 */
struct scan {
	const char *at;
	const char *end;
	__u64 fields;
	__u64 skipped;
	bool unknown;
};

_Static_assert(JSON_NR_FIELDS <= 64, "a bit for each field");

static bool take(struct scan *s, char c)
{
	while (s->at < s->end && json_is_blank(*s->at))
		s->at++;
	if (s->at >= s->end || *s->at != c)
		return false;
	s->at++;
	return true;
}

/* A byte that means itself in a string, and is a whole character. */
static bool is_plain(unsigned char c)
{
	return c >= ' ' && c < 0x80 && c != '"' && c != '\\';
}

#define EACH_BYTE(c)	(0x0101010101010101ULL * (c))

/*
 * Whether all bytes of a word are plain, by the top bit of each: subtraction sets it in a byte that
 * is too small, and otherwise only above such a byte or where it was set before.
 */
static bool are_plain(__u64 word)
{
	const __u64 control = word - EACH_BYTE(' ');
	const __u64 quote = (word ^ EACH_BYTE('"')) - EACH_BYTE(1);
	const __u64 backslash = (word ^ EACH_BYTE('\\')) - EACH_BYTE(1);

	return !((word | control | quote | backslash) & EACH_BYTE(0x80));
}

static const char *skip_plain(const char *at, const char *end)
{
	__u64 word;

	for (; end - at >= (ptrdiff_t)sizeof(word); at += sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		if (!are_plain(word))
			break;
	}
	while (at < end && is_plain(*at))
		at++;
	return at;
}

static bool take_string(struct scan *s, struct json_value *string)
{
	if (!take(s, '"'))
		return false;
	string->at = s->at;
	s->at = skip_plain(s->at, s->end);
	string->len = s->at - string->at;
	return s->at < s->end && *s->at++ == '"';
}

static bool is_first(__u64 *bits, int bit)
{
	const __u64 old = *bits;

	*bits |= 1ULL << bit;
	return *bits != old;
}

static bool take_field(struct scan *s, bool itanium, struct json_event *event)
{
	struct json_value name, value;
	int nr;

	if (!take_string(s, &name) || !take(s, ':') || !take_string(s, &value))
		return false;
	nr = json_field_find(itanium, name.at, name.len);
	if (nr >= 0) {
		json_value_trim(&value);
		event->values[nr] = value;
		return is_first(&s->fields, nr);
	}
	nr = json_field_find_skipped(itanium, name.at, name.len);
	if (nr >= 0)
		return is_first(&s->skipped, nr);
	s->unknown = true;
	return true;
}

static bool scan(struct scan *s, bool itanium, struct json_event *event)
{
	if (!take(s, '{'))
		return false;
	do {
		if (!take_field(s, itanium, event))
			return false;
	} while (take(s, ','));
	return take(s, '}');
}

bool json_plain_use(struct json_entries *entries, struct json_event *event, const char *end,
		    int *ret)
{
	struct scan s = { .at = event->text, .end = end };

	if (!scan(&s, entries->itanium, event) || (s.unknown && !json_event_is_metric(event))) {
		memset(event->values, 0, sizeof(event->values));
		return false;
	}
	event->text_len = s.at - event->text;
	*ret = json_entry_count(entries, event);
	return true;
}
