// SPDX-License-Identifier: GPL-2.0-only
/* What happened, as attributes of a message, for a reader who may not know all of it. */
#include <linux/cpumask.h>
#include <linux/cred.h>
#include <linux/pid.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>
#include <linux/timekeeping.h>
#include <net/netlink.h>

#include "../uapi/acrpmu_netlink.h"
#include "session.h"
#include "account.h"
#include "core/refuse.h"
#include "message.h"
#include "pids.h"
#include "registry.h"
#include "watch.h"

/* ---- what a reader may know ---- */

/**
 * acrpmu_view_begin() - remember what the caller may know
 * @view: out
 *
 * Context: process.
 */
void acrpmu_view_begin(struct acrpmu_view *view, bool capable)
{
	view->pid_ns = get_pid_ns(task_active_pid_ns(current));
	view->cred = get_current_cred();
	view->capable = capable;
}

/**
 * acrpmu_view_end() - undo acrpmu_view_begin()
 *
 * Context: process.
 */
void acrpmu_view_end(struct acrpmu_view *view)
{
	put_cred(view->cred);
	put_pid_ns(view->pid_ns);
}

/**
 * acrpmu_view_same() - check that messages for one reader are right for another one
 *
 * Context: any.
 */
bool acrpmu_view_same(const struct acrpmu_view *a, const struct acrpmu_view *b)
{
	return a->pid_ns == b->pid_ns && a->cred->user_ns == b->cred->user_ns &&
	       a->capable == b->capable && (a->capable || uid_eq(a->cred->euid, b->cred->euid));
}

/* ---- attributes ---- */

static int put_u64(struct sk_buff *skb, int attr, u64 value)
{
	return nla_put_u64_64bit(skb, attr, value, ACRPMU_NL_A_PAD);
}

static int put_who(struct sk_buff *skb, struct pid *pid, const char *comm, kuid_t uid,
		   const struct acrpmu_view *view)
{
	return nla_put_u32(skb, ACRPMU_NL_A_PID, acrpmu_pids_of(pid, view->pid_ns)) ?:
	       nla_put_string(skb, ACRPMU_NL_A_COMM, comm) ?:
	       nla_put_u32(skb, ACRPMU_NL_A_UID, from_kuid_munged(view->cred->user_ns, uid));
}

/* In bytes, which have the same order everywhere. */
static int put_cpus(struct sk_buff *skb, int attr, const struct cpumask *cpus)
{
	unsigned int last = cpumask_last(cpus);
	unsigned int bytes = last < nr_cpu_ids ? last / BITS_PER_BYTE + 1 : 0;
	struct nlattr *nla = nla_reserve(skb, attr, bytes);
	unsigned int cpu;
	u8 *set;

	if (!nla)
		return -EMSGSIZE;
	set = nla_data(nla);
	memset(set, 0, bytes);
	for_each_cpu(cpu, cpus)
		set[cpu / BITS_PER_BYTE] |= BIT(cpu % BITS_PER_BYTE);
	return 0;
}

static int put_event(struct sk_buff *skb, const struct acrpmu_ev *ev)
{
	struct nlattr *nest = nla_nest_start(skb, ACRPMU_NL_A_EVENT);

	if (!nest ||
	    nla_put_u64_64bit(skb, ACRPMU_NL_EV_CONFIG, ev->config, ACRPMU_NL_EV_PAD) ||
	    (ev->extra_value && nla_put_u64_64bit(skb, ACRPMU_NL_EV_EXTRA, ev->extra_value,
						  ACRPMU_NL_EV_PAD)) ||
	    (ev->period && nla_put_u64_64bit(skb, ACRPMU_NL_EV_PERIOD, ev->period,
					     ACRPMU_NL_EV_PAD)) ||
	    (ev->cause_events && nla_put_u64_64bit(skb, ACRPMU_NL_EV_ACR_MASK, ev->cause_events,
						   ACRPMU_NL_EV_PAD)) ||
	    nla_put_u32(skb, ACRPMU_NL_EV_FLAGS, ev->flags))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

static int put_events(struct sk_buff *skb, const struct acrpmu_session *session)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < session->group.nr; i++)
		ret = put_event(skb, &session->group.ev[i]);
	return ret;
}

/* ---- the CPUs and counters of a session ---- */

