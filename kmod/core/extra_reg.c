// SPDX-License-Identifier: GPL-2.0-only
/* Extra registers of a core: sharing by equal value and reference count, and the exact choice. */
#include "constraint.h"
#include "extra_reg.h"
#include "refuse.h"
#include "../regs.h"

#define CONFIG_MASK	(PERFEVTSEL_EVENT | PERFEVTSEL_UMASK)

/* A choice that is being made for a group. */
struct search {
	const struct acrpmu_caps *caps;
	const struct acrpmu_group *group;
	u64 free_cntrs;
	unsigned int nr;		/* events to choose for, the first ones of the group */
	u64 any[ACRPMU_MAX_EVENTS];	/* counters of each event, whichever register it gets */
	struct acrpmu_extra_state state;	/* with the choices so far */
	u64 able[ACRPMU_MAX_EVENTS];	/* counters of each event, by the choices so far */
	s8 reg[ACRPMU_MAX_EVENTS];
};

int acrpmu_extra_reg_find(const struct acrpmu_model *model, u64 config)
{
	int i;

	for (i = 0; i < model->nr_extra_regs; i++) {
		if ((config & CONFIG_MASK) == model->extra_regs[i].config)
			return i;
	}
	return ACRPMU_EXTRA_REG_NONE;
}

/* The config of an event that uses @reg, which may be another than its own. */
static u64 config_on(const struct acrpmu_model *model, u64 config, int reg)
{
	if (reg == ACRPMU_EXTRA_REG_NONE)
		return config;
	return (config & ~CONFIG_MASK) | model->extra_regs[reg].config;
}

static u64 cntrs_on(const struct acrpmu_caps *caps, u64 config, int reg)
{
	return acrpmu_constraint_config(caps, config_on(caps->model, config, reg));
}

/* Whether the value of an event is valid in a register: its own or an alternate. */
static bool is_valid(const struct acrpmu_model *model, const struct acrpmu_ev *ev, int reg)
{
	return !(ev->extra_value & ~model->extra_regs[reg].valid_mask);
}

static bool may_use(const struct acrpmu_extra_state *state, const struct acrpmu_model *model,
		    const struct acrpmu_ev *ev, int reg)
{
	return !state->reg[reg].hidden && is_valid(model, ev, reg);
}

/* Counters that can count an event, whichever it gets of the registers that answer. */
static u64 cntrs_answering(const struct acrpmu_extra_state *state, const struct acrpmu_caps *caps,
			   const struct acrpmu_ev *ev)
{
	int own = acrpmu_extra_reg_find(caps->model, ev->config), reg = own;
	u64 cntrs = 0;

	if (own == ACRPMU_EXTRA_REG_NONE)
		return cntrs_on(caps, ev->config, own);
	do {
		if (may_use(state, caps->model, ev, reg))
			cntrs |= cntrs_on(caps, ev->config, reg);
		reg = caps->model->extra_regs[reg].alt;
	} while (reg != own);
	return cntrs;
}

u64 acrpmu_extra_reg_cntrs(const struct acrpmu_caps *caps, const struct acrpmu_ev *ev)
{
	const struct acrpmu_extra_state all_answer = { 0 };

	return cntrs_answering(&all_answer, caps, ev);
}

static void take(struct acrpmu_extra_state *state, int reg, u64 value)
{
	state->reg[reg].value = value;
	state->reg[reg].refs++;
}

/* Is there a counter for each event, as the choices so far narrow them down? */
static bool cntrs_fit(const struct search *s)
{
	u64 usable[ACRPMU_MAX_EVENTS];
	s8 cntr[ACRPMU_MAX_EVENTS];
	unsigned int i;

	for (i = 0; i < s->nr; i++)
		usable[i] = s->able[i] & s->free_cntrs;
	return acrpmu_constraint_match(usable, s->nr, 0, cntr) == s->nr;
}

static bool solve(struct search *s, unsigned int event);

/* Go on with @event on @reg, which leaves it @able; undone if that leads nowhere. */
static bool try_reg(struct search *s, unsigned int event, int reg, u64 able)
{
	u64 before = s->able[event];

	take(&s->state, reg, s->group->ev[event].extra_value);
	s->reg[event] = reg;
	s->able[event] = able;
	/* counters need no look if the event can use the same as before */
	if ((able == before || cntrs_fit(s)) && solve(s, event + 1))
		return true;
	s->able[event] = before;
	s->state.reg[reg].refs--;
	return false;
}

