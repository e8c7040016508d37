/* SPDX-License-Identifier: GPL-2.0-only */
/* Auto counter reload in software: which of several overflows came first, and what they restart. */
#ifndef _ACRPMU_CORE_WINDOW_H
#define _ACRPMU_CORE_WINDOW_H

#include "group.h"
#include "types.h"

/**
 * struct acrpmu_window - what the overflows found at one moment do
 * @nr: overflows that count, elements of @order
 * @order: their events, in the order in which they are taken to have come
 * @taken_events: the same as a mask over events
 * @dropped_events: mask over events: those that overflowed, but only after another event's overflow
 *	had ended their window
 * @restarted_events: mask over events: those with counters that start anew
 */
struct acrpmu_window {
	unsigned int nr;
	u8 order[ACRPMU_MAX_EVENTS];
	u64 taken_events;
	u64 dropped_events;
	u64 restarted_events;
};

/**
 * acrpmu_window_restarts() - find the events that the overflow of an event restarts
 * @group: a checked group
 * @event: index of the event
 *
 * The same as hardware reloads: those that have it as a cause.  A sampled event restarts too, which
 * with hardware is done by the PMI.
 *
 * Context: any.
 * Return: mask over events.
 */
u64 acrpmu_window_restarts(const struct acrpmu_group *group, unsigned int event);

/**
 * acrpmu_window_end() - order overflows found at the same moment, and find what they restart
 * @group: a checked group of events that software restarts
 * @period: by event
 * @overflowed_events: mask over events: those that have overflowed since they were last restarted
 * @overshoot: by event: occurrences since its overflow; read for @overflowed_events only
 * @window: out
 *
 * The event with the largest overshoot in proportion to its period is taken to have overflowed
 * first; of equal ones a quiet event, so that no sample is written where it is not certain, then
 * the one with the lower index.  It restarts what its overflow reloads in hardware; the overflow of
 * an event that is restarted before its turn is dropped, as it would not have happened.
 *
 * Context: any, also NMI.
 */
void acrpmu_window_end(const struct acrpmu_group *group, const u64 *period, u64 overflowed_events,
		       const u64 *overshoot, struct acrpmu_window *window);

#endif /* _ACRPMU_CORE_WINDOW_H */
