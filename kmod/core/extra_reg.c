// SPDX-License-Identifier: GPL-2.0-only
/* Extra registers of a core: sharing by equal value and reference count, and alternates. */
#include "extra_reg.h"
#include "../regs.h"

#define CONFIG_MASK	(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK)

int acrpmu_extra_reg_find(const struct acrpmu_model *model, u64 config)
{
	int i;

	for (i = 0; i < model->nr_extra_regs; i++) {
		if ((config & CONFIG_MASK) == model->extra_regs[i].config)
			return i;
	}
	return ACRPMU_EXTRA_REG_NONE;
}

static bool holds(const struct acrpmu_extra_state *state, int reg, u64 value)
{
	return state->reg[reg].refs && state->reg[reg].value == value;
}

static void take(struct acrpmu_extra_state *state, int reg, u64 value)
{
	state->reg[reg].value = value;
	state->reg[reg].refs++;
}

/* The register of the ring of @own that holds @value already, if any: it costs nothing. */
static int find_shared(const struct acrpmu_extra_state *state, const struct acrpmu_model *model,
		       int own, u64 value)
{
	int reg = own;

	do {
		/* what it holds is within its valid mask */
		if (holds(state, reg, value))
			return reg;
		reg = model->extra_regs[reg].alt;
	} while (reg != own);
	return ACRPMU_EXTRA_REG_NONE;
}

/* Settle events that need no free register; returns the first that does, or @nr. */
static unsigned int settle(const struct acrpmu_extra_state *state, const struct acrpmu_model *model,
			   const struct acrpmu_group *group, unsigned int event, unsigned int nr,
			   s8 *choice)
{
	int own;

	for (; event < nr; event++) {
		choice[event] = ACRPMU_EXTRA_REG_NONE;
		own = acrpmu_extra_reg_find(model, group->ev[event].config);
		if (own == ACRPMU_EXTRA_REG_NONE)
			continue;
		choice[event] = find_shared(state, model, own, group->ev[event].extra_value);
		if (choice[event] == ACRPMU_EXTRA_REG_NONE)
			break;
	}
	return event;
}

/*
 * Choose for the events from @event to @nr - 1.  Each call fills a free register, so the recursion
 * is no deeper than there are registers.
 */
static bool solve(const struct acrpmu_extra_state *state, const struct acrpmu_model *model,
		  const struct acrpmu_group *group, unsigned int event, unsigned int nr, s8 *choice)
{
	struct acrpmu_extra_state next;
	int own, reg;
	u64 value;

	event = settle(state, model, group, event, nr, choice);
	if (event == nr)
		return true;

	value = group->ev[event].extra_value;
	own = acrpmu_extra_reg_find(model, group->ev[event].config);
	reg = own;
	do {
		if (!state->reg[reg].refs && !(value & ~model->extra_regs[reg].valid_mask)) {
			next = *state;
			take(&next, reg, value);
			choice[event] = reg;
			if (solve(&next, model, group, event + 1, nr, choice))
				return true;
		}
		reg = model->extra_regs[reg].alt;
	} while (reg != own);
	return false;
}

/* What the register of the first event without one holds, by @state and the events before it. */
static u64 value_held(const struct acrpmu_extra_state *state, const struct acrpmu_group *group,
		      const s8 *choice, unsigned int event, int own)
{
	unsigned int i;

	if (state->reg[own].refs)
		return state->reg[own].value;
	for (i = 0; i < event; i++) {
		if (choice[i] == own)
			return group->ev[i].extra_value;
	}
	return 0;
}

static int refuse(const struct acrpmu_extra_state *state, const struct acrpmu_model *model,
		  const struct acrpmu_group *group, unsigned int event, struct acrpmu_error *error)
{
	static const struct acrpmu_extra_state nobody;
	s8 choice[ACRPMU_MAX_EVENTS] = { 0 };
	int own = acrpmu_extra_reg_find(model, group->ev[event].config);
	bool fits_alone = solve(&nobody, model, group, 0, group->nr, choice);

	solve(state, model, group, 0, event, choice);
	return acrpmu_attr_refuse(error, fits_alone ? -EBUSY : -ENOSPC, ACRPMU_REASON_EXTRA_BUSY,
				  event, value_held(state, group, choice, event, own),
				  model->extra_regs[own].msr);
}

int acrpmu_extra_reg_choose(const struct acrpmu_extra_state *state, const struct acrpmu_caps *caps,
			    const struct acrpmu_group *group, struct acrpmu_extra_choice *choice,
			    struct acrpmu_error *error)
{
	const struct acrpmu_model *model = caps->model;
	s8 reg[ACRPMU_MAX_EVENTS] = { 0 };
	unsigned int i;

	/* one event more each time, so that the first which does not fit is known by its index */
	for (i = 0; i < group->nr; i++) {
		if (!solve(state, model, group, 0, i + 1, reg))
			return refuse(state, model, group, i, error);
	}

	for (i = 0; i < group->nr; i++) {
		u64 config = group->ev[i].config;

		if (reg[i] != ACRPMU_EXTRA_REG_NONE)
			config = (config & ~CONFIG_MASK) | model->extra_regs[reg[i]].config;
		choice->reg[i] = reg[i];
		choice->config[i] = config;
	}
	return 0;
}

void acrpmu_extra_reg_get(struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			  const struct acrpmu_extra_choice *choice)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (choice->reg[i] != ACRPMU_EXTRA_REG_NONE)
			take(state, choice->reg[i], group->ev[i].extra_value);
	}
}

void acrpmu_extra_reg_put(struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			  const struct acrpmu_extra_choice *choice)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (choice->reg[i] != ACRPMU_EXTRA_REG_NONE)
			state->reg[choice->reg[i]].refs--;
	}
}
