// SPDX-License-Identifier: GPL-2.0-only
/* Means and standard deviations of runs against the textbook, and where a mean is too large. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/stat/stat.h"

/* One group at one location. */
static const struct stat counting = { .nr_locations = 1, .nr_groups = 1 };
static struct stat_cell cell;
/* its cells are gone */
static struct stat_block all;

int stat_block_alloc(const struct stat *st, struct stat_block *block)
{
	*block = (struct stat_block){ .runs = 1 };
	block->cells = calloc(st->nr_locations * st->nr_groups, sizeof(*block->cells));
	return block->cells ? 0 : -1;
}

static struct stat_event repeat(const __u64 *values, unsigned int nr)
{
	struct stat_block run = { .cells = &cell };
	struct stat_repeat repeat;
	struct stat_event event;
	unsigned int i;

	is_u64(stat_repeat_begin(&counting, &repeat), 0, "there is memory");
	cell.counted = true;
	for (i = 0; i < nr; i++) {
		run.length_ns = values[i];
		cell.ev[0].value = values[i];
		cell.ev[0].raw = values[i];
		cell.ev[0].overflows = values[i];
		stat_repeat_add(&counting, &repeat, &run);
	}
	stat_repeat_finish(&counting, &repeat, &all);
	event = all.cells[0].ev[0];
	stat_repeat_free(&repeat);
	return event;
}

/* What is no count is added up, and in one run is enough to have been taken. */
static void test_sums(void)
{
	struct stat_block run = { .cells = &cell, .lost_ns = 10 };
	struct stat_repeat repeat;

	stat_repeat_begin(&counting, &repeat);
	cell = (struct stat_cell){
		.counted = true, .running_ns = 1, .missed_ns = 2, .total_ns = 3, .begun = 4,
		.open = 5,
	};
	stat_repeat_add(&counting, &repeat, &run);
	cell.counted = false;
	cell.taken = true;
	run.scaled = true;
	run.lost_ns = 30;
	stat_repeat_add(&counting, &repeat, &run);
	cell.taken = false;
	run.scaled = false;
	run.lost_ns = 20;
	stat_repeat_add(&counting, &repeat, &run);
	stat_repeat_finish(&counting, &repeat, &all);
	ok(all.cells[0].counted && all.cells[0].runs == 1, "counted in one of three runs");
	ok(all.cells[0].taken, "taken in another");
	ok(all.scaled, "in which groups took turns");
	is_u64(all.lost_ns, 20, "the mean time without counters");
	is_u64(all.cells[0].running_ns, 3, "all that it ran");
	is_u64(all.cells[0].missed_ns, 6, "all that was missed");
	is_u64(all.cells[0].total_ns, 9, "all of the time");
	is_u64(all.cells[0].begun, 12, "windows that were open");
	is_u64(all.cells[0].open, 15, "and that did not end");
	stat_repeat_free(&repeat);
}

int main(void)
{
	struct stat_event event;

	plan(0);
	/* sums 40 and, of squares, 8 * 25 + 32; 32 / 7 = 2.138...^2 */
	event = repeat((const __u64[]){ 2, 4, 4, 4, 5, 5, 7, 9 }, 8);
	is_u64(event.value, 5, "the mean");
	is_u64(event.deviation * 1000, 42761, "the standard deviation in per cent of it");
	is_u64(event.raw, 5, "the mean of what was counted");
	is_u64(event.overflows, 5, "and of its overflows");
	is_u64(event.total, 40, "the sum of what was counted");
	is_u64(all.runs, 8, "the number of runs");
	is_u64(all.length_ns, 5, "the mean length of the runs");
	is_u64(all.deviation * 1000, 42761, "its standard deviation");
	event = repeat((const __u64[]){ 1, 2 }, 2);
	is_u64(event.value, 2, "one and a half is rounded up");
	is_u64(event.raw, 2, "also of what was counted");
	is_u64(event.overflows, 2, "and of overflows");
	event = repeat((const __u64[]){ 1ULL << 63, 1ULL << 63 }, 2);
	is_u64(event.value, 1ULL << 63, "a mean of more than 63 bits");
	event = repeat((const __u64[]){ ~0ULL, ~0ULL }, 2);
	is_u64(event.value, ~0ULL, "what is too large is the largest");
	event = repeat((const __u64[]){ ~0ULL }, 1);
	is_u64(event.value, ~0ULL, "one run alone is exact");
	test_sums();
	return done();
}
