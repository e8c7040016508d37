/* SPDX-License-Identifier: GPL-2.0-only */
/* QEMU that runs all vCPUs on one thread, as -icount does: what its plugin interface lacks then. */
#ifndef MODEL_ONE_THREAD_H
#define MODEL_ONE_THREAD_H

#include <stdbool.h>

/* An object of QEMU, and its union of a pointer and numbers */
struct CPUState;
union one_thread_arg {
	void *ptr;
	unsigned long number;
};

/* Check that QEMU has what the others need; one without loadable modules hides it. */
bool one_thread_supported(void);

/* Prepare vCPU @nr, before it runs. */
void one_thread_vcpu(unsigned int nr);

/* Call @work with @arg when the block that vCPU @nr runs ends; it may then raise an interrupt. */
void one_thread_after_block(unsigned int nr,
			    void (*work)(struct CPUState *cpu, union one_thread_arg arg),
			    union one_thread_arg arg);

#endif /* MODEL_ONE_THREAD_H */
