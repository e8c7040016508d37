// SPDX-License-Identifier: GPL-2.0-only
/* Every refusal of SESSION_CREATE: one thing wrong each time, the whole error compared. */
#include "common.h"

#define SESSION_FLAGS	0x7ff
#define EVENT_FLAGS	0xf
/* event select, umask, edge, inv, cmask, eq, umask2 */
#define CONFIG_BITS	(0xffffULL | BIT64(18) | BIT64(23) | 0xffULL << 24 | \
			 BIT64(36) | 0xffULL << 40)
#define CONFIG_LEGACY	(0xffffULL | BIT64(18) | BIT64(23) | 0xffULL << 24)
#define SAMPLE_TYPES	(PERF_SAMPLE_IP | PERF_SAMPLE_TID | PERF_SAMPLE_TIME | PERF_SAMPLE_READ | \
			 PERF_SAMPLE_ID | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD | \
			 PERF_SAMPLE_STREAM_ID | PERF_SAMPLE_IDENTIFIER | \
			 PERF_SAMPLE_CALLCHAIN)
#define LAST_REASON	ACRPMU_REASON_REGISTER
#define POSSIBLE_CNTRS	(BIT64(48) - 1)
#define MIN_SAMPLED	1000
#define MIN_QUIET	1
#define LONGEST_RELOAD	0x7fffffff
#define RING_PAGES	8
#define ONLINE		"/sys/devices/system/cpu/cpu1/online"
#define THIS_TEST	"refusal_test"
#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"

FIXTURE(refusal)
{
	int dev;
	struct acrpmu_info info;
	struct request req;
	char comm[ACRPMU_COMM_LEN];
};

/* A group that every profile can count: sampled, quiet, and plain. */
static void good_request(struct request *req)
{
	request_task(req, 0);
	add_event(req, EV_BRANCHES, USER | SAMPLED, 10000, 0);
	add_event(req, EV_BRANCH_MISSES, USER, 10000, 0);
	add_event(req, EV_INSTRUCTIONS, USER | COUNT, 0, 0);
	add_ring(req, SAMPLE_TYPE, RING_PAGES);
}

static bool by_claim(FIXTURE_DATA(refusal) *self)
{
	return self->info.arbiter == ACRPMU_ARBITER_CLAIM;
}

FIXTURE_SETUP(refusal)
{
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	self->info = (struct acrpmu_info){ .size = sizeof(self->info) };
	ASSERT_EQ(0, abi_info(self->dev, &self->info));
	ASSERT_EQ(0, prctl(PR_GET_NAME, self->comm));
	good_request(&self->req);
}

FIXTURE_TEARDOWN(refusal)
{
	EXPECT_EQ(0, nr_sessions(self->dev));
	EXPECT_EQ(0, held_cntrs(self->dev));
	close(self->dev);
}

/* The unmodified group must be accepted, or the following tests prove nothing. */
TEST_F(refusal, unmodified_request_is_accepted)
{
	struct request req;
	int fd;

	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	memset(&req.attr.error, 0, sizeof(req.attr.error));
	EXPECT_EQ(0, memcmp(&req.attr.error, &self->req.attr.error, sizeof(req.attr.error)));
	EXPECT_NE(0, self->req.attr.session_id);
	EXPECT_NE(POISON64, self->req.attr.session_id);
	close(fd);
}

/* ---- values, the same on every CPU ---- */

/**
 * struct change - a change that makes a good request bad
 * @line: line of the table, for the log
 * @offset: offset of the member in struct request
 * @size: size of the member
 * @to: its new value
 * @want: the expected refusal; events are 0 sampled, 1 quiet, 2 plain
 */
struct change {
	int line;
	size_t offset, size;
	uint64_t to;
	struct refusal want;
};

#define SET(member, to) \
	__LINE__, offsetof(struct request, member), sizeof(((struct request *)0)->member), to
