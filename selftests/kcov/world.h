/* SPDX-License-Identifier: GPL-2.0-only */
/* What calls of a program share: sessions, mappings, children, threads, and what is beside them. */
#ifndef KCOV_WORLD_H
#define KCOV_WORLD_H

#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "program.h"

#define NR_SLOTS	5
#define NR_MAPS		8
#define NR_CHILDREN	3
#define NR_GROUPS	2
#define NR_PERF		3
#define NR_SOCKETS	2
#define NO_FD		(-1)

/**
 * struct slot - a session
 * @fd: its descriptor; threads use and close it as they like
 * @nr_events: of its group when it was created
 * @ring_pages: of its rings
 */
struct slot {
	atomic_int fd;
	unsigned int nr_events;
	unsigned int ring_pages;
};

/**
 * struct map - what is mapped of a session
 * @region: addresses that nothing else uses
 * @bytes: that were mapped there, 0: nothing
 */
struct map {
	char *region;
	atomic_size_t bytes;
};

/**
 * struct shared - what processes share
 * @calls: made so far; most reach the module
 * @done: those of each kind that succeeded
 * @programs: run so far
 * @sessions: created so far
 * @last_id: number of the last one
 * @unguided: the kernel has KCOV, and showed no code of the module
 */
struct shared {
	atomic_ullong calls;
	atomic_ullong done[NR_CALLS];
	atomic_ullong programs;
	atomic_ullong sessions;
	atomic_ullong last_id;
	bool unguided;
};

/**
 * struct thread - one of those that run a program
 * @low: arguments of its calls, below 4 GiB: request.c
 * @guard: where a fault of its own access goes
 * @guarded: whether there is one
 */
struct thread {
	unsigned int index;
	pid_t tid;
	char *low;
	sigjmp_buf guard;
	volatile sig_atomic_t guarded;
};

/**
 * struct world - all of it
 * @dev: the device
 * @groups: directories of cgroups
 * @has_compat: 32-bit calls are possible
 * @offline: CPU 1 was put offline
 * @limited: a limit of the module was changed
 */
struct world {
	int dev;
	struct slot slots[NR_SLOTS];
	struct map maps[NR_MAPS];
	atomic_int children[NR_CHILDREN];
	struct thread threads[NR_THREADS];
	int groups[NR_GROUPS];
	atomic_int perf[NR_PERF];
	atomic_int sockets[NR_SOCKETS];
	bool has_compat;
	atomic_bool offline;
	atomic_bool limited;
	struct shared *shared;
};

extern struct world world;

/* One of several fields of a number that chance has made */
static inline unsigned int part(uint64_t arg, unsigned int shift, unsigned int nr)
{
	return (arg >> shift & 0xff) % nr;
}

/**
 * count_call() - count a call that has reached the module
 * @ret: its result, negative if it failed
 *
 * Return: @ret.
 */
static inline long count_call(enum call_kind kind, long ret)
{
	atomic_fetch_add_explicit(&world.shared->calls, 1, memory_order_relaxed);
	if (ret >= 0)
		atomic_fetch_add_explicit(&world.shared->done[kind], 1, memory_order_relaxed);
	return ret;
}

/**
 * slot_of() - the session that a call is about: that with the number, or the next that there is
 */
struct slot *slot_of(uint64_t arg);

/**
 * task_of() - a task that a call is about
 *
 * Return: the number of a thread, of a child, of nobody, or 0.
 */
pid_t task_of(uint64_t arg);

/**
 * clear_region() - unmap what is in addresses that stay reserved
 *
 * Each mapping has a region of its own, in which nothing else is ever mapped.
 */
void clear_region(char *region, size_t bytes);

/* What there is to do for the kinds of calls; t is the thread that runs it. */
void call_create(struct thread *t, const struct call *c);
void call_ctl(struct thread *t, const struct call *c);
void call_unpark(struct thread *t, const struct call *c);
void call_periods(struct thread *t, const struct call *c);
void call_attach(struct thread *t, const struct call *c);
void call_read(struct thread *t, const struct call *c);
void call_query(struct thread *t, const struct call *c);
void call_info(struct thread *t, const struct call *c);
void call_odd(struct thread *t, const struct call *c);
void call_map(struct thread *t, const struct call *c);
void call_unmap(struct thread *t, const struct call *c);
void call_protect(struct thread *t, const struct call *c);
void call_ring(struct thread *t, const struct call *c);
void call_poll(struct thread *t, const struct call *c);
void call_file(struct thread *t, const struct call *c);
void call_close(struct thread *t, const struct call *c);
void call_dup(struct thread *t, const struct call *c);
void call_child(struct thread *t, const struct call *c);
void call_kill(struct thread *t, const struct call *c);
void call_work(struct thread *t, const struct call *c);
void call_signal(struct thread *t, const struct call *c);
void call_pin(struct thread *t, const struct call *c);
void call_cgroup(struct thread *t, const struct call *c);
void call_hotplug(struct thread *t, const struct call *c);
void call_netlink(struct thread *t, const struct call *c);
void call_limit(struct thread *t, const struct call *c);
void call_perf(struct thread *t, const struct call *c);

/* What is needed before the first program, and how each one is ended: nothing of it is left. */
bool sessions_begin(void);
void sessions_reset(void);
bool tasks_begin(void);
void tasks_reset(void);
bool beside_begin(void);
void beside_reset(void);

#endif /* KCOV_WORLD_H */
