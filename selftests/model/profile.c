// SPDX-License-Identifier: GPL-2.0-only
/* Table of kinds of core and their CPUID leaves. */
#include <string.h>

#include "pmu_regs.h"
#include "profile.h"

#define FIXED(n)		((uint64_t)(n) << PMU_FIXED_BASE)

/* GP 0-7; fixed 0-2 and the top-down ones 4-6 */
#define DARKMONT_GP		0xff
#define DARKMONT_FIXED		0x77
/* The top-down counters do not take part in reloading */
#define DARKMONT_ACR		(DARKMONT_GP | FIXED(0x7))
/* PEBS: all that count */
#define DARKMONT_PEBS		DARKMONT_ACR
/* As on Panther Lake: neither do GP 0 and 1 */
#define PANTHERLAKE_E_ACR	((DARKMONT_GP & ~0x3ULL) | FIXED(0x7))
/* Lion Cove and Coyote Cove: GP 0-9; fixed 0-2 and SLOTS */
#define P_CORE_GP		0x3ff
#define P_CORE_FIXED		0xf
/* SLOTS does not take part in reloading */
#define COYOTECOVE_ACR		(P_CORE_GP | FIXED(0x7))
/* Panther Cove: GP 0-7, as the in-tree driver's constraints have them; the rest as Coyote Cove */
#define PANTHERCOVE_GP		0xff
#define PANTHERCOVE_ACR		(PANTHERCOVE_GP | FIXED(0x7))
/* What all kinds of core of a hybrid CPU have */
#define HYBRID_GP		0xff
#define HYBRID_FIXED		0x7
/* Response bits 0-15 except 6, and 16, 18, 33, 34, 36, 37; 38 (outstanding) on RSP_0 only */
#define GOLDMONT_RSP_0		0x760005ffbfULL
#define GOLDMONT_RSP_1		0x360005ffbfULL
/* Crestmont and later, as in the in-tree extra register tables */
#define DARKMONT_RSP_0		0x800ff3ffffffffffULL
#define DARKMONT_RSP_1		0x000ff3ffffffffffULL

/* As in the in-tree extra register tables of Lion Cove, Coyote Cove and Arctic Wolf */
#define LIONCOVE_RSP		0x00000fffffffffffULL
#define COYOTECOVE_OMR		0x40ffffff0000ffffULL
#define ARCTICWOLF_OMR		0xc0ffffffffffffffULL
#define OMR_STORED(valid)	{ MSR_OMR_0, (valid) }, { MSR_OMR_1, (valid) }, \
				{ MSR_OMR_2, (valid) }, { MSR_OMR_3, (valid) }
#define SNOOP_STORED		{ MSR_SNOOP_RSP_0, ~0ULL }, { MSR_SNOOP_RSP_1, ~0ULL }
#define P_CORE_STORED		{ MSR_PEBS_LD_LAT, 0xffff, true }, \
				{ MSR_PEBS_FRONTEND, 0x7fff1f, true }
