/* SPDX-License-Identifier: GPL-2.0-only */
/* Counting and re-arming the counter of a cell: inline, since every PMI or switch does it. */
#ifndef _ACRPMU_CELL_INLINE_H
#define _ACRPMU_CELL_INLINE_H

#include "session.h"
#include "cell.h"
#include "core/jitter.h"
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
 * acrpmu_cell_jumping() - find the events of a context that do not only count: their counters jump
 *	at overflows
 *
 * Context: any, also NMI.
 * Return: mask over events.
 */
static inline u64 acrpmu_cell_jumping(const struct acrpmu_ctx *ctx)
{
	const struct acrpmu_group *group = &ctx->session->group;

	return group->int_events | group->reloaded_events | group->restarted_events;
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
 * acrpmu_cell_draw() - find the length of the next period of an event that is not scaled
 *
 * Context: NMI or interrupts off, on the CPU that runs @ctx.
 * Return: occurrences.
 */
static __always_inline u64 acrpmu_cell_draw(struct acrpmu_session_cpu *scpu, unsigned int ev)
{
	/* By pointer: @ev is the module's own, and a check of each index would cost more. */
	return *(scpu->plan.least + ev) +
	       acrpmu_jitter_offset(acrpmu_jitter_draw(&scpu->random), *(scpu->plan.span + ev));
}

/**
 * acrpmu_cell_next() - end a period of an event, and begin the next at its overflow
 * @raw: the counter as it is, or was when it stopped: what it has counted since its overflow; or
 *	at the start of a period or after it, if it has been reloaded since
 * @period: of acrpmu_cell_draw()
 *
 * Context: NMI or interrupts off, on the CPU that runs or ran @ctx.
 * Return: the value that the counter continues with.
 */
static __always_inline u64 acrpmu_cell_next(struct acrpmu_session_cpu *scpu,
					    struct acrpmu_ctx *ctx, unsigned int ev, u64 raw,
					    u64 period)
{
	struct acrpmu_cell *cell = ctx->cell + ev;

	cell->now.overflows++;
	cell->now.total -= cell->base;
	cell->ended = cell->period;
	if (unlikely(raw >= period))
		return acrpmu_cell_skip(scpu, ctx, ev, raw);
	cell->base = -period;
	cell->period = period;
	return raw - period;
}

/**
 * acrpmu_cell_rearm() - count an overflow, and start the next period of its counter
 * @raw: the counter as it is
 *
 * Context: NMI, on the CPU that runs @ctx.
 * Return: false if there was none: the period goes on.
 */
static __always_inline bool acrpmu_cell_rearm(struct acrpmu_session_cpu *scpu,
					      struct acrpmu_ctx *ctx, unsigned int ev, u64 raw)
{
	u64 period = acrpmu_cell_draw(scpu, ev);

	/* The test of acrpmu_cell_next(), so that it costs nothing. */
	if (unlikely(raw >= period) && acrpmu_cell_goes_on(ctx, ev, raw))
		return false;
	acrpmu_msr_write((scpu->plan.hw + ev)->cntr_msr,
			 acrpmu_cell_next(scpu, ctx, ev, raw, period) & *(scpu->plan.mask + ev));
	return true;
}

#endif /* _ACRPMU_CELL_INLINE_H */
