// SPDX-License-Identifier: GPL-2.0-only
/* A function as JSON: its instructions with their sources and samples. */
#include <errno.h>
#include <math.h>

#include "../jsonout.h"
#include "annotate.h"

#define PERCENT_PARTS	1e4	/* percentages have four decimals */

static double percent(__u64 part, __u64 all)
{
	return all ? round(100.0 * part / all * PERCENT_PARTS) / PERCENT_PARTS : 0;
}

static struct json_object *count_json(const struct annotate_count *part,
				      const struct annotate_count *all)
{
	double share = all->period ? percent(part->period, all->period) :
				     percent(part->samples, all->samples);

	return jsonout_object("samples", jsonout_count(part->samples),
			      "period", jsonout_count(part->period),
			      "percent", jsonout_real(share), NULL);
}

static struct json_object *events_json(const struct annotate *an)
{
	struct json_object *events = json_object_new_array();
	__u32 i;

	for (i = 0; i < an->nr_events; i++) {
		const struct pd_file_event *e = &an->view.reader.events[an->events[i]];
		const struct annotate_count *all = &an->totals[an->events[i]];

		jsonout_add(&events,
			    jsonout_object("name", jsonout_text(e->name),
					   "samples", jsonout_count(all->samples),
					   "period", jsonout_count(all->period),
					   "function", count_json(&an->in_function[i], all), NULL));
	}
	return events;
}

static struct json_object *line_json(const struct annotate *an, size_t i)
{
	const struct annotate_line *l = &an->lines[i];
	struct json_object *counts = json_object_new_array();
	__u32 e;

	for (e = 0; e < an->nr_events; e++)
		jsonout_add(&counts, count_json(&an->cells[i * an->nr_events + e],
						&an->in_function[e]));
	return jsonout_object("address", jsonout_hex(l->addr),
			      "instruction", jsonout_text(l->text),
			      "file", jsonout_text(l->file),
			      "line", l->line ? jsonout_count(l->line) : jsonout_null,
			      "inlined", jsonout_text(l->inlined),
			      "counts", counts, NULL);
}

static struct json_object *lines_json(const struct annotate *an)
{
	struct json_object *lines = json_object_new_array();
	size_t i;

	for (i = 0; i < an->nr_lines; i++)
		jsonout_add(&lines, line_json(an, i));
	return lines;
}

/**
 * annotate_print_json() - print the chosen function on standard output
 *
 * Return: 0 or -ENOMEM.
 */
int annotate_print_json(const struct annotate *an)
{
	const struct annotate_function *f = an->chosen;
	bool ends = f->at.end > f->at.start;

	if (jsonout_print(jsonout_object("schema", jsonout_text("acrctl-annotate/1"),
					 "file", jsonout_text(an->args.path),
					 "symbol", jsonout_text(f->symbol),
					 "dso", jsonout_text(f->dso),
					 "start", jsonout_hex(f->at.start),
					 "end", ends ? jsonout_hex(f->at.end) : jsonout_null,
					 "unknown", jsonout_text(an->unknown),
					 "events", events_json(an),
					 "lines", lines_json(an), NULL)))
		return -ENOMEM;
	putchar('\n');
	return 0;
}