/* As in the in-tree extra register table of Skylake */
#define SKYLAKE_RSP		0x0000003fffff8fffULL
#define SKYLAKE_STORED		{ MSR_PEBS_LD_LAT, 0xffff, true }, \
				{ MSR_PEBS_FRONTEND, 0x7fff17, true }

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
		.pebs_cntrs = DARKMONT_PEBS,
		.evtsel_valid = EVTSEL_V6,
		.fixed_valid = FIXED_V6,
		.offcore_valid = { DARKMONT_RSP_0, DARKMONT_RSP_1 },
		.offcore = &offcore_darkmont,
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		.name = "lunarlake",
		.cpu = "family=6,model=189,stepping=1,level=0x23",
		.kind = PROFILE_P_CORE,
		.hybrid = CPUID_1A_EAX_CORE | 3,
		.version = 6,
		.width = 48,
		.gp_cntrs = P_CORE_GP,
		.fixed_cntrs = P_CORE_FIXED,
		.common_gp = HYBRID_GP,
		.common_fixed = HYBRID_FIXED,
		.evtsel_valid = EVTSEL_V6,
		.fixed_valid = FIXED_V6,
		.offcore_valid = { LIONCOVE_RSP, LIONCOVE_RSP },
		.offcore = &offcore_lioncove,
		.stored = { P_CORE_STORED },
		.perf_capabilities = PERF_CAP_FW_WRITE | PERF_CAP_METRICS,
	}, {
		.name = "lunarlake",
		.cpu = "family=6,model=189,stepping=1,level=0x23",
		.kind = PROFILE_E_CORE,
		.hybrid = CPUID_1A_EAX_ATOM | 3,
		.version = 6,
		.width = 48,
		.gp_cntrs = DARKMONT_GP,
		.fixed_cntrs = DARKMONT_FIXED,
		.common_gp = HYBRID_GP,
		.common_fixed = HYBRID_FIXED,
		.acr_reload_cntrs = DARKMONT_ACR,
		.acr_cause_cntrs = DARKMONT_ACR,
		.evtsel_valid = EVTSEL_V6,
		.fixed_valid = FIXED_V6,
		.offcore_valid = { DARKMONT_RSP_0, DARKMONT_RSP_1 },
		.offcore = &offcore_darkmont,
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		.name = "arrowlake-h",
		.cpu = "family=6,model=197,stepping=2,level=0x23",
		.kind = PROFILE_P_CORE,
		.hybrid = CPUID_1A_EAX_CORE | 3,
		.version = 6,
		.width = 48,
		.gp_cntrs = P_CORE_GP,
		.fixed_cntrs = P_CORE_FIXED,
		.common_gp = HYBRID_GP,
		.common_fixed = HYBRID_FIXED,
		.evtsel_valid = EVTSEL_V6,
		.fixed_valid = FIXED_V6,
		.offcore_valid = { LIONCOVE_RSP, LIONCOVE_RSP },
		.offcore = &offcore_lioncove,
		.stored = { P_CORE_STORED },
		.perf_capabilities = PERF_CAP_FW_WRITE | PERF_CAP_METRICS,
	}, {
		.name = "arrowlake-h",
		.cpu = "family=6,model=197,stepping=2,level=0x23",
		.kind = PROFILE_E_CORE,
		.hybrid = CPUID_1A_EAX_ATOM | 3,
		.version = 6,
		.width = 48,
		.gp_cntrs = DARKMONT_GP,
		.fixed_cntrs = DARKMONT_FIXED,
		.common_gp = HYBRID_GP,
		.common_fixed = HYBRID_FIXED,
		.acr_reload_cntrs = DARKMONT_ACR,
		.acr_cause_cntrs = DARKMONT_ACR,
		.evtsel_valid = EVTSEL_V6,
		.fixed_valid = FIXED_V6,
		.offcore_valid = { DARKMONT_RSP_0, DARKMONT_RSP_1 },
		.offcore = &offcore_darkmont,
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		.name = "arrowlake-h",
		.cpu = "family=6,model=197,stepping=2,level=0x23",
		.kind = PROFILE_LOWPOWER,
		.hybrid = CPUID_1A_EAX_ATOM | 2,
		.version = 6,
		.width = 48,
		.gp_cntrs = DARKMONT_GP,
		.fixed_cntrs = 0x7,
		.common_gp = HYBRID_GP,
		.common_fixed = HYBRID_FIXED,
		.evtsel_valid = EVTSEL_V6,
		.fixed_valid = FIXED_V6,
		.offcore_valid = { DARKMONT_RSP_0, DARKMONT_RSP_1 },
		.offcore = &offcore_darkmont,
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		.name = "novalake",
		.cpu = "family=18,model=1,stepping=0,level=0x23",
		.kind = PROFILE_P_CORE,
		.hybrid = CPUID_1A_EAX_CORE | 5,
		.version = 6,
		.width = 48,
		.gp_cntrs = P_CORE_GP,
		.fixed_cntrs = P_CORE_FIXED,
		.common_gp = HYBRID_GP,
		.common_fixed = HYBRID_FIXED,
		.acr_reload_cntrs = COYOTECOVE_ACR,
		.acr_cause_cntrs = COYOTECOVE_ACR,
		.evtsel_valid = EVTSEL_V6,
		.fixed_valid = FIXED_V6,
		.stored = { OMR_STORED(COYOTECOVE_OMR), P_CORE_STORED },
		.perf_capabilities = PERF_CAP_FW_WRITE | PERF_CAP_METRICS,
	}, {
		.name = "novalake",
		.cpu = "family=18,model=1,stepping=0,level=0x23",
		.kind = PROFILE_E_CORE,
		.hybrid = CPUID_1A_EAX_ATOM | 5,
		.version = 6,
		.width = 48,
		.gp_cntrs = DARKMONT_GP,
		.fixed_cntrs = DARKMONT_FIXED,
		.common_gp = HYBRID_GP,
		.common_fixed = HYBRID_FIXED,
		.acr_reload_cntrs = DARKMONT_ACR,
		.acr_cause_cntrs = DARKMONT_ACR,
		.evtsel_valid = EVTSEL_V6,
		.fixed_valid = FIXED_V6,
		.stored = { OMR_STORED(ARCTICWOLF_OMR), SNOOP_STORED },
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		.name = "diamondrapids",
		.cpu = "family=19,model=1,stepping=0,level=0x23",
		.version = 6,
		.width = 48,
		.gp_cntrs = PANTHERCOVE_GP,
		.fixed_cntrs = P_CORE_FIXED,
		.acr_reload_cntrs = PANTHERCOVE_ACR,
		.acr_cause_cntrs = PANTHERCOVE_ACR,
		.pebs_cntrs = PANTHERCOVE_ACR,
		.rdpmc_disable = true,
		.evtsel_valid = EVTSEL_V6 | EVTSEL_RDPMC_DISABLE,
		.fixed_valid = FIXED_V6,
		.stored = { OMR_STORED(COYOTECOVE_OMR), P_CORE_STORED },
		.perf_capabilities = PERF_CAP_FW_WRITE | PERF_CAP_METRICS,
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
		/* With one thread a core; with two there are half as many counters */
		.name = "skylake",
		.cpu = "family=6,model=94,stepping=3,level=0x16",
		.version = 4,
		.width = 48,
		.gp_cntrs = 0xff,
		.fixed_cntrs = 0x7,
		.one_cntr_events = true,
		.evtsel_valid = EVTSEL_V4,
		.fixed_valid = FIXED_V4,
		.offcore_valid = { SKYLAKE_RSP, SKYLAKE_RSP },
		.offcore = &offcore_skylake,
		.stored = { SKYLAKE_STORED },
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		.name = "skylake-ht",
		.cpu = "family=6,model=94,stepping=3,level=0x16",
		.version = 4,
		.width = 48,
		.gp_cntrs = 0xf,
		.fixed_cntrs = 0x7,
		.one_cntr_events = true,
		.evtsel_valid = EVTSEL_V4,
		.fixed_valid = FIXED_V4,
		.offcore_valid = { SKYLAKE_RSP, SKYLAKE_RSP },
		.offcore = &offcore_skylake,
		.stored = { SKYLAKE_STORED },
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
		/* Ice Lake server as KVM shows it to guests: no offcore or front-end register */
		.name = "vpmu",
		.cpu = "family=6,model=106,stepping=6,level=0x1b",
		.hypervisor = true,
		.version = 2,
		.width = 48,
		.gp_cntrs = 0xff,
		.fixed_cntrs = 0x7,
		.evtsel_valid = EVTSEL_V2,
		.fixed_valid = FIXED_V6,
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		/* A core that no table has, with events that count on one counter only */
		.name = "v4",
		.cpu = "family=6,model=240,stepping=0,level=0x15",
		.version = 4,
		.width = 48,
		.gp_cntrs = 0xf,
		.fixed_cntrs = 0x7,
		/* 0x3c/0x01, which is of another frequency on each core */
		.lacking_events = 1 << 2,
		.evtsel_valid = EVTSEL_V4,
		.fixed_valid = FIXED_V4,
		.one_cntr_events = true,
		.perf_capabilities = PERF_CAP_FW_WRITE,
	}, {
		.name = "none",
		.cpu = "family=6,model=221,stepping=0,level=0x23",
	}, {
		/* As none, of another vendor */
		.name = "amd",
		.cpu = "vendor=AuthenticAMD,family=23,model=49,stepping=0",
	},
};

