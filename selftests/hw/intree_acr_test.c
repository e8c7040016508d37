// SPDX-License-Identifier: GPL-2.0-only
/* In-tree perf reloads its counters after a session as before: it trusts what it last wrote. */
#include "work.h"
#include "holder.h"
#include "intree.h"
#include "intree_ring.h"
#include "module.h"
#include "session.h"
#include "kselftest_harness.h"

#include <stdlib.h>

#define CPU		1
#define NR_GP		8
#define NR_CNTRS	(NR_GP + 3)	/* and fixed counters 0 to 2 */
#define EVTSEL_EN	(1ULL << 22)

#define ITERATIONS	1000000ULL
/* Iterations, each with one branch, from sample to sample */
#define PERIOD		10000ULL
/* Instructions that would reload the branches: beyond a sample, or before it */
#define OPEN_PERIOD	(2 * PERIOD * WORK_INSNS)
#define SHUT_PERIOD	(PERIOD / 2 * WORK_INSNS)
#define NEVER		1000000000ULL

/* ---- registers ---- */

/* Event select (fixed counters have a common one), reload mask and reload value of each counter */
struct regs {
	uint64_t select[NR_CNTRS];
	uint64_t cfg_b[NR_CNTRS];
	uint64_t cfg_c[NR_CNTRS];
};

static uint64_t reg(uint32_t msr)
{
	return oracle_get(ORACLE_MSR, CPU, msr);
}

static struct regs regs_now(void)
{
	struct regs now;
	unsigned int i;

	for (i = 0; i < NR_CNTRS; i++) {
		uint32_t base = i < NR_GP ? 0x1900 + 4 * i : 0x1980 + 4 * (i - NR_GP);

		now.select[i] = reg(i < NR_GP ? base + 1 : 0x38d);
		now.cfg_b[i] = reg(base + 2);
		now.cfg_c[i] = reg(base + 3);
	}
	return now;
}

/* ---- an in-tree group: branches, reloaded by instructions; both are reloaded by branches ---- */

struct group {
	int fd[3];
	struct perf_event_mmap_page *ring;
};

static int group_open(struct group *g, uint64_t insns_period)
{
	struct intree e = { .config = EV_BRANCHES, .period = PERIOD, .cpu = -1, .group = -1,
			    .disabled = true, .pinned = true, .acr_mask = 0x2 };

	g->ring = NULL;
	g->fd[0] = intree_open(&e);
	e.group = g->fd[0];
	e.disabled = false;
	e.pinned = false;
	e.config = EV_INSNS;
	e.period = insns_period;
	e.acr_mask = 0x3;
	g->fd[1] = intree_open(&e);
	e.config = EV_BRMISSES;
	e.period = NEVER;
	e.acr_mask = 0x2;
	g->fd[2] = intree_open(&e);
	if (g->fd[0] >= 0)
		g->ring = intree_ring(g->fd[0]);
	return g->fd[0] < 0 || g->fd[1] < 0 || g->fd[2] < 0 || !g->ring ? -EINVAL : 0;
}

static void group_close(struct group *g)
{
	unsigned int i;

	intree_ring_unmap(g->ring);
	for (i = 3; i--;)
		if (g->fd[i] >= 0)
			close(g->fd[i]);
}

/* Run the loop under a group; @regs is what the CPU has then.  Returns the samples, or -1. */
static int64_t group_samples(uint64_t insns_period, struct regs *regs)
{
	int64_t samples = -1;
	struct group g;

	if (!group_open(&g, insns_period) && !ioctl(g.fd[0], PERF_EVENT_IOC_ENABLE, 0)) {
		work_fast(ITERATIONS / 2);
		*regs = regs_now();
		work_fast(ITERATIONS / 2);
		ioctl(g.fd[0], PERF_EVENT_IOC_DISABLE, 0);
		samples = intree_ring_drain(g.ring, NULL, NULL);
	}
	group_close(&g);
	return samples;
}

/* ---- a session on the same counters, and how it ends ---- */

enum ending { CLOSED, KILLED, UNLOADED, OFFLINE };

