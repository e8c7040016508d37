/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs that come and go: released before, and restored after. */
#ifndef _ACRPMU_RESTORE_H
#define _ACRPMU_RESTORE_H

#include <linux/types.h>

struct acrpmu_session;
struct cpumask;

u32 acrpmu_restore_stopped(const struct cpumask *cpus);
void acrpmu_restore_cpu(int cpu);
void acrpmu_restore_lose_cpu(struct acrpmu_session *session, int cpu);
void acrpmu_restore_stop(u32 reason);
void acrpmu_restore_resume(void);
int acrpmu_restore_init(void);
void acrpmu_restore_exit(void);

#endif /* _ACRPMU_RESTORE_H */
