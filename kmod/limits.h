/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits set by module parameters, and the features that this kernel allows. */
#ifndef _ACRPMU_LIMITS_H
#define _ACRPMU_LIMITS_H

#include <linux/types.h>

#include "core/attr.h"

/* bounds on what a session may ask for; constant after load */
extern struct acrpmu_limits acrpmu_limits;
/* samples per second and CPU; constant after load */
extern unsigned int acrpmu_max_sample_rate;
/* the same per jiffy, at least 1; constant after load */
extern unsigned int acrpmu_max_per_tick;
/* time of a jiffy that PMIs may take; constant after load */
extern u64 acrpmu_max_ns_per_tick;
/* sessions that each user may have; constant after load */
extern unsigned int acrpmu_max_sessions;
/* ACRPMU_FEATURE_* that this kernel allows; constant after load */
extern u64 acrpmu_features;

int acrpmu_limits_init(void);

#endif /* _ACRPMU_LIMITS_H */
