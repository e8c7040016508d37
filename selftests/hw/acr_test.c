// SPDX-License-Identifier: GPL-2.0-only
/* Auto counter reload: which samples a group writes, against arithmetic and a naive simulation. */
#include "work.h"
#include "records.h"
#include "kselftest_harness.h"

#define PERIOD_INSNS	200000
#define PERIOD_CYCLES	100000
#define ROUNDS		20

/* Thousandths of a cycle for an iteration of each loop on the model CPU */
#define FAST_MILLICYCLES	1750ULL
#define SLOW_MILLICYCLES	21500ULL

struct hits {
	uint64_t fast, slow, elsewhere;
};

static void note_hit(const struct sample *sample, void *data)
{
	struct hits *p = data;

	if (in_fast(sample->ip))
		p->fast++;
	else if (in_slow(sample->ip))
		p->slow++;
	else
		p->elsewhere++;
}

/* The documented pair: the sampled event restarts with the window, the window with both. */
static void describe_pair(struct session *s, uint64_t sampled, uint64_t sampled_period,
			  uint64_t window, uint64_t window_period, unsigned int levels)
{
	session_task(s, 0, 0);
	session_event(s, sampled, levels | SAMPLED, sampled_period, 0x2);
	session_event(s, window, levels, window_period, 0x3);
}

FIXTURE(pair) {
	struct session s;
};

FIXTURE_SETUP(pair)
{
	session_task(&self->s, 0, 0);
}

FIXTURE_TEARDOWN(pair)
{
	session_close(&self->s);
}

TEST_F(pair, ipc_above_two_samples_the_fast_phase_only)
{
	struct hits p = { 0 };

	describe_pair(&self->s, EV_INSNS, PERIOD_INSNS, EV_CYCLES, PERIOD_CYCLES, USER);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &p));
	EXPECT_GE(p.fast, ROUNDS * (FAST_ITERATIONS * WORK_INSNS / PERIOD_INSNS - 1));
	EXPECT_LE(p.fast, ROUNDS * (FAST_ITERATIONS * WORK_INSNS / PERIOD_INSNS + 1));
	EXPECT_EQ(0, p.slow);
	/* At most one window each at the beginning and the end of a phase */
	EXPECT_LE(p.elsewhere, ROUNDS * 2);
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_TRUE(self->s.counts[0].flags & ACRPMU_COUNT_RELOADED);
}

TEST_F(pair, ipc_below_two_samples_the_slow_phase_only)
{
	struct hits p = { 0 };

	describe_pair(&self->s, EV_CYCLES, PERIOD_CYCLES, EV_INSNS, PERIOD_INSNS, USER);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &p));
	EXPECT_GE(p.slow, ROUNDS * (SLOW_ITERATIONS * SLOW_MILLICYCLES / 1000 / PERIOD_CYCLES - 1));
	EXPECT_LE(p.slow, ROUNDS * (SLOW_ITERATIONS * SLOW_MILLICYCLES / 1000 / PERIOD_CYCLES + 1));
	EXPECT_EQ(0, p.fast);
	EXPECT_LE(p.elsewhere, ROUNDS * 2);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(pair, kernel_and_user_level_samples_the_fast_phase_only)
{
	struct hits p = { 0 };

	/* Windows so long that a tick, which they count, ends few of them early */
	describe_pair(&self->s, EV_INSNS, 250000, EV_CYCLES, 100000, USER | KERNEL);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &p));
	EXPECT_GT(p.fast, ROUNDS * 10);
	EXPECT_EQ(0, p.slow);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(pair, a_ratio_that_is_never_reached_yields_no_sample)
{
	/* 12 instructions in a cycle */
	describe_pair(&self->s, EV_INSNS, 1200000, EV_CYCLES, PERIOD_CYCLES, USER);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_EQ(0, self->s.records);
	EXPECT_EQ(0, self->s.counts[0].overflows);
	EXPECT_ACCOUNTED(&self->s);
}

