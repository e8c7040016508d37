/* SPDX-License-Identifier: GPL-2.0-only */
/* The PMU of each CPU: reserving counters for sessions, programming and enabling them. */
#ifndef _ACRPMU_PMU_H
#define _ACRPMU_PMU_H

#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/types.h>

#include "core/budget.h"
#include "core/model.h"
#include "core/reload.h"

struct acrpmu_ctx;
struct acrpmu_session_cpu;
struct acrpmu_session;

/* counter indices: 32 general-purpose, 16 fixed (SDM vol. 3, IA32_PERF_GLOBAL_CTRL) */
#define ACRPMU_NR_SLOTS		(ACRPMU_FIXED_BASE + 16)

/**
 * struct acrpmu_slot - one counter of one CPU
 * @session: the session that holds it, NULL if free
 * @scpu: state of that session on this CPU
 * @active: the context it counts for now, NULL when stopped; read in NMI
 * @serial: serial of the context that the counter value belongs to, 0 for none
 * @ev: index of the event in the group
 * @found_cntr: counter before the session
 * @found_cfg_a: event select before the session
 * @found_cfg_b: reload mask before the session
 * @found_cfg_c: reload value and PEBS bits before the session
 *
 * Members without a lock are changed on their own CPU with interrupts off.
 */
struct acrpmu_slot {
	struct acrpmu_session *session;
	struct acrpmu_session_cpu *scpu;
	struct acrpmu_ctx *active;
	u64 serial;
	u8 ev;
	u64 found_cntr;
	u64 found_cfg_a;
	u64 found_cfg_b;
	u64 found_cfg_c;
};

/**
 * struct acrpmu_foreign - a register of a counter that somebody else has written
 * @msr: its control, or the counter itself
 * @written: what was last written there by us, or counted; of that of fixed counters the field
 * @found: what it had instead
 */
struct acrpmu_foreign {
	u32 msr;
	u64 written;
	u64 found;
};

/**
 * enum acrpmu_pmis - what PMIs do about overflows on a CPU; pmu.c has the moves
 * @ACRPMU_PMIS_HANDLE: they handle all of them
 * @ACRPMU_PMIS_SKIP: they skip those of settling counters: the interrupted code accounts for them
 * @ACRPMU_PMIS_MISSED: the same, and one has come: that code need not expect it any more
 */
enum acrpmu_pmis {
	ACRPMU_PMIS_HANDLE,
	ACRPMU_PMIS_SKIP,
	ACRPMU_PMIS_MISSED,
};

/**
 * struct acrpmu_core_id - identifies a physical core
 * @die: its die, within the package
 * @core: its number, within the die
 */
struct acrpmu_core_id {
	int package;
	int die;
	int core;
};

/**
 * struct acrpmu_pmu - the PMU of one CPU
 * @caps: what it can do; constant while online
 * @known: @caps is valid
 * @usable: its MSRs can be read
 * @extra_regs: extra registers of its model that can be read, by index in the model's table
 * @core_id: its physical core, as first found; the kernel forgets that of offline CPUs
 * @core: the first known CPU of that core; the key of what hardware threads share
 * @nr_sessions: sessions that hold counters here
 * @held_cntrs: counters that sessions hold
 * @int_cntrs: those of them that raise a PMI
 * @active_cntrs: those that count now; 0 keeps the NMI short
 * @freeze: an NMI must stop all counters while it works
 * @again: an NMI must check for further overflows
 * @thawed_by_perf: in-tree perf's handler, which runs after ours, sets IA32_PERF_GLOBAL_CTRL;
 *	set for good by owner.c, from any CPU, before a session holds this one
 * @claim_state: the state of the event that keeps in-tree perf off; never NULL, set by owner.c
 * @pmis: what PMIs do; an NMI moves it from SKIP to MISSED
 * @settling_cntrs: counters whose overflows a stop is accounting for, 0 while PMIs handle all
 * @late_pmis: overflows accounted for before their PMI was seen, which may still come
 * @late_until: jiffies until which it may
 * @look_at: jiffies from which on a switch reads the status, since PMIs may come after a switch
 *	away from their context, and a reloaded counter no longer shows its overflow
 * @look_every: jiffies between two such looks; 0 once that was seen, see acrpmu_pmu_note_late()
 * @masks: a PMI was found with its LVT entry masked, as a local APIC does when it delivers one;
 *	some hypervisors never do
 * @budget: overflows and PMI time of this CPU; in NMI
 * @fixed_ctrl: IA32_FIXED_CTR_CTRL as it is
 * @global_ctrl: IA32_PERF_GLOBAL_CTRL as sessions need it
 * @found_global_ctrl: its value before the first session
 * @found_lvtpc: LVT entry of the PMI before the first session
 * @slot: by counter index
 * @foreign_cntrs: counters with a register that somebody else was found to have written: their
 *	sessions leave all of theirs alone, and end here when the CPU is looked at
 * @foreign: by counter index, of these
 *
 * Members without a lock are changed on their own CPU with interrupts off.
 */
