// SPDX-License-Identifier: LGPL-2.1-or-later
/* Numbers in event strings: decimal, or hexadecimal after 0x, as perf reads them. */
#include "number.h"

#include <ctype.h>
#include <stdint.h>
#include <string.h>

#define DECIMAL		10
#define HEXADECIMAL	16

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = tolower((unsigned char)c);
	return c >= 'a' && c <= 'f' ? c - 'a' + DECIMAL : HEXADECIMAL;
}

static enum number_error parse_digits(const char *at, size_t len, unsigned int base, __u64 *value,
				      size_t *bad)
{
	unsigned int d;
	__u64 v = 0;
	size_t i;

	for (i = 0; i < len; i++) {
		*bad = i;
		d = digit(at[i]);
		if (d >= base)
			return NUMBER_SYNTAX;
		if (v > (UINT64_MAX - d) / base)
			return NUMBER_LARGE;
		v = v * base + d;
	}
	*bad = 0;
	if (!len)
		return NUMBER_EMPTY;
	*value = v;
	return NUMBER_OK;
}

static bool all_hex(const char *at, size_t len)
{
	size_t i;

	for (i = 0; i < len; i++) {
		if (digit(at[i]) >= HEXADECIMAL)
			return false;
	}
	return true;
}

enum number_error acrpmu_number_parse(const char *at, size_t len, __u64 *value, size_t *bad)
{
	enum number_error error;

	*bad = 0;
	if (len && (*at == '-' || *at == '+'))
		return NUMBER_SIGN;
	if (len >= 2 && at[0] == '0' && at[1] == 'x') {
		error = parse_digits(at + 2, len - 2, HEXADECIMAL, value, bad);
		*bad += 2;
		return error;
	}
	error = parse_digits(at, len, DECIMAL, value, bad);
	if (error != NUMBER_SYNTAX)
		return error;
	if (all_hex(at, len))
		return NUMBER_HEX;
	if (*bad && *bad == len - 1 && strchr("kKmMgG", at[*bad]))
		return NUMBER_SUFFIX;
	return NUMBER_SYNTAX;
}

enum number_error acrpmu_number_hex(const char *at, size_t len, __u64 *value, size_t *bad)
{
	return parse_digits(at, len, HEXADECIMAL, value, bad);
}
