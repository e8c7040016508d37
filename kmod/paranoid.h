/* SPDX-License-Identifier: GPL-2.0-only */
/* kernel.perf_event_paranoid, read through proc: its variable is not exported. */
#ifndef _ACRPMU_PARANOID_H
#define _ACRPMU_PARANOID_H

void acrpmu_paranoid_init(void);
void acrpmu_paranoid_exit(void);
int acrpmu_paranoid_level(void);

#endif /* _ACRPMU_PARANOID_H */
