/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that programs have opened in in-tree perf. */
#ifndef _ACRPMU_INTREE_H
#define _ACRPMU_INTREE_H

#include <linux/types.h>

struct acrpmu_error;
struct cpumask;
struct perf_event;
struct pmu;

int acrpmu_intree_init(void);
void acrpmu_intree_exit(void);
bool acrpmu_intree_knows(int cpu);
bool acrpmu_intree_is_core(const struct perf_event *event);
void acrpmu_intree_learn(int cpu, const struct pmu *pmu);
int acrpmu_intree_starved(const struct cpumask *cpus, struct acrpmu_error *err);
bool acrpmu_intree_find_older(const struct perf_event *claim, struct acrpmu_error *err);
int acrpmu_intree_find_rival(const struct cpumask *cpus, struct acrpmu_error *err);
int acrpmu_intree_find(const struct cpumask *cpus, int min_state, struct acrpmu_error *err);

#endif /* _ACRPMU_INTREE_H */
