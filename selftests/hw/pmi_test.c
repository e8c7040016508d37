// SPDX-License-Identifier: GPL-2.0-only
/* Simultaneous overflows: several sampled kernel-level events, high rates, every CPU. */
#include "work.h"
#include "log.h"
#include "records.h"
#include "kselftest_harness.h"

static uint64_t pmis(enum oracle_query query)
{
	return oracle_get(query, ORACLE_ALL_CPUS, 0);
}

/* Each event must overflow so often by the model's count; torture waits for more. */
#define OVERFLOWS	(getenv("ACR_LONG") ? 300 : 100)
/* The session is started so often, at different moments. */
#define STARTS		(getenv("ACR_LONG") ? 30 : 10)

static uint64_t overflows(const struct session *s, unsigned int i)
{
	return session_truth(s, i) - s->truth[i];
}

static uint64_t all_overflows(const struct session *s)
{
	uint64_t sum = 0;
	unsigned int i;

	for (i = 0; i < s->attr.nr_events; i++)
		sum += overflows(s, i);
	return sum;
}

FIXTURE(together) {
	struct session s;
	pid_t child[2];
	int unknown;
};

FIXTURE_VARIANT(together) {
	uint64_t first_period;
	uint64_t second_period;
	unsigned int levels;
	bool third;
};

/* The branches' counter overflows before, after, and at the same moment as the other one. */
FIXTURE_VARIANT_ADD(together, first_one_is_quicker) {
	.first_period = 3000, .second_period = 20000, .levels = USER | KERNEL,
};

FIXTURE_VARIANT_ADD(together, second_one_is_quicker) {
	.first_period = 100000, .second_period = 3000, .levels = USER | KERNEL,
};

FIXTURE_VARIANT_ADD(together, same_event_and_period) {
	.first_period = 5000, .second_period = 5000, .levels = USER | KERNEL,
};

FIXTURE_VARIANT_ADD(together, kernel_only) {
	.first_period = 2000, .second_period = 1000, .levels = KERNEL,
};

FIXTURE_VARIANT_ADD(together, user_only) {
	.first_period = 5000, .second_period = 1000, .levels = USER,
};

FIXTURE_VARIANT_ADD(together, three_events) {
	.first_period = 6000, .second_period = 2000, .levels = USER | KERNEL, .third = true,
};

FIXTURE_SETUP(together)
{
	bool equal = variant->first_period == variant->second_period;
	int i;

	self->unknown = unknown_nmis();
	for (i = 0; i < 2; i++) {
		self->child[i] = fork();
		if (self->child[i])
			continue;
		pin_to(0, i);
		for (;;) {
			work_syscalls(200);
			work_fast(2000);
		}
	}
	session_cpus(&self->s, 3);
	session_event(&self->s, equal ? EV_BRANCHES : EV_INSNS, variant->levels | SAMPLED,
		      possible_period(variant->first_period, variant->levels), 0);
	session_event(&self->s, EV_BRANCHES, variant->levels | SAMPLED,
		      possible_period(variant->second_period, variant->levels), 0);
	if (variant->third)
		session_event(&self->s, EV_CYCLES, variant->levels | SAMPLED,
			      possible_period(7000, variant->levels), 0);
}

FIXTURE_TEARDOWN(together)
{
	int i;

	session_close(&self->s);
	for (i = 0; i < 2; i++)
		end_child(self->child[i]);
}

/* Kernels with debugging options take long. */
TEST_F(together, overflows_leave_no_unknown_nmi_and_nothing_unaccounted)
{
	uint64_t raised, masked;
	unsigned int i;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	raised = pmis(ORACLE_PMI_RAISED);
	masked = pmis(ORACLE_PMI_MASKED);
	ASSERT_EQ(0, session_enable(&self->s));
	for (i = 0; i < self->s.attr.nr_events; i++)
		while (overflows(&self->s, i) < OVERFLOWS) {
			usleep(1000);
			session_drain(&self->s, NULL, NULL);
		}
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	for (i = 0; i < self->s.attr.nr_events; i++)
		EXPECT_LE(OVERFLOWS, self->s.counts[i].overflows);
	EXPECT_EQ(self->unknown, unknown_nmis());
	/* Reported for the reader: how many PMIs, and how many found the LVT entry masked. */
	TH_LOG("%lu PMIs raised, %lu while masked", pmis(ORACLE_PMI_RAISED) - raised,
	       pmis(ORACLE_PMI_MASKED) - masked);
}

TEST_F(together, starting_and_stopping_leaves_nothing_unaccounted)
{
	uint64_t before;
	unsigned int i;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	for (i = 0; i < STARTS; i++) {
		before = all_overflows(&self->s);
		ASSERT_EQ(0, session_enable(&self->s));
		/* some of each start, at any moment of the next */
		while (all_overflows(&self->s) < before + 1 + i % 4)
			usleep(37 * i);
		ASSERT_EQ(0, session_disable(&self->s));
		session_drain(&self->s, NULL, NULL);
	}
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_EQ(self->unknown, unknown_nmis());
}

TEST_HARNESS_MAIN
