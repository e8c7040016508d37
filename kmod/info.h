/* SPDX-License-Identifier: GPL-2.0-only */
/* The answer to ACRPMU_INFO: the module and the CPUs. */
#ifndef _ACRPMU_INFO_H
#define _ACRPMU_INFO_H

#include "../uapi/acrpmu.h"

void acrpmu_info_fill(struct acrpmu_info *info);
int acrpmu_info_fill_starved(struct acrpmu_info *info);
void acrpmu_info_fill_cpus(struct acrpmu_cpu_info *cpus);

#endif /* _ACRPMU_INFO_H */