/*
 * Try the registers for @event that hold its value, or those that are free.  One that holds it and
 * leaves the event all its counters takes nothing from anybody: then no other need be tried.
 */
static bool try_regs(struct search *s, unsigned int event, int own, bool shared, bool *enough)
{
	const struct acrpmu_ev *ev = &s->group->ev[event];
	int reg = own;
	u64 able;

	do {
		bool held = s->state.reg[reg].refs;

		if (held == shared && may_use(&s->state, s->caps->model, ev, reg) &&
		    (!held || s->state.reg[reg].value == ev->extra_value)) {
			able = s->able[event] & cntrs_on(s->caps, ev->config, reg);
			if (try_reg(s, event, reg, able))
				return true;
			*enough = held && able == s->able[event];
		}
		reg = s->caps->model->extra_regs[reg].alt;
	} while (reg != own && !*enough);
	return false;
}

/* Choose for the events from @event on. */
static bool solve(struct search *s, unsigned int event)
{
	bool enough = false;
	int own;

	for (; event < s->nr; event++) {
		own = acrpmu_extra_reg_find(s->caps->model, s->group->ev[event].config);
		s->reg[event] = own;
		if (own != ACRPMU_EXTRA_REG_NONE)
			return try_regs(s, event, own, true, &enough) ||
			       (!enough && try_regs(s, event, own, false, &enough));
	}
	return true;
}

/* What does not depend on who uses the registers of @state. */
static void prepare(struct search *s, const struct acrpmu_extra_state *state)
{
	unsigned int i;
	u64 cntrs;

	for (i = 0; i < s->group->nr; i++) {
		cntrs = cntrs_answering(state, s->caps, &s->group->ev[i]);
		s->any[i] = acrpmu_constraint_reload(s->group, s->caps, i, cntrs);
	}
}

/* Can the first @nr events be had beside the users in @state?  The answer is left in @s. */
static bool fits(struct search *s, const struct acrpmu_extra_state *state, unsigned int nr)
{
	s->state = *state;
	s->nr = nr;
	memcpy(s->able, s->any, sizeof(s->able));
	return solve(s, 0);
}

/* The register in the way of an event that could use it if it answered, or held its value. */
static int in_the_way(const struct acrpmu_extra_state *state, const struct acrpmu_model *model,
		      const struct acrpmu_ev *ev, bool hidden)
{
	int own = acrpmu_extra_reg_find(model, ev->config), reg = own;

	if (own == ACRPMU_EXTRA_REG_NONE)
		return own;
	do {
		bool other = state->reg[reg].refs && state->reg[reg].value != ev->extra_value;

		if (is_valid(model, ev, reg) && (hidden ? state->reg[reg].hidden : other))
			return reg;
		reg = model->extra_regs[reg].alt;
	} while (reg != own);
	return ACRPMU_EXTRA_REG_NONE;
}

/*
 * The register to name where *@event is the first that finds none.  If none is in its own way, an
 * event before it has taken the only one that it can use, for lack of another: that is named then.
 */
static int blame(const struct search *s, const struct acrpmu_extra_state *state, bool hidden,
		 unsigned int *event)
{
	const struct acrpmu_model *model = s->caps->model;
	unsigned int i = *event + 1;
	int reg;

	while (i--) {
		reg = in_the_way(state, model, &s->group->ev[i], hidden);
		if (reg != ACRPMU_EXTRA_REG_NONE) {
			*event = i;
			return reg;
		}
	}
	/* cannot be: with no register in the way all events would have found one */
	return 0;
}

/* Nobody uses a register; what is hidden stays so. */
static void leave_alone(const struct acrpmu_extra_state *state, struct acrpmu_extra_state *nobody)
{
	unsigned int i;

	memset(nobody, 0, sizeof(*nobody));
	for (i = 0; i < ACRPMU_MAX_EXTRA_REGS; i++)
		nobody->reg[i].hidden = state->reg[i].hidden;
}

