/* SPDX-License-Identifier: GPL-2.0-only */
/* Files by build-id from debuginfod servers, by libdebuginfod, which is loaded when needed. */
#ifndef _SYMBOLS_DEBUGINFOD_H
#define _SYMBOLS_DEBUGINFOD_H

#include "sources.h"

/* Hears of each file that is fetched; zeroed it hears nothing. */
struct sym_watch {
	void (*begin)(void *arg, const char *name);
	void (*step)(void *arg, __u64 done, __u64 total);
	void (*end)(void *arg);
	void *arg;
};

int sym_debuginfod_begin(struct sym_debuginfod **server, const char *urls, struct sym_watch watch);
void sym_debuginfod_end(struct sym_debuginfod *s);
int sym_debuginfod_get(struct sym_debuginfod *s, const struct sym_build_id *id, bool debug,
		       char *path, size_t len);
unsigned int sym_debuginfod_missing(const struct sym_debuginfod *s);
const char *sym_debuginfod_failure(const struct sym_debuginfod *s);

#endif /* _SYMBOLS_DEBUGINFOD_H */
