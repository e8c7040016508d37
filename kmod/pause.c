// SPDX-License-Identifier: GPL-2.0-only
/* Pauses of a session on one CPU, which begin in a PMI beyond a limit and last about a tick. */
#include <linux/kprobes.h>
#include <linux/sched/clock.h>

#include "session.h"
#include "buffer.h"
#include "ctx.h"
#include "pause.h"
#include "pmu.h"
#include "restart.h"
#include "topic.h"

/**
 * acrpmu_pause_begin() - stop the session of a context that runs on this CPU for about a tick here
 *
 * The context stays the running one, and others that take its place are paused as well.
 *
 * Context: NMI.
 */
void acrpmu_pause_begin(struct acrpmu_ctx *ctx)
{
	struct acrpmu_session_cpu *scpu = ctx->scpu;

	/* Even if paused already: the code that this interrupts may be enabling them. */
	acrpmu_pmu_enable(acrpmu_pmu_here(), &scpu->plan, false);
	if (scpu->paused)
		return;
	if (ctx->session->group.restarted_events)
		acrpmu_restart_all(acrpmu_pmu_here(), ctx);
	scpu->paused = true;
	scpu->paused_ns = local_clock();
	scpu->pauses++;
	acrpmu_ctx_note_pause(ctx, true);
	acrpmu_topic_mark_losses(scpu);
	irq_work_queue(&scpu->arm_resume);
	acrpmu_buffer_wake(scpu->session);
}

NOKPROBE_SYMBOL(acrpmu_pause_begin);

static void unpause(struct acrpmu_session_cpu *scpu)
{
	if (!acrpmu_session_holds(scpu) || !scpu->paused || acrpmu_pmu_is_lost(acrpmu_pmu_here()))
		return;
	/* Nobody would see it later. */
	acrpmu_pmu_look(acrpmu_pmu_here(), scpu);
	if (acrpmu_pmu_foreign_of(acrpmu_pmu_here(), &scpu->plan))
		return;
	if (scpu->running)
		scpu->running->tstamp_ns += local_clock() - scpu->paused_ns;
	scpu->paused = false;
	barrier();
	if (scpu->running)
		acrpmu_ctx_enable(acrpmu_pmu_here(), scpu->running);
	acrpmu_topic_mark_losses(scpu);
}

/*
 * An NMI must not start a timer, but may queue this, which runs on the same CPU.  With PREEMPT_RT
 * it must not run in a thread, which may have to wait for real-time tasks.
 */
static void arm_resume(struct irq_work *work)
{
	struct acrpmu_session_cpu *scpu = container_of(work, struct acrpmu_session_cpu, arm_resume);

	if (READ_ONCE(scpu->paused))
		hrtimer_start(&scpu->resume, ns_to_ktime(TICK_NSEC), HRTIMER_MODE_REL_PINNED_HARD);
}

static enum hrtimer_restart resume_here(struct hrtimer *timer)
{
	struct acrpmu_session_cpu *scpu = container_of(timer, struct acrpmu_session_cpu, resume);

	/* A CPU that went offline has handed its timers to another; its counters are stopped. */
	if (scpu->cpu == smp_processor_id())
		unpause(scpu);
	return HRTIMER_NORESTART;
}

/**
 * acrpmu_pause_init() - prepare a session on one CPU for pauses
 *
 * Context: process.
 */
void acrpmu_pause_init(struct acrpmu_session_cpu *scpu)
{
	scpu->arm_resume = IRQ_WORK_INIT_HARD(arm_resume);
	compat_hrtimer_setup(&scpu->resume, resume_here, CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * acrpmu_pause_exit() - undo acrpmu_pause_init()
 *
 * Context: process, may sleep; the counters are stopped and no NMI can reach @scpu any more.
 */
void acrpmu_pause_exit(struct acrpmu_session_cpu *scpu)
{
	irq_work_sync(&scpu->arm_resume);
	hrtimer_cancel(&scpu->resume);
}
