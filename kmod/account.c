// SPDX-License-Identifier: GPL-2.0-only
/* Adding up what a session has counted, and its state. */
#include <linux/cpumask.h>
#include <linux/string.h>

#include "session.h"
#include "account.h"
#include "buffer.h"
#include "ctx.h"
#include "followed.h"
#include "missed.h"
#include "registry.h"
#include "target.h"

/**
 * acrpmu_account_publish() - show readers the accounts of a CPU
 *
 * Context: interrupts off, on the CPU in question; whoever made this CPU call holds acrpmu_lock.
 */
void acrpmu_account_publish(struct acrpmu_session_cpu *scpu)
{
	scpu->seen = scpu->accounts;
	scpu->seen.lost = acrpmu_ring_lost(&scpu->ring);
}

/**
 * acrpmu_account_periods_ended() - add up the periods of an event that ended on a CPU
 *
 * Context: process, acrpmu_lock held; or the CPU itself, interrupts off, for whoever holds it.
 * Return: occurrences since the last reset, as of when the accounts were last published.
 */
u64 acrpmu_account_periods_ended(const struct acrpmu_session_cpu *scpu, unsigned int ev)
{
	u64 overflows = scpu->seen.overflows[ev] - scpu->overflows_set[ev];

	return scpu->periods_ended[ev] + overflows * scpu->plan.period[ev];
}

/**
 * acrpmu_account_periods_reset() - forget the periods that ended
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_account_periods_reset(struct acrpmu_session_cpu *scpu)
{
	memcpy(scpu->overflows_set, scpu->seen.overflows, sizeof(scpu->seen.overflows));
	memset(scpu->periods_ended, 0, sizeof(scpu->periods_ended));
}

/**
 * struct sums - what ACRPMU_READ adds up
 * @target: the one that is wanted, NULL: the whole session
 * @read: in and out
 * @counted: by contexts, or by those of @target
 * @by_cpu: by CPUs, for all targets; @total: the periods that ended
 */
struct sums {
	struct acrpmu_target *target;
	struct acrpmu_read *read;
	struct acrpmu_tally counted[ACRPMU_MAX_EVENTS];
	struct acrpmu_tally by_cpu[ACRPMU_MAX_EVENTS];
};

static void add_ctx(const struct acrpmu_ctx *ctx, struct sums *sums)
{
	unsigned int i, seq, nr = ctx->session->group.nr;
	struct acrpmu_tally seen[ACRPMU_MAX_EVENTS];
	u64 seen_ns;

	do {
		seq = raw_read_seqcount_begin(&ctx->seq);
		for (i = 0; i < nr; i++)
			seen[i] = ctx->cell[i].seen;
		seen_ns = ctx->seen_ns;
	} while (read_seqcount_retry(&ctx->seq, seq));
	for (i = 0; i < nr; i++)
		acrpmu_tally_add(&sums->counted[i], &seen[i]);
	sums->read->time_running_ns += seen_ns;
}

static void add_scpu(const struct acrpmu_session_cpu *scpu, struct sums *sums)
{
	const struct acrpmu_session *session = scpu->session;
	struct acrpmu_read *read = sums->read;
	unsigned int i;

	for (i = 0; i < session->group.nr; i++) {
		struct acrpmu_tally *sum = &sums->by_cpu[i];

		sum->total += acrpmu_account_periods_ended(scpu, i);
		sum->overflows += scpu->seen.overflows[i] - scpu->overflows_reset[i];
		sum->outside += scpu->seen.outside[i] - scpu->outside_reset[i];
	}
	if (scpu->ctx) {
		add_ctx(scpu->ctx, sums);
		read->time_missed_ns += acrpmu_missed_ns(scpu->ctx);
	}
	read->records += scpu->seen.records;
	read->lost += scpu->seen.lost;
	read->throttled += scpu->seen.throttled;
	read->discarded += scpu->seen.discarded;
	read->guest += scpu->seen.guest;
	read->quiet += scpu->seen.quiet;
	read->dropped += scpu->seen.dropped;
	if (acrpmu_session_holds(scpu))
		read->nr_cpus++;
	if (acrpmu_hold_is_lost(scpu))
		read->state |= ACRPMU_STATE_CPU_LOST;
	if (scpu->taken.reason) {
		read->state |= ACRPMU_STATE_TAKEN;
		read->taken = scpu->taken;
	}
	if (acrpmu_buffer_is_new(scpu))
		read->state |= ACRPMU_STATE_NEW_RING;
}

static void read_ctx(struct acrpmu_ctx *ctx, void *arg)
{
	struct sums *sums = arg;

	add_ctx(ctx, sums);
	sums->read->time_missed_ns += acrpmu_missed_ns(ctx);
	ctx->read_nr = ctx->session->read_nr;
}

