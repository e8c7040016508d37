/* SPDX-License-Identifier: GPL-2.0-only */
/* A growing buffer that encodes numbers and strings as perf.data does. */
#ifndef _PERFDATA_BLOB_H
#define _PERFDATA_BLOB_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/* Bytes collected so far; zeroed it is empty. */
struct pd_blob {
	unsigned char *data;
	size_t size;
	size_t room;
	bool failed;	/* out of memory; nothing more is added */
};

void pd_blob_free(struct pd_blob *b);
void *pd_blob_put(struct pd_blob *b, const void *data, size_t size);
void pd_blob_put_u32(struct pd_blob *b, __u32 value);
void pd_blob_put_u64(struct pd_blob *b, __u64 value);
void pd_blob_put_string(struct pd_blob *b, const char *s);
void pd_blob_put_padded(struct pd_blob *b, const char *s, size_t align);
size_t pd_blob_begin_record(struct pd_blob *b, __u32 type);
int pd_blob_end_record(struct pd_blob *b, size_t at);

#endif /* _PERFDATA_BLOB_H */
