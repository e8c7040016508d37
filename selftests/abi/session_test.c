// SPDX-License-Identifier: GPL-2.0-only
/* A session at work: its commands compared with the registers and with known loops. */
#include "common.h"

#include <sys/param.h>
#include <sys/resource.h>

#define ROUNDS		20000
#define WORK		1000000
#define TRIES		1000000	/* the harness ends them before */
#define EVSEL_USR	BIT64(16)
#define EVSEL_INT	BIT64(20)
#define EVSEL_EN	BIT64(22)
/* IA32_FIXED_CTR_CTRL, the four bits of a counter */
#define FIXED_USR	0x2ULL
#define FIXED_PMI	0x8ULL
#define FIXED_FIELD	0xfULL

FIXTURE(session)
{
	int dev;
	struct request req;
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct counts counts;
	struct pmu_state before;
};

FIXTURE_SETUP(session)
{
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_EQ(0, pin(0));
	ASSERT_EQ(0, settle_claim(self->dev));
	memset(self->hw, POISON, sizeof(self->hw));
	if (on_model())
		pmu_save(&self->before);
}

/* Whatever a test did, nothing of it remains. */
FIXTURE_TEARDOWN(session)
{
	EXPECT_EQ(0, nr_sessions(self->dev));
	EXPECT_EQ(0, held_cntrs(self->dev));
	if (on_model()) {
		EXPECT_EQ(0, pmu_changes(&self->before));
	}
	close(self->dev);
}

static uint8_t all_cpus(void)
{
	return (1U << nr_cpus()) - 1;
}

static uint64_t msr_of(int cpu, uint32_t msr)
{
	return oracle_get(ORACLE_MSR, cpu, msr);
}

/* ---- QUERY ---- */

/* The registers of a counter by the tables of the manual. */
static void wanted_msrs(const struct profile *profile, int cntr, struct acrpmu_event_hw *hw)
{
	bool fixed = cntr >= ACRPMU_FIXED_BASE;
	unsigned int n = fixed ? cntr - ACRPMU_FIXED_BASE : cntr;
	uint32_t base = (fixed ? 0x1980 : 0x1900) + 4 * n;

	hw->cntr = cntr;
	hw->cfg_a_msr = fixed ? MSR_FIXED_CTR_CTRL : 0x186 + n;
	hw->cntr_msr = fixed ? 0x309 + n : (profile->full_width ? 0x4c1 : 0xc1) + n;
	if (profile->version < 6)
		return;
	hw->cntr_msr = base;
	if (!fixed)
		hw->cfg_a_msr = base + 1;
	if (profile->acr_cntrs & BIT64(cntr)) {
		hw->cfg_b_msr = base + 2;
		hw->cfg_c_msr = base + 3;
	}
}

static uint64_t wanted_start(const struct profile *profile, uint64_t period)
{
	return -period & (BIT64(profile->width) - 1);
}

static void expect_hw(struct __test_metadata *_metadata, const struct acrpmu_event_hw *want,
		      const struct acrpmu_event_hw *hw)
{
	EXPECT_EQ(want->cntr, hw->cntr);
	EXPECT_EQ(want->cntr_msr, hw->cntr_msr);
	EXPECT_EQ(want->cfg_a_msr, hw->cfg_a_msr);
	EXPECT_EQ(want->cfg_b_msr, hw->cfg_b_msr);
	EXPECT_EQ(want->cfg_c_msr, hw->cfg_c_msr);
	EXPECT_EQ(want->extra_msr, hw->extra_msr);
	EXPECT_EQ(want->cfg_a, hw->cfg_a);
	EXPECT_EQ(want->cfg_b, hw->cfg_b);
	EXPECT_EQ(want->cfg_c, hw->cfg_c);
	EXPECT_EQ(want->start, hw->start);
	EXPECT_EQ(want->extra_value, hw->extra_value);
}

/* Compare QUERY with the registers of each CPU, in each state of the session. */
static void expect_programmed(struct __test_metadata *_metadata, FIXTURE_DATA(session) *self,
			      bool running)
{
	unsigned int nr = self->req.attr.nr_events;

	for (int cpu = 0; cpu < nr_cpus(); cpu++) {
		for (unsigned int i = 0; i < nr; i++) {
			const struct acrpmu_event_hw *hw = &self->hw[i];
			uint64_t cfg_a = msr_of(cpu, hw->cfg_a_msr);

			if (hw->cntr >= ACRPMU_FIXED_BASE) {
				cfg_a &= FIXED_FIELD << 4 * (hw->cntr - ACRPMU_FIXED_BASE);
				EXPECT_EQ(running ? hw->cfg_a : 0, cfg_a);
			} else {
				EXPECT_EQ(running ? hw->cfg_a : hw->cfg_a & ~EVSEL_EN, cfg_a);
			}
			if (hw->cfg_b_msr) {
				EXPECT_EQ(hw->cfg_b, msr_of(cpu, hw->cfg_b_msr));
				EXPECT_EQ(hw->cfg_c, msr_of(cpu, hw->cfg_c_msr));
			}
			if (hw->extra_msr) {
				EXPECT_EQ(hw->extra_value, msr_of(cpu, hw->extra_msr));
			}
			EXPECT_EQ(BIT64(hw->cntr), msr_of(cpu, MSR_GLOBAL_CTRL) & BIT64(hw->cntr));
		}
	}
}

