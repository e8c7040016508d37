// SPDX-License-Identifier: GPL-2.0-only
/* Reading a perf.data file or stream: bounds checks, events, ids, and records by time. */
#include "reader.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sample.h"

/* bytes asked for at once; the buffer doubles */
#define READ_FIRST	(64 * 1024)
/* more events than any tool writes; a guard against damaged files */
#define MAX_EVENTS	65536

static int fail(struct pd_reader *r, int err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->error, sizeof(r->error), fmt, ap);
	va_end(ap);
	return err;
}

/* What cannot be read any more, or is not there any more. */
static int fail_reading(struct pd_reader *r)
{
	int err = pd_reader_error(r);

	if (err == -ENODATA)
		return fail(r, err, "was cut off while it was read");
	return fail(r, err, err == -ENOMEM ? "out of memory" : "cannot be read: %s",
		    strerror(-err));
}

/* At most PD_PIECE_MAX bytes of the file, valid until the next call; NULL: unreadable. */
static const void *piece(const struct pd_reader *r, __u64 offset, size_t size)
{
	return r->data ? r->data + offset : pd_windows_piece(r->windows, offset, size);
}

/* Any number of bytes of the file; false: unreadable. */
static bool read_at(const struct pd_reader *r, __u64 offset, void *buf, size_t size)
{
	if (!r->data)
		return !pd_windows_read(r->windows, offset, buf, size);
	memcpy(buf, r->data + offset, size);
	return true;
}

static bool section_fits(const struct pd_reader *r, const struct pd_section *s)
{
	return s->offset <= r->size && s->size <= r->size - s->offset;
}

static int check_header(struct pd_reader *r)
{
	struct pd_file_header *h = &r->header;
	__u64 magic;

	if (r->size < PD_PIPE_HEADER_SIZE)
		return fail(r, -EINVAL, "not a perf.data file: it has only %llu bytes", r->size);
	if (!read_at(r, 0, &magic, sizeof(magic)))
		return fail_reading(r);
	if (magic == PD_MAGIC_SWAPPED)
		return fail(r, -EINVAL,
			    "recorded on a machine of the other byte order; read it with perf");
	if (magic != PD_MAGIC)
		return fail(r, -EINVAL, "not a perf.data file: it does not begin with PERFILE2");
	memset(h, 0, sizeof(*h));
	if (!read_at(r, 0, h, r->size < sizeof(*h) ? r->size : sizeof(*h)))
		return fail_reading(r);
	if (h->size == PD_PIPE_HEADER_SIZE) {
		*h = (struct pd_file_header){
			.magic = magic,
			.size = PD_PIPE_HEADER_SIZE,
			.data = { PD_PIPE_HEADER_SIZE, r->size - PD_PIPE_HEADER_SIZE },
		};
		return 0;
	}
	if (h->size != sizeof(*h))
		return fail(r, -EINVAL, "damaged: header of %llu bytes instead of %zu",
			    h->size, sizeof(*h));
	if (r->size < sizeof(*h))
		return fail(r, -EINVAL, "cut off in its header: it has only %llu bytes of %zu",
			    r->size, sizeof(*h));
	if (pd_reader_has(r, PD_FEAT_COMPRESSED))
		return fail(r, -EINVAL,
			"compressed (perf record -z): record without -z, or use perf");
	if (pd_reader_has(r, PD_FEAT_DIR_FORMAT))
		return fail(r, -EINVAL,
			    "part of a directory (perf record --threads): record without it, or use perf");
	if (!section_fits(r, &h->attrs))
		return fail(r, -EINVAL, "damaged: the events lie beyond the end of the file");
	if (h->data.offset > r->size || h->data.offset % sizeof(__u64))
		return fail(r, -EINVAL, "damaged: the records lie beyond the end of the file");
	/* not finished, or cut off later: all that is there is read */
	if (!h->data.size || h->data.size > r->size - h->data.offset) {
		r->truncated = true;
		h->data.size = r->size - h->data.offset;
		memset(h->features, 0, sizeof(h->features));
	}
	return 0;
}

