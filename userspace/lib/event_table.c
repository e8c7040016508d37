// SPDX-License-Identifier: LGPL-2.1-or-later
/* Searching tables of named events, and the mapping table that says which CPU has which. */
#include "event_table.h"

#include <regex.h>
#include <string.h>

#define CPUID_LEN	128
#define SPECIAL		"\\^$.|?*+()[]{}"	/* in an extended regular expression */
#define REPETITIONS	"?*+"
#define CLASS_XDIGIT	"[:xdigit:]"
#define TYPE_CORE	"core"
#define TYPE_HYBRID	"hybridcore"
#define CORE_TYPE_SHIFT	24
#define NATIVE_MASK	0xffffffU

/* Not tolower(): the order must not depend on the locale. */
static int lower(char c)
{
	return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : (unsigned char)c;
}

/* @same: in, characters that are known to be equal; out, how many are */
static int compare_from(const char *a, size_t a_len, const char *b, size_t *same)
{
	size_t i;
	int diff;

	for (i = *same; i < a_len; i++) {
		diff = lower(a[i]) - lower(b[i]);
		/* also where b ends, even if a has a 0 there */
		if (diff || !b[i])
			break;
	}
	*same = i;
	return i < a_len ? diff : -lower(b[i]);
}

int event_table_compare(const char *a, size_t a_len, const char *b)
{
	size_t same = 0;

	return compare_from(a, a_len, b, &same);
}

const struct event_row *event_table_find(const struct event_table *table, const char *name,
					 size_t len)
{
	/* characters that it shares with the rows before @first and at @end, so with all between */
	size_t before = 0, after = 0, same;
	__u32 first = 0, end = table->nr;
	const struct event_row *row;

	/* the first of those that are not before it: a name may be there once for each PMU */
	while (first < end) {
		__u32 middle = first + (end - first) / 2;

		row = &table->rows[middle];
		same = before < after ? before : after;
		if (compare_from(name, len, table->text + row->name, &same) > 0) {
			first = middle + 1;
			before = same;
		} else {
			end = middle;
			after = same;
		}
	}
	row = &table->rows[first];
	if (first == table->nr || event_table_compare(name, len, table->text + row->name))
		return NULL;
	return row;
}

/* ---- CPUID strings ------------------------------------------------------------------------- */

/*
 * Expressions as mapping tables have them are matched here, without regcomp(), which takes longer
 * than all the rest of a look-up: characters, lists of characters, choices in parentheses without
 * further ones in them, and one repetition of a character or list.
 */

/* Behind a list; @at is at its opening bracket; NULL if it is none that list_has() can do. */
static const char *after_list(const char *at)
{
	if (at[1] == '^' || at[1] == ']')
		return NULL;
	for (at++; *at && *at != ']'; at++) {
		if (*at != '[')
			continue;
		if (strncmp(at, CLASS_XDIGIT, strlen(CLASS_XDIGIT)))
			return NULL;
		at += strlen(CLASS_XDIGIT) - 1;
	}
	return *at ? at + 1 : NULL;
}

static bool list_has(const char *at, char c)
{
	for (at++; *at != ']'; at++) {
		if (*at == '[') {
			if (strchr("0123456789abcdefABCDEF", c))
				return true;
			at += strlen(CLASS_XDIGIT) - 1;
		} else if (at[1] == '-' && at[2] != ']') {
			if (c >= at[0] && c <= at[2])
				return true;
			at += 2;
		} else if (*at == c) {
			return true;
		}
	}
	return false;
}

/* Whether match() can do an expression. */
static bool is_simple(const char *at)
{
	bool choice = false, repeated = false;

	for (; *at; at++) {
		if (*at == '[') {
			at = after_list(at);
			if (!at)
				return false;
			at--;
		} else if (*at == '(') {
			if (choice)
				return false;
			choice = true;
		} else if (*at == ')') {
			if (!choice || (at[1] && strchr(REPETITIONS "{", at[1])))
				return false;
			choice = false;
		} else if (*at == '|') {
			if (!choice)
				return false;
		} else if (strchr(SPECIAL, *at)) {
			return false;
		}
		if (at[1] && strchr(REPETITIONS, at[1])) {
			/* several could take very long; before one there must be something */
			if (repeated || strchr("(|", *at))
				return false;
			repeated = true;
			at++;
		}
	}
	return !choice;
}

static bool match(const char *at, const char *end, const char *rest, const char *s);

