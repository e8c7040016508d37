/* SPDX-License-Identifier: GPL-2.0-only */
/* A session on one CPU: its ring, its accounts and the wakeup of who reads them. */
#ifndef _ACRPMU_BUFFER_H
#define _ACRPMU_BUFFER_H

#include <linux/hrtimer.h>
#include <linux/irq_work.h>
#include <linux/types.h>

#include "../uapi/acrpmu.h"
#include "core/extra_reg.h"
#include "core/record.h"
#include "core/reload.h"
#include "core/ring.h"

struct acrpmu_ctx;
struct acrpmu_session;
struct vm_area_struct;

/**
 * struct acrpmu_accounts - what became of the overflows on one CPU
 * @records: samples written
 * @lost: overflows without a record, as the ring counts them; only in what is kept for readers
 * @throttled: overflows beyond the rate, each followed by a pause
 * @discarded: overflows found after the stop
 * @overflows: overflows that reached us, by event
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
 * @taken: its counters are held on this CPU; acrpmu_lock
 * @suspended: let go for a system suspend; acrpmu_lock
 * @lost_cpu: the CPU went offline, or could not be taken again; acrpmu_lock
 * @extra: extra registers of its events here; constant while @taken, acrpmu_lock
 * @plan: counters and register values here; constant while @taken, acrpmu_lock
 * @ctx: what a CPU session counts here, NULL for a task session; constant
 * @mem: memory of the ring as it is mapped, NULL when nothing is sampled; constant
 * @ring: the writer's side of it; the CPU itself, in NMI or with the session's counters stopped
 * @wake: wakes the pollers
 * @wake_head: data_head at the last wakeup
 * @resume: lets a paused session count again
 * @paused: throttled until @resume runs, or the task is switched out, which lets others run too;
 *	the CPU itself, in NMI or interrupts off
 * @paused_ns: local_clock() when it was
 * @tick: jiffies of the current rate window
 * @tick_overflows: overflows in it
 * @accounts: the CPU itself, in NMI or interrupts off
 * @seen: @accounts and losses when the CPU was last asked; acrpmu_lock
 * @overflows_reset: overflows at the last ACRPMU_RESET; acrpmu_lock
 */
struct acrpmu_session_cpu {
	struct acrpmu_session *session;
	bool taken;
	bool suspended;
	bool lost_cpu;
	struct acrpmu_extra_choice extra;
	struct acrpmu_plan plan;
	struct acrpmu_ctx *ctx;
	void *mem;
	struct acrpmu_ring ring;
	struct irq_work wake;
	u64 wake_head;
	struct hrtimer resume;
	bool paused;
	u64 paused_ns;
	unsigned long tick;
	unsigned int tick_overflows;
	struct acrpmu_accounts accounts;
	struct acrpmu_accounts seen;
	u64 overflows_reset[ACRPMU_MAX_EVENTS];
};

void acrpmu_buffer_init(struct acrpmu_session_cpu *scpu, struct acrpmu_session *session);
int acrpmu_buffer_alloc(struct acrpmu_session_cpu *scpu);
void acrpmu_buffer_uninit(struct acrpmu_session_cpu *scpu);
int acrpmu_buffer_mmap(struct acrpmu_session_cpu *scpu, struct vm_area_struct *vma);
u64 acrpmu_buffer_unread(const struct acrpmu_session_cpu *scpu);
void acrpmu_buffer_wake(struct acrpmu_session_cpu *scpu);
void acrpmu_buffer_flush_lost(struct acrpmu_session_cpu *scpu, const struct acrpmu_record *rec);
void acrpmu_buffer_notify(struct acrpmu_session_cpu *scpu);
void acrpmu_buffer_look(struct acrpmu_session_cpu *scpu);
bool acrpmu_buffer_throttle(struct acrpmu_session_cpu *scpu);

#endif /* _ACRPMU_BUFFER_H */