/* A feature section that the header names and that is not all there was cut off. */
static void read_sections(struct pd_reader *r)
{
	__u64 at = r->header.data.offset + r->header.data.size;
	unsigned int i;

	for (i = 0; i < PD_NR_FEATURE_BITS; i++) {
		struct pd_section *s = &r->sections[i];

		if (!pd_reader_has(r, i))
			continue;
		if (at > r->size || r->size - at < sizeof(*s) || !read_at(r, at, s, sizeof(*s)) ||
		    !section_fits(r, s)) {
			r->truncated = true;
			r->header.features[i / 64] &= ~(1ULL << (i % 64));
		}
		at += sizeof(*s);
	}
}

/* @attr: where its attributes stand, bytes of the file; @ids: likewise */
static int add_event(struct pd_reader *r, const struct pd_section *attr,
		     const struct pd_section *ids)
{
	size_t attr_size = attr->size < sizeof(struct perf_event_attr) ? attr->size :
			   sizeof(struct perf_event_attr);
	struct pd_file_event *e;

	if (r->nr_events >= MAX_EVENTS)
		return fail(r, -EINVAL, "damaged: more than %u events", MAX_EVENTS);
	e = reallocarray(r->events, r->nr_events + 1, sizeof(*e));
	if (!e)
		return fail(r, -ENOMEM, "out of memory");
	r->events = e;
	e += r->nr_events;
	*e = (struct pd_file_event){ .group = r->nr_events };
	if (!section_fits(r, ids) || ids->size % sizeof(__u64) ||
	    ids->size / sizeof(__u64) > UINT32_MAX)
		return fail(r, -EINVAL,
			    "damaged: the ids of event %u lie beyond the end of the file",
			    r->nr_events);
	r->nr_events++;
	e->nr_ids = ids->size / sizeof(__u64);
	/* sections may overlap in a damaged file, so that this is more than the file holds */
	r->nr_ids += e->nr_ids;
	if (r->nr_ids > r->size)
		return fail(r, -EINVAL, "damaged: more ids than the file has room for");
	e->ids = malloc(ids->size ? ids->size : 1);
	if (!e->ids)
		return fail(r, -ENOMEM, "out of memory");
	if (!read_at(r, attr->offset, &e->attr, attr_size) ||
	    !read_at(r, ids->offset, e->ids, ids->size))
		return fail_reading(r);
	if (asprintf(&e->name, "type=%u,config=%#llx", e->attr.type, e->attr.config) < 0) {
		e->name = NULL;
		return fail(r, -ENOMEM, "out of memory");
	}
	return 0;
}

static int read_events(struct pd_reader *r)
{
	const struct pd_file_header *h = &r->header;
	struct pd_section attr, ids;
	int err;

	if (h->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(ids) || h->attr_size > h->attrs.size ||
	    h->attrs.size % h->attr_size)
		return fail(r, -EINVAL, "damaged: events of %llu bytes in a section of %llu",
			    h->attr_size, h->attrs.size);
	attr.size = h->attr_size - sizeof(ids);
	for (attr.offset = h->attrs.offset; attr.offset < h->attrs.offset + h->attrs.size;
	     attr.offset += h->attr_size) {
		if (!read_at(r, attr.offset + attr.size, &ids, sizeof(ids)))
			return fail_reading(r);
		err = add_event(r, &attr, &ids);
		if (err)
			return err;
	}
	return 0;
}

static int compare_ids(const void *a, const void *b)
{
	const struct pd_id *x = a, *y = b;

	return x->id < y->id ? -1 : x->id > y->id;
}

static int index_ids(struct pd_reader *r)
{
	struct pd_id *id;
	__u32 i, k;

	r->ids = calloc(r->nr_ids ? r->nr_ids : 1, sizeof(*r->ids));
	if (!r->ids)
		return fail(r, -ENOMEM, "out of memory");
	id = r->ids;
	for (i = 0; i < r->nr_events; i++) {
		for (k = 0; k < r->events[i].nr_ids; k++)
			*id++ = (struct pd_id){ .id = r->events[i].ids[k], .event = i };
	}
	qsort(r->ids, r->nr_ids, sizeof(*r->ids), compare_ids);
	return 0;
}

