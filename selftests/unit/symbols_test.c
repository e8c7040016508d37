// SPDX-License-Identifier: GPL-2.0-only
/* Symbols: tables, the ELF file of this program, and processes followed record by record. */
#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/auxv.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/symbols/function.h"
#include "userspace/symbols/kernel.h"
#include "userspace/symbols/lookup.h"
#include "userspace/symbols/space.h"

#define SELF	"/proc/self/exe"

int main(void);

/* A function with a unique name. */
__attribute__((noinline)) int a_function_to_be_found(int x);

__attribute__((noinline)) int a_function_to_be_found(int x)
{
	return x * 3 + 1;
}

/* One of 7 bytes. */
void seven_bytes(void);
__asm__(".pushsection .text\n"
	".globl seven_bytes\n"
	".type seven_bytes, @function\n"
	"seven_bytes: .fill 7, 1, 0xcc\n"
	".size seven_bytes, 7\n"
	".popsection\n");

static const char *name_at(const struct sym_table *t, __u64 addr)
{
	const struct sym_symbol *s = sym_table_find(t, addr);

	return s ? sym_table_name(t, s) : NULL;
}

static void test_table(void)
{
	struct sym_table t = { 0 };

	ok(!sym_table_find(&t, 5), "an empty table has no function");
	sym_table_add(&t, 0x200, 0x10, "sized");
	sym_table_add(&t, 0x100, 0, "open");
	sym_table_add(&t, 0x200, 0, "__alias");
	sym_table_add(&t, 0x300, 0x100, "outer");
	sym_table_add(&t, 0x310, 0x10, "inner");
	sym_table_add(&t, 0xfffffffffffffff0, 0x100, "last");
	sym_table_sort(&t);
	ok(!name_at(&t, 0xff), "there is none before the first");
	is_str(name_at(&t, 0x100), "open", "first byte");
	is_str(name_at(&t, 0x1ff), "open", "without a size it extends to the next");
	is_str(name_at(&t, 0x200), "sized", "the one with a size replaces its alias");
	is_str(name_at(&t, 0x20f), "sized", "last byte");
	ok(!name_at(&t, 0x210), "there is none behind it");
	is_str(name_at(&t, 0x315), "inner", "the inner of two functions");
	is_str(name_at(&t, 0x330), "outer", "the outer one behind the inner");
	is_u64(t.nr, 5, "one name per address");
	sym_table_free(&t);
}

/* The last function that starts before an address is the first of those that one by one have it. */
static const struct sym_symbol *find_slowly(const struct sym_table *t, __u64 addr)
{
	size_t i;

	for (i = t->nr; i && t->symbols[i - 1].start > addr; i--)
		;
	return i && addr < t->symbols[i - 1].end ? &t->symbols[i - 1] : NULL;
}

/* @bits: of the addresses; near each other they fill pieces of the index, and else few of them */
static void test_table_random(unsigned int bits)
{
	__u64 mask = bits < 64 ? (1ULL << bits) - 1 : ~0ULL, addr;
	unsigned int i, wrong = 0;
	struct sym_table t = { 0 };

	for (i = 0; i < 500; i++)
		sym_table_add(&t, ((__u64)rand() << 40 ^ (__u64)rand() << 20 ^ rand()) & mask, 0,
			      "any");
	sym_table_sort(&t);
	for (i = 0; i < 20000; i++) {
		addr = i % 2 ? t.symbols[i % t.nr].start + i % 3 - 1 :
			       ((__u64)rand() << 40 ^ (__u64)rand() << 20 ^ rand()) & mask;
		/* the last one is open */
		if (addr < t.symbols[t.nr - 1].start)
			wrong += sym_table_find(&t, addr) != find_slowly(&t, addr);
	}
	is_u64(wrong, 0, "%zu functions of %u bits are found", t.nr, bits);
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
	is_u64(n, sizeof(notes), "not found in a prefix of the notes");
}

