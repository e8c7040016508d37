// SPDX-License-Identifier: GPL-2.0-only
/* Bounds of the windows of a condition against a simulation that counts them one by one. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/stat/windows.h"

#define STREAMS		(getenv("ACR_LONG") ? 1000U : 250U)
#define MAX_EVENTS	4
#define MAX_CONTEXTS	3
#define CYCLES		20000

/* What a stream does, other than its events. */
struct nature {
	unsigned int nr_contexts;	/* CPUs or tasks, each with windows of its own */
	unsigned int most_at_once;	/* occurrences in a cycle */
	unsigned int skid;		/* longest time from an overflow to its interrupt */
	unsigned int life;		/* mean cycles until another task follows, 0: never */
	bool middle;			/* it is observed from the middle of its windows on */
};

struct context {
	__u64 in_window[MAX_EVENTS];
	unsigned int phase;
	unsigned int late;		/* cycles until the sampled event restarts, 0: it runs */
};

/* What is known of a simulated stream, and what is true. */
struct simulated {
	struct windows_counts known;
	__u64 others;			/* windows without a match, counted one by one */
	__u64 tasks;			/* that there have been */
};

/* One cycle as hardware would do it: all overflows of a cycle count, the sampled one first. */
static void cycle(struct simulated *s, struct context *c, const struct nature *n)
{
	unsigned int i, nr = s->known.nr, ended = 0;

	if (!(rand() % 500))
		c->phase = rand();
	for (i = 0; i < nr; i++) {
		unsigned int often = c->phase >> 3 * i & 7;
		__u64 more = rand() % 8 < (int)often ? 1 + rand() % n->most_at_once : 0;

		s->known.ev[i].count += more;
		if (i || !c->late)
			c->in_window[i] += more;
	}
	if (c->late)
		c->late--;
	for (i = 0; i < nr; i++) {
		if (c->in_window[i] < s->known.ev[i].period || (i && ended))
			continue;
		ended = 1 + i;
	}
	if (!ended)
		return;
	s->known.matches += ended == 1;
	s->others += ended != 1;
	for (i = 0; i < nr; i++)
		c->in_window[i] = 0;
	if (ended == 1)
		c->late = n->skid ? rand() % n->skid : 0;
}

/* A task that ends leaves a window that never ends. */
static void run(struct simulated *s, struct context *contexts, unsigned int i,
		const struct nature *n)
{
	struct context *c = &contexts[i % n->nr_contexts];

	if (n->life && !(rand() % n->life)) {
		*c = (struct context){ .phase = rand() };
		s->tasks++;
	}
	cycle(s, c, n);
}

static void simulate(struct simulated *s, const struct nature *n)
{
	struct context contexts[MAX_CONTEXTS] = { 0 };
	unsigned int i, k;
	__u64 before;

	*s = (struct simulated){
		.known.nr = 2 + rand() % (MAX_EVENTS - 1),
		.tasks = n->nr_contexts,
	};
	for (i = 0; i < s->known.nr; i++)
		s->known.ev[i].period = 1 + rand() % 500;
	for (k = 0; k < n->nr_contexts; k++)
		contexts[k].phase = rand();
	for (i = 0; n->middle && i < CYCLES / 4; i++)
		run(s, contexts, i, n);
	before = s->tasks;
	if (n->middle) {
		s->known.begun = n->nr_contexts;
		s->known.matches = 0;
		s->others = 0;
		for (i = 0; i < s->known.nr; i++)
			s->known.ev[i].count = 0;
	}
	for (i = rand() % CYCLES; i < CYCLES; i++)
		run(s, contexts, i, n);
	/* those that ran in the beginning, and those that have come since */
	s->known.open = n->nr_contexts + s->tasks - before;
}

/* Returns in how many streams both bounds are near. */
static unsigned int test_bounds(const char *name, struct nature n)
{
	unsigned int i, low = 0, high = 0, near = 0;
	struct windows_bounds bounds;
	struct simulated s;

	srand(1);
	for (i = 0; i < STREAMS; i++) {
		simulate(&s, &n);
		windows_bound(&s.known, &bounds);
		low += s.others < bounds.least;
		high += s.others > bounds.most;
		near += s.others <= 1.2 * bounds.least && s.others >= 0.8 * bounds.most;
	}
	is_u64(low, 0, "%s: at least as many windows as the lower bound, in %u streams", name,
	       STREAMS);
	is_u64(high, 0, "%s: and at most as many as the upper one", name);
	return near;
}

