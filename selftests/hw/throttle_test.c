// SPDX-License-Identifier: GPL-2.0-only
/* Rates beyond the module's limits: missing samples are counted, and the session resumes. */
#include "work.h"
#include "module.h"
#include "records.h"
#include "tick.h"
#include "kselftest_harness.h"

/* As in every other test: no limit on the handler's share of time, which is not real here. */
#define USUAL_PARAMS	"max_pmi_percent=100"
#define CPU		1
/* Of a session beside a busy one: the test waits for another tick after each overflow. */
#define RARE_PERIOD	300000
#define RARE_OVERFLOWS	12
/* Pauses that end, of a session alone */
#define PAUSES		10

/* Work until the counter of the first event overflows, once, and wait for the end of that tick. */
static void overflow_once(const struct session *s)
{
	uint64_t before = session_truth(s, 0);

	while (session_truth(s, 0) == before)
		work_fast(1000);
	wait_for_tick();
}

/* Work until a limit was exceeded; if that never happens, the harness ends the test. */
static int work_until_throttled(struct session *s)
{
	int ret;

	do {
		work_fast(100000);
		ret = session_read(s);
	} while (!ret && !s->accounts.throttled);
	return ret;
}

static long parameter_get(const char *name)
{
	char path[128];
	long value = -1;
	FILE *file;

	snprintf(path, sizeof(path), MODULE_PARAMETERS "%s", name);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%ld", &value) != 1)
		value = -1;
	fclose(file);
	return value;
}

FIXTURE(limit) {
	struct session s;
};

/* @percent: of the handler's time, NULL: no limit */
FIXTURE_VARIANT(limit) {
	const char *rate;
	const char *percent;
	uint64_t config;
	unsigned int levels;
	unsigned int more_events;
};

FIXTURE_VARIANT_ADD(limit, of_the_rate_fixed) {
	.rate = "2000", .config = EV_INSNS, .levels = USER,
};

FIXTURE_VARIANT_ADD(limit, of_the_rate_general_purpose) {
	.rate = "2000", .config = EV_BRANCHES,
	.levels = USER | KERNEL,
};

FIXTURE_VARIANT_ADD(limit, of_one_sample_a_tick) {
	.rate = "1", .config = EV_INSNS, .levels = USER,
};

FIXTURE_VARIANT_ADD(limit, of_the_handlers_time) {
	.percent = "1", .config = EV_INSNS, .levels = USER | KERNEL,
};

/* The default. The handler executes several times as many instructions as the program. */
FIXTURE_VARIANT_ADD(limit, of_the_handlers_time_at_user_level) {
	.percent = "25", .config = EV_INSNS, .levels = USER, .more_events = 3,
};

FIXTURE_SETUP(limit)
{
	unsigned int i;

	ASSERT_EQ(0, module_set_usual());
	if (variant->rate)
		ASSERT_EQ(0, module_set("max_sample_rate", variant->rate));
	if (variant->percent)
		ASSERT_EQ(0, module_set("max_pmi_percent", variant->percent));
	session_task(&self->s, 0, 0);
	for (i = 0; i <= variant->more_events; i++)
		session_event(&self->s, variant->config, variant->levels | SAMPLED, 1000, 0);
	self->s.attr.ring_pages = 256;
}

FIXTURE_TEARDOWN(limit)
{
	session_close(&self->s);
	module_set_usual();
}

TEST_F(limit, throttles_accounts_and_recovers)
{
	uint64_t records;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, work_until_throttled(&self->s));
	records = self->s.accounts.records;
	EXPECT_GT(records, 0);
	/* It continues after each pause. */
	while (self->s.resumes < PAUSES) {
		work_fast(100000);
		session_drain(&self->s, NULL, NULL);
	}
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_GT(self->s.accounts.records, records);
	EXPECT_ACCOUNTED(&self->s);
	/* With several events, others may be beyond the limit in the same PMI. */
	if (variant->more_events) {
		EXPECT_LE(self->s.pauses, self->s.accounts.throttled);
	} else {
		EXPECT_EQ(self->s.pauses, self->s.accounts.throttled);
	}
	/* The last pause on a CPU may last until the end. */
	EXPECT_LE(self->s.pauses - self->s.resumes, sysconf(_SC_NPROCESSORS_ONLN));
	TH_LOG("%llu records, %llu throttled, %lu pauses, %lu ended", self->s.accounts.records,
	       self->s.accounts.throttled, self->s.pauses, self->s.resumes);
}

