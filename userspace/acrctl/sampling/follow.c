// SPDX-License-Identifier: GPL-2.0-only
/*
 * Which records of whole CPUs are about processes that are followed.
 *
 * A process may be forked on one CPU and map files on another, with a ring that is read first.  So
 * all rings are read twice: after the second round, everything up to the newest record of the
 * first one is known.  That is passed; what is newer waits for the next time.
 */
#include "follow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

/* @pids: it is followed after all forks so far; or it was before some of those to pass now */
#define FOLLOW_NOW	0x1
#define FOLLOW_KEEP	0x2
/* process numbers are smaller than this (PID_MAX_LIMIT) */
#define FOLLOW_MAX_PIDS	(4U << 20)

/* what all records begin with that are about a task */
struct follow_task {
	struct perf_event_header header;
	__u32 pid;
};

/* PERF_RECORD_FORK */
struct follow_fork {
	struct perf_event_header header;
	__u32 pid, ppid;
	__u32 tid, ptid;
	__u64 time;
};

/* PERF_RECORD_LOST */
struct follow_lost {
	struct perf_event_header header;
	__u64 id;
	__u64 lost;
};

/* what all records end with (SAMPLING_SAMPLE_TYPE) */
struct follow_end {
	__u32 pid, tid;
	__u64 time;
	__u32 cpu, reserved;
	__u64 identifier;
};

static unsigned char flags_of(const struct follow *f, __u32 pid)
{
	return pid < f->nr_pids ? f->pids[pid] : 0;
}

/**
 * follow_add() - follow a process
 *
 * Return: 0; -ERANGE: there is no such number; -ENOMEM.
 */
int follow_add(struct follow *f, pid_t process)
{
	size_t room = f->nr_pids ? f->nr_pids : 1024;
	unsigned char *pids;

	if (process <= 0 || process >= (pid_t)FOLLOW_MAX_PIDS)
		return -ERANGE;
	while (room <= (size_t)process)
		room *= 2;
	if (room != f->nr_pids) {
		pids = realloc(f->pids, room);
		if (!pids)
			return -ENOMEM;
		memset(pids + f->nr_pids, 0, room - f->nr_pids);
		f->pids = pids;
		f->nr_pids = room;
	}
	f->pids[process] = FOLLOW_NOW | FOLLOW_KEEP;
	return 0;
}

/**
 * follow_put() - take what a ring holds
 *
 * Return: 0 or -ENOMEM.
 */
int follow_put(struct follow *f, const struct acrpmu_ring_batch *b)
{
	unsigned int i;

	for (i = 0; i < b->nr_runs; i++)
		pd_blob_put(&f->read, b->runs[i].iov_base, b->runs[i].iov_len);
	return f->read.failed ? -ENOMEM : 0;
}

/**
 * follow_end_round() - all rings were read once
 */
void follow_end_round(struct follow *f)
{
	f->first_round = f->read.size;
}

static struct follow_task task_at(const struct follow *f, size_t at)
{
	struct follow_task r;

	memcpy(&r, f->read.data + at, sizeof(r));
	return r;
}

static __u64 time_of(const struct follow *f, size_t at, size_t size)
{
	struct follow_end end;

	if (size < sizeof(struct perf_event_header) + sizeof(end))
		return 0;
	memcpy(&end, f->read.data + at + size - sizeof(end), sizeof(end));
	return end.time;
}

static __u64 newest_of_first_round(const struct follow *f)
{
	struct follow_task r;
	__u64 time, newest = 0;
	size_t at;

	for (at = 0; at < f->first_round; at += r.header.size) {
		r = task_at(f, at);
		time = time_of(f, at, r.header.size);
		if (time > newest)
			newest = time;
	}
	return newest;
}

