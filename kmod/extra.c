// SPDX-License-Identifier: GPL-2.0-only
/* Extra registers of the cores: sharing, programming, restoring. */
#include <linux/cache.h>
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "session.h"
#include "extra.h"
#include "msr.h"
#include "owner.h"
#include "pmu.h"
#include "registry.h"

struct extra_core {
	struct acrpmu_extra_state state;	/* acrpmu_lock */
	u64 written_regs;			/* those that hold a user's value; acrpmu_lock */
	u64 found[ACRPMU_MODEL_MAX_EXTRA_REGS];	/* before the first user; acrpmu_lock */
	u64 written[ACRPMU_MODEL_MAX_EXTRA_REGS];	/* that of the users; acrpmu_lock */
};

/*
 * Registers that the hardware threads of a core share are in the element of its first CPU, those
 * that each thread has in its own.
 */
static struct extra_core __percpu *extra_cores __ro_after_init;

/**
 * acrpmu_extra_init() - allocate the state of the extra registers
 *
 * Context: process, at load.
 * Return: 0 or -ENOMEM.
 */
int acrpmu_extra_init(void)
{
	extra_cores = alloc_percpu(struct extra_core);
	return extra_cores ? 0 : -ENOMEM;
}

/**
 * acrpmu_extra_exit() - undo acrpmu_extra_init()
 *
 * Context: process, may sleep, at unload.
 */
void acrpmu_extra_exit(void)
{
	free_percpu(extra_cores);
}

static struct extra_core *core_of(int cpu)
{
	return per_cpu_ptr(extra_cores, acrpmu_pmu_of(cpu)->core);
}

static struct extra_core *holder_of(int cpu, unsigned int reg)
{
	const struct acrpmu_model *model = acrpmu_pmu_of(cpu)->caps.model;

	return model->extra_regs[reg].thread ? per_cpu_ptr(extra_cores, cpu) : core_of(cpu);
}

/* Use of the registers of a CPU, as it sees them: some may not answer there. */
static struct acrpmu_extra_state state_of(int cpu)
{
	struct acrpmu_extra_state state = { 0 };
	unsigned int i;

	for (i = 0; i < acrpmu_pmu_of(cpu)->caps.model->nr_extra_regs; i++) {
		state.reg[i] = holder_of(cpu, i)->state.reg[i];
		state.reg[i].hidden = !(acrpmu_pmu_of(cpu)->extra_regs & BIT(i));
	}
	return state;
}

static void keep_state(int cpu, const struct acrpmu_extra_state *state)
{
	unsigned int i;

	for (i = 0; i < acrpmu_pmu_of(cpu)->caps.model->nr_extra_regs; i++) {
		struct extra_core *holder = holder_of(cpu, i);

		holder->state.reg[i].value = state->reg[i].value;
		holder->state.reg[i].refs = state->reg[i].refs;
	}
}

/**
 * acrpmu_extra_check() - check that a session would fit a CPU if it were idle
 * @session: its group, and what all its CPUs can do
 * @cpu: one of them
 * @err: filled when refused
 *
 * Context: process, acrpmu_lock held.
 * Return: 0, -EOPNOTSUPP or -ENOSPC, see acrpmu_schedule_check().
 */
int acrpmu_extra_check(const struct acrpmu_session *session, int cpu, struct acrpmu_error *err)
{
	struct acrpmu_extra_state state = state_of(cpu);

	lockdep_assert_held(&acrpmu_lock);
	return acrpmu_schedule_check(&state, &session->caps, &session->group, err);
}

/**
 * acrpmu_extra_reserve() - find counters and extra registers on a CPU, and reserve the registers
 * @session: acrpmu_extra_check() has accepted it for the CPU, and it holds nothing there yet
 * @cpu: the CPU
 * @free_cntrs: counters that no session holds there
 * @err: filled when refused, with the CPU if a register is in the way
 *
 * The schedule goes to the session's state on the CPU.  acrpmu_extra_apply() writes the registers.
 *
 * Threads of a core are scheduled in turn, around what earlier ones reserved.  This finds a
 * schedule whenever one exists; it could miss one only on a core with SMT where a register is bound
 * to counters, by the CPU (there is none) or by allowed_cntrs.
 *
 * Context: process, acrpmu_lock held.
 * Return: 0, or -EBUSY, see acrpmu_schedule_events().
 */
