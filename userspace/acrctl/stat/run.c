// SPDX-License-Identifier: GPL-2.0-only
/* Counting once, or in each run of a command, and printing the last block. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "stat.h"

static int start(struct stat *st)
{
	/* not before: a refusal leaves an older file alone */
	int err = stat_open_output(st);

	if (err)
		return err;
	st->start_ns = stat_now_ns();
	stat_block_begin(st);
	/* nothing was counted before this block */
	st->block_start_ns = st->start_ns;
	if (!target_starts_at_exec(&st->target) && !st->target.opt.delayed)
		err = stat_sessions_switch(st, true);
	return err ? err : target_go(&st->target);
}

/* Time that tasks ran elsewhere in this run. */
static __u64 missed_ns(const struct stat *st, const struct kind *kind)
{
	__u64 most = 0;
	unsigned int g;

	for (g = 0; g < st->nr_groups; g++) {
		const struct stat_group *group = &st->groups[g];

		if (group->kind == kind && group->read.time_missed_ns > most)
			most = group->read.time_missed_ns;
	}
	return most;
}

static void add_accounts(struct stat *st, const struct stat_block *last)
{
	struct stat_accounts *a = &st->accounts;
	unsigned int g, k;

	a->time_ns += last->end_ns;
	a->lost_ns += st->lost_ns;
	a->gone_ns += st->gone_ns;
	a->cpu_new |= kinds_miss_cpu(&st->kinds, st->device, &st->target);
	for (k = 0; k < st->kinds.nr; k++)
		a->missed_ns[k] += missed_ns(st, &st->kinds.list[k]);
	for (g = 0; g < st->nr_groups; g++) {
		const struct acrpmu_read *read = &st->groups[g].read;

		a->throttled += read->throttled;
		stat_software_add(st, g);
		/* all groups follow the same tasks */
		if (read->inherit_failed > a->inherit_failed)
			a->inherit_failed = read->inherit_failed;
		a->cpu_lost |= read->state & ACRPMU_STATE_CPU_LOST;
		a->privileged_exec |= read->state & ACRPMU_STATE_PRIVILEGED_EXEC;
	}
}

/* Count once, after target_find(); @block becomes the last block. */
static int count(struct stat *st, struct stat_block *block)
{
	int err = stat_sessions_open(st);

	free(block->cells);
	block->cells = NULL;
	if (!err && stat_block_alloc(st, block)) {
		output_no_memory("stat");
		err = -ENOMEM;
	}
	if (!err)
		err = start(st);
	if (!err)
		err = stat_loop_run(st);
	if (err)
		return err;
	if (st->control.stop)
		target_cut_child(&st->target);
	stat_sessions_switch(st, false);
	err = stat_sessions_read(st);
	if (err)
		return err;
	stat_read_taken(st);
	stat_block_take(st, block);
	add_accounts(st, block);
	return 0;
}

/* All runs of the command, or the only one. */
static int count_runs(struct stat *st, struct stat_repeat *repeat, struct stat_block *block)
{
	__u64 run, nr = st->opt.repeat ? st->opt.repeat : 1;
	int err = 0;

	for (run = 0; !err && run < nr && !st->target.stop_signal; run++) {
		if (run) {
			target_forget_child(&st->target);
			err = target_find(&st->target);
		}
		if (!err)
			err = count(st, block);
		/* explain only once */
		st->opt.verbose = false;
		stat_sessions_close(st);
		target_finish_child(&st->target, err);
		if (!err && !run && stat_repeat_begin(st, repeat)) {
			output_no_memory("stat");
			err = -ENOMEM;
		}
		/* a run that was interrupted does not compare with others */
		if (!err && (!run || !st->target.stop_signal))
			stat_repeat_add(st, repeat, block);
	}
	return err;
}

static void print_taken(const struct stat_accounts *a)
{
	fprintf(stderr, "acrctl: stat: %s; %s\n", a->taken.message.text, a->taken.message.hint);
	if (a->taken_others)
		fprintf(stderr, "acrctl: stat: %s\n", a->taken_others);
}

/* Returns 0, or -errno: also if a group never ran, or none ran for long. */
static int show(struct stat *st, const struct stat_block *block)
{
	struct stat_accounts *a = &st->accounts;
	unsigned int g;
	char **remarks;
	int err = 0;

	a->taken_others = taken_others(&a->taken);
	remarks = stat_messages_remarks(st, block);
	if (!remarks) {
		output_no_memory("stat");
		return -ENOMEM;
	}
	if (st->opt.json)
		err = stat_json_block(st, block, remarks);
	else
		stat_text_last(st, block, remarks);
	stat_messages_free(remarks);
	if (!err)
		err = stat_flush(st);
	if (!err && stat_messages_lost_much(a))
		err = -EBUSY;
	if (!err && *a->taken.message.text) {
		print_taken(a);
		err = -EBUSY;
	}
	for (g = 0; !err && g < st->nr_groups; g++) {
		if (stat_block_never_ran(st, block, g))
			err = -EBUSY;
	}
	return err;
}

/**
 * stat_run() - count, once or in several runs of the command, and print the last block
 *
 * Return: 0, or -errno after a message: also if a group never ran.
 */
int stat_run(struct stat *st)
{
	struct stat_repeat repeat = { 0 };
	struct stat_block block = { 0 }, all;
	int err, shown;

	if (stat_sessions_alloc(st)) {
		output_no_memory("stat");
		err = -ENOMEM;
	} else {
		err = count_runs(st, &repeat, &block);
	}
	/* print what was counted before an error */
	if (!err || repeat.length.nr) {
		stat_repeat_finish(st, &repeat, &all);
		shown = show(st, &all);
		err = err ? err : shown;
	}
	stat_repeat_free(&repeat);
	free(st->accounts.taken_others);
	taken_free(&st->accounts.taken);
	free(block.cells);
	return err;
}
