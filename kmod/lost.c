// SPDX-License-Identifier: GPL-2.0-only
/* Finding out that somebody else has got at the counters of a session, and calling for help. */
#include <linux/bitops.h>
#include <linux/irq_work.h>
#include <linux/smp.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "session.h"
#include "core/refuse.h"
#include "lost.h"
#include "owner.h"
#include "pmu.h"
#include "registry.h"
#include "watch.h"

#define INTERVAL	HZ

/* Its function is that of taken.c, which needs files above this one. */
static struct delayed_work look_work;

/**
 * acrpmu_lost_refuse() - fill why a CPU is lost: in-tree perf has it
 *
 * Context: any but NMI.
 */
void acrpmu_lost_refuse(int cpu, struct acrpmu_error *err)
{
	acrpmu_refuse(err, -EBUSY, ACRPMU_REASON_CLAIM_LOST, ACRPMU_NO_EVENT, 0, 0);
	strscpy(err->holder, "perf", sizeof(err->holder));
	err->cpu = cpu;
}

/**
 * acrpmu_lost_find() - find out whether somebody else has got at the counters of a session here
 * @scpu: it holds the CPU
 * @err: filled if so
 *
 * Context: interrupts off, on the CPU in question.
 */
bool acrpmu_lost_find(const struct acrpmu_session_cpu *scpu, struct acrpmu_error *err)
{
	const struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	struct acrpmu_changed changed;
	unsigned long foreign;
	unsigned int cntr;

	if (!acrpmu_owner_is_effective(scpu->cpu)) {
		acrpmu_lost_refuse(scpu->cpu, err);
		return true;
	}
	foreign = acrpmu_pmu_foreign_of(pmu, &scpu->plan);
	if (foreign) {
		cntr = __ffs(foreign);
		acrpmu_refuse(err, -EBUSY, ACRPMU_REASON_REGISTER, ACRPMU_NO_EVENT,
			      pmu->foreign[cntr].found, pmu->foreign[cntr].msr);
	} else if (acrpmu_watch_find(scpu, &changed)) {
		acrpmu_refuse(err, -EBUSY, ACRPMU_REASON_REGISTER, ACRPMU_NO_EVENT, changed.found,
			      changed.msr);
	} else {
		return false;
	}
	err->cpu = scpu->cpu;
	return true;
}

/**
 * acrpmu_lost_look() - have all CPUs looked at now
 *
 * Context: any but NMI.
 */
void acrpmu_lost_look(void)
{
	mod_delayed_work(acrpmu_wq, &look_work, 0);
}

/**
 * acrpmu_lost_wake_here() - check a session on this CPU before its readers are woken
 *
 * Context: interrupts off.  A CPU that it has lost is left to a worker.
 */
void acrpmu_lost_wake_here(const struct acrpmu_session *session)
{
	const struct acrpmu_session_cpu *scpu = acrpmu_session_on(session, smp_processor_id());
	struct acrpmu_error err;

	if (scpu && acrpmu_session_holds(scpu) && acrpmu_lost_find(scpu, &err))
		acrpmu_lost_look();
}

/**
 * acrpmu_lost_arm() - have all CPUs looked at in a second
 *
 * Context: any but NMI.
 */
void acrpmu_lost_arm(void)
{
	queue_delayed_work(acrpmu_wq, &look_work, INTERVAL);
}

static void look_now(struct irq_work *work)
{
	acrpmu_lost_look();
}

/**
 * acrpmu_lost_init() - set what looks at all CPUs
 *
 * Context: process, at load.
 */
void acrpmu_lost_init(work_func_t look)
{
	INIT_DELAYED_WORK(&look_work, look);
	/* Hard: with PREEMPT_RT a real-time task would hold off a thread. */
	acrpmu_pmu_loss = IRQ_WORK_INIT_HARD(look_now);
}

/**
 * acrpmu_lost_exit() - undo acrpmu_lost_arm()
 *
 * Context: process, may sleep, at unload; no session is left.
 */
void acrpmu_lost_exit(void)
{
	irq_work_sync(&acrpmu_pmu_loss);
	cancel_delayed_work_sync(&look_work);
}
