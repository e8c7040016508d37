/* SPDX-License-Identifier: GPL-2.0-only */
/* Reading the symbols of a mapped file or of the kernel when they are first needed. */
#ifndef _SYMBOLS_LOOKUP_H
#define _SYMBOLS_LOOKUP_H

#include "space.h"

void sym_lookup_user(struct sym_space *sp, struct sym_dso *dso, __u64 file_offset,
		     struct sym_location *loc);
void sym_lookup_jit(struct sym_space *sp, struct sym_process *p, __u64 addr,
		    struct sym_location *loc);
int sym_lookup_kernel_from(struct sym_space *sp, const char *vmlinux, const char *kallsyms);
void sym_lookup_kernel(struct sym_space *sp, __u64 addr, struct sym_location *loc);

/* frames.c */
const struct sym_frame *sym_lookup_file_frames(struct sym_space *sp, struct sym_dso *dso,
					       __u64 vaddr, size_t *nr);
const struct sym_frame *sym_lookup_user_frames(struct sym_space *sp, struct sym_dso *dso,
					       __u64 file_offset, size_t *nr);
const struct sym_frame *sym_lookup_kernel_frames(struct sym_space *sp, __u64 addr, size_t *nr);

#endif /* _SYMBOLS_LOOKUP_H */
