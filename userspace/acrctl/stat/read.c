// SPDX-License-Identifier: GPL-2.0-only
/* Reading the session of a group: its counts at each location, and its accounts. */
#include <stdio.h>
#include <string.h>

#include "stat.h"

#define ABI_ALL	5	/* first with tasks that are gone, and with what is outside of windows */

static bool needs_all(const struct stat *st)
{
	return st->kinds.reload == RELOAD_SOFTWARE || st->opt.per_thread ||
	       (acrpmu_spec_condition(st->spec) && stat_follows_tasks(st));
}

/**
 * stat_read_check_module() - check before anything is counted that the counts can be read
 *
 * Return: 0, or -EOPNOTSUPP after a message.
 */
int stat_read_check_module(const struct stat *st)
{
	if (!needs_all(st) || st->abi_version >= ABI_ALL)
		return 0;
	return stat_refuse_module(st, "tell tasks apart, or count those that are gone");
}

static int read_session(const struct stat *st, const struct stat_group *g, int cpu,
			struct acrpmu_read *read, struct acrpmu_count *counts, __u64 *outside)
{
	read->size = sizeof(*read);
	return needs_all(st) ?
	       acrpmu_session_read_outside(g->session, cpu, read, counts, outside) :
	       acrpmu_session_read(g->session, cpu, read, counts);
}

/**
 * stat_read_taken() - keep which CPUs of the groups somebody else has taken, and who
 */
void stat_read_taken(struct stat *st)
{
	unsigned int g;

	for (g = 0; g < st->nr_groups; g++) {
		const struct stat_group *group = &st->groups[g];

		if (group->read.state & ACRPMU_STATE_TAKEN)
			taken_look(&st->accounts.taken, group->session,
				   st->target.nr_tids ? NULL : &group->kind->reach);
	}
}

static int read_location(struct stat *st, struct stat_group *g, size_t location,
			 struct acrpmu_read *read, __u64 *outside)
{
	int cpu = st->opt.per_cpu ? st->target.cpus.cpus[location] : ACRPMU_CPU_ALL;
	struct stat_counts *now = &g->now[location];
	int err;

	read->size = sizeof(*read);
	err = st->opt.per_thread ?
	      acrpmu_session_read_target(g->session, g->targets[location], read, now->counts,
					 outside) :
	      read_session(st, g, cpu, read, now->counts, outside);
	if (err)
		return err;
	now->running_ns = read->time_running_ns;
	now->missed_ns = read->time_missed_ns;
	now->nr_cpus = read->nr_cpus;
	now->throttled = read->throttled;
	now->nr_tasks = read->nr_tasks;
	now->tasks = read->tasks;
	now->lost = st->opt.per_cpu && read->state & ACRPMU_STATE_CPU_LOST;
	now->taken = read->state & ACRPMU_STATE_TAKEN;
	return 0;
}

/* Accounts of a CPU, or of the whole session. */
static void add_accounts(struct stat_group *g, const struct acrpmu_read *read,
			 const __u64 *outside)
{
	unsigned int i;

	g->read.throttled += read->throttled;
	g->read.quiet += read->quiet;
	g->read.dropped += read->dropped;
	g->read.state |= read->state;
	g->read.inherit_failed = read->inherit_failed;
	g->read.time_missed_ns += read->time_missed_ns;
	for (i = 0; i < g->nr_events; i++)
		g->outside[i] += outside[i];
}

/* The accounts of a target are those of its session but for the time that it missed. */
static int read_accounts(const struct stat *st, struct stat_group *g)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	__u64 outside[ACRPMU_MAX_EVENTS] = { 0 };
	struct acrpmu_read read = { 0 };
	int err = read_session(st, g, ACRPMU_CPU_ALL, &read, counts, outside);

	if (!err)
		add_accounts(g, &read, outside);
	return err;
}

/**
 * stat_read_group() - read a group
 *
 * Return: 0, or -errno after a message.
 */
int stat_read_group(struct stat *st, unsigned int group)
{
	struct stat_group *g = &st->groups[group];
	size_t location;
	int err = 0;

	memset(&g->read, 0, sizeof(g->read));
	memset(g->outside, 0, sizeof(g->outside));
	for (location = 0; !err && location < st->nr_locations; location++) {
		__u64 outside[ACRPMU_MAX_EVENTS] = { 0 };
		struct acrpmu_read read = { 0 };

		if (!stat_counts_at(st, location, group))
			continue;
		err = read_location(st, g, location, &read, outside);
		if (!err && !st->opt.per_thread)
			add_accounts(g, &read, outside);
	}
	if (!err && st->opt.per_thread)
		err = read_accounts(st, g);
	if (err)
		fprintf(stderr, "acrctl: stat: the counts of '%s' cannot be read: %s\n",
			acrpmu_spec_text(st->spec, group), strerror(-err));
	return err;
}
