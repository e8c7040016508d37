// SPDX-License-Identifier: LGPL-2.1-or-later
/* Numbers and lists of numbers as fields of event files hold them. */
#include "number.h"

#include <string.h>

static bool is_blank(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

static void trim(const char **at, size_t *len)
{
	while (*len && is_blank((*at)[*len - 1]))
		(*len)--;
	for (; *len && is_blank(**at); (*len)--)
		(*at)++;
}

static unsigned int digit_value(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
		return (c | 0x20) - 'a' + 10;
	return 16;
}

bool number_parse(const char *at, size_t len, __u64 *number)
{
	unsigned int base = 10;
	__u64 value = 0;

	trim(&at, &len);
	if (len > 2 && at[0] == '0' && (at[1] | 0x20) == 'x') {
		base = 16;
		at += 2;
		len -= 2;
	}
	if (!len)
		return false;
	for (; len; at++, len--) {
		const unsigned int digit = digit_value(*at);

		if (digit >= base || value > (~0ULL - digit) / base)
			return false;
		value = value * base + digit;
	}
	*number = value;
	return true;
}

bool number_next(const char **at, size_t *len, const char **word, size_t *word_len)
{
	const char *comma;

	if (!*at)
		return false;
	*word = *at;
	comma = memchr(*at, ',', *len);
	*word_len = comma ? (size_t)(comma - *at) : *len;
	*at = comma ? comma + 1 : NULL;
	*len -= *word_len + !!comma;
	trim(word, word_len);
	return true;
}
