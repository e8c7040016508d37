/* SPDX-License-Identifier: GPL-2.0-only */
/* The ticks of the kernel, to which limits of overflows apply. */
#ifndef HW_TICK_H
#define HW_TICK_H

#include <time.h>
#include <unistd.h>

/**
 * wait_for_tick() - wait for the next tick
 *
 * The kernel counts its ticks shortly before it sets this clock: once the clock has moved, an
 * overflow belongs to a later tick, whatever the host did in the meantime.
 */
static inline void wait_for_tick(void)
{
	struct timespec begin, now;

	clock_gettime(CLOCK_MONOTONIC_COARSE, &begin);
	do {
		usleep(1000);
		clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
	} while (now.tv_sec == begin.tv_sec && now.tv_nsec == begin.tv_nsec);
}

#endif /* HW_TICK_H */
