// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for the end while groups take turns and intervals pass. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "stat.h"

#define NSEC_PER_SEC	1000000000ULL
#define NSEC_PER_MSEC	1000000ULL
/* indices among what is polled */
#define CONTROL		2
#define FIRST_SESSION	3

/* What is due repeatedly; 0: never. */
struct timer {
	__u64 every_ns;
	__u64 next_ns;
};

/**
 * stat_now_ns() - CLOCK_MONOTONIC in nanoseconds
 */
__u64 stat_now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

static struct timer timer_from(__u64 start_ns, __u64 every_ms)
{
	return (struct timer){ every_ms * NSEC_PER_MSEC, start_ns + every_ms * NSEC_PER_MSEC };
}

/* Whether it is due now; missed times are skipped. */
static bool due(struct timer *t, __u64 now_ns)
{
	if (!t->every_ns || now_ns < t->next_ns)
		return false;
	t->next_ns += ((now_ns - t->next_ns) / t->every_ns + 1) * t->every_ns;
	return true;
}

/* For poll(): until the earlier of the two, -1: forever. */
static int timeout_ms(const struct timer *a, const struct timer *b)
{
	__u64 next = ~0ULL, now = stat_now_ns();

	if (a->every_ns)
		next = a->next_ns;
	if (b->every_ns && b->next_ns < next)
		next = b->next_ns;
	if (next == ~0ULL)
		return -1;
	return next > now ? (next - now + NSEC_PER_MSEC - 1) / NSEC_PER_MSEC : 0;
}

/* Poll sessions only for their end: nothing reads their records. */
static void fill_polls(const struct stat *st, struct pollfd *polls)
{
	unsigned int g;

	polls[0] = (struct pollfd){ .fd = st->target.signal_fd, .events = POLLIN };
	polls[1] = (struct pollfd){ .fd = st->target.ends_fd, .events = POLLIN };
	polls[CONTROL] = (struct pollfd){ .events = POLLIN };
	for (g = 0; g < st->nr_groups; g++)
		polls[FIRST_SESSION + g] = (struct pollfd){
			.fd = acrpmu_session_fd(st->groups[g].session),
		};
}

/* Acknowledge that a CPU is lost, which is reported in the end: the session goes on with others. */
static void take_losses(struct stat *st, struct pollfd *polls)
{
	unsigned int g;

	for (g = 0; g < st->nr_groups; g++) {
		struct pollfd *p = &polls[FIRST_SESSION + g];

		if (!(p->revents & POLLERR))
			continue;
		acrpmu_session_taken(st->groups[g].session, ACRPMU_CPU_ALL, NULL);
		p->revents &= ~POLLERR;
	}
}

static bool over(const struct stat *st, struct pollfd *polls)
{
	bool left = false;
	unsigned int g;

	if (target_has_ended(&st->target) || st->target.child.ended || st->target.give_up ||
	    st->control.stop)
		return true;
	for (g = 0; g < st->nr_groups; g++) {
		struct pollfd *p = &polls[FIRST_SESSION + g];

		/* a descriptor that hung up is not polled again */
		if (p->revents)
			p->fd = -1;
		left |= p->fd >= 0;
	}
	return !left && !st->target.child.pid;
}

static int show_interval(struct stat *st, struct stat_block *block)
{
	int err = stat_sessions_read(st);

	if (err)
		return err;
	stat_block_take(st, block);
	stat_block_begin(st);
	if (st->opt.json)
		err = stat_json_block(st, block, NULL);
	else
		stat_text_block(st, block);
	return err ? err : stat_flush(st);
}

static int enable(void *ctx, bool on)
{
	return stat_sessions_enable(ctx, on);
}

/* The block goes on. */
static int snapshot(void *ctx)
{
	struct stat *st = ctx;
	struct stat_block block;
	int err = stat_block_alloc(st, &block);

	if (err)
		output_no_memory("stat");
	else
		err = stat_sessions_read(st);
	if (!err)
		stat_block_take(st, &block);
	if (!err && st->opt.json)
		err = stat_json_block(st, &block, NULL);
	else if (!err)
		stat_text_snapshot(st, &block);
	free(block.cells);
	return err ? err : stat_flush(st);
}

static const struct control_ops control_ops = { .enable = enable, .snapshot = snapshot };

static int wait_once(struct stat *st, struct pollfd *polls, int otherwise_ms)
{
	int err;

	polls[CONTROL].fd = st->control.fd;
	if (poll(polls, FIRST_SESSION + st->nr_groups,
		 control_timeout_ms(&st->control, otherwise_ms)) < 0 && errno != EINTR) {
		err = -errno;
		fprintf(stderr, "acrctl: stat: poll: %s\n", strerror(-err));
		return err;
	}
	take_losses(st, polls);
	if (polls[0].revents)
		target_take_signals(&st->target);
	if (polls[1].revents)
		target_take_ends(&st->target);
	return control_run(&st->control, polls[CONTROL].revents);
}

static int wait_for_end(struct stat *st, struct pollfd *polls, struct stat_block *block)
{
	struct timer interval = timer_from(st->start_ns, st->opt.interval_ms);
	struct timer turn = timer_from(st->start_ns, st->rotates ? st->opt.rotate_ms : 0);
	int err = 0;

	if (interval.every_ns && !st->opt.json)
		stat_text_begin(st);
	target_reap(&st->target, false);
	control_begin(&st->control, &control_ops, st);
	while (!err && !over(st, polls)) {
		err = wait_once(st, polls, timeout_ms(&turn, &interval));
		/* the end closes the last block: no turn or interval begins */
		if (err || over(st, polls))
			break;
		if (due(&turn, stat_now_ns())) {
			err = stat_sessions_turn(st);
			/* a turn begins after the change, which takes time */
			turn = timer_from(stat_now_ns(), st->opt.rotate_ms);
		}
		if (!err && due(&interval, stat_now_ns()))
			err = show_interval(st, block);
	}
	return err;
}

/**
 * stat_loop_run() - count until the command or process has ended, or a signal comes
 *
 * Return: 0, or -errno after a message.
 */
int stat_loop_run(struct stat *st)
{
	struct pollfd *polls = calloc(FIRST_SESSION + st->nr_groups, sizeof(*polls));
	struct stat_block block;
	int err = stat_block_alloc(st, &block);

	if (!polls || err) {
		output_no_memory("stat");
		err = -ENOMEM;
	} else {
		fill_polls(st, polls);
		err = wait_for_end(st, polls, &block);
	}
	free(block.cells);
	free(polls);
	return err;
}