#define EINVAL_OF(reason, event, value, limit) \
	{ -EINVAL, ACRPMU_REASON_##reason, event, NO_CPU, value, limit }

static const struct change session_changes[] = {
	{ SET(attr.flags, 0x40000001), EINVAL_OF(FLAGS, NO_EVENT, 0x40000000, SESSION_FLAGS) },
	{ SET(attr.flags, 0x80000001), EINVAL_OF(FLAGS, NO_EVENT, 0x80000000, SESSION_FLAGS) },
	{ SET(attr.nr_events, 0), EINVAL_OF(NR_EVENTS, NO_EVENT, 0, 16) },
	{ SET(attr.nr_events, 17), EINVAL_OF(NR_EVENTS, NO_EVENT, 17, 16) },
	{ SET(attr.nr_events, 0xffffffff), EINVAL_OF(NR_EVENTS, NO_EVENT, 0xffffffff, 16) },
	{ SET(attr.pid, (uint32_t)-1), EINVAL_OF(TARGET, NO_EVENT, ~0ULL, 0) },
	{ SET(attr.cpus, 0x1000), EINVAL_OF(TARGET, NO_EVENT, 0, 0) },
	{ SET(attr.cpus_size, 1), EINVAL_OF(TARGET, NO_EVENT, 1, 0) },
	{ SET(attr.cpus_size, PAGE + 1), EINVAL_OF(TARGET, NO_EVENT, PAGE + 1, PAGE) },
	{ SET(attr.flags, 0), EINVAL_OF(CPU_EMPTY, NO_EVENT, 0, 0) },
	{ SET(attr.flags, ACRPMU_SESSION_INHERIT),
	  EINVAL_OF(INHERIT, NO_EVENT, ACRPMU_SESSION_INHERIT, 0) },
	{ SET(attr.flags, ACRPMU_SESSION_ENABLE_ON_EXEC),
	  EINVAL_OF(INHERIT, NO_EVENT, ACRPMU_SESSION_ENABLE_ON_EXEC, 0) },
	{ SET(attr.flags, ACRPMU_SESSION_PROCESS),
	  EINVAL_OF(INHERIT, NO_EVENT, ACRPMU_SESSION_PROCESS, 0) },
	{ SET(attr.sample_type, SAMPLE_TYPE | PERF_SAMPLE_STACK_USER),
	  EINVAL_OF(SAMPLE_TYPE, NO_EVENT, PERF_SAMPLE_STACK_USER, SAMPLE_TYPES) },
	{ SET(attr.max_stack, 1), EINVAL_OF(MAX_STACK, NO_EVENT, 1, 0) },
	{ SET(attr.jitter, 51), EINVAL_OF(JITTER, NO_EVENT, 51, 50) },
	{ SET(attr.flags, 0x201), EINVAL_OF(NO_CHAIN, NO_EVENT, 0x200, 0) },
	{ SET(attr.flags, 0x401), EINVAL_OF(NO_CHAIN, NO_EVENT, 0x400, 0) },
	{ SET(attr.sample_type, SAMPLE_TYPE | BIT64(63)),
	  EINVAL_OF(SAMPLE_TYPE, NO_EVENT, BIT64(63), SAMPLE_TYPES) },
	{ SET(attr.sample_type, 0), EINVAL_OF(SAMPLE_TYPE, NO_EVENT, 0, SAMPLE_TYPES) },
	{ SET(attr.ring_pages, 0), EINVAL_OF(RING_PAGES, NO_EVENT, 0, 4096) },
	{ SET(attr.ring_pages, 3), EINVAL_OF(RING_PAGES, NO_EVENT, 3, 4096) },
	{ SET(attr.ring_pages, 8192), EINVAL_OF(RING_PAGES, NO_EVENT, 8192, 4096) },
	{ SET(attr.ring_pages, 0x80000000), EINVAL_OF(RING_PAGES, NO_EVENT, 0x80000000, 4096) },
	{ SET(attr.wakeup_bytes, RING_PAGES * PAGE + 1),
	  EINVAL_OF(WAKEUP, NO_EVENT, RING_PAGES * PAGE + 1, RING_PAGES * PAGE) },
};

static const struct change event_changes[] = {
	{ SET(events[1].flags, USER | 0x10), EINVAL_OF(FLAGS, 1, 0x10, EVENT_FLAGS) },
	{ SET(events[0].flags, USER | SAMPLED | COUNT),
	  EINVAL_OF(FLAGS, 0, SAMPLED | COUNT, EVENT_FLAGS) },
	{ SET(events[2].reserved, 0x80000000), EINVAL_OF(RESERVED, 2, 0x80000000, 0) },
	/* bits of IA32_PERFEVTSELx that the flags set, and bits that do not exist */
	{ SET(events[0].config, EV_BRANCHES | BIT64(16)),
	  EINVAL_OF(CONFIG, 0, BIT64(16), CONFIG_BITS) },
	{ SET(events[0].config, EV_BRANCHES | BIT64(17)),
	  EINVAL_OF(CONFIG, 0, BIT64(17), CONFIG_BITS) },
	{ SET(events[1].config, EV_BRANCHES | BIT64(19)),
	  EINVAL_OF(CONFIG, 1, BIT64(19), CONFIG_BITS) },
	{ SET(events[1].config, EV_BRANCHES | BIT64(20)),
	  EINVAL_OF(CONFIG, 1, BIT64(20), CONFIG_BITS) },
	{ SET(events[1].config, EV_BRANCHES | BIT64(21)),
	  EINVAL_OF(CONFIG, 1, BIT64(21), CONFIG_BITS) },
	{ SET(events[2].config, EV_BRANCHES | BIT64(22)),
	  EINVAL_OF(CONFIG, 2, BIT64(22), CONFIG_BITS) },
	{ SET(events[2].config, EV_BRANCHES | BIT64(35)),
	  EINVAL_OF(CONFIG, 2, BIT64(35), CONFIG_BITS) },
	{ SET(events[2].config, EV_BRANCHES | BIT64(63)),
	  EINVAL_OF(CONFIG, 2, BIT64(63), CONFIG_BITS) },
	{ SET(events[1].flags, 0), EINVAL_OF(NO_LEVEL, 1, 0, 0) },
	{ SET(events[0].flags, SAMPLED), EINVAL_OF(NO_LEVEL, 0, SAMPLED, 0) },
	{ SET(events[0].period, 0), EINVAL_OF(PERIOD_ZERO, 0, 0, MIN_SAMPLED) },
	{ SET(events[1].period, 0), EINVAL_OF(PERIOD_ZERO, 1, 0, MIN_QUIET) },
	{ SET(events[0].period, 1), EINVAL_OF(PERIOD_SMALL, 0, 1, MIN_SAMPLED) },
	{ SET(events[0].period, 999), EINVAL_OF(PERIOD_SMALL, 0, 999, MIN_SAMPLED) },
	{ SET(events[2].period, 5000), EINVAL_OF(PERIOD_COUNT, 2, 5000, 0) },
	{ SET(events[2].acr_mask, 0x1), EINVAL_OF(PERIOD_COUNT, 2, 0, 0) },
	{ SET(events[1].acr_mask, 0x4), EINVAL_OF(PERIOD_COUNT, 2, 0, 0) },
	{ SET(events[0].acr_mask, 0x8), EINVAL_OF(MASK_OUTSIDE, 0, 0x8, 3) },
	{ SET(events[1].acr_mask, ~0ULL), EINVAL_OF(MASK_OUTSIDE, 1, ~7ULL, 3) },
	{ SET(events[0].acr_mask, 0x1), EINVAL_OF(SELF_SAMPLED, 0, 0x1, 0) },
	{ SET(events[0].acr_mask, 0x3), EINVAL_OF(SELF_SAMPLED, 0, 0x3, 0) },
	{ SET(events[2].id, 100), EINVAL_OF(ID, 2, 100, 0) },
	/* beyond fixed counter 15 */
	{ SET(events[0].allowed_cntrs, BIT64(48) | 0x1),
	  EINVAL_OF(ALLOWED_CNTRS, 0, BIT64(48), POSSIBLE_CNTRS) },
	{ SET(events[2].allowed_cntrs, ~0ULL),
	  EINVAL_OF(ALLOWED_CNTRS, 2, ~POSSIBLE_CNTRS, POSSIBLE_CNTRS) },
	{ SET(events[1].id, 0), EINVAL_OF(ID, 1, 0, 0) },
};

static void expect_changes_refused(struct __test_metadata *_metadata, int dev,
				   const struct change *changes, unsigned int nr)
{
	struct request req;

	for (unsigned int i = 0; i < nr; i++) {
		good_request(&req);
		memcpy((uint8_t *)&req + changes[i].offset, &changes[i].to, changes[i].size);
		expect_refused(_metadata, changes[i].line, dev, &req, &changes[i].want);
	}
}

TEST_F(refusal, each_bad_value_of_the_session_has_its_reason)
{
	expect_changes_refused(_metadata, self->dev, session_changes, NR(session_changes));
}

TEST_F(refusal, each_bad_value_of_an_event_has_its_reason)
{
	expect_changes_refused(_metadata, self->dev, event_changes, NR(event_changes));
}

TEST_F(refusal, ring_for_a_group_without_samples)
{
	struct request *req = &self->req;

	request_task(req, 0);
	add_counter(req);
	req->attr.ring_pages = 1;
	EXPECT_REFUSED(self->dev, req,
		       REFUSAL(-EINVAL, ACRPMU_REASON_RING_PAGES, NO_EVENT, NO_CPU, 1, 0));
	req->attr.ring_pages = 0;
	req->attr.wakeup_bytes = 1;
	EXPECT_REFUSED(self->dev, req,
		       REFUSAL(-EINVAL, ACRPMU_REASON_WAKEUP, NO_EVENT, NO_CPU, 1, 0));
	req->attr.wakeup_bytes = 0;
	req->attr.sample_type = PERF_SAMPLE_IP;
	EXPECT_REFUSED(self->dev, req, REFUSAL(-EINVAL, ACRPMU_REASON_SAMPLE_TYPE, NO_EVENT, NO_CPU,
					       PERF_SAMPLE_IP, 0));
}

TEST_F(refusal, two_sampled_events_without_their_names_in_records)
{
	const uint64_t names = PERF_SAMPLE_ID | PERF_SAMPLE_IDENTIFIER;

	self->req.events[1].flags |= SAMPLED;
	self->req.attr.sample_type = SAMPLE_TYPE & ~names;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EINVAL, ACRPMU_REASON_SAMPLE_TYPE, NO_EVENT, NO_CPU, names,
			       SAMPLE_TYPES));
}

