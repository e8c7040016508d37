// SPDX-License-Identifier: GPL-2.0-only
/* Whole functions: where one begins and ends in its file, and the source of its instructions. */
#include "function.h"

#include "lookup.h"

static bool in_file(const struct sym_space *sp, const struct sym_map *m, __u64 addr,
		    struct sym_function *f)
{
	if (!sym_elf_vaddr(&sp->dsos[m->dso].elf, addr - m->start + m->pgoff, &f->addr))
		return false;
	f->dso = m->dso;
	return true;
}

/**
 * sym_function_find() - find the function at an address
 * @loc: set as by sym_space_resolve()
 *
 * Return: false if none is known there.
 */
bool sym_function_find(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
		       struct sym_location *loc, struct sym_function *f)
{
	const struct sym_map *m = sym_space_map_at(sp, kernel, pid, addr);
	const struct sym_table *table = NULL;
	const struct sym_symbol *s;

	sym_space_resolve(sp, kernel, pid, addr, loc);
	if (!loc->symbol)
		return false;
	*f = (struct sym_function){ .dso = SYM_NO_DSO, .kernel = kernel, .addr = addr };
	if (kernel) {
		f->addr -= sp->kernel_reloc;
		table = &sp->kernel_table;
	} else if (m && in_file(sp, m, addr, f)) {
		table = &sp->dsos[m->dso].elf.table;
	}
	s = table ? sym_table_find(table, f->addr) : NULL;
	f->start = f->addr - loc->offset;
	f->end = s ? s->end : 0;
	return true;
}

/**
 * sym_function_path() - the ELF file that holds the code of a function, where it was found
 *
 * Return: its path, NULL if there is none or it is not known.
 */
const char *sym_function_path(const struct sym_space *sp, const struct sym_function *f)
{
	if (f->kernel)
		return sp->kernel_path;
	/* the vdso has no file */
	return f->dso != SYM_NO_DSO ? sp->dsos[f->dso].path : NULL;
}

/**
 * sym_function_frames() - as sym_space_frames(), for an address of a function as its file has it
 */
const struct sym_frame *sym_function_frames(struct sym_space *sp, const struct sym_function *f,
					    __u64 addr, size_t *nr)
{
	*nr = 0;
	if (f->kernel)
		return sym_lookup_kernel_frames(sp, addr + sp->kernel_reloc, nr);
	if (f->dso == SYM_NO_DSO)
		return NULL;
	return sym_lookup_file_frames(sp, &sp->dsos[f->dso], addr, nr);
}
