/* SPDX-License-Identifier: GPL-2.0-only */
/* Changing the periods of a session. */
#ifndef _ACRPMU_PERIODS_H
#define _ACRPMU_PERIODS_H

#include <linux/types.h>

struct acrpmu_error;
struct acrpmu_session;
struct acrpmu_session_cpu;

int acrpmu_periods_set(struct acrpmu_session *session, const u64 *periods,
		       struct acrpmu_error *err);

#endif /* _ACRPMU_PERIODS_H */