/* A cursor over a feature section or record: nothing is read beyond its end. */
struct cursor {
	const struct pd_reader *r;
	__u64 at;
	__u64 left;
};

static bool cursor_skip(struct cursor *c, __u64 size)
{
	if (size > c->left)
		return false;
	c->at += size;
	c->left -= size;
	return true;
}

/* Valid until the next one is taken. */
static const void *cursor_take(struct cursor *c, size_t size)
{
	__u64 at = c->at;

	if (size > PD_PIECE_MAX || !cursor_skip(c, size))
		return NULL;
	return piece(c->r, at, size);
}

static bool cursor_u32(struct cursor *c, __u32 *value)
{
	const void *at = cursor_take(c, sizeof(*value));

	if (at)
		memcpy(value, at, sizeof(*value));
	return at;
}

/* A string that ends within its padded length; NULL if it does not. */
static const char *cursor_string(struct cursor *c)
{
	const char *s;
	__u32 len;

	if (!cursor_u32(c, &len))
		return NULL;
	s = cursor_take(c, len);
	return s && len && memchr(s, 0, len) ? s : NULL;
}

static bool feature_cursor(const struct pd_reader *r, unsigned int feature, struct cursor *c)
{
	struct pd_section s;

	if (!pd_reader_section(r, feature, &s))
		return false;
	*c = (struct cursor){ .r = r, .at = s.offset, .left = s.size };
	return true;
}

static int set_name(struct pd_reader *r, struct pd_file_event *e, const char *name, size_t len)
{
	char *copy = strndup(name, len);

	if (!copy)
		return fail(r, -ENOMEM, "out of memory");
	free(e->name);
	e->name = copy;
	return 0;
}

static int read_names(struct pd_reader *r)
{
	__u32 i, nr, attr_size, nr_ids;
	struct cursor c;

	if (!feature_cursor(r, PD_FEAT_EVENT_DESC, &c))
		return 0;
	if (!cursor_u32(&c, &nr) || !cursor_u32(&c, &attr_size))
		return 0;
	for (i = 0; i < nr && i < r->nr_events; i++) {
		const char *name;

		if (!cursor_skip(&c, attr_size) || !cursor_u32(&c, &nr_ids))
			return 0;
		name = cursor_string(&c);
		if (!name)
			return 0;
		if (set_name(r, &r->events[i], name, strlen(name)))
			return -ENOMEM;
		if (!cursor_skip(&c, (__u64)nr_ids * sizeof(__u64)))
			return 0;
	}
	return 0;
}

static void read_groups(struct pd_reader *r)
{
	__u32 i, k, nr, leader, members;
	struct cursor c;

	if (!feature_cursor(r, PD_FEAT_GROUP_DESC, &c) || !cursor_u32(&c, &nr))
		return;
	for (i = 0; i < nr; i++) {
		if (!cursor_string(&c) || !cursor_u32(&c, &leader) || !cursor_u32(&c, &members))
			return;
		if (leader >= r->nr_events || members > r->nr_events - leader)
			return;
		for (k = 0; k < members; k++)
			r->events[leader + k].group = leader;
	}
}

/* A record while the index is made. */
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

/* Keep the place of a record, in room that is doubled. */
static int add_note(struct pd_reader *r, __u64 at)
{
	if (!(r->nr_notes & (r->nr_notes - 1))) {
		__u64 *more = reallocarray(r->notes, r->nr_notes ? 2 * r->nr_notes : 1,
					   sizeof(*more));

		if (!more)
			return fail(r, -ENOMEM, "out of memory");
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
		return fail(r, -EINVAL,
			"compressed (perf record -z): record without -z, or use perf");
	case PD_RECORD_AUXTRACE:
		return fail(r, -EINVAL, "holds an AUX area trace, which only perf reads");
	case PD_RECORD_TRACING_DATA:
		return fail(r, -EINVAL, "a stream with tracepoints, which only perf reads");
	case PD_RECORD_ATTR:
	case PD_RECORD_BUILD_ID:
	case PD_RECORD_EVENT_UPDATE:
	case PD_RECORD_FEATURE:
		return add_note(r, at);
	}
	return 0;
}

