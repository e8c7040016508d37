// SPDX-License-Identifier: GPL-2.0-only
/* Making FORK, COMM and MMAP records from /proc, as the kernel would have written them. */
#include "sampling.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include <linux/perf_event.h>

#include "../../perfdata/format.h"
#include "../../symbols/kernel.h"
#include "../../symbols/space.h"
#include "../ui/progress.h"

#define COMM_LEN	16
#define MAPS_LINE	(PATH_MAX + 128)
#define ANON_NAME	"//anon"
/* the size of a record has 16 bits */
#define NAME_MAX_LEN	(PATH_MAX - 1)
/* a process number that stands for the kernel */
#define KERNEL_PID	((__u32)-1)

static size_t begin(struct synth *s, __u32 type, __u16 misc)
{
	struct perf_event_header h = { .type = type, .misc = misc };
	size_t at = s->out->size;

	pd_blob_put(s->out, &h, sizeof(h));
	return at;
}

/* Close a record with an empty sample_id: id 0 and time 0, before everything recorded. */
static void end(struct synth *s, size_t at)
{
	const __u64 fields = s->sample_type &
		(PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_ID | PERF_SAMPLE_STREAM_ID |
		 PERF_SAMPLE_CPU | PERF_SAMPLE_IDENTIFIER);
	struct perf_event_header *h;

	pd_blob_put(s->out, NULL, __builtin_popcountll(fields) * sizeof(__u64));
	if (s->out->failed)
		return;
	h = (void *)(s->out->data + at);
	h->size = s->out->size - at;
}

static void put_comm(struct synth *s, __u32 pid, __u32 tid, const char *comm)
{
	size_t at = begin(s, PERF_RECORD_COMM, 0);

	pd_blob_put_u32(s->out, pid);
	pd_blob_put_u32(s->out, tid);
	pd_blob_put_padded(s->out, comm, PD_NAME_ALIGN);
	end(s, at);
}

static void put_fork(struct synth *s, __u32 pid, __u32 ppid, __u32 tid)
{
	/* MMAP records list all maps of the child: it must not inherit its parent's */
	size_t at = begin(s, PERF_RECORD_FORK, PERF_RECORD_MISC_FORK_EXEC);

	pd_blob_put_u32(s->out, pid);
	pd_blob_put_u32(s->out, ppid);
	pd_blob_put_u32(s->out, tid);
	/* a thread's parent is the first thread, a process's the first thread of its parent */
	pd_blob_put_u32(s->out, ppid);
	pd_blob_put_u64(s->out, 0);
	end(s, at);
}

static void put_kernel_mmap(struct synth *s, const struct sym_map *m, const char *name)
{
	size_t at = begin(s, PERF_RECORD_MMAP, PERF_RECORD_MISC_KERNEL);

	pd_blob_put_u32(s->out, KERNEL_PID);
	pd_blob_put_u32(s->out, 0);
	pd_blob_put_u64(s->out, m->start);
	pd_blob_put_u64(s->out, m->end - m->start);
	pd_blob_put_u64(s->out, m->pgoff);
	pd_blob_put_padded(s->out, name, PD_NAME_ALIGN);
	end(s, at);
}

/**
 * synth_kernel() - write where kernel and modules are mapped
 */
void synth_kernel(struct synth *s)
{
	char ref[sizeof("_stext")], name[PATH_MAX];
	struct sym_module *modules;
	struct sym_map m = { 0 };
	size_t i, nr;

	if (sym_kallsyms_range(&m.start, &m.end, ref, sizeof(ref))) {
		s->hidden = true;
		return;
	}
	if (!m.end)
		m.end = ULLONG_MAX;
	m.pgoff = m.start;
	snprintf(name, sizeof(name), "%s%s", SYM_KERNEL_NAME, ref);
	put_kernel_mmap(s, &m, name);
	if (sym_modules_load(&modules, &nr))
		return;
	for (i = 0; i < nr; i++) {
		m.start = modules[i].start;
		m.end = modules[i].start + modules[i].size;
		m.pgoff = 0;
		snprintf(name, sizeof(name), "%s", modules[i].path);
		if (!*name)
			snprintf(name, sizeof(name), "[%s]", modules[i].name);
		put_kernel_mmap(s, &m, name);
	}
	free(modules);
}

struct maps_line {
	unsigned long long start, end, pgoff, ino;
	unsigned int maj, min;
	char perms[5];
	char *path;
};

static bool parse_maps(char *line, struct maps_line *m)
{
	int at = 0;

	if (sscanf(line, "%llx-%llx %4s %llx %x:%x %llu %n", &m->start, &m->end, m->perms,
		   &m->pgoff, &m->maj, &m->min, &m->ino, &at) < 7 || !at)
		return false;
	m->path = line + at;
	m->path[strcspn(m->path, "\n")] = 0;
	if (!*m->path)
		m->path = ANON_NAME;
	return strlen(m->path) <= NAME_MAX_LEN;
}

/* Whether @path is the mapped file; if so read its id, if it has one. */
static bool read_build_id(const char *path, const struct maps_line *m, bool by_name,
			  struct sym_build_id *id)
{
	int fd = sym_elf_open(path);
	struct stat st;
	bool same;

	if (fd < 0)
		return false;
	same = !fstat(fd, &st) && st.st_ino == m->ino &&
	       (!by_name || st.st_dev == makedev(m->maj, m->min));
	if (same)
		sym_elf_build_id_fd(fd, id);
	close(fd);
	return same;
}

