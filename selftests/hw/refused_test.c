// SPDX-License-Identifier: GPL-2.0-only
/* Accesses that fault although they did not before: noticed, and no overflow counts twice. */
#include "work.h"
#include "fault.h"
#include "module.h"
#include "msr.h"
#include "records.h"
#include "kselftest_harness.h"

#define SECONDS		300	/* at most, on however busy a host */
#define CPU		1
#define PERIOD		100000ULL
#define LOOP		(PERIOD / WORK_INSNS + 1)	/* a little more than a period */

/* SDM vol. 4 */
#define MSR_FIXED_CTR_CTRL	0x38d
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_GLOBAL_CTRL		0x38f
#define MSR_STATUS_RESET	0x390

static uint64_t user_insns(void)
{
	return oracle_events(CPU, ORACLE_EV_INSN, false);
}

static void make(struct __test_metadata *_metadata, struct session *s)
{
	oracle_get(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0);
	ASSERT_LT(0, module_add_ranges());
	ASSERT_EQ(0, session_make(s)) TH_LOG("%s", session_refusal(s));
}

/* ---- in a PMI ---- */

FIXTURE(pmi) {
	struct session s;
};

FIXTURE_VARIANT(pmi) {
	uint32_t msr;		/* 0: the counter */
	unsigned int op;
	unsigned int lost;	/* overflows without a record */
};

/* The handler cannot know what overflowed, but that the counter has. */
FIXTURE_VARIANT_ADD(pmi, read_of_the_status) {
	.msr = MSR_GLOBAL_STATUS, .op = ORACLE_RD, .lost = 1,
};

FIXTURE_VARIANT_ADD(pmi, acknowledgment) { .msr = MSR_STATUS_RESET, .op = ORACLE_WR };

static void describe_one(struct session *s)
{
	session_cpus(s, 1 << CPU);
	session_event(s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
}

FIXTURE_SETUP(pmi)
{
	ASSERT_EQ(0, pin_to(0, CPU));
	describe_one(&self->s);
}

FIXTURE_TEARDOWN(pmi)
{
	session_close(&self->s);
}

/* @last: nothing comes after it that could set it right */
static void refuse_one(struct __test_metadata *_metadata, struct session *s, uint32_t msr,
		       unsigned int op, bool last)
{
	uint64_t before, begun, least;

	make(_metadata, s);
	before = user_insns();
	ASSERT_EQ(0, session_enable(s));
	begun = user_insns();
	work_fast(5 * LOOP);
	fault_refuse(CPU, msr, op, ORACLE_ORIGIN_RANGE, 0, 1);
	work_fast(LOOP);
	EXPECT_EQ(0, fault_refuse_left(CPU));
	if (!last)
		work_fast(5 * LOOP);
	least = user_insns() - begun;
	ASSERT_EQ(0, session_finish(s, NULL, NULL));
	EXPECT_LE(least, s->counts[0].value);
	EXPECT_GE(user_insns() - before, s->counts[0].value);
	EXPECT_LE(last ? 6 : 11, s->counts[0].overflows);
	EXPECT_ACCOUNTED(s);
}

/* The module also reads the status once a second: once more if the fault was not that of a PMI. */
static void refuse_one_of_pmi(struct __test_metadata *_metadata, FIXTURE_DATA(pmi) *self,
			      const FIXTURE_VARIANT(pmi) *variant, bool last)
{
	for (;;) {
		refuse_one(_metadata, &self->s, variant->msr, variant->op, last);
		if (!variant->lost || self->s.accounts.lost)
			break;
		session_close(&self->s);
		describe_one(&self->s);
	}
	EXPECT_EQ(variant->lost, self->s.accounts.lost);
}

TEST_F_TIMEOUT(pmi, that_faults_costs_its_record_at_most, SECONDS)
{
	refuse_one_of_pmi(_metadata, self, variant, false);
}

TEST_F_TIMEOUT(pmi, that_faults_at_the_end_counts_no_overflow_twice, SECONDS)
{
	refuse_one_of_pmi(_metadata, self, variant, true);
}

/* ---- settings ---- */

enum victim { SELECT, FIXED, RELOAD_MASK, RELOAD_VALUE, EXTRA };

FIXTURE(setting) {
	struct session s;
	uint32_t msr;
};

FIXTURE_VARIANT(setting) {
	enum victim victim;
	bool starts;		/* written at each start, else when the session is created */
};

FIXTURE_VARIANT_ADD(setting, event_select) { .victim = SELECT, .starts = true };

FIXTURE_VARIANT_ADD(setting, event_select_of_a_new_session) { .victim = SELECT };

FIXTURE_VARIANT_ADD(setting, control_of_fixed_counters) { .victim = FIXED, .starts = true };

FIXTURE_VARIANT_ADD(setting, reload_mask) { .victim = RELOAD_MASK };

FIXTURE_VARIANT_ADD(setting, reload_value) { .victim = RELOAD_VALUE };

FIXTURE_VARIANT_ADD(setting, extra_register) { .victim = EXTRA };

/* Event 0 has a fixed counter, 1 and 2 reload each other, 3 has an extra register. */
static void describe(struct session *s)
{
	session_cpus(s, 1 << CPU);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0x4);
	session_event(s, EV_BRMISSES, USER | SAMPLED, PERIOD, 0x2);
	s->ev[session_event(s, 0x01b7, USER | COUNT, 0, 0)].extra_value = 0x10001;
}

