// SPDX-License-Identifier: GPL-2.0-only
/* When rounds begin, by a clock that goes forward. */
#include "schedule.h"

/**
 * schedule_begin() - choose when the first round begins
 * @spread_ms: it begins up to so much later, up to a day
 * @random: any number, so that many machines do not send at once
 */
void schedule_begin(struct schedule *s, __u64 every_ms, __u64 spread_ms, __u64 now_ms, __u32 random)
{
	*s = (struct schedule){
		.every_ms = every_ms,
		.due_ms = now_ms + (spread_ms * random >> 32),
	};
}

/**
 * schedule_take() - a round that is due begins
 *
 * The system may have slept: whole periods since then are skipped.
 */
void schedule_take(struct schedule *s, __u64 now_ms)
{
	__u64 missed = (now_ms - s->due_ms) / s->every_ms;

	s->skipped += missed;
	s->due_ms += (missed + 1) * s->every_ms;
}

/**
 * schedule_skip() - a round has ended: skip those that were due before
 *
 * They do not begin late, so that a slow machine still rests between rounds.
 *
 * Return: how many.
 */
__u64 schedule_skip(struct schedule *s, __u64 now_ms)
{
	__u64 missed = now_ms < s->due_ms ? 0 : (now_ms - s->due_ms) / s->every_ms + 1;

	s->skipped += missed;
	s->due_ms += missed * s->every_ms;
	return missed;
}
