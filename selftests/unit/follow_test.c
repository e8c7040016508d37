// SPDX-License-Identifier: GPL-2.0-only
/* Which records of CPUs are kept, against a world that knows who descends from whom. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <linux/perf_event.h>

#include "tap.h"
#include "userspace/acrctl/sampling/follow.h"

#define PIDS		10000
#define NEAR		200		/* process numbers that are active at the same time */
#define CPUS		4
#define EVENTS		20000
#define WORLDS		20
#define FOLLOWED	7		/* the process that exists at the beginning */
#define STRANGER	8

struct record {
	struct perf_event_header header;
	__u32 pid, ppid;
	__u32 tid, ptid;
	__u64 time;
	struct {
		__u32 pid, tid;
		__u64 time;
		__u32 cpu, reserved;
		__u64 identifier;
	} end;
};

struct world {
	struct follow follow;
	struct pd_blob rings[CPUS];
	bool alive[PIDS];
	bool followed[PIDS];
	bool reuse;			/* process numbers are few, and used again at once */
	__u32 next_pid;
	bool wanted[EVENTS + 1];	/* records by time */
	bool passed[EVENTS + 1];
	__u64 now;
};

static void put(struct world *w, __u32 type, __u32 pid, __u32 ppid, __u32 tid)
{
	struct record r = {
		.header = { .type = type, .size = sizeof(r) },
		.pid = pid, .ppid = ppid, .tid = tid, .time = ++w->now, .end.time = w->now,
	};

	w->wanted[w->now] = w->followed[pid];
	pd_blob_put(&w->rings[rand() % CPUS], &r, sizeof(r));
}

static void begin_process(struct world *w, __u32 parent)
{
	__u32 pid = w->reuse ? 1U + rand() % (NEAR - 1) : w->next_pid++;

	if (w->alive[pid] || pid >= PIDS)
		return;
	w->alive[pid] = true;
	w->followed[pid] = w->followed[parent] && w->follow.inherit;
	put(w, PERF_RECORD_FORK, pid, parent, pid);
}

static void step(struct world *w)
{
	static const __u32 types[] = {
		PERF_RECORD_COMM, PERF_RECORD_MMAP, PERF_RECORD_MMAP2,
	};
	__u32 near = rand() % NEAR, pid = near;

	if (w->next_pid > NEAR && near > STRANGER)
		pid = w->next_pid - near;
	if (!w->alive[pid] || w->now == EVENTS)
		return;
	switch (rand() % 8) {
	case 0:
	case 1:
		begin_process(w, pid);
		break;
	case 2:
		put(w, PERF_RECORD_FORK, pid, pid, PIDS + rand() % PIDS);
		break;
	case 3:
		if (pid == FOLLOWED || pid == STRANGER)
			break;
		put(w, PERF_RECORD_EXIT, pid, FOLLOWED, pid);
		w->alive[pid] = false;
		break;
	default:
		put(w, types[rand() % 3], pid, 0, pid);
	}
}

/* Other CPUs go on while one is read; what is read may wrap around the end of its ring. */
static int read_round(struct world *w, bool busy)
{
	unsigned int cpu, i;
	int err = 0;

	for (cpu = 0; cpu < CPUS && !err; cpu++) {
		struct pd_blob *ring = &w->rings[cpu];
		struct acrpmu_ring_batch b = { .nr_runs = 2 };
		size_t first;

		for (i = rand() % 40; busy && i; i--)
			step(w);
		first = ring->size ? rand() % (ring->size / 8) * 8 : 0;
		b.bytes = ring->size;
		b.runs[0] = (struct iovec){ ring->data, first };
		b.runs[1] = (struct iovec){ ring->data + first, ring->size - first };
		if (ring->size)
			err = follow_put(&w->follow, &b);
		ring->size = 0;
	}
	return err;
}

static int drain(struct world *w, bool busy)
{
	struct pd_blob out = { 0 };
	struct record *r;
	__u64 lost = 0;
	size_t at;
	int err = read_round(w, busy);

	follow_end_round(&w->follow);
	err = err ?: read_round(w, busy) ?: follow_pass(&w->follow, &out, &lost);
	for (at = 0; at < out.size; at += r->header.size) {
		r = (void *)(out.data + at);
		w->passed[r->time] = true;
	}
	pd_blob_free(&out);
	return err;
}

