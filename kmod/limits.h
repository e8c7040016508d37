/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits set by module parameters, and the features that this kernel allows. */
#ifndef _ACRPMU_LIMITS_H
#define _ACRPMU_LIMITS_H

#include <linux/types.h>

#include "core/attr.h"

/**
 * struct acrpmu_pace - what all sampling on one CPU may take
 * @max_sample_rate: overflows per second
 * @max_pmi_percent: share of the time; 100 for no limit
 * @max_per_tick: overflows per jiffy, at least 1
 * @max_cycles_per_tick: time per jiffy, in cycles of the TSC
 * @max_cycles_of_pmi: of a very slow PMI only this much counts; constant after load
 *
 * Each member may change at any time; running sessions follow with their next overflow.
 */
struct acrpmu_pace {
	unsigned int max_sample_rate;
	unsigned int max_pmi_percent;
	unsigned int max_per_tick;
	u64 max_cycles_per_tick;
	u64 max_cycles_of_pmi;
};

/* bounds on what a session may ask for; the smallest periods may change at any time */
extern struct acrpmu_limits acrpmu_limits;
extern struct acrpmu_pace acrpmu_pace;
/* sessions that each user may have; may change at any time */
extern unsigned int acrpmu_max_sessions;
/* the same for sessions created without CAP_PERFMON; may change at any time */
extern unsigned int acrpmu_max_unprivileged_sessions;
/* callers without CAP_PERFMON may observe their own tasks; may change at any time */
extern bool acrpmu_unprivileged;
/* ACRPMU_FEATURE_* that this kernel allows; constant after load */
extern u64 acrpmu_features;

void acrpmu_limits_init(void);

#endif /* _ACRPMU_LIMITS_H */
