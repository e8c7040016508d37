// SPDX-License-Identifier: GPL-2.0-only
/* CPU sessions on each kind of core of a hybrid CPU, whichever kind is the first. */
#include <cpuid.h>

#include "work.h"
#include "intree.h"
#include "records.h"
#include "kselftest_harness.h"

#define ITERATIONS	1500000ULL
#define PERIOD		20000
#define EV_SLOTS	0x0400ULL	/* pseudo code of fixed counter 3 */
#define FIXED_3		(ACRPMU_FIXED_BASE + 3)
/* SDM vol. 2A, CPUID leaf 0x1a and leaf 0x23, sub-leaf 0 */
#define CORE_TYPE_CORE	0x40
#define LEAF_23_ACR	(1U << 2)

FIXTURE(core) {
	struct session s;
	bool big, reloads;
};

FIXTURE_VARIANT(core) {
	int cpu;
};

FIXTURE_VARIANT_ADD(core, first) { .cpu = 0 };

FIXTURE_VARIANT_ADD(core, second) { .cpu = 1 };

FIXTURE_VARIANT_ADD(core, third) { .cpu = 2 };

FIXTURE_SETUP(core)
{
	unsigned int eax, ebx, ecx, edx;

	session_cpus(&self->s, 1ULL << variant->cpu);
	ASSERT_EQ(0, pin_to(0, variant->cpu));
	__cpuid_count(0x1a, 0, eax, ebx, ecx, edx);
	ASSERT_NE(0, eax) TH_LOG("CPU %d is not hybrid", variant->cpu);
	self->big = eax >> 24 == CORE_TYPE_CORE;
	__cpuid_count(0x23, 0, eax, ebx, ecx, edx);
	self->reloads = eax & LEAF_23_ACR;
}

FIXTURE_TEARDOWN(core)
{
	session_close(&self->s);
}

/* Counts of one event over the work, and the model's in the same time. */
static void count_work(struct session *s, int cpu, unsigned int kind, uint64_t *counted,
		       uint64_t *truth)
{
	uint64_t before = oracle_events(cpu, kind, false);

	work_fast(ITERATIONS);
	*truth = oracle_events(cpu, kind, false) - before;
	session_read_cpu(s, cpu);
	*counted = s->counts[0].value;
}

TEST_F(core, is_counted_and_sampled)
{
	uint64_t counted, truth;

	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(&self->s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	count_work(&self->s, variant->cpu, ORACLE_EV_INSN, &counted, &truth);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_GE(truth, ITERATIONS * WORK_INSNS);
	/* Some code runs before the first reading and after the last one. */
	EXPECT_GE(counted + 100, truth);
	EXPECT_LE(counted, truth + 200000);
	EXPECT_GE(self->s.records, ITERATIONS / PERIOD);
	EXPECT_ACCOUNTED(&self->s);
}

/* In-tree perf's own event, on the PMU that it takes for this CPU by itself. */
static int open_perf(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
		.exclude_kernel = 1,
		.exclude_hv = 1,
	};
	int fd = syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);

	return fd < 0 ? -errno : fd;
}

TEST_F(core, keeps_perf_off_until_it_is_closed)
{
	struct intree_count c;
	int fd;

	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	fd = open_perf(variant->cpu);
	if (arbiter() == ACRPMU_ARBITER_RESERVE) {
		EXPECT_EQ(-EBUSY, fd);
	} else {
		ASSERT_GE(fd, 0);
		work_fast(ITERATIONS);
		c = intree_read(fd);
		EXPECT_GT(c.enabled_ns, 0);
		EXPECT_EQ(0, c.running_ns);
		EXPECT_EQ(0, c.value);
		close(fd);
	}
	session_close(&self->s);
	fd = open_perf(variant->cpu);
	ASSERT_GE(fd, 0);
	work_fast(ITERATIONS);
	c = intree_read(fd);
	EXPECT_EQ(c.enabled_ns, c.running_ns);
	EXPECT_GE(c.value, ITERATIONS * WORK_INSNS);
	close(fd);
}

static uint64_t held_cntrs(int cpu)
{
	struct acrpmu_cpu_info cpus[MAX_CPUS];
	struct acrpmu_info info = {
		.size = sizeof(info), .nr_cpus = MAX_CPUS, .cpus = (uintptr_t)cpus,
		.cpu_size = sizeof(cpus[0]),
	};
	int dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC);
	int ret = ioctl(dev, ACRPMU_INFO, &info);

	close(dev);
	return ret ? ~0ULL : cpus[cpu].held_cntrs;
}

TEST_F(core, keeps_perf_off_by_one_general_purpose_counter)
{
	uint64_t others;

	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(ACRPMU_FIXED_BASE, self->s.hw[0].cntr);
	others = held_cntrs(variant->cpu) & ~(1ULL << self->s.hw[0].cntr);
	EXPECT_EQ(arbiter() == ACRPMU_ARBITER_RESERVE ? 0 : 1, __builtin_popcountll(others));
	EXPECT_EQ(0, others >> ACRPMU_FIXED_BASE);
}

TEST_F(core, counts_slots_on_fixed_counter_3_of_a_big_core_only)
{
	uint64_t counted, truth;

	session_event(&self->s, EV_SLOTS, USER | COUNT, 0, 0);
	if (!self->big) {
		EXPECT_EQ(-EOPNOTSUPP, session_make(&self->s));
		EXPECT_EQ(ACRPMU_REASON_EVENT_CPU, self->s.attr.error.reason);
		return;
	}
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(FIXED_3, self->s.hw[0].cntr);
	ASSERT_EQ(0, session_enable(&self->s));
	count_work(&self->s, variant->cpu, ORACLE_EV_SLOT, &counted, &truth);
	/* 14 eighths of a core cycle an iteration, each a slot */
	EXPECT_GE(truth, ITERATIONS * 14);
	EXPECT_GE(counted + 200, truth);
	EXPECT_LE(counted, truth + 400000);
}

struct hits {
	uint64_t fast, slow;
};

static void note_hit(const struct sample *sample, void *data)
{
	struct hits *hits = data;

	hits->fast += in_fast(sample->ip);
	hits->slow += in_slow(sample->ip);
}

TEST_F(core, samples_by_ratio_where_its_kind_reloads)
{
	struct hits hits = { 0 };

	session_event(&self->s, EV_INSNS, USER | SAMPLED, 200000, 0x2);
	session_event(&self->s, EV_CYCLES, USER, 100000, 0x3);
	if (!self->reloads) {
		EXPECT_EQ(-EOPNOTSUPP, session_make(&self->s));
		EXPECT_EQ(ACRPMU_REASON_NO_ACR, self->s.attr.error.reason);
		return;
	}
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(4);
	ASSERT_EQ(0, session_finish(&self->s, note_hit, &hits));
	EXPECT_GE(hits.fast, 4 * (FAST_ITERATIONS * WORK_INSNS / 200000 - 2));
	EXPECT_EQ(0, hits.slow);
	EXPECT_ACCOUNTED(&self->s);
}

/* The first two CPUs have different kinds of core in every order. */
TEST(cores_of_two_kinds_are_not_in_one_session)
{
	struct session s;

	session_cpus(&s, 0x3);
	session_event(&s, EV_INSNS, USER | COUNT, 0, 0);
	EXPECT_EQ(-EOPNOTSUPP, session_make(&s));
	EXPECT_EQ(ACRPMU_REASON_CPU_MIXED, s.attr.error.reason);
	EXPECT_EQ(1, s.attr.error.cpu);
	session_close(&s);
}

TEST_HARNESS_MAIN
