// SPDX-License-Identifier: LGPL-2.1-or-later
/* Filling the tables of an arch directory from their files. */
#include "fill.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "json_events.h"
#include "offcore_matrix.h"
#include "table.h"

#define JSON_SUFFIX_LEN	5	/* ".json" */

/**
 * struct filling - a table being filled from its files
 * @options: properties of the events of the current file
 * @matrix: its offcore matrix, NULL if it has none
 */
struct filling {
	struct loading *load;
	struct convert_options options;
	struct table table;
	struct offcore_matrix *matrix;
};

/* Name of a file without ".json". */
static const char *get_topic(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;

	return arena_copy(arena, name, strlen(name) - JSON_SUFFIX_LEN);
}

static const char *pmu_of_role(const char *role)
{
	if (!role)
		return "cpu";
	if (!strcasecmp(role, "Atom"))
		return "cpu_atom";
	if (!strcasecmp(role, "Core"))
		return "cpu_core";
	if (!strncasecmp(role, "LowPower", 8))
		return "cpu_lowpower";
	return "cpu";
}

static int copy_values(struct arena *arena, struct json_value *to, const struct json_value *from)
{
	unsigned int i;

	for (i = 0; i < JSON_NR_FIELDS; i++) {
		to[i] = from[i];
		if (!from[i].at)
			continue;
		to[i].at = arena_copy(arena, from[i].at, from[i].len);
		if (!to[i].at)
			return -ENOMEM;
	}
	return 0;
}

/* An event of a file next to the mapfile, which events of several CPUs refer to. */
static int add_standard(void *ctx, const struct json_event *event)
{
	struct loading *l = ctx;

	if (!event->values[JSON_EVENT_NAME].at)
		return 0;
	if (l->nr_standard == l->standard_size) {
		const unsigned int size = l->standard_size ? 2 * l->standard_size : 64;
		struct standard_event *all = arena_alloc(l->arena, size * sizeof(*all));

		if (!all)
			return -ENOMEM;
		if (l->nr_standard)
			memcpy(all, l->standard, l->nr_standard * sizeof(*all));
		l->standard = all;
		l->standard_size = size;
	}
	return copy_values(l->arena, l->standard[l->nr_standard++].values, event->values);
}

int fill_standard_events(struct loading *l, const struct json_dir *dir)
{
	unsigned int i;

	for (i = 0; i < dir->nr_files; i++) {
		const char *path = walk_join(l->arena, dir->path, dir->files[i]);
		struct json_counts counts;
		int ret;

		if (!path)
			return -ENOMEM;
		ret = json_events_read(path, add_standard, l, &counts, &l->reporter);
		if (ret == -ENOMEM)
			return ret;
		l->dir->nr_files++;
	}
	return 0;
}

/* Fill in missing fields from the event that it refers to. */
static int use_standard(struct loading *l, struct json_event *event)
{
	const struct json_value *name = &event->values[JSON_ARCH_STD_EVENT];
	unsigned int i, j;

	for (i = 0; i < l->nr_standard; i++) {
		const struct json_value *values = l->standard[i].values;

		if (values[JSON_EVENT_NAME].len != name->len ||
		    strncasecmp(values[JSON_EVENT_NAME].at, name->at, name->len))
			continue;
		for (j = 0; j < JSON_NR_FIELDS; j++) {
			if (!event->values[j].at)
				event->values[j] = values[j];
		}
		return 0;
	}
	report_say(&l->reporter, REPORT_NOTE, event->path,
		   json_event_line(event, JSON_ARCH_STD_EVENT),
		   json_field_name(JSON_ARCH_STD_EVENT),
		   "no file next to the mapfile has an event '%.*s'; it is left out",
		   name->len < 80 ? (int)name->len : 80, name->at);
	return -EINVAL;
}

static int add_part(struct filling *f, const struct json_event *event)
{
	struct loading *l = f->load;

	if (!f->matrix)
		f->matrix = arena_alloc(l->arena, sizeof(*f->matrix));
	if (!f->matrix)
		return -ENOMEM;
	return matrix_add(f->matrix, event, f->options.topic, l->arena, &l->reporter);
}

