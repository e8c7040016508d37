// SPDX-License-Identifier: LGPL-2.1-or-later
/* Descriptions of CPUs, by name and by CPUID. */
#include "cpu.h"

#include <stdio.h>

#include "../../kmod/regs.h"
#include "cpu_table.h"

#define VERSION_6	6	/* from it on the MSRs have the layout at 0x1900 */

void acrpmu_cpu_show(const struct acrpmu_caps *caps, struct acrpmu_cpu *cpu)
{
	const struct acrpmu_model *model = caps->model;
	const struct cpu_row *row = acrpmu_cpu_table_row(model);

	*cpu = (struct acrpmu_cpu){
		.flags = (caps->acr ? ACRPMU_CPU_ACR : 0) |
			 (caps->full_width ? ACRPMU_CPU_FULL_WIDTH : 0) |
			 (caps->core_type ? ACRPMU_CPU_HYBRID : 0),
		.pmu_version = caps->pmu_version,
		.signature = caps->signature,
		.core_type = caps->core_type,
		.gp_width = caps->gp_width,
		.fixed_width = caps->fixed_width,
		.cntrs = caps->cntrs,
		.reloadable_cntrs = caps->reloadable_cntrs,
		.cause_cntrs = caps->cause_cntrs,
		.config_mask = caps->config_mask,
		.known = model->nr_ids > 0,
		.lacking_events = caps->lacking_events,
	};
	snprintf(cpu->name, sizeof(cpu->name), "%s", model->name);
	snprintf(cpu->short_name, sizeof(cpu->short_name), "%s", row->short_name);
	snprintf(cpu->core, sizeof(cpu->core), "%s",
		 acrpmu_cpu_table_core(model, caps->signature));
}

int acrpmu_cpu_caps(const struct acrpmu_cpu *cpu, struct acrpmu_caps *caps)
{
	const struct acrpmu_model *model = acrpmu_cpu_table_model(cpu->name);

	if (!model)
		return -EINVAL;
	*caps = (struct acrpmu_caps){
		.model = model,
		.pmu_version = cpu->pmu_version,
		.signature = cpu->signature,
		.core_type = cpu->core_type,
		.cntrs = cpu->cntrs,
		.reloadable_cntrs = cpu->reloadable_cntrs,
		.cause_cntrs = cpu->cause_cntrs,
		.config_mask = cpu->config_mask,
		.lacking_events = cpu->lacking_events,
		.gp_width = cpu->gp_width,
		.fixed_width = cpu->fixed_width,
		.full_width = cpu->flags & ACRPMU_CPU_FULL_WIDTH,
		.v6_msrs = cpu->pmu_version >= VERSION_6,
		.acr = cpu->flags & ACRPMU_CPU_ACR,
	};
	return 0;
}

int acrpmu_cpuid_caps(struct acrpmu_cpuid *cpuid, struct acrpmu_caps *caps)
{
	const struct acrpmu_model *model = acrpmu_model_find(cpuid->l1_eax, cpuid->l1a_eax);

	/* user space cannot read it; all CPUs of a model have the same */
	cpuid->perf_capabilities = acrpmu_cpu_table_row(model)->cpuid.perf_capabilities;
	return acrpmu_model_caps(cpuid, caps);
}

/**
 * acrpmu_cpu_by_name() - describe a typical CPU of the table
 * @name: its name or short name
 * @cpu: out, written only on success
 *
 * Return: 0, or -ENOENT if the table has no such row.
 */
int acrpmu_cpu_by_name(const char *name, struct acrpmu_cpu *cpu)
{
	const struct acrpmu_model *model = acrpmu_cpu_table_model(name);
	struct acrpmu_caps caps;

	if (!model)
		return -ENOENT;
	if (acrpmu_model_caps(&acrpmu_cpu_table_row(model)->cpuid, &caps))
		return -ENOENT;
	/* no CPU has the signature of the fallback */
	caps.model = model;
	acrpmu_cpu_show(&caps, cpu);
	return 0;
}

/**
 * acrpmu_cpu_probe() - describe the CPU that the calling thread runs on
 * @cpu: out; with -EOPNOTSUPP as much as is known
 *
 * Where CPUs can differ, pin the thread to one of them first.
 *
 * Return: 0, or -EOPNOTSUPP: not an Intel CPU, or without a PMU of version 2 or later, as in most
 * virtual machines.
 */
int acrpmu_cpu_probe(struct acrpmu_cpu *cpu)
{
	struct acrpmu_cpuid cpuid;
	struct acrpmu_caps caps;
	int err;

	*cpu = (struct acrpmu_cpu){ .name = "" };
	err = acrpmu_cpuid_read(&cpuid);
	if (err)
		return err;
	err = acrpmu_cpuid_caps(&cpuid, &caps);
	acrpmu_cpu_show(&caps, cpu);
	return err;
}

/**
 * acrpmu_cpu_next_name() - iterate over the names in the CPU table
 * @name: NULL for the first, else the one before
 *
 * Return: the next name; NULL after the last or if @name is none.
 */
const char *acrpmu_cpu_next_name(const char *name)
{
	const struct acrpmu_model *model = NULL;

	if (name) {
		model = acrpmu_cpu_table_model(name);
		if (!model)
			return NULL;
	}
	model = acrpmu_model_next(model);
	return model ? model->name : NULL;
}

/**
 * acrpmu_cpu_extra_regs() - the extra registers of a CPU, by the CPU table
 * @cpu: from acrpmu_cpu_by_name() or acrpmu_cpu_probe()
 * @regs: out, as many elements as there are
 *
 * A hypervisor may hide some of them; acrpmu_device_info() returns those that answer.
 *
 * Return: their number, at most ACRPMU_MAX_EXTRA_REGS.
 */
unsigned int acrpmu_cpu_extra_regs(const struct acrpmu_cpu *cpu,
				   struct acrpmu_extra_reg_info regs[ACRPMU_MAX_EXTRA_REGS])
{
	const struct acrpmu_model *model = acrpmu_cpu_table_model(cpu->name);
	unsigned int i;

	for (i = 0; model && i < model->nr_extra_regs && i < ACRPMU_MAX_EXTRA_REGS; i++) {
		const struct acrpmu_extra_reg *reg = &model->extra_regs[i];

		regs[i] = (struct acrpmu_extra_reg_info){
			.config = reg->config, .valid_mask = reg->valid_mask, .msr = reg->msr,
		};
	}
	return i;
}
