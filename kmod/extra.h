/* SPDX-License-Identifier: GPL-2.0-only */
/* Extra registers of the cores: sharing, programming, restoring. */
#ifndef _ACRPMU_EXTRA_H
#define _ACRPMU_EXTRA_H

#include "core/types.h"

struct acrpmu_error;
struct acrpmu_session;

int acrpmu_extra_init(void);
void acrpmu_extra_exit(void);
int acrpmu_extra_check(const struct acrpmu_session *session, int cpu, struct acrpmu_error *err);
int acrpmu_extra_reserve(struct acrpmu_session *session, int cpu, u64 free_cntrs,
			 struct acrpmu_error *err);
bool acrpmu_extra_keep(struct acrpmu_session *session, int cpu);
void acrpmu_extra_release(struct acrpmu_session *session, int cpu);
void acrpmu_extra_apply(int cpu);

#endif /* _ACRPMU_EXTRA_H */
