/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* An event string being read: spans of it, and refusals that point into it. */
#ifndef _ACRPMU_LIB_TEXT_H
#define _ACRPMU_LIB_TEXT_H

#include <stdbool.h>

#include "../util/message.h"

/**
 * struct text - an event string
 * @start: its first byte; 0-terminated
 * @string: its index among those given
 * @message: where refusals go, may be NULL
 * @events: named events of the CPU, may be NULL
 */
struct text {
	const char *start;
	unsigned int string;
	struct acrpmu_message *message;
	const struct acrpmu_events *events;
};

/**
 * struct span - some bytes of an event string
 * @at: its first byte; NULL: not there at all
 * @len: its bytes
 */
struct span {
	const char *at;
	size_t len;
};

/** acrpmu_text_is_blank() - check for a blank, tab or line feed */
bool acrpmu_text_is_blank(char c);

/**
 * acrpmu_text_skip() - skip blanks, and line feeds hidden from a shell by a backslash
 *
 * Return: the next byte that is none of these.
 */
const char *acrpmu_text_skip(const char *at);

/**
 * acrpmu_text_column() - position in a string as users count
 * @at: a byte of it
 *
 * Return: 1 for the first byte.
 */
unsigned int acrpmu_text_column(const struct text *text, const char *at);

/**
 * acrpmu_text_is() - compare a span with a word
 *
 * Return: whether they are equal.
 */
bool acrpmu_text_is(struct span span, const char *word);

/**
 * acrpmu_text_word() - a span as messages show it
 *
 * Return: the word.
 */
struct message_word acrpmu_text_word(struct span span);

/**
 * acrpmu_text_refuse() - refuse a string
 * @at: the byte to blame
 * @code: short word for programs
 * @hint: the remedy, "" if acrpmu_message_hint() follows
 * @format: what and why, as for printf()
 * @...: what the format asks for
 *
 * Return: -EINVAL.
 */
int acrpmu_text_refuse(const struct text *text, const char *at, const char *code, const char *hint,
		       const char *format, ...) __attribute__((format(printf, 5, 6)));

#endif /* _ACRPMU_LIB_TEXT_H */
