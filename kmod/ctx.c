// SPDX-License-Identifier: GPL-2.0-only
/* Contexts: starting, stopping and reading what a session counts for a task or a CPU. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/sched/clock.h>

#include "session.h"
#include "account.h"
#include "buffer.h"
#include "cell_inline.h"
#include "core/period.h"
#include "core/record.h"
#include "ctx.h"
#include "missed.h"
#include "msr.h"
#include "pmu.h"
#include "rdpmc.h"
#include "restart.h"

static atomic64_t last_serial = ATOMIC64_INIT(0);

/* ---- contexts ---- */

/* Publish all events as of one moment to readers on other CPUs. */
static void publish_counts(struct acrpmu_ctx *ctx)
{
	unsigned int i;

	raw_write_seqcount_begin(&ctx->seq);
	for (i = 0; i < ctx->session->group.nr; i++)
		ctx->cell[i].seen = ctx->cell[i].now;
	ctx->seen_ns = ctx->running_ns;
	raw_write_seqcount_end(&ctx->seq);
}

/**
 * acrpmu_ctx_init() - prepare a zeroed context for its first start
 *
 * Context: any but NMI.
 */
void acrpmu_ctx_init(struct acrpmu_ctx *ctx, struct acrpmu_session *session)
{
	ctx->session = session;
	ctx->serial = atomic64_inc_return(&last_serial);
	seqcount_init(&ctx->seq);
	INIT_LIST_HEAD(&ctx->node);
	INIT_LIST_HEAD(&ctx->own.ctxs);
	INIT_LIST_HEAD(&ctx->own.active);
	acrpmu_ctx_reset(ctx);
}

/**
 * acrpmu_ctx_reset() - zero all counts of a stopped context; it begins new periods at its start
 *
 * Context: any but NMI.
 */
void acrpmu_ctx_reset(struct acrpmu_ctx *ctx)
{
	unsigned int i;

	for (i = 0; i < ctx->session->group.nr; i++)
		ctx->cell[i].now = (struct acrpmu_tally){ };
	ctx->periods_nr = 0;
	ctx->running_ns = 0;
	ctx->scpu = NULL;
	atomic64_set(&ctx->missed_ns, 0);
	publish_counts(ctx);
}

/* ---- records ---- */

/**
 * acrpmu_ctx_task() - find the task that a record is about
 *
 * Context: any, on the CPU that runs @ctx.
 * Return: for acrpmu_record.task.
 */
u64 acrpmu_ctx_task(const struct acrpmu_ctx *ctx)
{
	struct pid_namespace *ns = ctx->session->ns;

	if (ctx->task)
		return acrpmu_record_pair(ctx->tgid, ctx->pid);
	return acrpmu_record_pair(task_tgid_nr_ns(current, ns), task_pid_nr_ns(current, ns));
}

NOKPROBE_SYMBOL(acrpmu_ctx_task);

/**
 * acrpmu_ctx_note_pause() - write a record of the beginning or the end of a pause
 *
 * Context: NMI or interrupts off, on the CPU that runs @ctx.
 */
void acrpmu_ctx_note_pause(const struct acrpmu_ctx *ctx, bool paused)
{
	struct acrpmu_record rec = {
		.time = local_clock(),
		.task = acrpmu_ctx_task(ctx),
		.cpu = smp_processor_id(),
	};

	acrpmu_buffer_note_pause(ctx->scpu, &rec, paused);
}

NOKPROBE_SYMBOL(acrpmu_ctx_note_pause);

/* ---- starting and stopping ---- */

/* Events that software restarts must all stand still while it does. */
static bool must_freeze(const struct acrpmu_session_cpu *scpu, unsigned int cntr)
{
	return scpu->plan.kernel_cntrs & BIT_ULL(cntr) || scpu->session->group.restarted_events;
}

/* What the NMI must do depends on which events count. */
static void set_active(struct acrpmu_pmu *pmu, u64 cntrs)
{
	unsigned long active = cntrs;
	bool freeze = false;
	unsigned int cntr;

	/* Quiet counters too: they would count the handler of another counter's PMI. */
	for_each_set_bit(cntr, &active, ACRPMU_CNTRS_MAX)
		freeze |= must_freeze(pmu->slot[cntr].scpu, cntr);
	pmu->again = hweight64(cntrs & pmu->int_cntrs) > 1;
	pmu->freeze = freeze || pmu->again;
	WRITE_ONCE(pmu->active_cntrs, cntrs);
	barrier();
}

