// SPDX-License-Identifier: GPL-2.0-only
/* Threads that are printed one by one: each is a target of its own in every session. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../util/message.h"
#include "stat.h"

/* what SESSION_CREATE names; further targets are numbered by ATTACH */
#define FIRST_TARGET	1
/* a listing misses threads if another one ends while it is made */
#define QUIET_ROUNDS	2
/* with -i, those that a thread creates later are left out anyway: do not list for ever */
#define MAX_ROUNDS	16

/**
 * stat_threads_create() - create the session of a group with the first thread that still exists
 *
 * Return: 0, or -errno with the reason in @message.
 */
int stat_threads_create(struct stat *st, unsigned int group,
			struct acrpmu_session_options *options, struct acrpmu_message *message)
{
	struct stat_group *g = &st->groups[group];
	struct target *t = &st->target;
	int err = -ESRCH;
	size_t i;

	for (i = 0; err == -ESRCH && i < t->nr_tids; i++) {
		g->first_tid = t->tids[i];
		err = target_session_create_thread(t, st->device, st->spec, group,
						   &g->kind->reach, options, g->first_tid,
						   &g->session, message);
	}
	return err;
}

/* Make room for one more location. */
static int grow(struct stat *st)
{
	size_t nr = st->nr_locations + 1;
	struct stat_thread *threads = reallocarray(st->threads, nr, sizeof(*threads));
	unsigned int g;

	if (!threads)
		return -ENOMEM;
	st->threads = threads;
	for (g = 0; g < st->nr_groups; g++) {
		__u32 *targets = reallocarray(st->groups[g].targets, nr, sizeof(*targets));

		if (!targets)
			return -ENOMEM;
		st->groups[g].targets = targets;
	}
	return 0;
}

static void name_thread(struct stat_thread *thread, pid_t tid)
{
	char path[64];
	FILE *f;

	*thread = (struct stat_thread){ .tid = tid, .comm = "?" };
	snprintf(path, sizeof(path), "/proc/%d/comm", tid);
	f = fopen(path, "re");
	if (!f)
		return;
	if (fgets(thread->comm, sizeof(thread->comm), f))
		thread->comm[strcspn(thread->comm, "\n")] = '\0';
	fclose(f);
}

/* Of a thread that the session follows with the one that created it, the target is 0. */
static int attach_to(const struct stat *st, const struct stat_group *g, pid_t tid, __u32 *target)
{
	struct acrpmu_message message;
	int err;

	*target = FIRST_TARGET;
	if (tid == g->first_tid)
		return 0;
	err = acrpmu_session_attach(g->session, tid, 0, target, &message);
	if (!err)
		return 0;
	*target = 0;
	if (err == -EMFILE)
		acrpmu_message_hint(&message, "name fewer threads, or leave out --per-thread");
	if (err != -ESRCH)
		output_error("stat", &message, &st->opt.groups);
	return err;
}

static void leave_out(struct stat *st, pid_t tid)
{
	struct target *t = &st->target;
	size_t i;

	for (i = 0; i < t->opt.nr_tasks; i++) {
		if (t->opt.tasks[i].thread && t->opt.tasks[i].id == tid)
			target_leave_out(t, &t->opt.tasks[i]);
	}
}

/* A thread that is new to any session gets a location. */
static int attach(struct stat *st, pid_t tid, bool *is_new)
{
	bool found = false, gone = true;
	int err = grow(st);
	unsigned int g;

	if (err)
		output_no_memory("stat");
	for (g = 0; !err && g < st->nr_groups; g++) {
		__u32 *target = &st->groups[g].targets[st->nr_locations];

		err = attach_to(st, &st->groups[g], tid, target);
		found |= *target;
		gone &= err == -ESRCH;
		err = err == -ESRCH ? 0 : err;
	}
	if (err)
		return err;
	if (gone)
		leave_out(st, tid);
	if (!found)
		return 0;
	name_thread(&st->threads[st->nr_locations++], tid);
	*is_new = true;
	return 0;
}

/**
 * stat_threads_attach() - follow all threads, as targets with the same locations in all sessions
 *
 * Threads that are created in the meantime are followed with those that create them, once these are
 * followed; the others are in a later listing.
 *
 * Return: 0, or -errno after a message.
 */
int stat_threads_attach(struct stat *st)
{
	struct target *t = &st->target;
	unsigned int round, quiet = 0;
	size_t i = 0;
	int err = 0;

	for (round = 0; !err && quiet < QUIET_ROUNDS; round++) {
		bool is_new = false;

		for (; !err && i < t->nr_tids; i++)
			err = attach(st, t->tids[i], &is_new);
		if (!t->opt.inherit && round == MAX_ROUNDS)
			break;
		quiet = is_new ? 0 : quiet + 1;
		if (!err)
			err = target_find_new_threads(t);
	}
	return err;
}

/**
 * stat_threads_free() - free what is known of threads
 */
void stat_threads_free(struct stat *st)
{
	unsigned int g;

	for (g = 0; st->groups && g < st->nr_groups; g++)
		free(st->groups[g].targets);
	free(st->threads);
}
