// SPDX-License-Identifier: GPL-2.0-only
/* Sessions that sample: creation, rings, start, stop and accounts. */
#include "sampling.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../util/util.h"

/* data pages of each ring unless asked otherwise: some 10,000 samples */
#define DEFAULT_RING_PAGES	128
/* chosen far above the ids that the kernel counts up for its own events */
#define ID_BASE			0xac00000000000000ULL
#define ID_PID_SHIFT		24

/* Not created: the rings of CPUs that may come later are charged as well. */
#define LATER_LOCKED	1

static __u64 next_id(void)
{
	static __u64 nr;

	return ID_BASE | (__u64)getpid() << ID_PID_SHIFT | ++nr;
}

/**
 * sampling_sample_type() - the fields of samples
 */
__u64 sampling_sample_type(const struct sampling *sm)
{
	return SAMPLING_SAMPLE_TYPE | (sm->opt.chains ? PERF_SAMPLE_CALLCHAIN : 0);
}

static int create(struct sampling *sm, struct sampling_session *s)
{
	unsigned int i, nr = acrpmu_spec_nr_events(sm->spec, s->group);
	struct acrpmu_session_options options = {
		.size = sizeof(options),
		.sample_type = sampling_sample_type(sm),
		.max_stack = sm->opt.max_stack,
		.jitter = sampling_jitter(sm),
		.ring_pages = sm->opt.ring_pages ? sm->opt.ring_pages : DEFAULT_RING_PAGES,
		.ids = s->ids,
	};
	struct acrpmu_message message;
	int err;

	for (i = 0; i < nr; i++)
		s->ids[i] = next_id();
	if (sm->opt.exclude_guest)
		options.flags |= ACRPMU_SESSION_EXCLUDE_GUEST;
	if (sm->kinds.reload == RELOAD_SOFTWARE)
		options.flags |= ACRPMU_SESSION_SOFTWARE;
	err = target_session_create(&sm->target, sm->device, sm->spec, s->group, &s->kind->reach,
				    &options, &s->session, &message);
	if (err && sm->target.later.nr && !strcmp(message.code, "ring-locked"))
		return LATER_LOCKED;
	if (err)
		output_error(sm->target.text->command, &message, &sm->opt.groups);
	return err;
}

/* Modules before ABI version 3 do not answer; those before 4 hold every CPU. */
static bool holds(struct sampling_session *s, int cpu)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];

	return acrpmu_session_query_cpu(s->session, cpu, hw) || hw[0].cntr >= 0;
}

/*
 * Mapping a ring makes it: leave out those of CPUs on which the tasks may never run.  Returns how
 * many were mapped, or -errno with one CPU that failed.
 */
static int map_rings(struct sampling_session *s, bool held_only, int *failed)
{
	int err, ret = 0;
	size_t i;

	for (i = 0; i < s->kind->reach.nr; i++) {
		int cpu = s->kind->reach.cpus[i];

		if (s->rings[i] || (held_only && !holds(s, cpu)))
			continue;
		err = acrpmu_ring_map(s->session, cpu, &s->rings[i]);
		if (err) {
			*failed = cpu;
			ret = err;
		} else if (ret >= 0) {
			ret++;
		}
	}
	return ret;
}

/* It has reserved a CPU on which its tasks run now, and which it may have lost again. */
static bool has_new_ring(const struct sampling_session *s)
{
	struct pollfd poll_fd = {
		.fd = acrpmu_session_fd(s->session), .events = POLLPRI,
	};

	return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLPRI;
}

static int no_memory(const struct sampling *sm)
{
	TARGET_SAY(&sm->target, "there is no memory left for the sessions");
	return -ENOMEM;
}

static int open_one(struct sampling *sm, unsigned int group)
{
	struct sampling_session *s = &sm->sessions[sm->nr_sessions];
	int err, failed;

	memset(s, 0, sizeof(*s));
	s->group = group;
	s->kind = kinds_of(&sm->kinds, sm->spec, group);
	s->rings = calloc(s->kind->reach.nr, sizeof(*s->rings));
	if (!s->rings)
		return no_memory(sm);
	/* to be closed from here on */
	sm->nr_sessions++;
	err = create(sm, s);
	if (err)
		return err;
	err = map_rings(s, true, &failed);
	if (err >= 0)
		return 0;
	TARGET_SAY(&sm->target, "the ring of CPU %d cannot be mapped: %s; try fewer pages with -m",
		   failed, strerror(-err));
	return err;
}

static int open_all(struct sampling *sm)
{
	unsigned int g;
	int ret = 0;

	for (g = 0; g < sm->nr_groups && !ret; g++)
		ret = open_one(sm, g);
	return ret;
}

/**
 * sampling_sessions_open() - create a session for each group, with its rings
 *
 * Return: 0, or -errno after a message.
 */
int sampling_sessions_open(struct sampling *sm)
{
	int ret;

	sm->sessions = calloc(sm->nr_groups, sizeof(*sm->sessions));
	if (!sm->sessions)
		return no_memory(sm);
	ret = open_all(sm);
	if (ret != LATER_LOCKED)
		return ret;
	sampling_sessions_close(sm);
	kinds_leave_later(&sm->kinds, &sm->target);
	TARGET_SAY(&sm->target,
		   "warning: CPUs that come online later are left out: with rings for these, too, more memory would be locked than may be; give fewer pages with -m, or raise the limit (ulimit -l)");
	return open_all(sm);
}

