// SPDX-License-Identifier: GPL-2.0-only
/* Processes, threads and what is mapped in them, followed record by record. */
#include "space.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lookup.h"

/* Place of a number in an array ordered by its first member, a __u32. */
static size_t place(const void *array, size_t nr, size_t elem, __u32 key)
{
	size_t lo = 0, hi = nr;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		__u32 value;

		memcpy(&value, (const char *)array + mid * elem, sizeof(value));
		if (value < key)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

static struct sym_process *find_process(const struct sym_space *sp, __u32 pid)
{
	size_t i = place(sp->processes, sp->nr_processes, sizeof(*sp->processes), pid);

	return i < sp->nr_processes && sp->processes[i].pid == pid ? &sp->processes[i] : NULL;
}

/*
 * Put an element into such an array, all 0 but for its number.  Returns the array, which may have
 * moved, or NULL if there is no memory and nothing has changed.
 */
static void *insert(void *array, size_t *nr, size_t elem, size_t at, __u32 key)
{
	char *more = reallocarray(array, *nr + 1, elem);

	if (!more)
		return NULL;
	memmove(more + (at + 1) * elem, more + at * elem, (*nr - at) * elem);
	memset(more + at * elem, 0, elem);
	memcpy(more + at * elem, &key, sizeof(key));
	(*nr)++;
	return more;
}

static struct sym_process *get_process(struct sym_space *sp, __u32 pid)
{
	size_t i = place(sp->processes, sp->nr_processes, sizeof(*sp->processes), pid);
	struct sym_process *more;

	if (i < sp->nr_processes && sp->processes[i].pid == pid)
		return &sp->processes[i];
	more = insert(sp->processes, &sp->nr_processes, sizeof(*more), i, pid);
	if (!more)
		return NULL;
	sp->processes = more;
	return &more[i];
}

static struct sym_thread *get_thread(struct sym_space *sp, __u32 tid)
{
	size_t i = place(sp->threads, sp->nr_threads, sizeof(*sp->threads), tid);
	struct sym_thread *more;

	if (i < sp->nr_threads && sp->threads[i].tid == tid)
		return &sp->threads[i];
	more = insert(sp->threads, &sp->nr_threads, sizeof(*more), i, tid);
	if (!more)
		return NULL;
	sp->threads = more;
	return &more[i];
}

static void clear_maps(struct sym_process *p)
{
	free(p->maps);
	p->maps = NULL;
	p->nr_maps = 0;
}

/**
 * sym_space_free() - give the memory back; the space is empty afterwards
 * @sp: the space
 */
void sym_space_free(struct sym_space *sp)
{
	size_t i;

	for (i = 0; i < sp->nr_dsos; i++) {
		free(sp->dsos[i].name);
		sym_elf_free(&sp->dsos[i].elf);
	}
	for (i = 0; i < sp->nr_processes; i++)
		free(sp->processes[i].maps);
	free(sp->kernel.maps);
	free(sp->dsos);
	free(sp->processes);
	free(sp->threads);
	sym_table_free(&sp->kernel_table);
	memset(sp, 0, sizeof(*sp));
}

/**
 * sym_space_comm() - a thread has a new name
 * @sp: the space
 * @pid: its process
 * @tid: its number
 * @comm: the name
 * @exec: because of exec, which throws away what was mapped
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_comm(struct sym_space *sp, __u32 pid, __u32 tid, const char *comm, bool exec)
{
	struct sym_thread *t = get_thread(sp, tid);
	struct sym_process *p = exec ? find_process(sp, pid) : NULL;

	if (p)
		clear_maps(p);
	if (!t)
		return -ENOMEM;
	snprintf(t->comm, sizeof(t->comm), "%s", comm);
	return 0;
}

/**
 * sym_space_fork() - a thread has come into being
 * @sp: the space
 * @pid: its process
 * @ppid: process of its parent; the same for a thread, which shares everything mapped
 * @tid: its number
 * @ptid: number of its parent
 * @inherit: a new process begins with what its parent has mapped
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_fork(struct sym_space *sp, __u32 pid, __u32 ppid, __u32 tid, __u32 ptid,
		   bool inherit)
{
	const char *comm = sym_space_comm_of(sp, ppid, ptid);
	struct sym_process *parent, *child;
	struct sym_map *maps = NULL;
	char copy[SYM_COMM_LEN];

	if (comm) {
		snprintf(copy, sizeof(copy), "%s", comm);
		if (sym_space_comm(sp, pid, tid, copy, false))
			return -ENOMEM;
	}
	if (pid == ppid)
		return 0;
	child = get_process(sp, pid);
	parent = find_process(sp, ppid);
	if (!child)
		return -ENOMEM;
	clear_maps(child);
	if (!inherit || !parent || !parent->nr_maps)
		return 0;
	maps = calloc(parent->nr_maps, sizeof(*maps));
	if (!maps)
		return -ENOMEM;
	memcpy(maps, parent->maps, parent->nr_maps * sizeof(*maps));
	child->maps = maps;
	child->nr_maps = parent->nr_maps;
	return 0;
}

static int get_dso(struct sym_space *sp, const char *name, const struct sym_build_id *id,
		   size_t *index)
{
	struct sym_dso *more;
	size_t i;

	/* a file replaced during the recording is a file of its own */
	for (i = 0; i < sp->nr_dsos; i++) {
		if (!strcmp(sp->dsos[i].name, name) &&
		    (!id->size || !sp->dsos[i].build_id.size ||
		     sym_build_id_equal(id, &sp->dsos[i].build_id)))
			break;
	}
	*index = i;
	if (i < sp->nr_dsos) {
		if (id->size && !sp->dsos[i].build_id.size)
			sp->dsos[i].build_id = *id;
		return 0;
	}
	more = reallocarray(sp->dsos, sp->nr_dsos + 1, sizeof(*more));
	if (!more)
		return -ENOMEM;
	sp->dsos = more;
	memset(&more[i], 0, sizeof(*more));
	more[i].name = strdup(name);
	if (!more[i].name)
		return -ENOMEM;
	more[i].build_id = *id;
	sp->nr_dsos++;
	return 0;
}

