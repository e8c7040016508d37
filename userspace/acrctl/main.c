// SPDX-License-Identifier: GPL-2.0-only
/* acrctl: the table of commands, the help made from it, and the end of every command. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../util/util.h"
#include "../util/suggest.h"
#include "cmd.h"

static const struct acrctl_command commands[] = {
	{ "info", "what this CPU, kernel and module offer, and how to get what is missing",
	  cmd_info },
	{ "record", "run a command or watch tasks or CPUs, and write samples to a file",
	  cmd_record },
	{ "top", "show the code with the most samples while they are taken", cmd_top },
	{ "stat", "count events of a command, tasks or CPUs, also average latencies", cmd_stat },
	{ "report", "show where the samples of a file were taken", cmd_report },
	{ "annotate", "show the instructions of a function with the samples of each",
	  cmd_annotate },
	{ "script", "print the samples of a file one by one", cmd_script },
	{ "ps", "show which sessions exist, and what they hold", cmd_ps },
	{ "monitor", "show what happens to sessions and CPUs", cmd_monitor },
	{ "push", "send profiles that wait, and files, to a server", cmd_push },
	{ "list", "list the events that have names, of this or any other CPU", cmd_list },
	{ "encode", "show what would be programmed for events, on any CPU", cmd_encode },
};

static void print_help(FILE *f)
{
	unsigned int i;

	fputs("Usage: acrctl COMMAND [OPTION]...\n"
	      "       acrctl --help | --version\n"
	      "\n"
	      "Sample by the ratio of two events with auto counter reload, and count events.\n"
	      "\n", f);
	for (i = 0; i < ARRAY_SIZE(commands); i++)
		fprintf(f, "  %-9s %s\n", commands[i].name, commands[i].summary);
	fputs("\n"
	      "'acrctl COMMAND --help' explains each.\n"
	      "Exit status: 0 done, 1 failed, 2 wrong usage.\n", f);
}

static int unknown_command(const char *name)
{
	struct suggestion best = { NULL };
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(commands); i++)
		acrpmu_suggest_consider(&best, name, strlen(name), commands[i].name);
	fprintf(stderr, "acrctl: there is no command '%s'; ", name);
	if (best.word)
		fprintf(stderr, "did you mean '%s'?\n", best.word);
	else
		fprintf(stderr, "'acrctl --help' lists them\n");
	return ACRCTL_EXIT_USAGE;
}

static int run(int argc, char **argv)
{
	unsigned int i;

	if (argc < 2) {
		print_help(stderr);
		return ACRCTL_EXIT_USAGE;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return ACRCTL_EXIT_DONE;
	}
	if (!strcmp(argv[1], "--version") || !strcmp(argv[1], "-V")) {
		printf("acrctl %s, ABI version %d\n", acrpmu_lib_version(), ACRPMU_ABI_VERSION);
		return ACRCTL_EXIT_DONE;
	}
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	}
	return unknown_command(argv[1]);
}

/*
 * A file opened later must not become a standard stream that is closed.  What is in its place
 * can only be used the wrong way round, so that writing to it fails.
 */
static int hold_standard_streams(void)
{
	int fd;

	for (fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			continue;
		if (open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY) != fd)
			return -errno;
	}
	return 0;
}

int main(int argc, char **argv)
{
	if (hold_standard_streams())
		return ACRCTL_EXIT_FAILED;
	return output_finish(run(argc, argv));
}
