// SPDX-License-Identifier: GPL-2.0-only
/* Samples added up while they arrive, in bounded memory: since the start, and the recent ones. */
#include "tally.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_ROOM	256
/* words of an entry: event and level, then the numbers of texts */
#define NR_WORDS	(1 + HIST_NR_KEYS)
#define LEVEL_BITS	8
#define LEVEL_MASK	((1U << LEVEL_BITS) - 1)
#define NO_TEXT		UINT64_MAX
/* of the entries that are kept when there are too many, in quarters */
#define KEPT_QUARTERS	3
/* a recent sample that counts less is shown as none */
#define MIN_RECENT	0.5

static void add_sum(struct tally_sum *to, const struct tally_sum *s)
{
	to->samples += s->samples;
	to->period += s->period;
}

static void add_sums(struct tally_sums *to, const struct tally_sums *s)
{
	add_sum(&to->now, &s->now);
	add_sum(&to->all, &s->all);
	add_sum(&to->recent, &s->recent);
}

static void end_interval(struct tally_sums *s, double keep)
{
	s->recent.samples *= keep;
	s->recent.period *= keep;
	add_sum(&s->recent, &s->now);
	add_sum(&s->all, &s->now);
	s->now = (struct tally_sum){ 0 };
}

static const struct tally_sum *sum_of(const struct tally_sums *s, bool recent)
{
	return recent ? &s->recent : &s->all;
}

/**
 * tally_init() - begin to add up samples of @nr_events events; @max and @keep stay as they are
 *
 * Return: 0 or -ENOMEM.
 */
int tally_init(struct tally *t, __u32 nr_events)
{
	t->nr_events = nr_events;
	t->totals = calloc(nr_events, sizeof(*t->totals));
	return t->totals ? 0 : -ENOMEM;
}

/* ---- entries ------------------------------------------------------------------------------ */

/* The sums of a tuple, which are 0 if it is new; NULL: out of memory. */
static struct tally_sums *get_sums(struct tally *t, const uint64_t *words)
{
	struct tally_sums *more;
	size_t number, room = t->room ? 2 * t->room : FIRST_ROOM;
	bool added;

	if (t->entries.nr == t->room) {
		more = reallocarray(t->sums, room, sizeof(*more));
		if (!more)
			return NULL;
		t->sums = more;
		t->room = room;
	}
	number = tuples_add(&t->entries, words, NR_WORDS, &added);
	if (number == TUPLES_FAILED)
		return NULL;
	if (added)
		t->sums[number] = (struct tally_sums){ 0 };
	return &t->sums[number];
}

/* What is heavy depends on what is shown. */
struct weights {
	const struct tally_sums *sums;
	bool recent;
};

static double weight_of(const struct weights *w, size_t number)
{
	return sum_of(&w->sums[number], w->recent)->period + w->sums[number].now.period;
}

static int compare_weights(const void *a, const void *b, void *ctx)
{
	size_t x = *(const size_t *)a, y = *(const size_t *)b;
	double x_weight = weight_of(ctx, x), y_weight = weight_of(ctx, y);

	if (x_weight != y_weight)
		return x_weight > y_weight ? -1 : 1;
	return x < y ? -1 : x > y;
}

/* Numbers of all entries, the heaviest first; NULL: out of memory. */
static size_t *order_entries(const struct tally *t, bool recent)
{
	struct weights w = { t->sums, recent };
	size_t i, *numbers = calloc(t->entries.nr, sizeof(*numbers));

	for (i = 0; numbers && i < t->entries.nr; i++)
		numbers[i] = i;
	if (numbers)
		qsort_r(numbers, t->entries.nr, sizeof(*numbers), compare_weights, &w);
	return numbers;
}

/* Copy an entry to another tally, with its texts. */
static int move_entry(struct tally *to, const struct tally *from, size_t number)
{
	uint64_t words[NR_WORDS];
	struct tally_sums *sums;
	size_t i, nr;

	memcpy(words, tuples_get(&from->entries, number, &nr), sizeof(words));
	for (i = 1; i < NR_WORDS; i++) {
		words[i] = intern_add(&to->texts, from->texts.texts[words[i]]);
		if (words[i] == INTERN_FAILED)
			return -ENOMEM;
	}
	sums = get_sums(to, words);
	if (!sums)
		return -ENOMEM;
	*sums = from->sums[number];
	return 0;
}

