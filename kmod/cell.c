// SPDX-License-Identifier: GPL-2.0-only
/* The cells of a context: the started period and the count of each event. */
#include <linux/bitops.h>
#include <linux/kprobes.h>
#include <linux/math64.h>

#include "cell_inline.h"

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
 * acrpmu_cell_skip() - account for whole periods between an overflow and its PMI
 * @overshoot: occurrences since the overflow, at least @period
 *
 * They belong to the sample of that overflow.  Not with an event that hardware reloads, of which
 * only the periods count that its overflows ended.
 *
 * Context: NMI or interrupts off, on the CPU that runs or ran @ctx.
 * Return: what is left of @overshoot.
 */
u64 acrpmu_cell_skip(struct acrpmu_ctx *ctx, unsigned int ev, u64 overshoot, u64 period)
{
	struct acrpmu_cell *cell = &ctx->cell[ev];
	u64 rest;

	div64_u64_rem(overshoot, period, &rest);
	if (!(ctx->session->group.reloaded_events & BIT_ULL(ev))) {
		cell->ended += overshoot - rest;
		cell->now.total += overshoot - rest;
	}
	return rest;
}

NOKPROBE_SYMBOL(acrpmu_cell_skip);

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
