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
#include <sys/wait.h>
#include <time.h>

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

/* Check that in-tree perf counts a known loop exactly. */
static bool intree_is_exact(void)
{
	struct intree e = { .config = EV_INSNS, .cpu = -1, .group = -1 };
	struct intree_count from, to;
	int fd = intree_open(&e);

	if (fd < 0)
		return false;
	from = intree_read(fd);
	work_fast(ITERATIONS);
	to = intree_read(fd);
	close(fd);
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
	EXPECT_TRUE(intree_is_exact());
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

/* ---- what could not be foreseen ---- */

#define NOTICE_MS	150000		/* as wait_for() */
#define MAX_NOTICE_MS	5000		/* where that matters: it takes one second */
#define MAX_WAKEUP_MS	500		/* and less where readers are woken */
#define MAX_SLEEPS	20		/* the first is enough, if the report is not late */
#define EN		(1ULL << 22)	/* SDM vol. 3, IA32_PERFEVTSELx */

FIXTURE(taken) {
	struct session s;
	struct session other;	/* on the same CPU */
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	uint32_t msr;		/* that somebody else writes */
	uint64_t value;		/* what is written */
	int rival;
};

/* A register of the sessions' event, or none: the kernel's events take the whole CPU. */
enum victim { SELECT, FIXED, RELOAD_MASK, RELOAD_VALUE, EXTRA, ENABLE_ALL, WHOLE_CPU };

FIXTURE_VARIANT(taken) {
	enum victim victim;
	bool task_session;
};

FIXTURE_VARIANT_ADD(taken, event_select) { .victim = SELECT };

FIXTURE_VARIANT_ADD(taken, control_of_fixed_counters) { .victim = FIXED };

FIXTURE_VARIANT_ADD(taken, reload_mask) { .victim = RELOAD_MASK };

FIXTURE_VARIANT_ADD(taken, reload_value) { .victim = RELOAD_VALUE };

FIXTURE_VARIANT_ADD(taken, extra_register) { .victim = EXTRA };

FIXTURE_VARIANT_ADD(taken, extra_register_of_a_task) { .victim = EXTRA, .task_session = true };

FIXTURE_VARIANT_ADD(taken, enable_bit_for_all_counters) { .victim = ENABLE_ALL };

FIXTURE_VARIANT_ADD(taken, cpu_by_events_of_the_kernel) { .victim = WHOLE_CPU };

FIXTURE_VARIANT_ADD(taken, cpu_of_a_task_by_events_of_the_kernel) {
	.victim = WHOLE_CPU, .task_session = true,
};

/* Event 0 has a fixed counter, event 1 a general-purpose one, event 2 an extra register. */
static void describe_victim(struct session *s, bool task)
{
	describe(s, task);
	s->ev[session_event(s, 0x01b7, USER | COUNT, 0, 0)].extra_value = 0x10001;
}

static void choose_register(FIXTURE_DATA(taken) *self, enum victim victim)
{
	const struct acrpmu_event_hw *hw = self->hw;

	switch (victim) {
	case SELECT:
		self->msr = hw[1].cfg_a_msr;
		self->value = EV_BRMISSES | 1 << 16 | EN;	/* user level */
		break;
	case FIXED:
		self->msr = hw[0].cfg_a_msr;
		self->value = msr_read(TAKEN_CPU, self->msr) ^ 0x3 << (hw[0].cntr - 32) * 4;
		break;
	case RELOAD_MASK:
		self->msr = hw[1].cfg_b_msr;
		self->value = 1ULL << hw[1].cntr;
		break;
	case RELOAD_VALUE:
		self->msr = hw[1].cfg_c_msr;
		self->value = 0xfffff000;
		break;
	case EXTRA:
		self->msr = hw[2].extra_msr;
		self->value = 0x10002;
		break;
	case ENABLE_ALL:
		self->msr = 0x38f;
		self->value = msr_read(TAKEN_CPU, self->msr) & ~(1ULL << hw[1].cntr);
		break;
	case WHOLE_CPU:
		break;
	}
}

FIXTURE_SETUP(taken)
{
	unsigned int i;

	self->s.fd = -1;
	self->other.fd = -1;
	self->rival = -1;
	self->msr = 0;
	if (variant->victim == WHOLE_CPU && claims()) {
		self->rival = open(RIVAL_DOUBLE, O_RDWR);
		ASSERT_LE(0, self->rival);
		for (i = 0; i < RIVAL_EVENTS; i++)
			ASSERT_EQ(0, ioctl(self->rival, RIVAL_OPEN, rival_event(TAKEN_CPU)));
		/* What nobody can see is what cannot be foreseen. */
		ASSERT_EQ(0, ioctl(self->rival, RIVAL_HIDE, 1));
	}
	ASSERT_EQ(0, pin_to(0, TAKEN_CPU));
	session_cpus(&self->other, 1 << TAKEN_CPU);
	session_event(&self->other, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	ASSERT_EQ(0, session_enable(&self->other));
	describe_victim(&self->s, variant->task_session);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_query_cpu(&self->s, TAKEN_CPU, self->hw));
	ASSERT_EQ(0, session_enable(&self->s));
	choose_register(self, variant->victim);
	work_fast(ITERATIONS);
}

FIXTURE_TEARDOWN(taken)
{
	session_close(&self->s);
	session_close(&self->other);
	if (self->msr) {
		/* Everything is as the other has left it; now that one leaves, too. */
		if (variant->victim == ENABLE_ALL)
			self->value |= 1ULL << self->hw[1].cntr;
		else
			self->value = 0;
		EXPECT_EQ(0, msr_write(TAKEN_CPU, self->msr, self->value));
	}
	if (self->rival >= 0)
		close(self->rival);
	EXPECT_TRUE(wait_for(intree_is_exact()));
}

/* Let somebody else get at the counters. */
static int take(FIXTURE_DATA(taken) *self)
{
	if (self->rival >= 0)
		return ioctl(self->rival, RIVAL_ENABLE) ? -errno : 0;
	return msr_write(TAKEN_CPU, self->msr, self->value);
}

static bool is_ready(int fd, short events, int timeout_ms)
{
	struct pollfd poll_fd = { .fd = fd };

	return poll(&poll_fd, 1, timeout_ms) == 1 && poll_fd.revents & events;
}

static void check_lost(struct __test_metadata *_metadata, FIXTURE_DATA(taken) *self,
		       const struct session *s)
{
	const struct acrpmu_error *taken = &s->accounts.taken;
	unsigned int i;

	EXPECT_TRUE(s->accounts.state & ACRPMU_STATE_TAKEN);
	EXPECT_TRUE(s->accounts.state & ACRPMU_STATE_CPU_LOST);
	EXPECT_EQ(TAKEN_CPU, taken->cpu);
	if (self->rival >= 0) {
		EXPECT_EQ(ACRPMU_REASON_CLAIM_LOST, taken->reason);
		EXPECT_STREQ("perf", taken->holder);
	} else {
		EXPECT_EQ(ACRPMU_REASON_REGISTER, taken->reason);
		EXPECT_EQ(self->msr, taken->limit);
	}
	for (i = 0; i < s->attr.nr_events; i++) {
		EXPECT_EQ(ACRPMU_COUNT_TAKEN, s->counts[i].flags);
		EXPECT_EQ(0, s->counts[i].value);
	}
}

#define REQUIRE_VICTIM() do {							\
	if (variant->victim == WHOLE_CPU && !claims())				\
		SKIP(return, "here nothing of perf can come first");		\
	if (variant->victim != WHOLE_CPU && !self->msr)				\
		SKIP(return, "this CPU has no such register");			\
} while (0)

