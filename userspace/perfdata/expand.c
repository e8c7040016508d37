// SPDX-License-Identifier: GPL-2.0-only
/* Compressed records of a file being read: a copy of all records, without compression. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zstd.h>

#include "internal.h"

#define RECORD_MAX	65536
#define OUT_SIZE	(256 * 1024)
/* real records compress to a thirtieth; what was made to fill disks to a ten thousandth */
#define MAX_RATIO	1024
#define ALWAYS_FITS	(1024 * 1024)

/* What compressed records hold of a record before the next one has the rest. */
struct expand {
	struct pd_reader *r;
	ZSTD_DCtx *zstd;
	int fd;			/* of the copy */
	__u64 bytes_in;		/* of records of the file */
	__u64 bytes_out;	/* of the copy, with those in @out */
	size_t nr_part;
	size_t nr_out;
	unsigned char part[2 * RECORD_MAX];
	unsigned char out[OUT_SIZE];
};

/* A file without a name: it is gone however this ends. */
static int open_temporary(void)
{
	const char *dir = getenv("TMPDIR");
	char path[4096];
	int fd;

	dir = dir && *dir ? dir : P_tmpdir;
	fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0)
		return fd;
	snprintf(path, sizeof(path), "%s/acrctl.XXXXXX", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

static int fail_temporary(struct pd_reader *r)
{
	return pd_fail(r, -errno,
		       "compressed, and there is no room to expand it: %s; set TMPDIR to a directory that has",
		       strerror(errno));
}

static int flush(struct expand *e)
{
	size_t done = 0;

	while (done < e->nr_out) {
		ssize_t n = write(e->fd, e->out + done, e->nr_out - done);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail_temporary(e->r);
		done += n;
	}
	e->nr_out = 0;
	return 0;
}

static int put(struct expand *e, const void *data, size_t size)
{
	int err = e->nr_out + size > sizeof(e->out) ? flush(e) : 0;

	if (err)
		return err;
	memcpy(e->out + e->nr_out, data, size);
	e->nr_out += size;
	e->bytes_out += size;
	return 0;
}

/* Copy what is whole of the records that were expanded so far. */
static int put_whole(struct expand *e)
{
	struct perf_event_header h;
	size_t at;
	int err;

	for (at = 0; e->nr_part - at >= sizeof(h); at += h.size) {
		memcpy(&h, e->part + at, sizeof(h));
		if (h.size < sizeof(h) || h.size % sizeof(__u64) ||
		    h.type == PD_RECORD_COMPRESSED || h.type == PD_RECORD_COMPRESSED2)
			return pd_fail(e->r, -EINVAL,
				       "damaged: a compressed record of type %u with %u bytes",
				       h.type, h.size);
		if (h.size > e->nr_part - at)
			break;
		err = put(e, e->part + at, h.size);
		if (err)
			return err;
	}
	e->nr_part -= at;
	memmove(e->part, e->part + at, e->nr_part);
	return 0;
}

static int decompress(struct expand *e, const void *data, size_t size)
{
	ZSTD_inBuffer in = { .src = data, .size = size };
	ZSTD_outBuffer out;
	size_t ret;
	int err;

	e->bytes_in += size;
	/* what did not fit into @part is still inside zstd */
	do {
		out = (ZSTD_outBuffer){ .dst = e->part, .size = sizeof(e->part),
					.pos = e->nr_part };
		ret = ZSTD_decompressStream(e->zstd, &out, &in);
		if (ZSTD_isError(ret))
			return pd_fail(e->r, -EINVAL, "damaged: its compressed records: %s",
				       ZSTD_getErrorName(ret));
		e->nr_part = out.pos;
		err = put_whole(e);
		if (err)
			return err;
		if (e->bytes_out > e->bytes_in * MAX_RATIO + ALWAYS_FITS)
			return pd_fail(e->r, -EINVAL,
				       "damaged: %llu bytes of its records become more than %llu",
				       e->bytes_in, e->bytes_out);
	} while (in.pos < in.size || out.pos == out.size);
	return 0;
}

/* A piece of the file that holds one record. */
static int take_record(struct expand *e, const void *record)
{
	struct perf_event_header h;
	const char *body = (const char *)record + sizeof(h);
	__u64 size;

	memcpy(&h, record, sizeof(h));
	if (h.type == PD_RECORD_COMPRESSED)
		return decompress(e, body, h.size - sizeof(h));
	if (h.type != PD_RECORD_COMPRESSED2) {
		e->bytes_in += h.size;
		return put(e, record, h.size);
	}
	/* its real size comes first, since it is padded */
	if (h.size < sizeof(h) + sizeof(size))
		return pd_fail(e->r, -EINVAL, "damaged: compressed records of %u bytes", h.size);
	memcpy(&size, body, sizeof(size));
	if (size > h.size - sizeof(h) - sizeof(size))
		return pd_fail(e->r, -EINVAL, "damaged: compressed records of %llu bytes", size);
	return decompress(e, body + sizeof(size), size);
}

static int take_all(struct expand *e)
{
	struct pd_reader *r = e->r;
	__u64 at = r->header.data.offset, end = at + r->header.data.size;
	struct perf_event_header h;
	const void *record;
	int err = 0;

	for (; !err && end - at >= sizeof(h); at += h.size) {
		record = pd_piece(r, at, sizeof(h));
		if (!record)
			return pd_fail_reading(r);
		memcpy(&h, record, sizeof(h));
		if (h.size < sizeof(h))
			err = pd_fail(r, -EINVAL, "damaged: record of %u bytes at offset %llu",
				      h.size, at);
		if (err || h.size > end - at)
			break;
		record = pd_piece(r, at, h.size);
		if (!record)
			return pd_fail_reading(r);
		err = take_record(e, record);
		pd_watch_step(r, at - r->header.data.offset, r->header.data.size);
	}
	/* of what was not closed, all that is there is read */
	if (err == -EINVAL && (r->truncated || r->unfinished))
		err = 0;
	r->truncated |= at < end || e->nr_part;
	return err ? err : flush(e);
}

/**
 * pd_expand() - replace the records of the file by a copy without compressed ones
 *
 * They seem to lie behind the end of the file, and pd_piece() reads both.
 *
 * Return: 0 or -errno after pd_fail().
 */
int pd_expand(struct pd_reader *r)
{
	struct expand *e = calloc(1, sizeof(*e));
	int err = -ENOMEM;

	if (!e)
		return pd_fail(r, err, "out of memory");
	e->r = r;
	e->zstd = ZSTD_createDCtx();
	e->fd = open_temporary();
	if (e->fd < 0)
		err = fail_temporary(r);
	else if (!e->zstd)
		pd_fail(r, err, "out of memory");
	else
		err = take_all(e);
	if (!err) {
		r->expanded = pd_windows_open(e->fd);
		r->expanded_at = (r->size + sizeof(__u64) - 1) & -sizeof(__u64);
		r->header.data.offset = r->expanded_at;
		r->header.data.size = e->bytes_out;
		r->size = r->expanded_at + e->bytes_out;
		err = r->expanded ? 0 : pd_fail(r, -ENOMEM, "out of memory");
	}
	if (e->fd >= 0)
		close(e->fd);
	ZSTD_freeDCtx(e->zstd);
	free(e);
	return err;
}
