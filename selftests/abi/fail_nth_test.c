// SPDX-License-Identifier: GPL-2.0-only
/* Each allocation of each command fails once: nothing is left of it, and then the command works. */
#include "common.h"

#include <dirent.h>
#include <sys/prctl.h>

#define FAIL_NTH	"/proc/self/fail-nth"
#define MOST		2000
#define ROUNDS		2000
#define SECONDS		3600	/* at most, with each debugging option */

FIXTURE(fail_nth)
{
	int dev;
	int file;		/* FAIL_NTH */
	int session;		/* on which the command is called, -1 if on the device */
	pid_t task;		/* one that sleeps */
	struct pmu_state before;
	uint64_t violations;
};

/*
 * By default only those fail that must not wait, and each with a backtrace in the kernel log.
 * Nothing fails before FAIL_NTH is written.
 */
static bool let_every_allocation_fail(void)
{
	static const char * const knobs[] = {
		"failslab/ignore-gfp-wait", "failslab/verbose", "fail_page_alloc/ignore-gfp-wait",
		"fail_page_alloc/ignore-gfp-highmem", "fail_page_alloc/min-order",
		"fail_page_alloc/verbose",
	};
	bool all = true;

	for (unsigned int i = 0; i < NR(knobs); i++) {
		char path[128];
		int fd;

		snprintf(path, sizeof(path), "/sys/kernel/debug/%s", knobs[i]);
		fd = open(path, O_WRONLY);
		all &= fd >= 0 && write(fd, "0", 1) == 1;
		close(fd);
	}
	return all;
}

/* ---- sessions ---- */

/* A session that uses everything to be restored: counters of both kinds, reloads, a ring. */
static void add_all(struct request *req)
{
	const struct profile *profile = this_profile();
	bool acr = profile && profile->acr_cntrs;

	add_event(req, EV_INSTRUCTIONS, USER | SAMPLED, 5000, acr ? 0x2 : 0);
	add_event(req, EV_BRANCHES, USER, 3000, acr ? 0x3 : 0);
	if (profile && profile->offcore[0])
		add_event(req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10001;
	add_ring(req, SAMPLE_TYPE, 4);
}

static unsigned int nr_events(void)
{
	struct request req = { 0 };

	add_all(&req);
	return req.attr.nr_events;
}

static void of_task(struct request *req)
{
	request_task(req, 0);
	add_all(req);
}

static void of_task_and_children(struct request *req)
{
	of_task(req);
	req->attr.flags |= ACRPMU_SESSION_INHERIT;
}

static void of_process(struct request *req)
{
	of_task(req);
	req->attr.flags |= ACRPMU_SESSION_PROCESS;
}

static void of_task_that_arrives(struct request *req)
{
	of_task(req);
	req->attr.flags |= ACRPMU_SESSION_ARRIVE;
}

static void of_cpus(struct request *req)
{
	request_cpus(req, (1U << nr_cpus()) - 1);
	add_all(req);
}

static void parked(struct request *req)
{
	of_cpus(req);
	req->attr.flags |= ACRPMU_SESSION_PARKED;
}

static void parked_of_task(struct request *req)
{
	of_task(req);
	req->attr.flags |= ACRPMU_SESSION_PARKED;
}

static void by_software(struct request *req)
{
	request_task(req, 0);
	req->attr.flags |= ACRPMU_SESSION_SOFTWARE;
	add_event(req, EV_INSTRUCTIONS, USER | SAMPLED, 5000, 0x2);
	add_event(req, EV_BRANCHES, USER, 3000, 0x3);
	add_ring(req, SAMPLE_TYPE | PERF_SAMPLE_CALLCHAIN, 4);
	req->attr.max_stack = ACRPMU_MAX_STACK;
}

/* ---- commands ---- */

static int create(FIXTURE_DATA(fail_nth) *self, void (*kind)(struct request *))
{
	struct request req;

	kind(&req);
	return request(self->dev, &req);
}

static int info(FIXTURE_DATA(fail_nth) *self)
{
	struct acrpmu_cpu_info cpus[MAX_CPUS];
	struct acrpmu_info info = {
		.size = sizeof(info), .nr_cpus = MAX_CPUS, .cpus = (uintptr_t)cpus,
		.cpu_size = sizeof(cpus[0]),
	};

	return abi_info(self->dev, &info);
}

static int read_counts(FIXTURE_DATA(fail_nth) *self)
{
	struct counts counts;

	return read_all(self->session, nr_events(), &counts);
}

static int read_counts_of_cpu(FIXTURE_DATA(fail_nth) *self)
{
	struct counts counts;

	return read_cpu(self->session, nr_events(), 0, &counts);
}

static int query(FIXTURE_DATA(fail_nth) *self)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];

	return abi_query(self->session, hw, nr_events());
}

static int unpark(FIXTURE_DATA(fail_nth) *self)
{
	struct acrpmu_unpark args = { .size = sizeof(args) };

	return abi_ioctl(self->session, ACRPMU_UNPARK, &args);
}

