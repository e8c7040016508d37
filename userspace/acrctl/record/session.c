// SPDX-License-Identifier: GPL-2.0-only
/* The sessions of a recording: creation, rings, start, stop and accounts. */
#include "record.h"

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

static __u64 next_id(void)
{
	static __u64 nr;

	return ID_BASE | (__u64)getpid() << ID_PID_SHIFT | ++nr;
}

/**
 * record_sample_type() - the fields of samples
 */
__u64 record_sample_type(const struct record *r)
{
	return RECORD_SAMPLE_TYPE | (r->opt.chains ? PERF_SAMPLE_CALLCHAIN : 0);
}

static int create(struct record *r, struct record_session *s)
{
	unsigned int i, nr = acrpmu_spec_nr_events(r->spec, s->group);
	struct acrpmu_session_options options = {
		.size = sizeof(options),
		.sample_type = record_sample_type(r),
		.max_stack = r->opt.max_stack,
		.ring_pages = r->opt.ring_pages ? r->opt.ring_pages : DEFAULT_RING_PAGES,
		.ids = s->ids,
	};
	struct acrpmu_message message;
	int err;

	for (i = 0; i < nr; i++)
		s->ids[i] = next_id();
	if (r->opt.exclude_guest)
		options.flags |= ACRPMU_SESSION_EXCLUDE_GUEST;
	if (r->kinds.reload == RELOAD_SOFTWARE)
		options.flags |= ACRPMU_SESSION_SOFTWARE;
	err = target_session_create(&r->target, r->device, r->spec, s->group, &s->kind->cpus,
				    &options, &s->session, &message);
	if (err)
		output_error("record", &message, &r->opt.groups);
	return err;
}

/* Modules before ABI version 3 do not answer; those before 4 hold every CPU. */
static bool holds(struct record_session *s, int cpu)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];

	return acrpmu_session_query_cpu(s->session, cpu, hw) || hw[0].cntr >= 0;
}

/*
 * Mapping a ring makes it: leave out those of CPUs on which the tasks may never run.  Returns how
 * many were mapped, or -errno with one CPU that failed.
 */
static int map_rings(struct record_session *s, bool held_only, int *failed)
{
	int err, ret = 0;
	size_t i;

	for (i = 0; i < s->kind->cpus.nr; i++) {
		int cpu = s->kind->cpus.cpus[i];

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
static bool has_new_ring(const struct record_session *s)
{
	struct pollfd poll_fd = {
		.fd = acrpmu_session_fd(s->session), .events = POLLPRI,
	};

	return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLPRI;
}

static int open_one(struct record *r, unsigned int group)
{
	struct record_session *s = &r->sessions[r->nr_sessions];
	int err, failed;

	memset(s, 0, sizeof(*s));
	s->group = group;
	s->kind = kinds_of(&r->kinds, r->spec, group);
	s->rings = calloc(s->kind->cpus.nr, sizeof(*s->rings));
	if (!s->rings)
		return -ENOMEM;
	/* to be closed from here on */
	r->nr_sessions++;
	err = create(r, s);
	if (err)
		return err;
	err = map_rings(s, true, &failed);
	if (err >= 0)
		return 0;
	fprintf(stderr,
		"acrctl: record: the ring of CPU %d cannot be mapped: %s; try fewer pages with -m\n",
		failed, strerror(-err));
	return err;
}

/**
 * record_sessions_open() - create a session for each group, with its rings
 *
 * Return: 0, or -errno after a message.
 */
int record_sessions_open(struct record *r)
{
	unsigned int g;
	int err;

	r->sessions = calloc(r->nr_groups, sizeof(*r->sessions));
	if (!r->sessions)
		return -ENOMEM;
	for (g = 0; g < r->nr_groups; g++) {
		err = open_one(r, g);
		if (err)
			return err;
	}
	return 0;
}

/**
 * record_sessions_switch() - start or stop all sessions
 *
 * Return: 0, or -errno after a message.
 */
int record_sessions_switch(struct record *r, bool on)
{
	size_t i;
	int err;

	for (i = 0; i < r->nr_sessions; i++) {
		struct record_session *s = &r->sessions[i];

		err = on ? acrpmu_session_enable(s->session) : acrpmu_session_disable(s->session);
		/* a session that has ended needs no stop */
		if (!err || !on)
			continue;
		fprintf(stderr, "acrctl: record: the group '%s' cannot be started: %s\n",
			acrpmu_spec_text(r->spec, s->group), strerror(-err));
		return err;
	}
	return 0;
}

/**
 * record_session_map() - map the rings of CPUs that the session has reserved since
 * @failed: out, one with a ring that cannot be mapped
 *
 * Return: 0, or -errno; the next call tries again.
 */
int record_session_map(struct record_session *s, int *failed)
{
	int ret;

	if (!has_new_ring(s))
		return 0;
	ret = map_rings(s, true, failed);
	if (!ret)
		ret = map_rings(s, false, failed);
	return ret < 0 ? ret : 0;
}

/* Older modules know nothing of what reload in software adds. */
static int read_one(const struct record *r, struct record_session *s)
{
	if (r->kinds.reload != RELOAD_SOFTWARE)
		return acrpmu_session_read(s->session, ACRPMU_CPU_ALL, &s->stats, s->totals);
	s->stats.size = sizeof(s->stats);
	return acrpmu_session_read_outside(s->session, ACRPMU_CPU_ALL, &s->stats, s->totals,
					   s->outside);
}

/**
 * record_sessions_read() - read the accounts of all sessions
 *
 * Return: 0, or -errno after a message.
 */
int record_sessions_read(struct record *r)
{
	size_t i;
	int err;

	for (i = 0; i < r->nr_sessions; i++) {
		struct record_session *s = &r->sessions[i];

		err = read_one(r, s);
		if (err) {
			fprintf(stderr,
				"acrctl: record: the accounts of '%s' cannot be read: %s\n",
				acrpmu_spec_text(r->spec, s->group), strerror(-err));
			return err;
		}
	}
	return 0;
}

/**
 * record_sessions_missing() - number of samples that neither the file nor a loss in it stands for
 *
 * These are losses that the ring had no room to report, overflows that others acknowledged, and
 * samples that could not be written.
 */
__u64 record_sessions_missing(const struct record_session *s)
{
	__u64 all = s->stats.records + s->stats.lost, known = s->counts.samples + s->counts.lost;

	return all > known ? all - known : 0;
}

/**
 * record_sessions_missed_ns() - time of tasks on CPUs that the session did not hold
 *
 * Return: 0 also for less than a microsecond, which a task runs before its CPU is reserved.
 */
__u64 record_sessions_missed_ns(const struct record_session *s)
{
	return s->stats.time_missed_ns >= NSEC_PER_USEC ? s->stats.time_missed_ns : 0;
}

/**
 * record_sessions_close() - close all sessions, which releases their counters
 */
void record_sessions_close(struct record *r)
{
	size_t i, k;

	for (i = 0; i < r->nr_sessions; i++) {
		struct record_session *s = &r->sessions[i];

		for (k = 0; k < s->kind->cpus.nr; k++)
			acrpmu_ring_unmap(s->rings[k]);
		free(s->rings);
		acrpmu_session_close(s->session);
	}
	r->nr_sessions = 0;
}
