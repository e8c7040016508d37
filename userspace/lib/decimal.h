/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Exact decimal numbers: reading, multiplying and dividing whole numbers by them, fractions. */
#ifndef _ACRPMU_LIB_DECIMAL_H
#define _ACRPMU_LIB_DECIMAL_H

#include <stddef.h>
#include <linux/types.h>

/**
 * struct decimal - digits / 10^places
 * @digits: the digits as a whole number
 * @scale: 10 to the power of the decimal places
 */
struct decimal {
	__u64 digits;
	__u64 scale;
};

/**
 * enum decimal_error - why a string is not a decimal number
 * @DECIMAL_OK: it is one
 * @DECIMAL_EMPTY: nothing there
 * @DECIMAL_SIGN: a sign
 * @DECIMAL_NOT_FINITE: "inf" or "nan"
 * @DECIMAL_EXPONENT: digits followed by an exponent
 * @DECIMAL_SYNTAX: anything else that is not digits, or digits (none or more), a point and digits
 * @DECIMAL_LONG: more digits than can be kept exactly
 */
enum decimal_error {
	DECIMAL_OK,
	DECIMAL_EMPTY,
	DECIMAL_SIGN,
	DECIMAL_NOT_FINITE,
	DECIMAL_EXPONENT,
	DECIMAL_SYNTAX,
	DECIMAL_LONG,
};

#define DECIMAL_MAX_DIGITS	19	/* digits that a 64-bit number always holds */

/**
 * acrpmu_decimal_parse() - read a number like "2", "0.5" or ".5"
 * @at: its first byte
 * @len: its bytes
 * @value: out, written only on success; zeros that change nothing are left out
 * @bad: out, offset of the first bad byte, written only on failure
 *
 * Return: DECIMAL_OK or why not.
 */
enum decimal_error acrpmu_decimal_parse(const char *at, size_t len, struct decimal *value,
					size_t *bad);

/**
 * acrpmu_decimal_multiply() - n * value, rounded to the nearest whole number, ties upwards
 * @n: a whole number
 * @value: a decimal number
 * @result: out, written only on success
 *
 * Return: 0, or -EOVERFLOW.
 */
int acrpmu_decimal_multiply(__u64 n, const struct decimal *value, __u64 *result);

/**
 * acrpmu_decimal_divide() - n / value, rounded to the nearest whole number, ties upwards
 * @n: a whole number
 * @value: a decimal number, not 0
 * @result: out, written only on success
 *
 * Return: 0, or -EOVERFLOW.
 */
int acrpmu_decimal_divide(__u64 n, const struct decimal *value, __u64 *result);

/**
 * acrpmu_decimal_reduce() - bring a fraction to lowest terms
 * @num: numerator
 * @den: denominator, not 0
 */
void acrpmu_decimal_reduce(__u64 *num, __u64 *den);

/**
 * acrpmu_decimal_print() - a fraction as text: "0.5", or "1/3 (about 0.333333)" if it never ends
 * @num: numerator, lowest terms
 * @den: denominator, not 0
 * @buf: out, 0-terminated unless @size is 0
 * @size: its bytes
 *
 * Return: length of the whole text, as snprintf().
 */
size_t acrpmu_decimal_print(__u64 num, __u64 den, char *buf, size_t size);

#endif /* _ACRPMU_LIB_DECIMAL_H */
