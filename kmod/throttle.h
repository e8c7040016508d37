/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits on the overflows and the PMI time of a CPU, beyond which sessions pause. */
#ifndef _ACRPMU_THROTTLE_H
#define _ACRPMU_THROTTLE_H

#include <linux/types.h>

struct acrpmu_session_cpu;

/**
 * struct acrpmu_budget - what all sessions have used of one CPU in the current tick
 * @tick: jiffies of the tick
 * @nr_sessions: sessions with overflows in it
 * @overflows: their overflows
 * @pmis: PMIs in it
 * @share: overflows from which a session pauses; 0 while the limits hold
 * @pmi_ns: time that a PMI takes, a running average over many
 *
 * The CPU itself, in NMI.
 */
struct acrpmu_budget {
	unsigned long tick;
	unsigned int nr_sessions;
	unsigned int overflows;
	unsigned int pmis;
	unsigned int share;
	u64 pmi_ns;
};

bool acrpmu_throttle_overflow(struct acrpmu_budget *budget, struct acrpmu_session_cpu *scpu);
void acrpmu_throttle_charge(struct acrpmu_budget *budget, u64 start_ns);

#endif /* _ACRPMU_THROTTLE_H */