TEST_F(taken, is_noticed_within_a_second_and_reported_to_pollers_until_they_read)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	int64_t from_ms;

	REQUIRE_VICTIM();
	EXPECT_FALSE(is_ready(self->s.fd, POLLERR | POLLHUP, 0));
	from_ms = now_ms();
	ASSERT_EQ(0, take(self));
	EXPECT_TRUE(is_ready(self->s.fd, POLLERR, NOTICE_MS));
	EXPECT_GT(MAX_NOTICE_MS, now_ms() - from_ms);
	ASSERT_EQ(0, session_query_cpu(&self->s, TAKEN_CPU, hw));
	EXPECT_EQ(-1, hw[0].cntr);
	ASSERT_EQ(0, session_read(&self->s));
	check_lost(_metadata, self, &self->s);
	EXPECT_EQ(1, self->s.accounts.nr_cpus);
	EXPECT_FALSE(is_ready(self->s.fd, POLLERR, 0));
}

/* Milliseconds from the start of a session until it is noticed; @worked_ms: of its work */
static int64_t notice_ms(struct __test_metadata *_metadata, int64_t *worked_ms)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	struct session s = { .fd = -1 };
	int64_t from_ms, ms;

	session_cpus(&s, 1 << TAKEN_CPU);
	session_event(&s, EV_INSNS, USER | SAMPLED, LOOP_INSNS / 10, 0);
	session_event(&s, EV_BRANCHES, USER | COUNT, 0, 0);
	s.attr.wakeup_bytes = 1;
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_query_cpu(&s, TAKEN_CPU, hw));
	from_ms = now_ms();
	ASSERT_EQ(0, session_enable(&s));
	ASSERT_EQ(0, msr_write(TAKEN_CPU, hw[1].cfg_a_msr, EV_BRMISSES | 1 << 16 | EN));
	work_fast(ITERATIONS);
	*worked_ms = now_ms() - from_ms;
	EXPECT_TRUE(is_ready(s.fd, POLLERR, NOTICE_MS));
	ms = now_ms() - from_ms;
	ASSERT_EQ(0, session_read(&s));
	EXPECT_EQ(hw[1].cfg_a_msr, s.accounts.taken.limit);
	session_close(&s);
	EXPECT_EQ(0, msr_write(TAKEN_CPU, hw[1].cfg_a_msr, 0));
	return ms;
}

