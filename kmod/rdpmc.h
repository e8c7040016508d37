/* SPDX-License-Identifier: GPL-2.0-only */
/* Zeroing what sessions leave in counters before a program may read it with RDPMC. */
#ifndef _ACRPMU_RDPMC_H
#define _ACRPMU_RDPMC_H

#include <linux/cred.h>
#include <linux/sched.h>
#include <linux/types.h>
#include <asm/special_insns.h>

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

/**
 * acrpmu_rdpmc_must_zero() - check whether a stop has to zero its counters itself
 *
 * A kernel thread keeps the address space of the program before it loaded.  If this program is the
 * next one, nothing switches to it, and the hook is not called; but it is when the program gets the
 * permission, should it have none yet.
 *
 * Context: preemption off, the current task is the one that was counted.
 */
static __always_inline bool acrpmu_rdpmc_must_zero(void)
{
	return !READ_ONCE(acrpmu_rdpmc_hooked) ||
	       (current->flags & PF_KTHREAD && native_read_cr4() & X86_CR4_PCE);
}

void acrpmu_rdpmc_init(void);
void acrpmu_rdpmc_exit(void);
void acrpmu_rdpmc_begin_check(void);
void acrpmu_rdpmc_end_check(void);

#endif /* _ACRPMU_RDPMC_H */
