// SPDX-License-Identifier: GPL-2.0-only
/*
 * Runs a command, and prints the instructions of all CPUs until it ends, of user and kernel.
 * usage: code TAG ADDRESS COMMAND [ARG]...
 * TAG: of the lines in the model's log, which are about the kernel; ADDRESS: of a function in it,
 * also printed with all that it calls; or "user": the lines are about programs
 */
#include "../../model/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CANNOT_RUN	127

struct insns {
	uint64_t user;
	uint64_t kernel;
};

static struct insns insns_now(void)
{
	return (struct insns){
		.user = oracle_events(ORACLE_ALL_CPUS, ORACLE_EV_INSN, false),
		.kernel = oracle_events(ORACLE_ALL_CPUS, ORACLE_EV_INSN, true),
	};
}

/* Return: its status as waitpid() reports it. */
static int run(char **command)
{
	int status = -1;
	pid_t pid = vfork();

	if (!pid) {
		execvp(command[0], command);
		_exit(CANNOT_RUN);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		return -1;
	return status;
}

int main(int argc, char **argv)
{
	uint64_t function = 0, value;
	struct insns before, after;
	bool user;
	int status;

	if (argc < 4 || !oracle_present()) {
		fprintf(stderr, "usage: code TAG ADDRESS COMMAND [ARG]..., on the model CPU\n");
		return 2;
	}
	user = !strcmp(argv[2], "user");
	if (!user)
		function = strtoull(argv[2], NULL, 16);
	if ((!user && (!function || !oracle_ask(ORACLE_CALL_WATCH, ORACLE_ALL_CPUS, function,
						&value))) ||
	    !oracle_ask(ORACLE_CODE_BEGIN, ORACLE_ALL_CPUS, user ? ORACLE_CODE_USER : 0, &value)) {
		fprintf(stderr, "code: the model cannot count the function at '%s'\n", argv[2]);
		return 1;
	}
	before = insns_now();
	status = run(argv + 3);
	after = insns_now();
	oracle_get(ORACLE_CODE_END, ORACLE_ALL_CPUS, strtoul(argv[1], NULL, 10));
	printf("code %s user %lu kernel %lu function %lu\n", argv[1], after.user - before.user,
	       after.kernel - before.kernel,
	       user ? 0 : oracle_get(ORACLE_CALL_INSNS, ORACLE_ALL_CPUS, function));
	if (status) {
		fprintf(stderr, "code: %s: wait status %#x\n", argv[3], status);
		return 1;
	}
	return 0;
}
