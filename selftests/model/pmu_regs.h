/* SPDX-License-Identifier: GPL-2.0-only */
/* MSR numbers, bit fields and CPUID leaves of the Intel PMU, by their SDM names. */
#ifndef MODEL_PMU_REGS_H
#define MODEL_PMU_REGS_H

#include <stdint.h>

#define BIT_ULL(n)		(1ULL << (n))
#define MASK_ULL(n)		((n) >= 64 ? ~0ULL : BIT_ULL(n) - 1)

/*
 * One index space for all counters, as in GLOBAL_CTRL and the reload masks:
 * general-purpose counter n is bit n, fixed counter n is bit 32 + n.
 */
#define PMU_FIXED_BASE		32
#define PMU_NR_CNTRS		64
#define PMU_MAX_GP		10
#define PMU_MAX_FIXED		8

/* SDM vol. 4, table 2-2: architectural MSRs */
#define MSR_IA32_PMC0			0x0c1
#define MSR_IA32_PERFEVTSEL0		0x186
#define MSR_OFFCORE_RSP_0		0x1a6
#define MSR_OFFCORE_RSP_1		0x1a7
#define MSR_IA32_DEBUGCTL		0x1d9
#define MSR_IA32_FIXED_CTR0		0x309
#define MSR_PERF_METRICS		0x329
#define MSR_IA32_PERF_CAPABILITIES	0x345
#define MSR_IA32_FIXED_CTR_CTRL		0x38d
#define MSR_IA32_PERF_GLOBAL_STATUS	0x38e
#define MSR_IA32_PERF_GLOBAL_CTRL	0x38f
#define MSR_IA32_PERF_GLOBAL_OVF_CTRL	0x390	/* GLOBAL_STATUS_RESET from version 4 on */
#define MSR_IA32_PERF_GLOBAL_STATUS_SET	0x391
#define MSR_IA32_PERF_GLOBAL_INUSE	0x392
#define MSR_OMR_0			0x3e0
#define MSR_OMR_1			0x3e1
#define MSR_OMR_2			0x3e2
#define MSR_OMR_3			0x3e3
#define MSR_SNOOP_RSP_0			0x1328
#define MSR_SNOOP_RSP_1			0x1329
#define MSR_IA32_PEBS_ENABLE		0x3f1
#define MSR_PEBS_DATA_CFG		0x3f2
#define MSR_IA32_PEBS_BASE		0x3f4
#define MSR_IA32_PEBS_INDEX		0x3f5
#define MSR_PEBS_LD_LAT			0x3f6
#define MSR_PEBS_FRONTEND		0x3f7
#define MSR_IA32_A_PMC0			0x4c1
#define MSR_IA32_DS_AREA		0x600

/* Version 6 layout: four registers for each counter */
#define MSR_IA32_PMC_V6_GP0		0x1900
#define MSR_IA32_PMC_V6_FX0		0x1980
#define MSR_IA32_PMC_V6_LAST		0x19ff
#define PMC_V6_STRIDE			4
#define PMC_V6_CTR			0
#define PMC_V6_CFG_A			1
#define PMC_V6_CFG_B			2
#define PMC_V6_CFG_C			3
#define PMC_CFG_C_RELOAD		0xffffffffULL
/* CFG_C of counters with PEBS: which groups a record has, and the enable bit */
#define PMC_CFG_C_PEBS_GROUPS		(0xfULL << 35 | 0x3ULL << 40 | BIT_ULL(49) | 0x3ULL << 61)
#define PMC_CFG_C_PEBS_EN		BIT_ULL(63)

/* Every MSR number that the model accounts lies below this one */
#define PMU_MSR_END			0x2000
/* An MSR of the x2APIC range: stock QEMU answers #GP while the APIC is in xAPIC mode */
#define MSR_X2APIC_FIRST		0x800

/* IA32_PERFEVTSELx, SDM vol. 3, figures "Layout of IA32_PERFEVTSELx MSRs" */
#define EVTSEL_EVENT			0xffULL
#define EVTSEL_UMASK_SHIFT		8
#define EVTSEL_UMASK			(0xffULL << EVTSEL_UMASK_SHIFT)
#define EVTSEL_USR			BIT_ULL(16)
#define EVTSEL_OS			BIT_ULL(17)
#define EVTSEL_EDGE			BIT_ULL(18)
#define EVTSEL_PC			BIT_ULL(19)
#define EVTSEL_INT			BIT_ULL(20)
#define EVTSEL_ANY			BIT_ULL(21)
#define EVTSEL_EN			BIT_ULL(22)
#define EVTSEL_INV			BIT_ULL(23)
#define EVTSEL_CMASK_SHIFT		24
#define EVTSEL_CMASK			(0xffULL << EVTSEL_CMASK_SHIFT)
#define EVTSEL_EQ			BIT_ULL(36)
#define EVTSEL_RDPMC_DISABLE		BIT_ULL(37)
#define EVTSEL_UMASK2			(0xffULL << 40)
#define EVTSEL_V2			(EVTSEL_EVENT | EVTSEL_UMASK | EVTSEL_USR | EVTSEL_OS | \
					 EVTSEL_EDGE | EVTSEL_PC | EVTSEL_INT | EVTSEL_EN | \
					 EVTSEL_INV | EVTSEL_CMASK)