/* ---- sessions of one CPU ---- */

FIXTURE(pair) {
	struct session busy;
	struct session middle;
	struct session other;
};

FIXTURE_VARIANT(pair) {
	const char *parameter;
	const char *value;
};

FIXTURE_VARIANT_ADD(pair, rate) {
	.parameter = "max_sample_rate", .value = "2000",
};

/*
 * A PMI is charged an eighth of a tick at most, however long the host takes: this limit is exceeded
 * after three at least, and one overflow of four is less than the share of one of three counters.
 */
FIXTURE_VARIANT_ADD(pair, time) {
	.parameter = "max_pmi_percent", .value = "25",
};

static void describe(struct session *s, uint64_t period)
{
	session_task(s, 0, 0);
	session_event(s, EV_INSNS, USER | SAMPLED, period, 0);
	s->attr.ring_pages = 256;
}

FIXTURE_SETUP(pair)
{
	ASSERT_EQ(0, module_set_usual());
	ASSERT_EQ(0, module_set(variant->parameter, variant->value));
	ASSERT_EQ(0, pin_to(0, CPU));
	describe(&self->busy, 1000);
	describe(&self->middle, 1500);
	describe(&self->other, RARE_PERIOD);
}

FIXTURE_TEARDOWN(pair)
{
	session_close(&self->busy);
	session_close(&self->middle);
	session_close(&self->other);
	module_set_usual();
}

TEST_F(pair, share_one_limit_and_the_larger_consumer_pauses)
{
	unsigned int i;

	ASSERT_EQ(0, session_make(&self->busy)) TH_LOG("%s", session_refusal(&self->busy));
	ASSERT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	ASSERT_EQ(0, session_enable(&self->other));
	ASSERT_EQ(0, session_enable(&self->busy));
	for (i = 0; i < RARE_OVERFLOWS || !self->busy.accounts.throttled; i++) {
		overflow_once(&self->other);
		ASSERT_EQ(0, session_read(&self->busy));
	}
	ASSERT_EQ(0, session_finish(&self->other, NULL, NULL));
	ASSERT_EQ(0, session_finish(&self->busy, NULL, NULL));
	EXPECT_ACCOUNTED(&self->busy);
	EXPECT_ACCOUNTED(&self->other);
	EXPECT_GT(self->busy.accounts.records, 0);
	/* All of its overflows, whatever the busy one takes */
	EXPECT_EQ(i, self->other.accounts.records);
	EXPECT_EQ(0, self->other.accounts.throttled);
	TH_LOG("%llu records and %llu throttled, of the other one %llu and %llu",
	       self->busy.accounts.records, self->busy.accounts.throttled,
	       self->other.accounts.records, self->other.accounts.throttled);
}

