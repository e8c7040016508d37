// SPDX-License-Identifier: GPL-2.0-only
/* What the module and the CPUs can do: Clearwater Forest, or a hybrid of Lunar Lake. */
#include <stdlib.h>
#include <string.h>

#include "device.h"

/*
 * Environment:
 *   FAKE_KINDS=PE        the CPUs are P-cores and E-cores of Lunar Lake in turns
 *   FAKE_CPU=NAME        of the CPUs, default clearwaterforest
 *   FAKE_CNTRS=N         number of their counters, all alike
 *   FAKE_NO_ACR=1        they have no auto counter reload
 *   FAKE_ABI=N           the module is of that ABI version; of 1 it cannot park sessions
 *   FAKE_NO_SOFTWARE=1   it cannot reload in software
 *   FAKE_NO_PERIODS=1    it cannot change periods
 *   FAKE_JITTER=1        it can make periods random
 */

/* P-cores and E-cores of Lunar Lake */
static void fill_hybrid(struct acrpmu_cpu_info *c, bool big)
{
	c->flags |= ACRPMU_CPU_HYBRID;
	c->pmu_version = 6;
	c->signature = 0xb06d1;
	c->core_type = big ? 0x40000003 : 0x20000003;
	c->cntrs = big ? 0xf000003ff : 0x77000000ff;
	c->reloadable_cntrs = big ? 0 : 0x7000000ff;
	c->cause_cntrs = c->reloadable_cntrs;
	c->flags &= ~ACRPMU_CPU_ACR;
	c->flags |= big ? 0 : ACRPMU_CPU_ACR;
	strcpy(c->name, big ? "lioncove" : "skymont");
}

static void fill_cpu(struct acrpmu_cpu_info *c, unsigned int cpu)
{
	const char *kinds = getenv("FAKE_KINDS");

	c->cpu = cpu;
	c->flags = ACRPMU_CPU_ONLINE | ACRPMU_CPU_USABLE | ACRPMU_CPU_ACR | ACRPMU_CPU_FULL_WIDTH;
	if (getenv("FAKE_NO_ACR"))
		c->flags &= ~ACRPMU_CPU_ACR;
	c->pmu_version = 6;
	c->signature = 0xd06d0;
	c->gp_width = 48;
	c->fixed_width = 48;
	c->cntrs = getenv("FAKE_CNTRS") ? (1ULL << env_number("FAKE_CNTRS")) - 1 : 0x3f000000ffULL;
	c->reloadable_cntrs = 0x7000000ffULL;
	c->cause_cntrs = 0x7000000ffULL;
	snprintf(c->name, sizeof(c->name), "%s", getenv("FAKE_CPU") ?: "clearwaterforest");
	if (kinds)
		fill_hybrid(c, kinds[cpu % strlen(kinds)] == 'P');
}

/**
 * fake_info() - answer ACRPMU_INFO
 *
 * Return: 0.
 */
int fake_info(struct acrpmu_info *info)
{
	struct acrpmu_cpu_info *cpus = (void *)(uintptr_t)info->cpus;
	uint32_t i, room = info->nr_cpus;

	info->abi_version = env_number("FAKE_ABI") ?: ACRPMU_ABI_VERSION;
	info->nr_cpus = device_online();
	info->max_events = ACRPMU_MAX_EVENTS;
	info->features = ACRPMU_FEATURE_SAMPLING | ACRPMU_FEATURE_TASK | ACRPMU_FEATURE_INHERIT |
			 ACRPMU_FEATURE_EXEC |
			 (env_is("FAKE_ABI", 1) ? 0 : ACRPMU_FEATURE_PARK) |
			 (getenv("FAKE_KINDS") ? ACRPMU_FEATURE_ARRIVAL : 0) |
			 (env_number("FAKE_JITTER") ? ACRPMU_FEATURE_JITTER : 0) |
			 (getenv("FAKE_NO_PERIODS") ? 0 : ACRPMU_FEATURE_PERIODS) |
			 (getenv("FAKE_NO_SOFTWARE") ? 0 : ACRPMU_FEATURE_SOFTWARE);
	info->sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_TID |
			    PERF_SAMPLE_TIME | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD;
	info->min_period_sampled = 1000;
	info->min_period_quiet = 1;
	info->max_ring_pages = ACRPMU_MAX_RING_PAGES;
	info->max_sample_rate = 100000;
	info->nr_sessions = nr_sessions;
	info->arbiter = ACRPMU_ARBITER_CLAIM;
	for (i = 0; cpus && room >= info->nr_cpus && i < info->nr_cpus; i++) {
		memset(&cpus[i], 0, info->cpu_size);
		fill_cpu(&cpus[i], i);
	}
	return 0;
}
