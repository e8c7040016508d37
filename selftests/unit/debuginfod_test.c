// SPDX-License-Identifier: GPL-2.0-only
/* Files from servers, where this program is the library that asks them. */
#include <dlfcn.h>
#include <elfutils/debuginfod.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/symbols/debuginfod.h"
#include "userspace/symbols/lookup.h"

#define SELF		"/proc/self/exe"
#define HEX		"ab01000000000000000000000000000000000000"

static const struct sym_build_id id = { .size = 20, .id = { 0xab, 0x01 } };

/* What the servers do, and what they were asked. */
static int answer;		/* -errno, or 0: they send this program */
static bool no_library;
static char found[64];		/* where the file is that they send */
static unsigned int nr_begun, nr_ended, nr_asked;
static bool asked_debug;
static void *user_data;
static debuginfod_progressfn_t progress;

/* Replaces that of the C library; the functions are found in this program. */
void *dlopen(const char *name, int flags)
{
	__typeof__(dlopen) *real = dlsym(RTLD_NEXT, "dlopen");

	if (!name || strcmp(name, DEBUGINFOD_SONAME))
		return real(name, flags);
	return real(no_library ? "/nonexistent.so" : NULL, flags);
}

debuginfod_client *debuginfod_begin(void)
{
	nr_begun++;
	return (debuginfod_client *)&nr_begun;
}

void debuginfod_end(debuginfod_client *client)
{
	nr_ended += client == (debuginfod_client *)&nr_begun;
}

static int send_file(bool debug, const unsigned char *build_id, int size, char **path)
{
	nr_asked++;
	asked_debug = debug;
	if (size != (int)id.size && build_id)
		return -EINVAL;
	if (progress) {
		progress((debuginfod_client *)&nr_begun, 3, 0);
		progress((debuginfod_client *)&nr_begun, 5, 10);
	}
	if (answer)
		return answer;
	*path = strdup(found);
	return open(SELF, O_RDONLY | O_CLOEXEC);
}

int debuginfod_find_debuginfo(debuginfod_client *client, const unsigned char *build_id, int size,
			      char **path)
{
	(void)client;
	return send_file(true, build_id, size, path);
}

int debuginfod_find_executable(debuginfod_client *client, const unsigned char *build_id, int size,
			       char **path)
{
	(void)client;
	return send_file(false, build_id, size, path);
}

void debuginfod_set_progressfn(debuginfod_client *client, debuginfod_progressfn_t fn)
{
	(void)client;
	progress = fn;
}

void debuginfod_set_user_data(debuginfod_client *client, void *value)
{
	(void)client;
	user_data = value;
}

void *debuginfod_get_user_data(debuginfod_client *client)
{
	(void)client;
	return user_data;
}

/* ---- what is shown ---- */

static char shown[256];

static void begin(void *arg, const char *name)
{
	snprintf(arg, sizeof(shown), "[%s]", name);
}

static void step(void *arg, __u64 done, __u64 total)
{
	snprintf((char *)arg + strlen(arg), sizeof(shown) - strlen(arg), " %llu/%llu", done,
		 total);
}

static void end(void *arg)
{
	strcat(arg, " over");
}

static struct sym_debuginfod *servers(struct sym_watch watch)
{
	struct sym_debuginfod *s;

	answer = 0;
	no_library = false;
	progress = NULL;
	nr_begun = 0;
	nr_ended = 0;
	nr_asked = 0;
	is_u64(sym_debuginfod_begin(&s, "http://localhost:1", watch), 0, "a server is named");
	return s;
}

static int get(struct sym_debuginfod *s, const struct sym_build_id *of, bool debug)
{
	char path[64] = "";
	int err = sym_debuginfod_get(s, of, debug, path, sizeof(path));

	if (!err)
		is_str(path, found, "a file is found");
	return err;
}

static void test_urls(void)
{
	const struct sym_watch watch = { 0 };
	struct sym_debuginfod *s;

	unsetenv("DEBUGINFOD_TIMEOUT");
	setenv("DEBUGINFOD_URLS", "  ", 1);
	is_u64(sym_debuginfod_begin(&s, NULL, watch), -ENOENT, "blanks are no server");
	ok(!s, "nothing is begun");
	sym_debuginfod_end(servers(watch));
	is_str(getenv("DEBUGINFOD_URLS"), "http://localhost:1", "the library gets the one named");
	ok(getenv("DEBUGINFOD_TIMEOUT"), "and how long to wait");
	is_u64(nr_begun, 0, "without a request it is not begun");
	setenv("DEBUGINFOD_TIMEOUT", "7", 1);
	is_u64(sym_debuginfod_begin(&s, NULL, watch), 0, "those of the environment");
	is_str(getenv("DEBUGINFOD_TIMEOUT"), "7", "with its timeout");
	sym_debuginfod_end(s);
}

static void test_found(void)
{
	const struct sym_watch watch = { .begin = begin, .step = step, .end = end, .arg = shown };
	struct sym_debuginfod *s = servers(watch);
	const struct sym_build_id none = { 0 };
	struct sym_build_id self;

	sym_elf_build_id(SELF, &self);
	is_u64(get(s, &none, true), -ENOENT, "a file without build-id");
	is_u64(nr_begun, 0, "is not asked for");
	is_u64(get(s, &self, true), 0, "debug information");
	ok(nr_asked == 1 && asked_debug, "is asked for");
	is_u64(get(s, &self, false), 0, "a program");
	ok(nr_asked == 2 && !asked_debug, "is asked for");
	is_u64(nr_begun, 1, "by one client");
	is_u64(sym_debuginfod_missing(s), 0, "none is missing");
	ok(!sym_debuginfod_failure(s), "no request has failed");
	sym_debuginfod_end(s);
	is_u64(nr_ended, 1, "the client is ended");
}

