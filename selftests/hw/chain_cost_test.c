// SPDX-License-Identifier: GPL-2.0-only
/* Cost of call chains in instructions of a PMI, and of each frame, compared with in-tree perf. */
#include "chains.h"
#include "pmi_cost.h"
#include "../bench/figure.h"
#include "kselftest_harness.h"

#define CPU	0
/* of a frame of a program, on any kernel that is tested without debugging options */
#define MAX_FRAME_INSNS	150
/* and where each access to memory is checked: 202 were measured with KASAN, 703 with KCSAN */
#define MAX_DEBUG_FRAME_INSNS	1200

FIXTURE(cost) {
	struct session s;
	struct chains *c;
	uint64_t *frame;
};

/* A frame that is its own caller: the chain is as long as it may be. */
FIXTURE_SETUP(cost)
{
	self->s.fd = -1;
	self->c = calloc(1, sizeof(*self->c));
	self->frame = calloc(2, sizeof(*self->frame));
	ASSERT_NE(NULL, self->c);
	ASSERT_NE(NULL, self->frame);
	self->frame[0] = (uintptr_t)self->frame;
	ASSERT_EQ(0, pin_to(0, CPU));
}

FIXTURE_TEARDOWN(cost)
{
	free(self->frame);
	free(self->c);
}

static int sample_ours(struct session *s, unsigned int max_stack, uint64_t fp, struct chains *c)
{
	chains_describe(s, USER);
	s->attr.max_stack = max_stack;
	if (!max_stack)
		s->attr.sample_type = SAMPLE_TYPE;
	return chains_sample(s, calls_spin, fp, c);
}

/* All samples in the loop must have that many frames, after the marker of the level. */
static bool have_frames(const struct chains *c, unsigned int max_stack)
{
	unsigned int i, n = 0;

	for (i = 0; i < c->nr; i++) {
		if (c->list[i].ip < (uintptr_t)calls_spin_begin ||
		    c->list[i].ip >= (uintptr_t)calls_spin_end)
			continue;
		if (c->list[i].nr != 1 + max_stack)
			return false;
		n++;
	}
	return !max_stack || n > ITERATIONS * 2 / PERIOD * 9 / 10;
}

static double ratio(uint64_t over, uint64_t under)
{
	return (double)over / under;
}

static void print_chain(unsigned int frames, uint64_t ours, uint64_t intree)
{
	char name[64];
	struct figure f = {
		.part = "pmi", .name = name, .unit = "instructions per PMI",
		.ours = ours, .peer = intree, .peer_name = "in-tree perf",
	};
	struct figure_point p = {
		.part = "pmi", .series = "PMI with a call chain", .x = frames, .x_unit = "frames",
		.y = ours, .unit = "instructions per PMI",
	};

	snprintf(name, sizeof(name), "call chain of %u frames", frames);
	figure_print(&f);
	/* A logarithm has no zero. */
	if (frames)
		figure_point_print(&p);
}

static void print_frame(double ours, double intree)
{
	struct figure f = {
		.part = "pmi", .name = "call chain, each frame", .unit = "instructions",
		.ours = ours, .peer = intree, .peer_name = "in-tree perf",
	};

	figure_print(&f);
}

/* Prints what ring-buffer.rst and make bench show. */
TEST_F(cost, a_frame_of_a_program_costs_no_more_than_promised)
{
	enum { NR = 5 };
	static const uint32_t frames[NR] = { 0, 1, 8, 32, ACRPMU_MAX_STACK };
	const uint64_t fp = (uintptr_t)self->frame;
	const uint64_t most = has_debugging() ? MAX_DEBUG_FRAME_INSNS : MAX_FRAME_INSNS;
	uint64_t ours[NR], intree[NR], each;
	struct pmi_cost cost;
	size_t i;

	for (i = 0; i < NR; i++) {
		pmi_begin(&cost, CPU);
		ASSERT_EQ(0, sample_ours(&self->s, frames[i], fp, self->c))
			TH_LOG("%s", session_refusal(&self->s));
		pmi_end(&cost);
		ASSERT_TRUE(have_frames(self->c, frames[i]));
		ASSERT_LT(0, cost.nr);
		ours[i] = cost.insns / cost.nr;
		self->c->nr = 0;
		pmi_begin(&cost, CPU);
		ASSERT_EQ(0, chains_sample_intree(frames[i], USER, calls_spin, fp, self->c));
		pmi_end(&cost);
		ASSERT_TRUE(have_frames(self->c, frames[i]));
		ASSERT_LT(0, cost.nr);
		intree[i] = cost.insns / cost.nr;
		print_chain(frames[i], ours[i], intree[i]);
	}
	print_frame(ratio(ours[NR - 1] - ours[1], frames[NR - 1] - frames[1]),
		    ratio(intree[NR - 1] - intree[1], frames[NR - 1] - frames[1]));
	EXPECT_LT(ours[0], ours[1]);
	for (i = 2; i < NR; i++) {
		EXPECT_LT(ours[i - 1], ours[i]);
		each = (ours[i] - ours[1]) / (frames[i] - frames[1]);
		EXPECT_GT(most, each) TH_LOG("%u frames: %lu each", frames[i], each);
	}
	/* no frame is free: a chain that ended early would be */
	EXPECT_LT(ours[1] + 126 * 20, ours[NR - 1]);
}

TEST_HARNESS_MAIN
