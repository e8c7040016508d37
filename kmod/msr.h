/* SPDX-License-Identifier: GPL-2.0-only */
/* The module's only way to MSRs, counters and the LVT entry of the PMI. */
#ifndef _ACRPMU_MSR_H
#define _ACRPMU_MSR_H

#include <linux/types.h>
#include <linux/tracepoint-defs.h>
#include <asm/apic.h>
#include <asm/asm.h>

#include "core/model.h"
#include "regs.h"

DECLARE_TRACEPOINT(acrpmu_msr_write);

void acrpmu_msr_trace_write(u32 msr, u64 value);
bool acrpmu_msr_try_read(u32 msr, u64 *value);
bool acrpmu_msr_try_counter(unsigned int cntr);

/**
 * acrpmu_msr_read() - read an MSR that discovery has read before
 *
 * In assembly rather than through paravirt calls, so that an access costs one instruction and is
 * attributed to this module's addresses.
 *
 * Context: any, NMI included.
 * Return: the value; 0 and a kernel warning if the CPU faults after all.
 */
static __always_inline u64 acrpmu_msr_read(u32 msr)
{
	u32 lo, hi;

	asm volatile("1: rdmsr\n2:\n"
		     _ASM_EXTABLE_TYPE(1b, 2b, EX_TYPE_RDMSR)
		     : "=a" (lo), "=d" (hi) : "c" (msr));
	return lo | (u64)hi << 32;
}

/**
 * acrpmu_msr_write() - write an MSR that discovery has read before
 *
 * Context: any, NMI included.  A fault is a kernel warning.
 */
static __always_inline void acrpmu_msr_write(u32 msr, u64 value)
{
	asm volatile("1: wrmsr\n2:\n"
		     _ASM_EXTABLE_TYPE(1b, 2b, EX_TYPE_WRMSR)
		     : : "c" (msr), "a" ((u32)value), "d" ((u32)(value >> 32)) : "memory");
	if (tracepoint_enabled(acrpmu_msr_write))
		acrpmu_msr_trace_write(msr, value);
}

/**
 * acrpmu_msr_read_counter() - read a counter by RDPMC
 * @cntr: counter index, fixed counters from ACRPMU_FIXED_BASE on
 *
 * Context: any, NMI included, at kernel level.
 * Return: the counter, unsigned in its width.
 */
static __always_inline u64 acrpmu_msr_read_counter(unsigned int cntr)
{
	u32 lo, hi;

	asm volatile("rdpmc" : "=a" (lo), "=d" (hi) : "c" (acrpmu_model_rdpmc(cntr)));
	return lo | (u64)hi << 32;
}

bool acrpmu_msr_pmi_masked(void);
u32 acrpmu_msr_read_lvtpc(void);

/**
 * acrpmu_msr_write_lvtpc() - write the LVT entry of the PMI
 *
 * Context: any, NMI included.
 */
static __always_inline void acrpmu_msr_write_lvtpc(u32 value)
{
	/* apic_write() is a static call without an exported key from 6.6 on. */
	apic->write(APIC_LVTPC, value);
}

/**
 * acrpmu_msr_pmi_unmask() - let PMIs arrive as NMIs
 *
 * Context: any, NMI included.
 */
static __always_inline void acrpmu_msr_pmi_unmask(void)
{
	acrpmu_msr_write_lvtpc(APIC_DM_NMI);
}

#endif /* _ACRPMU_MSR_H */
