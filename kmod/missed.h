/* SPDX-License-Identifier: GPL-2.0-only */
/* The time that tasks run on CPUs which their session does not hold, and that it lacks CPUs. */
#ifndef _ACRPMU_MISSED_H
#define _ACRPMU_MISSED_H

#include <linux/types.h>

struct acrpmu_ctx;

void acrpmu_missed_begin(struct acrpmu_ctx *ctx);
void acrpmu_missed_end(struct acrpmu_ctx *ctx);
u64 acrpmu_missed_ns(const struct acrpmu_ctx *ctx);

#endif /* _ACRPMU_MISSED_H */
