// SPDX-License-Identifier: GPL-2.0-only
/* JSON: values, trees in which an allocation failure shows at the root, and printing a tree. */
#include "jsonout.h"

#include <errno.h>
#include <float.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../util/util.h"

#define REPLACEMENT	"\xef\xbf\xbd"	/* U+FFFD */
#define FORMAT_LEN	32	/* 64 bits in octal and a prefix */

/* Keys are constant and new: json-c neither copies nor searches them. */
#define ADD_FLAGS	(JSON_C_OBJECT_ADD_KEY_IS_NEW | JSON_C_OBJECT_ADD_CONSTANT_KEY)

/* only its address matters */
static char null_value;
struct json_object *const jsonout_null = (struct json_object *)&null_value;

/* ---- values ------------------------------------------------------------------------------- */

/**
 * jsonout_text() - a string of any bytes, or null for NULL
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *jsonout_text(const char *text)
{
	return text ? json_object_new_string(text) : jsonout_null;
}

/**
 * jsonout_format() - a number as a string of at most 31 bytes
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *jsonout_format(const char *format, ...)
{
	char text[FORMAT_LEN];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	return json_object_new_string(text);
}

/**
 * jsonout_hex() - a number as a string of hexadecimal digits
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *jsonout_hex(__u64 value)
{
	return jsonout_format("0x%llx", (unsigned long long)value);
}

/**
 * jsonout_count() - a whole number
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *jsonout_count(__u64 value)
{
	return json_object_new_uint64(value);
}

/**
 * jsonout_real() - a finite real number
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *jsonout_real(double value)
{
	return json_object_new_double(value);
}

/**
 * jsonout_bool() - true or false
 *
 * Return: the value, NULL: out of memory.
 */
struct json_object *jsonout_bool(bool value)
{
	return json_object_new_boolean(value);
}

/* ---- arrays and objects ------------------------------------------------------------------- */

/* Free a tree, and the value that was not added to it. */
static void give_up(struct json_object **tree, struct json_object *value)
{
	if (value != jsonout_null)
		json_object_put(value);
	json_object_put(*tree);
	*tree = NULL;
}

/* json-c has NULL for null, which is an allocation failure here. */
static struct json_object *in_tree(struct json_object *value)
{
	return value == jsonout_null ? NULL : value;
}

/**
 * jsonout_add() - append to an array
 *
 * @item is taken over.  If it or @array is NULL, or memory runs out, @array becomes NULL.
 */
void jsonout_add(struct json_object **array, struct json_object *item)
{
	if (!*array || !item || json_object_array_add(*array, in_tree(item)))
		give_up(array, item);
}

static void set(struct json_object **object, const char *key, va_list more)
{
	for (; key; key = va_arg(more, const char *)) {
		struct json_object *value = va_arg(more, struct json_object *);

		if (!*object || !value ||
		    json_object_object_add_ex(*object, key, in_tree(value), ADD_FLAGS))
			give_up(object, value);
	}
}

/**
 * jsonout_set() - append members to an object
 *
 * After each key, a constant that is new to the object, comes its value, which is taken over; NULL
 * ends the list.  If a value or @object is NULL, or memory runs out, @object becomes NULL.
 */
void jsonout_set(struct json_object **object, const char *key, ...)
{
	va_list more;

	va_start(more, key);
	set(object, key, more);
	va_end(more);
}

/**
 * jsonout_object() - make an object of keys and values as for jsonout_set()
 *
 * Return: the value, NULL: out of memory, for it or for a member.
 */
struct json_object *jsonout_object(const char *key, ...)
{
	struct json_object *object = json_object_new_object();
	va_list more;

	va_start(more, key);
	set(&object, key, more);
	va_end(more);
	return object;
}

/* ---- printing ----------------------------------------------------------------------------- */

/*
 * The well-formed characters of UTF-8: first byte, second byte, length.  The third and the fourth
 * byte are always from 0x80 to 0xbf.  mbrlen() depends on the locale and accepts surrogates.
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

/* Length of the UTF-8 character at @at, 0 if it is malformed; the final 0 of a text is no part. */
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

static void print_escape(FILE *out, unsigned char c)
{
	static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
	const char *at = strchr(escaped, c);

	if (at)
		fprintf(out, "\\%c", letters[at - escaped]);
	else
		fprintf(out, "\\u%04X", c);
}

/* JSON is UTF-8: each byte that is not part of a character becomes U+FFFD. */
static void print_string(FILE *out, const char *text)
{
	const unsigned char *at = (const unsigned char *)text;

	fputc('"', out);
	while (*at) {
		size_t len = utf8_len(at);

		if (!len)
			fputs(REPLACEMENT, out);
		else if (*at < ' ' || *at == '"' || *at == '\\')
			print_escape(out, *at);
		else
			fwrite(at, 1, len, out);
		at += len ? len : 1;
	}
	fputc('"', out);
}

/* DBL_DIG digits hide the rounding to binary; a point or exponent keeps it a real. */
static void print_real(FILE *out, double value)
{
	char digits[FORMAT_LEN];

	snprintf(digits, sizeof(digits), "%.*g", DBL_DIG, value);
	fprintf(out, "%s%s", digits, strpbrk(digits, ".e") ? "" : ".0");
}

static void print_value(FILE *out, struct json_object *json);

static void print_array(FILE *out, struct json_object *json)
{
	size_t i, len = json_object_array_length(json);

	fputc('[', out);
	for (i = 0; i < len; i++) {
		if (i)
			fputc(',', out);
		print_value(out, json_object_array_get_idx(json, i));
	}
	fputc(']', out);
}

static void print_object(FILE *out, struct json_object *json)
{
	bool first = true;

	fputc('{', out);
	json_object_object_foreach(json, key, value) {
		if (!first)
			fputc(',', out);
		first = false;
		print_string(out, key);
		fputc(':', out);
		print_value(out, value);
	}
	fputc('}', out);
}

static void print_value(FILE *out, struct json_object *json)
{
	switch (json_object_get_type(json)) {
	case json_type_null:
		fputs("null", out);
		break;
	case json_type_boolean:
		fputs(json_object_get_boolean(json) ? "true" : "false", out);
		break;
	case json_type_int:
		if (json_object_get_int64(json) < 0)
			fprintf(out, "%lld", (long long)json_object_get_int64(json));
		else
			fprintf(out, "%llu", (unsigned long long)json_object_get_uint64(json));
		break;
	case json_type_double:
		print_real(out, json_object_get_double(json));
		break;
	case json_type_string:
		print_string(out, json_object_get_string(json));
		break;
	case json_type_array:
		print_array(out, json);
		break;
	case json_type_object:
		print_object(out, json);
		break;
	}
}

/**
 * jsonout_fprint() - print a value, which is taken over
 *
 * json-c's own printing will not do: version 0.16 of json-c silently drops values where the
 * string that it makes cannot grow.  Printing here needs no memory, so that all of the output
 * appears or none.
 *
 * Return: 0, also after a write error, which the stream remembers; -ENOMEM if @json is NULL.
 */
int jsonout_fprint(FILE *out, struct json_object *json)
{
	if (!json)
		return -ENOMEM;
	print_value(out, json);
	json_object_put(json);
	return 0;
}

/**
 * jsonout_print() - print a value on standard output
 *
 * Return: as jsonout_fprint(); output_finish() reports write errors.
 */
int jsonout_print(struct json_object *json)
{
	return jsonout_fprint(stdout, json);
}
