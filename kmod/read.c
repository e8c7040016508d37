// SPDX-License-Identifier: GPL-2.0-only
/* Reading the counts and accounts of a session. */
#include <linux/cpumask.h>
#include <linux/timekeeping.h>

#include "session.h"
#include "buffer.h"
#include "ctx.h"
#include "followed.h"
#include "missed.h"
#include "periods.h"
#include "read.h"
#include "registry.h"
#include "target.h"

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

		sum->total += acrpmu_periods_ended(scpu, i);
		sum->overflows += scpu->seen.overflows[i] - scpu->overflows_reset[i];
		sum->outside += scpu->seen.outside[i] - scpu->outside_reset[i];
	}
	if (scpu->ctx)
		add_ctx(scpu->ctx, sums);
	read->records += scpu->seen.records;
	read->lost += scpu->seen.lost;
	read->throttled += scpu->seen.throttled;
	read->discarded += scpu->seen.discarded;
	read->guest += scpu->seen.guest;
	read->quiet += scpu->seen.quiet;
	read->dropped += scpu->seen.dropped;
	if (scpu->held)
		read->nr_cpus++;
	if (scpu->lost_cpu)
		read->state |= ACRPMU_STATE_CPU_LOST;
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

/* Counts must not move from task to task while the tasks are read one by one. */
static void begin_reading(struct acrpmu_session *session)
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

/* Overflows of the session are by CPU: some are found when it is too late to know the task. */
static void fill_counts(const struct acrpmu_session *session, const struct sums *sums,
			struct acrpmu_count *counts, u64 *outside)
{
	unsigned int i;

	for (i = 0; i < session->group.nr; i++) {
		const struct acrpmu_tally *tally = sums->target ? &sums->counted[i] :
								  &sums->by_cpu[i];
		bool reloaded = session->group.reloaded_events & BIT_ULL(i);

		counts[i].value = reloaded ? tally->total : sums->counted[i].total;
		counts[i].overflows = tally->overflows;
		counts[i].flags = reloaded ? ACRPMU_COUNT_RELOADED : 0;
		outside[i] = tally->outside;
	}
}

static void read_state(const struct acrpmu_session *session, struct acrpmu_read *read)
{
	read->time_enabled_ns = session->enabled_ns;
	if (session->enabled) {
		read->time_enabled_ns += ktime_get_ns() - session->enabled_since_ns;
		read->state |= ACRPMU_STATE_ENABLED;
	}
	if (session->parked)
		read->state |= ACRPMU_STATE_PARKED;
	if (session->new_cpus)
		read->state |= ACRPMU_STATE_CPU_LOST;
	if (acrpmu_session_ended(session))
		read->state |= ACRPMU_STATE_ENDED;
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
	struct sums sums = { .read = read };
	struct acrpmu_session_cpu *scpu;

	if (read->target)
		sums.target = acrpmu_target_find(session, read->target);
	if (!has_cpu(session, read->cpu) || (read->target && !sums.target))
		return -EINVAL;
	acrpmu_registry_lock();
	begin_reading(session);
	acrpmu_session_sync(session);
	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (read->cpu == ACRPMU_CPU_ALL || scpu->cpu == read->cpu)
			add_scpu(scpu, &sums);
	read_tasks(session, &sums);
	read_state(session, read);
	acrpmu_registry_unlock();
	fill_counts(session, &sums, counts, outside);
	return 0;
}
