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

/* A choice must do for each CPU of the session, also where it holds none now. */
static void merge_states(const struct acrpmu_session *session, const struct cpumask *cpus,
			 struct acrpmu_extra_state *merged)
{
	unsigned int i, nr_regs = session->caps.model->nr_extra_regs;
	int cpu;

	memset(merged, 0, sizeof(*merged));
	for_each_cpu(cpu, cpus)
		acrpmu_extra_reg_merge(merged, &core_of(cpu)->state);
	for_each_cpu(cpu, session->cpus)
		for (i = 0; i < nr_regs; i++)
			if (!(acrpmu_pmu_of(cpu)->extra_regs & BIT(i)))
				merged->reg[i].hidden = true;
}

/* Of several CPUs: on which one is the register in the way, and by which value? */
static void find_in_the_way(const struct acrpmu_session *session, const struct cpumask *cpus,
			    struct acrpmu_error *err)
{
	const struct acrpmu_extra_reg *regs = session->caps.model->extra_regs;
	unsigned int reg = 0;
	int cpu;

	while (regs[reg].msr != err->limit)
		reg++;
	for_each_cpu(cpu, cpus) {
		const struct acrpmu_extra_state *state = &core_of(cpu)->state;

		if (!state->reg[reg].refs ||
		    state->reg[reg].value == session->group.ev[err->event].extra_value)
			continue;
		err->cpu = cpu;
		err->value = state->reg[reg].value;
		return;
	}
}

/**
 * acrpmu_extra_place() - choose counters and extra registers for all CPUs of a session
 * @session: its group, CPUs and what they can do; the choice of registers goes to its member
 * @cpus: those of them that it is to have now; none: as if nobody else was there
 * @free_cntrs: counters that are free on all of them
 * @cntr: out, counter of each event
 * @err: filled when refused; with EXTRA_BUSY its cpu is the one where the register is in the way
 *
 * Context: process, acrpmu_lock held.
 * Return: 0, -EBUSY or -ENOSPC.
 */
int acrpmu_extra_place(struct acrpmu_session *session, const struct cpumask *cpus,
		       u64 free_cntrs, s8 cntr[ACRPMU_MAX_EVENTS], struct acrpmu_error *err)
{
	struct acrpmu_extra_state merged;
	int ret;

	lockdep_assert_held(&acrpmu_lock);
	merge_states(session, cpus, &merged);
	ret = acrpmu_extra_reg_place(&merged, &session->caps, &session->group, free_cntrs, cntr,
				     &session->extra, err);
	if (ret == -EBUSY && err->reason == ACRPMU_REASON_EXTRA_BUSY)
		find_in_the_way(session, cpus, err);
	return ret;
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

		if (reg >= 0 && !(acrpmu_pmu_of(cpu)->extra_regs & BIT(reg)))
			return false;
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
