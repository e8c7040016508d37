// SPDX-License-Identifier: GPL-2.0-only
/* Skylake: the register of front-end events, which each thread has, and events of some counters. */
#include "offcore.h"
#include "records.h"
#include "work.h"
#include "kselftest_harness.h"

#include <stdlib.h>

#define MSR_FRONTEND	0x3f7
#define EV_FRONTEND	0x01c6ULL
/* values of FRONTEND_RETIRED.L1I_MISS and .LATENCY_GE_128 in Intel's list */
#define FE_L1I_MISS	0x12ULL
#define FE_LATENCY	0x408006ULL
/* bit 3 is none of Skylake's */
#define FE_INVALID	0x8ULL

#define EV_LOADS	0x81d0ULL	/* MEM_INST_RETIRED.ALL_LOADS: general-purpose 0 to 3 */
#define EV_PREC_DIST	0x01c0ULL	/* INST_RETIRED.PREC_DIST: general-purpose 1 */
#define EV_RSP_1	0x01bbULL

#define CPU(n)		(1ULL << (n))

FIXTURE(frontend) {
	struct session s, other;
	uint64_t found[2];
	bool able;
};

static bool is_skylake(void)
{
	const char *profile = getenv("ACR_PROFILE");

	return profile && !strncmp(profile, "skylake", strlen("skylake"));
}

FIXTURE_SETUP(frontend)
{
	session_task(&self->s, 0, 0);
	session_task(&self->other, 0, 0);
	self->able = is_skylake();
	if (!self->able)
		SKIP(return, "needs a CPU with a front-end register");
	self->found[0] = offcore_reg(0, MSR_FRONTEND);
	self->found[1] = offcore_reg(1, MSR_FRONTEND);
}

FIXTURE_TEARDOWN(frontend)
{
	session_close(&self->s);
	session_close(&self->other);
	if (!self->able)
		return;
	EXPECT_EQ(self->found[0], offcore_reg(0, MSR_FRONTEND));
	EXPECT_EQ(self->found[1], offcore_reg(1, MSR_FRONTEND));
}

#define ASSERT_MADE(session) \
	ASSERT_EQ(0, session_make(session)) TH_LOG("%s", session_refusal(session))

TEST_F(frontend, value_is_in_the_register_while_the_session_has_it)
{
	ASSERT_EQ(0, offcore_make(&self->s, CPU(0), EV_FRONTEND, FE_L1I_MISS))
		TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(FE_L1I_MISS, offcore_reg(0, MSR_FRONTEND));
	EXPECT_EQ(self->found[1], offcore_reg(1, MSR_FRONTEND));
	ASSERT_EQ(0, session_query_cpu(&self->s, 0, self->s.hw));
	EXPECT_GT(4, self->s.hw[0].cntr);
	EXPECT_EQ(MSR_FRONTEND, self->s.hw[0].extra_msr);
	session_close(&self->s);
	EXPECT_EQ(self->found[0], offcore_reg(0, MSR_FRONTEND));
}

/* With two threads a core, CPUs 0 and 1 are of one core, and share the offcore registers. */
TEST_F(frontend, each_thread_has_its_own_value)
{
	uint64_t writes = oracle_accesses(ORACLE_ALL_CPUS, MSR_FRONTEND, ORACLE_WR,
					  ORACLE_ORIGIN_ANY, ORACLE_ANY_TIME);

	ASSERT_EQ(0, offcore_make(&self->s, CPU(0), EV_FRONTEND, FE_L1I_MISS))
		TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, offcore_make(&self->other, CPU(1), EV_FRONTEND, FE_LATENCY))
		TH_LOG("%s", session_refusal(&self->other));
	EXPECT_EQ(FE_L1I_MISS, offcore_reg(0, MSR_FRONTEND));
	EXPECT_EQ(FE_LATENCY, offcore_reg(1, MSR_FRONTEND));
	session_close(&self->s);
	EXPECT_EQ(self->found[0], offcore_reg(0, MSR_FRONTEND));
	EXPECT_EQ(FE_LATENCY, offcore_reg(1, MSR_FRONTEND));
	session_close(&self->other);
	EXPECT_EQ(writes + 4, oracle_accesses(ORACLE_ALL_CPUS, MSR_FRONTEND, ORACLE_WR,
					      ORACLE_ORIGIN_ANY, ORACLE_ANY_TIME));
}

