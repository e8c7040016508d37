// SPDX-License-Identifier: GPL-2.0-only
/* The name of a recording: what may exist under it, and how the file gets it. */
#include "record.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define OLD_SUFFIX	".old"
#define TEMP_SUFFIX	".XXXXXX"

static const char *kind_of(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFDIR:
		return "a directory";
	case S_IFLNK:
		return "a symbolic link that leads nowhere";
	case S_IFIFO:
		return "a pipe";
	case S_IFSOCK:
		return "a socket";
	}
	return "a device";
}

/* The new name for an earlier recording, if there is one. */
static bool old_name(const char *path, char *old, size_t len)
{
	struct stat st;

	if (stat(path, &st) || !S_ISREG(st.st_mode) || !st.st_size)
		return false;
	snprintf(old, len, "%s" OLD_SUFFIX, path);
	return true;
}

static int refuse_old(const char *path, const char *old, const char *why)
{
	fprintf(stderr,
		"acrctl: record: the earlier recording %s cannot become %s: %s; move one of them away, or name another file with -o\n",
		path, old, why);
	return -EEXIST;
}

/**
 * record_publish_check() - refuse what cannot become a recording, before anything is done
 *
 * A file that does not exist or cannot be seen is left to record_publish_create().
 *
 * Return: 0, or -errno after a message.
 */
int record_publish_check(const struct record *r)
{
	char old[PATH_MAX + sizeof(OLD_SUFFIX)];
	const char *path = r->opt.output;
	struct stat st;

	if (r->opt.stream || r->opt.fd >= 0 || (stat(path, &st) && lstat(path, &st)))
		return 0;
	if (!S_ISREG(st.st_mode)) {
		fprintf(stderr,
			"acrctl: record: %s is %s, and a recording has to be a regular file; name another file with -o\n",
			path, kind_of(st.st_mode));
		return -EINVAL;
	}
	if (old_name(path, old, sizeof(old)) && !lstat(old, &st) && S_ISDIR(st.st_mode))
		return refuse_old(path, old, "this is a directory");
	return 0;
}

/**
 * record_publish_create() - open a new file, standard output, or a file without a name
 *
 * Until record_publish_rename() the file has a temporary name, so that a recording that fails
 * leaves earlier ones alone.
 *
 * Return: 0 or -errno.
 */
int record_publish_create(struct record *r)
{
	int err;

	if (r->opt.stream || r->opt.fd >= 0) {
		r->file_fd = fcntl(r->opt.stream ? STDOUT_FILENO : r->opt.fd, F_DUPFD_CLOEXEC, 0);
		return r->file_fd < 0 ? -errno : 0;
	}
	if (asprintf(&r->temp, "%s" TEMP_SUFFIX, r->opt.output) < 0) {
		r->temp = NULL;
		return -ENOMEM;
	}
	r->file_fd = mkostemp(r->temp, O_CLOEXEC);
	if (r->file_fd >= 0)
		return 0;
	err = -errno;
	free(r->temp);
	r->temp = NULL;
	return err;
}

/**
 * record_publish_rename() - give the file its name, now that recording has begun
 *
 * An earlier recording is kept under another name, as perf does.
 *
 * Return: 0, or -errno after a message; an earlier recording is then still there.
 */
int record_publish_rename(struct record *r)
{
	char old[PATH_MAX + sizeof(OLD_SUFFIX)];
	const char *path = r->opt.output;
	int err;

	if (!r->temp)
		return 0;
	if (old_name(path, old, sizeof(old)) && rename(path, old))
		return refuse_old(path, old, strerror(errno));
	if (rename(r->temp, path)) {
		err = -errno;
		fprintf(stderr, "acrctl: record: %s: %s; name another file with -o\n", path,
			strerror(-err));
		return err;
	}
	free(r->temp);
	r->temp = NULL;
	return 0;
}

/**
 * record_publish_discard() - remove a file that was not published
 */
void record_publish_discard(struct record *r)
{
	if (r->temp)
		unlink(r->temp);
	free(r->temp);
	r->temp = NULL;
}
