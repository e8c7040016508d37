// SPDX-License-Identifier: GPL-2.0-only
/* The cells of a context: the started period and the count of each event. */
#include <linux/bitops.h>
#include <linux/kprobes.h>

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
unsigned int acrpmu_cell_width(const struct acrpmu_pmu *pmu, const struct acrpmu_event_hw *hw)
{
	return acrpmu_model_width(&pmu->caps, hw->cntr);
}

NOKPROBE_SYMBOL(acrpmu_cell_width);

/**
 * acrpmu_cell_start() - start a period of an event while its counter stands still
 *
 * In 64 bits, whatever the width of the counter it is written to later.
 *
 * Context: any but NMI.
 */
void acrpmu_cell_start(struct acrpmu_ctx *ctx, unsigned int ev, u64 period)
{
	ctx->cell[ev].raw = -period;
	ctx->cell[ev].base = ctx->cell[ev].raw;
	ctx->spent_events &= ~BIT_ULL(ev);
}

/**
 * acrpmu_cell_count_to() - count up to a counter value
 * @raw: the value; a counter reloaded by hardware jumps back, so only whole periods are known
 *
 * Context: NMI or interrupts off, on the CPU that runs @ctx.
 */
void acrpmu_cell_count_to(const struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, unsigned int ev,
			  u64 raw)
{
	const struct acrpmu_event_hw *hw = &ctx->scpu->plan.hw[ev];
	struct acrpmu_cell *cell = &ctx->cell[ev];

	if (!(ctx->session->group.reloaded_events & BIT_ULL(ev)))
		cell->now.total += acrpmu_period_count(cell->base, raw, acrpmu_cell_width(pmu, hw));
	cell->base = raw;
}

NOKPROBE_SYMBOL(acrpmu_cell_count_to);

/**
 * acrpmu_cell_count() - the occurrences of an event so far
 *
 * Context: NMI, on the CPU that runs @ctx.
 * Return: the count; for an event that hardware reloads, of its whole periods.
 */
u64 acrpmu_cell_count(const struct acrpmu_ctx *ctx, unsigned int ev)
{
	const struct acrpmu_event_hw *hw = &ctx->scpu->plan.hw[ev];
	const struct acrpmu_cell *cell = &ctx->cell[ev];

	if (ctx->session->group.reloaded_events & BIT_ULL(ev))
		return cell->now.total;
	return cell->now.total +
	       acrpmu_period_count(cell->base, acrpmu_msr_read_counter(hw->cntr),
				   acrpmu_cell_width(acrpmu_pmu_here(), hw));
}

NOKPROBE_SYMBOL(acrpmu_cell_count);

/**
 * acrpmu_cell_rearm() - count an overflow, and start the next period of its counter
 *
 * The few occurrences between overflow and PMI are not read, which would cost an access: the
 * period starts here.
 *
 * Context: NMI or interrupts off, on the CPU that runs @ctx.
 */
void acrpmu_cell_rearm(struct acrpmu_ctx *ctx, unsigned int ev)
{
	const struct acrpmu_event_hw *hw = &ctx->scpu->plan.hw[ev];

	acrpmu_msr_write(hw->cntr_msr, hw->start);
	ctx->cell[ev].now.overflows++;
	if (ctx->session->group.reloaded_events & BIT_ULL(ev))
		ctx->cell[ev].now.total += ctx->scpu->plan.period[ev];
	else
		acrpmu_cell_count_to(acrpmu_pmu_here(), ctx, ev, 0);
	ctx->cell[ev].base = hw->start;
}

NOKPROBE_SYMBOL(acrpmu_cell_rearm);