TEST_F(frontend, one_session_on_both_threads_writes_each)
{
	ASSERT_EQ(0, offcore_make(&self->s, CPU(0) | CPU(1), EV_FRONTEND, FE_LATENCY))
		TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(FE_LATENCY, offcore_reg(0, MSR_FRONTEND));
	EXPECT_EQ(FE_LATENCY, offcore_reg(1, MSR_FRONTEND));
}

TEST_F(frontend, two_values_in_a_group_are_refused)
{
	session_cpus(&self->s, CPU(0));
	offcore_event(&self->s, EV_FRONTEND, FE_L1I_MISS, USER);
	offcore_event(&self->s, EV_FRONTEND, FE_LATENCY, USER);
	EXPECT_EQ(-ENOSPC, session_make(&self->s));
	EXPECT_EQ(ACRPMU_REASON_EXTRA_BUSY, self->s.attr.error.reason);
	EXPECT_EQ(1, self->s.attr.error.event);
	EXPECT_EQ(MSR_FRONTEND, self->s.attr.error.limit);
	EXPECT_EQ(FE_L1I_MISS, self->s.attr.error.value);
}

TEST_F(frontend, two_values_on_a_thread_are_refused_and_equal_ones_shared)
{
	int ret;

	ASSERT_EQ(0, offcore_make(&self->s, CPU(1), EV_FRONTEND, FE_L1I_MISS))
		TH_LOG("%s", session_refusal(&self->s));
	ret = offcore_make(&self->other, CPU(1), EV_FRONTEND, FE_LATENCY);
	EXPECT_BUSY(&self->other, ret, MSR_FRONTEND, FE_L1I_MISS, 1, getpid());
	session_close(&self->other);
	EXPECT_EQ(0, offcore_make(&self->other, CPU(1), EV_FRONTEND, FE_L1I_MISS))
		TH_LOG("%s", session_refusal(&self->other));
}

TEST_F(frontend, bits_that_the_register_lacks_are_refused)
{
	EXPECT_EQ(-EINVAL, offcore_make(&self->s, CPU(0), EV_FRONTEND, FE_L1I_MISS | FE_INVALID));
	EXPECT_EQ(ACRPMU_REASON_EXTRA_BITS, self->s.attr.error.reason);
	EXPECT_EQ(FE_INVALID, self->s.attr.error.value);
	EXPECT_EQ(self->found[0], offcore_reg(0, MSR_FRONTEND));
}

/* What counts on four counters runs there; a fifth event does not fit, though counters are free. */
TEST_F(frontend, loads_run_on_the_first_four_counters_only)
{
	unsigned int i;

	session_cpus(&self->s, CPU(0));
	for (i = 0; i < 3; i++)
		session_event(&self->s, EV_LOADS, USER | COUNT, 0, 0);
	ASSERT_MADE(&self->s);
	for (i = 0; i < 3; i++)
		EXPECT_GT(4, self->s.hw[i].cntr) TH_LOG("event %u", i);
	session_close(&self->s);
	session_cpus(&self->s, CPU(0));
	for (i = 0; i < 5; i++)
		session_event(&self->s, EV_LOADS, USER | COUNT, 0, 0);
	EXPECT_EQ(-ENOSPC, session_make(&self->s));
	EXPECT_EQ(ACRPMU_REASON_NO_ASSIGNMENT, self->s.attr.error.reason);
}

/* The model counts it on counter 1 only, as Intel's list has it. */
TEST_F(frontend, precise_instructions_count_right_without_a_mask)
{
	ASSERT_EQ(0, pin_to(0, 1));
	session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
	session_event(&self->s, EV_PREC_DIST, USER | COUNT, 0, 0);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_MADE(&self->s);
	EXPECT_EQ(1, self->s.hw[1].cntr);
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(100000);
	ASSERT_EQ(0, session_disable(&self->s));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_LE(100000 * WORK_INSNS, self->s.counts[1].value);
	EXPECT_EQ(self->s.counts[2].value, self->s.counts[1].value);
}

TEST_F(frontend, second_offcore_register_has_its_own_event)
{
	session_cpus(&self->s, CPU(0));
	offcore_event(&self->s, EV_OFFCORE_0, RSP_ANY | RSP_DATA_RD, USER);
	offcore_event(&self->s, EV_RSP_1, RSP_ANY | RSP_RFO, USER);
	ASSERT_MADE(&self->s);
	EXPECT_REGISTERS(0, RSP_ANY | RSP_DATA_RD, RSP_ANY | RSP_RFO);
}

TEST_HARNESS_MAIN
