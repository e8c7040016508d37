/* SPDX-License-Identifier: GPL-2.0-only */
/* Files for other programs: the options of report that write them. */
#ifndef _ACRCTL_REPORT_EXPORT_H
#define _ACRCTL_REPORT_EXPORT_H

#include <stdio.h>

#include "report.h"

#define EXPORT_FORMATS_MAX	8

struct option;

/* A kind of file. */
struct export_format {
	const char *name;		/* of the option, without its dashes */
	/* writes all samples of @v; returns an exit status, after a message unless it is 0 */
	int (*write)(const struct view_args *a, struct view *v, FILE *out);
};

/* export_*.c: the formats */
int export_firefox(const struct view_args *a, struct view *v, FILE *out);
int export_html(const struct view_args *a, struct view *v, FILE *out);
int export_pprof(const struct view_args *a, struct view *v, FILE *out);

/* export.c */
void export_add_options(struct option *options, int first);
void export_choose(struct view_args *a, int index, const char *path);
int export_check(const struct view_command *c, const struct view_args *a);
__u64 export_end_ns(const struct view_args *a);
int export_run(const struct view_args *a, struct view *v);

#endif /* _ACRCTL_REPORT_EXPORT_H */