/* Compare QUERY of a session on all CPUs with the registers: stopped, running, stopped. */
static int expect_session(struct __test_metadata *_metadata, FIXTURE_DATA(session) *self,
			  const struct acrpmu_event_hw *want)
{
	unsigned int nr = self->req.attr.nr_events;
	int fd = request(self->dev, &self->req);

	EXPECT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	EXPECT_EQ(0, abi_query(fd, self->hw, nr));
	for (unsigned int i = 0; i < nr; i++)
		expect_hw(_metadata, &want[i], &self->hw[i]);
	if (on_model()) {
		expect_programmed(_metadata, self, false);
		EXPECT_EQ(0, abi_enable(fd));
		expect_programmed(_metadata, self, true);
		EXPECT_EQ(0, abi_disable(fd));
		expect_programmed(_metadata, self, false);
	}
	return fd;
}

TEST_F(session, query_reports_the_documented_pair_as_programmed)
{
	/* periods 200000 and 100000 */
	static const struct acrpmu_event_hw want[] = {
		{ .cntr = 32, .cntr_msr = 0x1980, .cfg_a_msr = 0x38d, .cfg_b_msr = 0x1982,
		  .cfg_c_msr = 0x1983, .cfg_a = 0xa, .cfg_b = 0x200000000, .cfg_c = 0xfffcf2c0,
		  .start = 0xfffffffcf2c0 },
		{ .cntr = 33, .cntr_msr = 0x1984, .cfg_a_msr = 0x38d, .cfg_b_msr = 0x1986,
		  .cfg_c_msr = 0x1987, .cfg_a = 0x20, .cfg_b = 0x300000000, .cfg_c = 0xfffe7960,
		  .start = 0xfffffffe7960 },
	};

	REQUIRE_ACR();
	request_cpus(&self->req, all_cpus());
	add_pair(&self->req);
	close(expect_session(_metadata, self, want));
}

TEST_F(session, query_reports_three_events_with_asymmetric_masks)
{
	/*
	 * Causes: instructions by cycles and reference cycles, cycles by themselves, reference
	 * cycles by instructions; periods 100000, 50000, 0x12345.
	 */
	static const struct acrpmu_event_hw want[] = {
		{ .cntr = 32, .cntr_msr = 0x1980, .cfg_a_msr = 0x38d, .cfg_b_msr = 0x1982,
		  .cfg_c_msr = 0x1983, .cfg_a = 0xa, .cfg_b = 0x600000000, .cfg_c = 0xfffe7960,
		  .start = 0xfffffffe7960 },
		{ .cntr = 33, .cntr_msr = 0x1984, .cfg_a_msr = 0x38d, .cfg_b_msr = 0x1986,
		  .cfg_c_msr = 0x1987, .cfg_a = 0x20, .cfg_b = 0x200000000, .cfg_c = 0xffff3cb0,
		  .start = 0xffffffff3cb0 },
		{ .cntr = 34, .cntr_msr = 0x1988, .cfg_a_msr = 0x38d, .cfg_b_msr = 0x198a,
		  .cfg_c_msr = 0x198b, .cfg_a = 0x200, .cfg_b = 0x100000000, .cfg_c = 0xfffedcbb,
		  .start = 0xfffffffedcbb },
	};

	REQUIRE_ACR();
	request_cpus(&self->req, all_cpus());
	add_event(&self->req, EV_INSTRUCTIONS, USER | SAMPLED, 100000, 0x6);
	add_event(&self->req, EV_CYCLES, USER, 50000, 0x2);
	add_event(&self->req, EV_REF_CYCLES, USER, 0x12345, 0x1);
	add_ring(&self->req, SAMPLE_TYPE, 1);
	close(expect_session(_metadata, self, want));
}

TEST_F(session, query_reports_general_purpose_counters)
{
	const struct profile *profile = this_profile();
	struct acrpmu_event_hw want[2] = { 0 }, first[2];
	int fd;

	if (!profile)
		SKIP(return, "the CPU is not a profile of the model: its registers are unknown");
	request_cpus(&self->req, all_cpus());
	add_event(&self->req, EV_BRANCHES, USER | SAMPLED, 10000, 0);
	add_event(&self->req, EV_BRANCH_MISSES, USER | COUNT, 0, 0);
	add_ring(&self->req, SAMPLE_TYPE, 1);
	if (profile->acr_cntrs) {
		self->req.events[0].acr_mask = 0x2;
		self->req.events[1] = (struct acrpmu_event_attr){
			.config = EV_BRANCH_MISSES, .flags = USER, .period = 300,
			.acr_mask = 0x3, .id = 101,
		};
	}
	/* the module may choose any capable counter, but a different one for each event */
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_query(fd, first, 2));
	close(fd);
	for (unsigned int i = 0; i < 2; i++) {
		uint64_t able = profile->acr_cntrs ?: profile->cntrs;

		ASSERT_EQ(BIT64(first[i].cntr), able & 0xffffffff & BIT64(first[i].cntr));
		wanted_msrs(profile, first[i].cntr, &want[i]);
	}
	ASSERT_NE(first[0].cntr, first[1].cntr);
	want[0].cfg_a = EV_BRANCHES | EVSEL_USR | EVSEL_INT | EVSEL_EN;
	want[1].cfg_a = EV_BRANCH_MISSES | EVSEL_USR | EVSEL_EN;
	want[0].start = wanted_start(profile, 10000);
	if (profile->acr_cntrs) {
		want[0].cfg_b = BIT64(first[1].cntr);
		want[0].cfg_c = 0xffffd8f0;
		want[1].cfg_b = BIT64(first[0].cntr) | BIT64(first[1].cntr);
		want[1].cfg_c = 0xfffffed4;
		want[1].start = wanted_start(profile, 300);
	}
	close(expect_session(_metadata, self, want));
}

