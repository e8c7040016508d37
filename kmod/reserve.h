/* SPDX-License-Identifier: GPL-2.0-only */
/* Reserving the CPUs, counters and extra registers of a session, all of them or none. */
#ifndef _ACRPMU_RESERVE_H
#define _ACRPMU_RESERVE_H

struct acrpmu_error;
struct acrpmu_session;

int acrpmu_reserve_check(struct acrpmu_session *session, struct acrpmu_error *err);
int acrpmu_reserve_unpark(struct acrpmu_session *session, struct acrpmu_error *err);
int acrpmu_reserve_arrived(struct acrpmu_session *session, int cpu, struct acrpmu_error *err);
void acrpmu_reserve_release(struct acrpmu_session *session);

#endif /* _ACRPMU_RESERVE_H */
