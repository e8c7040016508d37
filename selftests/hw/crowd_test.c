// SPDX-License-Identifier: GPL-2.0-only
/* As many sessions as the counters allow that share one offcore register, some of them killed. */
#include "work.h"
#include "holder.h"
#include "offcore.h"
#include "kselftest_harness.h"

#define TEST_SECONDS	120
#define CROWD		64	/* sessions: four counters on each of 16 CPUs */
#define VALUE		(RSP_ANY | RSP_DATA_RD)

static unsigned int nr_sessions(void)
{
	struct acrpmu_info info = { .size = sizeof(info) };
	int dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC);

	if (dev < 0 || ioctl(dev, ACRPMU_INFO, &info))
		return ~0U;
	close(dev);
	return info.nr_sessions;
}

FIXTURE(crowd) {
	struct session s;
	unsigned int nr_cpus, nr_cntrs;
	pid_t holder[MAX_CPUS];
	uint64_t found[MAX_CPUS][2];
};

FIXTURE_SETUP(crowd)
{
	const struct offcore_cpu *offcore = offcore_cpu();
	unsigned int cpu;

	session_task(&self->s, 0, 0);
	memset(self->holder, 0, sizeof(self->holder));
	self->nr_cpus = 0;
	if (!offcore || strcmp(offcore->name, "goldmont") ||
	    oracle_get(ORACLE_NR_CPUS, ORACLE_THIS_CPU, 0) != MAX_CPUS)
		return;
	self->nr_cpus = MAX_CPUS;
	self->nr_cntrs = CROWD / MAX_CPUS;
	for (cpu = 0; cpu < self->nr_cpus; cpu++) {
		self->found[cpu][0] = offcore_reg(cpu, MSR_RSP_0);
		self->found[cpu][1] = offcore_reg(cpu, MSR_RSP_1);
	}
}

FIXTURE_TEARDOWN(crowd)
{
	unsigned int cpu;

	session_close(&self->s);
	for (cpu = 0; cpu < self->nr_cpus; cpu++)
		end_child(self->holder[cpu]);
}

#define REQUIRE_CROWD() do {							\
	if (!self->nr_cpus)							\
		SKIP(return, "needs 16 CPUs with four counters each");		\
} while (0)

static void describe(struct session *s, unsigned int cpu, uint64_t config, uint64_t value)
{
	session_cpus(s, 1ULL << cpu);
	offcore_event(s, config, value, USER);
}

/* A process for each CPU with a session for each counter; every other one by the other event. */
static pid_t fill_cpu(unsigned int cpu, unsigned int nr_cntrs)
{
	struct session s[CROWD / MAX_CPUS];
	unsigned int i;

	for (i = 0; i < nr_cntrs; i++)
		describe(&s[i], cpu, i % 2 ? EV_OFFCORE_1 : EV_OFFCORE_0, VALUE);
	return holder_start(s, nr_cntrs);
}

TEST_F_TIMEOUT(crowd, sixty_four_sessions_share_one_value_and_give_it_back, TEST_SECONDS)
{
	unsigned int cpu;

	REQUIRE_CROWD();
	for (cpu = 0; cpu < self->nr_cpus; cpu++) {
		self->holder[cpu] = fill_cpu(cpu, self->nr_cntrs);
		ASSERT_LT(0, self->holder[cpu]) TH_LOG("on CPU %u", cpu);
	}
	EXPECT_EQ(CROWD, nr_sessions());
	for (cpu = 0; cpu < self->nr_cpus; cpu++) {
		EXPECT_EQ(VALUE, offcore_reg(cpu, MSR_RSP_0)) TH_LOG("on CPU %u", cpu);
		EXPECT_EQ(self->found[cpu][1], offcore_reg(cpu, MSR_RSP_1));
	}
	/* the register has room for more, the counters have not */
	describe(&self->s, 0, EV_OFFCORE_0, VALUE);
	EXPECT_EQ(-EBUSY, session_make(&self->s));
	EXPECT_EQ(ACRPMU_REASON_HELD, self->s.attr.error.reason);
	EXPECT_EQ(self->holder[0], self->s.attr.error.holder_pid);

	for (cpu = 0; cpu < self->nr_cpus; cpu++) {
		EXPECT_EQ(VALUE, offcore_reg(cpu, MSR_RSP_0));
		end_child(self->holder[cpu]);
		self->holder[cpu] = 0;
		EXPECT_EQ(self->found[cpu][0], offcore_reg(cpu, MSR_RSP_0));
		EXPECT_EQ(CROWD - (cpu + 1) * self->nr_cntrs, nr_sessions());
	}
}

/* On one CPU the sessions go one after another: the value stays until the last. */
TEST_F_TIMEOUT(crowd, the_value_stays_until_the_last_session_goes, TEST_SECONDS)
{
	struct session s[CROWD / MAX_CPUS], other;
	unsigned int i;

	REQUIRE_CROWD();
	for (i = 0; i < self->nr_cntrs; i++) {
		describe(&s[i], 3, EV_OFFCORE_0, VALUE);
		ASSERT_EQ(0, session_make(&s[i])) TH_LOG("%s", session_refusal(&s[i]));
	}
	for (i = 0; i < self->nr_cntrs; i++) {
		EXPECT_EQ(VALUE, offcore_reg(3, MSR_RSP_0));
		session_close(&s[i]);
		describe(&other, 3, EV_OFFCORE_0, VALUE | RSP_RFO);
		EXPECT_EQ(0, session_make(&other));
		EXPECT_EQ(i + 1 == self->nr_cntrs ? MSR_RSP_0 : MSR_RSP_1, other.hw[0].extra_msr);
		session_close(&other);
	}
	EXPECT_EQ(self->found[3][0], offcore_reg(3, MSR_RSP_0));
}

TEST_HARNESS_MAIN