static bool has_same_cntrs(const struct acrpmu_session *session, int a, int b)
{
	const struct acrpmu_plan *of_a = &acrpmu_session_on(session, a)->plan;
	const struct acrpmu_plan *of_b = &acrpmu_session_on(session, b)->plan;
	unsigned int i;

	for (i = 0; i < session->group.nr; i++)
		if (of_a->hw[i].cntr != of_b->hw[i].cntr)
			return false;
	return true;
}

/* The CPUs with the counters of the first of @left.  Room for the number of others is kept. */
static int put_placement(struct sk_buff *skb, const struct acrpmu_session *session,
			 const struct cpumask *left, struct cpumask *same)
{
	struct nlattr *nest = nla_nest_start(skb, ACRPMU_NL_A_PLACEMENT);
	unsigned int cpu, i, first = cpumask_first(left);
	u8 cntrs[ACRPMU_MAX_EVENTS];

	cpumask_clear(same);
	for_each_cpu(cpu, left)
		if (has_same_cntrs(session, first, cpu))
			cpumask_set_cpu(cpu, same);
	for (i = 0; i < session->group.nr; i++)
		cntrs[i] = acrpmu_session_on(session, first)->plan.hw[i].cntr;
	if (!nest || put_cpus(skb, ACRPMU_NL_PL_CPUS, same) ||
	    nla_put(skb, ACRPMU_NL_PL_COUNTERS, session->group.nr, cntrs) ||
	    skb_tailroom(skb) < nla_total_size(sizeof(u32))) {
		nla_nest_cancel(skb, nest);
		return -EMSGSIZE;
	}
	nla_nest_end(skb, nest);
	return 0;
}

static int put_placements(struct sk_buff *skb, const struct acrpmu_session *session,
			  struct cpumask *left, bool may_cut)
{
	static cpumask_t same;		/* acrpmu_lock */
	int ret = 0;

	while (!cpumask_empty(left)) {
		ret = put_placement(skb, session, left, &same);
		if (ret)
			break;
		cpumask_andnot(left, left, &same);
	}
	if (!ret || !may_cut)
		return ret;
	return nla_put_u32(skb, ACRPMU_NL_A_UNPLACED, cpumask_weight(left));
}

static u32 state_of(const struct acrpmu_session *session)
{
	const struct acrpmu_session_cpu *scpu;
	u32 state = acrpmu_account_state(session) | (session->taken ? ACRPMU_STATE_TAKEN : 0);

	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (acrpmu_hold_is_lost(scpu))
			state |= ACRPMU_STATE_CPU_LOST;
	return state;
}

static int put_state(struct sk_buff *skb, const struct acrpmu_session *session, u32 more)
{
	static cpumask_t held;		/* acrpmu_lock */

	acrpmu_account_held(session, &held);
	return nla_put_u32(skb, ACRPMU_NL_A_STATE, state_of(session) | more) ?:
	       put_cpus(skb, ACRPMU_NL_A_CPUS, &held);
}

static int put_session(struct sk_buff *skb, const struct acrpmu_session *session, bool may_cut)
{
	static cpumask_t held;		/* acrpmu_lock */

	if (put_u64(skb, ACRPMU_NL_A_CREATED, session->created_ns) ||
	    nla_put_u32(skb, ACRPMU_NL_A_FLAGS, session->group.flags) ||
	    (session->task_target &&
	     nla_put_u32(skb, ACRPMU_NL_A_NR_TASKS, READ_ONCE(session->nr_tasks))) ||
	    put_state(skb, session, 0) || put_events(skb, session))
		return -EMSGSIZE;
	acrpmu_account_held(session, &held);
	return put_placements(skb, session, &held, may_cut);
}

/**
 * acrpmu_message_fill_session() - describe a session
 * @may_cut: leave out counters for which there is no room, and give their number
 *
 * Context: process, acrpmu_lock held.
 * Return: 0; -EMSGSIZE: there is too little room.
 */
int acrpmu_message_fill_session(struct sk_buff *skb, const struct acrpmu_session *session,
				const struct acrpmu_view *view, bool may_cut)
{
	return put_u64(skb, ACRPMU_NL_A_SESSION, session->id) ?:
	       put_who(skb, session->creator, session->comm, session->cred->euid, view) ?:
	       put_session(skb, session, may_cut);
}

/* ---- what happened ---- */

