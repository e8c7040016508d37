// SPDX-License-Identifier: GPL-2.0-only
/* Changes of shares: intervals against constants made elsewhere, and how often they hold. */
#include <math.h>

#include "tap.h"
#include "userspace/acrctl/report/shares.h"

#define ROUNDS	20000
#define TINY	0.000000001
#define BITS	53		/* of a real number */

/* By Python's statistics.NormalDist, to nine decimals; the first is Newcombe's example. */
static const struct {
	int line;
	double old, old_nr, new, new_nr;	/* samples in the part, of all */
	double difference, low, high, p;
} cases[] = {
	{ __LINE__, 48, 80, 56, 70, 0.2, 0.052452927, 0.335758455, 0.007237294 },
	{ __LINE__, 0, 10, 0, 20, 0, -0.216847671, 0.141090095, 0.678268818 },
	{ __LINE__, 120, 1000, 150, 1000, 0.03, -0.000022147, 0.059902387, 0.050169585 },
	{ __LINE__, 10, 100, 10, 1000, -0.09, -0.157405475, -0.036324712, 0.001712937 },
	{ __LINE__, 0, 1000, 8, 1000, 0.008, 0.001823815, 0.014144249, 0.011077716 },
	{ __LINE__, 500, 10000, 500, 10000, 0, -0.006045557, 0.006045557, 1 },
};

static bool near(double got, double want, double tolerance)
{
	if (fabs(got - want) <= tolerance)
		return true;
	printf("# got %.9f, want %.9f\n", got, want);
	return false;
}

static struct shares_change compare(double old, double old_nr, double new, double new_nr)
{
	const struct shares_side a = { old / old_nr, old_nr }, b = { new / new_nr, new_nr };

	return shares_compare(a, b);
}

static void test_constants(void)
{
	size_t i;

	for (i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		struct shares_change c = compare(cases[i].old, cases[i].old_nr, cases[i].new,
						 cases[i].new_nr);

		ok(near(c.difference, cases[i].difference, TINY), "line %d: the difference",
		   cases[i].line);
		ok(near(c.low, cases[i].low, 10 * TINY) && near(c.high, cases[i].high, 10 * TINY),
		   "line %d: its interval", cases[i].line);
		ok(near(c.p, cases[i].p, 10 * TINY), "line %d: the chance of it", cases[i].line);
	}
}

static void test_marks(void)
{
	struct shares_change c = compare(0, 1000, 8, 1000);

	ok(shares_significant(&c), "8 of 1000 where none was is more than chance");
	ok(shares_significant_among(&c, 4), "for one of 4 functions too");
	ok(!shares_significant_among(&c, 5), "but not for one of 5");
	c = compare(120, 1000, 150, 1000);
	ok(!shares_significant(&c), "150 of 1000 after 120 may be chance");
	c = compare(0, 2, 2, 2);
	ok(c.high <= 1 && c.low > -1, "no share changes by more than all");
}

static void test_weights(void)
{
	ok(near(shares_effective(30000, 30 * 1e6), 30, TINY), "30 equal periods are 30 samples");
	ok(near(shares_effective(100 + 10, 100 * 100 + 10 * 10), 12100.0 / 10100, TINY),
	   "a period beside one of a tenth is little more than one sample");
	ok(!shares_effective(0, 0), "no period is no sample");
}

/* xorshift: the same numbers in every run */
static double random_real(void)
{
	static unsigned long long state = 88172645463325252ULL;

	state ^= state << 13;
	state ^= state >> 7;
	state ^= state << 17;
	return (double)(state >> (64 - BITS)) / (1ULL << BITS);
}

static unsigned int draw(double share, unsigned int nr)
{
	unsigned int i, sum = 0;

	for (i = 0; i < nr; i++)
		sum += random_real() < share;
	return sum;
}

/* How often the interval contains the true change, in per cent of the rounds. */
static double coverage(double old, unsigned int old_nr, double new, unsigned int new_nr)
{
	unsigned int i, within = 0;

	for (i = 0; i < ROUNDS; i++) {
		struct shares_change c = compare(draw(old, old_nr), old_nr, draw(new, new_nr),
						 new_nr);

		within += c.low <= new - old && new - old <= c.high;
	}
	return 100.0 * within / ROUNDS;
}

static void test_coverage(void)
{
	/* of 20000 rounds the standard deviation is 0.15 % */
	ok(near(coverage(0.3, 200, 0.3, 200), 95, 1), "of equal shares 95%% of intervals have 0");
	ok(near(coverage(0.5, 100, 0.2, 300), 95, 1), "of others 95%% have the true change");
	ok(coverage(0.01, 100, 0.01, 100) > 95, "of few samples more do");
	ok(coverage(0, 50, 0.02, 200) > 94, "and so with none in one recording");
}

int main(void)
{
	plan(0);
	test_constants();
	test_marks();
	test_weights();
	test_coverage();
	return done();
}
