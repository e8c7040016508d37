// SPDX-License-Identifier: GPL-2.0-only
/* Auto counter reload in software: which of several overflows came first, and what they restart. */
#include "window.h"

u64 acrpmu_window_restarts(const struct acrpmu_group *group, unsigned int event)
{
	u64 events = group->sampled_events & BIT_ULL(event);
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (group->ev[i].cause_events & BIT_ULL(event))
			events |= BIT_ULL(i);
	}
	return events;
}

/* Compare without dividing: counters and periods have up to 64 bits. */
static bool is_before(const struct acrpmu_group *group, const u64 *period, const u64 *overshoot,
		      unsigned int a, unsigned int b)
{
	unsigned __int128 of_a = (unsigned __int128)overshoot[a] * period[b];
	unsigned __int128 of_b = (unsigned __int128)overshoot[b] * period[a];

	if (of_a != of_b)
		return of_a > of_b;
	return !(group->sampled_events & BIT_ULL(a)) && group->sampled_events & BIT_ULL(b);
}

static unsigned int first_of(const struct acrpmu_group *group, const u64 *period, u64 events,
			     const u64 *overshoot)
{
	unsigned int first = __ffs64(events);

	for (events &= events - 1; events; events &= events - 1) {
		unsigned int other = __ffs64(events);

		if (is_before(group, period, overshoot, other, first))
			first = other;
	}
	return first;
}

void acrpmu_window_end(const struct acrpmu_group *group, const u64 *period, u64 overflowed_events,
		       const u64 *overshoot, struct acrpmu_window *window)
{
	u64 left = overflowed_events;

	window->nr = 0;
	window->taken_events = 0;
	window->restarted_events = 0;
	while (left) {
		unsigned int event = first_of(group, period, left, overshoot);

		window->order[window->nr++] = event;
		window->taken_events |= BIT_ULL(event);
		window->restarted_events |= group->ev[event].restart_events;
		left &= ~(group->ev[event].restart_events | BIT_ULL(event));
	}
	window->dropped_events = overflowed_events & ~window->taken_events;
}

NOKPROBE_SYMBOL(acrpmu_window_end);