/* A pause is the session's on this CPU: it continues for whichever context runs. */
static void begin(struct acrpmu_ctx *ctx, struct acrpmu_session_cpu *scpu, u64 now)
{
	ctx->scpu = scpu;
	scpu->running = ctx;
	ctx->tstamp_ns = now;
	if (scpu->paused)
		scpu->paused_ns = now;
}

/* Begin new periods of every event. */
static noinline void renew_periods(struct acrpmu_ctx *ctx, struct acrpmu_session_cpu *scpu)
{
	unsigned int i;

	acrpmu_cell_scale(scpu, ctx);
	for (i = 0; i < scpu->plan.nr; i++)
		acrpmu_cell_start(scpu, ctx, i);
	ctx->periods_nr = scpu->plan.periods_nr;
	/* No counter has their values. */
	ctx->scpu = NULL;
}

/*
 * A counter still holds the value of a context if no other one ran in between.  The context begins
 * new periods if it has not run since its session got others, or was reset; where software
 * restarts events, also in a pause, which no window may span.
 */
static void load_cntrs(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx,
		       struct acrpmu_session_cpu *scpu, u64 now)
{
	const struct acrpmu_group *group = &scpu->session->group;
	const struct acrpmu_plan *plan = &scpu->plan;
	unsigned int i;
	bool here;

	if (unlikely(ctx->periods_nr != plan->periods_nr ||
		     (scpu->paused && group->restarted_events)))
		renew_periods(ctx, scpu);
	here = ctx->scpu == scpu;
	/* A late PMI may come as soon as a slot has the context. */
	begin(ctx, scpu, now);
	barrier();
	for (i = 0; i < plan->nr; i++) {
		const struct acrpmu_event_hw *hw = plan->hw + i;
		struct acrpmu_slot *slot = &pmu->slot[hw->cntr];
		struct acrpmu_cell *cell = ctx->cell + i;

		if (!here || slot->serial != ctx->serial) {
			u64 raw = acrpmu_period_settable(cell->raw, pmu->caps.full_width);
			unsigned int spare = *(plan->spare_bits + i);

			if (!(group->reloaded_events >> i & 1))
				cell->base = raw;
			acrpmu_msr_write(hw->cntr_msr, raw << spare >> spare);
		}
		slot->serial = ctx->serial;
		WRITE_ONCE(slot->active, ctx);
	}
}

/**
 * acrpmu_ctx_enable() - enable the counters of a running context, unless its session is paused
 *
 * A PMI may pause the group half way; counters enabled after that must stop too.
 *
 * Context: interrupts off, on the CPU of @pmu.
 */
void acrpmu_ctx_enable(struct acrpmu_pmu *pmu, const struct acrpmu_ctx *ctx)
{
	const struct acrpmu_session_cpu *scpu = ctx->scpu;
	const struct acrpmu_plan *plan = &scpu->plan;

	if (!READ_ONCE(scpu->paused)) {
		if (unlikely(scpu->noted_pause))
			acrpmu_ctx_note_pause(ctx, false);
		acrpmu_pmu_enable(pmu, plan, true);
	}
	if (READ_ONCE(scpu->paused))
		acrpmu_pmu_enable(pmu, plan, false);
}

/*
 * Starts and stops write the controls anew, and nobody would see later that somebody else has
 * written them in the meantime.  To look each time would cost what others take for a whole switch,
 * so it is done once a tick; @looked: when that was.
 */
static bool has_foreign(struct acrpmu_pmu *pmu, struct acrpmu_session_cpu *scpu,
			unsigned long *looked)
{
	unsigned long now = jiffies;

	if (unlikely(*looked != now)) {
		*looked = now;
		acrpmu_pmu_look(pmu, scpu);
	}
	return unlikely(acrpmu_pmu_foreign_of(pmu, &scpu->plan));
}

/**
 * acrpmu_ctx_start() - start a context on this CPU
 * @scpu: its session here, which holds the CPU
 *
 * It does not start where somebody else may have taken the counters; a task misses that time.
 *
 * Context: interrupts off, the run queue may be locked.
 */
