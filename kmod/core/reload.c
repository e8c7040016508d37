// SPDX-License-Identifier: GPL-2.0-only
/* The plan of a group: reload masks over counters, and every register value, ready to write. */
#include "reload.h"
#include "constraint.h"
#include "event.h"
#include "jitter.h"
#include "period.h"

#define UNUSED	(-1)

u64 acrpmu_reload_mask(u64 events, const s8 *cntr, unsigned int nr)
{
	u64 cntrs = 0;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (events & BIT_ULL(i))
			cntrs |= BIT_ULL(cntr[i]);
	}
	return cntrs;
}

static bool is_assignment(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			  const struct acrpmu_schedule *schedule)
{
	const s8 *cntr = schedule->cntr;
	u64 used_cntrs = 0, able;
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (cntr[i] < 0 || cntr[i] >= ACRPMU_CNTRS_MAX)
			return false;
		able = acrpmu_constraint_as(caps, &group->ev[i], schedule->config[i]);
		able = acrpmu_constraint_reload(group, caps, i, able) & ~used_cntrs;
		if (!(able & BIT_ULL(cntr[i])))
			return false;
		used_cntrs |= BIT_ULL(cntr[i]);
	}
	return true;
}

/*
 * What a session counts of all tasks, or of a group, is not for a program that may use RDPMC.  Of
 * others the counters are zeroed at switches.
 */
static u64 rdpmc_bits(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		      unsigned int idx)
{
	if (!caps->rdpmc_disable || group->flags & ACRPMU_SESSION_TASK)
		return 0;
	if (idx < ACRPMU_FIXED_BASE)
		return PERFEVTSEL_RDPMC_DISABLE;
	return FIXED_CTR_CTRL_RDPMC_DISABLE << FIXED_CTR_CTRL_BITS * (idx - ACRPMU_FIXED_BASE);
}

static void plan_event(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		       const struct acrpmu_schedule *schedule, unsigned int event,
		       struct acrpmu_event_hw *hw)
{
	const struct acrpmu_ev *ev = &group->ev[event];
	unsigned int idx = schedule->cntr[event];
	u64 config = schedule->config[event];
	int reg = schedule->reg[event];
	u32 flags = ev->flags;

	*hw = (struct acrpmu_event_hw){
		.cntr = idx,
		.cntr_msr = acrpmu_model_msr(caps, idx, ACRPMU_MODEL_CNTR),
		.cfg_a_msr = acrpmu_model_msr(caps, idx, ACRPMU_MODEL_CFG_A),
		.cfg_b_msr = acrpmu_model_msr(caps, idx, ACRPMU_MODEL_CFG_B),
		.cfg_c_msr = acrpmu_model_msr(caps, idx, ACRPMU_MODEL_CFG_C),
	};

	/* never one that reloads itself in hardware, which sets no status bit */
	if (group->int_events & BIT_ULL(event))
		flags |= ACRPMU_EVENT_SAMPLED;
	if (idx >= ACRPMU_FIXED_BASE)
		hw->cfg_a = acrpmu_event_fixed_ctrl(idx - ACRPMU_FIXED_BASE, flags);
	else
		hw->cfg_a = acrpmu_event_evtsel(acrpmu_event_canonical(caps, config), flags);
	hw->cfg_a |= rdpmc_bits(group, caps, idx);

	/* CFG_C for PEBS alone is not the session's: pmu.c clears and restores it */
	if (!(caps->reloadable_cntrs & BIT_ULL(idx)))
		hw->cfg_c_msr = 0;
	if (group->reloaded_events & BIT_ULL(event))
		hw->cfg_b = acrpmu_reload_mask(ev->cause_events, schedule->cntr, group->nr);
	if (reg != ACRPMU_EXTRA_REG_NONE) {
		hw->extra_msr = caps->model->extra_regs[reg].msr;
		hw->extra_value = ev->extra_value;
	}
}

static void plan_masks(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		       const s8 *cntr, struct acrpmu_plan *plan)
{
	unsigned int i, nr = group->nr;

	plan->int_cntrs = acrpmu_reload_mask(group->int_events, cntr, nr);
	plan->reloaded_cntrs = acrpmu_reload_mask(group->reloaded_events, cntr, nr);
	plan->kernel_cntrs = acrpmu_reload_mask(group->kernel_events, cntr, nr);
	plan->all_cntrs = acrpmu_reload_mask(~0ULL, cntr, nr);
	plan->gp_cntrs = plan->all_cntrs & (BIT_ULL(ACRPMU_FIXED_BASE) - 1);
	plan->fixed_cntrs = plan->all_cntrs & ~plan->gp_cntrs;

	memset(plan->ev_of_cntr, UNUSED, sizeof(plan->ev_of_cntr));
	plan->fixed_ctrl = 0;
	plan->fixed_ctrl_mask = 0;
	for (i = 0; i < nr; i++) {
		plan->ev_of_cntr[cntr[i]] = i;
		if (cntr[i] < ACRPMU_FIXED_BASE)
			continue;
		plan->fixed_ctrl |= plan->hw[i].cfg_a;
		plan->fixed_ctrl_mask |=
			acrpmu_event_fixed_field(caps, cntr[i] - ACRPMU_FIXED_BASE);
	}
}

/* A counter is negative until it overflows, so that no period may be longer. */
static u64 span_of(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		   unsigned int event, u32 cntr)
{
	u64 longest = acrpmu_period_max(acrpmu_model_width(caps, cntr), caps->full_width);

	if (!((group->jitter_events | group->scaled_events) & BIT_ULL(event)))
		return 1;
	return acrpmu_jitter_span(group->ev[event].period, group->jitter, longest);
}

void acrpmu_reload_set_periods(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			       struct acrpmu_plan *plan)
{
	unsigned int i;

	plan->periods_nr = group->periods_nr;
	for (i = 0; i < plan->nr; i++) {
		const struct acrpmu_ev *ev = &group->ev[i];
		struct acrpmu_event_hw *hw = &plan->hw[i];

		plan->period[i] = ev->period;
		plan->span[i] = span_of(group, caps, i, hw->cntr);
		plan->least[i] = ev->period - plan->span[i] / 2;
		hw->start = acrpmu_period_start(ev->period, acrpmu_model_width(caps, hw->cntr));
		if (group->reloaded_events & BIT_ULL(i))
			hw->cfg_c = acrpmu_period_reload(ev->period);
	}
}

int acrpmu_reload_plan(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
		       const struct acrpmu_schedule *schedule, struct acrpmu_plan *plan)
{
	unsigned int i;

	if (!is_assignment(group, caps, schedule))
		return -EINVAL;

	plan->nr = group->nr;
	for (i = 0; i < group->nr; i++)
		plan_event(group, caps, schedule, i, &plan->hw[i]);
	for (i = 0; i < group->nr; i++) {
		unsigned int width = acrpmu_model_width(caps, plan->hw[i].cntr);

		plan->spare_bits[i] = 64 - width;
		plan->mask[i] = acrpmu_period_mask(width);
	}
	acrpmu_reload_set_periods(group, caps, plan);
	plan_masks(group, caps, schedule->cntr, plan);
	return 0;
}
