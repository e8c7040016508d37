/* SPDX-License-Identifier: GPL-2.0-only */
/* The NMI handler of performance monitoring interrupts. */
#ifndef _ACRPMU_PMI_H
#define _ACRPMU_PMI_H

int acrpmu_pmi_init(void);
void acrpmu_pmi_exit(void);

#endif /* _ACRPMU_PMI_H */
