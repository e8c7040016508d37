// SPDX-License-Identifier: GPL-2.0-only
/* What happens to sessions and CPUs, for those who listen. */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/irq_work.h>
#include <linux/sched/signal.h>
#include <linux/workqueue.h>

#include "../uapi/acrpmu_netlink.h"
#include "session.h"
#include "account.h"
#include "core/refuse.h"
#include "listener.h"
#include "message.h"
#include "notify.h"
#include "owner.h"
#include "registry.h"
#include "topic.h"
#include "watch.h"

/* What interrupts mark is reported no more often. */
#define INTERVAL	(HZ / 10)

/* Registers are looked at that often. */
#define LOOK_INTERVAL	HZ

/* Registers that change all the time must not hold up a look; the next one has the rest. */
#define MAX_LOOKS	16

/* ---- notices ---- */

static struct acrpmu_notice about(struct acrpmu_session *session, u32 topic, u8 cmd)
{
	return (struct acrpmu_notice){
		.topic = topic,
		.cmd = cmd,
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

/* Makers of notices are not inlined: some kernels clear these at once, even if nobody listens. */
static noinline void send_plain(struct acrpmu_session *session, u32 topic, u8 cmd, int cpu)
{
	struct acrpmu_notice notice = about(session, topic, cmd);

	notice.cpu = cpu;
	acrpmu_listener_send(&notice);
}

/* ---- conflicts ---- */

static noinline void send_cpus(struct acrpmu_session *session, u8 cmd, const struct cpumask *cpus)
{
	struct acrpmu_notice notice = about(session, ACRPMU_NL_TOPIC_CONFLICTS, cmd);

	notice.cpus = cpus;
	acrpmu_listener_send(&notice);
}

static void report_cpus(struct acrpmu_session *session, u8 cmd, const struct cpumask *cpus)
{
	if (is_wanted(session, ACRPMU_NL_TOPIC_CONFLICTS) && !cpumask_empty(cpus))
		send_cpus(session, cmd, cpus);
}

/**
 * acrpmu_notify_claimed() - report that a session has reserved counters of some CPUs
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_notify_claimed(struct acrpmu_session *session, const struct cpumask *cpus)
{
	report_cpus(session, ACRPMU_NL_CMD_PMU_CLAIMED, cpus);
}

/**
 * acrpmu_notify_released() - report that a session has released its counters of some CPUs
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_notify_released(struct acrpmu_session *session, const struct cpumask *cpus)
{
	report_cpus(session, ACRPMU_NL_CMD_PMU_RELEASED, cpus);
}

static bool is_conflict(int ret, const struct acrpmu_error *err)
{
	return ret == -EBUSY && err->reason != ACRPMU_REASON_SUSPEND &&
	       err->reason != ACRPMU_REASON_SHUTDOWN && err->reason != ACRPMU_REASON_CPU_STUCK;
}

static noinline void send_refused(struct acrpmu_session *session, int ret,
				  const struct acrpmu_error *err)
{
	char comm[TASK_COMM_LEN];
	struct acrpmu_notice notice = {
		.topic = ACRPMU_NL_TOPIC_CONFLICTS,
		.cmd = ACRPMU_NL_CMD_REFUSED,
		.session = session,
		.owned = true,
		.pid = task_tgid(current),
		.comm = comm,
		.uid = current_euid(),
		.cpu = -1,
		.ret = ret,
		.err = err,
	};

	get_task_comm(comm, current);
	acrpmu_listener_send(&notice);
}

/**
 * acrpmu_notify_refused() - report that the caller was refused what somebody else uses
 * @session: NULL: it was to be created
 * @ret: negative errno
 * @err: why, with the holder named
 *
 * Context: process, may sleep, without acrpmu_lock.
 */
void acrpmu_notify_refused(struct acrpmu_session *session, int ret,
			   const struct acrpmu_error *err)
{
	if (!acrpmu_topic_wanted(ACRPMU_NL_TOPIC_CONFLICTS) || !is_conflict(ret, err))
		return;
	mutex_lock(&acrpmu_lock);
	if (!session || session->announced)
		send_refused(session, ret, err);
	mutex_unlock(&acrpmu_lock);
}

/**
 * acrpmu_notify_refused_cpu() - report that the module could not reserve a CPU for a session
 *
 * It tries again and again, but each reason is reported once.
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_notify_refused_cpu(struct acrpmu_session_cpu *scpu, int ret,
			       const struct acrpmu_error *err)
{
	struct acrpmu_notice notice;

	if (!is_wanted(scpu->session, ACRPMU_NL_TOPIC_CONFLICTS) || !is_conflict(ret, err) ||
	    scpu->reported_reason == err->reason)
		return;
	scpu->reported_reason = err->reason;
	notice = about(scpu->session, ACRPMU_NL_TOPIC_CONFLICTS, ACRPMU_NL_CMD_REFUSED);
	notice.ret = ret;
	notice.err = err;
	acrpmu_listener_send(&notice);
}

/**
 * acrpmu_notify_taken() - report that somebody else has taken a CPU from a session
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_notify_taken(const struct acrpmu_session_cpu *scpu)
{
	struct acrpmu_notice notice;

	if (!is_wanted(scpu->session, ACRPMU_NL_TOPIC_CONFLICTS))
		return;
	notice = about(scpu->session, ACRPMU_NL_TOPIC_CONFLICTS, ACRPMU_NL_CMD_PMU_TAKEN);
	notice.ret = -EBUSY;
	notice.err = &scpu->taken;
	acrpmu_listener_send(&notice);
}

static void send_changed(const struct acrpmu_changed *changed, int cpu)
{
	struct acrpmu_notice notice = about(changed->session, ACRPMU_NL_TOPIC_CONFLICTS,
					    ACRPMU_NL_CMD_REGISTER_CHANGED);

	notice.cpu = cpu;
	notice.changed = changed;
	acrpmu_listener_send(&notice);
}

/**
 * acrpmu_notify_changes() - report registers of sessions on a CPU that somebody else has changed
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_notify_changes(int cpu)
{
	static struct acrpmu_watch watch;	/* acrpmu_lock */
	unsigned int i, looks = 0;

	/* What perf has taken is reported as that. */
	if (!acrpmu_topic_wanted(ACRPMU_NL_TOPIC_CONFLICTS) ||
	    (acrpmu_owner_is_claimed(cpu) && !acrpmu_owner_is_effective(cpu)))
		return;
	do {
		acrpmu_watch_look(cpu, &watch);
		for (i = 0; i < watch.nr; i++)
			send_changed(&watch.changed[i], cpu);
	} while (watch.nr == ACRPMU_WATCH_MAX && ++looks < MAX_LOOKS);
}

static void look(struct work_struct *work);
static DECLARE_DELAYED_WORK(look_work, look);

static void look(struct work_struct *work)
{
	int cpu;

	acrpmu_registry_lock();
	for_each_online_cpu(cpu)
		acrpmu_notify_changes(cpu);
	acrpmu_registry_unlock();
	if (acrpmu_topic_wanted(ACRPMU_NL_TOPIC_CONFLICTS))
		queue_delayed_work(acrpmu_wq, &look_work, LOOK_INTERVAL);
}

/* ---- losses ---- */

static void send_losses(const struct acrpmu_session_cpu *scpu, u8 cmd)
{
	struct acrpmu_notice notice;

	if (!is_wanted(scpu->session, ACRPMU_NL_TOPIC_LOSSES))
		return;
	notice = about(scpu->session, ACRPMU_NL_TOPIC_LOSSES, cmd);
	notice.cpu = scpu->cpu;
	notice.lost = scpu->reported_lost;
	notice.throttled = READ_ONCE(scpu->accounts.throttled);
	notice.pauses = scpu->reported_pauses;
	acrpmu_listener_send(&notice);
}

/* B, pairs with A in topic.c: what was counted before the mark is seen from here on. */
static bool unmark(bool *mark)
{
	return READ_ONCE(*mark) && xchg(mark, false);
}

/* The CPU goes on counting in the meantime; what it adds leaves another mark. */
static void report_losses(struct acrpmu_session_cpu *scpu)
{
	u64 lost = acrpmu_ring_lost(&scpu->ring), pauses = READ_ONCE(scpu->pauses);
	bool paused = READ_ONCE(scpu->paused);

	if (lost != scpu->reported_lost) {
		scpu->reported_lost = lost;
		send_losses(scpu, ACRPMU_NL_CMD_LOST);
	}
	if (pauses != scpu->reported_pauses) {
		scpu->reported_pauses = pauses;
		scpu->reported_paused = true;
		send_losses(scpu, ACRPMU_NL_CMD_STOPPED);
	}
	if (paused || !scpu->reported_paused)
		return;
	scpu->reported_paused = false;
	/* One that has left the CPU does not count there. */
	if (acrpmu_session_holds(scpu))
		send_losses(scpu, ACRPMU_NL_CMD_RESUMED);
}

static void report_all_losses(const struct acrpmu_session *session)
{
	struct acrpmu_session_cpu *scpu;

	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (unmark(&scpu->marked))
			report_losses(scpu);
}

/* ---- CPUs ---- */

/**
 * acrpmu_notify_cpu() - report that a CPU has come online or goes offline
 *
 * Context: process.
 */
void acrpmu_notify_cpu(int cpu, bool online)
{
	struct acrpmu_notice notice = {
		.topic = ACRPMU_NL_TOPIC_CPUS,
		.cmd = online ? ACRPMU_NL_CMD_CPU_ONLINE : ACRPMU_NL_CMD_CPU_OFFLINE,
		.cpu = cpu,
	};

	if (acrpmu_topic_wanted(ACRPMU_NL_TOPIC_CPUS))
		acrpmu_listener_send(&notice);
}

/**
 * acrpmu_notify_cpu_lost() - report that a session does not count on a CPU any more
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_notify_cpu_lost(const struct acrpmu_session_cpu *scpu)
{
	if (is_wanted(scpu->session, ACRPMU_NL_TOPIC_CPUS))
		send_plain(scpu->session, ACRPMU_NL_TOPIC_CPUS, ACRPMU_NL_CMD_CPU_LOST, scpu->cpu);
}

/* ---- sessions ---- */

static noinline void send_change(struct acrpmu_session *session, u32 change)
{
	struct acrpmu_notice notice = about(session, ACRPMU_NL_TOPIC_SESSIONS,
					    ACRPMU_NL_CMD_SESSION_CHANGED);

	notice.change = change;
	acrpmu_listener_send(&notice);
}

/* The mark of a session in the making stays until it is announced. */
static void report_exec(struct acrpmu_session *session)
{
	if (session->announced && unmark(&session->marked) &&
	    is_wanted(session, ACRPMU_NL_TOPIC_SESSIONS))
		send_change(session, ACRPMU_NL_CHANGE_ENABLED);
}

static void report(struct acrpmu_session *session)
{
	report_exec(session);
	report_all_losses(session);
}

/**
 * acrpmu_notify_created() - announce a session that was created whole
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_notify_created(struct acrpmu_session *session)
{
	static cpumask_t held;		/* acrpmu_lock */

