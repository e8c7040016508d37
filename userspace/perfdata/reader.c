// SPDX-License-Identifier: GPL-2.0-only
/* Opening and closing a perf.data file or stream. */
#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "blob.h"
#include "internal.h"

/* bytes of a stream read at once */
#define STREAM_CHUNK	(64 * 1024)

/* Check the part of the header that files and streams have in common. */
static int check_start(struct pd_reader *r)
{
	struct pd_file_header *h = &r->header;

	if (r->size < PD_PIPE_HEADER_SIZE)
		return pd_fail(r, -EINVAL, "not a perf.data file: it has only %llu bytes",
			       r->size);
	if (!pd_read_at(r, 0, h, PD_PIPE_HEADER_SIZE))
		return pd_fail_reading(r);
	if (h->magic == PD_MAGIC_SWAPPED)
		return pd_fail(r, -EINVAL,
			       "recorded on a machine of the other byte order; read it with perf");
	if (h->magic != PD_MAGIC)
		return pd_fail(r, -EINVAL, "not a perf.data file: it does not begin with PERFILE2");
	if (h->size != PD_PIPE_HEADER_SIZE && h->size != sizeof(*h))
		return pd_fail(r, -EINVAL, "damaged: header of %llu bytes instead of %zu",
			       h->size, sizeof(*h));
	return 0;
}

/* They are written last. */
static bool has_features(const struct pd_reader *r)
{
	unsigned int i;

	for (i = 0; i < PD_NR_FEATURE_BITS && !pd_reader_has(r, i); i++)
		;
	return i < PD_NR_FEATURE_BITS;
}

static int check_sections(struct pd_reader *r)
{
	struct pd_file_header *h = &r->header;

	if (pd_reader_has(r, PD_FEAT_DIR_FORMAT))
		return pd_fail(r, -EINVAL,
			       "part of a directory (perf record --threads): record without it, or use perf");
	if (!pd_section_fits(r, &h->attrs))
		return pd_fail(r, -EINVAL, "damaged: the events lie beyond the end of the file");
	if (h->data.offset > r->size || h->data.offset % sizeof(__u64))
		return pd_fail(r, -EINVAL, "damaged: the records lie beyond the end of the file");
	r->unfinished = !h->data.size || !has_features(r);
	/* read all that is there */
	if (!h->data.size || h->data.size > r->size - h->data.offset) {
		r->truncated = h->data.size;
		h->data.size = r->size - h->data.offset;
		memset(h->features, 0, sizeof(h->features));
	}
	return 0;
}

static int open_sections(struct pd_reader *r)
{
	struct pd_file_header *h = &r->header;
	int err;

	if (r->size < sizeof(*h))
		return pd_fail(r, -EINVAL, "cut off in its header: it has only %llu bytes of %zu",
			       r->size, sizeof(*h));
	if (!pd_read_at(r, 0, h, sizeof(*h)))
		return pd_fail_reading(r);
	err = check_sections(r);
	if (err)
		return err;
	pd_features_find(r);
	return pd_events_read(r);
}

/* Room for the header of a file, which was not written. */
static bool begins_with_room(const struct pd_reader *r)
{
	struct perf_event_header h;

	return r->size >= PD_PIPE_HEADER_SIZE + sizeof(h) &&
	       pd_read_at(r, PD_PIPE_HEADER_SIZE, &h, sizeof(h)) &&
	       h.type == PD_RECORD_ROOM && h.size > sizeof(h);
}

static int open_records(struct pd_reader *r)
{
	int err;

	r->unfinished = begins_with_room(r);
	r->header.data.offset = PD_PIPE_HEADER_SIZE;
	r->header.data.size = r->size - PD_PIPE_HEADER_SIZE;
	err = pd_records_read(r);
	return err ? err : pd_stream_read_events(r);
}

