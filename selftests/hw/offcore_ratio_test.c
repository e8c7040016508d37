// SPDX-License-Identifier: GPL-2.0-only
/* Offcore responses in a group with auto counter reload: samples only in memory-bound code. */
#include "work.h"
#include "offcore.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		0
#define ROUNDS		5
#define LINES		(1UL << 19)	/* 32 MiB, twice what the last level holds */
#define COMPUTE		200000		/* iterations of WORK_INSNS instructions */

/* One data read from memory in ten instructions; the loop below makes one in four */
#define PERIOD_READS	2000
#define PERIOD_INSNS	20000

/* stream_reads(memory, lines): one load in each line of 64 bytes */
__asm__(".pushsection .text.stream,\"ax\",@progbits\n"
	".balign 64\n"
	".type stream_reads, @function\n"
	"stream_reads:\n"
	"1:	mov (%rdi), %al\n"
	"	add $64, %rdi\n"
	"	dec %rsi\n"
	"	jnz 1b\n"
	"	ret\n"
	"stream_end:\n"
	".popsection\n");

extern void stream_reads(const void *memory, uint64_t lines);
extern const char stream_end[];

struct hits {
	uint64_t stream, work, elsewhere;
};

static void note_hit(const struct sample *sample, void *data)
{
	struct hits *p = data;

	if (sample->ip >= (uintptr_t)stream_reads && sample->ip < (uintptr_t)stream_end)
		p->stream++;
	else if (in_work(sample->ip))
		p->work++;
	else
		p->elsewhere++;
}

FIXTURE(offcore_ratio) {
	struct session s;
	const struct offcore_cpu *cpu;
	void *memory;
};

static bool able(const FIXTURE_DATA(offcore_ratio) *self)
{
	return self->cpu && strcmp(self->cpu->name, "goldmont");
}

#define REQUIRE_ABLE() do {								\
	if (!able(self))								\
		SKIP(return, "needs both offcore responses and auto counter reload");	\
} while (0)

FIXTURE_SETUP(offcore_ratio)
{
	session_task(&self->s, 0, 0);
	self->cpu = offcore_cpu();
	self->memory = MAP_FAILED;
	if (!able(self))
		return;
	self->memory = mmap(NULL, LINES * 64, PROT_READ | PROT_WRITE,
			    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	ASSERT_NE(MAP_FAILED, self->memory);
	/* read in another order, lines cached before are no hits later */
	ASSERT_EQ(0, pin_to(0, CPU));
	stream_reads(self->memory, LINES);
}

FIXTURE_TEARDOWN(offcore_ratio)
{
	session_close(&self->s);
	if (self->memory != MAP_FAILED)
		munmap(self->memory, LINES * 64);
}

/*
 * Returns the reads from memory, by the model CPU: fewer than lines if the pages of the buffer
 * leave some sets of the cache without conflicts.
 */
static uint64_t run_phases(const void *memory)
{
	uint64_t before = oracle_events(CPU, ORACLE_EV_RD_MISS, false);
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		work_fast(COMPUTE);
		stream_reads(memory, LINES);
	}
	return oracle_events(CPU, ORACLE_EV_RD_MISS, false) - before;
}

#define LOG_ACCOUNTS(s)									\
	TH_LOG("lost %llu throttled %llu discarded %llu", (s)->accounts.lost,		\
	       (s)->accounts.throttled, (s)->accounts.discarded)

static int make_ratio(struct session *s, uint64_t value)
{
	session_event(s, EV_OFFCORE_0, USER | SAMPLED, PERIOD_READS, 0x2);
	s->ev[0].extra_value = value;
	session_event(s, EV_INSNS, USER, PERIOD_INSNS, 0x3);
	return session_make(s);
}

TEST_F(offcore_ratio, reads_from_memory_per_instruction_sample_the_memory_bound_phase_only)
{
	struct hits p = { 0 };
	uint64_t reads;

	REQUIRE_ABLE();
	ASSERT_EQ(0, make_ratio(&self->s, self->cpu->miss | RSP_DATA_RD))
		TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	reads = run_phases(self->memory);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &p));
	EXPECT_LT(ROUNDS * LINES / 2, reads);
	/* a sample after each period; at most one window spans the beginning and the end */
	EXPECT_LE(reads / PERIOD_READS - 2 * ROUNDS, p.stream) LOG_ACCOUNTS(&self->s);
	EXPECT_GE(reads / PERIOD_READS + ROUNDS, p.stream);
	EXPECT_EQ(0, p.work);
	EXPECT_LE(p.elsewhere, ROUNDS);
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_TRUE(self->s.counts[0].flags & ACRPMU_COUNT_RELOADED);
}

TEST_F(offcore_ratio, hits_per_instruction_sample_nothing_where_all_reads_miss)
{
	REQUIRE_ABLE();
	ASSERT_EQ(0, make_ratio(&self->s, self->cpu->hit | RSP_DATA_RD))
		TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	run_phases(self->memory);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_EQ(0, self->s.records);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(offcore_ratio, sampled_reads_are_those_of_the_loop)
{
	struct hits p = { 0 };
	uint64_t reads;

	REQUIRE_ABLE();
	session_event(&self->s, EV_OFFCORE_0, USER | SAMPLED, PERIOD_READS, 0);
	self->s.ev[0].extra_value = self->cpu->miss | RSP_DATA_RD;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	reads = run_phases(self->memory);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &p));
	EXPECT_LT(ROUNDS * LINES / 2, reads);
	EXPECT_LE(reads / PERIOD_READS - 2, p.stream) LOG_ACCOUNTS(&self->s);
	EXPECT_LE(p.work + p.elsewhere, 2);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_HARNESS_MAIN
