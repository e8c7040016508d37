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

/* What ACRPMU_READ adds up; @ended: the periods that ended, by event. */
struct sums {
	struct acrpmu_read *read;
	struct acrpmu_count *counts;
	u64 *outside;
	u64 ended[ACRPMU_MAX_EVENTS];
};

static void add_ctx(const struct acrpmu_ctx *ctx, const struct sums *sums)
{
	unsigned int i, seq, nr = ctx->session->group.nr;
	u64 seen[ACRPMU_MAX_EVENTS], seen_ns;

	do {
		seq = raw_read_seqcount_begin(&ctx->seq);
		for (i = 0; i < nr; i++)
			seen[i] = ctx->cell[i].seen;
		seen_ns = ctx->seen_ns;
	} while (read_seqcount_retry(&ctx->seq, seq));
	for (i = 0; i < nr; i++)
		sums->counts[i].value += seen[i];
	sums->read->time_running_ns += seen_ns;
}

static void add_scpu(const struct acrpmu_session_cpu *scpu, struct sums *sums)
{
	const struct acrpmu_session *session = scpu->session;
	struct acrpmu_read *read = sums->read;
	unsigned int i;

	for (i = 0; i < session->group.nr; i++) {
		sums->counts[i].overflows += scpu->seen.overflows[i] - scpu->overflows_reset[i];
		sums->outside[i] += scpu->seen.outside[i] - scpu->outside_reset[i];
		sums->ended[i] += acrpmu_periods_ended(scpu, i);
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
	const struct sums *sums = arg;

	add_ctx(ctx, sums);
	sums->read->time_missed_ns += acrpmu_missed_ns(ctx);
	ctx->read_nr = ctx->session->read_nr;
}

/* Tasks that exited after they were read are in both sums. */
static void read_gone(struct acrpmu_session *session, void *arg)
{
	const struct sums *sums = arg;
	struct acrpmu_read *read = sums->read;
	unsigned int i;

	for (i = 0; i < session->group.nr; i++)
		sums->counts[i].value += session->gone_total[i] - session->twice_total[i];
	read->time_running_ns += session->gone_ns - session->twice_ns;
	read->time_missed_ns += session->gone_missed_ns - session->twice_missed_ns;
	read->inherit_failed = session->inherit_failed;
	read->nr_tasks = session->nr_tasks;
	if (session->privileged_exec)
		read->state |= ACRPMU_STATE_PRIVILEGED_EXEC;
	WRITE_ONCE(session->reading, false);
}

/* Counts must not move from task to task while the tasks are read one by one. */
static void begin_reading(struct acrpmu_session *session)
{
	unsigned long flags;

	raw_spin_lock_irqsave(&session->lock, flags);
	session->read_nr++;
	memset(session->twice_total, 0, sizeof(session->twice_total));
	session->twice_ns = 0;
	session->twice_missed_ns = 0;
	WRITE_ONCE(session->reading, true);
	raw_spin_unlock_irqrestore(&session->lock, flags);
}

static void finish_counts(const struct acrpmu_session *session, const struct sums *sums)
{
	struct acrpmu_count *counts = sums->counts;
	unsigned int i;

	for (i = 0; i < session->group.nr; i++) {
		if (!(session->group.reloaded_events & BIT_ULL(i)))
			continue;
		counts[i].flags = ACRPMU_COUNT_RELOADED;
		counts[i].value = sums->ended[i];
	}
}

/**
 * acrpmu_read_session() - read counts and accounts of a session
 * @read: in and out, its flags and sizes already checked
 * @counts: out, one for each event, zeroed
 * @outside: out, one for each event, zeroed
 *
 * Context: process, may sleep.
 * Return: 0; -EINVAL if @read->cpu is not one of a CPU session's.
 */
int acrpmu_read_session(struct acrpmu_session *session, struct acrpmu_read *read,
			struct acrpmu_count *counts, u64 *outside)
{
	struct sums sums = { .read = read, .counts = counts, .outside = outside };
	bool all = read->cpu == ACRPMU_CPU_ALL;
	struct acrpmu_session_cpu *scpu;

	if (!all && (session->task_target || read->cpu < 0 || read->cpu >= nr_cpu_ids ||
		     !cpumask_test_cpu(read->cpu, session->cpus)))
		return -EINVAL;

	acrpmu_registry_lock();
	begin_reading(session);
	acrpmu_session_sync(session);
	list_for_each_entry_lockless(scpu, &session->scpus, node)
		if (all || scpu->cpu == read->cpu)
			add_scpu(scpu, &sums);
	acrpmu_followed_walk(session, read_ctx, read_gone, &sums);
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
	acrpmu_registry_unlock();
	finish_counts(session, &sums);
	return 0;
}