TEST_F(session, event_is_on_the_counter_that_is_allowed)
{
	unsigned int taken = 0;
	int fd;

	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its counters are unknown");
	for (unsigned int i = 0; i < ACRPMU_FIXED_BASE; i++) {
		if (!(this_profile()->cntrs & BIT64(i)))
			continue;
		request_cpus(&self->req, all_cpus());
		add_event(&self->req, EV_BRANCHES, USER | COUNT, 0, 0)->allowed_cntrs = BIT64(i);
		/* another event that would take the lowest counters */
		add_event(&self->req, EV_BRANCH_MISSES, USER | COUNT, 0, 0);
		fd = request(self->dev, &self->req);
		/* the claim holds one */
		if (fd == -EBUSY && !strcmp(self->req.attr.error.holder, "acrpmu")) {
			EXPECT_EQ(ACRPMU_REASON_HELD, self->req.attr.error.reason);
			EXPECT_EQ(BIT64(i), self->req.attr.error.value);
			taken++;
			continue;
		}
		ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
		ASSERT_EQ(0, abi_query(fd, self->hw, 2));
		EXPECT_EQ(i, self->hw[0].cntr);
		EXPECT_NE(i, self->hw[1].cntr);
		close(fd);
	}
	EXPECT_GE(1, taken);
}

TEST_F(session, query_reports_fixed_counters_of_every_layout)
{
	const struct profile *profile = this_profile();
	struct acrpmu_event_hw want[3] = { 0 };

	if (!profile)
		SKIP(return, "the CPU is not a profile of the model: its registers are unknown");
	request_cpus(&self->req, all_cpus());
	add_event(&self->req, EV_REF_CYCLES, USER | COUNT, 0, 0);
	add_event(&self->req, EV_CYCLES, USER | COUNT, 0, 0);
	add_event(&self->req, EV_INSTRUCTIONS, USER | SAMPLED, 5000, 0);
	add_ring(&self->req, SAMPLE_TYPE, 1);
	for (unsigned int i = 0; i < 3; i++) {
		wanted_msrs(profile, ACRPMU_FIXED_BASE + 2 - i, &want[i]);
		want[i].cfg_a = FIXED_USR << 4 * (2 - i);
	}
	want[2].cfg_a |= FIXED_PMI;
	want[2].start = wanted_start(profile, 5000);
	close(expect_session(_metadata, self, want));
}

TEST_F(session, query_reports_the_extra_register)
{
	const struct profile *profile = this_profile();
	struct acrpmu_event_hw want[2] = { 0 }, first[2];
	int fd;

	if (!profile || !profile->offcore[0])
		SKIP(return, "this CPU has no offcore registers");
	request_cpus(&self->req, all_cpus());
	add_event(&self->req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10003;
	add_event(&self->req, EV_OFFCORE_1, USER | COUNT, 0, 0)->extra_value = 0x10008;
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_query(fd, first, 2));
	close(fd);
	for (unsigned int i = 0; i < 2; i++) {
		wanted_msrs(profile, first[i].cntr, &want[i]);
		want[i].cfg_a = (i ? EV_OFFCORE_1 : EV_OFFCORE_0) | EVSEL_USR | EVSEL_EN;
		want[i].extra_msr = 0x1a6 + i;
		want[i].extra_value = i ? 0x10008 : 0x10003;
	}
	close(expect_session(_metadata, self, want));
}

TEST_F(session, query_numbers_sessions_without_repeating)
{
	struct acrpmu_query query = { .size = sizeof(query), .event_size = sizeof(self->hw[0]) };
	uint64_t last = 0;

	query.events = (uintptr_t)self->hw;
	query.nr_events = 1;
	for (unsigned int i = 0; i < 3; i++) {
		int fd;

		request_cpus(&self->req, 0x1);
		add_counter(&self->req);
		fd = request(self->dev, &self->req);
		ASSERT_LE(0, fd);
		query.session_id = POISON64;
		EXPECT_EQ(0, abi_ioctl(fd, ACRPMU_QUERY, &query));
		EXPECT_EQ(self->req.attr.session_id, query.session_id);
		EXPECT_LT(last, query.session_id);
		last = query.session_id;
		close(fd);
	}
}

TEST_F(session, query_of_one_cpu_reports_the_counters_of_that_cpu)
{
	struct acrpmu_query query = {
		.size = sizeof(query), .flags = ACRPMU_QUERY_CPU, .nr_events = 1,
		.event_size = sizeof(self->hw[0]), .events = (uintptr_t)self->hw,
	};
	struct acrpmu_event_hw all;
	int fd, first;

	if (nr_cpus() < 2)
		SKIP(return, "needs two CPUs");
	/* on CPU 0, hold the counter that a branch event gets on an idle CPU */
	request_cpus(&self->req, 0x1);
	add_event(&self->req, EV_BRANCHES, USER | COUNT, 0, 0);
	first = request(self->dev, &self->req);
	ASSERT_LE(0, first);
	request_cpus(&self->req, 0x3);
	add_event(&self->req, EV_BRANCHES, USER | COUNT, 0, 0);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	ASSERT_EQ(0, abi_query(fd, &all, 1));
	for (query.cpu = 0; query.cpu < 2; query.cpu++) {
		memset(self->hw, POISON, sizeof(self->hw[0]));
		ASSERT_EQ(0, abi_ioctl(fd, ACRPMU_QUERY, &query));
		EXPECT_EQ(!query.cpu, !memcmp(&all, self->hw, sizeof(all)));
		EXPECT_EQ(self->hw[0].cfg_a & ~EVSEL_EN,
			  msr_of(query.cpu, self->hw[0].cfg_a_msr));
	}
	/* an old program gets the first CPU, and must leave new members of the struct 0 */
	query.flags = 0;
	query.cpu = 0;
	query.size = ACRPMU_QUERY_SIZE_VER0;
	ASSERT_EQ(0, abi_ioctl(fd, ACRPMU_QUERY, &query));
	EXPECT_EQ(0, memcmp(&all, self->hw, sizeof(all)));
	close(fd);
	close(first);
}

