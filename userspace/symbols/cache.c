// SPDX-License-Identifier: GPL-2.0-only
/* Adding files to perf's build-id cache. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sources.h"

#define COPY_CHUNK	65536
#define DIR_MODE	0755
#define FILE_MODE	0644
#define PRIVATE_MODE	0600

/* Make the directories in a path behind @at; what follows the last slash is none. */
static int make_dirs(char *path, size_t at)
{
	char *slash;

	for (slash = strchr(path + at, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = 0;
		if (*path && mkdir(path, DIR_MODE) && errno != EEXIST)
			return -errno;
		*slash = '/';
	}
	return 0;
}

/* Parts may be cloned, on file systems that can. */
static int copy(int from, int to)
{
	char buf[COPY_CHUNK];
	ssize_t n, done;
	off_t at = 0;

	while ((n = copy_file_range(from, &at, to, NULL, SSIZE_MAX, 0)) > 0)
		;
	/* files of /proc have no size, and other file systems refuse */
	while ((n = pread(from, buf, sizeof(buf), at)) > 0) {
		done = write(to, buf, n);
		if (done != n)
			return done < 0 ? -errno : -ENOSPC;
		at += n;
	}
	return n < 0 ? -errno : 0;
}

/* Others read no copy of what they may not read; the kernel hides addresses whatever the mode. */
static mode_t mode_of(int fd, const char *what)
{
	struct stat st;

	if (!strcmp(what, "kallsyms") || fstat(fd, &st) || !(st.st_mode & 0004))
		return PRIVATE_MODE;
	return FILE_MODE;
}

/* Under its name there is never a part of a file. */
static int put_file(const char *path, int from, mode_t mode)
{
	char *temp;
	int fd, err;

	if (asprintf(&temp, "%s.XXXXXX", path) < 0)
		return -ENOMEM;
	fd = mkostemp(temp, O_CLOEXEC);
	err = fd < 0 ? -errno : copy(from, fd);
	if (!err && (fchmod(fd, mode) || rename(temp, path)))
		err = -errno;
	if (fd >= 0)
		close(fd);
	if (fd >= 0 && err)
		unlink(temp);
	free(temp);
	return err;
}

/* The entry by build-id leads to the directory with the name of the file. */
static int put_link(const char *cache, const char *name, const char *hex)
{
	char path[PATH_MAX], target[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s/.build-id/%.2s/%s", cache, hex, hex + 2), err;
	int k = snprintf(target, sizeof(target), "../..%s%s/%s", *name == '/' ? "" : "/", name,
			 hex);

	if (n >= (int)sizeof(path) || k >= (int)sizeof(target))
		return -ENAMETOOLONG;
	err = make_dirs(path, strlen(cache));
	/* it may lead nowhere since a file was removed */
	if (err || !access(path, F_OK))
		return err;
	unlink(path);
	return !symlink(target, path) || errno == EEXIST ? 0 : -errno;
}

/**
 * sym_cache_add() - add a file to the cache, unless it is there
 * @cache: the directory, which is made if it does not exist
 * @name: path of the file, or a name in brackets
 * @what: elf, kallsyms or vdso
 * @fd: the file, which is read from its start
 *
 * Return: 0 or -errno; -EINVAL for a path that leads out of the cache.
 */
int sym_cache_add(const char *cache, const char *name, const struct sym_build_id *id,
		  const char *what, int fd)
{
	char path[PATH_MAX], hex[SYM_BUILD_ID_HEX];
	int err;

	if (strstr(name, "/../") || id->size < 2)
		return -EINVAL;
	sym_build_id_hex(id, hex);
	if (snprintf(path, sizeof(path), "%s%s%s/%s/%s", cache, *name == '/' ? "" : "/", name,
		     hex, what) >= (int)sizeof(path))
		return -ENAMETOOLONG;
	err = make_dirs(path, 0);
	if (!err && access(path, F_OK))
		err = put_file(path, fd, mode_of(fd, what));
	return err ? err : put_link(cache, name, hex);
}
