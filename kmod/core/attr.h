/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks a session's attr and makes the internal group of it, or names the reason against it. */
#ifndef _ACRPMU_CORE_ATTR_H
#define _ACRPMU_CORE_ATTR_H

#include "model.h"
#include "types.h"
#include "../../uapi/acrpmu.h"

/**
 * struct acrpmu_limits - bounds of requests, as ACRPMU_INFO reports them
 * @sample_type: PERF_SAMPLE_* bits that a session may ask for
 * @page_size: bytes of a page
 * @min_period_sampled: smallest period of a sampled event, at least 1
 * @min_period_quiet: smallest period of a quiet event, at least 1
 * @max_events: most events of a group, at most ACRPMU_MAX_EVENTS
 * @max_ring_pages: most data pages of a ring
 */
struct acrpmu_limits {
	u64 sample_type;
	u32 page_size;
	u32 min_period_sampled;
	u32 min_period_quiet;
	u32 max_events;
	u32 max_ring_pages;
};

/**
 * struct acrpmu_ev - one event of a group, checked
 * @config: as the user gave it
 * @period: occurrences from one overflow to the next, 0 for a plain counter
 * @cause_events: the group's events whose overflow reloads this one
 * @extra_value: value for its extra register
 * @id: the user's name for it in records
 * @flags: ACRPMU_EVENT_*
 */
struct acrpmu_ev {
	u64 config;
	u64 period;
	u64 cause_events;
	u64 extra_value;
	u64 id;
	u32 flags;
};

/**
 * struct acrpmu_group - a group, checked as far as no CPU is needed
 * @nr: events in @ev, 1 to ACRPMU_MAX_EVENTS
 * @flags: ACRPMU_SESSION_*
 * @sample_type: PERF_SAMPLE_* bits, 0 when no event is sampled
 * @ring_pages: data pages of a ring, 0 when no event is sampled
 * @wakeup_bytes: unread bytes that wake a poller, the default of half a ring filled in
 * @sampled_events: events that raise a PMI
 * @count_events: plain counters
 * @reloaded_events: events with a mask
 * @self_events: events that reload themselves
 * @cause_events: events that reload some event, themselves included
 * @kernel_events: events that count at CPL 0
 * @ev: the events; 0 is the leader
 *
 * The masks are derived from @ev.  Quiet events are those in neither @sampled_events nor
 * @count_events.
 */
struct acrpmu_group {
	unsigned int nr;
	u32 flags;
	u64 sample_type;
	u32 ring_pages;
	u32 wakeup_bytes;
	u64 sampled_events;
	u64 count_events;
	u64 reloaded_events;
	u64 self_events;
	u64 cause_events;
	u64 kernel_events;
	struct acrpmu_ev ev[ACRPMU_MAX_EVENTS];
};

#define ACRPMU_ATTR_NO_EVENT	(-1)	/* acrpmu_error.event: none in particular */
#define ACRPMU_ATTR_NO_CPU	(-1)	/* acrpmu_error.cpu: none in particular */

/**
 * acrpmu_attr_limits() - the limits as they are by default
 * @limits: out
 * @page_size: bytes of a page
 *
 * Context: any.
 */
void acrpmu_attr_limits(struct acrpmu_limits *limits, u32 page_size);

/**
 * acrpmu_attr_refuse() - fill in why something is refused
 * @error: out, overwritten altogether; may be NULL
 * @errnum: a negative errno
 * @reason: ACRPMU_REASON_*
 * @event: index of the event concerned, or ACRPMU_ATTR_NO_EVENT
 * @value: the offending value, see the reason
 * @limit: the bound it broke, see the reason
 *
 * The CPU is set to ACRPMU_ATTR_NO_CPU, the holder to unknown.
 *
 * Context: any.
 * Return: @errnum.
 */
int acrpmu_attr_refuse(struct acrpmu_error *error, int errnum, u32 reason, int event,
		       u64 value, u64 limit);

/**
 * acrpmu_attr_check_session() - the checks that come before the events can be copied in
 * @attr: as copied in, its size already checked
 * @limits: bounds
 * @error: out, written only when refused; may be NULL
 *
 * Checks flags, then nr_events.  acrpmu_attr_check() repeats it.
 *
 * Context: any.
 * Return: 0, or -EINVAL: unknown flags, or too few or too many events.
 */
int acrpmu_attr_check_session(const struct acrpmu_session_attr *attr,
			      const struct acrpmu_limits *limits, struct acrpmu_error *error);

/**
 * acrpmu_attr_check() - check everything about a request that needs no CPU
 * @attr: as copied in, its size already checked
 * @events: @attr->nr_events events as copied in
 * @limits: bounds
 * @group: out, the checked group; not written when refused
 * @error: out, written only when refused; may be NULL
 *
 * The order is that of the ABI: flags, reserved members (each of the session, then of the events
 * in turn), then values: target, sample_type, ring_pages, wakeup_bytes, then for each event in turn
 * config, level, mask, self-sampled, plain-counter rules, period, id.
 *
 * Context: any.
 * Return: 0, or -EINVAL with the reason in @error.
 */
int acrpmu_attr_check(const struct acrpmu_session_attr *attr,
		      const struct acrpmu_event_attr *events, const struct acrpmu_limits *limits,
		      struct acrpmu_group *group, struct acrpmu_error *error);

/**
 * acrpmu_attr_check_caps() - check what depends on a CPU's abilities
 * @group: a checked group
 * @caps: the CPU
 * @cpu: its number, for @error; ACRPMU_ATTR_NO_CPU when it is none in particular
 * @error: out, written only when refused; may be NULL
 *
 * Context: any.
 * Return: 0, or with the reason in @error:
 * -EOPNOTSUPP: no PMU, no auto counter reload, config bits this CPU lacks, or an event that no
 * counter, no reloadable or no cause-capable counter can count;
 * -EINVAL: extra_value without or unfit for an extra register, or a period too long for the reload
 * field or the counter.
 */
int acrpmu_attr_check_caps(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			   int cpu, struct acrpmu_error *error);

#endif /* _ACRPMU_CORE_ATTR_H */
