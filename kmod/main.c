// SPDX-License-Identifier: GPL-2.0-only
/* Loading and unloading: everything in order, undone in reverse. */
#include <linux/cpu.h>
#include <linux/miscdevice.h>
#include <linux/module.h>
#include <asm/cpufeature.h>
#include <asm/processor.h>

#include "cgroup.h"
#include "arrive.h"
#include "chain.h"
#include "clean.h"
#include "extra.h"
#include "fold.h"
#include "followed.h"
#include "hotplug.h"
#include "intree.h"
#include "ioctl.h"
#include "limits.h"
#include "netlink.h"
#include "notify.h"
#include "owner.h"
#include "paranoid.h"
#include "pmi.h"
#include "pmu.h"
#include "rdpmc.h"
#include "registry.h"
#include "settle.h"
#include "show.h"
#include "spare.h"
#include "taken.h"
#include "task.h"
#include "watch.h"

/* Any user may ask for information; a session needs CAP_PERFMON or the parameter unprivileged. */
static struct miscdevice device = {
	.minor = MISC_DYNAMIC_MINOR,
	.name = "acrpmu",
	.fops = &acrpmu_ioctl_fops,
	.mode = 0666,
};

static int check_cpu(void)
{
	if (boot_cpu_data.x86_vendor != X86_VENDOR_INTEL) {
		pr_err("not an Intel CPU: there is nothing to drive\n");
		return -ENODEV;
	}
	if (!boot_cpu_has(X86_FEATURE_APIC)) {
		pr_err("no local APIC: overflows cannot interrupt\n");
		return -ENODEV;
	}
	return 0;
}

static void find_task_features(void)
{
	if (acrpmu_task_init())
		pr_warn("the kernel lacks scheduler tracepoints: only CPU sessions are possible\n");
	else
		acrpmu_features |= ACRPMU_FEATURE_TASK | ACRPMU_FEATURE_INHERIT |
				   ACRPMU_FEATURE_EXEC | ACRPMU_FEATURE_ARRIVAL;
	if (acrpmu_features & ACRPMU_FEATURE_TASK && acrpmu_cgroup_init())
		acrpmu_features |= ACRPMU_FEATURE_TARGETS;
}

static u64 usable_cntrs(void)
{
	u64 cntrs = 0;
	int cpu;

	for_each_possible_cpu(cpu)
		if (acrpmu_pmu_of(cpu)->usable)
			cntrs |= acrpmu_pmu_of(cpu)->caps.cntrs;
	return cntrs;
}

static int check_pmu(void)
{
	const struct acrpmu_pmu *pmu = acrpmu_pmu_of(cpumask_first(cpu_online_mask));
	u64 cntrs = usable_cntrs();
	int ret;

	if (!cntrs) {
		if (pmu->caps.cntrs)
			pr_err("CPUID shows a PMU, but its registers do not answer: does the hypervisor hide it?\n");
		else
			pr_err("no PMU of architectural version 2 or later (version %u): in a virtual machine, enable its PMU\n",
			       pmu->caps.pmu_version);
		return -ENODEV;
	}
	ret = acrpmu_owner_try(cntrs);
	if (ret)
		pr_err("in-tree perf refuses a trial event (%d): cannot determine how to keep it off the PMU\n",
		       ret);
	return ret;
}

static const char *arbiter_name(void)
{
	switch (acrpmu_owner_arbiter()) {
	case ACRPMU_ARBITER_RESERVE:
		return "by reservation";
	case ACRPMU_ARBITER_CLAIM:
		return "by a claim";
	default:
		return "not needed";
	}
}

static bool same_kind(const struct acrpmu_caps *a, const struct acrpmu_caps *b)
{
	return a->model == b->model && a->core_type == b->core_type &&
	       a->pmu_version == b->pmu_version && a->cntrs == b->cntrs &&
	       a->reloadable_cntrs == b->reloadable_cntrs && a->cause_cntrs == b->cause_cntrs;
}

/* Report the CPUs like the first of @left, and take them out of it. */
static void report_kind(struct cpumask *left, struct cpumask *kind)
{
	const struct acrpmu_caps *caps = &acrpmu_pmu_of(cpumask_first(left))->caps;
	int cpu;

	cpumask_clear(kind);
	for_each_cpu(cpu, left)
		if (same_kind(&acrpmu_pmu_of(cpu)->caps, caps))
			cpumask_set_cpu(cpu, kind);
	cpumask_andnot(left, left, kind);
	pr_info("CPUs %*pbl: %s, PMU version %u, counters %#llx, reloadable %#llx, causes %#llx\n",
		cpumask_pr_args(kind), caps->model->name, caps->pmu_version, caps->cntrs,
		caps->reloadable_cntrs, caps->cause_cntrs);
}

