/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording played back: samples in time order, with what was mapped at that moment. */
#ifndef _ACRCTL_VIEW_H
#define _ACRCTL_VIEW_H

#include "../perfdata/reader.h"
#include "../symbols/space.h"

/**
 * struct view - a recording being played back
 * @reader: the file
 * @space: processes and their maps at the current moment
 * @next: number of the next record
 * @lost: samples lost, by the records that say so
 * @lost_sideband: records lost about tasks and maps
 * @throttled: records of in-tree perf about throttling
 * @malformed: records that could not be taken apart
 * @unknown: samples of no event of the file
 * @out_of_memory: some record could not be followed for lack of memory
 */
struct view {
	struct pd_reader reader;
	struct sym_space space;
	size_t next;
	__u64 lost;
	__u64 lost_sideband;
	__u64 throttled;
	__u64 malformed;
	__u64 unknown;
	bool out_of_memory;
};

int view_begin(struct view *v);
bool view_next(struct view *v, struct pd_sample *s);
bool view_is_dummy(const struct pd_file_event *e);
bool view_is_kernel(const struct pd_sample *s);
void view_end(struct view *v);
int view_open(struct view *v, int fd, const char *path);
int view_close_notes(const struct view *v, const char *path);

#endif /* _ACRCTL_VIEW_H */
