// SPDX-License-Identifier: GPL-2.0-only
/* Table of profiles and their CPUID leaves. */
#include <string.h>

#include "pmu_regs.h"
#include "profile.h"

#define FIXED(n)		((uint64_t)(n) << PMU_FIXED_BASE)

/* GP 0-7; fixed 0-2 and the top-down ones 4-6 */
#define DARKMONT_GP		0xff
#define DARKMONT_FIXED		0x77
/* The top-down counters do not take part in reloading */
#define DARKMONT_ACR		(DARKMONT_GP | FIXED(0x7))
/* As on Panther Lake: neither do GP 0 and 1 */
#define PANTHERLAKE_E_ACR	((DARKMONT_GP & ~0x3ULL) | FIXED(0x7))
/* Response bits 0-15 except 6, and 16, 18, 33, 34, 36, 37; 38 (outstanding) on RSP_0 only */
#define GOLDMONT_RSP_0		0x760005ffbfULL
#define GOLDMONT_RSP_1		0x360005ffbfULL
/* Crestmont and later, as in the in-tree extra register tables */
#define DARKMONT_RSP_0		0x800ff3ffffffffffULL
#define DARKMONT_RSP_1		0x000ff3ffffffffffULL

#define FIXED_V6		(FIXED_CTR_CTRL_EN | FIXED_CTR_CTRL_PMI)
#define FIXED_V4		(FIXED_V6 | FIXED_CTR_CTRL_ANY)

static const struct profile profiles[] = {
	{
		.name = "clearwaterforest",
		.cpu = "family=6,model=221,stepping=0,level=0x23",
		.version = 6,
		.width = 48,
		.gp_cntrs = DARKMONT_GP,
		.fixed_cntrs = DARKMONT_FIXED,
		.acr_reload_cntrs = DARKMONT_ACR,
		.acr_cause_cntrs = DARKMONT_ACR,
		.evtsel_valid = EVTSEL_V6,
		.fixed_valid = FIXED_V6,
		.offcore_valid = { DARKMONT_RSP_0, DARKMONT_RSP_1 },
		.offcore = &offcore_darkmont,
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		.name = "pantherlake-e",
		.cpu = "family=6,model=221,stepping=0,level=0x23",
		.version = 6,
		.width = 48,
		.gp_cntrs = DARKMONT_GP,
		.fixed_cntrs = DARKMONT_FIXED,
		.acr_reload_cntrs = PANTHERLAKE_E_ACR,
		.acr_cause_cntrs = PANTHERLAKE_E_ACR,
		.evtsel_valid = EVTSEL_V6,
		.fixed_valid = FIXED_V6,
		.offcore_valid = { DARKMONT_RSP_0, DARKMONT_RSP_1 },
		.offcore = &offcore_darkmont,
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		.name = "goldmont",
		.cpu = "family=6,model=92,stepping=9,level=0x15",
		.version = 4,
		.width = 48,
		.gp_cntrs = 0xf,
		.fixed_cntrs = 0x7,
		.evtsel_valid = EVTSEL_V4,
		.fixed_valid = FIXED_V4,
		.offcore_valid = { GOLDMONT_RSP_0, GOLDMONT_RSP_1 },
		.offcore = &offcore_goldmont,
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		/* Goldmont under a hypervisor that hides one offcore register from guests */
		.name = "goldmont-rsp0",
		.cpu = "family=6,model=92,stepping=9,level=0x15",
		.version = 4,
		.width = 48,
		.gp_cntrs = 0xf,
		.fixed_cntrs = 0x7,
		.evtsel_valid = EVTSEL_V4,
		.fixed_valid = FIXED_V4,
		.offcore_valid = { GOLDMONT_RSP_0, 0 },
		.offcore = &offcore_goldmont,
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		/* Penryn, the last of the version 2 cores */
		.name = "v2",
		.cpu = "family=6,model=23,stepping=10,level=0x0d",
		.version = 2,
		.width = 40,
		.gp_cntrs = 0x3,
		.fixed_cntrs = 0x7,
		.evtsel_valid = EVTSEL_V2,
		.fixed_valid = FIXED_V6,
	}, {
		.name = "none",
		.cpu = "family=6,model=221,stepping=0,level=0x23",
	},
};