TEST_F(pair, beside_a_third_the_smallest_never_pauses)
{
	unsigned int i;

	ASSERT_EQ(0, session_make(&self->busy)) TH_LOG("%s", session_refusal(&self->busy));
	ASSERT_EQ(0, session_make(&self->middle)) TH_LOG("%s", session_refusal(&self->middle));
	ASSERT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	ASSERT_EQ(0, session_enable(&self->other));
	ASSERT_EQ(0, session_enable(&self->middle));
	ASSERT_EQ(0, session_enable(&self->busy));
	/* The middle one, the largest of the rest, must not go on while the busy one pauses. */
	for (i = 0; i < RARE_OVERFLOWS || !self->busy.accounts.throttled ||
	     !self->middle.accounts.throttled; i++) {
		overflow_once(&self->other);
		ASSERT_EQ(0, session_read(&self->busy));
		ASSERT_EQ(0, session_read(&self->middle));
	}
	ASSERT_EQ(0, session_finish(&self->other, NULL, NULL));
	ASSERT_EQ(0, session_finish(&self->middle, NULL, NULL));
	ASSERT_EQ(0, session_finish(&self->busy, NULL, NULL));
	EXPECT_ACCOUNTED(&self->busy);
	EXPECT_ACCOUNTED(&self->middle);
	EXPECT_ACCOUNTED(&self->other);
	EXPECT_EQ(i, self->other.accounts.records);
	EXPECT_EQ(0, self->other.accounts.throttled);
	TH_LOG("%llu records and %llu throttled, %llu and %llu, %llu and %llu",
	       self->busy.accounts.records, self->busy.accounts.throttled,
	       self->middle.accounts.records, self->middle.accounts.throttled,
	       self->other.accounts.records, self->other.accounts.throttled);
}

/* ---- parameters ---- */

static struct acrpmu_info ask_info(void)
{
	struct acrpmu_info info = { .size = sizeof(info) };
	int dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC);

	if (ioctl(dev, ACRPMU_INFO, &info))
		memset(&info, 0xcc, sizeof(info));
	close(dev);
	return info;
}

FIXTURE(parameter) {
	struct session s;
	struct session second;
};

FIXTURE_SETUP(parameter)
{
	ASSERT_EQ(0, module_set_usual());
	ASSERT_EQ(0, pin_to(0, CPU));
	describe(&self->s, 1000);
	describe(&self->second, RARE_PERIOD);
}

FIXTURE_TEARDOWN(parameter)
{
	session_close(&self->s);
	session_close(&self->second);
	module_set_usual();
}

TEST_F(parameter, outside_of_its_bounds_is_refused_at_load_and_later)
{
	static const struct { const char *name; const char *most; const char *above; } bounds[] = {
		{ "min_period", "2147483647", "2147483648" },
		{ "min_period_quiet", "2147483647", "2147483648" },
		{ "max_sample_rate", "10000000", "10000001" },
		{ "max_pmi_percent", "100", "101" },
	};
	static const char *const bad[] = { "0", "-1", "\n", "many", "1.5", "4294967297" };
	struct acrpmu_info info;
	unsigned int i, j;
	char line[64];
	long before;

	for (i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		const char *name = bounds[i].name;

		before = parameter_get(name);
		for (j = 0; j < sizeof(bad) / sizeof(bad[0]); j++) {
			EXPECT_EQ(-EINVAL, module_set(name, bad[j]))
				TH_LOG("%s=%s", name, bad[j]);
		}
		EXPECT_EQ(-EINVAL, module_set(name, bounds[i].above)) TH_LOG("%s", name);
		EXPECT_EQ(before, parameter_get(name));
		EXPECT_EQ(0, module_set(name, bounds[i].most)) TH_LOG("%s", name);
		EXPECT_EQ(atol(bounds[i].most), parameter_get(name));
		EXPECT_EQ(0, module_set(name, "1\n")) TH_LOG("%s", name);
		EXPECT_EQ(1, parameter_get(name));
	}
	ASSERT_EQ(0, module_unload());
	for (i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		snprintf(line, sizeof(line), "%s=%s", bounds[i].name, bounds[i].above);
		EXPECT_EQ(-EINVAL, module_load(line)) TH_LOG("%s", line);
		snprintf(line, sizeof(line), "%s=0", bounds[i].name);
		EXPECT_EQ(-EINVAL, module_load(line)) TH_LOG("%s", line);
	}
	EXPECT_EQ(0, module_load("min_period=2000 min_period_quiet=30 max_sample_rate=5000"));
	info = ask_info();
	EXPECT_EQ(2000, info.min_period_sampled);
	EXPECT_EQ(30, info.min_period_quiet);
	EXPECT_EQ(5000, info.max_sample_rate);
	EXPECT_EQ(25, info.max_pmi_percent);
}

