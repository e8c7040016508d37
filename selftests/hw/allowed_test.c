// SPDX-License-Identifier: GPL-2.0-only
/* Allowed counters: where events run, and that those of one counter only count right. */
#include "work.h"
#include "records.h"
#include "kselftest_harness.h"

#include <stdlib.h>

#define PERIOD		10000
#define CNTR		2

/* Intel's lists for Skylake and Haswell: INST_RETIRED.PREC_DIST, L1D_PEND_MISS.PENDING */
#define EV_PREC_DIST	0x01c0ULL
#define EV_L1D_PENDING	0x0148ULL
/* reference cycles, which leaf 0AH of this profile lacks */
#define EV_LACKING	0x013cULL

FIXTURE(allowed) {
	struct session s;
};

FIXTURE_SETUP(allowed)
{
	session_task(&self->s, 0, 0);
	ASSERT_EQ(0, pin_to(0, 1));
}

FIXTURE_TEARDOWN(allowed)
{
	session_close(&self->s);
}

static void event_on(struct session *s, uint64_t config, uint64_t allowed_cntrs)
{
	s->ev[session_event(s, config, USER | COUNT, 0, 0)].allowed_cntrs = allowed_cntrs;
}

TEST_F(allowed, a_sampled_event_overflows_on_its_counter_and_no_other)
{
	uint64_t before[ACRPMU_FIXED_BASE];
	unsigned int i;

	i = session_event(&self->s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
	self->s.ev[i].allowed_cntrs = 1 << CNTR;
	session_event(&self->s, EV_BRMISSES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(CNTR, self->s.hw[0].cntr);
	EXPECT_NE(CNTR, self->s.hw[1].cntr);
	for (i = 0; i < ACRPMU_FIXED_BASE; i++)
		before[i] = oracle_get(ORACLE_OVERFLOWS_INT, 1, i);
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(20 * PERIOD);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	for (i = 0; i < ACRPMU_FIXED_BASE; i++)
		before[i] = oracle_get(ORACLE_OVERFLOWS_INT, 1, i) - before[i];
	EXPECT_LE(20, before[CNTR]);
	EXPECT_EQ(before[CNTR], self->s.records);
	for (i = 0; i < ACRPMU_FIXED_BASE; i++) {
		if (i != CNTR && before[i] != ~0ULL)
			EXPECT_EQ(0, before[i]) TH_LOG("counter %u", i);
	}
	EXPECT_ACCOUNTED(&self->s);
}

#define REQUIRE_ONE_CNTR_EVENTS() do {							\
	const char *profile_ = getenv("ACR_PROFILE");					\
											\
	if (!profile_ || strcmp(profile_, "v4"))					\
		SKIP(return, "this CPU has no events that count on one counter only");	\
} while (0)

static void count(struct __test_metadata *_metadata, struct session *s, void (*work)(void))
{
	ASSERT_EQ(0, session_make(s)) TH_LOG("%s", session_refusal(s));
	ASSERT_EQ(0, session_enable(s));
	work();
	ASSERT_EQ(0, session_disable(s));
	ASSERT_EQ(0, session_read(s));
}

static void work_some(void)
{
	work_fast(100000);
}

/* At user level all counts of a group are of one instant: both events count instructions. */
TEST_F(allowed, precise_instructions_count_right_on_counter_1)
{
	REQUIRE_ONE_CNTR_EVENTS();
	event_on(&self->s, EV_PREC_DIST, 0x2);
	event_on(&self->s, EV_BRANCHES, 0);
	event_on(&self->s, EV_INSNS, 0);
	count(_metadata, &self->s, work_some);
	EXPECT_EQ(1, self->s.hw[0].cntr);
	EXPECT_LE(100000 * WORK_INSNS, self->s.counts[0].value);
	EXPECT_EQ(self->s.counts[2].value, self->s.counts[0].value);
}

/* Otherwise the test before this one proves nothing. */
TEST_F(allowed, precise_instructions_count_nothing_elsewhere)
{
	REQUIRE_ONE_CNTR_EVENTS();
	event_on(&self->s, EV_BRANCHES, 0);
	event_on(&self->s, EV_PREC_DIST, 0xd);
	count(_metadata, &self->s, work_some);
	EXPECT_NE(1, self->s.hw[1].cntr);
	EXPECT_EQ(0, self->s.counts[1].value);
}

/* Reads more memory than the core's cache holds. */
static void read_memory(void)
{
	static volatile char memory[8 << 20];
	size_t i;

	for (i = 0; i < sizeof(memory); i += 64)
		memory[i]++;
}

/* Core cycles at user level in which a request was outstanding, by the model. */
static uint64_t waits_of_model(void)
{
	uint64_t sum = 0;
	unsigned int kind;

	for (kind = ORACLE_EV_RD_HIT; kind <= ORACLE_EV_CODE_MISS; kind++)
		sum += oracle_events(1, kind + ORACLE_EV_WAIT, false);
	return sum;
}

TEST_F(allowed, pending_misses_count_right_on_counter_2)
{
	uint64_t truth;

	REQUIRE_ONE_CNTR_EVENTS();
	read_memory();
	event_on(&self->s, EV_L1D_PENDING, 0x4);
	event_on(&self->s, EV_BRANCHES, 0);
	event_on(&self->s, EV_BRMISSES, 0);
	truth = waits_of_model();
	count(_metadata, &self->s, read_memory);
	truth = waits_of_model() - truth;
	EXPECT_EQ(2, self->s.hw[0].cntr);
	EXPECT_LE(1000000, truth);
	/* others' code on the CPU, and ours before and after, is not counted */
	EXPECT_LE(self->s.counts[0].value, truth);
	EXPECT_GE(self->s.counts[0].value, truth - truth / 10);
}

TEST_F(allowed, without_a_mask_only_announced_events_are_accepted)
{
	static const uint64_t refused[] = { EV_PREC_DIST, EV_L1D_PENDING, EV_LACKING };
	unsigned int i;

	REQUIRE_ONE_CNTR_EVENTS();
	for (i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		session_task(&self->s, 0, 0);
		event_on(&self->s, EV_BRANCHES, 0);
		event_on(&self->s, refused[i], 0);
		EXPECT_EQ(-EOPNOTSUPP, session_make(&self->s));
		EXPECT_EQ(ACRPMU_REASON_ALLOWED_CNTRS, self->s.attr.error.reason);
		EXPECT_EQ(1, self->s.attr.error.event);
		EXPECT_EQ(0, self->s.attr.error.value);
	}
}

TEST_HARNESS_MAIN
