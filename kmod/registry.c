// SPDX-License-Identifier: GPL-2.0-only
/* The sessions that exist, and the lock that serialises changes to them. */
#include <linux/cpu.h>
#include <linux/cred.h>
#include <linux/lockdep.h>
#include <linux/slab.h>
#include <linux/uidgid.h>
#include <linux/user_namespace.h>
#include <linux/workqueue.h>

#include "session.h"
#include "core/refuse.h"
#include "limits.h"
#include "registry.h"

/* see registry.h */
DEFINE_MUTEX(acrpmu_lock);
LIST_HEAD(acrpmu_sessions);
struct workqueue_struct *acrpmu_wq;
struct irq_work acrpmu_notice;

/**
 * struct acrpmu_user - a user with sessions
 * @node: in the list of users
 * @uid: the user
 * @nr: number of sessions
 * @nr_unprivileged: those of them created without CAP_PERFMON
 *
 * Members: acrpmu_lock.
 */
struct acrpmu_user {
	struct list_head node;
	kuid_t uid;
	unsigned int nr;
	unsigned int nr_unprivileged;
};

static LIST_HEAD(users);		/* acrpmu_lock */
static u64 last_id;			/* acrpmu_lock */
static unsigned int nr_sessions;	/* written under acrpmu_lock */
static unsigned int generation = 1;	/* acrpmu_lock */

/**
 * acrpmu_registry_lock() - keep sessions and online CPUs from changing
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

/* Users of a user namespace count as the one who created it: anyone may create any number. */
static kuid_t counted_uid(void)
{
	const struct user_namespace *ns;
	kuid_t uid = current_uid();

	for (ns = current_user_ns(); ns != &init_user_ns; ns = ns->parent)
		uid = ns->owner;
	return uid;
}

static struct acrpmu_user *get_user_entry(void)
{
	struct acrpmu_user *user;
	kuid_t uid = counted_uid();

	list_for_each_entry(user, &users, node)
		if (uid_eq(user->uid, uid))
			return user;
	user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);
	if (!user)
		return NULL;
	user->uid = uid;
	list_add(&user->node, &users);
	return user;
}

static void put_user_entry(struct acrpmu_user *user)
{
	if (user->nr)
		return;
	list_del(&user->node);
	kfree(user);
}

static bool has_too_many(const struct acrpmu_user *user, const struct acrpmu_session *session,
			 unsigned int *limit)
{
	*limit = READ_ONCE(acrpmu_max_sessions);
	if (user->nr >= *limit || !session->unprivileged)
		return user->nr >= *limit;
	*limit = READ_ONCE(acrpmu_max_unprivileged_sessions);
	return user->nr_unprivileged >= *limit;
}

/**
 * acrpmu_registry_add() - number a session of the caller and add it to the list
 * @err: filled when refused
 *
 * Context: process, may sleep, acrpmu_lock held.
 * Return: 0; -EMFILE if the caller has too many; -ENOMEM.
 */
int acrpmu_registry_add(struct acrpmu_session *session, struct acrpmu_error *err)
{
	struct acrpmu_user *user;
	unsigned int limit;

	lockdep_assert_held(&acrpmu_lock);
	user = get_user_entry();
	if (!user)
		return -ENOMEM;
	if (has_too_many(user, session, &limit)) {
		put_user_entry(user);
		return acrpmu_refuse(err, -EMFILE, ACRPMU_REASON_SESSIONS, ACRPMU_NO_EVENT, limit,
				     limit);
	}
	user->nr++;
	user->nr_unprivileged += session->unprivileged;
	session->user = user;
	session->id = ++last_id;
	list_add_tail(&session->node, &acrpmu_sessions);
	WRITE_ONCE(nr_sessions, nr_sessions + 1);
	return 0;
}

/**
 * acrpmu_registry_announce() - let others know of a session that was created whole
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_registry_announce(struct acrpmu_session *session)
{
	lockdep_assert_held(&acrpmu_lock);
	session->announced = true;
	generation++;
}

/**
 * acrpmu_registry_generation() - get a number that changes when a session is announced or removed
 *
 * Context: process, acrpmu_lock held.
 */
unsigned int acrpmu_registry_generation(void)
{
	lockdep_assert_held(&acrpmu_lock);
	return generation;
}

/**
 * acrpmu_registry_remove() - remove a session from the list, if it is there
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_registry_remove(struct acrpmu_session *session)
{
	lockdep_assert_held(&acrpmu_lock);
	if (!session->user)
		return;
	list_del(&session->node);
	generation += session->announced;
	/* Whoever still works for it reports nothing any more. */
	session->announced = false;
	session->user->nr--;
	session->user->nr_unprivileged -= session->unprivileged;
	put_user_entry(session->user);
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

/**
 * acrpmu_registry_init() - make the queue for work that may wait
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_registry_init(void)
{
	acrpmu_wq = alloc_workqueue("acrpmu", WQ_UNBOUND, 0);
	return acrpmu_wq ? 0 : -ENOMEM;
}

/**
 * acrpmu_registry_exit() - undo acrpmu_registry_init()
 *
 * Context: process, may sleep, at unload.
 */
void acrpmu_registry_exit(void)
{
	destroy_workqueue(acrpmu_wq);
}
