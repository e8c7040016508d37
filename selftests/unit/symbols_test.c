// SPDX-License-Identifier: GPL-2.0-only
/* Symbols: tables, this program's own ELF file, and address spaces followed step by step. */
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/symbols/kernel.h"
#include "userspace/symbols/space.h"

#define SELF	"/proc/self/exe"

/* A function with a name of its own that nothing else has. */
__attribute__((noinline)) int a_function_to_be_found(int x);

__attribute__((noinline)) int a_function_to_be_found(int x)
{
	return x * 3 + 1;
}

static const char *name_at(const struct sym_table *t, __u64 addr)
{
	const struct sym_symbol *s = sym_table_find(t, addr);

	return s ? sym_table_name(t, s) : NULL;
}

static void test_table(void)
{
	struct sym_table t = { 0 };

	ok(!sym_table_find(&t, 5), "nothing in an empty table");
	sym_table_add(&t, 0x200, 0x10, "sized");
	sym_table_add(&t, 0x100, 0, "open");
	sym_table_add(&t, 0x200, 0, "__alias");
	sym_table_add(&t, 0x300, 0x100, "outer");
	sym_table_add(&t, 0x310, 0x10, "inner");
	sym_table_add(&t, 0xfffffffffffffff0, 0x100, "last");
	sym_table_sort(&t);
	ok(!name_at(&t, 0xff), "nothing before the first");
	is_str(name_at(&t, 0x100), "open", "first byte");
	is_str(name_at(&t, 0x1ff), "open", "without a size up to the next");
	is_str(name_at(&t, 0x200), "sized", "the one with a size stands for its alias");
	is_str(name_at(&t, 0x20f), "sized", "last byte");
	ok(!name_at(&t, 0x210), "nothing behind it");
	is_str(name_at(&t, 0x315), "inner", "the inner of two");
	is_str(name_at(&t, 0x330), "outer", "the outer again behind the inner");
	is_u64(t.nr, 5, "one name for each address");
	sym_table_free(&t);
}

static void test_build_id_notes(void)
{
	static const unsigned char notes[] = {
		4, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 'X', 'Y', 'Z', 0, 9, 9, 0, 0,
		4, 0, 0, 0, 3, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0xaa, 0xbb, 0xcc, 0,
	};
	struct sym_build_id id;
	size_t n;

	is_u64(sym_notes_build_id(notes, sizeof(notes), &id), 0, "found behind another note");
	is_u64(id.size, 3, "its size");
	ok(id.id[0] == 0xaa && id.id[2] == 0xcc, "its bytes");
	for (n = 0; n < sizeof(notes); n++) {
		if (!sym_notes_build_id(notes, n, &id))
			break;
	}
	is_u64(n, sizeof(notes), "not found in any part of the notes");
}

/* Where the function lies in the file: by /proc/self/maps, not by the code under test. */
static bool file_offset_of(const void *addr, __u64 *offset)
{
	unsigned long long start, end, pgoff;
	FILE *f = fopen("/proc/self/maps", "re");
	char line[512];
	bool found = false;

	while (!found && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx-%llx %*s %llx", &start, &end, &pgoff) != 3)
			continue;
		found = (uintptr_t)addr >= start && (uintptr_t)addr < end;
		*offset = (uintptr_t)addr - start + pgoff;
	}
	fclose(f);
	return found;
}

static void test_own_file(void)
{
	__u64 offset = 0, vaddr = 0;
	struct sym_build_id id;
	struct sym_elf e;

	is_u64(sym_elf_load(&e, SELF), 0, "this program's file is read");
	ok(file_offset_of(a_function_to_be_found, &offset), "the function is mapped");
	ok(sym_elf_vaddr(&e, offset, &vaddr), "its place is in a loaded segment");
	is_str(name_at(&e.table, vaddr), "a_function_to_be_found", "its name");
	ok(!sym_elf_vaddr(&e, 1ULL << 40, &vaddr), "a place beyond the file is in none");
	is_u64(sym_elf_build_id(SELF, &id), 0, "the file has a build-id");
	ok(sym_build_id_equal(&id, &e.build_id), "both ways of reading it agree");
	sym_elf_free(&e);
	is_u64(sym_elf_load(&e, "/dev/null"), -ENOENT, "an empty file is no ELF file");
	is_u64(sym_elf_load(&e, "/nonexistent"), -ENOENT, "a file that is missing");
}

static void map(struct sym_space *sp, __u32 pid, __u64 start, __u64 end, const char *name)
{
	struct sym_map m = { .start = start, .end = end, .pgoff = 0x1000 };
	struct sym_build_id none = { 0 };

	sym_space_map(sp, false, pid, &m, name, &none);
}

