// SPDX-License-Identifier: GPL-2.0-only
/* What getopt_long() could not take, in the words and the form of all other refusals. */
#include "option.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

#include "../util/message.h"
#include "cmd.h"
#include "names.h"
#include "printable.h"

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
				    printable_char(optopt));
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
				    printable_char(optopt));
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