#define EVTSEL_V4			(EVTSEL_V2 | EVTSEL_ANY)
#define EVTSEL_V6			(EVTSEL_V2 | EVTSEL_EQ | EVTSEL_UMASK2)

/* IA32_FIXED_CTR_CTRL: four bits for each fixed counter, and one in the upper half */
#define FIXED_CTR_CTRL_BITS		4
#define FIXED_CTR_CTRL_OS		0x1
#define FIXED_CTR_CTRL_USR		0x2
#define FIXED_CTR_CTRL_ANY		0x4
#define FIXED_CTR_CTRL_PMI		0x8
#define FIXED_CTR_CTRL_RDPMC_DISABLE	BIT_ULL(33)
#define FIXED_CTR_CTRL_EN		(FIXED_CTR_CTRL_OS | FIXED_CTR_CTRL_USR)

/* IA32_PERF_GLOBAL_CTRL and IA32_PERF_GLOBAL_STATUS, with PERF_METRICS only */
#define GLOBAL_PERF_METRICS		BIT_ULL(48)

/* IA32_PERF_GLOBAL_STATUS and its set and reset registers */
#define GLOBAL_STATUS_TRACE_TOPA_PMI	BIT_ULL(55)
#define GLOBAL_STATUS_LBR_FRZ		BIT_ULL(58)
#define GLOBAL_STATUS_CTR_FRZ		BIT_ULL(59)
#define GLOBAL_STATUS_ASCI		BIT_ULL(60)
#define GLOBAL_STATUS_OVF_UNCORE	BIT_ULL(61)
#define GLOBAL_STATUS_OVF_BUFFER	BIT_ULL(62)
#define GLOBAL_STATUS_COND_CHGD		BIT_ULL(63)
#define GLOBAL_STATUS_V4_OTHER		(GLOBAL_STATUS_TRACE_TOPA_PMI | GLOBAL_STATUS_LBR_FRZ | \
					 GLOBAL_STATUS_CTR_FRZ | GLOBAL_STATUS_ASCI | \
					 GLOBAL_STATUS_OVF_UNCORE | GLOBAL_STATUS_OVF_BUFFER)
#define GLOBAL_INUSE_PMI		BIT_ULL(63)

/* IA32_DEBUGCTL: bits 0-2 and 6-15 exist on some processor of each profile */
#define DEBUGCTL_FREEZE_PERFMON_ON_PMI	BIT_ULL(12)
#define DEBUGCTL_VALID			0xffc7ULL
/* LBR and BTF, which KVM accepts from guests */
#define DEBUGCTL_KVM_VALID		0x3ULL

/* IA32_PERF_CAPABILITIES */
#define PERF_CAP_FW_WRITE		BIT_ULL(13)
#define PERF_CAP_METRICS		BIT_ULL(15)

/* Legacy counter registers sign-extend 32 bits */
#define LEGACY_WRITE_BITS		32

/* RDPMC: ECX selects the counter; bit 30 asks for a fixed one, bit 29 alone for PERF_METRICS */
#define RDPMC_FIXED			BIT_ULL(30)
#define RDPMC_METRICS			BIT_ULL(29)
#define RDPMC_INDEX			0xffffULL

/* CPUID leaves and bits that describe the PMU */
#define CPUID_FEATURES			0x01
#define CPUID_1_ECX_PDCM		BIT_ULL(15)
#define CPUID_1_ECX_HYPERVISOR		BIT_ULL(31)
#define CPUID_EXT_FEATURES		0x07
#define CPUID_7_0_EDX_HYBRID		BIT_ULL(15)
#define CPUID_7_1_EAX_ARCH_PERFMON_EXT	BIT_ULL(8)
#define CPUID_ARCH_PERFMON		0x0a
#define CPUID_0A_NR_EVENTS		8
#define CPUID_0A_EDX_ANYTHREAD_DEPRECATED BIT_ULL(15)
#define CPUID_HYBRID			0x1a
#define CPUID_1A_EAX_ATOM		(0x20U << 24)
#define CPUID_1A_EAX_CORE		(0x40U << 24)
#define CPUID_ARCH_PERFMON_EXT		0x23
#define CPUID_23_0_EAX_COUNTERS		BIT_ULL(1)
#define CPUID_23_0_EAX_ACR		BIT_ULL(2)
#define CPUID_23_0_EAX_EVENTS		BIT_ULL(3)
#define CPUID_23_0_EAX_PEBS		(BIT_ULL(4) | BIT_ULL(5))
#define CPUID_23_0_EBX_UMASK2		BIT_ULL(0)
#define CPUID_23_0_EBX_EQ		BIT_ULL(1)
#define CPUID_23_0_EBX_RDPMC_DISABLE	BIT_ULL(2)
/* Cycles, instructions, reference cycles, LLC references and misses, branches, mispredicts */
#define CPUID_23_3_EAX_EVENTS		0x7f

/* Local APIC, xAPIC mode: physical addresses and the LVT entry of the PMU */
#define APIC_DEFAULT_PHYS_BASE		0xfee00000ULL
#define APIC_ID				0x020
#define APIC_ID_SHIFT			24
#define APIC_LVTPC			0x340
#define APIC_LVT_MASKED			0x10000U
#define APIC_LVT_MESSAGE		0x7ffU	/* vector and delivery mode */
#define MSI_DEST_SHIFT			12

#endif /* MODEL_PMU_REGS_H */
