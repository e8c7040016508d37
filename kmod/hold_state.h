/* SPDX-License-Identifier: GPL-2.0-only */
/* The states that a session goes through on a CPU. */
#ifndef _ACRPMU_HOLD_STATE_H
#define _ACRPMU_HOLD_STATE_H

#include <linux/types.h>

struct acrpmu_session_cpu;

/* bit of the states in which in-tree perf is kept off the CPU for the session */
#define ACRPMU_HOLD_PERF_OFF	8

/**
 * enum acrpmu_hold_state - what a session has on a CPU; hold_state.c has the moves
 * @ACRPMU_HOLD_NONE: nothing, and lacks nothing: it is parked, or has not reserved the CPU yet
 * @ACRPMU_HOLD_LOST: nothing, and lacks it: the CPU is offline, or could not be reserved
 * @ACRPMU_HOLD_TAKEN: nothing, as somebody else has got at its counters; for good
 * @ACRPMU_HOLD_ASLEEP: nothing until the system wakes up
 * @ACRPMU_HOLD_CLAIMED: NONE, while it is being reserved
 * @ACRPMU_HOLD_RETRIED: LOST, while another try is made
 * @ACRPMU_HOLD_YIELDED: TAKEN, until the claim and the extra registers are released
 * @ACRPMU_HOLD_WAKING: ASLEEP, while it is being reserved again
 * @ACRPMU_HOLD_HELD: its counters
 */
enum acrpmu_hold_state {
	ACRPMU_HOLD_NONE,
	ACRPMU_HOLD_LOST,
	ACRPMU_HOLD_ASLEEP,
	ACRPMU_HOLD_TAKEN,
	ACRPMU_HOLD_CLAIMED = ACRPMU_HOLD_PERF_OFF | ACRPMU_HOLD_NONE,
	ACRPMU_HOLD_RETRIED = ACRPMU_HOLD_PERF_OFF | ACRPMU_HOLD_LOST,
	ACRPMU_HOLD_WAKING = ACRPMU_HOLD_PERF_OFF | ACRPMU_HOLD_ASLEEP,
	ACRPMU_HOLD_YIELDED = ACRPMU_HOLD_PERF_OFF | ACRPMU_HOLD_TAKEN,
	ACRPMU_HOLD_HELD = 15,
};

void acrpmu_hold_move(struct acrpmu_session_cpu *scpu, enum acrpmu_hold_state next);
enum acrpmu_hold_state acrpmu_hold_without_claim(const struct acrpmu_session_cpu *scpu);
bool acrpmu_hold_is_claimed(const struct acrpmu_session_cpu *scpu);
bool acrpmu_hold_is_lost(const struct acrpmu_session_cpu *scpu);
bool acrpmu_hold_is_taken(const struct acrpmu_session_cpu *scpu);
bool acrpmu_hold_is_asleep(const struct acrpmu_session_cpu *scpu);

#endif /* _ACRPMU_HOLD_STATE_H */
