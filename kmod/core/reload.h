/* SPDX-License-Identifier: GPL-2.0-only */
/* The plan of a group: reload masks over counters, and every register value, ready to write. */
#ifndef _ACRPMU_CORE_RELOAD_H
#define _ACRPMU_CORE_RELOAD_H

#include "group.h"
#include "model.h"
#include "schedule.h"
#include "types.h"

/**
 * struct acrpmu_plan - everything that is programmed for a group
 * @nr: number of events
 * @periods_nr: number of the set of periods in force, acrpmu_group.periods_nr
 * @period: period of each event, 0 for a plain counter
 * @least: the shortest period that can be drawn for each event
 * @span: acrpmu_jitter_span() of each event
 * @spare_bits: bits of a u64 that the counter of each event lacks
 * @mask: bits of the counter of each event
 * @hw: registers and values of each event, as ACRPMU_QUERY reports them
 * @all_cntrs: counters in use
 * @gp_cntrs: general-purpose counters in use
 * @fixed_cntrs: fixed counters in use
 * @int_cntrs: counters with INT or PMI: an overflow sets a status bit and raises a PMI
 * @reloaded_cntrs: counters with a reload mask
 * @kernel_cntrs: counters that count at CPL 0
 * @fixed_ctrl: IA32_FIXED_CTR_CTRL bits while the group runs
 * @fixed_ctrl_mask: fields of IA32_FIXED_CTR_CTRL that belong to the group
 * @ev_of_cntr: event index by counter, -1 for counters not in use
 */
struct acrpmu_plan {
	unsigned int nr;
	u64 periods_nr;
	u64 period[ACRPMU_MAX_EVENTS];
	u64 least[ACRPMU_MAX_EVENTS];
	u64 span[ACRPMU_MAX_EVENTS];
	u8 spare_bits[ACRPMU_MAX_EVENTS];
	u64 mask[ACRPMU_MAX_EVENTS];
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	u64 all_cntrs;
	u64 gp_cntrs;
	u64 fixed_cntrs;
	u64 int_cntrs;
	u64 reloaded_cntrs;
	u64 kernel_cntrs;
	u64 fixed_ctrl;
	u64 fixed_ctrl_mask;
	s8 ev_of_cntr[ACRPMU_CNTRS_MAX];
};

/**
 * acrpmu_reload_mask() - translate a mask over events to one over counters
 * @events: mask over events, within @nr
 * @cntr: counter index of each event
 * @nr: number of events
 *
 * Context: any.
 * Return: the mask over counters.
 */
u64 acrpmu_reload_mask(u64 events, const s8 *cntr, unsigned int nr);

/**
 * acrpmu_reload_plan() - make the plan of a group
 * @group: a group that acrpmu_attr_check_caps() has passed for @caps
 * @caps: the CPU
 * @schedule: counters and extra registers of its events, from acrpmu_schedule_events()
 * @plan: out; not written when refused
 *
 * Context: any.
 * Return: 0, or -EINVAL if the constraints do not allow the counters of @schedule: a bug of the
 * caller, checked because a wrong bit in CFG_B raises #GP.
 */
int acrpmu_reload_plan(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		       const struct acrpmu_schedule *schedule, struct acrpmu_plan *plan);

/**
 * acrpmu_reload_set_periods() - bring a plan to the periods that its group has now
 * @group: the group of the plan
 * @caps: the CPU of the plan
 * @plan: in and out, a plan that acrpmu_reload_plan() has made
 *
 * Only start values, reload values, jitter and the copy of the periods change.
 *
 * Context: any.
 */
void acrpmu_reload_set_periods(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			       struct acrpmu_plan *plan);

#endif /* _ACRPMU_CORE_RELOAD_H */
