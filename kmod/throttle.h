/* SPDX-License-Identifier: GPL-2.0-only */
/* The limits on the overflows and the PMI time of a CPU, applied to its sessions. */
#ifndef _ACRPMU_THROTTLE_H
#define _ACRPMU_THROTTLE_H

#include <linux/types.h>

struct acrpmu_pmu;
struct acrpmu_session_cpu;

bool acrpmu_throttle_overflow(struct acrpmu_pmu *pmu, struct acrpmu_session_cpu *scpu);
void acrpmu_throttle_charge(struct acrpmu_pmu *pmu, u64 start_ns);

#endif /* _ACRPMU_THROTTLE_H */
