/* SPDX-License-Identifier: GPL-2.0-only */
/* Zeroing what sessions leave in counters before a program may read it with RDPMC. */
#ifndef _ACRPMU_RDPMC_H
#define _ACRPMU_RDPMC_H

#include <linux/types.h>

extern bool acrpmu_rdpmc_hooked;

void acrpmu_rdpmc_init(void);
void acrpmu_rdpmc_exit(void);
void acrpmu_rdpmc_begin_check(void);
void acrpmu_rdpmc_end_check(void);

#endif /* _ACRPMU_RDPMC_H */
