// SPDX-License-Identifier: GPL-2.0-only
/* Tests of counting, overflow, reload and cycle tests, against constants and a naive simulation. */
#include <stdlib.h>
#include <string.h>

#include "count.h"
#include "tap.h"

#define MAX_SEEN	4096
#define GP(n)		BIT_ULL(n)
#define FX(n)		BIT_ULL(PMU_FIXED_BASE + (n))
#define GP_MSR(n, reg)	(MSR_IA32_PMC_V6_GP0 + PMC_V6_STRIDE * (n) + (reg))
#define EVENT(code, umask) ((code) | (umask) << EVTSEL_UMASK_SHIFT)
#define INSNS		EVENT(0xc0, 0)
#define CYCLES		EVENT(0x3c, 0)
#define REF_CYCLES	EVENT(0x3c, 1)
#define BRANCHES	EVENT(0xc4, 0)
#define SLOTS		EVENT(0xa4, 1)
#define USER		(EVTSEL_USR | EVTSEL_EN)
#define BOTH		(EVTSEL_USR | EVTSEL_OS | EVTSEL_EN)
#define WIDTH		MASK_ULL(48)

struct seen {
	struct count_overflow o[MAX_SEEN];
	int nr;
};

static void see(void *ctx, const struct count_overflow *o)
{
	struct seen *s = ctx;

	if (s->nr < MAX_SEEN)
		s->o[s->nr++] = *o;
}

static struct pmu pmu;
static struct pmu_shared shared;
static struct seen seen;
static const struct count_sink sink = { see, &seen };

/* @profile: its first kind of core */
static void start(const char *profile)
{
	pmu_reset(&pmu, profile_find(profile), &shared);
	memset(&seen, 0, sizeof(seen));
}

static void wr(uint32_t msr, uint64_t value)
{
	enum pmu_access access = pmu_wrmsr(&pmu, msr, value);

	if (access != PMU_OK)
		ok(false, "wrmsr %#x %#llx: %s", msr, (unsigned long long)value,
		   pmu_access_name(access));
}

/* Program GP counter @n: event, value, causes and reload value as a period */
static void program(unsigned int n, uint64_t evtsel, int64_t value, uint64_t causes,
		    int64_t period)
{
	wr(GP_MSR(n, PMC_V6_CTR), value & WIDTH);
	wr(GP_MSR(n, PMC_V6_CFG_B), causes);
	wr(GP_MSR(n, PMC_V6_CFG_C), -period & PMC_CFG_C_RELOAD);
	wr(GP_MSR(n, PMC_V6_CFG_A), evtsel);
}

static int64_t value_of(unsigned int n)
{
	return (int64_t)(pmu.cntr[n].value << 16) >> 16;
}

/* One instruction that takes @units and follows the last one */
static uint64_t now;
static bool insn(enum event_level level, uint32_t units, bool branch)
{
	struct count_insn i = { .level = level, .start = now, .end = now + units };

	i.n[EV_INSN] = 1;
	i.n[EV_BR] = branch;
	now += units;
	return count_insn(&pmu, &i, &sink);
}

static bool insns(unsigned int nr, uint32_t units)
{
	bool pmi = false;

	while (nr--)
		pmi |= insn(LEVEL_USER, units, false);
	return pmi;
}