static void test_watch(void)
{
	const struct sym_watch watch = { .begin = begin, .step = step, .end = end, .arg = shown };
	struct sym_debuginfod *s = servers(watch);

	answer = -ENOENT;
	is_u64(get(s, &id, true), -ENOENT, "a file that no server has");
	is_str(shown, "[debuginfo of " HEX "] 0/0 5/10 over", "bytes once the length is known");
	get(s, &id, false);
	is_str(shown, "[program " HEX "] 0/0 5/10 over", "a program by its name");
	is_u64(sym_debuginfod_missing(s), 2, "both are missing");
	ok(!sym_debuginfod_failure(s), "which is no failure");
	get(s, &id, true);
	get(s, &id, true);
	is_u64(nr_asked, 4, "the servers are asked on");
	sym_debuginfod_end(s);
	s = servers((struct sym_watch){ 0 });
	answer = -ENOENT;
	get(s, &id, true);
	ok(!progress, "nobody watches");
	sym_debuginfod_end(s);
}

static void test_failures(void)
{
	struct sym_debuginfod *s = servers((struct sym_watch){ 0 });
	unsigned int i;

	answer = -ECONNREFUSED;
	get(s, &id, true);
	is_str(sym_debuginfod_failure(s), strerror(ECONNREFUSED), "why a request failed");
	answer = -EIO;
	for (i = 0; i < 5; i++)
		get(s, &id, true);
	is_u64(nr_asked, 3, "after three failures nothing more is asked");
	is_str(sym_debuginfod_failure(s), strerror(ECONNREFUSED), "the first is reported");
	is_u64(sym_debuginfod_missing(s), 0, "a failure is no missing file");
	sym_debuginfod_end(s);

	s = servers((struct sym_watch){ 0 });
	answer = -ETIME;
	get(s, &id, true);
	get(s, &id, true);
	is_u64(nr_asked, 1, "a server that does not answer in time is asked once");
	is_str(sym_debuginfod_failure(s), "no answer in time", "which is reported");
	sym_debuginfod_end(s);

	s = servers((struct sym_watch){ 0 });
	no_library = true;
	get(s, &id, true);
	no_library = false;
	get(s, &id, true);
	is_u64(nr_begun, 0, "without the library nothing is asked, ever");
	ok(strstr(sym_debuginfod_failure(s) ?: "", "nonexistent"), "the reason is the loader's");
	sym_debuginfod_end(s);
	is_u64(nr_ended, 0, "and no client is ended");
}

static void test_other_build(void)
{
	struct sym_debuginfod *s = servers((struct sym_watch){ 0 });
	int fd = open(found, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

	close(fd);
	is_u64(get(s, &id, true), -ENOENT, "a file of another build is none");
	ok(access(found, F_OK), "and is removed from where the library keeps it");
	ok(strstr(sym_debuginfod_failure(s) ?: "", "another build-id"), "which is reported");
	sym_debuginfod_end(s);
}

/* kallsyms of the recorded kernel is in perf's cache. */
static void test_cached_kernel(void)
{
	static const char line[] = "ffffffff81000000 T _text\n";
	struct sym_debuginfod *s = servers((struct sym_watch){ 0 });
	struct sym_space sp = { .kernel_build_id = id, .sources = {
		.symfs = "/nonexistent", .server = s, .fetch_kernel = true,
	} };
	char cache[] = "/tmp/debuginfod_test.XXXXXX", command[64];
	struct sym_location loc = { 0 };
	FILE *f = tmpfile();

	if (!mkdtemp(cache) || !f || fputs(line, f) < 0 || fflush(f))
		abort();
	is_u64(sym_cache_add(cache, "[kernel.kallsyms]", &id, "kallsyms", fileno(f)), 0,
	       "addresses of a kernel are in the cache");
	sp.sources.cache = cache;
	answer = -ENOENT;
	sym_lookup_kernel(&sp, 0xffffffff81000000, &loc);
	is_str(loc.symbol, "_text", "its functions are found there");
	is_u64(nr_asked, 0, "no server is asked for it");
	sym_space_free(&sp);

	sp = (struct sym_space){ .kernel_build_id = id, .sources = {
		.symfs = "/nonexistent", .server = s, .fetch_kernel = true,
	} };
	loc = (struct sym_location){ 0 };
	sym_lookup_kernel(&sp, 0xffffffff81000000, &loc);
	ok(!loc.symbol, "what is nowhere else");
	ok(nr_asked == 1 && asked_debug, "a server is asked for");
	sym_space_free(&sp);
	sp = (struct sym_space){ .kernel_build_id = id, .sources = {
		.symfs = "/nonexistent", .server = s,
	} };
	sym_lookup_kernel(&sp, 0xffffffff81000000, &loc);
	is_u64(nr_asked, 1, "unless it is too large to be wanted");
	sym_space_free(&sp);
	sym_debuginfod_end(s);
	fclose(f);
	snprintf(command, sizeof(command), "rm -r %s", cache);
	if (system(command))
		abort();
}

/**
 * main() - all tests
 *
 * Return: 0 if all pass, otherwise 1.
 */
int main(void)
{
	plan(0);
	snprintf(found, sizeof(found), "/tmp/debuginfod_test.%d", getpid());
	test_urls();
	test_found();
	test_watch();
	test_failures();
	test_other_build();
	test_cached_kernel();
	return done();
}
