// SPDX-License-Identifier: GPL-2.0-only
/* Limits on the overflows and the PMI time of a CPU: whether they hold, and what must pause. */
#include "budget.h"

/*
 * A single slow PMI is no evidence, because the host may have run something else: take the average
 * of about the last 128.
 */
#define PMI_WEIGHT_SHIFT	7

bool acrpmu_budget_overflow(struct acrpmu_budget *budget, struct acrpmu_use *use, u64 tick,
			    unsigned int max_overflows, u64 max_ns)
{
	if (budget->tick != tick)
		*budget = (struct acrpmu_budget){ .tick = tick, .pmi_ns = budget->pmi_ns };
	if (use->tick != tick)
		*use = (struct acrpmu_use){ .tick = tick };
	use->overflows++;
	budget->overflows++;
	if (budget->overflows <= max_overflows &&
	    budget->pmis * (budget->pmi_ns >> PMI_WEIGHT_SHIFT) <= max_ns)
		return false;
	if (!budget->reached)
		budget->reached = budget->overflows;
	return true;
}

bool acrpmu_budget_must_pause(const struct acrpmu_budget *budget, const struct acrpmu_use *use,
			      const struct acrpmu_use *const *running, unsigned int nr,
			      unsigned int nr_cntrs)
{
	unsigned int i;

	if (use->overflows * nr_cntrs < budget->reached)
		return false;
	if (budget->overflows >= 2 * budget->reached)
		return true;
	for (i = 0; i < nr; i++)
		if (running[i]->tick == budget->tick && running[i]->overflows > use->overflows)
			return false;
	return true;
}

void acrpmu_budget_charge(struct acrpmu_budget *budget, u64 ns)
{
	budget->pmis++;
	budget->pmi_ns += ns - (budget->pmi_ns >> PMI_WEIGHT_SHIFT);
}
