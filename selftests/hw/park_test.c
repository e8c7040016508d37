// SPDX-License-Identifier: GPL-2.0-only
/* Parked sessions: hold nothing, lose nothing; groups that do not fit together take turns. */
#include "work.h"
#include "intree.h"
#include "records.h"
#include "kselftest_harness.h"

#define ITERATIONS	200000ULL
#define LOOP_INSNS	(ITERATIONS * WORK_INSNS)
/* Each iteration has one branch. */
#define LOOP_BRANCHES	ITERATIONS
/* User instructions outside the loop: the system calls of the test itself */
#define SLACK_INSNS	4000ULL
/* More than any CPU of the model has, including the one that keeps in-tree perf off */
#define MOST_GP		8

static int park(struct session *s)
{
	return session_ctl(s, ACRPMU_PARK);
}

static uint32_t state(struct session *s)
{
	return session_read(s) ? 0 : s->accounts.state;
}

static int make_parked(struct session *s)
{
	s->attr.flags |= ACRPMU_SESSION_PARKED;
	return session_make(s);
}

/* Branches on every available general-purpose counter, repeatedly; 0: by the caller. */
static void fill_counters(struct session *s, uint64_t cpu_bits)
{
	int i, ret;

	for (i = MOST_GP; i; i--) {
		session_task(s, 0, 0);
		if (cpu_bits)
			session_cpus(s, cpu_bits);
		while (s->attr.nr_events < i)
			session_event(s, EV_BRANCHES, USER | COUNT, 0, 0);
		ret = session_make(s);
		if (!ret)
			return;
	}
}

FIXTURE(park) {
	struct session s, other;
};

FIXTURE_SETUP(park)
{
	self->other.fd = -1;
	session_task(&self->s, 0, 0);
	session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
}

FIXTURE_TEARDOWN(park)
{
	session_close(&self->s);
	session_close(&self->other);
}

