/* SPDX-License-Identifier: GPL-2.0-only */
/* A recording played back: samples in time order, with what was mapped at that moment. */
#ifndef _ACRCTL_VIEW_H
#define _ACRCTL_VIEW_H

#include "../perfdata/reader.h"
#include "../symbols/space.h"
#include "sources.h"

/* In place of the file and the symbol of samples taken in a virtual machine. */
#define VIEW_GUEST_NAME		"[guest]"

/* How code runs, as reports mark it. */
#define VIEW_LEVEL_USER		'.'
#define VIEW_LEVEL_KERNEL	'k'
#define VIEW_LEVEL_GUEST	'g'

/* Sums over the tasks of an event. */
struct view_times {
	bool known;			/* from records of the file */
	__u64 count;			/* of occurrences */
	__u64 enabled_ns;		/* for which they ran while it was enabled */
	__u64 running_ns;		/* of it the time for which it counted */
	bool of_cpus;			/* of CPUs: in the rest it lacked some */
	bool taken;			/* somebody else took a CPU: there is no @count */
};

struct view {
	struct pd_reader reader;
	struct sym_space space;		/* processes and their maps at the current moment */
	size_t next;			/* number of the next record */
	__u64 until;			/* records after this time are left for later, 0: none */
	__u64 lost;			/* samples, according to records of the file */
	__u64 lost_sideband;		/* records about tasks and maps */
	__u64 pauses;			/* of an event or session beyond its limits */
	struct view_times *times;	/* by event, NULL: none is known */
	__u64 malformed;		/* records */
	__u64 unknown;			/* samples of no event of the file */
	struct sources_open sources;	/* of files */
	bool out_of_memory;		/* some record could not be applied */
	struct progress progress;	/* of opening it, then of playing it back */
};

int view_begin(struct view *v);
size_t view_next_some(struct view *v, struct pd_sample *s, size_t max);
bool view_next(struct view *v, struct pd_sample *s);
bool view_is_dummy(const struct pd_file_event *e);
bool view_is_kernel(const struct pd_sample *s);
bool view_is_guest(const struct pd_sample *s);
const char *view_level_name(char level);
struct view_times view_times_of(const struct view *v, __u32 event);
__u64 view_lost_cpus_ns(const struct view *v);
const char *view_taken(const struct view *v);
void view_resolve(struct view *v, const struct pd_sample *s, bool symbol, struct sym_location *loc);
void view_end(struct view *v);
struct pd_watch view_watch(struct view *v);
int view_open(struct view *v, int fd, const char *path);

/* view_notes.c */
int view_close_notes(const struct view *v, const char *path);

#endif /* _ACRCTL_VIEW_H */
