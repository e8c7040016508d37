// SPDX-License-Identifier: GPL-2.0-only
/* Looking for registers that somebody else has changed while sessions hold them. */
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/overflow.h>
#include <linux/percpu.h>
#include <linux/smp.h>
#include <linux/string.h>

#include "session.h"
#include "cell.h"
#include "core/event.h"
#include "core/period.h"
#include "ctx.h"
#include "msr.h"
#include "pmu.h"
#include "registry.h"
#include "watch.h"

/* The registers of a counter; those of settings first. */
enum reg {
	CFG_A,
	CFG_B,
	CFG_C,
	EXTRA,
	GLOBAL_CTRL,
	NR_SETTINGS,
	COUNTER = NR_SETTINGS,
	NR_REGS,
};

/**
 * struct reported - what was found in the registers of a counter, and reported
 * @session_id: the session that held the counter then
 * @regs: mask over enum reg: those that had changed
 * @value: by register, what was found; of a running counter, from where it should have gone on
 */
struct reported {
	u64 session_id;
	u8 regs;
	u64 value[NR_REGS];
};

/* by CPU and counter; that CPU, interrupts off */
static struct reported __percpu *reported __ro_after_init;

/**
 * struct expected - what a register must have
 * @msr: 0: it does not exist, or nothing is known about its value
 * @mask: the bits that belong to the counter
 * @least: it may have more: a counter that runs
 */
struct expected {
	u32 msr;
	u64 mask;
	u64 value;
	bool least;
};

static u64 control(const struct acrpmu_session_cpu *scpu, const struct acrpmu_event_hw *hw)
{
	bool on = scpu->running && !READ_ONCE(scpu->paused);

	return on ? hw->cfg_a : hw->cfg_a & ~PERFEVTSEL_EN;
}

/*
 * A counter that stands still has what its context has saved, which is at hand for a CPU.  One that
 * runs does not go back, unless the CPU itself reloads it.
 */
static void expect_counter(const struct acrpmu_pmu *pmu, const struct acrpmu_slot *slot,
			   const struct acrpmu_event_hw *hw, struct expected *expected)
{
	const struct acrpmu_ctx *ctx = slot->scpu->running ?: slot->scpu->ctx;
	bool runs = slot->scpu->running;

	if (!ctx || slot->serial != ctx->serial ||
	    (runs && ctx->session->group.reloaded_events & BIT_ULL(slot->ev)))
		return;
	expected->msr = hw->cntr_msr;
	expected->mask = acrpmu_period_mask(acrpmu_model_width(&pmu->caps, hw->cntr));
	expected->least = runs;
	expected->value = runs ? READ_ONCE(ctx->cell[slot->ev].base) : ctx->cell[slot->ev].raw;
}

static struct expected expect(const struct acrpmu_pmu *pmu, unsigned int cntr, enum reg reg)
{
	const struct acrpmu_slot *slot = &pmu->slot[cntr];
	const struct acrpmu_event_hw *hw = &slot->scpu->plan.hw[slot->ev];
	bool fixed = cntr >= ACRPMU_FIXED_BASE;
	struct expected expected = { .mask = ~0ULL };

	switch (reg) {
	case CFG_A:
		expected.msr = hw->cfg_a_msr;
		if (fixed)
			expected.mask = acrpmu_event_fixed_field(&pmu->caps,
								 cntr - ACRPMU_FIXED_BASE);
		expected.value = fixed ? READ_ONCE(pmu->fixed_ctrl) : control(slot->scpu, hw);
		break;
	case CFG_B:
		expected.msr = acrpmu_model_msr(&pmu->caps, cntr, ACRPMU_MODEL_CFG_B);
		expected.value = hw->cfg_b;
		break;
	case CFG_C:
		expected.msr = acrpmu_model_msr(&pmu->caps, cntr, ACRPMU_MODEL_CFG_C);
		expected.value = hw->cfg_c;
		break;
	case EXTRA:
		expected.msr = hw->extra_msr;
		expected.value = hw->extra_value;
		break;
	case COUNTER:
		expect_counter(pmu, slot, hw, &expected);
		break;
	default:
		expected.msr = MSR_CORE_PERF_GLOBAL_CTRL;
		expected.mask = BIT_ULL(cntr);
		expected.value = pmu->global_ctrl;
	}
	expected.value &= expected.mask;
	return expected;
}

static u64 read_reg(unsigned int cntr, enum reg reg, const struct expected *expected)
{
	u64 value = reg == COUNTER ? acrpmu_msr_read_counter(cntr) :
				     acrpmu_msr_read(expected->msr);

	return value & expected->mask;
}

/* In the width of the counter: one that runs has counted less than half its range since. */
static bool is_as_expected(const struct expected *expected, u64 found)
{
	u64 ahead = (found - expected->value) & expected->mask;

	return expected->least ? ahead <= expected->mask / 2 : !ahead;
}

/* Once for each value. */
static bool is_new(struct reported *past, enum reg reg, const struct expected *expected, u64 found)
{
	u64 value = expected->least ? expected->value : found;

	if (past->regs & BIT(reg) && past->value[reg] == value)
		return false;
	past->regs |= BIT(reg);
	past->value[reg] = value;
	return true;
}

