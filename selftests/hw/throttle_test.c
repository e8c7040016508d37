// SPDX-License-Identifier: GPL-2.0-only
/* Rates beyond the module's limits: missing samples are counted, and the session resumes. */
#include "work.h"
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

/* As in every other test: no limit on the handler's share of time, which is not real here. */
#define USUAL_PARAMS	"max_pmi_percent=100"
#define PARAMETERS	"/sys/module/acrpmu/parameters/"
#define CPU		1
#define ITERATIONS	60000000ULL
/* Several ticks, even if the host lets the clock stand; the iterations have twelve and a half */
#define LONG_PERIOD	28800000

FIXTURE(limit) {
	struct session s;
};

FIXTURE_VARIANT(limit) {
	const char *params;
	uint64_t config;
	unsigned int levels;
	unsigned int more_events;
};

FIXTURE_VARIANT_ADD(limit, of_the_rate_fixed) {
	.params = "max_sample_rate=2000 max_pmi_percent=100", .config = EV_INSNS, .levels = USER,
};

FIXTURE_VARIANT_ADD(limit, of_the_rate_general_purpose) {
	.params = "max_sample_rate=2000 max_pmi_percent=100", .config = EV_BRANCHES,
	.levels = USER | KERNEL,
};

FIXTURE_VARIANT_ADD(limit, of_one_sample_a_tick) {
	.params = "max_sample_rate=1 max_pmi_percent=100", .config = EV_INSNS, .levels = USER,
};

FIXTURE_VARIANT_ADD(limit, of_the_handlers_time) {
	.params = "max_pmi_percent=1", .config = EV_INSNS, .levels = USER | KERNEL,
};

/* The default. The handler executes several times as many instructions as the program. */
FIXTURE_VARIANT_ADD(limit, of_the_handlers_time_at_user_level) {
	.params = "max_pmi_percent=25", .config = EV_INSNS, .levels = USER, .more_events = 3,
};

FIXTURE_SETUP(limit)
{
	int ret = module_unload();
	unsigned int i;

	ASSERT_TRUE(!ret || ret == -ENOENT);
	ASSERT_EQ(0, module_load(variant->params));
	session_task(&self->s, 0, 0);
	for (i = 0; i <= variant->more_events; i++)
		session_event(&self->s, variant->config, variant->levels | SAMPLED, 1000, 0);
	self->s.attr.ring_pages = 256;
}

FIXTURE_TEARDOWN(limit)
{
	session_close(&self->s);
	module_unload();
	module_load(USUAL_PARAMS);
}

TEST_F(limit, throttles_accounts_and_recovers)
{
	uint64_t records;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_GT(self->s.accounts.throttled, 0);
	EXPECT_GT(self->s.accounts.records, 0);
	records = self->s.accounts.records;
	/* It continues after a pause. */
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_GT(self->s.accounts.records, records);
	EXPECT_ACCOUNTED(&self->s);
	/* With several events, others may be beyond the limit in the same PMI. */
	EXPECT_GT(self->s.pauses, 0);
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
	const char *params;
	const char *debug_params;	/* where a PMI takes a tenth of a tick and more */
	unsigned int more_events;
};

FIXTURE_VARIANT_ADD(pair, rate) {
	.params = "max_sample_rate=2000 max_pmi_percent=100",
};

FIXTURE_VARIANT_ADD(pair, time) {
	.params = "max_pmi_percent=25", .debug_params = "max_pmi_percent=60", .more_events = 3,
};

static void describe(struct session *s, uint64_t period, unsigned int more_events)
{
	session_task(s, 0, 0);
	do
		session_event(s, EV_INSNS, USER | SAMPLED, period, 0);
	while (more_events--);
	s->attr.ring_pages = 256;
}

