// SPDX-License-Identifier: GPL-2.0-only
/* Keeping in-tree perf off the PMU: finding out how, reserving it and releasing it. */
#include <linux/bitops.h>
#include <linux/cache.h>
#include <linux/cred.h>
#include <linux/err.h>
#include <linux/lockdep.h>
#include <linux/mutex.h>
#include <linux/percpu.h>
#include <linux/perf_event.h>
#include <linux/sched/task.h>

#include "../uapi/acrpmu.h"
#include "core/refuse.h"
#include "intree.h"
#include "intree_here.h"
#include "owner.h"
#include "perfctr.h"
#include "pmu.h"
#include "registry.h"

/*
 * In-tree perf reserves every general-purpose counter by MSR number while any hardware event is
 * open.  Reservations cover legacy numbers only: where in-tree perf uses those of version 6, they
 * have no effect, and a pinned exclusive event on each CPU keeps perf's other events off instead.
 * Either rules out the other, so exactly one is used.
 *
 * A reservation does not keep off a KVM guest with a mediated vPMU, which loads its own values into
 * all counters while it runs: it starts unless an event exists that counts in guests too.
 * So the claim does not set exclude_guest, and is used wherever in-tree perf has mediated vPMUs.
 * While a session exists, creating such a guest fails; while such a guest exists, the claim does.
 */
static u32 arbiter;
static bool arbiter_known;		/* for good, perf's driver is built in */
static DEFINE_MUTEX(arbiter_mutex);	/* one decision at a time */

/**
 * struct claim - how in-tree perf is kept off one CPU
 * @lock: creates and drops it; acrpmu_lock is inside, cpus_read_lock() is not.  While perf takes
 *	its mutex of the CPU's events, of the module's locks only this one may be held, and what
 *	concerns one session or one CPU.  Perf holds that for an RCU grace period when it moves
 *	events, and for as long as read() and ioctl() of an event there wait for the memory of their
 *	caller.
 * @event: NULL if there is none; @lock, steady while there are users
 * @reserved: the CPU shares the reservation; @lock
 * @users: sessions on this CPU, and those about to be; acrpmu_lock, the first also @lock
 * @clean: perf has forgotten its counters since; acrpmu_lock
 * @cntrs: the event's counter; written under @lock
 */
struct claim {
	/* see above */
	struct mutex lock;
	struct perf_event *event;
	bool reserved;
	unsigned int users;
	bool clean;
	u64 cntrs;
};

static struct claim __percpu *claims __ro_after_init;

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

/* Perf asks for permission, which the module has, whoever its caller is. */
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
		/* on purpose, see above */
		.exclude_guest = 0,
	};
	struct cred *kernel = prepare_kernel_cred(&init_task);
	struct perf_event *event;
	const struct cred *caller;

	if (!kernel)
		return ERR_PTR(-ENOMEM);
	caller = override_creds(kernel);
	event = perf_event_create_kernel_counter(&attr, cpu, NULL, claim_overflow, NULL);
	revert_creds(caller);
	put_cred(kernel);
	return event;
}

static struct perf_event *claim_event(int cpu, bool disabled)
{
	struct perf_event *event = create_event(cpu, PERF_TYPE_RAW, CLAIM_RAW_CONFIG, disabled);

	if (PTR_ERR(event) != -ENOENT)
		return event;
	return create_event(cpu, PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, disabled);
}

static int refuse(int cpu, int ret, u32 reason, u64 value, struct acrpmu_error *err)
{
	acrpmu_refuse(err, ret, reason, ACRPMU_NO_EVENT, value, 0);
	err->cpu = cpu;
	return ret;
}

static int refuse_perf(int cpu, u32 reason, struct acrpmu_error *err)
{
	refuse(cpu, -EBUSY, reason, 0, err);
	strscpy(err->holder, "perf", sizeof(err->holder));
	return -EBUSY;
}

