// SPDX-License-Identifier: GPL-2.0-only
/* Functions and modules of the running kernel, with their build-ids. */
#include "kernel.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#define KALLSYMS_FILE	"/proc/kallsyms"
#define IOMEM_FILE	"/proc/iomem"
#define MODULES_FILE	"/proc/modules"
#define DEPMOD_FILE	"modules.dep"
#define KERNEL_NOTES	"/sys/kernel/notes"
#define NOTES_MAX	65536
#define LINE_MAX_LEN	1200
#define SYMBOL_LEN	1024	/* the kernel's own limit is 512 */
#define FTW_FDS		16

/* Read the next symbol of kallsyms; false at the end of the file. */
static bool next_symbol(FILE *f, __u64 *addr, char *type, char *name)
{
	char line[LINE_MAX_LEN];
	unsigned long long value;

	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%llx %c %1023s", &value, type, name) != 3)
			continue;
		*addr = value;
		return true;
	}
	return false;
}

/**
 * sym_kallsyms_load() - read functions of kernel and modules from /proc/kallsyms or a copy of it
 *
 * Return: 0, -errno if it cannot be read, -ENODATA if it has no function, or the kernel hides all
 * addresses.
 */
int sym_kallsyms_load(struct sym_table *t, const char *path)
{
	char name[SYMBOL_LEN], type;
	FILE *f = fopen(path, "re");
	int err = 0;
	__u64 addr;

	if (!f)
		return -errno;
	errno = 0;
	while (!err && next_symbol(f, &addr, &type, name)) {
		if (addr && tolower(type) == 't')
			err = sym_table_add(t, addr, 0, name);
	}
	if (!err && ferror(f))
		err = errno ? -errno : -EIO;
	fclose(f);
	if (!err && !t->nr)
		err = -ENODATA;
	if (err)
		sym_table_free(t);
	else
		sym_table_sort(t);
	return err;
}

/*
 * Size of the kernel's code by the memory map, 0 if unknown.  The symbol at its end would do, but
 * reading the 100,000 symbols before it takes seconds on a slow machine.
 */
static __u64 code_size(void)
{
	FILE *f = fopen(IOMEM_FILE, "re");
	unsigned long long first, last;
	char line[LINE_MAX_LEN];
	__u64 size = 0;

	while (f && !size && fgets(line, sizeof(line), f)) {
		if (strstr(line, ": Kernel code") &&
		    sscanf(line, "%llx-%llx", &first, &last) == 2 && last > first)
			size = last - first + 1;
	}
	if (f)
		fclose(f);
	return size;
}

/**
 * sym_kallsyms_range() - find the code of the running kernel
 * @start: its first address
 * @end: the first address behind it, 0 if unknown
 * @ref: name of the symbol at @start
 * @len: size of @ref
 *
 * Return: 0, -errno if it cannot be read, -EACCES if the kernel hides all addresses.
 */
int sym_kallsyms_range(__u64 *start, __u64 *end, char *ref, size_t len)
{
	FILE *f = fopen(KALLSYMS_FILE, "re");
	char name[SYMBOL_LEN], type;
	__u64 addr, size;

	if (!f)
		return -errno;
	*start = 0;
	*end = 0;
	while (!*start && next_symbol(f, &addr, &type, name)) {
		if (strcmp(name, "_text") && strcmp(name, "_stext"))
			continue;
		/* hidden addresses are 0 */
		if (!addr)
			break;
		*start = addr;
		snprintf(ref, len, "%s", name);
	}
	fclose(f);
	if (!*start)
		return -EACCES;
	size = code_size();
	*end = size ? *start + size : 0;
	return 0;
}

static int notes_of(const char *path, struct sym_build_id *id)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	char *buf = NULL;
	ssize_t n = -1;

	memset(id, 0, sizeof(*id));
	if (fd < 0)
		return -errno;
	buf = malloc(NOTES_MAX);
	if (buf)
		n = read(fd, buf, NOTES_MAX);
	close(fd);
	n = n < 0 ? -ENOENT : sym_notes_build_id(buf, n, id);
	free(buf);
	return n;
}

/**
 * sym_kernel_build_id() - read the build-id of the running kernel
 *
 * Return: 0 or -errno.
 */
int sym_kernel_build_id(struct sym_build_id *id)
{
	return notes_of(KERNEL_NOTES, id);
}

static bool parse_module(const char *line, struct sym_module *m)
{
	unsigned long long size, start;

	memset(m, 0, sizeof(*m));
	/* name size users dependencies state address */
	if (sscanf(line, "%63s %llu %*s %*s %*s %llx", m->name, &size, &start) != 3 || !start)
		return false;
	m->size = size;
	m->start = start;
	return true;
}

