// SPDX-License-Identifier: GPL-2.0-only
/* loop N: N iterations of exactly six instructions, one of them a branch, in the function loop. */
#include <stdlib.h>

__attribute__((noinline)) static void loop(unsigned long n)
{
	unsigned long x = 1;

	__asm__ volatile("1:\n\t"
			 "add $3, %1\n\t"
			 "xor $5, %1\n\t"
			 "lea 1(%1), %1\n\t"
			 "and $-2, %1\n\t"
			 "dec %0\n\t"
			 "jnz 1b"
			 : "+r" (n), "+r" (x) : : "cc");
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return 2;
	loop(strtoul(argv[1], NULL, 0));
	return 0;
}