static uint32_t register_of(const struct session *s, enum victim victim)
{
	const uint32_t msrs[] = {
		[SELECT] = s->hw[1].cfg_a_msr,
		[FIXED] = MSR_FIXED_CTR_CTRL,
		[RELOAD_MASK] = s->hw[1].cfg_b_msr,
		[RELOAD_VALUE] = s->hw[1].cfg_c_msr,
		[EXTRA] = s->hw[3].extra_msr,
	};

	return msrs[victim];
}

/* Where the same session gets the same counters each time. */
FIXTURE_SETUP(setting)
{
	ASSERT_EQ(0, pin_to(0, CPU));
	describe(&self->s);
	make(_metadata, &self->s);
	self->msr = register_of(&self->s, variant->victim);
	ASSERT_NE(0, self->msr);
	ASSERT_LE(32, self->s.hw[0].cntr);
	session_close(&self->s);
	describe(&self->s);
}

FIXTURE_TEARDOWN(setting)
{
	session_close(&self->s);
}

static void check_lost(struct __test_metadata *_metadata, struct session *s, uint32_t msr)
{
	const struct acrpmu_error *taken = &s->accounts.taken;
	unsigned int i;

	ASSERT_EQ(0, session_read(s));
	EXPECT_TRUE(s->accounts.state & ACRPMU_STATE_TAKEN);
	EXPECT_TRUE(s->accounts.state & ACRPMU_STATE_CPU_LOST);
	EXPECT_EQ(CPU, taken->cpu);
	EXPECT_EQ(ACRPMU_REASON_REGISTER, taken->reason);
	EXPECT_EQ(msr, taken->limit);
	for (i = 0; i < s->attr.nr_events; i++)
		EXPECT_EQ(ACRPMU_COUNT_TAKEN, s->counts[i].flags);
	session_close(s);
}

/* The next session has all. */
static void check_next(struct __test_metadata *_metadata, struct session *s)
{
	describe(s);
	ASSERT_EQ(0, session_make(s)) TH_LOG("%s", session_refusal(s));
	ASSERT_EQ(0, session_enable(s));
	work_fast(10 * PERIOD);
	ASSERT_EQ(0, session_finish(s, NULL, NULL));
	EXPECT_LE(10, s->counts[1].overflows);
	EXPECT_EQ(0, s->accounts.state);
	EXPECT_ACCOUNTED(s);
}

static void refuse_writes(uint32_t msr, unsigned int nr)
{
	fault_refuse(CPU, msr, ORACLE_WR, ORACLE_ORIGIN_RANGE, 0, nr);
}

TEST_F_TIMEOUT(setting, that_was_refused_ends_the_session_there, SECONDS)
{
	/* what is cleared at first would hide that it was not set */
	if (!variant->starts)
		refuse_writes(self->msr, FAULT_ALL);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	if (variant->starts)
		refuse_writes(self->msr, 1);
	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_GT(variant->starts ? 1 : FAULT_ALL, fault_refuse_left(CPU));
	check_lost(_metadata, &self->s, self->msr);
	check_next(_metadata, &self->s);
}

/* A PMI of several counters clears them at its beginning, and sets them at its end. */
TEST(enable_bits_that_a_pmi_cannot_set_again_end_the_session_there)
{
	uint64_t found = oracle_get(ORACLE_MSR, CPU, MSR_GLOBAL_CTRL);
	struct session s;

	if (arbiter() != ACRPMU_ARBITER_RESERVE)
		SKIP(return, "in-tree perf sets them again after each PMI here");
	ASSERT_EQ(0, pin_to(0, CPU));
	describe(&s);
	make(_metadata, &s);
	ASSERT_EQ(0, session_enable(&s));
	fault_refuse(CPU, MSR_GLOBAL_CTRL, ORACLE_WR, ORACLE_ORIGIN_RANGE, 1, 1);
	work_fast(2 * PERIOD);
	EXPECT_EQ(0, fault_refuse_left(CPU));
	EXPECT_EQ(0, oracle_get(ORACLE_MSR, CPU, MSR_GLOBAL_CTRL));
	check_lost(_metadata, &s, MSR_GLOBAL_CTRL);
	/* what it finds there now was written by somebody else, as far as the module knows */
	EXPECT_EQ(0, msr_write(CPU, MSR_GLOBAL_CTRL, found));
	check_next(_metadata, &s);
	session_close(&s);
}

TEST_HARNESS_MAIN