TEST_F(refusal, cpu_session_with_a_pid)
{
	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	self->req.attr.pid = 1;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EINVAL, ACRPMU_REASON_TARGET, NO_EVENT, NO_CPU, 1, 0));
}

TEST_F(refusal, bitmap_without_a_cpu)
{
	request_cpus(&self->req, 0);
	add_counter(&self->req);
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EINVAL, ACRPMU_REASON_CPU_EMPTY, NO_EVENT, NO_CPU, 0, 0));
}

TEST_F(refusal, bitmap_longer_than_needed_is_no_fault)
{
	int fd;

	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	self->req.attr.cpus_size = sizeof(self->req.cpus);
	fd = request(self->dev, &self->req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	close(fd);
}

/* ---- beyond this CPU ---- */

/* Is the CPU in the module's table? */
static bool has_row(const struct profile *profile)
{
	return strcmp(profile->core, "architectural");
}

/* On a CPU that can do it, test that it is accepted. */
static void expect_granted(struct __test_metadata *_metadata, FIXTURE_DATA(refusal) *self)
{
	int fd = request(self->dev, &self->req);

	EXPECT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	close(fd);
}

TEST_F(refusal, mask_on_a_cpu_without_acr)
{
	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its abilities are unknown");
	self->req.events[0].acr_mask = 0x2;
	if (this_profile()->acr_cntrs) {
		expect_granted(_metadata, self);
		return;
	}
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EOPNOTSUPP, ACRPMU_REASON_NO_ACR, 0, 0, 0x2, 0));
	self->req.events[0].acr_mask = 0;
	self->req.events[1].acr_mask = 0x2;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EOPNOTSUPP, ACRPMU_REASON_NO_ACR, 1, 0, 0x2, 0));
}

TEST_F(refusal, mask_in_software_on_any_cpu)
{
	self->req.attr.flags |= ACRPMU_SESSION_SOFTWARE;
	self->req.events[0].acr_mask = 0x2;
	self->req.events[1].acr_mask = 0x3;
	self->req.events[1].period = 1000;
	expect_granted(_metadata, self);
	self->req.events[1].period = 999;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EINVAL, ACRPMU_REASON_PERIOD_CAUSE, 1, NO_CPU, 999, 1000));
	/* Only causes raise PMIs. */
	self->req.events[0].acr_mask = 0;
	self->req.events[1].acr_mask = 0x1;
	expect_granted(_metadata, self);
}

TEST_F(refusal, config_bits_that_only_newer_cpus_have)
{
	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its abilities are unknown");
	self->req.events[1].config |= BIT64(40);
	if (this_profile()->version >= 6) {
		self->req.events[2].config = EV_BRANCHES | BIT64(36);
		expect_granted(_metadata, self);
		return;
	}
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EOPNOTSUPP, ACRPMU_REASON_CONFIG, 1, 0, BIT64(40), CONFIG_LEGACY));
	self->req.events[1].config = EV_BRANCH_MISSES | BIT64(36);
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EOPNOTSUPP, ACRPMU_REASON_CONFIG, 1, 0, BIT64(36), CONFIG_LEGACY));
}

