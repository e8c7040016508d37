// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading an arch directory (mapfile.csv, a directory of JSON files for each CPU) into tables. */
#include "event_dir.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "fill.h"

#define MAPFILE		"mapfile.csv"

static int hand_out_tables(struct loading *l)
{
	const struct event_table **tables;
	unsigned int i;

	tables = arena_alloc(l->arena, l->nr_sources * sizeof(struct event_table *));
	if (!tables)
		return -ENOMEM;
	l->dir->text = text_pool_take(&l->pool, &l->dir->text_len);
	for (i = 0; i < l->nr_sources; i++) {
		l->sources[i]->table->text = l->dir->text;
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

static int load_arch(struct loading *l)
{
	int ret = mapfile_read(l->mapfile_path, l->arena, &l->mapfile, &l->reporter);

	if (ret)
		return ret == -EINVAL ? 0 : ret;
	l->map_sources = arena_alloc(l->arena, l->mapfile.nr * sizeof(struct source *));
	if (!l->map_sources)
		return -ENOMEM;
	if (!sources_are_files(l) && l->walk.nr && !*l->walk.dirs[0].name)
		ret = fill_standard_events(l, &l->walk.dirs[0]);
	return ret ? ret : sources_plan(l);
}

/* JSON files in several directories, and no mapfile that assigns them to CPUs. */
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

/* The last component of @path, up to @end. */
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
	/* as if @below were appended to it */
	if (!*below && (len <= cut || strcmp(real + len - cut, subdir)))
		return copy_base(arena, real, real + len);
	return copy_base(arena, real, real + len - cut);
}

/* A directory of one CPU, with its files in it or one below; several CPUs are an error. */
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

		ret = source_add_directory(l, dir, name_of_dir(l->arena, real, dir->name));
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
	source = source_add(l, source_name_of_file(l->arena, l->path));
	return source ? source_add_file(l, source, l->path) : -ENOMEM;
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
	free(dir->text);
	memset(dir, 0, sizeof(*dir));
}
