// SPDX-License-Identifier: GPL-2.0-only
/* Sessions on all CPUs of a machine that has more than a few, most of them with reload. */
#include "work.h"
#include "records.h"
#include "kselftest_harness.h"

#define TEST_SECONDS	900
#define LEAST_CPUS	3
#define PERIOD_INSNS	200000
#define PERIOD_CYCLES	100000
#define ROUNDS		2
/* Samples of each round; a window ends in either phase */
#define LEAST		(ROUNDS * (FAST_ITERATIONS * WORK_INSNS / PERIOD_INSNS - 1))
#define MOST		(ROUNDS * (FAST_ITERATIONS * WORK_INSNS / PERIOD_INSNS + 1))
#define ROUND_INSNS	(PHASE_ITERATIONS * WORK_INSNS)
/* Of a CPU's other programs at user level, and around the work: processes begin and end */
#define SLACK_INSNS	2000000ULL

static unsigned int nr_cpus;
static uint64_t all_cpus;

FIXTURE(wide) {
	struct session s;
	pid_t worker[MAX_CPUS];
};

FIXTURE_SETUP(wide)
{
	nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	all_cpus = (1ULL << nr_cpus) - 1;
	session_cpus(&self->s, all_cpus);
	memset(self->worker, 0, sizeof(self->worker));
	ASSERT_LE(LEAST_CPUS, nr_cpus);
	ASSERT_GE(MAX_CPUS, nr_cpus);
}

FIXTURE_TEARDOWN(wide)
{
	unsigned int cpu;

	session_close(&self->s);
	for (cpu = 0; cpu < MAX_CPUS; cpu++)
		end_child(self->worker[cpu]);
	for (cpu = 1; cpu < nr_cpus; cpu++)
		set_online(cpu, true);
}

/* Instructions while fewer than half as many cycles passed */
static void add_pair(struct session *s)
{
	session_event(s, EV_INSNS, USER | SAMPLED, PERIOD_INSNS, 0x2);
	session_event(s, EV_CYCLES, USER, PERIOD_CYCLES, 0x3);
}

/* One process on each CPU, which works until it is done. */
static bool work_everywhere(FIXTURE_DATA(wide) *self)
{
	int status, bad = 0;
	unsigned int cpu;

	for (cpu = 0; cpu < nr_cpus; cpu++) {
		self->worker[cpu] = fork();
		if (!self->worker[cpu]) {
			if (pin_to(0, cpu))
				_exit(1);
			work_phases(ROUNDS);
			_exit(0);
		}
	}
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		bad += waitpid(self->worker[cpu], &status, 0) < 0 || status;
		self->worker[cpu] = 0;
	}
	return !bad;
}

struct seen {
	uint64_t fast[MAX_CPUS], slow[MAX_CPUS];
};

static void note(const struct sample *sample, void *data)
{
	struct seen *seen = data;

	seen->fast[sample->cpu % MAX_CPUS] += in_fast(sample->ip);
	seen->slow[sample->cpu % MAX_CPUS] += in_slow(sample->ip);
}

TEST_F_TIMEOUT(wide, group_samples_the_same_on_each_cpu, TEST_SECONDS)
{
	struct seen seen = { 0 };
	unsigned int cpu;

	add_pair(&self->s);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_TRUE(work_everywhere(self));
	ASSERT_EQ(0, session_finish(&self->s, note, &seen));
	EXPECT_EQ(nr_cpus, self->s.accounts.nr_cpus);
	EXPECT_ACCOUNTED(&self->s);
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		EXPECT_LE(LEAST, seen.fast[cpu]) TH_LOG("CPU %u", cpu);
		EXPECT_GE(MOST, seen.fast[cpu]) TH_LOG("CPU %u", cpu);
		EXPECT_EQ(0, seen.slow[cpu]) TH_LOG("CPU %u", cpu);
		ASSERT_EQ(0, session_read_cpu(&self->s, cpu));
		EXPECT_EQ(1, self->s.accounts.nr_cpus);
		EXPECT_LE(seen.fast[cpu], self->s.accounts.records);
	}
}

