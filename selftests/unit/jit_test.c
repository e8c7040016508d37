// SPDX-License-Identifier: GPL-2.0-only
/* Tests of code made at run time: both forms of lists, also damaged, foreign and hostile ones. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/symbols/jit_list.h"
#include "userspace/symbols/space.h"

#define OWNER	12345
#define READER	54321
#define ROOM		(256LL << 20)	/* for all lists together, as files and in memory */
#define FUNCTION	48		/* bytes of memory, and those of its name */

static char map_path[64], dump_path[64];
static bool no_memory;

/* Replaces that of the C library. */
void *reallocarray(void *old, size_t nr, size_t size)
{
	return no_memory ? NULL : realloc(old, nr * size);
}

static void write_file(const char *path, const void *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW, 0644);

	ok(fd >= 0 && write(fd, data, size) == (ssize_t)size, "%s is written", path);
	close(fd);
}

static struct sym_location at_pid(struct sym_space *sp, __u32 pid, __u64 addr)
{
	struct sym_location loc;

	sym_space_resolve(sp, false, pid, addr, &loc);
	return loc;
}

static struct sym_location at(struct sym_space *sp, __u64 addr)
{
	return at_pid(sp, getpid(), addr);
}

static bool map_silently(struct sym_space *sp, __u64 start, __u64 end, const char *name)
{
	const struct sym_build_id none = { 0 };
	const struct sym_map m = { .start = start, .end = end };

	return !sym_space_map(sp, false, getpid(), &m, name, &none);
}

static void map(struct sym_space *sp, __u64 start, __u64 end, const char *name)
{
	ok(map_silently(sp, start, end, name), "%s is mapped", name);
}

/* What is kept about the file; the first one if there is none. */
static const struct sym_dso *file_of(const struct sym_space *sp, const char *path)
{
	size_t i;

	for (i = sp->nr_dsos - 1; i > 0 && strcmp(sp->dsos[i].name, path); i--)
		;
	return &sp->dsos[i];
}

/* ---- /tmp/perf-PID.map ---- */

static void test_map(void)
{
	static const char lines[] =
		"1000 10 first\n"
		"1010 20 second one, with blanks\n"
		"\n"
		"nonsense\n"
		"1100 0 empty\n"
		"1200 10\n"
		"1000 8 first, compiled again\n"
		"1300 fffffffffffffff0 endless";
	struct sym_space sp = { 0 };

	write_file(map_path, lines, sizeof(lines) - 1);
	map(&sp, 0x1000, 0x2000, "//anon");
	map(&sp, 0x2000, 0x3000, "/bin/true");
	is_str(at(&sp, 0x1007).symbol, "first, compiled again", "the last of one address");
	is_u64(at(&sp, 0x1007).offset, 7, "its offset");
	ok(!at(&sp, 0x1008).symbol, "what it has replaced is gone");
	is_str(at(&sp, 0x1010).symbol, "second one, with blanks", "a name with blanks");
	is_str(at(&sp, 0x102f).symbol, "second one, with blanks", "its last byte");
	is_str(at(&sp, 0x102f).dso, map_path, "the file is the map");
	ok(!at(&sp, 0x1030).symbol, "nothing behind it");
	is_str(at(&sp, 0x1030).dso, "//anon", "there the file is that of the memory");
	ok(!at(&sp, 0x1100).symbol && !at(&sp, 0x1200).symbol, "lines without size or name");
	ok(!at(&sp, 0x2001).symbol, "a map says nothing of mapped files");
	is_u64(file_of(&sp, map_path)->list_bad, 2, "lines that are none are counted");
	sym_space_free(&sp);
}

static void test_long_lines(void)
{
	struct sym_space sp = { 0 };
	char lines[20000];
	size_t size;

	size = sprintf(lines, "1000 10 %04000d\n", 1);
	size += sprintf(lines + size, "1010 10 %09000d\n", 2);
	size += sprintf(lines + size, "1020 10 behind\n1030 10 %05000d", 3);
	write_file(map_path, lines, size);
	map(&sp, 0x1000, 0x2000, "//anon");
	is_u64(strlen(at(&sp, 0x1000).symbol), 4000, "a long name is whole");
	ok(!at(&sp, 0x1010).symbol && !at(&sp, 0x1030).symbol, "longer ones are left out");
	is_str(at(&sp, 0x1020).symbol, "behind", "and not what follows");
	is_u64(file_of(&sp, map_path)->list_bad, 2, "they are counted");
	sym_space_free(&sp);
}

