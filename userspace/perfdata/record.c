// SPDX-License-Identifier: GPL-2.0-only
/* Records of a file being read: checking them one after another, and ordering them by time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

/* A record to be sorted. */
struct timed {
	__u64 time;
	__u64 offset;
};

static int compare_times(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->time != y->time)
		return x->time < y->time ? -1 : 1;
	return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Keep the offset of a record; room for them doubles. */
static int add_note(struct pd_reader *r, __u64 at)
{
	if (!(r->nr_notes & (r->nr_notes - 1))) {
		__u64 *more = reallocarray(r->notes, r->nr_notes ? 2 * r->nr_notes : 1,
					   sizeof(*more));

		if (!more)
			return pd_fail(r, -ENOMEM, "out of memory");
		r->notes = more;
	}
	r->notes[r->nr_notes++] = at;
	return 0;
}

static int check_user_record(struct pd_reader *r, const struct perf_event_header *h, __u64 at)
{
	switch (h->type) {
	case PD_RECORD_COMPRESSED:
	case PD_RECORD_COMPRESSED2:
		r->compressed = true;
		return 0;
	case PD_RECORD_AUXTRACE:
		return pd_fail(r, -EINVAL, "holds an AUX area trace, which only perf reads");
	case PD_RECORD_TRACING_DATA:
		return pd_fail(r, -EINVAL, "a stream with tracepoints, which only perf reads");
	case PD_RECORD_ATTR:
	case PD_RECORD_BUILD_ID:
	case PD_RECORD_EVENT_UPDATE:
	case PD_RECORD_FEATURE:
		return add_note(r, at);
	}
	return 0;
}

/*
 * perf 6.15 and older do not pad compressed records, which only pd_expand() reads.
 * In perf's streams records with features and build-ids are not padded to 8 bytes, so that those
 * that follow must be copied to be aligned.
 */
static bool may_be_odd(const struct pd_reader *r, const struct perf_event_header *h)
{
	if (h->type == PD_RECORD_COMPRESSED)
		return true;
	return r->header.size == PD_PIPE_HEADER_SIZE && !(h->size % sizeof(__u32)) &&
	       (h->type == PD_RECORD_FEATURE || h->type == PD_RECORD_BUILD_ID);
}

static int make_aligned(struct pd_reader *r)
{
	if (!r->aligned)
		r->aligned = malloc(PD_PIECE_MAX);
	return r->aligned ? 0 : pd_fail(r, -ENOMEM, "out of memory");
}

/* The first record that is not whole ends them.  So does a compressed one; nothing is changed. */
static int count(struct pd_reader *r)
{
	__u64 at = r->header.data.offset, end = at + r->header.data.size;
	struct perf_event_header h;
	const void *header;
	bool odd;
	int err;

	for (; at < end; at += h.size) {
		if (end - at < sizeof(h))
			break;
		header = pd_piece(r, at, sizeof(h));
		if (!header)
			return pd_fail_reading(r);
		memcpy(&h, header, sizeof(h));
		odd = h.size % sizeof(__u64);
		if (h.size < sizeof(h) || (odd && !may_be_odd(r, &h))) {
			if (r->truncated || r->unfinished)
				break;
			return pd_fail(r, -EINVAL, "damaged: record of %u bytes at offset %llu",
				       h.size, at);
		}
		if (h.size > end - at)
			break;
		err = odd ? make_aligned(r) : 0;
		if (!err)
			err = check_user_record(r, &h, at);
		if (err || r->compressed)
			return err;
		r->nr_records++;
		pd_watch_step(r, (at - r->header.data.offset) / 2, r->header.data.size);
	}
	if (at < end) {
		r->truncated = true;
		r->header.data.size = at - r->header.data.offset;
	}
	return 0;
}

/**
 * pd_records_count() - check and count the records, without compression
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_records_count(struct pd_reader *r)
{
	int err = count(r);

	if (err || !r->compressed)
		return err;
	err = pd_expand(r);
	if (err)
		return err;
	r->compressed = false;
	r->nr_records = 0;
	r->nr_notes = 0;
	return count(r);
}

/* NULL: it cannot be read, or the file was changed after it was opened. */
static const struct perf_event_header *record_at(const struct pd_reader *r, __u64 at)
{
	__u64 end = r->header.data.offset + r->header.data.size;
	const struct perf_event_header *h = pd_piece(r, at, sizeof(*h));
	bool odd = at % sizeof(__u64);
	size_t size;

	if (!h)
		return NULL;
	size = h->size;
	if (size < sizeof(*h) || size > end - at || (odd && !r->aligned)) {
		if (r->windows)
			pd_windows_fail(r->windows, -EIO);
		return NULL;
	}
	h = pd_piece(r, at, size);
	return h && odd ? memcpy(r->aligned, h, size) : h;
}

static int time_records(struct pd_reader *r, struct timed *all, bool *sorted)
{
	__u64 at = r->header.data.offset, last = 0;
	size_t i;

	*sorted = true;
	for (i = 0; i < r->nr_records; i++) {
		const struct perf_event_header *h = record_at(r, at);
		struct pd_sample s = { 0 };

		if (!h)
			return pd_fail_reading(r);
		all[i].offset = at;
		/* a record without a time stays behind the one before it */
		if (pd_reader_decode(r, h, &s) && s.fields & PERF_SAMPLE_TIME)
			last = s.time;
		all[i].time = last;
		*sorted &= !i || all[i - 1].time <= last;
		at += h->size;
		/* the second half: pd_records_count() was the first */
		pd_watch_step(r, (at - r->header.data.offset + r->header.data.size) / 2,
			      r->header.data.size);
	}
	return 0;
}

/**
 * pd_records_order() - make the index of records in the order of their times
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_records_order(struct pd_reader *r)
{
	size_t i, nr = r->nr_records;
	struct timed *all = calloc(nr ? nr : 1, sizeof(*all));
	bool sorted;
	int err;

	if (!all)
		return pd_fail(r, -ENOMEM, "out of memory");
	err = time_records(r, all, &sorted);
	if (err) {
		free(all);
		return err;
	}
	if (!sorted)
		qsort(all, nr, sizeof(*all), compare_times);
	/* keep only the offsets, in the same memory: none overwrites one that is still needed */
	r->index = (__u64 *)all;
	for (i = 0; i < nr; i++) {
		__u64 offset = all[i].offset;

		memcpy(r->index + i, &offset, sizeof(offset));
	}
	r->index = reallocarray(all, nr ? nr : 1, sizeof(*r->index));
	if (!r->index)
		r->index = (__u64 *)all;
	return 0;
}

/** pd_note_cursor() - begin reading the body of a note; false if it is of another type */
bool pd_note_cursor(const struct pd_reader *r, size_t n, __u32 type, struct pd_cursor *c)
{
	const struct perf_event_header *h = record_at(r, r->notes[n]);

	if (!h || h->type != type)
		return false;
	*c = (struct pd_cursor){
		.r = r, .at = r->notes[n] + sizeof(*h), .left = h->size - sizeof(*h),
	};
	return true;
}

/**
 * pd_reader_record() - read record number @n in the order of their times
 *
 * Return: the whole record, aligned and valid until the next read of the file.  If it cannot be
 * read any more, an empty record, and pd_reader_error() returns the cause.
 */
const struct perf_event_header *pd_reader_record(const struct pd_reader *r, size_t n)
{
	static const struct perf_event_header nothing = {
		.type = PD_RECORD_FINISHED_ROUND, .size = sizeof(nothing),
	};
	const struct perf_event_header *h = record_at(r, r->index[n]);

	return h ? h : &nothing;
}
