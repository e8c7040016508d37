// SPDX-License-Identifier: GPL-2.0-only
/* Functions, segments and build-ids of ELF files and debug files, read with libelf and libdw. */
#include "elf_file.h"

#include <elfutils/libdwelf.h>
#include <errno.h>
#include <fcntl.h>
#include <gelf.h>
#include <libgen.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include "../util/util.h"
#include "debuginfod.h"

#define DEBUG_DIR	"/usr/lib/debug"
#define CRC_CHUNK	65536

/*
 * libelf's own error numbers do not include allocation failures.  errno does, until a call fails
 * for another reason, so it is checked after each step.
 */
static int no_memory(void)
{
	return errno == ENOMEM ? -ENOMEM : 0;
}

/* Accept object files only, no archives; NULL for all else. */
static Elf *only_elf(Elf *elf)
{
	if (elf_kind(elf) == ELF_K_ELF)
		return elf;
	elf_end(elf);
	return NULL;
}

/**
 * sym_elf_open() - open a regular file by a path that may be hostile
 *
 * Opening a device can have side effects.  The path is first resolved without opening the file; the
 * descriptor then stays with that file, whatever the path names later.
 *
 * Return: a descriptor, or -1 if there is no such file or it is not a regular one.
 */
int sym_elf_open(const char *path)
{
	int named = open(path, O_PATH | O_CLOEXEC), fd = -1;
	char self[sizeof("/proc/self/fd/") + 3 * sizeof(named)];
	struct stat st;

	if (named < 0)
		return -1;
	snprintf(self, sizeof(self), "/proc/self/fd/%d", named);
	if (!fstat(named, &st) && S_ISREG(st.st_mode))
		fd = open(self, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	close(named);
	return fd;
}

static Elf *begin_fd(int fd)
{
	if (elf_version(EV_CURRENT) == EV_NONE)
		return NULL;
	/* read, not mapped: truncating the file at the same time does no harm */
	return only_elf(elf_begin(fd, ELF_C_READ, NULL));
}

static Elf *begin_path(const char *path, int *fd)
{
	Elf *elf;

	*fd = sym_elf_open(path);
	if (*fd < 0)
		return NULL;
	elf = begin_fd(*fd);
	if (!elf)
		close(*fd);
	return elf;
}

static void end_path(Elf *elf, int fd)
{
	elf_end(elf);
	close(fd);
}

/**
 * sym_notes_build_id() - find the build-id among ELF notes, as in /sys/kernel/notes
 *
 * Return: 0, or -ENOENT if there is none.
 */
int sym_notes_build_id(const void *notes, size_t size, struct sym_build_id *id)
{
	Elf_Data data = {
		.d_buf = (void *)notes, .d_type = ELF_T_NHDR, .d_version = EV_CURRENT,
		.d_size = size,
	};
	size_t at = 0, name, desc;
	GElf_Nhdr n;

	while ((at = gelf_getnote(&data, at, &n, &name, &desc))) {
		if (n.n_type != NT_GNU_BUILD_ID || n.n_namesz != sizeof(ELF_NOTE_GNU) ||
		    memcmp(notes + name, ELF_NOTE_GNU, sizeof(ELF_NOTE_GNU)) ||
		    !n.n_descsz || n.n_descsz > SYM_BUILD_ID_MAX)
			continue;
		memset(id, 0, sizeof(*id));
		id->size = n.n_descsz;
		memcpy(id->id, notes + desc, n.n_descsz);
		return 0;
	}
	return -ENOENT;
}

static int elf_build_id(Elf *elf, struct sym_build_id *id)
{
	const void *bytes;
	ssize_t size = dwelf_elf_gnu_build_id(elf, &bytes);

	memset(id, 0, sizeof(*id));
	if (size <= 0 || size > SYM_BUILD_ID_MAX)
		return -ENOENT;
	id->size = size;
	memcpy(id->id, bytes, size);
	return 0;
}

/**
 * sym_elf_build_id_fd() - read the build-id of an ELF file opened with sym_elf_open()
 *
 * Return: 0, or -ENOENT if it is no ELF file or has no id.
 */
int sym_elf_build_id_fd(int fd, struct sym_build_id *id)
{
	Elf *elf = begin_fd(fd);
	int err = -ENOENT;

	memset(id, 0, sizeof(*id));
	if (elf)
		err = elf_build_id(elf, id);
	elf_end(elf);
	return err;
}

/**
 * sym_elf_build_id() - read the build-id of an ELF file
 *
 * Return: 0, or -ENOENT if there is no such file or no id in it.
 */
int sym_elf_build_id(const char *path, struct sym_build_id *id)
{
	int fd = sym_elf_open(path), err;

	memset(id, 0, sizeof(*id));
	if (fd < 0)
		return -ENOENT;
	err = sym_elf_build_id_fd(fd, id);
	close(fd);
	return err;
}

/** sym_build_id_equal() - check that two build-ids are known and equal */
bool sym_build_id_equal(const struct sym_build_id *a, const struct sym_build_id *b)
{
	return a->size && a->size == b->size && !memcmp(a->id, b->id, a->size);
}

static void load_segments(struct sym_elf *e, Elf *elf)
{
	bool first = true;
	size_t i, nr;
	GElf_Phdr p;

	if (elf_getphdrnum(elf, &nr))
		return;
	for (i = 0; i < nr && e->nr_segments < SYM_MAX_SEGMENTS; i++) {
		if (!gelf_getphdr(elf, i, &p) || p.p_type != PT_LOAD)
			continue;
		/* they are in the order of their addresses */
		if (first)
			e->base = p.p_vaddr - p.p_offset;
		first = false;
		if (!(p.p_flags & PF_X))
			continue;
		e->segments[e->nr_segments].offset = p.p_offset;
		e->segments[e->nr_segments].vaddr = p.p_vaddr;
		e->segments[e->nr_segments++].size = p.p_filesz;
	}
}

/* In other sections a symbol may be anything, such as an offset in debug information. */
static bool is_in_code(Elf *elf, const GElf_Sym *sym)
{
	GElf_Shdr shdr;

	return gelf_getshdr(elf_getscn(elf, sym->st_shndx), &shdr) &&
	       shdr.sh_flags & SHF_EXECINSTR;
}

/* Labels of assembly are functions, too, such as _start of the dynamic linker. */
static bool is_label(Elf *elf, const GElf_Sym *sym)
{
	int seen = GELF_ST_VISIBILITY(sym->st_other);

	return GELF_ST_TYPE(sym->st_info) == STT_NOTYPE &&
	       (GELF_ST_BIND(sym->st_info) == STB_GLOBAL || seen == STV_DEFAULT ||
		seen == STV_PROTECTED) && is_in_code(elf, sym);
}

static bool is_function(Elf *elf, const GElf_Sym *sym, const char *name)
{
	int type = GELF_ST_TYPE(sym->st_info);

	if (sym->st_shndx == SHN_UNDEF || sym->st_shndx == SHN_ABS || !name || !*name)
		return false;
	return type == STT_FUNC || type == STT_GNU_IFUNC || is_label(elf, sym);
}

static int load_section(struct sym_table *t, Elf *elf, Elf_Scn *scn, const GElf_Shdr *shdr)
{
	Elf_Data *data = elf_getdata(scn, NULL);
	size_t i, nr;
	GElf_Sym sym;

	if (!data || !shdr->sh_entsize)
		return 0;
	nr = data->d_size / shdr->sh_entsize;
	for (i = 0; i < nr && i <= INT_MAX; i++) {
		const char *name;

		if (!gelf_getsym(data, i, &sym))
			break;
		name = elf_strptr(elf, shdr->sh_link, sym.st_name);
		if (is_function(elf, &sym, name) &&
		    sym_table_add(t, sym.st_value, sym.st_size, name))
			return -ENOMEM;
	}
	return 0;
}

static int load_symbols(struct sym_table *t, Elf *elf, GElf_Word type)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;

	while ((scn = elf_nextscn(elf, scn))) {
		if (gelf_getshdr(scn, &shdr) && shdr.sh_type == type &&
		    load_section(t, elf, scn, &shdr))
			return -ENOMEM;
	}
	return no_memory();
}

