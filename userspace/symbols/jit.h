/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions that a process compiled at run time, from the files in which it lists them. */
#ifndef _SYMBOLS_JIT_H
#define _SYMBOLS_JIT_H

#include <stdbool.h>

#include "elf_file.h"

/* A file with functions. */
struct sym_jit_list {
	struct sym_table table;	/* at addresses of the process */
	char *path;		/* NULL: there is none */
	int err;		/* why it was not read, or 0 */
	__u64 nr_bad;		/* lines or records that were left out */
};

enum { SYM_JIT_MAP, SYM_JIT_DUMP, SYM_NR_JIT };

/* What a process has listed; zeroed it is empty. */
struct sym_jit {
	__u32 parent;		/* the process from which it has code, 0: none */
	char *dump;		/* path of its jitdump, NULL: none was mapped */
	bool tried;		/* an attempt was made to read @lists */
	struct sym_jit_list lists[SYM_NR_JIT];
};

bool sym_jit_is_code(const char *name);
int sym_jit_note(struct sym_jit *j, __u32 pid, const char *name);
int sym_jit_inherit(struct sym_jit *child, const struct sym_jit *parent, __u32 pid);
int sym_jit_load(struct sym_jit *j, __u32 pid);
void sym_jit_free(struct sym_jit *j);

#endif /* _SYMBOLS_JIT_H */
