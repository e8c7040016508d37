/* SPDX-License-Identifier: GPL-2.0-only */
/* Writing a perf.data file: a stream of events and records, then features and the final header. */
#ifndef _PERFDATA_WRITER_H
#define _PERFDATA_WRITER_H

#include <stdint.h>
#include <sys/uio.h>

#include "blob.h"
#include "format.h"

/* An event as the file describes it. */
struct pd_event {
	struct perf_event_attr attr;
	const char *name;
	const __u64 *ids;	/* those in its records */
	__u32 nr_ids;		/* may be 0 */
};

/* as many ids of one event as a record of a stream has room for */
#define PD_EVENT_IDS_MAX	((UINT16_MAX - sizeof(struct perf_event_header) - \
				  sizeof(struct perf_event_attr)) / sizeof(__u64))

/* A file or stream being written. */
struct pd_writer {
	int fd;						/* at the end of records; the caller's */
	__u64 size;					/* bytes up to there */
	__u64 torn;					/* and those of a write that failed */
	struct pd_file_header header;			/* to be written last */
	struct pd_file_header start;			/* the same bytes until then */
	struct pd_blob features[PD_NR_FEATURE_BITS];	/* contents of sections */
};

int pd_writer_begin(struct pd_writer *w, int fd, const struct pd_event *in_file,
		    const struct pd_event *in_stream, unsigned int nr);
void pd_writer_begin_data(struct pd_writer *w);
int pd_writer_put(struct pd_writer *w, const struct iovec *iov, int nr);
int pd_writer_put_record(struct pd_writer *w, const void *record, size_t size);
int pd_writer_put_at(struct pd_writer *w, __u64 offset, const void *data, size_t size);
void pd_writer_keep(struct pd_writer *w, __u64 bytes);
struct pd_blob *pd_writer_feature(struct pd_writer *w, unsigned int feature);
void pd_writer_feature_string(struct pd_writer *w, unsigned int feature, const char *s);
void pd_writer_feature_events(struct pd_writer *w, const struct pd_event *events, unsigned int nr);
void pd_writer_drop_feature(struct pd_writer *w, unsigned int feature);
int pd_writer_finish(struct pd_writer *w);
void pd_writer_free(struct pd_writer *w);

/* stream_writer.c */
int pd_stream_put_start(struct pd_blob *b, const struct pd_event *events, unsigned int nr);
int pd_stream_begin(struct pd_writer *w, int fd, const struct pd_event *events, unsigned int nr);
int pd_stream_features(struct pd_writer *w);

#endif /* _PERFDATA_WRITER_H */