static int convert(struct filling *f, const struct json_event *event)
{
	struct table_row row = { .path = event->path, .line = event->line };
	struct json_event whole;
	int ret;

	if (event->values[JSON_ARCH_STD_EVENT].at) {
		whole = *event;
		event = &whole;
		ret = use_standard(f->load, &whole);
		if (ret)
			return ret;
	}
	ret = convert_event(event, &f->options, &f->load->pool, &row.row, &f->load->reporter);
	return ret ? ret : table_add(&f->table, &row);
}

static int add_event(void *ctx, const struct json_event *event)
{
	struct filling *f = ctx;
	int ret;

	if (event->values[JSON_MATRIX_REQUEST].at || event->values[JSON_MATRIX_RESPONSE].at)
		ret = add_part(f, event);
	else
		ret = convert(f, event);
	if (ret != -EINVAL)
		return ret;
	f->load->dir->nr_left_out++;
	return 0;
}

/* A file is used completely or not at all. */
static int fill_from_file(struct filling *f, const char *path, bool first)
{
	const unsigned int nr = f->table.nr, nr_left_out = f->load->dir->nr_left_out;
	const unsigned int nr_requests = f->matrix ? f->matrix->nr_requests : 0;
	const unsigned int nr_responses = f->matrix ? f->matrix->nr_responses : 0;
	struct event_dir *dir = f->load->dir;
	struct json_counts counts;
	int ret;

	f->options.topic = get_topic(f->load->arena, path);
	if (!f->options.topic)
		return -ENOMEM;
	ret = json_events_read(path, add_event, f, &counts, &f->load->reporter);
	if (ret == -EINVAL) {
		f->table.nr = nr;
		if (f->matrix) {
			f->matrix->nr_requests = nr_requests;
			f->matrix->nr_responses = nr_responses;
		}
		dir->nr_left_out = nr_left_out;
		ret = 0;
	} else if (!ret) {
		dir->nr_left_out += counts.bad;
		dir->nr_metrics += counts.metrics;
	}
	dir->nr_files += first;
	return ret;
}

/* Whether no earlier table has this file. */
static bool is_first_use(const struct loading *l, unsigned int nr, const char *path)
{
	unsigned int i, j;

	for (i = 0; i < nr; i++) {
		for (j = 0; j < l->sources[i]->nr_files; j++) {
			if (!strcmp(l->sources[i]->files[j], path))
				return false;
		}
	}
	return true;
}

static int keep_rows(struct loading *l, struct source *source, const struct table *table)
{
	struct event_table *kept = arena_alloc(l->arena, sizeof(*kept));
	struct event_row *rows = arena_alloc(l->arena, table->nr * sizeof(*rows));
	unsigned int i;

	if (!kept || !rows)
		return -ENOMEM;
	for (i = 0; i < table->nr; i++)
		rows[i] = table->rows[i].row;
	kept->name = source->name;
	kept->rows = rows;
	kept->nr = table->nr;
	source->table = kept;
	return 0;
}

static int fill_table(struct loading *l, unsigned int nr)
{
	struct source *source = l->sources[nr];
	struct filling f = { .load = l };
	unsigned int i;
	int ret = 0;

	f.options.family = source->family;
	f.options.pmu = pmu_of_role(source->role);
	for (i = 0; !ret && i < source->nr_files; i++)
		ret = fill_from_file(&f, source->files[i],
				     is_first_use(l, nr, source->files[i]));
	if (!ret && f.matrix)
		ret = matrix_expand(f.matrix, f.options.pmu, &f.table, &l->pool, &l->reporter,
				    &l->dir->nr_left_out);
	if (!ret) {
		table_sort(&f.table, &l->pool);
		l->dir->nr_left_out += table_check(&f.table, &l->pool, &l->reporter);
		ret = keep_rows(l, source, &f.table);
	}
	table_free(&f.table);
	return ret;
}

static int compare_sources(const void *a, const void *b)
{
	const struct source *source = *(struct source * const *)a;
	const struct source *other = *(struct source * const *)b;

	return strcmp(source->name, other->name);
}

int fill_tables(struct loading *l)
{
	unsigned int i;
	int ret = 0;

	if (l->nr_sources)
		qsort(l->sources, l->nr_sources, sizeof(*l->sources), compare_sources);
	for (i = 0; !ret && i < l->nr_sources; i++)
		ret = fill_table(l, i);
	return ret;
}
