// SPDX-License-Identifier: GPL-2.0-only
/* The states that a session goes through on a CPU. */
#include <linux/bits.h>
#include <linux/bug.h>

#include "session.h"
#include "hold_state.h"

/*
 * A session on one CPU goes through these states, all moves under acrpmu_lock:
 *
 *	state	perf kept off	counters	left for
 *	NONE	-		-		CLAIMED: claim; LOST: lose
 *	CLAIMED	yes		-		HELD: take; NONE: unclaim; RETRIED: lose
 *	HELD	yes		the session's	NONE or ASLEEP: release; YIELDED: yield
 *	YIELDED	no more		-		TAKEN: end_yield
 *	TAKEN	-		-
 *	LOST	-		-		RETRIED: claim
 *	RETRIED	yes		-		HELD: take; LOST: unclaim
 *	ASLEEP	-		-		WAKING: claim; LOST: lose; NONE: release
 *	WAKING	yes		-		HELD: take; ASLEEP: unclaim; RETRIED: lose
 *
 * A reservation (reserve.c) claims, and then takes or unclaims: for a session that is new or
 * unparked, when a task has reached the CPU, or when it is back.  A release leads to ASLEEP when
 * the system sleeps or goes down, and to NONE when the session is parked or closed, and when the
 * CPU goes offline, which is lost then.  A CPU is also lost that is refused (arrive.c) or missing
 * (reserve.c).
 * yield.c gives up a CPU where somebody else has got at the counters.
 */
static const u16 moves[] = {
	[ACRPMU_HOLD_NONE] = BIT(ACRPMU_HOLD_CLAIMED) | BIT(ACRPMU_HOLD_LOST),
	[ACRPMU_HOLD_CLAIMED] = BIT(ACRPMU_HOLD_HELD) | BIT(ACRPMU_HOLD_NONE) |
				BIT(ACRPMU_HOLD_RETRIED),
	[ACRPMU_HOLD_HELD] = BIT(ACRPMU_HOLD_NONE) | BIT(ACRPMU_HOLD_ASLEEP) |
			     BIT(ACRPMU_HOLD_YIELDED),
	[ACRPMU_HOLD_YIELDED] = BIT(ACRPMU_HOLD_TAKEN),
	[ACRPMU_HOLD_LOST] = BIT(ACRPMU_HOLD_RETRIED),
	[ACRPMU_HOLD_RETRIED] = BIT(ACRPMU_HOLD_HELD) | BIT(ACRPMU_HOLD_LOST),
	[ACRPMU_HOLD_ASLEEP] = BIT(ACRPMU_HOLD_WAKING) | BIT(ACRPMU_HOLD_NONE) |
			       BIT(ACRPMU_HOLD_LOST),
	[ACRPMU_HOLD_WAKING] = BIT(ACRPMU_HOLD_HELD) | BIT(ACRPMU_HOLD_ASLEEP) |
			       BIT(ACRPMU_HOLD_RETRIED),
};

/**
 * acrpmu_hold_move() - move a session on a CPU to another state
 *
 * Context: acrpmu_lock held, perhaps by whoever made this CPU call.
 */
void acrpmu_hold_move(struct acrpmu_session_cpu *scpu, enum acrpmu_hold_state next)
{
	WARN_ON_ONCE(!(moves[scpu->state] & BIT(next)));
	WRITE_ONCE(scpu->state, next);
}

/**
 * acrpmu_hold_is_claimed() - check whether in-tree perf is kept off a CPU for a session
 *
 * Context: any; steady under acrpmu_lock.
 */
bool acrpmu_hold_is_claimed(const struct acrpmu_session_cpu *scpu)
{
	return READ_ONCE(scpu->state) & ACRPMU_HOLD_PERF_OFF;
}

/**
 * acrpmu_hold_without_claim() - find the state of a session on a CPU without its claim
 *
 * Trying to reserve the CPU changes nothing about the state that it had before.
 *
 * Context: any; steady under acrpmu_lock.
 */
enum acrpmu_hold_state acrpmu_hold_without_claim(const struct acrpmu_session_cpu *scpu)
{
	enum acrpmu_hold_state state = READ_ONCE(scpu->state);

	return state == ACRPMU_HOLD_HELD ? state : state & ~ACRPMU_HOLD_PERF_OFF;
}

/**
 * acrpmu_hold_is_lost() - check whether a session lacks a CPU, also while another try is made
 *
 * Context: any; steady under acrpmu_lock.
 */
bool acrpmu_hold_is_lost(const struct acrpmu_session_cpu *scpu)
{
	return acrpmu_hold_without_claim(scpu) == ACRPMU_HOLD_LOST || acrpmu_hold_is_taken(scpu);
}

/**
 * acrpmu_hold_is_taken() - check whether somebody else has taken a CPU from a session
 *
 * Context: any; steady under acrpmu_lock.
 */
bool acrpmu_hold_is_taken(const struct acrpmu_session_cpu *scpu)
{
	return acrpmu_hold_without_claim(scpu) == ACRPMU_HOLD_TAKEN;
}

/**
 * acrpmu_hold_is_asleep() - check whether a session waits for the system to wake up on a CPU
 *
 * Context: any; steady under acrpmu_lock.
 */
bool acrpmu_hold_is_asleep(const struct acrpmu_session_cpu *scpu)
{
	return acrpmu_hold_without_claim(scpu) == ACRPMU_HOLD_ASLEEP;
}
