// SPDX-License-Identifier: GPL-2.0-only
/* Reading command lines: event strings split by the shell, numbers, and options that are refused. */
#include <errno.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/number.h"
#include "../util/message.h"
#include "cmd.h"
#include "names.h"
#include "terminal.h"

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

/* ---- options that are refused ------------------------------------------------------------- */

static bool is_known(const struct option *options, int letter)
{
	for (; options->name; options++) {
		if (options->val == letter)
			return true;
	}
	return false;
}

/* --pmu, which only some commands have. */
static bool asks_for_pmu(const char *word)
{
	static const char pmu[] = "--pmu";
	size_t len = strlen(pmu);

	return !strncmp(word, pmu, len) && (!word[len] || word[len] == '=');
}

static int refuse_pmu(struct acrpmu_message *message, const char *command)
{
	acrpmu_message_text(message, "usage", "there is no option '--pmu' here, since '%s' works "
			    "with the CPU of this machine, or that of a recording", command);
	acrpmu_message_hint(message, "other CPUs are for 'acrctl encode' and 'acrctl list', which "
			    "is all that can be done for " MONTECITO_NAME);
	return -EINVAL;
}

/**
 * option_refusal() - say what is wrong with an option
 * @message: out
 * @command: name of the command
 * @c: what getopt_long() returned: '?', or ':' for an argument that is missing
 * @argv: the words of the command line
 * @options: the options as words; those that are letters are among them
 *
 * The list of letters has to have the colon that silences getopt_long() itself.
 *
 * Return: -EINVAL.
 */
int option_refusal(struct acrpmu_message *message, const char *command, int c, char **argv,
		   const struct option *options)
{
	/* an option in words, or one whose argument is missing, has been left behind */
	const char *word = argv[optind - 1];
	struct message_word shown = acrpmu_message_word(word, strlen(word));

	if (c == ':' && word[1] == '-')
		acrpmu_message_text(message, "usage", "the option '%s' needs an argument",
				    shown.text);
	else if (c == ':')
		acrpmu_message_text(message, "usage", "the option '-%c' needs an argument",
				    terminal_char(optopt));
	else if (!optopt && asks_for_pmu(word))
		return refuse_pmu(message, command);
	else if (!optopt)
		acrpmu_message_text(message, "usage",
				    "there is no option '%s', or several begin like that",
				    shown.text);
	else if (is_known(options, optopt))
		acrpmu_message_text(message, "usage", "the option '%s' takes no argument",
				    shown.text);
	else
		acrpmu_message_text(message, "usage", "there is no option '-%c'",
				    terminal_char(optopt));
	acrpmu_message_hint(message, "see 'acrctl %s --help'", command);
	return -EINVAL;
}

/**
 * option_refuse() - the same, printed
 * @command: as for option_refusal(), like all that follow
 * @c: see there
 * @argv: see there
 * @options: see there
 *
 * Return: ACRCTL_EXIT_USAGE.
 */
int option_refuse(const char *command, int c, char **argv, const struct option *options)
{
	struct acrpmu_message message;

	option_refusal(&message, command, c, argv, options);
	output_error(command, &message, NULL);
	return ACRCTL_EXIT_USAGE;
}
