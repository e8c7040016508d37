// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the execution accounting: block by block against instruction by instruction. */
#include <stdlib.h>

#include "cache.h"
#include "core.h"
#include "cost.h"
#include "tap.h"

#define NR_BLOCKS	8
#define ROUNDS		400
#define STEPS		300
#define USER_BASE	0x401000ULL
#define KERNEL_BASE	0xffffffff81000000ULL

/* Instructions of 64-bit mode with the cost that cost.c gives them, in eighths of a cycle */
static const struct {
	uint8_t bytes[3];
	uint8_t size;
	uint32_t units;
	bool branch;
} insns[] = {
	{ { 0x48, 0x89, 0xc3 }, 3, 2, false },	/* mov %rax, %rbx */
	{ { 0x48, 0x8b, 0x03 }, 3, 4, false },	/* mov (%rbx), %rax */
	{ { 0x48, 0xf7, 0xf1 }, 3, 160, false },	/* div %rcx */
	{ { 0x75, 0xf0 }, 2, 4, true },		/* jnz */
	{ { 0xc3 }, 1, 8, true },		/* ret */
	{ { 0x90 }, 1, 1, false },		/* nop */
};

#define NR_INSNS	(sizeof(insns) / sizeof(insns[0]))

struct code {
	struct block *b;
	int insn[32];
};

/* What the counters see if each instruction is shown when it runs */
struct naive {
	struct pmu pmu;
	uint64_t units[NR_LEVELS];
	uint64_t overflows[PMU_NR_CNTRS];
	uint64_t order;
};

static struct pmu_shared shared;

static uint64_t mix(uint64_t order, const struct count_overflow *o)
{
	return order * 31 + o->cntr * 7 + o->reloaded + 1;
}

static void naive_overflow(void *ctx, const struct count_overflow *o)
{
	struct naive *v = ctx;

	v->overflows[o->cntr]++;
	v->order = mix(v->order, o);
}

struct machine {
	struct pmu pmu;
	struct core_hot hot;
	struct core core;
	/* of the running block: whether an interrupt is due, and whether that was checked */
	bool foreseen, foresight;
	int unforeseen, wrong_foresight;
	uint64_t overflows[PMU_NR_CNTRS];
	uint64_t order;
};

static void machine_overflow(void *ctx, const struct count_overflow *o)
{
	struct machine *m = ctx;

	m->overflows[o->cntr]++;
	m->order = mix(m->order, o);
}

/* Occurrences found while an instruction runs */
struct extra {
	uint32_t units;
	uint32_t n[NR_EVENT_KINDS];
};

static const struct {
	enum event_kind request, wait;
} requests[] = {
	{ EV_RD_HIT, EV_RD_HIT_CYC }, { EV_RD_MISS, EV_RD_MISS_CYC },
	{ EV_WR_HIT, EV_WR_HIT_CYC }, { EV_WR_MISS, EV_WR_MISS_CYC },
	{ EV_CODE_HIT, EV_CODE_HIT_CYC }, { EV_CODE_MISS, EV_CODE_MISS_CYC },
};

static void add_request(struct extra *x, unsigned int which, uint32_t cycles)
{
	x->units += cycles * 8;
	x->n[requests[which].request]++;
	x->n[requests[which].wait] += cycles;
}

static void naive_run(struct naive *v, const struct code *c, int i, const struct extra *x)
{
	const struct count_sink sink = { naive_overflow, v };
	enum event_level level = c->b->level;
	struct count_insn n = { .level = level, .start = v->units[level] };

	memcpy(n.n, x->n, sizeof(n.n));
	n.end = n.start + insns[c->insn[i]].units + x->units;
	n.n[EV_INSN] = 1;
	n.n[EV_BR] = insns[c->insn[i]].branch;
	v->units[level] = n.end;
	count_insn(&v->pmu, &n, &sink);
}

