/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading the two forms in which compilers list functions made at run time. */
#ifndef _SYMBOLS_JIT_LIST_H
#define _SYMBOLS_JIT_LIST_H

#include <stdio.h>

#include "elf_file.h"

int sym_jit_read_map(struct sym_table *t, FILE *f, __u64 size, __u64 *room, __u64 *nr_bad);
int sym_jit_read_dump(struct sym_table *t, FILE *f, __u64 size, __u64 *room, __u64 *nr_bad);

#endif /* _SYMBOLS_JIT_LIST_H */