TEST_F(refusal, event_that_no_counter_counts)
{
	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its counters are unknown");
	/* a pseudo code beyond the fixed counters: event select 0 is no event */
	self->req.events[1].config = 0x0900;
	EXPECT_REFUSED(self->dev, &self->req, REFUSAL(-EOPNOTSUPP, ACRPMU_REASON_EVENT_CPU, 1, 0, 0,
						      this_profile()->cntrs));
}

TEST_F(refusal, allowed_counters_that_cannot_count_the_event)
{
	const struct profile *profile = this_profile();

	if (!profile)
		SKIP(return, "the CPU is not a profile of the model: its counters are unknown");
	/* the fixed counter of cycles, and counters that the CPU lacks */
	self->req.events[1].allowed_cntrs = FIXED(1) | (~profile->cntrs & POSSIBLE_CNTRS);
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EOPNOTSUPP, ACRPMU_REASON_ALLOWED_CNTRS, 1, 0,
			       self->req.events[1].allowed_cntrs, profile->cntrs & 0xffffffff));
	/* one more that it has and that can */
	self->req.events[1].allowed_cntrs |= 0x2;
	expect_granted(_metadata, self);
}

/* Haswell's L1D_PEND_MISS.PENDING, Skylake's INST_RETIRED.PREC_DIST: architectural nowhere. */
TEST_F(refusal, event_of_a_cpu_that_the_table_lacks)
{
	static const uint64_t events[] = { 0x0148, 0x01c0 };

	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its abilities are unknown");
	for (unsigned int i = 0; i < NR(events); i++) {
		self->req.events[1].config = events[i];
		self->req.events[1].allowed_cntrs = 0;
		if (has_row(this_profile()))
			expect_granted(_metadata, self);
		else
			EXPECT_REFUSED(self->dev, &self->req,
				       REFUSAL(-EOPNOTSUPP, ACRPMU_REASON_ALLOWED_CNTRS, 1, 0,
					       0, 0));
		self->req.events[1].allowed_cntrs = 0x2;
		expect_granted(_metadata, self);
	}
}

TEST_F(refusal, period_beyond_the_longest_of_a_reload)
{
	static const uint64_t too_long[] = { BIT64(31), BIT64(32) - 1, BIT64(32) };
	int fd;

	REQUIRE_ACR();
	self->req.events[0].acr_mask = 0x2;
	for (unsigned int i = 0; i < NR(too_long); i++) {
		self->req.events[0].period = too_long[i];
		EXPECT_REFUSED(self->dev, &self->req,
			       REFUSAL(-EINVAL, ACRPMU_REASON_PERIOD_RELOAD, 0, 0, too_long[i],
				       LONGEST_RELOAD));
	}
	self->req.events[0].period = LONGEST_RELOAD;
	fd = request(self->dev, &self->req);
	EXPECT_LE(0, fd);
	close(fd);
}

TEST_F(refusal, period_beyond_the_counter)
{
	const struct profile *profile = this_profile();
	uint64_t longest;
	int fd;

	if (!profile)
		SKIP(return, "the CPU is not a profile of the model: its counters are unknown");
	/* half of the counter, so that the sign shows an overflow; legacy writes have 31 bits */
	longest = profile->full_width ? BIT64(profile->width - 1) - 1 : 0x7fffffff;
	self->req.events[1].period = longest + 1;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EINVAL, ACRPMU_REASON_PERIOD_LARGE, 1, 0, longest + 1, longest));
	self->req.events[1].period = ~0ULL;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EINVAL, ACRPMU_REASON_PERIOD_LARGE, 1, 0, ~0ULL, longest));
	self->req.events[1].period = longest;
	fd = request(self->dev, &self->req);
	EXPECT_LE(0, fd);
	close(fd);
}

TEST_F(refusal, extra_value_for_an_event_without_extra_register)
{
	self->req.events[1].extra_value = 0x11;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EINVAL, ACRPMU_REASON_EXTRA_NONE, 1, 0, 0x11, 0));
}

TEST_F(refusal, extra_value_outside_the_valid_mask)
{
	const struct profile *profile = this_profile();

	if (!profile || !profile->offcore[0])
		SKIP(return, "this CPU has no offcore registers");
	for (unsigned int i = 0; i < 2; i++) {
		uint64_t bad = ~profile->offcore[i] & -~profile->offcore[i];

		self->req.events[1].config = i ? EV_OFFCORE_1 : EV_OFFCORE_0;
		self->req.events[1].extra_value = 0x1 | bad;
		EXPECT_REFUSED(self->dev, &self->req,
			       REFUSAL(-EINVAL, ACRPMU_REASON_EXTRA_BITS, 1, 0, bad,
				       profile->offcore[i]));
		self->req.events[1].extra_value = ~0ULL;
		EXPECT_REFUSED(self->dev, &self->req,
			       REFUSAL(-EINVAL, ACRPMU_REASON_EXTRA_BITS, 1, 0,
				       ~profile->offcore[i], profile->offcore[i]));
	}
}

/* ---- groups that do not fit ---- */

static unsigned int nr_gp(void)
{
	return __builtin_popcount((uint32_t)this_profile()->cntrs);
}

static void add_branches(struct request *req, unsigned int nr, uint32_t flags, uint64_t period,
			 uint64_t acr_mask)
{
	while (nr--)
		add_event(req, EV_BRANCHES, flags, period, acr_mask);
}

TEST_F(refusal, group_with_more_events_than_counters)
{
	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its counters are unknown");
	request_cpus(&self->req, 0x1);
	add_branches(&self->req, nr_gp() + 1, USER | COUNT, 0, 0);
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-ENOSPC, ACRPMU_REASON_NO_ASSIGNMENT, nr_gp(), NO_CPU,
			       BIT64(nr_gp()) - 1, nr_gp() + 1));
}