TEST_F(session, query_of_a_cpu_outside_the_session_is_einval)
{
	static const struct { uint32_t flags; int cpu; uint32_t reserved; int ret; } cases[] = {
		{ ACRPMU_QUERY_CPU, 0, 0, 0 }, { ACRPMU_QUERY_CPU, 1, 0, -EINVAL },
		{ ACRPMU_QUERY_CPU, -1, 0, -EINVAL }, { ACRPMU_QUERY_CPU, 8192, 0, -EINVAL },
		{ ACRPMU_QUERY_CPU, INT32_MIN, 0, -EINVAL }, { ACRPMU_QUERY_CPU, 0, 1, -EINVAL },
		{ 0, 0, 0, 0 }, { 0, 1, 0, -EINVAL }, { 0, -1, 0, -EINVAL }, { 0, 0, 1, -EINVAL },
		{ ACRPMU_QUERY_CPU << 1, 0, 0, -EINVAL },
	};
	int fd;

	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	for (unsigned int i = 0; i < NR(cases); i++) {
		struct acrpmu_query query = {
			.size = sizeof(query), .flags = cases[i].flags, .cpu = cases[i].cpu,
			.reserved = cases[i].reserved, .nr_events = 1,
			.event_size = sizeof(self->hw[0]), .events = (uintptr_t)self->hw,
		};

		memset(self->hw, POISON, sizeof(self->hw[0]));
		EXPECT_EQ(cases[i].ret, abi_ioctl(fd, ACRPMU_QUERY, &query)) TH_LOG("case %u", i);
		EXPECT_EQ(!cases[i].ret, self->hw[0].cntr_msr != POISON32);
	}
	close(fd);
}

TEST_F(session, query_with_another_number_of_events_is_einval)
{
	int fd;

	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EINVAL, abi_query(fd, self->hw, 0));
	EXPECT_EQ(-EINVAL, abi_query(fd, self->hw, 2));
	EXPECT_EQ(POISON32, self->hw[0].cntr_msr);
	close(fd);
}

/* ---- counts ---- */

/* The count of some rounds of the loop and its overhead, the same each time. */
static __attribute__((noinline)) uint64_t count_rounds(int fd, unsigned int nr, unsigned int ev,
						       uint64_t rounds, struct counts *counts)
{
	if (abi_reset(fd) || abi_enable(fd))
		return 0;
	loop(rounds);
	if (abi_disable(fd) || read_all(fd, nr, counts))
		return 0;
	return counts->count[ev].value;
}

static void expect_exact(struct __test_metadata *_metadata, int fd, unsigned int nr,
			 unsigned int ev, uint64_t per_round, struct counts *counts)
{
	uint64_t none, some, twice;

	/* the first call faults pages in */
	count_rounds(fd, nr, ev, ROUNDS, counts);
	none = count_rounds(fd, nr, ev, 1, counts);
	some = count_rounds(fd, nr, ev, 1 + ROUNDS, counts);
	twice = count_rounds(fd, nr, ev, 1 + 2 * ROUNDS, counts);
	EXPECT_EQ(per_round * ROUNDS, some - none);
	EXPECT_EQ(per_round * 2 * ROUNDS, twice - none);
	EXPECT_LT(none, 1000);
}

TEST_F(session, plain_counts_of_a_task_are_exact)
{
	int fd;

	request_task(&self->req, 0);
	add_counter(&self->req);
	add_event(&self->req, EV_BRANCHES, USER | COUNT, 0, 0);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	expect_exact(_metadata, fd, 2, 0, LOOP_INSNS, &self->counts);
	expect_exact(_metadata, fd, 2, 1, 1, &self->counts);
	EXPECT_EQ(0, self->counts.count[0].flags);
	EXPECT_EQ(0, self->counts.count[0].reserved);
	EXPECT_EQ(0, self->counts.count[0].overflows);
	close(fd);
}

TEST_F(session, quiet_counts_without_a_mask_are_exact_beyond_their_period)
{
	int fd;

	request_task(&self->req, 0);
	add_event(&self->req, EV_INSTRUCTIONS, USER, 5000, 0);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	expect_exact(_metadata, fd, 1, 0, LOOP_INSNS, &self->counts);
	close(fd);
}

TEST_F(session, two_sessions_count_the_same_task_exactly)
{
	struct counts other_counts;
	int fd, other;

	request_task(&self->req, 0);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	request_task(&self->req, 0);
	add_event(&self->req, EV_BRANCHES, USER | COUNT, 0, 0);
	other = request(self->dev, &self->req);
	ASSERT_LE(0, other);
	ASSERT_EQ(0, abi_enable(other));
	expect_exact(_metadata, fd, 1, 0, LOOP_INSNS, &self->counts);
	ASSERT_EQ(0, read_all(other, 1, &other_counts));
	/* one branch for each round of the four calls above */
	EXPECT_LE(4 * ROUNDS, other_counts.count[0].value);
	EXPECT_GE(4 * ROUNDS + 5000, other_counts.count[0].value);
	close(other);
	close(fd);
}

