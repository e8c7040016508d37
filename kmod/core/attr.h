/* SPDX-License-Identifier: GPL-2.0-only */
/* Checks of a request: makes the internal group of a session's attr, or refuses it. */
#ifndef _ACRPMU_CORE_ATTR_H
#define _ACRPMU_CORE_ATTR_H

#include "group.h"
#include "model.h"
#include "types.h"
#include "../../uapi/acrpmu.h"

/**
 * struct acrpmu_limits - bounds of requests, as ACRPMU_INFO reports them
 * @sample_type: PERF_SAMPLE_* bits that a session may request
 * @page_size: size of a page in bytes
 * @min_period_sampled: smallest period of a sampled event, at least 1
 * @min_period_quiet: smallest period of a quiet event, at least 1
 * @max_events: largest number of events in a group, at most ACRPMU_MAX_EVENTS
 * @max_ring_pages: largest number of data pages of a ring, a power of 2
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
 * acrpmu_attr_limits() - fill in the default limits
 * @limits: out
 * @page_size: size of a page in bytes
 *
 * Context: any.
 */
void acrpmu_attr_limits(struct acrpmu_limits *limits, u32 page_size);

/**
 * acrpmu_attr_check_session() - check what must be right before events can be copied in
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
 * acrpmu_attr_check() - check all of a request that does not depend on the CPU
 * @attr: as copied in, its size already checked
 * @events: @attr->nr_events events as copied in
 * @limits: bounds
 * @group: out, the checked group; not written when refused
 * @error: out, written only when refused; may be NULL
 *
 * The order is that of the ABI: flags, reserved members (each of the session, then of the events
 * in turn), then values: target, sample_type, ring_pages, wakeup_bytes, then for each event in turn
 * config, level, mask, self-sampled, plain-counter rules, period, id, allowed counters.
 *
 * Context: any.
 * Return: 0, or -EINVAL with the reason in @error.
 */
int acrpmu_attr_check(const struct acrpmu_session_attr *attr,
		      const struct acrpmu_event_attr *events, const struct acrpmu_limits *limits,
		      struct acrpmu_group *group, struct acrpmu_error *error);

/**
 * acrpmu_attr_check_attach() - check a request to follow another task
 * @attach: as copied in, its size already checked
 * @group: of the session
 * @error: out, written only when refused; may be NULL
 *
 * The order is that of the ABI: flags, reserved members, pid, target of the session.
 *
 * Context: any.
 * Return: 0, or -EINVAL with the reason in @error.
 */
int acrpmu_attr_check_attach(const struct acrpmu_attach *attach, const struct acrpmu_group *group,
			     struct acrpmu_error *error);

/**
 * acrpmu_attr_check_own() - check that a group asks for no more than tasks at user level
 * @group: a checked group
 * @error: out, written only when refused; may be NULL
 *
 * That is what a caller without CAP_PERFMON may ask for; the owner of the tasks is checked later.
 *
 * Context: any.
 * Return: 0, or -EPERM with the reason in @error: OWN_TASKS, or OWN_LEVEL for the first such event.
 */
int acrpmu_attr_check_own(const struct acrpmu_group *group, struct acrpmu_error *error);

/**
 * acrpmu_attr_check_caps() - check what depends on the capabilities of a CPU
 * @group: a checked group
 * @caps: the CPU
 * @cpu: its number, for @error; ACRPMU_NO_CPU if it is none in particular
 * @error: out, written only when refused; may be NULL
 *
 * Context: any.
 * Return: 0, or with the reason in @error:
 * -EOPNOTSUPP: no PMU, no auto counter reload, config bits this CPU lacks, or an event that no
 * counter, no allowed, no reloadable or no cause-capable counter can count, or of which it is not
 * known which counters can;
 * -EINVAL: an extra_value without or invalid in an extra register, or a period too long for the
 * reload field or the counter.
 */
int acrpmu_attr_check_caps(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			   int cpu, struct acrpmu_error *error);

/**
 * acrpmu_attr_check_cntrs() - check that there is a suitable counter for each event of a group
 * @group: a checked group
 * @caps: what several CPUs have in common; acrpmu_attr_check_caps() includes it for a single one
 * @error: out, written only when refused; may be NULL
 *
 * Context: any.
 * Return: 0, or -EOPNOTSUPP with the reason in @error: EVENT_CPU (limit: counters that exist),
 * NO_RELOADABLE or NO_CAUSE (limit: counters that are); value is the mask of counters that could
 * count the event otherwise.  Or ALLOWED_CNTRS (value: those allowed, limit: those that could count
 * it; 0 and 0: none is named, and it is not known which could).
 */
int acrpmu_attr_check_cntrs(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			    struct acrpmu_error *error);

/**
 * acrpmu_attr_check_periods() - check other periods for a group
 * @group: a checked group
 * @periods: one for each event, 0 for a plain counter
 * @limits: bounds
 * @caps: the CPU, or what several have in common
 * @error: out, written only when refused; may be NULL
 *
 * The checks, and the order of them, are those for the periods of a new session.
 *
 * Context: any.
 * Return: 0, or -EINVAL with the reason in @error.
 */
int acrpmu_attr_check_periods(const struct acrpmu_group *group, const u64 *periods,
			      const struct acrpmu_limits *limits, const struct acrpmu_caps *caps,
			      struct acrpmu_error *error);

/**
 * acrpmu_attr_set_periods() - give a group other periods
 * @group: a checked group
 * @periods: periods that acrpmu_attr_check_periods() has passed for it
 *
 * Context: any.
 */
void acrpmu_attr_set_periods(struct acrpmu_group *group, const u64 *periods);

#endif /* _ACRPMU_CORE_ATTR_H */
