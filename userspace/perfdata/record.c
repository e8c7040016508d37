// SPDX-License-Identifier: GPL-2.0-only
/* Records of a file being read: checking them one after another, and their times. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "sample.h"

#define WORD	sizeof(__u64)

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

/* NULL: it cannot be read, or the file was changed after it was opened. */
const struct perf_event_header *pd_record_at(const struct pd_reader *r, __u64 at)
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

/** pd_record_time() - the time of a record; @before, that of the one before it, if it has none */
__u64 pd_record_time(const struct pd_reader *r, const struct perf_event_header *h, __u64 before)
{
	const struct perf_event_attr *attr;

	if (h->type >= PD_RECORD_USER_START)
		return before;
	attr = h->type == PERF_RECORD_SAMPLE && r->alike ? &r->events[0].attr : pd_event_attr(r, h);
	return attr ? pd_sample_time(attr, h, before) : before;
}

/* Add the record at @at, which is whole, to the order. */
static int put_in_order(struct pd_reader *r, __u64 at)
{
	const struct perf_event_header *h = pd_record_at(r, at);

	if (!h)
		return pd_fail_reading(r);
	r->last_time = pd_record_time(r, h, r->last_time);
	if (r->last_time > r->newest)
		r->newest = r->last_time;
	if (pd_order_add(r->order, h, at, r->last_time))
		return pd_fail(r, -ENOMEM, "out of memory");
	pd_watch_step(r, at - r->header.data.offset, r->header.data.size);
	return 0;
}

/*
 * Add the samples from *@at on that are in memory and in the order of their times; the first record
 * that needs more care ends them.  Without events they are only counted.
 */
static int add_samples(struct pd_reader *r, __u64 *at, __u64 end)
{
	bool known = r->nr_events;
	size_t time_at = known && r->alike ? pd_sample_time_at(&r->events[0].attr) : 0;
	size_t least = known ? time_at + WORD : sizeof(struct perf_event_header);
	size_t left = end - *at, done = 0, nr = 0;
	__u64 time = 0, first = 0, last = 0;
	const char *piece;

	if ((known && !time_at) || *at % WORD || left < sizeof(struct perf_event_header))
		return 0;
	piece = pd_piece(r, *at, sizeof(struct perf_event_header));
	if (!piece)
		return 0;
	if (left > pd_ahead(r, *at))
		left = pd_ahead(r, *at);
	while (left - done >= least) {
		const struct perf_event_header *h = (const void *)(piece + done);

		if (h->type != PERF_RECORD_SAMPLE || h->size > left - done ||
		    h->size < least || h->size % WORD)
			break;
		if (known)
			memcpy(&time, piece + done + time_at, sizeof(time));
		if (time < last)
			break;
		first = nr++ ? first : time;
		last = time;
		done += h->size;
	}
	if (!nr)
		return 0;
	if (known && pd_order_add_samples(r->order, *at, *at + done, first, last))
		return pd_fail(r, -ENOMEM, "out of memory");
	*at += done;
	r->nr_records += nr;
	r->last_time = last;
	if (last > r->newest)
		r->newest = last;
	if (known)
		pd_watch_step(r, *at - r->header.data.offset, r->header.data.size);
	return 0;
}

/*
 * The first record that is not whole ends them.  So does a compressed one; nothing is changed.
 * Without events, the times are not known.
 */
static int read_all(struct pd_reader *r)
{
	__u64 at = r->header.data.offset, end = at + r->header.data.size;
	struct perf_event_header h;
	const void *header;
	bool odd;
	int err;

	for (; at < end; at += h.size) {
		err = add_samples(r, &at, end);
		if (err)
			return err;
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
		if (!err && !r->compressed && r->nr_events)
			err = put_in_order(r, at);
		if (err || r->compressed)
			return err;
		r->nr_records++;
	}
	if (at < end) {
		r->truncated = true;
		r->header.data.size = at - r->header.data.offset;
	}
	return 0;
}

/* Samples of all events may have their times at the same place, or all fields that are parsed. */
static void compare_events(struct pd_reader *r)
{
	const __u64 before = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			     PERF_SAMPLE_TIME;
	__u64 differ = 0, formats = 0;
	__u32 i;

	for (i = 0; i < r->nr_events; i++) {
		differ |= r->events[i].attr.sample_type ^ r->events[0].attr.sample_type;
		formats |= r->events[i].attr.read_format ^ r->events[0].attr.read_format;
	}
	r->alike = !(differ & before);
	r->same = r->nr_events && !(differ & PD_SAMPLE_PARSED) &&
		  !(formats && r->events[0].attr.sample_type & PERF_SAMPLE_READ);
}

static int begin(struct pd_reader *r)
{
	r->compressed = false;
	r->nr_records = 0;
	r->nr_notes = 0;
	compare_events(r);
	r->last_time = 0;
	r->newest = 0;
	pd_order_free(r->order);
	r->order = pd_order_make();
	return r->order ? read_all(r) : pd_fail(r, -ENOMEM, "out of memory");
}

/**
 * pd_records_read() - check and count the records, without compression, and if the events are known
 * put them in the order of their times
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_records_read(struct pd_reader *r)
{
	int err = begin(r);

	if (!err && r->compressed)
		err = pd_expand(r);
	if (!err && r->compressed)
		err = begin(r);
	if (!err && pd_order_begin(r->order))
		err = pd_fail(r, -ENOMEM, "out of memory");
	return err;
}

/** pd_note_cursor() - begin reading the body of a note; false if it is of another type */
bool pd_note_cursor(const struct pd_reader *r, size_t n, __u32 type, struct pd_cursor *c)
{
	const struct perf_event_header *h = pd_record_at(r, r->notes[n]);

	if (!h || h->type != type)
		return false;
	*c = (struct pd_cursor){
		.r = r, .at = r->notes[n] + sizeof(*h), .left = h->size - sizeof(*h),
	};
	return true;
}
