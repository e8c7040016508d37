// SPDX-License-Identifier: GPL-2.0-only
/* Groups taking turns against two plain rows of groups, and scaling against long division. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/stat/stat.h"

#define MAX_GROUPS	12
#define HISTORIES	5000
#define TURNS		40
#define DIVISIONS	20000

/* A CPU with so many counters; what is busy for others changes from turn to turn. */
static struct {
	unsigned int sizes[MAX_GROUPS];
	unsigned int free;
	unsigned int busy;	/* bit for each group that others keep from running now */
	unsigned int running;	/* bit for each that runs */
	unsigned int stops;
} cpu;

static bool start(unsigned int group)
{
	if (cpu.busy & 1U << group || cpu.sizes[group] > cpu.free)
		return false;
	cpu.free -= cpu.sizes[group];
	cpu.running |= 1U << group;
	return true;
}

static void stop(unsigned int group)
{
	cpu.free += cpu.sizes[group];
	cpu.running &= ~(1U << group);
	cpu.stops++;
}

static bool run_one(void *ctx, unsigned int group)
{
	(void)ctx;
	return start(group);
}

static void stop_one(void *ctx, unsigned int group)
{
	(void)ctx;
	stop(group);
}

/* A row of groups; those that come at the same time stand by number. */
struct row {
	unsigned int groups[2 * MAX_GROUPS];
	unsigned int nr;
};

static void append(struct row *row, unsigned int bits)
{
	unsigned int g;

	for (g = 0; g < MAX_GROUPS; g++) {
		if (bits & 1U << g)
			row->groups[row->nr++] = g;
	}
}

static unsigned int take_first(struct row *row)
{
	unsigned int first = row->groups[0];

	memmove(row->groups, row->groups + 1, --row->nr * sizeof(*row->groups));
	return first;
}

/* One row that runs and one that waits: whoever stops goes to the end of the one that waits. */
static void run_rows(struct row *runs, struct row *waits)
{
	unsigned int stopped = 0, started = 0, first, g, i;
	struct row rest = { .nr = 0 };

	if (!waits->nr)
		return;
	first = waits->groups[0];
	while (!start(first)) {
		if (!runs->nr)
			break;
		g = take_first(runs);
		stop(g);
		stopped |= 1U << g;
	}
	if (cpu.running & 1U << first)
		started |= 1U << take_first(waits);
	append(waits, stopped);
	for (i = 0; i < waits->nr; i++) {
		if (start(waits->groups[i]))
			started |= 1U << waits->groups[i];
		else
			rest.groups[rest.nr++] = waits->groups[i];
	}
	*waits = rest;
	append(runs, started);
}

static bool history(unsigned int nr, bool disturbed, unsigned int *longest_wait)
{
	struct row runs = { .nr = 0 }, waits = { .nr = 0 };
	unsigned int counters = 1 + rand() % 8, left[MAX_GROUPS] = { 0 };
	unsigned int order[MAX_GROUPS], i, turn, want_free = counters, got_free = counters;
	unsigned int want = 0, got = 0, want_stops, nr_run;
	struct stat_turn groups[MAX_GROUPS] = { 0 };
	struct stat_turns t = {
		.groups = groups, .order = order, .nr = nr, .run = run_one, .stop = stop_one,
	};

	for (i = 0; i < nr; i++)
		cpu.sizes[i] = 1 + rand() % counters;
	append(&waits, (1U << nr) - 1);
	*longest_wait = 0;
	for (turn = 0; turn < TURNS; turn++) {
		cpu.busy = disturbed ? rand() & rand() : 0;
		cpu.free = want_free;
		cpu.running = want;
		cpu.stops = 0;
		run_rows(&runs, &waits);
		want = cpu.running;
		want_free = cpu.free;
		want_stops = cpu.stops;

		cpu.free = got_free;
		cpu.running = got;
		cpu.stops = 0;
		nr_run = stat_turns_next(&t);
		got = cpu.running;
		got_free = cpu.free;
		if (got != want || cpu.stops != want_stops ||
		    nr_run != (unsigned int)__builtin_popcount(want))
			return false;
		for (i = 0; i < nr; i++) {
			left[i] = got & 1U << i ? 0 : left[i] + 1;
			if (left[i] > *longest_wait)
				*longest_wait = left[i];
		}
	}
	return true;
}

