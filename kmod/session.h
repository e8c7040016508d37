/* SPDX-License-Identifier: GPL-2.0-only */
/* The data of a session, and its life: created whole or not at all, run and destroyed. */
#ifndef _ACRPMU_SESSION_H
#define _ACRPMU_SESSION_H

#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/pid_namespace.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>

#include "../uapi/acrpmu.h"
#include "core/budget.h"
#include "core/group.h"
#include "core/reload.h"
#include "core/ring.h"
#include "core/schedule.h"
#include "hold_state.h"
#include "target.h"

/*
 * Memory of a session on a CPU.  It may be needed when a task arrives there, and then to go without
 * is better than to kill a process of the creator's group.
 */
#define ACRPMU_GFP	(GFP_KERNEL_ACCOUNT | __GFP_RETRY_MAYFAIL | __GFP_NOWARN)

/**
 * struct acrpmu_accounts - what became of the overflows on one CPU
 * @records: samples written
 * @lost: overflows without a record, as the ring counts them; only in what is kept for readers
 * @throttled: overflows beyond the rate, each followed by a pause
 * @discarded: overflows found after the stop, or after their PMI got lost
 * @guest: overflows in guests, of which the session wants no records
 * @quiet: overflows of quiet causes, restarted by software
 * @dropped: overflows of events that another one's overflow had restarted before, and status bits
 *	without an overflow, which look like these
 * @overflows: overflows seen, by event
 * @outside: occurrences between overflow and restart by software, by event
 */
struct acrpmu_accounts {
	u64 records;
	u64 lost;
	u64 throttled;
	u64 discarded;
	u64 guest;
	u64 quiet;
	u64 dropped;
	u64 overflows[ACRPMU_MAX_EVENTS];
	u64 outside[ACRPMU_MAX_EVENTS];
};

/**
 * struct acrpmu_due - PMIs of a session on one CPU that have yet to come
 * @cntrs: counters with a status bit
 * @masked: the LVT entry of the PMI was masked
 * @overflows: overflows accounted for by then, to which each one that has its PMI adds
 * @since: jiffies
 */
struct acrpmu_due {
	u64 cntrs;
	bool masked;
	u64 overflows;
	unsigned long since;
};

/**
 * struct acrpmu_session_cpu - a session on one CPU
 * @node: in the session's list
 * @session: the session; constant
 * @cpu: the CPU; constant
 * @state: what it has here; acrpmu_lock, HELD begins and ends on the CPU itself, interrupts off
 * @unsettled: in-tree perf is to be let in again, unless others keep it off: that has to wait until
 *	acrpmu_lock is dropped, whatever @state is by then; set under acrpmu_lock
 * @taken: why the session has lost the CPU to somebody else, reason NONE: it has not; set on the
 *	CPU itself, interrupts off, for a holder of acrpmu_lock
 * @looked_start: jiffies when a start last looked for foreign controls; as @running
 * @looked_stop: the same of a stop
 * @due: PMIs that had yet to come when the CPU was last looked at; as @running
 * @taken_named: its holder was looked for, and listeners know of it; acrpmu_lock
 * @schedule: counters and extra registers of its events here; constant while held, acrpmu_lock
 * @plan: counters, periods and register values here; acrpmu_lock.  While held only the periods
 *	change: on the CPU itself, interrupts off, with the session's counters stopped, so that an
 *	NMI sees the old ones or the new ones
 * @ctx: what a CPU session counts here, NULL for a task session; constant
 * @in_cgroup: the task that was switched to last belongs to the session's cgroup; as @running
 * @running: the context that counts here now, NULL none; the CPU itself, interrupts off
 * @mem: memory of the ring as it is mapped, NULL without one; set once, before the CPU is
 *	held, and by mmap
 * @late_ring: the ring came later than the session, which its readers must learn whatever @state
 *	is by then; set once, acrpmu_lock
 * @mapped: a program has mapped the ring
 * @ring: the writer's side of it; the CPU itself, in NMI or with the session's counters stopped
 * @wake_head: data_head from which on the pollers may have to be woken
 * @arm_resume: starts @resume; an NMI may queue it
 * @resume: resumes a paused session
 * @paused: throttled until @resume runs, whichever task runs till then, since the limit is the
 *	CPU's; the CPU itself, in NMI or interrupts off
 * @paused_ns: local_clock() when it was paused
 * @noted_pause: the last record about pauses in the ring is that of a pause; as @paused
 * @pauses: how often it was paused; as @paused
 * @marked: notify.c must look at it
 * @reported_pauses: @pauses when listeners heard of it last; acrpmu_lock
 * @reported_paused: the last that they heard is that it pauses; acrpmu_lock
 * @reported_lost: lost overflows when they heard of these last; acrpmu_lock
 * @reported_reason: the reason for which the module itself could not reserve the CPU, as they know
 *	it; acrpmu_lock
 * @random: state of acrpmu_jitter_draw(), odd; the CPU itself, in NMI or interrupts off
 * @use: of the CPU in the current tick; the CPU itself, in NMI
 * @accounts: the CPU itself, in NMI or interrupts off
 * @seen: @accounts and losses when they were last published for readers; acrpmu_lock
 * @overflows_reset: overflows at the last ACRPMU_RESET; acrpmu_lock
 * @outside_reset: occurrences outside of windows at that time; acrpmu_lock
 * @overflows_set: overflows at the last ACRPMU_SET_PERIODS or ACRPMU_RESET; acrpmu_lock
 * @periods_ended: what the periods add up to that ended between these two; acrpmu_lock
 */