static bool has_changed(const struct acrpmu_pmu *pmu, unsigned int cntr, enum reg reg,
			struct expected *expected, u64 *found)
{
	*expected = expect(pmu, cntr, reg);
	if (!expected->msr)
		return false;
	*found = read_reg(cntr, reg, expected);
	if (is_as_expected(expected, *found))
		return false;
	/* An NMI may have come in between. */
	barrier();
	return expect(pmu, cntr, reg).value == expected->value;
}

static void look_at(const struct acrpmu_pmu *pmu, unsigned int cntr, enum reg reg,
		    struct acrpmu_watch *watch)
{
	struct reported *past = this_cpu_ptr(reported) + cntr;
	struct expected expected;
	u64 found;

	if (!has_changed(pmu, cntr, reg, &expected, &found)) {
		past->regs &= ~BIT(reg);
		return;
	}
	if (!is_new(past, reg, &expected, found))
		return;
	watch->changed[watch->nr++] = (struct acrpmu_changed){
		.session = pmu->slot[cntr].session,
		.cntr = cntr,
		.msr = expected.msr,
		.expected = expected.value,
		.found = found,
	};
}

/* A start or a stop has found this register; the session leaves its other registers alone since. */
static void add_foreign(const struct acrpmu_pmu *pmu, unsigned int cntr, struct acrpmu_watch *watch)
{
	const struct acrpmu_slot *slot = &pmu->slot[cntr];
	const struct acrpmu_foreign *foreign = &pmu->foreign[cntr];
	const struct acrpmu_event_hw *hw = &slot->scpu->plan.hw[slot->ev];
	enum reg reg = foreign->msr == hw->cntr_msr ? COUNTER : CFG_A;
	struct expected expected = { .value = foreign->written, .least = reg == COUNTER };

	if (!(pmu->foreign_cntrs & BIT_ULL(cntr)) ||
	    !is_new(this_cpu_ptr(reported) + cntr, reg, &expected, foreign->found))
		return;
	watch->changed[watch->nr++] = (struct acrpmu_changed){
		.session = slot->session,
		.cntr = cntr,
		.msr = foreign->msr,
		.expected = foreign->written,
		.found = foreign->found,
	};
}

static void compare_here(void *data)
{
	const struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	unsigned long cntrs = pmu->held_cntrs;
	struct acrpmu_watch *watch = data;
	unsigned int cntr, reg;

	for_each_set_bit(cntr, &cntrs, ACRPMU_NR_SLOTS) {
		const struct acrpmu_session *session = pmu->slot[cntr].session;
		struct reported *past = this_cpu_ptr(reported) + cntr;

		if (!session->announced)
			continue;
		if (past->session_id != session->id)
			*past = (struct reported){ .session_id = session->id };
		if (acrpmu_pmu_foreign_of(pmu, &pmu->slot[cntr].scpu->plan)) {
			if (watch->nr < ACRPMU_WATCH_MAX)
				add_foreign(pmu, cntr, watch);
			continue;
		}
		for (reg = 0; reg < NR_REGS && watch->nr < ACRPMU_WATCH_MAX; reg++)
			look_at(pmu, cntr, reg, watch);
	}
}

/**
 * acrpmu_watch_look() - look for changed registers on a CPU; each value found is reported once
 * @watch: out
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_watch_look(int cpu, struct acrpmu_watch *watch)
{
	lockdep_assert_held(&acrpmu_lock);
	watch->nr = 0;
	if (READ_ONCE(acrpmu_pmu_of(cpu)->held_cntrs))
		smp_call_function_single(cpu, compare_here, watch, 1);
}

/**
 * acrpmu_watch_init() - allocate what remembers the values that were reported
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_watch_init(void)
{
	reported = __alloc_percpu(array_size(ACRPMU_NR_SLOTS, sizeof(*reported)),
				  __alignof__(*reported));
	return reported ? 0 : -ENOMEM;
}

/**
 * acrpmu_watch_exit() - undo acrpmu_watch_init()
 *
 * Context: process, may sleep, at unload.
 */
void acrpmu_watch_exit(void)
{
	free_percpu(reported);
}

/**
 * acrpmu_watch_find() - find a setting of a session's counters on this CPU that has changed
 * @changed: out
 *
 * Settings are all of its registers but the counters themselves.
 *
 * Context: interrupts off, on the CPU in question, which the session holds.
 */
bool acrpmu_watch_find(const struct acrpmu_session_cpu *scpu, struct acrpmu_changed *changed)
{
	const struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	struct expected expected;
	unsigned int i, reg;
	u64 found;

	for (i = 0; i < scpu->plan.nr; i++) {
		unsigned int cntr = scpu->plan.hw[i].cntr;

		for (reg = 0; reg < NR_SETTINGS; reg++) {
			if (!has_changed(pmu, cntr, reg, &expected, &found))
				continue;
			*changed = (struct acrpmu_changed){
				.session = scpu->session,
				.cntr = cntr,
				.msr = expected.msr,
				.expected = expected.value,
				.found = found,
			};
			return true;
		}
	}
	return false;
}