static void test_nul(void)
{
	static const char lines[] =
		"1000 10 first\n1010 10 sec\0ond\n1020 10 third\n\0\n1030 10 last";
	struct sym_space sp = { 0 };

	write_file(map_path, lines, sizeof(lines) - 1);
	map(&sp, 0x1000, 0x2000, "//anon");
	is_str(at(&sp, 0x1000).symbol, "first", "the line before one with a NUL");
	ok(!at(&sp, 0x1010).symbol, "that one is left out");
	is_str(at(&sp, 0x1020).symbol, "third", "the line behind it");
	is_str(at(&sp, 0x1030).symbol, "last", "and the one behind a lone NUL");
	is_u64(file_of(&sp, map_path)->list_bad, 2, "both are counted");
	sym_space_free(&sp);
}

/* Of a map that has grown in the meantime only the bytes it had before are read. */
static void test_grown_map(void)
{
	static char lines[] = "1000 10 first\n1010 10 second\n";
	static const struct { size_t size, nr, nr_bad; } parts[] = {
		{ 14, 1, 0 }, { 20, 1, 1 }, { sizeof(lines) - 1, 2, 0 },
	};
	size_t i;

	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		FILE *f = fmemopen(lines, sizeof(lines) - 1, "r");
		__u64 room = ROOM, nr_bad = 77;
		struct sym_table t = { 0 };

		ok(!sym_jit_read_map(&t, f, parts[i].size, &room, &nr_bad),
		   "%zu bytes of a map are read", parts[i].size);
		is_u64(t.nr, parts[i].nr, "functions");
		is_u64(nr_bad, parts[i].nr_bad, "a line that is cut off is left out");
		fclose(f);
		sym_table_free(&t);
	}
}

static void test_out_of_memory(void)
{
	struct sym_space sp = { 0 };

	write_file(map_path, "1010 10 listed\n", 15);
	map(&sp, 0x1000, 0x2000, "//anon");
	no_memory = true;
	ok(!at(&sp, 0x1010).symbol, "without memory there is no name");
	ok(sp.out_of_memory, "which is noted");
	no_memory = false;
	sym_space_free(&sp);
	unlink(map_path);
}

static void test_refused_map(void)
{
	struct sym_space sp = { 0 };

	unlink(map_path);
	map(&sp, 0x1000, 0x2000, "//anon");
	ok(!at(&sp, 0x1007).symbol, "without a map there is no name");
	is_u64(sp.nr_dsos, 1, "and nothing wrong");
	sym_space_free(&sp);
	ok(!symlink("/dev/zero", map_path), "a link instead");
	map(&sp, 0x1000, 0x2000, "//anon");
	ok(!at(&sp, 0x1007).symbol, "is not read");
	is_u64(-file_of(&sp, map_path)->list_err, ELOOP, "for that reason");
	sym_space_free(&sp);
	unlink(map_path);
	ok(!mkfifo(map_path, 0600), "a pipe instead");
	map(&sp, 0x1000, 0x2000, "//anon");
	ok(!at(&sp, 0x1007).symbol, "is not read either, nor waited for");
	is_u64(-file_of(&sp, map_path)->list_err, EINVAL, "for that reason");
	sym_space_free(&sp);
	unlink(map_path);
	write_file(map_path, "1000 10 huge\n", 13);
	ok(!truncate(map_path, ROOM + 1), "a file of more than 256 MiB");
	map(&sp, 0x1000, 0x2000, "//anon");
	ok(!at(&sp, 0x1007).symbol, "is not read");
	is_u64(-file_of(&sp, map_path)->list_err, EFBIG, "for that reason");
	sym_space_free(&sp);
}

static void test_owner(void)
{
	static const struct {
		uid_t owner, reader;
		int err;
	} cases[] = {
		{ OWNER, READER, EPERM }, { OWNER, OWNER, 0 }, { 0, READER, 0 },
		{ OWNER, 0, EPERM }, { 0, 0, 0 },
	};
	struct sym_space sp = { 0 };
	size_t i;

	if (geteuid()) {
		skip(1, "files of other users need root");
		return;
	}
	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		unlink(map_path);
		write_file(map_path, "1000 10 owned\n", 14);
		ok(!chown(map_path, cases[i].owner, 0) && !seteuid(cases[i].reader),
		   "a map of user %u for user %u", cases[i].owner, cases[i].reader);
		map(&sp, 0x1000, 0x2000, "//anon");
		ok(!at(&sp, 0x1007).symbol == !!cases[i].err, "is read or not");
		is_u64(-file_of(&sp, map_path)->list_err, cases[i].err, "why not");
		sym_space_free(&sp);
		ok(!seteuid(0), "root again");
	}
}

