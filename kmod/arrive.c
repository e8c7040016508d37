// SPDX-License-Identifier: GPL-2.0-only
/* Reserving CPUs on which tasks of a session were seen running. */
#include <linux/cpumask.h>
#include <linux/irq_work.h>
#include <linux/jiffies.h>
#include <linux/workqueue.h>

#include "session.h"
#include "arrive.h"
#include "clean.h"
#include "registry.h"
#include "reserve.h"
#include "session_cpu.h"

/* A CPU that cannot be reserved is not tried at every switch. */
#define RETRY_AFTER	HZ

static bool wants_cpu(const struct acrpmu_session *session)
{
	return !session->parked && !cpumask_empty(session->wanted);
}

/* Find a session that wants a CPU; it is not freed while it is arriving. */
static struct acrpmu_session *begin(void)
{
	struct acrpmu_session *session, *found = NULL;

	mutex_lock(&acrpmu_lock);
	list_for_each_entry(session, &acrpmu_sessions, node)
		if (wants_cpu(session) && mutex_trylock(&session->reserve_lock)) {
			session->arriving = true;
			found = session;
			break;
		}
	mutex_unlock(&acrpmu_lock);
	return found;
}

static void end(struct acrpmu_session *session)
{
	mutex_lock(&acrpmu_lock);
	session->arriving = false;
	wake_up_all(&session->wait);
	mutex_unlock(&acrpmu_lock);
}

/* Missed time goes on being counted where the CPU cannot be reserved. */
static void reserve_cpu(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_error err = { };

	/* Another session has found out since. */
	if (acrpmu_clean_is_stuck(cpu))
		return;
	if (acrpmu_session_cpu_get(session, cpumask_of(cpu)))
		WRITE_ONCE(session->arrive_after, jiffies + RETRY_AFTER);
	else if (acrpmu_reserve_arrived(session, cpu, &err))
		WRITE_ONCE(acrpmu_session_on(session, cpu)->arrive_after, jiffies + RETRY_AFTER);
	else
		wake_up_all(&session->wait);
}

static void reserve_wanted(struct acrpmu_session *session)
{
	int cpu;

	for_each_cpu(cpu, session->cpus) {
		if (!cpumask_test_cpu(cpu, session->wanted))
			continue;
		reserve_cpu(session, cpu);
		cpumask_clear_cpu(cpu, session->wanted);
	}
}

static void arrive(struct work_struct *work)
{
	struct acrpmu_session *session;

	for (session = begin(); session; session = begin()) {
		reserve_wanted(session);
		mutex_unlock(&session->reserve_lock);
		end(session);
	}
}

static DECLARE_WORK(arrive_work, arrive);

static void notice(struct irq_work *work)
{
	queue_work(acrpmu_wq, &arrive_work);
}

/**
 * acrpmu_arrive_init() - reserve CPUs whenever acrpmu_notice is queued
 *
 * Context: process, at load.
 */
void acrpmu_arrive_init(void)
{
	init_irq_work(&acrpmu_notice, notice);
}

/**
 * acrpmu_arrive_exit() - undo acrpmu_arrive_init()
 *
 * Context: process, may sleep, at unload; no session is left.
 */
void acrpmu_arrive_exit(void)
{
	irq_work_sync(&acrpmu_notice);
	cancel_work_sync(&arrive_work);
}
