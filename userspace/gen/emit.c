// SPDX-License-Identifier: LGPL-2.1-or-later
/* Writing tables of events as C. */
#include "emit.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_SIZE	((size_t)16 << 10)

/**
 * struct output - the file being written
 * @size: bytes allocated
 * @failed: out of memory
 */
struct output {
	char *text;
	size_t len;
	size_t size;
	bool failed;
};

/* Room for @len more bytes. */
static char *reserve(struct output *o, size_t len)
{
	size_t size = o->size ? o->size : FIRST_SIZE;
	char *text;

	while (size - o->len < len && size < (size_t)-1 / 2)
		size *= 2;
	if (size != o->size) {
		text = realloc(o->text, size);
		if (!text) {
			o->failed = true;
			return NULL;
		}
		o->text = text;
		o->size = size;
	}
	return o->text + o->len;
}

static void put(struct output *o, const char *text)
{
	const size_t len = strlen(text);
	char *at = reserve(o, len);

	if (!at)
		return;
	memcpy(at, text, len);
	o->len += len;
}

/* Rows are all numbers; printf() would take most of the time. */
static void put_number(struct output *o, unsigned int base, __u64 number)
{
	char digits[24] = "";
	char *at = digits + sizeof(digits) - 1;

	do {
		*--at = "0123456789abcdef"[number % base];
		number /= base;
	} while (number);
	if (base == 16) {
		*--at = 'x';
		*--at = '0';
	}
	put(o, at);
}

/* What a string literal cannot hold unescaped; '?' could begin a trigraph. */
static bool needs_escape(unsigned char c)
{
	return c < ' ' || c >= 0x7f || c == '"' || c == '\\' || c == '?';
}

/* Without quotes. Escapes have three digits, so that a following digit cannot join them. */
static void put_escaped(struct output *o, const char *string)
{
	char *at = reserve(o, strlen(string) * 4);

	if (!at)
		return;
	for (; *string; string++) {
		const unsigned char c = *string;

		if (!needs_escape(c)) {
			*at++ = c;
			continue;
		}
		*at++ = '\\';
		*at++ = '0' + (c >> 6);
		*at++ = '0' + (c >> 3 & 7);
		*at++ = '0' + (c & 7);
	}
	o->len = at - o->text;
}

static void put_string(struct output *o, const char *string)
{
	put(o, "\"");
	put_escaped(o, string);
	put(o, "\"");
}

static void put_text(struct output *o, const char *text, size_t len)
{
	size_t at;

	put(o, "/* all strings, each terminated by 0; rows hold offsets into it */\n"
	       "static const char text[] =\n\t\"\\0\"\n");
	for (at = 1; at < len; at += strlen(text + at) + 1) {
		put(o, "\t\"");
		put_escaped(o, text + at);
		put(o, "\\0\"\n");
	}
	put(o, "\t;\n");
}

static void put_row(struct output *o, const struct event_row *row)
{
	const __u64 words[] = { row->config, row->extra };
	const __u64 numbers[] = {
		row->period, row->extra_msr, row->gp_cntrs, row->name, row->desc, row->topic,
		row->terms, row->pmu, row->flags, row->fixed,
	};
	unsigned int i;

	put(o, "\t{ ");
	for (i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		put_number(o, 16, words[i]);
		put(o, ", ");
	}
	for (i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		put_number(o, 10, numbers[i]);
		put(o, ", ");
	}
	put(o, "{ 0 } },\n");
}

static void put_rows(struct output *o, const struct event_table *table, __u32 nr)
{
	__u32 i;

	if (!table->nr)
		return;
	put(o, "\nstatic const struct event_row rows_");
	put_number(o, 10, nr);
	put(o, "[] = {\n");
	for (i = 0; i < table->nr; i++)
		put_row(o, &table->rows[i]);
	put(o, "};\n");
}

static void put_table(struct output *o, const struct event_table *table, __u32 nr)
{
	put(o, "\nstatic const struct event_table table_");
	put_number(o, 10, nr);
	put(o, " = {\n\t.name = ");
	put_string(o, table->name);
	put(o, ",\n\t.text = text,\n");
	if (table->nr) {
		put(o, "\t.rows = rows_");
		put_number(o, 10, nr);
		put(o, ",\n\t.nr = ");
		put_number(o, 10, table->nr);
		put(o, ",\n");
	}
	put(o, "};\n");
}

static void put_table_list(struct output *o, const struct event_maps *maps)
{
	__u32 i;

	put(o, "\nstatic const struct event_table * const tables[] = {\n");
	for (i = 0; i < maps->nr_tables; i++) {
		put(o, "\t&table_");
		put_number(o, 10, i);
		put(o, ",\n");
	}
	put(o, "};\n");
}

static __u32 table_number(const struct event_maps *maps, const struct event_table *table)
{
	__u32 i = 0;

	while (i < maps->nr_tables && maps->tables[i] != table)
		i++;
	return i;
}

static void put_member(struct output *o, const char *name, const char *string)
{
	put(o, " .");
	put(o, name);
	put(o, " = ");
	put_string(o, string);
	put(o, ",");
}

static void put_maps(struct output *o, const struct event_maps *maps)
{
	__u32 i;

	put(o, "\nstatic const struct event_map maps[] = {\n");
	for (i = 0; i < maps->nr; i++) {
		const struct event_map *map = &maps->maps[i];

		put(o, "\t{");
		put_member(o, "cpuid", map->cpuid);
		put_member(o, "version", map->version);
		put_member(o, "type", map->type);
		put_member(o, "role", map->role);
		put(o, "\n\t  .core_type = ");
		put_number(o, 16, map->core_type);
		put(o, ", .native_model = ");
		put_number(o, 16, map->native_model);
		put(o, ", .table = &table_");
		put_number(o, 10, table_number(maps, map->table));
		put(o, " },\n");
	}
	put(o, "};\n");
}

static void put_all(struct output *o, const struct event_maps *maps, const char *text, size_t len)
{
	__u32 i;

	if (maps->nr_tables) {
		put_text(o, text, len);
		for (i = 0; i < maps->nr_tables; i++)
			put_rows(o, maps->tables[i], i);
		for (i = 0; i < maps->nr_tables; i++)
			put_table(o, maps->tables[i], i);
		put_table_list(o, maps);
	}
	if (maps->nr)
		put_maps(o, maps);
	put(o, "\nconst struct event_maps acrpmu_builtin_events = {\n\t.maps = ");
	put(o, maps->nr ? "maps" : "NULL");
	put(o, ",\n\t.nr = ");
	put_number(o, 10, maps->nr);
	put(o, ",\n\t.tables = ");
	put(o, maps->nr_tables ? "tables" : "NULL");
	put(o, ",\n\t.nr_tables = ");
	put_number(o, 10, maps->nr_tables);
	put(o, ",\n};\n");
}

int emit_tables(const struct event_maps *maps, size_t text_len, char **text, size_t *len)
{
	struct output o = { .text = NULL };

	put(&o, "// SPDX-"
		"License-Identifier: LGPL-2.1-or-later\n"
		"/* Tables of events, made by jevents: change the files that it read, "
		"not this one. */\n"
		"#include \"event_table.h\"\n\n");
	put_all(&o, maps, maps->nr_tables ? maps->tables[0]->text : NULL, text_len);
	if (o.failed) {
		free(o.text);
		return -ENOMEM;
	}
	*text = o.text;
	*len = o.len;
	return 0;
}
