// SPDX-License-Identifier: LGPL-2.1-or-later
/* An event string being read: spans of it, and refusals that point into it. */
#include "text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool acrpmu_text_is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

const char *acrpmu_text_skip(const char *at)
{
	for (;;) {
		if (acrpmu_text_is_blank(*at))
			at++;
		else if (at[0] == '\\' && at[1] == '\n')
			at += 2;
		else if (at[0] == '\\' && at[1] == '\r' && at[2] == '\n')
			at += 3;
		else
			return at;
	}
}

unsigned int acrpmu_text_column(const struct text *text, const char *at)
{
	return at - text->start + 1;
}

bool acrpmu_text_is(struct span span, const char *word)
{
	return span.len == strlen(word) && !memcmp(span.at, word, span.len);
}

struct message_word acrpmu_text_word(struct span span)
{
	return acrpmu_message_word(span.at, span.len);
}

int acrpmu_text_refuse(const struct text *text, const char *at, const char *code, const char *hint,
		       const char *format, ...)
{
	char words[ACRPMU_MESSAGE_LEN];
	va_list args;

	if (!text->message)
		return -EINVAL;
	va_start(args, format);
	vsnprintf(words, sizeof(words), format, args);
	va_end(args);
	acrpmu_message_text(text->message, code, "%s", words);
	acrpmu_message_hint(text->message, "%s", hint);
	text->message->string = text->string;
	text->message->column = acrpmu_text_column(text, at);
	return -EINVAL;
}
