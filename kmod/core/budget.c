// SPDX-License-Identifier: GPL-2.0-only
/* Limits on the overflows and the PMI time of a CPU: whether they hold, and what must pause. */
#include "budget.h"

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

NOKPROBE_SYMBOL(acrpmu_budget_must_pause);
