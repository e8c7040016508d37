// SPDX-License-Identifier: GPL-2.0-only
/* How many windows of a condition did not match, from counts of its events. */
#include "windows.h"

__extension__ typedef unsigned __int128 u128;

/* Windows that the rest of a count needs, if each holds so much at most. */
static u128 needed(u128 count, u128 elsewhere, u128 each)
{
	return count > elsewhere ? (count - elsewhere + each - 1) / each : 0;
}

/*
 * No window holds more of an event than this: its overflow would have ended the window before. Ties
 * are included.
 */
static u128 most_in(const struct windows_event *ev)
{
	return (u128)ev->period + WINDOWS_EXCESS;
}

static __u64 limited(u128 n)
{
	return n < ~0ULL ? n : ~0ULL;
}

/**
 * windows_bound() - bound the number of windows that ended without a match
 *
 * A window that matched holds a period of the sampled event.  One that did not holds less than
 * that, and the whole period of the limit that ended it.
 *
 * - What was counted of the sampled event is in windows that matched, in others, in those that
 *   never ended, or between an overflow and a late interrupt.  So others are at least as many as
 *   hold what is left.
 * - Each limit is in windows of all kinds, and no window holds more than a period of it.
 * - Each window without a match has used up a period of some limit, perhaps from before the
 *   beginning.
 *
 * In each, a bit is added for events that occur several times in a cycle.
 */
void windows_bound(const struct windows_counts *c, struct windows_bounds *bounds)
{
	u128 most = 0, least, in_matches = most_in(&c->ev[0]) + WINDOWS_SKID;
	unsigned int i;

	least = needed(c->ev[0].count, c->matches * in_matches + c->open * most_in(&c->ev[0]),
		       most_in(&c->ev[0]));
	for (i = 1; i < c->nr; i++) {
		const struct windows_event *ev = &c->ev[i];
		u128 need = needed(ev->count, ((u128)c->matches + c->open) * most_in(ev),
				   most_in(ev));

		if (need > least)
			least = need;
		most += (ev->count + c->begun * most_in(ev)) / ev->period;
	}
	bounds->least = limited(least);
	bounds->most = limited(most);
}
