// SPDX-License-Identifier: GPL-2.0-only
/* Counts as JSON: one object on one line for each block. */
#include <stdio.h>

#include "../jsonout.h"
#include "stat.h"

#define NSEC_PER_SEC	1e9

/* A group at one location in a block. */
struct where {
	const struct stat *st;
	const struct stat_block *block;
	size_t location;
	unsigned int group;
	const struct stat_cell *cell;
};

static struct json_object *seconds(__u64 ns)
{
	return jsonout_real(ns / NSEC_PER_SEC);
}

static struct json_object *make_derived(const struct where *w, unsigned int event)
{
	struct stat_derived d;

	if (!stat_derive(w->st, w->block, w->location, w->group, event, &d))
		return jsonout_null;
	return jsonout_object("value", jsonout_real(d.value), "unit", jsonout_text(d.unit), NULL);
}

static struct json_object *make_event(const struct where *w, unsigned int event)
{
	const struct acrpmu_spec_event *spec = acrpmu_spec_event(w->st->spec, w->group, event);
	const struct stat_event *ev = &w->cell->ev[event];
	bool reloaded = !stat_has_count(w->st, spec), has_value = w->cell->counted && !reloaded;
	/* those of other events never reach software */
	bool has_overflows = w->cell->counted && stat_has_overflows(w->st, w->group, event);
	struct json_object *json;

	json = jsonout_object("event", jsonout_text(spec->name),
			      "modifiers", jsonout_text(spec->modifiers),
			      "value", has_value ? jsonout_count(ev->value) : jsonout_null,
			      "raw", has_value ? jsonout_count(ev->raw) : jsonout_null,
			      "reloaded", jsonout_bool(reloaded),
			      "overflows", has_overflows ? jsonout_count(ev->overflows) :
							   jsonout_null,
			      "derived", make_derived(w, event), NULL);
	if (spec->twin_of)
		jsonout_set(&json, "twin_of", jsonout_count(spec->twin_of - 1), NULL);
	if (w->block->runs > 1)
		jsonout_set(&json, "deviation_percent",
			    has_value ? jsonout_real(ev->deviation) : jsonout_null, NULL);
	return json;
}

static struct json_object *make_latency(const struct where *w, const struct stat_latency *l)
{
	const struct stat_cell *cell = w->cell;
	bool counted = cell->counted;

	return jsonout_object("requests", jsonout_text(l->name),
			      "responses", counted ?
			      jsonout_count(cell->ev[l->responses].value) : jsonout_null,
			      "outstanding_cycles", counted ?
			      jsonout_count(cell->ev[l->outstanding].value) : jsonout_null,
			      "cycles", l->known ? jsonout_real(l->cycles) : jsonout_null,
			      "ns", l->known && l->has_ns ? jsonout_real(l->ns) : jsonout_null,
			      NULL);
}

static struct json_object *make_condition(const struct where *w)
{
	unsigned int i, nr = acrpmu_spec_condition(w->st->spec)->nr_comparisons + 1;
	struct json_object *periods = json_object_new_array();
	struct stat_condition c;

	for (i = 0; i < nr; i++) {
		const struct acrpmu_spec_event *ev = acrpmu_spec_event(w->st->spec, w->group, i);

		jsonout_add(&periods, jsonout_count(ev->attr.period));
	}
	if (!stat_condition(w->st, w->block, w->location, w->group, &c))
		return jsonout_object("periods", periods, "matches", jsonout_null, NULL);
	return jsonout_object("periods", periods,
			      "matches", jsonout_count(c.matches),
			      "event_share", c.has_share ? jsonout_real(c.share) : jsonout_null,
			      "others_min", c.has_bounds ? jsonout_count(c.others.least) :
							   jsonout_null,
			      "others_max", c.has_bounds ? jsonout_count(c.others.most) :
							   jsonout_null,
			      "window_share_min", c.has_windows ? jsonout_real(c.least) :
								  jsonout_null,
			      "window_share_max", c.has_windows ? jsonout_real(c.most) :
								  jsonout_null, NULL);
}