FIXTURE_SETUP(pair)
{
	const char *debug_params = has_debugging() ? variant->debug_params : NULL;
	int ret = module_unload();

	ASSERT_TRUE(!ret || ret == -ENOENT);
	ASSERT_EQ(0, module_load(debug_params ?: variant->params));
	ASSERT_EQ(0, pin_to(0, CPU));
	describe(&self->busy, 1000, variant->more_events);
	describe(&self->middle, 1500, 0);
	describe(&self->other, LONG_PERIOD, 0);
}

FIXTURE_TEARDOWN(pair)
{
	session_close(&self->busy);
	session_close(&self->middle);
	session_close(&self->other);
	module_unload();
	module_load(USUAL_PARAMS);
}

TEST_F_TIMEOUT(pair, share_one_limit_and_the_larger_consumer_pauses, 120)
{
	ASSERT_EQ(0, session_make(&self->busy)) TH_LOG("%s", session_refusal(&self->busy));
	ASSERT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	ASSERT_EQ(0, session_enable(&self->other));
	ASSERT_EQ(0, session_enable(&self->busy));
	work_fast(ITERATIONS);
	/* before the program reads what the busy one has written */
	ASSERT_EQ(0, session_finish(&self->other, NULL, NULL));
	ASSERT_EQ(0, session_finish(&self->busy, NULL, NULL));
	EXPECT_ACCOUNTED(&self->busy);
	EXPECT_ACCOUNTED(&self->other);
	EXPECT_GT(self->busy.accounts.records, 0);
	EXPECT_GT(self->busy.accounts.throttled, 0);
	/* All of its overflows, whatever the busy one takes */
	EXPECT_EQ(ITERATIONS * WORK_INSNS / LONG_PERIOD, self->other.accounts.records);
	EXPECT_EQ(0, self->other.accounts.throttled);
	TH_LOG("%llu records and %llu throttled, of the other one %llu and %llu",
	       self->busy.accounts.records, self->busy.accounts.throttled,
	       self->other.accounts.records, self->other.accounts.throttled);
}

TEST_F_TIMEOUT(pair, beside_a_third_the_smallest_never_pauses, 120)
{
	ASSERT_EQ(0, session_make(&self->busy)) TH_LOG("%s", session_refusal(&self->busy));
	ASSERT_EQ(0, session_make(&self->middle)) TH_LOG("%s", session_refusal(&self->middle));
	ASSERT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	ASSERT_EQ(0, session_enable(&self->other));
	ASSERT_EQ(0, session_enable(&self->middle));
	ASSERT_EQ(0, session_enable(&self->busy));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_finish(&self->other, NULL, NULL));
	ASSERT_EQ(0, session_finish(&self->middle, NULL, NULL));
	ASSERT_EQ(0, session_finish(&self->busy, NULL, NULL));
	EXPECT_ACCOUNTED(&self->busy);
	EXPECT_ACCOUNTED(&self->middle);
	EXPECT_ACCOUNTED(&self->other);
	EXPECT_GT(self->busy.accounts.throttled, 0);
	/* The largest of the rest: it must not go on while the busy one pauses. */
	EXPECT_GT(self->middle.accounts.throttled, 0);
	EXPECT_EQ(ITERATIONS * WORK_INSNS / LONG_PERIOD, self->other.accounts.records);
	EXPECT_EQ(0, self->other.accounts.throttled);
	TH_LOG("%llu records and %llu throttled, %llu and %llu, %llu and %llu",
	       self->busy.accounts.records, self->busy.accounts.throttled,
	       self->middle.accounts.records, self->middle.accounts.throttled,
	       self->other.accounts.records, self->other.accounts.throttled);
}

/* ---- parameters ---- */

