// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for records, signals and the end, and reading all rings. */
#include "sampling.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* indices among what is polled */
enum { SIGNALS, ENDS, EXTRA, FIRST_SESSION };

static int refuse_memory(struct sampling *sm, int err)
{
	sm->sink.clear(sm->sink.ctx);
	TARGET_SAY(&sm->target, "out of memory");
	return err;
}

/**
 * sampling_wait_begin() - prepare to wait, with all sessions and the sideband open
 *
 * Return: 0, or -ENOMEM after a message.
 */
int sampling_wait_begin(struct sampling *sm)
{
	struct pollfd *polls;
	size_t i, nr = FIRST_SESSION;

	polls = calloc(nr + sm->nr_sessions + sm->sideband.nr_rings, sizeof(*polls));
	if (!polls)
		return refuse_memory(sm, -ENOMEM);
	polls[SIGNALS] = (struct pollfd){ .fd = sm->target.signal_fd, .events = POLLIN };
	polls[ENDS] = (struct pollfd){ .fd = sm->target.ends_fd, .events = POLLIN };
	polls[EXTRA] = (struct pollfd){ .events = POLLIN };
	for (i = 0; i < sm->nr_sessions; i++)
		polls[nr++].fd = acrpmu_session_fd(sm->sessions[i].session);
	for (i = 0; i < sm->sideband.nr_rings; i++)
		polls[nr++] = (struct pollfd){
			.fd = sm->sideband.poll_fds[i], .events = POLLIN,
		};
	sm->polls = polls;
	sm->nr_polls = nr;
	return 0;
}

/* A ring that cannot be read would end each wait at once. */
static void choose_events(struct sampling *sm)
{
	size_t i;

	for (i = 0; i < sm->nr_sessions; i++)
		sm->polls[FIRST_SESSION + i].events =
			sm->sessions[i].unmapped ? 0 : POLLIN | POLLPRI;
}

/* Each loss of a CPU is reported once; the session goes on with the others. */
static void take_losses(struct sampling *sm)
{
	size_t i;

	for (i = 0; i < sm->nr_sessions; i++) {
		struct pollfd *p = &sm->polls[FIRST_SESSION + i];

		if (!(p->revents & POLLERR))
			continue;
		sampling_session_take_loss(sm, &sm->sessions[i]);
		p->revents &= ~POLLERR;
	}
}

