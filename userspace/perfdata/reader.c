// SPDX-License-Identifier: GPL-2.0-only
/* Reading a perf.data file: bounds checks, events and ids, and the index of records by time. */
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
	if (h->size == PD_PIPE_HEADER_SIZE)
		return fail(r, -EINVAL,
			    "a stream from 'perf record -o -'; convert it: perf inject -i - -o FILE");
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
static void check_features(struct pd_reader *r)
{
	struct pd_section s;
	unsigned int i;

	for (i = 0; i < PD_NR_FEATURE_BITS; i++)
		r->truncated |= pd_reader_has(r, i) && !pd_reader_section(r, i, &s);
}

/* @at: where in the file it stands; @nr_ids: ids of all events so far */
static int read_event(struct pd_reader *r, struct pd_file_event *e, __u64 at, __u64 *nr_ids)
{
	size_t attr_size = r->header.attr_size - sizeof(struct pd_section);
	struct pd_section ids;

	if (!read_at(r, at, &e->attr, attr_size < sizeof(e->attr) ? attr_size : sizeof(e->attr)) ||
	    !read_at(r, at + attr_size, &ids, sizeof(ids)))
		return fail_reading(r);
	if (!section_fits(r, &ids) || ids.size % sizeof(__u64) ||
	    ids.size / sizeof(__u64) > UINT32_MAX)
		return fail(r, -EINVAL,
			"damaged: the ids of event %zu lie beyond the end of the file",
			    (size_t)(e - r->events));
	e->nr_ids = ids.size / sizeof(__u64);
	/* sections may overlap in a damaged file, so that this is more than the file holds */
	*nr_ids += e->nr_ids;
	if (*nr_ids > r->size)
		return fail(r, -EINVAL, "damaged: more ids than the file has room for");
	e->ids = malloc(ids.size ? ids.size : 1);
	if (!e->ids)
		return fail(r, -ENOMEM, "out of memory");
	if (!read_at(r, ids.offset, e->ids, ids.size))
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
	__u64 i, nr, nr_ids = 0;
	int err;

	if (h->attr_size < PERF_ATTR_SIZE_VER0 + sizeof(struct pd_section) ||
	    h->attr_size > h->attrs.size || h->attrs.size % h->attr_size)
		return fail(r, -EINVAL, "damaged: events of %llu bytes in a section of %llu",
			    h->attr_size, h->attrs.size);
	nr = h->attrs.size / h->attr_size;
	if (nr > MAX_EVENTS)
		return fail(r, -EINVAL, "damaged: %llu events", nr);
	r->events = calloc(nr, sizeof(*r->events));
	if (!r->events)
		return fail(r, -ENOMEM, "out of memory");
	r->nr_events = nr;
	for (i = 0; i < nr; i++) {
		r->events[i].group = i;
		err = read_event(r, &r->events[i], h->attrs.offset + i * h->attr_size, &nr_ids);
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
	size_t nr = 0;
	__u32 i, k;

	for (i = 0; i < r->nr_events; i++)
		nr += r->events[i].nr_ids;
	r->ids = calloc(nr ? nr : 1, sizeof(*r->ids));
	if (!r->ids)
		return fail(r, -ENOMEM, "out of memory");
	for (i = 0; i < r->nr_events; i++) {
		for (k = 0; k < r->events[i].nr_ids; k++) {
			r->ids[r->nr_ids].id = r->events[i].ids[k];
			r->ids[r->nr_ids++].event = i;
		}
	}
	qsort(r->ids, r->nr_ids, sizeof(*r->ids), compare_ids);
	return 0;
}

/* A cursor over a feature section: nothing is read beyond its end. */
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
		char *copy;

		if (!cursor_skip(&c, attr_size) || !cursor_u32(&c, &nr_ids))
			return 0;
		name = cursor_string(&c);
		if (!name)
			return 0;
		copy = strdup(name);
		if (!copy)
			return fail(r, -ENOMEM, "out of memory");
		if (!cursor_skip(&c, (__u64)nr_ids * sizeof(__u64))) {
			free(copy);
			return 0;
		}
		free(r->events[i].name);
		r->events[i].name = copy;
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

static int check_user_record(struct pd_reader *r, const struct perf_event_header *h)
{
	switch (h->type) {
	case PD_RECORD_COMPRESSED:
	case PD_RECORD_COMPRESSED2:
		return fail(r, -EINVAL,
			"compressed (perf record -z): record without -z, or use perf");
	case PD_RECORD_AUXTRACE:
		return fail(r, -EINVAL, "holds an AUX area trace, which only perf reads");
	}
	return 0;
}

static int count_records(struct pd_reader *r, size_t *nr)
{
	__u64 at = r->header.data.offset, end = at + r->header.data.size;
	struct perf_event_header h;
	const void *header;
	int err;

	for (*nr = 0; at < end; at += h.size) {
		if (end - at < sizeof(h))
			break;
		header = piece(r, at, sizeof(h));
		if (!header)
			return fail_reading(r);
		memcpy(&h, header, sizeof(h));
		if (h.size < sizeof(h) || h.size % sizeof(__u64)) {
			if (r->truncated)
				break;
			return fail(r, -EINVAL, "damaged: record of %u bytes at offset %llu",
				    h.size, at);
		}
		if (h.size > end - at)
			break;
		err = check_user_record(r, &h);
		if (err)
			return err;
		++*nr;
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

	if (!h)
		return NULL;
	if (h->size >= sizeof(*h) && h->size <= end - at)
		return piece(r, at, h->size);
	if (r->windows)
		pd_windows_fail(r->windows, -EIO);
	return NULL;
}

static int time_records(struct pd_reader *r, struct timed *all, size_t nr, bool *sorted)
{
	__u64 at = r->header.data.offset, last = 0;
	size_t i;

	*sorted = true;
	for (i = 0; i < nr; i++) {
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
	struct timed *all;
	bool sorted;
	size_t i, nr;
	int err;

	err = count_records(r, &nr);
	if (err)
		return err;
	all = calloc(nr ? nr : 1, sizeof(*all));
	if (!all)
		return fail(r, -ENOMEM, "out of memory");
	err = time_records(r, all, nr, &sorted);
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
	r->nr_records = nr;
	r->index = reallocarray(all, nr ? nr : 1, sizeof(*r->index));
	if (!r->index)
		r->index = (__u64 *)all;
	return 0;
}

static int open_file(struct pd_reader *r)
{
	int err = check_header(r);

	if (!err)
		check_features(r);
	if (!err)
		err = read_events(r);
	if (!err)
		err = index_ids(r);
	if (!err)
		err = read_names(r);
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
 * Return: false if there is none or it lies beyond the end of the file.
 */
bool pd_reader_section(const struct pd_reader *r, unsigned int feature, struct pd_section *s)
{
	__u64 table = r->header.data.offset + r->header.data.size;
	unsigned int i, before = 0;

	if (!pd_reader_has(r, feature))
		return false;
	for (i = 0; i < feature; i++)
		before += pd_reader_has(r, i);
	table += before * sizeof(*s);
	if (table > r->size || r->size - table < sizeof(*s))
		return false;
	return read_at(r, table, s, sizeof(*s)) && section_fits(r, s);
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

static int each_build_id(const struct pd_build_id_entry *e, const char *name, size_t room,
			 pd_build_id_fn fn, void *arg)
{
	unsigned int size = PD_BUILD_ID_MAX;

	if (!memchr(name, 0, room))
		return 0;
	if (e->header.misc & PD_MISC_BUILD_ID_SIZE && e->size < size)
		size = e->size;
	return fn(arg, e->build_id, size, name);
}

/**
 * pd_reader_build_ids() - walk through the build-id table
 * @r: the reader
 * @fn: called for each entry; a value other than 0 ends the walk
 * @arg: passed on
 *
 * Return: 0, or what @fn returned.
 */
int pd_reader_build_ids(const struct pd_reader *r, pd_build_id_fn fn, void *arg)
{
	struct pd_build_id_entry e;
	struct cursor c;
	int ret = 0;

	if (!feature_cursor(r, PD_FEAT_BUILD_ID, &c))
		return 0;
	while (!ret && c.left >= sizeof(e)) {
		const unsigned char *at = piece(r, c.at, sizeof(e));

		if (!at)
			break;
		memcpy(&e, at, sizeof(e));
		if (e.header.size <= sizeof(e))
			break;
		at = cursor_take(&c, e.header.size);
		if (!at)
			break;
		ret = each_build_id(&e, (const char *)at + sizeof(e), e.header.size - sizeof(e),
				    fn, arg);
	}
	return ret;
}