TEST_F(parameter, a_new_value_shows_in_info)
{
	struct acrpmu_info info;

	ASSERT_EQ(0, module_set("min_period", "2000"));
	ASSERT_EQ(0, module_set("min_period_quiet", "30"));
	ASSERT_EQ(0, module_set("max_sample_rate", "5000"));
	ASSERT_EQ(0, module_set("max_pmi_percent", "7"));
	info = ask_info();
	EXPECT_EQ(2000, info.min_period_sampled);
	EXPECT_EQ(30, info.min_period_quiet);
	EXPECT_EQ(5000, info.max_sample_rate);
	EXPECT_EQ(7, info.max_pmi_percent);
}

TEST_F(parameter, a_new_smallest_period_holds_for_new_sessions)
{
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	session_close(&self->s);
	ASSERT_EQ(0, module_set("min_period", "1001"));
	EXPECT_EQ(-EINVAL, session_make(&self->s));
	EXPECT_EQ(ACRPMU_REASON_PERIOD_SMALL, self->s.attr.error.reason);
	EXPECT_EQ(1001, self->s.attr.error.limit);
}

/* 6000 overflows, fewer than that rate allows in a tick, however long the tick takes */
#define FEW_ITERATIONS	1000000

TEST_F(parameter, a_new_rate_holds_for_a_session_that_runs)
{
	uint64_t throttled;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, module_set("max_sample_rate", "10000000"));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(FEW_ITERATIONS);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(0, self->s.accounts.throttled);
	ASSERT_EQ(0, module_set("max_sample_rate", "1"));
	ASSERT_EQ(0, work_until_throttled(&self->s));
	ASSERT_EQ(0, module_set("max_sample_rate", "10000000"));
	/* A pause may still begin before this, not after it. */
	ASSERT_EQ(0, session_read(&self->s));
	throttled = self->s.accounts.throttled;
	work_fast(FEW_ITERATIONS);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_EQ(throttled, self->s.accounts.throttled);
	EXPECT_ACCOUNTED(&self->s);
}

/* Alone neither ever overflows twice in a tick; together they do, until one has paused. */
TEST_F(parameter, sessions_within_a_limit_exceed_it_together)
{
	struct session *alone = &self->second;
	unsigned int i;

	describe(&self->s, RARE_PERIOD);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_make(alone)) TH_LOG("%s", session_refusal(alone));
	ASSERT_EQ(0, module_set("max_sample_rate", "1"));
	ASSERT_EQ(0, session_enable(alone));
	for (i = 0; i < RARE_OVERFLOWS; i++)
		overflow_once(alone);
	ASSERT_EQ(0, session_disable(alone));
	ASSERT_EQ(0, session_read(alone));
	EXPECT_EQ(RARE_OVERFLOWS, alone->accounts.records);
	EXPECT_EQ(0, alone->accounts.throttled);

	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, session_enable(&self->second));
	do {
		overflow_once(&self->s);
		ASSERT_EQ(0, session_read(&self->s));
		ASSERT_EQ(0, session_read(&self->second));
	} while (!self->s.accounts.throttled && !self->second.accounts.throttled);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	ASSERT_EQ(0, session_finish(&self->second, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_ACCOUNTED(&self->second);
}

TEST(unloading_is_refused_while_a_session_exists)
{
	struct session s;

	session_cpus(&s, 1);
	session_event(&s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	EXPECT_EQ(-EWOULDBLOCK, module_unload());
	EXPECT_EQ(0, session_enable(&s));
	EXPECT_EQ(0, session_finish(&s, NULL, NULL));
	session_close(&s);
	EXPECT_EQ(0, module_unload());
	EXPECT_EQ(0, module_load(USUAL_PARAMS));
}

TEST_HARNESS_MAIN
