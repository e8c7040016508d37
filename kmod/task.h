/* SPDX-License-Identifier: GPL-2.0-only */
/* Following tasks across CPUs and through fork, exec and exit. */
#ifndef _ACRPMU_TASK_H
#define _ACRPMU_TASK_H

#include <linux/types.h>

struct acrpmu_session;
struct task_struct;

int acrpmu_task_init(void);
int acrpmu_task_start(void);
void acrpmu_task_stop(void);
bool acrpmu_task_follows(const struct acrpmu_session *session, const struct task_struct *task);
int acrpmu_task_attach(struct acrpmu_session *session, struct task_struct *task);
void acrpmu_task_detach_all(struct acrpmu_session *session);
void acrpmu_task_resume(struct acrpmu_session *session);

#endif /* _ACRPMU_TASK_H */