/* Without sessions nothing is looked at, so that the first look of each second is a second away. */
TEST(is_noticed_when_readers_are_woken)
{
	int64_t ms, worked_ms;

	ASSERT_EQ(0, pin_to(0, TAKEN_CPU));
	/* A host that was held up proves nothing; the harness ends endless attempts. */
	do {
		usleep(1500000);
		ms = notice_ms(_metadata, &worked_ms);
	} while (ms >= MAX_WAKEUP_MS && worked_ms >= MAX_WAKEUP_MS / 2);
	EXPECT_GT(MAX_WAKEUP_MS, ms);
}

TEST_F(taken, is_noticed_by_read_at_once)
{
	REQUIRE_VICTIM();
	ASSERT_EQ(0, take(self));
	ASSERT_EQ(0, session_read(&self->s));
	check_lost(_metadata, self, &self->s);
}

TEST_F(taken, is_noticed_by_enable_at_once)
{
	REQUIRE_VICTIM();
	ASSERT_EQ(0, session_disable(&self->s));
	ASSERT_EQ(0, session_disable(&self->other));
	if (variant->victim == FIXED)
		self->value = 0x1 << (self->hw[0].cntr - 32) * 4;
	ASSERT_EQ(0, take(self));
	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_TRUE(is_ready(self->s.fd, POLLERR, 0));
	ASSERT_EQ(0, session_read(&self->s));
	check_lost(_metadata, self, &self->s);
}

/* A read looks at once; the look of each second is another test's. */
#define ASSERT_NOTICED(session) do {						\
	ASSERT_EQ(0, session_read(session));					\
	ASSERT_TRUE((session)->accounts.state & ACRPMU_STATE_CPU_LOST);		\
} while (0)

