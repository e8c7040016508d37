// SPDX-License-Identifier: GPL-2.0-only
/* Where a command looks for the files of a recording: the options about that, and what failed. */
#include "sources.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../symbols/debuginfod.h"

#define CACHE_NAME	".debug"

enum { OPT_SYMFS = 1216, OPT_CACHE, OPT_SERVERS, OPT_NO_SERVERS };

/**
 * sources_add_options() - append the options to a list that ends with a zeroed one
 */
void sources_add_options(struct option *options)
{
	static const struct option ours[] = {
		{ "symfs", required_argument, NULL, OPT_SYMFS },
		{ "buildid-dir", required_argument, NULL, OPT_CACHE },
		{ "debuginfod", optional_argument, NULL, OPT_SERVERS },
		{ "no-debuginfod", no_argument, NULL, OPT_NO_SERVERS },
	};

	while (options->name)
		options++;
	memcpy(options, ours, sizeof(ours));
}

/**
 * sources_take_option() - take an option of getopt_long(), if it is one of sources_add_options()
 *
 * Return: false: it is another one.
 */
bool sources_take_option(struct sources *s, int c, const char *arg)
{
	switch (c) {
	case OPT_SYMFS:
		s->symfs = arg;
		return true;
	case OPT_CACHE:
		s->cache = arg;
		return true;
	case OPT_SERVERS:
		s->servers = true;
		s->no_servers = false;
		s->urls = arg;
		return true;
	case OPT_NO_SERVERS:
		s->servers = false;
		s->no_servers = true;
		return true;
	}
	return false;
}

/**
 * sources_default_cache() - perf's cache of this user, or that below the directory of --symfs
 *
 * Return: its path, which the caller frees; NULL: out of memory, or the user has no home.
 */
char *sources_default_cache(const char *symfs)
{
	const char *parent = symfs ? symfs : getenv("HOME");
	char *cache;

	if (!parent || asprintf(&cache, "%s/" CACHE_NAME, parent) < 0)
		return NULL;
	return cache;
}

static int check_directory(const char *command, const char *option, const char *path,
			   const char *what)
{
	struct stat st;
	int err = stat(path, &st) ? -errno : S_ISDIR(st.st_mode) ? 0 : -ENOTDIR;

	if (err)
		fprintf(stderr, "acrctl: %s: %s %s: %s; name %s\n", command, option, path,
			strerror(-err), what);
	return err;
}

static int check(const struct sources *s, const char *command)
{
	int err = 0;

	if (s->symfs)
		err = check_directory(command, "--symfs", s->symfs,
				      "the directory with the files of the recorded machine");
	if (!err && s->cache)
		err = check_directory(command, "--buildid-dir", s->cache,
				      "a cache that perf or 'acrctl record --buildid-cache' wrote");
	return err;
}

/* A longer whole is being shown, so that there is room on the screen for its parts. */
static void begin_fetch(void *arg, const char *name)
{
	struct sources_open *o = arg;

	if (o->around->out)
		progress_begin(&o->progress, "fetching", name, NULL);
}

static void step_fetch(void *arg, __u64 done, __u64 total)
{
	struct sources_open *o = arg;

	progress_step(&o->progress, done, total);
}

static void end_fetch(void *arg)
{
	struct sources_open *o = arg;

	progress_end(&o->progress);
}

static int open_servers(struct sources_open *o, const struct sources *s, const char *command)
{
	const struct sym_watch watch = { begin_fetch, step_fetch, end_fetch, o };
	int err;

	if (s->no_servers)
		return 0;
	err = sym_debuginfod_begin(&o->sym.server, s->urls, watch);
	if (err != -ENOENT || !s->servers)
		return err == -ENOENT ? 0 : err;
	fprintf(stderr,
		"acrctl: %s: --debuginfod: DEBUGINFOD_URLS names no server; name one with --debuginfod=URL\n",
		command);
	return err;
}

static int copy_paths(struct sources_open *o, const struct sources *s)
{
	size_t len = s->symfs ? strlen(s->symfs) : 0;

	while (len && s->symfs[len - 1] == '/')
		len--;
	if (len) {
		o->symfs = strndup(s->symfs, len);
		if (!o->symfs)
			return -ENOMEM;
	}
	o->cache = s->cache ? strdup(s->cache) : sources_default_cache(o->symfs);
	o->sym.symfs = o->symfs;
	o->sym.cache = o->cache;
	return o->cache || !s->cache ? 0 : -ENOMEM;
}

/**
 * sources_open() - prepare what a command line asks for; sources_close() in any case
 * @around: the progress of what is done with the files
 *
 * Return: 0, or -errno after a message.
 */
int sources_open(struct sources_open *o, const struct sources *s, const char *command,
		 const struct progress *around)
{
	int err = check(s, command);

	if (err)
		return err;
	o->around = around;
	o->sym.fetch_kernel = s->servers;
	err = copy_paths(o, s);
	if (!err)
		err = open_servers(o, s, command);
	if (err == -ENOMEM)
		fprintf(stderr, "acrctl: %s: out of memory\n", command);
	return err;
}

/**
 * sources_close_notes() - print on stderr what could not be fetched
 */
void sources_close_notes(const struct sources_open *o)
{
	const char *why = sym_debuginfod_failure(o->sym.server);
	unsigned int nr = sym_debuginfod_missing(o->sym.server);

	if (why)
		fprintf(stderr,
			"acrctl: debuginfod: %s: %s; symbols may be missing; see that it answers, or use --no-debuginfod\n",
			getenv("DEBUGINFOD_URLS"), why);
	else if (nr)
		fprintf(stderr,
			"acrctl: debuginfod: %s: files that are not there, or were not sent whole: %u; symbols may be missing\n",
			getenv("DEBUGINFOD_URLS"), nr);
}

/**
 * sources_close() - free it
 */
void sources_close(struct sources_open *o)
{
	sym_debuginfod_end(o->sym.server);
	free(o->symfs);
	free(o->cache);
	*o = (struct sources_open){ 0 };
}
