// SPDX-License-Identifier: GPL-2.0-only
/* report --diff as JSON. */
#include <errno.h>
#include <math.h>

#include "diff.h"
#include "keys.h"

#define PERCENT_PARTS	1e4	/* percentages have four decimals */

static struct json_object *percent_json(double share)
{
	return jsonout_real(round(100 * share * PERCENT_PARTS) / PERCENT_PARTS);
}

static struct json_object *recording_json(const struct diff_side *s)
{
	return jsonout_object("file", jsonout_text(s->args.path),
			      "condition", jsonout_text(s->condition.text),
			      "lost", jsonout_count(s->view.lost),
			      "pauses", jsonout_count(s->view.pauses), NULL);
}

static struct json_object *event_json(const struct diff *d, const struct diff_pair *p, int side)
{
	const struct pd_file_event *e = &d->sides[side].view.reader.events[p->events[side]];
	const struct diff_total *all = diff_total(d, p, side);
	__u64 sample_period = e->attr.freq ? 0 : e->attr.sample_period;

	return jsonout_object("name", jsonout_text(e->name),
			      "sample_period", jsonout_count(sample_period),
			      "samples", jsonout_count(all->samples),
			      "period", jsonout_count(all->period), NULL);
}

static struct json_object *share_json(const struct diff *d, const struct diff_pair *p,
				      const struct diff_row *row, int side)
{
	const struct hist_entry *e = row->entries[side];

	return jsonout_object("percent", percent_json(diff_share(diff_total(d, p, side), e)),
			      "samples", jsonout_count(e ? e->samples : 0),
			      "period", jsonout_count(e ? e->period : 0), NULL);
}

static struct json_object *row_json(const struct diff *d, const struct diff_pair *p,
				    const struct diff_row *row)
{
	const struct shares_change *c = &row->change;
	bool among = shares_significant_among(c, p->nr_rows);
	struct json_object *json;

	json = jsonout_object("old", share_json(d, p, row, DIFF_OLD),
			      "new", share_json(d, p, row, DIFF_NEW),
			      "difference", percent_json(c->difference),
			      "low", percent_json(c->low),
			      "high", percent_json(c->high),
			      "p", jsonout_real(c->p),
			      "significant", jsonout_bool(shares_significant(c)),
			      "significant_among_all", jsonout_bool(among), NULL);
	keys_set_json(&json, d->sides[DIFF_OLD].args.chosen,
		      row->entries[DIFF_OLD] ? row->entries[DIFF_OLD] : row->entries[DIFF_NEW]);
	return json;
}

static struct json_object *pair_json(const struct diff *d, const struct diff_pair *p)
{
	bool known = diff_total(d, p, DIFF_OLD)->samples && diff_total(d, p, DIFF_NEW)->samples;
	struct json_object *entries = json_object_new_array();
	size_t i;

	for (i = 0; known && i < p->nr_rows; i++)
		jsonout_add(&entries, row_json(d, p, &p->rows[i]));
	return jsonout_object("old", event_json(d, p, DIFF_OLD),
			      "new", event_json(d, p, DIFF_NEW),
			      "entries", entries, NULL);
}

/**
 * diff_print_json() - print all changes on standard output
 *
 * Return: 0 or -ENOMEM.
 */
int diff_print_json(const struct diff *d)
{
	struct json_object *events = json_object_new_array();
	__u32 i;

	for (i = 0; i < d->nr_pairs; i++)
		jsonout_add(&events, pair_json(d, &d->pairs[i]));
	if (jsonout_print(jsonout_object("schema", jsonout_text("acrctl-report-diff/1"),
					 "old", recording_json(&d->sides[DIFF_OLD]),
					 "new", recording_json(&d->sides[DIFF_NEW]),
					 "events", events, NULL)))
		return -ENOMEM;
	putchar('\n');
	return 0;
}