TEST_F(taken, leaves_other_cpus_and_sessions_alone)
{
	bool all = variant->victim == WHOLE_CPU;
	uint64_t before, branches;

	REQUIRE_VICTIM();
	ASSERT_EQ(0, session_read(&self->other));
	branches = self->other.counts[0].value;
	ASSERT_EQ(0, take(self));
	ASSERT_NOTICED(&self->s);
	/* The other session has other counters. */
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read(&self->other));
	if (all) {
		check_lost(_metadata, self, &self->other);
	} else {
		EXPECT_EQ(0, self->other.counts[0].flags);
		EXPECT_LE(ITERATIONS, self->other.counts[0].value - branches);
		EXPECT_EQ(ACRPMU_STATE_ENABLED, self->other.accounts.state);
	}
	if (variant->task_session)
		return;
	/* The other CPU goes on, and has its own counts. */
	ASSERT_EQ(0, pin_to(0, OTHER_CPU));
	ASSERT_EQ(0, session_read_cpu(&self->s, OTHER_CPU));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->s.accounts.state);
	before = self->s.counts[0].value;
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read_cpu(&self->s, OTHER_CPU));
	EXPECT_LE(LOOP_INSNS, self->s.counts[0].value - before);
	EXPECT_EQ(0, self->s.counts[0].flags);
	ASSERT_EQ(0, session_read_cpu(&self->s, TAKEN_CPU));
	check_lost(_metadata, self, &self->s);
}

/* A switch writes the select of a session of tasks anew. */
TEST_F(taken, is_noticed_by_enable_before_a_switch_writes_over_it)
{
	if (variant->victim != SELECT)
		SKIP(return, "a switch does not write it");
	session_close(&self->s);
	describe_victim(&self->s, true);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_query_cpu(&self->s, TAKEN_CPU, self->hw));
	choose_register(self, SELECT);
	ASSERT_EQ(0, take(self));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, session_read(&self->s));
	check_lost(_metadata, self, &self->s);
}

/* Begin a session of this task, in place of another one. */
static int follow(struct session *s, struct acrpmu_event_hw *hw)
{
	session_close(s);
	describe_victim(s, true);
	return session_make(s) ?: session_query_cpu(s, TAKEN_CPU, hw) ?: session_enable(s);
}

/* Most of the time the task sleeps, when a look at its CPU finds nothing. */
TEST_F(taken, is_noticed_by_a_switch_before_it_writes_over_it)
{
	unsigned int i;

	if (variant->victim != SELECT && variant->victim != FIXED)
		SKIP(return, "a switch does not write it");
	ASSERT_EQ(0, follow(&self->s, self->hw)) TH_LOG("%s", session_refusal(&self->s));
	for (i = 0; i < MAX_SLEEPS && !is_ready(self->s.fd, POLLERR, 0); i++) {
		choose_register(self, variant->victim);
		ASSERT_EQ(0, take(self));
		usleep(20000);
	}
	EXPECT_GT(MAX_SLEEPS, i);
	ASSERT_EQ(0, session_read(&self->s));
	check_lost(_metadata, self, &self->s);
}

/* A counter of a task that sleeps counts for the other until the task is back. */
TEST_F(taken, is_noticed_by_the_switch_back_if_the_task_slept)
{
	unsigned int i;
	pid_t pid;

	if (variant->victim != SELECT && variant->victim != FIXED)
		SKIP(return, "a switch does not write it");
	ASSERT_EQ(0, follow(&self->s, self->hw)) TH_LOG("%s", session_refusal(&self->s));
	for (i = 0; i < MAX_SLEEPS && !is_ready(self->s.fd, POLLERR, 0); i++) {
		pid = fork();
		if (!pid) {
			pin_to(0, OTHER_CPU);
			usleep(10000);
			choose_register(self, variant->victim);
			_exit(take(self) != 0);
		}
		/* This task sleeps. */
		ASSERT_EQ(pid, waitpid(pid, NULL, 0));
		choose_register(self, variant->victim);
	}
	EXPECT_GT(MAX_SLEEPS, i);
	ASSERT_EQ(0, session_read(&self->s));
	check_lost(_metadata, self, &self->s);
}

