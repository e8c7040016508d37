// SPDX-License-Identifier: GPL-2.0-only
/* Functions that a process compiled at run time, from the files in which it lists them. */
#include "jit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "jit_list.h"

#define MAP_FORMAT	"/tmp/perf-%u.map"
#define DUMP_FORMAT	"jit-%u.dump"
#define PATH_LEN	64
/* of a file; a guard against those that fill the memory */
#define BYTES_MAX	(1LL << 30)

/** sym_jit_is_code() - check that memory of this name in a recording may hold compiled code */
bool sym_jit_is_code(const char *name)
{
	return !strcmp(name, "//anon") || !strncmp(name, "[anon:", 6) ||
	       !strcmp(name, "[heap]") || !strncmp(name, "/memfd:", 7) ||
	       !strncmp(name, "/dev/zero", 9) || !strncmp(name, "/anon_hugepage", 14);
}

static void free_lists(struct sym_jit *j)
{
	unsigned int i;

	for (i = 0; i < SYM_NR_JIT; i++) {
		sym_table_free(&j->lists[i].table);
		free(j->lists[i].path);
		memset(&j->lists[i], 0, sizeof(j->lists[i]));
	}
}

static int set_dump(struct sym_jit *j, const char *path)
{
	j->dump = strdup(path);
	if (!j->dump)
		return -ENOMEM;
	free_lists(j);
	j->tried = false;
	return 0;
}

/**
 * sym_jit_note() - remember a mapped file if its name is that of the process's jitdump
 *
 * Return: 0 or -ENOMEM.
 */
int sym_jit_note(struct sym_jit *j, __u32 pid, const char *name)
{
	const char *slash = strrchr(name, '/');
	char wanted[PATH_LEN];

	snprintf(wanted, sizeof(wanted), DUMP_FORMAT, pid);
	if (!slash || strcmp(slash + 1, wanted) || j->dump)
		return 0;
	return set_dump(j, name);
}

/**
 * sym_jit_inherit() - begin with what the parent @pid had compiled before a fork
 *
 * Return: 0 or -ENOMEM.
 */
int sym_jit_inherit(struct sym_jit *child, const struct sym_jit *parent, __u32 pid)
{
	child->parent = parent->parent ? parent->parent : pid;
	return parent->dump ? set_dump(child, parent->dump) : 0;
}

/* Anyone may put a file into /tmp: take only those of this user or root, or any if this is root. */
static int check_trusted(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (geteuid() && st.st_uid && st.st_uid != geteuid())
		return -EPERM;
	return st.st_size > BYTES_MAX ? -EFBIG : 0;
}

static FILE *open_trusted(const char *path, int *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	FILE *f = NULL;

	*err = fd < 0 ? -errno : check_trusted(fd);
	if (!*err) {
		f = fdopen(fd, "r");
		*err = f ? 0 : -ENOMEM;
	}
	if (!f && fd >= 0)
		close(fd);
	return f;
}

/* Returns 0, or -ENOMEM. */
static int read_list(struct sym_jit_list *list, const char *path,
		     int (*read_it)(struct sym_table *t, FILE *f, __u64 *nr_bad))
{
	FILE *f = open_trusted(path, &list->err);

	if (f) {
		list->err = read_it(&list->table, f, &list->nr_bad);
		fclose(f);
	}
	sym_table_latest(&list->table);
	list->path = strdup(path);
	return list->path && list->err != -ENOMEM ? 0 : -ENOMEM;
}

/* Most processes have none. */
static int read_map(struct sym_jit *j, __u32 pid)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), MAP_FORMAT, pid);
	if (access(path, F_OK) && errno == ENOENT && j->parent && j->parent != pid)
		snprintf(path, sizeof(path), MAP_FORMAT, j->parent);
	if (access(path, F_OK) && errno == ENOENT)
		return 0;
	return read_list(&j->lists[SYM_JIT_MAP], path, sym_jit_read_map);
}

/**
 * sym_jit_load() - read what a process has listed, once
 *
 * Return: 0 or -ENOMEM.
 */
int sym_jit_load(struct sym_jit *j, __u32 pid)
{
	int err;

	if (j->tried)
		return 0;
	j->tried = true;
	err = read_map(j, pid);
	if (!err && j->dump)
		err = read_list(&j->lists[SYM_JIT_DUMP], j->dump, sym_jit_read_dump);
	return err;
}

/** sym_jit_free() - free what was read; it is empty afterwards */
void sym_jit_free(struct sym_jit *j)
{
	free_lists(j);
	free(j->dump);
	memset(j, 0, sizeof(*j));
}