static void free_entries(struct tally *t)
{
	intern_free(&t->texts);
	tuples_free(&t->entries);
	free(t->sums);
	t->sums = NULL;
	t->room = 0;
}

/* Leave out the lightest entries, of which the sums remain. */
static int prune(struct tally *t, bool recent)
{
	size_t i, nr = t->entries.nr, kept = nr * KEPT_QUARTERS / 4;
	size_t *numbers = order_entries(t, recent);
	struct tally left = *t;
	int err = numbers ? 0 : -ENOMEM;

	memset(&left.texts, 0, sizeof(left.texts));
	memset(&left.entries, 0, sizeof(left.entries));
	left.sums = NULL;
	left.room = 0;
	for (i = 0; !err && i < kept; i++)
		err = move_entry(&left, t, numbers[i]);
	for (; !err && i < nr; i++)
		add_sums(&left.pruned, &t->sums[numbers[i]]);
	free(numbers);
	if (err) {
		free_entries(&left);
		return err;
	}
	left.nr_pruned += nr - kept;
	free_entries(t);
	*t = left;
	return 0;
}

/**
 * tally_add() - add a sample that stands for @period occurrences
 * @key: its event and level, and all keys
 * @recent: if there are too many entries, those with the fewest recent samples are left out, not
 *	those with the fewest of all
 *
 * Return: 0 or -ENOMEM.
 */
int tally_add(struct tally *t, const struct hist_entry *key, __u64 period, bool recent)
{
	const struct tally_sums sample = { .now = { 1, period } };
	uint64_t words[NR_WORDS];
	struct tally_sums *sums;
	size_t i;

	if (t->entries.nr >= t->max && prune(t, recent))
		return -ENOMEM;
	words[0] = (uint64_t)key->event << LEVEL_BITS | (unsigned char)key->level;
	for (i = 0; i < HIST_NR_KEYS; i++) {
		words[1 + i] = intern_add(&t->texts, key->keys[i]);
		if (words[1 + i] == INTERN_FAILED)
			return -ENOMEM;
	}
	sums = get_sums(t, words);
	if (!sums)
		return -ENOMEM;
	add_sums(sums, &sample);
	add_sums(&t->totals[key->event], &sample);
	return 0;
}

/**
 * tally_tick() - end an interval: its samples are shown from now on, and recent ones become older
 */
void tally_tick(struct tally *t)
{
	size_t i;

	for (i = 0; i < t->entries.nr; i++)
		end_interval(&t->sums[i], t->keep);
	for (i = 0; i < t->nr_events; i++)
		end_interval(&t->totals[i], t->keep);
	end_interval(&t->pruned, t->keep);
}

/**
 * tally_clear() - forget all samples
 */
void tally_clear(struct tally *t)
{
	free_entries(t);
	memset(t->totals, 0, t->nr_events * sizeof(*t->totals));
	t->nr_pruned = 0;
	memset(&t->pruned, 0, sizeof(t->pruned));
}

/**
 * tally_free() - free the tally
 */
void tally_free(struct tally *t)
{
	free_entries(t);
	free(t->totals);
	t->totals = NULL;
}

/**
 * tally_total() - the samples of an event, with those of entries that were left out
 */
struct tally_sum tally_total(const struct tally *t, __u32 event, bool recent)
{
	return *sum_of(&t->totals[event], recent);
}

/* ---- rows --------------------------------------------------------------------------------- */

/* The row of an entry, which is empty if it is new; NULL: out of memory. */
static struct tally_row *get_row(struct tally_rows *rows, const struct tally *t,
				 const struct tally_view *view, const uint64_t *entry)
{
	size_t i, number, room = rows->room ? 2 * rows->room : FIRST_ROOM;
	uint64_t words[NR_WORDS];
	struct tally_row *more, *row;
	bool added;

	words[0] = view->chosen[HIST_SYM] ? entry[0] & LEVEL_MASK : 0;
	for (i = 0; i < HIST_NR_KEYS; i++)
		words[1 + i] = view->chosen[i] ? entry[1 + i] : NO_TEXT;
	if (rows->tuples.nr == rows->room) {
		more = reallocarray(rows->rows, room, sizeof(*more));
		if (!more)
			return NULL;
		rows->rows = more;
		rows->room = room;
	}
	number = tuples_add(&rows->tuples, words, NR_WORDS, &added);
	if (number == TUPLES_FAILED)
		return NULL;
	row = &rows->rows[number];
	if (!added)
		return row;
	*row = (struct tally_row){ .level = words[0] };
	for (i = 0; i < HIST_NR_KEYS; i++)
		row->keys[i] = view->chosen[i] ? t->texts.texts[entry[1 + i]] : "";
	return row;
}