TEST_F(session, counts_of_each_cpu_are_those_of_its_register)
{
	uint64_t sum = 0;
	int fd;

	REQUIRE_ORACLE();
	request_cpus(&self->req, all_cpus());
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_query(fd, self->hw, 1));
	ASSERT_EQ(0, abi_enable(fd));
	for (int cpu = 0; cpu < nr_cpus(); cpu++) {
		ASSERT_EQ(0, pin(cpu));
		loop(ROUNDS * (cpu + 1));
	}
	ASSERT_EQ(0, abi_disable(fd));
	for (int cpu = 0; cpu < nr_cpus(); cpu++) {
		ASSERT_EQ(0, read_cpu(fd, 1, cpu, &self->counts));
		EXPECT_EQ(msr_of(cpu, self->hw[0].cntr_msr),
			  zeroes_at_stop() ? 0 : self->counts.count[0].value);
		EXPECT_LE(LOOP_INSNS * ROUNDS * (cpu + 1), self->counts.count[0].value);
		EXPECT_EQ(1, self->counts.read.nr_cpus);
		EXPECT_EQ(cpu, self->counts.read.cpu);
		sum += self->counts.count[0].value;
	}
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_EQ(sum, self->counts.count[0].value);
	EXPECT_EQ(nr_cpus(), self->counts.read.nr_cpus);
	EXPECT_EQ(0, self->counts.read.nr_tasks);
	close(fd);
}

TEST_F(session, counts_of_a_running_session_grow_by_at_least_the_loop)
{
	uint64_t last = 0, last_ns = 0;
	int fd;

	request_task(&self->req, 0);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_enable(fd));
	for (unsigned int i = 0; i < 50; i++) {
		loop(1000);
		ASSERT_EQ(0, read_all(fd, 1, &self->counts));
		EXPECT_LE(last + 1000 * LOOP_INSNS, self->counts.count[0].value);
		EXPECT_LT(last_ns, self->counts.read.time_enabled_ns);
		last = self->counts.count[0].value;
		last_ns = self->counts.read.time_enabled_ns;
	}
	close(fd);
}

TEST_F(session, count_on_named_cpus_only)
{
	uint64_t elsewhere;
	int fd;

	if (nr_cpus() < 2)
		SKIP(return, "needs two CPUs");
	request_task(&self->req, 0);
	add_counter(&self->req);
	self->req.cpus[0] = 0x2;
	self->req.attr.cpus = (uintptr_t)self->req.cpus;
	self->req.attr.cpus_size = 1;
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_enable(fd));
	loop(ROUNDS);
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	elsewhere = self->counts.count[0].value;
	EXPECT_EQ(0, elsewhere);
	ASSERT_EQ(0, pin(1));
	loop(ROUNDS);
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_LE(LOOP_INSNS * ROUNDS, self->counts.count[0].value);
	close(fd);
}

TEST_F(session, kernel_level_counts_what_user_level_does_not)
{
	int fd;

	request_task(&self->req, 0);
	add_event(&self->req, EV_INSTRUCTIONS, KERNEL | COUNT, 0, 0);
	add_event(&self->req, EV_BRANCHES, USER | COUNT, 0, 0);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_enable(fd));
	for (unsigned int i = 0; i < 1000; i++)
		syscall(__NR_getppid);
	ASSERT_EQ(0, abi_disable(fd));
	ASSERT_EQ(0, read_all(fd, 2, &self->counts));
	/* a system call executes dozens of instructions in the kernel */
	EXPECT_LT(1000 * 20, self->counts.count[0].value);
	EXPECT_LE(1000, self->counts.count[1].value);
	close(fd);
}

/* ---- states ---- */

TEST_F(session, starts_disabled_with_everything_0)
{
	const struct acrpmu_read *read = &self->counts.read;
	cpu_set_t allowed;
	int fd;

	ASSERT_EQ(0, sched_getaffinity(0, sizeof(allowed), &allowed));

	request_task(&self->req, 0);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	loop(ROUNDS);
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_EQ(0, self->counts.count[0].value);
	EXPECT_EQ(0, read->time_enabled_ns);
	EXPECT_EQ(0, read->time_running_ns);
	EXPECT_EQ(0, accounted(&self->counts));
	EXPECT_EQ(0, read->inherit_failed);
	EXPECT_EQ(0, read->state);
	/* those that the task may run on */
	EXPECT_EQ(CPU_COUNT(&allowed), read->nr_cpus);
	EXPECT_EQ(0, read->time_missed_ns);
	EXPECT_EQ(1, read->nr_tasks);
	EXPECT_EQ(0, read->target);
	EXPECT_EQ(1, read->tasks);
	close(fd);
}

TEST_F(session, enabling_or_disabling_twice_is_harmless)
{
	uint64_t value, enabled_ns;
	int fd;

	request_task(&self->req, 0);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	EXPECT_EQ(0, abi_disable(fd));
	EXPECT_EQ(0, abi_enable(fd));
	loop(ROUNDS);
	EXPECT_EQ(0, abi_enable(fd));
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->counts.read.state);
	EXPECT_LE(LOOP_INSNS * ROUNDS, self->counts.count[0].value);
	EXPECT_EQ(0, abi_disable(fd));
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	value = self->counts.count[0].value;
	enabled_ns = self->counts.read.time_enabled_ns;
	loop(ROUNDS);
	EXPECT_EQ(0, abi_disable(fd));
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_EQ(0, self->counts.read.state);
	EXPECT_EQ(value, self->counts.count[0].value);
	EXPECT_EQ(enabled_ns, self->counts.read.time_enabled_ns);
	close(fd);
}

TEST_F(session, counts_resume_where_they_stopped)
{
	uint64_t value;
	int fd;

	request_task(&self->req, 0);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	value = count_rounds(fd, 1, 0, ROUNDS, &self->counts);
	ASSERT_EQ(0, abi_enable(fd));
	loop(ROUNDS);
	ASSERT_EQ(0, abi_disable(fd));
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_LE(value + LOOP_INSNS * ROUNDS, self->counts.count[0].value);
	EXPECT_GE(value + LOOP_INSNS * ROUNDS + 1000, self->counts.count[0].value);
	close(fd);
}

