// SPDX-License-Identifier: GPL-2.0-only
/* Reading symbol tables when they are first needed: files, the vdso, the kernel. */
#include "lookup.h"

#include <elf.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "../util/util.h"
#include "debuginfod.h"
#include "internal.h"
#include "kernel.h"

#define KALLSYMS	"/proc/kallsyms"
#define VDSO_NAME	"[vdso]"
#define VDSO_MAX	(64 * 1024)

/* Size of the vdso's ELF image, which ends with its section headers. */
static size_t vdso_size(const Elf64_Ehdr *image)
{
	size_t size = image->e_shoff + (size_t)image->e_shnum * image->e_shentsize;

	return size > VDSO_MAX ? 0 : size;
}

static bool try_file(struct sym_space *sp, struct sym_dso *dso, const char *path)
{
	int err = sym_elf_load(&dso->elf, path, &sp->sources, &dso->build_id);

	sp->out_of_memory |= err == -ENOMEM;
	dso->stale |= err == -ESTALE;
	if (err)
		return false;
	dso->path = strdup(path);
	sp->out_of_memory |= !dso->path;
	return true;
}

static bool try_cached(struct sym_space *sp, struct sym_dso *dso, const char *what)
{
	char path[PATH_MAX];

	return sym_source_cached(&sp->sources, &dso->build_id, what, path, sizeof(path)) &&
	       try_file(sp, dso, path);
}

static bool try_server(struct sym_space *sp, struct sym_dso *dso)
{
	char path[PATH_MAX];

	return !sym_debuginfod_get(sp->sources.server, &dso->build_id, false, path,
				   sizeof(path)) && try_file(sp, dso, path);
}

static void load_file(struct sym_space *sp, struct sym_dso *dso)
{
	char path[PATH_MAX];

	if ((sym_source_path(&sp->sources, dso->name, path, sizeof(path)) &&
	     try_file(sp, dso, path)) || try_cached(sp, dso, "/elf") ||
	    /* as perf before 4.9 has it */
	    try_cached(sp, dso, "") || try_server(sp, dso))
		dso->stale = false;
}

static void load_vdso(struct sym_space *sp, struct sym_dso *dso)
{
	const void *image = (const void *)getauxval(AT_SYSINFO_EHDR);
	int err = image ? sym_elf_load_mem(&dso->elf, image, vdso_size(image)) : -ENOENT;

	sp->out_of_memory |= err == -ENOMEM;
	/* that of this machine */
	dso->stale = !err && dso->build_id.size &&
		     !sym_build_id_equal(&dso->build_id, &dso->elf.build_id);
	if (!dso->stale && (dso->build_id.size || !sp->sources.symfs))
		return;
	sym_elf_free(&dso->elf);
	if (try_cached(sp, dso, "/vdso"))
		dso->stale = false;
}

static void load_dso(struct sym_space *sp, struct sym_dso *dso)
{
	dso->tried = true;
	if (!strcmp(dso->name, VDSO_NAME))
		load_vdso(sp, dso);
	else if (dso->name[0] == '/' && dso->name[1] != '/')
		load_file(sp, dso);
}

static void fill(const struct sym_table *t, __u64 addr, struct sym_location *loc)
{
	const struct sym_symbol *s = sym_table_find(t, addr);

	if (!s)
		return;
	loc->symbol = sym_table_name(t, s);
	loc->offset = addr - s->start;
}

/** sym_lookup_user() - set symbol and offset of @loc to the function at an offset in a file */
void sym_lookup_user(struct sym_space *sp, struct sym_dso *dso, __u64 file_offset,
		     struct sym_location *loc)
{
	__u64 vaddr;

	if (!dso->tried)
		load_dso(sp, dso);
	if (sym_elf_vaddr(&dso->elf, file_offset, &vaddr))
		fill(&dso->elf.table, vaddr, loc);
}

/* Keep what was wrong with the lists, since their process may be forgotten. */
static int keep_faults(struct sym_space *sp, const struct sym_jit *j)
{
	const struct sym_build_id none = { 0 };
	unsigned int i;
	size_t index;

	for (i = 0; i < SYM_NR_JIT; i++) {
		const struct sym_jit_list *list = j->lists[i];

		if (!list || (!list->err && !list->nr_bad))
			continue;
		if (sym_dso_get(sp, list->path, &none, &index))
			return -ENOMEM;
		sp->dsos[index].list_err = list->err;
		sp->dsos[index].list_bad = list->nr_bad;
	}
	return 0;
}

/**
 * sym_lookup_jit() - set file, symbol and offset of @loc to code that a process made at run time
 *
 * They stay as they are where the process has listed none.
 */
void sym_lookup_jit(struct sym_space *sp, struct sym_process *p, __u64 addr,
		    struct sym_location *loc)
{
	struct sym_jit *j = &p->jit;
	unsigned int i;

	if (!j->tried && (sym_jit_load(j, &sp->jit_files, p->pid) || keep_faults(sp, j)))
		sp->out_of_memory = true;
	for (i = 0; i < SYM_NR_JIT && !loc->symbol; i++) {
		if (!j->lists[i])
			continue;
		fill(&j->lists[i]->table, addr, loc);
		if (loc->symbol)
			loc->dso = j->lists[i]->path;
	}
}

