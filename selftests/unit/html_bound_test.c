// SPDX-License-Identifier: GPL-2.0-only
/* Tests of keeping the profile of a page small: what is merged, and that every sample stays. */
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/html/profile.h"

#define PARENTS		600
#define CHILDREN	500	/* of each, rare but for the first */
#define HEAVY		1000	/* samples in that one */
#define TASKS		1000

static struct pd_file_event event = { .name = "event" };

static struct profile *begin(struct view *v)
{
	const uint64_t frame[FRAME_WORDS] = { 0 }, root[NODE_WORDS] = { 0 };
	const uint64_t others[TASK_WORDS] = { 0 }, place[PLACE_WORDS] = { 0 };
	struct profile *p = calloc(1, sizeof(*p));

	*v = (struct view){ .reader = { .nr_events = 1, .events = &event } };
	p->view = v;
	p->events = calloc(1, sizeof(*p->events));
	intern_add(&p->texts, "");
	tuples_add(&p->frames, frame, FRAME_WORDS, NULL);
	tuples_add(&p->nodes, root, NODE_WORDS, NULL);
	tuples_add(&p->tasks, others, TASK_WORDS, NULL);
	tuples_add(&p->places, place, PLACE_WORDS, NULL);
	return p;
}

static void count(struct profile *p, uint64_t bin, uint64_t place, uint64_t node, __u64 samples)
{
	const uint64_t cell[CELL_WORDS] = { bin, place, node };
	const struct profile_sum sum = { samples, 7 * samples };

	profile_count(p, cell, &sum);
}

static struct profile_sum total(const struct profile *p)
{
	struct profile_sum sum = { 0 };
	size_t i;

	for (i = 0; i < p->cells.nr; i++) {
		sum.samples += p->sums[i].samples;
		sum.period += p->sums[i].period;
	}
	return sum;
}

static uint64_t add_node(struct profile *p, uint64_t parent, uint64_t name)
{
	const uint64_t frame[FRAME_WORDS] = { name };
	uint64_t node[NODE_WORDS] = { parent, tuples_add(&p->frames, frame, FRAME_WORDS, NULL) };

	return tuples_add(&p->nodes, node, NODE_WORDS, NULL);
}

static void test_bins(void)
{
	struct view v;
	struct profile *p = begin(&v);
	uint64_t bin;

	for (bin = 0; bin < 1024; bin++)
		count(p, bin, 0, 0, bin);
	p->bin_shift = 10;
	is_u64(profile_shift_bins(p, 3), 0, "bins become eight times as wide");
	is_u64(p->bin_shift, 13, "and know it");
	is_u64(p->cells.nr, 128, "there is an eighth of them");
	/* 8 + ... + 15 */
	is_u64(p->sums[1].samples, 92, "the second has what eight had");
	is_u64(total(p).samples, 1023 * 1024 / 2, "no sample is lost");
	html_free(p);
}

static void test_stacks(void)
{
	size_t i, k, nr, heavy = 0, merged = 0;
	struct view v;
	struct profile *p = begin(&v);

	for (i = 0; i < PARENTS; i++) {
		uint64_t parent = add_node(p, 0, i + 1);

		for (k = 0; k < CHILDREN; k++)
			count(p, 0, 0, add_node(p, parent, PARENTS + 1 + k), k ? 1 : HEAVY);
	}
	ok(p->nodes.nr > PROFILE_NODES_MAX, "there are too many stacks");
	is_u64(profile_bound(p), 0, "rare ones are merged");
	ok(p->nodes.nr <= PROFILE_NODES_MAX, "so that the rest fits");
	is_u64(total(p).samples, PARENTS * (HEAVY + CHILDREN - 1), "no sample is lost");
	is_u64(total(p).period, 7 * PARENTS * (HEAVY + CHILDREN - 1), "nor its period");
	for (i = 0; i < p->cells.nr; i++) {
		uint64_t node = tuples_get(&p->cells, i, &nr)[CELL_NODE];
		uint64_t frame = tuples_get(&p->nodes, node, &nr)[NODE_FRAME];
		bool rest = tuples_get(&p->frames, frame, &nr)[FRAME_KIND] & PROFILE_MERGED;

		heavy += !rest && p->sums[i].samples == HEAVY;
		merged += rest && p->sums[i].samples == CHILDREN - 1;
	}
	is_u64(heavy, PARENTS, "each frequent stack is as it was");
	is_u64(merged, PARENTS, "each caller has its rare ones together");
	html_free(p);
}

/* Recursion: all nodes weigh the same. */
static void test_one_stack(void)
{
	uint64_t node = 0;
	struct view v;
	struct profile *p = begin(&v);
	size_t i, nr;

	for (i = 0; i <= PROFILE_NODES_MAX; i++)
		node = add_node(p, node, 1);
	count(p, 0, 0, node, HEAVY);
	is_u64(profile_bound(p), 0, "one very deep stack is merged");
	ok(p->nodes.nr <= PROFILE_NODES_MAX, "so that it fits");
	is_u64(total(p).samples, HEAVY, "its samples stay");
	ok(tuples_get(&p->cells, 0, &nr)[CELL_NODE], "in a node below the root");
	html_free(p);
}

static void test_tasks(void)
{
	struct view v;
	struct profile *p = begin(&v);
	size_t i, nr, kept = 0, least = TASKS;
	__u64 others = 0;

	for (i = 0; i < TASKS; i++) {
		const uint64_t task[TASK_WORDS] = { i + 1, i + 1 };
		const uint64_t place[PLACE_WORDS] = {
			[PLACE_CPU] = 1 + i % 2,
			[PLACE_TASK] = tuples_add(&p->tasks, task, TASK_WORDS, NULL),
		};

		count(p, 0, tuples_add(&p->places, place, PLACE_WORDS, NULL), 0, i + 1);
	}
	is_u64(profile_finish(p), 0, "a page has few tasks");
	for (i = 0; i < p->cells.nr; i++) {
		uint64_t place = tuples_get(&p->cells, i, &nr)[CELL_PLACE];
		uint64_t task = tuples_get(&p->places, place, &nr)[PLACE_TASK];
		uint64_t pid = tuples_get(&p->tasks, task, &nr)[TASK_PID];

		if (!task)
			others += p->sums[i].samples;
		kept += task && p->sums[i].samples == pid;
		least = task && pid < least ? pid : least;
	}
	is_u64(kept, PROFILE_TASKS_MAX, "those that stay have their samples");
	is_u64(least, TASKS - PROFILE_TASKS_MAX + 1, "they are those with the most");
	is_u64(others, 744 * 745 / 2, "the others are together");
	ok(p->merged_tasks, "which is stated");
	html_free(p);
}

int main(void)
{
	plan(0);
	test_bins();
	test_stacks();
	test_one_stack();
	test_tasks();
	return done();
}
