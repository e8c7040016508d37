/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding room for a session: its CPUs, counters and extra registers, all of them or none. */
#ifndef _ACRPMU_RESERVE_H
#define _ACRPMU_RESERVE_H

struct acrpmu_error;
struct acrpmu_session;

int acrpmu_place_check(struct acrpmu_session *session, struct acrpmu_error *err);
int acrpmu_place_take(struct acrpmu_session *session, struct acrpmu_error *err);
void acrpmu_place_give(struct acrpmu_session *session);
void acrpmu_place_lose_cpu(struct acrpmu_session *session, int cpu);
void acrpmu_place_retake_cpu(int cpu);
void acrpmu_place_suspend(void);
void acrpmu_place_resume(void);

#endif /* _ACRPMU_RESERVE_H */
