// SPDX-License-Identifier: GPL-2.0-only
/* Exclusive use of the PMU with in-tree perf: the second user is refused or not counted. */
#include "work.h"
#include "intree.h"
#include "records.h"
#include "kselftest_harness.h"

#include <sys/prctl.h>

#define ITERATIONS	2000000ULL
#define LOOP_INSNS	(ITERATIONS * WORK_INSNS)
#define SLACK_INSNS	3000
#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"

static int set_watchdog(bool on)
{
	int fd = open(WATCHDOG, O_WRONLY), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, on ? "1" : "0", 1) == 1 ? 0 : -errno;
	close(fd);
	return ret;
}

static void describe(struct session *s, bool task)
{
	if (task)
		session_task(s, 0, 0);
	else
		session_cpus(s, 3);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(s, EV_BRANCHES, USER | KERNEL | SAMPLED, 20000, 0);
}

/* Check whether the first event of in-tree perf excludes others from every CPU. */
static bool reserves(void)
{
	return arbiter() == ACRPMU_ARBITER_RESERVE;
}

static bool refused_for_intree(const struct session *s, pid_t opener)
{
	const struct acrpmu_error *e = &s->attr.error;

	if ((e->reason == ACRPMU_REASON_PMU_IN_USE || e->reason == ACRPMU_REASON_PMU_RESERVED) &&
	    e->cpu >= 0 && e->holder_pid == opener && !strcmp(e->holder, "coexist_test"))
		return true;
	fprintf(stderr, "# %s, pid %d\n", session_refusal(s), e->holder_pid);
	return false;
}

static bool falls_asleep(pid_t pid)
{
	return wait_for(task_state(pid, pid) == 'S');
}

static pid_t start_asleep(int cpu)
{
	pid_t pid = fork();

	if (!pid)
		for (;;)
			pause();
	pin_to(pid, cpu);
	falls_asleep(pid);
	return pid;
}

static pid_t start_busy(int cpu)
{
	pid_t pid = fork();

	if (!pid)
		for (;;) {
			work_fast(10000);
			work_syscalls(10);
		}
	pin_to(pid, cpu);
	return pid;
}

/* Check that in-tree perf counts a known loop exactly. */
static bool intree_is_exact(void)
{
	struct intree e = { .config = EV_INSNS, .cpu = -1, .group = -1 };
	struct intree_count c;
	int fd = intree_open(&e);

	if (fd < 0)
		return false;
	work_fast(ITERATIONS);
	c = intree_read(fd);
	close(fd);
	if (c.value >= LOOP_INSNS && c.value <= LOOP_INSNS + SLACK_INSNS &&
	    c.running_ns == c.enabled_ns)
		return true;
	fprintf(stderr, "# in-tree perf counts %lu for %llu, running %lu of %lu ns\n", c.value,
		LOOP_INSNS, c.running_ns, c.enabled_ns);
	return false;
}

/* ---- perf first ---- */

FIXTURE(perf_first) {
	struct session s;
	pid_t task;
	int fd;
};

FIXTURE_VARIANT(perf_first) {
	bool system_wide;
	bool pinned;
	uint64_t period;
	bool asleep;
	bool task_session;
};

FIXTURE_VARIANT_ADD(perf_first, stat_of_a_task_against_cpus) { };

FIXTURE_VARIANT_ADD(perf_first, stat_of_a_task_against_a_task) { .task_session = true };

FIXTURE_VARIANT_ADD(perf_first, stat_of_a_sleeping_task_against_cpus) { .asleep = true };

FIXTURE_VARIANT_ADD(perf_first, stat_of_a_sleeping_task_against_a_task) {
	.asleep = true, .task_session = true,
};

FIXTURE_VARIANT_ADD(perf_first, stat_of_a_cpu_against_cpus) { .system_wide = true };

FIXTURE_VARIANT_ADD(perf_first, stat_of_a_cpu_against_a_task) {
	.system_wide = true, .task_session = true,
};

FIXTURE_VARIANT_ADD(perf_first, record_of_a_cpu_against_cpus) {
	.system_wide = true, .period = 10000000,
};

FIXTURE_VARIANT_ADD(perf_first, record_of_a_task_against_cpus) { .period = 10000000 };

FIXTURE_VARIANT_ADD(perf_first, pinned_event_of_a_cpu_against_cpus) {
	.system_wide = true, .pinned = true,
};

