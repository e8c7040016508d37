// SPDX-License-Identifier: GPL-2.0-only
/* The limits on the overflows and the PMI time of a CPU, applied to its sessions. */
#include <linux/bitops.h>
#include <linux/kprobes.h>

#include "session.h"
#include "core/budget.h"
#include "pmu.h"
#include "throttle.h"

/**
 * acrpmu_throttle_must_pause() - check whether a session pauses, now that a limit is exceeded
 *
 * Only sessions that hold a counter here can run, so these are few.
 *
 * Context: NMI, on the CPU of @pmu and @scpu, after an overflow of the latter.
 */
bool acrpmu_throttle_must_pause(const struct acrpmu_pmu *pmu,
				const struct acrpmu_session_cpu *scpu)
{
	const struct acrpmu_use *running[ACRPMU_NR_SLOTS];
	u64 left = pmu->int_cntrs;
	unsigned int nr = 0;

	for (; left; left &= left - 1) {
		const struct acrpmu_session_cpu *other = pmu->slot[__ffs64(left)].scpu;

		if (!other->paused)
			running[nr++] = &other->use;
	}
	return acrpmu_budget_must_pause(&pmu->budget, &scpu->use, running, nr,
					hweight64(pmu->int_cntrs));
}

NOKPROBE_SYMBOL(acrpmu_throttle_must_pause);
