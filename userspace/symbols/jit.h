/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that a process compiled at run time, from the files in which it lists them. */
#ifndef _SYMBOLS_JIT_H
#define _SYMBOLS_JIT_H

#include <stdbool.h>

#include "elf_file.h"

/* A file with functions. */
struct sym_jit_list {
	struct sym_jit_list *next;
	struct sym_table table;	/* at addresses of the process */
	char *path;
	int err;		/* why it was not read, or 0 */
	__u64 nr_bad;		/* lines or records that were left out */
};

/* All files with functions, which forked processes share; zeroed it is empty. */
struct sym_jit_files {
	struct sym_jit_list *first;
	__u64 size;		/* of those that were read, in bytes */
	__u64 memory;		/* that their functions take, in bytes */
};

/* Where a function is looked up, in this order. */
enum { SYM_JIT_MAP, SYM_JIT_DUMP, SYM_JIT_PARENT_MAP, SYM_JIT_PARENT_DUMP, SYM_NR_JIT };

/* What a process has listed; zeroed it is empty. */
struct sym_jit {
	__u32 parent;		/* the process from which it has code, 0: none */
	char *parent_dump;	/* path of the jitdump in which that is listed, NULL: none */
	char *dump;		/* path of its own jitdump, NULL: none was mapped */
	bool tried;		/* an attempt was made to read @lists */
	const struct sym_jit_list *lists[SYM_NR_JIT];	/* NULL: there is none */
};

bool sym_jit_is_code(const char *name);
int sym_jit_note(struct sym_jit *j, __u32 pid, const char *name);
int sym_jit_inherit(struct sym_jit *child, const struct sym_jit *parent, __u32 pid);
int sym_jit_load(struct sym_jit *j, struct sym_jit_files *files, __u32 pid);
void sym_jit_free(struct sym_jit *j);
void sym_jit_free_files(struct sym_jit_files *files);

#endif /* _SYMBOLS_JIT_H */