/*
 * In perf's streams records with features and build-ids are not filled up to 8 bytes, so that what
 * follows has to be copied to be aligned.
 */
static bool may_be_odd(const struct pd_reader *r, const struct perf_event_header *h)
{
	return r->header.size == PD_PIPE_HEADER_SIZE && !(h->size % sizeof(__u32)) &&
	       (h->type == PD_RECORD_FEATURE || h->type == PD_RECORD_BUILD_ID);
}

static int make_aligned(struct pd_reader *r)
{
	if (!r->aligned)
		r->aligned = malloc(PD_PIECE_MAX);
	return r->aligned ? 0 : fail(r, -ENOMEM, "out of memory");
}

static int count_records(struct pd_reader *r)
{
	__u64 at = r->header.data.offset, end = at + r->header.data.size;
	struct perf_event_header h;
	const void *header;
	bool odd;
	int err;

	for (; at < end; at += h.size) {
		if (end - at < sizeof(h))
			break;
		header = piece(r, at, sizeof(h));
		if (!header)
			return fail_reading(r);
		memcpy(&h, header, sizeof(h));
		odd = h.size % sizeof(__u64);
		if (h.size < sizeof(h) || (odd && !may_be_odd(r, &h))) {
			if (r->truncated)
				break;
			return fail(r, -EINVAL, "damaged: record of %u bytes at offset %llu",
				    h.size, at);
		}
		if (h.size > end - at)
			break;
		err = odd ? make_aligned(r) : 0;
		if (!err)
			err = check_user_record(r, &h, at);
		if (err)
			return err;
		r->nr_records++;
	}
	if (at < end) {
		r->truncated = true;
		r->header.data.size = at - r->header.data.offset;
	}
	return 0;
}

/* A whole record; NULL if it is unreadable, or another one than when the file was opened. */
static const struct perf_event_header *record_at(const struct pd_reader *r, __u64 at)
{
	__u64 end = r->header.data.offset + r->header.data.size;
	const struct perf_event_header *h = piece(r, at, sizeof(*h));
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
	h = piece(r, at, size);
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
			return fail_reading(r);
		all[i].offset = at;
		/* what has no time of its own stays behind what came before it */
		if (pd_reader_decode(r, h, &s) && s.fields & PERF_SAMPLE_TIME)
			last = s.time;
		all[i].time = last;
		*sorted &= !i || all[i - 1].time <= last;
		at += h->size;
	}
	return 0;
}