const struct profile *profile_at(unsigned int i)
{
	return i < sizeof(profiles) / sizeof(profiles[0]) ? &profiles[i] : NULL;
}

const struct profile *profile_find(const char *name)
{
	const struct profile *p;
	unsigned int i;

	for (i = 0; (p = profile_at(i)); i++)
		if (!strcmp(p->name, name))
			return p;
	return NULL;
}

uint64_t profile_cntrs(const struct profile *p)
{
	return p->gp_cntrs | FIXED(p->fixed_cntrs);
}

bool profile_cpuid_mine(uint32_t leaf, uint32_t subleaf)
{
	switch (leaf) {
	case CPUID_FEATURES:
	case CPUID_ARCH_PERFMON:
	case CPUID_ARCH_PERFMON_EXT:
		return true;
	case CPUID_EXT_FEATURES:
		return subleaf == 1;
	}
	return false;
}

/* CPUID.0AH, SDM vol. 3, "Architectural Performance Monitoring" */
static void arch_perfmon(const struct profile *p, struct cpuid_regs *r)
{
	unsigned int contiguous = __builtin_ctz(~p->fixed_cntrs);

	memset(r, 0, sizeof(*r));
	if (!p->version)
		return;
	r->eax = p->version | __builtin_popcount(p->gp_cntrs) << 8 | p->width << 16 |
		 CPUID_0A_NR_EVENTS << 24;
	r->edx = contiguous | p->width << 5;
	/* Version 5 added the bitmap of fixed counters and removed AnyThread */
	if (p->version >= 5) {
		r->ecx = p->fixed_cntrs;
		r->edx |= CPUID_0A_EDX_ANYTHREAD_DEPRECATED;
	}
}

/* CPUID.23H */
static void arch_perfmon_ext(const struct profile *p, uint32_t subleaf, struct cpuid_regs *r)
{
	bool acr = p->acr_reload_cntrs && p->acr_cause_cntrs;

	memset(r, 0, sizeof(*r));
	if (p->version < 6)
		return;
	switch (subleaf) {
	case 0:
		r->eax = BIT_ULL(0) | CPUID_23_0_EAX_COUNTERS | CPUID_23_0_EAX_EVENTS |
			 (acr ? CPUID_23_0_EAX_ACR : 0);
		r->ebx = CPUID_23_0_EBX_UMASK2 | CPUID_23_0_EBX_EQ;
		break;
	case 1:
		r->eax = p->gp_cntrs;
		r->ebx = p->fixed_cntrs;
		break;
	case 2:
		r->eax = p->acr_reload_cntrs;
		r->ebx = p->acr_reload_cntrs >> PMU_FIXED_BASE;
		r->ecx = p->acr_cause_cntrs;
		r->edx = p->acr_cause_cntrs >> PMU_FIXED_BASE;
		break;
	case 3:
		r->eax = CPUID_23_3_EAX_EVENTS;
		break;
	}
}

void profile_cpuid(const struct profile *p, uint32_t leaf, uint32_t subleaf,
		   struct cpuid_regs *r)
{
	switch (leaf) {
	case CPUID_FEATURES:
		r->ecx &= ~CPUID_1_ECX_PDCM;
		if (p->perf_capabilities)
			r->ecx |= CPUID_1_ECX_PDCM;
		break;
	case CPUID_EXT_FEATURES:
		r->eax &= ~CPUID_7_1_EAX_ARCH_PERFMON_EXT;
		if (p->version >= 6)
			r->eax |= CPUID_7_1_EAX_ARCH_PERFMON_EXT;
		break;
	case CPUID_ARCH_PERFMON:
		arch_perfmon(p, r);
		break;
	case CPUID_ARCH_PERFMON_EXT:
		arch_perfmon_ext(p, subleaf, r);
		break;
	}
}
