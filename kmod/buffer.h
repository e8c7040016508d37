/* SPDX-License-Identifier: GPL-2.0-only */
/* The rings of a session: their memory, the records written to them, and waking their readers. */
#ifndef _ACRPMU_BUFFER_H
#define _ACRPMU_BUFFER_H

#include <linux/types.h>

struct acrpmu_error;
struct acrpmu_record;
struct acrpmu_session;
struct acrpmu_session_cpu;
struct vm_area_struct;

void acrpmu_buffer_begin(struct acrpmu_session *session);
int acrpmu_buffer_init(struct acrpmu_session *session, struct acrpmu_error *err);
void acrpmu_buffer_exit(struct acrpmu_session *session);
int acrpmu_buffer_alloc(struct acrpmu_session_cpu *scpu);
void acrpmu_buffer_free(struct acrpmu_session_cpu *scpu);
int acrpmu_buffer_mmap(struct acrpmu_session_cpu *scpu, struct vm_area_struct *vma);
bool acrpmu_buffer_is_new(const struct acrpmu_session_cpu *scpu);
u64 acrpmu_buffer_unread(const struct acrpmu_session_cpu *scpu);
void acrpmu_buffer_wake(struct acrpmu_session *session);
void acrpmu_buffer_note_pause(struct acrpmu_session_cpu *scpu, const struct acrpmu_record *rec,
			      bool paused);
void acrpmu_buffer_count_lost(struct acrpmu_session_cpu *scpu);
void acrpmu_buffer_notify(struct acrpmu_session_cpu *scpu);
void acrpmu_buffer_catch_up(struct acrpmu_session_cpu *scpu, const struct acrpmu_record *rec);
void acrpmu_buffer_flush(struct acrpmu_session_cpu *scpu);

#endif /* _ACRPMU_BUFFER_H */
