// SPDX-License-Identifier: GPL-2.0-only
/* Groups that do not fit at once take turns: which one is next, and how counts scale. */
#include "stat.h"

/* Order those that run, or those that wait: longest first, then by number; returns how many. */
static unsigned int sort(struct stat_turns *t, bool runs)
{
	unsigned int i, at, nr = 0;

	for (i = 0; i < t->nr; i++) {
		if (t->groups[i].runs != runs)
			continue;
		for (at = nr; at && t->groups[t->order[at - 1]].since > t->groups[i].since; at--)
			t->order[at] = t->order[at - 1];
		t->order[at] = i;
		nr++;
	}
	return nr;
}

static bool try(struct stat_turns *t, unsigned int group)
{
	if (!t->run(t->ctx, group))
		return false;
	t->groups[group] = (struct stat_turn){ .runs = true, .since = t->turn };
	return true;
}

/* Stop one after another, longest running first, until the group can run. */
static void make_room(struct stat_turns *t, unsigned int group)
{
	unsigned int i, nr = sort(t, true);

	for (i = 0; i < nr; i++) {
		unsigned int other = t->order[i];

		t->stop(t->ctx, other);
		t->groups[other] = (struct stat_turn){ .runs = false, .since = t->turn };
		if (try(t, group))
			return;
	}
}

/**
 * stat_turns_next() - begin the next turn
 *
 * The group that has waited longest runs, if it can at all; no more groups are stopped than that
 * takes.  Then all others that wait and fit run, too.  A group that cannot run stays first in line.
 *
 * Return: how many run.
 */
unsigned int stat_turns_next(struct stat_turns *t)
{
	unsigned int i, nr = sort(t, false);

	t->turn++;
	if (nr) {
		unsigned int first = t->order[0];

		if (!try(t, first))
			make_room(t, first);
	}
	nr = sort(t, false);
	for (i = 0; i < nr; i++)
		try(t, t->order[i]);
	return sort(t, true);
}

/**
 * stat_turns_scale() - estimate a count for the whole time from the time that its group ran
 *
 * Return: @raw * @total_ns / @running_ns, rounded to the nearest whole number and limited to 64
 * bits; 0 if the group did not run.
 */
__u64 stat_turns_scale(__u64 raw, __u64 running_ns, __u64 total_ns)
{
	unsigned __int128 scaled;

	if (!running_ns)
		return 0;
	scaled = ((unsigned __int128)raw * total_ns + running_ns / 2) / running_ns;
	return scaled > ~0ULL ? ~0ULL : scaled;
}
