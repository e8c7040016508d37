// SPDX-License-Identifier: GPL-2.0-only
/* Writing a page: what can be read without its scripts, and between it the fixed parts. */
#include "page.h"

#include <errno.h>
#include <stdlib.h>

#include "../../util/util.h"
#include "pack.h"
#include "text.h"

#define ROWS_MAX	50	/* functions in the table that needs no script */
#define PERCENT		100.0

/* A function and the samples taken in it. */
struct row {
	size_t frame;
	struct profile_sum sum;
};

static void put_fact(FILE *out, const struct html_fact *f)
{
	fprintf(out, "<div%s><dt>%s</dt><dd>", f->warns ? " class=\"warns\"" : "", f->term);
	text_html(out, f->text, TEXT_WHOLE);
	fputs("</dd></div>\n", out);
}

/* Samples in stacks that were merged. */
static __u64 merged_samples(const struct profile *p)
{
	__u64 sum = 0;
	size_t i, nr;

	for (i = 0; i < p->cells.nr; i++) {
		size_t node = tuples_get(&p->cells, i, &nr)[CELL_NODE];
		size_t frame = tuples_get(&p->nodes, node, &nr)[NODE_FRAME];

		if (tuples_get(&p->frames, frame, &nr)[FRAME_KIND] & PROFILE_MERGED)
			sum += p->sums[i].samples;
	}
	return sum;
}

/* How samples were added up, so that nobody takes the page for all details. */
static void put_limits(const struct profile *p, FILE *out)
{
	__u64 merged = merged_samples(p);

	fprintf(out, "<div%s><dt>Added up</dt><dd>", merged ? " class=\"warns\"" : "");
	if (p->timed)
		fprintf(out, "by time (%u &#215; %.6g ms), ", profile_bins(p),
			(1ULL << p->bin_shift) / (double)NSEC_PER_MSEC);
	else
		fputs("without times, which the recording does not have, by ", out);
	fprintf(out, "CPU, task and stack: %zu sums", p->cells.nr);
	if (p->merged_tasks)
		fprintf(out, "; tasks beyond %d together", PROFILE_TASKS_MAX);
	if (merged)
		fprintf(out, "; %llu samples in rare stacks, without their inner functions",
			merged);
	fputs("</dd></div>\n", out);
	if (p->samples && !p->chains)
		fputs("<div><dt>Call chains</dt><dd>none; 'acrctl record -g' has them</dd></div>\n",
		      out);
}

static double share(const struct profile_sum *part, const struct profile_sum *all)
{
	if (all->period)
		return PERCENT * part->period / all->period;
	return all->samples ? PERCENT * part->samples / all->samples : 0;
}

static void put_event(const struct profile *p, __u32 event, FILE *out)
{
	const struct pd_file_event *e = &p->view->reader.events[event];
	const struct profile_sum *sum = &p->events[event].sum;
	struct view_times t = view_times_of(p->view, event);

	fputs("<tr><th scope=\"row\">", out);
	text_html(out, e->name, TEXT_NAME_MAX);
	fprintf(out, "</th><td>%llu</td><td>%llu</td><td>", sum->samples, sum->period);
	if (!e->attr.freq)
		fprintf(out, "%llu", (unsigned long long)e->attr.sample_period);
	else
		fprintf(out, "%llu a second", (unsigned long long)e->attr.sample_freq);
	fputs("</td><td>", out);
	if (t.known && t.enabled_ns)
		fprintf(out, "%.2f&#160;%%", PERCENT * t.running_ns / t.enabled_ns);
	fputs("</td><td>", out);
	if (e->group != event)
		text_html(out, p->view->reader.events[e->group].name, TEXT_NAME_MAX);
	fputs("</td></tr>\n", out);
}

/* The first event with samples, which the page shows first. */
static __u32 first_event(const struct profile *p)
{
	__u32 i;

	for (i = 0; i < p->view->reader.nr_events; i++) {
		if (p->events[i].sum.samples)
			return i;
	}
	return 0;
}

