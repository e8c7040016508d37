// SPDX-License-Identifier: GPL-2.0-only
/* Processes, threads and their maps, followed record by record. */
#include "space.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/util.h"
#include "lookup.h"

#define FIRST_ROOM	16
/*
 * How long a process is remembered after its end, in nanoseconds of the recording.  Records of the
 * same time may follow, and those of another CPU, the clock of which may be a little late.
 */
#define END_GRACE	NSEC_PER_SEC

/* Index at which @key is or belongs in an array ordered by its first member, a __u32. */
static size_t index_of(const void *array, size_t nr, size_t elem, __u32 key)
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

/* Make room for one more element; NULL: out of memory, and nothing has changed. */
static void *with_room(void *array, size_t nr, size_t *room, size_t elem)
{
	size_t more = *room ? *room * 2 : FIRST_ROOM;

	if (nr < *room)
		return array;
	array = reallocarray(array, more, elem);
	if (array)
		*room = more;
	return array;
}

static struct sym_process *find_process(const struct sym_space *sp, __u32 pid)
{
	size_t i = index_of(sp->processes, sp->nr_processes, sizeof(*sp->processes), pid);

	return i < sp->nr_processes && sp->processes[i].pid == pid ? &sp->processes[i] : NULL;
}

static struct sym_thread *find_thread(const struct sym_space *sp, __u32 tid)
{
	size_t i = index_of(sp->threads, sp->nr_threads, sizeof(*sp->threads), tid);

	return i < sp->nr_threads && sp->threads[i].tid == tid ? &sp->threads[i] : NULL;
}

/* Insert an element into such an array, which has room, with all but its key 0. */
static void *insert(void *array, size_t *nr, size_t elem, __u32 key)
{
	size_t at = index_of(array, *nr, elem, key);
	char *element = (char *)array + at * elem;

	memmove(element + elem, element, (*nr - at) * elem);
	memset(element, 0, elem);
	memcpy(element, &key, sizeof(key));
	(*nr)++;
	return element;
}

static struct sym_process *add_process(struct sym_space *sp, __u32 pid)
{
	struct sym_process *more = with_room(sp->processes, sp->nr_processes, &sp->room_processes,
					     sizeof(*more));

	if (!more)
		return NULL;
	sp->processes = more;
	return insert(more, &sp->nr_processes, sizeof(*more), pid);
}

static struct sym_thread *add_thread(struct sym_space *sp, __u32 tid)
{
	struct sym_thread *more = with_room(sp->threads, sp->nr_threads, &sp->room_threads,
					    sizeof(*more));

	if (!more)
		return NULL;
	sp->threads = more;
	return insert(more, &sp->nr_threads, sizeof(*more), tid);
}

static struct sym_process *get_process(struct sym_space *sp, __u32 pid)
{
	struct sym_process *p = find_process(sp, pid);

	if (!p)
		p = add_process(sp, pid);
	/* a record about it proves it alive: its PID may have been reused */
	if (p)
		p->ended = false;
	return p;
}

static void clear_maps(struct sym_process *p)
{
	sym_maps_put(p->maps);
	p->maps = NULL;
}

static void forget_process(struct sym_space *sp, struct sym_process *p)
{
	size_t at = p - sp->processes;

	clear_maps(p);
	memmove(p, p + 1, (sp->nr_processes - at - 1) * sizeof(*p));
	sp->nr_processes--;
}

static void end_thread(struct sym_space *sp, struct sym_thread *t)
{
	struct sym_process *p = t->alive ? find_process(sp, t->pid) : NULL;

	if (p && p->nr_threads)
		p->nr_threads--;
	t->alive = false;
}

/* A thread that is alive, known or new. */
static struct sym_thread *get_thread(struct sym_space *sp, __u32 pid, __u32 tid)
{
	struct sym_thread *t = find_thread(sp, tid);
	struct sym_process *p;

	if (!t)
		t = add_thread(sp, tid);
	if (!t)
		return NULL;
	/* its TID was that of a thread in another process, the exit of which was not recorded */
	if (t->alive && t->pid != pid)
		end_thread(sp, t);
	p = get_process(sp, pid);
	if (!p)
		return NULL;
	p->nr_threads += !t->alive;
	t->alive = true;
	t->pid = pid;
	return t;
}

/* A process has one thread when it is new, and after exec. */
static void end_other_threads(struct sym_space *sp, __u32 pid, __u32 tid)
{
	struct sym_process *p = find_process(sp, pid);
	size_t i;

	for (i = 0; p && p->nr_threads > 1 && i < sp->nr_threads; i++) {
		if (sp->threads[i].pid == pid && sp->threads[i].tid != tid)
			end_thread(sp, &sp->threads[i]);
	}
}

