// SPDX-License-Identifier: GPL-2.0-only
/* acrctl info: the names that text and JSON have in common. */
#include "../../util/util.h"
#include "info.h"

static const char *const states[] = {
	[SYSTEM_UNKNOWN] = "unknown", [SYSTEM_OFF] = "off", [SYSTEM_ON] = "on",
};

static const char *const arbiters[] = {
	[ACRPMU_ARBITER_NONE] = "none", [ACRPMU_ARBITER_RESERVE] = "reserve",
	[ACRPMU_ARBITER_CLAIM] = "claim",
};

const struct info_feature info_features[] = {
	{ ACRPMU_FEATURE_SAMPLING, "sampling" },
	{ ACRPMU_FEATURE_TASK, "task" },
	{ ACRPMU_FEATURE_INHERIT, "inherit" },
	{ ACRPMU_FEATURE_EXEC, "exec" },
	{ ACRPMU_FEATURE_PARK, "park" },
	{ ACRPMU_FEATURE_QUERY_CPU, "query_cpu" },
	{ ACRPMU_FEATURE_ARRIVAL, "arrival" },
	{ ACRPMU_FEATURE_ALLOWED_CNTRS, "allowed_cntrs" },
	{ ACRPMU_FEATURE_GUEST, "guest" },
	{ ACRPMU_FEATURE_SOFTWARE, "software" },
	{ ACRPMU_FEATURE_PERIODS, "periods" },
	{ ACRPMU_FEATURE_CALLCHAIN, "callchain" },
	{ ACRPMU_FEATURE_TARGETS, "targets" },
	{ ACRPMU_FEATURE_UNPRIVILEGED, "unprivileged" },
	{ ACRPMU_FEATURE_JITTER, "jitter" },
	{ 0 }
};

/**
 * info_state() - name a state of the system
 *
 * Return: "unknown", "off" or "on".
 */
const char *info_state(enum system_state state)
{
	return states[state];
}

/**
 * info_arbiter() - name one of ACRPMU_ARBITER_*
 *
 * Return: the name, or NULL for one of a newer module.
 */
const char *info_arbiter(__u32 arbiter)
{
	return arbiter < ARRAY_SIZE(arbiters) ? arbiters[arbiter] : NULL;
}

/**
 * info_permission() - name what a user may observe
 *
 * Return: "nothing", "own_tasks" or "all".
 */
const char *info_permission(enum permission permission)
{
	static const char *const names[] = {
		[PERMISSION_NOTHING] = "nothing", [PERMISSION_PARANOID] = "nothing",
		[PERMISSION_OWN] = "own_tasks", [PERMISSION_ALL] = "all",
	};

	return names[permission];
}

/**
 * info_pmu() - name the PMU of a CPU as in-tree perf does
 */
void info_pmu(const struct acrpmu_cpu_info *cpu, char pmu[KIND_PMU_LEN])
{
	kinds_pmu(cpu->signature, cpu->flags & ACRPMU_CPU_HYBRID ? cpu->core_type : 0, pmu);
}

/**
 * info_has_software() - whether the module can reload counters in software; also if it is not known
 */
bool info_has_software(const struct info *info)
{
	return !info->have_module || info->module.features & ACRPMU_FEATURE_SOFTWARE;
}

/**
 * info_nr_extra_regs() - count the extra registers that fit the struct of this program
 */
unsigned int info_nr_extra_regs(const struct acrpmu_cpu_info *cpu)
{
	return cpu->nr_extra_regs < ACRPMU_MAX_EXTRA_REGS ? cpu->nr_extra_regs :
	       ACRPMU_MAX_EXTRA_REGS;
}
