// SPDX-License-Identifier: GPL-2.0-only
/* The sessions while counting: creation, turns, reading. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"

/* overflows reach software only to be counted: nothing reads the records */
#define SAMPLE_TYPE	PERF_SAMPLE_IDENTIFIER
#define RING_PAGES	1
/* codes of ACRPMU_REASON_EXTRA_BUSY and ACRPMU_REASON_HELD */
#define EXTRA_BUSY	"extra-register-busy"
#define HELD		"counters-held"

/**
 * stat_counts_at() - whether a group has the CPU or thread of a location
 */
bool stat_counts_at(const struct stat *st, size_t location, unsigned int group)
{
	if (st->opt.per_thread)
		return st->groups[group].targets[location];
	return !st->opt.per_cpu ||
	       cpu_list_has(&st->groups[group].kind->cpus, st->target.cpus.cpus[location]);
}

/**
 * stat_follows_tasks() - whether tasks have counts and windows of their own, and not CPUs
 */
bool stat_follows_tasks(const struct stat *st)
{
	return st->target.nr_tids;
}

/**
 * stat_total() - index of the time that a group at a location would have run without turns
 *
 * Groups of other kinds have other CPUs and take no turns with it.
 */
size_t stat_total(const struct stat *st, size_t location, unsigned int group)
{
	return location * st->kinds.nr + acrpmu_spec_kind(st->spec, group);
}

static void free_locations(struct stat *st)
{
	unsigned int g;

	for (g = 0; st->groups && g < st->nr_groups; g++) {
		free(st->groups[g].now);
		free(st->groups[g].block);
		free(st->groups[g].turn_ns);
	}
	free(st->total_ns);
	free(st->block_ns);
}

/* All zeroes, also if an earlier run had some; free_locations() in any case. */
static int alloc_locations(struct stat *st)
{
	size_t nr = st->nr_locations;
	bool failed = false;
	unsigned int g;

	free_locations(st);
	for (g = 0; g < st->nr_groups; g++) {
		struct stat_group *group = &st->groups[g];

		group->now = calloc(nr, sizeof(*group->now));
		group->block = calloc(nr, sizeof(*group->block));
		group->turn_ns = calloc(nr, sizeof(*group->turn_ns));
		failed |= !group->now || !group->block || !group->turn_ns;
	}
	st->total_ns = calloc(nr * st->kinds.nr, sizeof(*st->total_ns));
	st->block_ns = calloc(nr * st->kinds.nr, sizeof(*st->block_ns));
	return failed || !st->total_ns || !st->block_ns ? -ENOMEM : 0;
}

/* Reset to the state before the first run. */
static void start_over(struct stat *st)
{
	unsigned int g;

	memset(st->turns.groups, 0, st->nr_groups * sizeof(*st->turns.groups));
	st->turns.turn = 0;
	st->stop_ns = 0;
	st->failed = 0;
	st->lost_ns = 0;
	st->gone_ns = 0;
	st->kept_off = false;
	st->gone = false;
	for (g = 0; g < st->nr_groups; g++) {
		struct stat_group *group = &st->groups[g];

		memset(&group->read, 0, sizeof(group->read));
		memset(group->outside, 0, sizeof(group->outside));
		memset(&group->why, 0, sizeof(group->why));
		group->had_turn = false;
		group->gone = false;
		group->base_ns = 0;
		group->wall_ns = 0;
	}
}

/* ---- creation and turns ------------------------------------------------------------------- */

static bool is_sampled(const struct stat *st, unsigned int group)
{
	unsigned int i;

	for (i = 0; i < st->groups[group].nr_events; i++) {
		if (acrpmu_spec_event(st->spec, group, i)->attr.flags & ACRPMU_EVENT_SAMPLED)
			return true;
	}
	return false;
}

