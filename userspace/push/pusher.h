/* SPDX-License-Identifier: GPL-2.0-only */
/* A process that stores profiles in a queue and sends them. */
#ifndef _PUSH_PUSHER_H
#define _PUSH_PUSHER_H

#include <stdbool.h>
#include <sys/types.h>

#include "client.h"
#include "queue.h"

struct push_options {
	const char *prefix;		/* of messages: "acrctl: record: " */
	const char *queue_path;
	__u64 queue_bytes;		/* of the queue, at most */
	__u64 finish_ms;		/* for sending, once nothing more comes */
	bool quiet;			/* no message but about what is lost */
	struct push_access access;
};

/* In memory that both processes share; written by the pusher only. */
struct push_counts {
	__u64 stored;			/* profiles that it was given and has put into the queue */
	__u64 delivered;
	__u64 rejected;			/* by a server, or damaged: set aside */
	__u64 dropped;			/* the queue had no room for them */
	__u64 waiting;			/* in the queue, at last */
	__u64 failures;			/* attempts that will be repeated */
};

struct pusher {
	pid_t pid;			/* 0: not running */
	int fd;				/* to it, -1: closed */
	__u64 given;			/* profiles */
	struct push_counts *counts;	/* NULL: never started */
	struct push_queue queue;	/* the lock, which the process inherits */
};

#define PUSHER_IDLE	{ .fd = -1, .queue = PUSH_QUEUE_CLOSED }

int pusher_start(struct pusher *p, const struct push_options *o);
int pusher_give(struct pusher *p, const struct push_entry *e, int profile_fd);
void pusher_end(struct pusher *p);
bool pusher_reap(struct pusher *p, bool wait);
void pusher_kill(struct pusher *p);
__u64 pusher_lost(const struct pusher *p);
void pusher_close(struct pusher *p);

#endif /* _PUSH_PUSHER_H */
