// SPDX-License-Identifier: GPL-2.0-only
/* Reading command lines: event strings that the shell split, numbers, refusals of options. */
#include <ctype.h>
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

#define MSEC_PER_SEC	1000
#define DIGITS_OF_MS	3

static int append_argument(char **string, const char *argument)
{
	char *longer = realloc(*string, strlen(*string) + strlen(argument) + 2);

	if (!longer)
		return -ENOMEM;
	strcat(strcat(longer, " "), argument);
	*string = longer;
	return 0;
}

/**
 * event_args_add() - add an event string of the command line
 *
 * Without quotes a shell splits a group at its blanks: arguments from *@next on are joined again,
 * with one blank in between, until each brace is closed or "--" comes.
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
		err = append_argument(&string, argv[(*next)++]);
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
 */
void event_args_free(struct event_args *args)
{
	while (args->nr)
		free(args->strings[--args->nr]);
	free(args->strings);
	args->strings = NULL;
}

static int take_number(const char *command, const char *what, const char *arg, __u64 min,
		       __u64 max, __u64 *value)
{
	__u64 n;
	size_t bad;

	if (!acrpmu_number_parse(arg, strlen(arg), &n, &bad) && n >= min && n <= max) {
		*value = n;
		return 0;
	}
	fprintf(stderr, "acrctl: %s: %s '%s' is not a number from %llu to %llu\n", command, what,
		arg, min, max);
	return -EINVAL;
}

/**
 * event_args_number() - read a number from 1 to @max, the argument of option @what
 *
 * Return: 0, or -EINVAL after a message; @value is written only on success.
 */
int event_args_number(const char *command, const char *what, const char *arg, __u64 max,
		      __u64 *value)
{
	return take_number(command, what, arg, 1, max, value);
}

/**
 * event_args_number_or_0() - the same where 0 has a meaning
 *
 * Return: 0, or -EINVAL after a message; @value is written only on success.
 */
int event_args_number_or_0(const char *command, const char *what, const char *arg, __u64 max,
			   __u64 *value)
{
	return take_number(command, what, arg, 0, max, value);
}

/* Seconds with up to three decimals. */
static bool parse_seconds(const char *arg, __u64 max_s, __u64 *ms)
{
	const char *dot = strchr(arg, '.');
	const char *fraction = dot ? dot + 1 : "";
	size_t whole = strcspn(arg, "."), len = strlen(fraction), i;
	__u64 value = 0;

	if (!whole || (dot && !len) || len > DIGITS_OF_MS)
		return false;
	for (i = 0; i < whole + DIGITS_OF_MS; i++) {
		char digit = i < whole ? arg[i] : i - whole < len ? fraction[i - whole] : '0';

		if (!isdigit((unsigned char)digit) || value > max_s * MSEC_PER_SEC)
			return false;
		value = value * 10 + digit - '0';
	}
	*ms = value;
	return value <= max_s * MSEC_PER_SEC;
}

/**
 * event_args_seconds() - read a time in seconds, the argument of option @what
 *
 * Return: 0, or -EINVAL after a message; @ms is written only on success.
 */
int event_args_seconds(const char *command, const char *what, const char *arg, __u64 min_ms,
		       __u64 max_s, __u64 *ms)
{
	__u64 value;

	if (parse_seconds(arg, max_s, &value) && value >= min_ms) {
		*ms = value;
		return 0;
	}
	fprintf(stderr, "acrctl: %s: %s '%s' is not a number of seconds from %g to %llu\n",
		command, what, acrpmu_message_word(arg, strlen(arg)).text,
		(double)min_ms / MSEC_PER_SEC, max_s);
	return -EINVAL;
}

/**
 * event_args_levels() - check that --all-user and --all-kernel are not given together
 * @levels: ACRPMU_PARSE_USER and ACRPMU_PARSE_KERNEL as given
 *
 * Return: 0, or -EINVAL after a message.
 */
int event_args_levels(const char *command, __u32 levels)
{
	if (levels != (ACRPMU_PARSE_USER | ACRPMU_PARSE_KERNEL))
		return 0;
	fprintf(stderr,
		"acrctl: %s: --all-user and --all-kernel contradict each other; leave both out for both levels\n",
		command);
	return -EINVAL;
}

/**
 * event_args_count() - read the argument of -c
 *
 * Return: 0, or -EINVAL with a message; @count is written only on success.
 */
int event_args_count(const char *arg, __u64 *count, struct acrpmu_message *message)
{
	struct message_word shown = acrpmu_message_word(arg, strlen(arg));
	enum number_error error;
	size_t bad;
	__u64 n;

	error = acrpmu_number_parse(arg, strlen(arg), &n, &bad);
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

/* Only some commands have --pmu. */
static bool asks_for_pmu(const char *arg)
{
	static const char pmu[] = "--pmu";
	size_t len = strlen(pmu);

	return !strncmp(arg, pmu, len) && (!arg[len] || arg[len] == '=');
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
 * option_refusal() - describe what getopt_long() did not accept
 *
 * Its list of letters must begin with the colon that silences it; @options must also have the
 * options that are letters.
 *
 * Return: -EINVAL.
 */
int option_refusal(struct acrpmu_message *message, const char *command, int c, char **argv,
		   const struct option *options)
{
	/* getopt_long() is past a long option, and past one without its argument */
	const char *arg = argv[optind - 1];
	struct message_word shown = acrpmu_message_word(arg, strlen(arg));

	if (c == ':' && arg[1] == '-')
		acrpmu_message_text(message, "usage", "the option '%s' needs an argument",
				    shown.text);
	else if (c == ':')
		acrpmu_message_text(message, "usage", "the option '-%c' needs an argument",
				    terminal_char(optopt));
	else if (!optopt && asks_for_pmu(arg))
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
 * option_refuse() - print what option_refusal() describes
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
