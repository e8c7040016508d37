/* SPDX-License-Identifier: GPL-2.0-only */
/* Scheduling: the exact search for counters and extra registers of a group's events together. */
#ifndef _ACRPMU_CORE_SCHEDULE_H
#define _ACRPMU_CORE_SCHEDULE_H

#include "extra_reg.h"
#include "group.h"
#include "model.h"
#include "types.h"
#include "../../uapi/acrpmu.h"

/**
 * struct acrpmu_schedule - counters and extra registers of a group's events on one CPU
 * @cntr: by event: index of its counter, 0 to ACRPMU_CNTRS_MAX - 1
 * @reg: by event: index of its extra register in the model's table, or ACRPMU_EXTRA_REG_NONE
 * @config: by event: its config word, rewritten if it moved to an alternate register
 */
struct acrpmu_schedule {
	s8 cntr[ACRPMU_MAX_EVENTS];
	s8 reg[ACRPMU_MAX_EVENTS];
	u64 config[ACRPMU_MAX_EVENTS];
};

/**
 * acrpmu_schedule_match() - assign counters to events, one to each
 * @allowed_cntrs: by event: mask of the counters that it may use
 * @nr: number of events, 1 to ACRPMU_MAX_EVENTS
 * @prefer_cntrs: counters to use for as many events as possible; 0: no preference
 * @cntr: out, by event: index of its counter; -1 for those left over
 *
 * Finds an assignment whenever one exists, and among those one with the most counters of
 * @prefer_cntrs.  The same input gives the same result.
 *
 * Context: any; time O(events * events * counters), recursion at most @nr deep.
 * Return: number of events that got a counter, @nr if all did.
 */
unsigned int acrpmu_schedule_match(const u64 *allowed_cntrs, unsigned int nr, u64 prefer_cntrs,
				   s8 *cntr);

/**
 * acrpmu_schedule_check() - check that a group would fit a CPU that nobody else uses
 * @state: of the core, where only @state->reg[].hidden matters
 * @caps: the CPU
 * @group: a group that acrpmu_attr_check_cntrs() has accepted for @caps
 * @error: out, written only when refused; may be NULL
 *
 * Context: any.
 * Return: 0, or with the reason in @error:
 * -ENOSPC with NO_ASSIGNMENT: the events need more counters than there are, perhaps because of the
 * registers that they need; value is the mask of counters that they compete for, event the first
 * one left over, limit how many compete;
 * -EOPNOTSUPP with EXTRA_HIDDEN: there would be extra registers if all answered; limit is the MSR
 * number of one that does not, event the one that could use it (see acrpmu_schedule_events()), and
 * value that event's extra value;
 * -ENOSPC with EXTRA_BUSY: the group asks for more values than there are registers; event is the
 * first without a register, limit the MSR number of its own one, and value what an earlier event
 * put into that.
 */
int acrpmu_schedule_check(const struct acrpmu_extra_state *state, const struct acrpmu_caps *caps,
			  const struct acrpmu_group *group, struct acrpmu_error *error);

/**
 * acrpmu_schedule_events() - find counters and extra registers for a group
 * @state: of the core; not changed
 * @caps: the CPU
 * @group: a group that acrpmu_schedule_check() has accepted for @caps and the registers that answer
 * @free_cntrs: mask of the counters that no session holds
 * @schedule: out; not written when refused
 * @error: out, written only when refused; may be NULL
 *
 * An event can use its own register or one that is reached from it by alternates, if the register
 * answers, its valid mask allows the value, and it is free or holds the same value.  Registers in
 * use keep their values.  The search is exact: if counters and registers for all events exist, they
 * are found.  Fixed counters are used for as many events as possible: they need no event select,
 * and leave the general-purpose ones to others.
 *
 * Context: any.
 * Return: 0, or with the reason in @error:
 * -EBUSY with HELD: there would be an assignment if value (a mask over counters) were not held;
 * event is the first one left over;
 * -EBUSY with EXTRA_BUSY: limit is the MSR number of a register that others use with another value,
 * which value is; event is the first event without a register.  If that event could not use the
 * reported register, it is the last earlier event that could, and that took the only one left.
 */
int acrpmu_schedule_events(const struct acrpmu_extra_state *state, const struct acrpmu_caps *caps,
			   const struct acrpmu_group *group, u64 free_cntrs,
			   struct acrpmu_schedule *schedule, struct acrpmu_error *error);

/**
 * acrpmu_schedule_fits() - check that the extra registers of an earlier schedule are usable now
 * @state: of the core
 * @schedule: what acrpmu_schedule_events() once found for it on such a core
 *
 * Context: any.
 * Return: whether each register answers, and is free or holds the event's value.
 */
bool acrpmu_schedule_fits(const struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			  const struct acrpmu_schedule *schedule);

/**
 * acrpmu_schedule_get() - reserve the extra registers of a schedule
 * @state: of the core, as acrpmu_schedule_events() or acrpmu_schedule_fits() has seen it
 *
 * Context: any, under the lock that guards @state.
 */
void acrpmu_schedule_get(struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			 const struct acrpmu_schedule *schedule);

/**
 * acrpmu_schedule_put() - release what acrpmu_schedule_get() reserved
 * @state: of the core
 *
 * Context: any, under the lock that guards @state.
 */
void acrpmu_schedule_put(struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			 const struct acrpmu_schedule *schedule);

#endif /* _ACRPMU_CORE_SCHEDULE_H */