FIXTURE_SETUP(perf_first)
{
	struct intree e = { .config = EV_INSNS, .group = -1, .cpu = -1, .kernel = true };

	self->s.fd = -1;
	self->task = variant->asleep ? start_asleep(1) : start_busy(1);
	usleep(20000);
	e.period = variant->period;
	e.pinned = variant->pinned;
	e.pid = variant->system_wide ? -1 : self->task;
	if (variant->system_wide)
		e.cpu = 1;
	self->fd = intree_open(&e);
	ASSERT_LE(0, self->fd);
}

FIXTURE_TEARDOWN(perf_first)
{
	if (self->fd >= 0)
		close(self->fd);
	session_close(&self->s);
	end_child(self->task);
}

TEST_F(perf_first, refuses_a_session_and_is_undisturbed)
{
	struct intree_count before, after;

	usleep(20000);
	before = intree_read(self->fd);
	describe(&self->s, variant->task_session);
	EXPECT_EQ(-EBUSY, session_make(&self->s));
	EXPECT_TRUE(refused_for_intree(&self->s, getpid()));
	usleep(20000);
	if (!variant->asleep)
		EXPECT_TRUE(wait_for(intree_read(self->fd).value > before.value));
	after = intree_read(self->fd);
	EXPECT_EQ(after.enabled_ns, after.running_ns);

	/* Once perf has closed its event, the same session is accepted. */
	close(self->fd);
	self->fd = -1;
	describe(&self->s, variant->task_session);
	EXPECT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

/* ---- tasks that perf follows ---- */

/* A task that sleeps on CPU 0 and forks one that sleeps on CPU 1 when it receives a byte. */
struct parent {
	pid_t pid;
	int go;
	int forked;	/* it answers by a byte */
};

static void fork_at_go(int go, int forked)
{
	char byte;
	pid_t pid;

	if (read(go, &byte, 1) != 1)
		_exit(1);
	pid = fork();
	if (pid) {
		if (pin_to(pid, 1) || !falls_asleep(pid) || write(forked, &byte, 1) != 1)
			_exit(1);
	} else {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
	}
	for (;;)
		pause();
}

static bool parent_start(struct parent *p)
{
	int go[2], forked[2];

	if (pipe(go) || pipe(forked))
		return false;
	p->pid = fork();
	if (!p->pid) {
		close(go[1]);
		fork_at_go(go[0], forked[1]);
	}
	close(go[0]);
	close(forked[1]);
	p->go = go[1];
	p->forked = forked[0];
	return p->pid > 0 && !pin_to(p->pid, 0) && falls_asleep(p->pid);
}

static void only_cpu(struct session *s, unsigned int cpu)
{
	session_cpus(s, 1 << cpu);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
}

TEST(only_cpus_that_a_followed_task_may_run_on_are_refused)
{
	struct intree e = { .config = EV_INSNS, .group = -1, .cpu = -1 };
	struct session s = { .fd = -1 };
	pid_t busy = start_busy(1);
	struct intree_count count;
	int fd;

	e.pid = busy;
	fd = intree_open(&e);
	ASSERT_LE(0, fd);
	only_cpu(&s, 1);
	EXPECT_EQ(-EBUSY, session_make(&s));
	EXPECT_TRUE(refused_for_intree(&s, getpid()));
	only_cpu(&s, 0);
	if (reserves()) {
		EXPECT_EQ(-EBUSY, session_make(&s));
	} else {
		EXPECT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	}
	EXPECT_TRUE(wait_for(intree_read(fd).value > 0));
	count = intree_read(fd);
	EXPECT_EQ(count.enabled_ns, count.running_ns);
	session_close(&s);
	close(fd);
	end_child(busy);
}

TEST(children_that_perf_follows_are_found_where_they_sleep)
{
	struct intree e = { .config = EV_INSNS, .group = -1, .cpu = -1, .inherit = true };
	struct session s = { .fd = -1 };
	struct parent parent;
	char byte;
	int fd;

	ASSERT_TRUE(parent_start(&parent));
	e.pid = parent.pid;
	fd = intree_open(&e);
	ASSERT_LE(0, fd);
	only_cpu(&s, 1);
	EXPECT_EQ(reserves() ? -EBUSY : 0, session_make(&s));
	session_close(&s);
	ASSERT_EQ(1, write(parent.go, "", 1));
	ASSERT_EQ(1, read(parent.forked, &byte, 1));
	only_cpu(&s, 1);
	EXPECT_EQ(-EBUSY, session_make(&s));
	EXPECT_TRUE(refused_for_intree(&s, getpid()));
	close(fd);
	only_cpu(&s, 1);
	EXPECT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	session_close(&s);
	close(parent.go);
	close(parent.forked);
	end_child(parent.pid);
}

/* ---- we first ---- */

FIXTURE(we_first) {
	struct session s;
	pid_t busy;
};

FIXTURE_VARIANT(we_first) {
	bool task_session;
};

FIXTURE_VARIANT_ADD(we_first, with_cpus) { };

FIXTURE_VARIANT_ADD(we_first, with_a_task) { .task_session = true };

FIXTURE_SETUP(we_first)
{
	self->busy = start_busy(1);
	ASSERT_EQ(0, pin_to(0, 0));
	describe(&self->s, variant->task_session);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
}

FIXTURE_TEARDOWN(we_first)
{
	session_close(&self->s);
	end_child(self->busy);
}

/* Open an event and work under it: perf must refuse it or not count, never count wrongly. */
static bool perf_keeps_off(const struct intree *e)
{
	struct intree_count c;
	int fd = intree_open(e);

	if (fd == -EBUSY)
		return true;
	if (fd < 0) {
		fprintf(stderr, "# in-tree perf: %s\n", strerror(-fd));
		return false;
	}
	work_fast(100000);
	c = intree_read(fd);
	close(fd);
	/* In error state, or never on a counter */
	if (c.value == UINT64_MAX || (!c.value && !c.running_ns))
		return true;
	fprintf(stderr, "# in-tree perf counts %lu, running %lu of %lu ns\n", c.value, c.running_ns,
		c.enabled_ns);
	return false;
}

TEST_F(we_first, perf_is_refused_or_not_counted_and_our_counts_stay_exact)
{
	static const uint64_t periods[] = { 0, 10000 };
	uint64_t before, counted;
	unsigned int i;

	for (i = 0; i < 2; i++) {
		struct intree task = { .config = EV_INSNS, .cpu = -1, .group = -1,
				       .period = periods[i], .kernel = true };
		struct intree cpu = task, busy = task, pinned = task;

		cpu.pid = -1;
		cpu.cpu = 0;
		busy.pid = self->busy;
		pinned.pinned = true;
		EXPECT_TRUE(perf_keeps_off(&task));
		EXPECT_TRUE(perf_keeps_off(&cpu));
		EXPECT_TRUE(perf_keeps_off(&busy));
		EXPECT_TRUE(perf_keeps_off(&pinned));
	}
	if (variant->task_session) {
		ASSERT_EQ(0, session_read(&self->s));
		before = self->s.counts[0].value;
		work_fast(ITERATIONS);
		ASSERT_EQ(0, session_read(&self->s));
		counted = self->s.counts[0].value - before;
		EXPECT_GE(counted, LOOP_INSNS);
		EXPECT_LE(counted, LOOP_INSNS + SLACK_INSNS);
	} else {
		work_fast(ITERATIONS);
	}
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_GT(self->s.records, 0);
	session_close(&self->s);
	EXPECT_TRUE(intree_is_exact());
}

TEST_F(we_first, perf_coming_and_going_costs_us_no_sample)
{
	pid_t noise;
	unsigned int i;

	/* Events of a task and of each CPU, counting and sampling, opened and closed in a row */
	noise = fork();
	if (!noise) {
		struct intree e = { .config = EV_INSNS, .group = -1, .kernel = true };

		for (i = 0; ; i++) {
			int fd;

			e.period = i & 1 ? 5000 : 0;
			e.pid = i & 2 ? -1 : 0;
			e.cpu = i & 2 ? (int)(i >> 2 & 1) : -1;
			fd = intree_open(&e);
			work_fast(2000);
			if (fd >= 0)
				close(fd);
		}
	}
	for (i = 0; i < 40; i++) {
		usleep(10000);
		work_fast(20000);
		session_drain(&self->s, NULL, NULL);
	}
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	end_child(noise);
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_GT(self->s.records, 0);
	TH_LOG("%llu records, %llu lost", self->s.accounts.records, self->s.accounts.lost);
	session_close(&self->s);
	EXPECT_TRUE(intree_is_exact());
}

TEST_F(we_first, perf_events_opened_in_between_count_after_we_close)
{
	struct intree e = { .config = EV_INSNS, .cpu = -1, .group = -1 };
	struct intree_count before, after;
	int fd = intree_open(&e);

	if (fd == -EBUSY) {
		/* With reservations perf refuses at once; then the next event must be exact. */
		session_close(&self->s);
		EXPECT_TRUE(intree_is_exact());
		return;
	}
	ASSERT_LE(0, fd);
	session_close(&self->s);
	/* The next time the task is scheduled */
	usleep(20000);
	before = intree_read(fd);
	work_fast(ITERATIONS);
	after = intree_read(fd);
	EXPECT_GE(after.value - before.value, LOOP_INSNS);
	EXPECT_LE(after.value - before.value, LOOP_INSNS + SLACK_INSNS);
	close(fd);
}

/* ---- the NMI watchdog ---- */

/* Check whether a counter of a CPU is enabled and advances. */
static bool watchdog_counts(int cpu)
{
	uint64_t before[16] = { 0 }, now;
	unsigned int i, round;

	pin_to(0, cpu);
	for (round = 0; round < 2; round++) {
		for (i = 0; i < 16; i++) {
			/* MSR aliases that every profile has: 0x309 fixed, 0xc1 general-purpose */
			uint32_t msr = i < 8 ? 0xc1 + i : 0x309 + i - 8;

			now = 0;
			if (!oracle_ask(ORACLE_MSR, cpu, msr, &now))
				continue;
			if (round && now != before[i])
				return true;
			before[i] = now;
		}
		work_fast(100000);
	}
	return false;
}

TEST(the_watchdog_blocks_us_and_counts_again_afterwards)
{
	struct session s;
	int ret;

	ret = set_watchdog(true);
	if (ret)
		SKIP(return, "this kernel has no NMI watchdog here: %s", strerror(-ret));
	ASSERT_TRUE(watchdog_counts(0));
	ASSERT_TRUE(watchdog_counts(1));
	describe(&s, false);
	EXPECT_EQ(-EBUSY, session_make(&s));
	EXPECT_NE(0, s.attr.error.reason);
	EXPECT_NE('\0', s.attr.error.holder[0]);
	TH_LOG("%s", session_refusal(&s));
	describe(&s, true);
	EXPECT_EQ(-EBUSY, session_make(&s));
	EXPECT_TRUE(watchdog_counts(0));
	EXPECT_TRUE(watchdog_counts(1));

	ASSERT_EQ(0, set_watchdog(false));
	describe(&s, false);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_finish(&s, NULL, NULL));
	EXPECT_ACCOUNTED(&s);
	session_close(&s);
	EXPECT_FALSE(watchdog_counts(0));
	ASSERT_EQ(0, set_watchdog(true));
	EXPECT_TRUE(watchdog_counts(0));
	EXPECT_TRUE(watchdog_counts(1));
	ASSERT_EQ(0, set_watchdog(false));
}

