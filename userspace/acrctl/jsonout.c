// SPDX-License-Identifier: GPL-2.0-only
/* From our types to jansson's values: text of any bytes, numbers of 64 bits; and printing them. */
#include "jsonout.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../kmod/core/types.h"

#define REPLACEMENT	"\xef\xbf\xbd"	/* U+FFFD */

/*
 * The well-formed characters of UTF-8: which byte begins them, which may be the second.  The third
 * and the fourth are always from 0x80 to 0xbf.
 */
static const struct {
	unsigned char first, first_last;
	unsigned char second, second_last;
	size_t len;
} utf8_forms[] = {
	{ 0x00, 0x7f, 0, 0, 1 },
	{ 0xc2, 0xdf, 0x80, 0xbf, 2 },
	{ 0xe0, 0xe0, 0xa0, 0xbf, 3 },
	{ 0xe1, 0xec, 0x80, 0xbf, 3 },
	{ 0xed, 0xed, 0x80, 0x9f, 3 },
	{ 0xee, 0xef, 0x80, 0xbf, 3 },
	{ 0xf0, 0xf0, 0x90, 0xbf, 4 },
	{ 0xf1, 0xf3, 0x80, 0xbf, 4 },
	{ 0xf4, 0xf4, 0x80, 0x8f, 4 },
};

/* Bytes of the UTF-8 character at @at, 0 if there is none; the 0 behind a text ends it in time. */
static size_t utf8_len(const unsigned char *at)
{
	unsigned int i;
	size_t n = 2;

	for (i = 0; i < ARRAY_SIZE(utf8_forms); i++) {
		if (at[0] >= utf8_forms[i].first && at[0] <= utf8_forms[i].first_last)
			break;
	}
	if (i == ARRAY_SIZE(utf8_forms))
		return 0;
	if (utf8_forms[i].len == 1)
		return 1;
	if (at[1] < utf8_forms[i].second || at[1] > utf8_forms[i].second_last)
		return 0;
	while (n < utf8_forms[i].len && (at[n] & 0xc0) == 0x80)
		n++;
	return n == utf8_forms[i].len ? n : 0;
}

/**
 * jsonout_text() - a string
 * @text: the string, NULL for null; jansson takes UTF-8 only, other bytes become U+FFFD each
 *
 * Return: the value, NULL: no memory.
 */
json_t *jsonout_text(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	char *valid, *end;
	json_t *json;

	if (!text)
		return json_null();
	valid = malloc(strlen(text) * strlen(REPLACEMENT) + 1);
	if (!valid)
		return NULL;
	for (end = valid; *at;) {
		size_t len = utf8_len(at);

		end = mempcpy(end, len ? (const char *)at : REPLACEMENT,
			      len ? len : strlen(REPLACEMENT));
		at += len ? len : 1;
	}
	json = json_stringn(valid, end - valid);
	free(valid);
	return json;
}

/**
 * jsonout_hex() - a number as a string of hexadecimal digits
 * @value: the number
 *
 * Return: the value, NULL: no memory.
 */
json_t *jsonout_hex(__u64 value)
{
	return json_sprintf("0x%llx", (unsigned long long)value);
}

/**
 * jsonout_count() - a number of things
 * @value: the number; above JSONOUT_INTEGER_MAX, as only in damaged files, it becomes a real
 *
 * Return: the value, NULL: no memory.
 */
json_t *jsonout_count(__u64 value)
{
	return value <= JSONOUT_INTEGER_MAX ? json_integer(value) : json_real(value);
}

/**
 * jsonout_add() - append to an array, or give the array up
 * @array: the array, NULL: given up before; becomes NULL if there is no memory
 * @item: what to append, taken over; NULL: there was no memory for it
 */
void jsonout_add(json_t **array, json_t *item)
{
	if (!json_array_append_new(*array, item))
		return;
	json_decref(*array);
	*array = NULL;
}

/**
 * jsonout_set() - append a member to an object, or give the object up
 * @object: the object, NULL: given up before; becomes NULL if there is no memory
 * @key: name of the member
 * @value: its value, taken over; NULL: there was no memory for it
 */
void jsonout_set(json_t **object, const char *key, json_t *value)
{
	if (!json_object_set_new(*object, key, value))
		return;
	json_decref(*object);
	*object = NULL;
}

/**
 * jsonout_merge() - append the members of an object to another, or give that one up
 * @object: the object, NULL: given up before; becomes NULL if there is no memory
 * @more: the object whose members are appended, taken over; NULL: there was no memory for it
 */
void jsonout_merge(json_t **object, json_t *more)
{
	if (!json_object_update_new(*object, more))
		return;
	json_decref(*object);
	*object = NULL;
}

/**
 * jsonout_print() - print a value on standard output
 * @json: the value, taken over; NULL: there was no memory for it
 * @flags: of json_dumpf(), besides JSON_COMPACT
 *
 * Not by way of json_dumps(): version 2.14 of jansson leaves names out without a word where the
 * string that it makes cannot grow.
 *
 * Return: 0, also where writing failed, which output_finish() tells; -ENOMEM.
 */
int jsonout_print(json_t *json, size_t flags)
{
	int err = json ? json_dumpf(json, stdout, JSON_COMPACT | flags) : -1;

	json_decref(json);
	return err && !ferror(stdout) ? -ENOMEM : 0;
}
