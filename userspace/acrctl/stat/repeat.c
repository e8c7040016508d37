// SPDX-License-Identifier: GPL-2.0-only
/* Means and standard deviations of several runs of a command. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "stat.h"

#define PER_CENT	100.0
/* the smallest number that 64 bits do not hold */
#define TOO_LARGE	0x1p64

/* Add a number by Welford's method, which keeps small differences of large numbers. */
static void add(struct stat_series *s, double x)
{
	double before = x - s->mean;

	s->nr++;
	s->mean += before / s->nr;
	s->squares += before * (x - s->mean);
}

/* The standard deviation of a sample, in per cent of its mean; 0 if undefined. */
static double deviation(const struct stat_series *s)
{
	if (s->nr < 2 || s->mean == 0)
		return 0;
	return PER_CENT * sqrt(s->squares / (s->nr - 1)) / s->mean;
}

/* Round to the nearest whole number, limited to 64 bits; @x is not negative. */
static __u64 whole(double x)
{
	x = round(x);
	return x < TOO_LARGE ? (__u64)x : ~0ULL;
}

/**
 * stat_repeat_begin() - allocate the sums of several runs; stat_repeat_free() in any case
 *
 * Return: 0 or -ENOMEM.
 */
int stat_repeat_begin(const struct stat *st, struct stat_repeat *repeat)
{
	*repeat = (struct stat_repeat){
		.events = calloc(st->nr_locations * st->nr_groups, sizeof(*repeat->events)),
	};
	return stat_block_alloc(st, &repeat->sum) || !repeat->events ? -ENOMEM : 0;
}

/**
 * stat_repeat_add() - add a run
 */
void stat_repeat_add(const struct stat *st, struct stat_repeat *repeat,
		     const struct stat_block *block)
{
	size_t i, nr = st->nr_locations * st->nr_groups;
	unsigned int k;

	add(&repeat->length, block->length_ns);
	repeat->sum.scaled |= block->scaled;
	repeat->sum.begun |= block->begun;
	repeat->sum.end_ns = block->end_ns;
	repeat->sum.lost_ns += block->lost_ns;
	for (i = 0; i < nr; i++) {
		const struct stat_cell *cell = &block->cells[i];
		struct stat_cell *sum = &repeat->sum.cells[i];

		sum->running_ns += cell->running_ns;
		sum->missed_ns += cell->missed_ns;
		sum->total_ns += cell->total_ns;
		sum->begun += cell->begun;
		sum->open += cell->open;
		sum->taken |= cell->taken;
		if (!cell->counted)
			continue;
		sum->counted = true;
		sum->runs++;
		for (k = 0; k < ACRPMU_MAX_EVENTS; k++) {
			add(&repeat->events[i][k], cell->ev[k].value);
			sum->ev[k].total += cell->ev[k].raw;
			sum->ev[k].overflows += cell->ev[k].overflows;
			sum->ev[k].total_overflows += cell->ev[k].overflows;
			/* exact if this is the only run */
			sum->ev[k].value = cell->ev[k].value;
			sum->ev[k].raw = cell->ev[k].raw;
		}
	}
}

static void finish_event(const struct stat_series *series, struct stat_event *ev)
{
	unsigned int nr = series->nr;

	if (nr < 2)
		return;
	ev->raw = (ev->total + nr / 2) / nr;
	ev->overflows = (ev->overflows + nr / 2) / nr;
	ev->value = whole(series->mean);
	ev->deviation = deviation(series);
}

/**
 * stat_repeat_finish() - make one block of all runs: means over the runs that have the count
 *
 * The cells of @block are those of @repeat.
 */
void stat_repeat_finish(const struct stat *st, const struct stat_repeat *repeat,
			struct stat_block *block)
{
	size_t i, nr = st->nr_locations * st->nr_groups;
	unsigned int k;

	*block = repeat->sum;
	block->runs = repeat->length.nr;
	block->length_ns = whole(repeat->length.mean);
	if (block->runs)
		block->lost_ns /= block->runs;
	block->deviation = deviation(&repeat->length);
	for (i = 0; i < nr; i++) {
		for (k = 0; k < ACRPMU_MAX_EVENTS; k++)
			finish_event(&repeat->events[i][k], &block->cells[i].ev[k]);
	}
}

/**
 * stat_repeat_free() - undo stat_repeat_begin()
 */
void stat_repeat_free(struct stat_repeat *repeat)
{
	free(repeat->events);
	free(repeat->sum.cells);
}
