/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Filling in messages: code, text and hint, with user input made printable. */
#ifndef _ACRPMU_UTIL_MESSAGE_H
#define _ACRPMU_UTIL_MESSAGE_H

#include "../lib/acrpmu_lib.h"

#define MESSAGE_WORD_LEN	48	/* of user input in a message, with its terminating 0 */

/**
 * struct message_word - user input for a message
 * @text: printable, shortened if need be
 */
struct message_word {
	char text[MESSAGE_WORD_LEN];
};

/**
 * acrpmu_message_word() - make user input printable
 * @at: its first byte
 * @len: its bytes
 *
 * Return: the word; what is not printable ASCII becomes '?', a long one ends in "...".
 */
struct message_word acrpmu_message_word(const char *at, size_t len);

/**
 * acrpmu_message_clear() - clear a message: nothing failed
 * @message: may be NULL
 */
void acrpmu_message_clear(struct acrpmu_message *message);

/**
 * acrpmu_message_text() - fill in what failed
 * @message: may be NULL; overwritten altogether
 * @code: the short word
 * @format: of the text, as for printf()
 * @...: what the format asks for
 */
void acrpmu_message_text(struct acrpmu_message *message, const char *code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/**
 * acrpmu_message_hint() - add the remedy
 * @message: may be NULL
 * @format: of the hint, as for printf()
 * @...: what the format asks for
 */
void acrpmu_message_hint(struct acrpmu_message *message, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/**
 * acrpmu_message_refuse() - refuse an event of a group
 * @message: out, @words with the position of the event; may be NULL
 * @words: code, text and hint
 *
 * Return: -EINVAL.
 */
int acrpmu_message_refuse(struct acrpmu_message *message, const struct acrpmu_spec_event *ev,
			  const struct acrpmu_message *words);

/**
 * acrpmu_message_no_memory() - report that memory is exhausted
 * @message: may be NULL
 *
 * Return: -ENOMEM.
 */
int acrpmu_message_no_memory(struct acrpmu_message *message);

#endif /* _ACRPMU_UTIL_MESSAGE_H */