/**
 * sampling_sessions_switch() - start or stop all sessions
 *
 * Return: 0, or -errno after a message.
 */
int sampling_sessions_switch(struct sampling *sm, bool on)
{
	size_t i;
	int err;

	for (i = 0; i < sm->nr_sessions; i++) {
		struct sampling_session *s = &sm->sessions[i];

		err = on ? acrpmu_session_enable(s->session) : acrpmu_session_disable(s->session);
		/* a session that has ended needs no stop */
		if (!err || !on)
			continue;
		TARGET_SAY(&sm->target, "the group '%s' cannot be started: %s",
			   acrpmu_spec_text(sm->spec, s->group), strerror(-err));
		return err;
	}
	return 0;
}

/**
 * sampling_session_map() - map the rings of CPUs that the session has reserved since
 * @failed: out, one with a ring that cannot be mapped
 *
 * Return: 0, or -errno; the next call tries again.
 */
int sampling_session_map(const struct sampling *sm, struct sampling_session *s, int *failed)
{
	int ret;

	if (!has_new_ring(s))
		return 0;
	ret = map_rings(s, true, failed);
	/* of all CPUs that may ever come, it would make the rings */
	if (!ret && !sm->target.later.nr)
		ret = map_rings(s, false, failed);
	return ret < 0 ? ret : 0;
}

/**
 * sampling_session_take_loss() - report each CPU once that somebody else has taken, and by whom
 */
void sampling_session_take_loss(struct sampling *sm, struct sampling_session *s)
{
	const struct acrpmu_message *message = &s->taken.message;
	const char *text = acrpmu_spec_text(sm->spec, s->group);
	bool known = *message->text;
	char *others;

	taken_look(&s->taken, s->session, sm->target.nr_tids ? NULL : &s->kind->reach);
	others = taken_others(&s->taken);
	if (others || (*message->text && !known))
		sm->sink.clear(sm->sink.ctx);
	if (*message->text && !known)
		TARGET_SAY(&sm->target, "'%s': %s; %s", text, message->text, message->hint);
	if (others)
		TARGET_SAY(&sm->target, "'%s': %s", text, others);
	free(others);
}

/**
 * sampling_sessions_taken() - whether somebody else has taken a CPU from any session
 */
bool sampling_sessions_taken(const struct sampling *sm)
{
	size_t i;

	for (i = 0; i < sm->nr_sessions; i++) {
		if (*sm->sessions[i].taken.message.text)
			return true;
	}
	return false;
}

/* Older modules know nothing of what reload in software adds. */
static int read_one(const struct sampling *sm, struct sampling_session *s)
{
	if (sm->kinds.reload != RELOAD_SOFTWARE)
		return acrpmu_session_read(s->session, ACRPMU_CPU_ALL, &s->stats, s->totals);
	s->stats.size = sizeof(s->stats);
	return acrpmu_session_read_outside(s->session, ACRPMU_CPU_ALL, &s->stats, s->totals,
					   s->outside);
}

/**
 * sampling_sessions_read() - read the accounts of all sessions
 *
 * Return: 0, or -errno after a message.
 */
int sampling_sessions_read(struct sampling *sm)
{
	size_t i;
	int err;

	for (i = 0; i < sm->nr_sessions; i++) {
		struct sampling_session *s = &sm->sessions[i];

		err = read_one(sm, s);
		s->read = !err;
		if (!err && s->stats.state & ACRPMU_STATE_TAKEN)
			sampling_session_take_loss(sm, s);
		if (err) {
			TARGET_SAY(&sm->target, "the accounts of '%s' cannot be read: %s",
				   acrpmu_spec_text(sm->spec, s->group), strerror(-err));
			return err;
		}
	}
	return 0;
}

/**
 * sampling_sessions_missing() - number of samples that neither the file nor a loss in it stands for
 *
 * These are losses that the ring had no room to report, overflows that others acknowledged, and
 * samples that could not be written.
 */
__u64 sampling_sessions_missing(const struct sampling_session *s)
{
	__u64 all = s->stats.records + s->stats.lost, known = s->counts.samples + s->counts.lost;

	return all > known ? all - known : 0;
}

/**
 * sampling_sessions_missed_ns() - time of tasks on CPUs that the session did not hold, or for which
 *	a session of CPUs lacked some
 *
 * Return: 0 also for less than a microsecond, which a task runs before its CPU is reserved.
 */
__u64 sampling_sessions_missed_ns(const struct sampling_session *s)
{
	return s->stats.time_missed_ns >= NSEC_PER_USEC ? s->stats.time_missed_ns : 0;
}

/**
 * sampling_sessions_close() - close all sessions, which releases their counters
 */
void sampling_sessions_close(struct sampling *sm)
{
	size_t i, k;

	for (i = 0; i < sm->nr_sessions; i++) {
		struct sampling_session *s = &sm->sessions[i];

		for (k = 0; k < s->kind->reach.nr; k++)
			acrpmu_ring_unmap(s->rings[k]);
		free(s->rings);
		taken_free(&s->taken);
		acrpmu_session_close(s->session);
	}
	sm->nr_sessions = 0;
}
