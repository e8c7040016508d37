/* SPDX-License-Identifier: GPL-2.0-only */
/* One hardware thread: its counters and its requests, by the model CPU. */
#ifndef HW_THREADS_H
#define HW_THREADS_H

#include "msr.h"
#include "offcore.h"

#define THREAD_TRIES	1000000	/* the harness ends them before */
#define NR_GP		4	/* general-purpose counters of Goldmont */
#define REQUEST_LINES	(1UL << 15)	/* 2 MiB, twice the cache of a CPU */

/**
 * struct thread_state - the requests and counters of a hardware thread so far, at user level
 * @reads: data reads that left the core
 * @stores: reads for ownership that did
 * @cntr: what its general-purpose counters hold
 */
struct thread_state {
	uint64_t reads, stores;
	uint64_t cntr[NR_GP];
};

static inline void thread_look(int cpu, struct thread_state *state)
{
	unsigned int i;

	state->reads = oracle_events(cpu, ORACLE_EV_RD_HIT, false) +
		       oracle_events(cpu, ORACLE_EV_RD_MISS, false);
	state->stores = oracle_events(cpu, ORACLE_EV_WR_HIT, false) +
			oracle_events(cpu, ORACLE_EV_WR_MISS, false);
	for (i = 0; i < NR_GP; i++)
		state->cntr[i] = oracle_get(ORACLE_MSR, cpu, 0xc1 + i);
}

/**
 * thread_state() - get the state of a hardware thread as of one moment
 * @cpu: the thread; the caller must be elsewhere
 * @state: filled in
 *
 * Reading takes time: if nothing happened in between, a second reading agrees.
 *
 * Return: true if they did.
 */
static inline bool thread_state(int cpu, struct thread_state *state)
{
	struct thread_state again;
	int tries;

	for (tries = 0; tries < THREAD_TRIES; tries++) {
		thread_look(cpu, state);
		thread_look(cpu, &again);
		if (!memcmp(state, &again, sizeof(again)))
			return true;
	}
	return false;
}

static inline void *thread_memory(int flags)
{
	return mmap(NULL, REQUEST_LINES * 64, PROT_READ | PROT_WRITE,
		    flags | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
}

/* Each line but the first, which may serve for communication. */
static inline void thread_reads(volatile char *memory)
{
	size_t i;

	for (i = 1; i < REQUEST_LINES; i++)
		(void)memory[i * 64];
}

static inline void thread_stores(volatile char *memory)
{
	size_t i;

	for (i = 1; i < REQUEST_LINES; i++)
		memory[i * 64] = 1;
}

/**
 * thread_start() - start a process that makes requests on a hardware thread
 * @cpu: the thread
 * @passes: over the buffer, each REQUEST_LINES data reads and then as many stores
 *
 * Return: its pid, for thread_wait().
 */
static inline pid_t thread_start(int cpu, unsigned int passes)
{
	volatile char *memory;
	pid_t pid = fork();

	if (pid)
		return pid;
	memory = thread_memory(MAP_PRIVATE);
	if (memory == MAP_FAILED || pin_to(0, cpu))
		_exit(1);
	while (passes--) {
		thread_reads(memory);
		thread_stores(memory);
	}
	_exit(0);
}

/**
 * thread_wait() - wait for the end of such a process
 * @pid: of thread_start()
 *
 * Return: whether it has made all of its requests.
 */
static inline bool thread_wait(pid_t pid)
{
	int status;

	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

#endif /* HW_THREADS_H */
