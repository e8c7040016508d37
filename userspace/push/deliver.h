/* SPDX-License-Identifier: GPL-2.0-only */
/* Sending what a queue holds, to whom it is for, when they are ready. */
#ifndef _PUSH_DELIVER_H
#define _PUSH_DELIVER_H

#include "pusher.h"

/* A URL of entries. */
struct push_route {
	__u64 id;
	struct push_backoff backoff;
	char why[PUSH_WHY_LEN];		/* the failure that was reported, empty: none */
};

struct push_delivery {
	const struct push_options *options;
	struct push_counts *counts;
	struct push_queue *queue;
	struct push_client *client;
	struct push_loaded loaded;	/* is being sent */
	struct push_route *routes;
	size_t nr_routes;
	__u64 deadline_ms;		/* CLOCK_MONOTONIC, 0: none */
	__u64 dropped;			/* profiles, since the queue was last half empty */
	__u64 report_at;		/* so many of them are the next message, 0: any */
};

__u64 push_now_ms(void);
void push_deliver_say(const struct push_delivery *d, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
void push_deliver_dropped(struct push_delivery *d, __u64 nr);
void push_deliver_next(struct push_delivery *d);
int push_deliver_timeout_ms(const struct push_delivery *d);
void push_deliver_result(struct push_delivery *d, const struct push_result *r);
void push_deliver_finish(struct push_delivery *d);
bool push_deliver_is_over(const struct push_delivery *d);
void push_deliver_free(struct push_delivery *d);

#endif /* _PUSH_DELIVER_H */
