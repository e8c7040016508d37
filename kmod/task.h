/* SPDX-License-Identifier: GPL-2.0-only */
/* Starting and stopping a session's counters, with its tasks: at switch, fork, exec and exit. */
#ifndef _ACRPMU_TASK_H
#define _ACRPMU_TASK_H

#include <linux/types.h>

struct acrpmu_attaching;
struct acrpmu_ctx;
struct acrpmu_session;
struct acrpmu_target;
struct task_struct;

int acrpmu_task_init(void);
int acrpmu_task_get_probes(void);
void acrpmu_task_put_probes(void);
void acrpmu_task_init_ctx(struct acrpmu_ctx *ctx, struct acrpmu_session *session,
			  struct acrpmu_target *target, struct task_struct *task);
void acrpmu_task_drop_ctx(struct acrpmu_ctx *ctx);
struct acrpmu_attaching *acrpmu_task_begin_attaching(struct acrpmu_session *session,
						     struct acrpmu_target *target,
						     struct task_struct *leader);
void acrpmu_task_end_attaching(struct acrpmu_attaching *attaching);
void acrpmu_task_detach_all(struct acrpmu_session *session);
void acrpmu_task_activate(struct acrpmu_session *session);
void acrpmu_task_notice_here(void *data);
void acrpmu_task_start_here(void *data);
void acrpmu_task_stop_here(void *data);

#endif /* _ACRPMU_TASK_H */
