/* SPDX-License-Identifier: GPL-2.0-only */
/* Contexts for tasks that fork creates, where memory cannot be waited for, and who is charged. */
#ifndef _ACRPMU_SPARE_H
#define _ACRPMU_SPARE_H

struct acrpmu_ctx;
struct acrpmu_session;

void acrpmu_spare_fill(void);
void acrpmu_spare_empty(void);
void acrpmu_spare_begin(struct acrpmu_session *session);
void acrpmu_spare_end(struct acrpmu_session *session);
struct acrpmu_ctx *acrpmu_spare_get(struct acrpmu_session *session);
void acrpmu_spare_put(struct acrpmu_ctx *ctx);
int acrpmu_spare_init(void);
void acrpmu_spare_exit(void);

#endif /* _ACRPMU_SPARE_H */