/* Eight slots in each core cycle, and an eighth of a cycle is one */
static void slots_of_a_big_core(void)
{
	start("novalake");
	program(0, SLOTS | USER, 0, 0, 0);
	program(1, CYCLES | USER, 0, 0, 0);
	program(2, SLOTS | USER | 8ULL << EVTSEL_CMASK_SHIFT, 0, 0, 0);
	program(3, SLOTS | USER | 9ULL << EVTSEL_CMASK_SHIFT, 0, 0, 0);
	wr(MSR_IA32_FIXED_CTR0 + 3, -50 & WIDTH);
	wr(MSR_IA32_FIXED_CTR_CTRL, (FIXED_CTR_CTRL_USR | FIXED_CTR_CTRL_PMI) << 12);
	wr(MSR_IA32_PERF_GLOBAL_CTRL, 0xf | FX(3) | GLOBAL_PERF_METRICS);
	now = 0;
	ok(!insns(9, 5), "45 slots do not reach the end");
	is_u64(value_of(0), 45, "on a general-purpose counter");
	is_u64(value_of(35), -5, "nor on fixed counter 3");
	is_u64(count_headroom(&pmu), 0, "in 5 slots there is no whole cycle");
	ok(insns(1, 11), "the next instruction's do");
	is_u64(value_of(35), 6, "and those after the end are counted on");
	is_u64(pmu.global_status, FX(3), "its status bit is that of the fixed counter");
	is_u64(value_of(0), 56, "all slots");
	is_u64(value_of(1), 7, "of seven cycles");
	is_u64(value_of(2), 7, "each of which has eight");
	is_u64(value_of(3), 0, "and none nine");

	start("clearwaterforest");
	program(0, SLOTS | USER, 0, 0, 0);
	insns(9, 5);
	is_u64(value_of(0), 0, "the event is not there on an E-core");
}

static void counts_by_level(void)
{
	start("clearwaterforest");
	program(0, INSNS | EVTSEL_USR | EVTSEL_EN, 0, 0, 0);
	program(1, INSNS | EVTSEL_OS | EVTSEL_EN, 0, 0, 0);
	program(2, CYCLES | BOTH, 0, 0, 0);
	program(3, INSNS | EVTSEL_USR, 0, 0, 0);
	program(4, INSNS | EVTSEL_EN, 0, 0, 0);
	now = 0;
	insns(10, 4);
	insn(LEVEL_KERNEL, 24, true);
	is_u64(value_of(0), 10, "USR alone counts user instructions");
	is_u64(value_of(1), 1, "OS alone counts kernel instructions");
	is_u64(value_of(2), 8, "64 eighths are 8 cycles at both levels");
	is_u64(value_of(3), 0, "nothing counts without EN");
	is_u64(value_of(4), 0, "nothing counts without USR and OS");
	wr(MSR_IA32_PERF_GLOBAL_CTRL, 0);
	insns(10, 8);
	is_u64(value_of(0), 10, "GLOBAL_CTRL stops a counter");
}

static void overflow_sets_status(void)
{
	start("clearwaterforest");
	program(0, INSNS | USER | EVTSEL_INT, -3, 0, 0);
	program(1, INSNS | USER, -3, 0, 0);
	ok(!insns(2, 8), "two of three: no PMI");
	ok(insns(1, 8), "the third raises the PMI");
	is_u64(seen.nr, 2, "both counters overflow");
	is_u64(pmu.global_status, 0x3, "both set their status");
	ok(seen.o[0].pmi && !seen.o[1].pmi, "only the one with INT requests a PMI");
	is_u64(value_of(0), 0, "the counter continues from 0");
	insns(5, 8);
	is_u64(value_of(0), 5, "and counts up");
	wr(MSR_IA32_PERF_GLOBAL_OVF_CTRL, 0x1);
	is_u64(pmu.global_status, 0x2, "STATUS_RESET clears the bits written");
	wr(MSR_IA32_PERF_GLOBAL_STATUS_SET, GP(5) | FX(1));
	is_u64(pmu.global_status, 0x2 | GP(5) | FX(1), "STATUS_SET sets the bits written");
}

/* The classic pair: A instructions, causes {B}; B cycles, causes {A, B} */
static void pair(int64_t period_insns, int64_t period_cycles)
{
	start("clearwaterforest");
	program(0, INSNS | USER | EVTSEL_INT, -period_insns, GP(1), period_insns);
	program(1, CYCLES | USER, -period_cycles, GP(0) | GP(1), period_cycles);
	now = 0;
}

