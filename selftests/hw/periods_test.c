// SPDX-License-Identifier: GPL-2.0-only
/* Periods that change while a session runs: together, at once, and for every CPU and task. */
#include "work.h"
#include <pthread.h>
#include "records.h"
#include "kselftest_harness.h"

#define ITERATIONS	200000ULL
#define LOOP_INSNS	(ITERATIONS * WORK_INSNS)
/* Each iteration has one branch. */
#define LOOP_BRANCHES	ITERATIONS
/* User instructions outside the loop: the system calls of the test itself */
#define SLACK_INSNS	4000ULL
/* check_periods.awk reads the log from this mark on; counters follow in the lower bits */
#define TAG_BEGIN	0x50450000U
#define TAG_END		0x50454e44U
#define CHANGES		200
#define MIN_FACTOR	5000
#define MAX_FACTOR	60000
#define TASKS		3

FIXTURE(periods) {
	struct session s;
	pid_t pid;
	uint64_t period;	/* the only one that samples may have, 0: any that was used */
	uint64_t allowed[CHANGES + 1];
	unsigned int nr_allowed;
	uint64_t sum, bad_period, in_slow;
};

FIXTURE_SETUP(periods)
{
	ASSERT_EQ(0, pin_to(0, 0));
	session_task(&self->s, 0, 0);
}

FIXTURE_TEARDOWN(periods)
{
	end_child(self->pid);
	session_close(&self->s);
	set_online(1, true);
}

static int set_periods(struct session *s, uint64_t first, uint64_t second)
{
	uint64_t periods[] = { first, second };
	struct acrpmu_set_periods set = {
		.size = sizeof(set), .periods = (uintptr_t)periods,
		.nr_periods = s->attr.nr_events,
	};

	return ioctl(s->fd, ACRPMU_SET_PERIODS, &set) ? -errno : 0;
}

static void check(const struct sample *sample, void *data)
{
	FIXTURE_DATA(periods) *self = data;
	bool good = sample->period == self->period;
	unsigned int i;

	for (i = 0; !self->period && i < self->nr_allowed; i++)
		good |= sample->period == self->allowed[i];
	self->bad_period += !good;
	self->sum += sample->period;
	self->in_slow += in_slow(sample->ip);
}

/* Samples since the last call; @period: of each of them */
static uint64_t samples(FIXTURE_DATA(periods) *self, uint64_t period)
{
	uint64_t before = self->s.records;

	self->period = period;
	session_drain(&self->s, check, self);
	return self->s.records - before;
}

static void add_pair(struct session *s, uint64_t factor)
{
	session_event(s, EV_INSNS, USER | SAMPLED, 2 * factor, 0x2);
	session_event(s, EV_CYCLES, USER, factor, 0x3);
}

static bool holds(const struct session *s, int cpu)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];

	return !session_query_cpu(s, cpu, hw) && hw[0].cntr >= 0;
}

static bool starts_with(const struct session *s, int cpu, uint64_t period)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];

	return !session_query_cpu(s, cpu, hw) && hw[0].cntr >= 0 &&
	       (uint32_t)hw[0].start == (uint32_t)-period;
}

/* A period of which @nr and a half fit into one loop */
static uint64_t period_of(unsigned int nr)
{
	return 2 * LOOP_INSNS / (2 * nr + 1);
}

