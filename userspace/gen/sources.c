// SPDX-License-Identifier: LGPL-2.1-or-later
/* Which tables an arch directory gives, and from which files each is made. */
#include "sources.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#define JSON_SUFFIX_LEN	5	/* ".json" */

/* "lunarlake_skymont" of "LNL/events/lunarlake_skymont_core.json" */
const char *source_name_of_file(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
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

struct source *source_add(struct loading *l, const char *name)
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

int source_add_file(struct loading *l, struct source *source, const char *path)
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

int source_add_directory(struct loading *l, const struct json_dir *dir, const char *name)
{
	struct source *source = source_add(l, name);
	unsigned int i;

	if (!source)
		return -ENOMEM;
	for (i = 0; i < dir->nr_files; i++) {
		const char *path = walk_join(l->arena, dir->path, dir->files[i]);

		if (!path || source_add_file(l, source, path))
			return -ENOMEM;
	}
	return 0;
}

/* Note that an entry of the mapfile uses @source. */
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

/* Mapfiles list all CPUs, directories often hold only a few: make one note of all. */
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

/* Itanium's files have another form, and the module has no use for them: see jevents --pmu. */
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

		if (*dir->name && !is_itanium_dir(l, dir->name) &&
		    source_add_directory(l, dir, dir->name))
			return -ENOMEM;
	}
	/* a directory that the mapfile does not name is encoded like those that it names */
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

/* The table that begins with this file; a new one if there is none. */
static struct source *file_source(struct loading *l, const char *path)
{
	const char *name = source_name_of_file(l->arena, path);
	struct source *source;
	unsigned int i;

	for (i = 0; i < l->nr_sources; i++) {
		if (!strcmp(l->sources[i]->files[0], path))
			return l->sources[i];
	}
	/* two files of one name in different directories: use the path */
	if (name && find_source(l, name))
		name = path;
	source = source_add(l, name);
	return source && !source_add_file(l, source, path) ? source : NULL;
}

/* Add another file of a CPU to all its tables. Return: how many there are, or -ENOMEM. */
static int add_beside(struct loading *l, unsigned int nr, const char *path)
{
	const struct mapfile_entry *entries = l->mapfile.entries;
	unsigned int i;
	int found = 0;

	for (i = 0; i < l->mapfile.nr; i++) {
		if (!l->map_sources[i] || !is_core(&entries[i]) ||
		    strcmp(entries[i].cpuid, entries[nr].cpuid))
			continue;
		if (source_add_file(l, l->map_sources[i], path))
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

/* Intel's form: a core's file is a table, and its CPUs' other files belong to it. */
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

bool sources_are_files(const struct loading *l)
{
	unsigned int i;

	for (i = 0; i < l->mapfile.nr; i++) {
		if (walk_is_json(l->mapfile.entries[i].path))
			return true;
	}
	return false;
}

int sources_plan(struct loading *l)
{
	return sources_are_files(l) ? plan_files(l) : plan_directories(l);
}
