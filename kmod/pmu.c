// SPDX-License-Identifier: GPL-2.0-only
/* Per-CPU counter state: taking counters for a session, starting, stopping and reading them. */
#include <linux/atomic.h>
#include <linux/bitops.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <linux/sched/clock.h>
#include <asm/apic.h>

#include "session.h"
#include "buffer.h"
#include "core/event.h"
#include "core/period.h"
#include "msr.h"
#include "owner.h"
#include "pmu.h"

DEFINE_PER_CPU(struct acrpmu_cpu, acrpmu_cpus);

static atomic64_t last_serial = ATOMIC64_INIT(0);

static struct acrpmu_cpu *this_pmu(void)
{
	return this_cpu_ptr(&acrpmu_cpus);
}

/* Each CPU has a plan of its own: another may have other counters free. */
static __always_inline const struct acrpmu_plan *plan_here(const struct acrpmu_session *session)
{
	return &this_cpu_ptr(session->scpus)->plan;
}

/* ---- taking counters and giving them back ---- */

/**
 * acrpmu_pmu_foreign() - counters that somebody else has enabled on this CPU
 * @own_cntrs: counters that are not looked at besides those that sessions hold
 *
 * Context: the CPU in question, interrupts off.
 * Return: mask of counters.
 */
u64 acrpmu_pmu_foreign(u64 own_cntrs)
{
	const struct acrpmu_cpu *cpu = this_pmu();
	unsigned long cntrs = cpu->caps.cntrs & ~cpu->held_cntrs & ~own_cntrs;
	u64 fixed_ctrl = acrpmu_msr_read(MSR_CORE_PERF_FIXED_CTR_CTRL);
	unsigned int cntr;
	u64 found = 0;

	for_each_set_bit(cntr, &cntrs, ACRPMU_CNTRS_MAX) {
		u64 enabled;

		if (cntr < ACRPMU_FIXED_BASE)
			enabled = acrpmu_msr_read(acrpmu_model_msr(&cpu->caps, cntr,
								   ACRPMU_MODEL_CFG_A)) &
				  PERFEVTSEL_EN;
		else
			enabled = fixed_ctrl >> (cntr - ACRPMU_FIXED_BASE) * FIXED_CTR_CTRL_BITS &
				  FIXED_CTR_CTRL_ENABLE;
		if (enabled)
			found |= BIT_ULL(cntr);
	}
	return found;
}

static u64 read_if(u32 msr)
{
	return msr ? acrpmu_msr_read(msr) : 0;
}

static void write_if(u32 msr, u64 value)
{
	if (msr)
		acrpmu_msr_write(msr, value);
}

/* An NMI may pause another session in between: its change must survive ours. */
static void change_fixed_ctrl(struct acrpmu_cpu *cpu, u64 mask, u64 bits)
{
	u64 old;

	do {
		old = READ_ONCE(cpu->fixed_ctrl);
	} while (cmpxchg64_local(&cpu->fixed_ctrl, old, (old & ~mask) | bits) != old);
}

NOKPROBE_SYMBOL(change_fixed_ctrl);

static void write_fixed_ctrl(struct acrpmu_cpu *cpu)
{
	u64 value;

	do {
		value = READ_ONCE(cpu->fixed_ctrl);
		acrpmu_msr_write(MSR_CORE_PERF_FIXED_CTR_CTRL, value);
	} while (READ_ONCE(cpu->fixed_ctrl) != value);
}

NOKPROBE_SYMBOL(write_fixed_ctrl);

static void first_session(struct acrpmu_cpu *cpu)
{
	cpu->found_global_ctrl = acrpmu_msr_read(MSR_CORE_PERF_GLOBAL_CTRL);
	cpu->global_ctrl = cpu->found_global_ctrl;
	cpu->fixed_ctrl = acrpmu_msr_read(MSR_CORE_PERF_FIXED_CTR_CTRL);
	cpu->found_lvtpc = acrpmu_msr_read_lvtpc();
	if (cpu->found_lvtpc != APIC_DM_NMI)
		acrpmu_msr_pmi_unmask();
}

