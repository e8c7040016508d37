// SPDX-License-Identifier: GPL-2.0-only
/* Scheduling: the exact search for counters and extra registers of a group's events together. */
#include "schedule.h"
#include "constraint.h"
#include "refuse.h"

#define FIXED_CNTRS	(~0ULL << ACRPMU_FIXED_BASE)
#define UNASSIGNED	(-1)

/* ---- counters ---- */

/* A matching in progress: augmenting paths in the bipartite graph of events and counters. */
struct match {
	const u64 *allowed_cntrs;
	unsigned int nr;
	s8 *cntr;		/* counter of each event */
	u64 visited_cntrs;	/* counters on the paths tried for one event */
};

/* The event to which a counter in use is assigned. */
static unsigned int holder(const struct match *match, unsigned int cntr)
{
	unsigned int i;

	for (i = 0; i < match->nr - 1; i++) {
		if (match->cntr[i] == (s8)cntr)
			break;
	}
	return i;
}

static u64 used_cntrs(const struct match *match)
{
	u64 cntrs = 0;
	unsigned int i;

	for (i = 0; i < match->nr; i++) {
		if (match->cntr[i] != UNASSIGNED)
			cntrs |= BIT_ULL(match->cntr[i]);
	}
	return cntrs;
}

/*
 * Find a counter among @cntrs for @event: the lowest free one, or one of an event that can move.
 * No path enters an event twice, so the recursion is at most as deep as the group is long.
 */
static bool augment(struct match *match, unsigned int event, u64 cntrs)
{
	u64 allowed_cntrs = match->allowed_cntrs[event] & cntrs;
	u64 todo = allowed_cntrs & ~used_cntrs(match);
	unsigned int cntr;

	if (todo) {
		match->cntr[event] = __ffs64(todo);
		return true;
	}
	while ((todo = allowed_cntrs & ~match->visited_cntrs)) {
		cntr = __ffs64(todo);
		match->visited_cntrs |= BIT_ULL(cntr);
		if (augment(match, holder(match, cntr), cntrs)) {
			match->cntr[event] = cntr;
			return true;
		}
	}
	return false;
}

/* An augmenting path frees no counter: those that an earlier call assigned stay in use. */
static void assign(struct match *match, u64 cntrs)
{
	unsigned int i;

	for (i = 0; i < match->nr; i++) {
		match->visited_cntrs = 0;
		if (match->cntr[i] == UNASSIGNED)
			augment(match, i, cntrs);
	}
}

unsigned int acrpmu_schedule_match(const u64 *allowed_cntrs, unsigned int nr, u64 prefer_cntrs,
				   s8 *cntr)
{
	struct match match = { .allowed_cntrs = allowed_cntrs, .nr = nr, .cntr = cntr };
	unsigned int i, assigned = 0;

	for (i = 0; i < nr; i++)
		cntr[i] = UNASSIGNED;
	assign(&match, prefer_cntrs);
	assign(&match, ~0ULL);

	for (i = 0; i < nr; i++)
		assigned += cntr[i] != UNASSIGNED;
	return assigned;
}

static int first_unassigned(const s8 *cntr, unsigned int nr)
{
	unsigned int i;

	for (i = 0; i < nr; i++) {
		if (cntr[i] == UNASSIGNED)
			return i;
	}
	return UNASSIGNED;
}

/*
 * The events that compete with @event for too few counters: those that got a counter which @event,
 * or an event already found, may use.
 */
static u64 competitors(const u64 *allowed_cntrs, unsigned int nr, const s8 *cntr, int event)
{
	u64 events = BIT_ULL(event), cntrs = 0, todo = events;
	unsigned int i;

	while (todo) {
		i = __ffs64(todo);
		todo &= todo - 1;
		cntrs |= allowed_cntrs[i];
		for (i = 0; i < nr; i++) {
			if (cntr[i] == UNASSIGNED || !(cntrs & BIT_ULL(cntr[i])) ||
			    events & BIT_ULL(i))
				continue;
			events |= BIT_ULL(i);
			todo |= BIT_ULL(i);
		}
	}
	return events;
}

static u64 union_of(const u64 *allowed_cntrs, u64 events)
{
	u64 cntrs = 0;

	for (; events; events &= events - 1)
		cntrs |= allowed_cntrs[__ffs64(events)];
	return cntrs;
}

