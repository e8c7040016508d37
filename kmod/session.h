/* SPDX-License-Identifier: GPL-2.0-only */
/* The data of a session, and its life: created whole or not at all, run, read and destroyed. */
#ifndef _ACRPMU_SESSION_H
#define _ACRPMU_SESSION_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/pid_namespace.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../uapi/acrpmu.h"
#include "core/group.h"
#include "core/reload.h"
#include "core/ring.h"
#include "core/schedule.h"

/**
 * struct acrpmu_accounts - what became of the overflows on one CPU
 * @records: samples written
 * @lost: overflows without a record, as the ring counts them; only in what is kept for readers
 * @throttled: overflows beyond the rate, each followed by a pause
 * @discarded: overflows found after the stop
 * @overflows: overflows seen, by event
 */
struct acrpmu_accounts {
	u64 records;
	u64 lost;
	u64 throttled;
	u64 discarded;
	u64 overflows[ACRPMU_MAX_EVENTS];
};

/**
 * struct acrpmu_session_cpu - a session on one CPU
 * @session: the session; constant
 * @held: its counters are held on this CPU; acrpmu_lock
 * @suspended: released for a system suspend; acrpmu_lock
 * @lost_cpu: the CPU went offline, or could not be reserved again; acrpmu_lock
 * @schedule: counters and extra registers of its events here; constant while @held, acrpmu_lock
 * @plan: counters and register values here; constant while @held, acrpmu_lock
 * @ctx: what a CPU session counts here, NULL for a task session; constant
 * @mem: memory of the ring as it is mapped, NULL when nothing is sampled; constant
 * @ring: the writer's side of it; the CPU itself, in NMI or with the session's counters stopped
 * @wake: wakes the pollers
 * @wake_head: data_head at the last wakeup
 * @arm_resume: starts @resume; an NMI may queue it
 * @resume: resumes a paused session
 * @paused: throttled until @resume runs or the task is switched out, since others run then;
 *	the CPU itself, in NMI or interrupts off
 * @paused_ns: local_clock() when it was paused
 * @tick: jiffies of the current rate window
 * @tick_overflows: overflows in it
 * @accounts: the CPU itself, in NMI or interrupts off
 * @seen: @accounts and losses when they were last published for readers; acrpmu_lock
 * @overflows_reset: overflows at the last ACRPMU_RESET; acrpmu_lock
 */
struct acrpmu_session_cpu {
	struct acrpmu_session *session;
	bool held;
	bool suspended;
	bool lost_cpu;
	struct acrpmu_schedule schedule;
	struct acrpmu_plan plan;
	struct acrpmu_ctx *ctx;
	void *mem;
	struct acrpmu_ring_writer ring;
	struct irq_work wake;
	u64 wake_head;
	struct irq_work arm_resume;
	struct hrtimer resume;
	bool paused;
	u64 paused_ns;
	unsigned long tick;
	unsigned int tick_overflows;
	struct acrpmu_accounts accounts;
	struct acrpmu_accounts seen;
	u64 overflows_reset[ACRPMU_MAX_EVENTS];
};

/**
 * struct acrpmu_session - one session
 * @node: in the list of sessions; acrpmu_lock
 * @id: its number; constant
 * @group: its events; constant
 * @caps: what all its CPUs can do; constant once the session exists
 * @cpus: CPUs of the target; constant
 * @follows_all: it asked for its tasks to be counted on every CPU; constant
 * @new_cpus: a CPU outside @cpus came online; acrpmu_lock
 * @parked: it holds no CPU until it is unparked; acrpmu_lock
 * @scpus: by CPU; see &struct acrpmu_session_cpu
 * @task_target: follows tasks, not CPUs; constant
 * @enabled: counting is on; written under acrpmu_lock or by exec, read anywhere
 * @reading: its tasks are being read: a switch must stop and start, not swap
 * @exec_seen: the enabling exec has happened
 * @enabled_since_ns: monotonic time of the last enable
 * @enabled_ns: time enabled before that; acrpmu_lock
 * @lock: guards the members below; interrupts off, never taken in NMI
 * @closing: no task may join any more
 * @ctxs: contexts that exist now
 * @nr_tasks: tasks followed now
 * @inherit_failed: tasks that could not be followed
 * @gone_total: counts of tasks that are gone, by event
 * @gone_ns: time they were counted
 * @fold: folds counters into counts before they wrap
 * @wait: pollers
 * @wake_bytes: unread bytes in a ring that wake them; constant
 * @mm: address space that the rings are charged to, NULL without rings; a reference is held
 * @locked_pages: pages charged
 * @ns: pid namespace of the creator; a reference is held
 * @creator: process that created it; a reference is held
 * @comm: name of that process
 */
struct acrpmu_session {
	struct list_head node;
	u64 id;
	struct acrpmu_group group;
	struct acrpmu_caps caps;
	cpumask_var_t cpus;
	bool follows_all;
	bool new_cpus;
	bool parked;
	struct acrpmu_session_cpu __percpu *scpus;
	bool task_target;
	bool enabled;
	bool reading;
	bool exec_seen;
	u64 enabled_since_ns;
	u64 enabled_ns;

	raw_spinlock_t lock;
	bool closing;
	struct list_head ctxs;
	unsigned int nr_tasks;
	u64 inherit_failed;
	u64 gone_total[ACRPMU_MAX_EVENTS];
	u64 gone_ns;

	struct delayed_work fold;
	wait_queue_head_t wait;
	u32 wake_bytes;
	struct mm_struct *mm;
	u64 locked_pages;
	struct pid_namespace *ns;
	struct pid *creator;
	char comm[ACRPMU_COMM_LEN];
};

struct acrpmu_session *acrpmu_session_create(const struct acrpmu_group *group,
					     const struct cpumask *cpus, pid_t pid,
					     struct acrpmu_error *err);
void acrpmu_session_destroy(struct acrpmu_session *session);

bool acrpmu_session_ended(const struct acrpmu_session *session);
void acrpmu_session_enable(struct acrpmu_session *session);
void acrpmu_session_disable(struct acrpmu_session *session);
void acrpmu_session_reset(struct acrpmu_session *session);
void acrpmu_session_park(struct acrpmu_session *session);
int acrpmu_session_unpark(struct acrpmu_session *session, struct acrpmu_error *err);
int acrpmu_session_query(struct acrpmu_session *session, int cpu, struct acrpmu_event_hw *hw);
int acrpmu_session_read(struct acrpmu_session *session, struct acrpmu_read *read,
			struct acrpmu_count *counts);

/**
 * acrpmu_session_on() - the state of a session on a possible CPU
 *
 * Context: any.
 */
static inline struct acrpmu_session_cpu *
acrpmu_session_on(const struct acrpmu_session *session, int cpu)
{
	return per_cpu_ptr(session->scpus, cpu);
}

/**
 * acrpmu_session_here() - the state of a session on this CPU
 *
 * Each CPU has its own plan: other counters may be free on another.
 *
 * Context: any, migration off.
 */
static __always_inline struct acrpmu_session_cpu *
acrpmu_session_here(const struct acrpmu_session *session)
{
	return this_cpu_ptr(session->scpus);
}

#endif /* _ACRPMU_SESSION_H */
