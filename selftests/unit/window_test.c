// SPDX-License-Identifier: GPL-2.0-only
/* Tests of auto counter reload in software: documented cases, and a naive second implementation. */
#include "core_helpers.h"
#include "kmod/core/window.h"

#define NR_RANDOM	200000

static struct acrpmu_group software(const struct acrpmu_event_attr *events, u32 nr)
{
	return group_with(events, nr, ACRPMU_SESSION_SOFTWARE);
}

/* 20 % of branches mispredicted: misses are sampled unless branches overflow first. */
static const struct acrpmu_event_attr pair[] = {
	{ .config = 0xc5, .period = 20000, .acr_mask = 2, .flags = USER | SAMPLED },
	{ .config = 0xc4, .period = 100000, .acr_mask = 3, .flags = USER },
};

static void test_group(void)
{
	struct acrpmu_group group = software(pair, 2);
	struct acrpmu_group hardware = group_of(pair, 2);

	is_u64(group.restarted_events, 3, "software restarts both");
	is_u64(group.int_events, 3, "both raise PMIs");
	is_u64(group.sampled_events, 1, "one writes records");
	is_u64(group.reloaded_events | group.self_events | group.cause_events, 0,
	       "hardware reloads none");
	is_u64(group.ev[0].restart_events, 3, "the sampled one restarts itself and the other");
	is_u64(group.ev[1].restart_events, 3, "the other one both");
	is_u64(hardware.restarted_events, 0, "without the flag software restarts none");
	is_u64(hardware.int_events, 1, "and only the sampled one raises PMIs");
	is_u64(hardware.reloaded_events, 3, "hardware reloads both");
}

/* A quiet cause without its own bit overflows once, until another one restarts it. */
static void test_quiet_without_own_bit(void)
{
	static const struct acrpmu_event_attr events[] = {
		{ .config = 0xc5, .period = 20000, .acr_mask = 2, .flags = USER | SAMPLED },
		{ .config = 0xc4, .period = 100000, .acr_mask = 1, .flags = USER },
		{ .config = 0xc0, .flags = USER | COUNT },
	};
	struct acrpmu_group group = software(events, 3);

	is_u64(group.ev[1].restart_events, 1, "it restarts what has it as a cause, not itself");
	is_u64(group.ev[0].restart_events, 3, "a sampled cause restarts itself too");
	is_u64(group.ev[2].restart_events, 0, "a plain counter restarts nothing");
	is_u64(group.int_events, 3, "a plain counter raises no PMI");
}

/* With the periods of the session. */
static void end_window(const struct acrpmu_group *group, u64 overflowed, const u64 *overshoot,
		       struct acrpmu_window *window)
{
	u64 period[ACRPMU_MAX_EVENTS];
	unsigned int i;

	for (i = 0; i < group->nr; i++)
		period[i] = group->ev[i].period;
	memset(window, 0xcc, sizeof(*window));
	acrpmu_window_end(group, period, overflowed, overshoot, window);
}

static void check(const char *what, const struct acrpmu_group *group, u64 overflowed,
		  const u64 *overshoot, u64 taken, u64 dropped, u64 restarted)
{
	struct acrpmu_window window;

	end_window(group, overflowed, overshoot, &window);
	ok(window.taken_events == taken && window.dropped_events == dropped &&
	   window.restarted_events == restarted && window.nr == hweight64(taken), "%s", what);
}

static void test_documented_pair(void)
{
	static const u64 misses_first[] = { 21, 100 }, branches_first[] = { 20, 101 };
	static const u64 tie[] = { 20, 100 }, none[] = { 0, 0 };
	struct acrpmu_group group = software(pair, 2);

	check("nothing has overflowed", &group, 0, none, 0, 0, 0);
	check("only misses", &group, 1, none, 1, 0, 3);
	check("only branches", &group, 2, none, 2, 0, 3);
	check("misses first: 21/20000 > 100/100000", &group, 3, misses_first, 1, 2, 3);
	check("branches first: 20/20000 < 101/100000", &group, 3, branches_first, 2, 1, 3);
	check("a tie: quiet first", &group, 3, tie, 2, 1, 3);
	check("no overshoot at all: quiet first", &group, 3, none, 2, 1, 3);
}

/* Products of more than 64 bits, which differ in the lowest one only */
static void test_long_periods(void)
{
	const u64 longest = GENMASK_ULL(46, 0);
	const struct acrpmu_event_attr events[] = {
		{ .config = 0xc5, .period = longest, .acr_mask = 2, .flags = USER | SAMPLED },
		{ .config = 0xc4, .period = longest - 1, .acr_mask = 3, .flags = USER },
	};
	const u64 first[] = { longest, longest - 2 }, second[] = { longest - 1, longest - 1 };
	struct acrpmu_group group = software(events, 2);

	check("no product is cut: the first", &group, 3, first, 1, 2, 3);
	check("no product is cut: the second", &group, 3, second, 2, 1, 3);
}

