/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits on the overflows and the PMI time of a CPU, beyond which sessions pause. */
#ifndef _ACRPMU_THROTTLE_H
#define _ACRPMU_THROTTLE_H

#include <linux/types.h>

struct acrpmu_session_cpu;

/**
 * struct acrpmu_budget - PMI time of one CPU in the current window, a tick long
 * @start_ns: local_clock() when the window began
 * @nr_pmis: PMIs handled in it
 * @used_ns: time they took
 *
 * The CPU itself, in NMI.
 */
struct acrpmu_budget {
	u64 start_ns;
	unsigned int nr_pmis;
	u64 used_ns;
};

bool acrpmu_throttle_rate(struct acrpmu_session_cpu *scpu);
bool acrpmu_throttle_time(const struct acrpmu_budget *budget);
void acrpmu_throttle_charge(struct acrpmu_budget *budget, u64 start_ns);

#endif /* _ACRPMU_THROTTLE_H */