static void last_session(struct acrpmu_cpu *cpu)
{
	if (cpu->global_ctrl != cpu->found_global_ctrl)
		acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_CTRL, cpu->found_global_ctrl);
	if (cpu->found_lvtpc != APIC_DM_NMI)
		acrpmu_msr_write_lvtpc(cpu->found_lvtpc);
}

/* In-tree perf leaves reload masks behind; they must be gone before the counter is used. */
static void take_cntr(struct acrpmu_cpu *cpu, const struct acrpmu_event_hw *hw)
{
	struct acrpmu_slot *slot = &cpu->slot[hw->cntr];

	slot->found_cntr = acrpmu_msr_read_counter(hw->cntr);
	slot->found_cfg_b = read_if(hw->cfg_b_msr);
	slot->found_cfg_c = read_if(hw->cfg_c_msr);
	write_if(hw->cfg_b_msr, 0);
	write_if(hw->cfg_c_msr, 0);
	if (hw->cntr < ACRPMU_FIXED_BASE) {
		slot->found_cfg_a = acrpmu_msr_read(hw->cfg_a_msr);
		acrpmu_msr_write(hw->cfg_a_msr, hw->cfg_a & ~PERFEVTSEL_EN);
	} else {
		slot->found_cfg_a = cpu->fixed_ctrl &
				    acrpmu_event_fixed_field(hw->cntr - ACRPMU_FIXED_BASE);
	}
	slot->serial = 0;
}

static void give_cntr(struct acrpmu_cpu *cpu, const struct acrpmu_event_hw *hw)
{
	struct acrpmu_slot *slot = &cpu->slot[hw->cntr];

	write_if(hw->cfg_b_msr, slot->found_cfg_b);
	write_if(hw->cfg_c_msr, slot->found_cfg_c);
	/* Without full-width writes a CPU takes back 31 bits and the sign, and no more. */
	acrpmu_msr_write(hw->cntr_msr, slot->found_cntr);
	if (hw->cntr < ACRPMU_FIXED_BASE) {
		acrpmu_msr_write(hw->cfg_a_msr, slot->found_cfg_a);
	} else {
		change_fixed_ctrl(cpu, acrpmu_event_fixed_field(hw->cntr - ACRPMU_FIXED_BASE),
				  slot->found_cfg_a);
	}
	slot->session = NULL;
	slot->scpu = NULL;
}

static void clear_status(u64 cntrs)
{
	u64 status = acrpmu_msr_read(MSR_CORE_PERF_GLOBAL_STATUS) & cntrs;

	if (status)
		acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status);
}

/**
 * acrpmu_pmu_take() - take a session's counters on this CPU
 * @session: the session; its plan for this CPU is made of counters that are free
 *
 * What is found in every register is kept for acrpmu_pmu_give().  Event selects (disabled), reload
 * masks and reload values are written once: they are the same for every task of the session.
 *
 * Context: the CPU in question, interrupts off.
 */
void acrpmu_pmu_take(struct acrpmu_session *session)
{
	struct acrpmu_cpu *cpu = this_pmu();
	const struct acrpmu_plan *plan = plan_here(session);
	unsigned int i;

	if (!cpu->nr_sessions++)
		first_session(cpu);
	for (i = 0; i < plan->nr; i++) {
		struct acrpmu_slot *slot = &cpu->slot[plan->hw[i].cntr];

		take_cntr(cpu, &plan->hw[i]);
		slot->session = session;
		slot->scpu = this_cpu_ptr(session->scpus);
		slot->ev = i;
	}
	/* After all were cleared, so that no reload comes from a mask half way. */
	for (i = 0; i < plan->nr; i++) {
		write_if(plan->hw[i].cfg_c_msr, plan->hw[i].cfg_c);
		write_if(plan->hw[i].cfg_b_msr, plan->hw[i].cfg_b);
	}
	clear_status(plan->all_cntrs);
	if ((cpu->global_ctrl & plan->all_cntrs) != plan->all_cntrs) {
		cpu->global_ctrl |= plan->all_cntrs;
		acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_CTRL, cpu->global_ctrl);
	}
	cpu->thawed_by_perf = acrpmu_owner_arbiter() == ACRPMU_ARBITER_CLAIM;
	cpu->held_cntrs |= plan->all_cntrs;
	cpu->sampled_cntrs |= plan->sampled_cntrs;
}

