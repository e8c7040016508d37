// SPDX-License-Identifier: GPL-2.0-only
/* When to try a server again, and what its answers mean. */
#include "backoff.h"

#include <stddef.h>

#include "../util/util.h"

#define MSEC_PER_SEC	1000

/**
 * push_backoff_failed() - note a failure, and choose the next time
 * @retry_after_s: what the server asked for, 0: nothing
 * @random: any number, so that many machines do not come back at once
 */
void push_backoff_failed(struct push_backoff *b, __u64 now_ms, __u64 retry_after_s, __u32 random)
{
	__u64 asked_ms = PUSH_BACKOFF_ASKED_MS, ms = PUSH_BACKOFF_FIRST_MS;
	unsigned int i;

	for (i = 0; i < b->failures && ms < PUSH_BACKOFF_MAX_MS; i++)
		ms *= 2;
	if (ms > PUSH_BACKOFF_MAX_MS)
		ms = PUSH_BACKOFF_MAX_MS;
	/* from half of it to the whole */
	ms -= ms / 2 * random >> 32;
	if (retry_after_s < PUSH_BACKOFF_ASKED_MS / MSEC_PER_SEC)
		asked_ms = retry_after_s * MSEC_PER_SEC;
	b->asked = asked_ms > ms;
	/* all machines were asked alike: they come one after another then, too */
	if (b->asked)
		ms = asked_ms + ms / 2;
	b->failures++;
	b->due_ms = now_ms + ms;
}

/**
 * push_backoff_worked() - note that the server works
 */
void push_backoff_worked(struct push_backoff *b)
{
	*b = (struct push_backoff){ 0 };
}

/**
 * push_backoff_hurry() - try once more now, because there is little time left
 *
 * What a server asked for is respected.
 */
void push_backoff_hurry(struct push_backoff *b, __u64 now_ms)
{
	if (b->asked)
		return;
	b->failures = 0;
	b->due_ms = now_ms;
}

/**
 * push_verdict() - judge a request
 * @status: of HTTP, 0: none came
 * @answered: the request was sent as a whole
 *
 * Final is only what is about the profile itself; all else an administrator can mend.
 */
enum push_verdict push_verdict(long status, bool answered)
{
	static const long final[] = { 400, 413, 415, 422 };
	size_t i;

	if (status >= 200 && status < 300)
		return answered ? PUSH_DELIVERED : PUSH_RETRY;
	for (i = 0; i < ARRAY_SIZE(final); i++) {
		if (status == final[i])
			return PUSH_REJECT;
	}
	return PUSH_RETRY;
}
