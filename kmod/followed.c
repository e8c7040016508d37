// SPDX-License-Identifier: GPL-2.0-only
/* The tasks that sessions follow: which contexts a task has, and which of them may count. */
#include <linux/cpumask.h>
#include <linux/hash.h>
#include <linux/log2.h>
#include <linux/mm.h>
#include <linux/rculist.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>

#include "session.h"
#include "ctx.h"
#include "followed.h"
#include "registry.h"
#include "target.h"
#include "trace.h"

/*
 * Only the task itself can set a preempt notifier, so sched_switch looks tasks up by address
 * instead, and only while a task session exists.  The tables grow with the machine, as the number
 * of its tasks does.
 */
#define MIN_TABLE_BITS	12
#define TABLE_BITS_OF_A_CPU	10

/* see followed.h; its chains change under table_lock */
struct acrpmu_followed_table acrpmu_followed_table;
static unsigned int table_bits;		/* constant after load */
/* of contexts by task and session; the same */
static struct hlist_head *pairs;
/* inside acrpmu_session.lock; interrupts off */
static DEFINE_RAW_SPINLOCK(table_lock);

static struct hlist_head *pair_bucket(const struct task_struct *task,
				      const struct acrpmu_session *session)
{
	return &pairs[hash_64((unsigned long)task + session->id, table_bits)];
}

/**
 * acrpmu_followed_ctx() - find what a session counts for a task
 *
 * Context: any but NMI, under rcu_read_lock() or with interrupts off.
 * Return: the context, or NULL if the session does not follow the task.
 */
struct acrpmu_ctx *acrpmu_followed_ctx(const struct task_struct *task,
				       const struct acrpmu_session *session)
{
	struct acrpmu_ctx *ctx;

	hlist_for_each_entry_rcu_notrace(ctx, pair_bucket(task, session), pair)
		if (ctx->task == task && ctx->session == session)
			return ctx;
	return NULL;
}

/* The first context of a task brings the entry that the later ones join. */
static struct acrpmu_followed *entry_of(struct acrpmu_ctx *ctx)
{
	struct acrpmu_followed *followed = acrpmu_followed_find(ctx->task);

	if (followed)
		return followed;
	ctx->own.task = ctx->task;
	hlist_add_head_rcu(&ctx->own.hash, acrpmu_followed_bucket(ctx->task));
	return &ctx->own;
}

static void free_ctx(struct rcu_head *rcu)
{
	kfree(container_of(rcu, struct acrpmu_ctx, rcu));
}

/* Not kfree_rcu(), which PREEMPT_RT forbids under a raw lock. */
static void free_later(struct acrpmu_ctx *ctx)
{
	call_rcu(&ctx->rcu, free_ctx);
}

static void set_active(struct acrpmu_ctx *ctx, bool active)
{
	lockdep_assert_held(&table_lock);
	if (ctx->active == active)
		return;
	WRITE_ONCE(ctx->active, active);
	/* At the head: a reader on a moved entry then sees some again, but never misses one. */
	if (active)
		list_add_rcu(&ctx->of_active, &ctx->followed->active);
	else
		list_del_rcu(&ctx->of_active);
}

/**
 * acrpmu_followed_add() - follow a task, from the contexts of its target on
 * @ctx: a new context; its task is not running yet, or has not reached its exit
 * @active: switches of its task visit it from now on
 *
 * Context: any but NMI, acrpmu_session.lock held.
 * Return: false if the session is closing or the target closed, or if it follows the task already.
 */
bool acrpmu_followed_add(struct acrpmu_ctx *ctx, bool active)
{
	struct acrpmu_session *session = ctx->session;
	struct acrpmu_target *target = ctx->target;

	lockdep_assert_held(&session->lock);
	if (session->closing || target->closed)
		return false;
	raw_spin_lock(&table_lock);
	if (acrpmu_followed_ctx(ctx->task, session)) {
		raw_spin_unlock(&table_lock);
		return false;
	}
	ctx->followed = entry_of(ctx);
	list_add_rcu(&ctx->of_task, &ctx->followed->ctxs);
	hlist_add_head_rcu(&ctx->pair, pair_bucket(ctx->task, session));
	set_active(ctx, active);
	raw_spin_unlock(&table_lock);
	/* A walk visits what was there when it began. */
	list_add_tail(&ctx->node, target->walking ? &target->visited : &target->ctxs);
	target->nr_tasks++;
	session->nr_tasks++;
	return true;
}

/**
 * acrpmu_followed_drop() - stop following a task, and free the context after a grace period
 * @ctx: a stopped context in the list of its target
 *
 * Context: any but NMI, acrpmu_session.lock held.
 */