TEST_F(periods, each_sample_carries_the_period_that_it_ended)
{
	unsigned int round, nr;

	session_event(&self->s, EV_INSNS, USER | SAMPLED, LOOP_INSNS, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	for (round = 0; round < 24; round++) {
		nr = 1 + round * 5 % 8;
		ASSERT_EQ(0, set_periods(&self->s, period_of(nr), 0));
		work_fast(ITERATIONS);
		EXPECT_EQ(nr, samples(self, period_of(nr)));
		EXPECT_EQ(0, self->bad_period);
	}
	ASSERT_EQ(0, session_finish(&self->s, check, self));
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(periods, reload_windows_are_whole_ones)
{
	unsigned int round, nr;

	add_pair(&self->s, LOOP_INSNS);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	for (round = 0; round < 24; round++) {
		nr = 1 + round * 5 % 8;
		ASSERT_EQ(0, set_periods(&self->s, period_of(nr), period_of(nr) / 2));
		work_fast(ITERATIONS);
		EXPECT_EQ(nr, samples(self, period_of(nr)));
		EXPECT_EQ(0, self->bad_period);
	}
	ASSERT_EQ(0, session_finish(&self->s, check, self));
	EXPECT_EQ(self->sum, self->s.counts[0].value);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(periods, nothing_is_missed_by_counts)
{
	unsigned int round;

	session_event(&self->s, EV_INSNS, USER | SAMPLED, 3 * LOOP_INSNS, 0);
	session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	for (round = 0; round < 50; round++) {
		work_fast(ITERATIONS);
		ASSERT_EQ(0, set_periods(&self->s, (3 + round % 2) * LOOP_INSNS, 0));
	}
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	/* No period was long enough to end. */
	EXPECT_EQ(0, self->s.counts[0].overflows);
	EXPECT_GE(self->s.counts[0].value, 50 * LOOP_INSNS);
	EXPECT_LE(self->s.counts[0].value, 50 * (LOOP_INSNS + SLACK_INSNS));
	EXPECT_GE(self->s.counts[1].value, 50 * LOOP_BRANCHES);
	EXPECT_LE(self->s.counts[1].value, 50 * (LOOP_BRANCHES + SLACK_INSNS));
}

/* A child that works for as long as one loop takes whenever it is asked to. */
static pid_t start_obedient(int *ask, int *answer)
{
	int to[2], from[2];
	char byte = 0;
	pid_t pid;

	if (pipe(to) || pipe(from))
		return -1;
	pid = fork();
	while (!pid) {
		if (read(to[0], &byte, 1) != 1)
			_exit(1);
		work_fast(ITERATIONS);
		if (write(from[1], &byte, 1) != 1)
			_exit(1);
	}
	close(to[0]);
	close(from[1]);
	*ask = to[1];
	*answer = from[0];
	return pid;
}

static bool works(int ask, int answer)
{
	char byte = 0;

	return write(ask, &byte, 1) == 1 && read(answer, &byte, 1) == 1;
}

TEST_F(periods, a_task_that_does_not_run_begins_new_ones_when_it_does)
{
	const uint64_t first = LOOP_INSNS * 3 / 2, second = LOOP_INSNS * 3 / 4;
	int ask, answer;

	self->pid = start_obedient(&ask, &answer);
	ASSERT_LT(0, self->pid);
	session_task(&self->s, self->pid, 0);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, first, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_TRUE(works(ask, answer));
	ASSERT_TRUE(wait_for(task_state(self->pid, self->pid) == 'S'));
	/* It has two thirds of a period behind it, which do not count. */
	ASSERT_EQ(0, set_periods(&self->s, first, 0));
	ASSERT_TRUE(works(ask, answer));
	EXPECT_EQ(0, samples(self, first));
	ASSERT_TRUE(works(ask, answer));
	EXPECT_EQ(1, samples(self, first));
	ASSERT_TRUE(wait_for(task_state(self->pid, self->pid) == 'S'));
	ASSERT_EQ(0, set_periods(&self->s, second, 0));
	ASSERT_TRUE(works(ask, answer));
	EXPECT_EQ(1, samples(self, second));
	EXPECT_EQ(0, self->bad_period);
	ASSERT_EQ(0, session_finish(&self->s, check, self));
	EXPECT_ACCOUNTED(&self->s);
	close(ask);
	close(answer);
}

/* A child that works until it is killed. */
static pid_t start_worker(int cpu, void *(*work)(void *unused))
{
	pid_t pid = fork();

	if (!pid) {
		pin_to(0, cpu);
		work(NULL);
	}
	return pid;
}

static void *alternate(void *unused)
{
	for (;;)
		work_phases(1);
	return NULL;
}

static void *take_turns(void *unused)
{
	for (;;) {
		work_fast(3000);
		sched_yield();
	}
	return NULL;
}

static void *begin_turns(void *unused)
{
	pthread_t thread;
	int i;

	for (i = 1; i < TASKS; i++)
		pthread_create(&thread, NULL, take_turns, NULL);
	return take_turns(NULL);
}

TEST_F(periods, ratio_holds_for_every_sample_however_often_they_change)
{
	uint64_t seed = 1, factor;
	unsigned int i;

	self->pid = start_worker(1, alternate);
	ASSERT_LT(0, self->pid);
	session_task(&self->s, self->pid, 0);
	add_pair(&self->s, MAX_FACTOR);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	oracle_mark(TAG_BEGIN | self->s.hw[0].cntr << 8 | self->s.hw[1].cntr);
	self->allowed[self->nr_allowed++] = 2 * MAX_FACTOR;
	ASSERT_EQ(0, session_enable(&self->s));
	for (i = 0; i < CHANGES; i++) {
		seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
		factor = MIN_FACTOR + (seed >> 33) % (MAX_FACTOR - MIN_FACTOR);
		/* From now on samples may have it, but also still the one before. */
		self->allowed[self->nr_allowed++] = 2 * factor;
		ASSERT_EQ(0, set_periods(&self->s, 2 * factor, factor));
		usleep(5000);
		samples(self, 0);
	}
	EXPECT_TRUE(wait_for((samples(self, 0), self->s.records > CHANGES)));
	ASSERT_EQ(0, session_finish(&self->s, check, self));
	oracle_mark(TAG_END);
	EXPECT_EQ(0, self->bad_period);
	EXPECT_EQ(0, self->in_slow);
	EXPECT_ACCOUNTED(&self->s);
	/* What was discarded, lost or throttled has no record to take its period from. */
	factor = self->s.counts[0].overflows - self->s.records;
	EXPECT_GE(self->s.counts[0].value, self->sum + factor * 2 * MIN_FACTOR);
	EXPECT_LE(self->s.counts[0].value, self->sum + factor * 2 * MAX_FACTOR);
	ASSERT_EQ(0, session_ctl(&self->s, ACRPMU_RESET));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(0, self->s.counts[0].value);
}

/* Tasks that replace each other hand over started periods, if these are the same. */
TEST_F(periods, tasks_that_take_turns_all_get_them)
{
	unsigned int i;

	self->pid = start_worker(1, begin_turns);
	ASSERT_LT(0, self->pid);
	session_task(&self->s, self->pid, ACRPMU_SESSION_PROCESS | ACRPMU_SESSION_INHERIT);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, 20000, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	self->allowed[self->nr_allowed++] = 20000;
	ASSERT_EQ(0, session_enable(&self->s));
	for (i = 0; i < CHANGES / 2; i++) {
		self->allowed[self->nr_allowed++] = 20001 + i;
		ASSERT_EQ(0, set_periods(&self->s, 20001 + i, 0));
		usleep(5000);
		samples(self, 0);
	}
	/* None with an old one comes after a change has returned and what was there is read. */
	samples(self, 0);
	ASSERT_TRUE(wait_for(samples(self, 20000 + CHANGES / 2) > 10));
	ASSERT_EQ(0, session_finish(&self->s, check, self));
	EXPECT_EQ(0, self->bad_period);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(periods, cpu_that_is_reserved_later_gets_them)
{
	self->pid = start_worker(0, take_turns);
	ASSERT_LT(0, self->pid);
	session_task(&self->s, self->pid, 0);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, 50000, 0);
	self->s.arrives = true;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, set_periods(&self->s, 70000, 0));
	samples(self, 0);
	ASSERT_EQ(0, pin_to(self->pid, 1));
	ASSERT_TRUE(wait_for(holds(&self->s, 1)));
	EXPECT_TRUE(starts_with(&self->s, 1, 70000));
	session_map_ring(&self->s, 1);
	ASSERT_NE(NULL, self->s.ring[1]);
	self->bad_period = 0;
	ASSERT_TRUE(wait_for(samples(self, 70000) > 10));
	EXPECT_EQ(0, self->bad_period);
}

TEST_F(periods, cpu_that_is_offline_gets_them_when_it_returns)
{
	self->pid = start_worker(0, take_turns);
	ASSERT_LT(0, self->pid);
	session_task(&self->s, self->pid, 0);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, 50000, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, set_online(1, false));
	ASSERT_EQ(0, set_periods(&self->s, 70000, 0));
	EXPECT_TRUE(starts_with(&self->s, 0, 70000));
	ASSERT_EQ(0, set_online(1, true));
	ASSERT_TRUE(wait_for(holds(&self->s, 1)));
	EXPECT_TRUE(starts_with(&self->s, 1, 70000));
	samples(self, 0);
	self->bad_period = 0;
	ASSERT_EQ(0, pin_to(self->pid, 1));
	ASSERT_TRUE(wait_for(samples(self, 70000) > 10));
	EXPECT_EQ(0, self->bad_period);
}

TEST_HARNESS_MAIN
