// SPDX-License-Identifier: GPL-2.0-only
/* Cost of samples above a ratio: reload by hardware, in software, and plain sampling. */
#include "work.h"
#include "module.h"
#include "pmi_cost.h"
#include "../bench/figure.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		1
#define PERIOD_CYCLES	100000
#define ROUNDS		10

/* Limits on the module's accesses: of a PMI with one event, and of one that restarts a pair */
#define MAX_PLAIN_PMI	4
#define MAX_SOFTWARE_PMI	12

/* Instructions in a cycle of which a sample must have more; the fast phase has 3.4. */
static const unsigned int thresholds[] = { 1, 2, 3 };

struct hits {
	uint64_t useful;
	uint64_t others;
};

static void note_hit(const struct sample *sample, void *data)
{
	struct hits *h = data;

	if (in_fast(sample->ip))
		h->useful++;
	else
		h->others++;
}

FIXTURE(reload) {
	struct session s;
};

FIXTURE_VARIANT(reload) {
	const char *name;
	unsigned int flags;
	bool pair;
	unsigned int most;
};

FIXTURE_VARIANT_ADD(reload, by_hardware) {
	.name = "hardware", .pair = true, .most = MAX_PLAIN_PMI,
};

FIXTURE_VARIANT_ADD(reload, in_software) {
	.name = "software", .pair = true, .flags = ACRPMU_SESSION_SOFTWARE,
	.most = MAX_SOFTWARE_PMI,
};

/* The same period: nothing says which samples lie where the ratio is above. */
FIXTURE_VARIANT_ADD(reload, plain) { .name = "plain", .most = MAX_PLAIN_PMI, };

FIXTURE_SETUP(reload)
{
	ASSERT_EQ(0, pin_to(0, CPU));
}

FIXTURE_TEARDOWN(reload)
{
	session_close(&self->s);
	oracle_get(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0);
}

static void describe(struct session *s, unsigned int flags, bool pair, unsigned int threshold)
{
	session_task(s, 0, flags);
	session_event(s, EV_INSNS, USER | SAMPLED, threshold * PERIOD_CYCLES, pair ? 0x2 : 0);
	if (pair)
		session_event(s, EV_CYCLES, USER, PERIOD_CYCLES, 0x3);
}

static void print_figure(const char *what, const char *name, unsigned int threshold,
			 const char *unit, double value)
{
	char text[80];
	struct figure f = { .part = "pmi", .name = text, .unit = unit, .ours = value };

	snprintf(text, sizeof(text), "reload, %s, ipc > %u: %s", name, threshold, what);
	figure_print(&f);
}

/* Prints what auto-counter-reload.rst and make bench show. */
static void print_costs(const char *name, unsigned int threshold, const struct hits *hits,
			const struct pmi_cost *c)
{
	uint64_t nr = c->nr ?: 1;

	print_figure("PMIs", name, threshold, "PMIs per useful sample",
		     (double)c->nr / (hits->useful ?: 1));
	print_figure("accesses", name, threshold, "accesses of the module per PMI",
		     (double)c->range_accesses / nr);
	print_figure("instructions", name, threshold, "instructions per PMI",
		     (double)c->insns / nr);
}

TEST_F(reload, costs_no_more_accesses_than_promised)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(thresholds); i++) {
		struct session *s = &self->s;
		struct hits hits = { 0 };
		struct pmi_cost cost;
		int ret;

		describe(s, variant->flags, variant->pair, thresholds[i]);
		ret = session_make(s);
		if (ret == -EOPNOTSUPP && variant->pair && !variant->flags)
			SKIP(return, "this CPU has no auto counter reload");
		ASSERT_EQ(0, ret) TH_LOG("%s", session_refusal(s));
		ASSERT_LT(0, module_add_ranges());
		ASSERT_EQ(0, session_enable(s));
		pmi_begin(&cost, CPU);
		work_phases(ROUNDS);
		pmi_end(&cost);
		ASSERT_EQ(0, session_finish(s, note_hit, &hits));
		print_costs(variant->name, thresholds[i], &hits, &cost);
		EXPECT_ACCOUNTED(s);
		EXPECT_GT(hits.useful, ROUNDS * (FAST_ITERATIONS * WORK_INSNS /
						 (thresholds[i] * PERIOD_CYCLES) - 2));
		EXPECT_EQ(cost.nr, cost.range_nr);
		/* a pause, on a busy host, also stops each counter */
		EXPECT_LE(cost.range_accesses, variant->most * cost.range_nr +
					       2 * s->accounts.throttled * s->attr.nr_events);
		/* by hardware only windows above interrupt, in software all */
		if (variant->flags) {
			EXPECT_GT(cost.nr, hits.useful + hits.others);
		} else {
			EXPECT_LE(cost.nr, hits.useful + hits.others + s->accounts.throttled);
		}
		EXPECT_TRUE(!variant->pair || hits.others <= 2 * ROUNDS);
		session_close(s);
		oracle_get(ORACLE_RANGE_CLEAR, ORACLE_THIS_CPU, 0);
	}
}

TEST_HARNESS_MAIN
