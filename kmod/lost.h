/* SPDX-License-Identifier: GPL-2.0-only */
/* Finding out that somebody else has got at the counters of a session, and calling for help. */
#ifndef _ACRPMU_LOST_H
#define _ACRPMU_LOST_H

#include <linux/types.h>
#include <linux/workqueue.h>

struct acrpmu_error;
struct acrpmu_session;
struct acrpmu_session_cpu;

void acrpmu_lost_refuse(int cpu, struct acrpmu_error *err);
bool acrpmu_lost_find(const struct acrpmu_session_cpu *scpu, struct acrpmu_error *err);
void acrpmu_lost_wake_here(const struct acrpmu_session *session);
void acrpmu_lost_look(void);
void acrpmu_lost_arm(void);
void acrpmu_lost_init(work_func_t look);
void acrpmu_lost_exit(void);

#endif /* _ACRPMU_LOST_H */
