/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading a perf.data file or stream: events, records in time order, feature sections. */
#ifndef _PERFDATA_READER_H
#define _PERFDATA_READER_H

#include <stdbool.h>
#include <stddef.h>

#include "format.h"
#include "window.h"

#define PD_ERROR_LEN	256

/**
 * struct pd_file_event - an event of a file being read
 * @attr: its attributes; what the file's are too short for is 0
 * @name: from the file, or made of type and config; allocated
 * @ids: its ids
 * @nr_ids: how many
 * @group: index of the event that leads its group, its own if none
 */
struct pd_file_event {
	struct perf_event_attr attr;
	char *name;
	__u64 *ids;
	__u32 nr_ids;
	__u32 group;
};

/**
 * struct pd_id - which event an id belongs to
 * @id: the id
 * @event: index of the event
 */
struct pd_id {
	__u64 id;
	__u32 event;
};

/**
 * struct pd_reader - a file being read; nothing in it is trusted
 * @data: the whole file, NULL: it is read by @windows
 * @windows: the file read piece by piece, NULL: it is in @data
 * @size: its bytes
 * @owned: @data is freed with the reader
 * @header: its header, sections checked to lie in the file; of a stream as if it were a file's
 * @sections: where the feature sections lie that @header names
 * @truncated: the file was not finished, or its last record or a feature section is cut off
 * @events: the events
 * @nr_events: how many
 * @ids: all ids, sorted
 * @nr_ids: how many
 * @aligned: room for a record that lies at an odd place, NULL: none does
 * @notes: offsets of records that are about events, features and build-ids, as streams have them
 * @nr_notes: how many
 * @index: offsets of the records, ordered by time
 * @nr_records: how many
 * @error: what went wrong, in words
 */
struct pd_reader {
	const unsigned char *data;
	struct pd_windows *windows;
	__u64 size;
	bool owned;
	struct pd_file_header header;
	struct pd_section sections[PD_NR_FEATURE_BITS];
	bool truncated;
	struct pd_file_event *events;
	__u32 nr_events;
	struct pd_id *ids;
	size_t nr_ids;
	__u64 *aligned;
	__u64 *notes;
	size_t nr_notes;
	__u64 *index;
	size_t nr_records;
	char error[PD_ERROR_LEN];
};

/**
 * struct pd_sample - what is known of a record
 * @type: PERF_RECORD_*
 * @misc: as in its header
 * @event: index of the event, -1 if unknown
 * @fields: PERF_SAMPLE_* bits of the members that are valid
 * @ip: instruction pointer
 * @pid: process
 * @tid: thread
 * @time: nanoseconds
 * @addr: data address
 * @id: the event's id
 * @stream_id: the id of its counter
 * @cpu: CPU number
 * @period: occurrences that the sample stands for
 */
struct pd_sample {
	__u32 type;
	__u16 misc;
	__s32 event;
	__u64 fields;
	__u64 ip;
	__u32 pid;
	__u32 tid;
	__u64 time;
	__u64 addr;
	__u64 id;
	__u64 stream_id;
	__u32 cpu;
	__u64 period;
};

int pd_reader_open_fd(struct pd_reader *r, int fd);
int pd_reader_open_mem(struct pd_reader *r, const void *data, size_t size);
void pd_reader_close(struct pd_reader *r);
bool pd_reader_has(const struct pd_reader *r, unsigned int feature);
bool pd_reader_section(const struct pd_reader *r, unsigned int feature, struct pd_section *s);
int pd_reader_string(const struct pd_reader *r, unsigned int feature, char *buf, size_t len);
int pd_reader_cmdline(const struct pd_reader *r, char *buf, size_t len);
const struct perf_event_header *pd_reader_record(const struct pd_reader *r, size_t n);
int pd_reader_error(const struct pd_reader *r);
int pd_reader_event_of(const struct pd_reader *r, __u64 id);
bool pd_reader_decode(const struct pd_reader *r, const struct perf_event_header *h,
		      struct pd_sample *s);

/**
 * typedef pd_build_id_fn - what is done with an entry of the build-id table
 * @arg: as given to pd_reader_build_ids()
 * @id: the build-id
 * @size: its bytes
 * @name: path of the file, or a name in brackets
 *
 * Return: 0 to go on.
 */
typedef int (*pd_build_id_fn)(void *arg, const __u8 *id, unsigned int size, const char *name);
int pd_reader_build_ids(const struct pd_reader *r, pd_build_id_fn fn, void *arg);

#endif /* _PERFDATA_READER_H */
