// SPDX-License-Identifier: LGPL-2.1-or-later
/* Thresholds of conditions: percentages, fractions and decimals as exact fractions. */
#include "cond_number.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>

#include "decimal.h"

#define PERCENT		100
#define NUMBER_HINT	"write a percentage like 20%, a fraction like 2/1000, or a decimal " \
			"like 0.02"

static void reduce(struct cond_number *n)
{
	cond_wide a = n->num, b = n->den;

	while (b) {
		cond_wide rest = a % b;

		a = b;
		b = rest;
	}
	n->num /= a;
	n->den /= a;
}

static int refuse(const struct text *text, struct span word, size_t bad, enum decimal_error error)
{
	const char *why;

	switch (error) {
	case DECIMAL_SIGN:
		why = "has a sign";
		break;
	case DECIMAL_NOT_FINITE:
		why = "is not finite";
		break;
	case DECIMAL_EXPONENT:
		why = "has an exponent";
		break;
	case DECIMAL_LONG:
		why = "has more than 19 digits";
		break;
	default:
		why = "is not a number";
		break;
	}
	return acrpmu_text_refuse(text, word.at + bad, "condition-number", NUMBER_HINT,
				  "the threshold '%s' %s", acrpmu_text_word(word).text, why);
}

static bool begins_number(const char *at)
{
	return isdigit((unsigned char)*at) || *at == '.';
}

/* Letters are taken in, so that "1e-3" and "100k" are refused as a whole. */
static int read_decimal(const struct text *text, const char **at, struct decimal *value)
{
	struct span word = { *at, 0 };
	enum decimal_error error;
	size_t bad;

	if (*word.at == '+' || *word.at == '-')
		word.len++;
	while (isalnum((unsigned char)word.at[word.len]) || word.at[word.len] == '.')
		word.len++;
	error = acrpmu_decimal_parse(word.at, word.len, value, &bad);
	if (error)
		return refuse(text, word, bad, error);
	if (!value->digits)
		return acrpmu_text_refuse(text, word.at, "condition-zero",
					  "a ratio is compared with a number above 0",
					  "the threshold '%s' is 0", acrpmu_text_word(word).text);
	*at = word.at + word.len;
	return 0;
}

int acrpmu_cond_number_read(const struct text *text, const char **at, struct cond_number *number)
{
	struct decimal over, under = { .digits = 1, .scale = 1 };
	const char *next;
	int err = read_decimal(text, at, &over);

	if (err)
		return err;
	next = acrpmu_text_skip(*at);
	if (*next == '%') {
		under.digits = PERCENT;
		*at = next + 1;
	} else if (*next == '/' && begins_number(acrpmu_text_skip(next + 1))) {
		*at = acrpmu_text_skip(next + 1);
		err = read_decimal(text, at, &under);
	}
	if (err)
		return err;
	/* digits and scales are at most 10^19 */
	number->num = (cond_wide)over.digits * under.scale;
	number->den = (cond_wide)over.scale * under.digits;
	reduce(number);
	return 0;
}

void acrpmu_cond_number_divide(const struct cond_number *number, __u32 by, __u64 *num, __u64 *den)
{
	/* 10^38 leaves room for one more digit, and the common part comes out first */
	struct cond_number common = { .num = number->num % by, .den = by }, result;

	if (common.num)
		reduce(&common);
	else
		common.den = 1;
	result.num = number->num / (by / common.den);
	result.den = number->den;
	*num = result.num > UINT64_MAX ? UINT64_MAX : result.num;
	*den = result.den > UINT64_MAX / by ? UINT64_MAX : (__u64)result.den * (__u64)common.den;
}
