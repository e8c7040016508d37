/* SPDX-License-Identifier: GPL-2.0-only */
/* The tasks that sessions follow: which contexts a task has, and which of them may count. */
#ifndef _ACRPMU_FOLLOWED_H
#define _ACRPMU_FOLLOWED_H

#include <linux/list.h>
#include <linux/types.h>

struct acrpmu_ctx;
struct acrpmu_session;
struct acrpmu_target;
struct task_struct;

/**
 * ACRPMU_WALK_MAX - most contexts visited while acrpmu_session.lock is held
 */
#define ACRPMU_WALK_MAX	64

/**
 * struct acrpmu_followed - a task that sessions follow; a part of one of its contexts
 * @hash: in the table of tasks
 * @task: the task; constant while hashed
 * @ctxs: its contexts, of all sessions
 * @active: those that may count, so that a switch does not visit the others
 *
 * Changed under a lock of followed.c, read by RCU.
 */
struct acrpmu_followed {
	struct hlist_node hash;
	struct task_struct *task;
	struct list_head ctxs;
	struct list_head active;
};

int acrpmu_followed_init(void);
void acrpmu_followed_exit(void);
struct acrpmu_followed *acrpmu_followed_find(const struct task_struct *task);
struct acrpmu_ctx *acrpmu_followed_ctx(const struct task_struct *task,
				       const struct acrpmu_session *session);
bool acrpmu_followed_add(struct acrpmu_ctx *ctx, bool active);
void acrpmu_followed_drop(struct acrpmu_ctx *ctx);
void acrpmu_followed_activate(struct acrpmu_ctx *ctx, bool active);
void acrpmu_followed_walk(struct acrpmu_session *session,
			  void (*visit)(struct acrpmu_ctx *ctx, void *arg), void *arg);
void acrpmu_followed_walk_target(struct acrpmu_session *session, struct acrpmu_target *target,
				 void (*visit)(struct acrpmu_ctx *ctx, void *arg), void *arg);

#endif /* _ACRPMU_FOLLOWED_H */