static int set_periods(FIXTURE_DATA(fail_nth) *self)
{
	uint64_t periods[] = { 6000, 4000, 0 };
	struct acrpmu_set_periods args = {
		.size = sizeof(args), .periods = (uintptr_t)periods,
		.nr_periods = nr_events(),
	};

	return abi_ioctl(self->session, ACRPMU_SET_PERIODS, &args);
}

static int attach_task(FIXTURE_DATA(fail_nth) *self)
{
	struct acrpmu_attach args = { .pid = self->task };

	return abi_attach(self->session, &args);
}

static int attach_process(FIXTURE_DATA(fail_nth) *self)
{
	struct acrpmu_attach args = { .pid = self->task, .flags = ACRPMU_ATTACH_PROCESS };

	return abi_attach(self->session, &args);
}

static int map(FIXTURE_DATA(fail_nth) *self)
{
	void *at = mmap(NULL, 5 * PAGE, PROT_READ, MAP_SHARED, self->session,
			ACRPMU_RING_OFFSET(0));

	if (at == MAP_FAILED)
		return -errno;
	return munmap(at, 5 * PAGE);
}

static int open_device(FIXTURE_DATA(fail_nth) *self)
{
	return abi_open();
}

/* ---- each of them ---- */

/*
 * @creates: sessions that it creates, in place of @call
 * @command: one without arguments, in place of @call
 * @session: on which it is called, NULL: on the device
 * @enabled: that session is enabled
 * @opens: it returns a descriptor
 * @least: allocations without which it cannot do
 */
FIXTURE_VARIANT(fail_nth)
{
	void (*creates)(struct request *req);
	unsigned long command;
	int (*call)(FIXTURE_DATA(fail_nth) *self);
	void (*session)(struct request *req);
	bool enabled;
	bool opens;
	unsigned int least;
};

#define CREATE(name, kind)								\
	FIXTURE_VARIANT_ADD(fail_nth, create_##name) {					\
		/* the session, its file, its ring and the state of its CPUs */		\
		.creates = kind, .opens = true, .least = 4,				\
	}

CREATE(of_task, of_task);
CREATE(of_task_and_children, of_task_and_children);
CREATE(of_process, of_process);
CREATE(of_task_that_arrives, of_task_that_arrives);
CREATE(of_cpus, of_cpus);
CREATE(parked, parked);
CREATE(by_software, by_software);

FIXTURE_VARIANT_ADD(fail_nth, open) { .call = open_device, .opens = true, .least = 1 };
FIXTURE_VARIANT_ADD(fail_nth, info) { .call = info, .least = 1 };
FIXTURE_VARIANT_ADD(fail_nth, enable) { .command = ACRPMU_ENABLE, .session = of_task };
FIXTURE_VARIANT_ADD(fail_nth, enable_cpus) { .command = ACRPMU_ENABLE, .session = of_cpus };
FIXTURE_VARIANT_ADD(fail_nth, disable) { .command = ACRPMU_DISABLE, .session = of_task,
					 .enabled = true };
FIXTURE_VARIANT_ADD(fail_nth, disable_cpus) { .command = ACRPMU_DISABLE, .session = of_cpus,
					      .enabled = true };
FIXTURE_VARIANT_ADD(fail_nth, reset) { .command = ACRPMU_RESET, .session = of_cpus,
				       .enabled = true };
FIXTURE_VARIANT_ADD(fail_nth, read) { .call = read_counts, .session = of_task, .enabled = true };
FIXTURE_VARIANT_ADD(fail_nth, read_cpu) { .call = read_counts_of_cpu, .session = of_cpus,
					  .enabled = true };
FIXTURE_VARIANT_ADD(fail_nth, query) { .call = query, .session = of_cpus };
FIXTURE_VARIANT_ADD(fail_nth, park) { .command = ACRPMU_PARK, .session = of_cpus,
				      .enabled = true };
FIXTURE_VARIANT_ADD(fail_nth, unpark) { .call = unpark, .session = parked, .least = 1 };
FIXTURE_VARIANT_ADD(fail_nth, unpark_of_task) { .call = unpark, .session = parked_of_task,
						.least = 1 };
FIXTURE_VARIANT_ADD(fail_nth, set_periods) { .call = set_periods, .session = of_task,
					     .enabled = true };
FIXTURE_VARIANT_ADD(fail_nth, attach) { .call = attach_task, .session = of_task, .least = 1 };
FIXTURE_VARIANT_ADD(fail_nth, attach_process) { .call = attach_process, .session = of_task,
						.least = 1 };
FIXTURE_VARIANT_ADD(fail_nth, attach_parked) { .call = attach_process, .session = parked_of_task,
					       .least = 1 };
FIXTURE_VARIANT_ADD(fail_nth, mmap) { .call = map, .session = of_cpus, .least = 1 };

static uint64_t violations(void)
{
	return oracle_get(ORACLE_VIOLATIONS, ORACLE_ALL_CPUS, ORACLE_ORIGIN_ANY);
}

