// SPDX-License-Identifier: GPL-2.0-only
/* What the module still writes on a CPU between the loss of its claim and its noticing that. */
#include "work.h"
#include "module.h"
#include "msr.h"
#include "partner.h"
#include "records.h"
#include "../double/rival.h"
#include "kselftest_harness.h"

#include <sys/ioctl.h>

#define CPU		1
#define ROUNDS		200
#define PERIOD		20000
#define SEVERAL		3
#define RSP_0		0x1a6		/* MSR_OFFCORE_RSP_0 */

FIXTURE(lost) {
	struct session s;
	int rival;
	struct partner partner;
};

/*
 * @task: the task that switches is followed, or whatever the CPU runs
 * @flags: of the first event
 * @rivals: how many events perf gets
 */
FIXTURE_VARIANT(lost) {
	bool task;
	uint64_t flags;
	unsigned int rivals;
};

FIXTURE_VARIANT_ADD(lost, counts_of_a_task_at_user_level) {
	.task = true, .flags = USER | COUNT, .rivals = RIVAL_EVENTS,
};

FIXTURE_VARIANT_ADD(lost, counts_of_a_task_at_both_levels) {
	.task = true, .flags = USER | KERNEL | COUNT, .rivals = RIVAL_EVENTS,
};

FIXTURE_VARIANT_ADD(lost, samples_of_a_task) {
	.task = true, .flags = USER | SAMPLED, .rivals = RIVAL_EVENTS,
};

/* Its own counters go on: one event is enough for the claim to fail. */
FIXTURE_VARIANT_ADD(lost, samples_of_a_cpu) { .flags = USER | SAMPLED, .rivals = 1 };

FIXTURE_SETUP(lost)
{
	struct acrpmu_attach attach = { .size = sizeof(attach) };
	unsigned int i;

	self->s.fd = -1;
	self->rival = -1;
	ASSERT_EQ(0, pin_to(0, CPU));
	ASSERT_EQ(0, partner_start(&self->partner, getuid()));
	if (arbiter() != ACRPMU_ARBITER_CLAIM)
		return;
	self->rival = open(RIVAL_DOUBLE, O_RDWR);
	ASSERT_LE(0, self->rival);
	for (i = 0; i < variant->rivals; i++)
		ASSERT_EQ(0, ioctl(self->rival, RIVAL_OPEN, (unsigned long)CPU << 32 | EV_CYCLES));
	ASSERT_EQ(0, ioctl(self->rival, RIVAL_HIDE, 1));
	if (variant->task)
		session_task(&self->s, 0, 0);
	else
		session_cpus(&self->s, 1 << CPU);
	session_event(&self->s, EV_BRANCHES, variant->flags, variant->flags & COUNT ? 0 : PERIOD,
		      0);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	/* Another target, so that a switch changes the counters' values. */
	attach.pid = self->partner.pid;
	if (variant->task)
		ASSERT_EQ(0, ioctl(self->s.fd, ACRPMU_ATTACH, &attach));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_LT(0, module_add_ranges());
}

FIXTURE_TEARDOWN(lost)
{
	oracle_get(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0);
	session_close(&self->s);
	partner_end(&self->partner);
	if (self->rival >= 0)
		close(self->rival);
}

/* At a switch, in a PMI, or when it is noticed: at most what was found in each counter. */
TEST_F(lost, counters_are_not_written_any_more)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	uint64_t writes[2];
	unsigned int i;

	if (self->rival < 0)
		SKIP(return, "here nothing of perf can come first");
	ASSERT_EQ(0, session_query_cpu(&self->s, CPU, hw));
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_TRUE(partner_turn(&self->partner));
		work_fast(PERIOD);
	}
	for (i = 0; i < 2; i++)
		writes[i] = partner_writes(CPU, &hw[i]);
	/* As many would be written again without the check. */
	if (variant->task || variant->flags & SAMPLED)
		EXPECT_LE(ROUNDS, writes[0]);
	ASSERT_EQ(0, ioctl(self->rival, RIVAL_ENABLE));
	for (i = 0; i < ROUNDS; i++) {
		ASSERT_TRUE(partner_turn(&self->partner));
		work_fast(PERIOD);
	}
	for (i = 0; i < 2; i++)
		EXPECT_GE(SEVERAL, partner_writes(CPU, &hw[i]) - writes[i]);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(ACRPMU_REASON_CLAIM_LOST, self->s.accounts.taken.reason);
	/* What it has counted since its last stop is lost, and that time is missed. */
	EXPECT_LT(0, self->s.accounts.time_missed_ns);
}

/* It has the value that the session has written, and now it is perf's. */
TEST(extra_register_that_perf_shares_stays)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct session s = { .fd = -1 };
	int rival;

	if (arbiter() != ACRPMU_ARBITER_CLAIM)
		SKIP(return, "here nothing of perf can come first");
	rival = open(RIVAL_DOUBLE, O_RDWR);
	ASSERT_LE(0, rival);
	ASSERT_EQ(0, ioctl(rival, RIVAL_OPEN, (unsigned long)CPU << 32 | RIVAL_OCR));
	ASSERT_EQ(0, ioctl(rival, RIVAL_HIDE, 1));
	/* Tests before may have left the very value. */
	ASSERT_EQ(0, msr_write(CPU, RSP_0, 0));
	session_cpus(&s, 1 << CPU);
	s.ev[session_event(&s, RIVAL_OCR, USER | COUNT, 0, 0)].extra_value = RIVAL_RSP;
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	ASSERT_EQ(0, session_query_cpu(&s, CPU, hw));
	ASSERT_EQ(RIVAL_RSP, msr_read(CPU, hw[0].extra_msr));
	ASSERT_EQ(0, ioctl(rival, RIVAL_ENABLE));
	ASSERT_EQ(0, session_read(&s));
	EXPECT_EQ(ACRPMU_REASON_CLAIM_LOST, s.accounts.taken.reason);
	session_close(&s);
	EXPECT_EQ(RIVAL_RSP, msr_read(CPU, hw[0].extra_msr));
	close(rival);
}

TEST_HARNESS_MAIN