TEST_F(refusal, group_with_more_reloaded_events_than_reloadable_counters)
{
	uint32_t acr_gp;
	unsigned int nr;

	REQUIRE_ACR();
	acr_gp = this_profile()->acr_cntrs;
	nr = __builtin_popcount(acr_gp);
	request_cpus(&self->req, 0x1);
	/* each reloads itself: quiet */
	for (unsigned int i = 0; i <= nr; i++)
		add_event(&self->req, EV_BRANCHES, USER, 5000, BIT64(i));
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-ENOSPC, ACRPMU_REASON_NO_ASSIGNMENT, nr, NO_CPU, acr_gp, nr + 1));
}

TEST_F(refusal, three_extra_values_for_two_registers)
{
	if (!this_profile() || !this_profile()->offcore[0])
		SKIP(return, "this CPU has no offcore registers");
	request_cpus(&self->req, 0x1);
	add_event(&self->req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10001;
	add_event(&self->req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10002;
	add_event(&self->req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10004;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-ENOSPC, ACRPMU_REASON_EXTRA_BUSY, 2, NO_CPU, 0x10001, 0x1a6));
}

/* Goldmont's OUTSTANDING is one half of an average latency; requiring the other is policy. */
TEST_F(refusal, outstanding_requests_without_their_responses_are_accepted)
{
	const uint64_t outstanding = BIT64(38), any_response = BIT64(16), reads = 0x1;
	const struct {
		uint64_t requests, responses;	/* extra values; 0: no such event */
	} groups[] = {
		{ reads | outstanding, 0 },
		{ reads | outstanding, 0x2 | any_response },
		{ reads | outstanding | any_response, reads | any_response },
		{ reads | outstanding, reads | any_response },
	};

	if (!this_profile() || !(this_profile()->offcore[0] & outstanding) ||
	    this_profile()->offcore[1] & outstanding)
		SKIP(return, "this CPU does not count outstanding requests by bit 38");
	for (unsigned int i = 0; i < ARRAY_SIZE(groups); i++) {
		struct counts counts;
		struct request req;
		int fd;

		request_cpus(&req, 0x1);
		add_event(&req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = groups[i].requests;
		if (groups[i].responses)
			add_event(&req, EV_OFFCORE_1, USER | COUNT, 0, 0)->extra_value =
				groups[i].responses;
		fd = request(self->dev, &req);
		ASSERT_LE(0, fd) describe(__LINE__, fd, &req.attr.error);
		EXPECT_EQ(0, abi_enable(fd));
		EXPECT_EQ(0, abi_disable(fd));
		EXPECT_EQ(0, read_all(fd, req.attr.nr_events, &counts));
		EXPECT_EQ(1, counts.read.nr_cpus);
		EXPECT_LT(0, counts.read.time_running_ns);
		close(fd);
	}
}

/* ---- held by others ---- */

/**
 * struct other - a process that holds a session for the test
 * @pid: its pid
 * @go: closed by the test to end it
 */
struct other {
	pid_t pid;
	int go;
};

static int start_other(struct other *other, int dev, struct request *req)
{
	int ready[2], go[2], ret = -1;
	char byte;

	if (pipe(ready) || pipe(go))
		return -errno;
	other->pid = fork();
	if (!other->pid) {
		close(go[1]);
		prctl(PR_SET_NAME, "the-holder");
		ret = request(dev, req);
		if (write(ready[1], &ret, sizeof(ret)) != sizeof(ret))
			_exit(1);
		_exit(read(go[0], &byte, 1) != 0);
	}
	close(go[0]);
	close(ready[1]);
	other->go = go[1];
	if (read(ready[0], &ret, sizeof(ret)) != sizeof(ret))
		ret = -EIO;
	close(ready[0]);
	return ret;
}

static int stop_other(struct other *other)
{
	int status;

	close(other->go);
	return waitpid(other->pid, &status, 0) == other->pid ? status : -1;
}

TEST_F(refusal, counters_held_by_a_session_of_another_process)
{
	struct other other;
	int fd;

	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its counters are unknown");
	request_cpus(&self->req, 0x1);
	add_branches(&self->req, nr_gp() - by_claim(self), USER | COUNT, 0, 0);
	ASSERT_LE(0, start_other(&other, self->dev, &self->req));
	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	add_branches(&self->req, 1, USER | COUNT, 0, 0);
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EBUSY, ACRPMU_REASON_HELD, 1, 0, BIT64(nr_gp()) - 1, 0, other.pid,
			       "the-holder"));
	EXPECT_EQ(0, stop_other(&other));
	fd = request(self->dev, &self->req);
	EXPECT_LE(0, fd);
	close(fd);
}

TEST_F(refusal, holder_on_the_second_cpu_is_named_with_it)
{
	struct other other;

	if (!this_profile() || nr_cpus() < 2)
		SKIP(return, "needs two CPUs of a known type");
	request_cpus(&self->req, 0x2);
	add_branches(&self->req, nr_gp() - by_claim(self), USER | COUNT, 0, 0);
	ASSERT_LE(0, start_other(&other, self->dev, &self->req));
	request_cpus(&self->req, 0x3);
	add_branches(&self->req, 1, USER | COUNT, 0, 0);
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EBUSY, ACRPMU_REASON_HELD, 0, 1, BIT64(nr_gp()) - 1, 0, other.pid,
			       "the-holder"));
	EXPECT_EQ(0, stop_other(&other));
}