/* The function's offset in the file by /proc/self/maps, not by the code under test. */
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

	is_u64(sym_elf_load(&e, SELF, NULL, NULL), 0, "the ELF file of this program is read");
	ok(file_offset_of(a_function_to_be_found, &offset), "the function is mapped");
	ok(sym_elf_vaddr(&e, offset, &vaddr), "its offset is in a segment");
	is_str(name_at(&e.table, vaddr), "a_function_to_be_found", "its name");
	ok(!sym_elf_vaddr(&e, 1ULL << 40, &vaddr), "an offset beyond the file is in none");
	is_u64(sym_elf_build_id(SELF, &id), 0, "the file has a build-id");
	ok(sym_build_id_equal(&id, &e.build_id), "both functions read the same");
	sym_elf_free(&e);
	is_u64(sym_elf_load(&e, "/dev/null", NULL, NULL), -ENOENT, "a device is not read");
	is_u64(sym_elf_load(&e, "/nonexistent", NULL, NULL), -ENOENT, "a missing file");
}

/* inotify reports opening a file, but not open() with O_PATH. */
static void test_not_regular(void)
{
	char dir[] = "/tmp/symbols_test.XXXXXX", pipe[64], events[4096];
	int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
	struct sym_build_id id;
	struct sym_elf e;

	ok(mkdtemp(dir), "a temporary directory");
	snprintf(pipe, sizeof(pipe), "%s/pipe", dir);
	is_u64(mkfifo(pipe, 0600), 0, "a named pipe");
	ok(inotify_add_watch(watch, pipe, IN_OPEN) >= 0, "inotify watches it");
	is_u64(sym_elf_load(&e, pipe, NULL, NULL), -ENOENT, "it is not read as an ELF file");
	is_u64(sym_elf_build_id(pipe, &id), -ENOENT, "nor for its build-id");
	ok(read(watch, events, sizeof(events)) < 0, "it was not opened");
	is_u64(errno, EAGAIN, "inotify reported nothing");
	close(watch);
	unlink(pipe);
	rmdir(dir);
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
	const struct sym_map *m;

	map(&sp, 1, 0x1000, 0x9000, "//a");
	map(&sp, 1, 0x3000, 0x4000, "//b");
	is_str(sym_space_dso_of(&sp, false, 1, 0x2fff), "//a", "before the new range");
	is_str(sym_space_dso_of(&sp, false, 1, 0x3000), "//b", "in the new range");
	is_str(sym_space_dso_of(&sp, false, 1, 0x4000), "//a", "behind the new range");
	ok(!sym_space_dso_of(&sp, false, 1, 0x9000), "behind all ranges");
	ok(!sym_space_dso_of(&sp, false, 2, 0x3000), "nothing in another process");
	is_u64(sym_maps_nr(sp.processes[0].maps), 3, "the range was split");
	m = sym_maps_find(sp.processes[0].maps, 0x4000);
	is_u64(m ? m->pgoff : 0, 0x1000 + 0x3000, "its second half has a larger offset");
	map(&sp, 1, 0, ~0ULL, "//c");
	is_u64(sym_maps_nr(sp.processes[0].maps), 1, "a range that covers all replaces all");
	map(&sp, 1, 5, 5, "//d");
	is_u64(sym_maps_nr(sp.processes[0].maps), 1, "an empty range is ignored");
	sym_space_free(&sp);
}

#define ADDRESSES	2000
#define INSERTIONS	3000

/* Expected ranges, address by address. */
struct naive {
	size_t dso[ADDRESSES];
	__u64 pgoff[ADDRESSES];
	bool mapped[ADDRESSES];
};

static bool same_as_naive(const struct sym_maps *maps, const struct naive *naive)
{
	__u64 a;

	for (a = 0; a < ADDRESSES; a++) {
		const struct sym_map *m = sym_maps_find(maps, a);

		if (!m != !naive->mapped[a])
			return false;
		if (m && (a < m->start || a >= m->end || m->dso != naive->dso[a] ||
			  m->pgoff + (a - m->start) != naive->pgoff[a]))
			return false;
	}
	return true;
}

