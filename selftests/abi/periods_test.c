// SPDX-License-Identifier: GPL-2.0-only
/* Changing periods: what is refused, in which order, and what the registers then hold. */
#include "common.h"

#define PERIOD		200000
#define QUIET_PERIOD	100000
#define QUIET_LIMIT	"/sys/module/acrpmu/parameters/min_period_quiet"
#define LIMIT		"/sys/module/acrpmu/parameters/min_period"
#define LONGEST_RELOAD	0x7fffffffULL

/* A group of a sampled event, a quiet one and one that only counts */
enum { INSNS, CYCLES, PLAIN, NR_EVENTS };

FIXTURE(periods)
{
	int dev, session;
	uint64_t periods[ACRPMU_MAX_EVENTS];
	struct acrpmu_set_periods set;
	bool in_hardware;
};

static void request_group(struct request *req, bool reloaded)
{
	request_task(req, 0);
	add_event(req, EV_INSTRUCTIONS, USER | SAMPLED, PERIOD, reloaded ? BIT64(CYCLES) : 0);
	add_event(req, EV_CYCLES, USER, QUIET_PERIOD,
		  reloaded ? BIT64(INSNS) | BIT64(CYCLES) : 0);
	/* any counter will do: fixed ones are not enough on all CPUs */
	add_event(req, EV_BRANCHES, USER | COUNT, 0, 0);
	add_ring(req, SAMPLE_TYPE, 8);
}

FIXTURE_SETUP(periods)
{
	struct request req;

	self->in_hardware = this_profile() && this_profile()->acr_cntrs;
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	request_group(&req, self->in_hardware);
	self->session = request(self->dev, &req);
	ASSERT_LE(0, self->session) describe(__LINE__, self->session, &req.attr.error);
	self->periods[INSNS] = 2 * PERIOD;
	self->periods[CYCLES] = 2 * QUIET_PERIOD;
	self->set = (struct acrpmu_set_periods){
		.size = sizeof(self->set),
		.periods = (uintptr_t)self->periods,
		.nr_periods = NR_EVENTS,
	};
}

