/* SPDX-License-Identifier: GPL-2.0-only */
/* Compressing records with zstd, as perf record -z does. */
#ifndef _PERFDATA_COMPRESS_H
#define _PERFDATA_COMPRESS_H

#include "writer.h"

#define PD_LEVEL_DEFAULT	1
#define PD_LEVEL_MAX		22

struct pd_compress;

int pd_compress_begin(struct pd_compress **compress, int level);
void pd_compress_end(struct pd_compress *c);
int pd_compress_put(struct pd_compress *c, struct pd_writer *w, const struct iovec *iov, int nr);
void pd_compress_feature(const struct pd_compress *c, struct pd_writer *w);

#endif /* _PERFDATA_COMPRESS_H */
