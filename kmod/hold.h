/* SPDX-License-Identifier: GPL-2.0-only */
/* One CPU of a session: checked, claimed, planned, held and released. */
#ifndef _ACRPMU_HOLD_H
#define _ACRPMU_HOLD_H

#include <linux/types.h>

#include "hold_state.h"

struct acrpmu_error;
struct acrpmu_session;
struct acrpmu_session_cpu;
struct cpumask;

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
void acrpmu_hold_end_yield(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_lose(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_note_missed(struct acrpmu_session_cpu *scpu);
void acrpmu_hold_note_all_missed(struct acrpmu_session *session);

#endif /* _ACRPMU_HOLD_H */
