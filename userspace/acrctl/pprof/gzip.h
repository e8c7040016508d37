/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing a gzip file as its contents come. */
#ifndef _ACRCTL_PPROF_GZIP_H
#define _ACRCTL_PPROF_GZIP_H

#include <stdio.h>
#include <zlib.h>

struct gzip {
	FILE *out;
	z_stream z;
	int err;		/* of the first failure, -errno */
};

int gzip_begin(struct gzip *g, FILE *out);
void gzip_write(struct gzip *g, const void *data, size_t size);
int gzip_end(struct gzip *g);

#endif /* _ACRCTL_PPROF_GZIP_H */
