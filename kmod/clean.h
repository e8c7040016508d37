/* SPDX-License-Identifier: GPL-2.0-only */
/* Making in-tree perf forget counters that its events have left behind. */
#ifndef _ACRPMU_CLEAN_H
#define _ACRPMU_CLEAN_H

void acrpmu_clean_cpu(int cpu);

#endif /* _ACRPMU_CLEAN_H */
