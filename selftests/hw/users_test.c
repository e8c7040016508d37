// SPDX-License-Identifier: GPL-2.0-only
/* Tasks of several users in one session: none must find in a counter what another has counted. */
#include "work.h"
#include "module.h"
#include "partner.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		1
#define ROUNDS		200
#define NOBODY		65534

FIXTURE(users) {
	struct session s;
	struct partner partner;
};

FIXTURE_VARIANT(users) {
	uid_t uid;
	bool continues;		/* the periods that the other one began */
};

FIXTURE_VARIANT_ADD(users, one) { .continues = true };

FIXTURE_VARIANT_ADD(users, two) { .uid = NOBODY };

FIXTURE_SETUP(users)
{
	ASSERT_EQ(0, pin_to(0, CPU));
	session_task(&self->s, 0, ACRPMU_SESSION_INHERIT);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, partner_start(&self->partner, variant->uid));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_LT(0, module_add_ranges());
}

FIXTURE_TEARDOWN(users)
{
	oracle_get(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0);
	session_close(&self->s);
	partner_end(&self->partner);
}

/* A counter that is written at each switch holds nothing of the task before. */
TEST_F(users, continue_only_their_own_periods)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	uint64_t writes;
	unsigned int i;

	ASSERT_EQ(0, session_query_cpu(&self->s, CPU, hw));
	ASSERT_TRUE(partner_turn(&self->partner));
	writes = partner_writes(CPU, &hw[0]);
	for (i = 0; i < ROUNDS; i++)
		ASSERT_TRUE(partner_turn(&self->partner));
	writes = partner_writes(CPU, &hw[0]) - writes;
	if (variant->continues) {
		EXPECT_GT(ROUNDS, writes);
	} else {
		EXPECT_LE(2 * ROUNDS, writes);
	}
}

TEST_HARNESS_MAIN
