/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Thresholds of conditions: percentages, fractions and decimals as exact fractions. */
#ifndef _ACRPMU_LIB_COND_NUMBER_H
#define _ACRPMU_LIB_COND_NUMBER_H

#include "text.h"

__extension__ typedef unsigned __int128 cond_wide;

/**
 * struct cond_number - a fraction in lowest terms
 * @num: numerator, above 0
 * @den: denominator, above 0
 */
struct cond_number {
	cond_wide num;
	cond_wide den;
};

/**
 * acrpmu_cond_number_read() - read "20%", "2/1000" or "0.02"
 * @text: the condition it stands in
 * @at: in, its first byte; out, behind it if it was read
 * @number: out, written only on success
 *
 * A slash belongs to the number only if a digit comes next.
 *
 * Return: 0 or -EINVAL.
 */
int acrpmu_cond_number_read(const struct text *text, const char **at, struct cond_number *number);

/**
 * acrpmu_cond_number_divide() - divide a number by a small one
 * @by: 1 to 1000
 * @num: out, numerator of the result in lowest terms; 2^64 - 1 if it is larger than that
 * @den: out, denominator, likewise
 */
void acrpmu_cond_number_divide(const struct cond_number *number, __u32 by, __u64 *num, __u64 *den);

#endif /* _ACRPMU_LIB_COND_NUMBER_H */