/* An instruction that faults has not retired, but one of its accesses may have been made */
static void naive_fault(struct naive *v, const struct code *c, const struct extra *x)
{
	const struct count_sink sink = { naive_overflow, v };
	enum event_level level = c->b->level;
	struct count_insn n = { .level = level, .start = v->units[level] };

	memcpy(n.n, x->n, sizeof(n.n));
	n.end = n.start + x->units;
	v->units[level] = n.end;
	count_insn(&v->pmu, &n, &sink);
}

static struct code make_block(int n)
{
	struct code c;
	/* every fourth block does not access memory */
	bool plain = n % 4 == 0;
	int i, len = 1 + rand() % 30;

	c.b = block_new((n & 1 ? KERNEL_BASE : USER_BASE) + n * 0x1000, len);
	for (i = 0; i < len; i++) {
		do
			c.insn[i] = rand() % NR_INSNS;
		while (plain && !cost_of(insns[c.insn[i]].bytes, insns[c.insn[i]].size).plain);
		block_add(c.b, insns[c.insn[i]].bytes, insns[c.insn[i]].size);
	}
	block_finish(c.b, 0);
	return c;
}

static void program(struct pmu *pmu, unsigned int seed)
{
	static const uint64_t events[] = {
		0xc0, 0x3c, 0x13c, 0xc4, 0x4f2e, 0x1b7, 0x2b7, 0x1a4,
	};
	int i;

	srand(seed);
	/* requests of some kinds outstanding, and any response to some */
	pmu_wrmsr(pmu, MSR_OFFCORE_RSP_0, 1ULL << 63 | rand() % 8);
	pmu_wrmsr(pmu, MSR_OFFCORE_RSP_1, 1ULL << 16 | rand() % 8);
	for (i = 0; i < 4; i++) {
		uint32_t msr = MSR_IA32_PMC_V6_GP0 + i * PMC_V6_STRIDE;
		uint64_t period = 20 + rand() % 5000, test = 0;

		/* in every fourth run the last two test cycles, with and without occurrences */
		if (seed % 4 == 0 && i >= 2)
			test = 1ULL << EVTSEL_CMASK_SHIFT | (i == 3 ? EVTSEL_INV : 0);
		pmu_wrmsr(pmu, msr, (BIT_ULL(48) - period) & MASK_ULL(48));
		pmu_wrmsr(pmu, msr + PMC_V6_CFG_B, rand() % 16);
		pmu_wrmsr(pmu, msr + PMC_V6_CFG_C, -period & PMC_CFG_C_RELOAD);
		pmu_wrmsr(pmu, msr + PMC_V6_CFG_A, events[rand() % 8] | EVTSEL_EN |
			  (rand() % 2 ? EVTSEL_INT : 0) | (rand() % 3 + 1) << 16 | test);
	}
}

/* A request by instruction @i, in the model and in the naive one; none if @which is negative */
static void step_request(struct machine *m, const struct code *c, int i, int which, struct extra *x)
{
	const struct count_sink sink = { machine_overflow, m };
	uint32_t cycles = which % 2 ? CACHE_MEMORY_UNITS / 8 : CACHE_LLC_UNITS / 8;

	if (which < 0)
		return;
	core_late_event(&m->core, c->b, i, requests[which].request, cycles * 8, false, &sink);
	add_request(x, which, cycles);
}

