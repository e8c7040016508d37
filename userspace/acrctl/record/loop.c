// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for records, signals and the end, and moving records to the file. */
#include "record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../ui/color.h"
#include "../../util/clock.h"

/* longest time between two visits to the rings, so that few samples do not wait long */
#define VISIT_MS		250
/* go to the first column and erase the line */
#define ERASE_LINE	"\r\033[K"
/* offset of the number in a PERF_RECORD_LOST: header and id come first */
#define LOST_OFFSET	(sizeof(struct perf_event_header) + sizeof(__u64))

/* A command has the terminal to itself, except with -v. */
static void show_progress(struct record *r)
{
	__u64 samples = 0, now = clock_now_ms(CLOCK_MONOTONIC);
	size_t i;

	if (r->sm.opt.quiet || (r->sm.target.child.pid && !r->sm.opt.verbose) ||
	    !color_terminal(stderr) || now - r->shown_ms < VISIT_MS)
		return;
	for (i = 0; i < r->sm.nr_sessions; i++)
		samples += r->sm.sessions[i].counts.samples;
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

static const char *write_hint(const struct record *r, int err)
{
	if (r->opt.max_bytes && err == -EFBIG)
		return ", as large as the queue; use longer periods or a shorter --for, or raise "
		       "--push-queue-size";
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
		write_hint(r, err));
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
			   struct sampling_counts *counts)
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

/* Move a batch to the file; what cannot be written is counted. */
static int take(void *ctx, const struct acrpmu_ring_batch *b, struct sampling_counts *counts)
{
	struct record *r = ctx;
	int err = 0;

	if (!r->write_err && r->opt.max_bytes && r->writer.size + b->bytes > r->opt.max_bytes)
		err = -EFBIG;
	else if (!r->write_err)
		err = pd_compress_put(r->compress, &r->writer, b->runs, b->nr_runs);
	if (err)
		refuse_write(r, err);
	if (err) {
		pd_writer_keep(&r->writer, count_written(b, r->writer.torn, counts));
	} else if (r->write_err) {
		count_written(b, 0, counts);
	} else {
		counts->samples += b->samples;
		counts->lost += b->lost;
		r->unmarked = true;
	}
	return err;
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

static void clear(void *ctx)
{
	erase_progress(ctx);
}

/**
 * record_loop_sink() - what a recording does with records
 */
struct sampling_sink record_loop_sink(struct record *r)
{
	return (struct sampling_sink){ .take = take, .clear = clear, .ctx = r };
}

/**
 * record_loop_drain() - move everything unread from all rings to the file
 *
 * What is in a ring after a round is newer than the newest record before that round; the mark at
 * its end lets perf sort what is older.  After a write has failed, everything is counted and
 * dropped.
 *
 * Return: 0, or -errno after a message.
 */
int record_loop_drain(struct record *r)
{
	int err;

	r->unmarked = false;
	err = sampling_drain(&r->sm);
	return err || !r->unmarked ? err : put_mark(r);
}

static bool over(const struct record *r)
{
	return r->control.stop || sampling_is_over(&r->sm);
}

static int enable(void *ctx, bool on)
{
	struct record *r = ctx;

	return sampling_sessions_switch(&r->sm, on);
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
	if (r->sm.opt.when.hz && r->sm.opt.verbose)
		erase_progress(r);
	return sampling_adapt_step(&r->sm);
}

/* Wait, then do what is due. */
static int step(struct record *r)
{
	int visit_ms = r->sm.opt.when.hz ? RATE_STEP_MS : VISIT_MS, err;
	short revents;

	visit_ms = record_switch_wait_ms(r, visit_ms);
	err = sampling_wait(&r->sm, r->control.fd, control_timeout_ms(&r->control, visit_ms),
			    &revents);
	if (!err)
		err = control_run(&r->control, revents);
	if (!err)
		err = record_loop_drain(r);
	if (!err && record_switch_is_due(r)) {
		erase_progress(r);
		err = record_switch_file(r);
	}
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
	int err = sampling_wait_begin(&r->sm);

	if (err)
		return err;
	err = sampling_adapt_begin(&r->sm);
	target_reap(&r->sm.target, false);
	control_begin(&r->control, &control_ops, r);
	while (!err && !over(r))
		err = step(r);
	erase_progress(r);
	return err;
}
