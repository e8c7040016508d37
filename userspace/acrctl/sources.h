/* SPDX-License-Identifier: GPL-2.0-only */
/* Where a command looks for the files of a recording: the options about that, and what failed. */
#ifndef _ACRCTL_SOURCES_H
#define _ACRCTL_SOURCES_H

#include "../symbols/sources.h"
#include "ui/progress.h"

#define SOURCES_USAGE \
"      --symfs DIR      look for recorded files below DIR, the root of their machine\n" \
"      --buildid-dir DIR\n" \
"                       perf's build-id cache (default: ~/.debug, or DIR/.debug of --symfs)\n" \
"      --debuginfod[=URLS]\n" \
"                       ask these servers for missing files (default: DEBUGINFOD_URLS); with\n" \
"                       this option for the kernel, too\n" \
"      --no-debuginfod  ask no server\n"

struct sources {
	const char *symfs;		/* NULL: not given */
	const char *cache;		/* likewise */
	const char *urls;		/* likewise */
	bool no_servers;
	bool servers;			/* they were asked for, and must exist */
};

/* What sym_space uses for as long as it lives; zeroed it is empty. */
struct sources_open {
	struct sym_sources sym;
	char *symfs;			/* without slashes at its end */
	char *cache;
	struct progress progress;	/* of what is fetched */
	const struct progress *around;	/* that of the whole, which is shown if this one may be */
};

struct option;

char *sources_default_cache(const char *symfs);
void sources_add_options(struct option *options);
bool sources_take_option(struct sources *s, int c, const char *arg);
int sources_open(struct sources_open *o, const struct sources *s, const char *command,
		 const struct progress *around);
void sources_close_notes(const struct sources_open *o);
void sources_close(struct sources_open *o);

#endif /* _ACRCTL_SOURCES_H */