/* A descriptor that hung up is not polled again. */
static void drop_ended(struct sampling *sm)
{
	size_t i;

	for (i = FIRST_SESSION; i < sm->nr_polls; i++) {
		if (sm->polls[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			sm->polls[i].fd = -1;
	}
}

/**
 * sampling_wait() - wait until something happens, and take signals and ends of processes
 * @fd: another descriptor to wait for, or -1
 * @timeout_ms: longest time, -1: any
 * @revents: out, what happened to @fd
 *
 * A signal with a handler ends the wait, too.
 *
 * Return: 0, or -errno after a message.
 */
int sampling_wait(struct sampling *sm, int fd, int timeout_ms, short *revents)
{
	size_t i;
	int err;

	choose_events(sm);
	sm->polls[EXTRA].fd = fd;
	if (poll(sm->polls, sm->nr_polls, timeout_ms) < 0) {
		err = -errno;
		if (err != -EINTR) {
			sm->sink.clear(sm->sink.ctx);
			TARGET_SAY(&sm->target, "poll: %s", strerror(-err));
			return err;
		}
		for (i = 0; i < sm->nr_polls; i++)
			sm->polls[i].revents = 0;
	}
	if (sm->polls[SIGNALS].revents)
		target_take_signals(&sm->target);
	if (sm->polls[ENDS].revents)
		target_take_ends(&sm->target);
	take_losses(sm);
	drop_ended(sm);
	*revents = sm->polls[EXTRA].revents;
	return 0;
}

/**
 * sampling_is_over() - whether the target or all sessions have ended, or a signal came
 */
bool sampling_is_over(const struct sampling *sm)
{
	size_t i;

	if (target_has_ended(&sm->target) || sm->target.child.ended || sm->target.give_up)
		return true;
	for (i = 0; i < sm->nr_sessions; i++) {
		if (sm->polls[FIRST_SESSION + i].fd >= 0)
			return false;
	}
	return !sm->target.child.pid;
}

static int peek(struct sampling *sm, struct acrpmu_ring *ring, struct acrpmu_ring_batch *b)
{
	int err = acrpmu_ring_peek(ring, b);

	if (err) {
		sm->sink.clear(sm->sink.ctx);
		TARGET_SAY(&sm->target, "a ring does not hold whole records");
	}
	return err;
}

static int drain_ring(struct sampling *sm, struct acrpmu_ring *ring,
		      struct sampling_counts *counts)
{
	struct acrpmu_ring_batch b;
	int err = peek(sm, ring, &b);

	if (err || !b.nr_runs)
		return err;
	err = sm->sink.take(sm->sink.ctx, &b, counts);
	acrpmu_ring_consume(ring);
	return err;
}

/* Move what the rings of the sideband hold to its filter. */
static int read_sideband(struct sampling *sm)
{
	struct sideband *sb = &sm->sideband;
	struct acrpmu_ring_batch b;
	size_t i;
	int err;

	for (i = 0; i < sb->nr_rings; i++) {
		err = peek(sm, sb->rings[i], &b);
		if (err)
			return err;
		err = follow_put(&sb->follow, &b);
		if (err)
			return refuse_memory(sm, err);
		acrpmu_ring_consume(sb->rings[i]);
	}
	return 0;
}

/* Events of CPUs report other tasks, too. */
static int drain_filtered(struct sampling *sm)
{
	struct sideband *sb = &sm->sideband;
	struct acrpmu_ring_batch b = { .nr_runs = 1 };
	struct pd_blob kept = { 0 };
	int err = read_sideband(sm);

	follow_end_round(&sb->follow);
	if (!err)
		err = read_sideband(sm);
	if (err)
		return err;
	err = follow_pass(&sb->follow, &kept, &b.lost);
	if (err) {
		refuse_memory(sm, err);
	} else if (kept.size) {
		b.bytes = kept.size;
		b.runs[0] = (struct iovec){ kept.data, kept.size };
		err = sm->sink.take(sm->sink.ctx, &b, &sb->counts);
	}
	pd_blob_free(&kept);
	return err;
}

static int drain_later(struct sampling *sm, struct acrpmu_ring *ring)
{
	struct pd_blob copy = { 0 };
	struct acrpmu_ring_batch b;
	int err = peek(sm, ring, &b);

	if (err || !b.nr_runs)
		return err;
	sideband_adopt(&sm->sideband, &b, &copy);
	b.runs[0] = (struct iovec){ copy.data, copy.size };
	b.nr_runs = 1;
	err = copy.failed ? refuse_memory(sm, -ENOMEM) :
			    sm->sink.take(sm->sink.ctx, &b, &sm->sideband.counts);
	pd_blob_free(&copy);
	acrpmu_ring_consume(ring);
	return err;
}

static int drain_sideband(struct sampling *sm)
{
	struct sideband *sb = &sm->sideband;
	size_t i;
	int err = 0;

	if (sb->of_cpus)
		return drain_filtered(sm);
	for (i = 0; i < sb->nr_rings && !err; i++)
		err = drain_ring(sm, sb->rings[i], &sb->counts);
	for (i = 0; i < sb->nr_later && !err; i++)
		err = drain_later(sm, sb->later[i].ring);
	return err;
}

static void renew_sideband(struct sampling *sm)
{
	int err = sideband_renew(&sm->sideband, &sm->target);

	if (!err)
		return;
	sm->sink.clear(sm->sink.ctx);
	TARGET_SAY(&sm->target,
		   "warning: what starts on a CPU that has come online cannot be followed: %s; some names may be missing",
		   strerror(-err));
}

/* What is in a ring that can never be mapped is lost, and counted in the end. */
static void map_new_rings(struct sampling *sm)
{
	int err, cpu = 0;
	size_t i;

	for (i = 0; i < sm->nr_sessions; i++) {
		struct sampling_session *s = &sm->sessions[i];

		err = sampling_session_map(sm, s, &cpu);
		if (err && !s->unmapped) {
			sm->sink.clear(sm->sink.ctx);
			TARGET_SAY(&sm->target,
				   "warning: the ring of CPU %d cannot be mapped: %s; its samples are lost unless it can be later; use fewer pages with -m",
				   cpu, strerror(-err));
		}
		s->unmapped = err;
	}
}

/**
 * sampling_drain() - give everything unread in all rings to the sink
 *
 * Rings are read one after another, and each is ordered only in itself.  Those of the sideband come
 * first, since they name what samples refer to.
 *
 * Return: 0, or -errno after a message.
 */
int sampling_drain(struct sampling *sm)
{
	size_t i, k;
	int err;

	map_new_rings(sm);
	renew_sideband(sm);
	err = drain_sideband(sm);
	if (err)
		return err;
	for (i = 0; i < sm->nr_sessions; i++) {
		struct sampling_session *s = &sm->sessions[i];

		for (k = 0; k < s->kind->reach.nr; k++) {
			if (!s->rings[k])
				continue;
			err = drain_ring(sm, s->rings[k], &s->counts);
			if (err)
				return err;
		}
	}
	return 0;
}