/* Run a block the way generated code does, with a fault or a stop in the middle at times */
static void step(struct machine *m, struct naive *v, const struct code *c)
{
	const struct count_sink sink = { machine_overflow, m };
	struct extra x = { 0 };
	int until = c->b->nr, stop = -1, i;
	/* code that is fetched when the block is entered, even that of a plain one */
	int fetch = rand() % 24 ? -1 : 4 + rand() % 2;
	bool foreseen = m->foreseen, foresight = m->foresight;

	m->foresight = false;
	m->foreseen = false;
	m->hot.packed[c->b->level] += core_charge(c->b);
	m->hot.block = (uintptr_t)c->b;
	m->hot.budget += c->b->weight;
	if (m->hot.budget >= CORE_BUDGET_END) {
		bool pmi = core_enter(&m->core, c->b, &sink);

		m->wrong_foresight += foreseen && !pmi;
		m->unforeseen += foresight && !foreseen && pmi;
		if (rand() % 16 == 0) {
			core_leave(&m->core, c->b);
			return;
		}
		core_run(&m->core, c->b, rand() % 16 == 0);
		step_request(m, c, 0, fetch, &x);
		fetch = -1;
		m->foresight = c->b->plain;
		m->foreseen = core_will_interrupt(&m->core);
	}
	step_request(m, c, 0, fetch, &x);
	/* nothing can stop a plain block */
	if (!c->b->plain && rand() % 8 == 0)
		until = rand() % c->b->nr;
	else if (!c->b->plain && rand() % 8 == 0)
		stop = rand() % c->b->nr;
	for (i = 0; i < until; i++) {
		if (!c->b->plain && rand() % 24 == 0)
			step_request(m, c, i, rand() % 4, &x);
		naive_run(v, c, i, &x);
		memset(&x, 0, sizeof(x));
		if (i == stop) {
			core_stop(&m->core, c->b, i, &sink);
			core_resume(&m->core);
			return;
		}
	}
	if (until == (int)c->b->nr)
		return;
	if (rand() % 2)
		step_request(m, c, until, 3, &x);
	if (x.units)
		naive_fault(v, c, &x);
	core_fault(&m->core, c->b, until);
}

static bool same(const struct machine *m, const struct naive *v)
{
	struct pmu now;
	int i;

	core_peek(&m->core, &now);
	for (i = 0; i < PMU_NR_CNTRS; i++)
		if (now.cntr[i].value != v->pmu.cntr[i].value)
			return false;
	return now.global_status == v->pmu.global_status;
}

/* What the last block did is shown when the next one is entered */
static void show_all(struct machine *m, const struct code *c)
{
	const struct count_sink sink = { machine_overflow, m };

	m->hot.packed[c->b->level] += core_charge(c->b);
	core_enter(&m->core, c->b, &sink);
	core_leave(&m->core, c->b);
}

static void blocks_match_instructions(void)
{
	int wrong = 0, wrong_order = 0, wrong_foresight = 0, overflowed = 0, round, i;

	for (round = 0; round < ROUNDS; round++) {
		const struct profile *profile;
		struct code code[NR_BLOCKS];
		static struct machine m;
		static struct naive v;

		memset(&m, 0, sizeof(m));
		memset(&v, 0, sizeof(v));
		m.core.pmu = &m.pmu;
		m.core.hot = &m.hot;
		/* a core with offcore registers, or one that counts slots */
		profile = profile_find(round % 3 ? "clearwaterforest" : "novalake");
		pmu_reset(&m.pmu, profile, &shared);
		pmu_reset(&v.pmu, profile, &shared);
		program(&m.pmu, round);
		program(&v.pmu, round);
		core_restart(&m.core);
		for (i = 0; i < NR_BLOCKS; i++)
			code[i] = make_block(i);
		for (i = 0; i < STEPS; i++)
			step(&m, &v, &code[rand() % NR_BLOCKS]);
		wrong += !same(&m, &v);
		show_all(&m, &code[0]);
		for (i = 0; i < NR_BLOCKS; i++)
			free(code[i].b);
		free(m.core.late);
		wrong_order += m.order != v.order ||
			       memcmp(m.overflows, v.overflows, sizeof(m.overflows));
		wrong_foresight += m.wrong_foresight + m.unforeseen;
		for (i = 0; i < 4; i++)
			overflowed += !!v.overflows[i];
	}
	is_u64(wrong, 0, "%d random runs end with the same counters and status", ROUNDS);
	is_u64(wrong_order, 0, "overflows happen in the same order with the same reloads");
	is_u64(wrong_foresight, 0, "blocks on registers alone: each interrupt is foreseen");
	ok(overflowed > ROUNDS, "many counters overflowed (%d)", overflowed);
}

