/* SPDX-License-Identifier: GPL-2.0-only */
/* What a creator without CAP_PERFMON may follow: tasks of the same user, no more. */
#ifndef _ACRPMU_OWN_H
#define _ACRPMU_OWN_H

#include <linux/binfmts.h>
#include <linux/types.h>

struct acrpmu_error;
struct acrpmu_session;
struct cred;
struct task_struct;

int acrpmu_own_check_caller(struct acrpmu_error *err);
int acrpmu_own_begin(struct acrpmu_session *session, struct task_struct *task,
		     struct acrpmu_error *err);
void acrpmu_own_end(struct acrpmu_session *session, struct task_struct *task);
bool acrpmu_own_inherits(const struct acrpmu_session *session, const struct cred *cred);
int acrpmu_own_check_cpus(const struct acrpmu_session *session, pid_t pid,
			  struct acrpmu_error *err);
bool acrpmu_own_ends_at(const struct acrpmu_session *session, const struct linux_binprm *bprm);

#endif /* _ACRPMU_OWN_H */
