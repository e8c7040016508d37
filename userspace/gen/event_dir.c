// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading an arch directory (mapfile.csv, a directory of JSON files for each CPU) into tables. */
#include "event_dir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#include "arena.h"
#include "convert.h"
#include "json_events.h"
#include "mapfile.h"
#include "offcore_matrix.h"
#include "table.h"
#include "walk.h"

#define MAPFILE		"mapfile.csv"
#define JSON_SUFFIX_LEN	5	/* ".json" */

/**
 * struct source - one table to be made
 * @name: its name
 * @files: its files
 * @nr_files: how many
 * @size: how many there is room for
 * @nr_maps: entries of the mapfile that are for it
 * @role: role of these, NULL if they differ or are not all of hybrid CPUs
 * @family: whose events they are
 * @table: it, once it is made
 */
struct source {
	const char *name;
	const char **files;
	unsigned int nr_files;
	unsigned int size;
	unsigned int nr_maps;
	const char *role;
	enum event_family family;
	struct event_table *table;
};

/**
 * struct standard_event - an event that others refer to (ArchStdEvent)
 * @values: its fields
 */
struct standard_event {
	struct json_value values[JSON_NR_FIELDS];
};

/**
 * struct loading - an arch directory being read
 * @dir: what comes of it
 * @path: the directory
 * @arena: memory that stays
 * @pool: strings of all tables; they stay too
 * @reporter: whom to tell of faults
 * @mapfile: its mapfile
 * @mapfile_path: and where it is
 * @walk: its directories
 * @sources: tables to be made
 * @nr_sources: how many
 * @size: how many there is room for
 * @map_sources: for each entry of the mapfile the table it is for; NULL if there is none
 * @standard: events that others refer to
 * @nr_standard: how many
 * @standard_size: how many there is room for
 */
struct loading {
	struct event_dir *dir;
	const char *path;
	struct arena *arena;
	struct text_pool pool;
	struct reporter reporter;
	struct mapfile mapfile;
	const char *mapfile_path;
	struct walk walk;
	struct source **sources;
	unsigned int nr_sources;
	unsigned int size;
	struct source **map_sources;
	struct standard_event *standard;
	unsigned int nr_standard;
	unsigned int standard_size;
};

/**
 * struct filling - a table being filled from its files
 * @load: the directory
 * @options: what is known of the events of the file at hand
 * @table: the events
 * @matrix: parts of its offcore matrix
 */
struct filling {
	struct loading *load;
	struct convert_options options;
	struct table table;
	struct offcore_matrix *matrix;
};

/* --- words ----------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Name of a file without ".json". */
static const char *get_topic(struct arena *arena, const char *path)
{
	const char *name = base_name(path);

	return arena_copy(arena, name, strlen(name) - JSON_SUFFIX_LEN);
}

