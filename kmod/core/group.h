/* SPDX-License-Identifier: GPL-2.0-only */
/* The internal form of a request: a group and its events. */
#ifndef _ACRPMU_CORE_GROUP_H
#define _ACRPMU_CORE_GROUP_H

#include "types.h"
#include "../../uapi/acrpmu.h"

/**
 * struct acrpmu_ev - one event of a group
 * @config: config word, as the user gave it
 * @period: occurrences from one overflow to the next, 0 for a plain counter
 * @cause_events: mask over the group's events whose overflow reloads this one; 0: none does
 * @restart_events: mask over the group's events that software restarts when this one overflows; 0
 *	if hardware reloads them
 * @extra_value: value for its extra register; 0 too for an event that uses none
 * @allowed_cntrs: counters that may count @config; 0: all that can
 * @id: the user's name for it in records; 0 only if no event of the group is sampled
 * @flags: ACRPMU_EVENT_*
 */
struct acrpmu_ev {
	u64 config;
	u64 period;
	u64 cause_events;
	u64 restart_events;
	u64 extra_value;
	u64 allowed_cntrs;
	u64 id;
	u32 flags;
};

/**
 * struct acrpmu_group - events that are scheduled together, as acrpmu_attr_check() makes it
 * @nr: number of events in @ev, 1 to ACRPMU_MAX_EVENTS
 * @periods_nr: number of this set of periods, from 1: each change of them adds one
 * @flags: ACRPMU_SESSION_*
 * @sample_type: PERF_SAMPLE_* bits, 0 if no event is sampled
 * @sample_bytes: size of a sample without the entries of its chain, 0 if no event is sampled
 * @ring_pages: data pages of a ring, 0 if no event is sampled
 * @wakeup_bytes: unread bytes that wake a poller; 0 if no event is sampled, otherwise the default
 *	of half a ring is already filled in
 * @max_stack: most frames of a call chain, 0 without PERF_SAMPLE_CALLCHAIN
 * @jitter: widest random part of periods to either side in per cent, 0: none
 * @sampled_events: mask over events: those that write records
 * @int_events: mask over events: those that raise a PMI
 * @count_events: mask over events: plain counters
 * @reloaded_events: mask over events: those that hardware reloads, by a @cause_events of their own
 * @self_events: mask over events: those that reload themselves in hardware
 * @cause_events: mask over events: those that reload any event in hardware, possibly themselves
 * @restarted_events: mask over events: those that software restarts instead, with
 *	ACRPMU_SESSION_SOFTWARE; then the three masks before are 0
 * @kernel_events: mask over events: those that count at CPL 0
 * @jitter_events: mask over events: those with periods of which each can be drawn alone
 * @scaled_events: mask over events: those that software always restarts together, with periods that
 *	can be scaled alike; 0: there are none, or it restarts not always all
 * @ev: the events; 0 is the leader
 *
 * The masks are derived from @ev.  Quiet events are those in neither @sampled_events nor
 * @count_events.
 */
struct acrpmu_group {
	unsigned int nr;
	u64 periods_nr;
	u32 flags;
	u64 sample_type;
	u32 sample_bytes;
	u32 ring_pages;
	u32 wakeup_bytes;
	u32 max_stack;
	u32 jitter;
	u64 sampled_events;
	u64 int_events;
	u64 count_events;
	u64 reloaded_events;
	u64 self_events;
	u64 cause_events;
	u64 restarted_events;
	u64 kernel_events;
	u64 jitter_events;
	u64 scaled_events;
	struct acrpmu_ev ev[ACRPMU_MAX_EVENTS];
};

#endif /* _ACRPMU_CORE_GROUP_H */