/* Two owners that share their ranges at times, each compared with an array of addresses. */
static void test_maps_random(void)
{
	static struct naive naive[2];
	struct sym_maps *maps[2] = { NULL, NULL };
	unsigned int i, wrong = 0;
	__u64 a, random = 1;

	for (i = 0; i < INSERTIONS; i++) {
		struct sym_map m = { .pgoff = i * 0x10000ULL, .dso = i };
		unsigned int owner;

		random = random * 6364136223846793005ULL + 1442695040888963407ULL;
		owner = random >> 63;
		m.start = (random >> 20) % (ADDRESSES - 1);
		/* mostly short, so that there are many; at times half of all addresses */
		m.end = m.start + 1 + (random >> 40) % (i % 97 ? 3 : ADDRESSES / 2);
		if (m.end > ADDRESSES)
			m.end = ADDRESSES;
		if (i % 50 == 0) {
			sym_maps_put(maps[!owner]);
			maps[!owner] = sym_maps_share(maps[owner]);
			naive[!owner] = naive[owner];
		}
		if (sym_maps_insert(&maps[owner], &m))
			wrong++;
		for (a = m.start; a < m.end; a++) {
			naive[owner].mapped[a] = true;
			naive[owner].dso[a] = i;
			naive[owner].pgoff[a] = m.pgoff + (a - m.start);
		}
		wrong += !same_as_naive(maps[0], &naive[0]) + !same_as_naive(maps[1], &naive[1]);
	}
	is_u64(wrong, 0, "%d ranges of two owners are as expected", INSERTIONS);
	ok(sym_maps_nr(maps[0]) > 300, "there are many of them: %zu", sym_maps_nr(maps[0]));
	sym_maps_put(maps[0]);
	sym_maps_put(maps[1]);
}

#define MANY	5000

/* A list that nobody shares, longer than any room that was left for it. */
static void test_many_maps(void)
{
	struct sym_maps *maps = NULL;
	unsigned int i, wrong = 0;

	for (i = 0; i < MANY; i++) {
		const struct sym_map m = { .start = 16 * i, .end = 16 * i + 8, .dso = i };

		wrong += !!sym_maps_insert(&maps, &m);
	}
	is_u64(sym_maps_nr(maps), MANY, "many ranges of one owner");
	for (i = 0; i < MANY; i++) {
		const struct sym_map *m = sym_maps_find(maps, 16 * i + 7);

		wrong += !m || m->start != 16 * i || m->dso != i;
		wrong += !!sym_maps_find(maps, 16 * i + 8);
	}
	is_u64(wrong, 0, "each is found");
	sym_maps_put(maps);
}

#define SECOND	1000000000ULL

