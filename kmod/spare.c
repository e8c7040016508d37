// SPDX-License-Identifier: GPL-2.0-only
/* Contexts for tasks that fork creates, where memory cannot be waited for. */
#include <linux/list.h>
#include <linux/memcontrol.h>
#include <linux/sched/mm.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>

#include "ctx.h"
#include "registry.h"
#include "spare.h"

/*
 * Tracepoints run with preemption off on older kernels, 6.12 included; there PREEMPT_RT forbids any
 * allocation.  7.2 lets them be preempted, but the fork probe holds rcu_read_lock(), so that it
 * must not wait for memory, and an allocation may fail.  Therefore some contexts are kept ready.
 * Nobody is charged for those: who will get them is not known.
 */
#define ENOUGH	256

static DEFINE_RAW_SPINLOCK(lock);
static LIST_HEAD(spares);	/* linked by acrpmu_ctx.node; lock */
static unsigned int nr_spares;	/* lock */

static void push(struct acrpmu_ctx *ctx)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	list_add(&ctx->node, &spares);
	nr_spares++;
	raw_spin_unlock_irqrestore(&lock, flags);
}

static struct acrpmu_ctx *pop(void)
{
	struct acrpmu_ctx *ctx;
	unsigned long flags;

	raw_spin_lock_irqsave(&lock, flags);
	ctx = list_first_entry_or_null(&spares, struct acrpmu_ctx, node);
	if (ctx) {
		list_del(&ctx->node);
		nr_spares--;
	}
	raw_spin_unlock_irqrestore(&lock, flags);
	return ctx;
}

static void fill(struct work_struct *work)
{
	while (READ_ONCE(nr_spares) < ENOUGH) {
		struct acrpmu_ctx *ctx = kzalloc(sizeof(*ctx), GFP_KERNEL);

		if (!ctx)
			return;
		push(ctx);
	}
}

static DECLARE_WORK(fill_work, fill);

/**
 * acrpmu_spare_fill() - keep contexts ready from now on
 *
 * Context: process, may sleep.
 */
void acrpmu_spare_fill(void)
{
	fill(NULL);
}

/**
 * acrpmu_spare_empty() - undo acrpmu_spare_fill()
 *
 * Context: process, may sleep; nobody gets contexts any more.
 */
void acrpmu_spare_empty(void)
{
	struct acrpmu_ctx *ctx;

	cancel_work_sync(&fill_work);
	for (ctx = pop(); ctx; ctx = pop())
		kfree(ctx);
}

static struct acrpmu_ctx *alloc_charged(struct mem_cgroup *memcg)
{
	struct mem_cgroup *before = set_active_memcg(memcg);
	struct acrpmu_ctx *ctx;

	ctx = kzalloc(sizeof(*ctx), GFP_NOWAIT | __GFP_NOWARN | __GFP_ACCOUNT);
	set_active_memcg(before);
	return ctx;
}

/* After alloc_charged() failed: there is memory, but not for that group. */
static bool is_full(void)
{
	struct acrpmu_ctx *ctx = kmalloc(sizeof(*ctx), GFP_NOWAIT | __GFP_NOWARN);

	kfree(ctx);
	return ctx;
}

/**
 * acrpmu_spare_get() - get a zeroed context without waiting for memory
 * @memcg: charged for it, unless it is one that was kept ready; NULL for that of the current task
 *
 * Context: any but NMI, run queues unlocked.
 * Return: the context, or NULL if there is none, or none that @memcg may have.
 */
struct acrpmu_ctx *acrpmu_spare_get(struct mem_cgroup *memcg)
{
	struct acrpmu_ctx *ctx = NULL;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT)) {
		ctx = alloc_charged(memcg);
		if (ctx || is_full())
			return ctx;
	}
	ctx = pop();
	if (READ_ONCE(nr_spares) < ENOUGH / 2)
		queue_work(acrpmu_wq, &fill_work);
	return ctx;
}

/**
 * acrpmu_spare_put() - put back a context that nobody has seen
 *
 * With PREEMPT_RT, where it must not be freed here, it has come from those that are kept ready, so
 * that they are never more than ENOUGH and those taken at one time.
 *
 * Context: as acrpmu_spare_get().
 */
void acrpmu_spare_put(struct acrpmu_ctx *ctx)
{
	if (!IS_ENABLED(CONFIG_PREEMPT_RT)) {
		kfree(ctx);
		return;
	}
	memset(ctx, 0, sizeof(*ctx));
	push(ctx);
}
