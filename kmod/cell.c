// SPDX-License-Identifier: GPL-2.0-only
/* The cells of a context: the started period and the count of each event. */
#include <linux/bitops.h>
#include <linux/kprobes.h>
#include <linux/math64.h>

#include "cell_inline.h"

/**
 * acrpmu_cell_scale() - draw the number that scales the periods of the next window
 *
 * Context: NMI or interrupts off, on the CPU that runs @ctx.
 */
void acrpmu_cell_scale(struct acrpmu_session_cpu *scpu, struct acrpmu_ctx *ctx)
{
	ctx->scale = acrpmu_jitter_draw(&scpu->random);
}

NOKPROBE_SYMBOL(acrpmu_cell_scale);

/**
 * acrpmu_cell_period() - find the length of the next period of an event
 *
 * Context: NMI or interrupts off, on the CPU that runs @ctx.
 * Return: occurrences.
 */
u64 acrpmu_cell_period(struct acrpmu_session_cpu *scpu, const struct acrpmu_ctx *ctx,
		       unsigned int ev)
{
	const struct acrpmu_plan *plan = &scpu->plan;

	if (scpu->session->group.scaled_events & BIT_ULL(ev))
		return plan->least[ev] + acrpmu_jitter_offset(ctx->scale, plan->span[ev]);
	return acrpmu_cell_draw(scpu, ev);
}

NOKPROBE_SYMBOL(acrpmu_cell_period);

/**
 * acrpmu_cell_start() - start a period of an event while its counter stands still
 *
 * In 64 bits, whatever the width of the counter it is written to later.
 *
 * Context: any but NMI, on the CPU that will run @ctx.
 */
void acrpmu_cell_start(struct acrpmu_session_cpu *scpu, struct acrpmu_ctx *ctx, unsigned int ev)
{
	struct acrpmu_cell *cell = &ctx->cell[ev];

	cell->period = acrpmu_cell_period(scpu, ctx, ev);
	cell->raw = -cell->period;
	cell->base = cell->raw;
	ctx->spent_events &= ~BIT_ULL(ev);
}

/**
 * acrpmu_cell_skip() - begin the next period of an event later than at its overflow
 * @raw: the counter: at least the next period
 *
 * Whole periods between the overflow and its PMI belong to its sample, but not with an event that
 * hardware reloads, of which only the periods count that its overflows ended.  A counter that has
 * been reloaded is in its next period already, and continues.
 *
 * Context: NMI or interrupts off, on the CPU that runs or ran @ctx.
 * Return: the value that the counter continues with.
 */
u64 acrpmu_cell_skip(struct acrpmu_session_cpu *scpu, struct acrpmu_ctx *ctx, unsigned int ev,
		     u64 raw)
{
	const struct acrpmu_plan *plan = &scpu->plan;
	struct acrpmu_cell *cell = &ctx->cell[ev];
	u64 period = plan->period[ev], rest;

	cell->base = -period;
	cell->period = period;
	if ((s64)(raw << plan->spare_bits[ev]) < 0)
		return raw;
	div64_u64_rem(raw, period, &rest);
	if (!(ctx->session->group.reloaded_events & BIT_ULL(ev))) {
		cell->ended += raw - rest;
		cell->now.total += raw - rest;
	}
	return rest - period;
}

NOKPROBE_SYMBOL(acrpmu_cell_skip);

/**
 * acrpmu_cell_goes_on() - check that the period of an event has not ended
 * @raw: the counter: no period is longer than half its range
 *
 * A status bit may be set without an overflow, or come back after it was cleared.  The counter of
 * an event that hardware reloads does not show whether it was.
 *
 * Context: NMI, on the CPU that runs @ctx.
 */
bool acrpmu_cell_goes_on(const struct acrpmu_ctx *ctx, unsigned int ev, u64 raw)
{
	return !(ctx->session->group.reloaded_events & BIT_ULL(ev)) &&
	       (s64)(raw << ctx->scpu->plan.spare_bits[ev]) < 0;
}

NOKPROBE_SYMBOL(acrpmu_cell_goes_on);

/**
 * acrpmu_cell_settle() - account for an overflow of a counter that was stopped and saved
 * @shows: the counter shows it; else hardware has reloaded the event since, so that it is in its
 *	next period already
 *
 * Context: interrupts off, on the CPU that ran @ctx.
 */
void acrpmu_cell_settle(struct acrpmu_ctx *ctx, unsigned int ev, bool shows)
{
	struct acrpmu_cell *cell = &ctx->cell[ev];

	if (shows) {
		cell->raw = acrpmu_cell_next(ctx->scpu, ctx, ev, cell->raw,
					     acrpmu_cell_draw(ctx->scpu, ev));
		acrpmu_cell_count_to(acrpmu_pmu_here(), ctx, ev, cell->raw);
		return;
	}
	cell->now.overflows++;
	cell->now.total += cell->period;
}

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
 * acrpmu_cell_check() - note if somebody else has set back the counter of an event
 * @raw: the counter
 *
 * It seems to have counted half its range or more since it was last read, then.  Only of events
 * that just count is anything known: the counters of others jump anyway.
 *
 * Context: interrupts off, on the CPU that runs @ctx; the run queue may be locked.
 */
void acrpmu_cell_check(const struct acrpmu_ctx *ctx, unsigned int ev, u64 raw)
{
	const struct acrpmu_event_hw *hw = &ctx->scpu->plan.hw[ev];
	unsigned int width = acrpmu_cell_width(acrpmu_pmu_here(), hw);
	u64 base = ctx->cell[ev].base, mask = acrpmu_period_mask(width);

	if (!(acrpmu_cell_jumping(ctx) & BIT_ULL(ev)) &&
	    acrpmu_period_count(base, raw, width) >> (width - 1))
		acrpmu_pmu_note_set_back(hw, base & mask, raw & mask);
}
