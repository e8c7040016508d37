// SPDX-License-Identifier: GPL-2.0-only
/* Extra registers of the cores: who shares them, writing them, restoring what was found. */
#include <linux/cpumask.h>
#include <linux/lockdep.h>
#include <linux/percpu.h>
#include <linux/smp.h>

#include "client.h"
#include "extra.h"
#include "msr.h"
#include "pmu.h"

struct extra_core {
	struct acrpmu_extra_state state;	/* acrpmu_lock */
	u64 found[ACRPMU_MAX_EXTRA_REGS];	/* before the first user; acrpmu_lock */
};

/* One for each physical core: hardware threads share the registers. */
static DEFINE_PER_CPU(struct extra_core, extra_cores);

static struct extra_core *core_of(int cpu)
{
	return per_cpu_ptr(&extra_cores, acrpmu_pmu_of(cpu)->core);
}

/* A value that no event of the group asks for: what holds it cannot be shared. */
static u64 foreign_value(const struct acrpmu_group *group)
{
	unsigned int i;
	u64 value = 0;

	for (i = 0; i < group->nr; i++) {
		if (group->ev[i].extra_value == value) {
			value++;
			i = -1;
		}
	}
	return value;
}

/* A register is usable for all CPUs only where it answers, with a value that none contradicts. */
static void merge_states(const struct acrpmu_session *session, unsigned int nr_regs,
			 struct acrpmu_extra_state *merged)
{
	u64 unusable = foreign_value(&session->group);
	unsigned int i;
	int cpu;

	memset(merged, 0, sizeof(*merged));
	for_each_cpu(cpu, session->cpus) {
		const struct acrpmu_extra_state *state = &core_of(cpu)->state;

		for (i = 0; i < nr_regs; i++) {
			bool hidden = !(acrpmu_pmu_of(cpu)->extra_regs & BIT(i));

			if (!state->reg[i].refs && !hidden)
				continue;
			if (!merged->reg[i].refs)
				merged->reg[i] = state->reg[i];
			if (hidden || merged->reg[i].value != state->reg[i].value)
				merged->reg[i].value = unusable;
			merged->reg[i].refs = 1;
		}
	}
}

/**
 * acrpmu_extra_choose() - choose extra registers that are free, or equal, on all CPUs of a session
 * @session: its group and CPUs; the choice goes to its member
 * @caps: the CPUs
 * @err: filled when refused
 *
 * Context: process, acrpmu_lock held.
 * Return: 0 or -EBUSY.
 */
int acrpmu_extra_choose(struct acrpmu_session *session, const struct acrpmu_caps *caps,
			struct acrpmu_error *err)
{
	struct acrpmu_extra_state merged;

	lockdep_assert_held(&acrpmu_lock);
	merge_states(session, caps->model->nr_extra_regs, &merged);
	return acrpmu_extra_reg_choose(&merged, caps, &session->group, &session->extra, err);
}

/**
 * acrpmu_extra_fits() - can a session's choice be had on one more CPU
 * @session: a session with a choice
 * @cpu: the CPU
 *
 * Context: process, acrpmu_lock held.
 * Return: whether each register is free there or holds the same value.
 */
bool acrpmu_extra_fits(const struct acrpmu_session *session, int cpu)
{
	const struct acrpmu_extra_state *state = &core_of(cpu)->state;
	unsigned int i;

	lockdep_assert_held(&acrpmu_lock);
	for (i = 0; i < session->group.nr; i++) {
		int reg = session->extra.reg[i];

		if (reg >= 0 && state->reg[reg].refs &&
		    state->reg[reg].value != session->group.ev[i].extra_value)
			return false;
	}
	return true;
}

struct changes {
	const struct acrpmu_extra_reg *regs;
	struct extra_core *core;
	u64 first_regs;		/* their first user comes: keep what is found, write the value */
	u64 last_regs;		/* their last user has gone: write back what was found */
};

static void change_here(void *data)
{
	struct changes *args = data;
	unsigned int i;

	for (i = 0; i < ACRPMU_MAX_EXTRA_REGS; i++) {
		if (args->first_regs & BIT_ULL(i)) {
			args->core->found[i] = acrpmu_msr_read(args->regs[i].msr);
			acrpmu_msr_write(args->regs[i].msr, args->core->state.reg[i].value);
		} else if (args->last_regs & BIT_ULL(i)) {
			acrpmu_msr_write(args->regs[i].msr, args->core->found[i]);
		}
	}
}

static u64 used_regs(const struct acrpmu_extra_state *state)
{
	u64 used = 0;
	unsigned int i;

	for (i = 0; i < ACRPMU_MAX_EXTRA_REGS; i++)
		if (state->reg[i].refs)
			used |= BIT_ULL(i);
	return used;
}

static void apply_changes(int cpu, u64 before)
{
	struct extra_core *core = core_of(cpu);
	u64 after = used_regs(&core->state);
	struct changes args = {
		.regs = acrpmu_pmu_of(cpu)->caps.model->extra_regs,
		.core = core,
		.first_regs = after & ~before,
		.last_regs = before & ~after,
	};

	if (args.first_regs | args.last_regs)
		smp_call_function_single(cpu, change_here, &args, 1);
}

/**
 * acrpmu_extra_take() - take a session's extra registers on a CPU
 * @session: a session with a choice that fits there
 * @cpu: an online CPU
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_extra_take(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_extra_state *state = &core_of(cpu)->state;
	u64 before = used_regs(state);

	lockdep_assert_held(&acrpmu_lock);
	acrpmu_extra_reg_get(state, &session->group, &session->extra);
	apply_changes(cpu, before);
}

/**
 * acrpmu_extra_give() - give a session's extra registers on a CPU back
 * @session: the session
 * @cpu: the CPU, still able to run code
 *
 * Context: process, may sleep, acrpmu_lock held.
 */
void acrpmu_extra_give(struct acrpmu_session *session, int cpu)
{
	struct acrpmu_extra_state *state = &core_of(cpu)->state;
	u64 before = used_regs(state);

	lockdep_assert_held(&acrpmu_lock);
	acrpmu_extra_reg_put(state, &session->group, &session->extra);
	apply_changes(cpu, before);
}
