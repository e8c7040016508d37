// SPDX-License-Identifier: GPL-2.0-only
/* Where files of a recording are looked for, and adding them to perf's build-id cache. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/symbols/debuginfod.h"
#include "userspace/symbols/elf_file.h"

#define SELF	"/proc/self/exe"
#define REST	"23456789abcdef0123456789abcdef01234567"
#define HEX	"01" REST
#define DEBUG	"/root/usr/lib/debug/.build-id"

static const struct sym_build_id id = {
	.size = 20, .id = { 0x01, 0x23, 0x45, 0x67, 0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67,
			    0x89, 0xab, 0xcd, 0xef, 0x01, 0x23, 0x45, 0x67 },
};

static void test_paths(void)
{
	const struct sym_sources here = { 0 }, there = { .symfs = "/root", .cache = "/cache" };
	const struct sym_build_id none = { 0 }, tiny = { .size = 1, .id = { 0xab } };
	char path[PATH_MAX], hex[SYM_BUILD_ID_HEX];

	sym_build_id_hex(&id, hex);
	is_str(hex, HEX, "a build-id as text");
	sym_build_id_hex(&none, hex);
	is_str(hex, "", "one that is unknown");
	ok(sym_source_path(&here, "/bin/true", path, sizeof(path)), "a recorded path");
	is_str(path, "/bin/true", "on this machine");
	ok(sym_source_path(&there, "/bin/true", path, sizeof(path)), "a recorded path");
	is_str(path, "/root/bin/true", "of another machine");
	ok(!sym_source_path(&there, "/bin/true", path, 14), "one that is too long");
	ok(sym_source_debug(&there, &id, path, sizeof(path)), "a debug file");
	is_str(path, DEBUG "/01/" REST ".debug", "below the root");
	ok(!sym_source_debug(&there, &none, path, sizeof(path)), "none without a build-id");
	ok(!sym_source_debug(&there, &tiny, path, sizeof(path)), "nor with one of a byte");
	ok(sym_source_cached(&there, &id, "/elf", path, sizeof(path)), "a file of the cache");
	is_str(path, "/cache/.build-id/01/" REST "/elf", "not below the root");
	ok(!sym_source_cached(&here, &id, "/elf", path, sizeof(path)), "no cache");
}

static bool same_contents(const char *path, const char *text)
{
	char buf[64];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd < 0 ? -1 : read(fd, buf, sizeof(buf));

	if (fd >= 0)
		close(fd);
	return n == (ssize_t)strlen(text) && !memcmp(buf, text, n);
}

static void test_cache(void)
{
	char dir[] = "/tmp/cache_test.XXXXXX", cache[PATH_MAX], path[2 * PATH_MAX];
	char target[PATH_MAX] = "";
	struct stat st;
	FILE *f = tmpfile();

	if (!mkdtemp(dir) || !f || fchmod(fileno(f), 0755))
		abort();
	fputs("contents", f);
	fflush(f);
	snprintf(cache, sizeof(cache), "%s/a/b", dir);
	is_u64(sym_cache_add(cache, "/usr/bin/prog", &id, "elf", fileno(f)), 0, "a file is added");
	snprintf(path, sizeof(path), "%s/usr/bin/prog/" HEX "/elf", cache);
	ok(same_contents(path, "contents"), "under its name, whole");
	ok(!stat(path, &st) && (st.st_mode & 0777) == 0644, "for others to read, not to execute");
	snprintf(path, sizeof(path), "%s/.build-id/01/%s", cache, HEX + 2);
	ok(readlink(path, target, sizeof(target) - 1) > 0, "and found by build-id");
	is_str(target, "../../usr/bin/prog/" HEX, "as perf does");
	fputs(" have changed", f);
	fflush(f);
	is_u64(sym_cache_add(cache, "/usr/bin/prog", &id, "elf", fileno(f)), 0, "added again");
	snprintf(path, sizeof(path), "%s/.build-id/01/%s/elf", cache, HEX + 2);
	ok(same_contents(path, "contents"), "which changes nothing");
	snprintf(path, sizeof(path), "%s/.build-id/01/%s", cache, HEX + 2);
	if (unlink(path) || symlink("nowhere", path))
		abort();
	is_u64(sym_cache_add(cache, "/usr/bin/prog", &id, "elf", fileno(f)), 0, "once more");
	ok(!access(path, F_OK), "which mends a link that leads nowhere");
	is_u64(sym_cache_add(cache, "[kernel.kallsyms]", &id, "kallsyms", fileno(f)), 0,
	       "a name in brackets");
	snprintf(path, sizeof(path), "%s/[kernel.kallsyms]/" HEX "/kallsyms", cache);
	ok(same_contents(path, "contents have changed"), "is a directory, too");
	ok(!stat(path, &st) && (st.st_mode & 0777) == 0600, "addresses are for the user alone");
	if (fchmod(fileno(f), 0750))
		abort();
	is_u64(sym_cache_add(cache, "/usr/bin/hidden", &id, "elf", fileno(f)), 0, "a hidden file");
	snprintf(path, sizeof(path), "%s/usr/bin/hidden/" HEX "/elf", cache);
	ok(!stat(path, &st) && (st.st_mode & 0777) == 0600, "is not for others to read");
	is_u64(sym_cache_add(cache, "/a/../../b", &id, "elf", fileno(f)), -EINVAL,
	       "a path that leads out is refused");
	is_u64(sym_cache_add("/dev/null", "/a", &id, "elf", fileno(f)), -ENOTDIR,
	       "no directory");
	fclose(f);
	snprintf(path, sizeof(path), "rm -r %s", dir);
	if (system(path))
		abort();
}

static void test_wanted_build(void)
{
	struct sym_elf e;

	is_u64(sym_elf_load(&e, SELF, NULL, &id), -ESTALE, "another build than the wanted one");
	is_u64(e.table.nr, 0, "nothing of it is read");
	is_u64(sym_elf_load(&e, SELF, NULL, NULL), 0, "any build");
	sym_elf_free(&e);
}

static void test_no_server(void)
{
	const struct sym_watch watch = { 0 };
	struct sym_debuginfod *s;
	char path[64];

	unsetenv("DEBUGINFOD_URLS");
	is_u64(sym_debuginfod_begin(&s, NULL, watch), -ENOENT, "no servers are known");
	ok(!s, "and nothing is begun");
	is_u64(sym_debuginfod_get(s, &id, true, path, sizeof(path)), -ENOENT, "none is asked");
	is_u64(sym_debuginfod_missing(s), 0, "which is no failure");
	ok(!sym_debuginfod_failure(s), "and has no reason");
	sym_debuginfod_end(s);
}

/**
 * main() - all tests
 *
 * Return: 0 if all pass, otherwise 1.
 */
int main(void)
{
	plan(0);
	test_paths();
	test_cache();
	test_wanted_build();
	test_no_server();
	return done();
}
