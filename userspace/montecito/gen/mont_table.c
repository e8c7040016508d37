// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reads Montecito's table of events from JSON files of Itanium's form, and checks it. */
#include "mont_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "../../gen/arena.h"
#include "../../gen/json_events.h"
#include "../../gen/number.h"
#include "../../gen/walk.h"

#define FIRST_COUNTER	4
#define LAST_COUNTER	15
#define MAX_CODE	0xff
#define MAX_UMASK	0xf	/* of an EAR event MAX_EAR_UMASK: that of the EAR */
#define MAX_EAR_UMASK	0xff
#define MAX_INCR	8	/* thresholds have three bits, and are smaller */
#define MAX_SET		15
#define MAX_EVENTS	4096

const char * const mont_type_words[] = { "active", "floating", "causal", "self_floating", NULL };
const char * const mont_group_words[] = { "none", "l1d", "l2d", NULL };
const char * const mont_ear_words[] = {
	[MONT_EAR_NONE] = "none",
	[MONT_EAR_I_CACHE] = "iear_cache",
	[MONT_EAR_I_TLB] = "iear_tlb",
	[MONT_EAR_D_CACHE] = "dear_cache",
	[MONT_EAR_D_TLB] = "dear_tlb",
	[MONT_EAR_D_ALAT] = "dear_alat",
	NULL,
};

/**
 * struct mont_loading - a directory being read
 * @table: the result
 * @arena: memory of @table
 * @reporter: receives errors
 * @size: allocated rows
 */
struct mont_loading {
	struct mont_table *table;
	struct arena *arena;
	struct reporter reporter;
	unsigned int size;
};

static int fault(struct mont_loading *l, const struct json_event *event, enum json_field field,
		 const char *what)
{
	const struct json_value *value = &event->values[field];

	report_say(&l->reporter, REPORT_FATAL, event->path, json_event_line(event, field),
		   json_field_name(field), "'%.*s' is no %s",
		   value->len < 80 ? (int)value->len : 80, value->at ? value->at : "", what);
	return -EINVAL;
}

/* Check for a required field. */
static bool needs(struct mont_loading *l, const struct json_event *event, enum json_field field)
{
	if (event->values[field].at)
		return true;
	report_say(&l->reporter, REPORT_FATAL, event->path, event->line, json_field_name(field),
		   "this field is missing");
	return false;
}

static int get_number(struct mont_loading *l, const struct json_event *event,
		      enum json_field field, unsigned int max, unsigned int *number)
{
	__u64 value;

	if (!needs(l, event, field))
		return -EINVAL;
	if (!number_parse(event->values[field].at, event->values[field].len, &value))
		return fault(l, event, field, "number");
	if (value > max)
		return fault(l, event, field, "number that is small enough");
	*number = value;
	return 0;
}

static bool is_word(const char *at, size_t len, const char *word)
{
	return len == strlen(word) && !memcmp(at, word, len);
}

/* Read a field that defaults to the first word. */
static int get_word(struct mont_loading *l, const struct json_event *event, enum json_field field,
		    const char * const *words, uint8_t *which)
{
	const struct json_value *value = &event->values[field];
	unsigned int i;

	*which = 0;
	if (!value->at)
		return 0;
	for (i = 0; words[i]; i++) {
		if (is_word(value->at, value->len, words[i])) {
			*which = i;
			return 0;
		}
	}
	return fault(l, event, field, "word that is known here");
}

