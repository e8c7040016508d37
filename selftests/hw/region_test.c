// SPDX-License-Identifier: GPL-2.0-only
/* A session enabled around a region of code: what it counts and samples, and what that costs. */
#include "work.h"
#include <stddef.h>
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		1
#define OTHER_CPU	0
#define ROUNDS		100
#define ITERATIONS	5000ULL
#define REGION_INSNS	(ITERATIONS * WORK_INSNS)

/* User instructions that a region may count beside its own: from one ioctl(2) and to the next */
#define MAX_USER_INSNS	60

/* ---- what is counted and sampled ---- */

/* What lies outside of the region is work_slow(). */
static int run(struct session *s)
{
	unsigned int i;
	int err = 0;

	for (i = 0; i < ROUNDS; i++) {
		work_slow(ITERATIONS);
		err |= session_enable(s);
		work_fast(ITERATIONS);
		err |= session_disable(s);
	}
	return err;
}

TEST(a_region_counts_its_own_instructions_only)
{
	struct session s;

	ASSERT_EQ(0, pin_to(0, CPU));
	session_task(&s, 0, 0);
	session_event(&s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, run(&s));
	ASSERT_EQ(0, session_read(&s));
	EXPECT_LE(ROUNDS * REGION_INSNS, s.counts[0].value);
	EXPECT_GE(ROUNDS * (REGION_INSNS + MAX_USER_INSNS), s.counts[0].value);
	fprintf(stderr, "# user instructions beside the region's: %llu\n",
		(s.counts[0].value - ROUNDS * REGION_INSNS) / ROUNDS);
	session_close(&s);
}

struct places {
	unsigned int inside, outside;
};

static void place(const struct sample *sample, void *data)
{
	struct places *places = data;

	places->inside += in_fast(sample->ip);
	places->outside += in_work(sample->ip) && !in_fast(sample->ip);
}

/* A period is longer than a third of a region, so that it has to continue in the next. */
TEST(a_region_samples_its_own_instructions_only)
{
	struct places places = { 0 };
	struct session s;

	ASSERT_EQ(0, pin_to(0, CPU));
	session_task(&s, 0, 0);
	session_event(&s, EV_INSNS, USER | SAMPLED, 2 * REGION_INSNS / 3, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, run(&s));
	ASSERT_EQ(0, session_finish(&s, place, &places));
	EXPECT_ACCOUNTED(&s);
	EXPECT_EQ(0, places.outside);
	/* three for two regions, but one that the way between the marks and the loop may take */
	EXPECT_LE(3 * ROUNDS / 2 - 2, places.inside);
	EXPECT_GE(3 * ROUNDS / 2 + 1, places.inside);
	session_close(&s);
}

/* ---- cost ---- */

struct cost {
	uint64_t insns;
	uint64_t writes;
	uint64_t reads;
	uint64_t other_cpu;
};

static uint64_t by_module(int cpu, unsigned int op)
{
	return oracle_accesses(cpu, ORACLE_ALL_MSRS, op, ORACLE_ORIGIN_RANGE, ORACLE_ANY_TIME);
}

static struct cost cost_now(void)
{
	return (struct cost){
		.insns = oracle_events(CPU, ORACLE_EV_INSN, false) +
			 oracle_events(CPU, ORACLE_EV_INSN, true),
		.writes = by_module(CPU, ORACLE_WR),
		.reads = by_module(CPU, ORACLE_RD) + by_module(CPU, ORACLE_RDPMC),
		.other_cpu = by_module(OTHER_CPU, ORACLE_WR) + by_module(OTHER_CPU, ORACLE_RD) +
			     by_module(OTHER_CPU, ORACLE_RDPMC),
	};
}

static int compare(const void *a, const void *b)
{
	uint64_t one = *(const uint64_t *)a, two = *(const uint64_t *)b;

	return (one > two) - (one < two);
}

FIXTURE(cost) {
	struct session s;
};

FIXTURE_VARIANT(cost) {
	const char *name;
	uint64_t cpus;
	unsigned int nr_events;
	unsigned int writes;	/* at most, of both marks */
	unsigned int reads;
	unsigned int other_cpu;	/* accesses there, where the task is not */
};

FIXTURE_VARIANT_ADD(cost, one_event_on_one_cpu) {
	.name = "1 event, 1 CPU", .cpus = 1 << CPU, .nr_events = 1, .writes = 2, .reads = 14,
};

FIXTURE_VARIANT_ADD(cost, four_events_on_one_cpu) {
	.name = "4 events, 1 CPU", .cpus = 1 << CPU, .nr_events = 4, .writes = 6, .reads = 53,
};

FIXTURE_VARIANT_ADD(cost, one_event_on_two_cpus) {
	.name = "1 event, 2 CPUs", .cpus = 3, .nr_events = 1, .writes = 2, .reads = 14,
	.other_cpu = 13,
};

FIXTURE_SETUP(cost)
{
	static const uint64_t configs[] = { EV_INSNS, EV_CYCLES, EV_BRANCHES, EV_BRMISSES };
	unsigned int i;

	ASSERT_EQ(0, pin_to(0, CPU));
	session_task(&self->s, 0, 0);
	self->s.cpu_bits = variant->cpus;
	for (i = 0; i < variant->nr_events; i++)
		session_event(&self->s, configs[i], USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

FIXTURE_TEARDOWN(cost)
{
	session_close(&self->s);
	oracle_get(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0);
}

/* Interrupts and switches add to some rounds, so the median of each figure stands for all. */
static uint64_t median(const struct cost each[], size_t figure)
{
	uint64_t sorted[ROUNDS];
	unsigned int i;

	for (i = 0; i < ROUNDS; i++)
		sorted[i] = *(const uint64_t *)((const char *)&each[i] + figure);
	qsort(sorted, ROUNDS, sizeof(*sorted), compare);
	return sorted[ROUNDS / 2];
}

static struct cost medians(struct session *s, bool marks)
{
	struct cost each[ROUNDS], before, after;
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		before = cost_now();
		if (marks) {
			session_enable(s);
			session_disable(s);
		}
		after = cost_now();
		each[i] = (struct cost){
			.insns = after.insns - before.insns,
			.writes = after.writes - before.writes,
			.reads = after.reads - before.reads,
			.other_cpu = after.other_cpu - before.other_cpu,
		};
	}
	return (struct cost){
		.insns = median(each, offsetof(struct cost, insns)),
		.writes = median(each, offsetof(struct cost, writes)),
		.reads = median(each, offsetof(struct cost, reads)),
		.other_cpu = median(each, offsetof(struct cost, other_cpu)),
	};
}

TEST_F(cost, marks_cost_no_more_accesses_than_documented)
{
	/* and another one when the task is back */
	unsigned int zeroing = zeroes_at_stop() ? 2 * variant->nr_events : 0;
	struct cost idle, cost;

	ASSERT_LT(0, module_add_ranges());
	idle = medians(&self->s, false);
	cost = medians(&self->s, true);
	fprintf(stderr, "# %-16s both marks: %lu instructions, %lu writes, %lu reads; "
		"on the other CPU %lu accesses\n", variant->name, cost.insns - idle.insns,
		cost.writes, cost.reads, cost.other_cpu);
	EXPECT_LT(0, cost.writes);
	EXPECT_GE(variant->writes + zeroing, cost.writes);
	EXPECT_GE(variant->reads, cost.reads);
	EXPECT_GE(variant->other_cpu, cost.other_cpu);
}

TEST_HARNESS_MAIN