/* What was compiled before fork() stays where it is; exec() drops it. */
static void test_fork(void)
{
	const __u32 pid = getpid(), child = pid + 1000000;
	struct sym_space sp = { 0 };

	write_file(map_path, "1000 10 early\n", 14);
	map(&sp, 0x1000, 0x2000, "//anon");
	ok(!sym_space_fork(&sp, child, pid, child, pid, true), "a child");
	is_str(at(&sp, 0x1000).symbol, "early", "code of a parent");
	unlink(map_path);
	is_str(at_pid(&sp, child, 0x1000).symbol, "early", "a child has it without reading again");
	ok(!sym_space_fork(&sp, child + 1, child, child + 1, child, true), "a grandchild");
	is_str(at_pid(&sp, child + 1, 0x1000).symbol, "early", "code of a grandparent");
	ok(!sym_space_comm(&sp, child, child, "other", true), "exec");
	sym_space_map(&sp, false, child, &(struct sym_map){ .start = 0x1000, .end = 0x2000 },
		      "//anon", &(struct sym_build_id){ 0 });
	ok(!at_pid(&sp, child, 0x1000).symbol, "another program has none of it");
	sym_space_free(&sp);
}

/* ---- jitdump ---- */

static unsigned char dump[1024];
static size_t size;

static void put(const void *data, size_t len)
{
	memcpy(dump + size, data, len);
	size += len;
}

static void put_header(void)
{
	const __u32 header[] = { 0x4a695444, 1, 40, 62, 0, getpid(), 0, 0, 0, 0 };

	size = 0;
	put(header, sizeof(header));
}

/* A record of @id with 4 bytes of code; the layout is that of the specification. */
static void put_load(__u32 id, __u64 addr, __u64 index, const char *name)
{
	const __u32 head[] = { id, 16 + 40 + strlen(name) + 1 + 4, 0, 0 };
	const __u64 load[] = { 0, addr, addr, 4, index };

	put(head, sizeof(head));
	put(load, sizeof(load));
	put(name, strlen(name) + 1);
	put("code", 4);
}

static void put_move(__u64 from, __u64 to, __u64 index)
{
	const __u32 head[] = { 1, 16 + 48, 0, 0 };
	const __u64 move[] = { 0, to, from, to, 4, index };

	put(head, sizeof(head));
	put(move, sizeof(move));
}

/* A record that ends before what a load or a move consists of. */
static void put_short(__u32 id)
{
	const __u32 record[] = { id, 20, 0, 0, 0 };

	put(record, sizeof(record));
}

static void put_close(void)
{
	const __u32 head[] = { 3, 16, 0, 0 };

	put(head, sizeof(head));
}

static void map_dump(struct sym_space *sp)
{
	write_file(dump_path, dump, size);
	map(sp, 0x1000, 0x2000, "//anon");
	map(sp, 0x3000, 0x4000, dump_path);
}

static void test_dump(void)
{
	struct sym_space sp = { 0 };

	put_header();
	put_load(0, 0x1000, 1, "compiled");
	put_load(2, 0x1100, 2, "debug information");
	put_load(0, 0x1000, 3, "compiled again");
	put_load(0, 0x1010, 4, "another");
	put_move(0x1010, 0x1020, 4);
	put_load(0, 0x1010, 5, "in its place");
	put_move(0x1000, 0x1030, 1);
	put_move(0x1000, 0x1040, 77);
	put_load(0, 0x1050, 5, "same number");
	put_short(0);
	put_short(1);
	put_move(0x1050, 0x1060, 5);
	put_close();
	put_load(0, 0x1070, 6, "behind the end");
	map_dump(&sp);
	is_str(at(&sp, 0x1003).symbol, "compiled again", "the last of one address");
	is_str(at(&sp, 0x1010).symbol, "in its place", "a place that was left");
	is_str(at(&sp, 0x1023).symbol, "another", "a function that was moved there");
	is_u64(at(&sp, 0x1023).offset, 3, "its offset");
	is_str(at(&sp, 0x1030).symbol, "compiled", "one of which the place was taken before");
	ok(!at(&sp, 0x1014).symbol && !at(&sp, 0x1024).symbol, "nothing behind them");
	ok(!at(&sp, 0x1040).symbol, "a move of an unknown function");
	is_str(at(&sp, 0x1060).symbol, "same number", "the later of a number");
	ok(!at(&sp, 0x1070).symbol, "nothing after it was closed");
	ok(!at(&sp, 0x1100).symbol, "other records are no functions");
	is_str(at(&sp, 0x1010).dso, dump_path, "the file");
	is_u64(file_of(&sp, dump_path)->list_bad, 3, "the unknown one and two short ones");
	sym_space_free(&sp);
}

