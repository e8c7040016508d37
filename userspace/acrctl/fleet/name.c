// SPDX-License-Identifier: GPL-2.0-only
/* The name under which a server keeps profiles, with its labels. */
#include "name.h"

#include <stdio.h>
#include <string.h>

#define LETTERS		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS		"0123456789"

/* key=value; returns what follows, NULL: it is none. */
static const char *take_label(const char *at)
{
	size_t key = strspn(at, LETTERS DIGITS "_");
	size_t value = strcspn(at + key + (at[key] == '='), ",{}=\"\\ ");

	if (!key || strspn(at, DIGITS) || at[key] != '=' || !value)
		return NULL;
	return at + key + 1 + value;
}

/**
 * push_name_is_valid() - check that a name is APP or APP{KEY=VALUE,...}
 */
bool push_name_is_valid(const char *name)
{
	const char *at = name + strspn(name, LETTERS DIGITS "._/-");

	if (at == name || strlen(name) >= PUSH_NAME_LEN)
		return false;
	if (!*at)
		return true;
	do {
		/* "{" or "," */
		at = take_label(at + 1);
	} while (at && *at == ',');
	return name[strspn(name, LETTERS DIGITS "._/-")] == '{' && at && !strcmp(at, "}");
}

static bool has_label(const char *name, const char *label)
{
	size_t len = strlen(label);

	for (name = strpbrk(name, "{,"); name; name = strpbrk(name + 1, "{,")) {
		if (!strncmp(name + 1, label, len) && name[1 + len] == '=')
			return true;
	}
	return false;
}

/* What a value cannot hold becomes '_'. */
static void append_value(char *out, const char *value)
{
	char *to = out + strlen(out);

	for (; *value && to < out + PUSH_NAME_LEN - 2; value++)
		*to++ = *value > ' ' && *value < 0x7f && !strchr(",{}=\"\\", *value) ? *value : '_';
	*to++ = '}';
	*to = '\0';
}

/**
 * push_name_add() - add a label to a valid name, unless it has it
 * @out: of PUSH_NAME_LEN
 *
 * Return: whether there was room.
 */
bool push_name_add(const char *name, const char *label, const char *value, char *out)
{
	size_t len = strcspn(name, "}");
	bool first = !name[len];

	if (!*value || has_label(name, label))
		return snprintf(out, PUSH_NAME_LEN, "%s", name) < PUSH_NAME_LEN;
	if (len + strlen(label) + strlen(value) + sizeof("{=}") > PUSH_NAME_LEN)
		return false;
	sprintf(out, "%.*s%c%s=", (int)len, name, first ? '{' : ',', label);
	append_value(out, value);
	return true;
}
