// SPDX-License-Identifier: GPL-2.0-only
/* When rounds begin, by a clock that the test sets; times on the command line. */
#include "tap.h"
#include "userspace/acrctl/fleet/round_args.h"
#include "userspace/acrctl/fleet/schedule.h"

#define MOST	0xffffffffU
#define START	1000000ULL
#define EVERY	60000ULL

static void test_begin(void)
{
	struct schedule s;
	unsigned int i;
	__u64 wrong = 0;

	schedule_begin(&s, EVERY, 0, START, MOST);
	is_u64(s.due_ms, START, "without a spread the first round begins at once");
	schedule_begin(&s, EVERY, EVERY, START, 0);
	is_u64(s.due_ms, START, "with one it begins at once at the earliest");
	schedule_begin(&s, EVERY, EVERY, START, MOST);
	is_u64(s.due_ms, START + EVERY - 1, "and just before the second one at the latest");
	schedule_begin(&s, EVERY, EVERY, START, 1U << 31);
	is_u64(s.due_ms, START + EVERY / 2, "in proportion to the random number");
	for (i = 1; i < 1000; i++) {
		schedule_begin(&s, 86400000, 86400000, START, i * (MOST / 1000));
		wrong += s.due_ms < START + i * 86400ULL - 10 || s.due_ms > START + i * 86400ULL;
	}
	is_u64(wrong, 0, "a thousand machines with 1,000 numbers begin evenly over a day");
}

static void test_rounds(void)
{
	struct schedule s;

	schedule_begin(&s, EVERY, 0, START, 0);
	schedule_take(&s, START + 3);
	is_u64(s.due_ms, START + EVERY, "the second round is not later because the first one was");
	is_u64(schedule_skip(&s, START + EVERY - 1), 0, "a round that ends in time skips none");
	is_u64(s.due_ms, START + EVERY, "and changes nothing");
	schedule_take(&s, START + EVERY);
	is_u64(schedule_skip(&s, START + 2 * EVERY), 1,
	       "a round that ends when the next one is due skips it");
	is_u64(s.due_ms, START + 3 * EVERY, "the one after it begins in time");
	schedule_take(&s, START + 3 * EVERY);
	is_u64(schedule_skip(&s, START + 10 * EVERY + 1), 7, "seven that were due are skipped");
	is_u64(s.due_ms, START + 11 * EVERY, "times stay multiples of the period");
	is_u64(s.skipped, 8, "and all are counted");
}

static void test_sleep(void)
{
	struct schedule s;

	schedule_begin(&s, EVERY, 0, START, 0);
	schedule_take(&s, START);
	schedule_take(&s, START + 5 * EVERY + EVERY / 2);
	is_u64(s.skipped, 4, "after sleep one round takes place for five, and four are skipped");
	is_u64(s.due_ms, START + 6 * EVERY, "the next one begins in time");
	schedule_take(&s, START + 6 * EVERY);
	is_u64(s.skipped, 4, "and skips none");
}

static void test_spread(void)
{
	struct round_args a = { .every_ms = EVERY, .for_ms = 1000 };

	ok(round_args_check(&a, false) && !a.spread_ms, "files are not spread");
	ok(round_args_check(&a, true) && a.spread_ms == EVERY, "profiles are, over a period");
	ok(round_args_take(&a, ROUND_OPT_SPREAD, "0") && round_args_check(&a, true) &&
	   !a.spread_ms, "unless 0 was given");
	ok(round_args_take(&a, ROUND_OPT_SPREAD, "5m") && round_args_check(&a, true) &&
	   a.spread_ms == 300000, "or another time");
}

int main(void)
{
	test_begin();
	test_rounds();
	test_sleep();
	test_spread();
	return done();
}