FIXTURE_SETUP(fail_nth)
{
	self->session = -1;
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	self->file = open(FAIL_NTH, O_RDWR | O_CLOEXEC);
	self->task = fork();
	ASSERT_LE(0, self->task);
	if (!self->task) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		for (;;)
			pause();
	}
	ASSERT_EQ(0, pin(0));
	ASSERT_EQ(0, settle_claim(self->dev));
	if (on_model()) {
		pmu_save(&self->before);
		self->violations = violations();
	}
}

FIXTURE_TEARDOWN(fail_nth)
{
	if (self->task > 0) {
		kill(self->task, SIGKILL);
		waitpid(self->task, NULL, 0);
	}
	close(self->file);
	close(self->dev);
}

static int call(FIXTURE_DATA(fail_nth) *self, const FIXTURE_VARIANT(fail_nth) *variant)
{
	if (variant->creates)
		return create(self, variant->creates);
	return variant->call ? variant->call(self) : abi_ctl(self->session, variant->command);
}

/* The n-th allocation of this task fails; returns whether it has come. */
static bool call_and_fail(FIXTURE_DATA(fail_nth) *self, const FIXTURE_VARIANT(fail_nth) *variant,
			  unsigned int n, int *ret)
{
	char text[16] = "";
	int len = snprintf(text, sizeof(text), "%u", n);

	if (pwrite(self->file, text, len, 0) != len)
		abort();
	*ret = call(self, variant);
	memset(text, 0, sizeof(text));
	if (pread(self->file, text, sizeof(text) - 1, 0) <= 0 || pwrite(self->file, "0", 1, 0) < 0)
		abort();
	return !atoi(text);
}

static unsigned int nr_descriptors(void)
{
	DIR *dir = opendir("/proc/self/fd");
	unsigned int nr = 0;

	while (dir && readdir(dir))
		nr++;
	if (dir)
		closedir(dir);
	return nr;
}

static void prepare(struct __test_metadata *_metadata, FIXTURE_DATA(fail_nth) *self,
		    const FIXTURE_VARIANT(fail_nth) *variant)
{
	if (!variant->session)
		return;
	self->session = create(self, variant->session);
	ASSERT_LE(0, self->session);
	if (variant->enabled) {
		ASSERT_EQ(0, abi_enable(self->session));
		loop(ROUNDS);
	}
}

/* Whatever the session was, it works now. */
static void check_session(struct __test_metadata *_metadata, FIXTURE_DATA(fail_nth) *self)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct counts counts;
	bool is_parked;

	ASSERT_EQ(0, read_all(self->session, nr_events(), &counts));
	is_parked = counts.read.state & ACRPMU_STATE_PARKED;
	if (is_parked) {
		ASSERT_EQ(0, unpark(self));
	}
	ASSERT_EQ(0, abi_query(self->session, hw, nr_events()));
	ASSERT_EQ(0, abi_enable(self->session));
	ASSERT_EQ(0, abi_reset(self->session));
	loop(ROUNDS);
	ASSERT_EQ(0, abi_disable(self->session));
	ASSERT_EQ(0, read_all(self->session, nr_events(), &counts));
	EXPECT_LT(0, counts.count[0].overflows);
	EXPECT_EQ(0, counts.read.state);
}

static void check_nothing_left(struct __test_metadata *_metadata, FIXTURE_DATA(fail_nth) *self)
{
	EXPECT_EQ(0, nr_sessions(self->dev));
	EXPECT_EQ(0, held_cntrs(self->dev));
	if (on_model()) {
		EXPECT_EQ(0, pmu_changes(&self->before));
		EXPECT_EQ(self->violations, violations());
	}
}

TEST_F_TIMEOUT(fail_nth, allocation_leaves_nothing_and_the_same_works_again, SECONDS)
{
	unsigned int failed = 0, descriptors, n;
	bool injected = true;
	int ret = -1;

	if (self->file < 0)
		SKIP(return, "the kernel has no fault injection (CONFIG_FAULT_INJECTION): no %s",
		     FAIL_NTH);
	ASSERT_TRUE(let_every_allocation_fail());
	descriptors = nr_descriptors();
	for (n = 1; injected && n < MOST; n++) {
		prepare(_metadata, self, variant);
		injected = call_and_fail(self, variant, n, &ret);
		if (ret < 0) {
			failed++;
			EXPECT_EQ(-ENOMEM, ret) TH_LOG("allocation %u", n);
			if (variant->creates) {
				EXPECT_EQ(0, nr_sessions(self->dev));
			}
			ret = call(self, variant);
			EXPECT_LE(0, ret) TH_LOG("after allocation %u", n);
		}
		if (variant->opens && ret >= 0)
			close(ret);
		if (variant->session) {
			check_session(_metadata, self);
			close(self->session);
		}
		check_nothing_left(_metadata, self);
		ASSERT_EQ(descriptors, nr_descriptors()) TH_LOG("allocation %u", n);
	}
	/* the last one had fewer allocations */
	EXPECT_FALSE(injected);
	EXPECT_LE(variant->least, failed);
	TH_LOG("%u allocations, not without %u of them", n - 2, failed);
}

TEST_HARNESS_MAIN