FIXTURE(threshold) {
	struct session s;
};

FIXTURE_VARIANT(threshold) {
	bool gp;
};

FIXTURE_VARIANT_ADD(threshold, fixed_counters) { .gp = false };

FIXTURE_VARIANT_ADD(threshold, general_purpose_counter) { .gp = true };

FIXTURE_SETUP(threshold)
{
	session_task(&self->s, 0, 0);
}

FIXTURE_TEARDOWN(threshold)
{
	session_close(&self->s);
}

/* Samples of the fast loop with a window of 100000 cycles and the given period. */
static int64_t samples_at(struct session *s, bool gp, uint64_t period)
{
	describe_pair(s, gp ? EV_BRANCHES : EV_INSNS, period, EV_CYCLES, PERIOD_CYCLES, USER);
	if (session_make(s) || session_enable(s))
		return -1;
	work_fast(3000000);
	if (session_finish(s, NULL, NULL) || !session_accounted(s))
		return -1;
	session_close(s);
	return s->records;
}

TEST_F(threshold, is_as_sharp_as_arithmetic)
{
	const uint64_t iterations = PERIOD_CYCLES * 1000 / FAST_MILLICYCLES;
	const uint64_t exact = variant->gp ? iterations : iterations * WORK_INSNS;
	/* Two in a thousand: other code runs too */
	const uint64_t near = exact / 500;
	int64_t below = samples_at(&self->s, variant->gp, exact - near);
	int64_t above = samples_at(&self->s, variant->gp, exact + near);

	TH_LOG("period %lu: %ld samples, %lu: %ld", exact - near, below, exact + near, above);
	EXPECT_GE(below, 45);
	EXPECT_EQ(0, above);
}

/* ---- three events, against a naive simulation ---- */

#define NR_SIM	3

struct sim {
	uint64_t period[NR_SIM];
	uint64_t causes[NR_SIM];
	/* occurrences of each event in an iteration, in thousandths */
	uint64_t rate[NR_SIM];
	uint64_t overflows[NR_SIM];
};

/* For each iteration: which events overflow and which are reloaded; sampled ones always are. */
static void simulate(struct sim *sim, uint64_t iterations)
{
	uint64_t count[NR_SIM] = { 0 }, over, i;
	unsigned int ev;

	memset(sim->overflows, 0, sizeof(sim->overflows));
	for (i = 0; i < iterations; i++) {
		over = 0;
		for (ev = 0; ev < NR_SIM; ev++) {
			count[ev] += sim->rate[ev];
			if (count[ev] >= sim->period[ev] * 1000)
				over |= 1ULL << ev;
		}
		for (ev = 0; over && ev < NR_SIM; ev++) {
			if (over & 1ULL << ev)
				sim->overflows[ev]++;
			if (over & (sim->causes[ev] | 1ULL << ev))
				count[ev] = 0;
		}
	}
}

/* The other reading of a mask, once used by tools: the events that this one reloads. */
static void transpose(struct sim *sim)
{
	uint64_t causes[NR_SIM] = { 0 };
	unsigned int ev, other;

	for (ev = 0; ev < NR_SIM; ev++)
		for (other = 0; other < NR_SIM; other++)
			if (sim->causes[ev] & 1ULL << other)
				causes[other] |= 1ULL << ev;
	memcpy(sim->causes, causes, sizeof(causes));
}

static bool within_percent(uint64_t a, uint64_t b, unsigned int percent)
{
	uint64_t diff = a > b ? a - b : b - a;

	return diff * 100 <= b * percent + 100;
}

FIXTURE(triple) {
	struct session s;
};

FIXTURE_VARIANT(triple) {
	uint64_t period[NR_SIM];
	uint64_t causes[NR_SIM];
};

/* instructions restart with branches, branches with cycles and themselves, cycles alone */
FIXTURE_VARIANT_ADD(triple, chain) {
	.period = { 60000, 8000, 30000 }, .causes = { 0x2, 0x6, 0x4 },
};