/* As many as there are counters, all with the same event; the next one finds none. */
TEST_F_TIMEOUT(wide, sessions_fill_the_counters_of_each_cpu_and_count_alike, TEST_SECONDS)
{
	static struct session s[ACRPMU_MAX_EVENTS];
	unsigned int nr = 0, cpu, i;
	uint64_t count;

	do {
		session_cpus(&s[nr], all_cpus);
		session_event(&s[nr], EV_BRANCHES, USER | COUNT, 0, 0);
	} while (!session_make(&s[nr]) && ++nr < ACRPMU_MAX_EVENTS);
	ASSERT_GT(ACRPMU_MAX_EVENTS, nr);
	EXPECT_EQ(ACRPMU_REASON_HELD, s[nr].attr.error.reason)
		TH_LOG("%s", session_refusal(&s[nr]));
	/* eight general-purpose counters, of which the claim may have one */
	EXPECT_LE(7, nr);
	EXPECT_GE(8, nr);
	for (i = 0; i < nr; i++)
		ASSERT_EQ(0, session_enable(&s[i]));
	EXPECT_TRUE(work_everywhere(self));
	for (i = 0; i < nr; i++)
		ASSERT_EQ(0, session_disable(&s[i]));
	for (cpu = 0; cpu < nr_cpus; cpu++)
		for (i = 0; i < nr; i++) {
			ASSERT_EQ(0, session_read_cpu(&s[i], cpu));
			count = s[i].counts[0].value;
			EXPECT_LE(ROUNDS * PHASE_ITERATIONS, count);
			EXPECT_GE(ROUNDS * PHASE_ITERATIONS + SLACK_INSNS, count);
		}
	for (i = 0; i < nr; i++)
		session_close(&s[i]);
}

/* It begins a round on each CPU in turn, and so many times that each CPU has it more than once. */
TEST_F_TIMEOUT(wide, task_is_sampled_on_each_cpu_that_it_visits, TEST_SECONDS)
{
	struct seen seen = { 0 };
	unsigned int visit;
	uint64_t fast = 0;

	session_task(&self->s, 0, 0);
	add_pair(&self->s);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	for (visit = 0; visit < 2 * nr_cpus; visit++) {
		ASSERT_EQ(0, pin_to(0, visit * (nr_cpus - 1) % nr_cpus));
		work_phases(ROUNDS);
	}
	ASSERT_EQ(0, session_finish(&self->s, note, &seen));
	EXPECT_EQ(nr_cpus, self->s.accounts.nr_cpus);
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_LE(2 * nr_cpus * ROUNDS * ROUND_INSNS, self->s.counts[2].value);
	EXPECT_GE(2 * nr_cpus * ROUNDS * ROUND_INSNS + SLACK_INSNS, self->s.counts[2].value);
	for (visit = 0; visit < nr_cpus; visit++) {
		EXPECT_LE(LEAST, seen.fast[visit]) TH_LOG("CPU %u", visit);
		EXPECT_EQ(0, seen.slow[visit]) TH_LOG("CPU %u", visit);
		fast += seen.fast[visit];
	}
	EXPECT_LE(2 * nr_cpus * LEAST, fast);
	EXPECT_GE(2 * nr_cpus * MOST, fast);
}

/* All but the first go offline one after another, and come back in the same order. */
TEST_F_TIMEOUT(wide, session_of_all_has_each_cpu_back_that_was_offline, TEST_SECONDS)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	unsigned int cpu;

	add_pair(&self->s);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_TRUE(work_everywhere(self));
	for (cpu = 1; cpu < nr_cpus; cpu++) {
		ASSERT_EQ(0, set_online(cpu, false));
		ASSERT_EQ(0, session_read(&self->s));
		EXPECT_EQ(nr_cpus - cpu, self->s.accounts.nr_cpus);
		EXPECT_TRUE(self->s.accounts.state & ACRPMU_STATE_CPU_LOST);
	}
	for (cpu = 1; cpu < nr_cpus; cpu++) {
		ASSERT_EQ(0, set_online(cpu, true));
		EXPECT_TRUE(wait_for(!session_query_cpu(&self->s, cpu, hw) && hw[0].cntr >= 0));
	}
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->s.accounts.state);
	EXPECT_EQ(nr_cpus, self->s.accounts.nr_cpus);
	EXPECT_TRUE(work_everywhere(self));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	for (cpu = 0; cpu < nr_cpus; cpu++) {
		ASSERT_EQ(0, session_read_cpu(&self->s, cpu));
		EXPECT_LE(2 * LEAST, self->s.counts[0].overflows) TH_LOG("CPU %u", cpu);
	}
}

TEST_HARNESS_MAIN