TEST_F(refusal, counter_of_the_claim_has_no_holder_process)
{
	uint64_t held;
	int fd;

	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its counters are unknown");
	if (!by_claim(self)) {
		request_cpus(&self->req, 0x1);
		add_branches(&self->req, nr_gp(), USER | COUNT, 0, 0);
		expect_granted(_metadata, self);
		return;
	}
	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	held = held_cntrs(self->dev) & ~FIXED(0);
	close(fd);
	/* all general-purpose counters: one too many */
	request_cpus(&self->req, 0x1);
	add_branches(&self->req, nr_gp(), USER | COUNT, 0, 0);
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EBUSY, ACRPMU_REASON_HELD, nr_gp() - 1, 0, held, 0, 0,
			       "acrpmu"));
}

TEST_F(refusal, extra_registers_held_by_a_session_of_another_process)
{
	struct other other;
	int fd;

	if (!this_profile() || !this_profile()->offcore[0])
		SKIP(return, "this CPU has no offcore registers");
	request_cpus(&self->req, 0x1);
	add_event(&self->req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10001;
	add_event(&self->req, EV_OFFCORE_1, USER | COUNT, 0, 0)->extra_value = 0x10002;
	ASSERT_LE(0, start_other(&other, self->dev, &self->req));
	request_cpus(&self->req, 0x1);
	add_event(&self->req, EV_OFFCORE_1, USER | COUNT, 0, 0)->extra_value = 0x10004;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EBUSY, ACRPMU_REASON_EXTRA_BUSY, 0, 0, 0x10002, 0x1a7, other.pid,
			       "the-holder"));
	/* an equal value is shared */
	self->req.events[0].extra_value = 0x10001;
	fd = request(self->dev, &self->req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	close(fd);
	EXPECT_EQ(0, stop_other(&other));
}

/* The error that a process without capabilities gets for a descriptor that was passed on to it. */
static int unpark_without_caps(int fd, struct acrpmu_error *error)
{
	struct acrpmu_unpark args = { .size = sizeof(args) };
	int to[2], ret = -EIO;
	pid_t pid;

	memset(error, POISON, sizeof(*error));
	if (pipe(to))
		return -errno;
	pid = fork();
	if (!pid) {
		ret = drop_to(NO_CAP) ?: abi_ioctl(fd, ACRPMU_UNPARK, &args);
		_exit(write(to[1], &ret, sizeof(ret)) != sizeof(ret) ||
		      write(to[1], &args.error, sizeof(args.error)) != sizeof(args.error));
	}
	close(to[1]);
	if (read(to[0], &ret, sizeof(ret)) != sizeof(ret) ||
	    read(to[0], error, sizeof(*error)) != sizeof(*error))
		ret = -EIO;
	close(to[0]);
	waitpid(pid, NULL, 0);
	return ret;
}

TEST_F(refusal, holders_are_named_only_to_those_who_may_observe)
{
	struct acrpmu_unpark args = { .size = sizeof(args) };
	struct refusal want = REFUSAL(-EBUSY, ACRPMU_REASON_HELD, 0, 0, 0, 0);
	struct acrpmu_error error;
	struct other other;
	int fd;

	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its counters are unknown");
	request_cpus(&self->req, 0x1);
	add_branches(&self->req, 1, USER | COUNT, 0, 0);
	self->req.attr.flags |= ACRPMU_SESSION_PARKED;
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	request_cpus(&self->req, 0x1);
	add_branches(&self->req, nr_gp() - by_claim(self), USER | COUNT, 0, 0);
	ASSERT_LE(0, start_other(&other, self->dev, &self->req));
	want.value = BIT64(nr_gp()) - 1;
	EXPECT_EQ(want.ret, unpark_without_caps(fd, &error));
	EXPECT_TRUE(error_is(&error, &want)) describe(__LINE__, 0, &error);
	want.holder = "the-holder";
	want.holder_pid = other.pid;
	EXPECT_EQ(want.ret, abi_ioctl(fd, ACRPMU_UNPARK, &args));
	EXPECT_TRUE(error_is(&args.error, &want)) describe(__LINE__, 0, &args.error);
	EXPECT_EQ(0, stop_other(&other));
	close(fd);
}

TEST_F(refusal, claims_counter_is_named_to_everybody)
{
	struct refusal want = REFUSAL(-EBUSY, ACRPMU_REASON_HELD, nr_gp() - 1, 0);
	struct acrpmu_error error;
	int fd;

	if (!this_profile() || !by_claim(self))
		SKIP(return, "there is no claim, or its counter is unknown");
	request_cpus(&self->req, 0x1);
	add_branches(&self->req, nr_gp(), USER | COUNT, 0, 0);
	self->req.attr.flags |= ACRPMU_SESSION_PARKED;
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	EXPECT_EQ(want.ret, unpark_without_caps(fd, &error));
	EXPECT_EQ(1, __builtin_popcountll(error.value));
	want.value = error.value;
	want.holder = "acrpmu";
	EXPECT_TRUE(error_is(&error, &want)) describe(__LINE__, 0, &error);
	close(fd);
}

/* ---- in-tree perf ---- */

static int open_perf(uint64_t config, int cpu, bool disabled)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = config,
		.disabled = disabled,
	};

	return abi_perf_event_open(&attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

TEST_F(refusal, running_perf_event_on_the_cpu)
{
	static const struct { uint64_t config; uint64_t cntrs; } events[] = {
		{ PERF_COUNT_HW_INSTRUCTIONS, FIXED(0) }, { PERF_COUNT_HW_CPU_CYCLES, FIXED(1) },
	};
	int perf, fd;

	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	for (unsigned int i = 0; i < NR(events); i++) {
		perf = open_perf(events[i].config, 0, false);
		ASSERT_LE(0, perf);
		EXPECT_REFUSED(self->dev, &self->req,
			       REFUSAL(-EBUSY, ACRPMU_REASON_PMU_IN_USE, NO_EVENT, 0,
				       events[i].cntrs, 0, getpid(), THIS_TEST));
		close(perf);
	}
	fd = request(self->dev, &self->req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	close(fd);
}

TEST_F(refusal, running_perf_event_on_one_cpu_of_a_task_session)
{
	int perf;

	if (nr_cpus() < 2)
		SKIP(return, "needs two CPUs");
	perf = open_perf(PERF_COUNT_HW_INSTRUCTIONS, 1, false);
	ASSERT_LE(0, perf);
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-EBUSY, ACRPMU_REASON_PMU_IN_USE, NO_EVENT, 1, FIXED(0), 0,
			       getpid(), THIS_TEST));
	close(perf);
}

