// SPDX-License-Identifier: GPL-2.0-only
/* Tasks that are stuck in in-tree perf, with its locks: they hold up only who needs those. */
#include "work.h"
#include <linux/perf_event.h>
#include <linux/userfaultfd.h>
#include <poll.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include "msr.h"
#include "session.h"
#include "kselftest_harness.h"

#define PERIOD	50000

struct slow_read {
	int fd;
	void *page;
};

static void *read_slowly(void *arg)
{
	struct slow_read *slow = arg;

	if (read(slow->fd, slow->page, sizeof(uint64_t)) < 0)
		_exit(1);
	return NULL;
}

/* A page that nobody will ever provide, until the process that waits for it is killed. */
static void *missing_page(int uffd)
{
	struct uffdio_api api = { .api = UFFD_API };
	void *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	struct uffdio_register range = {
		.range = { .start = (uintptr_t)page, .len = 4096 },
		.mode = UFFDIO_REGISTER_MODE_MISSING,
	};

	if (page == MAP_FAILED || ioctl(uffd, UFFDIO_API, &api) ||
	    ioctl(uffd, UFFDIO_REGISTER, &range))
		return NULL;
	return page;
}

/* One thread reads an event, with the other events of its context locked. */
static int lock_context(uint32_t type, pid_t pid, int cpu)
{
	struct perf_event_attr attr = {
		.type = type,
		.size = sizeof(attr),
		.config = type == PERF_TYPE_SOFTWARE ? PERF_COUNT_SW_DUMMY :
						       PERF_COUNT_HW_CPU_CYCLES,
		.disabled = 1,
	};
	struct pollfd fault = {
		.fd = syscall(SYS_userfaultfd, O_CLOEXEC | O_NONBLOCK), .events = POLLIN,
	};
	static struct slow_read slow;
	pthread_t reader;

	slow.fd = syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC);
	slow.page = missing_page(fault.fd);
	if (slow.fd < 0 || !slow.page || pthread_create(&reader, NULL, read_slowly, &slow) ||
	    poll(&fault, 1, -1) != 1 || !(fault.revents & POLLIN))
		return -1;
	return 0;
}

static bool sleeps_in(pid_t pid, long call)
{
	char path[64];
	long now = -1;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/syscall", pid);
	f = fopen(path, "r");
	if (!f)
		return false;
	if (fscanf(f, "%ld", &now) != 1)
		now = -1;
	fclose(f);
	return now == call;
}

/* A child with a thread that waits for another one, with the list of its events locked. */
static int lock_list(void)
{
	if (!lock_context(PERF_TYPE_SOFTWARE, 0, -1))
		prctl(PR_TASK_PERF_EVENTS_DISABLE);
	return 1;
}

/* A child that holds the lock of a CPU's events. */
static int lock_cpu(int cpu)
{
	if (!lock_context(PERF_TYPE_HARDWARE, -1, cpu))
		pause();
	return 1;
}

static pid_t start_stuck(int cpu)
{
	pid_t pid = fork();

	if (!pid)
		_exit(cpu < 0 ? lock_list() : lock_cpu(cpu));
	if (pid < 0 || wait_for(sleeps_in(pid, cpu < 0 ? SYS_prctl : SYS_pause)))
		return pid;
	end_child(pid);
	return -1;
}

/* A child that works until it is killed. */
static pid_t start_worker(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;)
		work_fast(20000);
}

static int use_session(int cpu)
{
	struct session s;
	int ret;

	session_cpus(&s, 1 << cpu);
	session_event(&s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
	ret = session_make(&s);
	if (ret)
		return ret;
	ret = session_enable(&s) ?: session_read(&s) ?: session_disable(&s);
	session_close(&s);
	return ret;
}

/* A child that creates, uses and closes a session of one CPU, and exits with 0. */
static pid_t start_user(int cpu)
{
	pid_t pid = fork();

	if (!pid)
		_exit(!!use_session(cpu));
	return pid;
}

/* Fails unless child @pid exits with 0; then it is collected, and forgotten. */
static bool finishes(pid_t *pid)
{
	int status = -1;

	if (!wait_for(waitpid(*pid, &status, WNOHANG) == *pid))
		return false;
	*pid = 0;
	return !status;
}

static bool holds(const struct session *s, int cpu)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];

	return !session_query_cpu(s, cpu, hw) && hw[0].cntr >= 0;
}

