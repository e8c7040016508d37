/* SPDX-License-Identifier: GPL-2.0-only */
/* Call chains of samples: by the kernel's unwinder, and by the frame pointers of programs. */
#ifndef _ACRPMU_CHAIN_H
#define _ACRPMU_CHAIN_H

#include <linux/types.h>

struct acrpmu_ctx;
struct acrpmu_ev;
struct acrpmu_record;
struct pt_regs;

int acrpmu_chain_init(void);
void acrpmu_chain_exit(void);
void acrpmu_chain_fill(struct acrpmu_record *rec, const struct acrpmu_ctx *ctx,
		       const struct acrpmu_ev *ev, struct pt_regs *regs);
u64 *acrpmu_chain_sample_buf(void);

#endif /* _ACRPMU_CHAIN_H */