static void pair_fires_when_fast(void)
{
	pair(200, 100);
	/* 4 instructions a cycle: 200 instructions take 50 cycles */
	ok(!insns(199, 2), "fast: nothing before the 200th instruction");
	ok(insns(1, 2), "fast: the 200th samples");
	is_u64(pmu.global_status, GP(0), "status of the sampled counter only");
	is_u64(value_of(0), 0, "the sampled counter is left to software");
	is_u64(value_of(1), -100, "the window restarts");
	is_u64(seen.o[0].reloaded, GP(1), "the sampled counter reloaded the window");
}

static void pair_is_quiet_when_slow(void)
{
	pair(200, 100);
	/* one instruction a cycle: the window of 100 cycles ends first, again and again */
	ok(!insns(1000, 8), "slow: no PMI ever");
	is_u64(pmu.global_status, 0, "slow: self-reload sets no status");
	is_u64(seen.nr, 10, "slow: ten windows end");
	ok(seen.o[0].self_reload && seen.o[0].cntr == 1, "the window reloads itself");
	is_u64(seen.o[0].reloaded, GP(0) | GP(1), "and the sampled counter with it");
	is_u64(value_of(1), -100, "the window has just begun again");
	/* at cycle 1000 both were reloaded; the 1000th instruction retired after that */
	is_u64(value_of(0), -199, "the sampled counter too, one instruction ago");
}

/* A sampled; B reloaded by A and itself; C reloaded by B only and never by itself */
static void three_events_follow_their_causes(void)
{
	start("clearwaterforest");
	program(0, INSNS | USER | EVTSEL_INT, -1000, GP(1), 1000);
	program(1, CYCLES | USER, -300, GP(0) | GP(1), 300);
	program(2, BRANCHES | USER | EVTSEL_INT, -50, GP(1), 50);
	now = 0;
	insns(299, 8);
	is_u64(seen.nr, 0, "299 cycles: nothing");
	insns(1, 8);
	is_u64(seen.nr, 1, "300 cycles: the window ends");
	is_u64(seen.o[0].reloaded, GP(0) | GP(1) | GP(2), "it reloads all three");
	is_u64(value_of(2), -50, "C is at its start");
	for (int i = 0; i < 50; i++)
		insn(LEVEL_USER, 1, true);
	is_u64(seen.nr, 2, "50 branches: C overflows");
	is_u64(seen.o[1].cntr, 2, "it is C");
	is_u64(seen.o[1].reloaded, 0, "C reloads no counter, not even itself");
	ok(seen.o[1].pmi, "C is sampled");
	is_u64(value_of(0), -1000 + 1 + 50, "A goes on");
}

/* 100 cycles pass in one instruction, and three windows end in it */
static void long_instruction_ends_many_windows(void)
{
	start("clearwaterforest");
	program(1, CYCLES | USER, -30, GP(1), 30);
	now = 0;
	insn(LEVEL_USER, 100 * CYC_UNITS, false);
	is_u64(seen.nr, 3, "three windows of 30 in 100 cycles");
	is_u64(value_of(1), -20, "and 10 cycles of the fourth");
}

static void earlier_overflow_comes_first(void)
{
	/* cycles: left 30 of 100; reference cycles: left 40 of 75, that is after 53 cycles */
	start("clearwaterforest");
	program(0, REF_CYCLES | USER | EVTSEL_INT, -40, GP(1), 1000);
	program(1, CYCLES | USER | EVTSEL_INT, -30, 0, 0);
	now = 0;
	insn(LEVEL_USER, 100 * CYC_UNITS, false);
	is_u64(seen.nr, 1, "the earlier overflow reloads the later counter before its own");
	is_u64(seen.o[0].cntr, 1, "cycles come first");
	is_u64(value_of(0), -1000 + 75 - 22, "and 53 reference cycles count after the reload");

	start("clearwaterforest");
	program(0, REF_CYCLES | USER | EVTSEL_INT, -20, 0, 0);
	program(1, CYCLES | USER | EVTSEL_INT, -30, 0, 0);
	now = 0;
	insn(LEVEL_USER, 100 * CYC_UNITS, false);
	is_u64(seen.nr, 2, "two overflows in one instruction");
	is_u64(seen.o[0].cntr, 0, "20 reference cycles pass before 30 cycles do");
	is_u64(seen.o[0].status, GP(0), "status after the first");
	is_u64(seen.o[1].status, GP(0) | GP(1), "status after the second");
}

