// SPDX-License-Identifier: GPL-2.0-only
/* The files that samples hit, in random recordings, against a look at every sample by time. */
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/acrctl/record/hits.h"
#include "userspace/perfdata/writer.h"

#define NR		2000
#define RINGS		4	/* the first one is of what is no sample */
#define ROUND		150
#define PIDS		5
#define OWNERS		(PIDS + 1)	/* the last one is the kernel */
#define UNITS		256	/* of addresses of each owner */
#define UNIT		0x800
#define MAX_CHAIN	3
#define ID		7

enum kind { SAMPLE, GUEST, MAP, COMM, EXEC, FORK, EXIT };

/* A record and what is expected of it. */
struct entry {
	enum kind kind;
	__u64 time;
	unsigned int owner, parent, ring, unit, nr, chain[MAX_CHAIN], file;
	bool kernel[MAX_CHAIN];
	__u64 ino;
};

/* A file under a name of its own, or several that share one. */
struct file {
	bool mapped, hit, several;
	__u64 ino;
};

/* What is at one address in several of them is kept in one place, and so it is for the kernel. */
static const __u32 pids[OWNERS] = { 1, 17, 2, 15, 31, -1 };

static struct entry entries[NR];
static unsigned int in_file[NR];
static struct file files[NR + 1];
static struct pd_blob out;

static unsigned int any(unsigned int below)
{
	return (unsigned int)rand() % below;
}

/* Some are near each other, some are far. */
static __u64 address_of(unsigned int unit)
{
	return 0x400000 + (__u64)(unit / 64) * 0x300000 + unit % 64 * UNIT;
}

/* One of @rare is no sample. */
static void make_entries(unsigned int rare)
{
	unsigned int i, k;
	__u64 time = 1000;

	for (i = 0; i < NR; i++) {
		struct entry *e = &entries[i];

		time += any(3);
		*e = (struct entry){ .time = time, .owner = any(OWNERS), .file = i + 1 };
		e->unit = any(UNITS);
		e->parent = any(PIDS);
		if (i >= 20 && any(rare)) {
			e->kind = any(20) ? SAMPLE : GUEST;
			e->ring = 1 + any(RINGS - 1);
			e->nr = any(MAX_CHAIN + 1);
		} else {
			e->kind = any(2) ? MAP : MAP + any(EXIT - MAP + 1);
			/* up to the end of what is near */
			e->nr = 1 + any(64 - e->unit % 64);
			e->ino = 1 + any(2);
			if (i && !any(4))
				e->file = 1 + any(i);
		}
		if (e->kind > MAP)
			e->owner %= PIDS;
		for (k = 0; k < MAX_CHAIN; k++) {
			e->chain[k] = any(UNITS);
			e->kernel[k] = k ? e->kernel[k - 1] && any(2) : any(2);
		}
	}
}

/* By rounds, in each of which ring follows ring. */
static void order_entries(void)
{
	unsigned int round, ring, i, nr = 0;

	for (round = 0; round < NR; round += ROUND) {
		for (ring = 0; ring < RINGS; ring++) {
			for (i = round; i < NR && i < round + ROUND; i++) {
				if (entries[i].ring == ring)
					in_file[nr++] = i;
			}
		}
	}
}

/* Code of the kernel runs in some process. */
static unsigned int process_of(const struct entry *e)
{
	return e->owner == PIDS ? e->parent : e->owner;
}

static void put_tail(const struct entry *e)
{
	pd_blob_put_u64(&out, pids[e->owner]);
	pd_blob_put_u64(&out, e->time);
	pd_blob_put_u64(&out, ID);
}

static void put_sample(const struct entry *e)
{
	unsigned int k;

	pd_blob_put_u64(&out, ID);
	pd_blob_put_u64(&out, address_of(e->unit) + any(UNIT));
	pd_blob_put_u64(&out, pids[process_of(e)]);
	pd_blob_put_u64(&out, e->time);
	pd_blob_put_u64(&out, 2 * e->nr);
	for (k = 0; k < e->nr; k++) {
		pd_blob_put_u64(&out, e->kernel[k] ? PERF_CONTEXT_KERNEL : PERF_CONTEXT_USER);
		pd_blob_put_u64(&out, address_of(e->chain[k]) + any(UNIT));
	}
}