/* Assign counters of @free_cntrs to all events; returns false, with some of them, if it cannot. */
static bool assign_cntrs(const u64 *able, unsigned int nr, u64 free_cntrs, u64 prefer_cntrs,
			 s8 *cntr)
{
	u64 usable[ACRPMU_MAX_EVENTS];
	unsigned int i;

	for (i = 0; i < nr; i++)
		usable[i] = able[i] & free_cntrs;
	return acrpmu_schedule_match(usable, nr, prefer_cntrs, cntr) == nr;
}

/* The events need more counters than there are. */
static int refuse_too_many(const u64 *able, unsigned int nr, const s8 *cntr,
			   struct acrpmu_error *error)
{
	int left = first_unassigned(cntr, nr);
	u64 events = competitors(able, nr, cntr, left);

	return acrpmu_refuse(error, -ENOSPC, ACRPMU_REASON_NO_ASSIGNMENT, left,
			     union_of(able, events), hweight64(events));
}

/* The events would have counters if some were not held. */
static int refuse_held(const u64 *able, unsigned int nr, u64 free_cntrs, const s8 *cntr,
		       struct acrpmu_error *error)
{
	u64 usable[ACRPMU_MAX_EVENTS], held_cntrs;
	int left = first_unassigned(cntr, nr);
	unsigned int i;

	for (i = 0; i < nr; i++)
		usable[i] = able[i] & free_cntrs;
	held_cntrs = union_of(able, competitors(usable, nr, cntr, left)) & ~free_cntrs;
	return acrpmu_refuse(error, -EBUSY, ACRPMU_REASON_HELD, left, held_cntrs, 0);
}

/* ---- counters and extra registers together ---- */

/* A search for the first events of a group. */
struct search {
	const struct acrpmu_caps *caps;
	const struct acrpmu_group *group;
	u64 free_cntrs;
	bool regs_only;			/* do not check that there are counters for all */
	unsigned int nr;		/* number of events to search for */
	u64 any[ACRPMU_MAX_EVENTS];	/* counters of each event, whichever register it gets */
	struct acrpmu_extra_state state;	/* with the registers found so far */
	u64 able[ACRPMU_MAX_EVENTS];	/* counters of each event, given the registers so far */
	s8 reg[ACRPMU_MAX_EVENTS];
};

static bool solve(struct search *s, unsigned int event);

/* Check that the counters suffice after an event could use those of @before. */
static bool cntrs_suffice(const struct search *s, u64 able, u64 before)
{
	s8 cntr[ACRPMU_MAX_EVENTS];

	/* they still do if it can use the same */
	if (able == before)
		return true;
	if (s->regs_only)
		return able;
	return assign_cntrs(s->able, s->nr, s->free_cntrs, 0, cntr);
}

/* Continue with @event on @reg, which leaves it the counters @able; undone if that fails. */
static bool try_reg(struct search *s, unsigned int event, int reg, u64 able)
{
	u64 before = s->able[event];

	acrpmu_extra_reg_get(&s->state, reg, s->group->ev[event].extra_value);
	s->reg[event] = reg;
	s->able[event] = able;
	if (cntrs_suffice(s, able, before) && solve(s, event + 1))
		return true;
	s->able[event] = before;
	acrpmu_extra_reg_put(&s->state, reg);
	return false;
}

/*
 * Try the registers for @event that hold its value, or those that are free.  A register that holds
 * the value and leaves the event all its counters costs no other event anything: if the search
 * fails with that one, it fails with every other, too (@enough).
 */
static bool try_regs(struct search *s, unsigned int event, int own, bool shared, bool *enough)
{
	const struct acrpmu_model *model = s->caps->model;
	const struct acrpmu_ev *ev = &s->group->ev[event];
	int reg = own;

	do {
		bool held = s->state.reg[reg].refs;

		if (held == shared && acrpmu_extra_reg_is_valid(model, reg, ev->extra_value) &&
		    acrpmu_extra_reg_is_usable(&s->state, reg, ev->extra_value)) {
			u64 config = acrpmu_extra_reg_config(model, ev->config, reg);
			u64 able = s->able[event] & acrpmu_constraint_as(s->caps, ev, config);

			if (try_reg(s, event, reg, able))
				return true;
			*enough = held && able == s->able[event];
		}
		reg = model->extra_regs[reg].alt;
	} while (reg != own && !*enough);
	return false;
}

