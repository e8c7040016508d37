// SPDX-License-Identifier: GPL-2.0-only
/* Limits set by module parameters, and the features that this kernel allows. */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>

#include "limits.h"

struct acrpmu_limits acrpmu_limits;
unsigned int acrpmu_max_sample_rate = 100000;
unsigned int acrpmu_max_per_tick;
u64 acrpmu_max_ns_per_tick;
u64 acrpmu_features = ACRPMU_FEATURE_SAMPLING | ACRPMU_FEATURE_PARK |
		      ACRPMU_FEATURE_QUERY_CPU;

unsigned int acrpmu_max_sessions = 16384;
module_param_named(max_sessions, acrpmu_max_sessions, uint, 0444);
MODULE_PARM_DESC(max_sessions, "sessions that each user may have (default 16384)");

static unsigned int min_period = 1000;
module_param(min_period, uint, 0444);
MODULE_PARM_DESC(min_period, "smallest period of a sampled event (default 1000)");

static unsigned int min_period_quiet = 1;
module_param(min_period_quiet, uint, 0444);
MODULE_PARM_DESC(min_period_quiet, "smallest period of a quiet event (default 1)");

module_param_named(max_sample_rate, acrpmu_max_sample_rate, uint, 0444);
MODULE_PARM_DESC(max_sample_rate,
		 "samples per second and CPU beyond which sessions pause (default 100000)");

static unsigned int max_pmi_percent = 25;
module_param(max_pmi_percent, uint, 0444);
MODULE_PARM_DESC(max_pmi_percent,
		 "share of a CPU's time in the handler beyond which kernel-level sessions pause (default 25)");

/**
 * acrpmu_limits_init() - check the module parameters and derive the limits from them
 *
 * Context: process, at load.
 * Return: 0; -EINVAL if a parameter is out of range.
 */
int acrpmu_limits_init(void)
{
	if (!min_period || !min_period_quiet || !acrpmu_max_sample_rate || !max_pmi_percent ||
	    !acrpmu_max_sessions) {
		pr_err("every module parameter must be at least 1\n");
		return -EINVAL;
	}
	if (max_pmi_percent > 100) {
		pr_err("max_pmi_percent must be at most 100\n");
		return -EINVAL;
	}
	acrpmu_attr_limits(&acrpmu_limits, PAGE_SIZE);
	acrpmu_limits.min_period_sampled = min_period;
	acrpmu_limits.min_period_quiet = min_period_quiet;
	acrpmu_max_ns_per_tick = (u64)TICK_NSEC * max_pmi_percent / 100;
	acrpmu_max_per_tick = DIV_ROUND_UP(acrpmu_max_sample_rate, HZ);
	return 0;
}