/* Fixed counters share a register, which either session writes for both. */
TEST_F(taken, both_sessions_whose_fields_were_written_are_lost)
{
	struct session both = { .fd = -1 };

	if (variant->victim != FIXED)
		SKIP(return, "it is no register of two sessions");
	session_task(&both, 0, 0);
	session_event(&both, EV_CYCLES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&both)) TH_LOG("%s", session_refusal(&both));
	ASSERT_EQ(0, session_enable(&both));
	self->value = 0;
	ASSERT_EQ(0, take(self));
	usleep(20000);
	ASSERT_EQ(0, session_read(&self->s));
	check_lost(_metadata, self, &self->s);
	ASSERT_EQ(0, session_read(&both));
	EXPECT_EQ(ACRPMU_COUNT_TAKEN, both.counts[0].flags);
	EXPECT_EQ(ACRPMU_REASON_REGISTER, both.accounts.taken.reason);
	EXPECT_EQ(self->msr, both.accounts.taken.limit);
	EXPECT_EQ(0, msr_read(TAKEN_CPU, self->msr));
	session_close(&both);
	EXPECT_EQ(0, msr_read(TAKEN_CPU, self->msr));
}

TEST_F(taken, session_ends_with_the_last_of_its_cpus)
{
	REQUIRE_VICTIM();
	if (variant->task_session)
		SKIP(return, "it ends with its last task");
	session_close(&self->s);
	describe_victim(&self->s, false);
	self->s.cpu_bits = 1 << TAKEN_CPU;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	if (self->msr)
		choose_register(self, variant->victim);
	ASSERT_EQ(0, take(self));
	EXPECT_TRUE(is_ready(self->s.fd, POLLHUP, NOTICE_MS));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_TRUE(self->s.accounts.state & ACRPMU_STATE_ENDED);
	ASSERT_EQ(0, session_ctl(&self->s, ACRPMU_PARK));
	EXPECT_EQ(-ENODEV, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(self->s.accounts.taken.reason, self->s.attr.error.reason);
	EXPECT_EQ(TAKEN_CPU, self->s.attr.error.cpu);
}

/* Neither when it is noticed nor when the session ends. */
TEST_F(taken, what_the_other_has_written_stays)
{
	uint64_t before = 0, after = 0;

	REQUIRE_VICTIM();
	ASSERT_EQ(0, take(self));
	ASSERT_TRUE(is_ready(self->s.fd, POLLERR, NOTICE_MS));
	if (self->msr)
		EXPECT_EQ(self->value, msr_read(TAKEN_CPU, self->msr));
	session_close(&self->s);
	session_close(&self->other);
	if (self->msr && variant->victim == FIXED) {
		EXPECT_EQ(0xf << (self->hw[0].cntr - 32) * 4 & self->value,
			  msr_read(TAKEN_CPU, self->msr));
	} else if (self->msr && variant->victim != ENABLE_ALL) {
		EXPECT_EQ(self->value, msr_read(TAKEN_CPU, self->msr));
	}
	if (self->rival < 0)
		return;
	/* Perf's events count on, each branch. */
	ASSERT_EQ(0, ioctl(self->rival, RIVAL_READ, &before));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, ioctl(self->rival, RIVAL_READ, &after));
	EXPECT_LE(ITERATIONS, after - before);
}

/* It was lost for good: nothing is written over what the other has there. */
TEST_F(taken, cpu_is_not_reserved_again)
{
	REQUIRE_VICTIM();
	ASSERT_EQ(0, take(self));
	ASSERT_NOTICED(&self->s);
	ASSERT_EQ(0, session_ctl(&self->s, ACRPMU_PARK));
	EXPECT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(-1, self->s.cntr[TAKEN_CPU][0]);
	EXPECT_LE(0, self->s.cntr[OTHER_CPU][0]);
}