TEST_F(refusal, perf_event_that_does_not_count_holds_its_reservation)
{
	int perf, fd;

	perf = open_perf(PERF_COUNT_HW_INSTRUCTIONS, 0, true);
	ASSERT_LE(0, perf);
	if (by_claim(self)) {
		fd = request(self->dev, &self->req);
		EXPECT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
		close(fd);
	} else {
		EXPECT_REFUSED(self->dev, &self->req,
			       REFUSAL(-EBUSY, ACRPMU_REASON_PMU_RESERVED, NO_EVENT, 0, 0, 0,
				       getpid(), THIS_TEST));
	}
	close(perf);
	fd = request(self->dev, &self->req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	close(fd);
}

/* The other direction: perf cannot use what a session holds. */
TEST_F(refusal, perf_does_not_count_while_a_session_does)
{
	struct { uint64_t value, enabled, running; } count = { 1, 1, 1 };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE, .size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
	};
	int fd, perf;

	ASSERT_EQ(0, pin(0));
	fd = request(self->dev, &self->req);
	ASSERT_LE(0, fd);
	perf = abi_perf_event_open(&attr, 0, -1, -1, 0);
	loop(100000);
	if (by_claim(self)) {
		ASSERT_LE(0, perf);
		ASSERT_EQ(sizeof(count), read(perf, &count, sizeof(count)));
		EXPECT_EQ(0, count.value);
		EXPECT_EQ(0, count.running);
		EXPECT_LT(0, count.enabled);
	} else {
		EXPECT_EQ(-EBUSY, perf);
	}
	close(perf);
	close(fd);
	perf = abi_perf_event_open(&attr, 0, -1, -1, 0);
	ASSERT_LE(0, perf);
	loop(100000);
	ASSERT_EQ(sizeof(count), read(perf, &count, sizeof(count)));
	EXPECT_LE(100000 * LOOP_INSNS, count.value);
	EXPECT_EQ(count.enabled, count.running);
	close(perf);
}

static bool set_watchdog(bool on)
{
	int fd = open(WATCHDOG, O_WRONLY);
	bool done = fd >= 0 && write(fd, on ? "1" : "0", 1) == 1;

	close(fd);
	return done;
}

TEST_F(refusal, running_nmi_watchdog)
{
	int fd;

	if (access(WATCHDOG, W_OK))
		SKIP(return, "the kernel has no NMI watchdog");
	ASSERT_TRUE(set_watchdog(true));
	/* it counts cycles, pinned to each CPU */
	EXPECT_REFUSED(self->dev, &self->req, REFUSAL(-EBUSY, ACRPMU_REASON_PMU_IN_USE, NO_EVENT, 0,
						      FIXED(1), 0, 0, "perf"));
	ASSERT_TRUE(set_watchdog(false));
	fd = request(self->dev, &self->req);
	EXPECT_LE(0, fd) describe(__LINE__, fd, &self->req.attr.error);
	close(fd);
}

/* ---- targets that do not exist ---- */

TEST_F(refusal, cpu_number_that_does_not_exist)
{
	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	self->req.attr.cpus_size = 8;
	self->req.cpus[7] = 0x80;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-ENODEV, ACRPMU_REASON_CPU_OFFLINE, NO_EVENT, 63, 63, 0));
}

static bool set_online(bool online)
{
	int fd = open(ONLINE, O_WRONLY);
	bool done = fd >= 0 && write(fd, online ? "1" : "0", 1) == 1;

	close(fd);
	return done;
}

TEST_F(refusal, cpu_that_is_offline)
{
	if (nr_cpus() < 2 || access(ONLINE, W_OK))
		SKIP(return, "CPU 1 cannot be taken offline here");
	request_cpus(&self->req, 0x3);
	add_counter(&self->req);
	ASSERT_TRUE(set_online(false));
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-ENODEV, ACRPMU_REASON_CPU_OFFLINE, NO_EVENT, 1, 1, 0));
	ASSERT_TRUE(set_online(true));
}

TEST_F(refusal, task_that_does_not_exist)
{
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	self->req.attr.pid = pid;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-ESRCH, ACRPMU_REASON_TASK, NO_EVENT, NO_CPU, pid, 0));
}

TEST_F(refusal, task_that_has_exited_but_is_not_reaped)
{
	siginfo_t info;
	int status;
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	ASSERT_EQ(0, waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	self->req.attr.pid = pid;
	EXPECT_REFUSED(self->dev, &self->req,
		       REFUSAL(-ESRCH, ACRPMU_REASON_TASK, NO_EVENT, NO_CPU, pid, 0));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
}

/* ---- random requests ---- */

#define FUZZ_ROUNDS	1500
#define FUZZ_SEED	0x2545f4914f6cdd1dULL

/* xorshift64*: any reproducible sequence will do */
static uint64_t next_random(uint64_t *state)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return *state * 0x2545f4914f6cdd1dULL;
}

/* Overwrite some bytes of a good request, but not its pointers. */
static void scramble(struct request *req, uint64_t *state)
{
	uint8_t *bytes = (uint8_t *)req;
	unsigned int nr = 1 + next_random(state) % 4;

	while (nr--) {
		size_t at = next_random(state) % offsetof(struct request, events[4]);
		uint64_t how = next_random(state);

		if (at < 4 || (at >= offsetof(struct request, attr.events) &&
			       at < offsetof(struct request, attr.nr_events)))
			continue;
		/* mostly single bits: they pass more checks than bytes */
		if (how & 3)
			bytes[at] ^= 1 << (how >> 8 & 7);
		else
			bytes[at] = how >> 8;
	}
}

