// SPDX-License-Identifier: GPL-2.0-only
/* The sessions that exist, and the lock that serialises changes to them. */
#include <linux/cpu.h>
#include <linux/lockdep.h>

#include "registry.h"
#include "session.h"

/* see registry.h */
DEFINE_MUTEX(acrpmu_lock);
LIST_HEAD(acrpmu_sessions);

static u64 last_id;			/* acrpmu_lock */
static unsigned int nr_sessions;	/* written under acrpmu_lock */

/**
 * acrpmu_registry_lock() - keep sessions, claims and online CPUs from changing
 *
 * Context: process, may sleep; takes cpus_read_lock() and acrpmu_lock.
 */
void acrpmu_registry_lock(void)
{
	cpus_read_lock();
	mutex_lock(&acrpmu_lock);
}

/**
 * acrpmu_registry_unlock() - undo acrpmu_registry_lock()
 *
 * Context: process.
 */
void acrpmu_registry_unlock(void)
{
	mutex_unlock(&acrpmu_lock);
	cpus_read_unlock();
}

/**
 * acrpmu_registry_add() - number a session and add it to the list
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_registry_add(struct acrpmu_session *session)
{
	lockdep_assert_held(&acrpmu_lock);
	session->id = ++last_id;
	list_add_tail(&session->node, &acrpmu_sessions);
	WRITE_ONCE(nr_sessions, nr_sessions + 1);
}

/**
 * acrpmu_registry_remove() - remove a session from the list
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_registry_remove(struct acrpmu_session *session)
{
	lockdep_assert_held(&acrpmu_lock);
	list_del(&session->node);
	WRITE_ONCE(nr_sessions, nr_sessions - 1);
}

/**
 * acrpmu_registry_count() - number of sessions that exist
 *
 * Context: any.
 */
unsigned int acrpmu_registry_count(void)
{
	return READ_ONCE(nr_sessions);
}
