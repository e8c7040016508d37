/* SPDX-License-Identifier: GPL-2.0-only */
/* Names and bit fields of every MSR and CPUID leaf in use, each with its manual section. */
#ifndef _ACRPMU_REGS_H
#define _ACRPMU_REGS_H

/*
 * Sections are those of the Intel SDM vol. 3, chapter "Performance Monitoring", and of vol. 2A for
 * CPUID; MSR numbers are listed in vol. 4.  Where asm/msr-index.h of some kernel knows a name, ours
 * is spelt with the same tokens, so that both may be included.  LVTPC is no MSR: asm/apicdef.h.
 */

/* ---- CPUID: vol. 2A, "CPUID - CPU Identification" ----------------------------------------- */

#define CPUID_LEAF_SIGNATURE		0x01	/* family, model, stepping */
#define CPUID_LEAF_FEATURES		0x07	/* structured extended features */
#define CPUID_LEAF_PERFMON		0x0a	/* architectural performance monitoring */
#define CPUID_LEAF_HYBRID		0x1a	/* native model id */
#define CPUID_LEAF_PERFMON_EXT		0x23	/* architectural performance monitoring, extended */

#define CPUID_1_EAX_MODEL		GENMASK_ULL(7, 4)
#define CPUID_1_EAX_FAMILY		GENMASK_ULL(11, 8)
#define CPUID_1_EAX_EXT_MODEL		GENMASK_ULL(19, 16)
#define CPUID_1_EAX_EXT_FAMILY		GENMASK_ULL(27, 20)
#define CPUID_1_ECX_PDCM		BIT_ULL(15)	/* IA32_PERF_CAPABILITIES exists */
#define CPUID_7_EDX_HYBRID		BIT_ULL(15)	/* several core types */
#define CPUID_7_1_EAX_PERFMON_EXT	BIT_ULL(8)	/* ArchPerfmonExt: leaf 0x23 exists */

#define CPUID_A_EAX_VERSION		GENMASK_ULL(7, 0)
#define CPUID_A_EAX_NUM_GP		GENMASK_ULL(15, 8)
#define CPUID_A_EAX_GP_WIDTH		GENMASK_ULL(23, 16)
#define CPUID_A_EAX_NUM_EVENTS		GENMASK_ULL(31, 24)
#define CPUID_A_EDX_NUM_FIXED		GENMASK_ULL(4, 0)
#define CPUID_A_EDX_FIXED_WIDTH		GENMASK_ULL(12, 5)

#define CPUID_1A_EAX_CORE_TYPE		GENMASK_ULL(31, 24)
#define CPUID_1A_EAX_NATIVE_MODEL	GENMASK_ULL(23, 0)
#define CPUID_1A_CORE_TYPE_ATOM		0x20
#define CPUID_1A_CORE_TYPE_CORE		0x40

#define CPUID_23_0_EAX_COUNTERS		BIT_ULL(1)	/* sub-leaf 1 is valid */
#define CPUID_23_0_EAX_ACR		BIT_ULL(2)	/* sub-leaf 2 is valid */
#define CPUID_23_0_EAX_PEBS		BIT_ULL(5)	/* sub-leaf 5 is valid */
#define CPUID_23_0_EBX_UMASK2		BIT_ULL(0)
#define CPUID_23_0_EBX_EQ		BIT_ULL(1)
#define CPUID_23_0_EBX_RDPMC_DISABLE	BIT_ULL(2)	/* of user code, by counter */

/* ---- IA32_PERFEVTSELx, also CFG_A of the version 6 layout: "Architectural Performance
 *	Monitoring Version 1", EQ and UMASK2: "Architectural Performance Monitoring Version 6"
 */

#define PERFEVTSEL_EVENT		GENMASK_ULL(7, 0)
#define PERFEVTSEL_UMASK		GENMASK_ULL(15, 8)
#define PERFEVTSEL_USR			BIT_ULL(16)
#define PERFEVTSEL_OS			BIT_ULL(17)
#define PERFEVTSEL_EDGE			BIT_ULL(18)
#define PERFEVTSEL_INT			BIT_ULL(20)
#define PERFEVTSEL_EN			BIT_ULL(22)
#define PERFEVTSEL_INV			BIT_ULL(23)
#define PERFEVTSEL_CMASK		GENMASK_ULL(31, 24)
#define PERFEVTSEL_EQ			BIT_ULL(36)
#define PERFEVTSEL_RDPMC_DISABLE	BIT_ULL(37)	/* RDPMC of user code reads 0 */
#define PERFEVTSEL_UMASK2		GENMASK_ULL(47, 40)

