/* SPDX-License-Identifier: GPL-2.0-only */
/* Profiles on disk that wait for being sent: a directory of bounded size, with one owner. */
#ifndef _PUSH_QUEUE_H
#define _PUSH_QUEUE_H

#include <linux/types.h>

#include "entry.h"

/* smallest size that may be asked for */
#define PUSH_QUEUE_MIN_BYTES	(1 << 20)
/* "19 digits" and a suffix */
#define PUSH_QUEUE_NAME_LEN	32

/* A file of the queue. */
struct push_item {
	__u64 id;			/* its name; older ones are smaller */
	__u64 bytes;			/* on disk */
	__u64 route;			/* items with the same URL have the same */
	unsigned int tries;		/* by this process */
	bool rejected;			/* set aside */
};

struct push_queue {
	int dir_fd;			/* -1: not open */
	int rejected_fd;		/* the directory in it */
	int lock_fd;
	__u64 max_bytes;		/* of all files together */
	__u64 bytes;			/* of those that exist */
	struct push_item *items;	/* by age */
	size_t nr;
	size_t room;
	__u64 last_id;
	__u64 busy_id;			/* is being sent and must stay, 0: none */
	__u64 dropped;			/* entries that had to make room */
	__u64 leftovers;		/* unfinished files of an earlier owner, removed */
};

#define PUSH_QUEUE_CLOSED	{ .dir_fd = -1, .rejected_fd = -1, .lock_fd = -1 }

int push_queue_lock(struct push_queue *q, const char *path, const char **why);
int push_queue_scan(struct push_queue *q, __u64 max_bytes);
int push_queue_put(struct push_queue *q, const struct push_entry *e, const void *profile);
struct push_item *push_queue_find(struct push_queue *q, __u64 id);
int push_queue_load(const struct push_queue *q, const struct push_item *i, struct push_loaded *l);
int push_queue_remove(struct push_queue *q, struct push_item *i);
int push_queue_reject(struct push_queue *q, struct push_item *i, const char *reason);
size_t push_queue_waiting(const struct push_queue *q);
__u64 push_queue_route(const char *url);
void push_queue_close(struct push_queue *q);

#endif /* _PUSH_QUEUE_H */
