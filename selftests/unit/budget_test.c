// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the limits of a CPU: who pauses, and how many overflows a tick can have. */
#include "core_helpers.h"
#include "kmod/core/budget.h"

#define SESSIONS	6	/* each with one sampled counter */
#define NO_LIMIT	(~0ULL)

/**
 * struct cpu - sessions of one CPU, as the module keeps them and in the naive way
 * @paused: by session
 * @log: the session of each overflow of the tick, in order
 * @reached: overflows with which the limit was first exceeded, 0 before
 */
struct cpu {
	struct acrpmu_budget budget;
	struct acrpmu_use use[SESSIONS];
	u64 tick;
	unsigned int limit;
	bool paused[SESSIONS];
	unsigned int log[4096];
	unsigned int nr;
	unsigned int reached;
};

static void begin(struct cpu *cpu, u64 tick, unsigned int limit)
{
	cpu->tick = tick;
	cpu->limit = limit;
	cpu->nr = 0;
	cpu->reached = 0;
	memset(cpu->paused, 0, sizeof(cpu->paused));
}

static unsigned int count_in_log(const struct cpu *cpu, unsigned int session)
{
	unsigned int i, count = 0;

	for (i = 0; i < cpu->nr; i++)
		count += cpu->log[i] == session;
	return count;
}

/* With its share, the largest that runs, or from twice on any: by counting the log each time. */
static bool naive_pauses(struct cpu *cpu, unsigned int session)
{
	unsigned int other, own = count_in_log(cpu, session) + 1;

	cpu->log[cpu->nr++] = session;
	if (cpu->nr <= cpu->limit)
		return false;
	if (!cpu->reached)
		cpu->reached = cpu->nr;
	if (own * SESSIONS < cpu->reached)
		return false;
	if (cpu->nr >= 2 * cpu->reached)
		return true;
	for (other = 0; other < SESSIONS; other++)
		if (!cpu->paused[other] && count_in_log(cpu, other) > own)
			return false;
	return true;
}

static bool pauses(struct cpu *cpu, unsigned int session)
{
	const struct acrpmu_use *running[SESSIONS];
	unsigned int i, nr = 0;

	if (!acrpmu_budget_overflow(&cpu->budget, &cpu->use[session], cpu->tick, cpu->limit,
				    NO_LIMIT))
		return false;
	for (i = 0; i < SESSIONS; i++)
		if (!cpu->paused[i])
			running[nr++] = &cpu->use[i];
	return acrpmu_budget_must_pause(&cpu->budget, &cpu->use[session], running, nr,
					SESSIONS);
}

/* Each overflows as often as its weight says, at random, until all have paused. */
static void run_tick(struct cpu *cpu, const unsigned int *weights, unsigned int *differences,
		     unsigned int *unbounded)
{
	unsigned int sum = 0, left = 0, i, session, pick;
	bool naive;

	for (i = 0; i < SESSIONS; i++)
		sum += weights[i];
	for (left = SESSIONS; left;) {
		pick = rnd_below(sum);
		for (session = 0; pick >= weights[session]; session++)
			pick -= weights[session];
		if (cpu->paused[session])
			continue;
		naive = naive_pauses(cpu, session);
		*differences += pauses(cpu, session) != naive;
		cpu->paused[session] = naive;
		left -= naive;
	}
	*unbounded += cpu->nr >= 3 * cpu->reached + SESSIONS;
}

static void test_random(void)
{
	unsigned int differences = 0, unbounded = 0, i, j;
	unsigned int weights[SESSIONS];
	struct cpu cpu = { };

	for (i = 0; i < 20000; i++) {
		begin(&cpu, i + 1, 1 + rnd_below(40));
		for (j = 0; j < SESSIONS; j++)
			weights[j] = 1 + rnd_below(j % 2 ? 100 : 3);
		run_tick(&cpu, weights, &differences, &unbounded);
	}
	is_u64(differences, 0, "decisions agree with counting a log");
	is_u64(unbounded, 0, "no tick has three times the overflows and one of each session");
}

/* Session 1 has more than the average, but is not the largest. */
static void test_large_medium_small(void)
{
	unsigned int i, early = 0;
	struct cpu cpu = { };

	begin(&cpu, 1, 21);
	for (i = 0; i < 20; i++)
		early += pauses(&cpu, i % 5 < 3 ? 0 : 1);
	early += pauses(&cpu, 2);
	is_u64(early, 0, "12, 8 and 1 overflows are within the limit of 21");
	ok(!pauses(&cpu, 1), "the second largest does not pause while the largest runs");
	ok(!pauses(&cpu, 2), "nor does the smallest");
	ok(pauses(&cpu, 0), "the largest pauses");
	cpu.paused[0] = true;
	ok(pauses(&cpu, 1), "then the second largest pauses");
	cpu.paused[1] = true;
	ok(!pauses(&cpu, 2), "the smallest goes on");
	ok(pauses(&cpu, 2), "up to its share");
}

/* One that stands still beyond the limit must not hold the others open. */
static void test_largest_stands_still(void)
{
	struct cpu cpu = { };
	unsigned int i, nr = 0;

	begin(&cpu, 1, 9);
	for (i = 0; i < 9; i++)
		pauses(&cpu, 0);
	for (i = 0; !pauses(&cpu, 1 + i % 5); i++)
		nr++;
	is_u64(nr, 10, "the others have as much again");
	begin(&cpu, 2, 9);
	ok(!pauses(&cpu, 0), "the next tick begins at 0");
}

static void test_time(void)
{
	struct acrpmu_budget budget = { };
	struct acrpmu_use use = { };
	unsigned int i;

	for (i = 0; i < 2000; i++)
		acrpmu_budget_charge(&budget, 1000);
	ok(!acrpmu_budget_overflow(&budget, &use, 1, 100, 4000), "a new tick has no PMI");
	for (i = 0; i < 4; i++)
		acrpmu_budget_charge(&budget, 1000);
	ok(!acrpmu_budget_overflow(&budget, &use, 1, 100, 4000), "4 PMIs of 1 us within 4 us");
	acrpmu_budget_charge(&budget, 1000);
	ok(acrpmu_budget_overflow(&budget, &use, 1, 100, 4000), "5 PMIs of 1 us beyond 4 us");
	is_u64(budget.reached, 3, "with the third overflow");
	for (i = 0; i < 4; i++)
		acrpmu_budget_overflow(&budget, &use, 2, 100, 4000);
	acrpmu_budget_charge(&budget, 20000);
	ok(!acrpmu_budget_overflow(&budget, &use, 2, 100, 4000), "one slow PMI proves nothing");
}

int main(void)
{
	plan(0);
	test_large_medium_small();
	test_largest_stands_still();
	test_time();
	test_random();
	return done();
}
