/* SPDX-License-Identifier: GPL-2.0-only */
/* Processes with what they have mapped, followed record by record, and the symbols there. */
#ifndef _SYMBOLS_SPACE_H
#define _SYMBOLS_SPACE_H

#include "debug.h"
#include "elf_file.h"
#include "jit.h"
#include "maps.h"

#define SYM_COMM_LEN	16
#define SYM_KERNEL_NAME	"[kernel.kallsyms]"
#define SYM_NO_DSO	((size_t)-1)
#define SYM_NR_MARKED	256

/* Which file a name referred to when it was mapped. */
struct sym_inode {
	bool known;
	bool several;			/* not always the same, all but the first are lost */
	__u32 maj, min;			/* of its device */
	__u64 ino;
};

/* A file from which code was mapped. */
struct sym_dso {
	char *name;			/* its path, or a name in brackets */
	size_t next;			/* index of another with the same hash, or SYM_NO_DSO */
	struct sym_build_id build_id;	/* as recorded */
	struct sym_inode inode;		/* as recorded, if some map had no build-id */
	bool kernel;			/* mapped by the kernel */
	bool jit;			/* no file: code that was made at run time */
	bool tried;			/* an attempt was made to read it */
	bool hit;			/* sym_space_mark() found it */
	bool stale;			/* there is only another build */
	bool debug_large;		/* its debug information exceeds the limit */
	int list_err;			/* why this list of compiled functions was not read, or 0 */
	__u64 list_bad;			/* its lines or records that were left out */
	char *path;			/* where it was found, NULL: nowhere, or in memory */
	struct sym_elf elf;		/* its contents, empty if it could not be read */
	bool debug_tried;		/* an attempt was made to read @debug */
	struct sym_debug *debug;	/* NULL: there is none */
};

/* A process. */
struct sym_process {
	__u32 pid;
	unsigned int nr_threads;	/* known to be alive */
	bool ended;			/* the last of them has exited */
	__u64 end_time;			/* when, in nanoseconds */
	__u64 era;			/* value of @changes since which @maps are the same */
	struct sym_maps *maps;
	struct sym_jit jit;		/* code that it made at run time */
};

/* A thread, kept with its name after its end. */
struct sym_thread {
	__u32 tid;
	__u32 pid;
	bool alive;			/* counted in @nr_threads of its process */
	const char *comm;		/* one of the space's, NULL: not known */
};

/* A process to be forgotten some time after its end. */
struct sym_end {
	__u64 time;			/* of its end, in nanoseconds */
	__u32 pid;
};

/* A range that sym_space_mark() found; as long as nothing changes, all of it is marked. */
struct sym_marked {
	__u64 start;
	__u64 size;
	__u64 owner;			/* a pid, or of the kernel */
	__u64 changes;			/* value of @changes at that time */
};

/* Everything known at a moment of the recording; zeroed it is empty. */
struct sym_space {
	struct sym_dso *dsos;
	size_t nr_dsos;
	size_t room_dsos;
	size_t *dso_hash;		/* index of the first file with each hash of a name */
	size_t nr_hash;			/* a power of 2, or 0 */
	struct sym_process *processes;	/* by pid */
	size_t nr_processes;
	size_t room_processes;
	struct sym_thread *threads;	/* by tid */
	size_t nr_threads;
	size_t room_threads;
	void *comms;			/* all names that threads had, a tree of tsearch() */
	struct sym_end *ends;		/* by time, from @first_end to @nr_ends */
	size_t first_end;
	size_t nr_ends;
	size_t room_ends;
	struct sym_jit_files jit_files;
	struct sym_sources sources;	/* where files are looked for; the caller's */
	struct sym_maps *kernel_maps;
	struct sym_table kernel_table;
	bool kernel_tried;		/* an attempt was made to read @kernel_table */
	bool kernel_relocated;		/* it is from a file; boot may have relocated it */
	bool kernel_moved;		/* @kernel_reloc is known */
	__u64 kernel_reloc;		/* recorded address - address in @kernel_table */
	__u64 kernel_ref;		/* recorded address of @kernel_ref_name, 0 unknown */
	char kernel_ref_name[16];	/* "_text" or "_stext" */
	struct sym_build_id kernel_build_id;
	char kernel_release[65];	/* of the recorded kernel, empty if unknown */
	bool no_debug;			/* debug information is not wanted */
	__u64 debug_size;		/* of the files with debug information that are open */
	char *kernel_path;		/* of the ELF file of @kernel_table, NULL: none */
	struct sym_build_id kernel_elf_id;
	bool kernel_stale;		/* there are only other builds of its file */
	bool kernel_debug_tried;	/* an attempt was made to read @kernel_debug */
	struct sym_debug *kernel_debug;	/* NULL: there is none */
	bool kernel_debug_large;	/* its debug information exceeds the limit */
	__u64 changes;			/* of names and maps so far */
	__u64 kernel_era;		/* value of it since which @kernel_maps are the same */
	struct sym_marked marked[SYM_NR_MARKED];	/* by owner and address */
	bool out_of_memory;		/* some symbols could not be read for lack of memory */
};

/* What is at an address; the strings stay as long as the space. */
struct sym_location {
	const char *dso;		/* path of the file, NULL if nothing was mapped */
	const char *symbol;		/* function, NULL if unknown */
	__u64 offset;			/* from its start */
};

/* The code at an address: what is equal has the same file and function at any time. */
struct sym_code {
	size_t dso;			/* index of the file, SYM_NO_DSO: nothing was mapped */
	__u64 offset;			/* in the file; in the kernel or no file the address */
	bool kernel;
};

/* task.c */
int sym_space_comm(struct sym_space *sp, __u32 pid, __u32 tid, const char *comm, bool exec);
int sym_space_fork(struct sym_space *sp, __u32 pid, __u32 ppid, __u32 tid, __u32 ptid,
		   bool inherit);
int sym_space_exit(struct sym_space *sp, __u32 pid, __u32 tid, __u64 time);
const char *sym_space_comm_of(const struct sym_space *sp, __u32 pid, __u32 tid);

/* space.c */
void sym_space_free(struct sym_space *sp);
int sym_space_map(struct sym_space *sp, bool kernel, __u32 pid, const struct sym_map *range,
		  const char *name, const struct sym_build_id *id);
int sym_space_set_inode(struct sym_space *sp, const char *name, const struct sym_inode *inode);
int sym_space_set_build_id(struct sym_space *sp, const char *name, const struct sym_build_id *id);
void sym_space_resolve(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
		       struct sym_location *loc);
void sym_space_mark(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr);
bool sym_space_code(const struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
		    struct sym_code *code);
const struct sym_map *sym_space_map_at(const struct sym_space *sp, bool kernel, __u32 pid,
				       __u64 addr);
const struct sym_frame *sym_space_frames(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
					 size_t *nr);
__u64 sym_space_era(const struct sym_space *sp, __u32 pid);
const char *sym_space_dso_of(const struct sym_space *sp, bool kernel, __u32 pid, __u64 addr);

#endif /* _SYMBOLS_SPACE_H */