TEST_F(park, starts_parked_and_holds_nothing)
{
	ASSERT_EQ(0, make_parked(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(-1, self->s.hw[0].cntr);
	EXPECT_EQ(0, self->s.hw[0].cfg_a);
	EXPECT_EQ(ACRPMU_STATE_PARKED, state(&self->s));
	EXPECT_EQ(0, self->s.accounts.nr_cpus);
	EXPECT_EQ(1, self->s.accounts.nr_tasks);
	fill_counters(&self->other, 0);
	ASSERT_LE(0, self->other.fd);

	EXPECT_EQ(-EBUSY, session_unpark(&self->s));
	EXPECT_EQ(ACRPMU_REASON_HELD, self->s.attr.error.reason);
	EXPECT_EQ(getpid(), self->s.attr.error.holder_pid);
	EXPECT_STREQ("park_test", self->s.attr.error.holder);
	EXPECT_EQ(ACRPMU_STATE_PARKED, state(&self->s));

	session_close(&self->other);
	EXPECT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(0, self->s.attr.error.reason);
	EXPECT_LE(0, self->s.hw[0].cntr);
	EXPECT_EQ(0, state(&self->s));
	EXPECT_LT(0, self->s.accounts.nr_cpus);
}

TEST_F(park, counts_only_while_it_is_not_parked)
{
	ASSERT_EQ(0, make_parked(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(0, self->s.counts[0].value);
	EXPECT_EQ(0, self->s.accounts.time_running_ns);
	EXPECT_LT(0, self->s.accounts.time_enabled_ns);
	EXPECT_EQ(ACRPMU_STATE_PARKED | ACRPMU_STATE_ENABLED, self->s.accounts.state);

	ASSERT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(0, session_unpark(&self->s));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, park(&self->s));
	EXPECT_EQ(0, park(&self->s));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_GE(self->s.counts[0].value, LOOP_BRANCHES);
	EXPECT_LE(self->s.counts[0].value, LOOP_BRANCHES + SLACK_INSNS);
	EXPECT_LT(0, self->s.accounts.time_running_ns);
	EXPECT_LT(self->s.accounts.time_running_ns, self->s.accounts.time_enabled_ns);
}

TEST_F(park, two_that_do_not_fit_together_take_turns)
{
	unsigned int i, round, nr;

	fill_counters(&self->s, 0);
	ASSERT_LE(0, self->s.fd);
	nr = self->s.attr.nr_events;
	ASSERT_EQ(0, park(&self->s));
	session_task(&self->other, 0, 0);
	for (i = 0; i < nr; i++)
		session_event(&self->other, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, make_parked(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, session_enable(&self->other));

	for (round = 0; round < 10; round++) {
		ASSERT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
		EXPECT_EQ(-EBUSY, session_unpark(&self->other));
		work_fast(ITERATIONS);
		ASSERT_EQ(0, park(&self->s));
		ASSERT_EQ(0, session_unpark(&self->other))
			TH_LOG("%s", session_refusal(&self->other));
		work_fast(2 * ITERATIONS);
		ASSERT_EQ(0, park(&self->other));
	}
	ASSERT_EQ(0, session_read(&self->s));
	ASSERT_EQ(0, session_read(&self->other));
	for (i = 0; i < nr; i++) {
		EXPECT_GE(self->s.counts[i].value, 10 * LOOP_BRANCHES);
		EXPECT_LE(self->s.counts[i].value, 10 * (LOOP_BRANCHES + SLACK_INSNS));
		EXPECT_GE(self->other.counts[i].value, 20 * LOOP_BRANCHES);
		EXPECT_LE(self->other.counts[i].value, 20 * (LOOP_BRANCHES + SLACK_INSNS));
	}
}

TEST_F(park, counting_resumes_on_other_counters_after_parking)
{
	int32_t before;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	before = self->s.hw[0].cntr;
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, park(&self->s));
	session_task(&self->other, 0, 0);
	session_event(&self->other, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	ASSERT_EQ(before, self->other.hw[0].cntr);
	ASSERT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_NE(before, self->s.hw[0].cntr);
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_GE(self->s.counts[0].value, 2 * LOOP_BRANCHES);
	EXPECT_LE(self->s.counts[0].value, 2 * LOOP_BRANCHES + SLACK_INSNS);
}

TEST_F(park, a_started_period_ends_after_parking)
{
	uint64_t period = LOOP_INSNS * 3 / 2, before, overflows = 0;
	unsigned int round;

	/* Fewer instructions between the loops than remain of a period at the end */
	session_task(&self->s, 0, 0);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, period, 0);
	ASSERT_EQ(0, make_parked(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	for (round = 0; round < 7; round++) {
		ASSERT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
		before = session_truth(&self->s, 0);
		work_fast(ITERATIONS);
		ASSERT_EQ(0, park(&self->s));
		overflows += oracle_get(ORACLE_OVERFLOWS_INT, ORACLE_ALL_CPUS,
					self->s.hw[0].cntr) - before;
	}
	ASSERT_EQ(0, session_disable(&self->s));
	session_drain(&self->s, NULL, NULL);
	ASSERT_EQ(0, session_read(&self->s));
	/* 7 loops are 4 periods and 2/3 of another. */
	EXPECT_EQ(4, overflows);
	EXPECT_EQ(overflows, self->s.accounts.records + self->s.accounts.lost +
			     self->s.accounts.throttled + self->s.accounts.discarded);
	EXPECT_EQ(self->s.accounts.records, self->s.records);
}

TEST_F(park, children_of_a_parked_session_are_followed)
{
	int gate[2];
	pid_t child;
	char byte;

	ASSERT_EQ(0, pipe(gate));
	session_task(&self->s, 0, ACRPMU_SESSION_INHERIT);
	session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, make_parked(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	child = fork();
	if (!child) {
		close(gate[1]);
		if (read(gate[0], &byte, 1) != 0)
			_exit(1);
		work_fast(ITERATIONS);
		_exit(0);
	}
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(2, self->s.accounts.nr_tasks);
	ASSERT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	close(gate[1]);
	ASSERT_EQ(child, waitpid(child, NULL, 0));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_GE(self->s.counts[0].value, LOOP_BRANCHES);
	EXPECT_LE(self->s.counts[0].value, LOOP_BRANCHES + 20 * SLACK_INSNS);
	EXPECT_EQ(1, self->s.accounts.nr_tasks);
	close(gate[0]);
}

TEST_F(park, in_tree_perf_counts_exactly_while_a_session_is_parked)
{
	struct intree e = { .config = EV_INSNS, .cpu = -1, .group = -1 };
	struct intree_count c;
	int fd;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, park(&self->s));
	fd = intree_open(&e);
	ASSERT_LE(0, fd);
	work_fast(ITERATIONS);
	c = intree_read(fd);
	EXPECT_GE(c.value, LOOP_INSNS);
	EXPECT_LE(c.value, LOOP_INSNS + SLACK_INSNS);
	EXPECT_EQ(c.enabled_ns, c.running_ns);
	EXPECT_EQ(-EBUSY, session_unpark(&self->s));
	EXPECT_EQ(getpid(), self->s.attr.error.holder_pid);
	close(fd);
	EXPECT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

TEST_F(park, cpus_that_went_offline_while_parked_are_reported)
{
	session_cpus(&self->s, 3);
	session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, make_parked(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, set_online(1, false));
	EXPECT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(ACRPMU_STATE_ENABLED | ACRPMU_STATE_CPU_LOST, state(&self->s));
	EXPECT_EQ(1, self->s.accounts.nr_cpus);
	ASSERT_EQ(0, set_online(1, true));
	ASSERT_EQ(0, park(&self->s));
	EXPECT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, state(&self->s));
	EXPECT_EQ(2, self->s.accounts.nr_cpus);
	ASSERT_EQ(0, park(&self->s));
	session_close(&self->s);

	session_cpus(&self->s, 2);
	session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, make_parked(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, set_online(1, false));
	EXPECT_EQ(-ENODEV, session_unpark(&self->s));
	EXPECT_EQ(ACRPMU_REASON_CPU_OFFLINE, self->s.attr.error.reason);
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(0, state(&self->s));
}

TEST_F(park, a_cpu_offline_and_back_while_parked_is_reserved_as_by_running_sessions)
{
	session_cpus(&self->s, 3);
	session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, make_parked(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, set_online(1, false));
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, state(&self->s));
	EXPECT_EQ(2, self->s.accounts.nr_cpus);
	/* it was parked, and misses nothing by that */
	EXPECT_EQ(0, self->s.accounts.time_missed_ns);
}

TEST_F(park, what_can_never_fit_is_refused_at_once)
{
	unsigned int i;

	session_task(&self->s, 0, 0);
	for (i = 0; i < ACRPMU_MAX_EVENTS; i++)
		session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
	EXPECT_EQ(-ENOSPC, make_parked(&self->s));
	EXPECT_EQ(ACRPMU_REASON_NO_ASSIGNMENT, self->s.attr.error.reason);
}

TEST_HARNESS_MAIN
