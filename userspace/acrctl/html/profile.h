/* SPDX-License-Identifier: GPL-2.0-only */
/* The samples of a recording added up: by time, event, CPU, task and stack. */
#ifndef _ACRCTL_HTML_PROFILE_H
#define _ACRCTL_HTML_PROFILE_H

#include "../../util/intern.h"
#include "../../util/tuples.h"
#include "../stack.h"
#include "html.h"

#define PROFILE_CELLS_MAX	(1024 * 1024)	/* in memory */
#define PROFILE_NODES_MAX	(256 * 1024)
#define PROFILE_BINS_MAX	1024
#define PROFILE_BINS_FEW	16		/* which are not made wider */
#define PROFILE_TASKS_MAX	256		/* that a page shows */

/* Kinds of frames. */
#define PROFILE_KERNEL		1
#define PROFILE_INLINED		2
#define PROFILE_GUEST		4
#define PROFILE_COMMAND		8		/* below the functions of a task */
#define PROFILE_MERGED		16		/* in place of stacks that are rare */

/* The words of tuples. */
enum profile_frame { FRAME_NAME, FRAME_FILE, FRAME_KIND, FRAME_WORDS };
enum profile_node { NODE_PARENT, NODE_FRAME, NODE_WORDS };
enum profile_task { TASK_PID, TASK_TID, TASK_COMM, TASK_WORDS };
/* PLACE_CPU is a number + 1, 0: not recorded */
enum profile_place { PLACE_EVENT, PLACE_CPU, PLACE_TASK, PLACE_WORDS };
enum profile_cell { CELL_BIN, CELL_PLACE, CELL_NODE, CELL_WORDS };

/* What samples add up to. */
struct profile_sum {
	__u64 samples;
	__u64 period;
};

struct profile_event {
	struct profile_sum sum;
	__u64 period;			/* of its first sample */
	bool varies;			/* others have another */
};

struct profile {
	struct view *view;
	struct stack stack;		/* of the current sample */
	struct intern texts;		/* number 0 is empty */
	struct tuples frames;
	struct tuples nodes;		/* stacks: a frame below another; a parent comes first */
	struct tuples tasks;		/* number 0 is in place of those that were merged */
	struct tuples places;
	struct tuples cells;		/* samples of the same time, place and stack */
	struct profile_sum *sums;	/* by number of a cell */
	size_t sums_room;
	struct profile_event *events;
	__u64 first_ns, last_ns;	/* of the samples with a time */
	unsigned int bin_shift;		/* a bin is 2 to the power of it, in nanoseconds */
	bool timed;
	bool chains;			/* some sample has a call chain */
	bool merged_tasks;		/* some are number 0 */
	__u64 samples;
};

/* profile.c */
int profile_count(struct profile *p, const uint64_t *cell, const struct profile_sum *sum);
size_t profile_merged_frame(struct profile *p);
unsigned int profile_bins(const struct profile *p);

/* bound.c */
int profile_shift_bins(struct profile *p, unsigned int shift);
int profile_bound(struct profile *p);
int profile_finish(struct profile *p);

#endif /* _ACRCTL_HTML_PROFILE_H */