static int set_limit(const char *path, const char *value)
{
	int fd = open(path, O_WRONLY), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

FIXTURE_TEARDOWN(periods)
{
	close(self->session);
	close(self->dev);
	set_limit(LIMIT, "1000");
	set_limit(QUIET_LIMIT, "1");
}

static int set_periods(FIXTURE_DATA(periods) *self)
{
	memset(&self->set.error, POISON, sizeof(self->set.error));
	return abi_ioctl(self->session, ACRPMU_SET_PERIODS, &self->set);
}

static int query(FIXTURE_DATA(periods) *self, struct acrpmu_event_hw *hw)
{
	struct acrpmu_query query = {
		.size = sizeof(query), .events = (uintptr_t)hw, .nr_events = NR_EVENTS,
		.event_size = sizeof(*hw),
	};

	memset(hw, POISON, NR_EVENTS * sizeof(*hw));
	return abi_ioctl(self->session, ACRPMU_QUERY, &query);
}

/* Check that a change is refused with this error, and has changed nothing. */
static void expect_no(struct __test_metadata *_metadata, FIXTURE_DATA(periods) *self, int line,
		      const struct refusal *want)
{
	struct acrpmu_event_hw before[NR_EVENTS], after[NR_EVENTS];
	int ret;

	ASSERT_EQ(0, query(self, before));
	ret = set_periods(self);
	EXPECT_EQ(want->ret, ret);
	EXPECT_TRUE(error_is(&self->set.error, want)) describe(line, ret, &self->set.error);
	ASSERT_EQ(0, query(self, after));
	EXPECT_EQ(0, memcmp(before, after, sizeof(after))) TH_LOG("line %d", line);
}

#define EXPECT_NO(reason, event, value, limit)						\
	expect_no(_metadata, self, __LINE__,						\
		  &(struct refusal){ -EINVAL, ACRPMU_REASON_##reason, event, NO_CPU, value, limit })

/* Check that a change is accepted, with a cleared error. */
static void expect_yes(struct __test_metadata *_metadata, FIXTURE_DATA(periods) *self, int line)
{
	static const struct acrpmu_error none;
	int ret = set_periods(self);

	EXPECT_EQ(0, ret) describe(line, ret, &self->set.error);
	EXPECT_EQ(0, memcmp(&none, &self->set.error, sizeof(none))) TH_LOG("line %d", line);
}

#define EXPECT_YES()	expect_yes(_metadata, self, __LINE__)

/* SDM vol. 3: a counter counts up to 0, and CFG_C has the low 32 bits of its reload value */
static void expect_programmed(struct __test_metadata *_metadata, FIXTURE_DATA(periods) *self)
{
	const struct profile *profile = this_profile();
	uint64_t mask = ~0ULL >> (64 - (profile ? profile->width : 48));
	struct acrpmu_event_hw hw[NR_EVENTS];

	ASSERT_EQ(0, query(self, hw));
	for (int i = 0; i < NR_EVENTS; i++) {
		EXPECT_EQ(-self->periods[i] & mask, hw[i].start) TH_LOG("event %d", i);
		EXPECT_EQ(self->in_hardware ? (uint32_t)-self->periods[i] : 0, hw[i].cfg_c) {
			TH_LOG("event %d", i);
		}
	}
}

TEST_F(periods, module_says_that_it_can)
{
	struct acrpmu_info info = { .size = sizeof(info) };

	ASSERT_EQ(0, abi_info(self->dev, &info));
	EXPECT_TRUE(info.features & BIT64(10));
	EXPECT_EQ(BIT64(10), ACRPMU_FEATURE_PERIODS);
	EXPECT_LE(5, info.abi_version);
}

TEST_F(periods, all_are_programmed)
{
	EXPECT_YES();
	expect_programmed(_metadata, self);
}

TEST_F(periods, those_of_a_parked_session_are_programmed_when_it_is_unparked)
{
	struct acrpmu_unpark unpark = { .size = sizeof(unpark) };
	struct acrpmu_ctl ctl = { .size = sizeof(ctl) };

	ASSERT_EQ(0, abi_ioctl(self->session, ACRPMU_PARK, &ctl));
	EXPECT_YES();
	self->periods[INSNS] = 999;
	EXPECT_NO(PERIOD_SMALL, INSNS, 999, 1000);
	self->periods[INSNS] = 2 * PERIOD;
	ASSERT_EQ(0, abi_ioctl(self->session, ACRPMU_UNPARK, &unpark));
	expect_programmed(_metadata, self);
}

TEST_F(periods, flags_reserved_and_number_are_checked)
{
	self->set.flags = 2;
	EXPECT_NO(FLAGS, NO_EVENT, 2, 0);
	self->set.flags = 0;
	self->set.reserved = 7;
	EXPECT_NO(RESERVED, NO_EVENT, 7, 0);
	self->set.reserved = 0;
	self->set.nr_periods = NR_EVENTS - 1;
	EXPECT_NO(NR_PERIODS, NO_EVENT, NR_EVENTS - 1, NR_EVENTS);
	self->set.nr_periods = NR_EVENTS + 1;
	EXPECT_NO(NR_PERIODS, NO_EVENT, NR_EVENTS + 1, NR_EVENTS);
	self->set.nr_periods = ~0U;
	EXPECT_NO(NR_PERIODS, NO_EVENT, ~0U, NR_EVENTS);
}

TEST_F(periods, bad_ones_are_refused)
{
	self->periods[INSNS] = 0;
	EXPECT_NO(PERIOD_ZERO, INSNS, 0, 1000);
	self->periods[INSNS] = 999;
	EXPECT_NO(PERIOD_SMALL, INSNS, 999, 1000);
	self->periods[INSNS] = 1000;
	EXPECT_YES();
	self->periods[CYCLES] = 0;
	EXPECT_NO(PERIOD_ZERO, CYCLES, 0, 1);
	self->periods[CYCLES] = 1;
	EXPECT_YES();
	self->periods[PLAIN] = 1;
	EXPECT_NO(PERIOD_COUNT, PLAIN, 1, 0);
}

TEST_F(periods, limits_are_those_of_now)
{
	self->periods[CYCLES] = 49;
	EXPECT_YES();
	ASSERT_EQ(0, set_limit(QUIET_LIMIT, "50"));
	EXPECT_NO(PERIOD_SMALL, CYCLES, 49, 50);
	self->periods[CYCLES] = 50;
	EXPECT_YES();
	ASSERT_EQ(0, set_limit(LIMIT, "500000"));
	EXPECT_NO(PERIOD_SMALL, INSNS, 2 * PERIOD, 500000);
}

TEST_F(periods, those_beyond_the_reload_field_are_refused)
{
	REQUIRE_ACR();
	self->periods[CYCLES] = LONGEST_RELOAD + 1;
	EXPECT_NO(PERIOD_RELOAD, CYCLES, LONGEST_RELOAD + 1, LONGEST_RELOAD);
	self->periods[CYCLES] = LONGEST_RELOAD;
	EXPECT_YES();
	expect_programmed(_metadata, self);
}

TEST_F(periods, those_beyond_the_counter_are_refused)
{
	const struct profile *profile = this_profile();
	uint64_t longest = profile && profile->full_width ? (1ULL << (profile->width - 1)) - 1 :
							    0x7fffffff;
	struct request req;

	close(self->session);
	request_group(&req, false);
	self->session = request(self->dev, &req);
	ASSERT_LE(0, self->session) describe(__LINE__, self->session, &req.attr.error);
	self->periods[INSNS] = longest + 1;
	EXPECT_NO(PERIOD_LARGE, INSNS, longest + 1, longest);
	self->periods[INSNS] = longest;
	EXPECT_YES();
}

/* The overflow of a quiet cause is an interrupt there: both limits hold for its period. */
TEST_F(periods, those_of_a_quiet_cause_in_software_have_the_limit_of_sampled_ones)
{
	struct request req;

	close(self->session);
	request_group(&req, true);
	req.attr.flags |= ACRPMU_SESSION_SOFTWARE;
	self->in_hardware = false;
	self->session = request(self->dev, &req);
	ASSERT_LE(0, self->session) describe(__LINE__, self->session, &req.attr.error);
	EXPECT_YES();
	expect_programmed(_metadata, self);
	self->periods[CYCLES] = 999;
	EXPECT_NO(PERIOD_CAUSE, CYCLES, 999, 1000);
	self->periods[CYCLES] = 0;
	EXPECT_NO(PERIOD_ZERO, CYCLES, 0, 1);
	self->periods[CYCLES] = 1000;
	self->periods[INSNS] = 999;
	EXPECT_NO(PERIOD_SMALL, INSNS, 999, 1000);
	self->periods[INSNS] = 1000;
	EXPECT_YES();
	expect_programmed(_metadata, self);
	ASSERT_EQ(0, set_limit(QUIET_LIMIT, "50"));
	self->periods[CYCLES] = 49;
	EXPECT_NO(PERIOD_SMALL, CYCLES, 49, 50);
	ASSERT_EQ(0, set_limit(LIMIT, "5000"));
	self->periods[INSNS] = 5000;
	self->periods[CYCLES] = 4999;
	EXPECT_NO(PERIOD_CAUSE, CYCLES, 4999, 5000);
	self->periods[CYCLES] = 5000;
	EXPECT_YES();
	expect_programmed(_metadata, self);
}

/* Each request has all the faults from one on; the first of them is reported, and then mended. */
TEST_F(periods, checks_are_in_the_documented_order)
{
	const uint64_t good = self->set.periods;
	struct acrpmu_event_hw hw[NR_EVENTS];

	REQUIRE_ACR();
	self->set.size = 71;
	self->set.flags = 1;
	self->set.reserved = 1;
	self->set.nr_periods = 0;
	self->set.periods = 1;
	self->periods[INSNS] = LONGEST_RELOAD + 1;
	self->periods[CYCLES] = 0;
	self->periods[PLAIN] = 1;
	EXPECT_EQ(-EINVAL, set_periods(self));
	EXPECT_EQ(POISON32, self->set.error.reason);
	self->set.size = sizeof(self->set);
	EXPECT_NO(FLAGS, NO_EVENT, 1, 0);
	self->set.flags = 0;
	EXPECT_NO(RESERVED, NO_EVENT, 1, 0);
	self->set.reserved = 0;
	EXPECT_NO(NR_PERIODS, NO_EVENT, 0, NR_EVENTS);
	self->set.nr_periods = NR_EVENTS;
	EXPECT_EQ(-EFAULT, set_periods(self));
	EXPECT_EQ(ACRPMU_REASON_NONE, self->set.error.reason);
	self->set.periods = good;
	EXPECT_NO(PERIOD_ZERO, CYCLES, 0, 1);
	self->periods[CYCLES] = LONGEST_RELOAD + 1;
	EXPECT_NO(PERIOD_COUNT, PLAIN, 1, 0);
	self->periods[PLAIN] = 0;
	EXPECT_NO(PERIOD_RELOAD, INSNS, LONGEST_RELOAD + 1, LONGEST_RELOAD);
	self->periods[INSNS] = PERIOD;
	EXPECT_NO(PERIOD_RELOAD, CYCLES, LONGEST_RELOAD + 1, LONGEST_RELOAD);
	ASSERT_EQ(0, query(self, hw));
	EXPECT_EQ((uint32_t)-PERIOD, hw[INSNS].cfg_c);
	EXPECT_EQ((uint32_t)-QUIET_PERIOD, hw[CYCLES].cfg_c);
	self->periods[CYCLES] = QUIET_PERIOD;
	EXPECT_YES();
}

TEST_HARNESS_MAIN