struct acrpmu_pmu {
	struct acrpmu_caps caps;
	bool known;
	bool usable;
	u8 extra_regs;
	struct acrpmu_core_id core_id;
	int core;
	unsigned int nr_sessions;
	u64 held_cntrs;
	u64 int_cntrs;
	u64 active_cntrs;
	enum acrpmu_pmis pmis;
	u64 settling_cntrs;
	bool freeze;
	bool again;
	bool thawed_by_perf;
	const enum perf_event_state *claim_state;
	unsigned int late_pmis;
	unsigned long late_until;
	unsigned long look_at;
	unsigned long look_every;
	bool masks;
	struct acrpmu_budget budget;
	u64 fixed_ctrl;
	u64 global_ctrl;
	u64 found_global_ctrl;
	u32 found_lvtpc;
	struct acrpmu_slot slot[ACRPMU_NR_SLOTS];
	u64 foreign_cntrs;
	struct acrpmu_foreign foreign[ACRPMU_NR_SLOTS];
};

extern struct acrpmu_pmu __percpu *acrpmu_pmus;

/* Has all CPUs looked at, see lost.c. */
extern struct irq_work acrpmu_pmu_loss;

/**
 * acrpmu_pmu_of() - the PMU of a possible CPU
 *
 * Context: any.
 */
static inline struct acrpmu_pmu *acrpmu_pmu_of(int cpu)
{
	return per_cpu_ptr(acrpmu_pmus, cpu);
}

/**
 * acrpmu_pmu_here() - the PMU of this CPU
 *
 * Context: any, migration off.
 */
static __always_inline struct acrpmu_pmu *acrpmu_pmu_here(void)
{
	return this_cpu_ptr(acrpmu_pmus);
}

/**
 * acrpmu_pmu_claim_is_lost() - check whether in-tree perf has dropped the event that keeps it off
 *
 * Then its own events may be on the counters of sessions, which must not be touched any more.
 *
 * Context: any, also NMI, on the CPU of @pmu.
 */
static __always_inline bool acrpmu_pmu_claim_is_lost(const struct acrpmu_pmu *pmu)
{
	/* A word that is read once: an instruction less in each PMI than by READ_ONCE(). */
	return unlikely(data_race(*READ_ONCE(pmu->claim_state)) < PERF_EVENT_STATE_INACTIVE);
}

/**
 * acrpmu_pmu_is_lost() - do acrpmu_pmu_claim_is_lost(), and have all CPUs looked at soon if so
 *
 * Context: as there.
 */
static __always_inline bool acrpmu_pmu_is_lost(const struct acrpmu_pmu *pmu)
{
	bool lost = acrpmu_pmu_claim_is_lost(pmu);

	if (unlikely(lost))
		irq_work_queue(&acrpmu_pmu_loss);
	return lost;
}

