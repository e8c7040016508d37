/* SPDX-License-Identifier: GPL-2.0-only */
/* Making in-tree perf forget counters that its events have left behind. */
#ifndef _ACRPMU_CLEAN_H
#define _ACRPMU_CLEAN_H

#include <linux/types.h>

struct cpumask;

/* how long acrpmu_clean_cpus() waits for CPUs */
#define ACRPMU_CLEAN_LIMIT_MS	2000

int acrpmu_clean_init(void);
void acrpmu_clean_exit(void);
void acrpmu_clean_here(void);
int acrpmu_clean_cpus(const struct cpumask *cpus, const bool *abort, struct cpumask *done);
bool acrpmu_clean_is_stuck(int cpu);
void acrpmu_clean_wake(void);

#endif /* _ACRPMU_CLEAN_H */
