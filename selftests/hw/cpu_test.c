// SPDX-License-Identifier: GPL-2.0-only
/* CPU sessions on any list of CPUs, and CPUs that go offline and online during sessions. */
#include "work.h"
#include <time.h>
#include "records.h"
#include "kselftest_harness.h"

#define PERIOD		50000
#define MISSED_NS	100000000
#define NR_REGS		4

/* The registers of an event's counter, as the model CPU has them. */
static void read_registers(const struct session *s, unsigned int ev, int cpu, uint64_t *regs)
{
	const uint32_t msrs[NR_REGS] = { s->hw[ev].cntr_msr, s->hw[ev].cfg_a_msr,
					 s->hw[ev].cfg_b_msr, s->hw[ev].cfg_c_msr };
	int i;

	for (i = 0; i < NR_REGS; i++)
		regs[i] = msrs[i] ? oracle_get(ORACLE_MSR, cpu, msrs[i]) : 0;
}

static void load_both(unsigned int iterations)
{
	pid_t pid = fork();

	if (!pid) {
		pin_to(0, 1);
		work_fast(iterations);
		_exit(0);
	}
	pin_to(0, 0);
	work_fast(iterations);
	waitpid(pid, NULL, 0);
}

struct cpus_seen {
	uint64_t on[MAX_CPUS];
};

static void note_cpu(const struct sample *sample, void *data)
{
	struct cpus_seen *seen = data;

	seen->on[sample->cpu % MAX_CPUS]++;
}

FIXTURE(cpus) {
	struct session s;
};

FIXTURE_VARIANT(cpus) {
	uint64_t bits;
};

FIXTURE_VARIANT_ADD(cpus, first) { .bits = 1 };

FIXTURE_VARIANT_ADD(cpus, second) { .bits = 2 };

FIXTURE_VARIANT_ADD(cpus, both) { .bits = 3 };

