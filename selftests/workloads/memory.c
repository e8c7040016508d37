// SPDX-License-Identifier: GPL-2.0-only
/*
 * memory PASSES MIB [load|store|code|cold]: loads, stores or jumps once in each cache line of a
 * buffer. Before each pass of "cold" the caches, which hold no more than 16 MiB, are filled with
 * something else; then it is the same as "code".
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define LINE		64
#define MIB_SHIFT	20
#define OTHER_BYTES	(32 << MIB_SHIFT)
#define JMP_REL32	0xe9
#define JMP_BYTES	5
#define RET		0xc3

__attribute__((noinline)) static void load_lines(volatile char *buf, size_t size)
{
	size_t i;

	for (i = 0; i < size; i += LINE)
		(void)buf[i];
}

__attribute__((noinline)) static void store_lines(volatile char *buf, size_t size)
{
	size_t i;

	for (i = 0; i < size; i += LINE)
		buf[i] = 1;
}

/* One jump in each line, to the next one; the last line returns. */
static void write_code(char *buf, size_t size)
{
	const int distance = LINE - JMP_BYTES;
	size_t i;

	for (i = 0; i < size; i += LINE) {
		buf[i] = (char)JMP_REL32;
		memcpy(buf + i + 1, &distance, sizeof(distance));
	}
	buf[size - LINE] = (char)RET;
}

__attribute__((noinline)) static void run_lines(char *buf)
{
	((void (*)(void))buf)();
}

static char *get_memory(size_t size)
{
	char *buf = mmap(NULL, size, PROT_READ | PROT_WRITE | PROT_EXEC,
			 MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

	return buf == MAP_FAILED ? NULL : buf;
}

int main(int argc, char **argv)
{
	const char *how = argc > 3 ? argv[3] : "load";
	bool cold = !strcmp(how, "cold"), code = cold || !strcmp(how, "code");
	char *buf, *other = NULL;
	unsigned long passes;
	size_t size;

	if (argc < 3)
		return 2;
	passes = strtoul(argv[1], NULL, 0);
	size = (size_t)strtoul(argv[2], NULL, 0) << MIB_SHIFT;
	if (!size)
		return 2;
	buf = get_memory(size);
	if (cold)
		other = get_memory(OTHER_BYTES);
	if (!buf || (cold && !other))
		return 1;
	memset(buf, 1, size);
	if (code)
		write_code(buf, size);
	while (passes--) {
		if (cold)
			load_lines(other, OTHER_BYTES);
		if (code)
			run_lines(buf);
		else if (!strcmp(how, "store"))
			store_lines(buf, size);
		else
			load_lines(buf, size);
	}
	return 0;
}
