/* SPDX-License-Identifier: GPL-2.0-only */
/* Which counters an event may use, and the exact assignment of a group's events to counters. */
#ifndef _ACRPMU_CORE_CONSTRAINT_H
#define _ACRPMU_CORE_CONSTRAINT_H

#include "group.h"
#include "model.h"
#include "types.h"

/**
 * acrpmu_constraint_config() - counters that can count a config at all
 * @caps: the CPU
 * @config: config word
 *
 * Context: any.
 * Return: mask over counters, 0 if none can.
 */
u64 acrpmu_constraint_config(const struct acrpmu_caps *caps, u64 config);

/**
 * acrpmu_constraint_reload() - counters that an event may use by its part in reloading
 * @group: a checked group
 * @caps: the CPU
 * @event: index of the event
 * @cntrs: counters that can count it
 *
 * Context: any.
 * Return: those of @cntrs that can be reloaded if it has a mask, and that can cause a reload if it
 * is in the mask of any event.
 */
u64 acrpmu_constraint_reload(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			     unsigned int event, u64 cntrs);

/**
 * acrpmu_constraint_check() - whether an event of a group fits any counter of a CPU
 * @group: a checked group
 * @caps: the CPU
 * @event: index of the event
 * @error: out, written only when refused; may be NULL
 *
 * Context: any.
 * Return: 0, or -EOPNOTSUPP with the reason in @error: EVENT_CPU (limit: counters that exist),
 * NO_RELOADABLE or NO_CAUSE (limit: counters that are); value is the mask of counters that could
 * count the event otherwise.
 */
int acrpmu_constraint_check(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			    unsigned int event, struct acrpmu_error *error);

/**
 * acrpmu_constraint_match() - give each event a counter of its own
 * @allowed_cntrs: for each event the counters it may use
 * @nr: number of events, at most ACRPMU_MAX_EVENTS
 * @prefer_cntrs: counters to use for as many events as can be (the fixed ones)
 * @cntr: out, counter index of each event; -1 for those left over when there is no assignment
 *
 * Finds an assignment whenever there is one, and among those one with the most counters of
 * @prefer_cntrs.  The same input gives the same result.
 *
 * Context: any; time O(events * events * counters), stack for @nr recursions.
 * Return: number of events that got a counter, @nr if all did.
 */
unsigned int acrpmu_constraint_match(const u64 *allowed_cntrs, unsigned int nr, u64 prefer_cntrs,
				     s8 *cntr);

/**
 * acrpmu_constraint_among() - give each event a free counter of its own, or say why that cannot be
 * @able: for each event the counters it may use
 * @nr: number of events, at most ACRPMU_MAX_EVENTS
 * @free_cntrs: counters that nobody holds
 * @cntr: out, counter index of each event; not written when refused
 * @error: out, written only when refused; may be NULL
 *
 * Fixed counters are used for as many events as can be: they need no event select, and leave the
 * general-purpose ones to others.
 *
 * Context: any.
 * Return: 0, or with the reason in @error:
 * -ENOSPC with NO_ASSIGNMENT: even with all counters free there is no assignment; value is the mask
 * of counters that they compete for, event the first one left over, limit how many compete;
 * -EBUSY with HELD: there would be one if value (a mask over counters) were not held; event is the
 * first one left over.
 */
int acrpmu_constraint_among(const u64 *able, unsigned int nr, u64 free_cntrs, s8 *cntr,
			    struct acrpmu_error *error);

#endif /* _ACRPMU_CORE_CONSTRAINT_H */