FIXTURE_VARIANT_ADD(triple, chain_that_fires) {
	.period = { 40000, 9000, 30000 }, .causes = { 0x2, 0x6, 0x4 },
};

/* one window restarts both others, one of which restarts none */
FIXTURE_VARIANT_ADD(triple, one_window_for_two) {
	.period = { 40000, 7000, 13000 }, .causes = { 0x4, 0x6, 0x4 },
};

/* each is restarted by the next, all but the sampled one by themselves as well */
FIXTURE_VARIANT_ADD(triple, ring) {
	.period = { 30000, 7000, 25000 }, .causes = { 0x2, 0x6, 0x5 },
};

FIXTURE_SETUP(triple)
{
	static const uint64_t config[NR_SIM] = { EV_INSNS, EV_BRANCHES, EV_CYCLES };
	unsigned int ev;

	session_task(&self->s, 0, 0);
	for (ev = 0; ev < NR_SIM; ev++)
		session_event(&self->s, config[ev], ev ? USER : USER | SAMPLED,
			      variant->period[ev], variant->causes[ev]);
}

FIXTURE_TEARDOWN(triple)
{
	session_close(&self->s);
}

/* With and without a PMI */
static uint64_t overflows_of(unsigned int cntr)
{
	return oracle_get(ORACLE_OVERFLOWS, ORACLE_ALL_CPUS, cntr);
}

TEST_F(triple, behaves_as_the_cause_masks_define)
{
	const uint64_t iterations = 3000000;
	struct sim sim = { .rate = { WORK_INSNS * 1000, 1000, FAST_MILLICYCLES } };
	struct sim other;
	uint64_t before[NR_SIM], found[NR_SIM];
	unsigned int ev;

	memcpy(sim.period, variant->period, sizeof(sim.period));
	memcpy(sim.causes, variant->causes, sizeof(sim.causes));
	other = sim;
	transpose(&other);
	simulate(&sim, iterations);
	simulate(&other, iterations);

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	for (ev = 0; ev < NR_SIM; ev++)
		before[ev] = overflows_of(self->s.hw[ev].cntr);
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(iterations);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_EQ(self->s.counts[0].overflows, self->s.records);
	for (ev = 0; ev < NR_SIM; ev++) {
		found[ev] = overflows_of(self->s.hw[ev].cntr) - before[ev];
		EXPECT_TRUE(within_percent(found[ev], sim.overflows[ev], 1)) {
			TH_LOG("event %u: %lu overflows, simulation %lu, transposed %lu", ev,
			       found[ev], sim.overflows[ev], other.overflows[ev]);
		}
	}
	/* The case proves something only if the two readings differ. */
	EXPECT_FALSE(within_percent(other.overflows[0], sim.overflows[0], 10) &&
		     within_percent(other.overflows[1], sim.overflows[1], 10) &&
		     within_percent(other.overflows[2], sim.overflows[2], 10));
}

/* ---- limits of the reload field ---- */

FIXTURE(long_period) {
	struct session s;
};

FIXTURE_VARIANT(long_period) {
	uint64_t period;
};

FIXTURE_VARIANT_ADD(long_period, half_of_the_longest) { .period = 1ULL << 30 };

FIXTURE_VARIANT_ADD(long_period, the_longest) { .period = INT32_MAX };

FIXTURE_SETUP(long_period)
{
	session_task(&self->s, 0, 0);
}

FIXTURE_TEARDOWN(long_period)
{
	session_close(&self->s);
}