/* nftw() has no argument for its callback. */
static struct {
	struct sym_module *modules;
	size_t nr;
} walk;

/* Names of modules have underscores where those of files may have dashes. */
static bool same_module(const char *file, const char *name)
{
	for (; *name; file++, name++) {
		if (*file != *name && !(*file == '-' && *name == '_'))
			return false;
	}
	return !strncmp(file, ".ko", 3);
}

static int visit(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	size_t i;

	(void)st;
	if (type != FTW_F)
		return 0;
	for (i = 0; i < walk.nr; i++) {
		if (same_module(path + ftw->base, walk.modules[i].name))
			snprintf(walk.modules[i].path, sizeof(walk.modules[i].path), "%s", path);
	}
	return 0;
}

static void note_path(struct sym_module *modules, size_t nr, const char *dir, const char *file)
{
	const char *base = strrchr(file, '/');
	size_t i;

	base = base ? base + 1 : file;
	for (i = 0; i < nr; i++) {
		char *path = modules[i].path;

		/* rather none than one that is cut */
		if (same_module(base, modules[i].name) &&
		    snprintf(path, sizeof(modules[i].path), "%s/%s", dir, file) >=
		    (int)sizeof(modules[i].path))
			*path = 0;
	}
}

/*
 * depmod has listed the files that modprobe loads: to ask the file system for each of some 4000
 * would cost ten times what else a short recording does.
 */
static bool find_listed(struct sym_module *modules, size_t nr, const char *dir)
{
	char path[256 + sizeof(DEPMOD_FILE)], line[LINE_MAX_LEN];
	bool begins = true;
	FILE *f;

	snprintf(path, sizeof(path), "%s/" DEPMOD_FILE, dir);
	f = fopen(path, "re");
	if (!f)
		return false;
	/* file: files that it needs */
	while (fgets(line, sizeof(line), f)) {
		size_t len = strcspn(line, ":");

		if (begins && line[len]) {
			line[len] = 0;
			note_path(modules, nr, dir, line);
			line[len] = ':';
		}
		begins = strchr(line + len, '\n');
	}
	fclose(f);
	return true;
}

static void find_files(struct sym_module *modules, size_t nr)
{
	char dir[256], path[256];
	struct utsname uts;
	size_t i;

	if (uname(&uts))
		return;
	snprintf(dir, sizeof(dir), "/lib/modules/%s", uts.release);
	if (!find_listed(modules, nr, dir)) {
		walk.modules = modules;
		walk.nr = nr;
		nftw(dir, visit, FTW_FDS, FTW_PHYS);
	}
	for (i = 0; i < nr; i++) {
		snprintf(path, sizeof(path), "/sys/module/%s/notes/.note.gnu.build-id",
			 modules[i].name);
		notes_of(path, &modules[i].build_id);
	}
}

/* Modules that were listed last, with what find_files() found. */
static struct {
	struct sym_module *modules;
	size_t nr;
} last;

static bool same_as_last(const struct sym_module *modules, size_t nr)
{
	size_t i;

	if (nr != last.nr)
		return false;
	for (i = 0; i < nr; i++) {
		const struct sym_module *m = &last.modules[i];

		if (m->start != modules[i].start || m->size != modules[i].size ||
		    strcmp(m->name, modules[i].name))
			return false;
	}
	return true;
}

static void keep_as_last(const struct sym_module *modules, size_t nr)
{
	struct sym_module *copy = reallocarray(last.modules, nr, sizeof(*copy));

	if (!copy)
		return;
	memcpy(copy, modules, nr * sizeof(*copy));
	last.modules = copy;
	last.nr = nr;
}

/**
 * sym_modules_load() - list the loaded modules, unless the kernel hides their addresses
 *
 * The caller frees @modules.
 *
 * Return: 0, or -errno if they cannot be read.
 */
int sym_modules_load(struct sym_module **modules, size_t *nr)
{
	FILE *f = fopen(MODULES_FILE, "re");
	struct sym_module m, *more;
	char line[LINE_MAX_LEN];

	*modules = NULL;
	*nr = 0;
	if (!f)
		return errno == ENOENT ? 0 : -errno;
	while (fgets(line, sizeof(line), f)) {
		if (!parse_module(line, &m))
			continue;
		more = reallocarray(*modules, *nr + 1, sizeof(m));
		if (!more)
			break;
		*modules = more;
		more[(*nr)++] = m;
	}
	fclose(f);
	if (!*nr)
		return 0;
	if (same_as_last(*modules, *nr)) {
		memcpy(*modules, last.modules, *nr * sizeof(**modules));
		return 0;
	}
	find_files(*modules, *nr);
	keep_as_last(*modules, *nr);
	return 0;
}
