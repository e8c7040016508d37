/* SPDX-License-Identifier: GPL-2.0-only */
/* The instructions between two addresses of a file, by objdump. */
#ifndef _ACRCTL_ANNOTATE_OBJDUMP_H
#define _ACRCTL_ANNOTATE_OBJDUMP_H

#include <linux/types.h>

/* What to disassemble. */
struct objdump {
	const char *program;		/* path, or a name to be found in $PATH */
	const char *path;		/* of the ELF file */
	const char *style;		/* as objdump -M takes it, NULL: the default */
	__u64 start, end;		/* as the file numbers addresses */
};

/* Takes an instruction; another value than 0 ends. */
typedef int (*objdump_fn)(void *arg, __u64 addr, const char *text);

int objdump_run(const struct objdump *o, objdump_fn fn, void *arg);
int objdump_line(char *line, __u64 *addr, const char **text);

#endif /* _ACRCTL_ANNOTATE_OBJDUMP_H */