static void test_exit(void)
{
	struct sym_space sp = { 0 };

	sym_space_comm(&sp, 1, 1, "one", true);
	map(&sp, 1, 0x1000, 0x2000, "//1");
	sym_space_fork(&sp, 1, 1, 2, 1, true);
	sym_space_comm(&sp, 3, 3, "three", true);
	ok(!sym_space_exit(&sp, 1, 1, 10 * SECOND), "a thread ends");
	ok(!sym_space_exit(&sp, 3, 9, 20 * SECOND), "and one that is unknown");
	is_str(sym_space_dso_of(&sp, false, 1, 0x1000), "//1",
	       "maps stay while a thread is left");
	sym_space_exit(&sp, 1, 2, 30 * SECOND);
	is_str(sym_space_dso_of(&sp, false, 1, 0x1000), "//1",
	       "they stay when the last thread ends");
	sym_space_exit(&sp, 3, 9, 30 * SECOND + SECOND / 2);
	is_str(sym_space_dso_of(&sp, false, 1, 0x1000), "//1", "and half a second later");
	is_u64(sp.nr_processes, 2, "two processes");
	sym_space_exit(&sp, 3, 9, 32 * SECOND);
	is_u64(sp.nr_processes, 1, "the process is forgotten two seconds later");
	ok(!sym_space_dso_of(&sp, false, 1, 0x1000), "with its maps");
	is_str(sym_space_comm_of(&sp, 1, 2), "one", "but its name stays");
	is_str(sym_space_comm_of(&sp, 3, 3), "three",
	       "the end of an unknown thread ends no process");

	/* the PID is reused before the old process is forgotten */
	sym_space_exit(&sp, 3, 3, 40 * SECOND);
	sym_space_fork(&sp, 3, 7, 3, 7, true);
	map(&sp, 3, 0x1000, 0x2000, "//3");
	sym_space_exit(&sp, 1, 1, 50 * SECOND);
	is_str(sym_space_dso_of(&sp, false, 3, 0x1000), "//3", "the new process stays");

	/* exec by another thread than the first, the end of which is not recorded */
	sym_space_fork(&sp, 3, 3, 4, 3, true);
	sym_space_exit(&sp, 3, 3, 51 * SECOND);
	sym_space_comm(&sp, 3, 3, "new", true);
	map(&sp, 3, 0x1000, 0x2000, "//4");
	sym_space_exit(&sp, 3, 3, 52 * SECOND);
	sym_space_exit(&sp, 1, 1, 60 * SECOND);
	is_u64(sp.nr_processes, 0, "after exec a process has one thread");
	sym_space_free(&sp);
}

static void test_tasks(void)
{
	struct sym_space sp = { 0 };

	ok(!sym_space_comm_of(&sp, 1, 1), "an unknown thread has no name");
	sym_space_comm(&sp, 1, 1, "parent", true);
	map(&sp, 1, 0x1000, 0x2000, "//p");
	sym_space_fork(&sp, 2, 1, 2, 1, true);
	is_str(sym_space_comm_of(&sp, 2, 2), "parent", "a child has its parent's name");
	is_str(sym_space_dso_of(&sp, false, 2, 0x1000), "//p", "and its maps");
	map(&sp, 2, 0x1000, 0x2000, "//q");
	is_str(sym_space_dso_of(&sp, false, 1, 0x1000), "//p",
	       "mapping in the child does not change the parent");
	sym_space_comm(&sp, 2, 2, "a name that is too long", true);
	is_str(sym_space_comm_of(&sp, 2, 2), "a name that is ",
	       "exec sets a name of up to 15 bytes");
	ok(!sym_space_dso_of(&sp, false, 2, 0x1000), "exec drops all maps");
	sym_space_fork(&sp, 1, 1, 3, 1, true);
	is_str(sym_space_comm_of(&sp, 1, 3), "parent", "a thread has its parent's name");
	is_str(sym_space_comm_of(&sp, 1, 9), "parent",
	       "an unknown thread has the name of its process");
	sym_space_fork(&sp, 4, 1, 4, 1, false);
	ok(!sym_space_dso_of(&sp, false, 4, 0x1000),
	   "a process inherits no maps if all of its own are recorded");
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
	is_str(loc.symbol, "a_function_to_be_found", "the function is found at another address");
	is_u64(loc.offset, 1, "with the offset from its start");
	is_str(loc.dso, path, "with its file");
	sym_space_map(&sp, false, 6, &m, path, &other);
	sym_space_resolve(&sp, false, 6, 0x700000000001, &loc);
	ok(!loc.symbol, "a file of another build has no symbols");
	ok(sp.dsos[1].stale, "it is marked as stale");
	sym_space_resolve(&sp, false, 7, 1, &loc);
	ok(!loc.dso && !loc.symbol, "nothing is found in an unknown process");
	sym_space_free(&sp);
}

