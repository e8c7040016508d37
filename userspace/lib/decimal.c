// SPDX-License-Identifier: LGPL-2.1-or-later
/* Exact decimal numbers: reading, multiplying and dividing whole numbers by them, fractions. */
#include "decimal.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <strings.h>

#define BASE		10
#define SHOWN_PARTS	1000000	/* six places of a fraction without end */
#define TEXT_LEN	80

__extension__ typedef unsigned __int128 wide;

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static size_t count_digits(const char *at, size_t len)
{
	size_t n = 0;

	while (n < len && is_digit(at[n]))
		n++;
	return n;
}

static bool is_not_finite(const char *at, size_t len)
{
	return len >= 3 && (!strncasecmp(at, "inf", 3) || !strncasecmp(at, "nan", 3));
}

/* The form: digits, or digits that may be missing, a point and digits. */
static enum decimal_error check_form(const char *at, size_t len, size_t *whole, size_t *places,
				     size_t *bad)
{
	size_t end;

	*bad = 0;
	*places = 0;
	if (!len)
		return DECIMAL_EMPTY;
	if (*at == '-' || *at == '+')
		return DECIMAL_SIGN;
	if (is_not_finite(at, len))
		return DECIMAL_NOT_FINITE;
	*whole = count_digits(at, len);
	end = *whole;
	if (end < len && at[end] == '.') {
		*places = count_digits(at + end + 1, len - end - 1);
		end += 1 + *places;
	}
	if (!*whole && !*places)
		return DECIMAL_SYNTAX;
	*bad = end;
	if (end > *whole && !*places)
		return DECIMAL_SYNTAX;
	if (end == len)
		return DECIMAL_OK;
	return tolower((unsigned char)at[end]) == 'e' ? DECIMAL_EXPONENT : DECIMAL_SYNTAX;
}

enum decimal_error acrpmu_decimal_parse(const char *at, size_t len, struct decimal *value,
					size_t *bad)
{
	struct decimal v = { .digits = 0, .scale = 1 };
	unsigned int nr_digits = 0, nr_places = 0;
	size_t whole, places, i, end;
	enum decimal_error error;

	error = check_form(at, len, &whole, &places, bad);
	if (error)
		return error;
	end = places ? whole + 1 + places : whole;
	/* zeros at the end of the fraction */
	while (places && at[end - 1] == '0') {
		end--;
		places--;
	}
	for (i = 0; i < end; i++) {
		if (at[i] == '.')
			continue;
		*bad = i;
		/* zeros at the start do not count */
		if ((v.digits || at[i] != '0') && ++nr_digits > DECIMAL_MAX_DIGITS)
			return DECIMAL_LONG;
		v.digits = v.digits * BASE + (at[i] - '0');
		if (i < whole)
			continue;
		if (++nr_places > DECIMAL_MAX_DIGITS)
			return DECIMAL_LONG;
		v.scale *= BASE;
	}
	*value = v;
	return DECIMAL_OK;
}

/* a * b / c to the nearest; c is not 0 */
static int scale(__u64 a, __u64 b, __u64 c, __u64 *result)
{
	wide product = (wide)a * b;
	wide divided = product / c;
	wide rest = product % c;

	if (rest >= c - rest)
		divided++;
	if (divided > UINT64_MAX)
		return -EOVERFLOW;
	*result = divided;
	return 0;
}

int acrpmu_decimal_multiply(__u64 n, const struct decimal *value, __u64 *result)
{
	return scale(n, value->digits, value->scale, result);
}

int acrpmu_decimal_divide(__u64 n, const struct decimal *value, __u64 *result)
{
	return scale(n, value->scale, value->digits, result);
}

void acrpmu_decimal_reduce(__u64 *num, __u64 *den)
{
	__u64 a = *num, b = *den, rest;

	while (b) {
		rest = a % b;
		a = b;
		b = rest;
	}
	*num /= a;
	*den /= a;
}

/* Whether a fraction in lowest terms has an end: nothing but 2 and 5 divides the denominator. */
static bool ends(__u64 den)
{
	while (!(den % 2))
		den /= 2;
	while (!(den % 5))
		den /= 5;
	return den == 1;
}

/* Decimal places of num / den, a fraction that has an end, into text. */
static void print_places(__u64 num, __u64 den, char text[TEXT_LEN])
{
	wide rest = num % den;
	size_t n = 0;

	while (rest && n < TEXT_LEN - 1) {
		rest *= BASE;
		text[n++] = '0' + (char)(rest / den);
		rest %= den;
	}
	text[n] = 0;
}

size_t acrpmu_decimal_print(__u64 num, __u64 den, char *buf, size_t size)
{
	unsigned long long whole = num / den, parts;
	char places[TEXT_LEN];
	__u64 rounded = 0;

	if (ends(den)) {
		print_places(num, den, places);
		return snprintf(buf, size, "%llu%s%s", whole, *places ? "." : "", places);
	}
	/* the rest is less than den, so that this is at most one whole, and fits */
	scale(num % den, SHOWN_PARTS, den, &rounded);
	whole += rounded / SHOWN_PARTS;
	parts = rounded % SHOWN_PARTS;
	return snprintf(buf, size, "%llu/%llu (about %llu.%06llu)", (unsigned long long)num,
			(unsigned long long)den, whole, parts);
}
