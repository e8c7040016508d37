// SPDX-License-Identifier: GPL-2.0-only
/* Cost of PMIs in register accesses, compared with in-tree perf. */
#include "work.h"
#include "intree.h"
#include "module.h"
#include "pmi_cost.h"
#include "records.h"
#include "symbol.h"
#include "kselftest_harness.h"

#define CPU		1
#define PMI_PERIOD	20000

/* Limits on the module's accesses in a PMI, without the APIC: status, counter, re-arm, acknowledge;
 * two more writes of IA32_PERF_GLOBAL_CTRL if the kernel is counted
 */
#define MAX_USER_PMI	4
#define MAX_KERNEL_PMI	6
/* In-tree perf's accesses, which prove that the yardstick is right */
#define INTREE_PMI	7

FIXTURE(pmi) {
	struct session s;
};

FIXTURE_VARIANT(pmi) {
	const char *name;
	unsigned int levels;
	uint64_t config;
	bool pair;
	unsigned int most;
};

FIXTURE_VARIANT_ADD(pmi, user_level_fixed) {
	.name = "user level, fixed", .levels = USER, .config = EV_INSNS, .most = MAX_USER_PMI,
};

FIXTURE_VARIANT_ADD(pmi, user_level_general_purpose) {
	.name = "user level, GP", .levels = USER, .config = EV_BRANCHES, .most = MAX_USER_PMI,
};

FIXTURE_VARIANT_ADD(pmi, user_level_pair) {
	.name = "user level, reload pair", .levels = USER, .config = EV_INSNS, .pair = true,
	.most = MAX_USER_PMI,
};

FIXTURE_VARIANT_ADD(pmi, kernel_level) {
	.name = "user and kernel level", .levels = USER | KERNEL, .config = EV_INSNS,
	.most = MAX_KERNEL_PMI,
};

FIXTURE_VARIANT_ADD(pmi, kernel_level_pair) {
	.name = "both levels, reload pair", .levels = USER | KERNEL, .config = EV_INSNS,
	.pair = true, .most = MAX_KERNEL_PMI,
};

FIXTURE_SETUP(pmi)
{
	ASSERT_EQ(0, pin_to(0, CPU));
	session_task(&self->s, 0, 0);
	session_event(&self->s, variant->config, variant->levels | SAMPLED, PMI_PERIOD,
		      variant->pair ? 0x2 : 0);
	if (variant->pair)
		session_event(&self->s, EV_CYCLES, variant->levels, PMI_PERIOD, 0x3);
}

FIXTURE_TEARDOWN(pmi)
{
	session_close(&self->s);
	oracle_get(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0);
}

TEST_F(pmi, costs_no_more_accesses_than_promised)
{
	struct pmi_cost cost;

	if (variant->pair && session_make(&self->s) == -EOPNOTSUPP)
		SKIP(return, "this CPU has no auto counter reload");
	if (!variant->pair)
		ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_LE(0, self->s.fd);
	ASSERT_LT(0, module_add_ranges());
	ASSERT_EQ(0, session_enable(&self->s));
	pmi_begin(&cost, CPU);
	work_fast(2000000);
	pmi_end(&cost);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	pmi_print(variant->name, &cost);
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_GT(cost.range_nr, 50);
	EXPECT_EQ(cost.nr, cost.range_nr);
	/* A pause, on a busy host, also stops each counter. */
	EXPECT_LE(cost.range_accesses, variant->most * cost.range_nr +
				       self->s.accounts.throttled * self->s.attr.nr_events);
	EXPECT_GE(cost.range_accesses, 4 * cost.range_nr);
}

/* The sampled event counts user level: only the other one could count the handler. */
TEST(handler_is_not_counted_by_another_kernel_event)
{
	struct calls own = { .entry = symbol_address("pmi_handler", "acrpmu") };
	struct pmi_cost cost;
	uint64_t outside;
	struct session s;

	ASSERT_EQ(0, pin_to(0, CPU));
	ASSERT_TRUE(calls_begin(&own, CPU));
	session_task(&s, 0, 0);
	session_event(&s, EV_BRANCHES, USER | SAMPLED, 1000, 0);
	session_event(&s, EV_INSNS, KERNEL | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	outside = oracle_events(CPU, ORACLE_EV_INSN, true);
	pmi_begin(&cost, CPU);
	ASSERT_EQ(0, session_enable(&s));
	work_fast(2000000);
	ASSERT_EQ(0, session_finish(&s, NULL, NULL));
	pmi_end(&cost);
	calls_end(&own, CPU, 0);
	outside = oracle_events(CPU, ORACLE_EV_INSN, true) - outside - cost.insns;
	EXPECT_ACCOUNTED(&s);
	pmi_print("other event counts kernel", &cost);
	TH_LOG("%llu counted, at most %lu of them outside of handlers, which took %lu, ours %lu",
	       s.counts[1].value, outside, cost.insns, own.insns);
	EXPECT_GT(cost.nr, 1000);
	EXPECT_EQ(cost.nr, own.nr);
	/* Of our handler only the code before and after the freeze of all counters */
	EXPECT_LT(s.counts[1].value, outside + cost.insns - own.insns * 4 / 5);
	session_close(&s);
}

TEST(in_tree_pmi_costs_what_it_is_known_to_cost)
{
	struct intree e = { .config = EV_INSNS, .period = PMI_PERIOD, .cpu = -1, .group = -1 };
	size_t size = (1 + 64) * sysconf(_SC_PAGESIZE);
	struct pmi_cost cost;
	void *ring;
	int fd;

	ASSERT_EQ(0, pin_to(0, CPU));
	fd = intree_open(&e);
	ASSERT_LE(0, fd);
	ring = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, ring);
	pmi_begin(&cost, CPU);
	work_fast(2000000);
	pmi_end(&cost);
	pmi_print("in-tree perf, user level", &cost);
	EXPECT_GT(cost.nr, 50);
	EXPECT_GE(cost.accesses, (INTREE_PMI - 1) * cost.nr);
	munmap(ring, size);
	close(fd);
}

TEST_HARNESS_MAIN
