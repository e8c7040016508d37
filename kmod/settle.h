/* SPDX-License-Identifier: GPL-2.0-only */
/* Letting in-tree perf use CPUs that were taken from sessions, while nobody waits for it. */
#ifndef _ACRPMU_SETTLE_H
#define _ACRPMU_SETTLE_H

int acrpmu_settle_init(void);
void acrpmu_settle_exit(void);
void acrpmu_settle_later(int cpu);
void acrpmu_settle_flush(void);

#endif /* _ACRPMU_SETTLE_H */
