// SPDX-License-Identifier: GPL-2.0-only
/* calls N: a function with frame pointers that loops N times for one caller and 3 N for another. */
#include <stdlib.h>

#define KEPT __attribute__((noinline, noclone))

KEPT void calls_leaf(unsigned long n);
KEPT void calls_seldom(unsigned long n);
KEPT void calls_often(unsigned long n);

KEPT void calls_leaf(unsigned long n)
{
	__asm__ volatile("1:\n\t"
			 "dec %0\n\t"
			 "jnz 1b"
			 /* which needs a frame, or the compiler makes none here */
			 : "+r" (n) : "r" (__builtin_frame_address(0)) : "cc");
}

KEPT void calls_seldom(unsigned long n)
{
	calls_leaf(n);
	__asm__ volatile("");
}

KEPT void calls_often(unsigned long n)
{
	calls_leaf(3 * n);
	__asm__ volatile("");
}

KEPT int main(int argc, char **argv)
{
	unsigned long n = argc == 2 ? strtoul(argv[1], NULL, 0) : 0;

	if (!n)
		return 2;
	calls_seldom(n);
	calls_often(n);
	return 0;
}
