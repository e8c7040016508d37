/* SPDX-License-Identifier: GPL-2.0-only */
/* Lines of source files. */
#ifndef _ACRCTL_ANNOTATE_SOURCE_H
#define _ACRCTL_ANNOTATE_SOURCE_H

#include <stddef.h>

struct source_file;

/* Files that were read; zeroed it is empty. */
struct source {
	struct source_file *files;
	size_t nr;
};

const char *source_line(struct source *s, const char *path, unsigned int line);
void source_free(struct source *s);

#endif /* _ACRCTL_ANNOTATE_SOURCE_H */
