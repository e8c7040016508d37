// SPDX-License-Identifier: GPL-2.0-only
/* Adapting windows to a rate of samples, against programs whose rates are known. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/sampling/rate.h"

#define NSEC_PER_SEC	1000000000ULL
#define MSEC		1000000ULL
#define PROGRAMS	20000
#define SETTLED		1000		/* steps in which nothing may change any more */
#define LONGEST		5000

/* A program in which all windows match. */
struct program {
	double per_s;			/* occurrences per second and unit of the sampled event */
	double occurred;		/* since the window began, in units */
	struct rate_reading now;
};

static double random_between(double from, double to)
{
	return from + (to - from) * rand() / RAND_MAX;
}

/* Readings come late sometimes. */
static void run(struct program *p, const struct rate *r)
{
	__u64 ns = RATE_STEP_MS * MSEC + (rand() % 4 ? 0 : rand() % (100 * MSEC)), windows;

	p->now.time_ns += ns;
	p->occurred += p->per_s * ns / NSEC_PER_SEC;
	windows = p->occurred / r->factor;
	p->occurred -= (double)windows * r->factor;
	p->now.samples += windows;
}

static bool step(struct program *p, struct rate *r)
{
	run(p, r);
	if (!rate_step(r, &p->now))
		return false;
	/* all windows begin anew */
	p->occurred = 0;
	rate_measure(r, &p->now);
	return true;
}

static bool in_bounds(const struct rate *r)
{
	return r->factor >= r->min && r->factor <= r->max && r->lowest >= r->min &&
	       r->highest <= r->max && r->lowest <= r->factor && r->highest >= r->factor;
}

/* Whether it is as near to the rate as steps of a fifth and whole factors within bounds allow. */
static bool is_near(const struct program *p, const struct rate *r)
{
	double ideal = p->per_s / r->hz;

	if (ideal < r->min)
		ideal = r->min;
	if (ideal > r->max)
		ideal = r->max;
	return r->factor <= ideal * 1.34 + 0.5 && r->factor >= ideal / 1.34 - 0.5;
}

static struct rate random_rate(__u64 hz)
{
	__u64 min = random_between(1, 1000), max = min + random_between(0, 2e9);
	struct rate r;

	rate_init(&r, hz, min + random_between(0, max - min < 1000000 ? max - min : 1000000),
		  min, max);
	rate_measure(&r, &(struct rate_reading){ 0 });
	return r;
}

/* Rates over seven orders of magnitude, with at least some windows while it adapts. */
static void test_constant(void)
{
	unsigned int i, k, out = 0, far = 0, restless = 0;

	srand(1);
	for (i = 0; i < PROGRAMS; i++) {
		__u64 hz = 1 << rand() % 17;
		struct rate r = random_rate(hz);
		struct program p = { .per_s = r.factor * random_between(0.2, 1e6) };

		for (k = 0; k < LONGEST && !is_near(&p, &r); k++)
			step(&p, &r);
		/* the last change may have been made by a rough measurement */
		for (k = 0; k < SETTLED; k++)
			step(&p, &r);
		out += !in_bounds(&r);
		far += !is_near(&p, &r);
		for (k = 0; k < SETTLED; k++) {
			if (step(&p, &r))
				break;
		}
		restless += k < SETTLED;
	}
	is_u64(out, 0, "%d programs: the factor is always within its bounds", PROGRAMS);
	is_u64(far, 0, "their rates become the wanted ones");
	is_u64(restless, 0, "a rate that is constant is left alone from then on");
}

/* From far too many samples: the first measurement is enough. */
static void test_too_many(void)
{
	struct program p = { .per_s = 1e9 };
	struct rate r;

	rate_init(&r, 1000, 100, 1, 1 << 30);
	rate_measure(&r, &p.now);
	srand(2);
	ok(step(&p, &r), "far too many samples are noticed in one step");
	ok(r.factor > 990000 && r.factor < 1010000, "and the windows fit at once");
	ok(!step(&p, &r) && !step(&p, &r), "and stay");
}

static void test_too_few(void)
{
	struct program p = { .per_s = 1e6 };
	struct rate r;
	unsigned int i, changes = 0;

	rate_init(&r, 1000, 1000000, 1, 1 << 30);
	rate_measure(&r, &p.now);
	srand(3);
	for (i = 0; i < 1000; i++) {
		__u64 before = r.factor;

		changes += step(&p, &r);
		if (r.factor < before - before / 2)
			break;
	}
	is_u64(i, 1000, "windows become shorter by halves at most");
	ok(r.factor >= 800 && r.factor <= 1250, "until samples are as many as were wanted");
	ok(changes >= 9 && changes <= 12, "in as many steps as there are halves");
}

