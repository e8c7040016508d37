/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walking an arch directory: which directories hold JSON files. */
#ifndef _ACRPMU_GEN_WALK_H
#define _ACRPMU_GEN_WALK_H

#include <stdbool.h>

#include "arena.h"
#include "report.h"

/**
 * struct json_dir - one directory with JSON files
 * @path: as it is opened
 * @name: relative to the start of the walk, "" at the start
 * @files: names of its JSON files, sorted bytewise
 */
struct json_dir {
	const char *path;
	const char *name;
	const char **files;
	unsigned int nr_files;
};

/**
 * struct walk - all directories with JSON files, sorted by name
 */
struct walk {
	struct json_dir *dirs;
	unsigned int nr;
};

/**
 * walk_is_json() - check for the name of a JSON file
 *
 * Return: whether it ends in ".json" and has more than that.
 */
bool walk_is_json(const char *name);

/**
 * walk_join() - make a path
 * @arena: holds it
 * @dir: a directory, "" for none
 * @name: a name in it, "" for the directory itself
 *
 * Return: the path, NULL if out of memory.
 */
const char *walk_join(struct arena *arena, const char *dir, const char *name);

/**
 * walk_dir() - walk a directory and four levels below it
 * @arena: holds everything
 * @walk: out
 * @reporter: receives sub-directories that cannot be read, lie deeper or form a loop
 *
 * Only regular files named *.json count.
 *
 * Return: 0; -errno if @path itself cannot be read; -ENOMEM.
 */
int walk_dir(const char *path, struct arena *arena, struct walk *walk, struct reporter *reporter);

#endif /* _ACRPMU_GEN_WALK_H */