/* A child lists in a file of its own what it compiles after fork(). */
static void test_fork_dump(void)
{
	const __u32 pid = getpid(), child = pid + 1000000;
	const struct sym_map file = { .start = 0x4000, .end = 0x5000 };
	struct sym_space sp = { 0 };
	char child_path[80];

	put_header();
	put_load(0, 0x1000, 1, "of the parent");
	put_load(0, 0x1010, 2, "early");
	map_dump(&sp);
	ok(!sym_space_fork(&sp, child, pid, child, pid, true), "a child");
	is_str(at_pid(&sp, child, 0x1000).symbol, "of the parent", "has its parent's functions");
	put_header();
	put_load(0, 0x1000, 1, "of the child");
	snprintf(child_path, sizeof(child_path), "%.*s/jit-%u.dump",
		 (int)(strrchr(dump_path, '/') - dump_path), dump_path, child);
	write_file(child_path, dump, size);
	ok(!sym_space_map(&sp, false, child, &file, child_path, &(struct sym_build_id){ 0 }),
	   "the child maps a jitdump of its own");
	is_str(at_pid(&sp, child, 0x1000).symbol, "of the child", "which comes first");
	is_str(at_pid(&sp, child, 0x1000).dso, child_path, "its file");
	is_str(at_pid(&sp, child, 0x1010).symbol, "early", "what came before the fork is kept");
	is_str(at(&sp, 0x1000).symbol, "of the parent", "the parent has its own");
	ok(!sym_space_fork(&sp, child + 1, child, child + 1, child, true), "a grandchild");
	is_str(at_pid(&sp, child + 1, 0x1000).symbol, "of the child", "has what its parent has");
	sym_space_free(&sp);
	unlink(child_path);
}

/* All lists of a space together; a jitdump that ends early has bytes that nobody looks at. */
static void test_budget(void)
{
	struct sym_space sp = { 0 };
	unsigned int i;

	put_header();
	put_load(0, 0x1000, 1, "compiled");
	put_close();
	write_file(map_path, "1010 10 listed\n", 15);
	for (i = 0; i < 2; i++) {
		map_dump(&sp);
		ok(!truncate(dump_path, ROOM - 15 + i), "a map, and a jitdump of the rest + %u", i);
		is_str(at(&sp, 0x1010).symbol, "listed", "the map is read");
		ok(!at(&sp, 0x1000).symbol == !!i, "the jitdump if it fits");
		is_u64(-file_of(&sp, dump_path)->list_err, i ? EFBIG : 0, "why not");
		sym_space_free(&sp);
	}
	unlink(map_path);
	unlink(dump_path);
}

/* Short lines that together with a name of @len bytes take all memory, if that is 7. */
static void write_short_lines(int len)
{
	const long long nr = (ROOM - FUNCTION - sizeof("listed7")) / (FUNCTION + sizeof("f"));
	FILE *f = fopen(map_path, "w");
	long long i;

	is_u64(ROOM, nr * (FUNCTION + sizeof("f")) + FUNCTION + sizeof("listed7"),
	       "%lld functions take all memory", nr + 1);
	fprintf(f, "1010 10 %.*s\n", len, "listed7+");
	for (i = 0; i < nr; i++)
		fputs("0 1 f\n", f);
	ok(!fclose(f), "they are written");
}

/* What is left out takes none. */
static void test_memory(void)
{
	struct sym_space sp = { 0 };
	int more;

	put_header();
	put_load(0, 0x1000, 1, "compiled");
	put_close();
	for (more = 0; more < 2; more++) {
		write_short_lines(7 + more);
		map_dump(&sp);
		is_str(at(&sp, 0x1010).symbol ?: "", more ? "" : "listed7",
		       "a map is read if it fits");
		is_u64(-file_of(&sp, map_path)->list_err, more ? EFBIG : 0, "why not");
		is_str(at(&sp, 0x1000).symbol ?: "", more ? "compiled" : "",
		       "a jitdump if there is memory left");
		is_u64(-file_of(&sp, dump_path)->list_err, more ? 0 : EFBIG, "why not");
		sym_space_free(&sp);
	}
	unlink(map_path);
	unlink(dump_path);
}

