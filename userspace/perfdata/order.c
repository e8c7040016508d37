// SPDX-License-Identifier: GPL-2.0-only
/* Records in the order of their times: runs of them that the file has in that order, merged. */
#include <errno.h>
#include <stdlib.h>

#include "internal.h"

#define FIRST_ROOM	64

/* Records one behind another in the file, none earlier than the one before it. */
struct run {
	__u64 at;		/* offset of the first */
	__u64 end : 63;		/* behind the last */
	__u64 alone : 1;	/* one record, which is no sample, and stays in its place */
	__u64 time;		/* of the first */
	__u64 last;		/* of the last */
};

struct pd_order {
	struct run *runs;	/* of the whole file, by their first records */
	size_t nr;
	size_t room;
	struct run *heap;	/* what is left of those that were begun, a heap by first records */
	size_t nr_heap;
	size_t room_heap;
	size_t begun;		/* number of the run to be begun next */
	size_t stop;		/* and of the next one that is alone */
	size_t number;		/* of the record that comes first now */
	size_t size;		/* its size, 0: not known yet */
	bool loose;		/* other runs come as they are */
};

static bool earlier(const struct run *a, const struct run *b)
{
	return a->time != b->time ? a->time < b->time : a->at < b->at;
}

static int compare_runs(const void *a, const void *b)
{
	return earlier(a, b) ? -1 : earlier(b, a);
}

/* Make room for one more; NULL: out of memory, and nothing has changed. */
static struct run *grow(struct run *runs, size_t nr, size_t *room)
{
	if (nr < *room)
		return runs;
	runs = reallocarray(runs, *room ? 2 * *room : FIRST_ROOM, sizeof(*runs));
	if (runs)
		*room = *room ? 2 * *room : FIRST_ROOM;
	return runs;
}

/** pd_order_make() - begin a new order without records; NULL: out of memory */
struct pd_order *pd_order_make(void)
{
	return calloc(1, sizeof(struct pd_order));
}

/** pd_order_free() - free the order; NULL is none */
void pd_order_free(struct pd_order *o)
{
	if (!o)
		return;
	free(o->runs);
	free(o->heap);
	free(o);
}

/* Add a run, which goes on with the one before if it can. */
static int add(struct pd_order *o, const struct run *next)
{
	struct run *run = o->nr ? &o->runs[o->nr - 1] : NULL;

	if (run && !next->alone && !run->alone && next->time >= run->last) {
		run->end = next->end;
		run->last = next->last;
		return 0;
	}
	run = grow(o->runs, o->nr, &o->room);
	if (!run)
		return -ENOMEM;
	o->runs = run;
	run[o->nr++] = *next;
	return 0;
}

/**
 * pd_order_add() - add the next record of the file
 * @time: of @h, or if it has none that of the record before it
 *
 * Return: 0 or -ENOMEM.
 */
int pd_order_add(struct pd_order *o, const struct perf_event_header *h, __u64 at, __u64 time)
{
	const struct run run = {
		.at = at, .end = at + h->size, .time = time, .last = time,
		.alone = h->type < PD_RECORD_USER_START && h->type != PERF_RECORD_SAMPLE,
	};

	return add(o, &run);
}

/**
 * pd_order_add_samples() - add the next records, all samples, none earlier than the one before it
 * @first: time of the first of them
 * @last: of the last
 *
 * Return: 0 or -ENOMEM.
 */
int pd_order_add_samples(struct pd_order *o, __u64 at, __u64 end, __u64 first, __u64 last)
{
	const struct run run = { .at = at, .end = end, .time = first, .last = last };

	return add(o, &run);
}

/* Let the first element of the heap sink to its place. */
static void sink(struct pd_order *o)
{
	size_t i = 0, child;
	struct run run;

	if (!o->nr_heap)
		return;
	run = *o->heap;
	for (; (child = 2 * i + 1) < o->nr_heap; i = child) {
		if (child + 1 < o->nr_heap && earlier(&o->heap[child + 1], &o->heap[child]))
			child++;
		if (!earlier(&o->heap[child], &run))
			break;
		o->heap[i] = o->heap[child];
	}
	o->heap[i] = run;
}

/* Begin the next run, which is the earliest of all. */
static int begin_run(struct pd_order *o)
{
	struct run *heap = grow(o->heap, o->nr_heap, &o->room_heap);
	size_t i;

	if (!heap)
		return -ENOMEM;
	o->heap = heap;
	for (i = o->nr_heap++; i; i = (i - 1) / 2)
		heap[i] = heap[(i - 1) / 2];
	*heap = o->runs[o->begun++];
	return 0;
}

