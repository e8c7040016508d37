// SPDX-License-Identifier: GPL-2.0-only
/* Functions and modules of a running kernel, the files of which are below a temporary directory. */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/symbols/kernel.h"
#include "userspace/symbols/lookup.h"

static const char *const roots[] = {
	"/proc/kallsyms", "/proc/iomem", "/proc/modules", "/sys/", "/lib/modules",
};

static char root[] = "/tmp/kernel_test.XXXXXX";
static const char *release = "1.2-test";

static const char *below_root(const char *path, char *changed)
{
	unsigned int i;

	for (i = 0; i < sizeof(roots) / sizeof(*roots); i++) {
		if (!strncmp(path, roots[i], strlen(roots[i]))) {
			snprintf(changed, PATH_MAX, "%s%s", root, path);
			return changed;
		}
	}
	return path;
}

/* These replace those of the C library. */
int open(const char *path, int flags, ...)
{
	char changed[PATH_MAX];
	unsigned int mode = 0;
	va_list ap;

	va_start(ap, flags);
	if (flags & O_CREAT)
		mode = va_arg(ap, unsigned int);
	va_end(ap);
	return syscall(SYS_openat, AT_FDCWD, below_root(path, changed), flags, mode);
}

FILE *fopen(const char *path, const char *mode)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	return fd < 0 ? NULL : fdopen(fd, mode);
}

int nftw(const char *path, __nftw_func_t visit, int nr_fds, int flags)
{
	__typeof__(nftw) *real = dlsym(RTLD_NEXT, "nftw");
	char changed[PATH_MAX];

	return real(below_root(path, changed), visit, nr_fds, flags);
}

int uname(struct utsname *uts)
{
	memset(uts, 0, sizeof(*uts));
	snprintf(uts->release, sizeof(uts->release), "%s", release);
	return 0;
}

/* Write a file below the directory. */
static void put_bytes(const char *path, const void *data, size_t size)
{
	char command[2 * PATH_MAX];
	int fd;

	snprintf(command, sizeof(command), "mkdir -p $(dirname %s%s)", root, path);
	if (system(command))
		abort();
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (fd < 0 || write(fd, data, size) != (ssize_t)size)
		abort();
	close(fd);
}

static void put(const char *path, const char *text)
{
	put_bytes(path, text, strlen(text));
}

static void drop(const char *path)
{
	char changed[PATH_MAX];

	if (unlink(below_root(path, changed)))
		abort();
}

/* A note of the GNU build-id @byte, @byte + 1. */
static void put_notes(const char *path, unsigned char byte)
{
	const unsigned char note[] = {
		4, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, byte, byte + 1, 0, 0,
	};

	put_bytes(path, note, sizeof(note));
}

static bool is_id(const struct sym_build_id *id, unsigned char byte)
{
	return id->size == 2 && id->id[0] == byte && id->id[1] == byte + 1;
}

/* ---- kallsyms ---- */

