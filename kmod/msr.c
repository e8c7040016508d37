// SPDX-License-Identifier: GPL-2.0-only
/* Probing of MSRs, tracing of their writes, and the LVT entry of the PMI. */
#include <linux/kprobes.h>
#include <asm/apic.h>
#include <asm/msr.h>

#include "msr.h"

#define CREATE_TRACE_POINTS
#include "trace.h"

/**
 * acrpmu_msr_trace_write() - report an MSR write to the tracepoint
 *
 * Context: any, NMI included.
 */
void acrpmu_msr_trace_write(u32 msr, u64 value)
{
	trace_acrpmu_msr_write(msr, value);
}

NOKPROBE_SYMBOL(acrpmu_msr_trace_write);

/**
 * acrpmu_msr_try_read() - read an MSR that may be absent
 *
 * Context: any but NMI.
 * Return: false if it is absent; @value is untouched then.
 */
bool acrpmu_msr_try_read(u32 msr, u64 *value)
{
	u32 lo, hi;

	if (rdmsr_safe(msr, &lo, &hi))
		return false;
	*value = (u64)hi << 32 | lo;
	return true;
}

/**
 * acrpmu_msr_try_counter() - check that a counter can be read by RDPMC
 *
 * Context: any but NMI.
 */
bool acrpmu_msr_try_counter(unsigned int cntr)
{
	bool refused = true;
	u32 lo, hi;

	asm volatile("1: rdpmc\n"
		     "	movb $0, %0\n"
		     "2:\n"
		     _ASM_EXTABLE(1b, 2b)
		     : "+m" (refused), "=a" (lo), "=d" (hi) : "c" (acrpmu_model_rdpmc(cntr)));
	return !refused;
}

/**
 * acrpmu_msr_read_lvtpc() - read the LVT entry of the PMI
 *
 * Context: any, NMI included.
 */
u32 acrpmu_msr_read_lvtpc(void)
{
	/* as with apic_write(), see msr.h */
	return apic->read(APIC_LVTPC);
}

NOKPROBE_SYMBOL(acrpmu_msr_read_lvtpc);

/**
 * acrpmu_msr_pmi_masked() - check whether the PMI is masked on this CPU
 *
 * The local APIC masks the entry when it delivers a PMI (SDM vol. 3, "Local Vector Table"), so a
 * mask found at the start of an NMI shows that this NMI is a PMI.
 *
 * Context: any, NMI included.
 */
bool acrpmu_msr_pmi_masked(void)
{
	return acrpmu_msr_read_lvtpc() & APIC_LVT_MASKED;
}

NOKPROBE_SYMBOL(acrpmu_msr_pmi_masked);
