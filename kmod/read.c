// SPDX-License-Identifier: GPL-2.0-only
/* Reading the counts and accounts of a session. */
#include <linux/cpumask.h>
#include <linux/timekeeping.h>

#include "session.h"
#include "account.h"
#include "read.h"
#include "registry.h"
#include "taken.h"
#include "target.h"

static void read_state(const struct acrpmu_session *session, struct acrpmu_read *read)
{
	read->time_enabled_ns = session->enabled_ns;
	if (session->enabled)
		read->time_enabled_ns += ktime_get_ns() - session->enabled_since_ns;
	read->state |= acrpmu_account_state(session);
}

static void sync(struct acrpmu_session *session)
{
	acrpmu_account_begin(session);
	acrpmu_session_sync(session);
}

static bool has_cpu(const struct acrpmu_session *session, int cpu)
{
	return cpu == ACRPMU_CPU_ALL ||
	       (!session->task_target && cpu >= 0 && cpu < nr_cpu_ids &&
		cpumask_test_cpu(cpu, session->cpus));
}

/**
 * acrpmu_read_session() - read counts and accounts of a session
 * @read: in and out, its flags and sizes already checked
 * @counts: out, one for each event, zeroed
 * @outside: out, one for each event, zeroed
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if @read->cpu is not one of a CPU session's, or @read->target none of a task
 * session's.
 */
int acrpmu_read_session(struct acrpmu_session *session, struct acrpmu_read *read,
			struct acrpmu_count *counts, u64 *outside)
{
	struct acrpmu_target *target = NULL;

	if (read->target)
		target = acrpmu_target_find(session, read->target);
	if (!has_cpu(session, read->cpu) || (read->target && !target))
		return -EINVAL;
	acrpmu_registry_lock();
	sync(session);
	if (acrpmu_taken_is_new(session)) {
		/* It names the holder. */
		acrpmu_registry_unlock();
		acrpmu_taken_settle();
		acrpmu_registry_lock();
		sync(session);
	}
	acrpmu_account_sum(session, target, read, counts, outside);
	read_state(session, read);
	/* Whichever CPU it was about, or a poller would spin. */
	WRITE_ONCE(session->taken_unread, false);
	acrpmu_registry_unlock();
	return 0;
}