static int get_name(struct mont_loading *l, const struct json_event *event, struct mont_row *row)
{
	static const char allowed[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
	const struct json_value *value = &event->values[JSON_EVENT_NAME];

	if (!needs(l, event, JSON_EVENT_NAME))
		return -EINVAL;
	row->event.name = arena_copy(l->arena, value->at, value->len);
	if (!row->event.name)
		return -ENOMEM;
	if (strspn(row->event.name, allowed) != value->len || strchr("0123456789", *value->at))
		return fault(l, event, JSON_EVENT_NAME, "name of capitals, digits and '_'");
	return 0;
}

static int get_desc(struct mont_loading *l, const struct json_event *event, struct mont_row *row)
{
	const struct json_value *value = &event->values[JSON_BRIEF_DESCRIPTION];

	if (!needs(l, event, JSON_BRIEF_DESCRIPTION))
		return -EINVAL;
	row->event.desc = arena_copy(l->arena, value->at, value->len);
	return row->event.desc ? 0 : -ENOMEM;
}

static int get_counters(struct mont_loading *l, const struct json_event *event,
			struct mont_row *row)
{
	const char *at = event->values[JSON_COUNTER].at, *word;
	size_t len = event->values[JSON_COUNTER].len, word_len;

	if (!needs(l, event, JSON_COUNTER))
		return -EINVAL;
	while (number_next(&at, &len, &word, &word_len)) {
		__u64 nr;

		if (!number_parse(word, word_len, &nr) || nr < FIRST_COUNTER || nr > LAST_COUNTER)
			return fault(l, event, JSON_COUNTER, "list of counters, 4 to 15");
		row->event.counters |= 1U << nr;
	}
	return 0;
}

static int get_codes(struct mont_loading *l, const struct json_event *event, struct mont_row *row)
{
	unsigned int number, max;
	int ret = get_number(l, event, JSON_INDEX, MAX_EVENTS - 1, &row->index);

	if (!ret)
		ret = get_number(l, event, JSON_EVENT_CODE, MAX_CODE, &number);
	if (ret)
		return ret;
	row->event.code = number;
	max = row->event.ear == MONT_EAR_NONE ? MAX_UMASK : MAX_EAR_UMASK;
	ret = get_number(l, event, JSON_UMASK, max, &number);
	if (ret)
		return ret;
	row->event.umask = number;
	ret = get_number(l, event, JSON_MAX_INCR, MAX_INCR, &number);
	if (ret)
		return ret;
	row->event.maxincr = number;
	return number ? 0 : fault(l, event, JSON_MAX_INCR, "number above 0");
}

/* Only groups have sets. */
static int get_set(struct mont_loading *l, const struct json_event *event, struct mont_row *row)
{
	unsigned int set;
	int ret;

	row->event.set = -1;
	if (!row->event.group && !event->values[JSON_SET].at)
		return 0;
	if (!row->event.group)
		return fault(l, event, JSON_SET, "set, since there is no group");
	ret = get_number(l, event, JSON_SET, MAX_SET, &set);
	row->event.set = set;
	return ret;
}

static int get_qualifiers(struct mont_loading *l, const struct json_event *event,
			  struct mont_row *row)
{
	const char *at = event->values[JSON_QUALIFIERS].at, *word;
	size_t len = event->values[JSON_QUALIFIERS].len, word_len;

	while (number_next(&at, &len, &word, &word_len)) {
		if (is_word(word, word_len, "opcm"))
			row->event.opcm = true;
		else if (is_word(word, word_len, "iarr"))
			row->event.iarr = true;
		else if (is_word(word, word_len, "darr"))
			row->event.darr = true;
		else if (is_word(word, word_len, "all_thrd"))
			row->event.all_thrd = true;
		else
			return fault(l, event, JSON_QUALIFIERS,
				     "list of opcm, iarr, darr, all_thrd");
	}
	return 0;
}

static int get_kind(struct mont_loading *l, const struct json_event *event, struct mont_row *row)
{
	static const char * const no_yes[] = { "0", "1", NULL };
	static const char * const masks[] = { "none", "mesi", NULL };
	uint8_t etb = 0, mesi = 0;
	int ret = needs(l, event, JSON_TYPE) ? 0 : -EINVAL;

	if (!ret)
		ret = get_word(l, event, JSON_TYPE, mont_type_words, &row->event.type);
	if (!ret)
		ret = get_word(l, event, JSON_GROUP, mont_group_words, &row->event.group);
	if (!ret)
		ret = get_word(l, event, JSON_EAR, mont_ear_words, &row->event.ear);
	if (!ret)
		ret = get_word(l, event, JSON_ETB, no_yes, &etb);
	if (!ret)
		ret = get_word(l, event, JSON_UNIT_MASKS, masks, &mesi);
	row->event.etb = etb;
	row->event.mesi = mesi;
	return ret;
}

static int fill_row(struct mont_loading *l, const struct json_event *event, struct mont_row *row)
{
	int ret = get_name(l, event, row);

	if (!ret)
		ret = get_kind(l, event, row);
	if (!ret)
		ret = get_codes(l, event, row);
	if (!ret)
		ret = get_counters(l, event, row);
	if (!ret)
		ret = get_set(l, event, row);
	if (!ret)
		ret = get_qualifiers(l, event, row);
	return ret ? ret : get_desc(l, event, row);
}

static int add_row(struct mont_loading *l, const struct mont_row *row)
{
	struct mont_table *table = l->table;

	if (table->nr == l->size) {
		const unsigned int size = l->size ? 2 * l->size : 256;
		struct mont_row *rows = arena_alloc(l->arena, size * sizeof(*rows));

		if (!rows)
			return -ENOMEM;
		if (table->nr)
			memcpy(rows, table->rows, table->nr * sizeof(*rows));
		table->rows = rows;
		l->size = size;
	}
	table->rows[table->nr++] = *row;
	return 0;
}

/* Continue after an invalid event, to report all of them. */
static int add_event(void *ctx, const struct json_event *event)
{
	struct mont_loading *l = ctx;
	struct mont_row row = { .path = event->path, .line = event->line };
	int ret = fill_row(l, event, &row);

	if (ret)
		return ret == -EINVAL ? 0 : ret;
	return add_row(l, &row);
}

/* --- the table ------------------------------------------------------------------------------- */

static int compare_indexes(const void *a, const void *b)
{
	const struct mont_row *row = a, *other = b;

	if (row->index != other->index)
		return row->index < other->index ? -1 : 1;
	return strcmp(row->event.name, other->event.name);
}

static int compare_names(const void *a, const void *b)
{
	const struct mont_row *row = *(const struct mont_row * const *)a;
	const struct mont_row *other = *(const struct mont_row * const *)b;
	const int order = strcmp(row->event.name, other->event.name);

	return order ? order : row->index < other->index ? -1 : 1;
}

static void check_indexes(struct mont_loading *l)
{
	const struct mont_table *table = l->table;
	unsigned int i, expected = 0;

	for (i = 0; i < table->nr; i++, expected++) {
		const struct mont_row *row = &table->rows[i];

		if (row->index == expected)
			continue;
		if (i && row->index == row[-1].index)
			report_say(&l->reporter, REPORT_FATAL, row->path, row->line,
				   json_field_name(JSON_INDEX),
				   "%u is that of %s in line %u of '%s', too", row->index,
				   row[-1].event.name, row[-1].line, row[-1].path);
		else
			report_say(&l->reporter, REPORT_FATAL, row->path, row->line,
				   json_field_name(JSON_INDEX), "%u comes, but no event has %u",
				   row->index, expected);
		expected = row->index;
	}
}

static int check_names(struct mont_loading *l)
{
	const struct mont_table *table = l->table;
	const struct mont_row **sorted;
	unsigned int i;

	sorted = arena_alloc(l->arena, (table->nr + 1) * sizeof(*sorted));
	if (!sorted)
		return -ENOMEM;
	for (i = 0; i < table->nr; i++)
		sorted[i] = &table->rows[i];
	if (table->nr)
		qsort(sorted, table->nr, sizeof(*sorted), compare_names);
	for (i = 1; i < table->nr; i++) {
		if (!strcmp(sorted[i]->event.name, sorted[i - 1]->event.name))
			report_say(&l->reporter, REPORT_FATAL, sorted[i]->path, sorted[i]->line,
				   json_field_name(JSON_EVENT_NAME),
				   "%s is in line %u of '%s', too", sorted[i]->event.name,
				   sorted[i - 1]->line, sorted[i - 1]->path);
	}
	return 0;
}

static int read_files(struct mont_loading *l, const struct json_dir *dir)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < dir->nr_files; i++) {
		const char *path = walk_join(l->arena, dir->path, dir->files[i]);
		struct json_counts counts;

		if (!path)
			return -ENOMEM;
		ret = json_itanium_read(path, add_event, l, &counts, &l->reporter);
		/* the error is already reported */
		if (ret == -EINVAL)
			ret = 0;
		l->table->nr_files++;
	}
	return ret;
}