/* Put a range in, cutting away what it covers; at most one range is split in two. */
static int insert_map(struct sym_process *p, const struct sym_map *m)
{
	struct sym_map *out = calloc(p->nr_maps + 2, sizeof(*out));
	bool placed = false;
	size_t i, nr = 0;

	if (!out)
		return -ENOMEM;
	for (i = 0; i < p->nr_maps; i++) {
		struct sym_map old = p->maps[i];

		if (old.start < m->start) {
			out[nr] = old;
			if (old.end > m->start)
				out[nr].end = m->start;
			nr++;
		}
		if (old.end > m->end) {
			if (!placed)
				out[nr++] = *m;
			placed = true;
			out[nr] = old;
			if (old.start < m->end) {
				out[nr].pgoff += m->end - old.start;
				out[nr].start = m->end;
			}
			nr++;
		}
	}
	if (!placed)
		out[nr++] = *m;
	free(p->maps);
	p->maps = out;
	p->nr_maps = nr;
	return 0;
}

/**
 * sym_space_map() - something was mapped
 * @sp: the space
 * @kernel: in the kernel, not in a process
 * @pid: the process
 * @range: addresses and place in the file; @dso of it is not used
 * @name: path of the file, or a name in brackets
 * @id: its build-id if known, else size 0
 *
 * Return: 0 or -ENOMEM.  An empty range is ignored.
 */
int sym_space_map(struct sym_space *sp, bool kernel, __u32 pid, const struct sym_map *range,
		  const char *name, const struct sym_build_id *id)
{
	struct sym_process *p = kernel ? &sp->kernel : get_process(sp, pid);
	struct sym_map m = *range;

	if (!p)
		return -ENOMEM;
	if (m.end <= m.start)
		return 0;
	if (get_dso(sp, name, id, &m.dso))
		return -ENOMEM;
	return insert_map(p, &m);
}

/**
 * sym_space_set_build_id() - the build-id of a file is known from elsewhere
 * @sp: the space
 * @name: as in sym_space_map(), before or after it
 * @id: its build-id
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_set_build_id(struct sym_space *sp, const char *name, const struct sym_build_id *id)
{
	size_t index;

	if (!strcmp(name, SYM_KERNEL_NAME))
		sp->kernel_build_id = *id;
	return get_dso(sp, name, id, &index);
}

/**
 * sym_space_comm_of() - a thread's name
 * @sp: the space
 * @pid: its process, whose first thread's name stands in for an unknown one
 * @tid: its number
 *
 * Return: the name, NULL if it is unknown.
 */
const char *sym_space_comm_of(const struct sym_space *sp, __u32 pid, __u32 tid)
{
	size_t i = place(sp->threads, sp->nr_threads, sizeof(*sp->threads), tid);

	if (i < sp->nr_threads && sp->threads[i].tid == tid)
		return sp->threads[i].comm;
	return tid == pid ? NULL : sym_space_comm_of(sp, pid, pid);
}

static const struct sym_map *find_map(const struct sym_process *p, __u64 addr)
{
	size_t lo = 0, hi = p ? p->nr_maps : 0;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (p->maps[mid].end <= addr)
			lo = mid + 1;
		else
			hi = mid;
	}
	return p && lo < p->nr_maps && p->maps[lo].start <= addr ? &p->maps[lo] : NULL;
}

/**
 * sym_space_dso_of() - the file mapped at an address, without looking for symbols
 * @sp: the space
 * @kernel: a kernel address
 * @pid: the process
 * @addr: the address
 *
 * Return: its path, NULL if nothing is mapped there.
 */
const char *sym_space_dso_of(const struct sym_space *sp, bool kernel, __u32 pid, __u64 addr)
{
	const struct sym_process *p = kernel ? &sp->kernel : find_process(sp, pid);
	const struct sym_map *m = find_map(p, addr);

	return m ? sp->dsos[m->dso].name : NULL;
}

/**
 * sym_space_mark() - note that a file was hit at an address
 * @sp: the space; @hit of the file is set
 * @kernel: a kernel address
 * @pid: the process
 * @addr: the address
 */
void sym_space_mark(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr)
{
	const struct sym_process *p = kernel ? &sp->kernel : find_process(sp, pid);
	const struct sym_map *m = find_map(p, addr);

	if (m)
		sp->dsos[m->dso].hit = true;
}

/**
 * sym_space_resolve() - the function at an address
 * @sp: the space
 * @kernel: a kernel address
 * @pid: the process
 * @addr: the address
 * @loc: what was found
 */
void sym_space_resolve(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
		       struct sym_location *loc)
{
	const struct sym_process *p = kernel ? &sp->kernel : find_process(sp, pid);
	const struct sym_map *m = find_map(p, addr);

	memset(loc, 0, sizeof(*loc));
	if (m)
		loc->dso = sp->dsos[m->dso].name;
	if (kernel)
		sym_lookup_kernel(sp, addr, loc);
	else if (m)
		sym_lookup_user(sp, &sp->dsos[m->dso], addr - m->start + m->pgoff, loc);
}
