// SPDX-License-Identifier: GPL-2.0-only
/* What one CPU offers by its CPUID leaves, and the registers of its counters. */
#include "model.h"
#include "../regs.h"

#define GP_CNTRS	GENMASK_ULL(ACRPMU_FIXED_BASE - 1, 0)
#define VERSION_1_EVENTS	GENMASK_ULL(6, 0)	/* architectural events that came first */

static u64 field(u64 reg, u64 mask)
{
	return (reg & mask) >> __ffs64(mask);
}

static u64 counter_mask(u32 gp, u32 fixed)
{
	/* IA32_FIXED_CTR_CTRL has room for no more */
	fixed &= BIT_ULL(FIXED_CTR_CTRL_MAX_CNTRS) - 1;
	return gp | (u64)fixed << ACRPMU_FIXED_BASE;
}

/* vol. 3, "Architectural Performance Monitoring": version 5 added the bitmap in ECX */
static u32 leaf_a_fixed_cntrs(const struct acrpmu_cpuid *cpuid, u32 version)
{
	u32 contiguous = BIT_ULL(field(cpuid->la_edx, CPUID_A_EDX_NUM_FIXED)) - 1;

	return version >= 5 ? contiguous | cpuid->la_ecx : contiguous;
}

static u32 leaf_a_gp_cntrs(const struct acrpmu_cpuid *cpuid)
{
	u64 nr = field(cpuid->la_eax, CPUID_A_EAX_NUM_GP);

	return nr < ACRPMU_FIXED_BASE ? BIT_ULL(nr) - 1 : GP_CNTRS;
}

/* Those beyond the vector are lacking, except the events of version 1. */
static u64 leaf_a_lacking_events(const struct acrpmu_cpuid *cpuid)
{
	u64 nr = field(cpuid->la_eax, CPUID_A_EAX_NUM_EVENTS);
	u64 listed = nr < 32 ? BIT_ULL(nr) - 1 : GENMASK_ULL(31, 0);

	return (cpuid->la_ebx & listed) | (~listed & ~VERSION_1_EVENTS);
}

static void caps_from_leaf_23(const struct acrpmu_cpuid *cpuid, struct acrpmu_caps *caps)
{
	if (!(cpuid->l7_1_eax & CPUID_7_1_EAX_PERFMON_EXT))
		return;

	if (cpuid->l23_0_ebx & CPUID_23_0_EBX_UMASK2)
		caps->config_mask |= PERFEVTSEL_UMASK2;
	if (cpuid->l23_0_ebx & CPUID_23_0_EBX_EQ)
		caps->config_mask |= PERFEVTSEL_EQ;
	if (cpuid->l23_0_eax & CPUID_23_0_EAX_COUNTERS)
		caps->cntrs = counter_mask(cpuid->l23_1_eax, cpuid->l23_1_ebx);
	caps->rdpmc_disable = cpuid->l23_0_ebx & CPUID_23_0_EBX_RDPMC_DISABLE &&
			      !(caps->cntrs >> (ACRPMU_FIXED_BASE + FIXED_CTR_CTRL_MAX_RDPMC));
	/* without the version 6 layout there is no address for CFG_B and CFG_C */
	if (!caps->v6_msrs)
		return;

	if (cpuid->l23_0_eax & CPUID_23_0_EAX_PEBS)
		caps->cfg_c_cntrs = counter_mask(cpuid->l23_5_eax, cpuid->l23_5_ecx) & caps->cntrs;
	if (!(cpuid->l23_0_eax & CPUID_23_0_EAX_ACR))
		return;

	caps->reloadable_cntrs = counter_mask(cpuid->l23_2_eax, cpuid->l23_2_ebx) & caps->cntrs;
	caps->cause_cntrs = counter_mask(cpuid->l23_2_ecx, cpuid->l23_2_edx) & caps->cntrs;
	caps->cfg_c_cntrs |= caps->reloadable_cntrs;
	caps->acr = caps->reloadable_cntrs && caps->cause_cntrs;
}

/* The longest period has 31 bits and the sign. */
static bool widths_ok(const struct acrpmu_caps *caps)
{
	bool fixed = caps->cntrs >> ACRPMU_FIXED_BASE;

	return caps->gp_width >= 32 && caps->gp_width <= 64 &&
	       (!fixed || (caps->fixed_width >= 32 && caps->fixed_width <= 64));
}