static bool is_lost(const struct session *s)
{
	struct pollfd lost = { .fd = s->fd };

	return poll(&lost, 1, 0) == 1 && lost.revents & POLLERR;
}

static uint64_t missed_ns(struct session *s)
{
	session_count(s);
	return s->accounts.time_missed_ns;
}

#define NEED_CLAIM() do {								\
	if (arbiter() != ACRPMU_ARBITER_CLAIM)						\
		SKIP(return, "in-tree perf is not kept off by a claim here");		\
} while (0)

FIXTURE(stuck) {
	struct session s[2];
	pid_t stuck, worker[2], user[2];
};

FIXTURE_SETUP(stuck)
{
	unsigned int i;

	for (i = 0; i < 2; i++) {
		self->s[i].fd = -1;
		self->worker[i] = start_worker();
		ASSERT_LT(0, self->worker[i]);
		ASSERT_EQ(0, pin_to(self->worker[i], i));
	}
}

FIXTURE_TEARDOWN(stuck)
{
	unsigned int i;

	/* first, since the others may wait for it */
	end_child(self->stuck);
	for (i = 0; i < 2; i++) {
		end_child(self->user[i]);
		end_child(self->worker[i]);
		session_close(&self->s[i]);
	}
}

/* The session of a worker that will move to CPU @to, where it is reserved only then. */
static void describe(struct session *s, pid_t worker, int to)
{
	session_task(s, worker, ACRPMU_SESSION_ARRIVE);
	session_event(s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
	s->cpu_bits = 1 << to;
	s->arrives = true;
}

TEST_F(stuck, no_list_of_events_is_waited_for)
{
	NEED_CLAIM();
	describe(&self->s[0], self->worker[0], 1);
	ASSERT_EQ(0, session_make(&self->s[0])) TH_LOG("%s", session_refusal(&self->s[0]));
	ASSERT_EQ(0, session_enable(&self->s[0]));
	self->stuck = start_stuck(-1);
	ASSERT_LT(0, self->stuck);
	ASSERT_EQ(0, pin_to(self->worker[0], 1));
	EXPECT_TRUE(wait_for(holds(&self->s[0], 1)));
	self->user[0] = start_user(0);
	EXPECT_TRUE(finishes(&self->user[0]));
}

/* Whoever needs that CPU waits, as for any event of in-tree perf there; nobody else does. */
TEST_F(stuck, cpu_that_perf_has_locked_holds_up_no_other)
{
	NEED_CLAIM();
	self->stuck = start_stuck(1);
	ASSERT_LT(0, self->stuck);
	self->user[1] = start_user(1);
	ASSERT_TRUE(wait_for(task_state(self->user[1], self->user[1]) == 'D'));
	self->user[0] = start_user(0);
	EXPECT_TRUE(finishes(&self->user[0]));
	EXPECT_EQ('D', task_state(self->user[1], self->user[1]));
	end_child(self->stuck);
	self->stuck = 0;
	EXPECT_TRUE(finishes(&self->user[1]));
}

/* Not even one that has been there, and has left. */
TEST_F(stuck, end_of_a_session_there_holds_up_no_other)
{
	NEED_CLAIM();
	describe(&self->s[0], self->worker[0], 0);
	self->s[0].cpu_bits = 3;
	ASSERT_EQ(0, session_make(&self->s[0])) TH_LOG("%s", session_refusal(&self->s[0]));
	ASSERT_EQ(0, session_enable(&self->s[0]));
	ASSERT_EQ(0, pin_to(self->worker[0], 1));
	ASSERT_TRUE(wait_for(holds(&self->s[0], 1)));
	ASSERT_EQ(0, pin_to(self->worker[0], 0));
	ASSERT_TRUE(wait_for(holds(&self->s[0], 0)));
	ASSERT_EQ(0, session_ctl(&self->s[0], ACRPMU_PARK));
	session_cpus(&self->s[1], 1 << 1);
	session_event(&self->s[1], EV_INSNS, USER | SAMPLED, PERIOD, 0);
	ASSERT_EQ(0, session_make(&self->s[1])) TH_LOG("%s", session_refusal(&self->s[1]));
	self->stuck = start_stuck(1);
	ASSERT_LT(0, self->stuck);
	self->user[1] = fork();
	if (!self->user[1])
		_exit(!!session_ctl(&self->s[1], ACRPMU_PARK));
	ASSERT_TRUE(wait_for(task_state(self->user[1], self->user[1]) == 'D'));
	self->user[0] = start_user(0);
	ASSERT_TRUE(finishes(&self->user[0]));
	self->user[0] = fork();
	if (!self->user[0])
		_exit(!!session_ctl(&self->s[0], ACRPMU_PARK));
	EXPECT_TRUE(finishes(&self->user[0]));
	EXPECT_EQ('D', task_state(self->user[1], self->user[1]));
	end_child(self->stuck);
	self->stuck = 0;
	EXPECT_TRUE(finishes(&self->user[1]));
}

TEST_F(stuck, task_that_arrives_there_holds_up_no_other)
{
	uint64_t before;
	unsigned int i;

	NEED_CLAIM();
	for (i = 0; i < 2; i++) {
		describe(&self->s[i], self->worker[i], !i);
		ASSERT_EQ(0, session_make(&self->s[i])) TH_LOG("%s", session_refusal(&self->s[i]));
		ASSERT_EQ(0, session_enable(&self->s[i]));
	}
	self->stuck = start_stuck(1);
	ASSERT_LT(0, self->stuck);
	ASSERT_EQ(0, pin_to(self->worker[0], 1));
	/* so long that it has been tried */
	before = missed_ns(&self->s[0]);
	ASSERT_TRUE(wait_for(missed_ns(&self->s[0]) > before + 1000000000));
	EXPECT_FALSE(holds(&self->s[0], 1));
	ASSERT_EQ(0, pin_to(self->worker[1], 0));
	EXPECT_TRUE(wait_for(holds(&self->s[1], 0)));
	end_child(self->stuck);
	self->stuck = 0;
	EXPECT_TRUE(wait_for(holds(&self->s[0], 1)));
}

/* Not even where somebody else has taken the CPU: neither a READ there nor what looks at others. */
TEST_F(stuck, cpu_that_was_taken_holds_up_no_other)
{
	struct acrpmu_event_hw hw[2][ACRPMU_MAX_EVENTS];
	unsigned int i;

	NEED_CLAIM();
	for (i = 0; i < 2; i++) {
		session_cpus(&self->s[i], 1 << i);
		session_event(&self->s[i], EV_BRANCHES, USER | ACRPMU_EVENT_COUNT, 0, 0);
		session_event(&self->s[i], EV_INSNS, USER | ACRPMU_EVENT_COUNT, 0, 0);
		ASSERT_EQ(0, session_make(&self->s[i])) TH_LOG("%s", session_refusal(&self->s[i]));
		ASSERT_EQ(0, session_query_cpu(&self->s[i], i, hw[i]));
		ASSERT_EQ(0, session_enable(&self->s[i]));
	}
	self->stuck = start_stuck(1);
	ASSERT_LT(0, self->stuck);
	for (i = 2; i--;) {
		ASSERT_EQ(0, msr_write(i, hw[i][0].cfg_a_msr, hw[i][0].cfg_a ^ 0xff));
		/* nobody reads it */
		EXPECT_TRUE(wait_for(is_lost(&self->s[i])));
	}
	self->user[1] = fork();
	if (!self->user[1])
		_exit(session_read(&self->s[1]) ||
		      !(self->s[1].accounts.state & ACRPMU_STATE_TAKEN));
	EXPECT_TRUE(finishes(&self->user[1]));
	self->user[1] = fork();
	if (!self->user[1])
		_exit(!!session_ctl(&self->s[1], ACRPMU_PARK));
	EXPECT_TRUE(finishes(&self->user[1]));
	/* and the last to close it */
	session_close(&self->s[1]);
	/* What was written there, and what the counter has, are left as they are. */
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, msr_write(i, hw[i][0].cfg_a_msr, 0));
		ASSERT_EQ(0, msr_write(i, hw[i][0].cntr_msr, 0));
	}
}

TEST_HARNESS_MAIN
