/* SPDX-License-Identifier: GPL-2.0-only */
/* Reports of the readers of event files, kept as lines for comparison. */
#ifndef _ACRPMU_UNIT_REPORTS_H
#define _ACRPMU_UNIT_REPORTS_H

#include <stdio.h>
#include <string.h>

#include "userspace/gen/event_dir.h"

static char reports[16384];

/* One line for each: "FILE:LINE:FIELD:fatal" or "note"; only the last component of the path. */
static inline void keep_report(void *ctx, const struct event_report *report)
{
	const char *slash = strrchr(report->path, '/');
	const size_t len = strlen(reports);

	(void)ctx;
	snprintf(reports + len, sizeof(reports) - len, "%s:%u:%s:%s\n",
		 slash ? slash + 1 : report->path, report->line, report->field,
		 report->fatal ? "fatal" : report->warning ? "warning" : "note");
}

#endif /* _ACRPMU_UNIT_REPORTS_H */