/* Check that the running kernel is the recorded one. */
static bool same_kernel(const struct sym_space *sp)
{
	struct sym_build_id id;
	struct utsname uts;

	/* of another machine */
	if (sp->sources.symfs)
		return false;
	if (sp->kernel_build_id.size && !sym_kernel_build_id(&id))
		return sym_build_id_equal(&id, &sp->kernel_build_id);
	return sp->kernel_release[0] && !uname(&uts) && !strcmp(uts.release, sp->kernel_release);
}

/* Read an ELF file; @asked: the user named it, so its build is not checked. */
static int load_vmlinux(struct sym_space *sp, const char *path, bool asked)
{
	struct sym_elf elf;
	int err;

	err = sym_elf_load(&elf, path, &sp->sources, asked ? NULL : &sp->kernel_build_id);
	sp->out_of_memory |= err == -ENOMEM;
	sp->kernel_stale |= err == -ESTALE;
	if (err)
		return err;
	sp->kernel_stale = false;
	sp->kernel_path = strdup(path);
	sp->kernel_elf_id = elf.build_id;
	sp->kernel_table = elf.table;
	sp->kernel_relocated = true;
	memset(&elf.table, 0, sizeof(elf.table));
	sym_elf_free(&elf);
	return 0;
}

/* Compute how far the recorded kernel was from the addresses in its file. */
static void find_reloc(struct sym_space *sp)
{
	const struct sym_table *t = &sp->kernel_table;
	size_t i;

	sp->kernel_moved = true;
	for (i = 0; sp->kernel_relocated && sp->kernel_ref && i < t->nr; i++) {
		if (!strcmp(sym_table_name(t, &t->symbols[i]), sp->kernel_ref_name))
			sp->kernel_reloc = sp->kernel_ref - t->symbols[i].start;
	}
}

static bool load_kallsyms(struct sym_space *sp, const char *path)
{
	int err = sym_kallsyms_load(&sp->kernel_table, path);

	sp->out_of_memory |= err == -ENOMEM;
	return !err;
}

static bool find_vmlinux(struct sym_space *sp)
{
	static const char *const formats[] = {
		"/usr/lib/debug/boot/vmlinux-%s", "/usr/lib/debug/lib/modules/%s/vmlinux",
		"/boot/vmlinux-%s", "/lib/modules/%s/build/vmlinux",
	};
	char name[256], path[PATH_MAX];
	unsigned int i;

	for (i = 0; sp->kernel_release[0] && i < ARRAY_SIZE(formats); i++) {
		snprintf(name, sizeof(name), formats[i], sp->kernel_release);
		if (sym_source_path(&sp->sources, name, path, sizeof(path)) &&
		    !load_vmlinux(sp, path, false))
			return true;
	}
	return false;
}

/* perf adds vmlinux as elf; kallsyms may be of another boot of the kernel. */
static bool find_cached_kernel(struct sym_space *sp)
{
	static const char *const names[] = { "/elf", "/vmlinux", "/debug" };
	const struct sym_build_id *id = &sp->kernel_build_id;
	char path[PATH_MAX];
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(names); i++) {
		if (sym_source_cached(&sp->sources, id, names[i], path, sizeof(path)) &&
		    !load_vmlinux(sp, path, false))
			return true;
	}
	sp->kernel_relocated = sym_source_cached(&sp->sources, id, "/kallsyms", path,
						 sizeof(path)) && load_kallsyms(sp, path);
	sp->kernel_stale &= !sp->kernel_relocated;
	return sp->kernel_relocated;
}

static void load_kernel(struct sym_space *sp)
{
	char path[PATH_MAX];

	sp->kernel_tried = true;
	if (same_kernel(sp) && load_kallsyms(sp, KALLSYMS))
		return;
	if (find_vmlinux(sp) || find_cached_kernel(sp))
		return;
	if (sp->sources.fetch_kernel &&
	    !sym_debuginfod_get(sp->sources.server, &sp->kernel_build_id, true, path,
				sizeof(path)))
		load_vmlinux(sp, path, false);
}

/**
 * sym_lookup_kernel_from() - read the kernel's functions from a file that the user named
 * @sp: the space, before the first lookup
 * @vmlinux: an ELF file, or NULL
 * @kallsyms: a copy of /proc/kallsyms, used if @vmlinux is NULL, or NULL
 *
 * Return: 0; -ENOMEM; -errno if the file cannot be read, -ENOEXEC if it is not of that kind,
 * -ENODATA if it has no function, or no addresses.
 */
int sym_lookup_kernel_from(struct sym_space *sp, const char *vmlinux, const char *kallsyms)
{
	int err = 0;

	if (vmlinux) {
		if (access(vmlinux, R_OK))
			return -errno;
		err = load_vmlinux(sp, vmlinux, true);
		if (err == -ENOENT)
			err = -ENOEXEC;
	} else if (kallsyms) {
		err = sym_kallsyms_load(&sp->kernel_table, kallsyms);
	}
	if (!err && (vmlinux || kallsyms))
		sp->kernel_tried = true;
	return !err && sp->kernel_tried && !sp->kernel_table.nr ? -ENODATA : err;
}

/** sym_lookup_kernel() - set symbol and offset of @loc to the kernel's function at an address */
void sym_lookup_kernel(struct sym_space *sp, __u64 addr, struct sym_location *loc)
{
	if (!sp->kernel_tried)
		load_kernel(sp);
	if (!sp->kernel_moved)
		find_reloc(sp);
	if (!loc->dso)
		loc->dso = SYM_KERNEL_NAME;
	fill(&sp->kernel_table, addr - sp->kernel_reloc, loc);
}
