// SPDX-License-Identifier: GPL-2.0-only
/*
 * pingpong N CPU [GO [TAG]]: two processes on one CPU pass a byte to and fro N times. With GO it
 * prints both process ids and starts once a file of that name exists; with TAG it sets the model's
 * marks TAG and TAG + 1 around the N. It prints the context switches during the N.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../model/oracle.h"

#define WARM_UP		2000	/* rounds before counting starts */
#define POLL_US		10000

static int there[2], back[2];

static void die(const char *what)
{
	perror(what);
	_exit(1);
}

static void ping(void)
{
	char c = 0;

	if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
		die("ping");
}

static void pong(void)
{
	char c = 0;

	if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
		die("pong");
}

static void rounds(void (*f)(void), unsigned long n)
{
	while (n--)
		f();
}

static long switches(void)
{
	struct rusage r;

	getrusage(RUSAGE_SELF, &r);
	return r.ru_nvcsw + r.ru_nivcsw;
}

static void pong_task(unsigned long n)
{
	long before;

	rounds(pong, WARM_UP);
	before = switches();
	rounds(pong, n);
	printf("child switches %ld\n", switches() - before);
	exit(0);
}

static void wait_for(const char *go, pid_t pid)
{
	printf("pids %d,%d\n", getpid(), pid);
	fflush(stdout);
	while (access(go, F_OK))
		usleep(POLL_US);
}

static void mark(const char *tag, int add)
{
	if (tag && oracle_present())
		oracle_mark(strtoul(tag, NULL, 0) + add);
}

int main(int argc, char **argv)
{
	unsigned long n;
	cpu_set_t cpus;
	int status;
	long before;
	pid_t pid;

	if (argc < 3)
		return 2;
	n = strtoul(argv[1], NULL, 0);
	CPU_ZERO(&cpus);
	CPU_SET(atoi(argv[2]), &cpus);
	if (sched_setaffinity(0, sizeof(cpus), &cpus) || pipe(there) || pipe(back))
		die("pingpong");
	pid = fork();
	if (pid < 0)
		die("fork");
	if (!pid)
		pong_task(n);
	if (argc > 3)
		wait_for(argv[3], pid);
	rounds(ping, WARM_UP);
	before = switches();
	mark(argc > 4 ? argv[4] : NULL, 0);
	rounds(ping, n);
	mark(argc > 4 ? argv[4] : NULL, 1);
	printf("parent switches %ld\n", switches() - before);
	return waitpid(pid, &status, 0) != pid || status;
}
