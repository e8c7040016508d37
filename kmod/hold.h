/* SPDX-License-Identifier: GPL-2.0-only */
/* One CPU of a session: checked, claimed, planned, held and released. */
#ifndef _ACRPMU_HOLD_H
#define _ACRPMU_HOLD_H

#include <linux/types.h>

struct acrpmu_error;
struct acrpmu_session;
struct acrpmu_session_cpu;
struct cpumask;

/* bit of the states in which in-tree perf is kept off the CPU for the session */
#define ACRPMU_HOLD_PERF_OFF	8

/**
 * enum acrpmu_hold_state - what a session has on a CPU; hold.c has the moves
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

bool acrpmu_hold_is_claimed(const struct acrpmu_session_cpu *scpu);
bool acrpmu_hold_is_lost(const struct acrpmu_session_cpu *scpu);
bool acrpmu_hold_is_taken(const struct acrpmu_session_cpu *scpu);
bool acrpmu_hold_is_asleep(const struct acrpmu_session_cpu *scpu);
int acrpmu_hold_check(int cpu, struct acrpmu_error *err);
int acrpmu_hold_check_unclaimed(int cpu, struct acrpmu_error *err);
bool acrpmu_hold_can_serve(const struct acrpmu_session *session, int cpu);
int acrpmu_hold_claim(struct acrpmu_session_cpu *scpu, struct acrpmu_error *err);
void acrpmu_hold_unclaim(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_settle(const struct acrpmu_session *session);
int acrpmu_hold_plan(struct acrpmu_session *session, int cpu, bool spare, struct acrpmu_error *err);
bool acrpmu_hold_keep_plan(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_reach(struct acrpmu_session *session, const struct cpumask *cpus);
void acrpmu_hold_take(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_start(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_release(struct acrpmu_session_cpu *scpu, enum acrpmu_hold_state next);
void acrpmu_hold_release_all(struct acrpmu_session *session, enum acrpmu_hold_state next);
void acrpmu_hold_yield(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_end_yield(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_lose(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_note_missed(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_note_all_missed(struct acrpmu_session *session);

#endif /* _ACRPMU_HOLD_H */
