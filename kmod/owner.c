// SPDX-License-Identifier: GPL-2.0-only
/* Keeping in-tree perf off the PMU: finding out how, reserving it and releasing it. */
#include <linux/bitops.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/perf_event.h>
#include <asm/nmi.h>

#include "../uapi/acrpmu.h"
#include "core/refuse.h"
#include "intree.h"
#include "owner.h"
#include "pmu.h"
#include "registry.h"
#include "regs.h"

/*
 * In-tree perf reserves every general-purpose counter by MSR number while any hardware event is
 * open.  Reservations cover legacy numbers only: where in-tree perf uses those of version 6, they
 * have no effect, and a pinned exclusive event on each CPU keeps perf's other events off instead.
 * Either rules out the other, so exactly one is used.
 */
static u32 arbiter;
static u64 reserve_cntrs;		/* general-purpose counters of any CPU; set at load */
static unsigned int nr_reserved;	/* CPUs that share the reservation; acrpmu_lock */

struct claim {
	struct perf_event *event;	/* acrpmu_lock */
	unsigned int users;		/* sessions on this CPU; acrpmu_lock */
	bool clean;			/* perf has forgotten its counters since; acrpmu_lock */
	u64 cntrs;			/* the event's counter; written under acrpmu_lock */
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

/* The claim counts at no level, so it never overflows and costs no PMI. */
static void claim_overflow(struct perf_event *event, struct perf_sample_data *data,
			   struct pt_regs *regs)
{
}

/*
 * Branches: countable on every general-purpose counter and on no fixed one.  On a hybrid CPU
 * PERF_TYPE_RAW means the big cores only, while PERF_TYPE_HARDWARE leaves the choice of the CPU's
 * PMU to perf; that knows no such event where CPUID lists it as missing.
 */
#define CLAIM_RAW_CONFIG	0x00c4

static struct perf_event *create_event(int cpu, u32 type, u64 config, bool disabled)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = config,
		.pinned = 1,
		.exclusive = 1,
		.disabled = disabled,
		.exclude_user = 1,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return perf_event_create_kernel_counter(&attr, cpu, NULL, claim_overflow, NULL);
}

static struct perf_event *claim_event(int cpu, bool disabled)
{
	struct perf_event *event = create_event(cpu, PERF_TYPE_RAW, CLAIM_RAW_CONFIG, disabled);

	if (PTR_ERR(event) != -ENOENT)
		return event;
	return create_event(cpu, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, disabled);
}

/**
 * acrpmu_owner_init() - find out how in-tree perf addresses the counters
 * @gp_cntrs: general-purpose counters that exist on any CPU
 *
 * By trial, not by version: if the reservation is refused, in-tree perf makes reservations.  If it
 * is granted, open an event: perf refuses it as busy if it checks reservations, and grants it if it
 * does not.
 *
 * Context: process, may sleep, cpus_read_lock() held.
 * Return: 0, or the errno of perf if it is neither busy nor absent.
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
 * acrpmu_owner_arbiter() - get how in-tree perf is kept off, as ACRPMU_ARBITER_*
 *
 * Context: any.
 */
u32 acrpmu_owner_arbiter(void)
{
	return arbiter;
}

/**
 * acrpmu_owner_name() - name the process that uses counters through in-tree perf
 * @err: of a refusal; filled with the process that opened an event, if perf is in the way
 *
 * Context: process, may sleep, without locks.
 */
void acrpmu_owner_name(struct acrpmu_error *err)
{
	bool reserved = err->reason == ACRPMU_REASON_PMU_RESERVED;
	int cpu = err->cpu;

	if (strcmp(err->holder, "perf") || cpu < 0)
		return;
	/* With reservations an event in any state holds all counters of all CPUs. */
	acrpmu_intree_find(reserved ? cpu_possible_mask : cpumask_of(cpu),
			   reserved ? PERF_EVENT_STATE_EXIT : PERF_EVENT_STATE_INACTIVE, err);
	err->cpu = cpu;
}

/**
 * acrpmu_owner_check() - check that in-tree perf has no enabled event that may run on some CPUs
 * @err: filled when refused
 *
 * With reservations, acrpmu_owner_get() fails while perf has any event.  A claim instead keeps out
 * events that wait for their task to run, and their counts would lack that time.
 *
 * Context: process, may sleep.
 * Return: 0; -EBUSY if an enabled event may run there; -ENOMEM; -EINTR.
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

static int refuse_perf(int cpu, u32 reason, struct acrpmu_error *err)
{
	acrpmu_refuse(err, -EBUSY, reason, ACRPMU_NO_EVENT, 0, 0);
	strscpy(err->holder, "perf", sizeof(err->holder));
	err->cpu = cpu;
	return -EBUSY;
}

static int reserve_get(int cpu, struct acrpmu_error *err)
{
	if (nr_reserved || reserve_all()) {
		nr_reserved++;
		return 0;
	}
	return refuse_perf(cpu, ACRPMU_REASON_PMU_RESERVED, err);
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
	return refuse_perf(cpu, ACRPMU_REASON_CLAIM, err);
}

/**
 * acrpmu_owner_get() - reserve the PMU of an online CPU from in-tree perf
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
 * acrpmu_owner_put() - undo acrpmu_owner_get(), on a CPU that may be going offline
 *
 * Context: process, may sleep, acrpmu_lock held; every MSR of the CPU is restored before.
 */
void acrpmu_owner_put(int cpu)
{
	struct claim *claim = per_cpu_ptr(&claims, cpu);

	lockdep_assert_held(&acrpmu_lock);
	if (--claim->users)
		return;
	claim->clean = false;
	if (claim->event) {
		perf_event_release_kernel(claim->event);
		claim->event = NULL;
		WRITE_ONCE(claim->cntrs, 0);
	} else if (arbiter == ACRPMU_ARBITER_RESERVE && !--nr_reserved) {
		release_cntrs(reserve_cntrs, reserve_cntrs);
	}
}

/**
 * acrpmu_owner_is_claimed() - check whether in-tree perf is kept off a CPU
 *
 * Context: process, acrpmu_lock held.
 */
bool acrpmu_owner_is_claimed(int cpu)
{
	return per_cpu_ptr(&claims, cpu)->users;
}

/**
 * acrpmu_owner_is_clean() - check whether in-tree perf knows nothing more of a CPU's counters
 *
 * Context: any; a snapshot without acrpmu_lock.
 */
bool acrpmu_owner_is_clean(int cpu)
{
	return READ_ONCE(per_cpu_ptr(&claims, cpu)->clean);
}

/**
 * acrpmu_owner_set_clean() - note that a CPU was cleaned while in-tree perf was kept off
 *
 * It holds until the last acrpmu_owner_put().
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_owner_set_clean(int cpu)
{
	lockdep_assert_held(&acrpmu_lock);
	WRITE_ONCE(per_cpu_ptr(&claims, cpu)->clean, acrpmu_owner_is_claimed(cpu));
}

/**
 * acrpmu_owner_is_perf() - check whether in-tree perf uses the counters that sessions do not hold
 *
 * With reservations, a refused one proves it; without them, perf is the only user that the kernel
 * itself knows.
 *
 * Context: process, may sleep, acrpmu_lock held.
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
 * acrpmu_owner_cntrs() - get the counters of a CPU that keeping in-tree perf off occupies
 *
 * Context: any; steady under acrpmu_lock.
 * Return: mask of counters that sessions must not use.
 */
u64 acrpmu_owner_cntrs(int cpu)
{
	return READ_ONCE(per_cpu_ptr(&claims, cpu)->cntrs);
}
