// SPDX-License-Identifier: GPL-2.0-only
/* What happens to sessions and CPUs, for those who listen. */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/irq_work.h>
#include <linux/timekeeping.h>
#include <linux/workqueue.h>

#include "../uapi/acrpmu_netlink.h"
#include "session.h"
#include "account.h"
#include "listener.h"
#include "message.h"
#include "notify.h"
#include "registry.h"
#include "topic.h"

/* What interrupts mark is reported no more often. */
#define INTERVAL	(HZ / 10)

/* ---- notices ---- */

static struct acrpmu_notice about(const struct acrpmu_session *session, u32 topic, u8 cmd)
{
	return (struct acrpmu_notice){
		.topic = topic,
		.cmd = cmd,
		.time_ns = ktime_get_boottime_ns(),
		.session = session,
		.owned = true,
		.pid = session->creator,
		.comm = session->comm,
		.uid = session->cred->euid,
		.cpu = -1,
	};
}

/* Nobody hears of a session before it is created, or of one that was refused. */
static bool is_wanted(const struct acrpmu_session *session, u32 topic)
{
	lockdep_assert_held(&acrpmu_lock);
	return acrpmu_topic_wanted(topic) && session->announced;
}

/* ---- sessions ---- */

/**
 * acrpmu_notify_created() - announce a session that was created whole
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_notify_created(struct acrpmu_session *session)
{
	struct acrpmu_notice notice = about(session, ACRPMU_NL_TOPIC_SESSIONS,
					    ACRPMU_NL_CMD_SESSION_CREATED);

	acrpmu_registry_announce(session);
	if (is_wanted(session, ACRPMU_NL_TOPIC_SESSIONS))
		acrpmu_listener_send(&notice);
}

/**
 * acrpmu_notify_session() - report that a session has changed
 * @change: ACRPMU_NL_CHANGE_*
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_notify_session(struct acrpmu_session *session, u32 change)
{
	struct acrpmu_notice notice;

	if (!is_wanted(session, ACRPMU_NL_TOPIC_SESSIONS))
		return;
	notice = about(session, ACRPMU_NL_TOPIC_SESSIONS, ACRPMU_NL_CMD_SESSION_CHANGED);
	notice.change = change;
	acrpmu_listener_send(&notice);
}

static void send_ended(struct acrpmu_session *session)
{
	struct acrpmu_notice notice = about(session, ACRPMU_NL_TOPIC_SESSIONS,
					    ACRPMU_NL_CMD_SESSION_ENDED);
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS] = { };
	struct acrpmu_read read = {
		.cpu = ACRPMU_CPU_ALL,
		.nr_counts = session->group.nr,
		.time_enabled_ns = session->enabled_ns,
	};
	u64 outside[ACRPMU_MAX_EVENTS] = { };

	acrpmu_account_begin(session);
	acrpmu_account_sum(session, NULL, &read, counts, outside);
	notice.read = &read;
	notice.counts = counts;
	acrpmu_listener_send(&notice);
}

/**
 * acrpmu_notify_ended() - report that a session has ended, with its final counts
 *
 * Context: process, acrpmu_lock held; the session has stopped, and follows no task any more.
 */
void acrpmu_notify_ended(struct acrpmu_session *session)
{
	if (is_wanted(session, ACRPMU_NL_TOPIC_SESSIONS))
		send_ended(session);
}

/* ---- what interrupts have marked ---- */

/* B, pairs with A in topic.c: what was counted before the mark is seen from here on. */
static bool unmark(bool *mark)
{
	return READ_ONCE(*mark) && xchg(mark, false);
}

static void report(struct acrpmu_session *session)
{
	if (unmark(&session->marked))
		acrpmu_notify_session(session, ACRPMU_NL_CHANGE_ENABLED);
}

/* The marks of a session in the making stay for the next round. */
static void report_all(struct work_struct *work)
{
	struct acrpmu_session *session;

	mutex_lock(&acrpmu_lock);
	list_for_each_entry(session, &acrpmu_sessions, node)
		if (session->announced)
			report(session);
	mutex_unlock(&acrpmu_lock);
}

static DECLARE_DELAYED_WORK(report_work, report_all);

static void on_mark(struct irq_work *work)
{
	queue_delayed_work(acrpmu_wq, &report_work, INTERVAL);
}

/**
 * acrpmu_notify_init() - report what interrupts mark
 *
 * Context: process, at load.
 */
void acrpmu_notify_init(void)
{
	/* With PREEMPT_RT not in a thread: real-time tasks would hold it off. */
	acrpmu_topic_work = IRQ_WORK_INIT_HARD(on_mark);
}

/**
 * acrpmu_notify_exit() - undo acrpmu_notify_init()
 *
 * Context: process, may sleep, at unload; no session is left.
 */
void acrpmu_notify_exit(void)
{
	irq_work_sync(&acrpmu_topic_work);
	cancel_delayed_work_sync(&report_work);
}
