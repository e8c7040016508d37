// SPDX-License-Identifier: GPL-2.0-only
/* Samples: the parts that few of them need. */
#include <linux/sched/task_stack.h>

#include "cell.h"
#include "sample.h"
#include "topic.h"
#include "trace.h"

/**
 * acrpmu_sample_where() - find address and level of a sample, wherever the PMI has come
 *
 * That of a user-level event has come late in the kernel: report where user code left off.
 *
 * Context: NMI, on the CPU that runs @ctx.
 */
struct acrpmu_sample_ip acrpmu_sample_where(const struct acrpmu_ctx *ctx,
					    const struct acrpmu_ev *ev, struct pt_regs *regs)
{
	bool user_only = !(ev->flags & ACRPMU_EVENT_KERNEL);
	struct acrpmu_sample_ip at = { };

	if (acrpmu_chain_in_guest()) {
		at.misc = acrpmu_record_misc(ev->flags, true, false);
		return at;
	}
	/* While the kernel switches to its task, the one before is still current. */
	if (user_only && !user_mode(regs) && ctx->task && ctx->task != current) {
		at.misc = acrpmu_record_misc(ev->flags, false, true);
		return at;
	}
	if (user_only && !user_mode(regs) && !(current->flags & PF_KTHREAD))
		regs = task_pt_regs(current);
	at.misc = acrpmu_record_misc(ev->flags, false, user_mode(regs));
	/* A user's own task is no kernel thread, so that its address is known; but to be sure. */
	if (ctx->session->unprivileged && at.misc == PERF_RECORD_MISC_KERNEL)
		at.misc = PERF_RECORD_MISC_USER;
	else
		at.ip = regs->ip;
	return at;
}

NOKPROBE_SYMBOL(acrpmu_sample_where);

static void fill_read(struct acrpmu_scratch *scratch, const struct acrpmu_ctx *ctx)
{
	const struct acrpmu_group *group = &ctx->session->group;
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		scratch->values[i] = acrpmu_cell_count(ctx, i);
		scratch->ids[i] = group->ev[i].id;
	}
}

NOKPROBE_SYMBOL(fill_read);

/**
 * acrpmu_sample_fill_more() - fill in counts of the group and the call chain, if samples have them
 *
 * Context: NMI, on the CPU that runs @ctx.
 * Return: entries of the chain.
 */
u32 acrpmu_sample_fill_more(struct acrpmu_scratch *scratch, const struct acrpmu_ctx *ctx,
			    const struct acrpmu_ev *ev, struct pt_regs *regs)
{
	u64 type = ctx->session->group.sample_type;

	if (type & PERF_SAMPLE_READ)
		fill_read(scratch, ctx);
	return type & PERF_SAMPLE_CALLCHAIN ? acrpmu_chain_fill(scratch, ctx, ev, regs) : 0;
}

NOKPROBE_SYMBOL(acrpmu_sample_fill_more);

/**
 * acrpmu_sample_put_late() - write a sample that wraps around the end of the ring, has counts of
 *	the group or a call chain, or comes after something else: losses, the end of a pause
 * @i: its event
 * @time: its time, 0 if it has none
 *
 * Context: NMI, on the CPU of @scpu, which runs @ctx.
 * Return: false if the ring has no room; the sample is counted as lost.
 */
bool acrpmu_sample_put_late(struct acrpmu_session_cpu *scpu, const struct acrpmu_ctx *ctx,
			    unsigned int i, struct pt_regs *regs, u64 time)
{
	const struct acrpmu_record rec = {
		.time = time,
		.id = scpu->session->group.ev[i].id,
		.task = acrpmu_ctx_task(ctx),
		.cpu = scpu->cpu,
	};

	acrpmu_buffer_catch_up(scpu, &rec);
	if (acrpmu_ring_has_room(&scpu->ring, scpu->session->group.sample_bytes) &&
	    acrpmu_sample_put(scpu, ctx, i, regs, false, time,
			      this_cpu_ptr(acrpmu_scratch)->sample))
		return true;
	acrpmu_ring_count_lost(&scpu->ring, 1);
	return false;
}

NOKPROBE_SYMBOL(acrpmu_sample_put_late);

/**
 * acrpmu_sample_lost() - report a sample lost because the ring is full, which has counted it
 *
 * Context: NMI, on the CPU of @scpu.
 */
void acrpmu_sample_lost(struct acrpmu_session_cpu *scpu, unsigned int ev)
{
	acrpmu_topic_mark_losses(scpu);
	trace_acrpmu_no_record(scpu->session->id, ev, ACRPMU_WHY_LOST);
}

NOKPROBE_SYMBOL(acrpmu_sample_lost);

/**
 * acrpmu_sample_skip_guest() - count an overflow in a guest of which the session wants no sample
 *
 * Context: NMI, on the CPU of @scpu.
 */
void acrpmu_sample_skip_guest(struct acrpmu_session_cpu *scpu, unsigned int ev)
{
	scpu->accounts.guest++;
	trace_acrpmu_no_record(scpu->session->id, ev, ACRPMU_WHY_GUEST);
}

NOKPROBE_SYMBOL(acrpmu_sample_skip_guest);