static void causes_need_ability(void)
{
	start("pantherlake-e");
	is_u64(pmu_check(&pmu, GP_MSR(2, PMC_V6_CFG_B), true, GP(1)), PMU_GP_CAUSE,
	       "GP 1 can cause no reload there");
	is_u64(pmu_check(&pmu, GP_MSR(1, PMC_V6_CFG_B), true, 0), PMU_GP_NOT_RELOADABLE,
	       "nor be reloaded");
	is_u64(pmu_check(&pmu, GP_MSR(2, PMC_V6_CFG_B), true, GP(3)), PMU_OK, "GP 2 and 3 can");
}

static void freeze_on_pmi(void)
{
	start("clearwaterforest");
	wr(MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
	program(0, INSNS | USER | EVTSEL_INT, -3, 0, 0);
	program(1, INSNS | USER, 0, 0, 0);
	ok(insns(10, 8), "PMI");
	is_u64(pmu.global_status, GLOBAL_STATUS_CTR_FRZ | GP(0), "CTR_FRZ is set");
	is_u64(value_of(1), 3, "all counters stop at the PMI");
	wr(MSR_IA32_PERF_GLOBAL_OVF_CTRL, GLOBAL_STATUS_CTR_FRZ | GP(0));
	insns(2, 8);
	is_u64(value_of(1), 5, "and go on when CTR_FRZ is cleared");

	start("v2");
	wr(MSR_IA32_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
	wr(MSR_IA32_PMC0, (uint32_t)-3);
	wr(MSR_IA32_PERFEVTSEL0, INSNS | USER | EVTSEL_INT);
	insns(10, 8);
	is_u64(pmu.global_ctrl, 0, "version 2 clears GLOBAL_CTRL instead");
	is_u64(pmu.global_status, GP(0), "and has no CTR_FRZ");
}

static void narrow_counter_wraps_at_its_width(void)
{
	start("v2");
	wr(MSR_IA32_PMC0, (uint32_t)-5);
	is_u64(pmu.cntr[0].value, MASK_ULL(40) - 4, "32 bits are sign-extended to 40");
	wr(MSR_IA32_PERFEVTSEL0, INSNS | USER);
	insns(4, 8);
	is_u64(seen.nr, 0, "not yet");
	insns(1, 8);
	is_u64(seen.nr, 1, "overflow at 2^40");
}

static void headroom_is_exact(void)
{
	uint64_t n[NR_LEVELS][NR_EVENT_KINDS] = { 0 };

	start("clearwaterforest");
	is_u64(count_headroom(&pmu), UINT64_MAX, "nothing counts: no bound");
	program(0, INSNS | USER, -1000, 0, 0);
	program(1, CYCLES | USER, -400, 0, 0);
	is_u64(count_headroom(&pmu), 400, "the nearest overflow counts");
	n[LEVEL_USER][EV_INSN] = 399;
	n[LEVEL_USER][EV_CYC] = 399;
	count_bulk(&pmu, (const uint64_t (*)[NR_EVENT_KINDS])n, &sink);
	is_u64(seen.nr, 0, "one short of it nothing overflows");
	is_u64(value_of(0), -601, "bulk adds instructions");
	is_u64(value_of(1), -1, "bulk adds cycles");
	program(2, INSNS | USER | 2ULL << EVTSEL_CMASK_SHIFT, 0, 0, 0);
	is_u64(count_headroom(&pmu), 0, "a cycle test must see each instruction");
}

/* --- cycle tests against a simulation of single cycles ------------------------------------ */

struct stream {
	uint32_t units[512];
	bool branch[512];
};

static void random_stream(struct stream *s)
{
	for (int i = 0; i < 512; i++) {
		s->units[i] = rand() % 8 ? rand() % 5 : rand() % 60;
		s->branch[i] = rand() % 4 == 0;
	}
}

/* Occurrences in each cycle, an instruction on a boundary belonging to the cycle before it */
static int64_t naive_filter(const struct stream *s, bool branches, uint64_t evtsel)
{
	static int per_cycle[512 * 60];
	unsigned int cmask = evtsel >> EVTSEL_CMASK_SHIFT & 0xff;
	uint64_t t = 0;
	int64_t count = 0;
	bool last = false;

	memset(per_cycle, 0, sizeof(per_cycle));
	for (int i = 0; i < 512; i++) {
		uint64_t begin = t / CYC_UNITS;

		t += s->units[i];
		if (t % CYC_UNITS == 0 && t / CYC_UNITS > begin)
			per_cycle[t / CYC_UNITS - 1] += !branches || s->branch[i];
		else
			per_cycle[t / CYC_UNITS] += !branches || s->branch[i];
	}
	for (uint64_t c = 0; c < t / CYC_UNITS; c++) {
		bool hit;

		if (evtsel & EVTSEL_EQ)
			hit = (unsigned int)per_cycle[c] == cmask;
		else if (cmask)
			hit = (unsigned int)per_cycle[c] >= cmask;
		else
			hit = per_cycle[c];
		if (evtsel & EVTSEL_INV && (cmask || evtsel & EVTSEL_EQ))
			hit = !hit;
		count += evtsel & EVTSEL_EDGE ? hit && !last : hit;
		last = hit;
	}
	return count;
}

static void cycle_tests_match_simulation(void)
{
	static const uint64_t tests[] = {
		1ULL << EVTSEL_CMASK_SHIFT,
		2ULL << EVTSEL_CMASK_SHIFT,
		4ULL << EVTSEL_CMASK_SHIFT,
		1ULL << EVTSEL_CMASK_SHIFT | EVTSEL_INV,
		2ULL << EVTSEL_CMASK_SHIFT | EVTSEL_INV,
		1ULL << EVTSEL_CMASK_SHIFT | EVTSEL_EDGE,
		1ULL << EVTSEL_CMASK_SHIFT | EVTSEL_EDGE | EVTSEL_INV,
		2ULL << EVTSEL_CMASK_SHIFT | EVTSEL_EQ,
		EVTSEL_EQ,
		EVTSEL_EDGE,
	};
	struct stream s;

	for (unsigned int k = 0; k < 2 * sizeof(tests) / sizeof(tests[0]); k++) {
		uint64_t bits = tests[k / 2];
		int wrong = 0;

		for (int round = 0; round < 50; round++) {
			random_stream(&s);
			start("clearwaterforest");
			program(0, (k & 1 ? BRANCHES : INSNS) | USER | bits, 0, 0, 0);
			now = 0;
			for (int i = 0; i < 512; i++)
				insn(LEVEL_USER, s.units[i], s.branch[i]);
			wrong += value_of(0) != naive_filter(&s, k & 1, bits);
		}
		is_u64(wrong, 0, "%s with test bits %#llx: 50 random streams",
		       k & 1 ? "branches" : "instructions", (unsigned long long)bits);
	}
}

static void cycle_test_on_cycles(void)
{
	start("clearwaterforest");
	program(0, CYCLES | USER | 1ULL << EVTSEL_CMASK_SHIFT, 0, 0, 0);
	program(1, CYCLES | USER | 2ULL << EVTSEL_CMASK_SHIFT, 0, 0, 0);
	program(2, CYCLES | USER | 2ULL << EVTSEL_CMASK_SHIFT | EVTSEL_INV, 0, 0, 0);
	program(3, CYCLES | USER | EVTSEL_INV, 0, 0, 0);
	now = 0;
	insns(100, 8);
	is_u64(value_of(0), 100, "cycles with cmask=1: each");
	is_u64(value_of(1), 0, "cycles with cmask=2: none");
	is_u64(value_of(2), 100, "cycles with cmask=2,inv: each");
	is_u64(value_of(3), 100, "inv without cmask has no effect");
}

/* --- outstanding requests ------------------------------------------------------------------ */

#define DATA_READS	0x1ULL
#define ANY_RESPONSE	BIT_ULL(16)
#define OUTSTANDING	BIT_ULL(63)

/* One instruction that waits for a data read and a store */
static void insn_waiting(uint32_t units, uint32_t rd_cycles, uint32_t wr_cycles)
{
	struct count_insn i = { .level = LEVEL_USER, .start = now };

	now += units + 8 * (rd_cycles + wr_cycles);
	i.end = now;
	i.n[EV_INSN] = 1;
	i.n[EV_RD_MISS] = !!rd_cycles;
	i.n[EV_RD_MISS_CYC] = rd_cycles;
	i.n[EV_WR_HIT] = !!wr_cycles;
	i.n[EV_WR_HIT_CYC] = wr_cycles;
	count_insn(&pmu, &i, &sink);
}

static void outstanding_requests_match_simulation(void)
{
	static const uint64_t tests[] = {
		0,
		1ULL << EVTSEL_CMASK_SHIFT,
		2ULL << EVTSEL_CMASK_SHIFT,
		1ULL << EVTSEL_CMASK_SHIFT | EVTSEL_INV,
		1ULL << EVTSEL_CMASK_SHIFT | EVTSEL_EDGE,
		1ULL << EVTSEL_CMASK_SHIFT | EVTSEL_EDGE | EVTSEL_INV,
		EVTSEL_EDGE,
	};
	uint64_t want[7] = { 0 }, requests = 0, t = 0;
	bool last[7] = { 0 };
	unsigned int i, k;

	start("clearwaterforest");
	wr(MSR_OFFCORE_RSP_0, OUTSTANDING | DATA_READS);
	wr(MSR_OFFCORE_RSP_1, ANY_RESPONSE | DATA_READS);
	for (k = 0; k < 7; k++)
		program(k, EVENT(0xb7, 1) | USER | tests[k], 0, 0, 0);
	program(7, EVENT(0xb7, 2) | USER, 0, 0, 0);
	now = 0;
	for (i = 0; i < 5000; i++) {
		uint32_t units = rand() % 30, rd = rand() % 3 ? 0 : rand() % 2 ? 40 : 200;

		/* cycle by cycle: those of the instruction itself, then those of its read */
		for (k = 0; k < 7; k++) {
			uint64_t cycle = t / 8, own = (t + units) / 8, end = own + rd;

			for (; cycle < end; cycle++) {
				bool busy = cycle >= own, hit = busy;

				if (tests[k] >> EVTSEL_CMASK_SHIFT == 2)
					hit = false;
				if (tests[k] >> EVTSEL_CMASK_SHIFT && tests[k] & EVTSEL_INV)
					hit = !hit;
				want[k] += tests[k] & EVTSEL_EDGE ? hit && !last[k] : hit;
				last[k] = hit;
			}
		}
		requests += !!rd;
		t += units + 8 * rd;
		insn_waiting(units, rd, 0);
	}
	for (k = 0; k < 7; k++)
		is_u64(value_of(k), want[k], "cycles outstanding with test bits %#llx",
		       (unsigned long long)tests[k]);
	is_u64(value_of(7), requests, "responses");
	ok(want[0] > requests * 40 && want[4] > 100 && want[4] <= requests,
	   "there were requests in a row and with pauses between");
}

static void only_what_is_asked_for_is_outstanding(void)
{
	start("clearwaterforest");
	wr(MSR_OFFCORE_RSP_0, OUTSTANDING | DATA_READS);
	program(0, EVENT(0xb7, 1) | USER, 0, 0, 0);
	program(1, EVENT(0xb7, 1) | EVTSEL_OS | EVTSEL_EN, 0, 0, 0);
	program(2, EVENT(0xb7, 1) | USER, -150, 0, 0);
	now = 0;
	insn_waiting(4, 200, 40);
	is_u64(value_of(0), 200, "a read and a store: cycles of the read");
	is_u64(value_of(1), 0, "at user level");
	is_u64(value_of(2), 50, "a counter may overflow in the middle");
	is_u64(seen.nr, 1, "once");
}

/* --- random programs of the counters against a simulation of single ticks ----------------- */

struct naive {
	uint64_t value[3], causes[3], reload[3], evtsel[3];
	uint64_t status, overflows[3], reloads[3];
};

static void naive_tick(struct naive *v, unsigned int set)
{
	unsigned int over = 0, i, j;

	for (i = 0; i < 3; i++)
		if (set >> i & 1 && ++v->value[i] > WIDTH) {
			v->value[i] = 0;
			v->overflows[i]++;
			over |= 1U << i;
		}
	for (i = 0; i < 3; i++) {
		for (j = 0; j < 3; j++)
			if (over >> j & 1 && v->causes[i] >> j & 1) {
				v->value[i] = v->reload[i];
				v->reloads[i]++;
			}
		if (over >> i & 1 && !(v->causes[i] >> i & 1))
			v->status |= BIT_ULL(i);
	}
}

static void naive_insn(struct naive *v, uint64_t from, uint32_t units, bool branch)
{
	unsigned int i, set;
	uint64_t t;

	for (t = from + 1; t <= from + units; t++) {
		set = 0;
		for (i = 0; i < 3; i++) {
			if (v->evtsel[i] == CYCLES && t % 8 == 0)
				set |= 1U << i;
			if (v->evtsel[i] == REF_CYCLES && t * 3 / 32 != (t - 1) * 3 / 32)
				set |= 1U << i;
		}
		naive_tick(v, set);
	}
	set = 0;
	for (i = 0; i < 3; i++)
		if (v->evtsel[i] == INSNS || (v->evtsel[i] == BRANCHES && branch))
			set |= 1U << i;
	naive_tick(v, set);
}

static bool same(const struct naive *v)
{
	uint64_t overflows[3] = { 0 }, reloads[3] = { 0 };
	int i, k;

	for (k = 0; k < seen.nr; k++) {
		overflows[seen.o[k].cntr]++;
		for (i = 0; i < 3; i++)
			reloads[i] += seen.o[k].reloaded >> i & 1;
	}
	for (i = 0; i < 3; i++)
		if (pmu.cntr[i].value != v->value[i] || overflows[i] != v->overflows[i] ||
		    reloads[i] != v->reloads[i])
			return false;
	return pmu.global_status == v->status;
}

static void random_programs_match_simulation(void)
{
	static const uint64_t events[] = { INSNS, CYCLES, REF_CYCLES, BRANCHES };
	int wrong = 0;

	for (int round = 0; round < 2000; round++) {
		struct naive v = { 0 };
		struct stream s;

		start("clearwaterforest");
		now = rand() % 1000;
		for (int i = 0; i < 3; i++) {
			int64_t period = 1 + rand() % 200, first = 1 + rand() % 200;

			v.evtsel[i] = events[rand() % 4];
			v.causes[i] = rand() % 8;
			v.reload[i] = -period & WIDTH;
			v.value[i] = -first & WIDTH;
			program(i, v.evtsel[i] | USER, -first, v.causes[i], period);
		}
		random_stream(&s);
		for (int i = 0; i < 512; i++) {
			naive_insn(&v, now, s.units[i], s.branch[i]);
			insn(LEVEL_USER, s.units[i], s.branch[i]);
		}
		wrong += !same(&v);
	}
	is_u64(wrong, 0, "2000 random groups of three: values, status, overflows and reloads");
}

int main(void)
{
	plan(0);
	srand(1);
	counts_by_level();
	slots_of_a_big_core();
	overflow_sets_status();
	pair_fires_when_fast();
	pair_is_quiet_when_slow();
	three_events_follow_their_causes();
	long_instruction_ends_many_windows();
	earlier_overflow_comes_first();
	causes_need_ability();
	freeze_on_pmi();
	narrow_counter_wraps_at_its_width();
	headroom_is_exact();
	cycle_tests_match_simulation();
	cycle_test_on_cycles();
	outstanding_requests_match_simulation();
	only_what_is_asked_for_is_outstanding();
	random_programs_match_simulation();
	return done();
}
