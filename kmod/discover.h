/* SPDX-License-Identifier: GPL-2.0-only */
/* What the PMU of a CPU can do: CPUID, and registers that answer. */
#ifndef _ACRPMU_DISCOVER_H
#define _ACRPMU_DISCOVER_H

void acrpmu_discover_cpu(void);

#endif /* _ACRPMU_DISCOVER_H */