/* @event is the first that finds no register though nobody is there: does one not answer? */
static int refuse_alone(struct search *s, const struct acrpmu_extra_state *nobody,
			unsigned int event, struct acrpmu_error *error)
{
	const struct acrpmu_extra_state all_answer = { 0 };
	const struct acrpmu_model *model = s->caps->model;
	const struct acrpmu_ev *ev = s->group->ev;
	int reg;

	if (fits(s, &all_answer, event + 1)) {
		reg = blame(s, nobody, true, &event);
		return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_EXTRA_HIDDEN, event,
				     ev[event].extra_value, model->extra_regs[reg].msr);
	}
	/* what the events before it gave its own register */
	fits(s, nobody, event);
	reg = acrpmu_extra_reg_find(model, ev[event].config);
	return acrpmu_refuse(error, -ENOSPC, ACRPMU_REASON_EXTRA_BUSY, event,
			     s->state.reg[reg].value, model->extra_regs[reg].msr);
}

/* Could the group be had if nobody else were there?  One event more each time, as in choose(). */
static int check_alone(struct search *s, const struct acrpmu_extra_state *state,
		       struct acrpmu_error *error)
{
	struct acrpmu_extra_state nobody;
	unsigned int i;

	leave_alone(state, &nobody);
	s->free_cntrs = s->caps->cntrs;
	for (i = 0; i < s->group->nr; i++) {
		if (!fits(s, &nobody, i + 1))
			return refuse_alone(s, &nobody, i, error);
	}
	return 0;
}

/*
 * @event is the first that finds no register because of others.  Of their registers: that there are
 * counters enough is known by now, and where a register needs a counter of its own, so do others.
 */
static int refuse_busy(const struct search *s, const struct acrpmu_extra_state *state,
		       unsigned int event, struct acrpmu_error *error)
{
	int reg = blame(s, state, false, &event);

	return acrpmu_refuse(error, -EBUSY, ACRPMU_REASON_EXTRA_BUSY, event, state->reg[reg].value,
			     s->caps->model->extra_regs[reg].msr);
}

static int choose(struct search *s, const struct acrpmu_extra_state *state,
		  struct acrpmu_extra_choice *choice, struct acrpmu_error *error)
{
	unsigned int i, nr = s->group->nr;

	/* one event more each time, so that the first which does not fit is known by its index */
	for (i = 0; i < nr; i++) {
		if (!fits(s, state, i + 1))
			return refuse_busy(s, state, i, error);
	}
	for (i = 0; i < nr; i++) {
		choice->reg[i] = s->reg[i];
		choice->config[i] = config_on(s->caps->model, s->group->ev[i].config, s->reg[i]);
	}
	return 0;
}

int acrpmu_extra_reg_place(const struct acrpmu_extra_state *state, const struct acrpmu_caps *caps,
			   const struct acrpmu_group *group, u64 free_cntrs,
			   s8 cntr[ACRPMU_MAX_EVENTS], struct acrpmu_extra_choice *choice,
			   struct acrpmu_error *error)
{
	const struct acrpmu_extra_state all_answer = { 0 };
	struct search s = { .caps = caps, .group = group };
	s8 tried[ACRPMU_MAX_EVENTS];
	unsigned int i;
	int ret;

	for (i = 0; i < group->nr; i++) {
		ret = acrpmu_constraint_check(group, caps, i, error);
		if (ret)
			return ret;
	}
	prepare(&s, &all_answer);
	ret = acrpmu_constraint_among(s.any, group->nr, caps->cntrs, tried, error);
	if (!ret)
		ret = check_alone(&s, state, error);
	if (ret)
		return ret;

	prepare(&s, state);
	s.free_cntrs = free_cntrs;
	ret = acrpmu_constraint_among(s.any, group->nr, free_cntrs, tried, error);
	if (!ret)
		ret = choose(&s, state, choice, error);
	return ret ? ret : acrpmu_constraint_among(s.able, group->nr, free_cntrs, cntr, error);
}

bool acrpmu_extra_reg_fits(const struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			   const struct acrpmu_extra_choice *choice)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		int reg = choice->reg[i];

		if (reg == ACRPMU_EXTRA_REG_NONE)
			continue;
		if (state->reg[reg].hidden || (state->reg[reg].refs && state->reg[reg].value !=
					       group->ev[i].extra_value))
			return false;
	}
	return true;
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
