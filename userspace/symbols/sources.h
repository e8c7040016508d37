/* SPDX-License-Identifier: GPL-2.0-only */
/* Where files of a recording are looked for: below a directory, in perf's cache, at servers. */
#ifndef _SYMBOLS_SOURCES_H
#define _SYMBOLS_SOURCES_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

#define SYM_BUILD_ID_MAX	20
#define SYM_BUILD_ID_HEX	(2 * SYM_BUILD_ID_MAX + 1)

/* Identifies one build of a file; without a size it is unknown. */
struct sym_build_id {
	unsigned int size;
	__u8 id[SYM_BUILD_ID_MAX];
};

struct sym_debuginfod;

/* Zeroed: files are only where they were when they were recorded. */
struct sym_sources {
	const char *symfs;		/* root of the recorded machine, NULL: this one's */
	const char *cache;		/* directory of perf's build-id cache, NULL: none */
	struct sym_debuginfod *server;	/* NULL: none */
	bool fetch_kernel;		/* from it, too, which may be a gigabyte */
};

void sym_build_id_hex(const struct sym_build_id *id, char *hex);
bool sym_source_path(const struct sym_sources *s, const char *name, char *path, size_t len);
bool sym_source_debug(const struct sym_sources *s, const struct sym_build_id *id, char *path,
		      size_t len);
bool sym_source_cached(const struct sym_sources *s, const struct sym_build_id *id,
		       const char *what, char *path, size_t len);
int sym_cache_add(const char *cache, const char *name, const struct sym_build_id *id,
		  const char *what, int fd);

#endif /* _SYMBOLS_SOURCES_H */