/* Check a file against the checksum in a debuglink. */
static bool has_crc(int fd, GElf_Word crc)
{
	unsigned char buf[CRC_CHUNK];
	uLong sum = crc32(0, NULL, 0);
	off_t at = 0;
	ssize_t n;

	while ((n = pread(fd, buf, sizeof(buf), at)) > 0) {
		sum = crc32(sum, buf, n);
		at += n;
	}
	return !n && sum == crc;
}

/*
 * What is wanted of a debug file: its functions, for @e, or a descriptor, if it has debug
 * information.
 */
struct wanted {
	struct sym_elf *e;
	const struct sym_sources *src;	/* NULL: of this machine */
	int *fd;		/* NULL: functions; -1 as long as none is found */
};

static bool found(const struct wanted *w)
{
	return w->fd ? *w->fd >= 0 : w->e->table.nr;
}

static bool has_debug_info(Elf *elf)
{
	Elf_Scn *scn = NULL;
	GElf_Shdr shdr;
	const char *name;
	size_t names;

	if (elf_getshdrstrndx(elf, &names))
		return false;
	while ((scn = elf_nextscn(elf, scn))) {
		if (!gelf_getshdr(scn, &shdr) || shdr.sh_type == SHT_NOBITS)
			continue;
		name = elf_strptr(elf, names, shdr.sh_name);
		if (name && !strcmp(name, ".debug_info"))
			return true;
	}
	return false;
}

