/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions shared by the files of the reader, each of which needs only those listed above it. */
#ifndef _PERFDATA_INTERNAL_H
#define _PERFDATA_INTERNAL_H

#include "reader.h"

/* Position in a feature section or record; nothing is read beyond its end. */
struct pd_cursor {
	const struct pd_reader *r;
	__u64 at;	/* offset in the file */
	__u64 left;	/* bytes up to the end */
};

/* access.c */
int pd_fail(struct pd_reader *r, int err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int pd_fail_reading(struct pd_reader *r);
void pd_watch_step(const struct pd_reader *r, __u64 done, __u64 total);
const void *pd_piece(const struct pd_reader *r, __u64 offset, size_t size);
size_t pd_ahead(const struct pd_reader *r, __u64 offset);
bool pd_read_at(const struct pd_reader *r, __u64 offset, void *buf, size_t size);
bool pd_section_fits(const struct pd_reader *r, const struct pd_section *s);
bool pd_cursor_skip(struct pd_cursor *c, __u64 size);
const void *pd_cursor_take(struct pd_cursor *c, size_t size);
bool pd_cursor_u32(struct pd_cursor *c, __u32 *value);
const char *pd_cursor_string(struct pd_cursor *c);

/* feature.c */
void pd_features_find(struct pd_reader *r);
bool pd_feature_cursor(const struct pd_reader *r, unsigned int feature, struct pd_cursor *c);

/* event.c */
int pd_event_add(struct pd_reader *r, const struct pd_section *attr, const struct pd_section *ids);
int pd_event_set_name(struct pd_reader *r, struct pd_file_event *e, const char *name, size_t len);
int pd_events_read(struct pd_reader *r);
int pd_events_index_ids(struct pd_reader *r);
int pd_events_read_names(struct pd_reader *r);
void pd_events_read_groups(struct pd_reader *r);
const struct perf_event_attr *pd_event_attr(const struct pd_reader *r,
					    const struct perf_event_header *h);

/* order.c */
struct pd_order *pd_order_make(void);
void pd_order_free(struct pd_order *o);
int pd_order_add(struct pd_order *o, const struct perf_event_header *h, __u64 at, __u64 time);
int pd_order_add_samples(struct pd_order *o, __u64 at, __u64 end, __u64 first, __u64 last);
int pd_order_begin(struct pd_order *o);
__u64 pd_order_ahead(const struct pd_order *o, __u64 *at, __u64 *until);
void pd_order_advance(struct pd_order *o, size_t nr, __u64 at, size_t size);

/* record.c */
int pd_records_read(struct pd_reader *r);
const struct perf_event_header *pd_record_at(const struct pd_reader *r, __u64 at);
__u64 pd_record_time(const struct pd_reader *r, const struct perf_event_header *h, __u64 before);
bool pd_note_cursor(const struct pd_reader *r, size_t n, __u32 type, struct pd_cursor *c);

/* expand.c */
int pd_expand(struct pd_reader *r);

/* stream_reader.c */
int pd_stream_read_events(struct pd_reader *r);
int pd_stream_read_names(struct pd_reader *r);

#endif /* _PERFDATA_INTERNAL_H */