static int index_records(struct pd_reader *r)
{
	size_t i, nr = r->nr_records;
	struct timed *all = calloc(nr ? nr : 1, sizeof(*all));
	bool sorted;
	int err;

	if (!all)
		return fail(r, -ENOMEM, "out of memory");
	err = time_records(r, all, &sorted);
	if (err) {
		free(all);
		return err;
	}
	if (!sorted)
		qsort(all, nr, sizeof(*all), compare_times);
	/* only the offsets are kept, in the same place: one after another they never overtake */
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

/* Begin with the body of a note if it is of this type. */
static bool note_cursor(const struct pd_reader *r, size_t n, __u32 type, struct cursor *c)
{
	const struct perf_event_header *h = record_at(r, r->notes[n]);

	if (!h || h->type != type)
		return false;
	*c = (struct cursor){
		.r = r, .at = r->notes[n] + sizeof(*h), .left = h->size - sizeof(*h),
	};
	return true;
}

static int take_attr(struct pd_reader *r, struct cursor *c)
{
	struct pd_section attr = { .offset = c->at }, ids;
	__u32 type, attr_size;

	if (!cursor_u32(c, &type) || !cursor_u32(c, &attr_size) ||
	    attr_size < PERF_ATTR_SIZE_VER0 ||
	    !cursor_skip(c, attr_size - sizeof(type) - sizeof(attr_size)))
		return fail(r, -EINVAL, "damaged: an event at offset %llu that is not whole",
			    attr.offset);
	attr.size = attr_size;
	ids = (struct pd_section){ .offset = c->at, .size = c->left };
	return add_event(r, &attr, &ids);
}

static void take_feature(struct pd_reader *r, struct cursor *c)
{
	__u32 feature, high;

	if (!cursor_u32(c, &feature) || !cursor_u32(c, &high) || high ||
	    feature >= PD_NR_FEATURE_BITS)
		return;
	r->header.features[feature / 64] |= 1ULL << (feature % 64);
	r->sections[feature] = (struct pd_section){ .offset = c->at, .size = c->left };
}

static int take_name(struct pd_reader *r, struct cursor *c)
{
	size_t len, fixed = sizeof(struct pd_event_update) - sizeof(struct perf_event_header);
	struct pd_event_update update;
	const void *at = cursor_take(c, fixed);
	int event;

	if (!at)
		return 0;
	memcpy(&update.type, at, fixed);
	event = pd_reader_event_of(r, update.id);
	len = c->left;
	if (update.type != PD_UPDATE_NAME || event < 0 || !len)
		return 0;
	at = cursor_take(c, len);
	return at ? set_name(r, &r->events[event], at, len) : 0;
}

/* A stream tells of its events in records, as a file does in its header and sections. */
static int read_stream(struct pd_reader *r)
{
	struct cursor c;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < r->nr_notes; i++) {
		if (note_cursor(r, i, PD_RECORD_ATTR, &c))
			err = take_attr(r, &c);
		else if (note_cursor(r, i, PD_RECORD_FEATURE, &c))
			take_feature(r, &c);
	}
	if (!err && !r->nr_events)
		err = fail(r, -EINVAL, "a stream without events: it was cut off at its start");
	return err;
}

/* By id; what a feature section says goes by the order of the events, which tools may change. */
static int read_new_names(struct pd_reader *r)
{
	struct cursor c;
	int err = 0;
	size_t i;

	for (i = 0; !err && i < r->nr_notes; i++) {
		if (note_cursor(r, i, PD_RECORD_EVENT_UPDATE, &c))
			err = take_name(r, &c);
	}
	return err;
}

static int open_file(struct pd_reader *r)
{
	int err = check_header(r);
	bool stream = r->header.size == PD_PIPE_HEADER_SIZE;

	if (!err && !stream) {
		read_sections(r);
		err = read_events(r);
	}
	if (!err)
		err = count_records(r);
	if (!err && stream)
		err = read_stream(r);
	if (!err)
		err = index_ids(r);
	if (!err)
		err = read_names(r);
	if (!err)
		err = read_new_names(r);
	if (err)
		return err;
	read_groups(r);
	return index_records(r);
}

/**
 * pd_reader_open_mem() - read a file that is in memory
 * @r: the reader, of any content; to be closed even after an error
 * @data: the file; it stays the caller's and must be aligned to 8 bytes
 * @size: its bytes
 *
 * Return: 0 or -errno, with @r->error in words that follow "FILE: ".
 */
int pd_reader_open_mem(struct pd_reader *r, const void *data, size_t size)
{
	memset(r, 0, sizeof(*r));
	r->data = data;
	r->size = size;
	return open_file(r);
}

static int read_whole(int fd, unsigned char **data, size_t *size)
{
	size_t room = READ_FIRST;
	unsigned char *buf = malloc(room), *more;

	*size = 0;
	while (buf) {
		ssize_t n = read(fd, buf + *size, room - *size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) {
			n = -errno;
			free(buf);
			return n;
		}
		if (!n) {
			*data = buf;
			return 0;
		}
		*size += n;
		if (*size < room)
			continue;
		room *= 2;
		more = realloc(buf, room);
		if (!more)
			free(buf);
		buf = more;
	}
	return -ENOMEM;
}

/* What has no size and no places, such as a pipe, is read at once. */
static int open_stream(struct pd_reader *r, int fd)
{
	unsigned char *data = NULL;
	size_t size = 0;
	int err;

	err = read_whole(fd, &data, &size);
	if (err)
		return fail(r, err, "cannot be read: %s", strerror(-err));
	err = pd_reader_open_mem(r, data, size);
	r->owned = true;
	return err;
}

