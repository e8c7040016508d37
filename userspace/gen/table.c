// SPDX-License-Identifier: LGPL-2.1-or-later
/* The events of one table while it is being made: adding, sorting and checking them. */
#include "table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* event, umask, edge, any, inv, cmask; upper bits of AMD's event select; eq; umask, upper half */
#define CORE_CONFIG_MASK	0x0000ff1fffa4ffffULL

/* What an event string uses otherwise. */
#define NOT_IN_NAMES		" ,/{}"

int table_add(struct table *table, const struct table_row *row)
{
	if (table->nr == table->size) {
		const unsigned int size = table->size ? 2 * table->size : 256;
		struct table_row *rows = realloc(table->rows, size * sizeof(*rows));

		if (!rows)
			return -ENOMEM;
		table->rows = rows;
		table->size = size;
	}
	table->rows[table->nr] = *row;
	table->rows[table->nr].order = table->nr;
	table->nr++;
	return 0;
}

static int compare_names(const struct table_row *a, const struct table_row *b, const char *text)
{
	const char *name = text + a->row.name;
	int ret;

	if (a->row.name != b->row.name) {
		ret = event_table_compare(name, strlen(name), text + b->row.name);
		if (ret)
			return ret;
	}
	return a->row.pmu == b->row.pmu ? 0 : strcmp(text + a->row.pmu, text + b->row.pmu);
}

static int compare_rows(const void *a, const void *b, void *text)
{
	const struct table_row *row = a, *other = b;
	const int ret = compare_names(row, other, text);

	if (ret)
		return ret;
	/* events of files before those made from a matrix */
	if (row->made != other->made)
		return row->made ? 1 : -1;
	return row->order < other->order ? -1 : row->order > other->order;
}

void table_sort(struct table *table, const struct text_pool *pool)
{
	if (table->nr)
		qsort_r(table->rows, table->nr, sizeof(*table->rows), compare_rows, pool->bytes);
}

static bool has_control_character(const char *text)
{
	for (; *text; text++) {
		if ((unsigned char)*text < ' ' || *text == 0x7f)
			return true;
	}
	return false;
}

static bool extra_fits(const struct event_row *row)
{
	switch (row->extra_msr) {
	case 0x3f6:		/* load latency: a 16-bit threshold */
		return row->extra <= 0xffff;
	case 0x3f7:		/* front-end events: 24 bits */
		return row->extra <= 0xffffff;
	default:
		return true;
	}
}

/* Return: why the event must not stay, NULL if it may; @field is the culprit. */
static const char *check_row(const struct event_row *row, const char *text, const char **field)
{
	const char *name = text + row->name;

	*field = json_field_name(JSON_EVENT_NAME);
	if (!*name)
		return "has no name";
	if (has_control_character(name) || strpbrk(name, NOT_IN_NAMES))
		return "has a name with a character that event strings cannot hold";
	*field = json_field_name(JSON_UNIT);
	if (!text[row->pmu] || has_control_character(text + row->pmu))
		return "has a unit with a control character";
	*field = json_field_name(JSON_FILTER);
	if (has_control_character(text + row->terms))
		return "has a filter with a control character";
	*field = json_field_name(JSON_EVENT_CODE);
	if (!(row->flags & EVENT_OTHER_PMU) && (row->config & ~CORE_CONFIG_MASK))
		return "has bits that no field of the config word has";
	*field = json_field_name(JSON_MSR_VALUE);
	if (!extra_fits(row))
		return "has bits that its MSR lacks";
	return NULL;
}

static bool same_event(const struct event_row *a, const struct event_row *b)
{
	return a->config == b->config && a->extra == b->extra;
}

/* Return: whether to keep @row after @last, the last row kept. */
static bool check_twice(const struct table_row *row, const struct table_row *last, const char *text,
			struct reporter *reporter, unsigned int *nr_out)
{
	if (!last || compare_names(last, row, text))
		return true;
	if (row->made && same_event(&row->row, &last->row))
		return false;
	report_say(reporter, REPORT_NOTE, row->path, row->line, json_field_name(JSON_EVENT_NAME),
		   "there is a '%s' in %s:%u as well; this one is left out", text + row->row.name,
		   last->path, last->line);
	(*nr_out)++;
	return false;
}

unsigned int table_check(struct table *table, const struct text_pool *pool,
			 struct reporter *reporter)
{
	struct table_row *last = NULL;
	unsigned int i, nr = 0, nr_out = 0;

	for (i = 0; i < table->nr; i++) {
		struct table_row *row = &table->rows[i];
		const char *field, *why = check_row(&row->row, pool->bytes, &field);

		if (why) {
			report_say(reporter, REPORT_NOTE, row->path, row->line, field,
				   "'%s' %s; it is left out", pool->bytes + row->row.name, why);
			nr_out++;
			continue;
		}
		if (!check_twice(row, last, pool->bytes, reporter, &nr_out))
			continue;
		last = &table->rows[nr++];
		if (last != row)
			*last = *row;
	}
	table->nr = nr;
	return nr_out;
}

void table_free(struct table *table)
{
	free(table->rows);
	memset(table, 0, sizeof(*table));
}
