/* SPDX-License-Identifier: GPL-2.0-only */
/* Changing the periods of a session, and what its periods that ended add up to. */
#ifndef _ACRPMU_PERIODS_H
#define _ACRPMU_PERIODS_H

#include <linux/types.h>

struct acrpmu_error;
struct acrpmu_session;
struct acrpmu_session_cpu;

int acrpmu_periods_set(struct acrpmu_session *session, const u64 *periods,
		       struct acrpmu_error *err);
u64 acrpmu_periods_ended(const struct acrpmu_session_cpu *scpu, unsigned int ev);
void acrpmu_periods_reset(struct acrpmu_session_cpu *scpu);

#endif /* _ACRPMU_PERIODS_H */