/* Run a world to its end, and count records that are missing, and those about others. */
static int run(bool inherit, bool reuse, unsigned int *missing, unsigned int *others)
{
	struct world *w = calloc(1, sizeof(*w));
	unsigned int i;
	int err;

	w->follow.inherit = inherit;
	w->reuse = reuse;
	w->next_pid = STRANGER + 1;
	w->alive[FOLLOWED] = true;
	w->followed[FOLLOWED] = true;
	w->alive[STRANGER] = true;
	err = follow_add(&w->follow, FOLLOWED);
	while (!err && w->now < EVENTS)
		err = drain(w, true);
	err = err ?: drain(w, false);
	for (i = 1; i <= EVENTS; i++) {
		*missing += w->wanted[i] && !w->passed[i];
		*others += !w->wanted[i] && w->passed[i];
	}
	for (i = 0; i < CPUS; i++)
		pd_blob_free(&w->rings[i]);
	follow_free(&w->follow);
	free(w);
	return err;
}

static void test_worlds(bool inherit, const char *name)
{
	unsigned int i, missing = 0, others = 0, missing_reused = 0, others_reused = 0;
	int err = 0;

	srand(1);
	for (i = 0; i < WORLDS && !err; i++)
		err = run(inherit, false, &missing, &others);
	is_u64(err, 0, "%s: %d worlds of %d records", name, WORLDS, EVENTS);
	is_u64(missing, 0, "%s: nothing about them is missing", name);
	is_u64(others, 0, "%s: nothing about others is kept", name);
	for (i = 0; i < WORLDS && !err; i++)
		err = run(inherit, true, &missing_reused, &others_reused);
	is_u64(missing_reused, 0, "%s: nor is it where process numbers are used again at once",
	       name);
	ok(others_reused < WORLDS * EVENTS / 20,
	   "%s: and the new owner of a number is soon dropped", name);
}

static struct acrpmu_ring_batch batch_of(const void *record, size_t size)
{
	return (struct acrpmu_ring_batch){
		.nr_runs = 1, .runs = { { (void *)record, size } }, .bytes = size,
	};
}

/* Pass one record; returns whether it is kept. */
static bool keeps(struct follow *f, const void *record, size_t size, __u64 *lost)
{
	struct acrpmu_ring_batch b = batch_of(record, size);
	struct pd_blob out = { 0 };
	bool kept;

	follow_put(f, &b);
	follow_end_round(f);
	follow_pass(f, &out, lost);
	kept = out.size == size && !memcmp(out.data, record, size);
	pd_blob_free(&out);
	return kept;
}

static void test_lost(void)
{
	struct record mmap = {
		.header = { .type = PERF_RECORD_MMAP, .size = sizeof(mmap) }, .pid = STRANGER,
	};
	struct record symbol = {
		.header = { .type = PERF_RECORD_KSYMBOL, .size = sizeof(symbol) },
	};
	const struct {
		struct perf_event_header header;
		__u64 id, lost;
	} loss = { { .type = PERF_RECORD_LOST, .size = sizeof(loss) }, 1, 5 };
	struct follow f = { 0 };
	__u64 lost = 0;

	follow_add(&f, FOLLOWED);
	ok(!keeps(&f, &mmap, sizeof(mmap), &lost), "a map of another process is dropped");
	ok(keeps(&f, &symbol, sizeof(symbol), &lost), "a symbol of the kernel is kept");
	is_u64(lost, 0, "nothing was lost");
	ok(keeps(&f, &loss, sizeof(loss), &lost), "a loss is passed on");
	is_u64(lost, 5, "and counted");
	ok(keeps(&f, &mmap, sizeof(mmap), &lost), "then all processes are kept");
	follow_free(&f);
}

static void test_numbers(void)
{
	struct follow f = { 0 };

	is_u64(-follow_add(&f, 0), ERANGE, "no process has the number 0");
	is_u64(-follow_add(&f, -1), ERANGE, "or a negative one");
	is_u64(-follow_add(&f, 1 << 22), ERANGE, "or one that Linux does not give out");
	is_u64(follow_add(&f, (1 << 22) - 1), 0, "but the one before may be followed");
	follow_free(&f);
}

int main(void)
{
	plan(20);
	test_worlds(true, "with descendants");
	test_worlds(false, "without descendants");
	test_lost();
	test_numbers();
	return done();
}
