/* SPDX-License-Identifier: GPL-2.0-only */
/* What was mapped where in which process, followed record by record, and the symbols there. */
#ifndef _SYMBOLS_SPACE_H
#define _SYMBOLS_SPACE_H

#include "elf_file.h"

#define SYM_COMM_LEN	16
#define SYM_KERNEL_NAME	"[kernel.kallsyms]"

/**
 * struct sym_dso - a file that code was mapped from
 * @name: its path, or a name in brackets
 * @build_id: as recorded
 * @tried: reading it was tried
 * @hit: sym_space_mark() found it
 * @stale: there is such a file, but it is another build
 * @elf: its contents, empty if it could not be read
 */
struct sym_dso {
	char *name;
	struct sym_build_id build_id;
	bool tried;
	bool hit;
	bool stale;
	struct sym_elf elf;
};

/**
 * struct sym_map - a range of addresses
 * @start: first address
 * @end: the first behind it
 * @pgoff: place in the file that @start shows
 * @dso: index of the file
 */
struct sym_map {
	__u64 start;
	__u64 end;
	__u64 pgoff;
	size_t dso;
};

/**
 * struct sym_process - a process, or the kernel
 * @pid: its number
 * @maps: its ranges by address, without overlap
 * @nr_maps: how many
 */
struct sym_process {
	__u32 pid;
	struct sym_map *maps;
	size_t nr_maps;
};

/**
 * struct sym_thread - a thread's name
 * @tid: its number
 * @comm: its name
 */
struct sym_thread {
	__u32 tid;
	char comm[SYM_COMM_LEN];
};

/**
 * struct sym_space - everything known at a moment of the recording
 * @dsos: files
 * @nr_dsos: how many
 * @processes: by pid
 * @nr_processes: how many
 * @threads: by tid
 * @nr_threads: how many
 * @kernel: the kernel's ranges
 * @kernel_table: the kernel's functions, from kallsyms
 * @kernel_tried: reading them was tried
 * @kernel_reloc: what the recorded kernel's addresses have to be lowered by to fit @vmlinux
 * @kernel_ref: address of @kernel_ref_name when it was recorded, 0 unknown
 * @kernel_ref_name: a symbol, "_text" or "_stext"
 * @kernel_build_id: of the kernel recorded, if known
 * @kernel_release: of the kernel recorded, empty if unknown
 * @vmlinux: a file to take the kernel's functions from, NULL: the usual places
 * @kallsyms: a copy of /proc/kallsyms to use, NULL: the running kernel's if it is the same
 * @out_of_memory: some symbols could not be read for lack of memory
 */
struct sym_space {
	struct sym_dso *dsos;
	size_t nr_dsos;
	struct sym_process *processes;
	size_t nr_processes;
	struct sym_thread *threads;
	size_t nr_threads;
	struct sym_process kernel;
	struct sym_table kernel_table;
	bool kernel_tried;
	__u64 kernel_reloc;
	__u64 kernel_ref;
	char kernel_ref_name[16];
	struct sym_build_id kernel_build_id;
	char kernel_release[65];
	const char *vmlinux;
	const char *kallsyms;
	bool out_of_memory;
};

/**
 * struct sym_location - where an address lies; the strings are valid until the space changes
 * @dso: path of the file, NULL if nothing was mapped there
 * @symbol: function, NULL if unknown
 * @offset: bytes from its start
 */
struct sym_location {
	const char *dso;
	const char *symbol;
	__u64 offset;
};

void sym_space_free(struct sym_space *sp);
int sym_space_comm(struct sym_space *sp, __u32 pid, __u32 tid, const char *comm, bool exec);
int sym_space_fork(struct sym_space *sp, __u32 pid, __u32 ppid, __u32 tid, __u32 ptid,
		   bool inherit);
int sym_space_map(struct sym_space *sp, bool kernel, __u32 pid, const struct sym_map *range,
		  const char *name, const struct sym_build_id *id);
int sym_space_set_build_id(struct sym_space *sp, const char *name, const struct sym_build_id *id);
const char *sym_space_comm_of(const struct sym_space *sp, __u32 pid, __u32 tid);
void sym_space_resolve(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
		       struct sym_location *loc);
void sym_space_mark(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr);
const char *sym_space_dso_of(const struct sym_space *sp, bool kernel, __u32 pid, __u64 addr);

#endif /* _SYMBOLS_SPACE_H */
