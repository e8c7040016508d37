// SPDX-License-Identifier: GPL-2.0-only
/* Error messages on the terminal: what, why, how, and a pointer into the event string. */
#include <stdio.h>
#include <string.h>

#include "cmd.h"

#define INDENT		"  "
#define SHOWN_BEFORE	60	/* bytes of a long string shown before the place */
#define SHOWN_AFTER	30	/* and behind it */

/* The string around the place, each byte as one character, with a pointer under the place. */
static void print_place(const char *string, unsigned int column)
{
	size_t place = column - 1, len = strlen(string), i;
	size_t start = place > SHOWN_BEFORE ? place - SHOWN_BEFORE : 0;
	size_t end = len - place > SHOWN_AFTER ? place + SHOWN_AFTER : len;

	fputs(INDENT, stderr);
	for (i = start; i < end; i++)
		fputc(string[i] >= ' ' && string[i] <= '~' ? string[i] : ' ', stderr);
	fprintf(stderr, "\n" INDENT "%*s^ column %u\n", (int)(place - start), "", column);
}

/**
 * output_error() - print a refusal
 * @command: name of the command
 * @message: the refusal
 * @args: the event strings that its column points into, NULL: none
 */
void output_error(const char *command, const struct acrpmu_message *message,
		  const struct event_args *args)
{
	const char *string;

	fprintf(stderr, "acrctl: %s: %s%s%s\n", command, message->text,
		*message->hint ? "; " : "", message->hint);
	if (!message->column || !args || message->string >= args->nr)
		return;
	string = args->strings[message->string];
	if (message->column <= strlen(string) + 1)
		print_place(string, message->column);
}
