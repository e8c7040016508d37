// SPDX-License-Identifier: GPL-2.0-only
/* Charges blocks, refunds what did not run, and shows the rest to the PMU. */
#include <stdlib.h>
#include <string.h>

#include "core.h"

#define FIRST_MAX_LATE	64

uint64_t core_charge(const struct block *b)
{
	return block_units(b, b->nr) | (uint64_t)b->nr << PACK_INSN_SHIFT |
	       (uint64_t)block_branches(b, b->nr) << PACK_BRANCH_SHIFT;
}

static void unpack(uint64_t packed, struct core_sums *s)
{
	s->units += packed & MASK_ULL(PACK_UNITS_BITS);
	s->insn += packed >> PACK_INSN_SHIFT & MASK_ULL(PACK_INSN_BITS);
	s->branches += packed >> PACK_BRANCH_SHIFT;
}

static void drain(struct core_hot *hot)
{
	int level;

	for (level = 0; level < NR_LEVELS; level++) {
		unpack(hot->packed[level], &hot->sums[level]);
		hot->packed[level] = 0;
	}
}

/* Refund the charge for all but the first @nr instructions */
static void uncharge(struct core *core, const struct block *b, uint32_t nr)
{
	struct core_sums *s = &core->hot->sums[b->level];

	drain(core->hot);
	s->insn -= b->nr - nr;
	s->units -= block_units(b, b->nr) - block_units(b, nr);
	s->branches -= block_branches(b, b->nr) - block_branches(b, nr);
}

static uint64_t total(const struct core_sums *s, enum event_kind kind)
{
	switch (kind) {
	case EV_INSN:
		return s->insn;
	case EV_CYC:
		return s->units / CYC_UNITS;
	case EV_REF:
		return ref_cycles(s->units);
	case EV_SLOT:
		return s->units;
	case EV_BR:
		return s->branches;
	default:
		return s->late[kind - CORE_FIRST_LATE];
	}
}

uint64_t core_total(const struct core_hot *hot, enum event_level level, enum event_kind kind)
{
	struct core_sums s = hot->sums[level];

	unpack(hot->packed[level], &s);
	return total(&s, kind);
}

uint64_t core_insns(const struct core_hot *hot)
{
	return core_total(hot, LEVEL_USER, EV_INSN) + core_total(hot, LEVEL_KERNEL, EV_INSN);
}

/* Show the PMU the difference between core->seen and @now in one step */
static bool show_bulk(struct core *core, const struct core_sums *now,
		      const struct count_sink *sink)
{
	uint64_t n[NR_LEVELS][NR_EVENT_KINDS];
	int level, kind;

	for (level = 0; level < NR_LEVELS; level++)
		for (kind = 0; kind < NR_EVENT_KINDS; kind++)
			n[level][kind] = total(&now[level], kind) -
					 total(&core->seen[level], kind);
	memcpy(core->seen, now, sizeof(core->seen));
	return count_bulk(core->pmu, (const uint64_t (*)[NR_EVENT_KINDS])n, sink);
}

/* Cycles that a request was outstanding, for its kind of waiting; 0 if it is no request */
static uint32_t waited(const struct core_late *late)
{
	return KINDS_REQUEST >> late->kind & 1 ? late->units / CYC_UNITS : 0;
}

static enum event_kind wait_kind(const struct core_late *late)
{
	return late->kind - EV_FIRST_REQUEST + EV_FIRST_WAIT;
}

static void add_late(struct core_sums *s, const struct core_late *late)
{
	s->late[late->kind - CORE_FIRST_LATE]++;
	if (waited(late))
		s->late[wait_kind(late) - CORE_FIRST_LATE] += waited(late);
}

/* Add what was found at instructions up to @i of the watched block; return what is left */
static const struct core_late *take_late(struct core *core, const struct core_late *late,
					 uint32_t i, struct count_insn *insn)
{
	struct core_sums *seen = &core->seen[insn->level];

	for (; late < core->late + core->nr_late && late->insn <= i; late++) {
		insn->end += late->units;
		insn->n[late->kind]++;
		if (waited(late))
			insn->n[wait_kind(late)] += waited(late);
		add_late(seen, late);
	}
	return late;
}

/* Show the PMU the watched block, instruction by instruction */
static bool show_watched(struct core *core, const struct count_sink *sink)
{
	const struct block *b = core->watched;
	struct core_sums *seen = &core->seen[b->level];
	const struct core_late *late = core->late;
	bool pmi = false;
	uint32_t i;

	for (i = 0; i < core->watched_nr; i++) {
		struct count_insn insn = { .level = b->level, .start = seen->units };

		insn.end = insn.start + block_units(b, i + 1) - block_units(b, i);
		insn.n[EV_INSN] = 1;
		insn.n[EV_BR] = block_branches(b, i + 1) - block_branches(b, i);
		late = take_late(core, late, i, &insn);
		seen->units = insn.end;
		seen->insn++;
		seen->branches += insn.n[EV_BR];
		pmi |= count_insn(core->pmu, &insn, sink);
	}
	/* A faulting instruction may already have made one of its accesses */
	if (late < core->late + core->nr_late) {
		struct count_insn fault = {
			.level = b->level, .start = seen->units, .end = seen->units,
		};

		take_late(core, late, b->nr, &fault);
		seen->units = fault.end;
		pmi |= count_insn(core->pmu, &fault, sink);
	}
	core->watched = NULL;
	core->nr_late = 0;
	return pmi;
}