/* Two sampled events without a common cause: both count, the further one first. */
static void test_independent(void)
{
	static const struct acrpmu_event_attr events[] = {
		{ .config = 0xc5, .period = 2000, .flags = USER | SAMPLED },
		{ .config = 0xc4, .period = 1000, .flags = USER | SAMPLED },
		{ .config = 0xc0, .period = 5000, .acr_mask = 4, .flags = USER },
	};
	static const u64 overshoot[] = { 10, 6, 1 };
	struct acrpmu_group group = software(events, 3);
	struct acrpmu_window window;

	end_window(&group, 7, overshoot, &window);
	is_u64(window.nr, 3, "events that restart only themselves all count");
	is_u64(window.order[0], 1, "6/1000 is first");
	is_u64(window.order[1], 0, "10/2000 is second");
	is_u64(window.order[2], 2, "1/5000 is last");
	is_u64(window.restarted_events, 7, "each restarts");
}

/* ---- the naive implementation ---- */

struct naive {
	unsigned int order[ACRPMU_MAX_EVENTS];
	unsigned int nr;
	bool restarted[ACRPMU_MAX_EVENTS];
};

/* Whether a/b > c/d, by long division: no product. */
static int compare(u64 a, u64 b, u64 c, u64 d)
{
	if (a / b != c / d)
		return a / b > c / d ? 1 : -1;
	if (!(a % b) || !(c % d))
		return !(c % d) - !(a % b);
	return -compare(b, a % b, d, c % d);
}

/* One event after another in a list sorted by swapping neighbours, with the masks as requested. */
static void simulate(const struct acrpmu_event_attr *events, u32 nr, u64 overflowed,
		     const u64 *overshoot, struct naive *result)
{
	unsigned int list[ACRPMU_MAX_EVENTS], left = 0, i, j;

	memset(result, 0, sizeof(*result));
	for (i = 0; i < nr; i++)
		if (overflowed >> i & 1)
			list[left++] = i;
	for (j = 0; j < left; j++) {
		for (i = 1; i < left; i++) {
			unsigned int a = list[i - 1], b = list[i];
			int order = compare(overshoot[a], events[a].period, overshoot[b],
					    events[b].period);

			if (order < 0 || (!order && events[a].flags & SAMPLED &&
					  !(events[b].flags & SAMPLED))) {
				list[i - 1] = b;
				list[i] = a;
			}
		}
	}
	for (i = 0; i < left; i++) {
		unsigned int cause = list[i];

		if (result->restarted[cause])
			continue;
		result->order[result->nr++] = cause;
		for (j = 0; j < nr; j++)
			if (events[j].acr_mask >> cause & 1)
				result->restarted[j] = true;
		if (events[cause].flags & SAMPLED)
			result->restarted[cause] = true;
	}
}

/* Small numbers often, for ties; large ones too. */
static u64 some_number(unsigned int bits)
{
	return rnd() >> (64 - 1 - rnd_below(bits));
}

static u32 random_events(struct acrpmu_event_attr *events)
{
	u32 nr = 1 + rnd_below(ACRPMU_MAX_EVENTS), i;

	memset(events, 0, nr * sizeof(*events));
	for (i = 0; i < nr; i++) {
		events[i].config = 0xc0;
		events[i].flags = USER | (rnd_below(2) ? SAMPLED : 0);
		events[i].period = 1000 * (1 + some_number(36));
		events[i].acr_mask = rnd() & rnd() & (BIT_ULL(nr) - 1);
		if (events[i].flags & SAMPLED)
			events[i].acr_mask &= ~BIT_ULL(i);
	}
	return nr;
}

static bool same(const struct acrpmu_window *window, const struct naive *naive, u32 nr,
		 u64 overflowed)
{
	u64 restarted = 0, taken = 0;
	unsigned int i;

	if (window->nr != naive->nr)
		return false;
	for (i = 0; i < naive->nr; i++) {
		if (window->order[i] != naive->order[i])
			return false;
		taken |= BIT_ULL(naive->order[i]);
	}
	for (i = 0; i < nr; i++)
		restarted |= (u64)naive->restarted[i] << i;
	return window->restarted_events == restarted && window->taken_events == taken &&
	       window->dropped_events == (overflowed & ~taken);
}

static void test_random(void)
{
	unsigned int differ = 0, dropped = 0, ties = 0, run;

	for (run = 0; run < NR_RANDOM; run++) {
		struct acrpmu_event_attr events[ACRPMU_MAX_EVENTS];
		u64 overshoot[ACRPMU_MAX_EVENTS], overflowed;
		u32 nr = random_events(events), i;
		struct acrpmu_group group = software(events, nr);
		struct acrpmu_window window;
		struct naive naive;

		overflowed = rnd() & group.int_events;
		for (i = 0; i < nr; i++) {
			overshoot[i] = some_number(46);
			/* a tie with the one before */
			if (i && !rnd_below(4)) {
				overshoot[i] = overshoot[i - 1];
				group.ev[i].period = group.ev[i - 1].period;
				events[i].period = events[i - 1].period;
				ties++;
			}
		}
		end_window(&group, overflowed, overshoot, &window);
		simulate(events, nr, overflowed, overshoot, &naive);
		differ += !same(&window, &naive, nr, overflowed);
		dropped += !!window.dropped_events;
	}
	is_u64(differ, 0, "%u random groups end their windows as in the naive way", NR_RANDOM);
	ok(dropped > NR_RANDOM / 4 && ties > NR_RANDOM / 4, "with dropped overflows and ties");
}

int main(void)
{
	plan(0);
	test_group();
	test_quiet_without_own_bit();
	test_documented_pair();
	test_long_periods();
	test_independent();
	test_random();
	return done();
}
