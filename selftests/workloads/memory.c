// SPDX-License-Identifier: GPL-2.0-only
/* memory PASSES MIB [store]: loads or stores once in each cache line of a buffer. */
#include <stdlib.h>
#include <string.h>

#define LINE		64
#define MIB_SHIFT	20

__attribute__((noinline)) static void pass(volatile char *buf, size_t size, int store)
{
	size_t i;

	if (store)
		for (i = 0; i < size; i += LINE)
			buf[i] = 1;
	else
		for (i = 0; i < size; i += LINE)
			(void)buf[i];
}

int main(int argc, char **argv)
{
	unsigned long passes;
	size_t size;
	char *buf;

	if (argc < 3)
		return 2;
	passes = strtoul(argv[1], NULL, 0);
	size = (size_t)strtoul(argv[2], NULL, 0) << MIB_SHIFT;
	buf = malloc(size);
	if (!buf)
		return 1;
	memset(buf, 1, size);
	while (passes--)
		pass(buf, size, argc > 3);
	free(buf);
	return 0;
}