TEST_F(session, reset_zeroes_counts_and_times_running_or_not)
{
	int fd;

	request_task(&self->req, 0);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_LT(0, count_rounds(fd, 1, 0, ROUNDS, &self->counts));
	EXPECT_EQ(0, abi_reset(fd));
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_EQ(0, self->counts.count[0].value);
	EXPECT_EQ(0, self->counts.read.time_enabled_ns);
	EXPECT_EQ(0, self->counts.read.time_running_ns);

	ASSERT_EQ(0, abi_enable(fd));
	loop(ROUNDS);
	EXPECT_EQ(0, abi_reset(fd));
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_GT(LOOP_INSNS * ROUNDS, self->counts.count[0].value);
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->counts.read.state);
	loop(ROUNDS);
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_LE(LOOP_INSNS * ROUNDS, self->counts.count[0].value);
	close(fd);
}

static uint64_t clock_ns(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* How often this thread was switched from */
static long switches(void)
{
	struct rusage usage;

	getrusage(RUSAGE_THREAD, &usage);
	return usage.ru_nvcsw + usage.ru_nivcsw;
}

/* An event of perf that counts nothing, for the time that this thread runs */
static int open_time(void)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_SOFTWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_SW_DUMMY,
		.read_format = PERF_FORMAT_TOTAL_TIME_RUNNING,
	};

	return abi_perf_event_open(&attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

/* The clock, and the time of this thread by the scheduler and by perf */
enum { WALL, SCHEDULER, PERF, NR_CLOCKS };

static int look(int perf, uint64_t *ns)
{
	uint64_t count_time[2];

	ns[WALL] = clock_ns(CLOCK_MONOTONIC);
	ns[SCHEDULER] = clock_ns(CLOCK_THREAD_CPUTIME_ID);
	if (read(perf, count_time, sizeof(count_time)) != sizeof(count_time))
		return -EIO;
	ns[PERF] = count_time[1];
	return 0;
}

/* How long a session was enabled by each clock, from inside and from outside */
struct bracket {
	uint64_t least_ns[NR_CLOCKS], most_ns[NR_CLOCKS];
};

/* Work in the session @fd; if @sleep_us is not 0 sleep, too, and work again. */
static int measure(struct bracket *b, int fd, int perf, useconds_t sleep_us)
{
	uint64_t outer[2][NR_CLOCKS], inner[2][NR_CLOCKS];
	int ret;

	ret = look(perf, outer[0]) ?: abi_reset(fd) ?: abi_enable(fd) ?: look(perf, inner[0]);
	loop(WORK);
	if (sleep_us) {
		usleep(sleep_us);
		loop(WORK);
	}
	ret = ret ?: look(perf, inner[1]) ?: abi_disable(fd) ?: look(perf, outer[1]);
	for (unsigned int i = 0; i < NR_CLOCKS && !ret; i++) {
		b->least_ns[i] = inner[1][i] - inner[0][i];
		b->most_ns[i] = outer[1][i] - outer[0][i];
	}
	return ret;
}

static int open_counter(int dev, struct request *req)
{
	request_task(req, 0);
	add_counter(req);
	return request(dev, req);
}

/* The scheduler's time of a thread begins before a switch to it, and ends before one from it. */
TEST_F(session, time_running_is_that_of_the_scheduler)
{
	int fd = open_counter(self->dev, &self->req), perf = open_time();
	const struct acrpmu_read *read = &self->counts.read;
	struct bracket b;
	long before;

	ASSERT_LE(0, fd);
	ASSERT_LE(0, perf);
	/* A switch spoils an attempt; the harness ends endless ones. */
	do {
		before = switches();
		ASSERT_EQ(0, measure(&b, fd, perf, 0));
	} while (switches() != before);
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_LE(b.least_ns[SCHEDULER], read->time_running_ns);
	EXPECT_GE(b.most_ns[SCHEDULER], read->time_running_ns);
	close(perf);
	close(fd);
}

TEST_F(session, time_enabled_goes_on_in_sleep_and_time_running_does_not)
{
	int fd = open_counter(self->dev, &self->req), perf = open_time();
	const struct acrpmu_read *read = &self->counts.read;
	const uint64_t sleep_ns = 100000000;
	uint64_t least_ns, most_ns;
	struct bracket b;

	ASSERT_LE(0, fd);
	ASSERT_LE(0, perf);
	/*
	 * In a switch the module reads the clock after the scheduler and before perf.  If the host
	 * stops the machine in between these two differ, and if it does at the beginning or the end
	 * the bracket is wide: that spoils an attempt, as above.
	 */
	do {
		ASSERT_EQ(0, measure(&b, fd, perf, sleep_ns / 1000));
		ASSERT_EQ(0, read_all(fd, 1, &self->counts));
		EXPECT_LE(b.least_ns[WALL], read->time_enabled_ns);
		EXPECT_GE(b.most_ns[WALL], read->time_enabled_ns);
		EXPECT_LE(sleep_ns, read->time_enabled_ns);
		least_ns = MIN(b.least_ns[SCHEDULER], b.least_ns[PERF]);
		most_ns = MAX(b.most_ns[SCHEDULER], b.most_ns[PERF]);
		TH_LOG("ran %lu to %lu us: counted %llu us", least_ns / 1000, most_ns / 1000,
		       read->time_running_ns / 1000);
	} while (most_ns - least_ns > least_ns / 20);
	EXPECT_LE(least_ns - least_ns / 20, read->time_running_ns);
	EXPECT_GE(most_ns + least_ns / 20, read->time_running_ns);
	close(perf);
	close(fd);
}

TEST_F(session, read_with_another_number_of_counts_or_a_wrong_cpu_is_einval)
{
	static const int cpus[] = { 1, -2, 63, 0x7fffffff, -0x7fffffff - 1 };
	int fd;

	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EINVAL, read_all(fd, 0, &self->counts));
	EXPECT_EQ(-EINVAL, read_all(fd, 2, &self->counts));
	EXPECT_EQ(POISON64, self->counts.count[0].value);
	EXPECT_EQ(POISON64, self->counts.read.records);
	for (unsigned int i = 0; i < NR(cpus); i++) {
		EXPECT_EQ(-EINVAL, read_cpu(fd, 1, cpus[i], &self->counts)) TH_LOG("%d", cpus[i]);
		EXPECT_EQ(POISON64, self->counts.count[0].value);
	}
	EXPECT_EQ(0, read_cpu(fd, 1, 0, &self->counts));
	EXPECT_EQ(POISON64, self->counts.count[1].value);
	close(fd);

	request_task(&self->req, 0);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	EXPECT_EQ(-EINVAL, read_cpu(fd, 1, 0, &self->counts));
	EXPECT_EQ(0, read_all(fd, 1, &self->counts));
	close(fd);
}

