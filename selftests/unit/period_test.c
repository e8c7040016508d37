// SPDX-License-Identifier: GPL-2.0-only
/* Tests of period to start value and reload value and back. */
#include "core_helpers.h"
#include "kmod/core/period.h"

/* A counter that counts one by one: the naive way. */
static u64 step(u64 value, u64 times, unsigned int width)
{
	u64 range = 1ULL << width;

	while (times--)
		value = (value + 1) % range;
	return value;
}

static void test_constants(void)
{
	is_u64(acrpmu_period_start(1, 48), 0xffffffffffffULL, "start of period 1 in 48 bits");
	is_u64(acrpmu_period_start(200000, 48), 0xfffffffcf2c0ULL, "start of period 200000");
	is_u64(acrpmu_period_start(0, 48), 0, "a plain counter starts at 0");
	is_u64(acrpmu_period_start(1, 40), 0xffffffffffULL, "start of period 1 in 40 bits");
	is_u64(acrpmu_period_start(1, 64), ~0ULL, "start of period 1 in 64 bits");
	is_u64(acrpmu_period_reload(200000), 0xfffcf2c0, "reload value of 200000");
	is_u64(acrpmu_period_reload(100000), 0xfffe7960, "reload value of 100000");
	is_u64(acrpmu_period_reload(1), 0xffffffff, "reload value of the shortest period");
	is_u64(acrpmu_period_reload(0x7fffffff), 0x80000001, "reload value of the longest period");
	is_u64(acrpmu_period_max(48, true), 0x7fffffffffffULL, "longest period, full width");
	is_u64(acrpmu_period_max(48, false), 0x7fffffff, "longest period, 31 bits and sign");
	is_u64(acrpmu_period_max(32, true), 0x7fffffff, "longest period of a 32-bit counter");
	is_u64(acrpmu_period_settable(0x123456789ULL, true), 0x123456789ULL, "any, full width");
	is_u64(acrpmu_period_settable(0x7fffffffULL, false), 0x7fffffff, "31 bits can be written");
	is_u64(acrpmu_period_settable(-0x80000000ULL, false), -0x80000000ULL, "and the sign");
	is_u64(acrpmu_period_settable(0x80000000ULL, false), 0, "more than 31 bits begin anew");
	is_u64(acrpmu_period_settable(0xfe00000000ULL, false), 0, "40 bits begin anew");
	is_u64(acrpmu_period_count(0xfffffffffff0ULL, 0x10, 48), 0x20, "count over the wrap");
	is_u64(acrpmu_period_count(0x7fffffffffffULL, 0x800000000001ULL, 48), 2,
	       "count over the sign change");
	ok(!acrpmu_period_overflowed(0x800000000000ULL, 48), "the most negative value is before");
	ok(acrpmu_period_overflowed(0, 48), "0 is after the overflow");
	ok(acrpmu_period_overflowed(0x7fffffffffffULL, 48), "the last positive value is after");
}

/* Every value and many periods of a small counter, against counting one by one. */
static void test_small_counter(void)
{
	const unsigned int width = 7;
	const u64 range = 1 << width, longest = acrpmu_period_mask(width) >> 1;
	u64 period, value, n, bad = 0;

	for (period = 1; period <= longest; period++) {
		value = acrpmu_period_start(period, width);
		for (n = 0; n < period; n++)
			bad += acrpmu_period_overflowed(step(value, n, width), width);
		bad += step(value, period, width) != 0;
		for (n = 0; n < range / 2; n++)
			bad += !acrpmu_period_overflowed(step(value, period + n, width), width);
		for (n = 0; n < range; n++)
			bad += acrpmu_period_count(value, step(value, n, width), width) != n;
	}
	is_u64(bad, 0, "a %u-bit counter agrees with counting one by one", width);
}

/* The manual leaves open how a CPU extends the 32 bits: each allowed period must suit both ways. */
static void test_extension(void)
{
	const u64 longest = ACRPMU_PERIOD_MAX_RELOAD, periods[] = { 1, 2, longest - 1, longest };
	u64 reload, start;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(periods); i++) {
		start = -periods[i];
		reload = acrpmu_period_reload(periods[i]);
		is_u64(reload | 0xffffffff00000000ULL, start, "period %llu: extended by ones",
		       periods[i]);
		is_u64((u64)(s64)(s32)reload, start, "period %llu: extended by its sign",
		       periods[i]);
	}
	reload = acrpmu_period_reload(longest + 2);
	ok((u64)(s64)(s32)reload != -(longest + 2), "longer ones do not suit both");
}

int main(void)
{
	plan(0);
	test_constants();
	test_extension();
	test_small_counter();
	return done();
}