int acrpmu_model_caps(const struct acrpmu_cpuid *cpuid, struct acrpmu_caps *caps)
{
	u32 version = field(cpuid->la_eax, CPUID_A_EAX_VERSION);

	memset(caps, 0, sizeof(*caps));
	caps->model = acrpmu_model_find(cpuid->l1_eax, cpuid->l1a_eax);
	caps->pmu_version = version;
	caps->signature = cpuid->l1_eax;
	caps->core_type = cpuid->l1a_eax;
	caps->lacking_events = leaf_a_lacking_events(cpuid);
	/* version 1 has neither global control nor status */
	if (version < 2)
		return -EOPNOTSUPP;

	caps->config_mask = PERFEVTSEL_EVENT | PERFEVTSEL_UMASK |
			    PERFEVTSEL_EDGE | PERFEVTSEL_INV |
			    PERFEVTSEL_CMASK;
	caps->gp_width = field(cpuid->la_eax, CPUID_A_EAX_GP_WIDTH);
	caps->fixed_width = field(cpuid->la_edx, CPUID_A_EDX_FIXED_WIDTH);
	caps->v6_msrs = version >= 6;
	caps->full_width = caps->v6_msrs || (cpuid->perf_capabilities & PERF_CAP_FW_WRITES);
	caps->cntrs = counter_mask(leaf_a_gp_cntrs(cpuid), leaf_a_fixed_cntrs(cpuid, version));
	caps_from_leaf_23(cpuid, caps);
	return caps->cntrs && widths_ok(caps) ? 0 : -EOPNOTSUPP;
}

static u32 v6_msr(unsigned int cntr, u32 gp0, u32 fixed0)
{
	if (cntr >= ACRPMU_FIXED_BASE)
		return fixed0 + MSR_IA32_PMC_V6_STEP * (cntr - ACRPMU_FIXED_BASE);
	return gp0 + MSR_IA32_PMC_V6_STEP * cntr;
}

static u32 cntr_msr(const struct acrpmu_caps *caps, unsigned int cntr)
{
	if (caps->v6_msrs)
		return v6_msr(cntr, MSR_IA32_PMC_V6_GP0_CTR, MSR_IA32_PMC_V6_FX0_CTR);
	if (cntr >= ACRPMU_FIXED_BASE)
		return MSR_ARCH_PERFMON_FIXED_CTR0 + cntr - ACRPMU_FIXED_BASE;
	return (caps->full_width ? MSR_IA32_PMC0 : MSR_ARCH_PERFMON_PERFCTR0) + cntr;
}

static u32 cfg_a_msr(const struct acrpmu_caps *caps, unsigned int cntr)
{
	if (cntr >= ACRPMU_FIXED_BASE)
		return MSR_CORE_PERF_FIXED_CTR_CTRL;
	if (caps->v6_msrs)
		return MSR_IA32_PMC_V6_GP0_CFG_A + MSR_IA32_PMC_V6_STEP * cntr;
	return MSR_ARCH_PERFMON_EVENTSEL0 + cntr;
}

u32 acrpmu_model_msr(const struct acrpmu_caps *caps, unsigned int cntr, enum acrpmu_model_reg reg)
{
	switch (reg) {
	case ACRPMU_MODEL_CNTR:
		return cntr_msr(caps, cntr);
	case ACRPMU_MODEL_CFG_A:
		return cfg_a_msr(caps, cntr);
	case ACRPMU_MODEL_CFG_B:
		if (caps->reloadable_cntrs & BIT_ULL(cntr))
			return v6_msr(cntr, MSR_IA32_PMC_V6_GP0_CFG_B, MSR_IA32_PMC_V6_FX0_CFG_B);
		return 0;
	case ACRPMU_MODEL_CFG_C:
		if (caps->cfg_c_cntrs & BIT_ULL(cntr))
			return v6_msr(cntr, MSR_IA32_PMC_V6_GP0_CFG_C, MSR_IA32_PMC_V6_FX0_CFG_C);
		return 0;
	}
	return 0;
}

bool acrpmu_model_same_kind(const struct acrpmu_caps *a, const struct acrpmu_caps *b)
{
	return a->model == b->model && a->core_type == b->core_type;
}
