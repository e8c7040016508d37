// SPDX-License-Identifier: GPL-2.0-only
/* Counts and latency of requests that leave the core, against the model CPU's own totals: exact. */
#include "work.h"
#include "offcore.h"
#include "kselftest_harness.h"
#include <stdlib.h>

#define CPU		0
#define LINES_IN_MIB	16384ULL
#define NR_REQUESTS	6	/* kinds of the oracle: data reads, stores, code; hit and miss */
#define SNAPSHOTS	1000000	/* the harness ends them before */
/* Requests at user level outside the buffer: fewer than this */
#define SLACK		6000

/* The oracle's totals at one moment, and the session's counters in the model CPU */
struct snapshot {
	uint64_t requests[2][NR_REQUESTS];	/* user, kernel */
	uint64_t cycles[2][NR_REQUESTS];
	uint64_t cntr[ACRPMU_MAX_EVENTS];
};

static void look(const struct session *s, struct snapshot *snap)
{
	unsigned int level, kind, i;

	memset(snap, 0, sizeof(*snap));
	for (level = 0; level < 2; level++) {
		for (kind = 0; kind < NR_REQUESTS; kind++) {
			unsigned int ev = ORACLE_EV_RD_HIT + kind;

			snap->requests[level][kind] = oracle_events(CPU, ev, level);
			snap->cycles[level][kind] = oracle_events(CPU, ev + ORACLE_EV_WAIT, level);
		}
	}
	for (i = 0; i < s->attr.nr_events; i++)
		snap->cntr[i] = oracle_get(ORACLE_MSR, CPU, s->hw[i].cntr_msr);
}

/* Reading takes time: if nothing happened in between, a second reading agrees. */
static bool take_snapshot(const struct session *s, struct snapshot *snap)
{
	static struct snapshot again;
	int tries;

	for (tries = 0; tries < SNAPSHOTS; tries++) {
		look(s, snap);
		look(s, &again);
		if (!memcmp(snap, &again, sizeof(again)))
			return true;
	}
	return false;
}

static int run_memory(const char *passes, const char *mib, const char *how)
{
	char path[256];
	int status = -1;
	pid_t pid;

	snprintf(path, sizeof(path), "%s/workloads/memory", getenv("ACR_BUILD") ?: "build");
	pid = fork();
	if (!pid) {
		execl(path, path, passes, mib, how, NULL);
		_exit(127);
	}
	return waitpid(pid, &status, 0) == pid ? status : -1;
}

/* These take all four counters of Goldmont, of which a claim leaves three. */
static bool is_claimed(const struct session *s)
{
	return s->fd < 0 && !strcmp(s->attr.error.holder, "acrpmu");
}

#define CLAIMED	"a counter keeps in-tree perf off"

FIXTURE(requests) {
	struct session s;
	const struct offcore_cpu *cpu;
	struct snapshot before, after;
};

/**
 * struct variant - a workload
 * @request: the request that it makes, of those in RSP_
 * @first: kind of the oracle for the request that hits; the next one misses
 * @how: last argument of the program
 * @mib: size of its buffer
 * @passes: over the buffer
 * @misses: they come from memory
 */
FIXTURE_VARIANT(requests) {
	uint64_t request;
	unsigned int first;
	const char *how;
	unsigned int mib, passes;
	bool misses;
};

FIXTURE_VARIANT_ADD(requests, streaming_reads) {
	.request = RSP_DATA_RD, .first = ORACLE_EV_RD_HIT, .how = "load", .mib = 32, .passes = 2,
	.misses = true,
};

FIXTURE_VARIANT_ADD(requests, reads_that_hit) {
	.request = RSP_DATA_RD, .first = ORACLE_EV_RD_HIT, .how = "load", .mib = 4, .passes = 8,
};

FIXTURE_VARIANT_ADD(requests, stores) {
	.request = RSP_RFO, .first = ORACLE_EV_WR_HIT, .how = "store", .mib = 32, .passes = 2,
	.misses = true,
};

FIXTURE_VARIANT_ADD(requests, stores_that_hit) {
	.request = RSP_RFO, .first = ORACLE_EV_WR_HIT, .how = "store", .mib = 4, .passes = 8,
};

FIXTURE_VARIANT_ADD(requests, code_that_hits) {
	.request = RSP_CODE_RD, .first = ORACLE_EV_CODE_HIT, .how = "code", .mib = 1, .passes = 4,
};

FIXTURE_VARIANT_ADD(requests, code_from_memory) {
	.request = RSP_CODE_RD, .first = ORACLE_EV_CODE_HIT, .how = "cold", .mib = 1, .passes = 2,
	.misses = true,
};

