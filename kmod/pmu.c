// SPDX-License-Identifier: GPL-2.0-only
/* The PMU of each CPU: reserving counters for sessions, programming and enabling them. */
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/jiffies.h>
#include <linux/kprobes.h>
#include <asm/apic.h>

#include "session.h"
#include "core/event.h"
#include "msr.h"
#include "pmu.h"

/*
 * What PMIs do on a CPU goes through these states, by code on that CPU with interrupts off:
 *
 *	state	overflows of settling_cntrs	left for
 *	HANDLE	none are settling		SKIP: settling_begin()
 *	SKIP	left to the interrupted code	MISSED: a PMI of one of them; HANDLE: settling_end()
 *	MISSED	left to the interrupted code	HANDLE: settling_end()
 *
 * That code adds the overflows that it accounts for to late_pmis in SKIP, because their PMI has yet
 * to come, and not in MISSED.  Whatever else a switch keeps is data: how many PMIs are late and
 * until when, when to look for late ones, whether the local APIC masks, and the serial of the
 * context that each counter's value belongs to.  A context runs where it is the session's running
 * one, see acrpmu_ctx_runs().
 */

/* All modules of a kernel together have 8 KiB for static per-CPU data, hence allocated. */
struct acrpmu_pmu __percpu *acrpmu_pmus __ro_after_init;

struct irq_work acrpmu_pmu_loss;

/**
 * acrpmu_pmu_init() - allocate the state of the PMUs
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_pmu_init(void)
{
	int cpu;

	acrpmu_pmus = alloc_percpu(struct acrpmu_pmu);
	if (!acrpmu_pmus)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		acrpmu_pmu_set_claim(cpu, NULL);
	return 0;
}

/**
 * acrpmu_pmu_set_claim() - set the event that keeps in-tree perf off a CPU
 * @event: NULL for none; it is freed after an RCU grace period
 *
 * Context: process.
 */
void acrpmu_pmu_set_claim(int cpu, const struct perf_event *event)
{
	static const enum perf_event_state none = PERF_EVENT_STATE_ACTIVE;

	WRITE_ONCE(acrpmu_pmu_of(cpu)->claim_state, event ? &event->state : &none);
}

/**
 * acrpmu_pmu_exit() - undo acrpmu_pmu_init()
 *
 * Context: process, may sleep, at unload; neither an NMI nor a CPU that comes online uses it.
 */
void acrpmu_pmu_exit(void)
{
	free_percpu(acrpmu_pmus);
}

/* ---- reserving counters ---- */

/**
 * acrpmu_pmu_foreign() - find counters that somebody else has enabled on this CPU
 * @own_cntrs: counters to skip, in addition to those that sessions hold
 *
 * Context: interrupts off.
 * Return: mask of counters.
 */