static void test_whole_function(void)
{
	const struct sym_build_id none = { 0 };
	struct sym_map m = { .start = 0x700000000000, .end = 0x700000001000 };
	struct sym_space sp = { 0 };
	struct sym_location loc;
	struct sym_function f;
	char path[4096];
	ssize_t n = readlink(SELF, path, sizeof(path) - 1);

	path[n < 0 ? 0 : n] = 0;
	file_offset_of(seven_bytes, &m.pgoff);
	sym_space_map(&sp, false, 5, &m, path, &none);
	ok(sym_function_find(&sp, false, 5, m.start + 3, &loc, &f), "a whole function is found");
	is_str(loc.symbol, "seven_bytes", "its name");
	is_u64(f.addr - f.start, 3, "its start");
	is_u64(f.end - f.start, 7, "its size");
	is_str(sym_function_path(&sp, &f), path, "its file");
	ok(!sym_function_find(&sp, false, 6, m.start + 3, &loc, &f), "none in another process");
	sym_space_free(&sp);
}

static void set_inode(struct sym_space *sp, __u32 maj, __u32 min, __u64 ino)
{
	const struct sym_inode inode = { .known = true, .maj = maj, .min = min, .ino = ino };

	sym_space_set_inode(sp, "/bin/prog", &inode);
}

static void test_inode(void)
{
	static const struct { __u32 maj, min; __u64 ino; } others[] = {
		{ 8, 1, 43 }, { 8, 2, 42 }, { 9, 1, 42 },
	};
	struct sym_space sp = { 0 };
	const struct sym_inode *inode;
	size_t i;

	for (i = 0; i < sizeof(others) / sizeof(*others); i++) {
		set_inode(&sp, 8, 1, 42);
		set_inode(&sp, 8, 1, 42);
		inode = &sp.dsos->inode;
		ok(inode->known && !inode->several, "a name that refers to one file");
		set_inode(&sp, others[i].maj, others[i].min, others[i].ino);
		ok(inode->several, "and then to another");
		ok(inode->maj == 8 && inode->min == 1 && inode->ino == 42, "the first is kept");
		is_u64(sp.nr_dsos, 1, "of one name");
		sym_space_free(&sp);
	}
}

/* A function of the vdso of this machine, recorded with a build-id. */
static const char *vdso_name(const void *function, const struct sym_build_id *id, bool here)
{
	static struct sym_space sp;
	struct sym_map m = { .start = getauxval(AT_SYSINFO_EHDR) };
	struct sym_location loc;

	sym_space_free(&sp);
	m.end = m.start + 0x10000;
	sp.sources.symfs = here ? NULL : "/nonexistent";
	sym_space_map(&sp, false, 5, &m, "[vdso]", id);
	sym_space_resolve(&sp, false, 5, (uintptr_t)function, &loc);
	return loc.symbol;
}

static void test_vdso(void)
{
	const struct sym_build_id none = { 0 }, other = { .size = 20, .id = { 1 } };
	void *vdso = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
	const void *function = vdso ? dlsym(vdso, "__vdso_gettimeofday") : NULL;

	if (!function) {
		ok(true, "the vdso # SKIP there is none");
		return;
	}
	/* its plainest name */
	is_str(vdso_name(function, &none, true), "gettimeofday", "a function of the vdso");
	is_str(vdso_name(function, &other, true), NULL, "of another build there is none");
	is_str(vdso_name(function, &none, false), NULL, "nor of another machine");
	dlclose(vdso);
}

/* The kernel's functions by a file below @root, where this program stands for kernel 1.2. */
static bool finds_function(struct sym_space *sp, const char *root, const char *release)
{
	struct sym_location loc = { 0 };

	sp->sources.symfs = root;
	strcpy(sp->kernel_release, release);
	strcpy(sp->kernel_ref_name, "main");
	sp->kernel_ref = (uintptr_t)main;
	sym_lookup_kernel(sp, (uintptr_t)a_function_to_be_found + 1, &loc);
	return loc.symbol && !strcmp(loc.symbol, "a_function_to_be_found") && loc.offset == 1;
}