static void test_turns(void)
{
	unsigned int i, wrong = 0, starved = 0, wait;

	srand(1);
	for (i = 0; i < HISTORIES; i++) {
		unsigned int nr = 1 + rand() % MAX_GROUPS;

		wrong += !history(nr, i % 2, &wait);
		/* each one fits alone, and the first in the row always runs */
		starved += !(i % 2) && wait >= nr;
	}
	is_u64(wrong, 0, "%d random histories are those of two rows", HISTORIES);
	is_u64(starved, 0, "nobody waits for more turns than there are others");
}

/* Two that exclude each other, and one that fits next to either. */
static void test_bystander(void)
{
	struct stat_turn groups[3] = { 0 };
	unsigned int order[3], turn, ran[3] = { 0 };
	struct stat_turns t = {
		.groups = groups, .order = order, .nr = 3, .run = run_one, .stop = stop_one,
	};

	cpu.sizes[0] = 2;
	cpu.sizes[1] = 2;
	cpu.sizes[2] = 1;
	cpu.free = 3;
	cpu.busy = 0;
	cpu.running = 0;
	for (turn = 0; turn < 100; turn++) {
		stat_turns_next(&t);
		ran[0] += cpu.running & 1;
		ran[1] += cpu.running >> 1 & 1;
		ran[2] += cpu.running >> 2 & 1;
	}
	ok(ran[0] == 50 && ran[1] == 50, "two that exclude each other take turns");
	is_u64(ran[2], 100, "one that fits next to either runs in all turns");
}

/* Divide and round to the nearest, bit by bit. */
static __u64 divide(__u64 a, __u64 b, __u64 by)
{
	unsigned __int128 product = 0, rest = 0, quotient = 0;
	int bit;

	for (bit = 63; bit >= 0; bit--)
		product = product * 2 + (a >> bit & 1 ? b : 0);
	for (bit = 127; bit >= 0; bit--) {
		rest = rest * 2 + (product >> bit & 1);
		quotient *= 2;
		if (rest >= by) {
			rest -= by;
			quotient++;
		}
	}
	if (rest >= by - rest)
		quotient++;
	return quotient > ~0ULL ? ~0ULL : quotient;
}

static __u64 random_word(void)
{
	__u64 word = (__u64)rand() << 42 ^ (__u64)rand() << 21 ^ rand();

	return word >> rand() % 64;
}

static void test_scale(void)
{
	unsigned int i, wrong = 0;

	is_u64(stat_turns_scale(100, 25, 100), 400, "a quarter of the time is a quarter of all");
	is_u64(stat_turns_scale(7, 1000, 1000), 7, "who ran all the time is not scaled");
	is_u64(stat_turns_scale(1, 2, 3), 2, "one and a half is rounded up");
	is_u64(stat_turns_scale(1, 3, 4), 1, "one and a third is rounded down");
	is_u64(stat_turns_scale(5, 0, 100), 0, "who did not run has no count");
	is_u64(stat_turns_scale(1ULL << 63, 1, 4), ~0ULL, "what is too large is the largest");
	is_u64(stat_turns_scale(123456789012345678ULL, 1000000007, 1000000007),
	       123456789012345678ULL, "large counts stay exact");
	for (i = 0; i < DIVISIONS; i++) {
		__u64 raw = random_word(), running = random_word() | 1;
		__u64 total = random_word();

		wrong += stat_turns_scale(raw, running, total) != divide(raw, total, running);
	}
	is_u64(wrong, 0, "%d quotients are those of long division", DIVISIONS);
}

int main(void)
{
	plan(0);
	test_turns();
	test_bystander();
	test_scale();
	return done();
}
