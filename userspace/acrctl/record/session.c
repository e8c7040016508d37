// SPDX-License-Identifier: GPL-2.0-only
/* The sessions of a recording: creation, rings, start, stop and accounts. */
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

static int create(struct record *r, struct record_session *s)
{
	unsigned int i, nr = acrpmu_spec_nr_events(r->spec, s->group);
	struct acrpmu_session_options options = {
		.size = sizeof(options),
		.sample_type = RECORD_SAMPLE_TYPE,
		.ring_pages = r->opt.ring_pages ? r->opt.ring_pages : DEFAULT_RING_PAGES,
		.ids = s->ids,
	};
	struct acrpmu_message message;
	int err;

	for (i = 0; i < nr; i++)
		s->ids[i] = next_id();
	target_session_options(&r->target, &options);
	err = acrpmu_session_create(r->device, r->spec, s->group, &options, &s->session, &message);
	if (err)
		output_error("record", &message, &r->opt.groups);
	return err;
}

static int map_rings(struct record *r, struct record_session *s)
{
	size_t i;
	int err;

	s->rings = calloc(r->target.nr_cpus, sizeof(*s->rings));
	if (!s->rings)
		return -ENOMEM;
	for (i = 0; i < r->target.nr_cpus; i++, s->nr_rings++) {
		err = acrpmu_ring_map(s->session, r->target.cpus[i], &s->rings[i]);
		if (err) {
			fprintf(stderr,
				"acrctl: record: the ring of CPU %d cannot be mapped: %s; try fewer pages with -m\n",
				r->target.cpus[i], strerror(-err));
			return err;
		}
	}
	return 0;
}

static int open_one(struct record *r, unsigned int group)
{
	struct record_session *s = &r->sessions[r->nr_sessions];
	int err;

	memset(s, 0, sizeof(*s));
	s->group = group;
	err = create(r, s);
	if (err)
		return err;
	r->nr_sessions++;
	return map_rings(r, s);
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
 * record_sessions_read() - read the accounts of all sessions
 *
 * Return: 0, or -errno after a message.
 */
int record_sessions_read(struct record *r)
{
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	size_t i;
	int err;

	for (i = 0; i < r->nr_sessions; i++) {
		struct record_session *s = &r->sessions[i];

		err = acrpmu_session_read(s->session, ACRPMU_CPU_ALL, &s->stats, counts);
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
 * record_sessions_close() - close all sessions, which releases their counters
 */
void record_sessions_close(struct record *r)
{
	size_t i, k;

	for (i = 0; i < r->nr_sessions; i++) {
		struct record_session *s = &r->sessions[i];

		for (k = 0; k < s->nr_rings; k++)
			acrpmu_ring_unmap(s->rings[k]);
		free(s->rings);
		acrpmu_session_close(s->session);
	}
	r->nr_sessions = 0;
}
