// SPDX-License-Identifier: GPL-2.0-only
/* Others who get at the counters in spite of a session: refused before, or noticed. */
#include "work.h"
#include "intree.h"
#include "msr.h"
#include "records.h"
#include "../double/rival.h"
#include "kselftest_harness.h"

#include <poll.h>
#include <sched.h>

#define ITERATIONS	2000000ULL
#define LOOP_INSNS	(ITERATIONS * WORK_INSNS)
#define SLACK_INSNS	3000
#define WATCHDOG	"/proc/sys/kernel/nmi_watchdog"
#define OTHER_CPU	0
#define TAKEN_CPU	1

/* Check whether in-tree perf is kept off by an event, and not as a whole from the first on. */
static bool claims(void)
{
	return arbiter() == ACRPMU_ARBITER_CLAIM;
}

static void describe(struct session *s, bool task)
{
	if (task)
		session_task(s, 0, 0);
	else
		session_cpus(s, 1 << OTHER_CPU | 1 << TAKEN_CPU);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(s, EV_BRANCHES, USER | COUNT, 0, 0);
}

/* Check that in-tree perf counts a known loop exactly, with an event that may be opened already. */
static bool intree_is_exact(int fd)
{
	struct intree e = { .config = EV_INSNS, .cpu = -1, .group = -1 };
	int own = fd < 0 ? intree_open(&e) : fd;
	struct intree_count from, to;

	if (own < 0)
		return false;
	from = intree_read(own);
	work_fast(ITERATIONS);
	to = intree_read(own);
	if (fd < 0)
		close(own);
	if (to.value - from.value >= LOOP_INSNS &&
	    to.value - from.value <= LOOP_INSNS + SLACK_INSNS &&
	    to.running_ns - from.running_ns == to.enabled_ns - from.enabled_ns)
		return true;
	fprintf(stderr, "# in-tree perf counts %lu for %llu\n", to.value - from.value, LOOP_INSNS);
	return false;
}

/* ---- events that would come first ---- */

FIXTURE(pinned) {
	struct session s;
	int fd;		/* of perf's event */
	int rival;
	pid_t task;
};

/*
 * @own: an event of the calling task, and not of a CPU
 * @asleep: of another task, which sleeps
 * @passed: its opener has exited
 * @kernel: the kernel has opened it
 * @member: of a pinned group
 */
FIXTURE_VARIANT(pinned) {
	bool task_session;
	bool own;
	bool asleep;
	bool passed;
	bool kernel;
	bool member;
};

FIXTURE_VARIANT_ADD(pinned, event_of_a_cpu_against_cpus) { };

FIXTURE_VARIANT_ADD(pinned, event_of_a_cpu_against_a_task) { .task_session = true };

FIXTURE_VARIANT_ADD(pinned, event_of_a_task_against_cpus) { .own = true };

FIXTURE_VARIANT_ADD(pinned, event_of_a_task_against_it) { .own = true, .task_session = true };

FIXTURE_VARIANT_ADD(pinned, event_of_a_sleeping_task_against_cpus) { .asleep = true };

FIXTURE_VARIANT_ADD(pinned, event_of_an_opener_that_has_exited) { .passed = true };

FIXTURE_VARIANT_ADD(pinned, event_of_the_kernel) { .kernel = true };

FIXTURE_VARIANT_ADD(pinned, member_of_a_group) { .member = true };

static struct intree pinned_event(void)
{
	return (struct intree){
		.config = EV_BRANCHES, .group = -1, .cpu = TAKEN_CPU, .pid = -1, .pinned = true,
		.disabled = true,
	};
}

static unsigned long rival_event(int cpu)
{
	return (unsigned long)cpu << 32 | EV_BRANCHES;
}

/* The child shares its descriptors and exits: the event is on nobody's list any more. */
static int open_in_child(const struct intree *e)
{
	pid_t pid = syscall(SYS_clone, CLONE_FILES | SIGCHLD, 0, 0, 0, 0);
	int status;

	if (!pid)
		_exit(-intree_open(e) & 0xff);
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
		return -ECHILD;
	return -(int8_t)WEXITSTATUS(status);
}

FIXTURE_SETUP(pinned)
{
	self->s.fd = -1;
	self->fd = -1;
	self->rival = -1;
	self->task = 0;
}

FIXTURE_TEARDOWN(pinned)
{
	session_close(&self->s);
	if (self->fd >= 0)
		close(self->fd);
	if (self->rival >= 0)
		close(self->rival);
	end_child(self->task);
}

static pid_t start_asleep(int cpu)
{
	pid_t pid = fork();

	if (!pid)
		for (;;)
			pause();
	pin_to(pid, cpu);
	wait_for(task_state(pid, pid) == 'S');
	return pid;
}