FIXTURE_SETUP(requests)
{
	session_task(&self->s, 0, 0);
	self->cpu = offcore_cpu();
	ASSERT_EQ(0, pin_to(0, CPU));
	session_cpus(&self->s, 1 << CPU);
}

FIXTURE_TEARDOWN(requests)
{
	session_close(&self->s);
}

#define REQUIRE_OFFCORE() do {							\
	if (!self->cpu)								\
		SKIP(return, "this CPU has no offcore response registers");	\
} while (0)

/* Runs the workload in a session between two snapshots. */
static bool measure(FIXTURE_DATA(requests) *self, const FIXTURE_VARIANT(requests) *variant)
{
	char mib[16], passes[16];

	snprintf(mib, sizeof(mib), "%u", variant->mib);
	snprintf(passes, sizeof(passes), "%u", variant->passes);
	return !session_enable(&self->s) && take_snapshot(&self->s, &self->before) &&
	       !run_memory(passes, mib, variant->how) && take_snapshot(&self->s, &self->after) &&
	       !session_disable(&self->s) && !session_read(&self->s);
}

static uint64_t grown(const uint64_t *before, const uint64_t *after, unsigned int first,
		      unsigned int nr)
{
	uint64_t sum = 0;

	for (; nr--; first++)
		sum += after[first] - before[first];
	return sum;
}

/* The growth of a counter, which must equal the count of the session unless the stop zeroes it. */
#define EXPECT_COUNT(want, event) do {							\
	EXPECT_EQ(want, self->after.cntr[event] - self->before.cntr[event]);		\
	EXPECT_EQ(oracle_get(ORACLE_MSR, CPU, self->s.hw[event].cntr_msr),		\
		  zeroes_at_stop() ? 0 : self->s.counts[event].value);			\
} while (0)

TEST_F(requests, count_and_latency_are_exact_at_each_level)
{
	unsigned int first = variant->first - ORACLE_EV_RD_HIT, level;
	uint64_t lines = variant->mib * LINES_IN_MIB * variant->passes, requests, cycles;

	REQUIRE_OFFCORE();
	for (level = 0; level < 2; level++) {
		offcore_event(&self->s, EV_OFFCORE_0, self->cpu->outstanding | variant->request,
			      level ? KERNEL : USER);
		offcore_event(&self->s, EV_OFFCORE_1, RSP_ANY | variant->request,
			      level ? KERNEL : USER);
	}
	session_make(&self->s);
	if (is_claimed(&self->s))
		SKIP(return, CLAIMED);
	ASSERT_LE(0, self->s.fd) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_TRUE(measure(self, variant));
	for (level = 0; level < 2; level++) {
		requests = grown(self->before.requests[level], self->after.requests[level],
				 first, 2);
		cycles = grown(self->before.cycles[level], self->after.cycles[level], first, 2);
		EXPECT_COUNT(cycles, 2 * level);
		EXPECT_COUNT(requests, 2 * level + 1);
		EXPECT_LT(0, requests);
	}
	/*
	 * As constructed, except for pages that crowd some sets of a cache and leave others half
	 * full; and the model's latencies: 40 cycles, or 200 from memory.
	 */
	requests = grown(self->before.requests[0], self->after.requests[0],
			 first + variant->misses, 1);
	cycles = grown(self->before.cycles[0], self->after.cycles[0], first + variant->misses, 1);
	EXPECT_LE(lines - lines / 4, requests);
	EXPECT_GT(lines + lines / variant->passes + SLACK, requests);
	EXPECT_EQ(requests * (variant->misses ? 200 : 40), cycles);
}

TEST_F(requests, hits_and_misses_are_exact)
{
	unsigned int first = variant->first - ORACLE_EV_RD_HIT, level;

	REQUIRE_OFFCORE();
	for (level = 0; level < 2; level++) {
		offcore_event(&self->s, EV_OFFCORE_0, self->cpu->hit | variant->request,
			      level ? KERNEL : USER);
		offcore_event(&self->s, EV_OFFCORE_1, self->cpu->miss | variant->request,
			      level ? KERNEL : USER);
	}
	session_make(&self->s);
	if (is_claimed(&self->s))
		SKIP(return, CLAIMED);
	ASSERT_LE(0, self->s.fd) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_TRUE(measure(self, variant));
	for (level = 0; level < 2; level++) {
		EXPECT_COUNT(grown(self->before.requests[level], self->after.requests[level],
				   first, 1), 2 * level);
		EXPECT_COUNT(grown(self->before.requests[level], self->after.requests[level],
				   first + 1, 1), 2 * level + 1);
	}
}

TEST_HARNESS_MAIN