static void report(void)
{
	cpumask_var_t left, kind;
	int cpu;

	pr_info("ABI %u; in-tree perf kept off %s\n", ACRPMU_ABI_VERSION, arbiter_name());
	if (!zalloc_cpumask_var(&left, GFP_KERNEL))
		return;
	if (!zalloc_cpumask_var(&kind, GFP_KERNEL))
		goto out;
	for_each_possible_cpu(cpu)
		if (acrpmu_pmu_of(cpu)->usable)
			cpumask_set_cpu(cpu, left);
	while (!cpumask_empty(left))
		report_kind(left, kind);
	free_cpumask_var(kind);
out:
	free_cpumask_var(left);
}

static int __init acrpmu_init(void)
{
	int ret;

	ret = check_cpu();
	if (ret)
		return ret;
	acrpmu_limits_init();
	find_task_features();

	ret = acrpmu_pmu_init();
	if (ret)
		return ret;
	ret = acrpmu_extra_init();
	if (ret)
		goto err_pmu;
	ret = acrpmu_intree_init();
	if (ret)
		goto err_extra;
	ret = acrpmu_owner_init();
	if (ret)
		goto err_intree;
	ret = acrpmu_settle_init();
	if (ret)
		goto err_owner;
	ret = acrpmu_watch_init();
	if (ret)
		goto err_settle;
	ret = acrpmu_registry_init();
	if (ret)
		goto err_watch;
	acrpmu_notify_init();
	ret = acrpmu_clean_init();
	if (ret)
		goto err_notify;
	acrpmu_rdpmc_init();
	ret = acrpmu_followed_init();
	if (ret)
		goto err_rdpmc;
	ret = acrpmu_spare_init();
	if (ret)
		goto err_followed;
	ret = acrpmu_arrive_init();
	if (ret)
		goto err_spare;
	acrpmu_taken_init();
	ret = acrpmu_hotplug_init();
	if (ret)
		goto err_arrive;
	ret = check_pmu();
	if (ret)
		goto err_hotplug;
	ret = acrpmu_chain_init();
	if (ret)
		goto err_hotplug;
	ret = acrpmu_pmi_init();
	if (ret)
		goto err_chain;
	acrpmu_paranoid_init();
	ret = misc_register(&device);
	if (ret)
		goto err_paranoid;
	acrpmu_show_init();
	acrpmu_netlink_init();
	report();
	return 0;

err_paranoid:
	acrpmu_paranoid_exit();
	acrpmu_pmi_exit();
err_chain:
	acrpmu_chain_exit();
err_hotplug:
	acrpmu_hotplug_exit();
err_arrive:
	acrpmu_arrive_exit();
err_spare:
	acrpmu_spare_exit();
err_followed:
	acrpmu_followed_exit();
err_rdpmc:
	acrpmu_rdpmc_exit();
	acrpmu_clean_exit();
err_notify:
	acrpmu_notify_exit();
	acrpmu_registry_exit();
err_watch:
	acrpmu_watch_exit();
err_settle:
	acrpmu_settle_exit();
err_owner:
	acrpmu_owner_exit();
err_intree:
	acrpmu_intree_exit();
err_extra:
	acrpmu_extra_exit();
err_pmu:
	acrpmu_pmu_exit();
	return ret;
}

static void __exit acrpmu_exit(void)
{
	acrpmu_netlink_exit();
	acrpmu_show_exit();
	misc_deregister(&device);
	/* Until then a claim that was lost asks for a look at the CPUs. */
	acrpmu_settle_flush();
	acrpmu_paranoid_exit();
	acrpmu_pmi_exit();
	acrpmu_chain_exit();
	acrpmu_hotplug_exit();
	acrpmu_fold_exit();
	acrpmu_taken_exit();
	acrpmu_arrive_exit();
	acrpmu_spare_exit();
	acrpmu_followed_exit();
	acrpmu_rdpmc_exit();
	acrpmu_clean_exit();
	acrpmu_notify_exit();
	acrpmu_registry_exit();
	acrpmu_watch_exit();
	acrpmu_settle_exit();
	acrpmu_owner_exit();
	acrpmu_intree_exit();
	acrpmu_extra_exit();
	acrpmu_pmu_exit();
}

module_init(acrpmu_init);
module_exit(acrpmu_exit);

MODULE_DESCRIPTION("Sampling by ratio with Auto Counter Reload on Intel E-cores");
MODULE_AUTHOR("The acrpmu authors");
MODULE_LICENSE("GPL");
MODULE_VERSION("0.1.0");
