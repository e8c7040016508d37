// SPDX-License-Identifier: GPL-2.0-only
/* Keeping the PMU apart from in-tree perf: finding out how, taking it and giving it back. */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/perf_event.h>
#include <asm/cpufeature.h>
#include <asm/nmi.h>

#include "../uapi/acrpmu.h"
#include "session.h"
#include "core/refuse.h"
#include "intree.h"
#include "owner.h"
#include "pmu.h"
#include "registry.h"
#include "regs.h"

/*
 * In-tree perf reserves every general-purpose counter while any hardware event is open, by MSR
 * number.  The reservation knows only legacy numbers: where in-tree perf uses the version 6
 * numbers it records nothing, and a pinned exclusive event on each CPU is the way to keep perf's
 * other events off.  Either excludes the other, so exactly one is used.
 */
static u32 arbiter;
static u64 reserve_cntrs;		/* general-purpose counters of any CPU; set at load */
static unsigned int nr_reserved;	/* CPUs that share the reservation; acrpmu_lock */

struct claim {
	struct perf_event *event;	/* acrpmu_lock */
	unsigned int users;		/* sessions on this CPU; acrpmu_lock */
	u64 cntrs;			/* what the event sits on; written under acrpmu_lock */
};

static DEFINE_PER_CPU(struct claim, claims);

static void release_cntrs(u64 perfctrs, u64 evtsels)
{
	unsigned int i;

	for (i = 0; i < ACRPMU_FIXED_BASE; i++) {
		if (perfctrs & BIT_ULL(i))
			release_perfctr_nmi(MSR_ARCH_PERFMON_PERFCTR0 + i);
		if (evtsels & BIT_ULL(i))
			release_evntsel_nmi(MSR_ARCH_PERFMON_EVENTSEL0 + i);
	}
}

static bool reserve_all(void)
{
	u64 perfctrs = 0, evtsels = 0;
	unsigned int i;

	for (i = 0; i < ACRPMU_FIXED_BASE; i++) {
		if (!(reserve_cntrs & BIT_ULL(i)))
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
	release_cntrs(perfctrs, evtsels);
	return false;
}

/* The claim counts at no level, so that it never overflows and costs no PMI. */
static void claim_overflow(struct perf_event *event, struct perf_sample_data *data,
			   struct pt_regs *regs)
{
}

/* BR_INST_RETIRED: countable on every general-purpose counter and on no fixed one */
#define CLAIM_EVENT_CONFIG	0x00c4

static struct perf_event *create_event(int cpu, u32 type, bool disabled)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = CLAIM_EVENT_CONFIG,
		.pinned = 1,
		.exclusive = 1,
		.disabled = disabled,
		.exclude_user = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, claim_overflow, NULL);
}

/*
 * On a hybrid part PERF_TYPE_RAW means the big cores only; the others have numbers that perf hands
 * out when it registers them, and no exported function tells them.
 */
#define CLAIM_MAX_TYPE	64

static struct perf_event *claim_event(int cpu, bool disabled)
{
	struct perf_event *event = create_event(cpu, PERF_TYPE_RAW, disabled);
	u32 type;

	if (!boot_cpu_has(X86_FEATURE_HYBRID_CPU))
		return event;
	for (type = PERF_TYPE_MAX; PTR_ERR(event) == -ENOENT && type < CLAIM_MAX_TYPE; type++) {
		event = create_event(cpu, type, disabled);
		if (!IS_ERR(event) && !acrpmu_intree_is_core(event)) {
			perf_event_release_kernel(event);
			event = ERR_PTR(-ENOENT);
		}
	}
	return event;
}

/**
 * acrpmu_owner_init() - find out how in-tree perf addresses the counters
 * @gp_cntrs: general-purpose counters that exist on any CPU
 *
 * Decided by trying, not by version: a refused reservation means that in-tree perf makes
 * reservations.  With the reservation in our hands, an event that perf refuses as busy says the
 * same, and one that it grants says that perf does not look at reservations.
 *
 * Context: process, may sleep, cpus_read_lock() held.
 * Return: 0, or why perf refused without saying that it is busy or absent.
 */
int acrpmu_owner_init(u64 gp_cntrs)
{
	struct perf_event *event;

	reserve_cntrs = gp_cntrs & GENMASK_ULL(ACRPMU_FIXED_BASE - 1, 0);
	arbiter = ACRPMU_ARBITER_RESERVE;
	if (!reserve_all())
		return 0;

	event = claim_event(cpumask_first(cpu_online_mask), true);
	release_cntrs(reserve_cntrs, reserve_cntrs);
	switch (PTR_ERR_OR_ZERO(event)) {
	case 0:
		perf_event_release_kernel(event);
		arbiter = ACRPMU_ARBITER_CLAIM;
		return 0;
	case -EBUSY:
		return 0;
	case -ENOENT:
	case -ENODEV:
	case -EOPNOTSUPP:
		arbiter = ACRPMU_ARBITER_NONE;
		return 0;
	default:
		return PTR_ERR(event);
	}
}

/**
 * acrpmu_owner_arbiter() - how in-tree perf is kept apart
 *
 * Context: any.
 * Return: ACRPMU_ARBITER_*.
 */
u32 acrpmu_owner_arbiter(void)
{
	return arbiter;
}

/**
 * acrpmu_owner_name() - name who uses a CPU's counters through in-tree perf
 * @cpu: the CPU
 * @err: gets the process that opened an enabled event, or just "perf"
 *
 * Context: process, may sleep.
 */
void acrpmu_owner_name(int cpu, struct acrpmu_error *err)
{
	if (acrpmu_intree_find(cpumask_of(cpu), PERF_EVENT_STATE_INACTIVE, err) <= 0)
		strscpy(err->holder, "perf", sizeof(err->holder));
	err->cpu = cpu;
}

