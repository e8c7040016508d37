/* SPDX-License-Identifier: GPL-2.0-only */
/* A session on one CPU: its ring, its accounts and the wakeup of who reads them. */
#ifndef _ACRPMU_BUFFER_H
#define _ACRPMU_BUFFER_H

#include <linux/types.h>

struct acrpmu_record;
struct acrpmu_session_cpu;
struct vm_area_struct;

void acrpmu_buffer_init(struct acrpmu_session_cpu *scpu);
int acrpmu_buffer_alloc(struct acrpmu_session_cpu *scpu);
void acrpmu_buffer_uninit(struct acrpmu_session_cpu *scpu);
int acrpmu_buffer_mmap(struct acrpmu_session_cpu *scpu, struct vm_area_struct *vma);
u64 acrpmu_buffer_unread(const struct acrpmu_session_cpu *scpu);
void acrpmu_buffer_wake(struct acrpmu_session_cpu *scpu);
bool acrpmu_buffer_write(struct acrpmu_session_cpu *scpu, const struct acrpmu_record *rec);
void acrpmu_buffer_flush(struct acrpmu_session_cpu *scpu);

#endif /* _ACRPMU_BUFFER_H */
