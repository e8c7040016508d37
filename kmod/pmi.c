// SPDX-License-Identifier: GPL-2.0-only
/* The NMI handler: status, overflow, record, acknowledge. */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/ptrace.h>
#include <asm/apic.h>
#include <asm/nmi.h>

#include "session.h"
#include "buffer.h"
#include "cell_inline.h"
#include "chain.h"
#include "core/period.h"
#include "ctx.h"
#include "msr.h"
#include "pause.h"
#include "pmi.h"
#include "pmu.h"
#include "restart.h"
#include "sample.h"
#include "throttle.h"
#include "trace.h"

/* Each round handles every overflow found; more rounds than this mean broken hardware. */
#define MAX_ROUNDS	100

/* The limits hold for every PMI, whether it would write a record or not. */
static nokprobe_inline void handle_event(struct acrpmu_pmu *pmu, struct acrpmu_session_cpu *scpu,
					 struct acrpmu_ctx *ctx, unsigned int ev,
					 struct pt_regs *regs, bool user)
{
	if (acrpmu_throttle_overflow(pmu, scpu)) {
		scpu->accounts.throttled++;
		acrpmu_pause_begin(ctx);
		trace_acrpmu_no_record(scpu->session->id, ev, ACRPMU_WHY_THROTTLED);
	} else if (likely((scpu->session->group.ev + ev)->flags & ACRPMU_EVENT_SAMPLED)) {
		acrpmu_sample_write(scpu, ctx, ev, regs, user);
	} else {
		scpu->accounts.quiet++;
	}
}

/* It takes its time, too: the next overflow of the session may be beyond a limit by it. */
static noinline void charge_no_event(const struct acrpmu_ctx *ctx)
{
	acrpmu_throttle_overflow(acrpmu_pmu_here(), ctx->scpu);
}

NOKPROBE_SYMBOL(charge_no_event);

static nokprobe_inline void overflow(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx,
				     const struct acrpmu_slot *slot, struct pt_regs *regs,
				     bool user)
{
	struct acrpmu_session_cpu *scpu = slot->scpu;
	unsigned int ev = slot->ev;

	if (!acrpmu_cell_rearm(scpu, ctx, ev,
			       acrpmu_msr_read_counter((scpu->plan.hw + ev)->cntr))) {
		charge_no_event(ctx);
		return;
	}
	++*(scpu->accounts.overflows + ev);
	handle_event(pmu, scpu, ctx, ev, regs, user);
}

static u64 events_of(const struct acrpmu_plan *plan, u64 cntrs)
{
	u64 events = 0;

	for (; cntrs; cntrs &= cntrs - 1)
		events |= BIT_ULL(plan->ev_of_cntr[__ffs64(cntrs)]);
	return events;
}

NOKPROBE_SYMBOL(events_of);

/* All overflows of a session with events that software restarts. */
static noinline void end_windows(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, u64 cntrs,
				 struct pt_regs *regs)
{
	u64 events = events_of(&ctx->scpu->plan, cntrs), overflowed;
	struct acrpmu_window window;
	unsigned int i;

	overflowed = acrpmu_restart_running(pmu, ctx, events, &window);
	/* Restarted between the overflow and the status bit */
	ctx->scpu->accounts.dropped += hweight64(events & ~overflowed);
	for (i = 0; i < window.nr; i++)
		handle_event(pmu, ctx->scpu, ctx, window.order[i], regs, false);
	if (!window.nr)
		charge_no_event(ctx);
}

NOKPROBE_SYMBOL(end_windows);

/* Account for an overflow of a counter stopped before the NMI, or one acknowledged by others. */
static noinline void no_record(struct acrpmu_slot *slot, unsigned int why)
{
	struct acrpmu_session_cpu *scpu = slot->scpu;

	scpu->accounts.overflows[slot->ev]++;
	if (!(slot->session->group.sampled_events & BIT_ULL(slot->ev))) {
		scpu->accounts.quiet++;
		return;
	}
	if (why == ACRPMU_WHY_LOST)
		acrpmu_buffer_count_lost(scpu);
	else
		scpu->accounts.discarded++;
	trace_acrpmu_no_record(slot->session->id, slot->ev, why);
}

NOKPROBE_SYMBOL(no_record);

