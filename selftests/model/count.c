// SPDX-License-Identifier: GPL-2.0-only
/* Advances the counters: cycle tests, overflow, auto counter reload and freeze on PMI. */
#include <string.h>

#include "count.h"

#define for_each_cntr(i, mask) \
	for (uint64_t i##_left = (mask), i; \
	     i##_left && ((i = __builtin_ctzll(i##_left)), true); i##_left &= i##_left - 1)

static uint64_t cntr_end(const struct pmu *pmu)
{
	return BIT_ULL(pmu->profile->width);
}

/* Occurrences until counter @i overflows */
static uint64_t cntr_room(const struct pmu *pmu, unsigned int i)
{
	return cntr_end(pmu) - pmu->cntr[i].value;
}

static uint64_t reload_value(const struct pmu *pmu, unsigned int i)
{
	return (~PMC_CFG_C_RELOAD | pmu->cfg_c[i]) & MASK_ULL(pmu->profile->width);
}

/* Counters that an overflow of @cause reloads */
static uint64_t reload_targets(const struct pmu *pmu, unsigned int cause)
{
	uint64_t targets = 0;

	if (!(pmu->profile->acr_cause_cntrs >> cause & 1))
		return 0;
	for_each_cntr(i, pmu->profile->acr_reload_cntrs)
		if (pmu->cfg_b[i] >> cause & 1)
			targets |= BIT_ULL(i);
	return targets;
}

/* SDM vol. 3, "Freezing LBR and Performance Counters on PMI" */
static void freeze(struct pmu *pmu)
{
	if (!(pmu->debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI))
		return;
	if (pmu->profile->version >= 4)
		pmu->global_status |= GLOBAL_STATUS_CTR_FRZ;
	else
		pmu->global_ctrl = 0;
	pmu_refresh(pmu);
}

/* Overflow of the counters in @set, which reach their end together */
static bool overflow(struct pmu *pmu, uint64_t set, const struct count_sink *sink)
{
	uint64_t targets[PMU_NR_CNTRS], all = 0, status = 0;
	bool pmi = false;

	for_each_cntr(i, set) {
		targets[i] = reload_targets(pmu, i);
		all |= targets[i];
		pmu->cntr[i].value = 0;
		if (targets[i] >> i & 1 || pmu->cfg_c[i] & PMC_CFG_C_PEBS_EN)
			continue;
		status |= BIT_ULL(i);
		pmi |= pmu->cntr[i].pmi;
	}
	for_each_cntr(i, all)
		pmu->cntr[i].value = reload_value(pmu, i);
	pmu->global_status |= status;
	if (pmi)
		freeze(pmu);
	for_each_cntr(i, set) {
		struct count_overflow o = {
			.cntr = i,
			.self_reload = targets[i] >> i & 1,
			.pmi = status >> i & 1 && pmu->cntr[i].pmi,
			.reloaded = targets[i],
			.status = pmu->global_status,
		};

		sink->overflow(sink->ctx, &o);
	}
	return pmi;
}

/* Whether counter @a reaches its end before counter @b, both advancing evenly by @inc */
static bool earlier(const struct pmu *pmu, const uint64_t *inc, unsigned int a, unsigned int b)
{
	return (__uint128_t)cntr_room(pmu, a) * inc[b] <
	       (__uint128_t)cntr_room(pmu, b) * inc[a];
}

/*
 * Advance the counters in @mask by @inc, evenly and in parallel, stopping at each point at which
 * some of them reach their end.
 */
static bool advance(struct pmu *pmu, uint64_t mask, uint64_t *inc, const struct count_sink *sink)
{
	bool pmi = false;

	while ((mask &= pmu->enabled)) {
		uint64_t over = 0, room, span;
		int first = -1;

		for_each_cntr(i, mask)
			if (inc[i] >= cntr_room(pmu, i) &&
			    (first < 0 || earlier(pmu, inc, i, first)))
				first = i;
		if (first < 0)
			break;
		room = cntr_room(pmu, first);
		span = inc[first];
		for_each_cntr(i, mask) {
			uint64_t step = (__uint128_t)inc[i] * room / span;

			if (inc[i] >= cntr_room(pmu, i) && !earlier(pmu, inc, first, i))
				over |= BIT_ULL(i);
			pmu->cntr[i].value += step;
			inc[i] -= step;
		}
		pmi |= overflow(pmu, over, sink);
	}
	for_each_cntr(i, mask)
		pmu->cntr[i].value += inc[i];
	return pmi;
}

static uint64_t sum(uint32_t kinds, const uint64_t *n)
{
	uint64_t total = 0;

	for_each_cntr(k, kinds)
		total += n[k];
	return total;
}

static bool test(uint64_t evtsel, uint32_t events)
{
	uint32_t cmask = (evtsel & EVTSEL_CMASK) >> EVTSEL_CMASK_SHIFT;
	bool hit;

	/* EDGE alone: the event's own rising edge */
	if (!cmask && !(evtsel & EVTSEL_EQ))
		return events;
	hit = evtsel & EVTSEL_EQ ? events == cmask : events >= cmask;
	return hit != !!(evtsel & EVTSEL_INV);
}

/* How often the counter counts in @cycles cycles, each with @events occurrences */
static uint64_t filter_cycles(struct cycle_filter *f, uint64_t evtsel, uint64_t cycles,
			      uint32_t events)
{
	bool hit = test(evtsel, events), rise = hit && !f->last;

	if (!cycles)
		return 0;
	f->last = hit;
	if (evtsel & EVTSEL_EDGE)
		return rise;
	return hit ? cycles : 0;
}

/* How often a counter with a cycle test counts during an instruction */
static uint64_t filter_insn(struct cntr *c, uint64_t evtsel, const struct count_insn *insn,
			    uint64_t retired)
{
	struct cycle_filter *f = &c->filter;
	uint64_t cycles = insn->end / CYC_UNITS - insn->start / CYC_UNITS;
	uint64_t refs = ref_cycles(insn->end) - ref_cycles(insn->start);
	/* An instruction that retires on a boundary belongs to the cycle that ends there */
	bool on_boundary = cycles && insn->end % CYC_UNITS == 0;
	uint64_t before = cycles - on_boundary, count = 0;

	/* Each cycle has one occurrence of itself, and all slots of the pipeline */
	if (c->kinds & KIND(EV_SLOT))
		return filter_cycles(f, evtsel, cycles, CYC_UNITS);
	if (c->kinds & KINDS_TIME)
		return filter_cycles(f, evtsel, c->kinds & KIND(EV_CYC) ? cycles : refs, 1);
	/* Requests come last, in sequence, each for whole cycles */
	if (c->kinds & KINDS_WAIT) {
		count = filter_cycles(f, evtsel, cycles - retired, 0);
		return count + filter_cycles(f, evtsel, retired, 1);
	}
	if (before) {
		count += filter_cycles(f, evtsel, 1, f->events);
		count += filter_cycles(f, evtsel, before - 1, 0);
		f->events = 0;
	}
	f->events += retired;
	if (on_boundary) {
		count += filter_cycles(f, evtsel, 1, f->events);
		f->events = 0;
	}
	return count;
}

/* Clock of a counter of time: its count at @units if it never stopped */
static uint64_t clock_at(const struct cntr *c, uint64_t units)
{
	if (c->kinds & KIND(EV_SLOT))
		return units;
	return c->kinds & KIND(EV_CYC) ? units / CYC_UNITS : ref_cycles(units);
}

/* Time at which the clock of a counter of time reaches @count */
static uint64_t clock_time(const struct cntr *c, uint64_t count)
{
	if (c->kinds & KIND(EV_SLOT))
		return count;
	if (c->kinds & KIND(EV_CYC))
		return count * CYC_UNITS;
	return (count * REF_CYCLES_DEN * CYC_UNITS + REF_CYCLES_NUM - 1) / REF_CYCLES_NUM;
}

/* Let the counters of time in @mask run from @now to @end */
static bool pass_time(struct pmu *pmu, uint64_t mask, uint64_t now, uint64_t end,
		      const struct count_sink *sink)
{
	bool pmi = false;

	while ((mask &= pmu->enabled)) {
		uint64_t over = 0, first = end + 1;

		for_each_cntr(i, mask) {
			const struct cntr *c = &pmu->cntr[i];
			uint64_t at = clock_time(c, clock_at(c, now) + cntr_room(pmu, i));

			if (at < first)
				over = 0;
			if (at <= first && at <= end) {
				over |= BIT_ULL(i);
				first = at;
			}
		}
		if (!over)
			break;
		for_each_cntr(i, mask)
			pmu->cntr[i].value += clock_at(&pmu->cntr[i], first) -
					      clock_at(&pmu->cntr[i], now);
		now = first;
		pmi |= overflow(pmu, over, sink);
	}
	for_each_cntr(i, mask)
		pmu->cntr[i].value += clock_at(&pmu->cntr[i], end) -
				      clock_at(&pmu->cntr[i], now);
	return pmi;
}

bool count_insn(struct pmu *pmu, const struct count_insn *insn, const struct count_sink *sink)
{
	uint64_t retired[PMU_NR_CNTRS], n[NR_EVENT_KINDS], time = 0, rest = 0;
	bool pmi;
	int k;

	for (k = 0; k < NR_EVENT_KINDS; k++)
		n[k] = insn->n[k];
	for_each_cntr(i, pmu->enabled) {
		struct cntr *c = &pmu->cntr[i];

		if (!(c->levels >> insn->level & 1) || !c->kinds)
			continue;
		if (!c->filter.on && c->kinds & KINDS_TIME) {
			time |= BIT_ULL(i);
			continue;
		}
		retired[i] = sum(c->kinds & ~KINDS_TIME, n);
		if (c->filter.on)
			retired[i] = filter_insn(c, pmu->evtsel[i], insn, retired[i]);
		if (retired[i])
			rest |= BIT_ULL(i);
	}
	pmi = pass_time(pmu, time, insn->start, insn->end, sink);
	return advance(pmu, rest, retired, sink) || pmi;
}

bool count_bulk(struct pmu *pmu, const uint64_t n[NR_LEVELS][NR_EVENT_KINDS],
		const struct count_sink *sink)
{
	uint64_t inc[PMU_NR_CNTRS], mask = 0;

	for_each_cntr(i, pmu->enabled) {
		const struct cntr *c = &pmu->cntr[i];

		if (c->filter.on)
			continue;
		inc[i] = 0;
		for_each_cntr(level, c->levels)
			inc[i] += sum(c->kinds, n[level]);
		if (inc[i])
			mask |= BIT_ULL(i);
	}
	return advance(pmu, mask, inc, sink);
}

uint64_t count_headroom(const struct pmu *pmu)
{
	uint64_t room = UINT64_MAX, own;

	for_each_cntr(i, pmu->enabled) {
		if (!pmu->cntr[i].kinds)
			continue;
		if (pmu->cntr[i].filter.on)
			return 0;
		own = cntr_room(pmu, i);
		if (pmu->cntr[i].kinds & KIND(EV_SLOT))
			own /= CYC_UNITS;
		if (own < room)
			room = own;
	}
	return room;
}