static void test_nature(const char *name, struct nature n)
{
	ok(test_bounds(name, n), "%s: to which some come near", name);
}

static struct windows_bounds bound(__u64 matches, __u64 s, __u64 p_s, __u64 q, __u64 p_q)
{
	const struct windows_counts counts = {
		.ev = { { s, p_s }, { q, p_q } }, .nr = 2, .matches = matches, .open = 1,
	};
	struct windows_bounds bounds;

	windows_bound(&counts, &bounds);
	return bounds;
}

/* By hand; 1015 in a match between overflow and interrupt and 15 in each window may be too many. */
static void test_by_hand(void)
{
	struct windows_bounds b;

	b = bound(0, 0, 1000, 0, 1000);
	ok(!b.least && !b.most, "without occurrences there are no windows");
	/* 100 windows of 1000 of the limit, none matches */
	b = bound(0, 0, 1000, 100 * 1000, 1000);
	is_u64(b.most, 100, "a limit that occurs alone ends as many windows as it has periods");
	is_u64(b.least, 98, "and no fewer, but for what is open and uncertain");
	/* 10 matches and 90 others, each with 99000 of the sampled event */
	b = bound(10, 10 * 100000 + 90 * 99000, 100000, 90 * 1000, 1000);
	is_u64(b.most, 90, "limits bound the windows without a match from above");
	/* (9910000 - 10 * 101015 - 100015) / 100015 = 87.99 */
	is_u64(b.least, 88, "the sampled event bounds them from below");
	/* 5 matches with 900 of the limit, 95 others: (99500 - 6 * 1015) / 1015 = 92.03 */
	b = bound(5, 5 * 100000, 100000, 5 * 900 + 95 * 1000, 1000);
	is_u64(b.least, 93, "or a limit that occurs in all of them does");
	is_u64(b.most, 99, "what is in windows that matched counts, too");
	b = bound(~0ULL, ~0ULL, 1, ~0ULL, 1);
	ok(!b.least && b.most == ~0ULL, "large numbers do not overflow");
	b = bound(0, ~0ULL, (1ULL << 31) - 1, 0, (1ULL << 31) - 1);
	ok(b.least > 8589934000ULL && !b.most, "nor does one of them");
}

/* Tasks with 150000 of the sampled event and 60000 of the limit each, and periods beyond that. */
static void test_many_tasks(void)
{
	struct windows_counts counts = {
		.ev = { { 1000 * 150000, 200000 }, { 1000 * 60000, 100000 } }, .nr = 2,
		.open = 1000,
	};
	struct windows_bounds b;

	windows_bound(&counts, &b);
	is_u64(b.least, 0, "1000 tasks may have ended no window");
	is_u64(b.most, 600, "and at most as many as the limit has periods");
	/* (150000000 - 700 * 200015) / 200015 = 49.9 */
	counts.open = 700;
	windows_bound(&counts, &b);
	is_u64(b.least, 50, "700 would leave something for others");
	counts.open = 1;
	windows_bound(&counts, &b);
	/* (150000000 - 200015) / 200015 = 748.9 */
	is_u64(b.least, 749, "one task has ended windows for certain");
}

int main(void)
{
	plan(0);
	test_by_hand();
	test_many_tasks();
	test_nature("one at a time", (struct nature){ 1, 1, 0, 0, false });
	test_nature("several in a cycle", (struct nature){ 1, 8, 0, 0, false });
	test_nature("several CPUs", (struct nature){ MAX_CONTEXTS, 1, 0, 0, false });
	test_nature("late interrupts", (struct nature){ 1, 4, 250, 0, false });
	test_nature("from the middle", (struct nature){ MAX_CONTEXTS, 4, 250, 0, true });
	test_nature("tasks come and go", (struct nature){ MAX_CONTEXTS, 4, 250, 2000, false });
	test_bounds("in an interval, too", (struct nature){ MAX_CONTEXTS, 1, 0, 2000, true });
	test_bounds("tasks that leave most windows open", (struct nature){ 1, 1, 0, 200, false });
	return done();
}
