// SPDX-License-Identifier: LGPL-2.1-or-later
/* The time of a clock as one number. */
#include "clock.h"

#include "util.h"

/**
 * clock_now_ns() - read a clock
 */
__u64 clock_now_ns(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return t.tv_sec * NSEC_PER_SEC + t.tv_nsec;
}

/**
 * clock_now_ms() - read a clock, in milliseconds
 */
__u64 clock_now_ms(clockid_t clock)
{
	return clock_now_ns(clock) / NSEC_PER_MSEC;
}
