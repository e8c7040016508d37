/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a perf.data file or stream: events, records in time order, feature sections. */
#ifndef _PERFDATA_READER_H
#define _PERFDATA_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "format.h"
#include "window.h"

#define PD_ERROR_LEN	256

/* An event of a file being read. */
struct pd_file_event {
	struct perf_event_attr attr;	/* 0 where that of the file is shorter */
	char *name;			/* from the file, or made of type and config */
	__u64 *ids;
	__u32 nr_ids;
	__u32 group;			/* index of the event that leads its group, or its own */
};

/* An id and the index of the event to which it belongs. */
struct pd_id {
	__u64 id;
	__u32 event;
};

/* Hears how many bytes are done, of how many, 0: of an unknown number; zeroed it hears nothing. */
struct pd_watch {
	void (*step)(void *arg, __u64 done, __u64 total);
	void *arg;
};

struct pd_order;

/* A file being read; nothing in it is trusted. */
struct pd_reader {
	const unsigned char *data;	/* the whole file, or NULL if @windows reads it */
	struct pd_windows *windows;
	__u64 size;			/* with @expanded */
	struct pd_windows *expanded;	/* copy of compressed records, or NULL */
	__u64 expanded_at;		/* offset at which it seems to lie */
	bool compressed;		/* some records are */
	bool owned;			/* pd_reader_close() frees @data */
	struct pd_file_header header;	/* its sections lie in the file; made up for a stream */
	struct pd_section sections[PD_NR_FEATURE_BITS];	/* of the features in @header */
	bool unfinished;		/* its writer has not closed it */
	bool truncated;			/* the end is missing */
	struct pd_file_event *events;
	__u32 nr_events;
	struct pd_id *ids;		/* of all events, sorted */
	size_t nr_ids;
	__u64 *aligned;			/* copy of a record at an unaligned offset, or NULL */
	__u64 *notes;			/* offsets of records about events, features, build-ids */
	size_t nr_notes;
	struct pd_order *order;		/* of all records, by time */
	size_t nr_records;
	bool alike;			/* samples of all events begin alike, up to their times */
	bool same;			/* they agree in all fields that are parsed */
	__u64 last_time;		/* of the last in the file */
	__u64 newest;			/* the latest time of all */
	struct pd_watch watch;		/* of opening */
	char error[PD_ERROR_LEN];	/* message, valid if opening failed */
};

/* The fields of a record. */
struct pd_sample {
	__u32 type;		/* PERF_RECORD_* */
	__u16 misc;		/* as in its header */
	__s32 event;		/* index of the event, -1 if unknown */
	__u64 fields;		/* PERF_SAMPLE_* bits of those that follow and are valid */
	__u64 ip;
	__u32 pid;
	__u32 tid;
	__u64 time;		/* in nanoseconds */
	__u64 addr;
	__u64 id;		/* of the event */
	__u64 stream_id;	/* of its counter */
	__u32 cpu;
	__u64 period;
	const __u64 *chain;	/* frames and markers, innermost first, until the next record */
	__u64 nr_chain;
};

int pd_reader_open_fd(struct pd_reader *r, int fd);
int pd_reader_open_watched(struct pd_reader *r, int fd, struct pd_watch watch);
int pd_reader_open_mem(struct pd_reader *r, const void *data, size_t size);
void pd_reader_close(struct pd_reader *r);
bool pd_reader_has(const struct pd_reader *r, unsigned int feature);
bool pd_reader_section(const struct pd_reader *r, unsigned int feature, struct pd_section *s);
size_t pd_reader_text_room(const struct pd_reader *r, unsigned int feature);
int pd_reader_string(const struct pd_reader *r, unsigned int feature, char *buf, size_t len);
int pd_reader_argument(const struct pd_reader *r, __u32 n, char *buf, size_t len);
int pd_reader_cmdline(const struct pd_reader *r, char *buf, size_t len);
const struct perf_event_header *pd_reader_record(const struct pd_reader *r, size_t n);
void pd_reader_any_order(struct pd_reader *r);
int pd_reader_error(const struct pd_reader *r);
int pd_reader_event_of(const struct pd_reader *r, __u64 id);
size_t pd_reader_samples(const struct pd_reader *r, size_t n, struct pd_sample *s, size_t max);
bool pd_reader_decode(const struct pd_reader *r, const struct perf_event_header *h,
		      struct pd_sample *s);

/* Called with a build-id of @size bytes and the name of its file; a value other than 0 ends. */
typedef int (*pd_build_id_fn)(void *arg, const __u8 *id, unsigned int size, const char *name);
int pd_reader_build_ids(const struct pd_reader *r, pd_build_id_fn fn, void *arg);

#endif /* _PERFDATA_READER_H */
