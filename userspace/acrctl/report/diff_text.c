// SPDX-License-Identifier: GPL-2.0-only
/* report --diff as text: a line for each function, the largest changes first. */
#include <stdio.h>

#include "../terminal.h"
#include "../ui/color.h"
#include "diff.h"
#include "keys.h"

static void print_side(const struct diff *d, const struct diff_pair *p, int side)
{
	const struct diff_side *s = &d->sides[side];
	const struct pd_file_event *e = &s->view.reader.events[p->events[side]];

	printf("# %s: %llu samples of event '", side == DIFF_OLD ? "old" : "new",
	       diff_total(d, p, side)->samples);
	terminal_print(stdout, 0, e->name);
	printf("'");
	if (!e->attr.freq && e->attr.sample_period)
		printf(", period %llu", (unsigned long long)e->attr.sample_period);
	printf("\n");
}

static void print_share(const struct diff *d, const struct diff_pair *p,
			const struct diff_row *row, int side)
{
	const struct hist_entry *e = row->entries[side];

	if (e)
		printf(" %8.2f%%", 100 * diff_share(diff_total(d, p, side), e));
	else
		printf(" %9s", "-");
}

static void print_row(const struct diff *d, const struct diff_pair *p, const struct diff_row *row)
{
	const struct hist_entry *e = row->entries[DIFF_OLD] ? row->entries[DIFF_OLD] :
							      row->entries[DIFF_NEW];
	const struct shares_change *c = &row->change;
	bool significant = shares_significant(c);
	enum color color = !significant ? COLOR_PLAIN : c->difference > 0 ? COLOR_RED : COLOR_GREEN;

	print_share(d, p, row, DIFF_OLD);
	print_share(d, p, row, DIFF_NEW);
	color_begin(stdout, color);
	printf("  %+7.2f", 100 * c->difference);
	color_end(stdout, color);
	printf("  %+7.2f to %+7.2f %-2s", 100 * c->low, 100 * c->high,
	       shares_significant_among(c, p->nr_rows) ? "**" : significant ? "*" : "");
	keys_print(d->sides[DIFF_OLD].args.chosen, e);
}

static void print_pair(const struct diff *d, const struct diff_pair *p)
{
	size_t i;

	printf("#\n");
	print_side(d, p, DIFF_OLD);
	print_side(d, p, DIFF_NEW);
	if (!diff_total(d, p, DIFF_OLD)->samples || !diff_total(d, p, DIFF_NEW)->samples) {
		printf("# without samples there are no shares\n");
		return;
	}
	printf("#\n#     Old       New   Change        95%% interval   ");
	keys_print_titles(d->sides[DIFF_OLD].args.chosen);
	for (i = 0; i < p->nr_rows; i++)
		print_row(d, p, &p->rows[i]);
}

static void print_recording(const struct diff *d, int side)
{
	const struct diff_side *s = &d->sides[side];

	printf("# %s: %s, %llu samples lost", side == DIFF_OLD ? "old" : "new", s->args.path,
	       s->view.lost);
	if (s->view.pauses)
		printf(", %llu throttled", s->view.pauses);
	if (s->condition.text) {
		printf(", condition ");
		terminal_print(stdout, 0, s->condition.text);
	}
	printf("\n");
}

/**
 * diff_print() - print all changes on standard output
 */
void diff_print(const struct diff *d)
{
	__u32 i;

	print_recording(d, DIFF_OLD);
	print_recording(d, DIFF_NEW);
	printf("# shares, and their change with its 95%% interval, in percentage points\n"
	       "# *: more than chance, for this line alone; **: also as one of all lines\n");
	for (i = 0; i < d->nr_pairs; i++) {
		if (d->pairs[i].nr_rows)
			print_pair(d, &d->pairs[i]);
	}
}