/* Do the rules say which counters may count the event, and are there any? */
static bool counters_may_be_granted(const struct acrpmu_event_attr *event)
{
	static const uint16_t architectural[] = {
		EV_CYCLES, EV_INSTRUCTIONS, 0x013c, 0x4f2e, 0x412e, EV_BRANCHES, EV_BRANCH_MISSES,
		0x01a4,
		/* their pseudo codes, and that of reference cycles */
		0x0100, 0x0200, EV_REF_CYCLES,
	};

	if (event->allowed_cntrs)
		return !(event->allowed_cntrs & ~POSSIBLE_CNTRS) &&
		       event->allowed_cntrs & this_profile()->cntrs;
	for (unsigned int i = 0; i < NR(architectural); i++)
		if ((event->config & 0xffff) == architectural[i])
			return true;
	return has_row(this_profile());
}

/* A second implementation of the documented rules: may this request be accepted? */
static bool event_may_be_granted(const struct request *req, unsigned int i)
{
	const struct acrpmu_event_attr *event = &req->events[i];
	const struct profile *profile = this_profile();
	bool sampled = event->flags & SAMPLED, plain = event->flags & COUNT;
	uint64_t causes = 0;

	for (unsigned int j = 0; j < req->attr.nr_events; j++)
		causes |= req->events[j].acr_mask;
	if (event->flags & ~EVENT_FLAGS || !(event->flags & (USER | KERNEL)) ||
	    (sampled && plain) || event->reserved || event->config & ~CONFIG_BITS)
		return false;
	if (event->acr_mask >> req->attr.nr_events || (sampled && event->acr_mask & BIT64(i)))
		return false;
	if (!counters_may_be_granted(event))
		return false;
	if (event->acr_mask && (!profile->acr_cntrs || event->period > LONGEST_RELOAD))
		return false;
	if (plain)
		return !event->period && !event->acr_mask && !(causes & BIT64(i));
	return event->period >= (sampled ? MIN_SAMPLED : MIN_QUIET);
}

static bool chains_may_be_granted(const struct request *req)
{
	const struct acrpmu_session_attr *attr = &req->attr;
	bool kernel = false;

	if (!(attr->sample_type & PERF_SAMPLE_CALLCHAIN))
		return !attr->max_stack && !(attr->flags & 0x600);
	for (unsigned int i = 0; i < attr->nr_events; i++)
		kernel |= req->events[i].flags & SAMPLED && req->events[i].flags & KERNEL;
	return attr->max_stack <= 127 && (kernel || !(attr->flags & 0x400)) &&
	       (attr->flags & 0x600) != 0x600;
}

static bool may_be_granted(const struct request *req)
{
	const struct acrpmu_session_attr *attr = &req->attr;
	bool sampled = false;

	if (attr->flags & ~SESSION_FLAGS || !attr->nr_events || attr->nr_events > 16)
		return false;
	for (unsigned int i = 0; i < attr->nr_events; i++) {
		if (!event_may_be_granted(req, i))
			return false;
		sampled |= !!(req->events[i].flags & SAMPLED);
	}
	if (attr->flags & ACRPMU_SESSION_EXCLUDE_GUEST && !sampled)
		return false;
	/* no descriptor here is a cgroup's */
	if (attr->flags & ACRPMU_SESSION_CGROUP)
		return false;
	if (attr->flags & ACRPMU_SESSION_TASK ? attr->pid < 0 :
	    attr->flags & ~(ACRPMU_SESSION_PARKED | ACRPMU_SESSION_EXCLUDE_GUEST | 0x600) ||
	    attr->pid)
		return false;
	if (attr->sample_type & ~SAMPLE_TYPES || !attr->sample_type != !sampled)
		return false;
	if (!chains_may_be_granted(req) || attr->jitter > (sampled ? 50 : 0))
		return false;
	if (!sampled && attr->ring_pages)
		return false;
	if (sampled && (!attr->ring_pages || attr->ring_pages > 4096 ||
			attr->ring_pages & (attr->ring_pages - 1)))
		return false;
	return attr->wakeup_bytes <= (uint64_t)attr->ring_pages * PAGE;
}

TEST_F(refusal, random_requests_are_refused_with_a_reason_or_obey_the_rules)
{
	uint64_t state = FUZZ_SEED;
	unsigned int granted = 0;
	int other;

	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its abilities are unknown");
	/* keep one open throughout: reserving the PMU from in-tree perf each time is slow */
	request_task(&self->req, 0);
	add_event(&self->req, EV_CYCLES, USER | COUNT, 0, 0);
	other = request(self->dev, &self->req);
	ASSERT_LE(0, other);
	for (unsigned int i = 0; i < FUZZ_ROUNDS; i++) {
		struct request req, asked;
		int fd;

		good_request(&req);
		scramble(&req, &state);
		asked = req;
		fd = request(self->dev, &req);
		if (fd >= 0) {
			granted++;
			EXPECT_EQ(0, close(fd));
			EXPECT_TRUE(may_be_granted(&asked)) TH_LOG("round %u is granted", i);
		} else if (fd != -EFAULT && fd != -E2BIG) {
			EXPECT_NE(0, req.attr.error.reason) TH_LOG("round %u: %d", i, fd);
			EXPECT_GE(LAST_REASON, req.attr.error.reason);
			EXPECT_GT(16, req.attr.error.event);
		}
	}
	close(other);
	/* the generator must reach both outcomes */
	EXPECT_LT(FUZZ_ROUNDS / 50, granted);
	EXPECT_GT(FUZZ_ROUNDS / 2, granted);
}

TEST_HARNESS_MAIN
