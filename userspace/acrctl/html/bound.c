// SPDX-License-Identifier: GPL-2.0-only
/* Keeping a profile small: wider time bins, fewer tasks, rare stacks merged; every sample stays. */
#include "page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "pack.h"

/* characters of a page */
#define CELLS_TEXT_MAX	(3600 * 1000)
#define STACKS_TEXT_MAX	(1200 * 1000)

#define NODES_FEW	64		/* which are not thinned out */

/* what to keep so that with those in place of merged ones there are at least an eighth less */
#define FEWER(nr)	((nr) / 16 * 7)

/* How cells change. */
struct change {
	unsigned int shift;		/* of bins */
	const uint64_t *nodes;		/* by old number the new one, NULL: unchanged */
	const uint64_t *places;		/* likewise */
};

/* Add all cells up again. */
static int rebuild(struct profile *p, const struct change *c)
{
	struct tuples old = p->cells;
	struct profile_sum *sums = p->sums;
	size_t i, nr;
	int err = 0;

	p->cells = (struct tuples){ 0 };
	p->sums = NULL;
	p->sums_room = 0;
	for (i = 0; i < old.nr && !err; i++) {
		const uint64_t *cell = tuples_get(&old, i, &nr);
		const uint64_t moved[CELL_WORDS] = {
			[CELL_BIN] = cell[CELL_BIN] >> c->shift,
			[CELL_PLACE] = c->places ? c->places[cell[CELL_PLACE]] : cell[CELL_PLACE],
			[CELL_NODE] = c->nodes ? c->nodes[cell[CELL_NODE]] : cell[CELL_NODE],
		};

		err = profile_count(p, moved, &sums[i]);
	}
	tuples_free(&old);
	free(sums);
	return err;
}

/**
 * profile_shift_bins() - make time bins wider by a power of two
 *
 * Return: 0 or -ENOMEM.
 */
int profile_shift_bins(struct profile *p, unsigned int shift)
{
	const struct change change = { .shift = shift };

	p->bin_shift += shift;
	return rebuild(p, &change);
}

static int compare_descending(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return *x > *y ? -1 : *x < *y;
}

