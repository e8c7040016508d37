// SPDX-License-Identifier: GPL-2.0-only
/* Tests of adding up live samples, against a list of all samples that is added up each time. */
#include <math.h>
#include <stdlib.h>

#include "tap.h"
#include "userspace/acrctl/top/tally.h"

#define NR_EVENTS	2
#define NR_INTERVALS	6
#define PER_INTERVAL	120
#define NR_SAMPLES	(NR_INTERVALS * PER_INTERVAL)
#define KEEP		0.875
#define PER_MILLION	1000000.0
#define FEW		100	/* entries in tests of their limit */

/* Texts that differ in numbers only, as CPUs and process numbers do. */
static const char *const words[] = { "2", "10", "a", "A", "main", "main.cold", "\033[2J", "" };

#define NR_WORDS	(sizeof(words) / sizeof(*words))

/* The second implementation: nothing is added up before it is asked for. */
struct sample {
	struct hist_entry key;
	__u64 period;
	unsigned int interval;
};

struct naive_row {
	struct hist_entry key;
	double samples;
	double period;
};

static struct sample samples[NR_SAMPLES];
static struct naive_row naive[NR_SAMPLES];
static size_t nr_naive;
static double naive_period;

static unsigned int random_below(unsigned int limit)
{
	static __u64 state = 12345;

	state = state * 6364136223846793005ULL + 1442695040888963407ULL;
	return (state >> 33) % limit;
}

static void make_samples(void)
{
	size_t i, k;

	for (i = 0; i < NR_SAMPLES; i++) {
		samples[i].interval = i / PER_INTERVAL;
		samples[i].period = 1 + random_below(1000);
		samples[i].key.event = random_below(NR_EVENTS);
		samples[i].key.level = random_below(2) ? VIEW_LEVEL_USER : VIEW_LEVEL_KERNEL;
		for (k = 0; k < HIST_NR_KEYS; k++)
			samples[i].key.keys[k] = words[random_below(NR_WORDS)];
	}
}

static bool naive_same(const struct hist_entry *a, const struct hist_entry *b, const bool *chosen)
{
	size_t k;

	for (k = 0; k < HIST_NR_KEYS; k++) {
		if (chosen[k] && strcmp(a->keys[k], b->keys[k]))
			return false;
	}
	return !chosen[HIST_SYM] || a->level == b->level;
}

static void naive_rows(const struct tally_view *view)
{
	size_t i, n;

	nr_naive = 0;
	naive_period = 0;
	for (i = 0; i < NR_SAMPLES; i++) {
		const struct sample *s = &samples[i];
		double weight = view->recent ? pow(KEEP, NR_INTERVALS - 1 - s->interval) : 1;

		if (s->key.event != view->event)
			continue;
		naive_period += weight * s->period;
		for (n = 0; n < nr_naive && !naive_same(&naive[n].key, &s->key, view->chosen); n++)
			;
		if (n == nr_naive)
			naive[nr_naive++] = (struct naive_row){ .key = s->key };
		naive[n].samples += weight;
		naive[n].period += weight * s->period;
	}
}

static bool near(double a, double b)
{
	return fabs(a - b) * PER_MILLION < 1 + fabs(b);
}

static bool naive_has(const struct tally_row *row, const struct tally_view *view)
{
	struct hist_entry key = { .level = row->level };
	size_t n;

	memcpy(key.keys, row->keys, sizeof(key.keys));
	for (n = 0; n < nr_naive && !naive_same(&naive[n].key, &key, view->chosen); n++)
		;
	return n < nr_naive && near(row->sum.samples, naive[n].samples) &&
	       near(row->sum.period, naive[n].period) &&
	       near(row->percent, 100 * naive[n].period / naive_period);
}

/* What a row must not come behind. */
static bool in_order(const struct tally_row *a, const struct tally_row *b,
		     const struct tally_view *view)
{
	double sign = view->reversed ? -1 : 1;

	if (view->order == TALLY_BY_OVERHEAD)
		return sign * (a->sum.period - b->sum.period) >= 0;
	if (view->order == TALLY_BY_SAMPLES)
		return sign * (a->sum.samples - b->sum.samples) >= 0;
	return sign * strverscmp(a->keys[view->order - TALLY_BY_KEY],
				 b->keys[view->order - TALLY_BY_KEY]) <= 0;
}

