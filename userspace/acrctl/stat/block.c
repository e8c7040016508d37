// SPDX-License-Identifier: GPL-2.0-only
/* Blocks of counts: what was counted between two readings, scaled to the whole time. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "stat.h"

/**
 * stat_block_alloc() - allocate a block; the caller frees its cells in any case
 *
 * Return: 0 or -ENOMEM.
 */
int stat_block_alloc(const struct stat *st, struct stat_block *block)
{
	*block = (struct stat_block){
		.runs = 1,
		.cells = calloc(st->nr_locations * st->nr_groups, sizeof(*block->cells)),
	};
	return block->cells ? 0 : -ENOMEM;
}

/**
 * stat_block_cell() - the cell of a group at a location
 */
struct stat_cell *stat_block_cell(const struct stat *st, const struct stat_block *block,
				  size_t location, unsigned int group)
{
	return &block->cells[location * st->nr_groups + group];
}

/**
 * stat_block_begin() - begin a block with what was last read
 */
void stat_block_begin(struct stat *st)
{
	unsigned int g;

	st->block_start_ns = stat_now_ns();
	st->block_lost_ns = st->lost_ns;
	memcpy(st->block_ns, st->total_ns,
	       st->nr_locations * st->kinds.nr * sizeof(*st->block_ns));
	for (g = 0; g < st->nr_groups; g++) {
		struct stat_group *group = &st->groups[g];

		memcpy(group->block, group->now, st->nr_locations * sizeof(*group->block));
		group->waits = group->parked;
	}
}

/**
 * stat_block_never_ran() - whether a group counted nowhere: in the last block, or any interval
 */
bool stat_block_never_ran(const struct stat *st, const struct stat_block *block,
			  unsigned int group)
{
	const struct stat_group *g = &st->groups[group];
	bool others = false;
	size_t location;

	for (location = 0; location < st->nr_locations; location++) {
		if (!st->opt.interval_ms && stat_block_cell(st, block, location, group)->counted)
			return false;
		if (st->opt.interval_ms && g->now[location].running_ns)
			return false;
		others |= st->total_ns[stat_total(st, location, group)];
	}
	return !st->opt.interval_ms || (st->rotates && (others || !g->had_turn));
}

/* Whether any group of a kind has held counters in this block. */
static bool kind_had_counters(const struct stat *st, const struct kind *kind)
{
	unsigned int g;

	for (g = 0; g < st->nr_groups; g++) {
		if (st->groups[g].kind == kind && !st->groups[g].waits)
			return true;
	}
	return false;
}

/*
 * Each CPU or task has one window at a time.  A task with one that was open in the beginning ran
 * then; one that leaves one open ran then or has come since.  A pause may leave one open, too.
 */
static void take_windows(const struct stat *st, const struct stat_group *g, size_t location,
			 const struct stat_block *block, struct stat_cell *cell)
{
	const struct stat_counts *now = &g->now[location], *from = &g->block[location];
	/* more may have come online */
	__u64 cpus = st->opt.per_cpu ? 1 :
		     now->nr_cpus > g->kind->cpus.nr ? now->nr_cpus : g->kind->cpus.nr;
	bool tasks = stat_follows_tasks(st);

	cell->begun = !block->begun ? 0 : tasks ? from->nr_tasks : cpus;
	cell->open = tasks ? from->nr_tasks + now->tasks - from->tasks : cpus;
	cell->open += now->throttled - from->throttled;
}

/* What the counters held may be somebody else's. */
static void forget_cell(struct stat_cell *cell)
{
	cell->counted = false;
	cell->running_ns = 0;
	memset(cell->ev, 0, sizeof(cell->ev));
}

static void take_cell(const struct stat *st, unsigned int group, size_t location,
		      struct stat_block *block)
{
	struct stat_cell *cell = stat_block_cell(st, block, location, group);
	const struct stat_group *g = &st->groups[group];
	const struct stat_counts *now = &g->now[location], *from = &g->block[location];
	size_t total = stat_total(st, location, group);
	unsigned int i;

	take_windows(st, g, location, block, cell);
	cell->running_ns = now->running_ns - from->running_ns;
	cell->missed_ns = now->missed_ns - from->missed_ns;
	cell->total_ns = st->total_ns[total] - st->block_ns[total];
	cell->taken = now->taken;
	if (now->taken)
		forget_cell(cell);
	if (now->taken || !stat_counts_at(st, location, group))
		return;
	/* if nothing ran at all because the target slept or was elsewhere, 0 is right */
	cell->counted = cell->running_ns ||
			(!now->lost && (!st->rotates || (!cell->total_ns &&
							 kind_had_counters(st, g->kind))));
	for (i = 0; i < g->nr_events; i++) {
		struct stat_event *ev = &cell->ev[i];

		ev->raw = now->counts[i].value - from->counts[i].value;
		ev->total = ev->raw;
		ev->overflows = now->counts[i].overflows - from->counts[i].overflows;
		ev->total_overflows = ev->overflows;
		ev->value = st->rotates ? stat_turns_scale(ev->raw, cell->running_ns,
							   cell->total_ns) : ev->raw;
		ev->deviation = 0;
	}
}

/**
 * stat_block_take() - compute the block that ends now, from what was just read
 */
void stat_block_take(struct stat *st, struct stat_block *block)
{
	__u64 now_ns = stat_now_ns();
	unsigned int g;
	size_t location;

	block->end_ns = now_ns - st->start_ns;
	block->length_ns = now_ns - st->block_start_ns;
	block->lost_ns = st->lost_ns - st->block_lost_ns;
	block->scaled = st->rotates;
	block->begun = st->block_start_ns > st->start_ns;
	for (location = 0; location < st->nr_locations; location++) {
		for (g = 0; g < st->nr_groups; g++)
			take_cell(st, g, location, block);
	}
}
