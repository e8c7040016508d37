/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Numbers and lists of numbers as fields of event files hold them. */
#ifndef _ACRPMU_GEN_NUMBER_H
#define _ACRPMU_GEN_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/**
 * number_parse() - read a number, decimal or with 0x hexadecimal
 * @at: its first byte
 * @len: its bytes; blanks around it are ignored
 * @number: out, written only on success
 *
 * Return: whether it is a number below 2^64 and nothing else.
 */
bool number_parse(const char *at, size_t len, __u64 *number);

/**
 * number_next() - get the next word of a list such as "0x1a6,0x1a7"
 * @at: the list, advanced past the word; NULL after the last one
 * @len: its bytes, reduced accordingly
 * @word: out, the word without blanks around it, may be empty
 * @word_len: out, its bytes
 *
 * Return: whether there was one.
 */
bool number_next(const char **at, size_t *len, const char **word, size_t *word_len);

#endif /* _ACRPMU_GEN_NUMBER_H */
