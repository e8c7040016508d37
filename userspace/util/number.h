/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers in event strings: decimal, or hexadecimal after 0x, as perf reads them. */
#ifndef _ACRPMU_UTIL_NUMBER_H
#define _ACRPMU_UTIL_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/**
 * enum number_error - why a string is not a number
 * @NUMBER_OK: it is one
 * @NUMBER_EMPTY: nothing there, or nothing after 0x
 * @NUMBER_SIGN: a sign
 * @NUMBER_HEX: it looks like a hexadecimal number without 0x
 * @NUMBER_SUFFIX: digits followed by k, M or G
 * @NUMBER_SYNTAX: anything else that is not digits
 * @NUMBER_LARGE: more than 64 bits
 */
enum number_error {
	NUMBER_OK,
	NUMBER_EMPTY,
	NUMBER_SIGN,
	NUMBER_HEX,
	NUMBER_SUFFIX,
	NUMBER_SYNTAX,
	NUMBER_LARGE,
};

/**
 * acrpmu_number_parse() - read "100000" or "0x1f"; zeros at the start do not make it octal
 * @at: its first byte
 * @len: its bytes
 * @value: out, written only on success
 * @bad: out, offset of the first bad byte, written only on failure
 *
 * Return: NUMBER_OK or why not.
 */
enum number_error acrpmu_number_parse(const char *at, size_t len, __u64 *value, size_t *bad);

/**
 * acrpmu_number_hex() - read hexadecimal digits without 0x
 * @at: the first digit
 * @len: how many bytes
 * @value: out, written only on success
 * @bad: out, offset of the first bad byte, written only on failure
 *
 * Return: NUMBER_OK or why not.
 */
enum number_error acrpmu_number_hex(const char *at, size_t len, __u64 *value, size_t *bad);

#endif /* _ACRPMU_UTIL_NUMBER_H */
