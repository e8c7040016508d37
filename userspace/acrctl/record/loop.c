// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for records, signals and the end, and moving records to the file. */
#include "record.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* longest time between two visits to the rings, so that few samples do not wait long */
#define VISIT_MS		250
#define MSEC_PER_SEC	1000
#define NSEC_PER_MSEC	1000000
/* go to the first column and erase the line */
#define ERASE_LINE	"\r\033[K"
/* offset of the number in a PERF_RECORD_LOST: header and id come first */
#define LOST_OFFSET	(sizeof(struct perf_event_header) + sizeof(__u64))
/* indices among what is polled */
#define CONTROL		2
#define FIRST_SESSION	3

static __u64 now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (__u64)t.tv_sec * MSEC_PER_SEC + t.tv_nsec / NSEC_PER_MSEC;
}

/* A command has the terminal to itself, except with -v. */
static void show_progress(struct record *r)
{
	__u64 samples = 0, now = now_ms();
	size_t i;

	if (r->opt.quiet || (r->target.child.pid && !r->opt.verbose) || !isatty(STDERR_FILENO) ||
	    now - r->shown_ms < VISIT_MS)
		return;
	for (i = 0; i < r->nr_sessions; i++)
		samples += r->sessions[i].counts.samples;
	fprintf(stderr, ERASE_LINE "acrctl: %llu samples so far; Ctrl-C ends the recording",
		samples);
	r->shown_ms = now;
}

/* Before any other message. */
static void erase_progress(struct record *r)
{
	if (r->shown_ms)
		fputs(ERASE_LINE, stderr);
	r->shown_ms = 0;
}

static const char *write_hint(int err)
{
	switch (-err) {
	case ENOSPC:
	case EDQUOT:
		return "; make room there, or name a file elsewhere with -o";
	case EFBIG:
		return "; raise the limit on the size of files (ulimit -f)";
	case EPIPE:
		return "; its reader ended first: let it read on, or record into a file";
	case EIO:
		return "; the kernel log may say why";
	}
	return "";
}

/* The recording ends; what is still in the rings is only counted. */
static int refuse_write(struct record *r, int err)
{
	erase_progress(r);
	fprintf(stderr, "acrctl: record: writing %s: %s%s\n", r->opt.output, strerror(-err),
		write_hint(err));
	r->write_err = err;
	return err;
}

/* A 64-bit word of a batch; none wraps around the end of the ring. */
static __u64 word_at(const struct acrpmu_ring_batch *b, __u64 at)
{
	size_t first = b->runs[0].iov_len;
	const char *run = b->runs[at >= first].iov_base;
	__u64 word;

	memcpy(&word, run + (at >= first ? at - first : at), sizeof(word));
	return word;
}

/* Count a batch of which @written bytes are in the file; returns the bytes of whole records. */
static __u64 count_written(const struct acrpmu_ring_batch *b, __u64 written,
			   struct record_counts *counts)
{
	struct perf_event_header h;
	__u64 at, word, lost, whole = 0;

	for (at = 0; at < b->bytes; at += h.size) {
		word = word_at(b, at);
		memcpy(&h, &word, sizeof(h));
		lost = 0;
		if (h.type == PERF_RECORD_LOST && h.size >= LOST_OFFSET + sizeof(lost))
			lost = word_at(b, at + LOST_OFFSET);
		if (at + h.size > written) {
			counts->dropped += lost + (h.type != PERF_RECORD_SAMPLE && !lost);
			continue;
		}
		counts->samples += h.type == PERF_RECORD_SAMPLE;
		counts->lost += lost;
		whole = at + h.size;
	}
	return whole;
}

static int drain_ring(struct record *r, struct acrpmu_ring *ring,
		      struct record_counts *counts, bool *any)
{
	struct acrpmu_ring_batch b;
	int err;

	err = acrpmu_ring_peek(ring, &b);
	if (err) {
		erase_progress(r);
		fprintf(stderr, "acrctl: record: a ring does not hold whole records\n");
		return err;
	}
	if (!b.nr_runs)
		return 0;
	if (!r->write_err)
		err = pd_writer_put(&r->writer, b.runs, b.nr_runs);
	if (err)
		refuse_write(r, err);
	if (err) {
		pd_writer_keep(&r->writer, count_written(&b, r->writer.torn, counts));
	} else if (r->write_err) {
		count_written(&b, 0, counts);
	} else {
		counts->samples += b.samples;
		counts->lost += b.lost;
		*any = true;
	}
	acrpmu_ring_consume(ring);
	return err;
}

/* What is in a ring that can never be mapped is lost, and counted in the end. */
static void map_new_rings(struct record *r)
{
	int err, cpu = 0;
	size_t i;

	for (i = 0; i < r->nr_sessions; i++) {
		struct record_session *s = &r->sessions[i];

		err = record_session_map(s, &cpu);
		if (err && !s->unmapped) {
			erase_progress(r);
			fprintf(stderr,
				"acrctl: record: warning: the ring of CPU %d cannot be mapped: %s; its samples are lost unless it can be later; use fewer pages with -m\n",
				cpu, strerror(-err));
		}
		s->unmapped = err;
	}
}

