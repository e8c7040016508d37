/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions of a cgroup: they count on a CPU while a task of it, or of one below it, runs there. */
#ifndef _ACRPMU_CGROUP_H
#define _ACRPMU_CGROUP_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

struct acrpmu_error;
struct acrpmu_session;
struct task_struct;

bool acrpmu_cgroup_init(void);
int acrpmu_cgroup_get(struct acrpmu_session *session, int fd, struct acrpmu_error *err);
void acrpmu_cgroup_put(struct acrpmu_session *session);
void acrpmu_cgroup_free(struct acrpmu_session *session);
bool acrpmu_cgroup_has(const struct acrpmu_session *session, struct task_struct *task);
void acrpmu_cgroup_switch_all(struct task_struct *next, int cpu);

/* sessions of cgroups, by acrpmu_session.of_cgroup; read by RCU */
extern struct list_head acrpmu_cgroup_sessions;

/**
 * acrpmu_cgroup_switch() - start and stop the sessions of cgroups on this CPU, if there are any
 * @next: the task that runs from now on
 * @cpu: this CPU
 *
 * Context: interrupts off, the run queue may be locked.
 */
static __always_inline void acrpmu_cgroup_switch(struct task_struct *next, int cpu)
{
	if (likely(list_empty(&acrpmu_cgroup_sessions)))
		return;
	rcu_read_lock();
	acrpmu_cgroup_switch_all(next, cpu);
	rcu_read_unlock();
}

#endif /* _ACRPMU_CGROUP_H */
