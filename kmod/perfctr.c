// SPDX-License-Identifier: GPL-2.0-only
/* The kernel's reservation of general-purpose counters, which drivers of the PMU share. */
#include <linux/bits.h>
#include <linux/mutex.h>
#include <linux/perf_event.h>
#include <asm/nmi.h>

#include "../uapi/acrpmu.h"
#include "perfctr.h"
#include "regs.h"

static DEFINE_MUTEX(lock);
static u64 all_cntrs;		/* set at load */
static unsigned int nr_users;	/* CPUs that share the reservation; lock */

static void release(u64 perfctrs, u64 evtsels)
{
	unsigned int i;

	for (i = 0; i < ACRPMU_FIXED_BASE; i++) {
		if (perfctrs & BIT_ULL(i))
			release_perfctr_nmi(MSR_ARCH_PERFMON_PERFCTR0 + i);
		if (evtsels & BIT_ULL(i))
			release_evntsel_nmi(MSR_ARCH_PERFMON_EVENTSEL0 + i);
	}
}

static bool reserve(void)
{
	u64 perfctrs = 0, evtsels = 0;
	unsigned int i;

	for (i = 0; i < ACRPMU_FIXED_BASE; i++) {
		if (!(all_cntrs & BIT_ULL(i)))
			continue;
		if (!reserve_perfctr_nmi(MSR_ARCH_PERFMON_PERFCTR0 + i))
			goto busy;
		perfctrs |= BIT_ULL(i);
		if (!reserve_evntsel_nmi(MSR_ARCH_PERFMON_EVENTSEL0 + i))
			goto busy;
		evtsels |= BIT_ULL(i);
	}
	return true;

busy:
	release(perfctrs, evtsels);
	return false;
}

/**
 * acrpmu_perfctr_init() - set what is reserved
 * @cntrs: counters that exist on any CPU
 *
 * Context: process, at load.
 */
void acrpmu_perfctr_init(u64 cntrs)
{
	all_cntrs = cntrs & GENMASK_ULL(ACRPMU_FIXED_BASE - 1, 0);
}

/**
 * acrpmu_perfctr_get() - share the reservation, and make it for the first CPU that does
 *
 * Context: process, may sleep.
 * Return: false if somebody else has reserved a counter.
 */
bool acrpmu_perfctr_get(void)
{
	bool reserved;

	mutex_lock(&lock);
	reserved = nr_users || reserve();
	nr_users += reserved;
	mutex_unlock(&lock);
	return reserved;
}

/**
 * acrpmu_perfctr_put() - undo acrpmu_perfctr_get()
 *
 * Context: process, may sleep.
 */
void acrpmu_perfctr_put(void)
{
	mutex_lock(&lock);
	if (!--nr_users)
		release(all_cntrs, all_cntrs);
	mutex_unlock(&lock);
}

/**
 * acrpmu_perfctr_is_foreign() - check whether somebody else has reserved a counter
 *
 * Context: process, may sleep.
 */
bool acrpmu_perfctr_is_foreign(void)
{
	bool free;

	mutex_lock(&lock);
	free = nr_users || reserve();
	if (free && !nr_users)
		release(all_cntrs, all_cntrs);
	mutex_unlock(&lock);
	return !free;
}
