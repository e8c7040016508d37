// SPDX-License-Identifier: GPL-2.0-only
/* Paths of files of a recording: below a directory, and by build-id. */
#include "sources.h"

#include <stdio.h>

#define DEBUG_DIR	"/usr/lib/debug"

/** sym_build_id_hex() - write a build-id into SYM_BUILD_ID_HEX bytes, as hexadecimal text */
void sym_build_id_hex(const struct sym_build_id *id, char *hex)
{
	unsigned int i;

	*hex = 0;
	for (i = 0; i < id->size; i++)
		sprintf(hex + 2 * i, "%02x", id->id[i]);
}

/** sym_source_path() - where a recorded path is looked for; false if that is too long */
bool sym_source_path(const struct sym_sources *s, const char *name, char *path, size_t len)
{
	int n = snprintf(path, len, "%s%s", s && s->symfs ? s->symfs : "", name);

	return n > 0 && (size_t)n < len;
}

static bool by_build_id(const char *root, const char *dir, const struct sym_build_id *id,
			const char *rest, char *path, size_t len)
{
	char hex[SYM_BUILD_ID_HEX];
	int n;

	if (id->size < 2)
		return false;
	sym_build_id_hex(id, hex);
	n = snprintf(path, len, "%s%s/.build-id/%.2s/%s%s", root, dir, hex, hex + 2, rest);
	return n > 0 && (size_t)n < len;
}

/** sym_source_debug() - where gdb looks for the debug file of a build; false: nowhere */
bool sym_source_debug(const struct sym_sources *s, const struct sym_build_id *id, char *path,
		      size_t len)
{
	return by_build_id(s && s->symfs ? s->symfs : "", DEBUG_DIR, id, ".debug", path, len);
}

/**
 * sym_source_cached() - where perf's cache has a file of a build
 * @what: elf, debug, kallsyms or vdso with a slash in front, or nothing, as in old caches
 *
 * Return: false: nowhere.
 */
bool sym_source_cached(const struct sym_sources *s, const struct sym_build_id *id,
		       const char *what, char *path, size_t len)
{
	return s && s->cache && by_build_id(s->cache, "", id, what, path, len);
}