/*
 * Take what is wanted from a debug file if it belongs to @w->e: if it has the same build-id, or,
 * where neither has one, the checksum in the debuglink.
 */
static int take_debug_file(const struct wanted *w, const char *path, const GElf_Word *crc)
{
	const struct sym_elf *e = w->e;
	struct sym_build_id id;
	int err, fd;
	Elf *elf = begin_path(path, &fd);

	if (!elf)
		return no_memory();
	elf_build_id(elf, &id);
	err = no_memory();
	if (!err && (sym_build_id_equal(&id, &e->build_id) ||
		     (!id.size && !e->build_id.size && crc && has_crc(fd, *crc)))) {
		if (!w->fd)
			err = load_symbols(&w->e->table, elf, SHT_SYMTAB);
		else if (has_debug_info(elf))
			*w->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	}
	end_path(elf, fd);
	return err;
}

static int take_by_build_id(const struct wanted *w)
{
	const struct sym_build_id *id = &w->e->build_id;
	char path[PATH_MAX];
	int err = 0;

	if (sym_source_debug(w->src, id, path, sizeof(path)))
		err = take_debug_file(w, path, NULL);
	if (!err && !found(w) && sym_source_cached(w->src, id, "/debug", path, sizeof(path)))
		err = take_debug_file(w, path, NULL);
	return err;
}

static int take_from_server(const struct wanted *w)
{
	char path[PATH_MAX];

	if (!w->src || sym_debuginfod_get(w->src->server, &w->e->build_id, true, path,
					  sizeof(path)))
		return 0;
	return take_debug_file(w, path, NULL);
}

static int take_by_link(const struct wanted *w, Elf *elf, const char *file)
{
	static const char *const formats[] = {
		"%.*s%s/%s", "%.*s%s/.debug/%s", "%.*s" DEBUG_DIR "%s/%s",
	};
	const char *root = w->src && w->src->symfs ? w->src->symfs : "";
	char copy[PATH_MAX], path[3 * PATH_MAX];
	int len = strlen(root);
	const char *dir, *name;
	unsigned int i;
	GElf_Word crc;
	int err;

	name = dwelf_elf_gnu_debuglink(elf, &crc);
	err = no_memory();
	/* a file name, not a path that leads elsewhere */
	if (!name || strchr(name, '/'))
		return err;
	snprintf(copy, sizeof(copy), "%s", file);
	dir = dirname(copy);
	/* otherwise it is in the cache */
	len = strncmp(dir, root, len) ? 0 : len;
	for (i = 0; !err && !found(w) && i < ARRAY_SIZE(formats); i++) {
		snprintf(path, sizeof(path), formats[i], len, root, dir + len, name);
		err = take_debug_file(w, path, &crc);
	}
	return err;
}

/* From where gdb looks for debug files, and from where perf has them. */
static int take_separate(const struct wanted *w, Elf *elf, const char *path)
{
	int err = take_by_build_id(w);

	if (!err && !found(w))
		err = take_by_link(w, elf, path);
	return err || found(w) ? err : take_from_server(w);
}