/* Tasks that exited after they were read are in both sums. */
static void read_gone(struct acrpmu_session *session, struct sums *sums)
{
	const struct acrpmu_gone *gone = sums->target ? &sums->target->gone : &session->gone;
	const struct acrpmu_gone *twice = &session->twice;
	struct acrpmu_read *read = sums->read;
	unsigned long flags;
	unsigned int i;

	raw_spin_lock_irqsave(&session->lock, flags);
	for (i = 0; i < session->group.nr; i++) {
		acrpmu_tally_add(&sums->counted[i], &gone->ev[i]);
		acrpmu_tally_sub(&sums->counted[i], &twice->ev[i]);
	}
	read->time_running_ns += gone->running_ns - twice->running_ns;
	read->time_missed_ns += gone->missed_ns - twice->missed_ns;
	read->inherit_failed = session->inherit_failed;
	/* A task that ended after it was read is followed still: the next read has the rest. */
	read->nr_tasks = sums->target ? sums->target->nr_tasks : session->nr_tasks;
	read->nr_tasks += twice->tasks;
	read->tasks = sums->target ? sums->target->tasks : session->tasks;
	if (session->privileged_exec)
		read->state |= ACRPMU_STATE_PRIVILEGED_EXEC;
	WRITE_ONCE(session->reading, false);
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

/**
 * acrpmu_account_begin() - keep counts from moving from task to task while tasks are read in turn
 *
 * Context: process, acrpmu_lock held; acrpmu_account_sum() must follow.
 */
void acrpmu_account_begin(struct acrpmu_session *session)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&session->lock, flags);
	session->read_nr++;
	memset(&session->twice, 0, sizeof(session->twice));
	WRITE_ONCE(session->reading, true);
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

static void read_tasks(struct acrpmu_session *session, struct sums *sums)
{
	if (sums->target)
		acrpmu_followed_walk_target(session, sums->target, read_ctx, sums);
	else
		acrpmu_followed_walk(session, read_ctx, sums);
	read_gone(session, sums);
}

/*
 * There is no count with a CPU that was taken: what its counters held may be somebody else's.
 * Overflows of the session are by CPU: some are found when it is too late to know the task.
 */
static void fill_counts(const struct acrpmu_session *session, const struct sums *sums,
			struct acrpmu_count *counts, u64 *outside)
{
	unsigned int i;

	for (i = 0; i < session->group.nr; i++) {
		const struct acrpmu_tally *tally = sums->target ? &sums->counted[i] :
								  &sums->by_cpu[i];
		bool reloaded = session->group.reloaded_events & BIT_ULL(i);

		if (sums->read->state & ACRPMU_STATE_TAKEN) {
			counts[i].flags = ACRPMU_COUNT_TAKEN;
			continue;
		}
		counts[i].value = reloaded ? tally->total : sums->counted[i].total;
		counts[i].overflows = tally->overflows;
		counts[i].flags = reloaded ? ACRPMU_COUNT_RELOADED : 0;
		outside[i] = tally->outside;
	}
}

/**
 * acrpmu_account_sum() - add up what a session has counted, as far as it is published
 * @target: one of its targets, NULL: all
 * @read: in, the CPU or ACRPMU_CPU_ALL; out, all but @time_enabled_ns, and of @state only what the
 *	CPUs and tasks show
 * @counts: out, one for each event, zeroed
 * @outside: out, one for each event, zeroed
 *
 * Context: process, acrpmu_lock held, after acrpmu_account_begin().
 */
void acrpmu_account_sum(struct acrpmu_session *session, struct acrpmu_target *target,
			struct acrpmu_read *read, struct acrpmu_count *counts, u64 *outside)
{
	struct sums sums = { .target = target, .read = read };
	struct acrpmu_session_cpu *scpu;

	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (read->cpu == ACRPMU_CPU_ALL || scpu->cpu == read->cpu)
			add_scpu(scpu, &sums);
	read_tasks(session, &sums);
	fill_counts(session, &sums, counts, outside);
}

/**
 * acrpmu_account_held() - find the CPUs that a session holds
 * @held: out
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_account_held(const struct acrpmu_session *session, struct cpumask *held)
{
	const struct acrpmu_session_cpu *scpu;

	lockdep_assert_held(&acrpmu_lock);
	cpumask_clear(held);
	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (acrpmu_session_holds(scpu))
			cpumask_set_cpu(scpu->cpu, held);
}

/**
 * acrpmu_account_ended() - check whether nothing is left that could count again
 *
 * Every CPU may come back, unless somebody else has taken it.
 *
 * Context: any; a snapshot without acrpmu_lock.
 */
bool acrpmu_account_ended(const struct acrpmu_session *session)
{
	const struct acrpmu_session_cpu *scpu;

	if (session->task_target)
		return !READ_ONCE(session->nr_tasks);
	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (!acrpmu_hold_is_taken(scpu))
			return false;
	return READ_ONCE(session->taken);
}

/**
 * acrpmu_account_state() - get the state of a session, without what its CPUs and tasks show
 *
 * Context: process, acrpmu_lock held.
 * Return: ACRPMU_STATE_*.
 */
u32 acrpmu_account_state(const struct acrpmu_session *session)
{
	return (session->enabled ? ACRPMU_STATE_ENABLED : 0) |
	       (session->parked ? ACRPMU_STATE_PARKED : 0) |
	       (session->new_cpus ? ACRPMU_STATE_CPU_LOST : 0) |
	       (acrpmu_account_ended(session) ? ACRPMU_STATE_ENDED : 0);
}
