/* SPDX-License-Identifier: GPL-2.0-only */
/* Giving up a CPU where somebody else has got at the counters of a session, on the CPU itself. */
#ifndef _ACRPMU_YIELD_H
#define _ACRPMU_YIELD_H

#include <linux/types.h>

struct acrpmu_session_cpu;

bool acrpmu_yield_check(struct acrpmu_session_cpu *scpu);
bool acrpmu_yield_found(struct acrpmu_session_cpu *scpu);
bool acrpmu_yield_at_once(struct acrpmu_session_cpu *scpu);

#endif /* _ACRPMU_YIELD_H */