void acrpmu_ctx_start(struct acrpmu_ctx *ctx, struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();

	if (acrpmu_pmu_is_lost(pmu) || has_foreign(pmu, scpu, &scpu->looked_start)) {
		if (ctx->task)
			acrpmu_missed_begin(ctx);
		return;
	}
	load_cntrs(pmu, ctx, scpu, local_clock());
	set_active(pmu, pmu->active_cntrs | scpu->plan.all_cntrs);
	acrpmu_ctx_enable(pmu, ctx);
}

/*
 * Account for overflows without a PMI so far, or without a status bit: somebody else cleared it.
 * Return: true if a status bit was set, so that a PMI has yet to come.
 */
static bool settle(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, u64 pending_events)
{
	struct acrpmu_session_cpu *scpu = ctx->scpu;
	const struct acrpmu_plan *plan = &scpu->plan;
	u64 status = acrpmu_pmu_ack(plan->all_cntrs);
	unsigned int i;

	for (i = 0; i < plan->nr; i++) {
		u64 cntr = BIT_ULL(plan->hw[i].cntr);
		bool in_status = status & plan->int_cntrs & cntr;
		bool pending = pending_events & BIT_ULL(i);

		if (!in_status && !pending)
			continue;
		acrpmu_pmu_expect_pmi(pmu);
		/* Where no reload hides an overflow, a status bit alone is none. */
		if (!pending && !(plan->reloaded_cntrs & cntr)) {
			if (ctx->session->group.restarted_events)
				scpu->accounts.dropped++;
			continue;
		}
		scpu->accounts.overflows[i]++;
		if (in_status)
			scpu->accounts.discarded++;
		else
			acrpmu_buffer_count_lost(scpu);
		acrpmu_cell_settle(ctx, i, pending);
		if (pending)
			pmu->slot[plan->hw[i].cntr].serial = 0;
	}
	return status & plan->int_cntrs;
}

/* The same of a context with events that software restarts: the counters themselves show all. */
static void settle_windows(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, u64 pending_events)
{
	struct acrpmu_session_cpu *scpu = ctx->scpu;
	u64 status = acrpmu_pmu_ack(scpu->plan.all_cntrs) & scpu->plan.int_cntrs;
	u64 left = status;
	struct acrpmu_window window;
	unsigned int i;

	acrpmu_restart_stopped(pmu, ctx, pending_events, &window);
	for (i = 0; i < window.nr; i++) {
		unsigned int ev = window.order[i];

		if (!(ctx->session->group.sampled_events & BIT_ULL(ev)))
			scpu->accounts.quiet++;
		else if (status & BIT_ULL(scpu->plan.hw[ev].cntr))
			scpu->accounts.discarded++;
		else
			acrpmu_buffer_count_lost(scpu);
	}
	for (; pending_events; pending_events &= pending_events - 1) {
		left &= ~BIT_ULL(scpu->plan.hw[__ffs64(pending_events)].cntr);
		acrpmu_pmu_expect_pmi(pmu);
	}
	for (; left; left &= left - 1) {
		scpu->accounts.dropped++;
		acrpmu_pmu_expect_pmi(pmu);
	}
}

/*
 * Save the stopped, or user-level, counters of a context, and publish its counts; return mask over
 * events: the unhandled overflows that show.
 */
static u64 save_cntrs(struct acrpmu_ctx *ctx, u64 now)
{
	const struct acrpmu_group *group = &ctx->session->group;
	struct acrpmu_session_cpu *scpu = ctx->scpu;
	const struct acrpmu_plan *plan = &scpu->plan;
	u64 overflowed = 0;
	unsigned int i;

	raw_write_seqcount_begin(&ctx->seq);
	for (i = 0; i < plan->nr; i++) {
		struct acrpmu_cell *cell = ctx->cell + i;
		unsigned int spare = *(plan->spare_bits + i);
		s64 raw = acrpmu_msr_read_counter((plan->hw + i)->cntr) << spare;

		raw >>= spare;
		if (raw >= 0)
			overflowed |= BIT_ULL(i);
		/* Hardware reload makes it jump back: only its whole periods are known. */
		if (!(group->reloaded_events >> i & 1)) {
			u64 more = (raw - cell->base) << spare >> spare;

			/* Cheap: half the range of any counter passes it. */
			if (unlikely(more >> 31))
				acrpmu_cell_check(ctx, i, raw);
			cell->now.total += more;
			cell->base = raw;
		}
		cell->raw = raw;
		cell->seen = cell->now;
	}
	ctx->running_ns += (unlikely(scpu->paused) ? scpu->paused_ns : now) - ctx->tstamp_ns;
	ctx->seen_ns = ctx->running_ns;
	raw_write_seqcount_end(&ctx->seq);
	scpu->running = NULL;
	return overflowed & group->int_events & ~ctx->spent_events;
}