	acrpmu_registry_announce(session);
	if (is_wanted(session, ACRPMU_NL_TOPIC_SESSIONS))
		send_plain(session, ACRPMU_NL_TOPIC_SESSIONS, ACRPMU_NL_CMD_SESSION_CREATED, -1);
	acrpmu_account_held(session, &held);
	acrpmu_notify_claimed(session, &held);
	/* Marks that were left before had to wait. */
	report(session);
}

/**
 * acrpmu_notify_session() - report that a session has changed, and before that an exec's change
 * @change: ACRPMU_NL_CHANGE_*
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_notify_session(struct acrpmu_session *session, u32 change)
{
	report_exec(session);
	if (is_wanted(session, ACRPMU_NL_TOPIC_SESSIONS))
		send_change(session, change);
}

/**
 * acrpmu_notify_ended() - report that a session has ended, with its final counts
 *
 * Context: process, acrpmu_lock held; the session has stopped, and follows no task any more.
 */
void acrpmu_notify_ended(struct acrpmu_session *session)
{
	report(session);
	if (is_wanted(session, ACRPMU_NL_TOPIC_SESSIONS))
		send_plain(session, ACRPMU_NL_TOPIC_SESSIONS, ACRPMU_NL_CMD_SESSION_ENDED, -1);
}

/* ---- what interrupts have marked ---- */

/* The marks of a session in the making stay until it is announced. */
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

/* Also after somebody has subscribed. */
static void on_mark(struct irq_work *work)
{
	queue_delayed_work(acrpmu_wq, &report_work, INTERVAL);
	if (acrpmu_topic_wanted(ACRPMU_NL_TOPIC_CONFLICTS))
		queue_delayed_work(acrpmu_wq, &look_work, LOOK_INTERVAL);
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
	cancel_delayed_work_sync(&look_work);
}