static void totals_are_exact(void)
{
	static struct machine m;
	static struct naive v;
	uint64_t want = 0, branches = 0;
	struct code c = make_block(1);
	unsigned int i, j;

	m.core.pmu = &m.pmu;
	m.core.hot = &m.hot;
	pmu_reset(&m.pmu, profile_find("clearwaterforest"), &shared);
	pmu_reset(&v.pmu, profile_find("clearwaterforest"), &shared);
	core_restart(&m.core);
	for (i = 0; i < 100000; i++) {
		const struct count_sink sink = { machine_overflow, &m };

		m.hot.packed[c.b->level] += core_charge(c.b);
		m.hot.budget += c.b->weight;
		if (m.hot.budget >= CORE_BUDGET_END) {
			core_enter(&m.core, c.b, &sink);
			core_run(&m.core, c.b, false);
		}
		want += c.b->nr;
		for (j = 0; j < c.b->nr; j++)
			branches += insns[c.insn[j]].branch;
	}
	is_u64(core_total(&m.hot, LEVEL_KERNEL, EV_INSN), want, "instructions of 100000 blocks");
	is_u64(core_total(&m.hot, LEVEL_KERNEL, EV_BR), branches, "their branches");
	is_u64(core_total(&m.hot, LEVEL_USER, EV_INSN), 0, "none at user level");
	free(c.b);
	free(m.core.late);
}

static void block_finds_its_instructions(void)
{
	struct block *b = block_new(KERNEL_BASE, 3);

	block_add(b, insns[0].bytes, 3);
	block_add(b, insns[4].bytes, 1);
	block_add(b, insns[3].bytes, 2);
	block_finish(b, 80);
	is_u64(b->level, LEVEL_KERNEL, "the upper half of the address space is the kernel's");
	is_u64(b->end, KERNEL_BASE + 6, "it ends after six bytes");
	is_u64(block_index(b, KERNEL_BASE), 0, "first instruction");
	is_u64(block_index(b, KERNEL_BASE + 3), 1, "second instruction");
	is_u64(block_index(b, KERNEL_BASE + 4), 2, "third instruction");
	ok(block_index(b, KERNEL_BASE + 5) < 0, "no instruction starts inside the third");
	ok(block_index(b, KERNEL_BASE + 6) < 0, "nor after the end");
	ok(block_index(b, KERNEL_BASE - 1) < 0, "nor before the start");
	ok(b->conditional, "it ends in a conditional branch");
	is_u64(b->weight, 12, "2 + 8 + 4 + 80 eighths are less than 12 cycles");
	free(b);
}

static void block_lies_in_lines(void)
{
	struct block *b = block_new(0x401ff0, 8);
	int i;

	for (i = 0; i < 5; i++)
		block_add(b, insns[0].bytes, 3);
	block_place(b, 0x12345ff0, 0);
	ok(b->lines[0].first == 0x12345ff0 >> 6 && b->lines[0].nr == 1 && !b->lines[1].nr,
	   "15 bytes in one line");
	is_u64(block_second_page(b), 0, "in one page");
	block_add(b, insns[0].bytes, 3);
	is_u64(block_second_page(b), 0x402000, "18 bytes reach into the next page");
	block_place(b, 0x12345ff0, 0x777000);
	ok(b->lines[0].first == 0x12345ff0 >> 6 && b->lines[0].nr == 1 &&
	   b->lines[1].first == 0x777000 >> 6 && b->lines[1].nr == 1,
	   "which may lie anywhere");
	free(b);
	b = block_new(0x40103e, 2);
	block_add(b, insns[0].bytes, 3);
	block_place(b, 0x1003e, 0);
	ok(b->lines[0].first == 0x1003e >> 6 && b->lines[0].nr == 2,
	   "three bytes in two lines");
	free(b);
}

