// SPDX-License-Identifier: GPL-2.0-only
/* Reading the two forms in which compilers list functions made at run time. */
#include "jit_list.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

/* of a function: its symbol, and a copy while they are sorted; of its number in a jitdump: struct
 * code and a node of the tree, as malloc() rounds them
 */
#define FUNCTION_MEMORY	(2 * sizeof(struct sym_symbol))
#define CODE_MEMORY	96

#define NAME_MAX_LEN	4096
#define NUMBERS_LEN	64	/* of a line, before the name */
#define LINE_LEN	(NUMBERS_LEN + NAME_MAX_LEN)

#define DUMP_MAGIC	0x4a695444U	/* in the byte order of the machine */
#define DUMP_VERSION	1

/* records of a jitdump; others are about source lines and unwinding */
#define CODE_LOAD	0
#define CODE_MOVE	1
#define CODE_CLOSE	3

/* A jitdump file, as tools/perf/Documentation/jitdump-specification.txt of Linux describes it. */
struct dump_header {
	__u32 magic, version, total_size, elf_mach, pad, pid;
	__u64 timestamp, flags;
};

struct dump_record {
	__u32 id, total_size;
	__u64 timestamp;
};

/* then the name, which ends in 0, and the code */
struct dump_load {
	__u32 pid, tid;
	__u64 vma, code_addr, code_size, code_index;
};

struct dump_move {
	__u32 pid, tid;
	__u64 vma, old_code_addr, new_code_addr, code_size, code_index;
};

/* A function that was listed, which moves find by its number. */
struct code {
	__u64 index;
	char *name;
};

/* A jitdump being read. */
struct dump {
	struct sym_table *table;
	FILE *file;
	void *codes;		/* search tree of struct code */
	__u64 *room;		/* bytes of memory that are left */
	__u64 nr_bad;
};

/* A map being read. */
struct map {
	FILE *file;
	__u64 left;		/* bytes of it that are still read */
	char line[LINE_LEN];	/* without its end */
	bool bad;		/* the line is too long, cut off or has a NUL */
};

/* Take memory for a name and @more; returns 0, or -EFBIG if it is not left. */
static int take_memory(__u64 *room, const char *name, size_t more)
{
	size_t need = strlen(name) + 1 + more;

	if (need > *room)
		return -EFBIG;
	*room -= need;
	return 0;
}

static int add_function(struct sym_table *t, __u64 *room, __u64 start, __u64 size,
			const char *name)
{
	int err = take_memory(room, name, FUNCTION_MEMORY);

	return err ? err : sym_table_add(t, start, size, name);
}

/* Read the next line; false: there is none. */
static bool read_line(struct map *m)
{
	size_t len = 0;
	int c = EOF;

	m->bad = false;
	while (m->left) {
		c = getc_unlocked(m->file);
		m->left--;
		if (c == EOF || c == '\n')
			break;
		if (!c || len == LINE_LEN - 1)
			m->bad = true;
		else
			m->line[len++] = c;
	}
	m->line[len] = 0;
	/* it was cut off, since the file has grown; or the file ends early */
	if (c != EOF && c != '\n' && getc_unlocked(m->file) != EOF)
		m->bad = true;
	if (c != '\n')
		m->left = 0;
	return c == '\n' || len || m->bad;
}

/* Returns 0, -ENOMEM, -EFBIG, or -EINVAL if the line does not have that form. */
static int add_line(struct sym_table *t, __u64 *room, const char *line)
{
	unsigned long long start, size;
	int at = 0;

	if (sscanf(line, "%llx %llx %n", &start, &size, &at) != 2 || !at || !line[at])
		return -EINVAL;
	return size ? add_function(t, room, start, size, line + at) : 0;
}

/**
 * sym_jit_read_map() - read perf's map: lines of start, size and name, in hexadecimal digits
 * @t: where the functions are added
 * @f: the file
 * @size: how many bytes of it to read
 * @room: bytes of memory that the functions may take; what they take is subtracted
 * @nr_bad: out, lines that were left out
 *
 * Return: 0, -ENOMEM, or -EFBIG if they would take more.
 */
int sym_jit_read_map(struct sym_table *t, FILE *f, __u64 size, __u64 *room, __u64 *nr_bad)
{
	struct map m = { .file = f, .left = size };
	int err;

	*nr_bad = 0;
	while (read_line(&m)) {
		if (!m.bad && !*m.line)
			continue;
		err = m.bad ? -EINVAL : add_line(t, room, m.line);
		if (err && err != -EINVAL)
			return err;
		*nr_bad += !!err;
	}
	return 0;
}

