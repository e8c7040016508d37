// SPDX-License-Identifier: GPL-2.0-only
/* Processes and threads of a space: their names, beginnings and ends. */
#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../util/util.h"
#include "internal.h"

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

/** sym_process_find() - find a process, NULL if it is unknown */
struct sym_process *sym_process_find(const struct sym_space *sp, __u32 pid)
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
	struct sym_process *more = sym_grow(sp->processes, sp->nr_processes, &sp->room_processes,
					     sizeof(*more));

	if (!more)
		return NULL;
	sp->processes = more;
	more = insert(more, &sp->nr_processes, sizeof(*more), pid);
	more->era = ++sp->changes;
	return more;
}

static struct sym_thread *add_thread(struct sym_space *sp, __u32 tid)
{
	struct sym_thread *more = sym_grow(sp->threads, sp->nr_threads, &sp->room_threads,
					    sizeof(*more));

	if (!more)
		return NULL;
	sp->threads = more;
	return insert(more, &sp->nr_threads, sizeof(*more), tid);
}

/** sym_process_get() - find or add a process, which is alive then; NULL: out of memory */
struct sym_process *sym_process_get(struct sym_space *sp, __u32 pid)
{
	struct sym_process *p = sym_process_find(sp, pid);

	if (!p)
		p = add_process(sp, pid);
	/* a record about it proves it alive: its PID may have been reused */
	if (p)
		p->ended = false;
	return p;
}

static void clear_maps(struct sym_space *sp, struct sym_process *p)
{
	p->era = ++sp->changes;
	sym_maps_put(p->maps);
	p->maps = NULL;
	sym_jit_free(&p->jit);
}

static void forget_process(struct sym_space *sp, struct sym_process *p)
{
	size_t at = p - sp->processes;

	clear_maps(sp, p);
	memmove(p, p + 1, (sp->nr_processes - at - 1) * sizeof(*p));
	sp->nr_processes--;
}

static void end_thread(struct sym_space *sp, struct sym_thread *t)
{
	struct sym_process *p = t->alive ? sym_process_find(sp, t->pid) : NULL;

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
	p = sym_process_get(sp, pid);
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
	struct sym_process *p = sym_process_find(sp, pid);
	size_t i;

	for (i = 0; p && p->nr_threads > 1 && i < sp->nr_threads; i++) {
		if (sp->threads[i].pid == pid && sp->threads[i].tid != tid)
			end_thread(sp, &sp->threads[i]);
	}
}

static int compare_comms(const void *a, const void *b)
{
	return strcmp(a, b);
}

/* Names of the kernel are no longer, but a file may have any. */
static int name_thread(struct sym_space *sp, struct sym_thread *t, const char *comm)
{
	char cut[SYM_COMM_LEN], **found, *copy;

	snprintf(cut, sizeof(cut), "%s", comm);
	found = tfind(cut, &sp->comms, compare_comms);
	copy = found ? NULL : strdup(cut);
	if (copy)
		found = tsearch(copy, &sp->comms, compare_comms);
	if (!found) {
		free(copy);
		return -ENOMEM;
	}
	t->comm = *found;
	sp->changes++;
	return 0;
}

/**
 * sym_space_comm() - rename a thread; @exec: by exec, which also drops all maps
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_comm(struct sym_space *sp, __u32 pid, __u32 tid, const char *comm, bool exec)
{
	struct sym_thread *t = get_thread(sp, pid, tid);
	struct sym_process *p = exec ? sym_process_find(sp, pid) : NULL;

	if (p) {
		clear_maps(sp, p);
		end_other_threads(sp, pid, tid);
	}
	return t ? name_thread(sp, t, comm) : -ENOMEM;
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
	struct sym_thread *t;

	t = get_thread(sp, pid, tid);
	if (!t)
		return -ENOMEM;
	sp->changes++;
	if (comm)
		t->comm = comm;
	if (pid == ppid)
		return 0;
	if (tid == pid)
		end_other_threads(sp, pid, tid);
	child = sym_process_find(sp, pid);
	parent = sym_process_find(sp, ppid);
	clear_maps(sp, child);
	if (!inherit || !parent)
		return 0;
	child->maps = sym_maps_share(parent->maps);
	return sym_jit_inherit(&child->jit, &parent->jit, ppid);
}

/* Forget processes that ended long enough before @now. */
static void forget_ended(struct sym_space *sp, __u64 now)
{
	while (sp->first_end < sp->nr_ends && sp->ends[sp->first_end].time + END_GRACE < now) {
		const struct sym_end *end = &sp->ends[sp->first_end++];
		struct sym_process *p = sym_process_find(sp, end->pid);

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
	p = sym_process_find(sp, pid);
	if (!p || p->nr_threads)
		return 0;
	ends = sym_grow(sp->ends, sp->nr_ends, &sp->room_ends, sizeof(*ends));
	if (!ends)
		return -ENOMEM;
	sp->ends = ends;
	ends[sp->nr_ends++] = (struct sym_end){ .time = time, .pid = pid };
	p->ended = true;
	p->end_time = time;
	return 0;
}

/**
 * sym_space_comm_of() - return the name of a thread, if unknown that of the first in its process
 *
 * Return: the name, which stays as long as the space; NULL if both are unknown.
 */
const char *sym_space_comm_of(const struct sym_space *sp, __u32 pid, __u32 tid)
{
	const struct sym_thread *t = find_thread(sp, tid);

	if (t && t->comm)
		return t->comm;
	return tid == pid ? NULL : sym_space_comm_of(sp, pid, pid);
}