/* ---- what starves ---- */

static struct acrpmu_info starved(void)
{
	struct acrpmu_info info = { .size = sizeof(info), .flags = ACRPMU_INFO_STARVED };
	int dev = open(ACRPMU_DEVICE, O_RDONLY);

	if (ioctl(dev, ACRPMU_INFO, &info))
		info.nr_starved = ~0U;
	close(dev);
	return info;
}

TEST_F(we_first, info_counts_the_events_of_perf_that_starve)
{
	struct intree of_cpu = { .config = EV_INSNS, .group = -1, .cpu = 1, .pid = -1 };
	struct intree of_task = { .config = EV_INSNS, .group = -1, .cpu = -1, .pid = self->busy };
	struct acrpmu_info info = starved();
	int cpu_fd, task_fd;

	EXPECT_EQ(0, info.nr_starved);
	cpu_fd = intree_open(&of_cpu);
	task_fd = intree_open(&of_task);
	info = starved();
	if (reserves()) {
		EXPECT_EQ(-EBUSY, cpu_fd);
		EXPECT_EQ(0, info.nr_starved);
		return;
	}
	ASSERT_LE(0, cpu_fd);
	ASSERT_LE(0, task_fd);
	EXPECT_EQ(2, info.nr_starved);
	EXPECT_EQ(1, info.starved_cpu);
	EXPECT_EQ(getpid(), info.starved_pid);

	session_close(&self->s);
	self->s.fd = -1;
	EXPECT_EQ(0, starved().nr_starved);
	close(cpu_fd);
	close(task_fd);
}

TEST_HARNESS_MAIN
