// SPDX-License-Identifier: GPL-2.0-only
/* report --diff: the shares of two recordings, function by function. */
#include "diff.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../cmd.h"
#include "keys.h"

/**
 * diff_check() - refuse options that a comparison cannot follow
 *
 * Return: 0, or -EINVAL after a message.
 */
int diff_check(const struct view_args *a)
{
	if (a->graph) {
		fprintf(stderr,
			"acrctl: report: --diff compares functions, so that -g has no effect; leave one out\n");
		return -EINVAL;
	}
	if (a->argument && a->has_input) {
		fprintf(stderr,
			"acrctl: report: -i and '%s' both name the new recording; leave one out\n",
			a->argument);
		return -EINVAL;
	}
	if (!strcmp(a->diff, "-") && (a->argument ? !strcmp(a->argument, "-") : a->from_stdin)) {
		fprintf(stderr,
			"acrctl: report: --diff: both recordings cannot come from standard input; name a file\n");
		return -EINVAL;
	}
	return 0;
}

static int add_sample(struct diff_side *s, const struct pd_sample *sample)
{
	const struct perf_event_attr *attr = &s->view.reader.events[sample->event].attr;
	__u64 period = sample->fields & PERF_SAMPLE_PERIOD ? sample->period : attr->sample_period;
	struct diff_total *total = &s->totals[sample->event];
	int pair = s->pair_of[sample->event];
	struct places_spot spot = { .event = pair, .period = period };

	if (pair < 0)
		return 0;
	total->samples++;
	total->period += period;
	total->squares += (double)period * period;
	return places_add(&s->places, &s->hist, &s->view, sample, 1, &spot);
}

static int read_side(struct diff_side *s)
{
	struct pd_sample sample;

	s->places.chosen = s->args.chosen;
	pd_reader_any_order(&s->view.reader);
	while (view_next(&s->view, &sample)) {
		if (add_sample(s, &sample))
			return -ENOMEM;
	}
	places_end(&s->places);
	hist_sort(&s->hist);
	return 0;
}

/**
 * diff_share() - the share of an entry, 0 to 1
 * @e: NULL: there are no such samples
 */
double diff_share(const struct diff_total *all, const struct hist_entry *e)
{
	if (!e || !all->samples)
		return 0;
	return all->period ? (double)e->period / all->period : (double)e->samples / all->samples;
}

static struct shares_side side_of(const struct diff *d, const struct diff_pair *p,
				  const struct diff_row *row, int side)
{
	const struct diff_total *all = diff_total(d, p, side);

	return (struct shares_side){
		.share = diff_share(all, row->entries[side]),
		.nr = all->period ? shares_effective(all->period, all->squares) : all->samples,
	};
}

static int compare_rows(const void *a, const void *b)
{
	const struct diff_row *x = a, *y = b;
	double dx = fabs(x->change.difference), dy = fabs(y->change.difference);

	if (dx != dy)
		return dx > dy ? -1 : 1;
	return hist_compare(x->entries[DIFF_OLD] ? x->entries[DIFF_OLD] : x->entries[DIFF_NEW],
			    y->entries[DIFF_OLD] ? y->entries[DIFF_OLD] : y->entries[DIFF_NEW]);
}

static void add_row(struct diff *d, const struct hist_entry *old, const struct hist_entry *new)
{
	struct diff_pair *p = &d->pairs[old ? old->event : new->event];
	struct diff_row *row = &p->rows[p->nr_rows++];

	*row = (struct diff_row){ .entries = { old, new } };
	row->change = shares_compare(side_of(d, p, row, DIFF_OLD), side_of(d, p, row, DIFF_NEW));
}

static int make_rows(struct diff *d)
{
	const struct hist *old = &d->sides[DIFF_OLD].hist, *new = &d->sides[DIFF_NEW].hist;
	size_t i;

	for (i = 0; i < d->nr_pairs; i++) {
		d->pairs[i].rows = calloc(old->nr + new->nr + 1, sizeof(*d->pairs[i].rows));
		if (!d->pairs[i].rows)
			return -ENOMEM;
	}
	for (i = 0; i < old->nr; i++)
		add_row(d, old->entries[i], hist_find(new, old->entries[i]));
	for (i = 0; i < new->nr; i++) {
		if (!hist_find(old, new->entries[i]))
			add_row(d, NULL, new->entries[i]);
	}
	for (i = 0; i < d->nr_pairs; i++)
		qsort(d->pairs[i].rows, d->pairs[i].nr_rows, sizeof(*d->pairs[i].rows),
		      compare_rows);
	return 0;
}

/* An event without samples has no shares. */
static int check_samples(const struct diff *d)
{
	__u32 i, nr = 0;

	for (i = 0; i < d->nr_pairs; i++)
		nr += diff_total(d, &d->pairs[i], DIFF_OLD)->samples &&
		      diff_total(d, &d->pairs[i], DIFF_NEW)->samples;
	if (nr)
		return 0;
	fprintf(stderr,
		"acrctl: report: --diff: no event has samples in both %s and %s; record for longer, or with a shorter period\n",
		d->sides[DIFF_OLD].args.path, d->sides[DIFF_NEW].args.path);
	return -ENODATA;
}

/* Returns 0, or -errno, after a message unless it is -ENOMEM. */
static int read_all(struct diff *d)
{
	int i, err = 0;

	for (i = 0; !err && i < DIFF_SIDES; i++) {
		err = view_args_open(&d->sides[i].args, &d->sides[i].view);
		if (!err)
			err = condition_read(&d->sides[i].condition, &d->sides[i].view);
	}
	if (!err)
		err = diff_pair_events(d);
	for (i = 0; !err && i < DIFF_SIDES; i++)
		err = read_side(&d->sides[i]);
	if (!err)
		err = check_samples(d);
	return err ? err : make_rows(d);
}

static void begin(struct diff *d, const struct view_args *a)
{
	int i;

	for (i = 0; i < DIFF_SIDES; i++) {
		d->sides[i].args = *a;
		if (!a->listed)
			d->sides[i].args.chosen[HIST_COMM] = false;
	}
	view_args_set_input(&d->sides[DIFF_OLD].args, a->diff);
	if (a->argument)
		view_args_set_input(&d->sides[DIFF_NEW].args, a->argument);
}

static void end(struct diff *d)
{
	__u32 i;

	for (i = 0; i < d->nr_pairs; i++)
		free(d->pairs[i].rows);
	free(d->pairs);
	for (i = 0; i < DIFF_SIDES; i++) {
		struct diff_side *s = &d->sides[i];

		condition_free(&s->condition);
		places_free(&s->places);
		hist_free(&s->hist);
		free(s->pair_of);
		free(s->totals);
		view_end(&s->view);
	}
}

/**
 * diff_run() - compare the recording @a->diff with another, and print what has changed
 *
 * Return: the exit status.
 */
int diff_run(const struct view_args *a)
{
	int i, err, status = ACRCTL_EXIT_FAILED;
	struct diff d = { 0 };

	begin(&d, a);
	err = read_all(&d);
	if (err == -ENOMEM)
		fprintf(stderr, "acrctl: out of memory while reading the recordings\n");
	if (!err && a->json)
		status = diff_print_json(&d) ? output_no_memory("report") : ACRCTL_EXIT_DONE;
	else if (!err)
		diff_print(&d);
	if (!err && !a->json)
		status = ACRCTL_EXIT_DONE;
	for (i = 0; !err && i < DIFF_SIDES; i++) {
		if (view_close_notes(&d.sides[i].view, d.sides[i].args.path))
			status = ACRCTL_EXIT_FAILED;
	}
	end(&d);
	return status;
}