static struct tally filled(void)
{
	struct tally t = { .max = TALLY_MAX_ENTRIES, .keep = KEEP };
	size_t i;

	if (tally_init(&t, NR_EVENTS))
		exit(1);
	for (i = 0; i < NR_SAMPLES; i++) {
		if (i && samples[i].interval != samples[i - 1].interval)
			tally_tick(&t);
		if (tally_add(&t, &samples[i].key, samples[i].period, true))
			exit(1);
	}
	tally_tick(&t);
	return t;
}

static bool rows_agree(const struct tally *t, const struct tally_view *view)
{
	struct tally_rows rows = { 0 };
	bool good = !tally_rows(t, view, &rows);
	size_t i, nr = 0;

	naive_rows(view);
	for (i = 0; i < nr_naive; i++)
		nr += naive[i].samples >= 0.5;
	good &= rows.nr == nr;
	for (i = 0; good && i < rows.nr; i++)
		good = naive_has(&rows.rows[i], view) &&
		       (!i || in_order(&rows.rows[i - 1], &rows.rows[i], view));
	tally_rows_free(&rows);
	return good;
}

static void test_all_views(void)
{
	struct tally t = filled();
	unsigned int mask, order, event, k;
	bool good;

	for (mask = 0; mask < 1U << HIST_NR_KEYS; mask++) {
		good = true;
		for (order = 0; order < 2 * TALLY_NR_ORDERS; order++) {
			struct tally_view view = {
				.order = order / 2, .reversed = order % 2, .filter = "",
				.recent = random_below(2),
			};

			for (k = 0; k < HIST_NR_KEYS; k++)
				view.chosen[k] = mask >> k & 1;
			if (view.order >= TALLY_BY_KEY && !view.chosen[view.order - TALLY_BY_KEY])
				continue;
			for (event = 0; good && mask && event < NR_EVENTS; event++) {
				view.event = event;
				good &= rows_agree(&t, &view);
			}
		}
		ok(good, "keys 0x%x: the rows are those of a list of all samples, in each order",
		   mask);
	}
	tally_free(&t);
}

static struct hist_entry entry(const char *symbol)
{
	return (struct hist_entry){
		.level = VIEW_LEVEL_USER, .keys = { "comm", "1", "1", "0", "dso", symbol },
	};
}

static void add(struct tally *t, const char *symbol, unsigned int times)
{
	struct hist_entry key = entry(symbol);

	while (times--)
		tally_add(t, &key, 1000, true);
}

static void test_intervals(void)
{
	struct tally_view view = { .chosen = { [HIST_SYM] = true }, .filter = "", .recent = true };
	struct tally t = { .max = TALLY_MAX_ENTRIES, .keep = 0.5 };
	struct tally_rows rows = { 0 };

	tally_init(&t, 1);
	add(&t, "old", 8);
	tally_rows(&t, &view, &rows);
	is_u64(rows.nr, 0, "nothing is shown before an interval has ended");
	tally_tick(&t);
	add(&t, "new", 3);
	tally_rows(&t, &view, &rows);
	ok(rows.nr == 1 && rows.rows[0].sum.samples == 8, "what comes then is not shown yet");
	tally_tick(&t);
	tally_rows(&t, &view, &rows);
	ok(rows.nr == 2 && rows.rows[0].sum.samples == 4 && rows.rows[1].sum.samples == 3,
	   "old samples count less");
	tally_tick(&t);
	tally_tick(&t);
	tally_tick(&t);
	tally_rows(&t, &view, &rows);
	ok(rows.nr == 1 && !strcmp(rows.rows[0].keys[HIST_SYM], "old"),
	   "until they are gone, with less than half a sample");
	view.recent = false;
	tally_rows(&t, &view, &rows);
	ok(rows.nr == 2 && rows.rows[0].sum.samples == 8 && rows.rows[1].sum.samples == 3,
	   "but not from those since the start");
	tally_clear(&t);
	tally_rows(&t, &view, &rows);
	ok(!rows.nr && !tally_total(&t, 0, false).samples, "nothing is left when it is cleared");
	tally_rows_free(&rows);
	tally_free(&t);
}

