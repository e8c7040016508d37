/* SPDX-License-Identifier: GPL-2.0-only */
/* How many windows of a condition did not match, from counts of its events. */
#ifndef _ACRCTL_STAT_WINDOWS_H
#define _ACRCTL_STAT_WINDOWS_H

#include <linux/types.h>

#include "../../lib/acrpmu_lib.h"

/*
 * What hardware may count beyond a period: by several occurrences in the cycle of the overflow, and
 * of the sampled event until the interrupt.
 */
#define WINDOWS_EXCESS	15
#define WINDOWS_SKID	1000

/* An event of a condition while it counted. */
struct windows_event {
	__u64 count;
	__u64 period;
};

/* What is known of a stretch of time; event 0 is the sampled one, limits follow. */
struct windows_counts {
	struct windows_event ev[ACRPMU_MAX_EVENTS];
	unsigned int nr;
	__u64 matches;
	__u64 begun;			/* most windows that were open in the beginning */
	__u64 open;			/* most that were open in the end, or never ended */
};

/* Smallest and largest number of windows that ended without a match. */
struct windows_bounds {
	__u64 least;
	__u64 most;
};

void windows_bound(const struct windows_counts *counts, struct windows_bounds *bounds);

#endif /* _ACRCTL_STAT_WINDOWS_H */
