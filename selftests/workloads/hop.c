// SPDX-License-Identifier: GPL-2.0-only
/* hop ROUNDS N CPU...: ROUNDS times goes to the next CPU, and executes 4 N instructions there. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((noinline)) static void loop(unsigned long n)
{
	unsigned long x = 1;

	__asm__ volatile("1:\n\t"
			 "add $3, %1\n\t"
			 "xor $5, %1\n\t"
			 "dec %0\n\t"
			 "jnz 1b"
			 : "+r" (n), "+r" (x) : : "cc");
}

static int go_to(const char *cpu)
{
	cpu_set_t set;

	CPU_ZERO(&set);
	CPU_SET(atoi(cpu), &set);
	return sched_setaffinity(0, sizeof(set), &set);
}

int main(int argc, char **argv)
{
	unsigned long i, rounds, n;

	if (argc < 4)
		return 2;
	rounds = strtoul(argv[1], NULL, 0);
	n = strtoul(argv[2], NULL, 0);
	for (i = 0; i < rounds; i++) {
		if (go_to(argv[3 + i % (argc - 3)])) {
			perror("sched_setaffinity");
			return 1;
		}
		loop(n);
	}
	return 0;
}