static void test_maps(void)
{
	struct sym_space sp = { 0 };

	map(&sp, 1, 0x1000, 0x9000, "//a");
	map(&sp, 1, 0x3000, 0x4000, "//b");
	is_str(sym_space_dso_of(&sp, false, 1, 0x2fff), "//a", "before the hole");
	is_str(sym_space_dso_of(&sp, false, 1, 0x3000), "//b", "in the hole");
	is_str(sym_space_dso_of(&sp, false, 1, 0x4000), "//a", "behind the hole");
	ok(!sym_space_dso_of(&sp, false, 1, 0x9000), "behind the range");
	ok(!sym_space_dso_of(&sp, false, 2, 0x3000), "another process");
	is_u64(sp.processes[0].nr_maps, 3, "three pieces");
	is_u64(sp.processes[0].maps[2].pgoff, 0x1000 + 0x3000, "the last piece begins later");
	map(&sp, 1, 0, ~0ULL, "//c");
	is_u64(sp.processes[0].nr_maps, 1, "a range over all replaces all");
	map(&sp, 1, 5, 5, "//d");
	is_u64(sp.processes[0].nr_maps, 1, "an empty range is ignored");
	sym_space_free(&sp);
}

static void test_tasks(void)
{
	struct sym_space sp = { 0 };

	ok(!sym_space_comm_of(&sp, 1, 1), "no name yet");
	sym_space_comm(&sp, 1, 1, "parent", true);
	map(&sp, 1, 0x1000, 0x2000, "//p");
	sym_space_fork(&sp, 2, 1, 2, 1, true);
	is_str(sym_space_comm_of(&sp, 2, 2), "parent", "a child has its parent's name");
	is_str(sym_space_dso_of(&sp, false, 2, 0x1000), "//p", "and its maps");
	map(&sp, 2, 0x1000, 0x2000, "//q");
	is_str(sym_space_dso_of(&sp, false, 1, 0x1000), "//p", "but maps for itself");
	sym_space_comm(&sp, 2, 2, "a name that is too long", true);
	is_str(sym_space_comm_of(&sp, 2, 2), "a name that is ", "exec renames, 15 bytes");
	ok(!sym_space_dso_of(&sp, false, 2, 0x1000), "exec throws maps away");
	sym_space_fork(&sp, 1, 1, 3, 1, true);
	is_str(sym_space_comm_of(&sp, 1, 3), "parent", "a thread has its parent's name");
	is_str(sym_space_comm_of(&sp, 1, 9), "parent", "an unknown thread its process's");
	sym_space_fork(&sp, 4, 1, 4, 1, false);
	ok(!sym_space_dso_of(&sp, false, 4, 0x1000), "maps are not inherited when told in full");
	sym_space_free(&sp);
}

static void test_resolve(void)
{
	struct sym_build_id id = { 0 }, other = { .size = 20, .id = { 1 } };
	struct sym_map m = { 0 };
	struct sym_space sp = { 0 };
	struct sym_location loc;
	char path[4096];
	ssize_t n = readlink(SELF, path, sizeof(path) - 1);
	__u64 offset;

	path[n < 0 ? 0 : n] = 0;
	file_offset_of(a_function_to_be_found, &offset);
	m.start = 0x700000000000 - 0x2000;
	m.end = m.start + 0x4000;
	m.pgoff = offset - 0x2000;
	sym_elf_build_id(path, &id);
	sym_space_map(&sp, false, 5, &m, path, &id);
	sym_space_resolve(&sp, false, 5, 0x700000000001, &loc);
	is_str(loc.symbol, "a_function_to_be_found", "mapped elsewhere it is found");
	is_u64(loc.offset, 1, "with the offset in it");
	is_str(loc.dso, path, "and its file");
	sym_space_map(&sp, false, 6, &m, path, &other);
	sym_space_resolve(&sp, false, 6, 0x700000000001, &loc);
	ok(!loc.symbol, "no symbol from another build of the file");
	ok(sp.dsos[1].stale, "and that is noted");
	sym_space_resolve(&sp, false, 7, 1, &loc);
	ok(!loc.dso && !loc.symbol, "nothing in an unknown process");
	sym_space_free(&sp);
}

int main(void)
{
	plan(0);
	is_u64(a_function_to_be_found(1), 4, "the function to be found works");
	test_table();
	test_build_id_notes();
	test_own_file();
	test_maps();
	test_tasks();
	test_resolve();
	return done();
}
