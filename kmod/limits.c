// SPDX-License-Identifier: GPL-2.0-only
/* Limits set by module parameters, and the features that this kernel allows. */
#include <linux/jiffies.h>
#include <linux/kernel.h>
#include <linux/math64.h>
#include <linux/mm.h>
#include <linux/moduleparam.h>
#include <asm/tsc.h>

#include "limits.h"

struct acrpmu_limits acrpmu_limits;
struct acrpmu_pace acrpmu_pace;
u64 acrpmu_features = ACRPMU_FEATURE_SAMPLING | ACRPMU_FEATURE_PARK | ACRPMU_FEATURE_GUEST |
		      ACRPMU_FEATURE_QUERY_CPU | ACRPMU_FEATURE_ALLOWED_CNTRS |
		      ACRPMU_FEATURE_SOFTWARE | ACRPMU_FEATURE_PERIODS | ACRPMU_FEATURE_CALLCHAIN |
		      ACRPMU_FEATURE_JITTER;

unsigned int acrpmu_max_sessions;
unsigned int acrpmu_max_unprivileged_sessions;
bool acrpmu_unprivileged;

/* A parameter from 1 to @most; the kernel lets only one writer in at a time. */
struct parameter {
	unsigned int value;
	const unsigned int most;
};

static struct parameter min_period = { 1000, S32_MAX };
static struct parameter min_period_quiet = { 1, S32_MAX };
static struct parameter max_sample_rate = { 100000, 10000000 };
static struct parameter max_pmi_percent = { 25, 100 };
static struct parameter max_sessions = { 16384, S32_MAX };
static struct parameter max_unprivileged_sessions = { 256, S32_MAX };

/* 0 where the kernel does not know the frequency: then nothing is ever charged. */
static u64 tsc_cycles(u64 ns)
{
	return div_u64(ns * tsc_khz, USEC_PER_SEC);
}

static void apply(void)
{
	unsigned int percent = max_pmi_percent.value;

	WRITE_ONCE(acrpmu_limits.min_period_sampled, min_period.value);
	WRITE_ONCE(acrpmu_limits.min_period_quiet, min_period_quiet.value);
	WRITE_ONCE(acrpmu_max_sessions, max_sessions.value);
	WRITE_ONCE(acrpmu_max_unprivileged_sessions, max_unprivileged_sessions.value);
	WRITE_ONCE(acrpmu_pace.max_sample_rate, max_sample_rate.value);
	WRITE_ONCE(acrpmu_pace.max_pmi_percent, percent);
	WRITE_ONCE(acrpmu_pace.max_per_tick, DIV_ROUND_UP(max_sample_rate.value, HZ));
	WRITE_ONCE(acrpmu_pace.max_cycles_per_tick,
		   percent < 100 ? tsc_cycles(TICK_NSEC) * percent / 100 : U64_MAX);
}

static int set_parameter(const char *text, const struct kernel_param *param)
{
	struct parameter *parameter = param->arg;
	unsigned int value;

	if (kstrtouint(text, 0, &value) || !value || value > parameter->most) {
		pr_err_ratelimited("%s must be a number from 1 to %u\n", param->name,
				   parameter->most);
		return -EINVAL;
	}
	parameter->value = value;
	apply();
	return 0;
}

static int get_parameter(char *text, const struct kernel_param *param)
{
	const struct parameter *parameter = param->arg;

	return scnprintf(text, PAGE_SIZE, "%u\n", parameter->value);
}

static const struct kernel_param_ops parameter_ops = {
	.set = set_parameter,
	.get = get_parameter,
};

module_param_cb(max_sessions, &parameter_ops, &max_sessions, 0644);
__MODULE_PARM_TYPE(max_sessions, "uint");
MODULE_PARM_DESC(max_sessions, "sessions that each user may have (default 16384)");

module_param_cb(max_unprivileged_sessions, &parameter_ops, &max_unprivileged_sessions, 0644);
__MODULE_PARM_TYPE(max_unprivileged_sessions, "uint");
MODULE_PARM_DESC(max_unprivileged_sessions,
		 "sessions that each user may have without CAP_PERFMON (default 256)");

module_param_named(unprivileged, acrpmu_unprivileged, bool, 0644);
MODULE_PARM_DESC(unprivileged,
		 "whether users without CAP_PERFMON may observe their own tasks (default off)");

module_param_cb(min_period, &parameter_ops, &min_period, 0644);
__MODULE_PARM_TYPE(min_period, "uint");
MODULE_PARM_DESC(min_period, "smallest period of an event that raises interrupts (default 1000)");

module_param_cb(min_period_quiet, &parameter_ops, &min_period_quiet, 0644);
__MODULE_PARM_TYPE(min_period_quiet, "uint");
MODULE_PARM_DESC(min_period_quiet, "smallest period of a quiet event (default 1)");

module_param_cb(max_sample_rate, &parameter_ops, &max_sample_rate, 0644);
__MODULE_PARM_TYPE(max_sample_rate, "uint");
MODULE_PARM_DESC(max_sample_rate,
		 "samples per second and CPU beyond which sessions pause (default 100000)");

module_param_cb(max_pmi_percent, &parameter_ops, &max_pmi_percent, 0644);
__MODULE_PARM_TYPE(max_pmi_percent, "uint");
MODULE_PARM_DESC(max_pmi_percent,
		 "share of a CPU's time in the handler beyond which sessions pause (default 25, 100: no limit)");

/**
 * acrpmu_limits_init() - set the limits that no parameter has set
 *
 * Context: process, at load.
 */
void acrpmu_limits_init(void)
{
	acrpmu_attr_limits(&acrpmu_limits, PAGE_SIZE);
	acrpmu_pace.max_cycles_of_pmi = tsc_cycles(TICK_NSEC / 8);
	if (!tsc_khz)
		pr_warn("the frequency of the TSC is unknown: max_pmi_percent has no effect\n");
	apply();
}