/**
 * acrpmu_pmu_foreign_of() - find the counters of a plan with a register that somebody else wrote
 *
 * Context: any but NMI, on the CPU of @pmu.
 * Return: a mask of those that acrpmu_pmu_look() and acrpmu_cell_check() have found.
 */
static inline u64 acrpmu_pmu_foreign_of(const struct acrpmu_pmu *pmu,
					const struct acrpmu_plan *plan)
{
	return pmu->foreign_cntrs & plan->all_cntrs;
}

/**
 * acrpmu_pmu_settling_begin() - make PMIs skip the counters of a plan, so that no overflow is
 *	handled twice
 *
 * Context: interrupts off, on the CPU of @pmu.
 */
static __always_inline void acrpmu_pmu_settling_begin(struct acrpmu_pmu *pmu,
						      const struct acrpmu_plan *plan)
{
	WRITE_ONCE(pmu->pmis, ACRPMU_PMIS_SKIP);
	WRITE_ONCE(pmu->settling_cntrs, plan->all_cntrs);
	barrier();
}

/**
 * acrpmu_pmu_settling_end() - undo acrpmu_pmu_settling_begin()
 *
 * Context: as there.
 * Return: whether a PMI has come in the meantime, and skipped its counter.
 */
static __always_inline bool acrpmu_pmu_settling_end(struct acrpmu_pmu *pmu)
{
	bool missed;

	barrier();
	WRITE_ONCE(pmu->settling_cntrs, 0);
	/* From here on an NMI does not change it. */
	barrier();
	missed = READ_ONCE(pmu->pmis) == ACRPMU_PMIS_MISSED;
	WRITE_ONCE(pmu->pmis, ACRPMU_PMIS_HANDLE);
	return missed;
}

/**
 * acrpmu_pmu_note_missed() - note that a PMI of a settling counter has come
 *
 * Context: NMI, or interrupts off; between acrpmu_pmu_settling_begin() and _end().
 */
static __always_inline void acrpmu_pmu_note_missed(struct acrpmu_pmu *pmu)
{
	WRITE_ONCE(pmu->pmis, ACRPMU_PMIS_MISSED);
}

/**
 * acrpmu_pmu_note_late() - note that a PMI came after the switch away from its context
 *
 * Context: NMI, or interrupts off; on the CPU of @pmu.
 */
static __always_inline void acrpmu_pmu_note_late(struct acrpmu_pmu *pmu)
{
	WRITE_ONCE(pmu->look_every, 0);
	WRITE_ONCE(pmu->look_at, jiffies);
}

void acrpmu_pmu_set_claim(int cpu, const struct perf_event *event);
int acrpmu_pmu_init(void);
void acrpmu_pmu_exit(void);
u64 acrpmu_pmu_foreign(u64 own_cntrs);
void acrpmu_pmu_write_reloads(const struct acrpmu_plan *plan);
void acrpmu_pmu_reserve(struct acrpmu_session_cpu *scpu);
void acrpmu_pmu_release(struct acrpmu_session_cpu *scpu);
void acrpmu_pmu_look(struct acrpmu_pmu *pmu, const struct acrpmu_session_cpu *scpu);
void acrpmu_pmu_note_set_back(const struct acrpmu_event_hw *hw, u64 counted, u64 found);
void acrpmu_pmu_yield(struct acrpmu_session_cpu *scpu, u64 foreign_cntrs, bool perf);
u64 acrpmu_pmu_ack(u64 cntrs);
void acrpmu_pmu_zero_left(struct acrpmu_pmu *pmu);
void acrpmu_pmu_expect_pmi(struct acrpmu_pmu *pmu);
void acrpmu_pmu_enable(struct acrpmu_pmu *pmu, const struct acrpmu_plan *plan, bool on);

#endif /* _ACRPMU_PMU_H */