/* Find registers for the events from @event on. */
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

/* Fill in what does not depend on who uses the registers; @state NULL: all of them answer. */
static void prepare(struct search *s, const struct acrpmu_extra_state *state)
{
	unsigned int i;
	u64 cntrs;

	for (i = 0; i < s->group->nr; i++) {
		cntrs = acrpmu_constraint_event(s->caps, &s->group->ev[i], state);
		s->any[i] = acrpmu_constraint_reload(s->group, s->caps, i, cntrs);
	}
}

/* Search for the first @nr events; what is found is left in @s. */
static bool search(struct search *s, const struct acrpmu_extra_state *state, unsigned int nr)
{
	s->state = *state;
	s->nr = nr;
	memcpy(s->able, s->any, sizeof(s->able));
	return solve(s, 0);
}

/* Search for the whole group; returns the first event that does not fit, group->nr if all do. */
static unsigned int search_all(struct search *s, const struct acrpmu_extra_state *state)
{
	unsigned int i;

	for (i = 0; i < s->group->nr && search(s, state, i + 1); i++)
		;
	return i;
}

/* ---- why there is no extra register ---- */

/* The register that @ev could use if it answered (@hidden), or held no other value. */
static int in_the_way(const struct acrpmu_extra_state *state, const struct acrpmu_model *model,
		      const struct acrpmu_ev *ev, bool hidden)
{
	int own = acrpmu_extra_reg_find(model, ev->config), reg = own;

	if (own == ACRPMU_EXTRA_REG_NONE)
		return own;
	do {
		bool other = state->reg[reg].refs && state->reg[reg].value != ev->extra_value;

		if (acrpmu_extra_reg_is_valid(model, reg, ev->extra_value) &&
		    (hidden ? state->reg[reg].hidden : other))
			return reg;
		reg = model->extra_regs[reg].alt;
	} while (reg != own);
	return ACRPMU_EXTRA_REG_NONE;
}

/*
 * Find the register to report where *@event is the first event without one.  If none is in its way,
 * an earlier event took the only one that it can use, for lack of another: report that event.
 */
static int blame(const struct search *s, const struct acrpmu_extra_state *state, bool hidden,
		 unsigned int *event)
{
	unsigned int i = *event + 1;
	int reg;

	while (i--) {
		reg = in_the_way(state, s->caps->model, &s->group->ev[i], hidden);
		if (reg != ACRPMU_EXTRA_REG_NONE) {
			*event = i;
			return reg;
		}
	}
	/* not reached: with no register in the way, all events would have found one */
	return 0;
}

/* @event is the first that does not fit an idle core. */
static int refuse_idle(struct search *s, const struct acrpmu_extra_state *idle, unsigned int event,
		       struct acrpmu_error *error)
{
	const struct acrpmu_extra_state all_answer = { 0 };
	const struct acrpmu_model *model = s->caps->model;
	const struct acrpmu_ev *ev = s->group->ev;
	s8 cntr[ACRPMU_MAX_EVENTS];
	int reg;

	if (search(s, &all_answer, event + 1)) {
		reg = blame(s, idle, true, &event);
		return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_EXTRA_HIDDEN, event,
				     ev[event].extra_value, model->extra_regs[reg].msr);
	}
	s->regs_only = true;
	if (search(s, &all_answer, event + 1)) {
		assign_cntrs(s->able, s->nr, s->free_cntrs, 0, cntr);
		return refuse_too_many(s->able, s->nr, cntr, error);
	}
	/* report what the events before it put into its own register */
	s->regs_only = false;
	search(s, idle, event);
	reg = acrpmu_extra_reg_find(model, ev[event].config);
	return acrpmu_refuse(error, -ENOSPC, ACRPMU_REASON_EXTRA_BUSY, event,
			     s->state.reg[reg].value, model->extra_regs[reg].msr);
}