FIXTURE_SETUP(cpus)
{
	session_cpus(&self->s, variant->bits);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(&self->s, EV_BRANCHES, USER | KERNEL | SAMPLED, PERIOD, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

FIXTURE_TEARDOWN(cpus)
{
	session_close(&self->s);
}

TEST_F(cpus, of_the_list_are_counted_and_no_others)
{
	struct cpus_seen seen = { 0 };
	uint64_t before[2], counted, all = 0;
	int cpu;

	ASSERT_EQ(0, session_enable(&self->s));
	for (cpu = 0; cpu < 2; cpu++)
		before[cpu] = oracle_events(cpu, ORACLE_EV_INSN, false);
	load_both(2000000);
	for (cpu = 0; cpu < 2; cpu++) {
		uint64_t truth = oracle_events(cpu, ORACLE_EV_INSN, false) - before[cpu];

		if (!(variant->bits & 1ULL << cpu)) {
			EXPECT_EQ(-EINVAL, session_read_cpu(&self->s, cpu));
			continue;
		}
		ASSERT_EQ(0, session_read_cpu(&self->s, cpu));
		counted = self->s.counts[0].value;
		/* Some code runs before the first reading and after the last one. */
		EXPECT_GE(counted + 100, truth);
		EXPECT_LE(counted, truth + 200000);
		EXPECT_EQ(1, self->s.accounts.nr_cpus);
		all += counted;
	}
	ASSERT_EQ(0, session_finish(&self->s, note_cpu, &seen));
	EXPECT_GE(self->s.counts[0].value, all);
	EXPECT_ACCOUNTED(&self->s);
	for (cpu = 0; cpu < 2; cpu++) {
		bool listed = variant->bits & 1ULL << cpu;

		EXPECT_EQ(listed, seen.on[cpu] > 0);
		EXPECT_GE(seen.on[cpu], listed ? 30 : 0);
	}
}

TEST_F(cpus, of_two_sessions_share_the_counters)
{
	struct session other;

	session_cpus(&other, variant->bits);
	session_event(&other, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
	ASSERT_EQ(0, session_make(&other)) TH_LOG("%s", session_refusal(&other));
	EXPECT_NE(self->s.hw[1].cntr, other.hw[0].cntr);
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, session_enable(&other));
	load_both(1000000);
	ASSERT_EQ(0, session_finish(&other, NULL, NULL));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_ACCOUNTED(&other);
	EXPECT_GT(other.records, 10);
	session_close(&other);
}

FIXTURE(hotplug) {
	uint64_t before[NR_REGS];
	struct session s;
	pid_t busy;
};

FIXTURE_SETUP(hotplug)
{
	/* The registers of the counter that will be used, before the session. */
	session_cpus(&self->s, 3);
	session_event(&self->s, EV_BRANCHES, USER | KERNEL | SAMPLED, 10000, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	session_close(&self->s);
	read_registers(&self->s, 0, 1, self->before);
	self->busy = fork();
	if (!self->busy)
		for (;;) {
			work_fast(5000);
			work_syscalls(20);
		}
}

FIXTURE_TEARDOWN(hotplug)
{
	set_online(1, true);
	session_close(&self->s);
	end_child(self->busy);
}

static uint64_t now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return ts.tv_sec * 1000000000ULL + ts.tv_nsec;
}

static bool holds_cpus(struct session *s, unsigned int nr)
{
	return !session_read(s) && s->accounts.nr_cpus == nr;
}

TEST_F(hotplug, a_cpu_session_continues_elsewhere_and_has_the_cpu_back)
{
	uint64_t after[NR_REGS], on_first, on_second, missed, gone_ns, back_ns;
	struct cpus_seen seen = { 0 };
	struct session s;

	session_cpus(&s, 3);
	session_event(&s, EV_BRANCHES, USER | KERNEL | SAMPLED, 10000, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	ASSERT_EQ(0, pin_to(self->busy, 1));
	EXPECT_TRUE(wait_for(!session_read_cpu(&s, 1) && s.accounts.records > 10));
	EXPECT_EQ(0, s.accounts.time_missed_ns);
	gone_ns = now_ns();
	ASSERT_EQ(0, set_online(1, false));
	read_registers(&s, 0, 1, after);
	EXPECT_EQ(0, memcmp(self->before, after, sizeof(after)));
	ASSERT_EQ(0, session_read(&s));
	EXPECT_TRUE(s.accounts.state & ACRPMU_STATE_CPU_LOST);
	EXPECT_FALSE(s.accounts.state & ACRPMU_STATE_ENDED);
	EXPECT_EQ(1, s.accounts.nr_cpus);
	ASSERT_EQ(0, session_read_cpu(&s, 0));
	on_first = s.accounts.records;
	EXPECT_TRUE(wait_for(!session_read_cpu(&s, 0) && s.accounts.records > on_first));
	EXPECT_EQ(0, s.accounts.time_missed_ns);
	EXPECT_TRUE(wait_for(!session_read_cpu(&s, 1) && s.accounts.time_missed_ns > MISSED_NS));
	on_second = s.accounts.records;
	session_drain(&s, NULL, NULL);

	back_ns = now_ns();
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_TRUE(wait_for(holds_cpus(&s, 2)));
	back_ns = now_ns() - back_ns;
	EXPECT_EQ(ACRPMU_STATE_ENABLED, s.accounts.state);
	missed = s.accounts.time_missed_ns;
	EXPECT_GE(now_ns() - gone_ns, missed);
	EXPECT_LT(MISSED_NS, missed);
	ASSERT_EQ(0, pin_to(self->busy, 1));
	EXPECT_TRUE(wait_for(!session_read_cpu(&s, 1) && s.accounts.records > on_second + 10));
	/* it does not grow any more */
	EXPECT_EQ(missed, s.accounts.time_missed_ns);
	ASSERT_EQ(0, session_finish(&s, note_cpu, &seen));
	EXPECT_LT(10, seen.on[1]);
	EXPECT_ACCOUNTED(&s);
	session_close(&s);
	TH_LOG("the CPU was back after %.1f ms, missed %.1f ms", back_ns / 1e6, missed / 1e6);
	read_registers(&s, 0, 1, after);
	EXPECT_EQ(0, memcmp(self->before, after, sizeof(after)));
}

TEST_F(hotplug, a_cpu_session_counts_on_when_its_cpu_is_back)
{
	struct session s;
	uint64_t before;

	session_cpus(&s, 2);
	session_event(&s, EV_BRANCHES, USER | KERNEL | COUNT, 0, 0);
	ASSERT_TRUE(wait_for(!session_make(&s))) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	ASSERT_EQ(0, set_online(1, false));
	ASSERT_EQ(0, session_read(&s));
	before = s.counts[0].value;
	ASSERT_EQ(0, set_online(1, true));
	ASSERT_EQ(0, pin_to(self->busy, 1));
	EXPECT_TRUE(wait_for(!session_read(&s) && s.counts[0].value > before + 100000));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, s.accounts.state);
	session_close(&s);
}

/* While the CPU was offline, somebody else got its counters. */
TEST_F(hotplug, a_cpu_that_another_has_by_then_is_reserved_when_it_is_free)
{
	uint64_t periods[] = { 20000 };
	struct acrpmu_set_periods set = {
		.size = sizeof(set), .periods = (uintptr_t)periods, .nr_periods = 1,
	};
	struct acrpmu_ctl ctl = { .size = sizeof(ctl) };
	struct acrpmu_unpark unpark = { .size = sizeof(unpark) };
	struct session s, other;

	/* each of the two needs the same counter */
	session_cpus(&other, 2);
	session_event(&other, EV_BRANCHES, USER | COUNT, 0, 0);
	other.ev[0].allowed_cntrs = 1ULL << 2;
	other.attr.flags |= ACRPMU_SESSION_PARKED;
	ASSERT_EQ(0, session_make(&other)) TH_LOG("%s", session_refusal(&other));
	session_cpus(&s, 3);
	session_event(&s, EV_BRANCHES, USER | KERNEL | SAMPLED, 10000, 0);
	s.ev[0].allowed_cntrs = 1ULL << 2;
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	/* parked, it lets the other one have the CPU, and comes back to CPU 0 alone */
	ASSERT_EQ(0, ioctl(s.fd, ACRPMU_PARK, &ctl));
	ASSERT_EQ(0, ioctl(other.fd, ACRPMU_UNPARK, &unpark));
	ASSERT_EQ(0, set_online(1, false));
	ASSERT_EQ(0, ioctl(s.fd, ACRPMU_UNPARK, &unpark));
	EXPECT_TRUE(holds_cpus(&s, 1));
	EXPECT_EQ(ACRPMU_STATE_ENABLED | ACRPMU_STATE_CPU_LOST, s.accounts.state);
	ASSERT_EQ(0, set_online(1, true));
	/* one of them gets it */
	EXPECT_TRUE(wait_for(holds_cpus(&s, 2) || holds_cpus(&other, 1)));
	/* The sleep decides nothing. It gives the other session time to fail. */
	usleep(200000);
	EXPECT_NE(holds_cpus(&s, 2), holds_cpus(&other, 1));
	ASSERT_EQ(0, ioctl(s.fd, ACRPMU_SET_PERIODS, &set));
	session_close(&other);
	EXPECT_TRUE(wait_for(holds_cpus(&s, 2)));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, s.accounts.state);
	ASSERT_EQ(0, session_finish(&s, NULL, NULL));
	EXPECT_ACCOUNTED(&s);
	session_close(&s);
}

TEST_F(hotplug, a_session_on_that_cpu_alone_waits_for_it)
{
	struct session s, other;
	uint64_t records;

	session_cpus(&s, 2);
	session_event(&s, EV_BRANCHES, USER | KERNEL | SAMPLED, 10000, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	ASSERT_EQ(0, pin_to(self->busy, 1));
	EXPECT_TRUE(wait_for(!session_read(&s) && s.accounts.records > 10));
	ASSERT_EQ(0, set_online(1, false));
	ASSERT_EQ(0, session_read(&s));
	EXPECT_EQ(ACRPMU_STATE_ENABLED | ACRPMU_STATE_CPU_LOST, s.accounts.state);
	EXPECT_EQ(0, s.accounts.nr_cpus);
	records = s.accounts.records;

	/* And none can be created there now. */
	session_cpus(&other, 2);
	session_event(&other, EV_BRANCHES, USER | COUNT, 0, 0);
	EXPECT_EQ(-ENODEV, session_make(&other));
	EXPECT_EQ(ACRPMU_REASON_CPU_OFFLINE, other.attr.error.reason);
	EXPECT_EQ(1, other.attr.error.cpu);
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_TRUE(wait_for(holds_cpus(&s, 1)));
	ASSERT_EQ(0, pin_to(self->busy, 1));
	EXPECT_TRUE(wait_for(!session_read(&s) && s.accounts.records > records + 10));
	ASSERT_EQ(0, session_finish(&s, NULL, NULL));
	EXPECT_ACCOUNTED(&s);
	session_close(&s);
}

TEST_F(hotplug, a_task_session_continues_and_reserves_the_cpu_again)
{
	unsigned int nr_cpus = sysconf(_SC_NPROCESSORS_ONLN);
	uint64_t on_first, on_second, again;
	struct session s;

	session_task(&s, self->busy, 0);
	session_event(&s, EV_BRANCHES, USER | KERNEL | SAMPLED, 10000, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, pin_to(self->busy, 1));
	on_second = oracle_get(ORACLE_OVERFLOWS_INT, 1, s.hw[0].cntr);
	ASSERT_EQ(0, session_enable(&s));
	EXPECT_TRUE(wait_for(oracle_get(ORACLE_OVERFLOWS_INT, 1, s.hw[0].cntr) != on_second));
	ASSERT_EQ(0, set_online(1, false));
	/* where there are more, it may have gone on elsewhere */
	ASSERT_EQ(0, pin_to(self->busy, 0));
	on_first = oracle_get(ORACLE_OVERFLOWS_INT, 0, s.hw[0].cntr);
	EXPECT_TRUE(wait_for(oracle_get(ORACLE_OVERFLOWS_INT, 0, s.hw[0].cntr) != on_first));
	EXPECT_TRUE(holds_cpus(&s, nr_cpus - 1));
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_TRUE(wait_for(holds_cpus(&s, nr_cpus)));
	ASSERT_EQ(0, pin_to(self->busy, 1));
	again = oracle_get(ORACLE_OVERFLOWS_INT, 1, s.hw[0].cntr);
	EXPECT_TRUE(wait_for(oracle_get(ORACLE_OVERFLOWS_INT, 1, s.hw[0].cntr) != again));
	ASSERT_EQ(0, session_finish(&s, NULL, NULL));
	EXPECT_ACCOUNTED(&s);
	EXPECT_FALSE(s.accounts.state & ACRPMU_STATE_ENDED);
	session_close(&s);
}

TEST_F(hotplug, many_times_over_loses_nothing)
{
	struct session task, cpus;
	unsigned int i;

	session_task(&task, self->busy, 0);
	session_event(&task, EV_INSNS, USER | SAMPLED, 20000, 0x2);
	session_event(&task, EV_CYCLES, USER, 10000, 0x3);
	ASSERT_EQ(0, session_make(&task)) TH_LOG("%s", session_refusal(&task));
	session_cpus(&cpus, 1);
	session_event(&cpus, EV_BRANCHES, USER | KERNEL | SAMPLED, 10000, 0);
	ASSERT_EQ(0, session_make(&cpus)) TH_LOG("%s", session_refusal(&cpus));
	ASSERT_EQ(0, session_enable(&task));
	ASSERT_EQ(0, session_enable(&cpus));
	for (i = 0; i < 4; i++) {
		ASSERT_EQ(0, set_online(1, false));
		session_drain(&task, NULL, NULL);
		session_drain(&cpus, NULL, NULL);
		ASSERT_EQ(0, set_online(1, true));
	}
	ASSERT_EQ(0, session_finish(&task, NULL, NULL));
	ASSERT_EQ(0, session_finish(&cpus, NULL, NULL));
	EXPECT_ACCOUNTED(&task);
	EXPECT_ACCOUNTED(&cpus);
	session_close(&task);
	session_close(&cpus);
}

/* The list names a CPU that is offline, and comes while the session exists. */
TEST_F(hotplug, a_session_that_takes_new_cpus_reserves_one_when_it_comes)
{
	struct cpus_seen seen = { 0 };
	struct session s;

	ASSERT_EQ(0, set_online(1, false));
	session_cpus(&s, 3);
	session_event(&s, EV_BRANCHES, USER | KERNEL | SAMPLED, 10000, 0);
	EXPECT_EQ(-ENODEV, session_make(&s));
	s.attr.flags |= ACRPMU_SESSION_ARRIVE;
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	EXPECT_TRUE(holds_cpus(&s, 1));
	/* it lacks nothing: that CPU was never its */
	EXPECT_EQ(ACRPMU_STATE_ENABLED, s.accounts.state);
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_TRUE(wait_for(holds_cpus(&s, 2)));
	/* its ring was mapped before */
	EXPECT_EQ(ACRPMU_STATE_ENABLED, s.accounts.state);
	EXPECT_EQ(0, s.accounts.time_missed_ns);
	ASSERT_EQ(0, pin_to(self->busy, 1));
	EXPECT_TRUE(wait_for(!session_read_cpu(&s, 1) && s.accounts.records > 10));
	ASSERT_EQ(0, session_finish(&s, note_cpu, &seen));
	EXPECT_EQ(0, s.accounts.state);
	EXPECT_LT(10, seen.on[1]);
	EXPECT_EQ(s.accounts.records, seen.on[0] + seen.on[1]);
	session_close(&s);
}

TEST_F(hotplug, a_parked_session_that_takes_new_cpus_reserves_them_when_it_is_unparked)
{
	struct acrpmu_unpark unpark = { .size = sizeof(unpark) };
	struct session s;

	ASSERT_EQ(0, set_online(1, false));
	session_cpus(&s, 3);
	session_event(&s, EV_BRANCHES, USER | COUNT, 0, 0);
	s.attr.flags |= ACRPMU_SESSION_ARRIVE | ACRPMU_SESSION_PARKED;
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, set_online(1, true));
	ASSERT_EQ(0, ioctl(s.fd, ACRPMU_UNPARK, &unpark));
	EXPECT_TRUE(holds_cpus(&s, 2));
	session_close(&s);
}

TEST_F(hotplug, a_session_that_takes_new_cpus_needs_one_that_is_there)
{
	struct session s;

	ASSERT_EQ(0, set_online(1, false));
	session_cpus(&s, 2);
	session_event(&s, EV_BRANCHES, USER | COUNT, 0, 0);
	s.attr.flags |= ACRPMU_SESSION_ARRIVE;
	EXPECT_EQ(-ENODEV, session_make(&s));
	EXPECT_EQ(ACRPMU_REASON_CPU_OFFLINE, s.attr.error.reason);
	EXPECT_EQ(1, s.attr.error.cpu);
}

/* A counter held on one CPU only does not conflict elsewhere. */
TEST(cpus_of_a_session_may_use_different_counters)
{
	struct acrpmu_event_hw hw[2];
	struct session one, both;
	int cpu;

	session_cpus(&one, 0x1);
	session_event(&one, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&one)) TH_LOG("%s", session_refusal(&one));
	session_task(&both, 0, 0);
	session_event(&both, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
	ASSERT_EQ(0, session_make(&both)) TH_LOG("%s", session_refusal(&both));
	for (cpu = 0; cpu < 2; cpu++)
		ASSERT_EQ(0, session_query_cpu(&both, cpu, &hw[cpu]));
	EXPECT_EQ(one.hw[0].cntr, hw[1].cntr);
	EXPECT_NE(one.hw[0].cntr, hw[0].cntr);
	EXPECT_EQ(-EINVAL, session_query_cpu(&one, 1, &hw[0]));

	/* a period continues from one CPU's counter to the other's */
	ASSERT_EQ(0, session_enable(&both));
	for (cpu = 0; cpu < 20; cpu++) {
		ASSERT_EQ(0, pin_to(0, cpu % 2));
		work_fast(PERIOD / 10);
	}
	ASSERT_EQ(0, session_disable(&both));
	ASSERT_EQ(0, session_read(&both));
	EXPECT_LE(2 * PERIOD, both.counts[0].value);
	EXPECT_GE(2 * PERIOD + 2000, both.counts[0].value);
	EXPECT_EQ(2, both.counts[0].overflows);
	ASSERT_EQ(0, session_finish(&both, NULL, NULL));
	EXPECT_ACCOUNTED(&both);
	session_close(&both);
	session_close(&one);
}

TEST_HARNESS_MAIN