/* Perf offers them for every PMU, but KVM can switch none without a settable status. */
static bool has_mediated_vpmu(const struct perf_event *event, int cpu)
{
	const struct acrpmu_caps *caps = &acrpmu_pmu_of(cpu)->caps;

	return event->pmu->capabilities & COMPAT_PMU_CAP_MEDIATED_VPMU && caps->full_width &&
	       caps->pmu_version >= 4;
}

static int decide(int cpu, struct perf_event *event, struct acrpmu_error *err)
{
	switch (PTR_ERR_OR_ZERO(event)) {
	case 0:
		/* With its event open, perf has a reservation if it makes any. */
		WRITE_ONCE(arbiter, !has_mediated_vpmu(event, cpu) && acrpmu_perfctr_is_foreign() ?
				    ACRPMU_ARBITER_RESERVE : ACRPMU_ARBITER_CLAIM);
		WRITE_ONCE(arbiter_known, true);
		return 0;
	case -EBUSY:
		WRITE_ONCE(arbiter, ACRPMU_ARBITER_RESERVE);
		return 0;
	case -EOPNOTSUPP:
		WRITE_ONCE(arbiter, ACRPMU_ARBITER_CLAIM);
		return 0;
	case -ENOENT:
	case -ENODEV:
		/* Or it has gone offline, and then it is not reserved anyway. */
		if (cpu_online(cpu))
			WRITE_ONCE(arbiter, ACRPMU_ARBITER_NONE);
		return 0;
	case -ENOMEM:
		return -ENOMEM;
	default:
		return refuse(cpu, -EOPNOTSUPP, ACRPMU_REASON_CLAIM, -PTR_ERR(event), err);
	}
}

static int find_arbiter(int cpu, struct perf_event *event, struct acrpmu_error *err)
{
	int ret = 0;

	mutex_lock(&arbiter_mutex);
	/* A refusal must not overrule what another trial has shown since. */
	if (!arbiter_known)
		ret = decide(cpu, event, err);
	mutex_unlock(&arbiter_mutex);
	return ret;
}

/**
 * acrpmu_owner_find() - find out how to keep in-tree perf off, unless that is known
 * @cpus: online CPUs, of which one of each kind is tried
 * @err: filled when refused
 *
 * By trial, not by version: an event shows its PMU, and whether reservations are made for it.
 * If it is refused, only absence proves that there is nobody to keep off; a mediated vPMU or a
 * reservation by another user may go away, so that the next call tries again.
 *
 * Context: process, may sleep, without locks.
 * Return: 0; -EOPNOTSUPP with the errno of perf in @err if it refuses for another reason; -ENOMEM.
 */
int acrpmu_owner_find(const struct cpumask *cpus, struct acrpmu_error *err)
{
	struct perf_event *event;
	int cpu, ret = 0;

	for_each_cpu(cpu, cpus) {
		if (ret || acrpmu_intree_knows(cpu))
			continue;
		event = claim_event(cpu, true);
		ret = find_arbiter(cpu, event, err);
		/* While it is not known, no event of its PMU is found, and the claim conflicts. */
		if (IS_ERR(event))
			continue;
		acrpmu_intree_learn(cpu, event->pmu);
		perf_event_release_kernel(event);
	}
	return ret;
}

/**
 * acrpmu_owner_init() - allocate the state of the claims
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_owner_init(void)
{
	int cpu;

	claims = alloc_percpu(struct claim);
	if (!claims)
		return -ENOMEM;
	for_each_possible_cpu(cpu)
		mutex_init(&per_cpu_ptr(claims, cpu)->lock);
	return 0;
}

/**
 * acrpmu_owner_exit() - undo acrpmu_owner_init()
 *
 * Context: process, may sleep, at unload; no CPU is claimed.
 */
void acrpmu_owner_exit(void)
{
	free_percpu(claims);
}

/**
 * acrpmu_owner_try() - find out how to keep in-tree perf off, at load
 * @cntrs: counters that exist on any CPU
 *
 * Context: as acrpmu_owner_find().
 * Return: 0, or the errno of perf if it is none that acrpmu_owner_find() understands.
 */
