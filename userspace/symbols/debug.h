/* SPDX-License-Identifier: GPL-2.0-only */
/* Inlined functions and source lines of a file with debug information (DWARF). */
#ifndef _SYMBOLS_DEBUG_H
#define _SYMBOLS_DEBUG_H

#include <stdbool.h>
#include <stddef.h>
#include <linux/types.h>

/* A function that an address belongs to, since its code was inlined there or is there. */
struct sym_frame {
	const char *name;	/* of an inlined one; NULL: it is the function itself */
	const char *file;	/* of the source, NULL: unknown */
	unsigned int line;	/* 0: unknown */
};

struct sym_debug;

int sym_debug_begin(struct sym_debug **debug, int fd, int alt_fd);
void sym_debug_end(struct sym_debug *d);
int sym_debug_frames(struct sym_debug *d, __u64 vaddr, const struct sym_frame **frames,
		     size_t *nr);
bool sym_debug_cut(const struct sym_debug *d);

#endif /* _SYMBOLS_DEBUG_H */
