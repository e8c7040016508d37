/* SPDX-License-Identifier: GPL-2.0-only */
/* Targets: the tasks that one request let a session follow, with what they fork. */
#ifndef _ACRPMU_TARGET_H
#define _ACRPMU_TARGET_H

#include <linux/list.h>
#include <linux/rcupdate.h>
#include <linux/types.h>

#include "cell.h"

struct acrpmu_ctx;
struct acrpmu_error;
struct acrpmu_session;

/**
 * struct acrpmu_gone - what tasks that are gone have counted
 * @tasks: number of these tasks
 * @running_ns: time they were counted
 * @missed_ns: time they ran on CPUs that the session did not hold
 * @ev: counts by event
 */
struct acrpmu_gone {
	u64 tasks;
	u64 running_ns;
	u64 missed_ns;
	struct acrpmu_tally ev[ACRPMU_MAX_EVENTS];
};

/**
 * struct acrpmu_target - the tasks that one request let a session follow, with what they fork
 * @node: in the session's list, from its first task on
 * @child: in the session's tree, where targets with 0 and with 1 as their next bit follow
 * @nr: its number from then on
 * @closed: no task may join any more: it got none
 * @walking: contexts are visited one after another
 * @ctxs: contexts that exist now, without those in @visited
 * @visited: while walking: those visited, and new ones
 * @nr_tasks: tasks followed now
 * @tasks: tasks followed so far
 * @gone: what those that are gone have counted
 * @rcu: frees it if it got no task
 *
 * All are guarded by acrpmu_session.lock, but list and tree only grow, and a target in them keeps
 * its number: they are read without it.
 */
struct acrpmu_target {
	struct list_head node;
	struct acrpmu_target *child[2];
	u32 nr;
	bool closed;
	bool walking;
	struct list_head ctxs;
	struct list_head visited;
	unsigned int nr_tasks;
	u64 tasks;
	struct acrpmu_gone gone;
	struct rcu_head rcu;
};

struct acrpmu_target *acrpmu_target_begin(struct acrpmu_session *session,
					  struct acrpmu_error *err);
u32 acrpmu_target_end(struct acrpmu_session *session, struct acrpmu_target *target);
struct acrpmu_target *acrpmu_target_find(const struct acrpmu_session *session, u32 nr);
void acrpmu_target_join(struct acrpmu_ctx *ctx);
void acrpmu_target_fold(struct acrpmu_ctx *ctx);
void acrpmu_target_reset(struct acrpmu_session *session);
void acrpmu_target_free(struct acrpmu_session *session);

#endif /* _ACRPMU_TARGET_H */