/* check_start() was successful. */
static int open_rest(struct pd_reader *r)
{
	int err = r->header.size == PD_PIPE_HEADER_SIZE ? open_records(r) : open_sections(r);

	if (!err)
		err = pd_events_index_ids(r);
	if (!err)
		err = pd_records_read(r);
	if (!err)
		err = pd_events_read_names(r);
	if (!err)
		err = pd_stream_read_names(r);
	if (err)
		return err;
	pd_events_read_groups(r);
	return 0;
}

static int open_file(struct pd_reader *r)
{
	int err = check_start(r);

	return err ? err : open_rest(r);
}

/**
 * pd_reader_open_mem() - open a file in memory, which stays the caller's
 *
 * @data must be aligned to 8 bytes.  Close @r even after an error.
 *
 * Return: 0 or -errno, and @r->error holds a message to print after "FILE: ".
 */
int pd_reader_open_mem(struct pd_reader *r, const void *data, size_t size)
{
	memset(r, 0, sizeof(*r));
	r->data = data;
	r->size = size;
	return open_file(r);
}

/* Returns the number of bytes appended, less than @size only at the end, or -errno. */
static ssize_t read_more(int fd, struct pd_blob *b, size_t size)
{
	unsigned char *at = pd_blob_put(b, NULL, size);
	size_t done = 0;

	if (!at)
		return -ENOMEM;
	while (done < size) {
		ssize_t n = read(fd, at + done, size - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (!n)
			break;
		done += n;
	}
	b->size -= size - done;
	return done;
}

/* Read a pipe, or a device that may be endless if it is not a recording. */
static int open_stream(struct pd_reader *r, int fd)
{
	struct pd_blob b = { 0 };
	ssize_t n = read_more(fd, &b, PD_PIPE_HEADER_SIZE);
	int err = 0;

	r->owned = true;
	r->data = b.data;
	r->size = b.size;
	if (n >= 0)
		err = check_start(r);
	while (!err && n > 0) {
		n = read_more(fd, &b, STREAM_CHUNK);
		pd_watch_step(r, b.size, 0);
	}
	r->data = b.data;
	r->size = b.size;
	if (n < 0)
		return pd_fail(r, n, "cannot be read: %s", strerror(-n));
	return err ? err : open_rest(r);
}

/**
 * pd_reader_open_watched() - open a file and let @watch hear how far that is
 *
 * The descriptor stays the caller's, with its position unless it is a pipe.
 * A regular file is read in pieces, as needed.  It is not mapped, so that truncating it at the same
 * time does no harm.  Close @r even after an error.
 *
 * Return: 0 or -errno, and @r->error holds a message to print after "FILE: ".
 */
int pd_reader_open_watched(struct pd_reader *r, int fd, struct pd_watch watch)
{
	struct stat st;

	memset(r, 0, sizeof(*r));
	r->watch = watch;
	if (fstat(fd, &st))
		return pd_fail(r, -errno, "cannot be read: %s", strerror(errno));
	if (S_ISDIR(st.st_mode))
		return pd_fail(r, -EISDIR,
			       "is a directory, not a perf.data file; perf reads what 'perf record --threads' wrote");
	if (!S_ISREG(st.st_mode) || !st.st_size)
		return open_stream(r, fd);
	r->windows = pd_windows_open(fd);
	if (!r->windows)
		return pd_fail(r, -errno, errno == ENOMEM ? "out of memory" : "cannot be read: %s",
			       strerror(errno));
	r->size = st.st_size;
	return open_file(r);
}

/** pd_reader_open_fd() - the same without a watch */
int pd_reader_open_fd(struct pd_reader *r, int fd)
{
	return pd_reader_open_watched(r, fd, (struct pd_watch){ 0 });
}

/** pd_reader_close() - free everything that @r holds */
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
	pd_order_free(r->order);
	if (r->owned)
		free((void *)r->data);
	pd_windows_close(r->windows);
	pd_windows_close(r->expanded);
	memset(r, 0, sizeof(*r));
}
