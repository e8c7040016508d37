// SPDX-License-Identifier: LGPL-2.1-or-later
/* Reading the CPUID leaves that describe the PMU. */
#include <cpuid.h>

#include "../../kmod/regs.h"
#include "cpu.h"

#define SUBLEAF_COUNTERS	1
#define SUBLEAF_ACR		2
#define SUBLEAF_PEBS		5

struct regs {
	unsigned int eax, ebx, ecx, edx;
};

/* A leaf that does not exist reads as zeros. */
static struct regs leaf(unsigned int nr, unsigned int sub)
{
	struct regs r = { 0 };

	__get_cpuid_count(nr, sub, &r.eax, &r.ebx, &r.ecx, &r.edx);
	return r;
}

static int is_intel(void)
{
	struct regs r = leaf(0, 0);

	return r.ebx == signature_INTEL_ebx && r.ecx == signature_INTEL_ecx &&
	       r.edx == signature_INTEL_edx;
}

static void read_perfmon_ext(struct acrpmu_cpuid *cpuid)
{
	struct regs r = leaf(CPUID_LEAF_PERFMON_EXT, 0);

	cpuid->l23_0_eax = r.eax;
	cpuid->l23_0_ebx = r.ebx;
	if (r.eax & CPUID_23_0_EAX_COUNTERS) {
		struct regs counters = leaf(CPUID_LEAF_PERFMON_EXT, SUBLEAF_COUNTERS);

		cpuid->l23_1_eax = counters.eax;
		cpuid->l23_1_ebx = counters.ebx;
	}
	if (r.eax & CPUID_23_0_EAX_ACR) {
		struct regs acr = leaf(CPUID_LEAF_PERFMON_EXT, SUBLEAF_ACR);

		cpuid->l23_2_eax = acr.eax;
		cpuid->l23_2_ebx = acr.ebx;
		cpuid->l23_2_ecx = acr.ecx;
		cpuid->l23_2_edx = acr.edx;
	}
	if (r.eax & CPUID_23_0_EAX_PEBS) {
		struct regs pebs = leaf(CPUID_LEAF_PERFMON_EXT, SUBLEAF_PEBS);

		cpuid->l23_5_eax = pebs.eax;
		cpuid->l23_5_ecx = pebs.ecx;
	}
}

int acrpmu_cpuid_read(struct acrpmu_cpuid *cpuid)
{
	struct regs r;

	*cpuid = (struct acrpmu_cpuid){ 0 };
	if (!is_intel())
		return -EOPNOTSUPP;
	cpuid->l1_eax = leaf(CPUID_LEAF_SIGNATURE, 0).eax;
	r = leaf(CPUID_LEAF_PERFMON, 0);
	cpuid->la_eax = r.eax;
	cpuid->la_ebx = r.ebx;
	cpuid->la_ecx = r.ecx;
	cpuid->la_edx = r.edx;
	r = leaf(CPUID_LEAF_FEATURES, 0);
	if (r.edx & CPUID_7_EDX_HYBRID)
		cpuid->l1a_eax = leaf(CPUID_LEAF_HYBRID, 0).eax;
	if (r.eax >= 1)
		cpuid->l7_1_eax = leaf(CPUID_LEAF_FEATURES, 1).eax;
	if (cpuid->l7_1_eax & CPUID_7_1_EAX_PERFMON_EXT)
		read_perfmon_ext(cpuid);
	return 0;
}
