/* SPDX-License-Identifier: GPL-2.0-only */
/* The frequency of the time stamp counter, at which reference cycles are counted. */
#ifndef _ACRCTL_TSC_H
#define _ACRCTL_TSC_H

#include <linux/types.h>
#include <stdbool.h>

/* the frequency in Hz; goes before what CPUID tells */
#define TSC_HZ_ENV	"ACRCTL_TSC_HZ"

/**
 * struct tsc_cpuid - CPUID leaf 15H and the signature
 * @den: EAX, denominator of the ratio of the counter to the crystal clock
 * @num: EBX, its numerator
 * @crystal_hz: ECX, 0 on processors that do not tell
 * @signature: CPUID.01H:EAX
 */
struct tsc_cpuid {
	__u32 den;
	__u32 num;
	__u32 crystal_hz;
	__u32 signature;
};

__u64 tsc_hz_of(const struct tsc_cpuid *cpuid);
bool tsc_check(const char *command);
__u64 tsc_hz(void);

#endif /* _ACRCTL_TSC_H */
