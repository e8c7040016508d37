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
 * acrpmu_cell_rearm() - count an overflow, and start the next period of its counter
 *
 * The few occurrences between overflow and PMI are not read, which would cost an access: the
 * period starts here.
 *
 * Context: NMI or interrupts off, on the CPU that runs @ctx.
 */
static __always_inline void acrpmu_cell_rearm(const struct acrpmu_session_cpu *scpu,
					      struct acrpmu_ctx *ctx, unsigned int ev)
{
	/* By pointer: @ev is the module's own, and a check of each index would cost more. */
	const struct acrpmu_event_hw *hw = scpu->plan.hw + ev;
	struct acrpmu_cell *cell = &ctx->cell[ev];

	acrpmu_msr_write(hw->cntr_msr, hw->start);
	cell->now.overflows++;
	cell->now.total -= cell->base;
	cell->base = -*(scpu->plan.period + ev);
}

#endif /* _ACRPMU_CELL_INLINE_H */
