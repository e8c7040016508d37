/* SPDX-License-Identifier: GPL-2.0-only */
/* A file that gets its name when it is complete. */
#ifndef _ACRCTL_OUTFILE_H
#define _ACRCTL_OUTFILE_H

#include <stdio.h>

struct outfile {
	const char *path;		/* as messages name it */
	FILE *file;			/* to write to, NULL: closed */
	char *real;			/* the file that @path leads to, NULL: there is none yet */
	char *temp;			/* its name until then, NULL: standard output */
};

int outfile_open(struct outfile *o, const char *path);
int outfile_publish(struct outfile *o);
void outfile_close(struct outfile *o);

#endif /* _ACRCTL_OUTFILE_H */