static void describe(struct session *s, bool task)
{
	if (task)
		session_task(s, 0, 0);
	else
		session_cpus(s, 1 << CPU);
	session_event(s, EV_BRANCHES, USER | SAMPLED, 7000, 0x4);
	session_event(s, EV_INSNS, USER, 50000, 0x3);
	session_event(s, EV_BRMISSES, USER, 900000, 0x7);
}

static bool end_session(struct session *s, pid_t holder, enum ending ending)
{
	bool ended = true;

	if (ending == OFFLINE)
		ended = !set_online(CPU, false) && !set_online(CPU, true) && !pin_to(0, CPU);
	if (holder)
		end_child(holder);
	session_close(s);
	if (ending == UNLOADED)
		ended = !module_unload() && !module_load("max_pmi_percent=100");
	return ended;
}

FIXTURE(intree_acr) {
	struct session s;
};

FIXTURE_VARIANT(intree_acr) {
	enum ending ending;
	bool task;
};

FIXTURE_VARIANT_ADD(intree_acr, of_cpus_that_is_closed) { .ending = CLOSED };

FIXTURE_VARIANT_ADD(intree_acr, of_a_task_that_is_closed) { .ending = CLOSED, .task = true };

FIXTURE_VARIANT_ADD(intree_acr, with_a_process_that_is_killed) { .ending = KILLED };

FIXTURE_VARIANT_ADD(intree_acr, before_the_module_is_unloaded) { .ending = UNLOADED };

FIXTURE_VARIANT_ADD(intree_acr, with_a_cpu_that_goes_offline_and_online) { .ending = OFFLINE };

FIXTURE_SETUP(intree_acr)
{
	self->s.fd = -1;
	ASSERT_EQ(0, pin_to(0, CPU));
}

FIXTURE_TEARDOWN(intree_acr)
{
	session_close(&self->s);
}

TEST_F(intree_acr, has_the_registers_that_it_believes_to_have_after_a_session)
{
	struct regs open, shut, left, during, after, again;
	unsigned int i, k, shared = 0;
	struct session *s = &self->s;
	pid_t holder = 0;

	if (!intree_has_acr())
		SKIP(return, "in-tree perf reloads no counters on this kernel");
	ASSERT_EQ(0, group_samples(SHUT_PERIOD, &shut));
	ASSERT_EQ(ITERATIONS / PERIOD, group_samples(OPEN_PERIOD, &open));
	left = regs_now();

	describe(s, variant->task);
	if (variant->ending == KILLED) {
		holder = holder_start(s, 1);
		ASSERT_LT(0, holder);
	} else {
		ASSERT_EQ(0, session_make(s)) TH_LOG("%s", session_refusal(s));
		ASSERT_EQ(0, session_enable(s));
	}
	work_fast(ITERATIONS);
	during = regs_now();
	ASSERT_TRUE(end_session(s, holder, variant->ending));
	after = regs_now();

	/* The session had other values in the counters that both have used. */
	for (i = 0; i < NR_CNTRS; i++) {
		if (!open.cfg_b[i] || !during.cfg_b[i])
			continue;
		shared++;
		EXPECT_NE(open.cfg_c[i], during.cfg_c[i]);
		EXPECT_EQ(left.cfg_b[i], after.cfg_b[i]) TH_LOG("counter %u", i);
		EXPECT_EQ(left.cfg_c[i], after.cfg_c[i]) TH_LOG("counter %u", i);
	}
	EXPECT_LE(2, shared);

	for (k = 0; k < 2; k++) {
		const struct regs *first = k ? &shut : &open;
		uint64_t samples = group_samples(k ? SHUT_PERIOD : OPEN_PERIOD, &again);

		EXPECT_EQ(k ? 0 : ITERATIONS / PERIOD, samples);
		for (i = 0; i < NR_CNTRS; i++) {
			if (!first->cfg_b[i])
				continue;
			EXPECT_EQ(first->select[i], again.select[i]) TH_LOG("counter %u", i);
			EXPECT_EQ(first->cfg_b[i], again.cfg_b[i]) TH_LOG("counter %u", i);
			EXPECT_EQ(first->cfg_c[i], again.cfg_c[i]) TH_LOG("counter %u", i);
		}
	}
}

TEST_HARNESS_MAIN