static void put_map(const struct entry *e)
{
	char name[16];

	pd_blob_put_u64(&out, pids[e->owner]);
	pd_blob_put_u64(&out, address_of(e->unit));
	pd_blob_put_u64(&out, e->nr * UNIT);
	pd_blob_put_u64(&out, 0);
	pd_blob_put_u64(&out, 8ULL << 32 | 1);
	pd_blob_put_u64(&out, e->ino);
	pd_blob_put_u64(&out, 0);
	pd_blob_put_u64(&out, 0);
	snprintf(name, sizeof(name), "%u", e->file);
	pd_blob_put_padded(&out, name, PD_NAME_ALIGN);
	put_tail(e);
}

static void put_task(const struct entry *e)
{
	pd_blob_put_u32(&out, pids[e->owner]);
	pd_blob_put_u32(&out, pids[e->parent]);
	pd_blob_put_u32(&out, pids[e->owner]);
	pd_blob_put_u32(&out, pids[e->parent]);
	pd_blob_put_u64(&out, e->time);
	put_tail(e);
}

static void put_comm(const struct entry *e)
{
	pd_blob_put_u32(&out, pids[e->owner]);
	pd_blob_put_u32(&out, pids[e->owner]);
	pd_blob_put_padded(&out, "name", PD_NAME_ALIGN);
	put_tail(e);
}

static void put_entry(const struct entry *e)
{
	static const __u32 types[] = {
		PERF_RECORD_SAMPLE, PERF_RECORD_SAMPLE, PERF_RECORD_MMAP2, PERF_RECORD_COMM,
		PERF_RECORD_COMM, PERF_RECORD_FORK, PERF_RECORD_EXIT,
	};
	size_t at = pd_blob_begin_record(&out, types[e->kind]);
	__u16 misc = e->owner == PIDS ? PERF_RECORD_MISC_KERNEL : PERF_RECORD_MISC_USER;

	if (e->kind <= GUEST)
		put_sample(e);
	else if (e->kind == MAP)
		put_map(e);
	else if (e->kind >= FORK)
		put_task(e);
	else
		put_comm(e);
	misc = e->kind == GUEST ? PERF_RECORD_MISC_GUEST_USER : misc;
	misc |= e->kind == EXEC ? PERF_RECORD_MISC_COMM_EXEC : 0;
	((struct perf_event_header *)(out.data + at))->misc = misc;
	pd_blob_end_record(&out, at);
}

/* @finished: else it is still the stream that record plays back */
static int make_file(bool finished)
{
	static const __u64 ids[] = { ID };
	const struct pd_event event = {
		.name = "event", .ids = ids, .nr_ids = 1,
		.attr = {
			.sample_id_all = 1,
			.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
				       PERF_SAMPLE_TIME | PERF_SAMPLE_CALLCHAIN,
		},
	};
	int fd = memfd_create("hits", 0);
	struct pd_writer w;
	unsigned int i;

	order_entries();
	for (i = 0; i < NR; i++)
		put_entry(&entries[in_file[i]]);
	if (pd_writer_begin(&w, fd, &event, &event, 1))
		abort();
	pd_writer_begin_data(&w);
	if (pd_writer_put_record(&w, out.data, out.size))
		abort();
	if (finished && pd_writer_finish(&w))
		abort();
	pd_writer_free(&w);
	pd_blob_free(&out);
	return fd;
}

