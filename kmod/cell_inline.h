/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting and re-arming the counter of a cell: inline, since every PMI or switch does it. */
#ifndef _ACRPMU_CELL_INLINE_H
#define _ACRPMU_CELL_INLINE_H

#include "session.h"
#include "cell.h"
#include "core/period.h"
#include "ctx.h"
#include "msr.h"
#include "pmu.h"

/**
 * acrpmu_cell_width() - get the width of the counter of an event
 *
 * Context: any, also NMI.
 * Return: bits.
 */
static __always_inline unsigned int acrpmu_cell_width(const struct acrpmu_pmu *pmu,
						      const struct acrpmu_event_hw *hw)
{
	return acrpmu_model_width(&pmu->caps, hw->cntr);
}

/**
 * acrpmu_cell_count_to() - count up to a counter value
 * @raw: the value; a counter reloaded by hardware jumps back, so only whole periods are known,
 *	and @base stays the start of one
 *
 * Context: NMI or interrupts off, on the CPU that runs @ctx.
 */
static __always_inline void acrpmu_cell_count_to(const struct acrpmu_pmu *pmu,
						 struct acrpmu_ctx *ctx, unsigned int ev,
						 u64 raw)
{
	const struct acrpmu_event_hw *hw = &ctx->scpu->plan.hw[ev];
	struct acrpmu_cell *cell = &ctx->cell[ev];

	if (ctx->session->group.reloaded_events & BIT_ULL(ev))
		return;
	cell->now.total += acrpmu_period_count(cell->base, raw, acrpmu_cell_width(pmu, hw));
	cell->base = raw;
}

/**
 * acrpmu_cell_next() - end a period of an event, and begin the next at its overflow
 * @overshoot: what the counter has counted since then
 *
 * Context: NMI or interrupts off, on the CPU that runs or ran @ctx.
 * Return: the value that the counter continues with, sign-extended.
 */
static __always_inline u64 acrpmu_cell_next(const struct acrpmu_session_cpu *scpu,
					    struct acrpmu_ctx *ctx, unsigned int ev,
					    u64 overshoot)
{
	/* By pointer: @ev is the module's own, and a check of each index would cost more. */
	u64 period = *(scpu->plan.period + ev);
	struct acrpmu_cell *cell = ctx->cell + ev;

	cell->now.overflows++;
	cell->now.total -= cell->base;
	cell->base = -period;
	cell->ended = period;
	if (unlikely(overshoot >= period))
		overshoot = acrpmu_cell_skip(ctx, ev, overshoot, period);
	return overshoot - period;
}

/**
 * acrpmu_cell_rearm() - count an overflow, and start the next period of its counter
 * @raw: the counter as it is
 *
 * A counter that is negative again has been reloaded since: it is in its next period already.
 *
 * Context: NMI, on the CPU that runs @ctx.
 */
static __always_inline void acrpmu_cell_rearm(const struct acrpmu_session_cpu *scpu,
					      struct acrpmu_ctx *ctx, unsigned int ev, u64 raw)
{
	unsigned int spare = *(scpu->plan.spare_bits + ev);
	bool reloaded = (s64)(raw << spare) < 0;
	u64 next = acrpmu_cell_next(scpu, ctx, ev, reloaded ? 0 : raw);

	if (!reloaded)
		acrpmu_msr_write((scpu->plan.hw + ev)->cntr_msr, next << spare >> spare);
}

#endif /* _ACRPMU_CELL_INLINE_H */
