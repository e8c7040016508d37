// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the random part of periods: its mean, its distribution, and ratios of scaled periods. */
#include <math.h>

#include "core_helpers.h"
#include "kmod/core/jitter.h"

#define LONGEST		0x7fffffffffffULL
#define DRAWS		200000

static void test_span(void)
{
	is_u64(acrpmu_jitter_span(1000, 0, LONGEST), 1, "none is wanted");
	is_u64(acrpmu_jitter_span(1000, 10, LONGEST), 201, "100 to either side, and 0");
	is_u64(acrpmu_jitter_span(1009, 10, LONGEST), 201, "rounded down");
	is_u64(acrpmu_jitter_span(3, 10, LONGEST), 1, "nothing but 0");
	is_u64(acrpmu_jitter_span(1000003, 50, LONGEST), 1000003, "half of the period");
	is_u64(acrpmu_jitter_span(0x7ffffff0, 10, 0x7fffffff), 31, "no longer than the counter");
	is_u64(acrpmu_jitter_span(0x7fffffff, 10, 0x7fffffff), 1, "the longest period stays");
	is_u64(acrpmu_jitter_span(LONGEST / 2, 50, LONGEST), (1ULL << 31) + 1, "at most 2^30");
}

/* Each number and its negative: exact, for spans from the smallest to the largest. */
static void test_symmetry(void)
{
	const u64 spans[] = { 1, 3, 201, 1000003, (1ULL << 31) + 1 };
	u64 state = 1, bad = 0, outside = 0;
	unsigned int i, k;

	for (i = 0; i < ARRAY_SIZE(spans); i++) {
		for (k = 0; k < DRAWS; k++) {
			u64 draw = acrpmu_jitter_draw(&state);
			u64 offset = acrpmu_jitter_offset(draw, spans[i]);

			bad += acrpmu_jitter_offset(-draw, spans[i]) + offset != spans[i] - 1;
			outside += offset >= spans[i];
		}
		bad += acrpmu_jitter_offset(1, spans[i]) != 0;
		bad += acrpmu_jitter_offset(-1ULL, spans[i]) != spans[i] - 1;
	}
	is_u64(bad, 0, "the opposite number is as far from the other end, up to the ends");
	is_u64(outside, 0, "and nothing is wider");
}

static void test_draws(void)
{
	u64 state = 12345, even = 0;
	double sum = 0, pairs = 0, last = 0;
	unsigned int k;

	for (k = 0; k < DRAWS; k++) {
		u64 draw = acrpmu_jitter_draw(&state);
		double part = (s64)draw / 0x1p63;

		even += !(draw & 1);
		sum += part;
		pairs += part * last;
		last = part;
	}
	is_u64(even, 0, "numbers are odd");
	/* five standard deviations: of a number 1 / sqrt(3), of a product 1 / 3 */
	ok(fabs(sum / DRAWS) < 5 / sqrt(3.0 * DRAWS), "their mean is 0: %g", sum / DRAWS);
	ok(fabs(pairs / DRAWS) < 5 / (3 * sqrt(DRAWS)), "one says nothing about the next: %g",
	   pairs / DRAWS);
}

/* Chi square with 200 degrees of freedom: above 300 by chance once in 100,000 times. */
static void test_uniform(void)
{
	unsigned int seen[201] = { 0 }, k;
	double chi = 0, each = DRAWS / 201.0;
	u64 state = 43;

	for (k = 0; k < DRAWS; k++)
		seen[acrpmu_jitter_offset(acrpmu_jitter_draw(&state), 201)]++;
	for (k = 0; k < 201; k++)
		chi += (seen[k] - each) * (seen[k] - each) / each;
	ok(chi < 300, "each of 201 offsets is as likely: chi square %.1f", chi);
}

static void test_ratio(void)
{
	const u64 a = 200000, b = 70001;
	u64 spans[] = { acrpmu_jitter_span(a, 10, LONGEST), acrpmu_jitter_span(b, 10, LONGEST) };
	u64 state = 7, bad = 0;
	unsigned int k;

	for (k = 0; k < DRAWS; k++) {
		u64 draw = acrpmu_jitter_draw(&state);
		double of_a = acrpmu_jitter_offset(draw, spans[0]) - (double)(spans[0] / 2);
		double of_b = acrpmu_jitter_offset(draw, spans[1]) - (double)(spans[1] / 2);

		/* by one occurrence of the smaller at most */
		bad += fabs(of_a / a - of_b / b) > 1.0 / b;
	}
	is_u64(bad, 0, "one number scales two periods alike");
}

int main(void)
{
	plan(0);
	test_span();
	test_symmetry();
	test_draws();
	test_uniform();
	test_ratio();
	return done();
}
