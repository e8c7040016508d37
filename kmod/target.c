// SPDX-License-Identifier: GPL-2.0-only
/* Targets: the tasks that one request let a session follow, with what they fork. */
#include <linux/err.h>
#include <linux/rculist.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "session.h"
#include "core/refuse.h"
#include "ctx.h"
#include "target.h"

/**
 * acrpmu_target_begin() - make a target that tasks of a session may join
 * @err: filled when refused
 *
 * Context: process, may sleep.
 * Return: the target, for acrpmu_target_end(); ERR_PTR() of -EMFILE or -ENOMEM.
 */
struct acrpmu_target *acrpmu_target_begin(struct acrpmu_session *session, struct acrpmu_error *err)
{
	struct acrpmu_target *target;

	/* Some more, if several callers attach at the same time, do no harm. */
	if (READ_ONCE(session->nr_targets) >= ACRPMU_MAX_TARGETS)
		return ERR_PTR(acrpmu_refuse(err, -EMFILE, ACRPMU_REASON_TARGETS, ACRPMU_NO_EVENT,
					     0, ACRPMU_MAX_TARGETS));
	target = kzalloc(sizeof(*target), GFP_KERNEL_ACCOUNT);
	if (!target)
		return ERR_PTR(-ENOMEM);
	INIT_LIST_HEAD(&target->node);
	INIT_LIST_HEAD(&target->ctxs);
	INIT_LIST_HEAD(&target->visited);
	return target;
}

/**
 * acrpmu_target_end() - end what acrpmu_target_begin() has begun
 *
 * The session keeps a target that tasks have joined; a fork probe may still find another.
 *
 * Context: process.
 * Return: number of the target; 0 if nothing has joined it.
 */
u32 acrpmu_target_end(struct acrpmu_session *session, struct acrpmu_target *target)
{
	unsigned long flags;
	u32 nr;

	raw_spin_lock_irqsave(&session->lock, flags);
	nr = target->nr;
	target->closed = !nr;
	raw_spin_unlock_irqrestore(&session->lock, flags);
	if (!nr)
		kfree_rcu(target, rcu);
	return nr;
}

/**
 * acrpmu_target_find() - find a target by its number
 *
 * The bits of the number select the child at each node, the lowest bit first.
 *
 * Context: any; while the session exists.
 * Return: the target, NULL if there is none.
 */
struct acrpmu_target *acrpmu_target_find(const struct acrpmu_session *session, u32 nr)
{
	/* Pairs with the release in insert(). */
	struct acrpmu_target *target = READ_ONCE(session->target_tree);
	u32 bits;

	for (bits = nr; target && target->nr != nr; bits >>= 1)
		target = READ_ONCE(target->child[bits & 1]);
	return target;
}

static void insert(struct acrpmu_session *session, struct acrpmu_target *target)
{
	struct acrpmu_target **link = &session->target_tree;
	u32 bits;

	for (bits = target->nr; *link; bits >>= 1)
		link = &(*link)->child[bits & 1];
	/* Whoever finds the target sees it whole. */
	smp_store_release(link, target);
}

/**
 * acrpmu_target_join() - count a task that its target follows from now on
 *
 * Context: any but NMI, acrpmu_session.lock held.
 */
void acrpmu_target_join(struct acrpmu_ctx *ctx)
{
	struct acrpmu_session *session = ctx->session;
	struct acrpmu_target *target = ctx->target;

	lockdep_assert_held(&session->lock);
	if (!target->nr) {
		target->nr = ++session->nr_targets;
		insert(session, target);
		list_add_tail_rcu(&target->node, &session->targets);
	}
	target->tasks++;
	session->tasks++;
}

static void fold(struct acrpmu_gone *gone, const struct acrpmu_ctx *ctx)
{
	unsigned int ev;

	gone->tasks++;
	gone->running_ns += ctx->running_ns;
	gone->missed_ns += atomic64_read(&ctx->missed_ns);
	for (ev = 0; ev < ctx->session->group.nr; ev++)
		acrpmu_tally_add(&gone->ev[ev], &ctx->cell[ev].now);
}

/**
 * acrpmu_target_fold() - add what a stopped context has counted to what is gone
 *
 * Context: any but NMI, acrpmu_session.lock held.
 */
void acrpmu_target_fold(struct acrpmu_ctx *ctx)
{
	struct acrpmu_session *session = ctx->session;

	lockdep_assert_held(&session->lock);
	fold(&session->gone, ctx);
	fold(&ctx->target->gone, ctx);
	if (session->reading && ctx->read_nr == session->read_nr)
		fold(&session->twice, ctx);
}

static void reset_gone(struct acrpmu_session *session, struct acrpmu_gone *gone)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&session->lock, flags);
	memset(gone, 0, sizeof(*gone));
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

/**
 * acrpmu_target_reset() - zero what is gone of a stopped session
 *
 * After its contexts: tasks that exited in between have folded what was not reset.
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_target_reset(struct acrpmu_session *session)
{
	struct acrpmu_target *target;

	reset_gone(session, &session->gone);
	list_for_each_entry_lockless(target, &session->targets, node) {
		reset_gone(session, &target->gone);
		cond_resched();
	}
}

/**
 * acrpmu_target_free() - free the targets of a session
 *
 * Context: process; a grace period after its last context was found.
 */
void acrpmu_target_free(struct acrpmu_session *session)
{
	struct acrpmu_target *target, *next;

	list_for_each_entry_safe(target, next, &session->targets, node)
		kfree(target);
}