void acrpmu_followed_drop(struct acrpmu_ctx *ctx)
{
	struct acrpmu_followed *followed = ctx->followed;
	struct acrpmu_ctx *owner = container_of(followed, struct acrpmu_ctx, own);

	lockdep_assert_held(&ctx->session->lock);
	list_del_init(&ctx->node);
	ctx->target->nr_tasks--;
	ctx->session->nr_tasks--;
	raw_spin_lock(&table_lock);
	set_active(ctx, false);
	hlist_del_rcu(&ctx->pair);
	list_del_rcu(&ctx->of_task);
	/* The entry outlives the context that brought it, if others joined it. */
	if (list_empty(&followed->ctxs)) {
		hlist_del_rcu(&followed->hash);
		if (owner != ctx)
			free_later(owner);
	}
	if (list_empty(&ctx->own.ctxs))
		free_later(ctx);
	raw_spin_unlock(&table_lock);
}

/**
 * acrpmu_followed_activate() - let switches of its task visit a context, or no longer
 *
 * Context: any but NMI, acrpmu_session.lock held.
 */
void acrpmu_followed_activate(struct acrpmu_ctx *ctx, bool active)
{
	lockdep_assert_held(&ctx->session->lock);
	raw_spin_lock(&table_lock);
	set_active(ctx, active);
	raw_spin_unlock(&table_lock);
}

/* Returns whether contexts are left. */
static bool walk_some(struct acrpmu_session *session, struct acrpmu_target *target,
		      void (*visit)(struct acrpmu_ctx *ctx, void *arg), void *arg)
{
	unsigned int i;

	for (i = 0; i < ACRPMU_WALK_MAX && !list_empty(&target->ctxs); i++) {
		struct acrpmu_ctx *ctx = list_first_entry(&target->ctxs, struct acrpmu_ctx, node);

		list_move_tail(&ctx->node, &target->visited);
		visit(ctx, arg);
	}
	trace_acrpmu_walk(session->id, i);
	return !list_empty(&target->ctxs);
}

/**
 * acrpmu_followed_walk_target() - visit the contexts that a target has now, a few at a time
 * @visit: called for each context, with acrpmu_session.lock held; may drop it
 * @arg: for @visit
 *
 * Tasks may fork and exit in between: new contexts are not visited.
 *
 * Context: process, may sleep, acrpmu_lock held, so that there is one walk at a time.
 */
void acrpmu_followed_walk_target(struct acrpmu_session *session, struct acrpmu_target *target,
				 void (*visit)(struct acrpmu_ctx *ctx, void *arg), void *arg)
{
	unsigned long flags;

	lockdep_assert_held(&acrpmu_lock);
	raw_spin_lock_irqsave(&session->lock, flags);
	target->walking = true;
	while (walk_some(session, target, visit, arg)) {
		raw_spin_unlock_irqrestore(&session->lock, flags);
		cond_resched();
		raw_spin_lock_irqsave(&session->lock, flags);
	}
	target->walking = false;
	list_splice_init(&target->visited, &target->ctxs);
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

/**
 * acrpmu_followed_walk() - visit the contexts of a session, target after target
 *
 * Those that tasks of a target got before its turn are visited, too.
 *
 * Context: as acrpmu_followed_walk_target().
 */
void acrpmu_followed_walk(struct acrpmu_session *session,
			  void (*visit)(struct acrpmu_ctx *ctx, void *arg), void *arg)
{
	struct acrpmu_target *target;

	list_for_each_entry_lockless(target, &session->targets, node) {
		acrpmu_followed_walk_target(session, target, visit, arg);
		cond_resched();
	}
}

/**
 * acrpmu_followed_init() - allocate the tables
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_followed_init(void)
{
	table_bits = clamp_t(unsigned int, order_base_2(nr_cpu_ids) + TABLE_BITS_OF_A_CPU,
			     MIN_TABLE_BITS, ACRPMU_FOLLOWED_MAX_BITS);
	acrpmu_followed_table.mask = (1UL << table_bits) - 1;
	acrpmu_followed_table.tasks = kvcalloc(1UL << table_bits, sizeof(*pairs), GFP_KERNEL);
	pairs = kvcalloc(1UL << table_bits, sizeof(*pairs), GFP_KERNEL);
	if (acrpmu_followed_table.tasks && pairs)
		return 0;
	acrpmu_followed_exit();
	return -ENOMEM;
}

/**
 * acrpmu_followed_exit() - undo acrpmu_followed_init()
 *
 * Context: process, may sleep, at unload; nothing is followed any more.
 */
void acrpmu_followed_exit(void)
{
	rcu_barrier();
	kvfree(acrpmu_followed_table.tasks);
	kvfree(pairs);
}