/** sym_space_free() - free everything in the space, which is empty afterwards */
void sym_space_free(struct sym_space *sp)
{
	size_t i;

	for (i = 0; i < sp->nr_dsos; i++) {
		free(sp->dsos[i].name);
		sym_elf_free(&sp->dsos[i].elf);
	}
	for (i = 0; i < sp->nr_processes; i++)
		sym_maps_put(sp->processes[i].maps);
	sym_maps_put(sp->kernel_maps);
	free(sp->dsos);
	free(sp->dso_hash);
	free(sp->processes);
	free(sp->threads);
	free(sp->ends);
	sym_table_free(&sp->kernel_table);
	memset(sp, 0, sizeof(*sp));
}

/**
 * sym_space_comm() - rename a thread; @exec: by exec, which also drops all maps
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_comm(struct sym_space *sp, __u32 pid, __u32 tid, const char *comm, bool exec)
{
	struct sym_thread *t = get_thread(sp, pid, tid);
	struct sym_process *p = exec ? find_process(sp, pid) : NULL;

	if (p) {
		clear_maps(p);
		end_other_threads(sp, pid, tid);
	}
	if (!t)
		return -ENOMEM;
	snprintf(t->comm, sizeof(t->comm), "%s", comm);
	t->named = true;
	return 0;
}

/**
 * sym_space_fork() - add a thread, and its process if @pid is not @ppid
 *
 * With @inherit a new process begins with the maps of its parent.
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_fork(struct sym_space *sp, __u32 pid, __u32 ppid, __u32 tid, __u32 ptid,
		   bool inherit)
{
	const char *comm = sym_space_comm_of(sp, ppid, ptid);
	struct sym_process *parent, *child;
	char copy[SYM_COMM_LEN];
	struct sym_thread *t;

	/* inserting the thread may move its parent */
	snprintf(copy, sizeof(copy), "%s", comm ? comm : "");
	t = get_thread(sp, pid, tid);
	if (!t)
		return -ENOMEM;
	if (comm) {
		memcpy(t->comm, copy, sizeof(copy));
		t->named = true;
	}
	if (pid == ppid)
		return 0;
	if (tid == pid)
		end_other_threads(sp, pid, tid);
	child = find_process(sp, pid);
	parent = find_process(sp, ppid);
	clear_maps(child);
	if (inherit && parent)
		child->maps = sym_maps_share(parent->maps);
	return 0;
}

/* Forget processes that ended long enough before @now. */
static void forget_ended(struct sym_space *sp, __u64 now)
{
	while (sp->first_end < sp->nr_ends && sp->ends[sp->first_end].time + END_GRACE < now) {
		const struct sym_end *end = &sp->ends[sp->first_end++];
		struct sym_process *p = find_process(sp, end->pid);

		/* unless its PID was reused */
		if (p && p->ended && p->end_time == end->time)
			forget_process(sp, p);
	}
	if (!sp->first_end || sp->first_end < sp->nr_ends / 2)
		return;
	memmove(sp->ends, sp->ends + sp->first_end,
		(sp->nr_ends - sp->first_end) * sizeof(*sp->ends));
	sp->nr_ends -= sp->first_end;
	sp->first_end = 0;
}

/**
 * sym_space_exit() - end a thread
 * @sp: the space
 * @pid: the thread's process
 * @tid: the thread
 * @time: in nanoseconds, not before that of an earlier call; 0 if unknown
 *
 * Some time after its last thread a process is forgotten, with its maps.  Names of threads stay,
 * since the kernel may still work on their behalf.
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_exit(struct sym_space *sp, __u32 pid, __u32 tid, __u64 time)
{
	struct sym_thread *t = find_thread(sp, tid);
	struct sym_process *p;
	struct sym_end *ends;

	forget_ended(sp, time);
	if (!t || !t->alive || t->pid != pid)
		return 0;
	end_thread(sp, t);
	p = find_process(sp, pid);
	if (!p || p->nr_threads)
		return 0;
	ends = with_room(sp->ends, sp->nr_ends, &sp->room_ends, sizeof(*ends));
	if (!ends)
		return -ENOMEM;
	sp->ends = ends;
	ends[sp->nr_ends++] = (struct sym_end){ .time = time, .pid = pid };
	p->ended = true;
	p->end_time = time;
	return 0;
}

/* FNV-1a */
static size_t hash_of(const char *name)
{
	__u64 hash = 0xcbf29ce484222325ULL;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 0x100000001b3ULL;
	return hash ^ hash >> 32;
}

static void hash_dso(struct sym_space *sp, size_t index)
{
	size_t *at = &sp->dso_hash[hash_of(sp->dsos[index].name) & (sp->nr_hash - 1)];

	/* append, so that builds of a file stay in the order of the recording */
	while (*at != SYM_NO_DSO)
		at = &sp->dsos[*at].next;
	*at = index;
	sp->dsos[index].next = SYM_NO_DSO;
}

