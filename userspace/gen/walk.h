/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* Walking an arch directory: which directories hold JSON files. */
#ifndef _ACRPMU_GEN_WALK_H
#define _ACRPMU_GEN_WALK_H

#include <stdbool.h>

#include "arena.h"
#include "report.h"

/**
 * struct json_dir - one directory with JSON files
 * @path: it, as it is opened
 * @name: it, relative to where the walk began; "" for that itself
 * @files: names of its JSON files, sorted by bytes
 * @nr_files: how many
 */
struct json_dir {
	const char *path;
	const char *name;
	const char **files;
	unsigned int nr_files;
};

/**
 * struct walk - all of them, sorted by name
 * @dirs: them
 * @nr: how many
 */
struct walk {
	struct json_dir *dirs;
	unsigned int nr;
};

/**
 * walk_is_json() - is this the name of a JSON file?
 * @name: a name
 *
 * Return: whether it ends in ".json", with something before it.
 */
bool walk_is_json(const char *name);

/**
 * walk_join() - make a path
 * @arena: from where
 * @dir: a directory, "" for none
 * @name: a name in it, "" for itself
 *
 * Return: the path, NULL without memory.
 */
const char *walk_join(struct arena *arena, const char *dir, const char *name);

/**
 * walk_dir() - walk a directory and those below it, four deep
 * @path: the directory
 * @arena: where everything goes
 * @walk: out
 * @reporter: told of sub-directories that cannot be read, lie deeper or lead back to one above
 *
 * Files that are not called *.json, and all that are no regular files, are ignored.
 *
 * Return: 0; -errno if @path itself cannot be read; -ENOMEM.
 */
int walk_dir(const char *path, struct arena *arena, struct walk *walk, struct reporter *reporter);

#endif /* _ACRPMU_GEN_WALK_H */