static int begin_runs(struct pd_order *o)
{
	int err = 0;

	while (!err && o->begun < o->nr && (!o->nr_heap || earlier(&o->runs[o->begun], o->heap)))
		err = begin_run(o);
	return err;
}

static void find_stop(struct pd_order *o)
{
	while (o->stop < o->nr && !o->runs[o->stop].alone)
		o->stop++;
}

static int rewind_order(struct pd_order *o)
{
	o->nr_heap = 0;
	o->begun = 0;
	o->stop = 0;
	o->number = 0;
	o->size = 0;
	find_stop(o);
	return begin_runs(o);
}

/**
 * pd_order_begin() - end adding records: go to the first
 *
 * Return: 0 or -ENOMEM.
 */
int pd_order_begin(struct pd_order *o)
{
	if (o->nr)
		qsort(o->runs, o->nr, sizeof(*o->runs), compare_runs);
	return rewind_order(o);
}

/* Whether a run comes, from its first or its last record on, before the next that is alone. */
static bool before_stop(const struct pd_order *o, const struct run *run, __u64 time)
{
	const struct run *stop = &o->runs[o->stop];

	return o->loose && (o->stop == o->nr || time < stop->time ||
			    (time == stop->time && run->end <= stop->at));
}

/* Go to the record behind the first. */
static int step(const struct pd_reader *r)
{
	struct pd_order *o = r->order;
	const struct perf_event_header *h;
	struct run *run = o->heap;

	o->number++;
	run->at += o->size;
	o->size = 0;
	if (run->at >= run->end) {
		o->stop += run->alone;
		find_stop(o);
		*run = o->heap[--o->nr_heap];
	} else {
		if (before_stop(o, run, run->last))
			return 0;
		h = pd_record_at(r, run->at);
		if (h)
			run->time = pd_record_time(r, h, run->time);
		if (before_stop(o, run, run->time))
			return 0;
	}
	sink(o);
	return begin_runs(o);
}

/* Go to a record; NULL if it cannot be read. */
static const struct perf_event_header *go_to(const struct pd_reader *r, size_t n)
{
	struct pd_order *o = r->order;
	const struct perf_event_header *h;
	int err = n < o->number ? rewind_order(o) : 0;

	while (!err) {
		if (o->number < n && o->size) {
			err = step(r);
			continue;
		}
		h = o->nr_heap ? pd_record_at(r, o->heap->at) : NULL;
		if (!h || o->number == n)
			break;
		o->size = h->size;
	}
	if (err && r->windows)
		pd_windows_fail(r->windows, err);
	if (err || !h)
		return NULL;
	o->size = h->size;
	return h;
}

/**
 * pd_reader_record() - read record number @n in the order of their times
 *
 * Going on to the next one costs least, going back most.
 *
 * Return: the whole record, aligned and valid until the next read of the file.  If it cannot be
 * read any more, an empty record, and pd_reader_error() returns the cause.
 */
const struct perf_event_header *pd_reader_record(const struct pd_reader *r, size_t n)
{
	static const struct perf_event_header nothing = {
		.type = PD_RECORD_FINISHED_ROUND, .size = sizeof(nothing),
	};
	const struct perf_event_header *h = go_to(r, n);

	return h ? h : &nothing;
}

/**
 * pd_order_ahead() - how many bytes of records may come next as the file has them
 * @at: set to the offset of the first, which pd_reader_record() returned last
 * @until: set to a time; neither a record of that time or a later one may come next, nor any behind
 *
 * Return: their size; 0 if samples are wanted in the order of their times.
 */
__u64 pd_order_ahead(const struct pd_order *o, __u64 *at, __u64 *until)
{
	const struct run *run = o->heap;

	if (!o->loose || !o->nr_heap || !o->size)
		return 0;
	*at = run->at;
	*until = before_stop(o, run, run->last) ? ~0ULL : o->runs[o->stop].time;
	return run->end - run->at;
}

/**
 * pd_order_advance() - go on by @nr records of those that pd_order_ahead() has found
 * @at: offset of the record that was read last
 * @size: of it
 */
void pd_order_advance(struct pd_order *o, size_t nr, __u64 at, size_t size)
{
	o->number += nr;
	o->heap->at = at;
	o->size = size;
}

/**
 * pd_reader_any_order() - let samples between two other records come in any order, which is faster
 */
void pd_reader_any_order(struct pd_reader *r)
{
	r->order->loose = true;
}