/* Stopping has found all overflows but those that a reload hides. */
static noinline void stopped_before(struct acrpmu_slot *slot)
{
	const struct acrpmu_group *group = &slot->session->group;

	if (group->reloaded_events & BIT_ULL(slot->ev))
		no_record(slot, ACRPMU_WHY_DISCARDED);
	else if (group->restarted_events)
		slot->scpu->accounts.dropped++;
}

NOKPROBE_SYMBOL(stopped_before);

/*
 * A user-level counter with the very value that its task's context was loaded with: the overflow is
 * that of the task before, and its PMI is late.  A reload has wiped out the trace that a switch
 * would have found.
 */
static noinline bool is_late(const struct acrpmu_slot *slot, const struct acrpmu_ctx *ctx)
{
	const struct acrpmu_plan *plan = &slot->scpu->plan;
	const struct acrpmu_event_hw *hw = plan->hw + slot->ev;
	u64 raw = ctx->cell[slot->ev].raw;

	return ctx->task && plan->reloaded_cntrs & BIT_ULL(hw->cntr) && !plan->kernel_cntrs &&
	       !((acrpmu_msr_read_counter(hw->cntr) ^ raw) << plan->spare_bits[slot->ev]);
}

NOKPROBE_SYMBOL(is_late);

static noinline void overflow_in_kernel(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx,
					struct acrpmu_slot *slot, struct pt_regs *regs)
{
	if (!is_late(slot, ctx)) {
		overflow(pmu, ctx, slot, regs, false);
		return;
	}
	acrpmu_pmu_note_late(pmu);
	no_record(slot, ACRPMU_WHY_DISCARDED);
}

NOKPROBE_SYMBOL(overflow_in_kernel);

static nokprobe_inline int handle_status(struct acrpmu_pmu *pmu, u64 status,
					 struct pt_regs *regs)
{
	u64 left = status & pmu->int_cntrs;
	int handled = 0;

	while (left) {
		/* By pointer: a bit of @int_cntrs is that of a slot. */
		struct acrpmu_slot *slot = pmu->slot + __ffs64(left);
		struct acrpmu_ctx *ctx = READ_ONCE(slot->active);

		if (unlikely(!ctx)) {
			stopped_before(slot);
		} else if (unlikely(slot->scpu->session->group.restarted_events)) {
			u64 cntrs = left & slot->scpu->plan.all_cntrs;

			end_windows(pmu, ctx, cntrs, regs);
			handled += hweight64(cntrs);
			left &= ~cntrs;
			continue;
		} else if (likely(user_mode(regs) && !acrpmu_chain_in_guest())) {
			overflow(pmu, ctx, slot, regs, true);
		} else {
			overflow_in_kernel(pmu, ctx, slot, regs);
		}
		handled++;
		left &= left - 1;
	}
	/* Quiet events set status without a PMI; clearing theirs here costs nothing extra. */
	acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status);
	return handled;
}

/* Those of a session with events that software restarts. */
static int end_stolen_windows(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx)
{
	const struct acrpmu_group *group = &ctx->session->group;
	struct acrpmu_session_cpu *scpu = ctx->scpu;
	struct acrpmu_window window;
	unsigned int i;

	acrpmu_restart_running(pmu, ctx, group->int_events, &window);
	for (i = 0; i < window.nr; i++) {
		if (!(group->sampled_events & BIT_ULL(window.order[i]))) {
			scpu->accounts.quiet++;
			continue;
		}
		acrpmu_buffer_count_lost(scpu);
		trace_acrpmu_no_record(ctx->session->id, window.order[i], ACRPMU_WHY_LOST);
	}
	return window.nr;
}

NOKPROBE_SYMBOL(end_stolen_windows);

/* In-tree perf acknowledges every bit it finds; such an overflow still shows in the counter. */
static noinline int handle_stolen(struct acrpmu_pmu *pmu)
{
	u64 left = pmu->active_cntrs & pmu->int_cntrs & ~pmu->settling_cntrs, cntrs;
	int handled = 0;

	for (; left; left &= ~cntrs) {
		unsigned int cntr = __ffs64(left);
		struct acrpmu_slot *slot = &pmu->slot[cntr];

		u64 raw;

		cntrs = BIT_ULL(cntr);
		if (slot->session->group.restarted_events) {
			cntrs = slot->scpu->plan.all_cntrs;
			handled += end_stolen_windows(pmu, slot->active);
			continue;
		}
		raw = acrpmu_msr_read_counter(cntr);
		if (acrpmu_period_overflowed(raw, acrpmu_model_width(&pmu->caps, cntr))) {
			acrpmu_cell_rearm(slot->scpu, slot->active, slot->ev, raw);
			no_record(slot, ACRPMU_WHY_LOST);
			handled++;
		}
	}
	return handled;
}

