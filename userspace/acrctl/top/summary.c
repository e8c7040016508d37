// SPDX-License-Identifier: GPL-2.0-only
/* The rows, and the lines above them: what is sampled, how much came, what is shown. */
#include "top.h"

#include <stdio.h>
#include <stdlib.h>

#define MSEC_PER_SEC	1e3

/**
 * top_make_rows() - make the rows of the event that is shown
 *
 * Return: 0 or -ENOMEM.
 */
int top_make_rows(struct top *t)
{
	int err = tally_rows(&t->tally, &t->show.view, &t->rows);

	t->nr_cut = 0;
	if (!err && t->opt.nr_rows && t->rows.nr > t->opt.nr_rows) {
		t->nr_cut = t->rows.nr - t->opt.nr_rows;
		t->rows.nr = t->opt.nr_rows;
	}
	return err;
}

/* What is sampled, and where. */
static void print_event(const struct top *t, FILE *f)
{
	__u32 event = t->show.view.event;

	fputs(t->live.names[event], f);
	if (t->live.nr_events > 1)
		fprintf(f, " (event %u of %u)", event + 1, t->live.nr_events);
	fputc(',', f);
	target_print(&t->sm.target, f);
}

static void print_counts(const struct top *t, FILE *f)
{
	struct tally_sum all = tally_total(&t->tally, t->show.view.event, false);
	__u64 lost_sideband = t->sm.sideband.counts.lost;

	fprintf(f, "%.1f samples/s, %.0f samples, %llu lost, %llu throttled, CPUs: %zu, every %g s",
		t->samples_per_s[t->show.view.event], all.samples, t->lost, t->throttled,
		t->sm.target.cpus.nr, t->opt.delay_ms / MSEC_PER_SEC);
	if (lost_sideband)
		fprintf(f, ", %llu records about tasks and maps lost", lost_sideband);
	if (t->over || t->show.paused)
		fputs(t->over ? ", ended" : ", PAUSED", f);
}

static const char *order_name(unsigned int order)
{
	return order == TALLY_BY_OVERHEAD ? "overhead" : order == TALLY_BY_SAMPLES ? "samples" :
	       keys_choices[order - TALLY_BY_KEY].name;
}

static const char *time_name(const struct top *t)
{
	if (!t->show.view.recent)
		return "since the start";
	return t->tally.keep ? "recent" : "last interval";
}

static void print_view(const struct top *t, FILE *f)
{
	fprintf(f, "%s, by %s%s, rows: %zu", time_name(t), order_name(t->show.view.order),
		t->show.view.reversed ? " reversed" : "", t->rows.nr + t->nr_cut);
	if (t->rows.nr_others)
		fprintf(f, " of %zu", t->rows.nr + t->nr_cut + t->rows.nr_others);
	if (t->nr_cut)
		fprintf(f, ", the first %zu are shown", t->rows.nr);
	if (*t->show.filter)
		fprintf(f, ", filter '%s'", t->show.filter);
	if (t->show.view.min_percent)
		fprintf(f, ", from %g%% on", t->show.view.min_percent);
	if (t->tally.nr_pruned)
		fprintf(f, ", %llu small entries with %.0f samples left out", t->tally.nr_pruned,
			t->tally.pruned.all.samples + t->tally.pruned.now.samples);
}

/**
 * top_summary() - one of TOP_SUMMARY_LINES, the most important first
 *
 * Return: a text to be freed, NULL: out of memory.
 */
char *top_summary(const struct top *t, unsigned int line)
{
	static void (*const print[TOP_SUMMARY_LINES])(const struct top *t, FILE *f) = {
		print_event, print_counts, print_view,
	};
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	print[line](t, f);
	if (!fclose(f))
		return text;
	free(text);
	return NULL;
}

/**
 * top_closing() - print on stderr how much came, and what is missing
 */
void top_closing(struct top *t)
{
	__u64 samples = 0, lost = 0, throttled = 0;
	size_t i;

	if (sampling_sessions_read(&t->sm))
		return;
	for (i = 0; i < t->sm.nr_sessions; i++) {
		const struct sampling_session *s = &t->sm.sessions[i];

		samples += s->stats.records;
		lost += s->stats.lost;
		throttled += s->stats.throttled;
	}
	sampling_warn(&t->sm, t->live.hidden_kernel);
	sampling_warn_missed(&t->sm);
	/* blocks of text have these numbers */
	if (!t->opt.plain)
		TARGET_SAY(&t->sm.target, "%llu samples, %llu lost, %llu throttled", samples, lost,
			   throttled);
}
