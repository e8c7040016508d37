// SPDX-License-Identifier: GPL-2.0-only
/* Opening and closing a perf.data file or stream. */
#include "reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "internal.h"

/* bytes asked for at once; the buffer doubles */
#define READ_FIRST	(64 * 1024)

static int check_header(struct pd_reader *r)
{
	struct pd_file_header *h = &r->header;
	__u64 magic;

	if (r->size < PD_PIPE_HEADER_SIZE)
		return pd_fail(r, -EINVAL, "not a perf.data file: it has only %llu bytes", r->size);
	if (!pd_read_at(r, 0, &magic, sizeof(magic)))
		return pd_fail_reading(r);
	if (magic == PD_MAGIC_SWAPPED)
		return pd_fail(r, -EINVAL,
			       "recorded on a machine of the other byte order; read it with perf");
	if (magic != PD_MAGIC)
		return pd_fail(r, -EINVAL, "not a perf.data file: it does not begin with PERFILE2");
	memset(h, 0, sizeof(*h));
	if (!pd_read_at(r, 0, h, r->size < sizeof(*h) ? r->size : sizeof(*h)))
		return pd_fail_reading(r);
	if (h->size == PD_PIPE_HEADER_SIZE) {
		*h = (struct pd_file_header){
			.magic = magic,
			.size = PD_PIPE_HEADER_SIZE,
			.data = { PD_PIPE_HEADER_SIZE, r->size - PD_PIPE_HEADER_SIZE },
		};
		return 0;
	}
	if (h->size != sizeof(*h))
		return pd_fail(r, -EINVAL, "damaged: header of %llu bytes instead of %zu",
			       h->size, sizeof(*h));
	if (r->size < sizeof(*h))
		return pd_fail(r, -EINVAL, "cut off in its header: it has only %llu bytes of %zu",
			       r->size, sizeof(*h));
	if (pd_reader_has(r, PD_FEAT_COMPRESSED))
		return pd_fail(r, -EINVAL,
			       "compressed (perf record -z): record without -z, or use perf");
	if (pd_reader_has(r, PD_FEAT_DIR_FORMAT))
		return pd_fail(r, -EINVAL,
			       "part of a directory (perf record --threads): record without it, or use perf");
	if (!pd_section_fits(r, &h->attrs))
		return pd_fail(r, -EINVAL, "damaged: the events lie beyond the end of the file");
	if (h->data.offset > r->size || h->data.offset % sizeof(__u64))
		return pd_fail(r, -EINVAL, "damaged: the records lie beyond the end of the file");
	/* not finished, or cut off later: all that is there is read */
	if (!h->data.size || h->data.size > r->size - h->data.offset) {
		r->truncated = true;
		h->data.size = r->size - h->data.offset;
		memset(h->features, 0, sizeof(h->features));
	}
	return 0;
}

static int open_file(struct pd_reader *r)
{
	int err = check_header(r);
	bool stream = r->header.size == PD_PIPE_HEADER_SIZE;

	if (!err && !stream) {
		pd_features_find(r);
		err = pd_events_read(r);
	}
	if (!err)
		err = pd_records_count(r);
	if (!err && stream)
		err = pd_stream_read_events(r);
	if (!err)
		err = pd_events_index_ids(r);
	if (!err)
		err = pd_events_read_names(r);
	if (!err)
		err = pd_stream_read_names(r);
	if (err)
		return err;
	pd_events_read_groups(r);
	return pd_records_order(r);
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
		return pd_fail(r, err, "cannot be read: %s", strerror(-err));
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
		return pd_fail(r, -errno, errno == ENOMEM ? "out of memory" : "cannot be read: %s",
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
