// SPDX-License-Identifier: GPL-2.0-only
/* Runs a command and appends its time in microseconds and its largest memory in KiB to a file. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>

extern char **environ;

static double now_us(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

/*
 * usage: run_once FILE COMMAND...
 *
 * The kernel counts the memory of whoever starts a command, too: this program has next to none.
 */
int main(int argc, char **argv)
{
	double start = now_us();
	struct rusage usage;
	FILE *f;
	int status;
	pid_t pid;

	if (argc < 3)
		return 2;
	if (posix_spawnp(&pid, argv[2], NULL, NULL, argv + 2, environ) ||
	    wait4(pid, &status, 0, &usage) != pid || !WIFEXITED(status) || WEXITSTATUS(status))
		return 1;
	start = now_us() - start;
	f = fopen(argv[1], "ae");
	if (!f)
		return 1;
	fprintf(f, "%.0f %ld\n", start, usage.ru_maxrss);
	return !!fclose(f);
}