/* A jitdump has its function's name twice while it is read. */
static void test_memory_of_dump(void)
{
	const __u64 need = sizeof("compiled") + FUNCTION + sizeof("compiled") + 96;
	unsigned int less;

	put_header();
	put_load(0, 0x1000, 1, "compiled");
	put_move(0x1000, 0x1020, 1);
	put_close();
	for (less = 0; less < 2; less++) {
		__u64 room = need + FUNCTION + sizeof("compiled") - less, nr_bad = 77;
		struct sym_table t = { 0 };
		FILE *f = fmemopen(dump, size, "r");

		is_u64(-sym_jit_read_dump(&t, f, size, &room, &nr_bad), less ? EFBIG : 0,
		       "a jitdump where %u bytes are missing", less);
		is_u64(nr_bad, 0, "none is damaged");
		is_u64(t.nr, 2 - less, "functions");
		fclose(f);
		sym_table_free(&t);
	}
}

static void test_cut_dump(void)
{
	unsigned int wrong = 0, complete = 0;
	struct sym_space sp = { 0 };
	size_t whole;

	put_header();
	put_load(0, 0x1000, 1, "compiled");
	put_move(0x1000, 0x1010, 1);
	put_load(0, 0x1020, 2, "another");
	whole = size;
	put_load(2, 0x1030, 3, "debug information");
	write_file(dump_path, dump, size);
	for (; size; size--) {
		const struct sym_dso *file;
		bool any;

		wrong += truncate(dump_path, size) ||
			 !map_silently(&sp, 0x1000, 0x2000, "//anon") ||
			 !map_silently(&sp, 0x3000, 0x4000, dump_path);
		any = at(&sp, 0x1000).symbol;
		file = file_of(&sp, dump_path);
		/* the first is there from the end of its record on; a part of one is counted */
		wrong += any != (size >= 40 + 16 + 40 + 9 + 4);
		wrong += (file->list_err == -EINVAL) != (size < 40);
		wrong += !!at(&sp, 0x1020).symbol != (size >= whole);
		complete += !file->list_err && !file->list_bad;
		sym_space_free(&sp);
	}
	is_u64(wrong, 0, "jitdump: what is whole of one cut anywhere is read");
	is_u64(complete, 5, "and unless it is cut between records, that is noticed");
	unlink(dump_path);
	map(&sp, 0x1000, 0x2000, "//anon");
	map(&sp, 0x3000, 0x4000, dump_path);
	ok(!at(&sp, 0x1000).symbol, "one that was deleted");
	is_u64(-file_of(&sp, dump_path)->list_err, ENOENT, "is noticed");
	sym_space_free(&sp);
}

static void test_hostile_dump(void)
{
	struct sym_space sp = { 0 };
	__u32 word;

	put_header();
	dump[0] = 0x4a;
	dump[3] = 0x44;
	map_dump(&sp);
	ok(!at(&sp, 0x1000).symbol, "jitdump: of the other byte order");
	is_u64(-file_of(&sp, dump_path)->list_err, EINVAL, "is refused");
	sym_space_free(&sp);

	put_header();
	put_load(0, 0x1000, 1, "compiled");
	put_load(0, 0x1010, 2, "damaged");
	put_load(0, 0x1020, 3, "behind");
	/* the size of a record is 0, or more than there is */
	for (word = 0; word < 2; word++) {
		memset(dump + 40 + 16 + 40 + 9 + 4 + 4, word ? 0xff : 0, 4);
		map_dump(&sp);
		is_str(at(&sp, 0x1000).symbol, "compiled", "what comes before damage is read");
		ok(!at(&sp, 0x1010).symbol && !at(&sp, 0x1020).symbol, "the rest is not");
		is_u64(file_of(&sp, dump_path)->list_bad, 1, "which is noticed");
		sym_space_free(&sp);
	}

	put_header();
	put_load(0, 0x1000, 1, "endless");
	memset(dump + 40 + 16 + 40, 'x', 8 + 4);
	put_load(0, 0x1010, 2, "behind");
	map_dump(&sp);
	ok(!at(&sp, 0x1000).symbol, "a name without end");
	is_str(at(&sp, 0x1010).symbol, "behind", "does not harm the next");
	is_u64(file_of(&sp, dump_path)->list_bad, 1, "it is counted");
	sym_space_free(&sp);
	unlink(dump_path);
}

int main(void)
{
	char dir[] = "/tmp/jit_test.XXXXXX";

	plan(0);
	if (!mkdtemp(dir))
		return 1;
	snprintf(map_path, sizeof(map_path), "/tmp/perf-%d.map", getpid());
	snprintf(dump_path, sizeof(dump_path), "%s/jit-%d.dump", dir, getpid());
	unlink(map_path);
	test_map();
	test_long_lines();
	test_nul();
	test_grown_map();
	test_out_of_memory();
	test_refused_map();
	test_owner();
	test_fork();
	test_dump();
	test_fork_dump();
	test_budget();
	test_memory();
	test_memory_of_dump();
	test_cut_dump();
	test_hostile_dump();
	rmdir(dir);
	return done();
}