static bool is_shown(const struct tally_row *row, const struct tally_view *view)
{
	unsigned int i;

	if (row->percent < view->min_percent)
		return false;
	for (i = 0; i < HIST_NR_KEYS; i++) {
		if (view->chosen[i] && strcasestr(row->keys[i], view->filter))
			return true;
	}
	return false;
}

static int compare_numbers(double x, double y)
{
	return x > y ? -1 : x < y;
}

static int compare_keys(const struct tally_row *x, const struct tally_row *y)
{
	int i, diff = 0;

	for (i = 0; !diff && i < HIST_NR_KEYS; i++)
		diff = strverscmp(x->keys[i], y->keys[i]);
	return diff ? diff : x->level - y->level;
}

/* The largest numbers first, and the smallest names, so that the order is always the same. */
static int compare_rows(const void *a, const void *b, void *ctx)
{
	const struct tally_view *view = ctx;
	const struct tally_row *x = a, *y = b;
	unsigned int key = view->order - TALLY_BY_KEY;
	int diff;

	if (view->order >= TALLY_BY_KEY)
		diff = strverscmp(x->keys[key], y->keys[key]);
	else if (view->order == TALLY_BY_SAMPLES)
		diff = compare_numbers(x->sum.samples, y->sum.samples);
	else
		diff = compare_numbers(x->sum.period, y->sum.period);
	if (diff)
		return view->reversed ? -diff : diff;
	diff = compare_numbers(x->sum.period, y->sum.period);
	if (!diff)
		diff = compare_numbers(x->sum.samples, y->sum.samples);
	return diff ? diff : compare_keys(x, y);
}

static int add_up(const struct tally *t, const struct tally_view *view, struct tally_rows *rows)
{
	size_t i, nr;

	for (i = 0; i < t->entries.nr; i++) {
		const uint64_t *entry = tuples_get(&t->entries, i, &nr);
		struct tally_row *row;

		if (entry[0] >> LEVEL_BITS != view->event)
			continue;
		row = get_row(rows, t, view, entry);
		if (!row)
			return -ENOMEM;
		add_sum(&row->sum, sum_of(&t->sums[i], view->recent));
	}
	return 0;
}

static double percent_of(const struct tally_sum *s, const struct tally_sum *total)
{
	if (total->period)
		return 100 * s->period / total->period;
	return total->samples ? 100 * s->samples / total->samples : 0;
}

/**
 * tally_rows() - make the rows in their order, in place of those made before
 *
 * Return: 0 or -ENOMEM.
 */
int tally_rows(const struct tally *t, const struct tally_view *view, struct tally_rows *rows)
{
	struct tally_sum total = tally_total(t, view->event, view->recent);
	size_t i;

	rows->nr = 0;
	rows->nr_others = 0;
	tuples_clear(&rows->tuples);
	if (add_up(t, view, rows))
		return -ENOMEM;
	for (i = 0; i < rows->tuples.nr; i++) {
		struct tally_row *row = &rows->rows[i];

		if (row->sum.samples < MIN_RECENT)
			continue;
		row->percent = percent_of(&row->sum, &total);
		if (is_shown(row, view))
			rows->rows[rows->nr++] = *row;
		else
			rows->nr_others++;
	}
	if (rows->nr)
		qsort_r(rows->rows, rows->nr, sizeof(*rows->rows), compare_rows, (void *)view);
	return 0;
}

/**
 * tally_rows_free() - free the rows
 */
void tally_rows_free(struct tally_rows *rows)
{
	free(rows->rows);
	tuples_free(&rows->tuples);
	*rows = (struct tally_rows){ 0 };
}
