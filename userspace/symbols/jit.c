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
/* of all lists of a space: of the files, and of memory, of which short lines take more */
#define BYTES_MAX	(256ULL << 20)
#define MEMORY_MAX	(256ULL << 20)

typedef int (*read_list_t)(struct sym_table *t, FILE *f, __u64 size, __u64 *room, __u64 *nr_bad);

/** sym_jit_is_code() - check that memory of this name in a recording may hold compiled code */
bool sym_jit_is_code(const char *name)
{
	return !strcmp(name, "//anon") || !strncmp(name, "[anon:", 6) ||
	       !strcmp(name, "[heap]") || !strncmp(name, "/memfd:", 7) ||
	       !strncmp(name, "/dev/zero", 9) || !strncmp(name, "/anon_hugepage", 14);
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
	j->dump = strdup(name);
	j->tried = false;
	return j->dump ? 0 : -ENOMEM;
}

/**
 * sym_jit_inherit() - begin with what the parent @pid had compiled before a fork
 *
 * Return: 0 or -ENOMEM.
 */
int sym_jit_inherit(struct sym_jit *child, const struct sym_jit *parent, __u32 pid)
{
	const char *dump = parent->dump ? parent->dump : parent->parent_dump;

	child->parent = parent->parent ? parent->parent : pid;
	if (!dump)
		return 0;
	child->parent_dump = strdup(dump);
	return child->parent_dump ? 0 : -ENOMEM;
}

/* Anyone may put a file into /tmp: take only those of this user or root, while there is room. */
static int check_file(int fd, __u64 room, __u64 *size)
{
	struct stat st;

	if (fstat(fd, &st))
		return -errno;
	if (!S_ISREG(st.st_mode))
		return -EINVAL;
	if (st.st_uid && st.st_uid != geteuid())
		return -EPERM;
	*size = st.st_size;
	return *size > room ? -EFBIG : 0;
}

static FILE *open_checked(const char *path, __u64 room, __u64 *size, int *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	FILE *f = NULL;

	*err = fd < 0 ? -errno : check_file(fd, room, size);
	if (!*err) {
		f = fdopen(fd, "r");
		*err = f ? 0 : -ENOMEM;
	}
	if (!f && fd >= 0)
		close(fd);
	return f;
}

/* Returns 0, or -ENOMEM. */
static int read_list(struct sym_jit_files *files, struct sym_jit_list *list, read_list_t read_it)
{
	__u64 size = 0, room = MEMORY_MAX - files->memory;
	FILE *f = open_checked(list->path, BYTES_MAX - files->size, &size, &list->err);

	if (f) {
		files->size += size;
		list->err = read_it(&list->table, f, size, &room, &list->nr_bad);
		fclose(f);
	}
	if (list->err)
		sym_table_free(&list->table);
	else
		files->memory = MEMORY_MAX - room;
	sym_table_latest(&list->table);
	return list->err == -ENOMEM ? -ENOMEM : 0;
}

static struct sym_jit_list *add_list(struct sym_jit_files *files, const char *path)
{
	struct sym_jit_list *list = calloc(1, sizeof(*list));

	if (!list)
		return NULL;
	list->path = strdup(path);
	if (!list->path) {
		free(list);
		return NULL;
	}
	list->next = files->first;
	files->first = list;
	return list;
}

static const struct sym_jit_list *find_list(const struct sym_jit_files *files, const char *path)
{
	const struct sym_jit_list *list = files->first;

	while (list && strcmp(list->path, path))
		list = list->next;
	return list;
}

/* Read a file unless that was tried before; returns 0 or -ENOMEM. */
static int get_list(struct sym_jit_files *files, const char *path, read_list_t read_it,
		    const struct sym_jit_list **found)
{
	struct sym_jit_list *list;

	*found = find_list(files, path);
	if (*found)
		return 0;
	list = add_list(files, path);
	*found = list;
	return list ? read_list(files, list, read_it) : -ENOMEM;
}

/* Most processes have none. */
static int get_map(struct sym_jit_files *files, __u32 pid, const struct sym_jit_list **found)
{
	char path[PATH_LEN];

	snprintf(path, sizeof(path), MAP_FORMAT, pid);
	if (!find_list(files, path) && access(path, F_OK) && errno == ENOENT)
		return 0;
	return get_list(files, path, sym_jit_read_map, found);
}

static int get_dump(struct sym_jit_files *files, const char *path,
		    const struct sym_jit_list **found)
{
	return path ? get_list(files, path, sym_jit_read_dump, found) : 0;
}

/**
 * sym_jit_load() - find what a process has listed, once
 * @j: the process's
 * @files: where the files are read, each once
 * @pid: the process
 *
 * Return: 0 or -ENOMEM.
 */
int sym_jit_load(struct sym_jit *j, struct sym_jit_files *files, __u32 pid)
{
	int err;

	if (j->tried)
		return 0;
	j->tried = true;
	err = get_map(files, pid, &j->lists[SYM_JIT_MAP]);
	if (!err)
		err = get_dump(files, j->dump, &j->lists[SYM_JIT_DUMP]);
	if (!err && j->parent)
		err = get_map(files, j->parent, &j->lists[SYM_JIT_PARENT_MAP]);
	if (!err)
		err = get_dump(files, j->parent_dump, &j->lists[SYM_JIT_PARENT_DUMP]);
	return err;
}

/** sym_jit_free() - free what is kept of a process, without the files; it is empty afterwards */
void sym_jit_free(struct sym_jit *j)
{
	free(j->parent_dump);
	free(j->dump);
	memset(j, 0, sizeof(*j));
}

/** sym_jit_free_files() - free what was read; it is empty afterwards */
void sym_jit_free_files(struct sym_jit_files *files)
{
	struct sym_jit_list *list, *next;

	for (list = files->first; list; list = next) {
		next = list->next;
		sym_table_free(&list->table);
		free(list->path);
		free(list);
	}
	memset(files, 0, sizeof(*files));
}