struct acrpmu_session_cpu {
	struct list_head node;
	struct acrpmu_session *session;
	int cpu;
	enum acrpmu_hold_state state;
	bool unsettled;
	struct acrpmu_error taken;
	unsigned long looked_start;
	unsigned long looked_stop;
	struct acrpmu_due due;
	bool taken_named;
	struct acrpmu_schedule schedule;
	struct acrpmu_plan plan;
	struct acrpmu_ctx *ctx;
	bool in_cgroup;
	struct acrpmu_ctx *running;
	void *mem;
	bool late_ring;
	bool mapped;
	struct acrpmu_ring_writer ring;
	u64 wake_head;
	struct irq_work arm_resume;
	struct hrtimer resume;
	bool paused;
	u64 paused_ns;
	bool noted_pause;
	u64 pauses;
	bool marked;
	u64 reported_pauses;
	bool reported_paused;
	u64 reported_lost;
	u32 reported_reason;
	u64 random;
	struct acrpmu_use use;
	struct acrpmu_accounts accounts;
	struct acrpmu_accounts seen;
	u64 overflows_reset[ACRPMU_MAX_EVENTS];
	u64 outside_reset[ACRPMU_MAX_EVENTS];
	u64 overflows_set[ACRPMU_MAX_EVENTS];
	u64 periods_ended[ACRPMU_MAX_EVENTS];
};

/**
 * struct acrpmu_session - one session
 * @node: in the list of sessions; acrpmu_lock
 * @id: its number; constant
 * @created_ns: when it was created, CLOCK_BOOTTIME; constant
 * @announced: it was created whole, and others may know of it; acrpmu_lock
 * @marked: exec has enabled it, and notify.c must look at it
 * @group: its events; constant but for the periods, acrpmu_lock: what counts uses those of a plan
 * @caps: what all its CPUs can do; constant once the session exists
 * @cpus: CPUs that it may hold; constant
 * @reach: those that it holds unless it is parked; acrpmu_lock once the session exists
 * @wanted: those where its tasks were seen running but which it does not hold; atomic bits
 * @refused: those of them that could not be reserved, and are not tried for a while; atomic bits
 * @scpu: by CPU, NULL until the CPU is in @reach or its ring is mapped; set once, @rings_lock
 * @scpus: the same as a list that only grows, so that readers need no lock; @rings_lock
 * @follows_all: it reserves CPUs when its tasks run there; constant
 * @takes_new: it reserves CPUs when they come online for the first time in its life; constant
 * @new_cpus: a CPU outside @cpus came online; acrpmu_lock
 * @taken: somebody else has taken a CPU from it; set as that of the CPU
 * @taken_unread: no READ has reported that since
 * @parked: it holds no CPU until it is unparked; acrpmu_lock
 * @task_target: follows tasks, not CPUs; constant
 * @probes: switches of tasks start and stop it; constant
 * @unprivileged: its creator lacked CAP_PERFMON, so it follows only tasks of that user; constant
 * @enabled: counting is on; written under acrpmu_lock or by exec, read anywhere
 * @reading: its tasks are being read: a switch must stop and start, not swap
 * @exec_seen: the enabling exec has happened
 * @exec_waits: it leaves the start to ACRPMU_RESET, which is under way; as @exec_seen under @lock
 * @enabled_since_ns: monotonic time of the last enable
 * @enabled_ns: time enabled before that; acrpmu_lock
 * @lock: guards the members below up to @twice, and targets; interrupts off, never taken in NMI
 * @closing: no task may join any more
 * @active: switches of its tasks visit its contexts
 * @targets: what its tasks belong to; a list that only grows, so that readers need no lock
 * @target_tree: the same by number, see acrpmu_target_find()
 * @nr_targets: how many these are
 * @nr_tasks: tasks followed now
 * @tasks: tasks followed so far
 * @read_nr: number of the ACRPMU_READ that is or was last under way
 * @inherit_failed: tasks that could not be followed
 * @privileged_exec: a task has executed a privileged program, and is not followed any more
 * @gone: what tasks that are gone have counted, of all targets
 * @twice: the part of it that the read under way had added up before
 * @cgroup: what a session of a cgroup counts for, NULL otherwise; constant, a reference is held
 * @of_cgroup: in the list of such sessions; cgroup.c
 * @rings_lock: guards @scpu; may be taken under mmap_lock, not under acrpmu_lock
 * @reserve_lock: one reservation of CPUs at a time; the outermost lock, see architecture.rst
 * @arrive: reserves @wanted CPUs
 * @retry: looks whether @refused CPUs are still wanted
 * @retry_after: jiffies from the next refusal to that; it doubles while CPUs are refused
 * @retry_at: jiffies when @retry is due
 * @reclaim: makes room in @memcg, see spare.c
 * @reclaim_after: jiffies before which that is useless
 * @aborting: a reservation under way must end
 * @wake: wakes the pollers
 * @wake_later: does it for @wake with PREEMPT_RT
 * @wait: pollers
 * @wake_bytes: unread bytes in a ring that wake them; constant
 * @mm: address space to whose locked memory the rings are charged; a reference is held
 * @memcg: group that all memory is charged to, the creator's; a reference is held, NULL if there
 *	are no such groups
 * @locked_pages: pages of rings charged
 * @user: who created it, see registry.c
 * @ns: pid namespace of the creator; a reference is held
 * @cred: credentials of the creator; a reference is held
 * @creator: process that created it; a reference is held
 * @comm: name of that process
 * @free: frees it after every probe that may have found it
 */
