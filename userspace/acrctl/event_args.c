// SPDX-License-Identifier: GPL-2.0-only
/* Event strings on the command line, also where the shell has split them at blanks, and numbers. */
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/number.h"
#include "../util/message.h"
#include "cmd.h"

static int append_word(char **string, const char *word)
{
	char *longer = realloc(*string, strlen(*string) + strlen(word) + 2);

	if (!longer)
		return -ENOMEM;
	strcat(strcat(longer, " "), word);
	*string = longer;
	return 0;
}

/**
 * event_args_add() - add an event string of the command line
 * @args: the strings so far
 * @first: its first word
 * @argc: words of the command line
 * @argv: the words
 * @next: index of the word after @first, moved behind the words that belong to it
 *
 * Without quotes a shell splits a group at its blanks: words are joined again, with one blank in
 * between, until each brace is closed or "--" comes.
 *
 * Return: 0, or -ENOMEM after a message.
 */
int event_args_add(struct event_args *args, const char *first, int argc, char **argv, int *next)
{
	char **strings = reallocarray(args->strings, args->nr + 1, sizeof(*strings));
	char *string = strdup(first);
	int err = strings && string ? 0 : -ENOMEM;

	if (strings)
		args->strings = strings;
	while (!err && *next < argc && acrpmu_spec_open_braces(string) > 0 &&
	       strcmp(argv[*next], "--"))
		err = append_word(&string, argv[(*next)++]);
	if (err) {
		free(string);
		fprintf(stderr, "acrctl: there is no memory left for the event strings\n");
		return err;
	}
	args->strings[args->nr++] = string;
	return 0;
}

/**
 * event_args_free() - free the strings
 * @args: the strings
 */
void event_args_free(struct event_args *args)
{
	while (args->nr)
		free(args->strings[--args->nr]);
	free(args->strings);
	args->strings = NULL;
}

/**
 * event_args_number() - read a number of the command line
 * @command: name of the command, for the message
 * @what: the option
 * @word: its argument
 * @max: largest number
 * @value: out, from 1 to @max; written only on success
 *
 * Return: 0, or -EINVAL after a message.
 */
int event_args_number(const char *command, const char *what, const char *word, __u64 max,
		      __u64 *value)
{
	__u64 n;
	size_t bad;

	if (!acrpmu_number_parse(word, strlen(word), &n, &bad) && n && n <= max) {
		*value = n;
		return 0;
	}
	fprintf(stderr, "acrctl: %s: %s '%s' is not a number from 1 to %llu\n", command, what,
		word, max);
	return -EINVAL;
}

/**
 * event_args_count() - read the argument of -c
 * @word: the argument
 * @count: out, written only on success
 * @message: out, why not
 *
 * Return: 0 or -EINVAL.
 */
int event_args_count(const char *word, __u64 *count, struct acrpmu_message *message)
{
	struct message_word shown = acrpmu_message_word(word, strlen(word));
	enum number_error error;
	size_t bad;
	__u64 n;

	error = acrpmu_number_parse(word, strlen(word), &n, &bad);
	if (!error && n) {
		*count = n;
		return 0;
	}
	if (error == NUMBER_LARGE) {
		acrpmu_message_text(message, "usage", "-c '%s' needs more than 64 bits",
				    shown.text);
		acrpmu_message_hint(message, "the largest number is %llu", ULLONG_MAX);
	} else {
		acrpmu_message_text(message, "usage", "-c '%s' is not a period", shown.text);
		acrpmu_message_hint(message, "give a whole number above 0");
	}
	return -EINVAL;
}