static int put_mark(struct record *r)
{
	struct perf_event_header mark = {
		.type = PD_RECORD_FINISHED_ROUND, .size = sizeof(mark),
	};
	int err = pd_writer_put_record(&r->writer, &mark, sizeof(mark));

	if (!err)
		return 0;
	pd_writer_keep(&r->writer, 0);
	return refuse_write(r, err);
}

/**
 * record_loop_drain() - move everything unread from all rings to the file
 *
 * Rings are read one after another, and each is ordered only in itself.  What is in a ring after a
 * round is newer than the newest record before that round; the mark at its end lets perf sort what
 * is older.  After a write has failed, everything is counted and dropped.
 *
 * Return: 0, or -errno after a message.
 */
int record_loop_drain(struct record *r)
{
	bool any = false;
	size_t i, k;
	int err;

	map_new_rings(r);
	for (i = 0; i < r->sideband.nr_rings; i++) {
		err = drain_ring(r, r->sideband.rings[i], &r->sideband.counts, &any);
		if (err)
			return err;
	}
	for (i = 0; i < r->nr_sessions; i++) {
		struct record_session *s = &r->sessions[i];

		for (k = 0; k < s->kind->cpus.nr; k++) {
			if (!s->rings[k])
				continue;
			err = drain_ring(r, s->rings[k], &s->counts, &any);
			if (err)
				return err;
		}
	}
	return any ? put_mark(r) : 0;
}

static size_t fill_polls(const struct record *r, struct pollfd *polls)
{
	size_t i, nr = 0;

	polls[nr++] = (struct pollfd){ .fd = r->target.signal_fd, .events = POLLIN };
	polls[nr++] = (struct pollfd){ .fd = r->target.ends_fd, .events = POLLIN };
	polls[nr++] = (struct pollfd){ .events = POLLIN };
	for (i = 0; i < r->nr_sessions; i++)
		polls[nr++] = (struct pollfd){ .fd = acrpmu_session_fd(r->sessions[i].session) };
	for (i = 0; i < r->sideband.nr_rings; i++)
		polls[nr++] = (struct pollfd){ .fd = r->sideband.poll_fds[i], .events = POLLIN };
	return nr;
}

/* A ring that cannot be read would end each wait at once. */
static void choose_events(const struct record *r, struct pollfd *polls)
{
	size_t i;

	polls[CONTROL].fd = r->control.fd;
	for (i = 0; i < r->nr_sessions; i++)
		polls[FIRST_SESSION + i].events = r->sessions[i].unmapped ? 0 : POLLIN | POLLPRI;
}

/* A descriptor that hung up is not polled again. */
static void drop_ended(struct pollfd *polls, size_t nr)
{
	size_t i;

	for (i = FIRST_SESSION; i < nr; i++) {
		if (polls[i].revents & (POLLHUP | POLLERR | POLLNVAL))
			polls[i].fd = -1;
	}
}

static bool over(const struct record *r, const struct pollfd *polls)
{
	size_t i;

	if (target_has_ended(&r->target) || r->target.child.ended || r->target.give_up ||
	    r->control.stop)
		return true;
	for (i = 0; i < r->nr_sessions; i++) {
		if (polls[FIRST_SESSION + i].fd >= 0)
			return false;
	}
	return !r->target.child.pid;
}

static int enable(void *ctx, bool on)
{
	return record_sessions_switch(ctx, on);
}

static int snapshot(void *ctx)
{
	struct record *r = ctx;
	int err = record_loop_drain(r);

	erase_progress(r);
	return err ? err : record_messages_snapshot(r);
}

static const struct control_ops control_ops = { .enable = enable, .snapshot = snapshot };

static int adapt(struct record *r)
{
	/* it may print a line */
	if (r->opt.when.hz && r->opt.verbose)
		erase_progress(r);
	return record_adapt_step(r);
}

/* Wait, then do what is due. */
static int step(struct record *r, struct pollfd *polls, size_t nr)
{
	int visit_ms = r->opt.when.hz ? RATE_STEP_MS : VISIT_MS, err = 0;

	choose_events(r, polls);
	if (poll(polls, nr, control_timeout_ms(&r->control, visit_ms)) < 0 && errno != EINTR) {
		err = -errno;
		erase_progress(r);
		fprintf(stderr, "acrctl: record: poll: %s\n", strerror(-err));
		return err;
	}
	if (polls[0].revents)
		target_take_signals(&r->target);
	if (polls[1].revents)
		target_take_ends(&r->target);
	drop_ended(polls, nr);
	err = control_run(&r->control, polls[CONTROL].revents);
	if (!err)
		err = record_loop_drain(r);
	if (!err)
		err = adapt(r);
	if (!err)
		show_progress(r);
	return err;
}

/**
 * record_loop_run() - record until the command or process has ended, or a signal comes
 *
 * Return: 0, or -errno after a message.
 */
int record_loop_run(struct record *r)
{
	size_t nr = FIRST_SESSION + r->nr_sessions + r->sideband.nr_rings;
	struct pollfd *polls = calloc(nr, sizeof(*polls));
	int err;

	if (!polls)
		return -ENOMEM;
	nr = fill_polls(r, polls);
	err = record_adapt_begin(r);
	target_reap(&r->target, false);
	control_begin(&r->control, &control_ops, r);
	while (!err && !over(r, polls))
		err = step(r, polls, nr);
	erase_progress(r);
	free(polls);
	return err;
}