int acrpmu_owner_try(u64 cntrs)
{
	struct acrpmu_error err = {};
	int ret;

	acrpmu_perfctr_init(cntrs);
	ret = acrpmu_owner_find(cpu_online_mask, &err);
	return err.value ? -(int)err.value : ret;
}

/**
 * acrpmu_owner_arbiter() - get how in-tree perf is kept off, as ACRPMU_ARBITER_*
 *
 * Context: any.
 */
u32 acrpmu_owner_arbiter(void)
{
	return READ_ONCE(arbiter);
}

/**
 * acrpmu_owner_name() - name the process that uses counters through in-tree perf
 * @err: of a refusal; filled as acrpmu_intree_find() does, if perf is in the way
 *
 * Context: process, may sleep, without locks; the hotplug lock may be held.
 */
void acrpmu_owner_name(struct acrpmu_error *err)
{
	bool reserved = err->reason == ACRPMU_REASON_PMU_RESERVED;
	int cpu = err->cpu;

	if (strcmp(err->holder, "perf") || cpu < 0 || err->reason == ACRPMU_REASON_PINNED)
		return;
	/* With reservations an event in any state holds all counters of all CPUs. */
	if (err->reason == ACRPMU_REASON_CLAIM_LOST &&
	    acrpmu_intree_find(cpumask_of(cpu), PERF_EVENT_STATE_ACTIVE, err) > 0)
		return;
	acrpmu_intree_find(reserved ? cpu_possible_mask : cpumask_of(cpu),
			   reserved ? PERF_EVENT_STATE_EXIT : PERF_EVENT_STATE_INACTIVE, err);
	err->cpu = cpu;
}

/**
 * acrpmu_owner_check() - check that in-tree perf has no event that may run on some CPUs
 * @err: filled when refused
 *
 * With reservations, acrpmu_owner_get() fails while perf has any event.  A claim instead keeps out
 * events that wait for their task to run, and their counts would lack that time.  Pinned events
 * that are enabled later come before it, if they were opened first.
 *
 * Context: process, may sleep.
 * Return: 0; -EBUSY if an event that is enabled or pinned may run there.
 */
int acrpmu_owner_check(const struct cpumask *cpus, struct acrpmu_error *err)
{
	struct acrpmu_error found;
	int ret;

	if (READ_ONCE(arbiter) == ACRPMU_ARBITER_RESERVE)
		return 0;
	refuse_perf(-1, ACRPMU_REASON_PMU_IN_USE, &found);
	ret = acrpmu_intree_find_rival(cpus, &found);
	if (ret <= 0)
		return ret;
	*err = found;
	return -EBUSY;
}

static int reserve_get(int cpu, struct claim *claim, struct acrpmu_error *err)
{
	WRITE_ONCE(claim->reserved, acrpmu_perfctr_get());
	return claim->reserved ? 0 : refuse_perf(cpu, ACRPMU_REASON_PMU_RESERVED, err);
}

/* In-tree perf refused the claim, as it does for lack of a counter only later. */
static int refuse_claim(int cpu, int ret, struct acrpmu_error *err)
{
	switch (ret) {
	case -ENOENT:
	case -ENODEV:
		if (READ_ONCE(arbiter) == ACRPMU_ARBITER_NONE)
			return 0;
		break;
	case -ENOMEM:
		return ret;
	case -EBUSY:
		return refuse(cpu, -EBUSY, ACRPMU_REASON_PMU_RESERVED, 0, err);
	case -EOPNOTSUPP:
		return refuse(cpu, -EBUSY, ACRPMU_REASON_GUEST_PMU, 0, err);
	}
	return refuse(cpu, -EOPNOTSUPP, ACRPMU_REASON_CLAIM, -ret, err);
}

