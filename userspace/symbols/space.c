// SPDX-License-Identifier: GPL-2.0-only
/* What is mapped at an address, in a process or in the kernel. */
#include "space.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"
#include "lookup.h"

/* is no pid */
#define KERNEL_OWNER	(~0ULL)

/** sym_space_free() - free everything in the space, which is empty afterwards */
void sym_space_free(struct sym_space *sp)
{
	size_t i;

	for (i = 0; i < sp->nr_dsos; i++) {
		free(sp->dsos[i].name);
		free(sp->dsos[i].path);
		sym_elf_free(&sp->dsos[i].elf);
		sym_debug_end(sp->dsos[i].debug);
	}
	for (i = 0; i < sp->nr_processes; i++) {
		sym_maps_put(sp->processes[i].maps);
		sym_jit_free(&sp->processes[i].jit);
	}
	sym_jit_free_files(&sp->jit_files);
	sym_maps_put(sp->kernel_maps);
	free(sp->dsos);
	free(sp->dso_hash);
	free(sp->processes);
	free(sp->threads);
	tdestroy(sp->comms, free);
	free(sp->ends);
	sym_table_free(&sp->kernel_table);
	sym_debug_end(sp->kernel_debug);
	free(sp->kernel_path);
	memset(sp, 0, sizeof(*sp));
}

/**
 * sym_space_map() - map a file, in the kernel or in a process
 * @sp: the space
 * @kernel: in the kernel; @pid is ignored
 * @pid: the process
 * @range: addresses and file offset; its @dso is ignored, and so is an empty range
 * @name: path of the file, or a name in brackets
 * @id: its build-id if known, else size 0
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_map(struct sym_space *sp, bool kernel, __u32 pid, const struct sym_map *range,
		  const char *name, const struct sym_build_id *id)
{
	struct sym_process *p = kernel ? NULL : sym_process_get(sp, pid);
	struct sym_map m = *range;

	if (!kernel && !p)
		return -ENOMEM;
	if (m.end <= m.start)
		return 0;
	if (sym_dso_get(sp, name, id, &m.dso) || (p && sym_jit_note(&p->jit, pid, name)))
		return -ENOMEM;
	sp->dsos[m.dso].kernel |= kernel;
	*(p ? &p->era : &sp->kernel_era) = ++sp->changes;
	return sym_maps_insert(kernel ? &sp->kernel_maps : &p->maps, &m);
}

/**
 * sym_space_set_inode() - note which file a name without a build-id refers to
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_set_inode(struct sym_space *sp, const char *name, const struct sym_inode *inode)
{
	const struct sym_build_id none = { 0 };
	struct sym_inode *old;
	size_t index;

	if (sym_dso_get(sp, name, &none, &index))
		return -ENOMEM;
	old = &sp->dsos[index].inode;
	if (!old->known)
		*old = *inode;
	else if (old->maj != inode->maj || old->min != inode->min || old->ino != inode->ino)
		old->several = true;
	return 0;
}

/**
 * sym_space_set_build_id() - set the build-id of a file, before or after sym_space_map()
 *
 * Return: 0 or -ENOMEM.
 */
int sym_space_set_build_id(struct sym_space *sp, const char *name, const struct sym_build_id *id)
{
	size_t index;

	if (!strcmp(name, SYM_KERNEL_NAME))
		sp->kernel_build_id = *id;
	return sym_dso_get(sp, name, id, &index);
}

/**
 * sym_space_map_at() - find what is mapped at an address
 *
 * Return: the range, valid until the space changes; NULL if nothing is mapped there.
 */
const struct sym_map *sym_space_map_at(const struct sym_space *sp, bool kernel, __u32 pid,
				       __u64 addr)
{
	const struct sym_process *p;

	if (kernel)
		return sym_maps_find(sp->kernel_maps, addr);
	p = sym_process_find(sp, pid);
	return p ? sym_maps_find(p->maps, addr) : NULL;
}

/**
 * sym_space_dso_of() - find the file mapped at an address without reading symbols
 *
 * Return: its path, NULL if nothing is mapped there.
 */
const char *sym_space_dso_of(const struct sym_space *sp, bool kernel, __u32 pid, __u64 addr)
{
	const struct sym_map *m = sym_space_map_at(sp, kernel, pid, addr);

	return m ? sp->dsos[m->dso].name : NULL;
}

/**
 * sym_space_code() - identify the code at an address, so that what sym_space_resolve() finds there
 * can be kept
 *
 * Return: false if it was made at run time, and another process has something else there.
 */
bool sym_space_code(const struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
		    struct sym_code *code)
{
	const struct sym_map *m = sym_space_map_at(sp, kernel, pid, addr);

	if (!kernel && m && sp->dsos[m->dso].jit)
		return false;
	*code = (struct sym_code){
		.dso = m ? m->dso : SYM_NO_DSO,
		.offset = m && !kernel ? addr - m->start + m->pgoff : addr,
		.kernel = kernel,
	};
	return true;
}

/**
 * sym_space_era() - a number of what a process and the kernel have mapped: as long as it is the
 * same, so is what sym_space_resolve() finds at each of their addresses
 */
__u64 sym_space_era(const struct sym_space *sp, __u32 pid)
{
	const struct sym_process *p = sym_process_find(sp, pid);

	if (!p)
		return sp->changes;
	return p->era > sp->kernel_era ? p->era : sp->kernel_era;
}

/** sym_space_mark() - set @hit of the file mapped at an address */
void sym_space_mark(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr)
{
	const __u64 owner = kernel ? KERNEL_OWNER : pid;
	struct sym_marked *seen = &sp->marked[(owner * 16 + (addr >> 20)) % SYM_NR_MARKED];
	const struct sym_map *m;

	if (seen->changes == sp->changes && seen->owner == owner && addr - seen->start < seen->size)
		return;
	m = sym_space_map_at(sp, kernel, pid, addr);
	if (!m)
		return;
	sp->dsos[m->dso].hit = true;
	*seen = (struct sym_marked){ m->start, m->end - m->start, owner, sp->changes };
}

/** sym_space_resolve() - find file and function at an address; unknown members of @loc are NULL */
void sym_space_resolve(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
		       struct sym_location *loc)
{
	const struct sym_map *m = sym_space_map_at(sp, kernel, pid, addr);

	memset(loc, 0, sizeof(*loc));
	if (m)
		loc->dso = sp->dsos[m->dso].name;
	if (kernel)
		sym_lookup_kernel(sp, addr, loc);
	else if (m && sp->dsos[m->dso].jit)
		sym_lookup_jit(sp, sym_process_find(sp, pid), addr, loc);
	else if (m)
		sym_lookup_user(sp, &sp->dsos[m->dso], addr - m->start + m->pgoff, loc);
}

/**
 * sym_space_frames() - find functions that were inlined at an address, and source lines
 * @nr: set to the number of frames
 *
 * Return: the frames, innermost first, of which the last is the function that
 * sym_space_resolve() finds; valid until the next lookup. Without debug information there are none.
 */
const struct sym_frame *sym_space_frames(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
					 size_t *nr)
{
	const struct sym_map *m = sym_space_map_at(sp, kernel, pid, addr);

	*nr = 0;
	if (sp->no_debug)
		return NULL;
	if (kernel)
		return sym_lookup_kernel_frames(sp, addr, nr);
	if (!m || sp->dsos[m->dso].jit)
		return NULL;
	return sym_lookup_user_frames(sp, &sp->dsos[m->dso], addr - m->start + m->pgoff, nr);
}