/* ---- a counter itself ---- */

FIXTURE(set_back) {
	struct session s;
	struct session other;	/* on the same CPU */
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
};

FIXTURE_VARIANT(set_back) {
	bool task_session;
	unsigned int event;
};

FIXTURE_VARIANT_ADD(set_back, fixed_counter_of_a_cpu) { };

FIXTURE_VARIANT_ADD(set_back, counter_of_a_cpu) { .event = 1 };

FIXTURE_VARIANT_ADD(set_back, counter_of_a_task) { .event = 1, .task_session = true };

FIXTURE_SETUP(set_back)
{
	self->s.fd = -1;
	self->other.fd = -1;
	ASSERT_EQ(0, pin_to(0, TAKEN_CPU));
	session_cpus(&self->other, 1 << TAKEN_CPU);
	session_event(&self->other, EV_CYCLES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	ASSERT_EQ(0, session_enable(&self->other));
	describe(&self->s, variant->task_session);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_query_cpu(&self->s, TAKEN_CPU, self->hw));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(ITERATIONS);
}

FIXTURE_TEARDOWN(set_back)
{
	session_close(&self->s);
	session_close(&self->other);
	EXPECT_TRUE(wait_for(intree_is_exact()));
}

static void check_set_back(struct __test_metadata *_metadata, const struct session *s, uint32_t msr)
{
	unsigned int i;

	EXPECT_TRUE(s->accounts.state & ACRPMU_STATE_TAKEN);
	EXPECT_EQ(ACRPMU_REASON_REGISTER, s->accounts.taken.reason);
	EXPECT_EQ(TAKEN_CPU, s->accounts.taken.cpu);
	EXPECT_EQ(msr, s->accounts.taken.limit);
	for (i = 0; i < s->attr.nr_events; i++) {
		EXPECT_EQ(ACRPMU_COUNT_TAKEN, s->counts[i].flags);
		EXPECT_EQ(0, s->counts[i].value);
	}
}

/* It would be a count of 2^48 less what it has lost. */
TEST_F(set_back, is_noticed_by_read_at_once)
{
	uint32_t msr = self->hw[variant->event].cntr_msr;
	uint64_t before;

	ASSERT_EQ(0, session_read(&self->other));
	before = self->other.counts[0].value;
	/* What it has counted so far is known from then on. */
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_LE(ITERATIONS, self->s.counts[1].value);
	ASSERT_EQ(0, msr_write(TAKEN_CPU, msr, 0));
	ASSERT_EQ(0, session_read(&self->s));
	check_set_back(_metadata, &self->s, msr);
	/* The other session has other counters. */
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read(&self->other));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->other.accounts.state);
	EXPECT_LE(ITERATIONS, self->other.counts[0].value - before);
}

TEST_F(set_back, leaves_nothing_to_the_next_session)
{
	ASSERT_EQ(0, session_read(&self->s));
	ASSERT_EQ(0, msr_write(TAKEN_CPU, self->hw[variant->event].cntr_msr, 0));
	/* Only the end of the session reads it. */
	session_close(&self->s);
	describe(&self->s, variant->task_session);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->s.accounts.state);
	EXPECT_LE(ITERATIONS, self->s.counts[1].value);
}

/* Nobody has read it before: the look of each second does, and of a task each switch. */
TEST_F(set_back, is_noticed_while_the_reader_waits)
{
	uint32_t msr = self->hw[variant->event].cntr_msr;
	int64_t from_ms;

	usleep(2500000);
	from_ms = now_ms();
	ASSERT_EQ(0, msr_write(TAKEN_CPU, msr, 0));
	EXPECT_TRUE(is_ready(self->s.fd, POLLERR, NOTICE_MS));
	EXPECT_GT(MAX_NOTICE_MS, now_ms() - from_ms);
	ASSERT_EQ(0, session_read(&self->s));
	check_set_back(_metadata, &self->s, msr);
}

TEST_HARNESS_MAIN
