// SPDX-License-Identifier: GPL-2.0-only
/*
 * ring_reader run FILE CPU COMMAND [ARG]...: runs COMMAND, which samples, on a CPU of its own.
 * ring_reader work FILE CPU WARM ITERATIONS: the program to be sampled, on another CPU.
 *
 * Both append to FILE what that CPU has executed so far, "user kernel ns" on a line: the program
 * after WARM iterations and after all, the first one when COMMAND has ended.
 */
#include "../../hw/work.h"
#include "../../model/oracle.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* CPU of the program, so that it does not share that of its reader */
#define WORK_CPU	1

static int note(const char *path, int cpu)
{
	struct timespec t;
	FILE *f = fopen(path, "a");

	if (!f)
		return 1;
	clock_gettime(CLOCK_MONOTONIC, &t);
	fprintf(f, "%lu %lu %lu\n", oracle_events(cpu, ORACLE_EV_INSN, false),
		oracle_events(cpu, ORACLE_EV_INSN, true), t.tv_sec * 1000000000UL + t.tv_nsec);
	return fclose(f) ? 1 : 0;
}

static int run(const char *path, int cpu, char **command)
{
	int status;
	pid_t pid;

	if (pin_to(0, cpu))
		return 1;
	pid = fork();
	if (!pid) {
		execvp(*command, command);
		_exit(127);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || note(path, cpu))
		return 1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

static int work(const char *path, int cpu, uint64_t warm, uint64_t iterations)
{
	if (pin_to(0, WORK_CPU))
		return 1;
	work_fast(warm);
	if (note(path, cpu))
		return 1;
	work_fast(iterations);
	return note(path, cpu);
}

int main(int argc, char **argv)
{
	if (argc < 5 || !oracle_present())
		return 2;
	if (!strcmp(argv[1], "run"))
		return run(argv[2], atoi(argv[3]), argv + 4);
	if (argc != 6)
		return 2;
	return work(argv[2], atoi(argv[3]), strtoull(argv[4], NULL, 0),
		    strtoull(argv[5], NULL, 0));
}
