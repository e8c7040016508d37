/* SPDX-License-Identifier: GPL-2.0-only */
/* Discovering what the PMU of a CPU can do, by CPUID and by reading its registers. */
#ifndef _ACRPMU_DISCOVER_H
#define _ACRPMU_DISCOVER_H

void acrpmu_discover_cpu(void);

#endif /* _ACRPMU_DISCOVER_H */
