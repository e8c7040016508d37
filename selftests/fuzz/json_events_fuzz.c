// SPDX-License-Identifier: GPL-2.0-only
/* Fuzzer: any bytes as a JSON file of events, made into a table, checked, and written as C. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "userspace/gen/arena.h"
#include "userspace/gen/convert.h"
#include "userspace/gen/emit.h"
#include "userspace/gen/offcore_matrix.h"
#include "userspace/gen/table.h"

/**
 * struct fuzz - the result of one input
 * @arena: memory of the matrix
 * @nr_refused: events that were reported instead of encoded
 */
struct fuzz {
	struct convert_options options;
	struct arena *arena;
	struct text_pool pool;
	struct table table;
	struct offcore_matrix *matrix;
	struct reporter reporter;
	unsigned int nr_refused;
};

static void check(int cond)
{
	if (!cond)
		abort();
}

static void check_report(void *ctx, const struct event_report *report)
{
	const char *p;

	(void)ctx;
	check(*report->path && *report->text && report->field);
	for (p = report->text; *p; p++)
		check((unsigned char)*p >= ' ');
}

static int add_event(void *ctx, const struct json_event *event)
{
	struct fuzz *f = ctx;
	const unsigned int nr_reports = f->reporter.nr;
	struct table_row row = { .path = event->path, .line = event->line };
	int ret;

	check(event->line > 0 && event->text_len > 1);
	if (event->values[JSON_MATRIX_REQUEST].at || event->values[JSON_MATRIX_RESPONSE].at)
		ret = matrix_add(f->matrix, event, "topic", f->arena, &f->reporter);
	else
		ret = convert_event(event, &f->options, &f->pool, &row.row, &f->reporter);
	/* encoded or reported, never neither or both */
	check(ret == 0 || ret == -EINVAL);
	check(f->reporter.nr == nr_reports + (ret != 0));
	if (ret) {
		f->nr_refused++;
		return 0;
	}
	if (event->values[JSON_MATRIX_REQUEST].at || event->values[JSON_MATRIX_RESPONSE].at)
		return 0;
	return table_add(&f->table, &row);
}

static void check_table(struct fuzz *f)
{
	struct event_row *rows = calloc(f->table.nr + 1, sizeof(*rows));
	const struct event_table table = {
		.name = "fuzz",
		.text = f->pool.bytes,
		.rows = rows,
		.nr = f->table.nr,
	};
	const struct event_table *tables[] = { &table };
	const struct event_maps maps = { .tables = tables, .nr_tables = 1 };
	unsigned int i;
	size_t len;
	char *text;

	check(!!rows);
	for (i = 0; i < f->table.nr; i++) {
		const struct event_row *row = &f->table.rows[i].row;
		const char *name = table.text + row->name;

		rows[i] = *row;
		check(*name && row->name < f->pool.len && row->terms < f->pool.len);
		if (i)
			check(event_table_compare(name, strlen(name),
						  table.text + rows[i - 1].name) >= 0);
	}
	check(!emit_tables(&maps, f->pool.len, &text, &len));
	check(len > 0 && text[len - 1] == '\n');
	free(text);
	free(rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz f = {
		.options = { .topic = "topic", .pmu = "cpu" },
		.reporter = { .fn = check_report },
	};
	unsigned int nr_left_out = 0;
	struct json_counts counts;
	char *text;
	int ret;

	if (!size)
		return 0;
	/* the first byte chooses the family; the copy ends where its memory does */
	f.options.family = data[0] % (FAMILY_OTHER + 1);
	text = malloc(size);
	f.arena = arena_new();
	f.matrix = arena_alloc(f.arena, sizeof(*f.matrix));
	check(text && f.arena && f.matrix && !text_pool_init(&f.pool));
	memcpy(text, data + 1, size - 1);
	ret = json_events_parse("fuzz.json", text, size - 1, add_event, &f, &counts, &f.reporter);
	check(ret == 0 || (ret == -EINVAL && f.reporter.nr_fatal == 1));
	check(counts.events >= f.table.nr + f.nr_refused);
	check(!matrix_expand(f.matrix, "cpu", &f.table, &f.pool, &f.reporter,
			     &nr_left_out));
	table_sort(&f.table, &f.pool);
	table_check(&f.table, &f.pool, &f.reporter);
	check_table(&f);
	table_free(&f.table);
	text_pool_free(&f.pool);
	arena_free(f.arena);
	free(text);
	return 0;
}
