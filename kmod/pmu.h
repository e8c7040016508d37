/* SPDX-License-Identifier: GPL-2.0-only */
/* Per-CPU counter state: taking counters for a session, starting, stopping and reading them. */
#ifndef _ACRPMU_PMU_H
#define _ACRPMU_PMU_H

#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/seqlock.h>
#include <linux/types.h>

#include "core/model.h"
#include "core/reload.h"
#include "throttle.h"

struct acrpmu_error;
struct acrpmu_session_cpu;
struct acrpmu_session;

/* counter indices: 32 general-purpose, 16 fixed (SDM vol. 3, IA32_PERF_GLOBAL_CTRL) */
#define ACRPMU_NR_SLOTS		(ACRPMU_FIXED_BASE + 16)

/**
 * struct acrpmu_cell - one event of a context
 * @raw: counter value while the context is stopped, sign-extended
 * @base: counter value from which @total has not yet been counted on
 * @total: occurrences so far; of an event that hardware reloads, in whole periods
 * @seen: @total when the context was last stopped, for readers
 *
 * Written by the CPU that runs the context, interrupts off or in NMI; by others while stopped.
 */
struct acrpmu_cell {
	u64 raw;
	u64 base;
	u64 total;
	u64 seen;
};

/**
 * struct acrpmu_ctx - what a session counts for one task or on one CPU
 * @session: the session; constant
 * @node: in the session's list; acrpmu_session.lock
 * @hash: in the table of tasks; task.c
 * @task: the task, NULL for a CPU; constant
 * @tgid: its process in the session's pid namespace; constant
 * @pid: its task id there; constant
 * @serial: never the same for two contexts; tells whose value a counter holds
 * @cpu: the CPU that ran it last, -1 none
 * @running: its counters count now
 * @tstamp_ns: local_clock() at the last start
 * @running_ns: time counted before that
 * @seen_ns: @running_ns when it was last stopped, for readers
 * @seq: guards @seen_ns and what readers see of @cell; written with interrupts off, never in NMI
 * @cell: by event
 * @rcu: frees it after every lookup that may have found it
 */
struct acrpmu_ctx {
	struct acrpmu_session *session;
	struct list_head node;
	struct hlist_node hash;
	struct task_struct *task;
	pid_t tgid;
	pid_t pid;
	u64 serial;
	int cpu;
	bool running;
	u64 tstamp_ns;
	u64 running_ns;
	u64 seen_ns;
	seqcount_t seq;
	struct acrpmu_cell cell[ACRPMU_MAX_EVENTS];
	struct rcu_head rcu;
};

/**
 * struct acrpmu_slot - one counter of one CPU
 * @session: who holds it, NULL free
 * @scpu: that session's accounts and ring on this CPU
 * @active: the context it counts for now, NULL when stopped; read in NMI
 * @serial: the context whose value the counter register holds, 0 nobody's
 * @ev: index of the event in the group
 * @found_cntr: counter before the session
 * @found_cfg_a: event select before the session
 * @found_cfg_b: reload mask before the session
 * @found_cfg_c: reload value before the session
 *
 * Changed on its own CPU with interrupts off.
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
 * struct acrpmu_core_id - what tells one physical core from another
 * @package: its package
 * @die: its die, within the package
 * @core: its number, within the die
 */
struct acrpmu_core_id {
	int package;
	int die;
	int core;
};

/**
 * struct acrpmu_cpu - the PMU of one CPU
 * @caps: what it can do; constant while online
 * @known: @caps is valid
 * @usable: its MSRs answered when tried
 * @extra_regs: extra registers of its model that answered, by index in the model's table
 * @core_id: its physical core, as it was found first; the kernel forgets that of offline CPUs
 * @core: the first known CPU of that core; keys what hardware threads share
 * @nr_sessions: sessions that hold counters here
 * @held_cntrs: counters that sessions hold
 * @sampled_cntrs: of these, the ones of sampled events
 * @active_cntrs: of these, the ones whose event counts now; 0 keeps the NMI short
 * @missed: a PMI came for a counter of @settling_cntrs
 * @freeze: an NMI must stop all counters while it works
 * @again: an NMI must look for further overflows
 * @thawed_by_perf: in-tree perf's handler, which runs after ours, sets IA32_PERF_GLOBAL_CTRL
 * @settling_cntrs: counters whose pending overflows a stop is sorting out; not for an NMI
 * @budget: PMI time of this CPU
 * @fixed_ctrl: IA32_FIXED_CTR_CTRL as it is
 * @global_ctrl: IA32_PERF_GLOBAL_CTRL as sessions need it
 * @found_global_ctrl: the same before the first session
 * @found_lvtpc: LVT entry of the PMI before the first session
 * @slot: by counter index
 *
 * Changed on its own CPU with interrupts off.
 */
struct acrpmu_cpu {
	struct acrpmu_caps caps;
	bool known;
	bool usable;
	u8 extra_regs;
	struct acrpmu_core_id core_id;
	int core;
	unsigned int nr_sessions;
	u64 held_cntrs;
	u64 sampled_cntrs;
	u64 active_cntrs;
	u64 settling_cntrs;
	bool missed;
	bool freeze;
	bool again;
	bool thawed_by_perf;
	struct acrpmu_budget budget;
	u64 fixed_ctrl;
	u64 global_ctrl;
	u64 found_global_ctrl;
	u32 found_lvtpc;
	struct acrpmu_slot slot[ACRPMU_NR_SLOTS];
};

DECLARE_PER_CPU(struct acrpmu_cpu, acrpmu_cpus);

/**
 * acrpmu_pmu_of() - the PMU of a CPU
 * @cpu: its number
 *
 * Context: any.
 * Return: its state.
 */
static inline struct acrpmu_cpu *acrpmu_pmu_of(int cpu)
{
	return per_cpu_ptr(&acrpmu_cpus, cpu);
}

void acrpmu_pmu_init(struct acrpmu_session_cpu *scpu);
void acrpmu_pmu_uninit(struct acrpmu_session_cpu *scpu);
u64 acrpmu_pmu_foreign(u64 own_cntrs);
void acrpmu_pmu_take(struct acrpmu_session *session);
void acrpmu_pmu_give(struct acrpmu_session *session);
void acrpmu_pmu_ctx_init(struct acrpmu_ctx *ctx, struct acrpmu_session *session);
void acrpmu_pmu_ctx_reset(struct acrpmu_ctx *ctx);
void acrpmu_pmu_start(struct acrpmu_ctx *ctx);
void acrpmu_pmu_stop(struct acrpmu_ctx *ctx);
void acrpmu_pmu_switch(struct acrpmu_ctx *from, struct acrpmu_ctx *to);
u64 acrpmu_pmu_count(const struct acrpmu_ctx *ctx, unsigned int ev);
void acrpmu_pmu_rearm(struct acrpmu_ctx *ctx, unsigned int ev);
void acrpmu_pmu_pause(struct acrpmu_ctx *ctx);
void acrpmu_pmu_sync(struct acrpmu_session *session);
void acrpmu_pmu_drain(struct acrpmu_session *session);
struct acrpmu_ctx *acrpmu_pmu_running(const struct acrpmu_session *session);

#endif /* _ACRPMU_PMU_H */