/* Each choice in turn, with what follows; @at is at the opening parenthesis. */
static bool match_choices(const char *at, const char *s)
{
	const char *close = strchr(at, ')'), *end;

	do {
		at++;
		end = at + strcspn(at, "|)");
		if (match(at, end, close + 1, s))
			return true;
		at = end;
	} while (at < close);
	return false;
}

static bool match_one(const char *at, char c)
{
	return c && (*at == '[' ? list_has(at, c) : *at == c);
}

/* From @at to @end, then @rest to its end if it is not NULL, against all of @s. */
static bool match(const char *at, const char *end, const char *rest, const char *s)
{
	const char *next;
	size_t n = 0, min;

	if (at == end)
		return rest ? match(rest, rest + strlen(rest), NULL, s) : !*s;
	if (*at == '(')
		return match_choices(at, s);
	next = *at == '[' ? after_list(at) : at + 1;
	if (next == end || !strchr(REPETITIONS, *next))
		return match_one(at, *s) && match(next, end, rest, s + 1);

	min = *next == '+';
	while (match_one(at, s[n]) && (*next != '?' || !n))
		n++;
	for (; n > min; n--) {
		if (match(next + 1, end, rest, s + n))
			return true;
	}
	return n == min && match(next + 1, end, rest, s + n);
}

/* Whether an expression can match at all, by the characters that it begins with. */
static bool may_match(const char *pattern, const char *cpuid)
{
	size_t n = strcspn(pattern, SPECIAL);

	/* a character that may be repeated, left out or replaced proves nothing */
	if (strchr(pattern, '|') || !n)
		return true;
	if (pattern[n] && strchr(REPETITIONS "{", pattern[n]))
		n--;
	return !strncmp(pattern, cpuid, n);
}

static bool matches_whole(const regex_t *regex, const char *cpuid)
{
	regmatch_t match;

	return !regexec(regex, cpuid, 1, &match, 0) && !match.rm_so && !cpuid[match.rm_eo];
}

/* Without the stepping: up to the third hyphen; empty if there is none. */
static void cut_stepping(const char *cpuid, char cut[CPUID_LEN])
{
	const char *at = cpuid;
	unsigned int i;

	cut[0] = 0;
	for (i = 0; i < 3; i++) {
		at = strchr(i ? at + 1 : at, '-');
		if (!at)
			return;
	}
	if (at - cpuid >= CPUID_LEN)
		return;
	memcpy(cut, cpuid, at - cpuid);
	cut[at - cpuid] = 0;
}

static bool matches_regex(const char *pattern, const char *cpuid, const char *cut)
{
	regex_t regex;
	bool found;

	if (regcomp(&regex, pattern, REG_EXTENDED))
		return false;
	found = matches_whole(&regex, cpuid) || (*cut && matches_whole(&regex, cut));
	regfree(&regex);
	return found;
}

bool event_maps_match(const struct event_map *map, const char *cpuid)
{
	const char *pattern = map->cpuid, *end = pattern + strlen(pattern);
	char cut[CPUID_LEN];

	cut_stepping(cpuid, cut);
	if (!strcmp(pattern, cpuid) || (*cut && !strcmp(pattern, cut)))
		return true;
	if (!pattern[strcspn(pattern, SPECIAL)])
		return false;
	if (is_simple(pattern))
		return match(pattern, end, NULL, cpuid) || (*cut && match(pattern, end, NULL, cut));
	return may_match(pattern, cpuid) && matches_regex(pattern, cpuid, cut);
}

static bool is_core(const struct event_map *map, __u32 core_type)
{
	const __u32 native_model = core_type & NATIVE_MASK;

	if (!strcmp(map->type, TYPE_CORE))
		return true;
	if (strcmp(map->type, TYPE_HYBRID) || map->core_type != core_type >> CORE_TYPE_SHIFT)
		return false;
	return !map->native_model || !native_model || map->native_model == native_model;
}

const struct event_table *event_maps_find(const struct event_maps *maps, const char *cpuid,
					  __u32 core_type)
{
	__u32 i;

	for (i = 0; i < maps->nr; i++) {
		if (is_core(&maps->maps[i], core_type) && event_maps_match(&maps->maps[i], cpuid))
			return maps->maps[i].table;
	}
	return NULL;
}

const struct event_table *event_maps_by_name(const struct event_maps *maps, const char *name)
{
	__u32 i;

	for (i = 0; i < maps->nr_tables; i++) {
		if (!event_table_compare(name, strlen(name), maps->tables[i]->name))
			return maps->tables[i];
	}
	return NULL;
}