struct acrpmu_session {
	struct list_head node;
	u64 id;
	u64 created_ns;
	bool announced;
	bool marked;
	struct acrpmu_group group;
	struct acrpmu_caps caps;
	cpumask_var_t cpus;
	cpumask_var_t reach;
	cpumask_var_t wanted;
	cpumask_var_t refused;
	struct acrpmu_session_cpu **scpu;
	struct list_head scpus;
	bool follows_all;
	bool takes_new;
	bool new_cpus;
	bool taken;
	bool taken_unread;
	bool parked;
	bool task_target;
	bool probes;
	bool unprivileged;
	bool enabled;
	bool reading;
	bool exec_seen;
	bool exec_waits;
	u64 enabled_since_ns;
	u64 enabled_ns;

	raw_spinlock_t lock;
	bool closing;
	bool active;
	struct list_head targets;
	struct acrpmu_target *target_tree;
	u32 nr_targets;
	unsigned int nr_tasks;
	u64 tasks;
	u64 read_nr;
	u64 inherit_failed;
	bool privileged_exec;
	struct acrpmu_gone gone;
	struct acrpmu_gone twice;

	struct cgroup *cgroup;
	struct list_head of_cgroup;
	/* see above */
	struct mutex rings_lock;
	/* see above */
	struct mutex reserve_lock;
	struct work_struct arrive;
	struct delayed_work retry;
	unsigned long retry_after;
	unsigned long retry_at;
	struct work_struct reclaim;
	unsigned long reclaim_after;
	bool aborting;
	struct irq_work wake;
	struct work_struct wake_later;
	wait_queue_head_t wait;
	u32 wake_bytes;
	struct mm_struct *mm;
	struct mem_cgroup *memcg;
	u64 locked_pages;
	struct acrpmu_user *user;
	struct pid_namespace *ns;
	const struct cred *cred;
	struct pid *creator;
	char comm[ACRPMU_COMM_LEN];
	struct rcu_work free;
};

struct acrpmu_session *acrpmu_session_create(const struct acrpmu_group *group,
					     const struct cpumask *cpus, pid_t pid,
					     bool unprivileged, struct acrpmu_error *err);
void acrpmu_session_destroy(struct acrpmu_session *session);

void acrpmu_session_enable(struct acrpmu_session *session);
void acrpmu_session_disable(struct acrpmu_session *session);
void acrpmu_session_sync(struct acrpmu_session *session);
void acrpmu_session_reset(struct acrpmu_session *session);
void acrpmu_session_park(struct acrpmu_session *session);
int acrpmu_session_unpark(struct acrpmu_session *session, struct acrpmu_error *err);
int acrpmu_session_query(struct acrpmu_session *session, int cpu, struct acrpmu_event_hw *hw);

/**
 * acrpmu_session_on() - the state of a session on a possible CPU
 *
 * Each CPU has its own plan: other counters may be free on another.
 *
 * Context: any.
 * Return: the state, or NULL if the session has never held the CPU.
 */
static __always_inline struct acrpmu_session_cpu *
acrpmu_session_on(const struct acrpmu_session *session, int cpu)
{
	/* Pairs with the release in acrpmu_session_cpu_get(). */
	return READ_ONCE(session->scpu[cpu]);
}

/**
 * acrpmu_session_holds() - check whether a session holds counters on a CPU
 *
 * Context: any; steady under acrpmu_lock, and on the CPU itself with interrupts off.
 */
static __always_inline bool acrpmu_session_holds(const struct acrpmu_session_cpu *scpu)
{
	return READ_ONCE(scpu->state) == ACRPMU_HOLD_HELD;
}

#endif /* _ACRPMU_SESSION_H */
