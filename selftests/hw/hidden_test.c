// SPDX-License-Identifier: GPL-2.0-only
/* OFFCORE_RSP_1 hidden by a hypervisor: events that can use the other one run, others do not. */
#include "work.h"
#include "holder.h"
#include "offcore.h"
#include "kselftest_harness.h"

#define BOTH_CPUS	0x3
#define RSP_READS	(RSP_ANY | RSP_DATA_RD)
#define RSP_OWNERSHIP	(RSP_ANY | RSP_RFO)

static uint64_t faults(void)
{
	return oracle_get(ORACLE_VIOLATIONS, ORACLE_ALL_CPUS, ORACLE_ORIGIN_ANY);
}

FIXTURE(hidden) {
	struct session s, other;
	const struct offcore_cpu *cpu;
	uint64_t found[2], faults;
};

FIXTURE_SETUP(hidden)
{
	session_task(&self->s, 0, 0);
	session_task(&self->other, 0, 0);
	self->cpu = offcore_cpu();
	ASSERT_NE(NULL, self->cpu);
	self->found[0] = offcore_reg(0, MSR_RSP_0);
	self->found[1] = offcore_reg(1, MSR_RSP_0);
	self->faults = faults();
}

/* Nothing accesses a register that cannot be read. */
FIXTURE_TEARDOWN(hidden)
{
	session_close(&self->s);
	session_close(&self->other);
	EXPECT_EQ(self->found[0], offcore_reg(0, MSR_RSP_0));
	EXPECT_EQ(self->found[1], offcore_reg(1, MSR_RSP_0));
	EXPECT_EQ(self->faults, faults());
}

/* The refusal names the missing register and the reason. */
#define EXPECT_HIDDEN(session, ret, index) do {					\
	EXPECT_EQ(-EOPNOTSUPP, ret);						\
	EXPECT_EQ(ACRPMU_REASON_EXTRA_HIDDEN, (session)->attr.error.reason)	\
		TH_LOG("%s", session_refusal(session));				\
	EXPECT_EQ(index, (session)->attr.error.event);				\
	EXPECT_EQ(MSR_RSP_1, (session)->attr.error.limit);			\
} while (0)

TEST_F(hidden, info_reports_it)
{
	struct acrpmu_cpu_info cpus[MAX_CPUS] = { 0 };
	struct acrpmu_info info = { .size = sizeof(info), .nr_cpus = MAX_CPUS,
				    .cpus = (uintptr_t)cpus, .cpu_size = sizeof(cpus[0]) };
	int dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC);

	ASSERT_LE(0, dev);
	ASSERT_EQ(0, ioctl(dev, ACRPMU_INFO, &info));
	close(dev);
	ASSERT_EQ(2, cpus[0].nr_extra_regs);
	EXPECT_EQ(0, cpus[0].extra_regs[0].flags);
	EXPECT_EQ(ACRPMU_EXTRA_REG_HIDDEN, cpus[0].extra_regs[1].flags);
}

TEST_F(hidden, its_event_uses_the_alternate)
{
	ASSERT_EQ(0, offcore_make(&self->s, BOTH_CPUS, EV_OFFCORE_1, RSP_READS))
		TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(MSR_RSP_0, self->s.hw[0].extra_msr);
	EXPECT_EQ(EV_OFFCORE_0, self->s.hw[0].cfg_a & 0xffff);
	EXPECT_EQ(RSP_READS, offcore_reg(0, MSR_RSP_0));
	EXPECT_EQ(RSP_READS, offcore_reg(1, MSR_RSP_0));
	/* Equal values share it, as always. */
	ASSERT_EQ(0, offcore_make(&self->other, BOTH_CPUS, EV_OFFCORE_0, RSP_READS))
		TH_LOG("%s", session_refusal(&self->other));
}

/* The conflict is with the other session: without it a register would be free. */
TEST_F(hidden, another_value_finds_the_only_register_busy)
{
	ASSERT_EQ(0, offcore_make(&self->s, BOTH_CPUS, EV_OFFCORE_0, RSP_READS))
		TH_LOG("%s", session_refusal(&self->s));
	offcore_describe(&self->other, BOTH_CPUS, EV_OFFCORE_1, RSP_OWNERSHIP);
	EXPECT_BUSY(&self->other, session_make(&self->other), MSR_RSP_0, RSP_READS, 0, getpid());
	session_close(&self->s);
	ASSERT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	EXPECT_EQ(RSP_OWNERSHIP, offcore_reg(0, MSR_RSP_0));
}

TEST_F(hidden, two_values_in_a_group_are_refused)
{
	offcore_describe(&self->s, BOTH_CPUS, EV_OFFCORE_0, RSP_READS);
	offcore_event(&self->s, EV_OFFCORE_0, RSP_OWNERSHIP, USER);
	EXPECT_HIDDEN(&self->s, session_make(&self->s), 1);
}

TEST_F(hidden, latency_is_refused)
{
	offcore_describe(&self->s, BOTH_CPUS, EV_OFFCORE_0,
			 self->cpu->outstanding | RSP_DATA_RD);
	offcore_event(&self->s, EV_OFFCORE_1, RSP_READS, USER);
	EXPECT_HIDDEN(&self->s, session_make(&self->s), 1);
}

TEST_HARNESS_MAIN