static struct json_object *make_share(const struct stat_block *block, const struct stat_cell *cell)
{
	if (!block->scaled)
		return cell->counted ? jsonout_real(1) : jsonout_null;
	return cell->total_ns ? jsonout_real((double)cell->running_ns / cell->total_ns) :
				jsonout_null;
}

static struct json_object *make_thread(const struct where *w)
{
	const struct stat_thread *thread = &w->st->threads[w->location];

	if (!w->st->opt.per_thread)
		return jsonout_null;
	return jsonout_object("tid", jsonout_count(thread->tid),
			      "comm", jsonout_text(thread->comm), NULL);
}

static struct json_object *make_group(const struct where *w)
{
	struct json_object *events = json_object_new_array();
	struct json_object *latencies = json_object_new_array(), *json;
	const struct stat *st = w->st;
	struct stat_latency latency;
	const int *cpus = st->target.cpus.cpus;
	unsigned int i;

	for (i = 0; i < st->groups[w->group].nr_events; i++)
		jsonout_add(&events, make_event(w, i));
	for (i = 0; stat_latency_next(st, w->cell, w->group, i, &latency);
	     i = latency.outstanding + 1)
		jsonout_add(&latencies, make_latency(w, &latency));
	json = jsonout_object("group", jsonout_text(acrpmu_spec_text(st->spec, w->group)),
			      "cpu", st->opt.per_cpu ? jsonout_count(cpus[w->location]) :
						       jsonout_null,
			      "thread", make_thread(w),
			      "counted", jsonout_bool(w->cell->counted),
			      "taken", jsonout_bool(w->cell->taken),
			      "scaled", jsonout_bool(w->block->scaled && w->cell->counted),
			      "running", make_share(w->block, w->cell),
			      "running_ns", jsonout_count(w->cell->running_ns),
			      "missed_ns", jsonout_count(w->cell->missed_ns),
			      "events", events, "latency", latencies, NULL);
	if (acrpmu_spec_condition(st->spec))
		jsonout_set(&json, "condition", make_condition(w), NULL);
	if (reload_is_used(st->spec, w->group))
		jsonout_set(&json, "reload", jsonout_text(reload_name(st->kinds.reload)), NULL);
	if (w->block->runs > 1)
		jsonout_set(&json, "runs", jsonout_count(w->cell->runs), NULL);
	return json;
}

static struct json_object *make_groups(const struct stat *st, const struct stat_block *block)
{
	struct json_object *groups = json_object_new_array();
	struct where w = { .st = st, .block = block };

	for (w.location = 0; w.location < st->nr_locations; w.location++) {
		for (w.group = 0; w.group < st->nr_groups; w.group++) {
			w.cell = stat_block_cell(st, block, w.location, w.group);
			if (stat_counts_at(st, w.location, w.group))
				jsonout_add(&groups, make_group(&w));
		}
	}
	return groups;
}

static struct json_object *make_remarks(char *const *remarks)
{
	struct json_object *json = json_object_new_array();

	for (; *remarks; remarks++)
		jsonout_add(&json, jsonout_text(*remarks));
	return json;
}

/**
 * stat_json_block() - print a block; @remarks only with the last one
 *
 * Return: 0, or -ENOMEM after a message.
 */
int stat_json_block(const struct stat *st, const struct stat_block *block, char *const *remarks)
{
	struct json_object *json;
	int err;

	json = jsonout_object("schema", jsonout_text("acrctl-stat/1"),
			      "time_s", seconds(block->end_ns),
			      "length_s", seconds(block->length_ns),
			      "lost_s", seconds(block->lost_ns),
			      "runs", jsonout_count(block->runs),
			      "groups", make_groups(st, block), NULL);
	if (block->runs > 1)
		jsonout_set(&json, "deviation_percent", jsonout_real(block->deviation), NULL);
	if (remarks)
		jsonout_set(&json, "remarks", make_remarks(remarks), NULL);
	err = jsonout_fprint(st->out, json);
	fputc('\n', st->out);
	if (err)
		output_no_memory("stat");
	return err;
}
