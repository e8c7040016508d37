// SPDX-License-Identifier: GPL-2.0-only
/* Contexts for tasks that fork creates, where memory cannot be waited for, and who is charged. */
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/memcontrol.h>
#include <linux/page_counter.h>
#include <linux/sched/mm.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/vmalloc.h>
#include <linux/workqueue.h>

#include "session.h"
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

/* They fit every group; those that need not be kept ready are as small as theirs. */
#define SPARE_BYTES	acrpmu_ctx_bytes(ACRPMU_MAX_EVENTS)

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
		struct acrpmu_ctx *ctx = kzalloc(SPARE_BYTES, GFP_KERNEL);

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

static struct acrpmu_ctx *alloc_charged(const struct acrpmu_session *session, gfp_t gfp)
{
	struct mem_cgroup *before = set_active_memcg(session->memcg);
	struct acrpmu_ctx *ctx;

	ctx = kzalloc(acrpmu_ctx_bytes(session->group.nr), gfp | __GFP_NOWARN | __GFP_ACCOUNT);
	set_active_memcg(before);
	return ctx;
}

/* A group may exceed its limit by so much: what can be reclaimed, mostly files, counts as used. */
#define EXCESS_PAGES	(SZ_256K / PAGE_SIZE)

#ifdef CONFIG_MEMCG
static bool exceeds(struct page_counter *counter)
{
	for (; counter; counter = counter->parent)
		if (page_counter_read(counter) >= READ_ONCE(counter->max) + EXCESS_PAGES)
			return true;
	return false;
}

static bool exceeds_too_much(struct mem_cgroup *memcg)
{
	/* The second has a limit of its own in version 1 only. */
	return memcg && (exceeds(&memcg->memory) || exceeds(&memcg->memsw));
}
#else
static bool exceeds_too_much(struct mem_cgroup *memcg)
{
	return false;
}
#endif

/* More pages than a CPU keeps charged in advance */
#define ROOM_BYTES	SZ_512K

/* Where nothing could be reclaimed, it is not tried at every fork. */
#define RETRY_AFTER	HZ

/* One at a time, since others of the group lack the room that each needs for a moment. */
static struct workqueue_struct *reclaim_wq;

/* Whoever is charged and can wait makes the kernel reclaim what exceeds a limit. */
static void reclaim(struct work_struct *work)
{
	struct acrpmu_session *session = container_of(work, struct acrpmu_session, reclaim);
	struct mem_cgroup *before = set_active_memcg(session->memcg);
	void *room = __vmalloc(ROOM_BYTES, GFP_KERNEL_ACCOUNT | __GFP_NORETRY | __GFP_NOWARN);

	set_active_memcg(before);
	if (!room)
		WRITE_ONCE(session->reclaim_after, jiffies + RETRY_AFTER);
	vfree(room);
}

/**
 * acrpmu_spare_begin() - prepare a new session for acrpmu_spare_get()
 *
 * Context: process.
 */
void acrpmu_spare_begin(struct acrpmu_session *session)
{
	INIT_WORK(&session->reclaim, reclaim);
	session->reclaim_after = jiffies;
}

/**
 * acrpmu_spare_end() - undo acrpmu_spare_begin()
 *
 * Context: process, may sleep; no probe can find the session any more.
 */
void acrpmu_spare_end(struct acrpmu_session *session)
{
	cancel_work_sync(&session->reclaim);
}

static struct acrpmu_ctx *get_charged(struct acrpmu_session *session, bool *full)
{
	struct acrpmu_ctx *ctx = alloc_charged(session, GFP_NOWAIT);

	if (ctx)
		return ctx;
	*full = exceeds_too_much(session->memcg);
	if (!*full)
		ctx = alloc_charged(session, GFP_ATOMIC);
	if (time_after_eq(jiffies, READ_ONCE(session->reclaim_after)))
		queue_work(reclaim_wq, &session->reclaim);
	return ctx;
}

/**
 * acrpmu_spare_get() - get a zeroed context without waiting for memory
 * @session: its creator's group is charged, unless it is one that was kept ready
 *
 * Context: any but NMI, run queues unlocked.
 * Return: the context, or NULL if there is none, or none that the group may have.
 */
struct acrpmu_ctx *acrpmu_spare_get(struct acrpmu_session *session)
{
	struct acrpmu_ctx *ctx = NULL;
	bool full = false;

	if (!IS_ENABLED(CONFIG_PREEMPT_RT)) {
		ctx = get_charged(session, &full);
		if (ctx || full)
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
	memset(ctx, 0, SPARE_BYTES);
	push(ctx);
}

/**
 * acrpmu_spare_init() - make the queue for reclaiming memory
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_spare_init(void)
{
	reclaim_wq = alloc_workqueue("acrpmu_reclaim", WQ_UNBOUND, 1);
	return reclaim_wq ? 0 : -ENOMEM;
}

/**
 * acrpmu_spare_exit() - undo acrpmu_spare_init()
 *
 * Context: process, may sleep, at unload; no session is left.
 */
void acrpmu_spare_exit(void)
{
	destroy_workqueue(reclaim_wq);
}
