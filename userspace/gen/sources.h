/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Which tables an arch directory gives, and from which files each is made. */
#ifndef _ACRPMU_GEN_SOURCES_H
#define _ACRPMU_GEN_SOURCES_H

#include "arena.h"
#include "convert.h"
#include "mapfile.h"
#include "walk.h"

/**
 * struct source - one table to be made
 * @size: files that there is room for
 * @nr_maps: entries of the mapfile that use it
 * @role: their role, NULL if they differ or not all are hybrid CPUs
 * @family: the encoding of its events
 * @table: the table once it is made
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
 * @dir: the result
 * @arena: memory of the result
 * @pool: strings of all tables
 * @reporter: receives reports
 * @walk: its directories
 * @sources: tables to be made
 * @size: tables that there is room for
 * @map_sources: the table of each entry of the mapfile, NULL if it has none
 * @standard: events that others refer to
 * @standard_size: events that there is room for
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

/* "lunarlake_skymont" of "LNL/events/lunarlake_skymont_core.json"; NULL: out of memory */
const char *source_name_of_file(struct arena *arena, const char *path);

/* Add a table; NULL: out of memory. */
struct source *source_add(struct loading *l, const char *name);

/* These return 0 or -ENOMEM. */
int source_add_file(struct loading *l, struct source *source, const char *path);
int source_add_directory(struct loading *l, const struct json_dir *dir, const char *name);

/* Plan tables from the mapfile, whether it names directories (perf's) or files (Intel's). */
int sources_plan(struct loading *l);
bool sources_are_files(const struct loading *l);

#endif /* _ACRPMU_GEN_SOURCES_H */
