/* SPDX-License-Identifier: GPL-2.0-only */
/* Keeping the PMU apart from in-tree perf: finding out how, taking it and giving it back. */
#ifndef _ACRPMU_OWNER_H
#define _ACRPMU_OWNER_H

#include <linux/types.h>

struct acrpmu_error;

int acrpmu_owner_init(u64 gp_cntrs);
u32 acrpmu_owner_arbiter(void);
int acrpmu_owner_get(int cpu, struct acrpmu_error *err);
void acrpmu_owner_put(int cpu);
bool acrpmu_owner_is_perf(void);
u64 acrpmu_owner_cntrs(int cpu);

#endif /* _ACRPMU_OWNER_H */
