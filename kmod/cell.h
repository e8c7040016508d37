/* SPDX-License-Identifier: GPL-2.0-only */
/* The cells of a context: the started period and the count of each event. */
#ifndef _ACRPMU_CELL_H
#define _ACRPMU_CELL_H

#include <linux/types.h>

#include "../uapi/acrpmu.h"

struct acrpmu_ctx;
struct acrpmu_session_cpu;

/**
 * struct acrpmu_tally - what was counted of one event
 * @total: occurrences; of an event that hardware reloads, in whole periods
 * @overflows: overflows seen
 * @outside: occurrences between overflow and restart by software
 */
struct acrpmu_tally {
	u64 total;
	u64 overflows;
	u64 outside;
};

/**
 * struct acrpmu_cell - one event of a context
 * @raw: counter value while the context is stopped, sign-extended
 * @base: counter value up to which @now counts, sign-extended; of an event that hardware reloads
 *	the start of a period
 * @period: occurrences from the start of the period that has begun to its overflow
 * @ended: what the overflow handled last stands for: its period, and whole ones before its PMI
 * @now: what was counted so far
 * @seen: @now when the context was last stopped, for readers
 *
 * Written by the CPU that runs the context, interrupts off or in NMI; by others while stopped.
 */
struct acrpmu_cell {
	u64 raw;
	u64 base;
	u64 period;
	u64 ended;
	struct acrpmu_tally now;
	struct acrpmu_tally seen;
};

/**
 * acrpmu_tally_add() - add one tally to another
 *
 * Context: any.
 */
static inline void acrpmu_tally_add(struct acrpmu_tally *sum, const struct acrpmu_tally *tally)
{
	sum->total += tally->total;
	sum->overflows += tally->overflows;
	sum->outside += tally->outside;
}

/**
 * acrpmu_tally_sub() - undo acrpmu_tally_add()
 *
 * Context: any.
 */
static inline void acrpmu_tally_sub(struct acrpmu_tally *sum, const struct acrpmu_tally *tally)
{
	sum->total -= tally->total;
	sum->overflows -= tally->overflows;
	sum->outside -= tally->outside;
}

void acrpmu_cell_start(struct acrpmu_session_cpu *scpu, struct acrpmu_ctx *ctx, unsigned int ev);
u64 acrpmu_cell_period(struct acrpmu_session_cpu *scpu, const struct acrpmu_ctx *ctx,
		       unsigned int ev);
void acrpmu_cell_scale(struct acrpmu_session_cpu *scpu, struct acrpmu_ctx *ctx);
u64 acrpmu_cell_skip(struct acrpmu_session_cpu *scpu, struct acrpmu_ctx *ctx, unsigned int ev,
		     u64 raw);
bool acrpmu_cell_goes_on(const struct acrpmu_ctx *ctx, unsigned int ev, u64 raw);
void acrpmu_cell_settle(struct acrpmu_ctx *ctx, unsigned int ev, bool shows);
u64 acrpmu_cell_count(const struct acrpmu_ctx *ctx, unsigned int ev);
void acrpmu_cell_check(const struct acrpmu_ctx *ctx, unsigned int ev, u64 raw);

#endif /* _ACRPMU_CELL_H */
