/* SPDX-License-Identifier: GPL-2.0-only */
/* Events that programs have opened in in-tree perf. */
#ifndef _ACRPMU_INTREE_H
#define _ACRPMU_INTREE_H

#include <linux/cpumask.h>
#include <linux/types.h>

struct acrpmu_error;

int acrpmu_intree_starved(const struct cpumask *cpus, struct acrpmu_error *err);
int acrpmu_intree_find(const struct cpumask *cpus, int min_state, bool wait,
		       struct acrpmu_error *err);

#endif /* _ACRPMU_INTREE_H */
