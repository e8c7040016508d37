// SPDX-License-Identifier: GPL-2.0-only
/* Average latency: who counts outstanding requests counts the responses to divide by, too. */
#include "extra_reg.h"
#include "latency.h"
#include "refuse.h"

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

/* The register of an event that counts outstanding requests, NULL of any other event. */
static const struct acrpmu_extra_reg *outstanding_reg(const struct acrpmu_model *model, u64 config,
						      u64 value)
{
	int reg = acrpmu_extra_reg_find(model, config);

	if (reg == ACRPMU_EXTRA_REG_NONE || !(value & model->extra_regs[reg].outstanding))
		return NULL;
	return &model->extra_regs[reg];
}

bool acrpmu_latency_outstanding(const struct acrpmu_model *model, u64 config, u64 value)
{
	return outstanding_reg(model, config, value);
}

bool acrpmu_latency_is_pair(const struct acrpmu_model *model, const struct acrpmu_ev *requests,
			    const struct acrpmu_ev *responses)
{
	const struct acrpmu_extra_reg *reg = outstanding_reg(model, requests->config,
							     requests->extra_value);

	return reg && sums_requests(requests, reg) &&
	       responses->config == model->extra_regs[reg->alt].config &&
	       responses->extra_value == partner_value(reg, requests->extra_value) &&
	       !((responses->flags ^ requests->flags) & LEVELS);
}

static bool has_partner(const struct acrpmu_group *group, const struct acrpmu_model *model,
			const struct acrpmu_ev *ev)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (acrpmu_latency_is_pair(model, ev, &group->ev[i]))
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
		const struct acrpmu_extra_reg *reg = outstanding_reg(model, ev->config,
								     ev->extra_value);

		if (reg && !has_partner(group, model, ev))
			return acrpmu_refuse(error, -EINVAL, ACRPMU_REASON_EXTRA_LATENCY, i,
					     ev->extra_value, partner_value(reg, ev->extra_value));
	}
	return 0;
}
