/* SPDX-License-Identifier: GPL-2.0-only */
/* Functions and modules of the running kernel, from /proc and /sys. */
#ifndef _SYMBOLS_KERNEL_H
#define _SYMBOLS_KERNEL_H

#include "elf_file.h"

/* A loaded module. */
struct sym_module {
	char name[64];		/* without brackets */
	__u64 start;		/* of its code */
	__u64 size;
	char path[256];		/* empty if its file was not found */
	struct sym_build_id build_id;
};

int sym_kallsyms_load(struct sym_table *t, const char *path);
int sym_kallsyms_range(__u64 *start, __u64 *end, char *ref, size_t len);
int sym_kernel_build_id(struct sym_build_id *id);
int sym_modules_load(struct sym_module **modules, size_t *nr);

#endif /* _SYMBOLS_KERNEL_H */