static int compare_codes(const void *a, const void *b)
{
	const struct code *x = a, *y = b;

	return x->index < y->index ? -1 : x->index > y->index;
}

static void free_code(void *code)
{
	free(((struct code *)code)->name);
	free(code);
}

/* A number that is used again is that of the later function. */
static int remember_code(struct dump *d, __u64 index, const char *name)
{
	int err = take_memory(d->room, name, CODE_MEMORY);
	struct code *code, **found = NULL;
	char *old;

	if (err)
		return err;
	code = calloc(1, sizeof(*code));
	if (!code)
		return -ENOMEM;
	code->index = index;
	code->name = strdup(name);
	if (code->name)
		found = tsearch(code, &d->codes, compare_codes);
	if (found && *found == code)
		return 0;
	if (found) {
		old = (*found)->name;
		(*found)->name = code->name;
		code->name = old;
	}
	free_code(code);
	return found ? 0 : -ENOMEM;
}

/* The name with which the file goes on; false if none ends within @left bytes. */
static bool read_name(FILE *f, size_t left, char name[NAME_MAX_LEN])
{
	size_t n = left < NAME_MAX_LEN ? left : NAME_MAX_LEN;

	return fread(name, 1, n, f) == n && memchr(name, 0, n);
}

/* Returns 0, -ENOMEM, -EFBIG, or -EINVAL for a damaged record. */
static int read_load(struct dump *d, size_t left)
{
	char name[NAME_MAX_LEN];
	struct dump_load load;
	int err;

	if (left < sizeof(load) || fread(&load, sizeof(load), 1, d->file) != 1 ||
	    !read_name(d->file, left - sizeof(load), name))
		return -EINVAL;
	if (!*name || !load.code_size)
		return 0;
	err = remember_code(d, load.code_index, name);
	return err ? err : add_function(d->table, d->room, load.code_addr, load.code_size, name);
}

/* What was at the old address stays there until another function is listed there. */
static int read_move(struct dump *d, size_t left)
{
	struct dump_move move;
	struct code key, **found;

	if (left < sizeof(move) || fread(&move, sizeof(move), 1, d->file) != 1)
		return -EINVAL;
	key.index = move.code_index;
	found = tfind(&key, &d->codes, compare_codes);
	if (!found)
		return -EINVAL;
	if (!move.code_size)
		return 0;
	return add_function(d->table, d->room, move.new_code_addr, move.code_size,
			    (*found)->name);
}

static int read_record(struct dump *d, const struct dump_record *r)
{
	size_t left = r->total_size - sizeof(*r);

	if (r->id == CODE_LOAD)
		return read_load(d, left);
	return r->id == CODE_MOVE ? read_move(d, left) : 0;
}

/* A record that is not whole ends the file. */
static int read_records(struct dump *d, __u64 at, __u64 end)
{
	struct dump_record r;
	int err;

	for (; at < end; at += r.total_size) {
		if (fseek(d->file, at, SEEK_SET) || fread(&r, sizeof(r), 1, d->file) != 1 ||
		    r.total_size < sizeof(r) || r.total_size > end - at) {
			d->nr_bad++;
			return 0;
		}
		if (r.id == CODE_CLOSE)
			return 0;
		err = read_record(d, &r);
		if (err && err != -EINVAL)
			return err;
		d->nr_bad += !!err;
	}
	return 0;
}

/**
 * sym_jit_read_dump() - read a jitdump
 * @t: where the functions are added
 * @f: the file
 * @size: how many bytes of it to read
 * @room: as for sym_jit_read_map()
 * @nr_bad: out, records that were left out; all behind one that is cut off count as one
 *
 * Return: 0, -ENOMEM, -EFBIG as for sym_jit_read_map(), or -EINVAL if it is none, or one of another
 * byte order or version.
 */
int sym_jit_read_dump(struct sym_table *t, FILE *f, __u64 size, __u64 *room, __u64 *nr_bad)
{
	struct dump d = { .table = t, .file = f, .room = room };
	struct dump_header h;
	int err;

	*nr_bad = 0;
	if (fread(&h, sizeof(h), 1, f) != 1 || h.magic != DUMP_MAGIC ||
	    h.version != DUMP_VERSION || h.total_size < sizeof(h))
		return -EINVAL;
	err = read_records(&d, h.total_size, size);
	tdestroy(d.codes, free_code);
	*nr_bad = d.nr_bad;
	return err;
}
