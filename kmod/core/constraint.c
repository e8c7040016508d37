// SPDX-License-Identifier: GPL-2.0-only
/* Which counters an event may use, and the exact assignment of a group's events to counters. */
#include "constraint.h"
#include "event.h"
#include "extra_reg.h"
#include "refuse.h"

#define FIXED_CNTRS	(~0ULL << ACRPMU_FIXED_BASE)
#define UNASSIGNED	(-1)

/* A matching under way: augmenting paths in the bipartite graph of events and counters. */
struct match {
	const u64 *allowed_cntrs;
	unsigned int nr;
	s8 *cntr;		/* counter of each event */
	u64 visited_cntrs;	/* counters on the paths tried for one event */
};

u64 acrpmu_constraint_config(const struct acrpmu_caps *caps, u64 config)
{
	return acrpmu_event_fixed_cntrs(caps, config) | acrpmu_event_gp_cntrs(caps, config);
}

u64 acrpmu_constraint_reload(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			     unsigned int event, u64 cntrs)
{
	if (group->reloaded_events & BIT_ULL(event))
		cntrs &= caps->reloadable_cntrs;
	if (group->cause_events & BIT_ULL(event))
		cntrs &= caps->cause_cntrs;
	return cntrs;
}

int acrpmu_constraint_check(const struct acrpmu_group *group, const struct acrpmu_caps *caps,
			    unsigned int event, struct acrpmu_error *error)
{
	u64 able = acrpmu_extra_reg_cntrs(caps, &group->ev[event]);
	u64 usable = able;

	if (!able)
		return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_EVENT_CPU, event, able,
				     caps->cntrs);
	if (group->reloaded_events & BIT_ULL(event))
		usable &= caps->reloadable_cntrs;
	if (!usable)
		return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_NO_RELOADABLE, event, able,
				     caps->reloadable_cntrs);
	if (group->cause_events & BIT_ULL(event) && !(usable & caps->cause_cntrs))
		return acrpmu_refuse(error, -EOPNOTSUPP, ACRPMU_REASON_NO_CAUSE, event, usable,
				     caps->cause_cntrs);
	return 0;
}

/* the event that has a counter in use */
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
 * Find a counter among @cntrs for @event: the lowest that is free, or else one whose event can
 * move.  No event is entered twice on a path, so the recursion is no deeper than the group is long.
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

/* An augmenting path never frees a counter, so what an earlier call has reached stays. */
static void assign(struct match *match, u64 cntrs)
{
	unsigned int i;

	for (i = 0; i < match->nr; i++) {
		match->visited_cntrs = 0;
		if (match->cntr[i] == UNASSIGNED)
			augment(match, i, cntrs);
	}
}

unsigned int acrpmu_constraint_match(const u64 *allowed_cntrs, unsigned int nr, u64 prefer_cntrs,
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
 * The events that compete with @event for too few counters: those that hold a counter which @event,
 * or an event found so already, may use.
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

int acrpmu_constraint_among(const u64 *able, unsigned int nr, u64 free_cntrs, s8 *cntr,
			    struct acrpmu_error *error)
{
	s8 found[ACRPMU_MAX_EVENTS], if_free[ACRPMU_MAX_EVENTS];
	u64 usable[ACRPMU_MAX_EVENTS] = { 0 }, events, cntrs;
	unsigned int i;
	int left;

	for (i = 0; i < nr; i++)
		usable[i] = able[i] & free_cntrs;

	if (acrpmu_constraint_match(usable, nr, FIXED_CNTRS, found) == nr) {
		memcpy(cntr, found, nr * sizeof(*cntr));
		return 0;
	}

	if (acrpmu_constraint_match(able, nr, FIXED_CNTRS, if_free) < nr) {
		left = first_unassigned(if_free, nr);
		events = competitors(able, nr, if_free, left);
		return acrpmu_refuse(error, -ENOSPC, ACRPMU_REASON_NO_ASSIGNMENT, left,
				     union_of(able, events), hweight64(events));
	}

	left = first_unassigned(found, nr);
	cntrs = union_of(able, competitors(usable, nr, found, left)) & ~free_cntrs;
	return acrpmu_refuse(error, -EBUSY, ACRPMU_REASON_HELD, left, cntrs, 0);
}
