// SPDX-License-Identifier: GPL-2.0-only
/* The directory of the cgroup to observe. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <mntent.h>
#include <stdio.h>
#include <string.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "../util/message.h"
#include "target.h"

/* Where the cgroup v2 hierarchy is mounted first: below /sys/fs/cgroup, perhaps in unified. */
static bool find_mount(char mount[PATH_MAX])
{
	FILE *mounts = setmntent("/proc/self/mounts", "re");
	struct mntent *m = NULL;

	while (mounts && (m = getmntent(mounts)) && strcmp(m->mnt_type, "cgroup2"))
		;
	if (m)
		snprintf(mount, PATH_MAX, "%s", m->mnt_dir);
	if (mounts)
		endmntent(mounts);
	return m;
}

static int open_directory(const char *path)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

/* A name below the mount point, or else a path. */
static int open_cgroup(const char *mount, const char *name)
{
	char path[2 * PATH_MAX];
	int fd;

	snprintf(path, sizeof(path), "%s/%s", mount, name);
	fd = open_directory(path);
	return fd == -ENOENT && *name == '/' ? open_directory(name) : fd;
}

/**
 * target_open_cgroup() - open the directory of -G, if that was given
 *
 * Return: 0, or -errno after a message.
 */
int target_open_cgroup(struct target *t)
{
	struct message_word shown;
	char mount[PATH_MAX];
	struct statfs fs;

	if (!t->opt.cgroup || t->cgroup_fd >= 0)
		return 0;
	if (!find_mount(mount)) {
		TARGET_SAY(t, "-G: the cgroup v2 hierarchy is not mounted; mount it, such as with "
			   "'mount -t cgroup2 none /sys/fs/cgroup'");
		return -ENOENT;
	}
	shown = acrpmu_message_word(t->opt.cgroup, strlen(t->opt.cgroup));
	t->cgroup_fd = open_cgroup(mount, t->opt.cgroup);
	if (t->cgroup_fd < 0) {
		TARGET_SAY(t, "-G '%s': %s; give the path of a cgroup below %s", shown.text,
			   strerror(-t->cgroup_fd), mount);
		return t->cgroup_fd;
	}
	if (!fstatfs(t->cgroup_fd, &fs) && fs.f_type == CGROUP2_SUPER_MAGIC)
		return 0;
	TARGET_SAY(t, "-G '%s' is not a cgroup of the v2 hierarchy; give the path of one below %s",
		   shown.text, mount);
	return -EBADF;
}