/* Keep the accounts as they are, for readers; acrpmu_lock is held by the caller of this CPU. */
static void publish_accounts(struct acrpmu_session_cpu *scpu)
{
	scpu->seen = scpu->accounts;
	scpu->seen.lost = acrpmu_ring_lost(&scpu->ring);
}

/**
 * acrpmu_pmu_give() - give a session's counters on this CPU back, each register as it was found
 * @session: the session, stopped on this CPU
 *
 * Context: the CPU in question, interrupts off.
 */
void acrpmu_pmu_give(struct acrpmu_session *session)
{
	struct acrpmu_cpu *cpu = this_pmu();
	const struct acrpmu_plan *plan = plan_here(session);
	unsigned int i;

	acrpmu_pmu_drain(session);
	publish_accounts(this_cpu_ptr(session->scpus));
	cpu->held_cntrs &= ~plan->all_cntrs;
	cpu->sampled_cntrs &= ~plan->sampled_cntrs;
	for (i = 0; i < plan->nr; i++)
		give_cntr(cpu, &plan->hw[i]);
	if (plan->fixed_cntrs)
		write_fixed_ctrl(cpu);
	if (!--cpu->nr_sessions)
		last_session(cpu);
}

/* ---- contexts ---- */

/* In 64 bits, whatever the width of the counter that it will be written to. */
static void start_period(struct acrpmu_ctx *ctx, unsigned int ev)
{
	ctx->cell[ev].raw = -ctx->session->group.ev[ev].period;
	ctx->cell[ev].base = ctx->cell[ev].raw;
}

/* What a reader on another CPU may see: all events at one moment. */
static void show_counts(struct acrpmu_ctx *ctx)
{
	unsigned int i;

	raw_write_seqcount_begin(&ctx->seq);
	for (i = 0; i < ctx->session->group.nr; i++)
		ctx->cell[i].seen = ctx->cell[i].total;
	ctx->seen_ns = ctx->running_ns;
	raw_write_seqcount_end(&ctx->seq);
}

/**
 * acrpmu_pmu_ctx_init() - make a context ready to be started for the first time
 * @ctx: zeroed
 * @session: its session
 *
 * Context: any but NMI.
 */
void acrpmu_pmu_ctx_init(struct acrpmu_ctx *ctx, struct acrpmu_session *session)
{
	ctx->session = session;
	ctx->serial = atomic64_inc_return(&last_serial);
	ctx->cpu = -1;
	seqcount_init(&ctx->seq);
	INIT_LIST_HEAD(&ctx->node);
	acrpmu_pmu_ctx_reset(ctx);
}

/**
 * acrpmu_pmu_ctx_reset() - start all periods and counts of a context anew
 * @ctx: a context that does not run
 *
 * Context: any but NMI.
 */
void acrpmu_pmu_ctx_reset(struct acrpmu_ctx *ctx)
{
	unsigned int i;

	for (i = 0; i < ctx->session->group.nr; i++) {
		start_period(ctx, i);
		ctx->cell[i].total = 0;
	}
	ctx->running_ns = 0;
	ctx->cpu = -1;
	show_counts(ctx);
}

static unsigned int width_of(const struct acrpmu_cpu *cpu, const struct acrpmu_event_hw *hw)
{
	return acrpmu_model_width(&cpu->caps, hw->cntr);
}

/* Count on to @raw.  What hardware reloads jumps back: only its whole periods are known. */
static void count_on(const struct acrpmu_cpu *cpu, struct acrpmu_ctx *ctx, unsigned int i, u64 raw)
{
	const struct acrpmu_session *session = ctx->session;
	struct acrpmu_cell *cell = &ctx->cell[i];

	if (!(session->group.reloaded_events & BIT_ULL(i)))
		cell->total += acrpmu_period_count(cell->base, raw,
						   width_of(cpu, &plan_here(session)->hw[i]));
	cell->base = raw;
}

NOKPROBE_SYMBOL(count_on);