NOKPROBE_SYMBOL(handle_stolen);

/* Skip the counters that are settling: the interrupted code accounts for them. */
static nokprobe_inline u64 own_status(struct acrpmu_pmu *pmu)
{
	u64 status = acrpmu_msr_read(MSR_CORE_PERF_GLOBAL_STATUS) & pmu->held_cntrs;
	u64 settling = READ_ONCE(pmu->settling_cntrs);

	if (likely(!settling))
		return status;
	if (status & settling)
		acrpmu_pmu_note_missed(pmu);
	return status & ~settling;
}

static bool expects_late(const struct acrpmu_pmu *pmu)
{
	return READ_ONCE(pmu->late_pmis) && time_before(jiffies, READ_ONCE(pmu->late_until));
}

NOKPROBE_SYMBOL(expects_late);

/*
 * A mask found with a status bit proves it.  No mask proves nothing, however often: another handler
 * may have removed it.
 */
static nokprobe_inline void find_masking(struct acrpmu_pmu *pmu)
{
	if (!pmu->masks)
		pmu->masks = acrpmu_msr_pmi_masked();
}

/*
 * Check whether an NMI without a status bit was a PMI.  The entry of the local APIC shows it; where
 * no mask was ever found, the overflow must be known.
 */
static bool was_pmi(struct acrpmu_pmu *pmu, bool masked)
{
	bool settling = READ_ONCE(pmu->settling_cntrs);

	if (settling && READ_ONCE(pmu->pmis) == ACRPMU_PMIS_MISSED)
		return true;
	if (settling && masked)
		acrpmu_pmu_note_missed(pmu);
	else if ((masked || !pmu->masks) && expects_late(pmu))
		WRITE_ONCE(pmu->late_pmis, READ_ONCE(pmu->late_pmis) - 1);
	else
		return masked;
	return true;
}

NOKPROBE_SYMBOL(was_pmi);

/* No status bit with INT is set; check whether this was a PMI all the same. */
static int handle_unclear(struct acrpmu_pmu *pmu, bool masked)
{
	return handle_stolen(pmu) ?: was_pmi(pmu, masked);
}

NOKPROBE_SYMBOL(handle_unclear);

/* Hardware that does not clear its status would raise the same PMI forever. */
static noinline void pause_all(struct acrpmu_pmu *pmu, u64 status)
{
	WARN_ONCE(1, "status %#llx does not clear\n", status);
	for (status &= pmu->int_cntrs; status; status &= status - 1) {
		struct acrpmu_ctx *ctx = READ_ONCE(pmu->slot[__ffs64(status)].active);

		if (ctx)
			acrpmu_pause_begin(ctx);
	}
}

NOKPROBE_SYMBOL(pause_all);

/* For those that seldom need it. */
static noinline int handle_status_again(struct acrpmu_pmu *pmu, u64 status, struct pt_regs *regs)
{
	return handle_status(pmu, status, regs);
}

NOKPROBE_SYMBOL(handle_status_again);

/* Several counters may have overflowed one after another. */
static noinline int handle_further(struct acrpmu_pmu *pmu, struct pt_regs *regs)
{
	int handled = 0, rounds = 0;
	u64 status = own_status(pmu);

	for (; status; status = own_status(pmu)) {
		if (++rounds > MAX_ROUNDS) {
			pause_all(pmu, status);
			break;
		}
		handled += handle_status_again(pmu, status, regs);
	}
	return handled;
}

NOKPROBE_SYMBOL(handle_further);

/*
 * Its handler comes next, and acknowledges what is left of a session, too.  A late PMI of what was
 * accounted for shows nothing that it would know that by.
 */
static noinline int leave_to_perf(struct acrpmu_pmu *pmu)
{
	irq_work_queue(&acrpmu_pmu_loss);
	if (acrpmu_msr_read(MSR_CORE_PERF_GLOBAL_STATUS))
		return NMI_DONE;
	return was_pmi(pmu, acrpmu_msr_pmi_masked());
}

