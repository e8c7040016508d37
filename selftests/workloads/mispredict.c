// SPDX-License-Identifier: GPL-2.0-only
/*
 * mispredict ROUNDS: two loops with branches on random bits, one after the other, ROUNDS times.
 *
 * In usual() two of nine branches are random, so that one in nine is mispredicted; in costly()
 * three of seven, so that three in fourteen are.  In a round both mispredict equally often.
 */
#include <stdlib.h>

#define USUAL_ITERATIONS	322222
#define COSTLY_ITERATIONS	195000

/* xorshift64: the same numbers in every run */
static unsigned long next(unsigned long x)
{
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

/* A branch on one bit of X, and one that is always taken: X is never 0. */
#define BRANCH(x, bit)	__asm__ volatile("bt %1, %0; jc 1f; nop; 1:" : : "r" (x), "i" (bit) : "cc")
#define TAKEN(x)	__asm__ volatile("test %0, %0; jnz 1f; nop; 1:" : : "r" (x) : "cc")

__attribute__((noinline)) static unsigned long usual(unsigned long x)
{
	unsigned int i;

	for (i = 0; i < USUAL_ITERATIONS; i++) {
		x = next(x);
		BRANCH(x, 3);
		BRANCH(x, 21);
		TAKEN(x);
		TAKEN(x);
		TAKEN(x);
		TAKEN(x);
		TAKEN(x);
		TAKEN(x);
	}
	return x;
}

__attribute__((noinline)) static unsigned long costly(unsigned long x)
{
	unsigned int i;

	for (i = 0; i < COSTLY_ITERATIONS; i++) {
		x = next(x);
		BRANCH(x, 3);
		BRANCH(x, 21);
		BRANCH(x, 39);
		TAKEN(x);
		TAKEN(x);
		TAKEN(x);
	}
	return x;
}

int main(int argc, char **argv)
{
	unsigned long x = 88172645463325252, rounds;

	if (argc != 2)
		return 2;
	for (rounds = strtoul(argv[1], NULL, 0); rounds; rounds--)
		x = costly(usual(x));
	return 0;
}