static int compare(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->sum.samples != y->sum.samples)
		return x->sum.samples > y->sum.samples ? -1 : 1;
	return x->frame < y->frame ? -1 : x->frame > y->frame;
}

/* What each function has itself; NULL: out of memory. */
static struct row *make_rows(const struct profile *p, __u32 event)
{
	struct row *rows = calloc(p->frames.nr, sizeof(*rows));
	size_t i, nr;

	for (i = 0; rows && i < p->frames.nr; i++)
		rows[i].frame = i;
	for (i = 0; rows && i < p->cells.nr; i++) {
		const uint64_t *cell = tuples_get(&p->cells, i, &nr);
		size_t frame = tuples_get(&p->nodes, cell[CELL_NODE], &nr)[NODE_FRAME];

		if (tuples_get(&p->places, cell[CELL_PLACE], &nr)[PLACE_EVENT] != event)
			continue;
		rows[frame].sum.samples += p->sums[i].samples;
		rows[frame].sum.period += p->sums[i].period;
	}
	if (rows)
		qsort(rows, p->frames.nr, sizeof(*rows), compare);
	return rows;
}

static void put_row(const struct profile *p, const struct row *r, __u32 event, FILE *out)
{
	size_t nr;
	const uint64_t *frame = tuples_get(&p->frames, r->frame, &nr);

	fprintf(out, "<tr><td>%llu</td><td>%.2f&#160;%%</td><th scope=\"row\">",
		r->sum.samples, share(&r->sum, &p->events[event].sum));
	text_html(out, p->texts.texts[frame[FRAME_NAME]], TEXT_NAME_MAX);
	if (frame[FRAME_KIND] & PROFILE_KERNEL)
		fputs(" [kernel]", out);
	if (frame[FRAME_KIND] & PROFILE_INLINED)
		fputs(" (inlined)", out);
	fputs("</th><td class=\"object\">", out);
	text_html(out, p->texts.texts[frame[FRAME_FILE]], TEXT_NAME_MAX);
	fputs("</td></tr>\n", out);
}

static int put_symbols(const struct profile *p, FILE *out)
{
	__u32 event = first_event(p);
	struct row *rows = make_rows(p, event);
	size_t i;

	if (!rows)
		return -ENOMEM;
	for (i = 0; i < p->frames.nr && i < ROWS_MAX && rows[i].sum.samples; i++)
		put_row(p, &rows[i], event, out);
	free(rows);
	return 0;
}

/**
 * html_write() - write the page
 * @title: what it is called
 *
 * Return: 0; -ENOMEM; -errno if @out could not be written.
 */
int html_write(const struct profile *p, const char *title, const struct html_facts *facts,
	       FILE *out)
{
	size_t i, size;
	int err;

	if (facts->failed)
		return -ENOMEM;
	errno = 0;
	fputs(page_begin, out);
	text_html(out, title, TEXT_WHOLE);
	fputs(page_heading, out);
	text_html(out, title, TEXT_WHOLE);
	fputs(page_facts, out);
	for (i = 0; i < facts->nr; i++)
		put_fact(out, &facts->list[i]);
	put_limits(p, out);
	fputs(page_events, out);
	for (i = 0; i < p->view->reader.nr_events; i++) {
		if (p->events[i].sum.samples || !view_is_dummy(&p->view->reader.events[i]))
			put_event(p, i, out);
	}
	fputs(page_symbols, out);
	err = put_symbols(p, out);
	fputs(page_stacks, out);
	if (!err)
		err = pack(p, page_put_stacks, out, &size);
	fputs(page_cells, out);
	if (!err)
		err = pack(p, page_put_cells, out, &size);
	fputs(page_end, out);
	if (!err && ferror(out))
		err = errno ? -errno : -EIO;
	return err;
}