const struct profile *profile_at(unsigned int i)
{
	return i < sizeof(profiles) / sizeof(profiles[0]) ? &profiles[i] : NULL;
}

/* Number @n of the kinds of a CPU; NULL past the last */
static const struct profile *kind_at(const char *name, size_t len, unsigned int n)
{
	const struct profile *p;
	unsigned int i;

	for (i = 0; (p = profile_at(i)); i++)
		if (strlen(p->name) == len && !strncmp(p->name, name, len) && !n--)
			return p;
	return NULL;
}

const struct profile *profile_find(const char *name)
{
	return kind_at(name, strlen(name), 0);
}

static const struct profile *find_kind(const char *name, size_t len, char kind)
{
	const struct profile *p;
	unsigned int i;

	for (i = 0; (p = kind_at(name, len, i)); i++)
		if (p->kind == kind)
			return p;
	return NULL;
}

const struct profile *profile_find_kind(const char *name, char kind)
{
	return find_kind(name, strlen(name), kind);
}

bool profile_cores(const char *spec, const struct profile **cores, unsigned int nr)
{
	size_t len = strcspn(spec, ".");
	const char *kinds = spec[len] ? spec + len + 1 : NULL;
	unsigned int i, nr_kinds = 0;

	if (kinds)
		nr_kinds = strlen(kinds);
	else
		while (kind_at(spec, len, nr_kinds))
			nr_kinds++;
	if (!nr_kinds)
		return false;
	for (i = 0; i < nr_kinds; i++)
		if (kinds && (!kinds[i] || !find_kind(spec, len, kinds[i])))
			return false;
	for (i = 0; i < nr; i++)
		cores[i] = kinds ? find_kind(spec, len, kinds[i % nr_kinds])
				 : kind_at(spec, len, i % nr_kinds);
	return true;
}

