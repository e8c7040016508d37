// SPDX-License-Identifier: GPL-2.0-only
/* Reload masks and values left behind by an earlier user: without effect, restored exactly. */
#include <cpuid.h>

#include "work.h"
#include "msr.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		1
#define ITERATIONS	2000000
/* Of the loop, from sample to sample */
#define PERIOD		50000

static uint64_t read_msr(uint32_t msr)
{
	return oracle_get(ORACLE_MSR, CPU, msr);
}

FIXTURE(stale) {
	struct session s;
	uint64_t mask;
};

FIXTURE_VARIANT(stale) {
	bool reload;
};

FIXTURE_VARIANT_ADD(stale, under_plain_sampling) { };

FIXTURE_VARIANT_ADD(stale, under_a_reload_pair) { .reload = true };

static void describe(struct session *s, bool reload)
{
	session_task(s, 0, 0);
	if (reload) {
		session_event(s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0x2);
		session_event(s, EV_BRMISSES, USER, 1000000, 0x3);
	} else {
		/* On fixed counters, which have reload registers on every CPU that has any */
		session_event(s, EV_INSNS, USER | SAMPLED, PERIOD * WORK_INSNS, 0);
		session_event(s, EV_CYCLES, USER | COUNT, 0, 0);
	}
}

FIXTURE_SETUP(stale)
{
	int i;

	self->s.fd = -1;
	ASSERT_EQ(0, pin_to(0, CPU));
	/* Find the counters that will be used. */
	describe(&self->s, variant->reload);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	session_close(&self->s);
	ASSERT_NE(0, self->s.hw[0].cfg_b_msr);
	ASSERT_NE(0, self->s.hw[1].cfg_b_msr);
	/* The harmful case: each is reloaded by the other's overflows and its own. */
	self->mask = 1ULL << self->s.hw[0].cntr | 1ULL << self->s.hw[1].cntr;
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, msr_write(CPU, self->s.hw[i].cfg_b_msr, self->mask))
			TH_LOG("the msr driver is needed: modprobe msr allow_writes=on");
		ASSERT_EQ(0, msr_write(CPU, self->s.hw[i].cfg_c_msr, 0xffff0000 + i));
	}
}

FIXTURE_TEARDOWN(stale)
{
	int i;

	session_close(&self->s);
	for (i = 0; i < 2 && self->mask; i++) {
		msr_write(CPU, self->s.hw[i].cfg_b_msr, 0);
		msr_write(CPU, self->s.hw[i].cfg_c_msr, 0);
	}
}

TEST_F(stale, masks_have_no_effect_and_are_restored)
{
	const uint64_t expected = ITERATIONS / PERIOD;
	int i;

	describe(&self->s, variant->reload);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(self->s.hw[i].cfg_b, read_msr(self->s.hw[i].cfg_b_msr));
		EXPECT_EQ(self->s.hw[i].cfg_c, read_msr(self->s.hw[i].cfg_c_msr));
	}
	if (!variant->reload) {
		EXPECT_EQ(0, read_msr(self->s.hw[0].cfg_b_msr));
		EXPECT_EQ(0, read_msr(self->s.hw[1].cfg_b_msr));
	}
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	/* With the stale self-reload no overflow would have raised a PMI. */
	EXPECT_GE(self->s.counts[0].overflows, expected - 1);
	EXPECT_LE(self->s.counts[0].overflows, expected + 1);
	session_close(&self->s);
	for (i = 0; i < 2; i++) {
		EXPECT_EQ(self->mask, read_msr(self->s.hw[i].cfg_b_msr));
		EXPECT_EQ(0xffff0000 + i, read_msr(self->s.hw[i].cfg_c_msr));
	}
}

/* ---- PEBS ---- */

/* CFG_C: records are written, with the general-purpose registers */
#define PEBS_BITS	(1ULL << 63 | 1ULL << 61)

FIXTURE(pebs) {
	struct session s;
	uint32_t cfg_c_msr[2];
	bool written;
};

/* CPUID.23H.0:EAX[5]: sub-leaf 5 has the counters with PEBS, in EAX and ECX */
static uint64_t pebs_cntrs(void)
{
	unsigned int eax, ebx, ecx, edx;

	if (!__get_cpuid_count(0x23, 0, &eax, &ebx, &ecx, &edx) || !(eax & 1 << 5))
		return 0;
	__cpuid_count(0x23, 5, eax, ebx, ecx, edx);
	return eax | (uint64_t)ecx << ACRPMU_FIXED_BASE;
}

static void describe_two(struct session *s)
{
	session_task(s, 0, 0);
	/* On the lowest counter, which often cannot be reloaded, and a fixed one */
	session_event(s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
	session_event(s, EV_INSNS, USER | SAMPLED, PERIOD * WORK_INSNS, 0);
}

FIXTURE_SETUP(pebs)
{
	uint64_t cntrs = pebs_cntrs();
	int i;

	self->s.fd = -1;
	if (!cntrs)
		SKIP(return, "the counters of this CPU have no PEBS bits");
	ASSERT_EQ(0, pin_to(0, CPU));
	describe_two(&self->s);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	session_close(&self->s);
	for (i = 0; i < 2; i++) {
		int cntr = self->s.hw[i].cntr;

		ASSERT_TRUE(cntrs >> cntr & 1);
		self->cfg_c_msr[i] = cntr < ACRPMU_FIXED_BASE ? 0x1903 + 4 * cntr :
				     0x1983 + 4 * (cntr - ACRPMU_FIXED_BASE);
		ASSERT_EQ(0, msr_write(CPU, self->cfg_c_msr[i], PEBS_BITS + i))
			TH_LOG("the msr driver is needed: modprobe msr allow_writes=on");
		self->written = true;
	}
}

FIXTURE_TEARDOWN(pebs)
{
	int i;

	session_close(&self->s);
	for (i = 0; i < 2 && self->written; i++)
		msr_write(CPU, self->cfg_c_msr[i], 0);
}

TEST_F(pebs, bits_have_no_effect_and_are_restored)
{
	const uint64_t expected = ITERATIONS / PERIOD;
	int i;

	describe_two(&self->s);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	/* Otherwise this proves nothing about counters that have CFG_C for PEBS alone. */
	EXPECT_EQ(0, self->s.hw[0].cfg_b_msr);
	for (i = 0; i < 2; i++)
		EXPECT_EQ(0, read_msr(self->cfg_c_msr[i]));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	for (i = 0; i < 2; i++) {
		EXPECT_GE(self->s.counts[i].overflows, expected - 1);
		EXPECT_LE(self->s.counts[i].overflows, expected + 1);
	}
	session_close(&self->s);
	for (i = 0; i < 2; i++)
		EXPECT_EQ(PEBS_BITS + i, read_msr(self->cfg_c_msr[i]));
}

TEST_HARNESS_MAIN
