// SPDX-License-Identifier: GPL-2.0-only
/* Sessions with reload in software, written down so that software_replay.py can replay them. */
#include "work.h"
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		0
#define NR_EVENTS	3
#define MAX_SAMPLES	100000
#define FIRST_TAG	0x50f70000U

struct samples {
	unsigned int nr;
	uint8_t ev[MAX_SAMPLES];
};

static void note_sample(const struct sample *sample, void *data)
{
	struct samples *p = data;

	if (p->nr < MAX_SAMPLES)
		p->ev[p->nr++] = sample->id - 100;
}

FIXTURE(replay) {
	struct session s;
	struct samples *samples;
	FILE *file;
};

FIXTURE_VARIANT(replay) {
	const char *name;
	unsigned int tag;
	unsigned int levels;
	uint64_t config[NR_EVENTS];
	uint64_t period[NR_EVENTS];
	uint64_t causes[NR_EVENTS];
	unsigned int sampled_events;
	bool race;	/* of two events, in nearly every window */
};

/* More and fewer than the 3.4 instructions in a cycle that the program has */
FIXTURE_VARIANT_ADD(replay, pair) {
	.name = "pair", .tag = FIRST_TAG, .levels = USER, .sampled_events = 0x1,
	.config = { EV_INSNS, EV_CYCLES }, .period = { 3400, 1000 }, .causes = { 0x2, 0x3 },
};

/* One branch in six instructions: the branches overflow three instructions later. */
FIXTURE_VARIANT_ADD(replay, close_race) {
	.name = "close race", .tag = FIRST_TAG + 2, .levels = USER, .sampled_events = 0x1,
	.config = { EV_INSNS, EV_BRANCHES }, .period = { 5997, 1000 }, .causes = { 0x2, 0x3 },
	.race = true,
};

/*
 * The model CPU raises a PMI between iterations. After 1001 of them instructions are 2 beyond their
 * period; cycles, 1751.75 or one more or less by rounding, are 0 or 1, which is earlier.
 */
FIXTURE_VARIANT_ADD(replay, race_either_way) {
	.name = "race either way", .tag = FIRST_TAG + 10, .levels = USER, .sampled_events = 0x1,
	.config = { EV_INSNS, EV_CYCLES }, .period = { 6004, 1751 }, .causes = { 0x2, 0x3 },
	.race = true,
};

FIXTURE_VARIANT_ADD(replay, race_sampled_last) {
	.name = "race, the second sampled", .tag = FIRST_TAG + 12, .levels = USER,
	.sampled_events = 0x2, .config = { EV_CYCLES, EV_INSNS }, .period = { 1751, 6004 },
	.causes = { 0x3, 0x1 }, .race = true,
};

FIXTURE_VARIANT_ADD(replay, ring_of_three) {
	.name = "ring of three", .tag = FIRST_TAG + 4, .levels = USER, .sampled_events = 0x1,
	.config = { EV_INSNS, EV_BRANCHES, EV_CYCLES }, .period = { 9000, 1700, 2500 },
	.causes = { 0x2, 0x6, 0x5 },
};

FIXTURE_VARIANT_ADD(replay, two_sampled) {
	.name = "two sampled", .tag = FIRST_TAG + 6, .levels = USER, .sampled_events = 0x3,
	.config = { EV_INSNS, EV_BRANCHES, EV_CYCLES }, .period = { 6000, 1003, 4000 },
	.causes = { 0x2, 0x4, 0x1 },
};

FIXTURE_VARIANT_ADD(replay, both_levels) {
	.name = "both levels", .tag = FIRST_TAG + 8, .levels = USER | KERNEL, .sampled_events = 0x1,
	.config = { EV_INSNS, EV_CYCLES }, .period = { 34000, 12000 }, .causes = { 0x2, 0x3 },
};

FIXTURE_SETUP(replay)
{
	int ret = module_unload();
	char path[256];
	unsigned int i;

	ASSERT_TRUE(!ret || ret == -ENOENT);
	ASSERT_EQ(0, module_load("max_pmi_percent=100 max_sample_rate=10000000"));
	ASSERT_EQ(0, pin_to(0, CPU));
	snprintf(path, sizeof(path), "%s/software.jsonl", getenv("ACR_OUT") ?: ".");
	self->file = fopen(path, "a");
	ASSERT_NE(NULL, self->file);
	self->samples = calloc(1, sizeof(*self->samples));
	session_task(&self->s, 0, ACRPMU_SESSION_SOFTWARE);
	self->s.cpu_bits = 1ULL << CPU;
	self->s.attr.ring_pages = 512;
	for (i = 0; i < NR_EVENTS && variant->period[i]; i++)
		session_event(&self->s, variant->config[i],
			      variant->levels | (variant->sampled_events >> i & 1 ? SAMPLED : 0),
			      possible_period(variant->period[i], variant->levels),
			      variant->causes[i]);
}

FIXTURE_TEARDOWN(replay)
{
	session_close(&self->s);
	oracle_get(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0);
	fclose(self->file);
	free(self->samples);
	module_unload();
	module_load("max_pmi_percent=100");
}

static void write_down(FILE *file, const struct session *s,
		       const FIXTURE_VARIANT(replay) *variant, const struct samples *samples)
{
	uint64_t causes = 0;
	unsigned int i;

	for (i = 0; i < s->attr.nr_events; i++)
		causes |= s->ev[i].acr_mask;
	fprintf(file, "{\"name\":\"%s\",\"tag\":%u,\"cpu\":%d,\"race\":%s,\"events\":[",
		variant->name, variant->tag, CPU, variant->race ? "true" : "false");
	for (i = 0; i < s->attr.nr_events; i++) {
		bool sampled = s->ev[i].flags & SAMPLED;

		fprintf(file, "%s{\"n\":%d,\"msr\":\"0x%x\",\"start\":\"0x%llx\",\"period\":%llu,"
			"\"causes\":%llu,\"sampled\":%s,\"int\":%s,\"outside\":%lu}", i ? "," : "",
			s->hw[i].cntr, s->hw[i].cntr_msr, s->hw[i].start, s->ev[i].period,
			s->ev[i].acr_mask, sampled ? "true" : "false",
			sampled || causes >> i & 1 ? "true" : "false", s->outside[i]);
	}
	fprintf(file, "],\"samples\":[");
	for (i = 0; i < samples->nr; i++)
		fprintf(file, "%s%u", i ? "," : "", samples->ev[i]);
	fprintf(file, "]}\n");
}

TEST_F(replay, is_written_down)
{
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_LT(0, module_add_ranges());
	oracle_mark(variant->tag);
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(1);
	ASSERT_EQ(0, session_disable(&self->s));
	oracle_mark(variant->tag + 1);
	ASSERT_EQ(0, session_finish(&self->s, note_sample, self->samples));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_EQ(0, self->s.accounts.lost + self->s.accounts.throttled);
	TH_LOG("%u samples, %llu quiet, %llu dropped", self->samples->nr, self->s.accounts.quiet,
	       self->s.accounts.dropped);
	write_down(self->file, &self->s, variant, self->samples);
}

TEST_HARNESS_MAIN