#define PERFEVTSEL_UMASK_SHIFT		8
#define PERFEVTSEL_CMASK_SHIFT		24
#define PERFEVTSEL_UMASK2_SHIFT		40

/* ---- IA32_FIXED_CTR_CTRL: "Architectural Performance Monitoring Version 2" ------------------ */

#define MSR_CORE_PERF_FIXED_CTR_CTRL	0x0000038d

#define FIXED_CTR_CTRL_BITS		4	/* from one counter's field to the next */
#define FIXED_CTR_CTRL_OS		BIT_ULL(0)
#define FIXED_CTR_CTRL_USR		BIT_ULL(1)
#define FIXED_CTR_CTRL_ANY		BIT_ULL(2)
#define FIXED_CTR_CTRL_PMI		BIT_ULL(3)
#define FIXED_CTR_CTRL_ENABLE		(FIXED_CTR_CTRL_OS | FIXED_CTR_CTRL_USR)
#define FIXED_CTR_CTRL_RDPMC_DISABLE	BIT_ULL(33)	/* as PERFEVTSEL_RDPMC_DISABLE */
#define FIXED_CTR_CTRL_RDPMC_DISABLE_ALL	0x2222222200000000ULL	/* of all fields */
#define FIXED_CTR_CTRL_FIELD		GENMASK_ULL(3, 0)
#define FIXED_CTR_CTRL_MAX_CNTRS	16	/* fields that fit the register */
#define FIXED_CTR_CTRL_MAX_RDPMC	8	/* and with FIXED_CTR_CTRL_RDPMC_DISABLE */

/* ---- global control: "Architectural Performance Monitoring Version 2" and 4 (INUSE) ---------- */

#define MSR_CORE_PERF_GLOBAL_STATUS	0x0000038e
#define MSR_CORE_PERF_GLOBAL_CTRL	0x0000038f
#define MSR_CORE_PERF_GLOBAL_OVF_CTRL	0x00000390
#define MSR_IA32_PERF_GLOBAL_INUSE	0x00000392

#define GLOBAL_STATUS_CTR_FRZ		BIT_ULL(59)
#define GLOBAL_STATUS_COND_CHGD		BIT_ULL(63)

/* ---- counters in the legacy layout: "Architectural Performance Monitoring Version 1" and 2,
 *	MSR_IA32_PMC0: "Full-Width Writes to Performance Counter Registers"
 */

#define MSR_ARCH_PERFMON_PERFCTR0			      0xc1
#define MSR_ARCH_PERFMON_EVENTSEL0			     0x186
#define MSR_ARCH_PERFMON_FIXED_CTR0	0x309
#define MSR_IA32_PMC0			0x000004c1

/* ---- counters in the layout of version 6: "Auto Counter Reload" and vol. 4 ------------------- */

#define MSR_IA32_PMC_V6_GP0_CTR		0x1900
#define MSR_IA32_PMC_V6_GP0_CFG_A	0x1901
#define MSR_IA32_PMC_V6_GP0_CFG_B	0x1902
#define MSR_IA32_PMC_V6_GP0_CFG_C	0x1903
#define MSR_IA32_PMC_V6_FX0_CTR		0x1980
#define MSR_IA32_PMC_V6_FX0_CFG_B	0x1982
#define MSR_IA32_PMC_V6_FX0_CFG_C	0x1983
#define MSR_IA32_PMC_V6_STEP		4

#define PMC_CFG_C_RELOAD		GENMASK_ULL(31, 0)	/* the reload value of CFG_C */

/* ---- RDPMC: vol. 2B, "RDPMC - Read Performance-Monitoring Counters" -------------------------- */

#define RDPMC_FIXED_BASE		BIT_ULL(30)	/* ECX of fixed counter 0 */

/* ---- extra registers: "Off-core Response Performance Monitoring"; numbers in vol. 4 ---------- */

#define MSR_OFFCORE_RSP_0		0x000001a6
#define MSR_OFFCORE_RSP_1		0x000001a7
#define MSR_PEBS_LD_LAT			0x000003f6
#define MSR_PEBS_FRONTEND		0x000003f7
#define MSR_OMR_0			0x000003e0
#define MSR_OMR_1			0x000003e1
#define MSR_OMR_2			0x000003e2
#define MSR_OMR_3			0x000003e3
#define MSR_SNOOP_RSP_0			0x00001328
#define MSR_SNOOP_RSP_1			0x00001329

/* ---- IA32_PERF_CAPABILITIES: "Full-Width Writes to Performance Counter Registers" ------------ */

#define MSR_IA32_PERF_CAPABILITIES	0x00000345
#define PERF_CAP_FW_WRITES		BIT_ULL(13)

#endif /* _ACRPMU_REGS_H */
