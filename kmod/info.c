// SPDX-License-Identifier: GPL-2.0-only
/* The answer to ACRPMU_INFO: the module and the CPUs. */
#include <linux/cpu.h>
#include <linux/cpumask.h>
#include <linux/pid_namespace.h>
#include <linux/sched.h>

#include "info.h"
#include "intree.h"
#include "limits.h"
#include "owner.h"
#include "pids.h"
#include "pmu.h"
#include "registry.h"

/**
 * acrpmu_info_fill() - fill in all but the inputs and the CPUs
 *
 * Context: process, may sleep.
 */
void acrpmu_info_fill(struct acrpmu_info *info)
{
	info->abi_version = ACRPMU_ABI_VERSION;
	info->nr_cpus = num_possible_cpus();
	info->max_events = acrpmu_limits.max_events;
	info->features = acrpmu_features;
	if (READ_ONCE(acrpmu_unprivileged))
		info->features |= ACRPMU_FEATURE_UNPRIVILEGED;
	info->sample_type = acrpmu_limits.sample_type;
	info->min_period_sampled = READ_ONCE(acrpmu_limits.min_period_sampled);
	info->min_period_quiet = READ_ONCE(acrpmu_limits.min_period_quiet);
	info->max_ring_pages = acrpmu_limits.max_ring_pages;
	info->max_sample_rate = READ_ONCE(acrpmu_pace.max_sample_rate);
	info->nr_sessions = acrpmu_registry_count();
	info->arbiter = acrpmu_owner_arbiter();
	info->max_pmi_percent = READ_ONCE(acrpmu_pace.max_pmi_percent);
	info->nr_starved = 0;
	info->starved_cpu = 0;
	info->starved_pid = 0;
}

/* Events of in-tree perf that claims keep from counting now; a snapshot. */
static int count_starved(struct acrpmu_error *first)
{
	cpumask_var_t cpus;
	int cpu, ret;

	if (!zalloc_cpumask_var(&cpus, GFP_KERNEL))
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		if (acrpmu_owner_cntrs(cpu))
			cpumask_set_cpu(cpu, cpus);
	ret = cpumask_empty(cpus) ? 0 : acrpmu_intree_starved(cpus, first);
	free_cpumask_var(cpus);
	return ret;
}

/**
 * acrpmu_info_fill_starved() - fill in what of in-tree perf sessions keep from counting now
 *
 * Context: process, may sleep, without locks.
 * Return: 0, or -ENOMEM.
 */
int acrpmu_info_fill_starved(struct acrpmu_info *info)
{
	struct acrpmu_error first = {};
	int nr = count_starved(&first);

	if (nr <= 0)
		return nr;
	info->nr_starved = nr;
	info->starved_cpu = first.cpu;
	info->starved_pid = acrpmu_pids_translate(first.holder_pid,
						  task_active_pid_ns(current));
	return 0;
}

static void fill_extra_regs(struct acrpmu_cpu_info *info, const struct acrpmu_pmu *pmu)
{
	const struct acrpmu_model *model = pmu->caps.model;
	unsigned int i;

	info->nr_extra_regs = min_t(u32, model->nr_extra_regs, ACRPMU_MAX_EXTRA_REGS);
	for (i = 0; i < info->nr_extra_regs; i++) {
		info->extra_regs[i].config = model->extra_regs[i].config;
		info->extra_regs[i].valid_mask = model->extra_regs[i].valid_mask;
		info->extra_regs[i].msr = model->extra_regs[i].msr;
		if (pmu->usable && !(pmu->extra_regs & BIT(i)))
			info->extra_regs[i].flags |= ACRPMU_EXTRA_REG_HIDDEN;
	}
}

static void fill_cpu(struct acrpmu_cpu_info *info, int cpu)
{
	const struct acrpmu_pmu *pmu = acrpmu_pmu_of(cpu);
	const struct acrpmu_caps *caps = &pmu->caps;

	info->cpu = cpu;
	if (cpu_online(cpu))
		info->flags |= ACRPMU_CPU_ONLINE;
	if (!pmu->known)
		return;
	if (pmu->usable)
		info->flags |= ACRPMU_CPU_USABLE;
	if (caps->acr)
		info->flags |= ACRPMU_CPU_ACR;
	if (caps->full_width)
		info->flags |= ACRPMU_CPU_FULL_WIDTH;
	if (caps->core_type)
		info->flags |= ACRPMU_CPU_HYBRID;
	info->pmu_version = caps->pmu_version;
	info->signature = caps->signature;
	info->core_type = caps->core_type;
	info->gp_width = caps->gp_width;
	info->fixed_width = caps->fixed_width;
	info->cntrs = caps->cntrs;
	info->reloadable_cntrs = caps->reloadable_cntrs;
	info->cause_cntrs = caps->cause_cntrs;
	info->held_cntrs = READ_ONCE(pmu->held_cntrs) | acrpmu_owner_cntrs(cpu);
	strscpy(info->name, caps->model->name, sizeof(info->name));
	fill_extra_regs(info, pmu);
}

/**
 * acrpmu_info_fill_cpus() - fill in a zeroed array with one element for each possible CPU
 *
 * Context: process, may sleep.
 */
void acrpmu_info_fill_cpus(struct acrpmu_cpu_info *cpus)
{
	int cpu;

	/* Not acrpmu_lock: any user may ask, and must not hold up sessions. */
	cpus_read_lock();
	for_each_possible_cpu(cpu)
		fill_cpu(cpus++, cpu);
	cpus_read_unlock();
}