/* The weight that fewer than @keep of @nr exceed; returns 0 or -ENOMEM. */
static int find_limit(const uint64_t *weights, size_t nr, size_t keep, uint64_t *limit)
{
	uint64_t *sorted;

	*limit = 0;
	if (nr <= keep)
		return 0;
	sorted = malloc(nr * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	memcpy(sorted, weights, nr * sizeof(*sorted));
	qsort(sorted, nr, sizeof(*sorted), compare_descending);
	*limit = sorted[keep];
	free(sorted);
	return 0;
}

/* ---- stacks ------------------------------------------------------------------------------- */

/* Samples in each node and below. */
static void weigh_nodes(const struct profile *p, uint64_t *weights)
{
	size_t i, nr;

	for (i = 0; i < p->cells.nr; i++)
		weights[tuples_get(&p->cells, i, &nr)[CELL_NODE]] += p->sums[i].samples;
	for (i = p->nodes.nr; i-- > 1;)
		weights[tuples_get(&p->nodes, i, &nr)[NODE_PARENT]] += weights[i];
	/* the root always stays */
	weights[0] = UINT64_MAX;
}

/* Returns 0 or -ENOMEM; @map is set to the new number of each node. */
static int merge_nodes(struct profile *p, const uint64_t *weights, uint64_t limit, uint64_t *map)
{
	size_t merged = profile_merged_frame(p), i, nr;
	struct tuples nodes = { 0 };

	if (merged == TUPLES_FAILED)
		return -ENOMEM;
	for (i = 0; i < p->nodes.nr; i++) {
		const uint64_t *old = tuples_get(&p->nodes, i, &nr);
		uint64_t node[NODE_WORDS] = { map[old[NODE_PARENT]], old[NODE_FRAME] };

		if (i && weights[old[NODE_PARENT]] <= limit) {
			map[i] = map[old[NODE_PARENT]];
			continue;
		}
		if (i && weights[i] <= limit)
			node[NODE_FRAME] = merged;
		map[i] = tuples_add(&nodes, node, NODE_WORDS, NULL);
		if (map[i] == TUPLES_FAILED) {
			tuples_free(&nodes);
			return -ENOMEM;
		}
	}
	tuples_free(&p->nodes);
	p->nodes = nodes;
	return 0;
}

/* Keep about @keep nodes, those with the most samples; twice as many with those of merged ones. */
static int thin_nodes(struct profile *p, size_t keep)
{
	uint64_t *weights = calloc(p->nodes.nr, sizeof(*weights));
	uint64_t *map = calloc(p->nodes.nr, sizeof(*map)), limit;
	const struct change change = { .nodes = map };
	int err = weights && map ? 0 : -ENOMEM;

	if (!err) {
		weigh_nodes(p, weights);
		err = find_limit(weights, p->nodes.nr, keep, &limit);
	}
	if (!err)
		err = merge_nodes(p, weights, limit, map);
	if (!err)
		err = rebuild(p, &change);
	free(weights);
	free(map);
	return err;
}

/* ---- tasks -------------------------------------------------------------------------------- */

static void weigh_tasks(const struct profile *p, uint64_t *weights)
{
	size_t i, nr;

	for (i = 0; i < p->cells.nr; i++) {
		size_t place = tuples_get(&p->cells, i, &nr)[CELL_PLACE];

		weights[tuples_get(&p->places, place, &nr)[PLACE_TASK]] += p->sums[i].samples;
	}
}

/* Number the tasks that stay, and set @map to the new numbers; returns 0 or -ENOMEM. */
static int merge_tasks(struct profile *p, const uint64_t *weights, uint64_t limit, uint64_t *map)
{
	struct tuples tasks = { 0 };
	size_t i, nr;

	for (i = 0; i < p->tasks.nr; i++) {
		if (i && weights[i] <= limit)
			continue;
		map[i] = tuples_add(&tasks, tuples_get(&p->tasks, i, &nr), TASK_WORDS, NULL);
		if (map[i] == TUPLES_FAILED) {
			tuples_free(&tasks);
			return -ENOMEM;
		}
	}
	tuples_free(&p->tasks);
	p->tasks = tasks;
	return 0;
}

/* The same events and CPUs with the new tasks. */
static int move_places(struct profile *p, const uint64_t *tasks)
{
	uint64_t *map = calloc(p->places.nr, sizeof(*map));
	const struct change change = { .places = map };
	struct tuples old = p->places;
	int err = map ? 0 : -ENOMEM;
	size_t i, nr;

	p->places = (struct tuples){ 0 };
	for (i = 0; i < old.nr && !err; i++) {
		uint64_t place[PLACE_WORDS];

		memcpy(place, tuples_get(&old, i, &nr), sizeof(place));
		place[PLACE_TASK] = tasks[place[PLACE_TASK]];
		map[i] = tuples_add(&p->places, place, PLACE_WORDS, NULL);
		err = map[i] == TUPLES_FAILED ? -ENOMEM : 0;
	}
	if (!err)
		err = rebuild(p, &change);
	tuples_free(&old);
	free(map);
	return err;
}

/* Keep the tasks with the most samples; the others become number 0. */
static int thin_tasks(struct profile *p)
{
	size_t nr = p->tasks.nr;
	uint64_t *weights = calloc(nr, sizeof(*weights)), *map = calloc(nr, sizeof(*map)), limit;
	int err = weights && map ? 0 : -ENOMEM;

	p->merged_tasks = true;
	if (!err) {
		weigh_tasks(p, weights);
		err = find_limit(weights + 1, nr - 1, PROFILE_TASKS_MAX, &limit);
	}
	if (!err)
		err = merge_tasks(p, weights, limit, map);
	if (!err)
		err = move_places(p, map);
	free(weights);
	free(map);
	return err;
}

/* ---- bounds ------------------------------------------------------------------------------- */

/* One step towards fewer cells: what costs a reader least comes first.  @done: none is left. */
static int reduce_cells(struct profile *p, bool *done)
{
	*done = false;
	if (p->tasks.nr > PROFILE_TASKS_MAX + 1)
		return thin_tasks(p);
	if (profile_bins(p) > PROFILE_BINS_FEW)
		return profile_shift_bins(p, 1);
	if (p->nodes.nr > NODES_FEW)
		return thin_nodes(p, FEWER(p->nodes.nr));
	*done = true;
	return 0;
}

/**
 * profile_bound() - keep the number of cells and stacks in memory bounded
 *
 * Return: 0 or -ENOMEM.
 */
int profile_bound(struct profile *p)
{
	bool done = p->cells.nr <= PROFILE_CELLS_MAX;
	int err = 0;

	if (p->nodes.nr > PROFILE_NODES_MAX)
		err = thin_nodes(p, FEWER(PROFILE_NODES_MAX));
	while (!err && !done && p->cells.nr > PROFILE_CELLS_MAX / 4 * 3)
		err = reduce_cells(p, &done);
	return err;
}

/**
 * profile_finish() - make the profile fit a page, when all samples are in it
 *
 * Return: 0 or -ENOMEM.
 */
int profile_finish(struct profile *p)
{
	bool done = false;
	size_t size;
	int err = p->tasks.nr > PROFILE_TASKS_MAX + 1 ? thin_tasks(p) : 0;

	if (!err)
		err = pack(p, page_put_stacks, NULL, &size);
	while (!err && size > STACKS_TEXT_MAX && p->nodes.nr > NODES_FEW) {
		err = thin_nodes(p, FEWER(p->nodes.nr));
		if (!err)
			err = pack(p, page_put_stacks, NULL, &size);
	}
	if (!err)
		err = pack(p, page_put_cells, NULL, &size);
	while (!err && size > CELLS_TEXT_MAX && !done) {
		err = reduce_cells(p, &done);
		if (!err)
			err = pack(p, page_put_cells, NULL, &size);
	}
	return err;
}
