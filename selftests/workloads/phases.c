// SPDX-License-Identifier: GPL-2.0-only
/*
 * phases [ROUNDS [NSLOW [NFAST]]]: simple operations (high IPC) and divisions (low IPC) by turns.
 *
 * A window of auto counter reload that spans a change of phase ends in the later phase with a ratio
 * between the two. The default lengths keep such windows harmless for the groups that compare
 * 200000 instructions with 100000 cycles: on the model CPU phase_fast takes 40 windows of 200000
 * instructions and phase_slow 107 of 100000 cycles and a little more, so that each phase begins
 * early in a window, whatever ran before main().
 */
#include <stdlib.h>

#define ROUNDS	20
#define NSLOW	498140		/* 21.5 cycles each on the model CPU */
#define NFAST	1000000		/* 2.25 cycles each there */

/* Six instructions an iteration, one of them a division */
__attribute__((noinline)) void phase_slow(unsigned long n)
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

/* Eight instructions an iteration, all of them cheap */
__attribute__((noinline)) void phase_fast(unsigned long n)
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

static unsigned long argument(int argc, char **argv, int i, unsigned long otherwise)
{
	return argc > i ? strtoul(argv[i], NULL, 0) : otherwise;
}

int main(int argc, char **argv)
{
	unsigned long rounds = argument(argc, argv, 1, ROUNDS);
	unsigned long nslow = argument(argc, argv, 2, NSLOW);
	unsigned long nfast = argument(argc, argv, 3, NFAST);

	while (rounds--) {
		phase_fast(nfast);
		phase_slow(nslow);
	}
	return 0;
}
