// SPDX-License-Identifier: GPL-2.0-only
/* Files by build-id from debuginfod servers, by libdebuginfod, which is loaded when needed. */
#include "debuginfod.h"

#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util/util.h"
#include "elf_file.h"

#define URLS		"DEBUGINFOD_URLS"
#define TIMEOUT		"DEBUGINFOD_TIMEOUT"
/* of seconds without an answer; the library's own 90 are long for somebody who waits */
#define TIMEOUT_DEFAULT	"30"
/* servers that have failed so often are not asked again */
#define MAX_FAILURES	3
#define WHY_LEN		256
#define FUNCTION(name)	{ "debuginfod_" #name, offsetof(__typeof__(api), name) }

/* functions of the library */
static struct {
	__typeof__(debuginfod_begin) *begin;
	__typeof__(debuginfod_end) *end;
	__typeof__(debuginfod_find_executable) *find_executable;
	__typeof__(debuginfod_find_debuginfo) *find_debuginfo;
	__typeof__(debuginfod_set_progressfn) *set_progressfn;
	__typeof__(debuginfod_set_user_data) *set_user_data;
	__typeof__(debuginfod_get_user_data) *get_user_data;
} api;

struct sym_debuginfod {
	struct sym_watch watch;
	debuginfod_client *client;	/* NULL before the first request */
	unsigned int nr_failed;		/* requests */
	unsigned int nr_missing;	/* files that no server has, or that one failed to send */
	bool over;			/* nothing more is asked */
	char why[WHY_LEN];		/* the first of them failed */
};

static const struct {
	const char *name;
	size_t offset;
} functions[] = {
	FUNCTION(begin),
	FUNCTION(end),
	FUNCTION(find_executable),
	FUNCTION(find_debuginfo),
	FUNCTION(set_progressfn),
	FUNCTION(set_user_data),
	FUNCTION(get_user_data),
};

/**
 * sym_debuginfod_begin() - prepare to ask servers
 * @server: set to NULL if this fails
 * @urls: the servers, with blanks between them; NULL: those of the environment
 *
 * Return: 0, -ENOENT if there are none, -ENOMEM.
 */
int sym_debuginfod_begin(struct sym_debuginfod **server, const char *urls, struct sym_watch watch)
{
	*server = NULL;
	/* the library has no other way */
	if (urls && setenv(URLS, urls, 1))
		return -ENOMEM;
	urls = getenv(URLS);
	if (!urls || !urls[strspn(urls, " ")])
		return -ENOENT;
	if (setenv(TIMEOUT, TIMEOUT_DEFAULT, 0))
		return -ENOMEM;
	*server = calloc(1, sizeof(**server));
	if (!*server)
		return -ENOMEM;
	(*server)->watch = watch;
	return 0;
}

/** sym_debuginfod_end() - end it; NULL is nothing */
void sym_debuginfod_end(struct sym_debuginfod *s)
{
	if (s && s->client)
		api.end(s->client);
	free(s);
}

static void fail(struct sym_debuginfod *s, const char *why)
{
	if (!s->nr_failed++)
		snprintf(s->why, sizeof(s->why), "%s", why);
	s->over |= s->nr_failed >= MAX_FAILURES;
}

static bool load(const char **why)
{
	void *library = dlopen(DEBUGINFOD_SONAME, RTLD_NOW);
	size_t i;

	for (i = 0; library && i < ARRAY_SIZE(functions); i++) {
		void *function = dlsym(library, functions[i].name);

		*(void **)((char *)&api + functions[i].offset) = function;
		if (!function)
			library = NULL;
	}
	if (!library)
		*why = dlerror();
	return library;
}

static int show(debuginfod_client *client, long done, long total)
{
	struct sym_debuginfod *s = api.get_user_data(client);

	/* until the length is known, the numbers are not bytes */
	if (total > 0)
		s->watch.step(s->watch.arg, done, total);
	else
		s->watch.step(s->watch.arg, 0, 0);
	return 0;
}

/* Returns false after fail(). */
static bool connect_first(struct sym_debuginfod *s)
{
	const char *why = "out of memory";

	if (s->client)
		return true;
	s->client = load(&why) ? api.begin() : NULL;
	if (!s->client) {
		fail(s, why);
		s->over = true;
		return false;
	}
	api.set_user_data(s->client, s);
	if (s->watch.step)
		api.set_progressfn(s->client, show);
	return true;
}

/* Returns a descriptor or -errno; the caller frees @found. */
static int ask(struct sym_debuginfod *s, const struct sym_build_id *id, bool debug, char **found)
{
	char hex[SYM_BUILD_ID_HEX], name[sizeof(hex) + sizeof("debuginfo of ")];
	int fd;

	sym_build_id_hex(id, hex);
	snprintf(name, sizeof(name), "%s %s", debug ? "debuginfo of" : "program", hex);
	if (s->watch.begin)
		s->watch.begin(s->watch.arg, name);
	fd = debug ? api.find_debuginfo(s->client, id->id, id->size, found) :
		     api.find_executable(s->client, id->id, id->size, found);
	if (s->watch.end)
		s->watch.end(s->watch.arg);
	return fd;
}

/**
 * sym_debuginfod_get() - fetch a file, unless the library has it in its own cache
 * @s: the servers, NULL: none
 * @debug: its debug information, else the program
 * @path: set to where it is then
 *
 * Return: 0, or -ENOENT if there is none.
 */
int sym_debuginfod_get(struct sym_debuginfod *s, const struct sym_build_id *id, bool debug,
		       char *path, size_t len)
{
	struct sym_build_id served;
	char *found = NULL;
	int fd;

	if (!s || s->over || !id->size || !connect_first(s))
		return -ENOENT;
	fd = ask(s, id, debug, &found);
	if (fd == -ETIME)
		s->over = true;
	s->nr_missing += fd == -ENOENT;
	if (fd < 0 && fd != -ENOENT)
		fail(s, fd == -ETIME ? "no answer in time" : strerror(-fd));
	if (fd < 0)
		return -ENOENT;
	sym_elf_build_id_fd(fd, &served);
	close(fd);
	if (!sym_build_id_equal(id, &served)) {
		/* the library would offer it again */
		unlink(found);
		fail(s, "a file has another build-id than the one asked for");
		free(found);
		return -ENOENT;
	}
	snprintf(path, len, "%s", found);
	free(found);
	return 0;
}

/** sym_debuginfod_missing() - how many files were not sent; the library does not say why */
unsigned int sym_debuginfod_missing(const struct sym_debuginfod *s)
{
	return s ? s->nr_missing : 0;
}

/** sym_debuginfod_failure() - why a request failed for the first time, NULL: none has */
const char *sym_debuginfod_failure(const struct sym_debuginfod *s)
{
	return s && s->nr_failed ? s->why : NULL;
}