static int put_count(struct sk_buff *skb, const struct acrpmu_count *count)
{
	struct nlattr *nest = nla_nest_start(skb, ACRPMU_NL_A_COUNT);

	if (!nest ||
	    nla_put_u64_64bit(skb, ACRPMU_NL_CN_VALUE, count->value, ACRPMU_NL_CN_PAD) ||
	    nla_put_u64_64bit(skb, ACRPMU_NL_CN_OVERFLOWS, count->overflows, ACRPMU_NL_CN_PAD) ||
	    nla_put_u32(skb, ACRPMU_NL_CN_FLAGS, count->flags))
		return -EMSGSIZE;
	nla_nest_end(skb, nest);
	return 0;
}

/*
 * A session that was created with the capability may count other users and the kernel, and not
 * every process of the same user can gain it.
 */
static bool shows_counts(const struct acrpmu_view *view, const struct acrpmu_session *session)
{
	return view->capable || session->unprivileged;
}

/* Of a session that has stopped, and follows no task any more. */
static int put_accounts(struct sk_buff *skb, struct acrpmu_session *session)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS] = { };
	struct acrpmu_read read = {
		.cpu = ACRPMU_CPU_ALL,
		.nr_counts = session->group.nr,
		.time_enabled_ns = session->enabled_ns,
	};
	u64 outside[ACRPMU_MAX_EVENTS] = { };
	unsigned int i;
	int ret = 0;

	acrpmu_account_begin(session);
	acrpmu_account_sum(session, NULL, &read, counts, outside);
	for (i = 0; !ret && i < read.nr_counts; i++)
		ret = put_count(skb, &counts[i]);
	return ret ?: put_u64(skb, ACRPMU_NL_A_TIME_ENABLED, read.time_enabled_ns) ?:
		      put_u64(skb, ACRPMU_NL_A_TIME_RUNNING, read.time_running_ns) ?:
		      put_u64(skb, ACRPMU_NL_A_TIME_MISSED, read.time_missed_ns) ?:
		      put_u64(skb, ACRPMU_NL_A_RECORDS, read.records) ?:
		      put_u64(skb, ACRPMU_NL_A_LOST, read.lost) ?:
		      put_u64(skb, ACRPMU_NL_A_THROTTLED, read.throttled) ?:
		      put_u64(skb, ACRPMU_NL_A_DISCARDED, read.discarded) ?:
		      put_u64(skb, ACRPMU_NL_A_GUEST, read.guest) ?:
		      put_u64(skb, ACRPMU_NL_A_QUIET, read.quiet);
}

static int put_end(struct sk_buff *skb, const struct acrpmu_notice *notice,
		   const struct acrpmu_view *view)
{
	int ret = put_u64(skb, ACRPMU_NL_A_CREATED, notice->session->created_ns);

	if (ret || !shows_counts(view, notice->session))
		return ret;
	return put_accounts(skb, notice->session);
}

static int put_lost(struct sk_buff *skb, const struct acrpmu_notice *notice,
		    const struct acrpmu_view *view)
{
	if (!shows_counts(view, notice->session))
		return 0;
	return put_u64(skb, ACRPMU_NL_A_LOST, notice->lost);
}

static int put_pauses(struct sk_buff *skb, const struct acrpmu_notice *notice,
		      const struct acrpmu_view *view)
{
	if (!shows_counts(view, notice->session))
		return 0;
	return put_u64(skb, ACRPMU_NL_A_THROTTLED, notice->throttled) ?:
	       put_u64(skb, ACRPMU_NL_A_PAUSES, notice->pauses);
}

/* What exec has enabled may have been disabled by the time that it is reported. */
static int put_change(struct sk_buff *skb, const struct acrpmu_notice *notice)
{
	u32 more = notice->change == ACRPMU_NL_CHANGE_ENABLED ? ACRPMU_STATE_ENABLED : 0;
	int ret = nla_put_u32(skb, ACRPMU_NL_A_CHANGE, notice->change) ?:
		  put_state(skb, notice->session, more);

	if (ret || notice->change != ACRPMU_NL_CHANGE_PERIODS)
		return ret;
	return put_events(skb, notice->session);
}