/*
 * Save the counters, and account for the overflows that nobody has handled.
 * @look: also for those that only the status shows: a counter was reloaded after its overflow
 *
 * Return: true if the PMI of one of them has yet to come.
 */
static bool save(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, u64 now, bool look)
{
	const struct acrpmu_plan *plan = &ctx->scpu->plan;
	u64 pending = save_cntrs(ctx, now);
	bool expected = false;

	if (likely(!pending && !(look && plan->int_cntrs & plan->reloaded_cntrs)))
		return false;
	if (pending && ctx->session->group.restarted_events)
		settle_windows(pmu, ctx, pending);
	else
		expected = settle(pmu, ctx, pending);
	publish_counts(ctx);
	return expected;
}

/* The counters of a plan on this CPU count for no context any more. */
static void deactivate(struct acrpmu_pmu *pmu, const struct acrpmu_plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->nr; i++)
		WRITE_ONCE(pmu->slot[plan->hw[i].cntr].active, NULL);
	set_active(pmu, pmu->active_cntrs & ~plan->all_cntrs);
}

/**
 * acrpmu_ctx_abandon() - stop a session on this CPU without touching a register
 *
 * What it has counted since it was last stopped is lost, and that time missed.
 *
 * Context: as acrpmu_ctx_stop().
 */
void acrpmu_ctx_abandon(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_ctx *ctx = scpu->running;

	deactivate(acrpmu_pmu_here(), &scpu->plan);
	if (!ctx)
		return;
	atomic64_add((scpu->paused ? scpu->paused_ns : local_clock()) - ctx->tstamp_ns,
		     &ctx->missed_ns);
	/* No counter has its values any more. */
	ctx->scpu = NULL;
	scpu->running = NULL;
}

/**
 * acrpmu_ctx_stop() - stop a context that runs on this CPU, and save its counters
 *
 * It is abandoned where somebody else may have taken the counters.
 *
 * Context: interrupts off, the run queue may be locked.
 */
void acrpmu_ctx_stop(struct acrpmu_ctx *ctx)
{
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	const struct acrpmu_plan *plan = &ctx->scpu->plan;

	if (acrpmu_pmu_is_lost(pmu) || has_foreign(pmu, ctx->scpu, &ctx->scpu->looked_stop)) {
		acrpmu_ctx_abandon(ctx->scpu);
		return;
	}
	acrpmu_pmu_enable(pmu, plan, false);
	acrpmu_pmu_settling_begin(pmu, plan);
	save(pmu, ctx, local_clock(), true);
	deactivate(pmu, plan);
	if (unlikely(acrpmu_rdpmc_must_zero()))
		acrpmu_pmu_zero_left(pmu);
	acrpmu_pmu_settling_end(pmu);
}

/*
 * Without a reload window, one task may end a period that another one of its target and of the same
 * user began, as with in-tree perf: the counter values change their owner, with what was counted,
 * and no register is touched.
 */
static void swap_cells(struct acrpmu_pmu *pmu, struct acrpmu_ctx *from, struct acrpmu_ctx *to)
{
	struct acrpmu_session_cpu *scpu = from->scpu;
	const struct acrpmu_plan *plan = &scpu->plan;
	u64 now = local_clock();
	unsigned int i;

	acrpmu_pmu_settling_begin(pmu, plan);
	for (i = 0; i < plan->nr; i++) {
		struct acrpmu_slot *slot = &pmu->slot[plan->hw[i].cntr];

		swap(from->cell[i], to->cell[i]);
		slot->serial = to->serial;
		WRITE_ONCE(slot->active, to);
	}
	swap(from->periods_nr, to->periods_nr);
	from->running_ns += now - from->tstamp_ns;
	from->scpu = NULL;
	raw_write_seqcount_begin(&from->seq);
	from->seen_ns = from->running_ns;
	raw_write_seqcount_end(&from->seq);
	begin(to, scpu, now);
	/* If a PMI came in between and skipped its counter, stopping accounts for it. */
	if (acrpmu_pmu_settling_end(pmu)) {
		acrpmu_ctx_stop(to);
		acrpmu_ctx_start(to, scpu);
	}
}

