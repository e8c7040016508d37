// SPDX-License-Identifier: GPL-2.0-only
/* Discovering what the PMU of a CPU can do, by CPUID and by reading its registers. */
#include <linux/bitops.h>
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/topology.h>
#include <asm/processor.h>

#include "discover.h"
#include "msr.h"
#include "pmu.h"
#include "registry.h"

static void read_leaf23(struct acrpmu_cpuid *id)
{
	u32 ebx, ecx, edx;

	cpuid_count(CPUID_LEAF_FEATURES, 1, &id->l7_1_eax, &ebx, &ecx, &edx);
	if (!(id->l7_1_eax & CPUID_7_1_EAX_PERFMON_EXT) || cpuid_eax(0) < CPUID_LEAF_PERFMON_EXT)
		return;
	cpuid_count(CPUID_LEAF_PERFMON_EXT, 0, &id->l23_0_eax, &id->l23_0_ebx, &ecx, &edx);
	if (id->l23_0_eax & CPUID_23_0_EAX_COUNTERS)
		cpuid_count(CPUID_LEAF_PERFMON_EXT, 1, &id->l23_1_eax, &id->l23_1_ebx, &ecx, &edx);
	if (id->l23_0_eax & CPUID_23_0_EAX_ACR)
		cpuid_count(CPUID_LEAF_PERFMON_EXT, 2, &id->l23_2_eax, &id->l23_2_ebx,
			    &id->l23_2_ecx, &id->l23_2_edx);
	if (id->l23_0_eax & CPUID_23_0_EAX_PEBS)
		cpuid_count(CPUID_LEAF_PERFMON_EXT, 5, &id->l23_5_eax, &ebx, &id->l23_5_ecx, &edx);
}

static void read_cpuid(struct acrpmu_cpuid *id)
{
	u32 max = cpuid_eax(0);

	memset(id, 0, sizeof(*id));
	id->l1_eax = cpuid_eax(CPUID_LEAF_SIGNATURE);
	if (max >= CPUID_LEAF_PERFMON)
		cpuid(CPUID_LEAF_PERFMON, &id->la_eax, &id->la_ebx, &id->la_ecx, &id->la_edx);
	if (max >= CPUID_LEAF_HYBRID && cpuid_edx(CPUID_LEAF_FEATURES) & CPUID_7_EDX_HYBRID)
		id->l1a_eax = cpuid_eax(CPUID_LEAF_HYBRID);
	if (max >= CPUID_LEAF_FEATURES && cpuid_eax(CPUID_LEAF_FEATURES) >= 1)
		read_leaf23(id);
	if (cpuid_ecx(CPUID_LEAF_SIGNATURE) & CPUID_1_ECX_PDCM)
		acrpmu_msr_try_read(MSR_IA32_PERF_CAPABILITIES, &id->perf_capabilities);
}

/* A hypervisor may show a PMU in CPUID and refuse its registers. */
static bool registers_answer(const struct acrpmu_caps *caps)
{
	unsigned long cntrs = caps->cntrs;
	unsigned int cntr;
	u64 value;

	if (!acrpmu_msr_try_read(MSR_CORE_PERF_GLOBAL_CTRL, &value) ||
	    !acrpmu_msr_try_read(MSR_CORE_PERF_GLOBAL_STATUS, &value) ||
	    !acrpmu_msr_try_read(MSR_CORE_PERF_FIXED_CTR_CTRL, &value))
		return false;
	for_each_set_bit(cntr, &cntrs, ACRPMU_CNTRS_MAX) {
		enum acrpmu_model_reg reg;

		if (!acrpmu_msr_try_counter(cntr))
			return false;
		for (reg = ACRPMU_MODEL_CNTR; reg <= ACRPMU_MODEL_CFG_C; reg++) {
			u32 msr = acrpmu_model_msr(caps, cntr, reg);

			if (msr && !acrpmu_msr_try_read(msr, &value))
				return false;
		}
	}
	return true;
}

/* Hypervisors often hide only these.  In-tree perf may be using them: read, do not write. */
static u8 find_extra_regs(const struct acrpmu_model *model)
{
	unsigned int i;
	u8 found = 0;
	u64 value;

	for (i = 0; i < model->nr_extra_regs; i++)
		if (acrpmu_msr_try_read(model->extra_regs[i].msr, &value))
			found |= BIT(i);
	return found;
}

static bool same_core(const struct acrpmu_core_id *a, const struct acrpmu_core_id *b)
{
	return a->package == b->package && a->die == b->die && a->core == b->core;
}

/* Threads may come online one by one, and the first may be offline again by the second. */
static void find_core(struct acrpmu_pmu *pmu, int cpu)
{
	int other;

	pmu->core_id.package = topology_physical_package_id(cpu);
	pmu->core_id.die = topology_die_id(cpu);
	pmu->core_id.core = topology_core_id(cpu);
	pmu->core = cpu;
	for_each_possible_cpu(other) {
		const struct acrpmu_pmu *known = acrpmu_pmu_of(other);

		if (known->known && same_core(&known->core_id, &pmu->core_id)) {
			pmu->core = known->core;
			break;
		}
	}
}

/**
 * acrpmu_discover_cpu() - discover what the PMU of this CPU can do
 *
 * Reads every register that will be used once, in the form that survives a fault.
 *
 * Context: the CPU in question, at load or when it comes online; acrpmu_lock held.
 */
void acrpmu_discover_cpu(void)
{
	struct acrpmu_pmu *pmu = acrpmu_pmu_here();
	struct acrpmu_cpuid id;

	lockdep_assert_held(&acrpmu_lock);
	read_cpuid(&id);
	pmu->usable = !acrpmu_model_caps(&id, &pmu->caps) && pmu->caps.cntrs &&
		      registers_answer(&pmu->caps);
	pmu->extra_regs = pmu->usable ? find_extra_regs(pmu->caps.model) : 0;
	if (!pmu->known)
		find_core(pmu, smp_processor_id());
	pmu->known = true;
}
