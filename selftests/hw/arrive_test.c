// SPDX-License-Identifier: GPL-2.0-only
/* Tasks on CPUs that their session does not hold: these are reserved, or time is missed. */
#include "work.h"
#include <linux/perf_event.h>
#include <poll.h>
#include <sys/syscall.h>
#include <time.h>
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

#define PERIOD	50000

/* A child that works until it is killed, on the caller's CPU until a test moves it. */
static pid_t start_worker(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;)
		work_fast(20000);
}

static bool holds(const struct session *s, int cpu)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];

	return !session_query_cpu(s, cpu, hw) && hw[0].cntr >= 0;
}

/* by the module */
static uint64_t accesses_on(int cpu)
{
	static const unsigned int ops[] = { ORACLE_RD, ORACLE_WR, ORACLE_RDPMC };
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < 3; i++)
		sum += oracle_accesses(cpu, ORACLE_ALL_MSRS, ops[i], ORACLE_ORIGIN_RANGE,
				       ORACLE_ANY_TIME);
	return sum;
}

/* CPU time of a task since some moment of the past, in nanoseconds */
static uint64_t cpu_ns(pid_t pid)
{
	struct timespec t = { };
	clockid_t clock;

	if (!clock_getcpuclockid(pid, &clock))
		clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

/* An event of perf that counts nothing, for the time that a task runs. */
static int perf_open_time(pid_t pid)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return syscall(SYS_perf_event_open, &attr, pid, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static uint64_t perf_read_time(int fd)
{
	uint64_t count_time[2];

	return read(fd, count_time, sizeof(count_time)) == sizeof(count_time) ? count_time[1] : 0;
}

static bool polls_pri(const struct session *s)
{
	struct pollfd poll_fd = { .fd = s->fd, .events = POLLPRI };

	return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLPRI;
}

FIXTURE(arrive) {
	struct session s;
	pid_t pid;
};

FIXTURE_SETUP(arrive)
{
	ASSERT_EQ(0, pin_to(0, 0));
	self->pid = start_worker();
	ASSERT_LT(0, self->pid);
	/* so that its CPUs are known before the session is created */
	ASSERT_TRUE(wait_for(cpu_ns(self->pid) > 1000000));
	session_task(&self->s, self->pid, 0);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
	self->s.arrives = true;
}

FIXTURE_TEARDOWN(arrive)
{
	end_child(self->pid);
	session_close(&self->s);
	oracle_get(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0);
}

TEST_F(arrive, session_holds_only_where_its_task_may_run)
{
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_TRUE(holds(&self->s, 0));
	EXPECT_FALSE(holds(&self->s, 1));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(1, self->s.accounts.nr_cpus);
}

/* Not one register of the other CPU is touched by the whole life of the session. */
TEST_F(arrive, other_cpus_are_left_in_peace)
{
	uint64_t before;

	ASSERT_LT(0, module_add_ranges());
	before = accesses_on(1);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_TRUE(wait_for(session_count(&self->s) > 10 * PERIOD));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	session_close(&self->s);
	EXPECT_EQ(before, accesses_on(1));
}

TEST_F(arrive, cpu_is_reserved_when_the_task_runs_there)
{
	uint64_t records;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_TRUE(wait_for(session_count(&self->s) > 10 * PERIOD));
	EXPECT_EQ(0, self->s.accounts.time_missed_ns);
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->s.accounts.state);
	EXPECT_FALSE(polls_pri(&self->s));

	ASSERT_EQ(0, pin_to(self->pid, 1));
	ASSERT_TRUE(wait_for(holds(&self->s, 1)));
	ASSERT_TRUE(wait_for(polls_pri(&self->s)));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(ACRPMU_STATE_ENABLED | ACRPMU_STATE_NEW_RING, self->s.accounts.state);
	EXPECT_EQ(2, self->s.accounts.nr_cpus);
	EXPECT_LT(0, self->s.accounts.time_missed_ns);
	session_map_ring(&self->s, 1);
	ASSERT_NE(NULL, self->s.ring[1]);
	EXPECT_FALSE(polls_pri(&self->s));

	session_drain(&self->s, NULL, NULL);
	records = self->s.records;
	ASSERT_TRUE(wait_for((session_drain(&self->s, NULL, NULL), self->s.records) >
			     records + 10));
	ASSERT_EQ(0, kill(self->pid, SIGSTOP));
	ASSERT_TRUE(wait_for(task_state(self->pid, self->pid) == 'T'));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_EQ(self->s.records, self->s.accounts.records);
}

TEST_F(arrive, time_until_a_cpu_is_reserved_is_missed)
{
	uint64_t before_ns, after_ns, least_ns, most_ns, covered_ns, scheduler_ns;
	int perf = perf_open_time(self->pid);
	struct session s = self->s;

	ASSERT_LT(0, perf);
	/*
	 * In a switch the module reads the clock after the scheduler and before perf.  A host that
	 * stops the machine in between makes these two differ: that spoils an attempt; the harness
	 * ends endless ones.
	 */
	do {
		ASSERT_EQ(0, pin_to(self->pid, 0));
		self->s = s;
		ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
		scheduler_ns = cpu_ns(self->pid);
		before_ns = perf_read_time(perf);
		ASSERT_EQ(0, session_enable(&self->s));
		after_ns = perf_read_time(perf);
		ASSERT_TRUE(wait_for(session_count(&self->s) > 10 * PERIOD));
		ASSERT_EQ(0, pin_to(self->pid, 1));
		ASSERT_TRUE(wait_for(holds(&self->s, 1)));
		ASSERT_EQ(0, kill(self->pid, SIGSTOP));
		ASSERT_TRUE(wait_for(task_state(self->pid, self->pid) == 'T'));
		least_ns = perf_read_time(perf) - after_ns;
		most_ns = least_ns + after_ns - before_ns;
		scheduler_ns = cpu_ns(self->pid) - scheduler_ns;
		ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
		EXPECT_LT(0, self->s.accounts.time_missed_ns);
		covered_ns = self->s.accounts.time_running_ns + self->s.accounts.time_missed_ns;
		TH_LOG("ran %lu to %lu us, by the scheduler %lu: counted %llu us, missed %llu us",
		       least_ns / 1000, most_ns / 1000, scheduler_ns / 1000,
		       self->s.accounts.time_running_ns / 1000,
		       self->s.accounts.time_missed_ns / 1000);
		session_close(&self->s);
		ASSERT_EQ(0, kill(self->pid, SIGCONT));
	} while (most_ns > least_ns * 11 / 10 || scheduler_ns < least_ns * 9 / 10 ||
		 scheduler_ns > most_ns * 11 / 10);
	/* a tenth as the attempts, another for the module's own readings of the clock */
	EXPECT_LE(least_ns * 8 / 10, covered_ns);
	EXPECT_GE(most_ns * 12 / 10, covered_ns);
	ASSERT_EQ(0, close(perf));
}

/* `-C` beside a task: that task, only on those CPUs. */
TEST_F(arrive, time_on_cpus_outside_of_the_target_is_missed)
{
	ASSERT_EQ(0, pin_to(self->pid, 1));
	self->s.cpu_bits = 1;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_TRUE(wait_for(!session_read(&self->s) &&
			     self->s.accounts.time_missed_ns > 50000000));
	EXPECT_EQ(0, self->s.counts[0].value);
	EXPECT_EQ(0, self->s.accounts.time_running_ns);
	EXPECT_EQ(1, self->s.accounts.nr_cpus);
	EXPECT_FALSE(holds(&self->s, 1));

	ASSERT_EQ(0, pin_to(self->pid, 0));
	EXPECT_TRUE(wait_for(session_count(&self->s) > 10 * PERIOD));
}

TEST_F(arrive, nothing_is_missed_while_disabled_or_parked)
{
	struct acrpmu_read before;

	ASSERT_EQ(0, pin_to(self->pid, 1));
	self->s.cpu_bits = 1;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_TRUE(wait_for(!session_read(&self->s) && self->s.accounts.time_missed_ns));
	ASSERT_EQ(0, session_ctl(&self->s, ACRPMU_PARK));
	ASSERT_EQ(0, session_read(&self->s));
	before = self->s.accounts;
	work_fast(2000000);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(before.time_missed_ns, self->s.accounts.time_missed_ns);

	ASSERT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_TRUE(wait_for(!session_read(&self->s) &&
			     self->s.accounts.time_missed_ns > before.time_missed_ns));
	ASSERT_EQ(0, session_disable(&self->s));
	ASSERT_EQ(0, session_read(&self->s));
	before = self->s.accounts;
	work_fast(2000000);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(before.time_missed_ns, self->s.accounts.time_missed_ns);
}

/* Of the CPUs given, none is reserved before the task runs there. */
TEST_F(arrive, cpus_can_wait_for_the_task)
{
	self->s.attr.flags |= ACRPMU_SESSION_ARRIVE;
	self->s.cpu_bits = 1 << 1;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_FALSE(holds(&self->s, 1));
	EXPECT_EQ(0, session_count(&self->s));
	EXPECT_EQ(0, self->s.accounts.nr_cpus);
	EXPECT_TRUE(wait_for(session_count(&self->s) || self->s.accounts.time_missed_ns));

	ASSERT_EQ(0, pin_to(self->pid, 1));
	ASSERT_TRUE(wait_for(holds(&self->s, 1)));
	EXPECT_TRUE(wait_for(session_count(&self->s) > 10 * PERIOD));
	EXPECT_EQ(1, self->s.accounts.nr_cpus);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
}

/* A session can be parked and go on while it waits. */
TEST_F(arrive, parked_session_can_wait_for_the_task)
{
	self->s.attr.flags |= ACRPMU_SESSION_ARRIVE | ACRPMU_SESSION_PARKED;
	self->s.cpu_bits = 1 << 1;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_unpark(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, pin_to(self->pid, 1));
	EXPECT_TRUE(wait_for(session_count(&self->s) > 10 * PERIOD));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
}

TEST_HARNESS_MAIN
