// SPDX-License-Identifier: LGPL-2.1-or-later
/* Walking an arch directory: which directories hold JSON files. */
#include "walk.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* the deepest directory of perf's, Arm's, is vendor/core/sys */
#define MAX_DEPTH	4

/**
 * struct names - names in a directory
 * @size: names that there is room for
 */
struct names {
	const char **all;
	unsigned int nr;
	unsigned int size;
};

/**
 * struct walking - a walk under way
 * @arena: holds everything
 * @walk: what was found
 * @size: directories allocated
 * @reporter: receives reports
 */
struct walking {
	struct arena *arena;
	struct walk *walk;
	unsigned int size;
	struct reporter *reporter;
};

/**
 * struct level - a directory being walked
 * @path: as it is opened
 * @name: relative to the start of the walk
 * @depth: levels below the start
 * @parent: the directory above, NULL at the start
 * @dev: its device
 * @ino: its inode
 */
struct level {
	const char *path;
	const char *name;
	unsigned int depth;
	const struct level *parent;
	dev_t dev;
	ino_t ino;
};

bool walk_is_json(const char *name)
{
	const size_t len = strlen(name);

	return len > 5 && !strcmp(name + len - 5, ".json");
}

const char *walk_join(struct arena *arena, const char *dir, const char *name)
{
	const size_t len = strlen(dir), name_len = strlen(name);
	char *path = arena_alloc(arena, len + name_len + 2);

	if (path)
		sprintf(path, "%s%s%s", dir, len && name_len && dir[len - 1] != '/' ? "/" : "",
			name);
	return path;
}

/* Growing moves the array; the old one stays in the arena. */
static int add_name(struct arena *arena, struct names *names, const char *name)
{
	if (names->nr == names->size) {
		const unsigned int size = names->size ? 2 * names->size : 16;
		const char **all = arena_alloc(arena, size * sizeof(*all));

		if (!all)
			return -ENOMEM;
		if (names->nr)
			memcpy(all, names->all, names->nr * sizeof(*all));
		names->all = all;
		names->size = size;
	}
	names->all[names->nr] = arena_copy(arena, name, strlen(name));
	return names->all[names->nr++] ? 0 : -ENOMEM;
}

static int compare_names(const void *a, const void *b)
{
	return strcmp(*(const char * const *)a, *(const char * const *)b);
}

static int compare_dirs(const void *a, const void *b)
{
	const struct json_dir *dir = a, *other = b;

	return strcmp(dir->name, other->name);
}

static int add_dir(struct walking *w, const struct json_dir *dir)
{
	struct walk *walk = w->walk;

	if (walk->nr == w->size) {
		const unsigned int size = w->size ? 2 * w->size : 32;
		struct json_dir *dirs = arena_alloc(w->arena, size * sizeof(*dirs));

		if (!dirs)
			return -ENOMEM;
		if (walk->nr)
			memcpy(dirs, walk->dirs, walk->nr * sizeof(*dirs));
		walk->dirs = dirs;
		w->size = size;
	}
	walk->dirs[walk->nr++] = *dir;
	return 0;
}

/* Return: S_IFDIR, S_IFREG or something else; symbolic links are followed. */
static mode_t get_type(DIR *stream, const struct dirent *entry)
{
	struct stat st;

	if (entry->d_type == DT_DIR)
		return S_IFDIR;
	if (entry->d_type == DT_REG)
		return S_IFREG;
	return fstatat(dirfd(stream), entry->d_name, &st, 0) ? 0 : st.st_mode & S_IFMT;
}

/* Sort the entries of a directory into JSON files and directories. */
static int read_names(struct walking *w, const char *path, struct names *files, struct names *dirs)
{
	DIR *stream = opendir(path);
	struct dirent *entry;
	int ret = 0;

	if (!stream)
		return -errno;
	while (!ret && (entry = readdir(stream))) {
		const mode_t type = *entry->d_name == '.' ? 0 : get_type(stream, entry);

		if (type == S_IFDIR)
			ret = add_name(w->arena, dirs, entry->d_name);
		else if (type == S_IFREG && walk_is_json(entry->d_name))
			ret = add_name(w->arena, files, entry->d_name);
	}
	closedir(stream);
	if (files->nr)
		qsort(files->all, files->nr, sizeof(*files->all), compare_names);
	if (dirs->nr)
		qsort(dirs->all, dirs->nr, sizeof(*dirs->all), compare_names);
	return ret;
}

/* A symbolic link may lead to a directory that it lies in. */
static bool is_loop(const struct level *level)
{
	const struct level *above;

	for (above = level->parent; above; above = above->parent) {
		if (above->dev == level->dev && above->ino == level->ino)
			return true;
	}
	return false;
}

static int walk_one(struct walking *w, struct level *level);

static int walk_below(struct walking *w, const struct level *parent, const char *name)
{
	struct level level = {
		.path = walk_join(w->arena, parent->path, name),
		.name = walk_join(w->arena, parent->name, name),
		.depth = parent->depth + 1,
		.parent = parent,
	};
	int ret;

	if (!level.path || !level.name)
		return -ENOMEM;
	if (level.depth > MAX_DEPTH) {
		report_say(w->reporter, REPORT_NOTE, level.path, 0, "",
			   "lies more than %d directories deep; it is not read", MAX_DEPTH);
		return 0;
	}
	ret = walk_one(w, &level);
	if (!ret || ret == -ENOMEM)
		return ret;
	report_say(w->reporter, REPORT_FATAL, level.path, 0, "", "cannot be read: %s",
		   strerror(-ret));
	return 0;
}

static int walk_one(struct walking *w, struct level *level)
{
	struct names files = { .nr = 0 }, dirs = { .nr = 0 };
	struct json_dir dir = { .path = level->path, .name = level->name };
	struct stat st;
	unsigned int i;
	int ret;

	if (stat(level->path, &st))
		return -errno;
	level->dev = st.st_dev;
	level->ino = st.st_ino;
	if (is_loop(level)) {
		report_say(w->reporter, REPORT_NOTE, level->path, 0, "",
			   "leads back to a directory that it lies in; it is not read again");
		return 0;
	}
	ret = read_names(w, level->path, &files, &dirs);
	if (ret)
		return ret;
	dir.files = files.all;
	dir.nr_files = files.nr;
	if (files.nr)
		ret = add_dir(w, &dir);
	for (i = 0; !ret && i < dirs.nr; i++)
		ret = walk_below(w, level, dirs.all[i]);
	return ret;
}

int walk_dir(const char *path, struct arena *arena, struct walk *walk, struct reporter *reporter)
{
	struct walking w = { .arena = arena, .walk = walk, .reporter = reporter };
	struct level level = { .path = path, .name = "" };
	int ret;

	memset(walk, 0, sizeof(*walk));
	ret = walk_one(&w, &level);
	if (walk->nr)
		qsort(walk->dirs, walk->nr, sizeof(*walk->dirs), compare_dirs);
	return ret;
}
