/* SPDX-License-Identifier: GPL-2.0-only */
/* How long the windows of a condition must be for so many samples a second. */
#ifndef _ACRCTL_SAMPLING_RATE_H
#define _ACRCTL_SAMPLING_RATE_H

#include <stdbool.h>
#include <linux/types.h>

/* Longest time between two readings, in milliseconds. */
#define RATE_STEP_MS	100

/* What has happened until a moment. */
struct rate_reading {
	__u64 time_ns;			/* for which counting was enabled */
	__u64 samples;			/* windows that matched, recorded or not */
	__u64 throttled;		/* samples beyond a limit of a CPU */
};

/* Windows are a factor times their units; it is never outside of the limits. */
struct rate {
	__u64 hz;			/* samples a second that are wanted */
	__u64 factor;
	__u64 min;			/* smallest factor */
	__u64 max;
	__u64 first;			/* the factor that it began with */
	__u64 lowest;			/* smallest factor that was in use */
	__u64 highest;
	struct rate_reading base;	/* when the measurement began */
};

void rate_init(struct rate *rate, __u64 hz, __u64 factor, __u64 min, __u64 max);
void rate_measure(struct rate *rate, const struct rate_reading *now);
bool rate_step(struct rate *rate, const struct rate_reading *now);

#endif /* _ACRCTL_SAMPLING_RATE_H */