static int put_refusal(struct sk_buff *skb, const struct acrpmu_notice *notice,
		       const struct acrpmu_view *view)
{
	struct acrpmu_error err = *notice->err;

	if (!view->capable)
		acrpmu_refuse_hide_others(notice->ret, &err);
	if (nla_put_u32(skb, ACRPMU_NL_A_ERRNO, -notice->ret) ||
	    nla_put_u32(skb, ACRPMU_NL_A_REASON, err.reason) ||
	    (err.event >= 0 && nla_put_u32(skb, ACRPMU_NL_A_EVENT_INDEX, err.event)) ||
	    (err.cpu >= 0 && nla_put_u32(skb, ACRPMU_NL_A_CPU, err.cpu)) ||
	    put_u64(skb, ACRPMU_NL_A_VALUE, err.value) ||
	    put_u64(skb, ACRPMU_NL_A_LIMIT, err.limit) ||
	    nla_put_u32(skb, ACRPMU_NL_A_HOLDER_PID,
			acrpmu_pids_translate(err.holder_pid, view->pid_ns)))
		return -EMSGSIZE;
	return err.holder[0] ? nla_put_string(skb, ACRPMU_NL_A_HOLDER, err.holder) : 0;
}

/* What somebody else has written is no business of a user; a counter's value is a count. */
static int put_changed(struct sk_buff *skb, const struct acrpmu_changed *changed,
		       const struct acrpmu_view *view)
{
	return nla_put_u32(skb, ACRPMU_NL_A_COUNTER, changed->cntr) ?:
	       nla_put_u32(skb, ACRPMU_NL_A_REGISTER, changed->msr) ?:
	       (shows_counts(view, changed->session) ?
		put_u64(skb, ACRPMU_NL_A_EXPECTED, changed->expected) : 0) ?:
	       (view->capable ? put_u64(skb, ACRPMU_NL_A_FOUND, changed->found) : 0);
}

static int put_details(struct sk_buff *skb, const struct acrpmu_notice *notice,
		       const struct acrpmu_view *view)
{
	switch (notice->cmd) {
	case ACRPMU_NL_CMD_SESSION_CREATED:
		return put_session(skb, notice->session, true);
	case ACRPMU_NL_CMD_SESSION_CHANGED:
		return put_change(skb, notice);
	case ACRPMU_NL_CMD_SESSION_ENDED:
		return put_end(skb, notice, view);
	case ACRPMU_NL_CMD_PMU_CLAIMED:
	case ACRPMU_NL_CMD_PMU_RELEASED:
		return put_cpus(skb, ACRPMU_NL_A_CPUS, notice->cpus);
	case ACRPMU_NL_CMD_REFUSED:
	case ACRPMU_NL_CMD_PMU_TAKEN:
		return put_refusal(skb, notice, view);
	case ACRPMU_NL_CMD_REGISTER_CHANGED:
		return put_changed(skb, notice->changed, view);
	case ACRPMU_NL_CMD_LOST:
		return put_lost(skb, notice, view);
	case ACRPMU_NL_CMD_STOPPED:
	case ACRPMU_NL_CMD_RESUMED:
		return put_pauses(skb, notice, view);
	default:
		return 0;
	}
}

static int fill_missed(struct sk_buff *skb, const struct acrpmu_notice *notice)
{
	return put_u64(skb, ACRPMU_NL_A_MISSED, notice->missed) ?:
	       put_u64(skb, ACRPMU_NL_A_LEFT_OUT, notice->left_out);
}

/**
 * acrpmu_message_fill() - describe what happened
 * @skb: with room for ACRPMU_NL_MAX_MESSAGE
 *
 * Context: process; acrpmu_lock held if @notice is about a session.
 * Return: 0; -EMSGSIZE, which does not happen with that room.
 */
int acrpmu_message_fill(struct sk_buff *skb, const struct acrpmu_notice *notice,
			const struct acrpmu_view *view)
{
	if (notice->cmd == ACRPMU_NL_CMD_MISSED)
		return fill_missed(skb, notice);
	/* It has just happened: the clock is not read for listeners that do not read. */
	if (put_u64(skb, ACRPMU_NL_A_TIME, ktime_get_boottime_ns()) ||
	    (notice->session && put_u64(skb, ACRPMU_NL_A_SESSION, notice->session->id)) ||
	    (notice->owned && put_who(skb, notice->pid, notice->comm, notice->uid, view)) ||
	    (notice->cpu >= 0 && nla_put_u32(skb, ACRPMU_NL_A_CPU, notice->cpu)))
		return -EMSGSIZE;
	return put_details(skb, notice, view);
}
