// SPDX-License-Identifier: GPL-2.0-only
/* marked TAG COMMAND [ARGUMENTS...]: runs a command between the model's marks TAG and TAG + 1. */
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../model/oracle.h"

#define NOT_FOUND	127
#define SIGNALLED	128

int main(int argc, char **argv)
{
	unsigned int tag;
	int status;
	pid_t pid;

	if (argc < 3)
		return 2;
	tag = strtoul(argv[1], NULL, 0);
	if (!oracle_present()) {
		fprintf(stderr, "marked: this is not the model CPU\n");
		return 1;
	}
	oracle_mark(tag);
	pid = fork();
	if (pid < 0) {
		perror("marked");
		return 1;
	}
	if (!pid) {
		execvp(argv[2], argv + 2);
		perror(argv[2]);
		_exit(NOT_FOUND);
	}
	if (waitpid(pid, &status, 0) != pid)
		return 1;
	oracle_mark(tag + 1);
	return WIFEXITED(status) ? WEXITSTATUS(status) : SIGNALLED + WTERMSIG(status);
}
