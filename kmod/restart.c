// SPDX-License-Identifier: GPL-2.0-only
/* Auto counter reload in software: restarting the events of a context. */
#include <linux/bitops.h>
#include <linux/kprobes.h>

#include "session.h"
#include "cell_inline.h"
#include "core/period.h"
#include "ctx.h"
#include "msr.h"
#include "pmu.h"
#include "restart.h"

/* Counters that were read, and which of them have overflowed. */
struct readings {
	u64 read_events;
	u64 overflowed_events;
	u64 value[ACRPMU_MAX_EVENTS];
};

static void note(const struct acrpmu_ctx *ctx, unsigned int ev, u64 value, unsigned int width,
		 struct readings *found)
{
	found->read_events |= BIT_ULL(ev);
	found->value[ev] = value & acrpmu_period_mask(width);
	if (acrpmu_period_overflowed(value, width) && !(ctx->spent_events & BIT_ULL(ev)))
		found->overflowed_events |= BIT_ULL(ev);
}

NOKPROBE_SYMBOL(note);

/* A sampled event that neither ends windows nor has one: its periods follow on each other. */
static bool stands_alone(const struct acrpmu_ctx *ctx, unsigned int ev)
{
	const struct acrpmu_ev *event = &ctx->session->group.ev[ev];

	return !event->cause_events && event->restart_events == BIT_ULL(ev);
}

NOKPROBE_SYMBOL(stands_alone);

/* What an event has counted beyond its overflow is in no window. */
static void account_restart(struct acrpmu_ctx *ctx, unsigned int ev, u64 value, unsigned int width)
{
	u64 outside = value & acrpmu_period_mask(width);

	if (!acrpmu_period_overflowed(value, width))
		return;
	ctx->scpu->accounts.outside[ev] += outside;
	ctx->cell[ev].now.outside += outside;
}

NOKPROBE_SYMBOL(account_restart);

static void account_overflows(struct acrpmu_ctx *ctx, const struct acrpmu_window *window)
{
	u64 quiet = window->taken_events & ~ctx->session->group.sampled_events;
	struct acrpmu_accounts *accounts = &ctx->scpu->accounts;
	unsigned int i;

	for (i = 0; i < window->nr; i++) {
		struct acrpmu_cell *cell = &ctx->cell[window->order[i]];

		accounts->overflows[window->order[i]]++;
		if (stands_alone(ctx, window->order[i]))
			continue;
		cell->now.overflows++;
		cell->ended = cell->period;
	}
	accounts->dropped += hweight64(window->dropped_events);
	/* Until it restarts, it does not overflow again. */
	ctx->spent_events |= quiet & ~window->restarted_events;
}

NOKPROBE_SYMBOL(account_overflows);

static void restart_from(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, unsigned int ev,
			 u64 value)
{
	const struct acrpmu_event_hw *hw = &ctx->scpu->plan.hw[ev];
	unsigned int width = acrpmu_cell_width(pmu, hw);
	struct acrpmu_cell *cell = &ctx->cell[ev];

	cell->period = acrpmu_cell_period(ctx->scpu, ctx, ev);
	acrpmu_msr_write(hw->cntr_msr, -cell->period & acrpmu_period_mask(width));
	account_restart(ctx, ev, value, width);
	acrpmu_cell_count_to(pmu, ctx, ev, value);
	cell->base = -cell->period;
	ctx->spent_events &= ~BIT_ULL(ev);
}

NOKPROBE_SYMBOL(restart_from);

static u64 read_event(const struct acrpmu_ctx *ctx, unsigned int ev)
{
	return acrpmu_msr_read_counter(ctx->scpu->plan.hw[ev].cntr);
}

NOKPROBE_SYMBOL(read_event);

/**
 * acrpmu_restart_running() - order overflows, and restart what they restart, on running counters
 * @ctx: a context with events that software restarts
 * @events: events that may have overflowed
 * @window: out
 *
 * Context: NMI, on the CPU that runs @ctx, its counters frozen.
 * Return: mask over events: those of @events that have overflowed.
 */
u64 acrpmu_restart_running(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, u64 events,
			   struct acrpmu_window *window)
{
	const struct acrpmu_plan *plan = &ctx->scpu->plan;
	struct readings found;
	u64 left;

	found.read_events = 0;
	found.overflowed_events = 0;
	for (left = events; left; left &= left - 1)
		note(ctx, __ffs64(left), read_event(ctx, __ffs64(left)),
		     acrpmu_cell_width(pmu, &plan->hw[__ffs64(left)]), &found);
	acrpmu_window_end(&ctx->session->group, plan->period, found.overflowed_events, found.value,
			  window);
	account_overflows(ctx, window);
	if (window->restarted_events & ctx->session->group.scaled_events)
		acrpmu_cell_scale(ctx->scpu, ctx);
	for (left = window->restarted_events; left; left &= left - 1) {
		unsigned int ev = __ffs64(left);
		bool known = found.read_events & BIT_ULL(ev);

		if (stands_alone(ctx, ev))
			acrpmu_cell_rearm(ctx->scpu, ctx, ev, found.value[ev]);
		else
			restart_from(pmu, ctx, ev, known ? found.value[ev] : read_event(ctx, ev));
	}
	return found.overflowed_events;
}

NOKPROBE_SYMBOL(acrpmu_restart_running);

static void restart_stopped(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, unsigned int ev)
{
	const struct acrpmu_event_hw *hw = &ctx->scpu->plan.hw[ev];

	pmu->slot[hw->cntr].serial = 0;
	if (stands_alone(ctx, ev)) {
		acrpmu_cell_settle(ctx, ev, true);
		return;
	}
	account_restart(ctx, ev, ctx->cell[ev].raw, acrpmu_cell_width(pmu, hw));
	acrpmu_cell_start(ctx->scpu, ctx, ev);
}

/**
 * acrpmu_restart_stopped() - the same with counters that were stopped and saved
 * @overflowed_events: mask over events: those found to have overflowed
 *
 * Context: interrupts off, on the CPU that ran @ctx.
 */
void acrpmu_restart_stopped(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, u64 overflowed_events,
			    struct acrpmu_window *window)
{
	const struct acrpmu_plan *plan = &ctx->scpu->plan;
	struct readings found;
	u64 left;

	found.read_events = 0;
	found.overflowed_events = 0;
	for (left = overflowed_events; left; left &= left - 1)
		note(ctx, __ffs64(left), ctx->cell[__ffs64(left)].raw,
		     acrpmu_cell_width(pmu, &plan->hw[__ffs64(left)]), &found);
	acrpmu_window_end(&ctx->session->group, plan->period, found.overflowed_events, found.value,
			  window);
	account_overflows(ctx, window);
	if (window->restarted_events & ctx->session->group.scaled_events)
		acrpmu_cell_scale(ctx->scpu, ctx);
	for (left = window->restarted_events; left; left &= left - 1)
		restart_stopped(pmu, ctx, __ffs64(left));
}

/**
 * acrpmu_restart_all() - restart every event with a period, so that no window spans a pause
 *
 * Context: NMI, on the CPU that runs @ctx, after its counters were disabled.
 */
void acrpmu_restart_all(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx)
{
	const struct acrpmu_group *group = &ctx->session->group;
	unsigned int i;

	for (i = 0; i < group->nr; i++)
		if (!(group->count_events & BIT_ULL(i)))
			restart_from(pmu, ctx, i, read_event(ctx, i));
}

NOKPROBE_SYMBOL(acrpmu_restart_all);