/**
 * pd_reader_open_fd() - read a file
 * @r: the reader, of any content; to be closed even after an error
 * @fd: the file; it stays the caller's, and so does its position unless it is a pipe
 *
 * Of a regular file only what is needed at the moment is in memory.  It is read, not mapped: one
 * that is cut off meanwhile does no harm.
 *
 * Return: 0 or -errno, with @r->error in words that follow "FILE: ".
 */
int pd_reader_open_fd(struct pd_reader *r, int fd)
{
	struct stat st;

	memset(r, 0, sizeof(*r));
	if (fstat(fd, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return open_stream(r, fd);
	r->windows = pd_windows_open(fd);
	if (!r->windows)
		return fail(r, -errno, errno == ENOMEM ? "out of memory" : "cannot be read: %s",
			    strerror(errno));
	r->size = st.st_size;
	return open_file(r);
}

/**
 * pd_reader_close() - give the memory back
 * @r: the reader
 */
void pd_reader_close(struct pd_reader *r)
{
	__u32 i;

	for (i = 0; i < r->nr_events; i++) {
		free(r->events[i].name);
		free(r->events[i].ids);
	}
	free(r->events);
	free(r->ids);
	free(r->notes);
	free(r->aligned);
	free(r->index);
	if (r->owned)
		free((void *)r->data);
	pd_windows_close(r->windows);
	memset(r, 0, sizeof(*r));
}

/**
 * pd_reader_has() - whether the file has a feature section
 * @r: the reader
 * @feature: PD_FEAT_*
 *
 * Return: whether it has.
 */
bool pd_reader_has(const struct pd_reader *r, unsigned int feature)
{
	return r->header.features[feature / 64] >> (feature % 64) & 1;
}

/**
 * pd_reader_section() - where a feature section lies
 * @r: the reader
 * @feature: PD_FEAT_*
 * @s: its place
 *
 * Return: false if there is none; what lies beyond the end of the file is none.
 */
bool pd_reader_section(const struct pd_reader *r, unsigned int feature, struct pd_section *s)
{
	if (!pd_reader_has(r, feature))
		return false;
	*s = r->sections[feature];
	return true;
}

/**
 * pd_reader_string() - a feature section that is one string
 * @r: the reader
 * @feature: PD_FEAT_*
 * @buf: the string, cut to fit
 * @len: room in @buf
 *
 * Return: 0, or -ENOENT if there is none.
 */
int pd_reader_string(const struct pd_reader *r, unsigned int feature, char *buf, size_t len)
{
	struct cursor c;
	const char *s;

	if (!feature_cursor(r, feature, &c))
		return -ENOENT;
	s = cursor_string(&c);
	if (!s)
		return -ENOENT;
	snprintf(buf, len, "%s", s);
	return 0;
}

/**
 * pd_reader_cmdline() - the command that recorded the file
 * @r: the reader
 * @buf: its words with blanks between, cut to fit
 * @len: room in @buf
 *
 * Return: 0, or -ENOENT if the file does not say.
 */
int pd_reader_cmdline(const struct pd_reader *r, char *buf, size_t len)
{
	struct cursor c;
	const char *s;
	size_t n = 0;
	__u32 i, nr;

	if (!feature_cursor(r, PD_FEAT_CMDLINE, &c) || !cursor_u32(&c, &nr))
		return -ENOENT;
	for (i = 0; i < nr; i++) {
		s = cursor_string(&c);
		if (!s || n >= len)
			break;
		n += snprintf(buf + n, len - n, "%s%s", i ? " " : "", s);
	}
	return i ? 0 : -ENOENT;
}

/**
 * pd_reader_record() - a record
 * @r: the reader
 * @n: its number in time order
 *
 * Return: the record, whole, aligned and valid until anything else of the file is asked for.  If it
 * cannot be read any more, which pd_reader_error() tells, a record that says nothing.
 */
const struct perf_event_header *pd_reader_record(const struct pd_reader *r, size_t n)
{
	static const struct perf_event_header nothing = {
		.type = PD_RECORD_FINISHED_ROUND, .size = sizeof(nothing),
	};
	const struct perf_event_header *h = record_at(r, r->index[n]);

	return h ? h : &nothing;
}

/**
 * pd_reader_error() - whether all that was asked for could be read
 * @r: the reader, open
 *
 * Return: 0, or -errno; -ENODATA if the file was cut off meanwhile.
 */
int pd_reader_error(const struct pd_reader *r)
{
	return r->windows ? pd_windows_error(r->windows) : 0;
}

/**
 * pd_reader_event_of() - the event that an id belongs to
 * @r: the reader
 * @id: the id
 *
 * Return: index of the event, -1 if there is none.
 */
int pd_reader_event_of(const struct pd_reader *r, __u64 id)
{
	const struct pd_id key = { .id = id };
	const struct pd_id *found = bsearch(&key, r->ids, r->nr_ids, sizeof(key), compare_ids);

	return found ? (int)found->event : -1;
}

static int find_event(const struct pd_reader *r, const struct perf_event_header *h)
{
	int event;
	__u64 id;

	if (!pd_sample_id(&r->events[0].attr, h, &id))
		return r->nr_events == 1 ? 0 : -1;
	event = pd_reader_event_of(r, id);
	if (event >= 0)
		return event;
	/* what a tool wrote in place of the kernel has id 0 */
	return h->type == PERF_RECORD_SAMPLE && r->nr_events > 1 ? -1 : 0;
}

/**
 * pd_reader_decode() - the fields of a record
 * @r: the reader
 * @h: a record of this file
 * @s: the fields
 *
 * Return: false if the record belongs to no event of the file or is too short for its event.
 */
bool pd_reader_decode(const struct pd_reader *r, const struct perf_event_header *h,
		      struct pd_sample *s)
{
	memset(s, 0, sizeof(*s));
	s->type = h->type;
	s->misc = h->misc;
	s->event = -1;
	if (h->type >= PD_RECORD_USER_START)
		return true;
	s->event = find_event(r, h);
	if (s->event < 0)
		return false;
	return pd_sample_parse(&r->events[s->event].attr, h, s);
}

/* The next entry at a cursor; *@ret is what @fn returned.  Returns false at the end. */
static bool each_build_id(struct cursor *c, pd_build_id_fn fn, void *arg, int *ret)
{
	unsigned int size = PD_BUILD_ID_MAX;
	struct pd_build_id_entry e;
	const char *at;

	at = c->left < sizeof(e) ? NULL : piece(c->r, c->at, sizeof(e));
	if (!at)
		return false;
	memcpy(&e, at, sizeof(e));
	if (e.header.size <= sizeof(e))
		return false;
	at = cursor_take(c, e.header.size);
	if (!at)
		return false;
	if (e.header.misc & PD_MISC_BUILD_ID_SIZE && e.size < size)
		size = e.size;
	at += sizeof(e);
	if (memchr(at, 0, e.header.size - sizeof(e)))
		*ret = fn(arg, e.build_id, size, at);
	return true;
}

/**
 * pd_reader_build_ids() - walk through the build-ids, those in the table and those in records
 * @r: the reader
 * @fn: called for each entry; a value other than 0 ends the walk
 * @arg: passed on
 *
 * Return: 0, or what @fn returned.
 */
int pd_reader_build_ids(const struct pd_reader *r, pd_build_id_fn fn, void *arg)
{
	struct cursor c;
	int ret = 0;
	size_t i;

	if (feature_cursor(r, PD_FEAT_BUILD_ID, &c)) {
		while (!ret && each_build_id(&c, fn, arg, &ret))
			;
	}
	for (i = 0; !ret && i < r->nr_notes; i++) {
		if (!note_cursor(r, i, PD_RECORD_BUILD_ID, &c))
			continue;
		/* its header is part of it */
		c.at -= sizeof(struct perf_event_header);
		c.left += sizeof(struct perf_event_header);
		each_build_id(&c, fn, arg, &ret);
	}
	return ret;
}
