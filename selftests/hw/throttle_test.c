// SPDX-License-Identifier: GPL-2.0-only
/* Rates beyond the module's limits: missing samples are counted, and the session resumes. */
#include "work.h"
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

/* As in every other test: no limit on the handler's share of time, which is not real here. */
#define USUAL_PARAMS	"max_pmi_percent=100"

FIXTURE(limit) {
	struct session s;
};

FIXTURE_VARIANT(limit) {
	const char *params;
	uint64_t config;
	unsigned int levels;
};

FIXTURE_VARIANT_ADD(limit, of_the_rate_fixed) {
	.params = "max_sample_rate=2000 max_pmi_percent=100", .config = EV_INSNS, .levels = USER,
};

FIXTURE_VARIANT_ADD(limit, of_the_rate_general_purpose) {
	.params = "max_sample_rate=2000 max_pmi_percent=100", .config = EV_BRANCHES,
	.levels = USER | KERNEL,
};

FIXTURE_VARIANT_ADD(limit, of_one_sample_a_tick) {
	.params = "max_sample_rate=1 max_pmi_percent=100", .config = EV_INSNS, .levels = USER,
};

FIXTURE_VARIANT_ADD(limit, of_the_handlers_time) {
	.params = "max_pmi_percent=1", .config = EV_INSNS, .levels = USER | KERNEL,
};

FIXTURE_SETUP(limit)
{
	int ret = module_unload();

	ASSERT_TRUE(!ret || ret == -ENOENT);
	ASSERT_EQ(0, module_load(variant->params));
	session_task(&self->s, 0, 0);
	session_event(&self->s, variant->config, variant->levels | SAMPLED, 1000, 0);
	self->s.attr.ring_pages = 256;
}

FIXTURE_TEARDOWN(limit)
{
	session_close(&self->s);
	module_unload();
	module_load(USUAL_PARAMS);
}

TEST_F(limit, throttles_accounts_and_recovers)
{
	uint64_t records;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(20000000);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_GT(self->s.accounts.throttled, 0);
	EXPECT_GT(self->s.accounts.records, 0);
	records = self->s.accounts.records;
	/* It continues after a pause. */
	work_fast(20000000);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_GT(self->s.accounts.records, records);
	EXPECT_ACCOUNTED(&self->s);
	TH_LOG("%llu records, %llu throttled", self->s.accounts.records,
	       self->s.accounts.throttled);
}

TEST(unloading_is_refused_while_a_session_exists)
{
	struct session s;

	session_cpus(&s, 1);
	session_event(&s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_EQ(0, session_enable(&s));
	EXPECT_EQ(0, session_finish(&s, NULL, NULL));
	session_close(&s);
	EXPECT_EQ(0, module_unload());
	EXPECT_EQ(0, module_load(USUAL_PARAMS));
}

TEST_HARNESS_MAIN
