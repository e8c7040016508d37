/* SPDX-License-Identifier: GPL-2.0-only */
/* How far a step is that takes more than two seconds, on a terminal. */
#ifndef _ACRCTL_UI_PROGRESS_H
#define _ACRCTL_UI_PROGRESS_H

#include <linux/types.h>
#include <stdbool.h>
#include <stdio.h>

/* One step of a command.  Tests fill in @out, @columns and @now_ns themselves. */
struct progress {
	FILE *out;			/* NULL: nothing is shown */
	unsigned int columns;		/* of the terminal */
	__u64 (*now_ns)(void);
	const char *verb;		/* what is done, such as "reading" */
	const char *name;		/* with what, such as a path */
	const char *unit;		/* what is counted, such as "records", NULL: bytes */
	__u64 next_ns;			/* when the line is next printed */
	unsigned int shown;		/* characters on the terminal, 0: the line is empty */
};

void progress_begin(struct progress *p, const char *verb, const char *name, const char *unit);
void progress_start(struct progress *p, const char *verb, const char *name, const char *unit);
void progress_step(struct progress *p, __u64 done, __u64 total);
void progress_end(struct progress *p);
bool progress_fits_stdout(void);

#endif /* _ACRCTL_UI_PROGRESS_H */
