/* SPDX-License-Identifier: GPL-2.0-only */
/* When to try a server again, and what its answers mean. */
#ifndef _PUSH_BACKOFF_H
#define _PUSH_BACKOFF_H

#include <stdbool.h>
#include <linux/types.h>

/* after the first failure; each further one doubles it */
#define PUSH_BACKOFF_FIRST_MS	1000
#define PUSH_BACKOFF_MAX_MS	300000
/* longest that a server may ask for (Retry-After) */
#define PUSH_BACKOFF_ASKED_MS	3600000

/* What is known of a server; zeroed: nothing.  Times are of any clock that goes forward. */
struct push_backoff {
	unsigned int failures;		/* in a row */
	bool asked;			/* the server chose @due_ms */
	__u64 due_ms;			/* not before */
};

/* What became of a request. */
enum push_verdict {
	PUSH_DELIVERED,
	PUSH_RETRY,			/* another time it may be accepted */
	PUSH_REJECT,			/* never */
};

void push_backoff_failed(struct push_backoff *b, __u64 now_ms, __u64 retry_after_s, __u32 random);
void push_backoff_worked(struct push_backoff *b);
void push_backoff_hurry(struct push_backoff *b, __u64 now_ms);
enum push_verdict push_verdict(long status, bool answered);

#endif /* _PUSH_BACKOFF_H */