static void test_kernel_file(void)
{
	struct sym_space same = { 0 }, other = { .kernel_build_id = { .size = 20 } };
	struct sym_space missing = other;
	char root[] = "/tmp/symbols_test.XXXXXX", boot[64], vmlinux[128], self[4096];
	ssize_t n = readlink(SELF, self, sizeof(self) - 1);
	size_t nr, debug_size;

	self[n < 0 ? 0 : n] = 0;
	if (!mkdtemp(root))
		abort();
	snprintf(boot, sizeof(boot), "%s/boot", root);
	snprintf(vmlinux, sizeof(vmlinux), "%s/vmlinux-1.2", boot);
	if (mkdir(boot, 0700) || symlink(self, vmlinux))
		abort();
	sym_elf_build_id(SELF, &same.kernel_build_id);
	ok(finds_function(&same, root, "1.2"), "the kernel's file is read, of the recorded build");
	ok(!same.kernel_stale, "and is not marked as stale");
	sym_lookup_kernel_frames(&same, same.kernel_ref, &nr);
	debug_size = same.debug_size;
	ok(debug_size, "its debug information is read");
	sym_lookup_kernel_frames(&same, same.kernel_ref, &nr);
	is_u64(same.debug_size, debug_size, "once");
	ok(!finds_function(&other, root, "1.2"), "another build of it is not");
	ok(other.kernel_stale, "which is marked");
	other.kernel_build_id = same.kernel_build_id;
	other.kernel_tried = false;
	other.kernel_moved = false;
	ok(finds_function(&other, root, "1.2") && !other.kernel_stale,
	   "until the recorded one is found");
	ok(!finds_function(&missing, root, "1.3"), "nor that of another release");
	ok(!missing.kernel_stale, "which is missing, not stale");
	sym_space_free(&same);
	sym_space_free(&other);
	sym_space_free(&missing);
	unlink(vmlinux);
	rmdir(boot);
	rmdir(root);
}

/* Two addresses have the same code. */
static bool same_code(const struct sym_space *sp, __u32 pid, __u64 a, __u32 other_pid, __u64 b)
{
	struct sym_code x = { .dso = 8 }, y = { .dso = 9 };

	return sym_space_code(sp, false, pid, a, &x) &&
	       sym_space_code(sp, false, other_pid, b, &y) && x.dso == y.dso &&
	       x.offset == y.offset && x.kernel == y.kernel;
}

static void test_code(void)
{
	struct sym_space sp = { 0 };
	struct sym_code code;

	map(&sp, 1, 0x1000, 0x3000, "//a");
	map(&sp, 2, 0x5000, 0x7000, "//a");
	ok(same_code(&sp, 1, 0x1004, 2, 0x5004), "a file has the same code wherever it is mapped");
	ok(!same_code(&sp, 1, 0x1004, 2, 0x5005), "another offset is other code");
	map(&sp, 2, 0x5000, 0x7000, "//b");
	ok(!same_code(&sp, 1, 0x1004, 2, 0x5004), "so is the offset in another file");
	ok(same_code(&sp, 1, 0x9000, 2, 0x9000), "an address where nothing is mapped is itself");
	ok(!same_code(&sp, 1, 0x9000, 2, 0x9001), "and no other");
	map(&sp, 1, 0x1000, 0x3000, "//anon");
	ok(!sym_space_code(&sp, false, 1, 0x1004, &code), "code made at run time is not kept");
	ok(sym_space_code(&sp, true, 1, 0x1004, &code) && code.kernel,
	   "the kernel's is, at the same address");
	sym_space_free(&sp);
}

int main(void)
{
	plan(0);
	is_u64(a_function_to_be_found(1), 4, "the function is not optimized away");
	test_table();
	test_table_random(10);
	test_table_random(32);
	test_table_random(64);
	test_build_id_notes();
	test_own_file();
	test_not_regular();
	test_maps();
	test_maps_random();
	test_many_maps();
	test_tasks();
	test_exit();
	test_resolve();
	test_whole_function();
	test_inode();
	test_vdso();
	test_kernel_file();
	test_code();
	return done();
}
