/* SPDX-License-Identifier: GPL-2.0-only */
/* The tasks that sessions follow: which contexts a task has, and which of them may count. */
#ifndef _ACRPMU_FOLLOWED_H
#define _ACRPMU_FOLLOWED_H

#include <linux/hash.h>
#include <linux/list.h>
#include <linux/rculist.h>
#include <linux/types.h>

struct acrpmu_ctx;
struct acrpmu_session;
struct acrpmu_target;
struct task_struct;

/**
 * ACRPMU_WALK_MAX - most contexts visited while acrpmu_session.lock is held
 */
#define ACRPMU_WALK_MAX	64

/* most bits of an index into a table of tasks */
#define ACRPMU_FOLLOWED_MAX_BITS	20

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

/**
 * struct acrpmu_followed_table - the tasks that sessions follow, by address
 * @tasks: of struct acrpmu_followed, read by RCU
 * @mask: of a hash, to get an index; constant after load
 */
struct acrpmu_followed_table {
	struct hlist_head *tasks;
	u64 mask;
};

extern struct acrpmu_followed_table acrpmu_followed_table;

/* internal: the chain of a task */
static __always_inline struct hlist_head *acrpmu_followed_bucket(const struct task_struct *task)
{
	u64 hash = (unsigned long)task * GOLDEN_RATIO_64 >> (64 - ACRPMU_FOLLOWED_MAX_BITS);

	return &acrpmu_followed_table.tasks[hash & acrpmu_followed_table.mask];
}

/**
 * acrpmu_followed_maybe() - check cheaply whether a session may follow a task
 *
 * Context: as acrpmu_followed_find().
 * Return: false if none does.
 */
static __always_inline bool acrpmu_followed_maybe(const struct task_struct *task)
{
	return READ_ONCE(acrpmu_followed_bucket(task)->first);
}

/**
 * acrpmu_followed_find() - find a task that some session follows
 *
 * Context: any but NMI, under rcu_read_lock() or with interrupts off.
 * Return: the task, or NULL if nobody follows it.
 */
static __always_inline struct acrpmu_followed *
acrpmu_followed_find(const struct task_struct *task)
{
	struct acrpmu_followed *followed;

	hlist_for_each_entry_rcu_notrace(followed, acrpmu_followed_bucket(task), hash)
		if (followed->task == task)
			return followed;
	return NULL;
}

int acrpmu_followed_init(void);
void acrpmu_followed_exit(void);
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
