// SPDX-License-Identifier: LGPL-2.1-or-later
/* Assigns counters to events: L1D and L2D events first, then those that fit few counters. */
#include "mont_assign.h"

#define ALL_CNTRS    0xfff0u /* PMC4 to PMC15 */
#define L1D_CNTR     5
#define NR_L2D_SETS  2
#define NR_L2D_CNTRS 3

#define CODE_CANCELS0 0xe0
#define CODE_CANCELS1 0xe2

/* Counters that see the selected sets of L2D events, in the order of assignment. */
static const unsigned char l2d_cntrs[NR_L2D_SETS][NR_L2D_CNTRS] = {
	{ 4, 5, 8 },
	{ 6, 7, 9 },
};

/**
 * struct assignment - counters assigned so far
 * @call: the events
 * @cntrs: the counter of each event, 0: none yet
 * @free_cntrs: bit n for PMCn
 * @l1d_last: position of the last L1D event, or -1
 * @nr_l2d_sets: number of sets of L2D events
 * @l2d_sets: these sets, in the order of the list
 */
struct assignment {
	const struct mont_call *call;
	unsigned char *cntrs;
	unsigned int free_cntrs;
	int l1d_last;
	unsigned int nr_l2d_sets;
	int l2d_sets[NR_L2D_SETS];
};

static const char *name_of(const struct assignment *a, unsigned int i)
{
	return mont_call_event(a->call, i)->name;
}

static int check_l1d(struct assignment *a)
{
	unsigned int i;

	a->l1d_last = -1;
	for (i = 0; i < a->call->inp->pfp_event_count; i++) {
		const struct mont_event *event = mont_call_event(a->call, i);

		if (event->group != PFMLIB_MONT_EVT_L1D_CACHE_GRP)
			continue;
		if (a->l1d_last >= 0 && event->set != mont_call_event(a->call, a->l1d_last)->set)
			return mont_refuse(PFMLIB_ERR_EVTSET,
					   "event %s at position %u of the list is of another set of the L1D "
					   "group than event %s at position %u, and only one set counts at a time; "
					   "measure one of them in another run",
					   event->name, i + 1, name_of(a, a->l1d_last),
					   a->l1d_last + 1);
		a->l1d_last = i;
	}
	return PFMLIB_SUCCESS;
}

/* Position of a set among those of the list, or their number if it is a new one. */
static unsigned int l2d_set_index(const struct assignment *a, int set)
{
	unsigned int k;

	for (k = 0; k < a->nr_l2d_sets; k++) {
		if (a->l2d_sets[k] == set)
			break;
	}
	return k;
}

static int check_l2d(struct assignment *a)
{
	unsigned int i, k;

	for (i = 0; i < a->call->inp->pfp_event_count; i++) {
		const struct mont_event *event = mont_call_event(a->call, i);

		if (event->group != PFMLIB_MONT_EVT_L2D_CACHE_GRP)
			continue;
		k = l2d_set_index(a, event->set);
		if (k == NR_L2D_SETS)
			return mont_refuse(PFMLIB_ERR_EVTSET,
					   "event %s at position %u of the list is of a third set of the "
					   "L2D group, of which two count at a time; measure it in "
					   "another run",
					   event->name, i + 1);
		if (k == a->nr_l2d_sets)
			a->l2d_sets[a->nr_l2d_sets++] = event->set;
	}
	return PFMLIB_SUCCESS;
}

static int check_cancels(const struct assignment *a)
{
	unsigned int i, nr = 0;

	for (i = 0; i < a->call->inp->pfp_event_count; i++) {
		const struct mont_event *event = mont_call_event(a->call, i);

		nr += event->code == CODE_CANCELS0 || event->code == CODE_CANCELS1;
		if (nr > 1)
			return mont_refuse(PFMLIB_ERR_INVAL,
					   "event %s at position %u of the list is the second one of the "
					   "L2D_OZQ_CANCELS families, of which there can be one; measure "
					   "it in another run",
					   event->name, i + 1);
	}
	return PFMLIB_SUCCESS;
}

/* Return the position of the event that holds a counter, or -1: the counter is unavailable. */
static int holder_of(const struct assignment *a, unsigned int cntr)
{
	unsigned int i;

	for (i = 0; i < a->call->inp->pfp_event_count; i++) {
		if (a->cntrs[i] == cntr)
			return i;
	}
	return -1;
}

