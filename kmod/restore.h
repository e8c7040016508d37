/* SPDX-License-Identifier: GPL-2.0-only */
/* CPUs that come and go: released before, and marked to be reserved again after. */
#ifndef _ACRPMU_RESTORE_H
#define _ACRPMU_RESTORE_H

#include <linux/types.h>

struct acrpmu_session;
struct cpumask;

bool acrpmu_restore_is_stopped(void);
u32 acrpmu_restore_stopped(const struct acrpmu_session *session, const struct cpumask *cpus);
void acrpmu_restore_cpu(struct acrpmu_session *session, int cpu);
void acrpmu_restore_lose_cpu(struct acrpmu_session *session, int cpu);
void acrpmu_restore_stop(u32 reason);
void acrpmu_restore_resume(void);
void acrpmu_restore_done(void);

#endif /* _ACRPMU_RESTORE_H */
