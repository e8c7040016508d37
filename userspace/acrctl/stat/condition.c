// SPDX-License-Identifier: GPL-2.0-only
/* What counts say of a condition: windows that matched, the share of its event in them, bounds. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "stat.h"

/**
 * stat_condition_take_option() - take an option if it is one of a condition
 *
 * Return: 0, also for other options; -EINVAL after a message.
 */
int stat_condition_take_option(struct stat *st, int c, const char *arg)
{
	struct acrpmu_message message;
	int err = when_take_option(&st->opt.when, c, arg, &message);

	if (err)
		output_error("stat", &message, NULL);
	return err;
}

/**
 * stat_condition_take() - take the condition in place of events, if there is one
 *
 * Return: the exit status after a message, or -1 to go on.
 */
int stat_condition_take(struct stat *st)
{
	const struct when *when = &st->opt.when;
	struct acrpmu_message message;

	if (when_check(when, st->opt.groups.nr + st->opt.latency.nr, false, &message)) {
		output_error("stat", &message, NULL);
		return ACRCTL_EXIT_USAGE;
	}
	return when->condition && when_add(when, &st->opt.groups) ? ACRCTL_EXIT_FAILED : -1;
}

/* Whether a group with plain counters fits a CPU; unknown CPUs are left to the module. */
static int check_fit(struct stat *st, unsigned int group, struct acrpmu_message *why)
{
	const struct kind *kind = kinds_of(&st->kinds, st->spec, group);
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct acrpmu_cpu cpu;

	if (!st->kinds.cpus || !kind->cpus.nr || kind->cpus.cpus[0] >= (int)st->kinds.nr_cpus ||
	    acrpmu_cpu_by_name(st->kinds.cpus[kind->cpus.cpus[0]].name, &cpu))
		return 0;
	return acrpmu_encode(st->spec, group, &cpu, hw, why) == -ENOSPC ? -ENOSPC : 0;
}

/**
 * stat_condition_add_counters() - add a plain counter of each event to the groups of a condition
 *
 * Return: 0; -ENOSPC: they do not fit, and the groups must be parsed again; -ENOMEM after a
 * message.
 */
int stat_condition_add_counters(struct stat *st)
{
	struct acrpmu_message why;
	unsigned int g;
	int err = acrpmu_spec_add_twins(st->spec, &why);

	for (g = 0; !err && g < st->nr_groups; g++)
		err = check_fit(st, g, &why);
	if (err == -ENOMEM)
		output_error("stat", &why, &st->opt.groups);
	if (!err || err == -ENOMEM)
		return err;
	st->no_shares = why;
	return -ENOSPC;
}

/* The count of an event, which is that of its twin if hardware reloads it; NULL: it has none. */
static const struct stat_event *count_of(const struct stat *st, const struct stat_cell *cell,
					 unsigned int group, unsigned int event)
{
	unsigned int i;

	if (stat_has_count(st, acrpmu_spec_event(st->spec, group, event)))
		return &cell->ev[event];
	for (i = 0; i < st->groups[group].nr_events; i++) {
		if (acrpmu_spec_event(st->spec, group, i)->twin_of == event + 1)
			return &cell->ev[i];
	}
	return NULL;
}

static bool fill(const struct stat *st, const struct stat_block *block, size_t location,
		 unsigned int group, struct windows_counts *counts)
{
	const struct stat_cell *cell = stat_block_cell(st, block, location, group);
	const struct acrpmu_condition *c = acrpmu_spec_condition(st->spec);
	unsigned int i;

	*counts = (struct windows_counts){
		.nr = c->nr_comparisons + 1,
		.matches = cell->ev[0].total_overflows,
		.begun = cell->begun,
		.open = cell->open,
	};
	for (i = 0; i < counts->nr; i++) {
		const struct stat_event *count = count_of(st, cell, group, i);

		if (!count)
			return false;
		counts->ev[i].count = count->total;
		counts->ev[i].period = acrpmu_spec_event(st->spec, group, i)->attr.period;
	}
	return true;
}

/* In software, the overflow of a limit that ends a window is an interrupt, too. */
static void count_others(const struct stat_cell *cell, unsigned int nr,
			 struct windows_bounds *bounds)
{
	unsigned int i;

	bounds->most = 0;
	for (i = 1; i < nr; i++)
		bounds->most += cell->ev[i].total_overflows;
	bounds->least = bounds->most;
}

static double share(double part, double others)
{
	return part / (part + others);
}

/**
 * stat_condition() - compute what the counts of a group say of its condition
 *
 * Return: whether it counted; @result is written only then.
 */
bool stat_condition(const struct stat *st, const struct stat_block *block, size_t location,
		    unsigned int group, struct stat_condition *result)
{
	const struct stat_cell *cell = stat_block_cell(st, block, location, group);
	struct windows_counts counts;

	if (!acrpmu_spec_condition(st->spec) || !cell->counted)
		return false;
	*result = (struct stat_condition){ .matches = cell->ev[0].overflows };
	if (!fill(st, block, location, group, &counts))
		return true;
	if (st->kinds.reload == RELOAD_SOFTWARE)
		count_others(cell, counts.nr, &result->others);
	else
		windows_bound(&counts, &result->others);
	result->has_bounds = true;
	if (counts.ev[0].count) {
		result->has_share = true;
		result->share = (double)counts.matches * counts.ev[0].period / counts.ev[0].count;
		/* its last occurrences may have been counted before */
		if (result->share > 1)
			result->share = 1;
	}
	if (!counts.matches && !result->others.most)
		return true;
	result->has_windows = true;
	result->least = counts.matches ? share(counts.matches, result->others.most) : 0;
	result->most = counts.matches ? share(counts.matches, result->others.least) : 0;
	return true;
}