static int compare(const void *a, const void *b)
{
	const unsigned int x = *(const unsigned int *)a, y = *(const unsigned int *)b;

	/* both are places in the file */
	if (entries[in_file[x]].time != entries[in_file[y]].time)
		return entries[in_file[x]].time < entries[in_file[y]].time ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* What each owner has mapped, unit by unit: numbers of files, 0: none. */
static unsigned int mapped[OWNERS][UNITS];

static void expect_map(const struct entry *e)
{
	struct file *f = &files[e->file];
	unsigned int u;

	for (u = e->unit; u < e->unit + e->nr; u++)
		mapped[e->owner][u] = e->file;
	/* modules have no inode here */
	if (e->owner == PIDS)
		return;
	f->several |= f->mapped && f->ino != e->ino;
	f->ino = f->mapped ? f->ino : e->ino;
	f->mapped = true;
}

static void expect_sample(const struct entry *e)
{
	unsigned int k;

	files[mapped[e->owner][e->unit]].hit = true;
	for (k = 0; k < e->nr; k++)
		files[mapped[e->kernel[k] ? PIDS : process_of(e)][e->chain[k]]].hit = true;
}

static void expect(void)
{
	unsigned int places[NR], i;

	memset(mapped, 0, sizeof(mapped));
	memset(files, 0, sizeof(files));
	for (i = 0; i < NR; i++)
		places[i] = i;
	qsort(places, NR, sizeof(*places), compare);
	for (i = 0; i < NR; i++) {
		const struct entry *e = &entries[in_file[places[i]]];

		if (e->kind == SAMPLE)
			expect_sample(e);
		else if (e->kind == MAP)
			expect_map(e);
		else if (e->kind == EXEC)
			memset(mapped[e->owner], 0, sizeof(mapped[e->owner]));
		else if (e->kind == FORK && e->owner != e->parent)
			memcpy(mapped[e->owner], mapped[e->parent], sizeof(mapped[e->owner]));
	}
}

static bool times_of(__u64 *first, __u64 *last)
{
	unsigned int i;

	*first = 0;
	for (i = 0; i < NR; i++) {
		if (entries[i].kind > GUEST)
			continue;
		*first = *first ? *first : entries[i].time;
		*last = entries[i].time;
	}
	return *first;
}

static void count(const struct view *v, unsigned int *wrong, unsigned int *wrong_inodes,
		  unsigned int *nr_hit)
{
	size_t i;

	for (i = 0; i < v->space.nr_dsos; i++) {
		const struct sym_dso *dso = &v->space.dsos[i];
		struct file *f = &files[atoi(dso->name)];

		*nr_hit += dso->hit;
		*wrong += dso->hit != f->hit;
		*wrong_inodes += dso->inode.known != f->mapped ||
				 dso->inode.several != f->several || dso->inode.ino != f->ino;
		f->hit = false;
	}
	/* those that are not even known */
	for (i = 1; i <= NR; i++)
		*wrong += files[i].hit;
}

static void test_random(unsigned int rare)
{
	unsigned int trial, wrong = 0, wrong_times = 0, wrong_inodes = 0, nr_hit = 0;
	__u64 first, last;

	for (trial = 0; trial < 100; trial++) {
		struct view v = { 0 };
		struct record_hits hits;
		int fd;

		make_entries(rare);
		fd = make_file(trial % 2);
		expect();
		if (!times_of(&first, &last) || pd_reader_open_fd(&v.reader, fd))
			abort();
		hits = record_hits_find(&v);
		wrong_times += hits.first != first || hits.last != last;
		count(&v, &wrong, &wrong_inodes, &nr_hit);
		view_end(&v);
		close(fd);
	}
	ok(nr_hit > trial, "%u files hit where 1/%u are no samples", nr_hit, rare);
	is_u64(wrong, 0, "exactly those that samples hit one by one in the order of time");
	is_u64(wrong_inodes, 0, "and each is known under its inode, or to have several");
	is_u64(wrong_times, 0, "and the first and the last sample are found");
}

static void test_none(void)
{
	struct view v = { 0 };
	struct record_hits hits;
	unsigned int i;
	int fd;

	for (i = 0; i < NR; i++)
		entries[i] = (struct entry){ .kind = MAP, .nr = 1, .file = 1 + i, .time = 5 };
	fd = make_file(true);
	if (pd_reader_open_fd(&v.reader, fd))
		abort();
	hits = record_hits_find(&v);
	ok(!hits.first && !hits.last, "without samples there is no time");
	ok(v.space.nr_dsos == NR && !v.space.dsos[0].hit, "and no file is hit");
	view_end(&v);
	close(fd);
}

int main(void)
{
	plan(0);
	test_random(2);
	test_random(20);
	test_random(300);
	test_none();
	return done();
}