/* "lunarlake_skymont" of "LNL/events/lunarlake_skymont_core.json" */
static const char *name_of_file(struct arena *arena, const char *path)
{
	const char *name = base_name(path);
	size_t len = strlen(name) - JSON_SUFFIX_LEN, i;
	char *copy;

	if (len > 5 && !memcmp(name + len - 5, "_core", 5))
		len -= 5;
	copy = arena_copy(arena, name, len);
	for (i = 0; copy && i < len; i++) {
		if (copy[i] >= 'A' && copy[i] <= 'Z')
			copy[i] += 'a' - 'A';
	}
	return copy;
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

/* --- which tables there will be -------------------------------------------------------------- */

static struct source *add_source(struct loading *l, const char *name)
{
	struct source *source = arena_alloc(l->arena, sizeof(*source));

	if (!name || !source)
		return NULL;
	if (l->nr_sources == l->size) {
		const unsigned int size = l->size ? 2 * l->size : 32;
		struct source **sources = arena_alloc(l->arena, size * sizeof(struct source *));

		if (!sources)
			return NULL;
		if (l->nr_sources)
			memcpy(sources, l->sources, l->nr_sources * sizeof(struct source *));
		l->sources = sources;
		l->size = size;
	}
	source->name = name;
	l->sources[l->nr_sources++] = source;
	return source;
}

static int add_file(struct loading *l, struct source *source, const char *path)
{
	unsigned int i;

	for (i = 0; i < source->nr_files; i++) {
		if (!strcmp(source->files[i], path))
			return 0;
	}
	if (source->nr_files == source->size) {
		const unsigned int size = source->size ? 2 * source->size : 8;
		const char **files = arena_alloc(l->arena, size * sizeof(*files));

		if (!files)
			return -ENOMEM;
		if (source->nr_files)
			memcpy(files, source->files, source->nr_files * sizeof(*files));
		source->files = files;
		source->size = size;
	}
	source->files[source->nr_files++] = path;
	return 0;
}

static struct source *find_source(const struct loading *l, const char *name)
{
	unsigned int i;

	for (i = 0; i < l->nr_sources; i++) {
		if (!strcmp(l->sources[i]->name, name))
			return l->sources[i];
	}
	return NULL;
}

static int add_directory(struct loading *l, const struct json_dir *dir, const char *name)
{
	struct source *source = add_source(l, name);
	unsigned int i;

	if (!source)
		return -ENOMEM;
	for (i = 0; i < dir->nr_files; i++) {
		const char *path = walk_join(l->arena, dir->path, dir->files[i]);

		if (!path || add_file(l, source, path))
			return -ENOMEM;
	}
	return 0;
}

/* An entry of the mapfile is for @source. */
static void add_map(struct loading *l, unsigned int nr, struct source *source)
{
	const struct mapfile_entry *entry = &l->mapfile.entries[nr];
	const char *role = strcmp(entry->type, "hybridcore") ? NULL : entry->role;

	if (!source->nr_maps) {
		source->family = convert_family(entry->cpuid);
		source->role = role;
	} else if (role && source->role && strcmp(role, source->role)) {
		source->role = NULL;
	} else if (!role) {
		source->role = NULL;
	}
	source->nr_maps++;
	l->map_sources[nr] = source;
}

/**
 * struct missing - entries of the mapfile whose directory or file is not there
 * @first: the first one
 * @nr: how many
 */
struct missing {
	const struct mapfile_entry *first;
	unsigned int nr;
};

static void add_missing(struct missing *missing, const struct mapfile_entry *entry)
{
	if (!missing->nr++)
		missing->first = entry;
}

/* Mapfiles name all CPUs there are, directories are often but a few: no more than one note. */
static void report_missing(struct loading *l, const struct missing *missing)
{
	if (!missing->nr)
		return;
	if (missing->nr == 1)
		report_say(&l->reporter, REPORT_NOTE, l->mapfile_path, missing->first->line,
			   "Filename", "there is no '%s'; this CPU is left out",
			   missing->first->path);
	else
		report_say(&l->reporter, REPORT_NOTE, l->mapfile_path, missing->first->line,
			   "Filename",
			   "there is no '%s', nor what %u other lines name; they are left out",
			   missing->first->path, missing->nr - 1);
}

/* Itanium's events are of another form, and none of the module's: jevents --pmu reads them. */
static bool is_itanium(const struct mapfile_entry *entry)
{
	return !strcmp(entry->type, "itanium");
}

static bool is_itanium_dir(const struct loading *l, const char *name)
{
	unsigned int i;

	for (i = 0; i < l->mapfile.nr; i++) {
		if (is_itanium(&l->mapfile.entries[i]) && !strcmp(l->mapfile.entries[i].path, name))
			return true;
	}
	return false;
}

/* perf's form: a directory is a table. */
static int plan_directories(struct loading *l)
{
	struct missing missing = { .first = NULL };
	unsigned int i;

	for (i = 0; i < l->walk.nr; i++) {
		const struct json_dir *dir = &l->walk.dirs[i];

		if (*dir->name && !is_itanium_dir(l, dir->name) && add_directory(l, dir, dir->name))
			return -ENOMEM;
	}
	/* what the mapfile does not name is like what it does */
	for (i = 0; l->mapfile.nr && i < l->nr_sources; i++)
		l->sources[i]->family = convert_family(l->mapfile.entries[0].cpuid);
	for (i = 0; i < l->mapfile.nr; i++) {
		struct source *source = find_source(l, l->mapfile.entries[i].path);

		if (source)
			add_map(l, i, source);
		else if (!is_itanium(&l->mapfile.entries[i]))
			add_missing(&missing, &l->mapfile.entries[i]);
	}
	report_missing(l, &missing);
	return 0;
}

static bool is_file(const char *path)
{
	struct stat st;

	return !stat(path, &st) && S_ISREG(st.st_mode);
}

static bool is_core(const struct mapfile_entry *entry)
{
	return !strcmp(entry->type, "core") || !strcmp(entry->type, "hybridcore");
}

static bool has_no_events(const struct mapfile_entry *entry)
{
	return !strcmp(entry->type, "metrics") || !strcmp(entry->type, "retire latency") ||
	       is_itanium(entry);
}

/* The table whose first file this is; a new one if there is none. */
static struct source *file_source(struct loading *l, const char *path)
{
	const char *name = name_of_file(l->arena, path);
	struct source *source;
	unsigned int i;

	for (i = 0; i < l->nr_sources; i++) {
		if (!strcmp(l->sources[i]->files[0], path))
			return l->sources[i];
	}
	/* two files of one name in different directories: the paths differ */
	if (name && find_source(l, name))
		name = path;
	source = add_source(l, name);
	return source && !add_file(l, source, path) ? source : NULL;
}

/* Add a file beside the core's to all tables of its CPU. Return: how many there are, or -ENOMEM. */
static int add_beside(struct loading *l, unsigned int nr, const char *path)
{
	const struct mapfile_entry *entries = l->mapfile.entries;
	unsigned int i;
	int found = 0;

	for (i = 0; i < l->mapfile.nr; i++) {
		if (!l->map_sources[i] || !is_core(&entries[i]) ||
		    strcmp(entries[i].cpuid, entries[nr].cpuid))
			continue;
		if (add_file(l, l->map_sources[i], path))
			return -ENOMEM;
		found++;
	}
	return found;
}

static int plan_file(struct loading *l, unsigned int nr, bool core, struct missing *missing)
{
	const struct mapfile_entry *entry = &l->mapfile.entries[nr];
	const char *path = walk_join(l->arena, l->path, entry->path);
	struct source *source;
	int found = 0;

	if (!path)
		return -ENOMEM;
	if (!walk_is_json(path) || !is_file(path)) {
		if (core)
			add_missing(missing, entry);
		return 0;
	}
	if (!core)
		found = add_beside(l, nr, path);
	if (found)
		return found < 0 ? found : 0;
	source = file_source(l, path);
	if (!source)
		return -ENOMEM;
	add_map(l, nr, source);
	return 0;
}

/* Intel's form: a file of a core is a table, and what else there is for its CPUs belongs to it. */
static int plan_files(struct loading *l)
{
	const struct mapfile_entry *entries = l->mapfile.entries;
	struct missing missing = { .first = NULL };
	unsigned int i;
	int ret = 0;

	for (i = 0; !ret && i < l->mapfile.nr; i++) {
		if (is_core(&entries[i]))
			ret = plan_file(l, i, true, &missing);
	}
	for (i = 0; !ret && i < l->mapfile.nr; i++) {
		if (!is_core(&entries[i]) && !has_no_events(&entries[i]))
			ret = plan_file(l, i, false, &missing);
	}
	report_missing(l, &missing);
	return ret;
}

static bool names_files(const struct mapfile *mapfile)
{
	unsigned int i;

	for (i = 0; i < mapfile->nr; i++) {
		if (walk_is_json(mapfile->entries[i].path))
			return true;
	}
	return false;
}

/* --- filling tables -------------------------------------------------------------------------- */

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

/* An event of a file beside the mapfile, which those of several CPUs refer to. */
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

static int read_standard_events(struct loading *l, const struct json_dir *dir)
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

/* Take fields that the event lacks from the one that it refers to. */
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
		   "no file beside the mapfile has an event '%.*s'; it is left out",
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

/* A file is used whole or not at all. */
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

static int fill_tables(struct loading *l)
{
	unsigned int i;
	int ret = 0;

	if (l->nr_sources)
		qsort(l->sources, l->nr_sources, sizeof(*l->sources), compare_sources);
	for (i = 0; !ret && i < l->nr_sources; i++)
		ret = fill_table(l, i);
	return ret;
}

/* --- what is handed out ---------------------------------------------------------------------- */

static int hand_out_tables(struct loading *l)
{
	const struct event_table **tables;
	unsigned int i;
	char *text;

	tables = arena_alloc(l->arena, l->nr_sources * sizeof(struct event_table *));
	text = arena_alloc(l->arena, l->pool.len);
	if (!tables || !text)
		return -ENOMEM;
	memcpy(text, l->pool.bytes, l->pool.len);
	for (i = 0; i < l->nr_sources; i++) {
		l->sources[i]->table->text = text;
		tables[i] = l->sources[i]->table;
	}
	l->dir->maps.tables = tables;
	l->dir->maps.nr_tables = l->nr_sources;
	return 0;
}

static int hand_out_maps(struct loading *l)
{
	struct event_map *maps = arena_alloc(l->arena, l->mapfile.nr * sizeof(*maps));
	unsigned int i, nr = 0;

	if (!maps)
		return -ENOMEM;
	for (i = 0; i < l->mapfile.nr; i++) {
		const struct mapfile_entry *entry = &l->mapfile.entries[i];

		if (!l->map_sources[i])
			continue;
		maps[nr++] = (struct event_map){
			.cpuid = entry->cpuid,
			.version = entry->version,
			.type = entry->type,
			.role = entry->role,
			.core_type = entry->core_type,
			.native_model = entry->native_model,
			.table = l->map_sources[i]->table,
		};
	}
	l->dir->maps.maps = maps;
	l->dir->maps.nr = nr;
	return 0;
}

/* --- forms of a directory -------------------------------------------------------------------- */

static int load_arch(struct loading *l)
{
	int ret = mapfile_read(l->mapfile_path, l->arena, &l->mapfile, &l->reporter);

	if (ret)
		return ret == -EINVAL ? 0 : ret;
	l->map_sources = arena_alloc(l->arena, l->mapfile.nr * sizeof(struct source *));
	if (!l->map_sources)
		return -ENOMEM;
	if (names_files(&l->mapfile)) {
		ret = plan_files(l);
	} else {
		if (l->walk.nr && !*l->walk.dirs[0].name)
			ret = read_standard_events(l, &l->walk.dirs[0]);
		if (!ret)
			ret = plan_directories(l);
	}
	return ret;
}

/* JSON files of several directories below, and nothing that says which belong to one CPU. */
static void report_several(struct loading *l)
{
	char names[256] = "";
	size_t len = 0;
	unsigned int i;

	for (i = 0; i < l->walk.nr && len < sizeof(names); i++)
		len += snprintf(names + len, sizeof(names) - len, "%s'%s'", i ? ", " : "",
				l->walk.dirs[i].name);
	report_say(&l->reporter, REPORT_FATAL, l->path, 0, "",
		   "has no " MAPFILE " and JSON files in %u directories; give one of them: %s%s",
		   l->walk.nr, names, len < sizeof(names) ? "" : "...");
}

/* The last part of @path, up to @end. */
static const char *copy_base(struct arena *arena, const char *path, const char *end)
{
	const char *name = end;

	while (name > path && name[-1] != '/')
		name--;
	return arena_copy(arena, name, end - name);
}

/*
 * Name of the table of a directory that is all there is: its own, or, since Intel has the files
 * of a CPU in NAME/events, that above. @real is the path that was given, @below the directory in
 * it.
 */
static const char *name_of_dir(struct arena *arena, const char *real, const char *below)
{
	static const char subdir[] = "/events";
	const size_t cut = strlen(subdir);
	size_t len = strlen(below);

	if (len > cut && !strcmp(below + len - cut, subdir))
		return arena_copy(arena, below, len - cut);
	if (len && strcmp(below, subdir + 1))
		return below;
	len = strlen(real) + (len ? cut : 0);
	/* as if @below were part of it */
	if (!*below && (len <= cut || strcmp(real + len - cut, subdir)))
		return copy_base(arena, real, real + len);
	return copy_base(arena, real, real + len - cut);
}

/* A directory of one CPU, Intel's with its files one below; several of them are a fault. */
static int load_without_map(struct loading *l)
{
	char *real = realpath(l->path, NULL);
	unsigned int i;
	int ret = 0;

	if (!real)
		return -errno;
	if (l->walk.nr > 1 && *l->walk.dirs[0].name)
		report_several(l);
	else if (!l->walk.nr)
		report_say(&l->reporter, REPORT_FATAL, l->path, 0, "",
			   "has neither a " MAPFILE " nor JSON files of one CPU");
	for (i = 0; !ret && i < l->walk.nr; i++) {
		const struct json_dir *dir = &l->walk.dirs[i];

		ret = add_directory(l, dir, name_of_dir(l->arena, real, dir->name));
	}
	free(real);
	return ret;
}

static int load_file(struct loading *l)
{
	struct source *source;

	if (!walk_is_json(l->path)) {
		report_say(&l->reporter, REPORT_FATAL, l->path, 0, "",
			   "is neither a directory nor called *.json");
		return 0;
	}
	source = add_source(l, name_of_file(l->arena, l->path));
	return source ? add_file(l, source, l->path) : -ENOMEM;
}

static int load_path(struct loading *l)
{
	struct stat st;
	int ret;

	if (stat(l->path, &st))
		return -errno;
	if (!S_ISDIR(st.st_mode))
		return load_file(l);
	ret = walk_dir(l->path, l->arena, &l->walk, &l->reporter);
	if (ret)
		return ret;
	l->mapfile_path = walk_join(l->arena, l->path, MAPFILE);
	if (!l->mapfile_path)
		return -ENOMEM;
	return stat(l->mapfile_path, &st) ? load_without_map(l) : load_arch(l);
}

static int load(struct loading *l)
{
	int ret = text_pool_init(&l->pool);

	if (!ret)
		ret = load_path(l);
	if (!ret)
		ret = fill_tables(l);
	if (!ret)
		ret = hand_out_tables(l);
	return ret ? ret : hand_out_maps(l);
}

int event_dir_load(const char *path, event_report_fn report, void *ctx, struct event_dir *dir)
{
	struct loading l = { .dir = dir, .reporter = { .fn = report, .ctx = ctx } };
	int ret;

	memset(dir, 0, sizeof(*dir));
	l.arena = arena_new();
	dir->arena = l.arena;
	if (!l.arena)
		return -ENOMEM;
	l.path = arena_copy(l.arena, path, strlen(path));
	ret = l.path ? load(&l) : -ENOMEM;
	text_pool_free(&l.pool);
	dir->nr_reports = l.reporter.nr;
	dir->nr_warnings = l.reporter.nr_warnings;
	dir->nr_fatal = l.reporter.nr_fatal;
	if (ret)
		memset(&dir->maps, 0, sizeof(dir->maps));
	return ret;
}

void event_dir_free(struct event_dir *dir)
{
	arena_free(dir->arena);
	memset(dir, 0, sizeof(*dir));
}
