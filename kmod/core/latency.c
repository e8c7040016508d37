// SPDX-License-Identifier: GPL-2.0-only
/* Average latency: who counts outstanding requests counts the responses to divide by, too. */
#include "extra_reg.h"
#include "latency.h"

#define LEVELS		(ACRPMU_EVENT_USER | ACRPMU_EVENT_KERNEL)

/* What the partner of an event of @reg must ask for. */
static u64 partner_value(const struct acrpmu_extra_reg *reg, u64 value)
{
	return (value & ~(reg->outstanding | reg->responses)) | reg->any_response;
}

/* With edge, inversion or a counter mask it would count something else than requests by cycle. */
static bool sums_requests(const struct acrpmu_ev *ev, const struct acrpmu_extra_reg *reg)
{
	return ev->config == reg->config && !(ev->extra_value & reg->responses) &&
	       ev->extra_value & ~reg->outstanding;
}

static bool has_partner(const struct acrpmu_group *group, const struct acrpmu_model *model,
			const struct acrpmu_ev *ev, const struct acrpmu_extra_reg *reg)
{
	u64 config = model->extra_regs[reg->alt].config;
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		const struct acrpmu_ev *other = &group->ev[i];

		if (other->config == config && !((other->flags ^ ev->flags) & LEVELS) &&
		    other->extra_value == partner_value(reg, ev->extra_value))
			return true;
	}
	return false;
}

int acrpmu_latency_check(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			 struct acrpmu_error *error)
{
	const struct acrpmu_model *model = caps->model;
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		const struct acrpmu_ev *ev = &group->ev[i];
		int index = acrpmu_extra_reg_find(model, ev->config);
		const struct acrpmu_extra_reg *reg;

		if (index == ACRPMU_EXTRA_REG_NONE)
			continue;
		reg = &model->extra_regs[index];
		if (!(ev->extra_value & reg->outstanding))
			continue;
		if (!sums_requests(ev, reg) || !has_partner(group, model, ev, reg))
			return acrpmu_attr_refuse(error, -EINVAL, ACRPMU_REASON_EXTRA_LATENCY, i,
						  ev->extra_value,
						  partner_value(reg, ev->extra_value));
	}
	return 0;
}
