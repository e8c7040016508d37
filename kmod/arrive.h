/* SPDX-License-Identifier: GPL-2.0-only */
/* Reserving CPUs on which tasks of a session were seen running, and CPUs that are back. */
#ifndef _ACRPMU_ARRIVE_H
#define _ACRPMU_ARRIVE_H

struct acrpmu_session;

void acrpmu_arrive_begin(struct acrpmu_session *session);
void acrpmu_arrive_end(struct acrpmu_session *session);
void acrpmu_arrive_hasten(void);
void acrpmu_arrive_flush(void);
int acrpmu_arrive_init(void);
void acrpmu_arrive_exit(void);

#endif /* _ACRPMU_ARRIVE_H */
