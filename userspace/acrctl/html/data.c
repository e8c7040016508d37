// SPDX-License-Identifier: GPL-2.0-only
/* The samples of a page as JSON, which its scripts read. */
#include "page.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#include "text.h"

/* A cell by the numbers that order them. */
struct item {
	uint64_t bin, place, node;
	struct profile_sum sum;
};

/* What is in use, numbered from 0 without gaps. */
struct used {
	struct tuples list;		/* of one word each */
	bool failed;			/* out of memory */
};

static unsigned long long use(struct used *u, uint64_t number)
{
	size_t at = tuples_add(&u->list, &number, 1, NULL);

	u->failed |= at == TUPLES_FAILED;
	return at;
}

static void put_events(const struct profile *p, FILE *out)
{
	const char *before = "";
	__u32 i;

	fputs("\"events\":[", out);
	for (i = 0; i < p->view->reader.nr_events; i++) {
		const struct profile_event *e = &p->events[i];

		fprintf(out, "%s{\"name\":", before);
		text_json(out, p->view->reader.events[i].name, TEXT_NAME_MAX);
		fprintf(out, ",\"samples\":%llu", e->sum.samples);
		/* of each sample, unless they have their own */
		if (e->varies)
			fputs(",\"period\":null}", out);
		else
			fprintf(out, ",\"period\":%llu}", e->period);
		before = ",";
	}
	fputs("],\n", out);
}

static void put_texts(const struct profile *p, FILE *out, const struct tuples *texts)
{
	size_t i;

	fputs("\"texts\":[", out);
	for (i = 0; i < texts->nr; i++) {
		fputs(i ? "," : "", out);
		text_json(out, p->texts.texts[texts->words[i]], TEXT_NAME_MAX);
	}
	fputs("]", out);
}

/* Frames as name, file and kind, each time all three. */
static void put_frames(const struct profile *p, FILE *out, const struct tuples *frames,
		       struct used *texts)
{
	size_t i, nr;

	fputs("\"frames\":[", out);
	for (i = 0; i < frames->nr; i++) {
		const uint64_t *f = tuples_get(&p->frames, frames->words[i], &nr);
		unsigned long long name = use(texts, f[FRAME_NAME]);

		fprintf(out, "%s%llu,%llu,%llu", i ? "," : "", name, use(texts, f[FRAME_FILE]),
			(unsigned long long)f[FRAME_KIND]);
	}
	fputs("],\n", out);
}

/* Nodes as frame and how far before them their parent is. */
static void put_nodes(const struct profile *p, FILE *out, struct used *frames)
{
	size_t i, nr;

	fputs("\"nodes\":[", out);
	for (i = 0; i < p->nodes.nr; i++) {
		const uint64_t *n = tuples_get(&p->nodes, i, &nr);

		fprintf(out, "%s%llu,%llu", i ? "," : "", use(frames, n[NODE_FRAME]),
			(unsigned long long)(i - n[NODE_PARENT]));
	}
	fputs("],\n", out);
}

static void put_tasks(const struct profile *p, FILE *out, struct used *texts)
{
	size_t i, nr;

	fputs("\"tasks\":[", out);
	for (i = 0; i < p->tasks.nr; i++) {
		const uint64_t *t = tuples_get(&p->tasks, i, &nr);

		fprintf(out, "%s%llu,%llu,%llu", i ? "," : "", (unsigned long long)t[TASK_PID],
			(unsigned long long)t[TASK_TID], use(texts, t[TASK_COMM]));
	}
	fputs("],\n", out);
}

static void put_places(const struct profile *p, FILE *out)
{
	size_t i, nr;

	fputs("\"places\":[", out);
	for (i = 0; i < p->places.nr; i++) {
		const uint64_t *place = tuples_get(&p->places, i, &nr);

		fprintf(out, "%s%llu,%lld,%llu", i ? "," : "",
			(unsigned long long)place[PLACE_EVENT], (long long)place[PLACE_CPU] - 1,
			(unsigned long long)place[PLACE_TASK]);
	}
	fputs("],\n", out);
}

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->bin != y->bin)
		return x->bin < y->bin ? -1 : 1;
	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static struct item *sorted_cells(const struct profile *p)
{
	struct item *items = calloc(p->cells.nr + 1, sizeof(*items));
	size_t i, nr;

	for (i = 0; items && i < p->cells.nr; i++) {
		const uint64_t *cell = tuples_get(&p->cells, i, &nr);

		items[i] = (struct item){
			cell[CELL_BIN], cell[CELL_PLACE], cell[CELL_NODE], p->sums[i],
		};
	}
	if (items)
		qsort(items, p->cells.nr, sizeof(*items), compare);
	return items;
}

static void put_cell(const struct item *c, const struct item *last, bool varies, FILE *out)
{
	bool same = last && last->bin == c->bin && last->place == c->place;
	unsigned long long step = c->node - (same ? last->node : 0);

	if (!same)
		fprintf(out, "%s[%llu,%llu", last ? "],\n" : "", (unsigned long long)c->bin,
			(unsigned long long)c->place);
	if (c->sum.samples == 1)
		fprintf(out, ",%llu", step);
	else
		fprintf(out, ",-%llu,%llu", step, c->sum.samples);
	if (varies)
		fprintf(out, ",%llu", c->sum.period);
}

/**
 * page_put_cells() - write when and where samples had which stack
 *
 * For each bin and place there is a list: these two, then for each node how far it is behind the
 * one before.  If it has more than one sample that is negative, and their number follows; then the
 * sum of periods, if they vary.
 *
 * Return: 0 or -ENOMEM.
 */
int page_put_cells(const struct profile *p, FILE *out)
{
	struct item *items = sorted_cells(p);
	size_t i, nr;

	if (!items)
		return -ENOMEM;
	fputs("[", out);
	for (i = 0; i < p->cells.nr; i++) {
		size_t event = tuples_get(&p->places, items[i].place, &nr)[PLACE_EVENT];

		put_cell(&items[i], i ? &items[i - 1] : NULL, p->events[event].varies, out);
	}
	fputs(i ? "]]" : "]", out);
	free(items);
	return 0;
}

/**
 * page_put_stacks() - write all that cells refer to
 *
 * Return: 0 or -ENOMEM.
 */
int page_put_stacks(const struct profile *p, FILE *out)
{
	struct used frames = { 0 }, texts = { 0 };
	int err;

	fprintf(out, "{\"bins\":%u,\"bin_ns\":%llu,\"first_ns\":\"%llu\",\"last_ns\":\"%llu\",\n",
		p->timed ? profile_bins(p) : 0, 1ULL << p->bin_shift, p->first_ns, p->last_ns);
	put_events(p, out);
	put_nodes(p, out, &frames);
	put_frames(p, out, &frames.list, &texts);
	put_tasks(p, out, &texts);
	put_places(p, out);
	put_texts(p, out, &texts.list);
	fputs("}", out);
	err = frames.failed || texts.failed ? -ENOMEM : 0;
	tuples_free(&frames.list);
	tuples_free(&texts.list);
	return err;
}
