// SPDX-License-Identifier: GPL-2.0-only
/* branches N [random]: N conditional branches on data, always in the same direction or random. */
#include <stdlib.h>

/* xorshift64: the same numbers in every run */
static unsigned long next(unsigned long x)
{
	x ^= x << 13;
	x ^= x >> 7;
	x ^= x << 17;
	return x;
}

__attribute__((noinline)) static unsigned long branches(unsigned long n, unsigned long mask)
{
	unsigned long x = 88172645463325252, taken = 0;

	while (n--) {
		x = next(x);
		if (x & mask)
			__asm__ volatile("add $1, %0" : "+r" (taken));
	}
	return taken;
}

int main(int argc, char **argv)
{
	if (argc < 2)
		return 2;
	branches(strtoul(argv[1], NULL, 0), argc > 2);
	return 0;
}