/**
 * acrpmu_owner_check() - is in-tree perf going to use CPUs, though it may not do so just now
 * @cpus: the CPUs
 * @err: filled when refused
 *
 * Where perf makes reservations, acrpmu_owner_get() fails while it has any event.  A claim, though,
 * keeps those away that wait for their task to run, and their counts would lack that time.
 *
 * Context: process, may sleep.
 * Return: 0; -EBUSY if an enabled event may come; -ENOMEM.
 */
int acrpmu_owner_check(const struct cpumask *cpus, struct acrpmu_error *err)
{
	struct acrpmu_error found;
	int ret;

	if (arbiter != ACRPMU_ARBITER_CLAIM)
		return 0;
	acrpmu_refuse(&found, -EBUSY, ACRPMU_REASON_PMU_IN_USE, ACRPMU_NO_EVENT, 0, 0);
	ret = acrpmu_intree_find(cpus, PERF_EVENT_STATE_INACTIVE, &found);
	if (ret <= 0)
		return ret;
	*err = found;
	return -EBUSY;
}

static int reserve_get(int cpu, struct acrpmu_error *err)
{
	if (nr_reserved || reserve_all()) {
		nr_reserved++;
		return 0;
	}
	acrpmu_refuse(err, -EBUSY, ACRPMU_REASON_PMU_RESERVED, ACRPMU_NO_EVENT, 0, 0);
	/* Any event holds all counters of all CPUs, whatever its state. */
	if (acrpmu_intree_find(cpu_possible_mask, PERF_EVENT_STATE_EXIT, err) <= 0)
		strscpy(err->holder, "perf", sizeof(err->holder));
	err->cpu = cpu;
	return -EBUSY;
}

static int claim_get(int cpu, struct claim *claim, struct acrpmu_error *err)
{
	struct perf_event *event = claim_event(cpu, false);
	u64 enabled, running;

	if (!IS_ERR(event)) {
		perf_event_read_value(event, &enabled, &running);
		/* An older pinned event, mostly the NMI watchdog, leaves ours in error state. */
		if (event->state == PERF_EVENT_STATE_ACTIVE && event->hw.idx >= 0) {
			claim->event = event;
			WRITE_ONCE(claim->cntrs, BIT_ULL(event->hw.idx));
			acrpmu_pmu_of(cpu)->thawed_by_perf = true;
			return 0;
		}
		perf_event_release_kernel(event);
	}
	if (PTR_ERR(event) == -ENOMEM)
		return -ENOMEM;
	acrpmu_refuse(err, -EBUSY, ACRPMU_REASON_CLAIM, ACRPMU_NO_EVENT, 0, 0);
	acrpmu_owner_name(cpu, err);
	return -EBUSY;
}

/**
 * acrpmu_owner_get() - take the PMU of a CPU from in-tree perf
 * @cpu: an online CPU
 * @err: filled when refused
 *
 * Calls nest; each needs an acrpmu_owner_put().
 *
 * Context: process, may sleep, acrpmu_lock held, @cpu stays online.
 * Return: 0; -EBUSY if perf or another user has it; -ENOMEM.
 */
int acrpmu_owner_get(int cpu, struct acrpmu_error *err)
{
	struct claim *claim = per_cpu_ptr(&claims, cpu);
	int ret = 0;

	lockdep_assert_held(&acrpmu_lock);
	if (!claim->users) {
		if (arbiter == ACRPMU_ARBITER_RESERVE)
			ret = reserve_get(cpu, err);
		else if (arbiter == ACRPMU_ARBITER_CLAIM)
			ret = claim_get(cpu, claim, err);
	}
	if (!ret)
		claim->users++;
	return ret;
}

/**
 * acrpmu_owner_put() - give the PMU of a CPU back
 * @cpu: the CPU of an earlier acrpmu_owner_get(); it may be on its way down
 *
 * Context: process, may sleep, acrpmu_lock held; every MSR of the CPU is restored before.
 */
void acrpmu_owner_put(int cpu)
{
	struct claim *claim = per_cpu_ptr(&claims, cpu);

	lockdep_assert_held(&acrpmu_lock);
	if (--claim->users)
		return;
	if (claim->event) {
		perf_event_release_kernel(claim->event);
		claim->event = NULL;
		WRITE_ONCE(claim->cntrs, 0);
	} else if (arbiter == ACRPMU_ARBITER_RESERVE && !--nr_reserved) {
		release_cntrs(reserve_cntrs, reserve_cntrs);
	}
}

/**
 * acrpmu_owner_is_perf() - is it in-tree perf that uses counters which sessions do not hold
 *
 * Where perf makes reservations, one that fails says so; where it does not, it is the only user
 * that the kernel itself knows.
 *
 * Context: process, may sleep, acrpmu_lock held.
 * Return: whether perf is to be named.
 */
bool acrpmu_owner_is_perf(void)
{
	if (arbiter != ACRPMU_ARBITER_RESERVE)
		return arbiter == ACRPMU_ARBITER_CLAIM;
	if (nr_reserved)
		return false;
	if (!reserve_all())
		return true;
	release_cntrs(reserve_cntrs, reserve_cntrs);
	return false;
}

/**
 * acrpmu_owner_cntrs() - counters that keeping in-tree perf apart costs
 * @cpu: a CPU
 *
 * Context: any; steady under acrpmu_lock.
 * Return: mask of counters that sessions must not use.
 */
u64 acrpmu_owner_cntrs(int cpu)
{
	return READ_ONCE(per_cpu_ptr(&claims, cpu)->cntrs);
}