static int create(struct stat *st, unsigned int group)
{
	bool sampled = is_sampled(st, group);
	struct acrpmu_session_options options = {
		.size = sizeof(options),
		.flags = ACRPMU_SESSION_PARKED |
			 (st->kinds.reload == RELOAD_SOFTWARE ? ACRPMU_SESSION_SOFTWARE : 0),
		.sample_type = sampled ? SAMPLE_TYPE : 0,
		.ring_pages = sampled ? RING_PAGES : 0,
	};
	struct acrpmu_message message;
	int err;

	err = st->opt.per_thread ? stat_threads_create(st, group, &options, &message) :
	      target_session_create(&st->target, st->device, st->spec, group,
				    &st->groups[group].kind->reach, &options,
				    &st->groups[group].session, &message);
	if (err)
		output_error("stat", &message, &st->opt.groups);
	else
		st->groups[group].parked = true;
	return err;
}

static int unpark(struct stat *st, unsigned int group)
{
	struct stat_group *g = &st->groups[group];
	int err = acrpmu_session_unpark(g->session, st->spec, group, &g->why);

	if (err)
		return err;
	g->parked = false;
	g->waits = false;
	return 0;
}

static int park(struct stat *st, unsigned int group)
{
	struct stat_group *g = &st->groups[group];
	int err = acrpmu_session_park(g->session);

	if (err)
		fprintf(stderr, "acrctl: stat: '%s' cannot be parked: %s\n",
			acrpmu_spec_text(st->spec, group), strerror(-err));
	else
		g->parked = true;
	return err;
}

/* A group that cannot run even alone is refused before anything else happens. */
static int try_alone(struct stat *st, unsigned int group)
{
	struct stat_group *g = &st->groups[group];
	int err = unpark(st, group);

	if (err) {
		output_error("stat", &g->why, &st->opt.groups);
		return err;
	}
	err = park(st, group);
	if (err)
		return err;
	err = acrpmu_session_reset(g->session);
	if (err)
		fprintf(stderr, "acrctl: stat: the counts of '%s' cannot be reset: %s\n",
			acrpmu_spec_text(st->spec, group), strerror(-err));
	return err;
}

static bool all_parked(const struct stat *st)
{
	unsigned int g;

	for (g = 0; g < st->nr_groups; g++) {
		if (!st->groups[g].parked)
			return false;
	}
	return true;
}

/* Whether all groups of a kind might fit at once: it has as many counters as they have events. */
static bool may_fit(const struct stat *st, const struct kind *kind)
{
	unsigned int g, nr_events = 0;

	for (g = 0; g < st->nr_groups; g++) {
		if (st->groups[g].kind == kind)
			nr_events += st->groups[g].nr_events;
	}
	return nr_events <= kind->nr_cntrs;
}

static bool run_one(void *ctx, unsigned int group)
{
	struct stat *st = ctx;
	int err = unpark(st, group);

	st->groups[group].gone = err == -ENODEV;
	if (!err) {
		st->groups[group].had_turn = true;
		st->groups[group].base_ns = stat_now_ns();
		return true;
	}
	st->order_matters |= !strcmp(st->groups[group].why.code, EXTRA_BUSY) ||
			     (!strcmp(st->groups[group].why.code, HELD) &&
			      may_fit(st, st->groups[group].kind));
	/* one of our groups may be in its way: blame others only while all ours are parked */
	if (!all_parked(st))
		memset(&st->groups[group].why, 0, sizeof(st->groups[group].why));
	return false;
}

/* A turn begins, in which @nr groups run; with 0, every group was tried and none can run. */
static void begin_turn(struct stat *st, unsigned int nr)
{
	unsigned int g;

	/* without any CPU there is nothing to count, and nobody who keeps it off */
	st->gone = !nr;
	for (g = 0; g < st->nr_groups; g++)
		st->gone &= st->groups[g].gone;
	st->kept_off = !nr && !st->gone;
	if (st->kept_off)
		st->accounts.lost_why = st->groups[0].why;
}

/*
 * Nothing counts yet.  A group that can use either of two registers or counters may hold the one
 * that another group needs: the group that waits goes first in the next try.
 */