/* Collect the forks up to a time. */
static void find_forks(struct follow *f, __u64 until, struct pd_blob *forks)
{
	struct follow_task r;
	size_t at;

	for (at = 0; at < f->read.size; at += r.header.size) {
		r = task_at(f, at);
		f->all |= r.header.type == PERF_RECORD_LOST;
		if (r.header.type == PERF_RECORD_FORK &&
		    r.header.size >= sizeof(struct follow_fork) &&
		    time_of(f, at, r.header.size) <= until)
			pd_blob_put(forks, f->read.data + at, sizeof(struct follow_fork));
	}
}

static int by_time(const void *a, const void *b)
{
	const struct follow_fork *x = a, *y = b;

	return (x->time > y->time) - (x->time < y->time);
}

/* Threads have the process number of their creator. */
static int note_forks(struct follow *f, const struct follow_fork *forks, size_t nr)
{
	int err = 0;
	size_t i;

	for (i = 0; i < nr && !err; i++) {
		if (forks[i].pid == forks[i].ppid)
			continue;
		if (f->inherit && flags_of(f, forks[i].ppid) & FOLLOW_NOW)
			err = follow_add(f, forks[i].pid);
		else if (flags_of(f, forks[i].pid))
			/* the last records of its former owner may be passed now */
			f->pids[forks[i].pid] = FOLLOW_KEEP;
	}
	return err;
}

static void forget(struct follow *f, const struct follow_fork *forks, size_t nr)
{
	size_t i;

	for (i = 0; i < nr; i++) {
		if (flags_of(f, forks[i].pid) == FOLLOW_KEEP)
			f->pids[forks[i].pid] = 0;
	}
}

static bool is_kept(const struct follow *f, const struct follow_task *r)
{
	switch (r->header.type) {
	case PERF_RECORD_MMAP:
	case PERF_RECORD_MMAP2:
	case PERF_RECORD_COMM:
	case PERF_RECORD_FORK:
	case PERF_RECORD_EXIT:
		return f->all || flags_of(f, r->pid) & FOLLOW_KEEP;
	}
	return true;
}

/* Pass what is not newer than @until; the rest moves to the front. */
static void pass(struct follow *f, __u64 until, struct pd_blob *out, __u64 *lost)
{
	const size_t size = f->read.size;
	struct follow_lost l;
	struct follow_task r;
	size_t at;

	f->read.size = 0;
	for (at = 0; at < size; at += r.header.size) {
		r = task_at(f, at);
		if (time_of(f, at, r.header.size) > until) {
			memmove(f->read.data + f->read.size, f->read.data + at, r.header.size);
			f->read.size += r.header.size;
			continue;
		}
		if (!is_kept(f, &r))
			continue;
		pd_blob_put(out, f->read.data + at, r.header.size);
		if (r.header.type == PERF_RECORD_LOST && r.header.size >= sizeof(l)) {
			memcpy(&l, f->read.data + at, sizeof(l));
			*lost += l.lost;
		}
	}
}

/**
 * follow_pass() - pass on what is to be kept, after a second round
 * @out: where it is appended
 * @lost: the records that it reports as lost are added to this
 *
 * Records that are about no process are kept, and so is everything once records were lost.
 *
 * Return: 0 or -ENOMEM.
 */
int follow_pass(struct follow *f, struct pd_blob *out, __u64 *lost)
{
	const __u64 until = newest_of_first_round(f);
	struct pd_blob forks = { 0 };
	size_t nr;
	int err;

	find_forks(f, until, &forks);
	nr = forks.size / sizeof(struct follow_fork);
	if (nr)
		qsort(forks.data, nr, sizeof(struct follow_fork), by_time);
	err = note_forks(f, (const void *)forks.data, nr);
	if (!err)
		pass(f, until, out, lost);
	forget(f, (const void *)forks.data, nr);
	if (!err && (forks.failed || out->failed))
		err = -ENOMEM;
	pd_blob_free(&forks);
	return err;
}

/**
 * follow_free() - free its memory
 */
void follow_free(struct follow *f)
{
	free(f->pids);
	pd_blob_free(&f->read);
}