/**
 * acrpmu_pmu_count() - occurrences of an event so far
 * @ctx: a context that runs on this CPU
 * @ev: index of the event
 *
 * Context: that CPU, NMI.
 * Return: the count; for an event that hardware reloads, of its whole periods.
 */
u64 acrpmu_pmu_count(const struct acrpmu_ctx *ctx, unsigned int ev)
{
	const struct acrpmu_event_hw *hw = &plan_here(ctx->session)->hw[ev];
	const struct acrpmu_cell *cell = &ctx->cell[ev];

	if (ctx->session->group.reloaded_events & BIT_ULL(ev))
		return cell->total;
	return cell->total + acrpmu_period_count(cell->base, acrpmu_msr_read_counter(hw->cntr),
						 width_of(this_pmu(), hw));
}

NOKPROBE_SYMBOL(acrpmu_pmu_count);

/**
 * acrpmu_pmu_rearm() - start the next period of a counter that has overflowed
 * @ctx: the context that runs on this CPU
 * @ev: index of the event
 *
 * The few occurrences between overflow and PMI are not read, which would cost an access: the
 * period counts from here.
 *
 * Context: that CPU, NMI or interrupts off.
 */
void acrpmu_pmu_rearm(struct acrpmu_ctx *ctx, unsigned int ev)
{
	const struct acrpmu_event_hw *hw = &plan_here(ctx->session)->hw[ev];

	acrpmu_msr_write(hw->cntr_msr, hw->start);
	if (ctx->session->group.reloaded_events & BIT_ULL(ev))
		ctx->cell[ev].total += ctx->session->group.ev[ev].period;
	else
		count_on(this_pmu(), ctx, ev, 0);
	ctx->cell[ev].base = hw->start;
}

NOKPROBE_SYMBOL(acrpmu_pmu_rearm);

/* ---- starting and stopping ---- */

static void write_enables(struct acrpmu_cpu *cpu, const struct acrpmu_plan *plan, bool on)
{
	unsigned long cntrs = plan->gp_cntrs;
	unsigned int cntr;

	if (plan->fixed_cntrs) {
		change_fixed_ctrl(cpu, plan->fixed_ctrl_mask, on ? plan->fixed_ctrl : 0);
		write_fixed_ctrl(cpu);
	}
	for_each_set_bit(cntr, &cntrs, ACRPMU_FIXED_BASE) {
		const struct acrpmu_event_hw *hw = &plan->hw[plan->ev_of_cntr[cntr]];

		acrpmu_msr_write(hw->cfg_a_msr,
				 on ? hw->cfg_a : hw->cfg_a & ~PERFEVTSEL_EN);
	}
}

NOKPROBE_SYMBOL(write_enables);

/* What the NMI must do depends on which events count. */
static void set_active(struct acrpmu_cpu *cpu, u64 cntrs)
{
	unsigned long active = cntrs;
	bool kernel = false;
	unsigned int cntr;

	/* Those without PMIs too: the handler of others' would be counted. */
	for_each_set_bit(cntr, &active, ACRPMU_CNTRS_MAX)
		kernel |= !!(cpu->slot[cntr].scpu->plan.kernel_cntrs & BIT_ULL(cntr));
	cpu->again = hweight64(cntrs & cpu->sampled_cntrs) > 1;
	cpu->freeze = kernel || cpu->again;
	WRITE_ONCE(cpu->active_cntrs, cntrs);
	barrier();
}

/* A counter keeps its value while its context is out and nobody else was in. */
static void load_cntrs(struct acrpmu_cpu *cpu, struct acrpmu_ctx *ctx)
{
	const struct acrpmu_plan *plan = plan_here(ctx->session);
	bool here = ctx->cpu == smp_processor_id();
	unsigned int i;

	for (i = 0; i < plan->nr; i++) {
		struct acrpmu_slot *slot = &cpu->slot[plan->hw[i].cntr];

		if (!here || slot->serial != ctx->serial) {
			u64 raw = acrpmu_period_settable(ctx->cell[i].raw, cpu->caps.full_width);

			ctx->cell[i].base = raw;
			acrpmu_msr_write(plan->hw[i].cntr_msr,
					 raw & acrpmu_period_mask(width_of(cpu, &plan->hw[i])));
		}
		slot->serial = ctx->serial;
		WRITE_ONCE(slot->active, ctx);
	}
	ctx->cpu = smp_processor_id();
	ctx->tstamp_ns = local_clock();
	ctx->running = true;
}

