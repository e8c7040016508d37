// SPDX-License-Identifier: GPL-2.0-only
/* Waiting for records, keys, refreshes and the end. */
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../../util/util.h"
#include "screen.h"

/* longest time between two visits to the rings */
#define VISIT_MS	250
/* /proc is not read again before */
#define RENEW_NS	(10 * NSEC_PER_SEC)

static __u64 now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

/* ---- samples ------------------------------------------------------------------------------ */

static int refuse_more(const struct top *t, int err)
{
	TARGET_SAY(&t->sm.target,
		   "what runs cannot be followed any more: %s; sample fewer CPUs with -C, or give smaller rings with -m",
		   strerror(-err));
	return err;
}

static int take(void *ctx, const struct acrpmu_ring_batch *b, struct sampling_counts *counts)
{
	struct top *t = ctx;
	int err = live_take(&t->live, b);

	if (err)
		return refuse_more(t, err);
	counts->samples += b->samples;
	counts->lost += b->lost;
	return 0;
}

/* The screen keeps messages, and blocks of text do not mind them. */
static void clear(void *ctx)
{
	(void)ctx;
}

/**
 * top_loop_sink() - what is done with records
 */
struct sampling_sink top_loop_sink(struct top *t)
{
	return (struct sampling_sink){ .take = take, .clear = clear, .ctx = t };
}

static int add_sample(void *ctx, struct view *v, const struct pd_sample *s, __u32 event)
{
	static const bool all[HIST_NR_KEYS] = { [0 ... HIST_NR_KEYS - 1] = true };
	struct hist_entry key = { .event = event };
	struct keys_numbers numbers;
	struct top *t = ctx;

	keys_of(v, all, s, &numbers, &key);
	return tally_add(&t->tally, &key, s->period, t->show.view.recent);
}

/* @all: nothing comes any more */
static int add_up(struct top *t, bool all)
{
	int err = sampling_drain(&t->sm);
	__u64 now = now_ns();

	if (err)
		return err;
	/* what has come since the last visit waits for the next one */
	t->played_ns = all ? now : t->drained_ns;
	t->drained_ns = now;
	err = live_play(&t->live, add_sample, t, all);
	return err ? refuse_more(t, err) : 0;
}

static int renew(struct top *t)
{
	int err = live_renew(&t->live);

	t->renewed_ns = now_ns();
	return err ? refuse_more(t, err) : 0;
}

/* ---- refreshes ---------------------------------------------------------------------------- */

static int draw(struct top *t)
{
	int err = t->screen ? screen_draw(t) : top_plain_print(t);

	if (err == -ENOMEM)
		refuse_more(t, err);
	return err;
}

static void end_interval(struct top *t)
{
	__u64 passed_ns = t->played_ns - t->counted_ns;
	__u32 i;

	for (i = 0; i < t->live.nr_events; i++)
		t->samples_per_s[i] = passed_ns ? t->tally.totals[i].now.samples * NSEC_PER_SEC /
						  passed_ns : 0;
	tally_tick(&t->tally);
	t->counted_ns = t->played_ns;
	t->refreshed_ns = now_ns();
}

static int read_accounts(struct top *t)
{
	int err = sampling_sessions_read(&t->sm);
	size_t i;

	t->lost = 0;
	t->throttled = 0;
	for (i = 0; !err && i < t->sm.nr_sessions; i++) {
		t->lost += t->sm.sessions[i].stats.lost;
		t->throttled += t->sm.sessions[i].stats.throttled;
	}
	return err;
}

static int refresh(struct top *t)
{
	int err = read_accounts(t);

	if (err)
		return err;
	end_interval(t);
	t->nr_refreshes++;
	err = draw(t);
	if (!err && live_is_stale(&t->live) && now_ns() - t->renewed_ns >= RENEW_NS)
		err = renew(t);
	return err;
}

static bool is_due(const struct top *t)
{
	return !t->show.paused && now_ns() - t->refreshed_ns >= t->opt.delay_ms * NSEC_PER_MSEC;
}

/* For poll(): until something must be done. */
static int timeout_ms(const struct top *t)
{
	__u64 visit_ms = t->sm.opt.when.hz ? RATE_STEP_MS : VISIT_MS;
	__u64 passed_ms = (now_ns() - t->refreshed_ns) / NSEC_PER_MSEC;

	if (t->show.paused || t->over || passed_ms + visit_ms < t->opt.delay_ms)
		return visit_ms;
	return passed_ms < t->opt.delay_ms ? t->opt.delay_ms - passed_ms : 0;
}

/* ---- the loop ----------------------------------------------------------------------------- */

static int forget(struct top *t)
{
	t->show.clear = false;
	tally_clear(&t->tally);
	t->counted_ns = t->played_ns;
	memset(t->samples_per_s, 0, t->live.nr_events * sizeof(*t->samples_per_s));
	return renew(t);
}

static int take_keys(struct top *t, short revents)
{
	int key, err = 0;
	bool any = false;

	/* the terminal is gone */
	if (revents & (POLLHUP | POLLERR | POLLNVAL))
		t->show.quit = true;
	while (!err && !t->show.quit && (key = screen_key()) != SCREEN_NO_KEY) {
		any = true;
		if (key == SCREEN_RESIZED)
			continue;
		show_take_key(&t->show, key);
		if (t->show.clear)
			err = forget(t);
	}
	return !err && any ? draw(t) : err;
}

/* What ended has a last interval, which a screen shows until the user quits. */
static int note_end(struct top *t)
{
	int err;

	if (t->over || t->sm.target.give_up || !sampling_is_over(&t->sm))
		return 0;
	t->over = true;
	sampling_sessions_switch(&t->sm, false);
	sideband_enable(&t->sm.sideband, false);
	err = add_up(t, true);
	return err ? err : refresh(t);
}

static int step(struct top *t)
{
	short revents;
	int err = sampling_wait(&t->sm, t->screen ? STDIN_FILENO : -1, timeout_ms(t), &revents);

	if (!err && !t->over)
		err = add_up(t, false);
	if (!err && !t->over)
		err = sampling_adapt_step(&t->sm);
	if (!err)
		err = note_end(t);
	if (!err && !t->over && is_due(t))
		err = refresh(t);
	if (!err && t->screen)
		err = take_keys(t, revents);
	return err;
}

static bool is_done(const struct top *t)
{
	if (t->show.quit || t->reader_gone || t->sm.target.give_up ||
	    (t->opt.nr_refreshes && t->nr_refreshes >= t->opt.nr_refreshes))
		return true;
	return t->over && (!t->screen || t->sm.target.stop_signal);
}

/**
 * top_loop_begin() - note that sampling is about to start, since when samples a second are counted
 */
void top_loop_begin(struct top *t)
{
	t->drained_ns = now_ns();
	t->played_ns = t->drained_ns;
	t->counted_ns = t->drained_ns;
}

/**
 * top_loop_run() - show what is sampled until the target has ended, the user quits, or a signal
 * comes
 *
 * Return: 0, or -errno after a message.
 */
int top_loop_run(struct top *t)
{
	int err = sampling_wait_begin(&t->sm);

	if (err)
		return err;
	t->refreshed_ns = now_ns();
	err = sampling_adapt_begin(&t->sm);
	target_reap(&t->sm.target, false);
	if (!err && t->screen)
		err = draw(t);
	while (!err && !is_done(t))
		err = step(t);
	return err;
}
