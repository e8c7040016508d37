// SPDX-License-Identifier: GPL-2.0-only
/* jit N map|DIRECTORY: N iterations in code made at run time, listed in a map or a jitdump. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define PAGE	4096

/* 1: dec %rdi; jnz 1b; ret */
static const unsigned char loop[] = { 0x48, 0xff, 0xcf, 0x75, 0xfb, 0xc3 };

static int list_in_map(const void *code)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "/tmp/perf-%d.map", getpid());
	f = fopen(path, "w");
	if (!f)
		return 1;
	fprintf(f, "%lx %zx jit_map_loop\n", (unsigned long)code, sizeof(loop));
	return fclose(f);
}

/* The layout is that of jitdump-specification.txt; an executable mapping announces the file. */
static int list_in_dump(const char *directory, const void *code)
{
	static const char name[] = "jit_dump_loop";
	const uint32_t header[] = { 0x4a695444, 1, 40, 62, 0, getpid(), 0, 0, 0, 0 };
	const uint32_t record[] = { 0, 16 + 40 + sizeof(name) + sizeof(loop), 0, 0 };
	const uint64_t load[] = { (uint64_t)getpid() << 32 | getpid(), (uintptr_t)code,
				  (uintptr_t)code, sizeof(loop), 0 };
	char path[256];
	FILE *f;

	snprintf(path, sizeof(path), "%s/jit-%d.dump", directory, getpid());
	f = fopen(path, "w+");
	if (!f)
		return 1;
	fwrite(header, sizeof(header), 1, f);
	fwrite(record, sizeof(record), 1, f);
	fwrite(load, sizeof(load), 1, f);
	fwrite(name, sizeof(name), 1, f);
	fwrite(loop, sizeof(loop), 1, f);
	if (fflush(f))
		return 1;
	return mmap(NULL, PAGE, PROT_READ | PROT_EXEC, MAP_PRIVATE, fileno(f), 0) == MAP_FAILED;
}

int main(int argc, char **argv)
{
	void *code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (argc != 3 || code == MAP_FAILED)
		return 2;
	memcpy(code, loop, sizeof(loop));
	if (strcmp(argv[2], "map") ? list_in_dump(argv[2], code) : list_in_map(code))
		return 1;
	((void (*)(unsigned long))code)(strtoul(argv[1], NULL, 0));
	return 0;
}