static int parameter_set(const char *name, const char *value)
{
	char path[128];
	int fd, ret;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	ret = write(fd, value, strlen(value)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static long parameter_get(const char *name)
{
	char path[128];
	long value = -1;
	FILE *file;

	snprintf(path, sizeof(path), PARAMETERS "%s", name);
	file = fopen(path, "r");
	if (!file)
		return -1;
	if (fscanf(file, "%ld", &value) != 1)
		value = -1;
	fclose(file);
	return value;
}

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
	int ret = module_unload();

	ASSERT_TRUE(!ret || ret == -ENOENT);
	ASSERT_EQ(0, module_load(USUAL_PARAMS));
	ASSERT_EQ(0, pin_to(0, CPU));
	describe(&self->s, 1000, 0);
	describe(&self->second, LONG_PERIOD, 0);
}

FIXTURE_TEARDOWN(parameter)
{
	session_close(&self->s);
	session_close(&self->second);
	module_unload();
	module_load(USUAL_PARAMS);
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
	char line[64];
	unsigned int i, j;
	long before;

	for (i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		const char *name = bounds[i].name;

		before = parameter_get(name);
		for (j = 0; j < sizeof(bad) / sizeof(bad[0]); j++) {
			EXPECT_EQ(-EINVAL, parameter_set(name, bad[j]))
				TH_LOG("%s=%s", name, bad[j]);
		}
		EXPECT_EQ(-EINVAL, parameter_set(name, bounds[i].above)) TH_LOG("%s", name);
		EXPECT_EQ(before, parameter_get(name));
		EXPECT_EQ(0, parameter_set(name, bounds[i].most)) TH_LOG("%s", name);
		EXPECT_EQ(atol(bounds[i].most), parameter_get(name));
		EXPECT_EQ(0, parameter_set(name, "1\n")) TH_LOG("%s", name);
		EXPECT_EQ(1, parameter_get(name));
	}
	ASSERT_EQ(0, module_unload());
	for (i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++) {
		snprintf(line, sizeof(line), "%s=%s", bounds[i].name, bounds[i].above);
		EXPECT_EQ(-EINVAL, module_load(line)) TH_LOG("%s", line);
		snprintf(line, sizeof(line), "%s=0", bounds[i].name);
		EXPECT_EQ(-EINVAL, module_load(line)) TH_LOG("%s", line);
	}
}

TEST_F(parameter, a_new_value_shows_in_info)
{
	struct acrpmu_info info;

	ASSERT_EQ(0, parameter_set("min_period", "2000"));
	ASSERT_EQ(0, parameter_set("min_period_quiet", "30"));
	ASSERT_EQ(0, parameter_set("max_sample_rate", "5000"));
	ASSERT_EQ(0, parameter_set("max_pmi_percent", "7"));
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
	ASSERT_EQ(0, parameter_set("min_period", "1001"));
	EXPECT_EQ(-EINVAL, session_make(&self->s));
	EXPECT_EQ(ACRPMU_REASON_PERIOD_SMALL, self->s.attr.error.reason);
	EXPECT_EQ(1001, self->s.attr.error.limit);
}

TEST_F(parameter, a_new_rate_holds_for_a_session_that_runs)
{
	uint64_t throttled;

	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, parameter_set("max_sample_rate", "10000000"));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(2000000);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(0, self->s.accounts.throttled);
	ASSERT_EQ(0, parameter_set("max_sample_rate", "1"));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read(&self->s));
	throttled = self->s.accounts.throttled;
	EXPECT_GT(throttled, 0);
	ASSERT_EQ(0, parameter_set("max_sample_rate", "10000000"));
	/* A pause may still begin before this, not after it. */
	ASSERT_EQ(0, session_read(&self->s));
	throttled = self->s.accounts.throttled;
	work_fast(2000000);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_EQ(throttled, self->s.accounts.throttled);
	EXPECT_ACCOUNTED(&self->s);
}

/* Alone neither ever overflows twice in a tick; together they do, until one has paused. */
TEST_F(parameter, sessions_within_a_limit_exceed_it_together)
{
	describe(&self->s, LONG_PERIOD, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_make(&self->second)) TH_LOG("%s", session_refusal(&self->second));
	ASSERT_EQ(0, parameter_set("max_sample_rate", "1"));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, session_enable(&self->second));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	ASSERT_EQ(0, session_finish(&self->second, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_ACCOUNTED(&self->second);
	EXPECT_GT(self->s.accounts.throttled + self->second.accounts.throttled, 0);
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
