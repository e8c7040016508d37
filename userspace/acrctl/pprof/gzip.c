// SPDX-License-Identifier: GPL-2.0-only
/* Writing a gzip file as its contents come. */
#include "gzip.h"

#include <errno.h>

#define GZIP_WINDOW	(15 + 16)	/* zlib's number for gzip with the largest window */
#define MEMORY_LEVEL	8		/* zlib's default */
#define CHUNK		16384

/**
 * gzip_begin() - begin to write; gzip_end() in any case
 *
 * Return: 0 or -ENOMEM.
 */
int gzip_begin(struct gzip *g, FILE *out)
{
	*g = (struct gzip){ .out = out };
	if (deflateInit2(&g->z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, GZIP_WINDOW, MEMORY_LEVEL,
			 Z_DEFAULT_STRATEGY) != Z_OK)
		g->err = -ENOMEM;
	return g->err;
}

static void deflate_some(struct gzip *g, int flush)
{
	unsigned char chunk[CHUNK];

	do {
		size_t size;

		g->z.next_out = chunk;
		g->z.avail_out = sizeof(chunk);
		deflate(&g->z, flush);
		size = sizeof(chunk) - g->z.avail_out;
		errno = 0;
		if (fwrite(chunk, 1, size, g->out) != size)
			g->err = errno ? -errno : -EIO;
	} while (!g->err && !g->z.avail_out);
}

/**
 * gzip_write() - append bytes, fewer than 4 GiB; after a failure nothing more is written
 */
void gzip_write(struct gzip *g, const void *data, size_t size)
{
	g->z.next_in = (unsigned char *)data;
	g->z.avail_in = size;
	if (!g->err)
		deflate_some(g, Z_NO_FLUSH);
}

/**
 * gzip_end() - write what is left
 *
 * Return: 0; -errno if anything was not written.
 */
int gzip_end(struct gzip *g)
{
	if (!g->err)
		deflate_some(g, Z_FINISH);
	deflateEnd(&g->z);
	return g->err;
}
