// SPDX-License-Identifier: GPL-2.0-only
/* Compressing records with zstd, as perf record -z does. */
#include "compress.h"

#include <errno.h>
#include <stdlib.h>
#include <zstd.h>

/* bytes compressed at once; also incompressible they fit into a record */
#define CHUNK		(32 * 1024)
/* an empty block of zstd has three bytes, all 0; some of them fill a record up to 8 bytes */
#define EMPTY_BLOCK	3
#define ROOM(size)	(ZSTD_compressBound(size) + 8 * EMPTY_BLOCK)

/* What a reader of PD_FEAT_COMPRESSED finds there. */
#define FEATURE_VERSION	1
#define FEATURE_ZSTD	1

struct pd_compress {
	ZSTD_CCtx *zstd;	/* one stream for all of the file: records repeat earlier ones */
	int level;
	__u64 bytes_in;
	__u64 bytes_out;
};

/**
 * pd_compress_begin() - begin to compress the records of a file
 * @compress: set to NULL if this fails
 *
 * Return: 0 or -ENOMEM.
 */
int pd_compress_begin(struct pd_compress **compress, int level)
{
	struct pd_compress *c = calloc(1, sizeof(*c));

	*compress = c;
	if (!c)
		return -ENOMEM;
	c->level = level;
	c->zstd = ZSTD_createCCtx();
	if (c->zstd && !ZSTD_isError(ZSTD_CCtx_setParameter(c->zstd, ZSTD_c_compressionLevel,
							    level)))
		return 0;
	pd_compress_end(c);
	*compress = NULL;
	return -ENOMEM;
}

/** pd_compress_end() - free what compressing needed; NULL is nothing */
void pd_compress_end(struct pd_compress *c)
{
	if (c)
		ZSTD_freeCCtx(c->zstd);
	free(c);
}

/* Flushed, so that a reader has whole records wherever the file ends. */
static int put_chunk(struct pd_compress *c, struct pd_blob *b, const void *data, size_t size)
{
	size_t at = pd_blob_begin_record(b, PD_RECORD_COMPRESSED), body = b->size;
	ZSTD_inBuffer in = { .src = data, .size = size };
	ZSTD_outBuffer out = {
		.dst = pd_blob_put(b, NULL, ROOM(size)), .size = ZSTD_compressBound(size),
	};

	if (!out.dst || ZSTD_compressStream2(c->zstd, &out, &in, ZSTD_e_flush))
		return -ENOMEM;
	b->size = body + out.pos;
	while ((b->size - at) % PD_NAME_ALIGN)
		pd_blob_put(b, NULL, EMPTY_BLOCK);
	c->bytes_in += size;
	c->bytes_out += b->size - at;
	return pd_blob_end_record(b, at);
}

static int put_run(struct pd_compress *c, struct pd_blob *b, const struct iovec *run)
{
	size_t at, part;
	int err = 0;

	for (at = 0; !err && at < run->iov_len; at += part) {
		part = run->iov_len - at < CHUNK ? run->iov_len - at : CHUNK;
		err = put_chunk(c, b, (const char *)run->iov_base + at, part);
	}
	return err;
}

/**
 * pd_compress_put() - pd_writer_put() for records that are compressed
 * @c: NULL: they are not
 *
 * Return: 0; -errno: none of them is in the file, and pd_writer_keep() must follow.
 */
int pd_compress_put(struct pd_compress *c, struct pd_writer *w, const struct iovec *iov, int nr)
{
	struct pd_blob b = { 0 };
	int i, err = 0;

	if (!c)
		return pd_writer_put(w, iov, nr);
	for (i = 0; !err && i < nr; i++)
		err = put_run(c, &b, &iov[i]);
	if (!err)
		err = pd_writer_put_record(w, b.data, b.size);
	if (err)
		w->torn = 0;
	pd_blob_free(&b);
	return err;
}

/** pd_compress_feature() - make the feature section about the compression so far */
void pd_compress_feature(const struct pd_compress *c, struct pd_writer *w)
{
	struct pd_blob *b = pd_writer_feature(w, PD_FEAT_COMPRESSED);

	pd_blob_put_u32(b, FEATURE_VERSION);
	pd_blob_put_u32(b, FEATURE_ZSTD);
	pd_blob_put_u32(b, c->level);
	pd_blob_put_u32(b, c->bytes_out ? (c->bytes_in + c->bytes_out / 2) / c->bytes_out : 0);
	/* as much as a record may hold */
	pd_blob_put_u32(b, CHUNK);
}
