/* SPDX-License-Identifier: GPL-2.0-only */
/* When rounds begin, by a clock that goes forward. */
#ifndef _ACRCTL_FLEET_SCHEDULE_H
#define _ACRCTL_FLEET_SCHEDULE_H

#include <linux/types.h>

struct schedule {
	__u64 every_ms;
	__u64 due_ms;			/* of the next round */
	__u64 skipped;			/* rounds that were due when they could not begin */
};

void schedule_begin(struct schedule *s, __u64 every_ms, __u64 spread_ms, __u64 now_ms,
		    __u32 random);
void schedule_take(struct schedule *s, __u64 now_ms);
__u64 schedule_skip(struct schedule *s, __u64 now_ms);

#endif /* _ACRCTL_FLEET_SCHEDULE_H */
