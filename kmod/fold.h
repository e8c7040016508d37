/* SPDX-License-Identifier: GPL-2.0-only */
/* Folding running counters into counts before they wrap. */
#ifndef _ACRPMU_FOLD_H
#define _ACRPMU_FOLD_H

struct acrpmu_session_cpu;

void acrpmu_fold_counting(const struct acrpmu_session_cpu *scpu);
void acrpmu_fold_arm(void);
void acrpmu_fold_exit(void);

#endif /* _ACRPMU_FOLD_H */