static int load(struct mont_loading *l, const char *path)
{
	const char *copy = arena_copy(l->arena, path, strlen(path));
	struct walk walk;
	unsigned int i;
	int ret;

	if (!copy)
		return -ENOMEM;
	ret = walk_dir(copy, l->arena, &walk, &l->reporter);
	for (i = 0; !ret && i < walk.nr; i++)
		ret = read_files(l, &walk.dirs[i]);
	if (ret)
		return ret;
	if (!l->table->nr) {
		report_say(&l->reporter, REPORT_FATAL, copy, 0, "", "has no events");
		return 0;
	}
	qsort(l->table->rows, l->table->nr, sizeof(*l->table->rows), compare_indexes);
	/* an event left out would also be reported as missing */
	if (l->reporter.nr)
		return 0;
	check_indexes(l);
	return check_names(l);
}

int mont_table_load(const char *path, event_report_fn report, void *ctx, struct mont_table *table)
{
	struct mont_loading l = { .table = table, .reporter = { .fn = report, .ctx = ctx } };
	int ret;

	memset(table, 0, sizeof(*table));
	l.arena = arena_new();
	table->arena = l.arena;
	ret = l.arena ? load(&l, path) : -ENOMEM;
	table->nr_faults = l.reporter.nr;
	return ret;
}

void mont_table_free(struct mont_table *table)
{
	arena_free(table->arena);
	memset(table, 0, sizeof(*table));
}
