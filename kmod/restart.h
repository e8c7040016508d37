/* SPDX-License-Identifier: GPL-2.0-only */
/* Auto counter reload in software: restarting the events of a context. */
#ifndef _ACRPMU_RESTART_H
#define _ACRPMU_RESTART_H

#include <linux/types.h>

#include "core/window.h"

struct acrpmu_ctx;
struct acrpmu_pmu;

u64 acrpmu_restart_running(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, u64 events,
			   struct acrpmu_window *window);
void acrpmu_restart_stopped(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx, u64 overflowed_events,
			    struct acrpmu_window *window);
void acrpmu_restart_all(struct acrpmu_pmu *pmu, struct acrpmu_ctx *ctx);

#endif /* _ACRPMU_RESTART_H */
