// SPDX-License-Identifier: GPL-2.0-only
/* Constraints: which counters an event may use. */
#include "constraint.h"
#include "event.h"
#include "../regs.h"

u64 acrpmu_constraint_cntrs_all(void)
{
	return GENMASK_ULL(ACRPMU_FIXED_BASE + FIXED_CTR_CTRL_MAX_CNTRS - 1, 0);
}

u64 acrpmu_constraint_config(const struct acrpmu_caps *caps, u64 config)
{
	return acrpmu_event_fixed_cntrs(caps, config) | acrpmu_event_gp_cntrs(caps, config);
}

u64 acrpmu_constraint_as(const struct acrpmu_caps *caps, const struct acrpmu_ev *ev, u64 config)
{
	u64 cntrs = acrpmu_constraint_config(caps, config);

	return ev->allowed_cntrs && config == ev->config ? cntrs & ev->allowed_cntrs : cntrs;
}

u64 acrpmu_constraint_event(const struct acrpmu_caps *caps, const struct acrpmu_ev *ev,
			    const struct acrpmu_extra_state *state)
{
	const struct acrpmu_model *model = caps->model;
	int own = acrpmu_extra_reg_find(model, ev->config), reg = own;
	u64 cntrs = 0, config;

	if (own == ACRPMU_EXTRA_REG_NONE)
		return acrpmu_constraint_as(caps, ev, ev->config);
	do {
		config = acrpmu_extra_reg_config(model, ev->config, reg);
		if (!(state && state->reg[reg].hidden) &&
		    acrpmu_extra_reg_is_valid(model, reg, ev->extra_value))
			cntrs |= acrpmu_constraint_as(caps, ev, config);
		reg = model->extra_regs[reg].alt;
	} while (reg != own);
	return cntrs;
}

u64 acrpmu_constraint_reload(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			     unsigned int event, u64 cntrs)
{
	if (group->reloaded_events & BIT_ULL(event))
		cntrs &= caps->reloadable_cntrs;
	if (group->cause_events & BIT_ULL(event))
		cntrs &= caps->cause_cntrs;
	return cntrs;
}