TEST_F(pinned, refuses_a_session_although_it_does_not_count_yet)
{
	const struct acrpmu_error *error = &self->s.attr.error;
	bool unknown = variant->passed || variant->kernel;
	struct intree e = pinned_event(), leader = e;
	int leader_fd = -1;

	if (variant->kernel && !claims())
		SKIP(return, "here perf's first event excludes a session, whatever it is");
	ASSERT_EQ(0, pin_to(0, TAKEN_CPU));
	if (variant->asleep)
		self->task = start_asleep(TAKEN_CPU);
	if (variant->own || variant->asleep) {
		e.cpu = -1;
		e.pid = self->task;
	}
	if (variant->member) {
		leader_fd = intree_open(&leader);
		ASSERT_LE(0, leader_fd);
		e.pinned = false;
		e.group = leader_fd;
	}
	if (variant->kernel) {
		self->rival = open(RIVAL_DOUBLE, O_RDWR);
		ASSERT_LE(0, self->rival);
		ASSERT_EQ(0, ioctl(self->rival, RIVAL_OPEN, rival_event(TAKEN_CPU)));
	} else {
		self->fd = variant->passed ? open_in_child(&e) : intree_open(&e);
		ASSERT_LE(0, self->fd);
	}
	describe(&self->s, variant->task_session);
	EXPECT_EQ(-EBUSY, session_make(&self->s));
	if (claims()) {
		EXPECT_EQ(ACRPMU_REASON_PINNED, error->reason)
			TH_LOG("%s", session_refusal(&self->s));
		EXPECT_EQ(TAKEN_CPU, error->cpu);
		EXPECT_EQ(unknown ? 0 : getpid(), error->holder_pid);
		EXPECT_STREQ(unknown ? "perf" : "taken_test", error->holder);
	}

	/* Once it is closed, the same session is accepted. */
	close(self->rival);
	self->rival = -1;
	close(self->fd);
	self->fd = -1;
	close(leader_fd);
	describe(&self->s, variant->task_session);
	EXPECT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

TEST_F(pinned, is_accepted_on_other_cpus)
{
	struct intree e = pinned_event();

	if (!claims() || variant->kernel || variant->passed || variant->member)
		SKIP(return, "one event of each kind is enough");
	if (variant->asleep)
		self->task = start_asleep(TAKEN_CPU);
	if (variant->own || variant->asleep) {
		e.cpu = -1;
		e.pid = self->task;
	}
	ASSERT_EQ(0, pin_to(0, TAKEN_CPU));
	self->fd = intree_open(&e);
	ASSERT_LE(0, self->fd);
	session_cpus(&self->s, 1 << OTHER_CPU);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	EXPECT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

/* Events that cannot come first: flexible ones, and those opened after the claim. */
static void check_harmless(struct __test_metadata *_metadata, struct session *s, int fd)
{
	struct intree_count count;
	uint64_t before;

	ASSERT_EQ(0, session_enable(s));
	ASSERT_EQ(0, ioctl(fd, PERF_EVENT_IOC_ENABLE, 0));
	ASSERT_EQ(0, session_read(s));
	before = s->counts[0].value;
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read(s));
	EXPECT_LE(LOOP_INSNS, s->counts[0].value - before);
	EXPECT_GE(LOOP_INSNS + SLACK_INSNS, s->counts[0].value - before);
	EXPECT_EQ(ACRPMU_STATE_ENABLED, s->accounts.state);
	count = intree_read(fd);
	/* All ones: it is in the error state. */
	EXPECT_TRUE(!count.value || count.value == UINT64_MAX);
}

FIXTURE(late) {
	struct session s;
	int fd;
};

FIXTURE_SETUP(late)
{
	self->s.fd = -1;
	self->fd = -1;
	ASSERT_EQ(0, pin_to(0, TAKEN_CPU));
}

FIXTURE_TEARDOWN(late)
{
	close(self->fd);
	session_close(&self->s);
	EXPECT_TRUE(intree_is_exact(-1));
}

TEST_F(late, pinned_event_opened_during_a_session_does_not_come_first)
{
	struct intree e = pinned_event();

	if (!claims())
		SKIP(return, "here perf's first event is refused during a session");
	describe(&self->s, true);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	self->fd = intree_open(&e);
	ASSERT_LE(0, self->fd);
	check_harmless(_metadata, &self->s, self->fd);
}

TEST_F(late, flexible_event_opened_before_is_no_reason_to_refuse)
{
	struct intree e = pinned_event();

	if (!claims())
		SKIP(return, "here perf's first event is refused during a session");
	e.pinned = false;
	self->fd = intree_open(&e);
	ASSERT_LE(0, self->fd);
	describe(&self->s, true);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	check_harmless(_metadata, &self->s, self->fd);
}

static int set_watchdog(bool on)
{
	int fd = open(WATCHDOG, O_WRONLY), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, on ? "1" : "0", 1) == 1 ? 0 : -errno;
	close(fd);
	return ret;
}

TEST_F(late, watchdog_switched_on_during_a_session_does_not_come_first)
{
	uint64_t before;
	int ret;

	describe(&self->s, true);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ret = set_watchdog(true);
	if (ret)
		SKIP(return, "this kernel has no NMI watchdog here: %s", strerror(-ret));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, session_read(&self->s));
	before = self->s.counts[0].value;
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_LE(LOOP_INSNS, self->s.counts[0].value - before);
	EXPECT_GE(LOOP_INSNS + SLACK_INSNS, self->s.counts[0].value - before);
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->s.accounts.state);
	EXPECT_EQ(0, set_watchdog(false));
}

TEST_HARNESS_MAIN