int acrpmu_extra_reserve(struct acrpmu_session *session, int cpu, u64 free_cntrs,
			 struct acrpmu_error *err)
{
	struct acrpmu_schedule *schedule = &acrpmu_session_on(session, cpu)->schedule;
	struct acrpmu_extra_state state = state_of(cpu);
	int ret;

	lockdep_assert_held(&acrpmu_lock);
	ret = acrpmu_schedule_events(&state, &session->caps, &session->group, free_cntrs, schedule,
				     err);
	if (ret == -EBUSY && err->reason == ACRPMU_REASON_EXTRA_BUSY)
		err->cpu = cpu;
	if (!ret) {
		acrpmu_schedule_get(&state, &session->group, schedule);
		keep_state(cpu, &state);
	}
	return ret;
}

/**
 * acrpmu_extra_keep() - reserve the registers again that acrpmu_extra_reserve() once found
 * @cpu: a CPU that it held before
 *
 * Context: process, acrpmu_lock held.
 * Return: false if a register hides or holds another value by now; then none is reserved.
 */
bool acrpmu_extra_keep(struct acrpmu_session *session, int cpu)
{
	const struct acrpmu_schedule *schedule = &acrpmu_session_on(session, cpu)->schedule;
	struct acrpmu_extra_state state = state_of(cpu);

	lockdep_assert_held(&acrpmu_lock);
	if (!acrpmu_schedule_fits(&state, &session->group, schedule))
		return false;
	acrpmu_schedule_get(&state, &session->group, schedule);
	keep_state(cpu, &state);
	return true;
}

/**
 * acrpmu_extra_release() - release what acrpmu_extra_reserve() or acrpmu_extra_keep() reserved
 * @cpu: the CPU
 *
 * Context: process, acrpmu_lock held.
 */
void acrpmu_extra_release(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_extra_state state = state_of(cpu);

	lockdep_assert_held(&acrpmu_lock);
	acrpmu_schedule_put(&state, &session->group, &acrpmu_session_on(session, cpu)->schedule);
	keep_state(cpu, &state);
}

struct changes {
	const struct acrpmu_extra_reg *regs;
	struct extra_core *holder[ACRPMU_MODEL_MAX_EXTRA_REGS];
	u64 first_regs;		/* their first user comes: keep what is found, write the value */
	/* their last user has gone: write back what was found, unless somebody else uses them */
	u64 last_regs;
};

static void change_here(void *data)
{
	struct changes *args = data;
	unsigned int i;

	for (i = 0; i < ACRPMU_MODEL_MAX_EXTRA_REGS; i++) {
		struct extra_core *holder = args->holder[i];

		if (args->first_regs & BIT_ULL(i)) {
			holder->found[i] = acrpmu_msr_read(args->regs[i].msr);
			holder->written[i] = holder->state.reg[i].value;
			acrpmu_msr_write(args->regs[i].msr, holder->written[i]);
		} else if (args->last_regs & BIT_ULL(i) &&
			   acrpmu_msr_read(args->regs[i].msr) == holder->written[i] &&
			   !acrpmu_owner_shares_here(args->regs[i].msr)) {
			acrpmu_msr_write(args->regs[i].msr, holder->found[i]);
		}
	}
}

/* Find what changes for one register; from here on it counts as done. */
static void find_change(struct changes *args, struct extra_core *holder, unsigned int reg)
{
	bool used = holder->state.reg[reg].refs, written = holder->written_regs & BIT_ULL(reg);

	args->holder[reg] = holder;
	if (used == written)
		return;
	holder->written_regs ^= BIT_ULL(reg);
	if (used)
		args->first_regs |= BIT_ULL(reg);
	else
		args->last_regs |= BIT_ULL(reg);
}

/**
 * acrpmu_extra_apply() - write the extra registers of a CPU, as they are used now
 * @cpu: a CPU that can run code
 *
 * Registers with a first user get its value, those without users the value that they had before.
 * This includes those that it shares with other threads of its core.
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_extra_apply(int cpu)
{
	const struct acrpmu_model *model = acrpmu_pmu_of(cpu)->caps.model;
	struct changes args = { .regs = model->extra_regs };
	unsigned int i;

	lockdep_assert_held(&acrpmu_lock);
	for (i = 0; i < model->nr_extra_regs; i++)
		find_change(&args, holder_of(cpu, i), i);
	if (args.first_regs | args.last_regs)
		smp_call_function_single(cpu, change_here, &args, 1);
}
