// SPDX-License-Identifier: GPL-2.0-only
/* Calls functions of QEMU that are not in its plugin interface. */
#include "one_thread.h"

extern struct CPUState *qemu_get_cpu(int nr) __attribute__((weak));
extern void tcg_cpu_init_cflags(struct CPUState *cpu, bool parallel) __attribute__((weak));
extern void async_run_on_cpu(struct CPUState *cpu,
			     void (*work)(struct CPUState *cpu, union one_thread_arg arg),
			     union one_thread_arg arg) __attribute__((weak));

bool one_thread_supported(void)
{
	return qemu_get_cpu && tcg_cpu_init_cflags && async_run_on_cpu;
}

/*
 * In code for CPUs that do not run in parallel QEMU 11.1 takes the number of the CPU that
 * translates for a constant, although all share the code, and overwrites that constant when it
 * computes an address with it.  Code for CPUs in parallel loads the number.
 */
void one_thread_vcpu(unsigned int nr)
{
	tcg_cpu_init_cflags(qemu_get_cpu(nr), true);
}

/* With -icount QEMU aborts if a CPU is interrupted within a block. */
void one_thread_after_block(unsigned int nr,
			    void (*work)(struct CPUState *cpu, union one_thread_arg arg),
			    union one_thread_arg arg)
{
	async_run_on_cpu(qemu_get_cpu(nr), work, arg);
}
