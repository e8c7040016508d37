// SPDX-License-Identifier: LGPL-2.1-or-later
/* Filling in messages: code, text and hint, with user input made printable. */
#include "message.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define ELLIPSIS	"..."

static char printable(char c)
{
	return c >= ' ' && c <= '~' ? c : '?';
}

struct message_word acrpmu_message_word(const char *at, size_t len)
{
	const size_t room = MESSAGE_WORD_LEN - sizeof(ELLIPSIS);
	struct message_word word = { "" };
	size_t i;

	for (i = 0; i < len && i < room; i++)
		word.text[i] = printable(at[i]);
	if (len > room)
		memcpy(word.text + room, ELLIPSIS, sizeof(ELLIPSIS));
	return word;
}

void acrpmu_message_clear(struct acrpmu_message *message)
{
	if (message)
		memset(message, 0, sizeof(*message));
}

void acrpmu_message_text(struct acrpmu_message *message, const char *code, const char *format, ...)
{
	va_list args;

	if (!message)
		return;
	memset(message, 0, sizeof(*message));
	snprintf(message->code, sizeof(message->code), "%s", code);
	va_start(args, format);
	vsnprintf(message->text, sizeof(message->text), format, args);
	va_end(args);
}

void acrpmu_message_hint(struct acrpmu_message *message, const char *format, ...)
{
	va_list args;

	if (!message)
		return;
	va_start(args, format);
	vsnprintf(message->hint, sizeof(message->hint), format, args);
	va_end(args);
}

int acrpmu_message_refuse(struct acrpmu_message *message, const struct acrpmu_spec_event *ev,
			  const struct acrpmu_message *words)
{
	if (!message)
		return -EINVAL;
	*message = *words;
	message->string = ev->string;
	message->column = ev->column;
	return -EINVAL;
}

int acrpmu_message_no_memory(struct acrpmu_message *message)
{
	acrpmu_message_text(message, "no-memory", "there is no memory left");
	acrpmu_message_hint(message, "end other programs or raise the limit (ulimit -v)");
	return -ENOMEM;
}