/* ---- overflows ---- */

static uint64_t overflows_int(int cntr)
{
	return oracle_get(ORACLE_OVERFLOWS_INT, ORACLE_ALL_CPUS, cntr);
}

TEST_F(session, every_overflow_of_a_sampled_counter_is_accounted)
{
	const uint64_t period = 1000;
	uint64_t before, overflows;
	int fd;

	REQUIRE_ORACLE();
	request_task(&self->req, 0);
	add_sampler(&self->req, period);
	self->req.attr.ring_pages = 1;
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_query(fd, self->hw, 1));
	before = overflows_int(self->hw[0].cntr);
	/* repeat while the module pauses, because PMIs take too much time of a busy machine */
	for (unsigned int i = 0; i < TRIES; i++) {
		ASSERT_EQ(0, abi_enable(fd));
		loop(ROUNDS);
		ASSERT_EQ(0, abi_disable(fd));
		overflows = overflows_int(self->hw[0].cntr) - before;
		ASSERT_EQ(0, read_all(fd, 1, &self->counts));
		EXPECT_EQ(overflows, accounted(&self->counts));
		EXPECT_EQ(overflows, self->counts.count[0].overflows);
		if (self->counts.read.lost)
			break;
	}
	/* one page: most found no room */
	EXPECT_LT(0, self->counts.read.lost);
	EXPECT_LT(0, self->counts.read.records);
	EXPECT_EQ(0, self->counts.count[0].flags);
	close(fd);
}

TEST_F(session, reset_keeps_the_accounts)
{
	struct counts again;
	int fd;

	request_task(&self->req, 0);
	add_sampler(&self->req, 2000);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_enable(fd));
	loop(ROUNDS);
	ASSERT_EQ(0, abi_disable(fd));
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_LT(0, self->counts.read.records);
	ASSERT_EQ(0, abi_reset(fd));
	ASSERT_EQ(0, read_all(fd, 1, &again));
	EXPECT_EQ(self->counts.read.records, again.read.records);
	EXPECT_EQ(accounted(&self->counts), accounted(&again));
	EXPECT_EQ(0, again.count[0].overflows);
	EXPECT_EQ(0, again.count[0].value);
	close(fd);
}

TEST_F(session, reloaded_events_are_flagged_and_count_whole_periods)
{
	uint64_t before, self_reloads;
	int fd;

	REQUIRE_ACR();
	REQUIRE_ORACLE();
	request_task(&self->req, 0);
	/* two instructions or more in a cycle never happen on the model's loop: no sample */
	add_event(&self->req, EV_INSTRUCTIONS, USER | SAMPLED, 100000, 0x2);
	add_event(&self->req, EV_CYCLES, USER, 1000, 0x3);
	add_event(&self->req, EV_BRANCHES, USER | COUNT, 0, 0);
	add_ring(&self->req, SAMPLE_TYPE, 1);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_query(fd, self->hw, 3));
	before = oracle_get(ORACLE_OVERFLOWS_SELF, ORACLE_ALL_CPUS, self->hw[1].cntr);
	ASSERT_EQ(0, abi_enable(fd));
	loop(ROUNDS);
	ASSERT_EQ(0, abi_disable(fd));
	self_reloads = oracle_get(ORACLE_OVERFLOWS_SELF, ORACLE_ALL_CPUS, self->hw[1].cntr);
	self_reloads -= before;
	ASSERT_EQ(0, read_all(fd, 3, &self->counts));
	EXPECT_LT(10, self_reloads);
	for (unsigned int i = 0; i < 2; i++) {
		EXPECT_EQ(ACRPMU_COUNT_RELOADED, self->counts.count[i].flags);
		EXPECT_EQ(0, self->counts.count[i].overflows);
		EXPECT_EQ(0, self->counts.count[i].value);
	}
	EXPECT_EQ(0, self->counts.count[2].flags);
	EXPECT_LE(ROUNDS, self->counts.count[2].value);
	EXPECT_EQ(0, accounted(&self->counts));
	close(fd);
}

