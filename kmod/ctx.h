/* SPDX-License-Identifier: GPL-2.0-only */
/* Contexts: starting, stopping, pausing and reading what a session counts for a task or a CPU. */
#ifndef _ACRPMU_CTX_H
#define _ACRPMU_CTX_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/types.h>

#include "../uapi/acrpmu.h"
#include "session.h"
#include "cell.h"
#include "followed.h"

struct acrpmu_pmu;

/**
 * struct acrpmu_ctx - what a session counts for one task or on one CPU
 * @session: the session; constant
 * @target: what the task belongs to, NULL for a CPU; constant
 * @node: in the target's list; acrpmu_session.lock
 * @pair: in the table of tasks and sessions; followed.c
 * @of_task: in the contexts of its task; followed.c
 * @of_active: in those that may count; followed.c
 * @active: it is in that list; followed.c
 * @followed: what the session follows, with all its contexts; constant while followed
 * @own: that, if this is the first context of the task
 * @task: the task, NULL for a CPU; constant
 * @tgid: its process in the session's pid namespace; constant
 * @pid: its task id there; constant
 * @serial: unique; identifies the context that a counter value belongs to
 * @scpu: the session on the CPU that ran it last, NULL none; see acrpmu_ctx_runs()
 * @periods_nr: acrpmu_plan.periods_nr of the periods that @cell has begun, 0: it begins them when
 *	it starts; as @cell
 * @tstamp_ns: local_clock() at the last start
 * @running_ns: time counted before that
 * @seen_ns: @running_ns when it was last stopped, for readers
 * @missed_ns: time that the task ran on CPUs which the session does not hold, and that was counted
 *	last on one that it has lost
 * @missed_since_ns: monotonic time since when it runs on such a CPU, 0: it does not
 * @read_nr: number of the last ACRPMU_READ that has added it up; acrpmu_session.lock
 * @seq: guards @seen_ns and what readers see of @cell; written with interrupts off, never in NMI
 * @spent_events: mask over events: those that overflowed, which software has handled without
 *	restarting them; as @cell
 * @scale: number drawn for the window that has begun, of acrpmu_group.scaled_events; as @cell
 * @rcu: frees it after every lookup that may have found it
 * @cell: by event of the session's group
 */
struct acrpmu_ctx {
	struct acrpmu_session *session;
	struct acrpmu_target *target;
	struct list_head node;
	struct hlist_node pair;
	struct list_head of_task;
	struct list_head of_active;
	bool active;
	struct acrpmu_followed *followed;
	struct acrpmu_followed own;
	struct task_struct *task;
	pid_t tgid;
	pid_t pid;
	u64 serial;
	struct acrpmu_session_cpu *scpu;
	u64 periods_nr;
	u64 tstamp_ns;
	u64 running_ns;
	u64 seen_ns;
	atomic64_t missed_ns;
	atomic64_t missed_since_ns;
	u64 read_nr;
	seqcount_t seq;
	u64 spent_events;
	u64 scale;
	struct rcu_head rcu;
	struct acrpmu_cell cell[];
};

/**
 * acrpmu_ctx_bytes() - get the size of a context
 * @nr: events of the group
 *
 * Context: any.
 */
static inline size_t acrpmu_ctx_bytes(unsigned int nr)
{
	return offsetof(struct acrpmu_ctx, cell) + nr * sizeof(struct acrpmu_cell);
}

/**
 * acrpmu_ctx_runs() - check whether the counters of a context count now
 *
 * Context: any, on the CPU that runs the task, or that the context is of.
 */
static __always_inline bool acrpmu_ctx_runs(const struct acrpmu_ctx *ctx)
{
	return ctx->scpu && READ_ONCE(ctx->scpu->running) == ctx;
}

void acrpmu_ctx_init(struct acrpmu_ctx *ctx, struct acrpmu_session *session);
void acrpmu_ctx_reset(struct acrpmu_ctx *ctx);
void acrpmu_ctx_start(struct acrpmu_ctx *ctx, struct acrpmu_session_cpu *scpu);
void acrpmu_ctx_stop(struct acrpmu_ctx *ctx);
void acrpmu_ctx_switch(struct acrpmu_ctx *from, struct acrpmu_ctx *to);
struct acrpmu_ctx *acrpmu_ctx_stop_session(struct acrpmu_session_cpu *scpu);
void acrpmu_ctx_abandon(struct acrpmu_session_cpu *scpu);
void acrpmu_ctx_sync_session(struct acrpmu_session_cpu *scpu);
void acrpmu_ctx_note_pause(const struct acrpmu_ctx *ctx, bool paused);
void acrpmu_ctx_enable(struct acrpmu_pmu *pmu, const struct acrpmu_ctx *ctx);
u64 acrpmu_ctx_task(const struct acrpmu_ctx *ctx);

#endif /* _ACRPMU_CTX_H */
