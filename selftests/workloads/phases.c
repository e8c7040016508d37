// SPDX-License-Identifier: GPL-2.0-only
/*
 * phases [-s SETTLE] [-t THREADS [-m] [-w]] [ROUNDS [NSLOW [NFAST]]]: simple operations (high IPC)
 * and divisions (low IPC) alternate, in each of THREADS threads.  With -m thread N has N times as
 * many rounds; with -w all wait for the end of standard input before them.
 *
 * A window of auto counter reload that spans a change of phase ends in the later phase with a ratio
 * between the two. The default lengths keep such windows harmless for the groups that compare
 * 200000 instructions with 100000 cycles: on the model CPU phase_fast takes 40 windows of 200000
 * instructions and phase_slow 107 of 100000 cycles and a little more, so that each phase begins
 * early in a window, whatever ran before main(). A recording that begins at any time needs SETTLE:
 * before each phase that many iterations of its code run in functions of other names, in which the
 * window that is open at the change ends.
 */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ROUNDS	20
#define NSLOW	498140		/* 21.5 cycles each on the model CPU */
#define NFAST	1000000		/* 2.25 cycles each there */
#define MAX_THREADS	64

static unsigned long rounds = ROUNDS, nslow = NSLOW, nfast = NFAST, nsettle;
static bool more, waits;

/* Six instructions an iteration, one of them a division */
static inline __attribute__((always_inline)) void divide(unsigned long n)
{
	unsigned long dividend = 12345678901, divisor = 7;

	if (!n)
		return;
	__asm__ volatile("1:\n\t"
			 "mov %1, %%rax\n\t"
			 "xor %%edx, %%edx\n\t"
			 "div %2\n\t"
			 "add $1, %%rax\n\t"
			 "dec %0\n\t"
			 "jnz 1b"
			 : "+r" (n) : "r" (dividend), "r" (divisor) : "rax", "rdx", "cc");
}

/* Eight cheap instructions per iteration */
static inline __attribute__((always_inline)) void add(unsigned long n)
{
	unsigned long x = 1;

	if (!n)
		return;
	__asm__ volatile("1:\n\t"
			 "add $3, %1\n\t"
			 "xor $5, %1\n\t"
			 "lea 1(%1), %1\n\t"
			 "and $-2, %1\n\t"
			 "add $9, %1\n\t"
			 "xor $17, %1\n\t"
			 "dec %0\n\t"
			 "jnz 1b"
			 : "+r" (n), "+r" (x) : : "cc");
}

/* noipa: functions of the same content must not become one */
__attribute__((noipa)) void phase_slow(unsigned long n) { divide(n); }
__attribute__((noipa)) void phase_fast(unsigned long n) { add(n); }
__attribute__((noipa)) void settle_slow(unsigned long n) { divide(n); }
__attribute__((noipa)) void settle_fast(unsigned long n) { add(n); }

static void *run(void *number)
{
	unsigned long round, nr = more ? rounds * (uintptr_t)number : rounds;
	char byte;

	while (waits && read(STDIN_FILENO, &byte, 1) > 0)
		;
	for (round = 0; round < nr; round++) {
		settle_fast(nsettle);
		phase_fast(nfast);
		settle_slow(nsettle);
		phase_slow(nslow);
	}
	return NULL;
}

static int run_threads(unsigned long nr)
{
	pthread_t threads[MAX_THREADS];
	unsigned long i;

	for (i = 0; i < nr; i++) {
		if (pthread_create(&threads[i], NULL, run, (void *)(i + 1)))
			return 1;
	}
	for (i = 0; i < nr; i++)
		pthread_join(threads[i], NULL);
	return 0;
}

int main(int argc, char **argv)
{
	unsigned long *const counts[] = { &rounds, &nslow, &nfast };
	unsigned long threads = 0;
	size_t i;
	int c;

	while ((c = getopt(argc, argv, "s:t:mw")) != -1) {
		if (c == 's')
			nsettle = strtoul(optarg, NULL, 0);
		else if (c == 't')
			threads = strtoul(optarg, NULL, 0);
		else if (c == 'm')
			more = true;
		else if (c == 'w')
			waits = true;
		else
			return 2;
	}
	for (i = 0; i < sizeof(counts) / sizeof(*counts) && optind < argc; i++)
		*counts[i] = strtoul(argv[optind++], NULL, 0);
	if (optind < argc || threads > MAX_THREADS) {
		fprintf(stderr,
			"usage: phases [-s SETTLE] [-t THREADS, at most %d [-m] [-w]] [ROUNDS [NSLOW [NFAST]]]\n",
			MAX_THREADS);
		return 2;
	}
	if (threads)
		return run_threads(threads);
	run((void *)1);
	return 0;
}