TEST_F(session, reloaded_event_that_overflows_counts_periods)
{
	int fd;

	REQUIRE_ACR();
	request_task(&self->req, 0);
	add_event(&self->req, EV_INSTRUCTIONS, USER | SAMPLED, 3000, 0x2);
	add_event(&self->req, EV_CYCLES, USER, 1000000000, 0x3);
	add_ring(&self->req, SAMPLE_TYPE, 8);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	self->counts.count[0].overflows = 0;
	for (unsigned int i = 0; i < TRIES && self->counts.count[0].overflows < 20; i++) {
		ASSERT_EQ(0, abi_enable(fd));
		loop(ROUNDS);
		ASSERT_EQ(0, abi_disable(fd));
		ASSERT_EQ(0, read_all(fd, 2, &self->counts));
	}
	EXPECT_LE(20, self->counts.count[0].overflows);
	EXPECT_EQ(self->counts.count[0].overflows, accounted(&self->counts));
	EXPECT_EQ(3000 * self->counts.count[0].overflows, self->counts.count[0].value);
	EXPECT_EQ(ACRPMU_COUNT_RELOADED, self->counts.count[0].flags);
	close(fd);
}

/* ---- tasks ---- */

/**
 * struct worker - a child that works on request only
 * @pid: its pid
 * @go: a byte sent here requests work
 * @done: a byte returned here completes it
 */
struct worker {
	pid_t pid;
	int go, done;
};

static bool worker_step(struct worker *worker)
{
	char byte = 0;

	return write(worker->go, &byte, 1) == 1 && read(worker->done, &byte, 1) == 1;
}

/* Loops at the first request, and in its own child at the second. */
static void work(int go, int done)
{
	char byte;
	pid_t pid;

	while (read(go, &byte, 1) == 1) {
		loop(ROUNDS);
		if (write(done, &byte, 1) != 1 || read(go, &byte, 1) != 1)
			break;
		pid = fork();
		if (!pid) {
			loop(ROUNDS);
			_exit(0);
		}
		waitpid(pid, NULL, 0);
		if (write(done, &byte, 1) != 1)
			break;
	}
	_exit(0);
}

static bool worker_start(struct worker *worker)
{
	int go[2], done[2];

	if (pipe(go) || pipe(done))
		return false;
	worker->pid = fork();
	if (!worker->pid) {
		close(go[1]);
		close(done[0]);
		work(go[0], done[1]);
	}
	close(go[0]);
	close(done[1]);
	worker->go = go[1];
	worker->done = done[0];
	return worker->pid > 0;
}

static void worker_end(struct worker *worker)
{
	close(worker->go);
	waitpid(worker->pid, NULL, 0);
	close(worker->done);
}

TEST_F(session, ends_with_its_task_and_keeps_the_counts)
{
	struct worker worker;
	int fd;

	ASSERT_TRUE(worker_start(&worker));
	request_task(&self->req, worker.pid);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_enable(fd));
	ASSERT_TRUE(worker_step(&worker));
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_LE(LOOP_INSNS * ROUNDS, self->counts.count[0].value);
	EXPECT_GT(2 * LOOP_INSNS * ROUNDS, self->counts.count[0].value);
	EXPECT_EQ(1, self->counts.read.nr_tasks);
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->counts.read.state);
	worker_end(&worker);
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_LE(LOOP_INSNS * ROUNDS, self->counts.count[0].value);
	EXPECT_EQ(0, self->counts.read.nr_tasks);
	EXPECT_EQ(ACRPMU_STATE_ENABLED | ACRPMU_STATE_ENDED, self->counts.read.state);
	/* the holder may still read it */
	EXPECT_EQ(0, abi_enable(fd));
	EXPECT_EQ(0, abi_disable(fd));
	EXPECT_EQ(0, abi_reset(fd));
	close(fd);
}

TEST_F(session, children_count_only_when_inherited)
{
	for (unsigned int inherit = 0; inherit < 2; inherit++) {
		struct worker worker;
		uint64_t value;
		int fd;

		ASSERT_TRUE(worker_start(&worker));
		request_task(&self->req, worker.pid);
		self->req.attr.flags |= inherit ? ACRPMU_SESSION_INHERIT : 0;
		add_counter(&self->req);
		fd = request(self->dev, &self->req);
		ASSERT_LE(0, fd);
		ASSERT_EQ(0, abi_enable(fd));
		ASSERT_TRUE(worker_step(&worker));
		ASSERT_TRUE(worker_step(&worker));
		ASSERT_EQ(0, read_all(fd, 1, &self->counts));
		value = self->counts.count[0].value;
		EXPECT_LE((1 + inherit) * LOOP_INSNS * ROUNDS, value);
		EXPECT_GT((2 + inherit) * LOOP_INSNS * ROUNDS, value);
		EXPECT_EQ(1, self->counts.read.nr_tasks);
		EXPECT_EQ(0, self->counts.read.inherit_failed);
		worker_end(&worker);
		close(fd);
	}
}

TEST_F(session, is_enabled_at_exec_on_request)
{
	int go[2], status, fd;
	char byte = 0;
	pid_t pid;

	ASSERT_EQ(0, pipe(go));
	pid = fork();
	if (!pid) {
		if (read(go[0], &byte, 1) == 1)
			loop(100 * ROUNDS);
		execl("/bin/true", "true", NULL);
		_exit(127);
	}
	request_task(&self->req, pid);
	self->req.attr.flags |= ACRPMU_SESSION_ENABLE_ON_EXEC;
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(1, write(go[1], &byte, 1));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, read_all(fd, 1, &self->counts));
	EXPECT_EQ(ACRPMU_STATE_ENABLED | ACRPMU_STATE_ENDED, self->counts.read.state);
	EXPECT_LT(0, self->counts.read.time_enabled_ns);
	/* the program that was started, not what ran before */
	EXPECT_LT(10000, self->counts.count[0].value);
	EXPECT_GT(100 * ROUNDS * LOOP_INSNS, self->counts.count[0].value);
	close(fd);
}

TEST_HARNESS_MAIN
