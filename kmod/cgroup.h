/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions of a cgroup: they count on a CPU while a task of it, or of one below it, runs there. */
#ifndef _ACRPMU_CGROUP_H
#define _ACRPMU_CGROUP_H

#include <linux/types.h>

struct acrpmu_error;
struct acrpmu_session;
struct task_struct;

bool acrpmu_cgroup_init(void);
int acrpmu_cgroup_get(struct acrpmu_session *session, int fd, struct acrpmu_error *err);
void acrpmu_cgroup_put(struct acrpmu_session *session);
void acrpmu_cgroup_free(struct acrpmu_session *session);
bool acrpmu_cgroup_has(const struct acrpmu_session *session, struct task_struct *task);
void acrpmu_cgroup_switch(struct task_struct *next, int cpu);

#endif /* _ACRPMU_CGROUP_H */