NOKPROBE_SYMBOL(leave_to_perf);

static noinline int handle_active(struct acrpmu_pmu *pmu, struct pt_regs *regs)
{
	enum acrpmu_pmi_ack order = pmu->caps.model->pmi_ack;
	u64 status, start_tsc = rdtsc();
	bool masked, frozen = pmu->freeze;
	int handled = 0;

	if (acrpmu_pmu_claim_is_lost(pmu))
		return leave_to_perf(pmu);
	if (frozen)
		acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_CTRL, 0);
	status = own_status(pmu);
	if (status & pmu->int_cntrs)
		find_masking(pmu);
	masked = !(status & pmu->int_cntrs) && acrpmu_msr_pmi_masked();
	if (order == ACRPMU_PMI_ACK_EARLY)
		acrpmu_msr_pmi_unmask();
	if (!(status & pmu->int_cntrs))
		handled = handle_unclear(pmu, masked);
	if (status)
		handled += handle_status(pmu, status, regs);
	if (status && pmu->again)
		handled += handle_further(pmu, regs);
	if (handled && order == ACRPMU_PMI_ACK_MID)
		acrpmu_msr_pmi_unmask();
	if (frozen && !pmu->thawed_by_perf)
		acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_CTRL, pmu->global_ctrl);
	if (handled && order == ACRPMU_PMI_ACK_LATE)
		acrpmu_msr_pmi_unmask();
	trace_acrpmu_pmi(status, handled);
	acrpmu_throttle_charge(pmu, start_tsc);
	return handled;
}

NOKPROBE_SYMBOL(handle_active);

/*
 * Nothing counts here now, but a PMI raised just before the stop may still arrive, even after the
 * last session.  Then a status bit means a PMI of another user.
 */
static noinline int handle_late(struct acrpmu_pmu *pmu, struct pt_regs *regs)
{
	int handled = 0;
	bool masked;
	u64 status;

	if (!pmu->int_cntrs && !expects_late(pmu))
		return NMI_DONE;
	if (!pmu->nr_sessions && acrpmu_msr_read(MSR_CORE_PERF_GLOBAL_STATUS))
		return NMI_DONE;
	if (acrpmu_pmu_claim_is_lost(pmu))
		return leave_to_perf(pmu);
	masked = acrpmu_msr_pmi_masked();
	status = own_status(pmu);
	if (status & pmu->int_cntrs)
		handled = handle_status_again(pmu, status, regs);
	if (!handled && !was_pmi(pmu, masked))
		return NMI_DONE;
	if (masked)
		acrpmu_msr_write_lvtpc(pmu->nr_sessions ? APIC_DM_NMI : pmu->found_lvtpc);
	return max(handled, 1);
}

NOKPROBE_SYMBOL(handle_late);

/*
 * Our handler runs before in-tree perf's.  It returns the number of overflows it handled, because
 * the kernel tolerates a second, back-to-back NMI only after a count above one.
 */
static int pmi_handler(unsigned int type, struct pt_regs *regs)
{
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();

	if (READ_ONCE(pmu->active_cntrs))
		return handle_active(pmu, regs);
	return handle_late(pmu, regs);
}

NOKPROBE_SYMBOL(pmi_handler);

/**
 * acrpmu_pmi_init() - register the NMI handler
 *
 * Context: process, at load.
 * Return: 0 or the errno of register_nmi_handler().
 */
int acrpmu_pmi_init(void)
{
	return register_nmi_handler(NMI_LOCAL, pmi_handler, NMI_FLAG_FIRST, "acrpmu");
}

/* A PMI raised just before the last counter stopped may still come, but not for ever. */
static void wait_for_late(void)
{
	int cpu;

	for_each_online_cpu(cpu)
		while (expects_late(acrpmu_pmu_of(cpu)))
			msleep(20);
}

/**
 * acrpmu_pmi_exit() - unregister the NMI handler, and wait for running ones
 *
 * Context: process, may sleep; no session is left.
 */
void acrpmu_pmi_exit(void)
{
	wait_for_late();
	unregister_nmi_handler(NMI_LOCAL, "acrpmu");
}
