/* SPDX-License-Identifier: GPL-2.0-only */
/* Samples: what an overflow writes into the ring; inline as far as every PMI needs it. */
#ifndef _ACRPMU_SAMPLE_H
#define _ACRPMU_SAMPLE_H

#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <linux/sched/clock.h>

#include "session.h"
#include "buffer.h"
#include "chain.h"
#include "ctx.h"

/* PERF_SAMPLE_* that take longer than all the others together */
#define ACRPMU_SAMPLE_LONG	(PERF_SAMPLE_READ | PERF_SAMPLE_CALLCHAIN)

/**
 * struct acrpmu_sample_ip - where a sample was taken
 * @ip: instruction pointer, 0 unknown
 * @misc: PERF_RECORD_MISC_* of the level
 */
struct acrpmu_sample_ip {
	u64 ip;
	u64 misc;
};

struct acrpmu_sample_ip acrpmu_sample_where(const struct acrpmu_ctx *ctx,
					    const struct acrpmu_ev *ev, struct pt_regs *regs);
u32 acrpmu_sample_fill_more(struct acrpmu_scratch *scratch, const struct acrpmu_ctx *ctx,
			    const struct acrpmu_ev *ev, struct pt_regs *regs);
void acrpmu_sample_lost(struct acrpmu_session_cpu *scpu, unsigned int ev);
void acrpmu_sample_skip_guest(struct acrpmu_session_cpu *scpu, unsigned int ev);

bool acrpmu_sample_put_late(struct acrpmu_session_cpu *scpu, const struct acrpmu_ctx *ctx,
			    unsigned int i, struct pt_regs *regs, u64 time);

/*
 * internal: write a sample, false if it does not fit.  Calls come first, so that what the other
 * fields are made of need not be kept across them.  None of ACRPMU_SAMPLE_LONG without @bounce.
 * Indices of events are those of the session itself, so that arrays are not checked here.
 */
static nokprobe_inline bool acrpmu_sample_put(struct acrpmu_session_cpu *scpu,
					      const struct acrpmu_ctx *ctx, unsigned int i,
					      struct pt_regs *regs, bool user, u64 time,
					      u64 *bounce)
{
	const struct acrpmu_group *group = &scpu->session->group;
	const struct acrpmu_ev *ev = group->ev + i;
	struct acrpmu_sample_ip at = { regs->ip, PERF_RECORD_MISC_USER };
	u64 task = acrpmu_record_pair(ctx->tgid, ctx->pid), *buf, type = group->sample_type;
	struct acrpmu_scratch *scratch = NULL;
	struct acrpmu_record rec;
	u32 nr_chain = 0, size;

	if (unlikely(!ctx->task))
		task = acrpmu_ctx_task(ctx);
	if (!user)
		at = acrpmu_sample_where(ctx, ev, regs);
	size = group->sample_bytes;
	/* The caller has looked: this spares looking again. */
	if (!bounce)
		type &= ~(u64)ACRPMU_SAMPLE_LONG;
	if (type & ACRPMU_SAMPLE_LONG) {
		scratch = this_cpu_ptr(acrpmu_scratch);
		nr_chain = acrpmu_sample_fill_more(scratch, ctx, ev, regs);
		size += nr_chain * sizeof(*buf);
	}
	buf = acrpmu_ring_begin(&scpu->ring, size, bounce);
	if (unlikely(!buf))
		return false;
	rec = (struct acrpmu_record){
		.ip = at.ip,
		.time = time,
		.id = ev->id,
		.period = (ctx->cell + i)->ended,
		.read_values = scratch ? scratch->values : NULL,
		.read_ids = scratch ? scratch->ids : NULL,
		.nr_read = group->nr,
		.chain = scratch ? scratch->chain : NULL,
		.nr_chain = nr_chain,
		.task = task,
		.cpu = scpu->cpu,
		.misc = at.misc,
	};
	acrpmu_record_sample(buf, size, type, &rec);
	acrpmu_ring_commit(&scpu->ring, buf, bounce, size);
	return true;
}

/**
 * acrpmu_sample_write() - write the sample of an overflow, and wake the pollers if it is time
 * @ctx: what counts
 * @ev: the event that has overflowed
 * @regs: what was interrupted
 * @user: it is known to be user code of the host
 *
 * Context: NMI, on the CPU of @scpu, which runs @ctx.
 */
static nokprobe_inline void acrpmu_sample_write(struct acrpmu_session_cpu *scpu,
						const struct acrpmu_ctx *ctx, unsigned int ev,
						struct pt_regs *regs, bool user)
{
	const struct acrpmu_group *group = &scpu->session->group;
	u64 time = 0;

	if (!user && group->flags & ACRPMU_SESSION_EXCLUDE_GUEST && acrpmu_chain_in_guest()) {
		acrpmu_sample_skip_guest(scpu, ev);
		return;
	}
	if (group->sample_type & PERF_SAMPLE_TIME)
		time = local_clock();
	if (likely(!scpu->noted_pause && !(group->sample_type & ACRPMU_SAMPLE_LONG) &&
		   acrpmu_sample_put(scpu, ctx, ev, regs, user, time, NULL)) ||
	    acrpmu_sample_put_late(scpu, ctx, ev, regs, time))
		scpu->accounts.records++;
	else
		acrpmu_sample_lost(scpu, ev);
	if (unlikely(scpu->ring.head >= scpu->wake_head))
		acrpmu_buffer_notify(scpu);
}

#endif /* _ACRPMU_SAMPLE_H */
