/* SPDX-License-Identifier: GPL-2.0-only */
/* Keeping in-tree perf off the PMU: finding out how, reserving it and releasing it. */
#ifndef _ACRPMU_OWNER_H
#define _ACRPMU_OWNER_H

#include <linux/types.h>

struct acrpmu_error;
struct cpumask;

int acrpmu_owner_init(void);
void acrpmu_owner_exit(void);
int acrpmu_owner_try(u64 cntrs);
int acrpmu_owner_find(const struct cpumask *cpus, struct acrpmu_error *err);
u32 acrpmu_owner_arbiter(void);
void acrpmu_owner_name(struct acrpmu_error *err);
int acrpmu_owner_check(const struct cpumask *cpus, struct acrpmu_error *err);
void acrpmu_owner_lock(int cpu);
void acrpmu_owner_unlock(int cpu);
int acrpmu_owner_get(int cpu, struct acrpmu_error *err);
void acrpmu_owner_put(int cpu);
void acrpmu_owner_settle(int cpu);
bool acrpmu_owner_is_effective(int cpu);
u64 acrpmu_owner_foreign_here(void);
bool acrpmu_owner_shares_here(u32 msr);
bool acrpmu_owner_is_claimed(int cpu);
bool acrpmu_owner_is_clean(int cpu);
void acrpmu_owner_set_clean(int cpu);
bool acrpmu_owner_is_perf(void);
u64 acrpmu_owner_cntrs(int cpu);

#endif /* _ACRPMU_OWNER_H */
