/* SPDX-License-Identifier: GPL-2.0-only */
/* Pauses of a session on one CPU, which begin in a PMI beyond a limit and last about a tick. */
#ifndef _ACRPMU_PAUSE_H
#define _ACRPMU_PAUSE_H

struct acrpmu_ctx;
struct acrpmu_session_cpu;

void acrpmu_pause_init(struct acrpmu_session_cpu *scpu);
void acrpmu_pause_exit(struct acrpmu_session_cpu *scpu);
void acrpmu_pause_begin(struct acrpmu_ctx *ctx);

#endif /* _ACRPMU_PAUSE_H */