uint64_t profile_cntrs(const struct profile *p)
{
	return p->gp_cntrs | FIXED(p->fixed_cntrs);
}

bool profile_cpuid_mine(uint32_t leaf, uint32_t subleaf)
{
	switch (leaf) {
	case CPUID_FEATURES:
	case CPUID_HYBRID:
	case CPUID_ARCH_PERFMON:
	case CPUID_ARCH_PERFMON_EXT:
		return true;
	case CPUID_EXT_FEATURES:
		return subleaf <= 1;
	}
	return false;
}

static void ext_features(const struct profile *p, uint32_t subleaf, struct cpuid_regs *r)
{
	if (subleaf) {
		r->eax &= ~CPUID_7_1_EAX_ARCH_PERFMON_EXT;
		if (p->version >= 6)
			r->eax |= CPUID_7_1_EAX_ARCH_PERFMON_EXT;
	} else {
		r->edx &= ~CPUID_7_0_EDX_HYBRID;
		if (p->hybrid)
			r->edx |= CPUID_7_0_EDX_HYBRID;
	}
}

/* CPUID.0AH, SDM vol. 3, "Architectural Performance Monitoring" */
static void arch_perfmon(const struct profile *p, struct cpuid_regs *r)
{
	uint32_t gp = p->common_gp ? p->common_gp : p->gp_cntrs;
	uint32_t fixed = p->common_fixed ? p->common_fixed : p->fixed_cntrs;
	unsigned int contiguous = __builtin_ctz(~fixed);

	memset(r, 0, sizeof(*r));
	if (!p->version)
		return;
	r->eax = p->version | __builtin_popcount(gp) << 8 | p->width << 16 |
		 CPUID_0A_NR_EVENTS << 24;
	r->ebx = p->lacking_events;
	r->edx = contiguous | p->width << 5;
	/* Version 5 added the bitmap of fixed counters and removed AnyThread */
	if (p->version >= 5) {
		r->ecx = fixed;
		r->edx |= CPUID_0A_EDX_ANYTHREAD_DEPRECATED;
	}
	if (p->hypervisor)
		r->edx |= CPUID_0A_EDX_ANYTHREAD_DEPRECATED;
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
			 (acr ? CPUID_23_0_EAX_ACR : 0) |
			 (p->pebs_cntrs ? CPUID_23_0_EAX_PEBS : 0);
		r->ebx = CPUID_23_0_EBX_UMASK2 | CPUID_23_0_EBX_EQ |
			 (p->rdpmc_disable ? CPUID_23_0_EBX_RDPMC_DISABLE : 0);
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
	case 4:
		r->ebx = p->pebs_cntrs ? PMC_CFG_C_PEBS_GROUPS >> 32 : 0;
		break;
	case 5:
		r->eax = p->pebs_cntrs;
		r->ecx = p->pebs_cntrs >> PMU_FIXED_BASE;
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
		if (p->hypervisor)
			r->ecx |= CPUID_1_ECX_HYPERVISOR;
		break;
	case CPUID_EXT_FEATURES:
		ext_features(p, subleaf, r);
		break;
	case CPUID_HYBRID:
		*r = (struct cpuid_regs){ .eax = p->hybrid };
		break;
	case CPUID_ARCH_PERFMON:
		arch_perfmon(p, r);
		break;
	case CPUID_ARCH_PERFMON_EXT:
		arch_perfmon_ext(p, subleaf, r);
		break;
	}
}