/* A thousand times as many for a while: in the first step only, and no more than it lasts. */
static void test_burst(void)
{
	struct program p = { .per_s = 1e6 };
	struct rate r;
	unsigned int i;
	__u64 samples;

	rate_init(&r, 1000, 1000, 1, 1 << 30);
	rate_measure(&r, &p.now);
	srand(4);
	for (i = 0; i < 100; i++)
		step(&p, &r);
	is_u64(r.factor, 1000, "before the burst nothing changes");
	p.per_s *= 1000;
	samples = p.now.samples;
	for (i = 0; i < 100; i++)
		step(&p, &r);
	ok(p.now.samples - samples < 1000000 / 5 + 100 * 250,
	   "a burst has its many samples in one step only");
	p.per_s /= 1000;
	for (i = 0; i < 200; i++)
		step(&p, &r);
	ok(r.factor >= 800 && r.factor <= 1250, "after it the windows are as before");
}

static void test_silence(void)
{
	struct program p = { .per_s = 1e9 };
	struct rate r;
	unsigned int i;

	rate_init(&r, 1000, 2000, 100, 1 << 30);
	rate_measure(&r, &p.now);
	srand(5);
	step(&p, &r);
	ok(r.factor > 900000, "many samples make windows long");
	p.per_s = 0;
	for (i = 0; i < 8; i++)
		step(&p, &r);
	ok(r.factor > 400000, "without any, they stay for a second");
	for (i = 0; i < 300; i++)
		step(&p, &r);
	is_u64(r.factor, 2000, "then they come back to what they were in the beginning");
	for (i = 0; i < 1000; i++)
		step(&p, &r);
	is_u64(r.factor, 2000, "but go no further, however long nothing comes");
	is_u64(r.lowest, 2000, "the shortest in use were those");

	/* from short ones nothing leads back */
	rate_init(&r, 1000, 2000, 100, 1 << 30);
	r.factor = 500;
	rate_measure(&r, &p.now);
	for (i = 0; i < 1000; i++)
		step(&p, &r);
	is_u64(r.factor, 500, "windows that are shorter already stay");
}

/* A CPU that pauses hides how many samples there would be. */
static void test_throttled(void)
{
	struct rate_reading now = { .time_ns = NSEC_PER_SEC, .samples = 20, .throttled = 1 };
	struct rate r;

	rate_init(&r, 1000, 5000, 1, 1 << 30);
	rate_measure(&r, &(struct rate_reading){ 0 });
	ok(!rate_step(&r, &now) && r.factor == 5000, "pauses of a CPU never make windows shorter");
	now.time_ns += NSEC_PER_SEC;
	now.samples += 4000;
	now.throttled++;
	ok(rate_step(&r, &now) && r.factor == 20000, "but samples that are too many longer");
}

/* Nothing is known before counting begins, while it is disabled, and from too few samples. */
static void test_time(void)
{
	struct rate_reading now = { 0 };
	struct rate r;

	rate_init(&r, 100, 5000, 1, 1 << 30);
	rate_measure(&r, &now);
	ok(!rate_step(&r, &now) && r.factor == 5000, "without time nothing is decided");
	now.time_ns = RATE_STEP_MS * MSEC - 1;
	now.samples = 1000000;
	ok(!rate_step(&r, &now), "nor too early");
	now.time_ns++;
	ok(rate_step(&r, &now), "but then");
	rate_init(&r, 100, 5000, 1, 1 << 30);
	now = (struct rate_reading){ .time_ns = NSEC_PER_SEC - 1, .samples = 15 };
	rate_measure(&r, &(struct rate_reading){ 0 });
	ok(!rate_step(&r, &now), "15 samples are too few");
	now.time_ns++;
	ok(rate_step(&r, &now) && r.factor == 2500, "unless twice their time has passed");
	rate_init(&r, 1, (1ULL << 31) - 1, 1, (1ULL << 31) - 1);
	now = (struct rate_reading){ .time_ns = ~0ULL >> 1, .samples = ~0ULL };
	rate_measure(&r, &(struct rate_reading){ 0 });
	ok(!rate_step(&r, &now) && r.factor == (1ULL << 31) - 1, "large numbers stay in bounds");
}

int main(void)
{
	plan(0);
	test_constant();
	test_too_many();
	test_too_few();
	test_burst();
	test_silence();
	test_throttled();
	test_time();
	return done();
}