static void requests_are_waited_for(void)
{
	const struct count_sink sink = { 0 };
	static struct core_hot hot;
	struct code c = make_block(1);
	static struct pmu pmu;
	struct core core = { .pmu = &pmu, .hot = &hot };

	pmu_reset(&pmu, profile_find("goldmont"), &shared);
	core_late_event(&core, c.b, 0, EV_CODE_HIT, CACHE_LLC_UNITS, true, &sink);
	core_late_event(&core, c.b, 0, EV_CODE_HIT, CACHE_LLC_UNITS, true, &sink);
	core_late_event(&core, c.b, 0, EV_RD_MISS, CACHE_MEMORY_UNITS, true, &sink);
	core_late_event(&core, c.b, 0, EV_BRMISS, 80, true, &sink);
	is_u64(core_total(&hot, LEVEL_KERNEL, EV_CODE_HIT), 2, "two fetches from the last level");
	is_u64(core_total(&hot, LEVEL_KERNEL, EV_CODE_HIT_CYC), 80, "40 cycles each");
	is_u64(core_total(&hot, LEVEL_KERNEL, EV_RD_MISS_CYC), 200, "200 for a read from memory");
	is_u64(core_total(&hot, LEVEL_KERNEL, EV_CYC), 290, "all of it is time");
	is_u64(core_total(&hot, LEVEL_USER, EV_CODE_HIT_CYC), 0, "none at user level");
	free(c.b);
}

static void threads_of_a_core_count_by_the_value_of_the_time(void)
{
	const struct count_sink sink = { 0 };
	static struct core_hot hot[2];
	struct code c = make_block(0);
	struct core core[2] = { { .hot = &hot[0] }, { .hot = &hot[1] } };
	struct pmu pmu[2];
	int i;

	for (i = 0; i < 2; i++) {
		pmu_reset(&pmu[i], profile_find("goldmont"), &shared);
		core[i].pmu = &pmu[i];
		core_restart(&core[i]);
	}
	pmu_wrmsr(&pmu[0], 0x1a6, 0x10001);
	pmu_wrmsr(&pmu[1], 0x186, 0x4301b7);
	core_enter(&core[1], NULL, &sink);
	core_run(&core[1], c.b, false);
	ok(hot[1].budget < CORE_BUDGET_END, "a thread runs on without checking");
	for (i = 0; i < 3; i++)
		core_late_event(&core[1], c.b, 0, EV_RD_MISS, 0, true, &sink);
	pmu_wrmsr(&pmu[0], 0x1a6, 0x10002);
	core_notify(&core[1]);
	ok(hot[1].notified, "it is notified of the other thread's write");
	core_notified(&core[1]);
	ok(!hot[1].notified && hot[1].budget >= CORE_BUDGET_END, "and applies it before the next");
	core_enter(&core[1], NULL, &sink);
	is_u64(pmu[1].cntr[0].value, 3, "reads before the write are counted");
	core_late_event(&core[1], c.b, 0, EV_RD_MISS, 0, true, &sink);
	core_late_event(&core[1], c.b, 0, EV_WR_HIT, 0, true, &sink);
	core_late_event(&core[1], c.b, 0, EV_WR_HIT, 0, true, &sink);
	core_enter(&core[1], NULL, &sink);
	is_u64(pmu[1].cntr[0].value, 5, "afterwards two stores are counted, and a read is not");
	free(c.b);
}

int main(void)
{
	plan(0);
	block_lies_in_lines();
	requests_are_waited_for();
	threads_of_a_core_count_by_the_value_of_the_time();
	block_finds_its_instructions();
	totals_are_exact();
	blocks_match_instructions();
	return done();
}