/* A PMI half way may pause the group; what was enabled after it must stop too. */
static void enable(struct acrpmu_cpu *cpu, const struct acrpmu_session_cpu *scpu)
{
	const struct acrpmu_plan *plan = &scpu->plan;

	if (!READ_ONCE(scpu->paused))
		write_enables(cpu, plan, true);
	if (READ_ONCE(scpu->paused))
		write_enables(cpu, plan, false);
}

/**
 * acrpmu_pmu_start() - let a context count on this CPU
 * @ctx: a context that does not run, of a session that has taken this CPU
 *
 * Context: interrupts off, the run queue may be locked.
 */
void acrpmu_pmu_start(struct acrpmu_ctx *ctx)
{
	struct acrpmu_cpu *cpu = this_pmu();

	load_cntrs(cpu, ctx);
	set_active(cpu, cpu->active_cntrs | plan_here(ctx->session)->all_cntrs);
	enable(cpu, this_cpu_ptr(ctx->session->scpus));
}

/* An overflow whose PMI has not come, or whose status bit somebody else has cleared. */
static void settle(struct acrpmu_cpu *cpu, struct acrpmu_ctx *ctx, u64 pending_events)
{
	const struct acrpmu_plan *plan = plan_here(ctx->session);
	struct acrpmu_session_cpu *scpu = this_cpu_ptr(ctx->session->scpus);
	u64 status = acrpmu_msr_read(MSR_CORE_PERF_GLOBAL_STATUS) & plan->all_cntrs;
	unsigned int i;

	if (status)
		acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status);
	for (i = 0; i < plan->nr; i++) {
		bool told = status & plan->sampled_cntrs & BIT_ULL(plan->hw[i].cntr);
		bool pending = pending_events & BIT_ULL(i);

		if (!told && !pending)
			continue;
		scpu->accounts.overflows[i]++;
		if (ctx->session->group.reloaded_events & BIT_ULL(i))
			ctx->cell[i].total += ctx->session->group.ev[i].period;
		if (told)
			scpu->accounts.discarded++;
		else
			acrpmu_ring_count_lost(&scpu->ring, 1);
		/* One that a cause reloaded meanwhile is in a period of its own. */
		if (!pending)
			continue;
		start_period(ctx, i);
		cpu->slot[plan->hw[i].cntr].serial = 0;
	}
}

/* Read the stopped, or user-level, counters of a context; tell which overflows are unhandled. */
static u64 save_cntrs(struct acrpmu_cpu *cpu, struct acrpmu_ctx *ctx)
{
	const struct acrpmu_session *session = ctx->session;
	struct acrpmu_session_cpu *scpu = this_cpu_ptr(session->scpus);
	u64 pending = 0, now = local_clock();
	unsigned int i;

	for (i = 0; i < scpu->plan.nr; i++) {
		const struct acrpmu_event_hw *hw = &scpu->plan.hw[i];
		u64 raw = sign_extend64(acrpmu_msr_read_counter(hw->cntr),
					width_of(cpu, hw) - 1);

		if (session->group.sampled_events & BIT_ULL(i) &&
		    acrpmu_period_overflowed(raw, width_of(cpu, hw)))
			pending |= BIT_ULL(i);
		count_on(cpu, ctx, i, raw);
		ctx->cell[i].raw = raw;
	}
	ctx->running_ns += (scpu->paused ? scpu->paused_ns : now) - ctx->tstamp_ns;
	ctx->running = false;
	scpu->paused = false;
	return pending;
}

/* In between a PMI leaves these counters alone, so that no overflow is handled twice. */
static void settling_begin(struct acrpmu_cpu *cpu, const struct acrpmu_plan *plan)
{
	cpu->missed = false;
	WRITE_ONCE(cpu->settling_cntrs, plan->all_cntrs);
	barrier();
}