u64 acrpmu_pmu_foreign(u64 own_cntrs)
{
	const struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	unsigned long cntrs = pmu->caps.cntrs & ~pmu->held_cntrs & ~own_cntrs;
	u64 fixed_ctrl = acrpmu_msr_read(MSR_CORE_PERF_FIXED_CTR_CTRL);
	unsigned int cntr;
	u64 found = 0;

	for_each_set_bit(cntr, &cntrs, ACRPMU_CNTRS_MAX) {
		u64 enabled;

		if (cntr < ACRPMU_FIXED_BASE)
			enabled = acrpmu_msr_read(acrpmu_model_msr(&pmu->caps, cntr,
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

static u64 fixed_field(const struct acrpmu_pmu *pmu, unsigned int cntr)
{
	return acrpmu_event_fixed_field(&pmu->caps, cntr - ACRPMU_FIXED_BASE);
}

/* An NMI may pause another session in between, and its change must survive. */
static void change_fixed_ctrl(struct acrpmu_pmu *pmu, u64 mask, u64 bits)
{
	u64 old;

	do {
		old = READ_ONCE(pmu->fixed_ctrl);
	} while (cmpxchg64_local(&pmu->fixed_ctrl, old, (old & ~mask) | bits) != old);
}

NOKPROBE_SYMBOL(change_fixed_ctrl);

static void write_fixed_ctrl(struct acrpmu_pmu *pmu)
{
	u64 value;

	do {
		value = READ_ONCE(pmu->fixed_ctrl);
		acrpmu_msr_write(MSR_CORE_PERF_FIXED_CTR_CTRL, value);
	} while (READ_ONCE(pmu->fixed_ctrl) != value);
}

NOKPROBE_SYMBOL(write_fixed_ctrl);

static void first_session(struct acrpmu_pmu *pmu)
{
	pmu->look_at = jiffies;
	pmu->look_every = HZ;
	pmu->found_global_ctrl = acrpmu_msr_read(MSR_CORE_PERF_GLOBAL_CTRL);
	pmu->global_ctrl = pmu->found_global_ctrl;
	pmu->fixed_ctrl = acrpmu_msr_read(MSR_CORE_PERF_FIXED_CTR_CTRL);
	pmu->found_lvtpc = acrpmu_msr_read_lvtpc();
	if (pmu->found_lvtpc != APIC_DM_NMI)
		acrpmu_msr_pmi_unmask();
}

static void restore_lvtpc(const struct acrpmu_pmu *pmu)
{
	if (pmu->found_lvtpc != APIC_DM_NMI)
		acrpmu_msr_write_lvtpc(pmu->found_lvtpc);
}

static void last_session(struct acrpmu_pmu *pmu)
{
	if (pmu->global_ctrl != pmu->found_global_ctrl)
		acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_CTRL, pmu->found_global_ctrl);
	restore_lvtpc(pmu);
}

/*
 * In-tree perf leaves stale reload masks in CFG_B and PEBS bits in CFG_C.  Clear both before the
 * counter is used, whatever it has them for, even if the session does not use them: a counter that
 * writes PEBS records raises no PMI.
 */
static void reserve_cntr(struct acrpmu_pmu *pmu, const struct acrpmu_event_hw *hw)
{
	u32 cfg_b_msr = acrpmu_model_msr(&pmu->caps, hw->cntr, ACRPMU_MODEL_CFG_B);
	u32 cfg_c_msr = acrpmu_model_msr(&pmu->caps, hw->cntr, ACRPMU_MODEL_CFG_C);
	struct acrpmu_slot *slot = &pmu->slot[hw->cntr];

	slot->found_cntr = acrpmu_msr_read_counter(hw->cntr);
	slot->found_cfg_b = read_if(cfg_b_msr);
	slot->found_cfg_c = read_if(cfg_c_msr);
	write_if(cfg_b_msr, 0);
	write_if(cfg_c_msr, 0);
	if (hw->cntr < ACRPMU_FIXED_BASE) {
		slot->found_cfg_a = acrpmu_msr_read(hw->cfg_a_msr);
		acrpmu_msr_write(hw->cfg_a_msr, hw->cfg_a & ~PERFEVTSEL_EN);
	} else {
		slot->found_cfg_a = pmu->fixed_ctrl & fixed_field(pmu, hw->cntr);
	}
	slot->serial = 0;
}

static void fill_slot(struct acrpmu_pmu *pmu, struct acrpmu_session_cpu *scpu, unsigned int ev)
{
	const struct acrpmu_event_hw *hw = &scpu->plan.hw[ev];
	struct acrpmu_slot *slot = &pmu->slot[hw->cntr];

	slot->session = scpu->session;
	slot->scpu = scpu;
	slot->ev = ev;
}

static void empty_slot(struct acrpmu_slot *slot)
{
	slot->session = NULL;
	slot->scpu = NULL;
}

static void release_cntr(struct acrpmu_pmu *pmu, const struct acrpmu_event_hw *hw)
{
	struct acrpmu_slot *slot = &pmu->slot[hw->cntr];

	write_if(acrpmu_model_msr(&pmu->caps, hw->cntr, ACRPMU_MODEL_CFG_B), slot->found_cfg_b);
	write_if(acrpmu_model_msr(&pmu->caps, hw->cntr, ACRPMU_MODEL_CFG_C), slot->found_cfg_c);
	/* Without full-width writes only 31 bits and the sign can be restored. */
	acrpmu_msr_write(hw->cntr_msr, slot->found_cntr);
	if (hw->cntr < ACRPMU_FIXED_BASE)
		acrpmu_msr_write(hw->cfg_a_msr, slot->found_cfg_a);
	else
		change_fixed_ctrl(pmu, fixed_field(pmu, hw->cntr), slot->found_cfg_a);
	empty_slot(slot);
}

/**
 * acrpmu_pmu_ack() - acknowledge overflows of counters on this CPU, outside the NMI handler
 *
 * Context: interrupts off.
 * Return: mask of the counters that had overflowed.
 */
u64 acrpmu_pmu_ack(u64 cntrs)
{
	u64 status = acrpmu_msr_read(MSR_CORE_PERF_GLOBAL_STATUS) & cntrs;

	if (status)
		acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_OVF_CTRL, status);
	return status;
}

/**
 * acrpmu_pmu_zero_left() - zero the counters that hold what a stopped context has counted
 *
 * It has saved their values, and writes them again when it starts.
 *
 * Context: interrupts off, on the CPU of @pmu.
 */
void acrpmu_pmu_zero_left(struct acrpmu_pmu *pmu)
{
	unsigned long left = pmu->held_cntrs & ~pmu->active_cntrs & ~pmu->foreign_cntrs;
	unsigned int cntr;

	/* Until the CPU is looked at, a program with RDPMC may see what is left there. */
	if (acrpmu_pmu_is_lost(pmu))
		return;
	for_each_set_bit(cntr, &left, ACRPMU_CNTRS_MAX) {
		struct acrpmu_slot *slot = &pmu->slot[cntr];

		if (!slot->serial)
			continue;
		acrpmu_msr_write(slot->scpu->plan.hw[slot->ev].cntr_msr, 0);
		slot->serial = 0;
	}
}

/* Delivered before the guest executes anything, but its CPU may not have run in the meantime. */
#define LATE_PMI	(10 * HZ)

/**
 * acrpmu_pmu_expect_pmi() - remember an overflow that was accounted for before its PMI has come
 *
 * If the PMI has come, while the counters were settling, there is one too many for a while: another
 * unknown NMI would be taken for it.
 *
 * Context: interrupts off; a lost update by an NMI in between is one such PMI.
 */
void acrpmu_pmu_expect_pmi(struct acrpmu_pmu *pmu)
{
	if (READ_ONCE(pmu->pmis) == ACRPMU_PMIS_MISSED)
		return;
	/* Those that have not come in all that time do not come any more. */
	if (time_after_eq(jiffies, READ_ONCE(pmu->late_until)))
		WRITE_ONCE(pmu->late_pmis, 0);
	WRITE_ONCE(pmu->late_until, jiffies + LATE_PMI);
	WRITE_ONCE(pmu->late_pmis, READ_ONCE(pmu->late_pmis) + 1);
}

/**
 * acrpmu_pmu_write_reloads() - write the reload values of a stopped session's plan on this CPU
 *
 * Context: interrupts off, on the CPU in question.
 */
void acrpmu_pmu_write_reloads(const struct acrpmu_plan *plan)
{
	unsigned int i;

	for (i = 0; i < plan->nr; i++)
		write_if(plan->hw[i].cfg_c_msr, plan->hw[i].cfg_c);
}

/**
 * acrpmu_pmu_reserve() - reserve and program the counters of a session's plan on this CPU
 *
 * The values found in each register are kept for acrpmu_pmu_release().  Event selects (disabled),
 * reload masks and reload values are the same for every task of the session, and not written again
 * at a switch.
 *
 * Context: interrupts off.
 */
void acrpmu_pmu_reserve(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	const struct acrpmu_plan *plan = &scpu->plan;
	unsigned int i;

	if (!pmu->nr_sessions++)
		first_session(pmu);
	for (i = 0; i < plan->nr; i++) {
		reserve_cntr(pmu, &plan->hw[i]);
		fill_slot(pmu, scpu, i);
	}
	/* After all were cleared, so that no half-written mask causes a reload. */
	acrpmu_pmu_write_reloads(plan);
	for (i = 0; i < plan->nr; i++)
		write_if(plan->hw[i].cfg_b_msr, plan->hw[i].cfg_b);
	acrpmu_pmu_ack(plan->all_cntrs);
	if ((pmu->global_ctrl & plan->all_cntrs) != plan->all_cntrs) {
		pmu->global_ctrl |= plan->all_cntrs;
		acrpmu_msr_write(MSR_CORE_PERF_GLOBAL_CTRL, pmu->global_ctrl);
	}
	pmu->held_cntrs |= plan->all_cntrs;
	pmu->int_cntrs |= plan->int_cntrs;
}

static void mark_foreign(struct acrpmu_pmu *pmu, unsigned int cntr, u32 msr, u64 written, u64 found)
{
	pmu->foreign[cntr] = (struct acrpmu_foreign){
		.msr = msr, .written = written, .found = found,
	};
	pmu->foreign_cntrs |= BIT_ULL(cntr);
	irq_work_queue(&acrpmu_pmu_loss);
}

static bool is_foreign(const struct acrpmu_pmu *pmu, unsigned int cntr, u32 msr)
{
	return pmu->foreign_cntrs & BIT_ULL(cntr) && pmu->foreign[cntr].msr == msr;
}

/*
 * The control of fixed counters is written as a whole, so look for all sessions, and keep from then
 * on what somebody else has written.
 */
static void look_at_fixed(struct acrpmu_pmu *pmu)
{
	unsigned long fixed = pmu->held_cntrs >> ACRPMU_FIXED_BASE;
	u64 written, found;
	unsigned int i;

	/* An NMI may write it in between. */
	do {
		written = READ_ONCE(pmu->fixed_ctrl);
		found = acrpmu_msr_read(MSR_CORE_PERF_FIXED_CTR_CTRL);
	} while (READ_ONCE(pmu->fixed_ctrl) != written);
	for_each_set_bit(i, &fixed, ACRPMU_CNTRS_MAX - ACRPMU_FIXED_BASE) {
		u64 field = fixed_field(pmu, ACRPMU_FIXED_BASE + i);

		if (!((found ^ written) & field))
			continue;
		mark_foreign(pmu, ACRPMU_FIXED_BASE + i, MSR_CORE_PERF_FIXED_CTR_CTRL,
			     written & field, found & field);
		change_fixed_ctrl(pmu, field, found & field);
	}
}

/**
 * acrpmu_pmu_release() - release a stopped session's counters, each register as it was found
 *
 * Context: interrupts off, on the CPU in question.
 */
void acrpmu_pmu_release(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	const struct acrpmu_plan *plan = &scpu->plan;
	unsigned int i;

	pmu->held_cntrs &= ~plan->all_cntrs;
	pmu->int_cntrs &= ~plan->int_cntrs;
	for (i = 0; i < plan->nr; i++)
		release_cntr(pmu, &plan->hw[i]);
	if (plan->fixed_cntrs) {
		look_at_fixed(pmu);
		write_fixed_ctrl(pmu);
	}
	if (!--pmu->nr_sessions)
		last_session(pmu);
}

/* ---- counters that somebody else has taken ---- */

/**
 * acrpmu_pmu_look() - look whether somebody else has written the controls of a session here
 * @scpu: it holds this CPU
 *
 * Those of its counters that have not what was last written are in acrpmu_pmu_foreign_of() then.
 *
 * Context: interrupts off, on the CPU of @pmu; the run queue may be locked.
 */
void acrpmu_pmu_look(struct acrpmu_pmu *pmu, const struct acrpmu_session_cpu *scpu)
{
	const struct acrpmu_plan *plan = &scpu->plan;
	unsigned long cntrs = plan->gp_cntrs;
	bool paused = READ_ONCE(scpu->paused);
	u64 enable = scpu->running && !paused ? PERFEVTSEL_EN : 0;
	unsigned int cntr;

	if (plan->fixed_cntrs)
		look_at_fixed(pmu);
	for_each_set_bit(cntr, &cntrs, ACRPMU_FIXED_BASE) {
		const struct acrpmu_event_hw *hw = &plan->hw[plan->ev_of_cntr[cntr]];
		u64 written = (hw->cfg_a & ~PERFEVTSEL_EN) | enable;
		u64 found = acrpmu_msr_read(hw->cfg_a_msr);

		/* An NMI may have disabled it in between. */
		if (found != written && READ_ONCE(scpu->paused) == paused)
			mark_foreign(pmu, cntr, hw->cfg_a_msr, written, found);
	}
}

/**
 * acrpmu_pmu_note_set_back() - note that somebody else has set back a counter of a session here
 * @counted: the value up to which it had counted
 *
 * It is in acrpmu_pmu_foreign_of() then.
 *
 * Context: interrupts off, on the CPU in question; the run queue may be locked.
 */
void acrpmu_pmu_note_set_back(const struct acrpmu_event_hw *hw, u64 counted, u64 found)
{
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();

	/* That its control was written says more. */
	if (!(pmu->foreign_cntrs & BIT_ULL(hw->cntr)))
		mark_foreign(pmu, hw->cntr, hw->cntr_msr, counted, found);
}

static bool is_as_written(u32 msr, u64 value)
{
	return msr && acrpmu_msr_read(msr) == value;
}

/*
 * Each register that still has the session's value; the counter itself, if its select has.  In-tree
 * perf writes CFG_B and CFG_C only where they differ from what it believes them to be, and that was
 * found in them: these are restored for its counters, too.
 */
static void restore_cntr(struct acrpmu_pmu *pmu, const struct acrpmu_event_hw *hw, bool foreign)
{
	u32 cfg_b_msr = acrpmu_model_msr(&pmu->caps, hw->cntr, ACRPMU_MODEL_CFG_B);
	u32 cfg_c_msr = acrpmu_model_msr(&pmu->caps, hw->cntr, ACRPMU_MODEL_CFG_C);
	const struct acrpmu_slot *slot = &pmu->slot[hw->cntr];

	/* First, so that it stands still. */
	if (!foreign && hw->cntr < ACRPMU_FIXED_BASE &&
	    (acrpmu_msr_read(hw->cfg_a_msr) | PERFEVTSEL_EN) == (hw->cfg_a | PERFEVTSEL_EN)) {
		acrpmu_msr_write(hw->cfg_a_msr, slot->found_cfg_a);
		if (!is_foreign(pmu, hw->cntr, hw->cntr_msr))
			acrpmu_msr_write(hw->cntr_msr, slot->found_cntr);
	}
	if (is_as_written(cfg_b_msr, hw->cfg_b))
		acrpmu_msr_write(cfg_b_msr, slot->found_cfg_b);
	if (is_as_written(cfg_c_msr, hw->cfg_c))
		acrpmu_msr_write(cfg_c_msr, slot->found_cfg_c);
}

/*
 * Fields of the control of fixed counters.  Those of other sessions are written as they are now,
 * unless in-tree perf may have taken these, too.
 */
static void restore_fixed(struct acrpmu_pmu *pmu, const struct acrpmu_plan *plan, u64 foreign_cntrs,
			  bool perf)
{
	u64 found = acrpmu_msr_read(MSR_CORE_PERF_FIXED_CTR_CTRL), value = found, own_cntrs = 0;
	unsigned long fixed = pmu->held_cntrs >> ACRPMU_FIXED_BASE;
	unsigned int i;
	u64 held = 0;

	for_each_set_bit(i, &fixed, ACRPMU_CNTRS_MAX - ACRPMU_FIXED_BASE)
		held |= fixed_field(pmu, ACRPMU_FIXED_BASE + i);
	/* What no session holds is as somebody else wants it. */
	if (!perf)
		change_fixed_ctrl(pmu, ~held, found & ~held);
	for (i = 0; i < plan->nr; i++) {
		const struct acrpmu_event_hw *hw = &plan->hw[i];
		const struct acrpmu_slot *slot = &pmu->slot[hw->cntr];
		u64 field;

		if (hw->cntr < ACRPMU_FIXED_BASE)
			continue;
		field = fixed_field(pmu, hw->cntr);
		if (!(foreign_cntrs & BIT_ULL(hw->cntr)) &&
		    !is_foreign(pmu, hw->cntr, MSR_CORE_PERF_FIXED_CTR_CTRL) &&
		    !((found ^ READ_ONCE(pmu->fixed_ctrl)) & field)) {
			value = (value & ~field) | slot->found_cfg_a;
			own_cntrs |= BIT_ULL(hw->cntr);
		}
		change_fixed_ctrl(pmu, field, value & field);
	}
	if (!perf)
		write_fixed_ctrl(pmu);
	else if (value != found)
		acrpmu_msr_write(MSR_CORE_PERF_FIXED_CTR_CTRL, value);
	for (i = 0; i < plan->nr; i++)
		if (own_cntrs & BIT_ULL(plan->hw[i].cntr) &&
		    !is_foreign(pmu, plan->hw[i].cntr, plan->hw[i].cntr_msr))
			acrpmu_msr_write(plan->hw[i].cntr_msr,
					 pmu->slot[plan->hw[i].cntr].found_cntr);
}

/**
 * acrpmu_pmu_yield() - release counters of which others have taken some or all
 * @scpu: a session that was stopped without touching a register
 * @foreign_cntrs: counters that in-tree perf uses
 * @perf: in-tree perf has taken the CPU
 *
 * Only registers that have the session's values get those back that were found in them.
 *
 * Context: interrupts off, on the CPU in question.
 */
void acrpmu_pmu_yield(struct acrpmu_session_cpu *scpu, u64 foreign_cntrs, bool perf)
{
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	const struct acrpmu_plan *plan = &scpu->plan;
	unsigned int i;

	/* Restoring it hides what somebody else has written there. */
	if (!perf && plan->fixed_cntrs)
		look_at_fixed(pmu);
	for (i = 0; i < plan->nr; i++)
		restore_cntr(pmu, &plan->hw[i], foreign_cntrs & BIT_ULL(plan->hw[i].cntr));
	if (plan->fixed_cntrs)
		restore_fixed(pmu, plan, foreign_cntrs, perf);
	/* In-tree perf acknowledges whatever it finds. */
	if (!perf && acrpmu_pmu_ack(plan->all_cntrs) & plan->int_cntrs)
		acrpmu_pmu_expect_pmi(pmu);
	pmu->held_cntrs &= ~plan->all_cntrs;
	pmu->int_cntrs &= ~plan->int_cntrs;
	pmu->foreign_cntrs &= ~plan->all_cntrs;
	for (i = 0; i < plan->nr; i++)
		empty_slot(&pmu->slot[plan->hw[i].cntr]);
	if (--pmu->nr_sessions)
		return;
	/* In-tree perf sets both as it needs them. */
	if (perf)
		return;
	if (is_as_written(MSR_CORE_PERF_GLOBAL_CTRL, pmu->global_ctrl))
		last_session(pmu);
	else
		restore_lvtpc(pmu);
}

/* ---- enabling counters ---- */

/**
 * acrpmu_pmu_enable() - enable or disable the counters of a plan on this CPU
 *
 * Context: NMI or interrupts off.
 */
void acrpmu_pmu_enable(struct acrpmu_pmu *pmu, const struct acrpmu_plan *plan, bool on)
{
	unsigned long cntrs = plan->gp_cntrs;
	unsigned int cntr;

	if (plan->fixed_cntrs) {
		change_fixed_ctrl(pmu, plan->fixed_ctrl_mask,
				  on ? plan->fixed_ctrl :
				       plan->fixed_ctrl & FIXED_CTR_CTRL_RDPMC_DISABLE_ALL);
		write_fixed_ctrl(pmu);
	}
	for_each_set_bit(cntr, &cntrs, ACRPMU_FIXED_BASE) {
		const struct acrpmu_event_hw *hw = &plan->hw[plan->ev_of_cntr[cntr]];

		acrpmu_msr_write(hw->cfg_a_msr,
				 on ? hw->cfg_a : hw->cfg_a & ~PERFEVTSEL_EN);
	}
}

NOKPROBE_SYMBOL(acrpmu_pmu_enable);
