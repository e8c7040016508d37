/* SPDX-License-Identifier: GPL-2.0-only */
/* What happens to sessions and CPUs, for those who listen. */
#ifndef _ACRPMU_NOTIFY_H
#define _ACRPMU_NOTIFY_H

#include <linux/types.h>

struct acrpmu_error;
struct acrpmu_session;
struct acrpmu_session_cpu;
struct cpumask;

void acrpmu_notify_created(struct acrpmu_session *session);
void acrpmu_notify_session(struct acrpmu_session *session, u32 change);
void acrpmu_notify_ended(struct acrpmu_session *session);
void acrpmu_notify_claimed(struct acrpmu_session *session, const struct cpumask *cpus);
void acrpmu_notify_released(struct acrpmu_session *session, const struct cpumask *cpus);
void acrpmu_notify_refused(struct acrpmu_session *session, int ret,
			   const struct acrpmu_error *err);
void acrpmu_notify_refused_cpu(struct acrpmu_session_cpu *scpu, int ret,
			       const struct acrpmu_error *err);
void acrpmu_notify_taken(const struct acrpmu_session_cpu *scpu);
void acrpmu_notify_changes(int cpu);
void acrpmu_notify_cpu(int cpu, bool online);
void acrpmu_notify_cpu_lost(const struct acrpmu_session_cpu *scpu);
void acrpmu_notify_init(void);
void acrpmu_notify_exit(void);

#endif /* _ACRPMU_NOTIFY_H */