static void settling_end(struct acrpmu_cpu *cpu)
{
	barrier();
	WRITE_ONCE(cpu->settling_cntrs, 0);
	barrier();
}

/**
 * acrpmu_pmu_stop() - stop a context that runs on this CPU and keep its values
 * @ctx: the context
 *
 * Context: interrupts off, the run queue may be locked.
 */
void acrpmu_pmu_stop(struct acrpmu_ctx *ctx)
{
	struct acrpmu_cpu *cpu = this_pmu();
	const struct acrpmu_plan *plan = plan_here(ctx->session);
	u64 pending;
	unsigned int i;

	write_enables(cpu, plan, false);
	settling_begin(cpu, plan);
	pending = save_cntrs(cpu, ctx);
	if (pending || plan->sampled_cntrs & plan->reloaded_cntrs)
		settle(cpu, ctx, pending);
	show_counts(ctx);
	for (i = 0; i < plan->nr; i++)
		WRITE_ONCE(cpu->slot[plan->hw[i].cntr].active, NULL);
	set_active(cpu, cpu->active_cntrs & ~plan->all_cntrs);
	settling_end(cpu);
}

/*
 * Where no window is kept, a period that one task has begun another may end, as with in-tree perf:
 * what the counters hold changes its owner, and no register is touched.
 */
static void swap_cells(struct acrpmu_cpu *cpu, struct acrpmu_ctx *from, struct acrpmu_ctx *to)
{
	const struct acrpmu_plan *plan = plan_here(from->session);
	u64 now = local_clock();
	unsigned int i;

	settling_begin(cpu, plan);
	for (i = 0; i < plan->nr; i++) {
		struct acrpmu_slot *slot = &cpu->slot[plan->hw[i].cntr];

		swap(from->cell[i], to->cell[i]);
		slot->serial = to->serial;
		WRITE_ONCE(slot->active, to);
	}
	from->running_ns += now - from->tstamp_ns;
	from->running = false;
	from->cpu = -1;
	to->tstamp_ns = now;
	to->running = true;
	to->cpu = smp_processor_id();
	settling_end(cpu);
	if (READ_ONCE(cpu->missed)) {
		/* A PMI came meanwhile and left its counter alone: stopping sorts it out. */
		acrpmu_pmu_stop(to);
		acrpmu_pmu_start(to);
	}
}

/**
 * acrpmu_pmu_switch() - let another context of the same session count on
 * @from: the context that runs on this CPU
 * @to: the one that shall
 *
 * User-level counters stand still in the kernel, so that they need not be stopped.
 *
 * Context: interrupts off, the run queue may be locked.
 */
void acrpmu_pmu_switch(struct acrpmu_ctx *from, struct acrpmu_ctx *to)
{
	const struct acrpmu_plan *plan = plan_here(from->session);
	struct acrpmu_cpu *cpu = this_pmu();
	u64 pending;

	if (!from->session->group.reloaded_events && !plan->kernel_cntrs &&
	    !this_cpu_ptr(from->session->scpus)->paused && !READ_ONCE(from->session->reading)) {
		swap_cells(cpu, from, to);
		return;
	}
	if (plan->kernel_cntrs || this_cpu_ptr(from->session->scpus)->paused) {
		acrpmu_pmu_stop(from);
		acrpmu_pmu_start(to);
		return;
	}
	settling_begin(cpu, plan);
	pending = save_cntrs(cpu, from);
	if (pending || plan->sampled_cntrs & plan->reloaded_cntrs)
		settle(cpu, from, pending);
	show_counts(from);
	load_cntrs(cpu, to);
	settling_end(cpu);
}

/**
 * acrpmu_pmu_pause() - stop the counters of a context until the session on it is resumed
 * @ctx: the context that runs on this CPU; it stays the one that does
 *
 * Context: NMI.
 */
void acrpmu_pmu_pause(struct acrpmu_ctx *ctx)
{
	struct acrpmu_session_cpu *scpu = this_cpu_ptr(ctx->session->scpus);

	/* Again and again: the code that this interrupts may be enabling them. */
	write_enables(this_pmu(), &scpu->plan, false);
	if (scpu->paused)
		return;
	scpu->paused = true;
	scpu->paused_ns = local_clock();
	irq_work_queue(&scpu->arm_resume);
	acrpmu_buffer_wake(scpu);
}

