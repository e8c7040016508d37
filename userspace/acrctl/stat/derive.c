// SPDX-License-Identifier: GPL-2.0-only
/* Derived metrics printed next to counts: instructions per cycle, share of misses. */
#include <math.h>

#include "../../util/util.h"
#include "stat.h"

/* perf's codes of its generic events, which all CPUs served here have */
#define CYCLES			0x003c
#define INSTRUCTIONS		0x00c0
#define BRANCHES		0x00c4
#define BRANCH_MISSES		0x00c5
#define CACHE_REFERENCES	0x4f2e
#define CACHE_MISSES		0x412e

static const struct {
	__u64 config;
	__u64 base;
	double factor;
	const char *unit;
} metrics[] = {
	{ INSTRUCTIONS, CYCLES, 1, "per cycle" },
	{ BRANCH_MISSES, BRANCHES, 100, "% of all branches" },
	{ CACHE_MISSES, CACHE_REFERENCES, 100, "% of all cache references" },
};

/* The first plain counter of an event in a group; NULL: there is none. */
static const struct stat_event *find_in(const struct stat *st, const struct stat_block *block,
					size_t location, unsigned int group,
					const struct acrpmu_event_attr *want)
{
	const struct stat_cell *cell = stat_block_cell(st, block, location, group);
	unsigned int i;

	for (i = 0; cell->counted && i < st->groups[group].nr_events; i++) {
		const struct acrpmu_event_attr *attr =
			&acrpmu_spec_event(st->spec, group, i)->attr;

		if (attr->config == want->config && attr->flags == want->flags)
			return &cell->ev[i];
	}
	return NULL;
}

static double divide(__u64 count, __u64 base)
{
	return base ? (double)count / base : NAN;
}

/* Divide counts within a group, which is one snapshot, and estimates across groups. */
static double divide_by(const struct stat *st, const struct stat_block *block, size_t location,
			unsigned int group, const struct stat_event *ev,
			const struct acrpmu_event_attr *want)
{
	const struct stat_event *base = find_in(st, block, location, group, want);
	unsigned int g;

	if (base)
		return divide(ev->total, base->total);
	for (g = 0; !base && g < st->nr_groups; g++) {
		if (st->groups[g].kind == st->groups[group].kind)
			base = find_in(st, block, location, g, want);
	}
	return base ? divide(ev->value, base->value) : NAN;
}

/**
 * stat_derive() - compute the derived metric of an event
 *
 * Return: whether there is one: both events only count, at the same levels, and the divisor is not
 * 0.  @derived is written only then.
 */
bool stat_derive(const struct stat *st, const struct stat_block *block, size_t location,
		 unsigned int group, unsigned int event, struct stat_derived *derived)
{
	const struct stat_cell *cell = stat_block_cell(st, block, location, group);
	struct acrpmu_event_attr attr = acrpmu_spec_event(st->spec, group, event)->attr;
	unsigned int i;
	double ratio;

	if (!cell->counted || !(attr.flags & ACRPMU_EVENT_COUNT))
		return false;
	for (i = 0; i < ARRAY_SIZE(metrics); i++) {
		if (metrics[i].config != attr.config)
			continue;
		attr.config = metrics[i].base;
		ratio = divide_by(st, block, location, group, &cell->ev[event], &attr);
		if (isnan(ratio))
			return false;
		derived->value = metrics[i].factor * ratio;
		derived->unit = metrics[i].unit;
		return true;
	}
	return false;
}