static int grow_hash(struct sym_space *sp)
{
	size_t i, nr = sp->nr_hash ? sp->nr_hash * 2 : FIRST_ROOM;
	size_t *hash;

	if (sp->nr_dsos < sp->nr_hash)
		return 0;
	hash = reallocarray(NULL, nr, sizeof(*hash));
	if (!hash)
		return -ENOMEM;
	free(sp->dso_hash);
	sp->dso_hash = hash;
	sp->nr_hash = nr;
	for (i = 0; i < nr; i++)
		hash[i] = SYM_NO_DSO;
	for (i = 0; i < sp->nr_dsos; i++)
		hash_dso(sp, i);
	return 0;
}

/* Another build of a file, as after an upgrade during the recording, is another file. */
static size_t find_dso(const struct sym_space *sp, const char *name, const struct sym_build_id *id)
{
	size_t i = sp->nr_hash ? sp->dso_hash[hash_of(name) & (sp->nr_hash - 1)] : SYM_NO_DSO;

	for (; i != SYM_NO_DSO; i = sp->dsos[i].next) {
		const struct sym_dso *dso = &sp->dsos[i];

		if (!strcmp(dso->name, name) && (!id->size || !dso->build_id.size ||
						 sym_build_id_equal(id, &dso->build_id)))
			break;
	}
	return i;
}

static int get_dso(struct sym_space *sp, const char *name, const struct sym_build_id *id,
		   size_t *index)
{
	size_t i = find_dso(sp, name, id);
	struct sym_dso *dso;

	*index = i;
	if (i != SYM_NO_DSO) {
		if (id->size && !sp->dsos[i].build_id.size)
			sp->dsos[i].build_id = *id;
		return 0;
	}
	dso = with_room(sp->dsos, sp->nr_dsos, &sp->room_dsos, sizeof(*dso));
	if (!dso)
		return -ENOMEM;
	sp->dsos = dso;
	if (grow_hash(sp))
		return -ENOMEM;
	dso += sp->nr_dsos;
	memset(dso, 0, sizeof(*dso));
	dso->name = strdup(name);
	if (!dso->name)
		return -ENOMEM;
	dso->build_id = *id;
	*index = sp->nr_dsos++;
	hash_dso(sp, *index);
	return 0;
}

/**
 * sym_space_map() - map a file, in the kernel or in a process
 * @sp: the space
 * @kernel: in the kernel; @pid is ignored
 * @pid: the process
 * @range: addresses and file offset; its @dso is ignored, and so is an empty range
 * @name: path of the file, or a name in brackets
 * @id: its build-id if known, else size 0
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_map(struct sym_space *sp, bool kernel, __u32 pid, const struct sym_map *range,
		  const char *name, const struct sym_build_id *id)
{
	struct sym_process *p = kernel ? NULL : get_process(sp, pid);
	struct sym_map m = *range;

	if (!kernel && !p)
		return -ENOMEM;
	if (m.end <= m.start)
		return 0;
	if (get_dso(sp, name, id, &m.dso))
		return -ENOMEM;
	sp->dsos[m.dso].kernel |= kernel;
	return sym_maps_insert(kernel ? &sp->kernel_maps : &p->maps, &m);
}

/**
 * sym_space_set_build_id() - set the build-id of a file, before or after sym_space_map()
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
 * sym_space_comm_of() - return the name of a thread, if unknown that of the first in its process
 *
 * Return: the name, NULL if both are unknown.
 */
const char *sym_space_comm_of(const struct sym_space *sp, __u32 pid, __u32 tid)
{
	const struct sym_thread *t = find_thread(sp, tid);

	if (t && t->named)
		return t->comm;
	return tid == pid ? NULL : sym_space_comm_of(sp, pid, pid);
}

static const struct sym_map *find_map(const struct sym_space *sp, bool kernel, __u32 pid,
				      __u64 addr)
{
	const struct sym_process *p;

	if (kernel)
		return sym_maps_find(sp->kernel_maps, addr);
	p = find_process(sp, pid);
	return p ? sym_maps_find(p->maps, addr) : NULL;
}

/**
 * sym_space_dso_of() - find the file mapped at an address without reading symbols
 *
 * Return: its path, NULL if nothing is mapped there.
 */
const char *sym_space_dso_of(const struct sym_space *sp, bool kernel, __u32 pid, __u64 addr)
{
	const struct sym_map *m = find_map(sp, kernel, pid, addr);

	return m ? sp->dsos[m->dso].name : NULL;
}

/** sym_space_mark() - set @hit of the file mapped at an address */
void sym_space_mark(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr)
{
	const struct sym_map *m = find_map(sp, kernel, pid, addr);

	if (m)
		sp->dsos[m->dso].hit = true;
}

/** sym_space_resolve() - find file and function at an address; unknown members of @loc are NULL */
void sym_space_resolve(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
		       struct sym_location *loc)
{
	const struct sym_map *m = find_map(sp, kernel, pid, addr);

	memset(loc, 0, sizeof(*loc));
	if (m)
		loc->dso = sp->dsos[m->dso].name;
	if (kernel)
		sym_lookup_kernel(sp, addr, loc);
	else if (m)
		sym_lookup_user(sp, &sp->dsos[m->dso], addr - m->start + m->pgoff, loc);
}