NOKPROBE_SYMBOL(acrpmu_pmu_pause);

/**
 * acrpmu_pmu_sync() - bring counts and accounts of this CPU up to date, all at one moment
 * @session: a session that has taken this CPU
 *
 * A pause goes on as it is.
 *
 * Context: interrupts off; acrpmu_lock held by whoever asked for it.
 */
void acrpmu_pmu_sync(struct acrpmu_session *session)
{
	struct acrpmu_session_cpu *scpu = this_cpu_ptr(session->scpus);
	struct acrpmu_ctx *ctx = acrpmu_pmu_running(session);
	bool paused = scpu->paused;

	if (ctx)
		acrpmu_pmu_stop(ctx);
	acrpmu_pmu_drain(session);
	publish_accounts(scpu);
	if (!ctx)
		return;
	scpu->paused = paused;
	acrpmu_pmu_start(ctx);
	if (paused)
		scpu->paused_ns = ctx->tstamp_ns;
}

/**
 * acrpmu_pmu_drain() - account for overflows whose counter was reloaded before they were handled
 * @session: a session that is stopped on this CPU
 *
 * Such an overflow shows in the status alone, and its PMI may be over already.
 *
 * Context: interrupts off.
 */
void acrpmu_pmu_drain(struct acrpmu_session *session)
{
	struct acrpmu_session_cpu *scpu = this_cpu_ptr(session->scpus);
	const struct acrpmu_plan *plan = plan_here(session);
	unsigned long sampled;
	unsigned int cntr;
	u64 status;

	settling_begin(this_pmu(), plan);
	status = acrpmu_msr_read(MSR_CORE_PERF_GLOBAL_STATUS) & plan->all_cntrs;
	if (status)
		acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status);
	sampled = status & plan->sampled_cntrs;
	for_each_set_bit(cntr, &sampled, ACRPMU_CNTRS_MAX) {
		scpu->accounts.overflows[plan->ev_of_cntr[cntr]]++;
		scpu->accounts.discarded++;
	}
	settling_end(this_pmu());
}

/**
 * acrpmu_pmu_running() - the context of a session that runs on this CPU
 * @session: a session that has taken this CPU
 *
 * Context: interrupts off.
 * Return: it, or NULL.
 */
struct acrpmu_ctx *acrpmu_pmu_running(const struct acrpmu_session *session)
{
	return this_pmu()->slot[plan_here(session)->hw[0].cntr].active;
}

/* ---- resuming after a pause ---- */

/* Let the counters of a paused context go on. */
static void unpause(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_ctx *ctx;

	if (!scpu->taken || !scpu->paused)
		return;
	ctx = acrpmu_pmu_running(scpu->session);
	ctx->tstamp_ns += local_clock() - scpu->paused_ns;
	scpu->paused = false;
	barrier();
	enable(this_pmu(), scpu);
}

/* An NMI must not start a timer, but may queue this, which runs on the same CPU. */
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
	if (scpu == this_cpu_ptr(scpu->session->scpus))
		unpause(scpu);
	return HRTIMER_NORESTART;
}

/**
 * acrpmu_pmu_init() - prepare a session on one CPU for pauses
 *
 * Context: process.
 */
void acrpmu_pmu_init(struct acrpmu_session_cpu *scpu)
{
	init_irq_work(&scpu->arm_resume, arm_resume);
	compat_hrtimer_setup(&scpu->resume, resume_here, CLOCK_MONOTONIC,
			     HRTIMER_MODE_REL_PINNED_HARD);
}

/**
 * acrpmu_pmu_uninit() - undo acrpmu_pmu_init()
 *
 * Context: process, may sleep; the counters are stopped and no NMI can reach @scpu any more.
 */
void acrpmu_pmu_uninit(struct acrpmu_session_cpu *scpu)
{
	irq_work_sync(&scpu->arm_resume);
	hrtimer_cancel(&scpu->resume);
}
