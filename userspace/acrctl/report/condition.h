/* SPDX-License-Identifier: GPL-2.0-only */
/* The condition of a recording, what its windows had, and the ratios in all of it. */
#ifndef _ACRCTL_REPORT_CONDITION_H
#define _ACRCTL_REPORT_CONDITION_H

#include "../view.h"

/* "A / B > x" */
struct comparison {
	char *ratio;			/* "A / B" */
	int a, b;			/* indices of the events, -1: not among those of the file */
	char *windows;			/* what each sampled window had, NULL: not known exactly */
	int sampled, limit;		/* @a and @b, if @windows is known */
};

/* The comparisons of all groups, in the order written; zeroed it is empty. */
struct condition {
	char *text;			/* of the first group, NULL: the recording has none */
	char *parts;			/* memory of the comparisons */
	struct comparison *list;
	size_t nr;
};

/* The counts of a comparison's events. */
struct condition_counts {
	__u64 a, b;
	const char *unknown;		/* why they are not known, NULL: they are */
	bool reloaded;			/* by hardware, which is why */
};

/* how to know them, behind the reason */
#define CONDITION_REMEDY	"; 'acrctl stat --when' with this condition counts both events"

int condition_read(struct condition *c, const struct view *v);
struct condition_counts condition_counts(const struct view *v, const struct comparison *comparison);
void condition_free(struct condition *c);

#endif /* _ACRCTL_REPORT_CONDITION_H */
