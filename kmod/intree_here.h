/* SPDX-License-Identifier: GPL-2.0-only */
/* What the events that in-tree perf counts on this CPU use. */
#ifndef _ACRPMU_INTREE_HERE_H
#define _ACRPMU_INTREE_HERE_H

#include <linux/types.h>

struct perf_event;

u64 acrpmu_intree_here_cntrs(const struct perf_event *claim);
bool acrpmu_intree_here_extra(const struct perf_event *claim, u32 msr);

#endif /* _ACRPMU_INTREE_HERE_H */
