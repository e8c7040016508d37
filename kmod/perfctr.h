/* SPDX-License-Identifier: GPL-2.0-only */
/* The kernel's reservation of general-purpose counters, which drivers of the PMU share. */
#ifndef _ACRPMU_PERFCTR_H
#define _ACRPMU_PERFCTR_H

#include <linux/types.h>

void acrpmu_perfctr_init(u64 cntrs);
bool acrpmu_perfctr_get(void);
void acrpmu_perfctr_put(void);
bool acrpmu_perfctr_is_foreign(void);

#endif /* _ACRPMU_PERFCTR_H */
