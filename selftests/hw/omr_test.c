// SPDX-License-Identifier: GPL-2.0-only
/* Panther Cove: three events use the OMR registers; they share and move as in-tree perf's do. */
#include "work.h"
#include "intree.h"
#include "msr.h"
#include "offcore.h"
#include "kselftest_harness.h"

#include <stdlib.h>

#define MSR_OMR_0	0x3e0
#define MSR_FRONTEND	0x3f7
#define NR_OMR		4
#define OMR_VALID	0x40ffffff0000ffffULL
/* event selects that use OMR_0 with umask 1, OMR_1 with 2, OMR_2 with 4, OMR_3 with 8 */
static const uint32_t selects[] = { 0x2a, 0x4f, 0xd6 };
#define NR_SELECTS	3
#define OMR_EVENT(select, reg)	((select) | 0x100ULL << (reg))
#define EV_FRONTEND	0x03c6ULL

/* Requests and responses, with any response in bit 62 */
#define ANY_DATA_RD	0x4000000000000001ULL
#define ANY_RFO		0x4000000000000002ULL

#define CPU		1
#define ON_CPU		(1ULL << CPU)

static uint64_t omr(unsigned int reg)
{
	return offcore_reg(CPU, MSR_OMR_0 + reg);
}

/* What somebody else left there */
static uint64_t left(unsigned int reg)
{
	return 0x10ULL << reg;
}

FIXTURE(omr) {
	struct session s[NR_OMR], more;
	uint64_t boot[NR_OMR];
	bool able;
};

FIXTURE_SETUP(omr)
{
	const char *profile = getenv("ACR_PROFILE");
	unsigned int i;

	for (i = 0; i < NR_OMR; i++)
		self->s[i].fd = -1;
	self->more.fd = -1;
	self->able = profile && !strcmp(profile, "diamondrapids");
	if (!self->able)
		SKIP(return, "needs the profile diamondrapids");
	for (i = 0; i < NR_OMR; i++) {
		self->boot[i] = omr(i);
		ASSERT_EQ(0, msr_write(CPU, MSR_OMR_0 + i, left(i)))
			TH_LOG("needs modprobe msr allow_writes=on");
	}
}

FIXTURE_TEARDOWN(omr)
{
	unsigned int i;

	for (i = 0; i < NR_OMR; i++)
		session_close(&self->s[i]);
	session_close(&self->more);
	for (i = 0; self->able && i < NR_OMR; i++) {
		EXPECT_EQ(left(i), omr(i));
		msr_write(CPU, MSR_OMR_0 + i, self->boot[i]);
	}
}

TEST_F(omr, each_event_has_its_value_in_the_register_of_its_umask)
{
	struct session *s = &self->more;
	unsigned int i, reg, other;

	for (i = 0; i < NR_SELECTS * NR_OMR; i++) {
		uint64_t config = OMR_EVENT(selects[i / NR_OMR], i % NR_OMR);

		reg = i % NR_OMR;
		ASSERT_EQ(0, offcore_make(s, ON_CPU, config, OMR_VALID))
			TH_LOG("%#lx: %s", config, session_refusal(s));
		EXPECT_EQ(config, s->hw[0].cfg_a & 0xffff);
		EXPECT_EQ(MSR_OMR_0 + reg, s->hw[0].extra_msr);
		for (other = 0; other < NR_OMR; other++)
			EXPECT_EQ(other == reg ? OMR_VALID : left(other), omr(other));
		session_close(s);
		EXPECT_EQ(left(reg), omr(reg));
	}
}

TEST_F(omr, events_that_move_keep_their_select)
{
	static const uint32_t wanted[NR_OMR] = { 0x4f, 0xd6, 0x2a, 0x4f };
	unsigned int i;

	/* all ask for OMR_0 */
	for (i = 0; i < NR_OMR; i++) {
		struct session *s = &self->s[i];

		ASSERT_EQ(0, offcore_make(s, ON_CPU, OMR_EVENT(wanted[i], 0), i + 1))
			TH_LOG("%u: %s", i, session_refusal(s));
		EXPECT_EQ(i + 1, omr(s->hw[0].extra_msr - MSR_OMR_0));
		EXPECT_EQ(OMR_EVENT(wanted[i], s->hw[0].extra_msr - MSR_OMR_0),
			  s->hw[0].cfg_a & 0xffff);
	}
	EXPECT_BUSY(&self->more, offcore_make(&self->more, ON_CPU, OMR_EVENT(0x2a, 0), 5),
		    MSR_OMR_0, 1, CPU, getpid());
}

TEST_F(omr, different_events_share_a_register_by_value)
{
	unsigned int i;

	for (i = 0; i < NR_SELECTS; i++) {
		ASSERT_EQ(0, offcore_make(&self->s[i], ON_CPU, OMR_EVENT(selects[i], 2), 7))
			TH_LOG("%s", session_refusal(&self->s[i]));
		EXPECT_EQ(MSR_OMR_0 + 2, self->s[i].hw[0].extra_msr);
		EXPECT_EQ(OMR_EVENT(selects[i], 2), self->s[i].hw[0].cfg_a & 0xffff);
	}
	session_close(&self->s[0]);
	session_close(&self->s[1]);
	EXPECT_EQ(7, omr(2));
}

