// SPDX-License-Identifier: GPL-2.0-only
/* Tests of the limits of a CPU: who pauses, and how many overflows a tick can have. */
#include "core_helpers.h"
#include "kmod/core/budget.h"

#define SESSIONS	6
#define MAX_CNTRS	4	/* sampled ones of a session */
#define MAX_RESUMES	8	/* in a tick */
#define NO_LIMIT	(~0ULL)

/**
 * struct cpu - sessions of one CPU, as the module keeps them and in the naive way
 * @cntrs: sampled counters, by session
 * @nr_cntrs: their sum
 * @paused: by session
 * @log: the session of each overflow of the tick, in order
 * @reached: overflows with which the limit was first exceeded, 0 before
 */
struct cpu {
	struct acrpmu_budget budget;
	struct acrpmu_use use[SESSIONS];
	u64 tick;
	unsigned int limit;
	unsigned int cntrs[SESSIONS];
	unsigned int nr_cntrs;
	bool paused[SESSIONS];
	unsigned int log[4096];
	unsigned int nr;
	unsigned int reached;
};

/* Each session has up to @most counters. */
static void begin(struct cpu *cpu, u64 tick, unsigned int limit, unsigned int most)
{
	unsigned int i;

	cpu->tick = tick;
	cpu->limit = limit;
	cpu->nr = 0;
	cpu->reached = 0;
	memset(cpu->paused, 0, sizeof(cpu->paused));
	cpu->nr_cntrs = 0;
	for (i = 0; i < SESSIONS; i++) {
		cpu->cntrs[i] = 1 + rnd_below(most);
		cpu->nr_cntrs += cpu->cntrs[i];
	}
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
	if (own * cpu->nr_cntrs < cpu->reached)
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
	const struct acrpmu_use *running[SESSIONS * MAX_CNTRS];
	unsigned int i, j, nr = 0;

	if (!acrpmu_budget_overflow(&cpu->budget, &cpu->use[session], cpu->tick, cpu->limit,
				    NO_LIMIT))
		return false;
	for (i = 0; i < SESSIONS; i++)
		for (j = 0; !cpu->paused[i] && j < cpu->cntrs[i]; j++)
			running[nr++] = &cpu->use[i];
	return acrpmu_budget_must_pause(&cpu->budget, &cpu->use[session], running, nr,
					cpu->nr_cntrs);
}

/* One that runs, at random by weight; SESSIONS if none does. */
static unsigned int pick(const struct cpu *cpu, const unsigned int *weights)
{
	unsigned int sum = 0, session, at;

	for (session = 0; session < SESSIONS; session++)
		sum += cpu->paused[session] ? 0 : weights[session];
	if (!sum)
		return SESSIONS;
	at = rnd_below(sum);
	for (session = 0; cpu->paused[session] || at >= weights[session]; session++)
		at -= cpu->paused[session] ? 0 : weights[session];
	return session;
}

static void overflow(struct cpu *cpu, unsigned int session, unsigned int *differences)
{
	bool naive = naive_pauses(cpu, session);

	*differences += pauses(cpu, session) != naive;
	cpu->paused[session] |= naive;
}

/* Some do not run. */
static void draw(unsigned int *weights)
{
	unsigned int i;

	for (i = 0; i < SESSIONS; i++)
		weights[i] = rnd_below(rnd_below(2) ? 100 : 3);
}

/* Until all that run have paused; now and then tasks switch, or a pause ends within the tick. */
static void run_tick(struct cpu *cpu, unsigned int *differences, unsigned int *unbounded)
{
	unsigned int weights[SESSIONS], session, resumed = 0, resumed_cntrs = 0, i;

	draw(weights);
	for (session = pick(cpu, weights); session < SESSIONS; session = pick(cpu, weights)) {
		overflow(cpu, session, differences);
		/* its other counters, in the same PMI */
		for (i = 1; cpu->paused[session] && i < cpu->cntrs[session]; i++)
			if (rnd_below(2))
				overflow(cpu, session, differences);
		if (!rnd_below(20))
			draw(weights);
		i = rnd_below(4 * SESSIONS);
		if (i >= SESSIONS || !cpu->paused[i] || resumed == MAX_RESUMES)
			continue;
		cpu->paused[i] = false;
		resumed++;
		resumed_cntrs += cpu->cntrs[i];
	}
	*unbounded += cpu->nr >= 3 * cpu->reached + cpu->nr_cntrs + resumed_cntrs;
}

static void test_random(void)
{
	unsigned int differences = 0, unbounded = 0, i;
	struct cpu cpu = { };

	for (i = 0; i < 20000; i++) {
		begin(&cpu, i + 1, 1 + rnd_below(100), MAX_CNTRS);
		run_tick(&cpu, &differences, &unbounded);
	}
	is_u64(differences, 0, "decisions agree with counting a log");
	is_u64(unbounded, 0, "no tick has three times the overflows and one of each counter");
}

/* Session 1 has more than the average, but is not the largest. */
static void test_large_medium_small(void)
{
	unsigned int i, early = 0;
	struct cpu cpu = { };

	begin(&cpu, 1, 21, 1);
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

	begin(&cpu, 1, 9, 1);
	for (i = 0; i < 9; i++)
		pauses(&cpu, 0);
	for (i = 0; !pauses(&cpu, 1 + i % 5); i++)
		nr++;
	is_u64(nr, 10, "the others have as much again");
	begin(&cpu, 2, 9, 1);
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
