// SPDX-License-Identifier: GPL-2.0-only
/* A PMI that arrives when its overflow has long been accounted for, even after the last session. */
#include "work.h"
#include "log.h"
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		1
#define PERIOD		1000000
/* Iterations in which an overflow or its PMI must come */
#define PATIENCE	100000000

static uint64_t pmis(enum oracle_query query)
{
	return oracle_get(query, CPU, 0);
}

static uint64_t overflows(const struct session *s)
{
	return oracle_get(ORACLE_OVERFLOWS_INT, CPU, s->cntr[CPU][0]);
}

/* Work until a value of the model differs from @before. */
#define work_until_not(before, value) ({					\
	uint64_t _left = PATIENCE;						\
										\
	while ((value) == (before) && _left) {					\
		work_fast(1000);						\
		_left -= 1000;							\
	}									\
	_left > 0;								\
})

FIXTURE(late) {
	struct session s;
	uint64_t taken;
	uint64_t masked;
	int unknown;
};

FIXTURE_VARIANT(late) {
	unsigned int levels;
	bool reload;
};

FIXTURE_VARIANT_ADD(late, user) { .levels = USER };

FIXTURE_VARIANT_ADD(late, kernel) { .levels = USER | KERNEL };

FIXTURE_VARIANT_ADD(late, reloaded) { .levels = USER, .reload = true };

FIXTURE_SETUP(late)
{
	ASSERT_EQ(0, pin_to(0, CPU));
	session_task(&self->s, 0, 0);
	session_event(&self->s, EV_INSNS, variant->levels | SAMPLED, PERIOD,
		      variant->reload ? 0x2 : 0);
	if (variant->reload)
		session_event(&self->s, EV_CYCLES, variant->levels, PERIOD, 0x3);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	self->taken = pmis(ORACLE_PMI_TAKEN);
	self->masked = pmis(ORACLE_PMI_MASKED);
	self->unknown = unknown_nmis();
}

FIXTURE_TEARDOWN(late)
{
	session_close(&self->s);
}

static void overflow_once(struct __test_metadata *_metadata, FIXTURE_DATA(late) *self)
{
	uint64_t before = overflows(&self->s);

	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_TRUE(work_until_not(before, overflows(&self->s)));
}

static bool entry_is_masked(void)
{
	return oracle_get(ORACLE_LVTPC, ORACLE_THIS_CPU, 0) & ORACLE_LVTPC_MASKED;
}

/* The PMI comes now, and somebody handles it. */
static void expect_a_handled_pmi(struct __test_metadata *_metadata, FIXTURE_DATA(late) *self)
{
	EXPECT_FALSE(entry_is_masked());
	/* Otherwise it was not late, and this proves nothing. */
	ASSERT_EQ(self->taken, pmis(ORACLE_PMI_TAKEN));
	ASSERT_TRUE(work_until_not(self->taken, pmis(ORACLE_PMI_TAKEN)));
	EXPECT_EQ(self->unknown, unknown_nmis());
	EXPECT_FALSE(entry_is_masked());
}

TEST_F(late, pmi_after_the_last_session_is_handled_and_the_entry_unmasked)
{
	overflow_once(_metadata, self);
	session_close(&self->s);
	expect_a_handled_pmi(_metadata, self);
}

/* A child that works on the same CPU, without which no time passes there, once it may go on. */
static pid_t start_stopped_worker(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	/* or the session would stay open */
	close_range(3, ~0U, 0);
	raise(SIGSTOP);
	for (;;)
		work_fast(20000);
}

TEST_F(late, unloading_waits_for_the_pmi)
{
	pid_t pid = start_stopped_worker();

	ASSERT_LT(0, pid);
	ASSERT_TRUE(wait_for(task_state(pid, pid) == 'T'));
	overflow_once(_metadata, self);
	session_close(&self->s);
	ASSERT_EQ(self->taken, pmis(ORACLE_PMI_TAKEN));
	ASSERT_EQ(0, kill(pid, SIGCONT));
	ASSERT_EQ(0, pin_to(0, 0));
	EXPECT_EQ(0, module_unload());
	/* not much later, so that this proves something even if the log showed nothing */
	EXPECT_NE(self->taken, pmis(ORACLE_PMI_TAKEN));
	EXPECT_TRUE(wait_for(self->taken != pmis(ORACLE_PMI_TAKEN)));
	EXPECT_EQ(self->unknown, unknown_nmis());
	ASSERT_EQ(0, pin_to(0, CPU));
	EXPECT_FALSE(entry_is_masked());
	end_child(pid);
	ASSERT_EQ(0, module_load("max_pmi_percent=100"));
}

TEST_F(late, pmi_while_the_session_is_disabled_is_handled)
{
	overflow_once(_metadata, self);
	ASSERT_EQ(0, session_disable(&self->s));
	expect_a_handled_pmi(_metadata, self);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_EQ(self->masked, pmis(ORACLE_PMI_MASKED));
}

TEST_HARNESS_MAIN