/* The held counters that an assignment of all events needs, as few as possible. */
static u64 needed_cntrs(const struct search *s, u64 free_cntrs)
{
	s8 cntr[ACRPMU_MAX_EVENTS];
	u64 cntrs = 0;
	unsigned int i;

	assign_cntrs(s->able, s->nr, s->free_cntrs, free_cntrs, cntr);
	for (i = 0; i < s->nr; i++)
		cntrs |= BIT_ULL(cntr[i]);
	return cntrs & ~free_cntrs;
}

/*
 * @event is the first that does not fit beside others, although free counters would suffice if each
 * register were usable.  Held counters are to blame if it would fit with them, as an event may be
 * bound to some on one register and not on another; otherwise the registers of others are.
 */
static int refuse_busy(struct search *s, const struct acrpmu_extra_state *state,
		       unsigned int event, struct acrpmu_error *error)
{
	u64 free_cntrs = s->free_cntrs;
	unsigned int first;
	int reg;

	s->free_cntrs = s->caps->cntrs;
	first = search_all(s, state);
	if (first == s->group->nr)
		return acrpmu_refuse(error, -EBUSY, ACRPMU_REASON_HELD, event,
				     needed_cntrs(s, free_cntrs), 0);
	reg = blame(s, state, false, &first);
	return acrpmu_refuse(error, -EBUSY, ACRPMU_REASON_EXTRA_BUSY, first,
			     state->reg[reg].value, s->caps->model->extra_regs[reg].msr);
}

/* ---- a group ---- */

int acrpmu_schedule_check(const struct acrpmu_extra_state *state, const struct acrpmu_caps *caps,
			  const struct acrpmu_group *group, struct acrpmu_error *error)
{
	struct search s = { .caps = caps, .group = group, .free_cntrs = caps->cntrs };
	struct acrpmu_extra_state idle = { 0 };
	s8 cntr[ACRPMU_MAX_EVENTS];
	unsigned int i;

	prepare(&s, NULL);
	if (!assign_cntrs(s.any, group->nr, caps->cntrs, FIXED_CNTRS, cntr))
		return refuse_too_many(s.any, group->nr, cntr, error);
	for (i = 0; i < ACRPMU_MODEL_MAX_EXTRA_REGS; i++)
		idle.reg[i].hidden = state->reg[i].hidden;
	i = search_all(&s, &idle);
	return i < group->nr ? refuse_idle(&s, &idle, i, error) : 0;
}

int acrpmu_schedule_events(const struct acrpmu_extra_state *state, const struct acrpmu_caps *caps,
			   const struct acrpmu_group *group, u64 free_cntrs,
			   struct acrpmu_schedule *schedule, struct acrpmu_error *error)
{
	struct search s = { .caps = caps, .group = group, .free_cntrs = free_cntrs };
	s8 cntr[ACRPMU_MAX_EVENTS];
	unsigned int i;

	prepare(&s, state);
	if (!assign_cntrs(s.any, group->nr, free_cntrs, FIXED_CNTRS, cntr))
		return refuse_held(s.any, group->nr, free_cntrs, cntr, error);
	i = search_all(&s, state);
	if (i < group->nr)
		return refuse_busy(&s, state, i, error);
	assign_cntrs(s.able, group->nr, free_cntrs, FIXED_CNTRS, schedule->cntr);
	for (i = 0; i < group->nr; i++) {
		schedule->reg[i] = s.reg[i];
		schedule->config[i] = acrpmu_extra_reg_config(caps->model, group->ev[i].config,
							      s.reg[i]);
	}
	return 0;
}

/* ---- what a schedule reserves ---- */

bool acrpmu_schedule_fits(const struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			  const struct acrpmu_schedule *schedule)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++) {
		if (schedule->reg[i] != ACRPMU_EXTRA_REG_NONE &&
		    !acrpmu_extra_reg_is_usable(state, schedule->reg[i], group->ev[i].extra_value))
			return false;
	}
	return true;
}

void acrpmu_schedule_get(struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			 const struct acrpmu_schedule *schedule)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++)
		acrpmu_extra_reg_get(state, schedule->reg[i], group->ev[i].extra_value);
}

void acrpmu_schedule_put(struct acrpmu_extra_state *state, const struct acrpmu_group *group,
			 const struct acrpmu_schedule *schedule)
{
	unsigned int i;

	for (i = 0; i < group->nr; i++)
		acrpmu_extra_reg_put(state, schedule->reg[i]);
}