TEST_F(long_period, is_programmed_and_reloaded_exactly)
{
	const uint64_t width_mask = (1ULL << 48) - 1;
	uint64_t value, overflows;

	/* The window keeps restarting the long period, which never ends. */
	describe_pair(&self->s, EV_INSNS, variant->period, EV_BRANCHES, 100000, USER);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ((uint32_t)-variant->period, self->s.hw[0].cfg_c);
	EXPECT_EQ(-variant->period & width_mask, self->s.hw[0].start);
	ASSERT_EQ(0, pin_to(0, 1));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(1000000);
	value = oracle_get(ORACLE_MSR, 1, self->s.hw[0].cntr_msr);
	overflows = oracle_get(ORACLE_OVERFLOWS_SELF, 1, self->s.hw[1].cntr);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_GE(overflows, 10);
	/* Upper bits all ones, at most one window of instructions after the reload value */
	EXPECT_GE(value, -variant->period & width_mask);
	EXPECT_LE(value, (-variant->period & width_mask) + 100000 * WORK_INSNS + 2000);
	EXPECT_EQ(0, self->s.records);
	EXPECT_ACCOUNTED(&self->s);
}

TEST(a_quiet_event_may_have_period_one)
{
	struct session s;
	uint64_t before, reloads;

	/* Each branch restarts the instructions: a loop has 6 of them between two branches. */
	session_task(&s, 0, 0);
	session_event(&s, EV_INSNS, USER | SAMPLED, 1000, 0x2);
	session_event(&s, EV_BRANCHES, USER, 1, 0x2);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	before = oracle_get(ORACLE_RELOADS, ORACLE_ALL_CPUS, s.hw[0].cntr);
	ASSERT_EQ(0, session_enable(&s));
	work_fast(100000);
	ASSERT_EQ(0, session_finish(&s, NULL, NULL));
	reloads = oracle_get(ORACLE_RELOADS, ORACLE_ALL_CPUS, s.hw[0].cntr) - before;
	EXPECT_EQ(0, s.records);
	EXPECT_GE(reloads, 100000);
	EXPECT_LE(reloads, 101000);
	EXPECT_ACCOUNTED(&s);
	session_close(&s);
}

/* ---- two tasks on one CPU keep their windows apart ---- */

static pid_t start_loop(bool fast, int cpu)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	pin_to(0, cpu);
	for (;;) {
		/* Short enough that a task is switched out in the middle of windows */
		if (fast)
			work_fast(2000);
		else
			work_slow(200);
		sched_yield();
	}
}

/* Ends of the window of a pair, on the CPU of these tasks */
static uint64_t windows_of(const struct session *s)
{
	return oracle_get(ORACLE_OVERFLOWS_SELF, 1, s->cntr[1][1]);
}

TEST(two_tasks_on_one_cpu_keep_their_windows_apart)
{
	struct session s[2];
	uint64_t slow;
	struct hits p[2] = { 0 };
	pid_t pid[2];
	int i;

	for (i = 0; i < 2; i++) {
		pid[i] = start_loop(!i, 1);
		session_task(&s[i], pid[i], 0);
		session_event(&s[i], EV_INSNS, USER | SAMPLED, PERIOD_INSNS, 0x2);
		session_event(&s[i], EV_CYCLES, USER, PERIOD_CYCLES, 0x3);
		ASSERT_EQ(0, session_make(&s[i])) TH_LOG("%s", session_refusal(&s[i]));
	}
	slow = windows_of(&s[1]);
	for (i = 0; i < 2; i++)
		ASSERT_EQ(0, session_enable(&s[i]));
	/* The windows of the slow one end by themselves only: the model counts them. */
	EXPECT_TRUE(wait_for((session_drain(&s[0], note_hit, &p[0]), p[0].fast > 50) &&
			     windows_of(&s[1]) > slow + 100));
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, session_finish(&s[i], note_hit, &p[i]));
		EXPECT_ACCOUNTED(&s[i]);
	}
	EXPECT_EQ(0, p[0].slow);
	EXPECT_EQ(0, s[1].records);
	for (i = 0; i < 2; i++) {
		session_close(&s[i]);
		end_child(pid[i]);
	}
}

TEST_HARNESS_MAIN