static int claim_get(int cpu, struct claim *claim, struct acrpmu_error *err)
{
	struct perf_event *event = claim_event(cpu, false);
	u64 enabled, running;
	int ret = 0;

	if (IS_ERR(event))
		return refuse_claim(cpu, PTR_ERR(event), err);
	perf_event_read_value(event, &enabled, &running);
	/* An older pinned event, mostly the NMI watchdog, leaves ours in error state. */
	if (event->state != PERF_EVENT_STATE_ACTIVE || event->hw.idx < 0)
		ret = refuse_perf(cpu, ACRPMU_REASON_CLAIM, err);
	else if (acrpmu_intree_find_older(event, err))
		ret = -EBUSY;
	if (ret) {
		perf_event_release_kernel(event);
		return ret;
	}
	WRITE_ONCE(claim->event, event);
	WRITE_ONCE(claim->cntrs, BIT_ULL(event->hw.idx));
	acrpmu_pmu_of(cpu)->thawed_by_perf = true;
	acrpmu_pmu_set_claim(cpu, event);
	return 0;
}

static void let_go(int cpu, struct claim *claim)
{
	if (claim->event) {
		acrpmu_pmu_set_claim(cpu, NULL);
		perf_event_release_kernel(claim->event);
		WRITE_ONCE(claim->cntrs, 0);
		WRITE_ONCE(claim->event, NULL);
	}
	if (claim->reserved) {
		acrpmu_perfctr_put();
		WRITE_ONCE(claim->reserved, false);
	}
}

static bool has_users(const struct claim *claim)
{
	return READ_ONCE(claim->users);
}

/**
 * acrpmu_owner_lock() - keep claims of a CPU from being created and dropped
 *
 * Context: process, may sleep, without acrpmu_lock; only the hotplug lock may be held, for writing.
 */
void acrpmu_owner_lock(int cpu)
{
	mutex_lock(&per_cpu_ptr(claims, cpu)->lock);
}

/**
 * acrpmu_owner_unlock() - undo acrpmu_owner_lock()
 *
 * Context: process.
 */
void acrpmu_owner_unlock(int cpu)
{
	mutex_unlock(&per_cpu_ptr(claims, cpu)->lock);
}

/**
 * acrpmu_owner_get() - reserve the PMU of an online CPU from in-tree perf
 *
 * Calls nest; each needs an acrpmu_owner_put().  The CPU may go offline at any time, see
 * acrpmu_owner_is_effective().
 *
 * Context: as acrpmu_owner_lock().
 * Return: 0; -EBUSY if perf or another user has it; -EOPNOTSUPP if perf refuses for another reason;
 * -ENOMEM.
 */
int acrpmu_owner_get(int cpu, struct acrpmu_error *err)
{
	struct claim *claim = per_cpu_ptr(claims, cpu);
	int ret = 0;

	acrpmu_owner_lock(cpu);
	if (has_users(claim) && !acrpmu_owner_is_effective(cpu)) {
		/* taken.c will notice it, too. */
		ret = refuse_perf(cpu, ACRPMU_REASON_CLAIM, err);
	} else if (!has_users(claim)) {
		/* What the last user has left may be from before the CPU was offline. */
		let_go(cpu, claim);
		if (READ_ONCE(arbiter) == ACRPMU_ARBITER_RESERVE)
			ret = reserve_get(cpu, claim, err);
		else
			ret = claim_get(cpu, claim, err);
	}
	if (!ret) {
		mutex_lock(&acrpmu_lock);
		WRITE_ONCE(claim->users, claim->users + 1);
		mutex_unlock(&acrpmu_lock);
	}
	acrpmu_owner_unlock(cpu);
	return ret;
}

/**
 * acrpmu_owner_put() - undo acrpmu_owner_get(), on a CPU that may be going offline
 *
 * In-tree perf is kept off until acrpmu_owner_settle() is called, without acrpmu_lock.
 *
 * Context: process, acrpmu_lock held; every MSR of the CPU is restored before.
 */