/* @want: of size 0: any build */
static int load_tables(struct sym_elf *e, Elf *elf, const char *path,
		       const struct sym_sources *src, const struct sym_build_id *want)
{
	const struct wanted w = { .e = e, .src = src };
	int err;

	elf_build_id(elf, &e->build_id);
	load_segments(e, elf);
	err = no_memory();
	if (!err && want->size && !sym_build_id_equal(want, &e->build_id))
		return -ESTALE;
	if (!err)
		err = load_symbols(&e->table, elf, SHT_SYMTAB);
	if (!err && !e->table.nr && path)
		err = take_separate(&w, elf, path);
	if (!err && !e->table.nr)
		err = load_symbols(&e->table, elf, SHT_DYNSYM);
	return err;
}

/* @elf: NULL if it could not be opened; the caller cleared errno before. */
static int load(struct sym_elf *e, Elf *elf, const char *path, const struct sym_sources *src,
		const struct sym_build_id *want)
{
	const struct sym_build_id any = { 0 };
	int err = no_memory();

	if (!err)
		err = elf ? load_tables(e, elf, path, src, want ? want : &any) : -ENOENT;
	if (err)
		sym_elf_free(e);
	else
		sym_table_sort(&e->table);
	return err;
}

/**
 * sym_elf_load() - read an ELF file, and its debug file
 * @src: where to look for the latter, NULL: where gdb does
 * @want: the build that it must be, NULL or of size 0: any
 *
 * Return: 0, -ENOENT if the file cannot be opened or is no ELF file, -ESTALE if it is another
 * build, -ENOMEM.
 */
int sym_elf_load(struct sym_elf *e, const char *path, const struct sym_sources *src,
		 const struct sym_build_id *want)
{
	int fd = -1, err;
	Elf *elf;

	memset(e, 0, sizeof(*e));
	errno = 0;
	elf = begin_path(path, &fd);
	err = load(e, elf, path, src, want);
	if (elf)
		end_path(elf, fd);
	return err;
}

/**
 * sym_elf_load_mem() - read an ELF file that is in memory, such as the vdso
 *
 * Return: 0, -ENOENT if it is no ELF file, -ENOMEM.
 */
int sym_elf_load_mem(struct sym_elf *e, const void *image, size_t size)
{
	Elf *elf = NULL;
	int err;

	memset(e, 0, sizeof(*e));
	errno = 0;
	if (elf_version(EV_CURRENT) != EV_NONE)
		elf = only_elf(elf_memory((char *)image, size));
	err = load(e, elf, NULL, NULL, NULL);
	elf_end(elf);
	return err;
}

/**
 * sym_elf_open_debug() - open the file with the debug information of one that was loaded
 * @path: of the latter
 * @src: where else to look, NULL: where gdb does
 *
 * Return: a descriptor, -ENOENT if there is none, -ENOMEM.
 */
int sym_elf_open_debug(struct sym_elf *e, const char *path, const struct sym_sources *src)
{
	int fd, err, found = -1;
	const struct wanted w = { .e = e, .src = src, .fd = &found };
	struct sym_build_id id;
	Elf *elf;

	errno = 0;
	elf = begin_path(path, &fd);
	err = no_memory();
	if (!elf)
		return err ? err : -ENOENT;
	elf_build_id(elf, &id);
	/* replaced after it was loaded */
	if (id.size != e->build_id.size || memcmp(id.id, e->build_id.id, id.size))
		err = -ENOENT;
	else if (has_debug_info(elf))
		found = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	else
		err = take_separate(&w, elf, path);
	end_path(elf, fd);
	if (err && found >= 0)
		close(found);
	return err ? err : found >= 0 ? found : -ENOENT;
}

/**
 * sym_elf_vaddr() - convert an offset in the file to an address as the file numbers them
 *
 * Return: false if the offset is not in code that is mapped.
 */
bool sym_elf_vaddr(const struct sym_elf *e, __u64 file_offset, __u64 *vaddr)
{
	unsigned int i;

	for (i = 0; i < e->nr_segments; i++) {
		const struct sym_segment *s = &e->segments[i];

		if (file_offset < s->offset || file_offset - s->offset >= s->size)
			continue;
		*vaddr = s->vaddr + (file_offset - s->offset);
		return true;
	}
	return false;
}

/** sym_elf_free() - free what was read; @e is empty afterwards */
void sym_elf_free(struct sym_elf *e)
{
	sym_table_free(&e->table);
	memset(e, 0, sizeof(*e));
}