/*
 * The process may see other files under its paths.  The kernel's link to the mapped file is always
 * right; its device number is not compared, since that of maps may differ from stat()'s (btrfs,
 * overlayfs).  The link needs more than CAP_PERFMON; without it the path must do.
 */
static void mapped_build_id(__u32 pid, const struct maps_line *m, struct sym_build_id *id)
{
	char path[PATH_MAX + 64];

	snprintf(path, sizeof(path), "/proc/%u/map_files/%llx-%llx", pid, m->start, m->end);
	if (read_build_id(path, m, false, id))
		return;
	snprintf(path, sizeof(path), "/proc/%u/root%s", pid, m->path);
	read_build_id(path, m, true, id);
}

static __u32 prot_of(const char *perms)
{
	return (perms[0] == 'r' ? PROT_READ : 0) | (perms[1] == 'w' ? PROT_WRITE : 0) |
	       (perms[2] == 'x' ? PROT_EXEC : 0);
}

static void put_mmap2(struct synth *s, __u32 pid, const struct maps_line *m)
{
	struct sym_build_id id = { 0 };
	__u16 misc = PERF_RECORD_MISC_USER;
	__u8 field[4] = { 0 };
	size_t at;

	/* only files have an inode */
	if (s->build_ids && *m->path == '/' && m->ino)
		mapped_build_id(pid, m, &id);
	if (id.size)
		misc |= PD_MISC_BUILD_ID;
	at = begin(s, PERF_RECORD_MMAP2, misc);
	pd_blob_put_u32(s->out, pid);
	pd_blob_put_u32(s->out, pid);
	pd_blob_put_u64(s->out, m->start);
	pd_blob_put_u64(s->out, m->end - m->start);
	pd_blob_put_u64(s->out, m->pgoff);
	if (id.size) {
		field[0] = id.size;
		pd_blob_put(s->out, field, sizeof(field));
		pd_blob_put(s->out, id.id, sizeof(id.id));
	} else {
		pd_blob_put_u32(s->out, m->maj);
		pd_blob_put_u32(s->out, m->min);
		pd_blob_put_u64(s->out, m->ino);
		pd_blob_put_u64(s->out, 0);
	}
	pd_blob_put_u32(s->out, prot_of(m->perms));
	pd_blob_put_u32(s->out, m->perms[3] == 's' ? MAP_SHARED : MAP_PRIVATE);
	pd_blob_put_padded(s->out, m->path, PD_NAME_ALIGN);
	end(s, at);
}

static void put_maps(struct synth *s, pid_t pid)
{
	char path[64], line[MAPS_LINE];
	struct maps_line m;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/maps", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (parse_maps(line, &m) && m.perms[2] == 'x')
			put_mmap2(s, pid, &m);
	}
	if (f)
		fclose(f);
}

static bool comm_of(pid_t pid, const char *tid, char *comm)
{
	char path[64];
	bool found;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%.16s/comm", pid, tid);
	f = fopen(path, "re");
	if (!f)
		return false;
	found = fgets(comm, COMM_LEN, f);
	fclose(f);
	comm[found ? strcspn(comm, "\n") : 0] = 0;
	return found;
}

static pid_t parent_of(pid_t pid)
{
	char path[64], line[256];
	int parent = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/status", pid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		if (sscanf(line, "PPid: %d", &parent) == 1)
			break;
	}
	if (f)
		fclose(f);
	return parent;
}

/**
 * synth_process() - write a process, its threads and what it has mapped
 *
 * Return: 0, or -ESRCH if the process does not exist (any more).
 */
int synth_process(struct synth *s, pid_t pid)
{
	char path[64], comm[COMM_LEN];
	struct dirent *d;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	if (!dir)
		return -ESRCH;
	put_fork(s, pid, parent_of(pid), pid);
	while ((d = readdir(dir))) {
		pid_t tid = atoi(d->d_name);

		if (!isdigit(d->d_name[0]) || !comm_of(pid, d->d_name, comm))
			continue;
		if (tid != pid)
			put_fork(s, pid, pid, tid);
		put_comm(s, pid, tid, comm);
	}
	closedir(dir);
	put_maps(s, pid);
	return 0;
}

/**
 * synth_all_processes() - write all processes
 *
 * Return: 0, or -errno if /proc cannot be read.
 */
int synth_all_processes(struct synth *s)
{
	DIR *dir = opendir("/proc");
	struct progress shown = { 0 };
	struct dirent *d;
	__u64 nr = 0;

	if (!dir)
		return -errno;
	if (s->progress)
		progress_begin(&shown, "reading maps in", "/proc", "processes");
	while ((d = readdir(dir))) {
		if (!isdigit(d->d_name[0]))
			continue;
		synth_process(s, atoi(d->d_name));
		progress_step(&shown, ++nr, 0);
	}
	progress_end(&shown);
	closedir(dir);
	return 0;
}

/**
 * synth_target() - write the processes of the tasks that were given, each once; all for CPUs
 */
void synth_target(struct synth *s, const struct target *t)
{
	const struct target_task *tasks = t->opt.tasks;
	size_t i, k;

	if (!t->nr_tids)
		synth_all_processes(s);
	for (i = 0; i < t->opt.nr_tasks; i++) {
		for (k = 0; k < i && tasks[k].process != tasks[i].process; k++)
			;
		if (k == i && tasks[i].process)
			synth_process(s, tasks[i].process);
	}
}
