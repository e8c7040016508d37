/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The time of a clock as one number. */
#ifndef _ACRPMU_CLOCK_H
#define _ACRPMU_CLOCK_H

#include <linux/types.h>
#include <time.h>

__u64 clock_now_ns(clockid_t clock);
__u64 clock_now_ms(clockid_t clock);

#endif /* _ACRPMU_CLOCK_H */