static void test_filter(void)
{
	struct tally_view view = { .chosen = { [HIST_SYM] = true }, .filter = "OO" };
	struct tally t = { .max = TALLY_MAX_ENTRIES, .keep = 0 };
	struct tally_rows rows = { 0 };

	tally_init(&t, 1);
	add(&t, "foo", 10);
	add(&t, "Foobar", 30);
	add(&t, "bar", 60);
	tally_tick(&t);
	tally_rows(&t, &view, &rows);
	ok(rows.nr == 2 && rows.nr_others == 1 && rows.rows[0].percent == 30,
	   "a filter ignores case, and shares are of all samples");
	view.filter = "dso";
	tally_rows(&t, &view, &rows);
	is_u64(rows.nr, 0, "a filter looks only at keys that are shown");
	view.filter = "";
	view.min_percent = 30;
	tally_rows(&t, &view, &rows);
	ok(rows.nr == 2 && rows.nr_others == 1, "rows below the smallest share are left out");
	tally_rows_free(&rows);
	tally_free(&t);
}

/* Each of @nr symbols has one sample, and after one in ten another has two hundred. */
static void add_many(struct tally *t, unsigned int nr)
{
	char symbol[32];
	unsigned int i;

	for (i = 0; i < nr; i++) {
		snprintf(symbol, sizeof(symbol), "symbol%u", i);
		add(t, symbol, 1);
		if (i % 10 == 0)
			add(t, "hot", 200);
	}
}

static void test_limit(void)
{
	struct tally_view view = { .chosen = { [HIST_SYM] = true }, .filter = "" };
	struct tally t = { .max = FEW, .keep = KEEP };
	struct tally_rows rows = { 0 };
	double sum = 0;
	size_t i;

	tally_init(&t, 1);
	add_many(&t, 10000);
	tally_tick(&t);
	ok(t.entries.nr <= FEW, "there are no more entries than the limit (%zu)", t.entries.nr);
	ok(t.texts.nr <= FEW * HIST_NR_KEYS, "nor many texts (%zu)", t.texts.nr);
	is_u64(t.nr_pruned + t.entries.nr, 10001, "each that is gone is counted");
	tally_rows(&t, &view, &rows);
	ok(!strcmp(rows.rows[0].keys[HIST_SYM], "hot") && rows.rows[0].sum.samples == 200000,
	   "what has many samples stays, with all of them");
	for (i = 0; i < rows.nr; i++)
		sum += rows.rows[i].sum.samples;
	is_u64(sum + t.pruned.all.samples, 210000, "no sample is lost from the sums");
	is_u64(tally_total(&t, 0, false).samples, 210000, "nor from the total");
	ok(near(rows.rows[0].percent, 100 * 200000. / 210000), "of which shares are");
	tally_rows_free(&rows);
	tally_free(&t);
}

/* With recent samples what was hot long ago makes room. */
static void test_limit_recent(void)
{
	bool recent;

	for (recent = false;; recent = true) {
		struct tally_view view = { .chosen = { [HIST_SYM] = true }, .filter = "hot" };
		struct tally t = { .max = FEW, .keep = 0 };
		struct tally_rows rows = { 0 };
		struct hist_entry key;
		char symbol[32];
		unsigned int i, k;

		tally_init(&t, 1);
		add(&t, "hot", 3);
		tally_tick(&t);
		tally_tick(&t);
		for (i = 0; i < 2 * FEW; i++) {
			snprintf(symbol, sizeof(symbol), "symbol%u", i);
			key = entry(symbol);
			for (k = 0; k < 2; k++)
				tally_add(&t, &key, 1, recent);
		}
		tally_rows(&t, &view, &rows);
		is_u64(rows.nr, !recent, "of %s samples, the fewest make room",
		       recent ? "recent" : "all");
		tally_rows_free(&rows);
		tally_free(&t);
		if (recent)
			break;
	}
}

int main(void)
{
	plan(0);
	make_samples();
	test_all_views();
	test_intervals();
	test_filter();
	test_limit();
	test_limit_recent();
	return done();
}