/* Reordering the list would not help: events that fit few counters already come first. */
static int refuse_one(const struct assignment *a, unsigned int i, unsigned int cntr)
{
	const int holder = holder_of(a, cntr);

	if (holder < 0)
		return mont_refuse(PFMLIB_ERR_NOASSIGN,
				   "event %s at position %u of the list needs PMC%u, which "
				   "pfp_unavail_pmcs excludes; allow it, or leave the event out",
				   name_of(a, i), i + 1, cntr);
	return mont_refuse(PFMLIB_ERR_NOASSIGN,
			   "event %s at position %u of the list needs PMC%u, which event %s at position %u holds; "
			   "measure one of them in another run",
			   name_of(a, i), i + 1, cntr, name_of(a, holder), holder + 1);
}

/* All of several consecutive counters are taken. */
static int refuse_all(const struct assignment *a, unsigned int i, unsigned int cntrs)
{
	const unsigned int first = __builtin_ctz(cntrs), last = 31 - __builtin_clz(cntrs);
	unsigned int cntr, held = 0;

	for (cntr = first; cntr <= last; cntr++)
		held += holder_of(a, cntr) >= 0;
	return mont_refuse(PFMLIB_ERR_NOASSIGN,
			   "event %s at position %u of the list needs one of PMC%u to PMC%u, of which "
			   "other events hold %u and pfp_unavail_pmcs excludes %u; measure it or "
			   "one of those events in another run%s",
			   name_of(a, i), i + 1, first, last, held, last - first + 1 - held,
			   held <= last - first ? ", or allow more counters" : "");
}

/* Assign exactly this counter to event i. */
static int take(struct assignment *a, unsigned int i, unsigned int cntr)
{
	if (!(a->free_cntrs >> cntr & 1))
		return refuse_one(a, i, cntr);
	a->free_cntrs &= ~(1u << cntr);
	a->cntrs[i] = cntr;
	return PFMLIB_SUCCESS;
}

static int take_lowest(struct assignment *a, unsigned int i, unsigned int cntrs)
{
	if (cntrs & a->free_cntrs)
		return take(a, i, __builtin_ctz(cntrs & a->free_cntrs));
	if (cntrs & (cntrs - 1))
		return refuse_all(a, i, cntrs);
	return refuse_one(a, i, __builtin_ctz(cntrs));
}

static int assign_l2d(struct assignment *a)
{
	unsigned int used[NR_L2D_SETS] = { 0 };
	unsigned int i, k;
	int ret;

	for (i = 0; i < a->call->inp->pfp_event_count; i++) {
		const struct mont_event *event = mont_call_event(a->call, i);

		if (event->group != PFMLIB_MONT_EVT_L2D_CACHE_GRP)
			continue;
		k = l2d_set_index(a, event->set);
		if (used[k] == NR_L2D_CNTRS)
			continue;
		ret = take(a, i, l2d_cntrs[k][used[k]++]);
		if (ret)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

/* Assign counters to remaining events: those restricted to some counters, or the others. */
static int assign_others(struct assignment *a, bool restricted)
{
	unsigned int i;
	int ret;

	for (i = 0; i < a->call->inp->pfp_event_count; i++) {
		const unsigned int cntrs = mont_call_event(a->call, i)->counters;
		const bool few = cntrs != ALL_CNTRS;

		if (a->cntrs[i] || few != restricted)
			continue;
		ret = take_lowest(a, i, cntrs);
		if (ret)
			return ret;
	}
	return PFMLIB_SUCCESS;
}

/**
 * mont_assign_counters() - assign a counter to each event
 * @call: the events and the unavailable counters
 * @cntrs: out, the PMC of each event, PMU_MONT_NUM_COUNTERS entries
 *
 * Greedy: no event is moved to another counter later.
 *
 * Return: PFMLIB_SUCCESS, or
 * PFMLIB_ERR_EVTSET: two sets of L1D events, or three of L2D events,
 * PFMLIB_ERR_INVAL: two L2D_OZQ_CANCELS events,
 * PFMLIB_ERR_NOASSIGN: a counter that an event needs is not free.
 */
int mont_assign_counters(const struct mont_call *call, unsigned char *cntrs)
{
	struct assignment a = { .call = call, .cntrs = cntrs };
	unsigned int i;
	int ret;

	for (i = 0; i < PMU_MONT_NUM_COUNTERS; i++) {
		cntrs[i] = 0;
		if (!mont_call_unavailable(call, PMU_MONT_FIRST_COUNTER + i))
			a.free_cntrs |= 1u << (PMU_MONT_FIRST_COUNTER + i);
	}
	ret = check_l1d(&a);
	if (!ret)
		ret = check_l2d(&a);
	if (!ret)
		ret = check_cancels(&a);
	if (!ret && a.l1d_last >= 0)
		ret = take(&a, a.l1d_last, L1D_CNTR);
	if (!ret)
		ret = assign_l2d(&a);
	if (!ret)
		ret = assign_others(&a, true);
	if (!ret)
		ret = assign_others(&a, false);
	return ret;
}
