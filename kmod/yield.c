// SPDX-License-Identifier: GPL-2.0-only
/* Giving up a CPU where somebody else has got at the counters of a session, on the CPU itself. */
#include "session.h"
#include "account.h"
#include "buffer.h"
#include "ctx.h"
#include "lost.h"
#include "missed.h"
#include "owner.h"
#include "pmu.h"
#include "yield.h"

static void abandon(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_ctx *ctx = scpu->running;

	acrpmu_ctx_abandon(scpu);
	/* The task runs on; a CPU is missed from when it is released. */
	if (ctx && ctx->task)
		acrpmu_missed_begin(ctx);
	acrpmu_account_publish(scpu);
}

static void give_up(struct acrpmu_session_cpu *scpu, const struct acrpmu_error *err)
{
	acrpmu_hold_move(scpu, ACRPMU_HOLD_YIELDED);
	scpu->taken = *err;
	WRITE_ONCE(scpu->session->taken, true);
	WRITE_ONCE(scpu->session->taken_unread, true);
	acrpmu_lost_look();
}

/**
 * acrpmu_yield_check() - check that a session has its counters on this CPU, and end it if not
 * @scpu: it holds the CPU
 *
 * Context: interrupts off, on the CPU in question; whoever made this CPU call holds acrpmu_lock.
 * Return: true if the session has lost the CPU, and holds no counter there any more.
 */
bool acrpmu_yield_check(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_error err;
	bool perf;

	if (!acrpmu_lost_find(scpu, &err))
		return false;
	perf = err.reason == ACRPMU_REASON_CLAIM_LOST;
	abandon(scpu);
	acrpmu_buffer_flush(scpu);
	acrpmu_pmu_yield(scpu, perf ? acrpmu_owner_foreign_here() : 0, perf);
	give_up(scpu, &err);
	return true;
}

/**
 * acrpmu_yield_found() - end a session on this CPU if its counters, which were just read, show that
 *	somebody else has written one
 * @scpu: it holds the CPU
 *
 * Context: as acrpmu_yield_check().
 * Return: as acrpmu_yield_check().
 */
bool acrpmu_yield_found(struct acrpmu_session_cpu *scpu)
{
	return acrpmu_pmu_foreign_of(acrpmu_pmu_here(), &scpu->plan) && acrpmu_yield_check(scpu);
}

/**
 * acrpmu_yield_at_once() - check that in-tree perf is still kept off this CPU, which a session is
 *	about to hold, and end it there if not
 * @scpu: it has claimed the CPU
 *
 * Context: as acrpmu_yield_check().
 * Return: true if the session has lost the CPU.
 */
bool acrpmu_yield_at_once(struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_error err;

	if (!acrpmu_pmu_is_lost(acrpmu_pmu_here()))
		return false;
	acrpmu_lost_refuse(scpu->cpu, &err);
	acrpmu_hold_move(scpu, ACRPMU_HOLD_HELD);
	give_up(scpu, &err);
	return true;
}