static unsigned int first_turn(struct stat *st)
{
	unsigned int g, tries, nr;

	st->order_matters = false;
	nr = stat_turns_next(&st->turns);
	for (tries = 1; st->order_matters && nr < st->nr_groups && tries < st->nr_groups; tries++)
		nr = stat_turns_next(&st->turns);
	for (g = 0; g < st->nr_groups; g++)
		st->groups[g].had_turn = !st->groups[g].parked;
	return nr;
}

/**
 * stat_sessions_open() - create a session for each group, and let run all or those that fit
 *
 * Return: 0, or -errno after a message.
 */
int stat_sessions_open(struct stat *st)
{
	unsigned int g, nr;
	int err = stat_read_check_module(st);

	start_over(st);
	for (g = 0; !err && g < st->nr_groups; g++)
		err = create(st, g);
	if (!err && st->opt.per_thread)
		err = stat_threads_attach(st);
	if (!err && alloc_locations(st)) {
		output_no_memory("stat");
		err = -ENOMEM;
	}
	for (g = 0; !err && g < st->nr_groups; g++)
		err = try_alone(st, g);
	if (err)
		return err;
	nr = first_turn(st);
	st->rotates = nr < st->nr_groups;
	begin_turn(st, nr);
	for (g = 0; st->opt.verbose && g < st->nr_groups; g++)
		stat_messages_group(st, g);
	return 0;
}

/**
 * stat_sessions_enable() - let all sessions count or not for a while, also those that wait
 *
 * Return: 0, or -errno after a message.
 */
int stat_sessions_enable(struct stat *st, bool on)
{
	unsigned int g;
	int err;

	for (g = 0; g < st->nr_groups; g++) {
		struct acrpmu_session *s = st->groups[g].session;

		err = on ? acrpmu_session_enable(s) : acrpmu_session_disable(s);
		/* a session that has ended needs no stop */
		if (!err || !on)
			continue;
		fprintf(stderr, "acrctl: stat: the group '%s' cannot be started: %s\n",
			acrpmu_spec_text(st->spec, g), strerror(-err));
		return err;
	}
	return 0;
}

/**
 * stat_sessions_switch() - start all sessions, or stop them for good
 *
 * Return: as stat_sessions_enable().
 */
int stat_sessions_switch(struct stat *st, bool on)
{
	if (!on)
		st->stop_ns = stat_now_ns();
	return stat_sessions_enable(st, on);
}

/**
 * stat_sessions_close() - close all sessions, which releases their counters
 */
void stat_sessions_close(struct stat *st)
{
	unsigned int g;

	for (g = 0; st->groups && g < st->nr_groups; g++) {
		acrpmu_session_close(st->groups[g].session);
		st->groups[g].session = NULL;
	}
}

/* ---- reading ------------------------------------------------------------------------------ */

/* A group has held its counters until now. */
static void add_wall(struct stat *st, struct stat_group *g)
{
	__u64 now_ns = st->stop_ns ? st->stop_ns : stat_now_ns();

	/* ignore the time before the start */
	if (g->base_ns < st->start_ns)
		g->base_ns = st->start_ns;
	if (now_ns > g->base_ns)
		g->wall_ns += now_ns - g->base_ns;
	g->base_ns = now_ns;
}

/*
 * How long a group that held its counters all the time would have run in this turn: as long as the
 * one that ran longest, scaled up by the time that passed while groups changed.  No clock measures
 * this, since the target may sleep and has several CPUs or tasks.
 */
static __u64 time_of_turn(const struct stat *st, size_t location, const struct kind *kind,
			  __u64 length_ns)
{
	const struct stat_group *longest = NULL;
	__u64 most = 0, whole;
	unsigned int g;

	for (g = 0; g < st->nr_groups; g++) {
		const struct stat_group *group = &st->groups[g];
		__u64 ran = group->now[location].running_ns - group->turn_ns[location];

		if (group->kind == kind && ran > most) {
			most = ran;
			longest = group;
		}
	}
	whole = longest ? stat_turns_scale(most, longest->wall_ns, length_ns) : 0;
	return whole > most ? whole : most;
}

