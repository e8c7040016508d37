/* SPDX-License-Identifier: GPL-2.0-only */
/* Whole functions: where one begins and ends in its file, and the source of its instructions. */
#ifndef _SYMBOLS_FUNCTION_H
#define _SYMBOLS_FUNCTION_H

#include "space.h"

/* The function at an address.  Addresses are those of its file, or as recorded without one. */
struct sym_function {
	size_t dso;		/* index of the file, SYM_NO_DSO: the kernel itself, or no file */
	bool kernel;
	__u64 addr;		/* that was looked up */
	__u64 start;
	__u64 end;		/* first address behind it, 0: unknown */
};

bool sym_function_find(struct sym_space *sp, bool kernel, __u32 pid, __u64 addr,
		       struct sym_location *loc, struct sym_function *f);
const char *sym_function_path(const struct sym_space *sp, const struct sym_function *f);
const struct sym_frame *sym_function_frames(struct sym_space *sp, const struct sym_function *f,
					    __u64 addr, size_t *nr);

#endif /* _SYMBOLS_FUNCTION_H */