/*
 * Show the PMU everything before @b, which has been charged whole; @b may be NULL.  From here on
 * the values count that the core's other threads have written since.
 */
static bool show_before(struct core *core, const struct block *b, const struct count_sink *sink)
{
	struct core_sums now[NR_LEVELS];
	bool pmi = false;

	drain(core->hot);
	if (core->watched)
		pmi = show_watched(core, sink);
	memcpy(now, core->hot->sums, sizeof(now));
	if (b) {
		now[b->level].insn -= b->nr;
		now[b->level].units -= block_units(b, b->nr);
		now[b->level].branches -= block_branches(b, b->nr);
	}
	pmi |= show_bulk(core, now, sink);
	pmu_catch_up(core->pmu);
	return pmi;
}

static void watch(struct core *core, const struct block *b)
{
	core->watched = b;
	core->watched_nr = b->nr;
	core->nr_late = 0;
	core_look_at_next(core);
}

bool core_enter(struct core *core, const struct block *b, const struct count_sink *sink)
{
	return show_before(core, b, sink);
}

static uint64_t room_for(const struct core *core)
{
	uint64_t room = count_headroom(core->pmu);

	return room < CORE_DRAIN ? room : CORE_DRAIN;
}

void core_run(struct core *core, const struct block *b, bool each)
{
	uint64_t room = room_for(core), weight = b->weight;

	if (room <= weight)
		watch(core, b);
	else if (each)
		core_look_at_next(core);
	else
		core->hot->budget = CORE_BUDGET_END - room + weight;
}

static void ignore(void *ctx, const struct count_overflow *o)
{
	(void)ctx;
	(void)o;
}

bool core_will_interrupt(const struct core *core)
{
	const struct count_sink sink = { .overflow = ignore };
	struct core copy = *core;
	struct pmu pmu;

	if (!core->watched || !core->watched->plain)
		return false;
	pmu = *core->pmu;
	copy.pmu = &pmu;
	return show_watched(&copy, &sink);
}

void core_leave(struct core *core, const struct block *b)
{
	uncharge(core, b, 0);
	core->hot->block = 0;
	core_resume(core);
}

bool core_stop(struct core *core, const struct block *b, uint32_t insn,
	       const struct count_sink *sink)
{
	uncharge(core, b, insn + 1);
	if (core->watched == b)
		core->watched_nr = insn + 1;
	core->hot->block = 0;
	return show_before(core, NULL, sink);
}

void core_resume(struct core *core)
{
	core->hot->budget = CORE_BUDGET_END - room_for(core);
}

void core_fault(struct core *core, const struct block *b, uint32_t insn)
{
	uncharge(core, b, insn);
	if (core->watched == b)
		core->watched_nr = insn;
	core->hot->block = 0;
}

static void keep_late(struct core *core, const struct core_late *late)
{
	if (core->nr_late == core->max_late) {
		core->max_late = core->max_late ? 2 * core->max_late : FIRST_MAX_LATE;
		core->late = realloc(core->late, core->max_late * sizeof(*core->late));
		if (!core->late)
			abort();
	}
	core->late[core->nr_late++] = *late;
}

void core_late_event(struct core *core, const struct block *b, uint32_t insn,
		     enum event_kind kind, uint32_t units, bool charged,
		     const struct count_sink *sink)
{
	const struct core_late late = { insn, kind, units };
	struct core_hot *hot = core->hot;
	uint32_t weight = units / CYC_UNITS + 1;

	if (!charged && !core->watched) {
		hot->budget += weight;
		if (hot->budget >= CORE_BUDGET_END) {
			show_before(core, b, sink);
			watch(core, b);
		}
	}
	add_late(&hot->sums[b->level], &late);
	hot->sums[b->level].units += units;
	if (core->watched == b)
		keep_late(core, &late);
}

void core_look_at_next(struct core *core)
{
	core->hot->budget = CORE_BUDGET_END;
}

void core_notify(struct core *core)
{
	__atomic_store_n(&core->hot->notified, 1, __ATOMIC_RELEASE);
}

void core_notified(struct core *core)
{
	/* first, so that a new notification is not lost */
	__atomic_store_n(&core->hot->notified, 0, __ATOMIC_SEQ_CST);
	core_look_at_next(core);
}

void core_restart(struct core *core)
{
	drain(core->hot);
	memcpy(core->seen, core->hot->sums, sizeof(core->seen));
	core->watched = NULL;
	core->nr_late = 0;
	core_look_at_next(core);
}

void core_forget(struct core *core, unsigned int generation)
{
	const struct block *entered = (const struct block *)(uintptr_t)core->hot->block;

	if (core->watched && core->watched->generation == generation) {
		core->watched = NULL;
		core->nr_late = 0;
	}
	if (entered && entered->generation == generation)
		core->hot->block = 0;
}

void core_peek(const struct core *core, struct pmu *pmu)
{
	const struct count_sink sink = { .overflow = ignore };
	struct core_hot hot = *core->hot;
	struct core copy = *core;

	*pmu = *core->pmu;
	copy.pmu = pmu;
	copy.hot = &hot;
	show_before(&copy, NULL, &sink);
}
