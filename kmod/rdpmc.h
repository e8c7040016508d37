/* SPDX-License-Identifier: GPL-2.0-only */
/* Zeroing what sessions leave in counters before a program may read it with RDPMC. */
#ifndef _ACRPMU_RDPMC_H
#define _ACRPMU_RDPMC_H

#include <linux/cred.h>
#include <linux/sched.h>
#include <linux/types.h>

extern bool acrpmu_rdpmc_hooked;

/**
 * acrpmu_rdpmc_same_user() - check whether a task may continue the periods of another one, which a
 *	program with RDPMC reads in the counters
 *
 * Context: any but NMI, preemption off.
 */
static __always_inline bool acrpmu_rdpmc_same_user(const struct task_struct *a,
						   const struct task_struct *b)
{
	const struct cred *x = rcu_dereference_sched(a->real_cred);
	const struct cred *y = rcu_dereference_sched(b->real_cred);

	return uid_eq(x->uid, y->uid) && uid_eq(x->euid, y->euid) && uid_eq(x->suid, y->suid) &&
	       gid_eq(x->gid, y->gid) && gid_eq(x->egid, y->egid) && gid_eq(x->sgid, y->sgid);
}

void acrpmu_rdpmc_init(void);
void acrpmu_rdpmc_exit(void);
void acrpmu_rdpmc_begin_check(void);
void acrpmu_rdpmc_end_check(void);

#endif /* _ACRPMU_RDPMC_H */
