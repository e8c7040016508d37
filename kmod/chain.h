/* SPDX-License-Identifier: GPL-2.0-only */
/* Call chains of samples: by the kernel's unwinder, and by the frame pointers of programs. */
#ifndef _ACRPMU_CHAIN_H
#define _ACRPMU_CHAIN_H

#include <linux/kprobes.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

#include "core/chain.h"
#include "core/record.h"

struct acrpmu_ctx;
struct acrpmu_ev;
struct pt_regs;

/**
 * struct acrpmu_scratch - what is too long for the stack of an NMI
 * @values: for READ: counts of the sample being made, by event
 * @ids: for READ: the ids of these events
 * @chain: its call chain
 * @sample: the record, if that wraps around the end of the ring
 *
 * Written by the PMI handler of its CPU only, which nothing interrupts that uses it.
 */
struct acrpmu_scratch {
	u64 values[ACRPMU_MAX_EVENTS];
	u64 ids[ACRPMU_MAX_EVENTS];
	u64 chain[ACRPMU_CHAIN_ENTRIES];
	u64 sample[ACRPMU_SAMPLE_WORDS];
};

extern struct acrpmu_scratch __percpu *acrpmu_scratch;

/**
 * acrpmu_chain_in_guest() - check whether KVM runs a guest, or is about to
 *
 * The registers of the host mean nothing then.
 *
 * Context: NMI.
 */
static nokprobe_inline bool acrpmu_chain_in_guest(void)
{
	return current->flags & PF_VCPU;
}

int acrpmu_chain_init(void);
void acrpmu_chain_exit(void);
u32 acrpmu_chain_fill(struct acrpmu_scratch *scratch, const struct acrpmu_ctx *ctx,
		      const struct acrpmu_ev *ev, struct pt_regs *regs);

#endif /* _ACRPMU_CHAIN_H */