/*
 * User-level counters have stood still since the task left user mode, so that PMIs have had time to
 * come, and the status register holds nothing new.  Only under a hypervisor may they be late: look
 * now and then, and each time once that was seen.
 */
static bool look_for_late(struct acrpmu_pmu *pmu)
{
	if (likely(time_before(jiffies, pmu->look_at)))
		return false;
	pmu->look_at = jiffies + pmu->look_every;
	return true;
}

/* A late PMI came during a switch and skipped its counter: the overflow is that of @from. */
static noinline void settle_missed(struct acrpmu_pmu *pmu, struct acrpmu_ctx *from)
{
	acrpmu_pmu_note_late(pmu);
	acrpmu_pmu_settling_begin(pmu, &from->scpu->plan);
	/* It is not to be expected again. */
	acrpmu_pmu_note_missed(pmu);
	settle(pmu, from, 0);
	publish_counts(from);
	acrpmu_pmu_settling_end(pmu);
}

/**
 * acrpmu_ctx_switch() - stop one context on this CPU and start another of the same session
 *
 * User-level counters stand still in the kernel, so they are not disabled in between.
 *
 * Context: interrupts off, the run queue may be locked.
 */
void acrpmu_ctx_switch(struct acrpmu_ctx *from, struct acrpmu_ctx *to)
{
	struct acrpmu_session_cpu *scpu = from->scpu;
	const struct acrpmu_plan *plan = &scpu->plan;
	const struct acrpmu_group *group = &from->session->group;
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	u64 now;

	if (from->target == to->target && !group->reloaded_events && !group->restarted_events &&
	    !plan->kernel_cntrs && !scpu->paused && !READ_ONCE(from->session->reading) &&
	    acrpmu_rdpmc_same_user(from->task, to->task)) {
		swap_cells(pmu, from, to);
		return;
	}
	if (plan->kernel_cntrs) {
		acrpmu_ctx_stop(from);
		acrpmu_ctx_start(to, scpu);
		return;
	}
	now = local_clock();
	acrpmu_pmu_settling_begin(pmu, plan);
	if (unlikely(save(pmu, from, now, look_for_late(pmu))))
		acrpmu_pmu_note_late(pmu);
	load_cntrs(pmu, to, scpu, now);
	if (unlikely(acrpmu_pmu_settling_end(pmu)))
		settle_missed(pmu, from);
}

/* ---- a session on this CPU ---- */

/* Account for overflows before a reload: only the status has them, and their PMI may be over. */
static void drain(struct acrpmu_session_cpu *scpu)
{
	const struct acrpmu_plan *plan = &scpu->plan;
	unsigned long overflowed;
	unsigned int cntr;

	if (acrpmu_pmu_is_lost(acrpmu_pmu_here()))
		return;
	acrpmu_pmu_settling_begin(acrpmu_pmu_here(), plan);
	overflowed = acrpmu_pmu_ack(plan->all_cntrs) & plan->int_cntrs;
	for_each_set_bit(cntr, &overflowed, ACRPMU_CNTRS_MAX) {
		acrpmu_pmu_expect_pmi(acrpmu_pmu_here());
		if (scpu->session->group.restarted_events) {
			scpu->accounts.dropped++;
			continue;
		}
		/* What no reload hides was found in the counter. */
		if (!(plan->reloaded_cntrs & BIT_ULL(cntr)))
			continue;
		scpu->accounts.overflows[plan->ev_of_cntr[cntr]]++;
		scpu->accounts.discarded++;
	}
	acrpmu_pmu_settling_end(acrpmu_pmu_here());
}

/**
 * acrpmu_ctx_stop_session() - stop a session on this CPU, which it holds, and publish its accounts
 *
 * Context: interrupts off; whoever made this CPU call holds acrpmu_lock.
 * Return: the context that ran, or NULL.
 */
struct acrpmu_ctx *acrpmu_ctx_stop_session(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_ctx *ctx = scpu->running;

	if (ctx)
		acrpmu_ctx_stop(ctx);
	drain(scpu);
	acrpmu_account_publish(scpu);
	return ctx;
}

/**
 * acrpmu_ctx_sync_session() - bring counts and accounts of this CPU up to date, as of one moment
 *
 * Context: as acrpmu_ctx_stop_session().
 */
void acrpmu_ctx_sync_session(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_ctx *ctx = acrpmu_ctx_stop_session(scpu);

	if (ctx)
		acrpmu_ctx_start(ctx, scpu);
}