/* End a turn, after all groups that ran in it were read. */
static void add_turn(struct stat *st)
{
	__u64 now_ns = st->stop_ns ? st->stop_ns : stat_now_ns();
	__u64 from_ns = st->turn_start_ns < st->start_ns ? st->start_ns : st->turn_start_ns;
	__u64 length_ns = now_ns - from_ns;
	unsigned int g, k;
	size_t location;

	/* nothing is known of that time: a group that runs at its end stands for that end only */
	if (st->gone)
		st->gone_ns += length_ns;
	if (st->kept_off) {
		st->lost_ns += length_ns;
		length_ns = 0;
	}
	for (location = 0; location < st->nr_locations; location++) {
		for (k = 0; k < st->kinds.nr; k++)
			st->total_ns[location * st->kinds.nr + k] +=
				time_of_turn(st, location, &st->kinds.list[k], length_ns);
		for (g = 0; g < st->nr_groups; g++)
			st->groups[g].turn_ns[location] = st->groups[g].now[location].running_ns;
	}
	for (g = 0; g < st->nr_groups; g++)
		st->groups[g].wall_ns = 0;
	st->turn_start_ns = now_ns;
}

static int read_running(struct stat *st, unsigned int group)
{
	if (!st->groups[group].parked)
		add_wall(st, &st->groups[group]);
	return stat_read_group(st, group);
}

/**
 * stat_sessions_read() - read all sessions
 *
 * Return: 0, or -errno after a message.
 */
int stat_sessions_read(struct stat *st)
{
	unsigned int g;
	int err = 0;

	for (g = 0; !err && g < st->nr_groups; g++)
		err = read_running(st, g);
	if (!err)
		add_turn(st);
	return err;
}

/* Park before reading, so that nothing is counted after the time was taken. */
static void stop_one(void *ctx, unsigned int group)
{
	struct stat *st = ctx;
	int err;

	add_wall(st, &st->groups[group]);
	err = park(st, group);
	if (!err)
		err = stat_read_group(st, group);
	if (err && !st->failed)
		st->failed = err;
}

/**
 * stat_sessions_turn() - end a turn and begin the next one
 *
 * Return: 0, or -errno after a message.
 */
int stat_sessions_turn(struct stat *st)
{
	unsigned int g, nr = stat_turns_next(&st->turns);
	int err = st->failed;

	for (g = 0; !err && g < st->nr_groups; g++) {
		if (st->turns.groups[g].runs)
			err = read_running(st, g);
	}
	if (err)
		return err;
	add_turn(st);
	begin_turn(st, nr);
	return 0;
}

/* ---- memory ------------------------------------------------------------------------------- */

static void init_group(const struct stat *st, struct stat_group *g, unsigned int group)
{
	g->kind = kinds_of(&st->kinds, st->spec, group);
	g->nr_events = acrpmu_spec_nr_events(st->spec, group);
}

/**
 * stat_sessions_alloc() - allocate groups; stat_sessions_free() in any case
 *
 * Return: 0 or -ENOMEM.
 */
int stat_sessions_alloc(struct stat *st)
{
	unsigned int g;

	/* threads are found when they are attached */
	st->nr_locations = st->opt.per_cpu ? st->target.cpus.nr : !st->opt.per_thread;
	st->groups = calloc(st->nr_groups, sizeof(*st->groups));
	st->turns = (struct stat_turns){
		.groups = calloc(st->nr_groups, sizeof(*st->turns.groups)),
		.order = calloc(st->nr_groups, sizeof(*st->turns.order)),
		.nr = st->nr_groups,
		.run = run_one,
		.stop = stop_one,
		.ctx = st,
	};
	if (!st->groups || !st->turns.groups || !st->turns.order)
		return -ENOMEM;
	for (g = 0; g < st->nr_groups; g++)
		init_group(st, &st->groups[g], g);
	return 0;
}

/**
 * stat_sessions_free() - undo stat_sessions_alloc(), after the sessions are closed
 */
void stat_sessions_free(struct stat *st)
{
	free_locations(st);
	stat_threads_free(st);
	free(st->groups);
	free(st->turns.groups);
	free(st->turns.order);
}
