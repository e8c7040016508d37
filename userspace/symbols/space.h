/* SPDX-License-Identifier: GPL-2.0-only */
/* What was mapped where in which process, followed record by record, and the symbols there. */
#ifndef _SYMBOLS_SPACE_H
#define _SYMBOLS_SPACE_H

#include "elf_file.h"
#include "maps.h"

#define SYM_COMM_LEN	16
#define SYM_KERNEL_NAME	"[kernel.kallsyms]"
#define SYM_NO_DSO	((size_t)-1)

/**
 * struct sym_dso - a file that code was mapped from
 * @name: its path, or a name in brackets
 * @next: index of another with the same hash of its name, SYM_NO_DSO: none
 * @build_id: as recorded
 * @kernel: the kernel has mapped it
 * @tried: reading it was tried
 * @hit: sym_space_mark() found it
 * @stale: there is such a file, but it is another build
 * @elf: its contents, empty if it could not be read
 */
struct sym_dso {
	char *name;
	size_t next;
	struct sym_build_id build_id;
	bool kernel;
	bool tried;
	bool hit;
	bool stale;
	struct sym_elf elf;
};

/**
 * struct sym_process - a process
 * @pid: its number
 * @nr_threads: threads known to live
 * @ended: the last of them has ended
 * @end_time: when, in nanoseconds
 * @maps: what is mapped, shared with other processes until either changes it
 */
struct sym_process {
	__u32 pid;
	unsigned int nr_threads;
	bool ended;
	__u64 end_time;
	struct sym_maps *maps;
};

/**
 * struct sym_thread - a thread, kept with its name after its end
 * @tid: its number
 * @pid: its process
 * @alive: counted among the threads of its process
 * @named: @comm is known
 * @comm: its name
 */
struct sym_thread {
	__u32 tid;
	__u32 pid;
	bool alive;
	bool named;
	char comm[SYM_COMM_LEN];
};

/**
 * struct sym_end - a process that is forgotten some time after its end
 * @time: when it ended, in nanoseconds
 * @pid: its number
 */
struct sym_end {
	__u64 time;
	__u32 pid;
};

/**
 * struct sym_space - everything known at a moment of the recording
 * @dsos: files
 * @nr_dsos: how many
 * @room_dsos: how many fit
 * @dso_hash: index of the first file with each hash of a name
 * @nr_hash: elements of @dso_hash, a power of 2, or 0
 * @processes: by pid
 * @nr_processes: how many
 * @room_processes: how many fit
 * @threads: by tid
 * @nr_threads: how many
 * @room_threads: how many fit
 * @ends: processes to be forgotten, by time
 * @first_end: the first of them
 * @nr_ends: the last, and one
 * @room_ends: how many fit
 * @kernel_maps: the kernel's ranges
 * @kernel_table: the kernel's functions, from kallsyms
 * @kernel_tried: reading them was tried
 * @kernel_vmlinux: they are from an ELF file, whose addresses may have been moved at boot
 * @kernel_moved: @kernel_reloc is known
 * @kernel_reloc: what the recorded kernel's addresses have to be lowered by to fit @vmlinux
 * @kernel_ref: address of @kernel_ref_name when it was recorded, 0 unknown
 * @kernel_ref_name: a symbol, "_text" or "_stext"
 * @kernel_build_id: of the kernel recorded, if known
 * @kernel_release: of the kernel recorded, empty if unknown
 * @out_of_memory: some symbols could not be read for lack of memory
 */
struct sym_space {
	struct sym_dso *dsos;
	size_t nr_dsos;
	size_t room_dsos;
	size_t *dso_hash;
	size_t nr_hash;
	struct sym_process *processes;
	size_t nr_processes;
	size_t room_processes;
	struct sym_thread *threads;
	size_t nr_threads;
	size_t room_threads;
	struct sym_end *ends;
	size_t first_end;
	size_t nr_ends;
	size_t room_ends;
	struct sym_maps *kernel_maps;
	struct sym_table kernel_table;
	bool kernel_tried;
	bool kernel_vmlinux;
	bool kernel_moved;
	__u64 kernel_reloc;
	__u64 kernel_ref;
	char kernel_ref_name[16];
	struct sym_build_id kernel_build_id;
	char kernel_release[65];
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
int sym_space_exit(struct sym_space *sp, __u32 pid, __u32 tid, __u64 time);
int sym_space_map(struct sym_space *sp, bool kernel, __u32 pid, const struct sym_map *range,
		  const char *name, const struct sym_build_id *id);
int sym_space_set_build_id(struct sym_space *sp, const char *name, const struct sym_build_id *id);
const char *sym_space_comm_of(const struct sym_space *sp, __u32 pid, __u32 tid);
void sym_space_resolve(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
		       struct sym_location *loc);
void sym_space_mark(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr);
const char *sym_space_dso_of(const struct sym_space *sp, bool kernel, __u32 pid, __u64 addr);

#endif /* _SYMBOLS_SPACE_H */