static const char kallsyms[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000040 t local\n"
	"nonsense\n"
	"ffffffff81000080 D data\n"
	"ffffffffc0001000 t of_module\t[mod_a]\n";

static const char hidden[] =
	"0000000000000000 T _text\n"
	"0000000000000000 T _stext\n";

static const char *name_at(const struct sym_table *t, __u64 addr)
{
	const struct sym_symbol *s = sym_table_find(t, addr);

	return s ? sym_table_name(t, s) : NULL;
}

static void test_kallsyms(void)
{
	struct sym_table t = { 0 };

	is_u64(sym_kallsyms_load(&t, "/proc/kallsyms"), -ENOENT, "kallsyms is missing");
	put("/proc/kallsyms", hidden);
	is_u64(sym_kallsyms_load(&t, "/proc/kallsyms"), -ENODATA, "addresses are hidden");
	put("/proc/kallsyms", kallsyms);
	is_u64(sym_kallsyms_load(&t, "/proc/kallsyms"), 0, "kallsyms is read");
	is_u64(t.nr, 3, "functions at three addresses");
	is_str(name_at(&t, 0xffffffff8100003f), "_stext", "one of the kernel");
	is_str(name_at(&t, 0xffffffff81000041), "local", "a static one, which data does not end");
	is_str(name_at(&t, 0xffffffffc0001000), "of_module", "one of a module");
	sym_table_free(&t);
}

static void test_range(void)
{
	char ref[16] = "";
	__u64 start, end;

	put("/proc/kallsyms", hidden);
	is_u64(sym_kallsyms_range(&start, &end, ref, sizeof(ref)), -EACCES, "a hidden range");
	put("/proc/kallsyms", kallsyms);
	is_u64(sym_kallsyms_range(&start, &end, ref, sizeof(ref)), 0, "the kernel's range");
	is_u64(start, 0xffffffff81000000, "its start");
	is_str(ref, "_text", "the first symbol there");
	is_u64(end, 0, "without the memory map the end is unknown");
	put("/proc/iomem", "00000000-00000000 : Kernel code\n");
	sym_kallsyms_range(&start, &end, ref, sizeof(ref));
	is_u64(end, 0, "as it is while the map is hidden");
	put("/proc/iomem", "00001000-0009ffff : System RAM\n"
	    "00100000-3fffffff : System RAM\n"
	    "  01000000-01abcfff : Kernel code\n"
	    "  01c00000-01ffffff : Kernel rodata\n");
	sym_kallsyms_range(&start, &end, ref, sizeof(ref));
	is_u64(end, 0xffffffff81abd000, "with it, it is known");
}

/* ---- modules ---- */

#define MODULES	"/lib/modules/1.2-test"

static const char modules[] =
	"mod_a 16384 2 mod_ab,last, Live 0xffffffffc0001000 (OE)\n"
	"mod_ab 8192 0 - Live 0xffffffffc0010000\n"
	"hidden 4096 0 - Live 0x0000000000000000\n"
	"nonsense\n"
	"last 100 0 - Loading 0xffffffffc0020000\n";

/* Lines as depmod writes them: one with what looks like another where a read of it ends. */
static void put_dependencies(void)
{
	char text[4096];
	int n = sprintf(text, "kernel/a/mod-a.ko.xz: kernel/b/last.ko kernel/b/mod_ab.ko\n"
			"kernel/b/mod_ab.ko:\nkernel/mod_b.ko.zst:\n");

	n += sprintf(text + n, "%0300d/last.ko:\n", 0);
	sprintf(text + n, "kernel/other.ko:%*skernel/evil/mod_a.ko: x\n",
		1199 - (int)strlen("kernel/other.ko:"), "");
	put(MODULES "/modules.dep", text);
}

static void expect_modules(const char *why, __u64 size, const char *path, unsigned char id)
{
	struct sym_module *m;
	char changed[PATH_MAX];
	size_t nr;

	is_u64(sym_modules_load(&m, &nr), 0, "modules are listed %s", why);
	is_u64(nr, 3, "those with an address");
	is_str(m[0].name, "mod_a", "a name");
	is_u64(m[0].start, 0xffffffffc0001000, "an address");
	is_u64(m[0].size, size, "a size");
	ok(!strcmp(m[0].path, path) || !strcmp(m[0].path, below_root(path, changed)),
	   "%s, from %s", path, m[0].path);
	ok(is_id(&m[0].build_id, id), "a build-id");
	ok(!m[1].build_id.size, "no build-id");
	is_str(m[2].path, "", "no path, rather than one that is cut");
	free(m);
}

static void test_modules(void)
{
	struct sym_module *m;
	char other[sizeof(modules)];
	size_t nr;

	is_u64(sym_modules_load(&m, &nr), 0, "a kernel without modules");
	is_u64(nr, 0, "has none");
	put("/proc/modules", modules);
	put_dependencies();
	put_notes("/sys/module/mod_a/notes/.note.gnu.build-id", 7);
	expect_modules("with their files", 16384, MODULES "/kernel/a/mod-a.ko.xz", 7);
	is_u64(sym_modules_load(&m, &nr), 0, "once more");
	is_str(m[1].path, MODULES "/kernel/b/mod_ab.ko", "a name that begins as another");
	free(m);

	/* what is found is kept until the list is another */
	put_notes("/sys/module/mod_a/notes/.note.gnu.build-id", 9);
	expect_modules("from memory", 16384, MODULES "/kernel/a/mod-a.ko.xz", 7);
	memcpy(other, modules, sizeof(other));
	memcpy(strstr(other, "16384"), "20480", 5);
	put("/proc/modules", other);
	expect_modules("since one has changed", 20480, MODULES "/kernel/a/mod-a.ko.xz", 9);

	/* depmod was not run */
	drop(MODULES "/modules.dep");
	put(MODULES "/extra/mod-a.ko.gz", "");
	put(MODULES "/extra/mod-a.conf", "");
	put("/proc/modules", modules);
	expect_modules("without depmod", 16384, MODULES "/extra/mod-a.ko.gz", 9);
}

/* ---- which kernel it is ---- */

/* A function of a space, by the running kernel's kallsyms, if that is the recorded one. */
static const char *function_of(const char *recorded, unsigned char id)
{
	static struct sym_space sp;
	struct sym_location loc = { 0 };

	sym_space_free(&sp);
	strcpy(sp.kernel_release, recorded);
	if (id)
		sp.kernel_build_id = (struct sym_build_id){ .size = 2, .id = { id, id + 1 } };
	sym_lookup_kernel(&sp, 0xffffffff81000044, &loc);
	if (loc.symbol)
		is_u64(loc.offset, 4, "an offset in the function");
	return loc.symbol;
}

static void test_same_kernel(void)
{
	is_str(function_of("1.2-test", 0), "local", "the release of this kernel");
	is_str(function_of("1.3-test", 0), NULL, "that of another");
	is_str(function_of("", 0), NULL, "none");
	is_str(function_of("1.2-test", 5), "local", "a build-id, where this kernel has none");
	put_notes("/sys/kernel/notes", 5);
	is_str(function_of("1.3-test", 5), "local", "the build-id decides where there is one");
	is_str(function_of("1.2-test", 6), NULL, "as for another build of the release");
	release = "7";
	is_str(function_of("7", 0), "local", "a release of one digit");
	release = "";
	is_str(function_of("", 0), NULL, "an empty one is unknown");
}

static void test_named(void)
{
	struct sym_space sp = { 0 };
	struct sym_location loc = { 0 };
	char path[PATH_MAX];

	is_u64(sym_lookup_kernel_from(&sp, NULL, NULL), 0, "no file is named");
	ok(!sp.kernel_tried, "so that others are tried later");
	is_u64(sym_lookup_kernel_from(&sp, "/nonexistent", NULL), -ENOENT, "a missing one");
	put("/sys/text", kallsyms);
	is_u64(sym_lookup_kernel_from(&sp, below_root("/sys/text", path), NULL), -ENOEXEC,
	       "text instead of ELF");
	put("/sys/text", hidden);
	is_u64(sym_lookup_kernel_from(&sp, NULL, "/sys/text"), -ENODATA, "hidden addresses");
	put("/sys/text", kallsyms);
	is_u64(sym_lookup_kernel_from(&sp, NULL, "/sys/text"), 0, "a copy of kallsyms");
	ok(sp.kernel_tried, "no other file is tried after it");
	sym_lookup_kernel(&sp, 0xffffffff81000044, &loc);
	is_str(loc.symbol, "local", "is used whatever the kernel");
	is_str(loc.dso, SYM_KERNEL_NAME, "for the kernel");
	sym_space_free(&sp);
}

/**
 * main() - all tests
 *
 * Return: 0 if all pass, otherwise 1.
 */
int main(void)
{
	char command[sizeof(root) + 8];

	plan(0);
	if (!mkdtemp(root))
		return 1;
	test_kallsyms();
	test_range();
	test_modules();
	test_same_kernel();
	test_named();
	snprintf(command, sizeof(command), "rm -r %s", root);
	return system(command) || done();
}