TEST_F(omr, bits_outside_of_the_valid_mask_are_refused)
{
	EXPECT_EQ(-EINVAL, offcore_make(&self->more, ON_CPU, OMR_EVENT(0x4f, 1), 0x10001));
	EXPECT_EQ(ACRPMU_REASON_EXTRA_BITS, self->more.attr.error.reason);
	EXPECT_EQ(0x10000, self->more.attr.error.value);
	EXPECT_EQ(OMR_VALID, self->more.attr.error.limit);
}

/* MEM_LOAD_L2_MISS_RETIRED and the like count on the first four counters. */
TEST_F(omr, retired_loads_run_on_the_first_four_counters)
{
	unsigned int i;

	session_cpus(&self->more, ON_CPU);
	for (i = 0; i < 5; i++)
		offcore_event(&self->more, OMR_EVENT(0xd6, 0), 1, USER);
	EXPECT_EQ(-ENOSPC, session_make(&self->more));
	self->more.attr.nr_events = 3;
	ASSERT_EQ(0, session_make(&self->more)) TH_LOG("%s", session_refusal(&self->more));
	for (i = 0; i < 3; i++)
		EXPECT_GT(4, self->more.hw[i].cntr);
}

TEST_F(omr, front_end_events_have_their_register_beside_them)
{
	uint64_t found = offcore_reg(CPU, MSR_FRONTEND);

	ASSERT_EQ(0, offcore_make(&self->more, ON_CPU, EV_FRONTEND, 0x608006))
		TH_LOG("%s", session_refusal(&self->more));
	EXPECT_EQ(0x608006, offcore_reg(CPU, MSR_FRONTEND));
	session_close(&self->more);
	EXPECT_EQ(found, offcore_reg(CPU, MSR_FRONTEND));
}

/* ---- in-tree perf ---- */

#define NR_GP		8
#define MSR_CFG_A(cntr)	(0x1901 + 4 * (cntr))

static bool is_programmed(uint64_t config)
{
	unsigned int cntr;

	for (cntr = 0; cntr < NR_GP; cntr++)
		if ((offcore_reg(CPU, MSR_CFG_A(cntr)) & 0xffff) == config)
			return true;
	return false;
}

/* In-tree perf leaves its values behind; what was there before comes back. */
TEST_F(omr, intree_puts_the_same_event_into_the_same_register)
{
	struct intree e = { .pid = -1, .cpu = CPU, .group = -1, .extra = ANY_DATA_RD };
	uint64_t cfg_a[NR_GP];
	unsigned int i;
	int fd[2];

	if (access("/sys/bus/event_source/devices/cpu/format/offmodule_rsp", F_OK))
		SKIP(return, "in-tree perf has these events from Linux 7.3 on");
	for (i = 0; i < NR_GP; i++)
		cfg_a[i] = offcore_reg(CPU, MSR_CFG_A(i));
	for (i = 0; i < NR_SELECTS; i++) {
		e.config = OMR_EVENT(selects[i], 0);
		e.extra = ANY_DATA_RD;
		fd[0] = intree_open(&e);
		e.extra = ANY_RFO;
		fd[1] = intree_open(&e);
		ASSERT_LE(0, fd[0]) TH_LOG("%#lx", e.config);
		ASSERT_LE(0, fd[1]) TH_LOG("%#lx", e.config);
		EXPECT_EQ(ANY_DATA_RD, omr(0));
		EXPECT_EQ(ANY_RFO, omr(1));
		EXPECT_TRUE(is_programmed(OMR_EVENT(selects[i], 0)));
		EXPECT_TRUE(is_programmed(OMR_EVENT(selects[i], 1)));
		close(fd[0]);
		close(fd[1]);
		ASSERT_EQ(0, msr_write(CPU, MSR_OMR_0, left(0)));
		ASSERT_EQ(0, msr_write(CPU, MSR_OMR_0 + 1, left(1)));

		ASSERT_EQ(0, offcore_make(&self->s[0], ON_CPU, e.config, ANY_DATA_RD))
			TH_LOG("%s", session_refusal(&self->s[0]));
		ASSERT_EQ(0, offcore_make(&self->s[1], ON_CPU, e.config, ANY_RFO))
			TH_LOG("%s", session_refusal(&self->s[1]));
		EXPECT_EQ(ANY_DATA_RD, omr(0));
		EXPECT_EQ(ANY_RFO, omr(1));
		EXPECT_EQ(OMR_EVENT(selects[i], 0), self->s[0].hw[0].cfg_a & 0xffff);
		EXPECT_EQ(OMR_EVENT(selects[i], 1), self->s[1].hw[0].cfg_a & 0xffff);
		session_close(&self->s[0]);
		session_close(&self->s[1]);
	}
	for (i = 0; i < NR_GP; i++)
		ASSERT_EQ(0, msr_write(CPU, MSR_CFG_A(i), cfg_a[i]));
}

TEST_HARNESS_MAIN