void acrpmu_owner_put(int cpu)
{
	struct claim *claim = per_cpu_ptr(claims, cpu);

	lockdep_assert_held(&acrpmu_lock);
	WRITE_ONCE(claim->users, claim->users - 1);
	if (!claim->users)
		WRITE_ONCE(claim->clean, false);
}

/**
 * acrpmu_owner_settle() - let in-tree perf use a CPU that has no user any more
 *
 * Context: as acrpmu_owner_lock().
 */
void acrpmu_owner_settle(int cpu)
{
	struct claim *claim = per_cpu_ptr(claims, cpu);

	/* These are reset last: while a claim is being dropped, this waits until it is. */
	if (has_users(claim) || !(READ_ONCE(claim->event) || READ_ONCE(claim->reserved)))
		return;
	acrpmu_owner_lock(cpu);
	if (!has_users(claim))
		let_go(cpu, claim);
	acrpmu_owner_unlock(cpu);
}

/**
 * acrpmu_owner_is_effective() - check that a claim was not lost, as with a CPU that went offline
 *
 * Perf drops it for an event that comes before it, too.
 *
 * Context: process, acrpmu_lock held; or the CPU itself, interrupts off.  It has users.
 */
bool acrpmu_owner_is_effective(int cpu)
{
	const struct perf_event *event = per_cpu_ptr(claims, cpu)->event;

	/* It is inactive for a moment while perf reschedules the CPU. */
	return cpu_online(cpu) && (!event || READ_ONCE(event->state) >= PERF_EVENT_STATE_INACTIVE);
}

/**
 * acrpmu_owner_foreign_here() - find the counters of this CPU that in-tree perf uses, after a claim
 *	was lost
 *
 * Context: interrupts off, on a CPU with users.
 * Return: mask of counters.
 */
u64 acrpmu_owner_foreign_here(void)
{
	const struct perf_event *event = this_cpu_ptr(claims)->event;

	return event ? acrpmu_intree_here_cntrs(event) : 0;
}

/**
 * acrpmu_owner_shares_here() - check whether in-tree perf uses an extra register on this CPU, after
 *	a claim was lost
 *
 * Context: as acrpmu_owner_foreign_here().
 */
bool acrpmu_owner_shares_here(u32 msr)
{
	const struct perf_event *event = this_cpu_ptr(claims)->event;

	return event && acrpmu_intree_here_extra(event, msr);
}

/**
 * acrpmu_owner_is_claimed() - check whether in-tree perf is kept off a CPU
 *
 * Context: process, acrpmu_lock held.
 */
bool acrpmu_owner_is_claimed(int cpu)
{
	return per_cpu_ptr(claims, cpu)->users;
}

/**
 * acrpmu_owner_is_clean() - check whether in-tree perf knows nothing more of a CPU's counters
 *
 * Context: any; a snapshot without acrpmu_lock.
 */
bool acrpmu_owner_is_clean(int cpu)
{
	return READ_ONCE(per_cpu_ptr(claims, cpu)->clean);
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
	WRITE_ONCE(per_cpu_ptr(claims, cpu)->clean, acrpmu_owner_is_claimed(cpu));
}

/**
 * acrpmu_owner_is_perf() - check whether in-tree perf uses the counters that sessions do not hold
 *
 * With reservations, a refused one proves it; without them, perf is the only user that the kernel
 * itself knows.
 *
 * Context: process, may sleep.
 */
bool acrpmu_owner_is_perf(void)
{
	u32 found = READ_ONCE(arbiter);

	return found == ACRPMU_ARBITER_CLAIM ||
	       (found == ACRPMU_ARBITER_RESERVE && acrpmu_perfctr_is_foreign());
}

/**
 * acrpmu_owner_cntrs() - get the counters of a CPU that keeping in-tree perf off occupies
 *
 * Context: any; steady for users of the CPU and under acrpmu_owner_lock().
 * Return: mask of counters that sessions must not use.
 */
u64 acrpmu_owner_cntrs(int cpu)
{
	return READ_ONCE(per_cpu_ptr(claims, cpu)->cntrs);
}
