/* SPDX-License-Identifier: GPL-2.0-only */
/* Looking for registers that somebody else has changed while sessions hold them. */
#ifndef _ACRPMU_WATCH_H
#define _ACRPMU_WATCH_H

#include <linux/types.h>

struct acrpmu_session;
struct acrpmu_session_cpu;

/**
 * struct acrpmu_changed - a register that is not as a session has it
 * @session: the one that holds the counter
 * @cntr: index of the counter
 * @msr: the register
 * @expected: what the session has there; of a register that counters share, the bits of this one
 * @found: what is there, the same bits
 */
struct acrpmu_changed {
	struct acrpmu_session *session;
	unsigned int cntr;
	u32 msr;
	u64 expected;
	u64 found;
};

#define ACRPMU_WATCH_MAX	16

/**
 * struct acrpmu_watch - what one look at a CPU has found
 * @nr: number of changes; ACRPMU_WATCH_MAX: there may be more
 */
struct acrpmu_watch {
	unsigned int nr;
	struct acrpmu_changed changed[ACRPMU_WATCH_MAX];
};

int acrpmu_watch_init(void);
void acrpmu_watch_exit(void);
bool acrpmu_watch_find(const struct acrpmu_session_cpu *scpu, struct acrpmu_changed *changed);
void acrpmu_watch_look(int cpu, struct acrpmu_watch *watch);

#endif /* _ACRPMU_WATCH_H */
