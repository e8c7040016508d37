/* SPDX-License-Identifier: GPL-2.0-only */
/* Adding up what a session has counted, and its state. */
#ifndef _ACRPMU_ACCOUNT_H
#define _ACRPMU_ACCOUNT_H

#include <linux/types.h>

struct acrpmu_count;
struct acrpmu_read;
struct acrpmu_session;
struct acrpmu_session_cpu;
struct acrpmu_target;
struct cpumask;

void acrpmu_account_publish(struct acrpmu_session_cpu *scpu);
u64 acrpmu_account_periods_ended(const struct acrpmu_session_cpu *scpu, unsigned int ev);
void acrpmu_account_periods_reset(struct acrpmu_session_cpu *scpu);
void acrpmu_account_begin(struct acrpmu_session *session);
void acrpmu_account_sum(struct acrpmu_session *session, struct acrpmu_target *target,
			struct acrpmu_read *read, struct acrpmu_count *counts, u64 *outside);
void acrpmu_account_held(const struct acrpmu_session *session, struct cpumask *held);
bool acrpmu_account_ended(const struct acrpmu_session *session);
u32 acrpmu_account_state(const struct acrpmu_session *session);

#endif /* _ACRPMU_ACCOUNT_H */
