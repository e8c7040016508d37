// SPDX-License-Identifier: GPL-2.0-only
/* What administrators see by name: the limit of sessions, and tracepoints against the model. */
#include "work.h"
#include "records.h"
#include <errno.h>
#include <stdlib.h>
#include "file.h"
#include "kselftest_harness.h"

#define CPU		1
#define MAX_SESSIONS	"/sys/module/acrpmu/parameters/max_sessions"
#define TRACING		"/sys/kernel/tracing/"
#define EVENT(name)	TRACING "events/acrpmu/acrpmu_" name "/enable"
#define PERIOD		100000
#define NR_SAMPLES	20

static void describe(struct session *s)
{
	session_cpus(s, 1 << CPU);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
}

TEST(max_sessions_limits_also_those_of_root)
{
	struct session s[3];
	char before[32];
	unsigned int i;

	ASSERT_TRUE(read_text(MAX_SESSIONS, before, sizeof(before)));
	EXPECT_EQ(16384, strtoul(before, NULL, 0));
	EXPECT_EQ(-EINVAL, write_text(MAX_SESSIONS, "0"));
	EXPECT_EQ(-EINVAL, write_text(MAX_SESSIONS, "2147483648"));
	EXPECT_EQ(-EINVAL, write_text(MAX_SESSIONS, "many"));
	ASSERT_EQ(0, write_text(MAX_SESSIONS, "2"));
	for (i = 0; i < 3; i++)
		describe(&s[i]);
	EXPECT_EQ(0, session_make(&s[0]));
	EXPECT_EQ(0, session_make(&s[1]));
	EXPECT_EQ(-EMFILE, session_make(&s[2]));
	EXPECT_EQ(ACRPMU_REASON_SESSIONS, s[2].attr.error.reason);
	EXPECT_EQ(2, s[2].attr.error.limit);
	session_close(&s[0]);
	describe(&s[2]);
	EXPECT_EQ(0, session_make(&s[2])) TH_LOG("%s", session_refusal(&s[2]));
	session_close(&s[1]);
	session_close(&s[2]);
	EXPECT_EQ(0, write_text(MAX_SESSIONS, before));
}

/* ---- tracepoints ---- */

FIXTURE(tracing) {
	struct session s;
};

FIXTURE_SETUP(tracing)
{
	self->s.fd = -1;
	ASSERT_EQ(0, pin_to(0, CPU));
	ASSERT_EQ(0, write_text(TRACING "buffer_size_kb", "4096"));
	ASSERT_EQ(0, write_text(TRACING "trace", ""));
}

FIXTURE_TEARDOWN(tracing)
{
	session_close(&self->s);
	EXPECT_EQ(0, write_text(TRACING "events/acrpmu/enable", "0"));
	EXPECT_EQ(0, write_text(TRACING "trace", ""));
}

/* Returns how many lines of the trace have both texts. */
static unsigned int lines_with(const char *first, const char *second)
{
	FILE *f = fopen(TRACING "trace", "r");
	unsigned int nr = 0;
	char line[256];

	while (f && fgets(line, sizeof(line), f))
		nr += strstr(line, first) && strstr(line, second);
	if (f)
		fclose(f);
	return nr;
}

static void make_sampled(struct __test_metadata *_metadata, struct session *s)
{
	session_cpus(s, 1 << CPU);
	session_event(s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
	ASSERT_EQ(0, session_make(s)) TH_LOG("%s", session_refusal(s));
}

static void sample(struct __test_metadata *_metadata, struct session *s)
{
	ASSERT_EQ(0, session_enable(s));
	work_fast((NR_SAMPLES + 1) * PERIOD / WORK_INSNS);
	ASSERT_EQ(0, session_disable(s));
}

TEST_F(tracing, acrpmu_pmi_has_each_interrupt_with_the_status_of_its_counter)
{
	char status[64];
	uint64_t truth;

	make_sampled(_metadata, &self->s);
	ASSERT_EQ(0, write_text(EVENT("pmi"), "1"));
	sample(_metadata, &self->s);
	ASSERT_EQ(0, write_text(EVENT("pmi"), "0"));
	truth = session_truth(&self->s, 0) - self->s.truth[0];
	EXPECT_LE(NR_SAMPLES, truth);
	snprintf(status, sizeof(status), "status=%#llx ", 1ULL << self->s.hw[0].cntr);
	EXPECT_EQ(truth, lines_with("acrpmu_pmi: ", status));
	EXPECT_EQ(truth, lines_with("acrpmu_pmi: ", "handled=1"));
}

static uint64_t model_writes(uint32_t msr)
{
	return oracle_accesses(CPU, msr, ORACLE_WR, ORACLE_ORIGIN_ANY, ORACLE_ANY_TIME);
}

/* The counter, once for each sample and to start, and what selects its event */
TEST_F(tracing, acrpmu_msr_write_has_each_write_that_the_model_saw)
{
	uint64_t writes[2], least[2] = { NR_SAMPLES, 1 };
	char text[2][32];
	uint32_t msr[2];
	unsigned int i;

	make_sampled(_metadata, &self->s);
	msr[0] = self->s.hw[0].cntr_msr;
	msr[1] = self->s.hw[0].cfg_a_msr;
	for (i = 0; i < 2; i++) {
		snprintf(text[i], sizeof(text[i]), "msr=%#x ", msr[i]);
		writes[i] = model_writes(msr[i]);
	}
	ASSERT_EQ(0, write_text(EVENT("msr_write"), "1"));
	sample(_metadata, &self->s);
	ASSERT_EQ(0, write_text(EVENT("msr_write"), "0"));
	for (i = 0; i < 2; i++) {
		writes[i] = model_writes(msr[i]) - writes[i];
		EXPECT_LE(least[i], writes[i]);
		EXPECT_EQ(writes[i], lines_with("acrpmu_msr_write: ", text[i]));
	}
}

TEST_F(tracing, acrpmu_no_record_has_each_overflow_that_a_full_ring_lost)
{
	uint64_t lost;

	ASSERT_EQ(0, write_text(EVENT("no_record"), "1"));
	session_cpus(&self->s, 1 << CPU);
	self->s.attr.ring_pages = 1;
	session_event(&self->s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	/* a page has room for less than 100 records of 56 bytes */
	work_fast(300ULL * PERIOD / WORK_INSNS);
	ASSERT_EQ(0, session_disable(&self->s));
	ASSERT_EQ(0, write_text(EVENT("no_record"), "0"));
	ASSERT_EQ(0, session_read(&self->s));
	lost = self->s.accounts.lost;
	EXPECT_LT(100, lost);
	EXPECT_EQ(lost, lines_with("acrpmu_no_record: session=", " event=0 why=lost"));
}

TEST_HARNESS_MAIN
