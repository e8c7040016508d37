/* SPDX-License-Identifier: GPL-2.0-only */
/* Limits that module parameters set. */
#ifndef _ACRPMU_MAIN_H
#define _ACRPMU_MAIN_H

#include <linux/types.h>

#include "core/attr.h"

/** acrpmu_limits - bounds on what a session may ask for; constant after load */
extern struct acrpmu_limits acrpmu_limits;
/** acrpmu_max_sample_rate - samples per second and CPU; constant after load */
extern unsigned int acrpmu_max_sample_rate;
/** acrpmu_max_per_tick - the same per jiffy, at least 1; constant after load */
extern unsigned int acrpmu_max_per_tick;
/** acrpmu_max_ns_per_tick - time of a jiffy that PMIs may take; constant after load */
extern u64 acrpmu_max_ns_per_tick;
/** acrpmu_features - ACRPMU_FEATURE_* that this kernel allows; constant after load */
extern u64 acrpmu_features;

#endif /* _ACRPMU_MAIN_H */
