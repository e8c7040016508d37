// SPDX-License-Identifier: GPL-2.0-only
/* An isolated CPU that a real-time task never leaves: nobody waits for it without end. */
#include "work.h"
#include <pthread.h>
#include <sys/epoll.h>
#include "intree.h"
#include "records.h"
#include "file.h"
#include "kselftest_harness.h"

#define ISOLATED	1
#define RT_RUNTIME	"/proc/sys/kernel/sched_rt_runtime_us"
#define FAIR_RUNTIME	"/sys/kernel/debug/sched/fair_server/cpu1/runtime"
#define PRIORITY	50

/*
 * From 6.12 on other tasks have a share of their own.  Some kernels get its accounts wrong if it
 * changes shortly after the last of these tasks, so change it from such a task.
 */
static int set_fair_runtime(const char *text)
{
	cpu_set_t allowed;
	int ret;

	if (sched_getaffinity(0, sizeof(allowed), &allowed))
		return -errno;
	ret = pin_to(0, ISOLATED);
	if (!ret)
		ret = write_text(FAIR_RUNTIME, text);
	if (sched_setaffinity(0, sizeof(allowed), &allowed))
		return -errno;
	return ret;
}

static pid_t start_hog(void)
{
	struct sched_param param = { .sched_priority = PRIORITY };
	pid_t pid = fork();

	if (pid)
		return pid;
	if (pin_to(0, ISOLATED) || sched_setscheduler(0, SCHED_FIFO, &param))
		_exit(1);
	for (;;)
		work_fast(20000);
}

static void describe_cpu(struct session *s, int cpu)
{
	session_cpus(s, 1ULL << cpu);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
}

FIXTURE(isolated) {
	struct session s;
	pid_t hog;
	pid_t stuck;
	pid_t other;
	char fair_runtime[32];	/* empty: this kernel has none */
};

FIXTURE_SETUP(isolated)
{
	cpu_set_t allowed;

	/* isolcpus= keeps every task off it that does not ask for it */
	ASSERT_EQ(0, sched_getaffinity(0, sizeof(allowed), &allowed));
	ASSERT_FALSE(CPU_ISSET(ISOLATED, &allowed));
	self->s.fd = -1;
	ASSERT_EQ(0, write_text(RT_RUNTIME, "-1"));
	ASSERT_TRUE(read_text(FAIR_RUNTIME, self->fair_runtime, sizeof(self->fair_runtime)));
	if (*self->fair_runtime)
		ASSERT_EQ(0, set_fair_runtime("0"));
	self->hog = start_hog();
	ASSERT_LT(0, self->hog);
	ASSERT_TRUE(wait_for(sched_getscheduler(self->hog) == SCHED_FIFO));
}

FIXTURE_TEARDOWN(isolated)
{
	session_close(&self->s);
	end_child(self->stuck);
	end_child(self->hog);
	end_child(self->other);
	if (*self->fair_runtime)
		EXPECT_EQ(0, set_fair_runtime(self->fair_runtime));
	write_text(RT_RUNTIME, "950000");
}

TEST_F(isolated, task_session_does_not_concern_it)
{
	session_task(&self->s, 0, 0);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	self->s.arrives = true;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(100000);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_LT(100000 * WORK_INSNS - 1, self->s.counts[0].value);
	EXPECT_EQ(1, self->s.accounts.nr_cpus);
	EXPECT_EQ(0, self->s.accounts.time_missed_ns);
	EXPECT_EQ(0, self->s.accounts.state);
}

TEST_F(isolated, session_on_it_is_refused_by_its_number)
{
	describe_cpu(&self->s, ISOLATED);
	EXPECT_EQ(-EBUSY, session_make(&self->s));
	EXPECT_EQ(ACRPMU_REASON_CPU_STUCK, self->s.attr.error.reason);
	EXPECT_EQ(ISOLATED, self->s.attr.error.cpu);
	EXPECT_LT(0, self->s.attr.error.value);
	/* Nothing of the attempt is left. */
	end_child(self->hog);
	self->hog = 0;
	EXPECT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

/* The hog's own task, wherever it runs: only there, and it does not answer. */
TEST_F(isolated, session_of_its_task_is_refused_by_its_number)
{
	session_task(&self->s, self->hog, 0);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	self->s.arrives = true;
	EXPECT_EQ(-EBUSY, session_make(&self->s));
	EXPECT_EQ(ACRPMU_REASON_CPU_STUCK, self->s.attr.error.reason);
	EXPECT_EQ(ISOLATED, self->s.attr.error.cpu);
}

/* A task that may run on it as well is counted elsewhere. */
TEST_F(isolated, task_that_may_run_on_it_is_counted_elsewhere)
{
	cpu_set_t both;
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid)
		for (;;)
			work_fast(20000);
	CPU_ZERO(&both);
	CPU_SET(0, &both);
	CPU_SET(ISOLATED, &both);
	ASSERT_EQ(0, sched_setaffinity(pid, sizeof(both), &both));
	session_task(&self->s, pid, 0);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	self->s.arrives = true;
	EXPECT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(0, session_enable(&self->s));
	EXPECT_TRUE(wait_for(!session_read(&self->s) && self->s.counts[0].value > 100000));
	EXPECT_EQ(1, self->s.accounts.nr_cpus);
	EXPECT_EQ(ACRPMU_STATE_ENABLED | ACRPMU_STATE_CPU_LOST, self->s.accounts.state);
	end_child(pid);
}

/* Pinned by its parent, lest it moves itself after the parent has moved it on. */
static pid_t start_worker(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	close_range(3, ~0U, 0);
	for (;;)
		work_fast(20000);
}

/* A session that reserves a CPU only when its task runs there. */
static void describe_arrival(struct session *s, pid_t pid, int cpu)
{
	session_task(s, pid, 0);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	s->attr.flags |= ACRPMU_SESSION_ARRIVE;
	s->cpu_bits = 1ULL << cpu;
}

static bool holds(const struct session *s, int cpu)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];

	return !session_query_cpu(s, cpu, hw) && hw[0].cntr >= 0;
}

static bool any_holds(const struct session *s, unsigned int nr, int cpu)
{
	while (nr--)
		if (holds(&s[nr], cpu))
			return true;
	return false;
}

/* As many as would take longer than wait_for(), if each waited for the CPU in turn */
#define ARRIVALS	20

TEST_F(isolated, tasks_that_run_there_do_not_hold_up_arrivals_elsewhere)
{
	struct sched_param above = { .sched_priority = PRIORITY + 1 }, none = { };
	struct session s[ARRIVALS];
	unsigned int i;

	self->stuck = start_worker();
	self->other = start_worker();
	ASSERT_LT(0, self->stuck);
	ASSERT_LT(0, self->other);
	ASSERT_EQ(0, pin_to(self->stuck, 0));
	ASSERT_EQ(0, pin_to(self->other, ISOLATED));
	for (i = 0; i < ARRIVALS; i++) {
		describe_arrival(&s[i], self->stuck, ISOLATED);
		ASSERT_EQ(0, session_make(&s[i])) TH_LOG("%s", session_refusal(&s[i]));
		ASSERT_EQ(0, session_enable(&s[i]));
	}
	describe_arrival(&self->s, self->other, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));

	/* on a CPU that the hog does not leave to it before */
	ASSERT_EQ(0, pin_to(self->stuck, ISOLATED));
	ASSERT_EQ(0, sched_setscheduler(self->stuck, SCHED_FIFO, &above));
	EXPECT_TRUE(wait_for(!session_read(&s[ARRIVALS - 1]) &&
			     s[ARRIVALS - 1].accounts.time_missed_ns));
	ASSERT_EQ(0, pin_to(self->other, 0));
	EXPECT_TRUE(wait_for(holds(&self->s, 0)));
	EXPECT_FALSE(any_holds(s, ARRIVALS, ISOLATED));
	/* As soon as it answers, it is tried again. */
	ASSERT_EQ(0, sched_setscheduler(self->stuck, SCHED_OTHER, &none));
	end_child(self->hog);
	self->hog = 0;
	EXPECT_TRUE(wait_for(any_holds(s, ARRIVALS, ISOLATED)));
	for (i = 0; i < ARRIVALS; i++)
		session_close(&s[i]);
}

/* The readers run elsewhere. */
TEST_F(isolated, readers_of_its_ring_are_woken_and_can_end_the_session)
{
	/* poll() would look again when its time is over */
	int reader = epoll_create1(EPOLL_CLOEXEC), woken;
	struct epoll_event event = { .events = EPOLLIN };

	end_child(self->hog);
	self->hog = 0;
	session_cpus(&self->s, 1ULL << ISOLATED);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, 100000, 0);
	self->s.attr.wakeup_bytes = 1;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, epoll_ctl(reader, EPOLL_CTL_ADD, self->s.fd, &event));
	self->hog = start_hog();
	ASSERT_LT(0, self->hog);
	woken = epoll_wait(reader, &event, 1, 20000);
	EXPECT_EQ(1, woken);
	/* otherwise the hog has to end first */
	if (woken == 1)
		session_close(&self->s);
	end_child(self->hog);
	self->hog = 0;
	close(reader);
}

/* No switch notices it again. */
TEST_F(isolated, refused_cpu_is_tried_again_for_a_task_that_runs_alone)
{
	struct intree event = { .config = EV_CYCLES, .pid = -1, .cpu = ISOLATED, .group = -1 };
	int fd;

	end_child(self->hog);
	self->hog = 0;
	fd = intree_open(&event);
	ASSERT_LE(0, fd);
	self->other = start_worker();
	ASSERT_LT(0, self->other);
	ASSERT_EQ(0, pin_to(self->other, 0));
	describe_arrival(&self->s, self->other, ISOLATED);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, pin_to(self->other, ISOLATED));
	/* so long that it has been tried */
	ASSERT_TRUE(wait_for(!session_read(&self->s) &&
			     self->s.accounts.time_missed_ns > 2000000000));
	EXPECT_FALSE(holds(&self->s, ISOLATED));
	close(fd);
	EXPECT_TRUE(wait_for(holds(&self->s, ISOLATED)));
}

/* A thread that makes sessions on that CPU, one after another; each is refused after a wait. */
struct waiter {
	pid_t tid;
	unsigned int attempts;
	bool end;
};

static void *make_in_background(void *data)
{
	struct waiter *w = data;
	struct session s;

	__atomic_store_n(&w->tid, gettid(), __ATOMIC_RELEASE);
	while (!__atomic_load_n(&w->end, __ATOMIC_ACQUIRE)) {
		__atomic_add_fetch(&w->attempts, 1, __ATOMIC_ACQ_REL);
		describe_cpu(&s, ISOLATED);
		session_make(&s);
		session_close(&s);
	}
	return NULL;
}

/* The attempt in which the thread sleeps in the kernel now, 0 if it does not */
static unsigned int waits_in(const struct waiter *w)
{
	unsigned int attempt = __atomic_load_n(&w->attempts, __ATOMIC_ACQUIRE);
	bool asleep = task_state(getpid(), __atomic_load_n(&w->tid, __ATOMIC_ACQUIRE)) == 'S';

	return asleep && attempt == __atomic_load_n(&w->attempts, __ATOMIC_ACQUIRE) ? attempt : 0;
}

TEST_F(isolated, others_go_on_while_a_session_waits_for_it)
{
	struct waiter waiter = { .end = false };
	unsigned int attempt;
	pthread_t thread;

	ASSERT_EQ(0, pthread_create(&thread, NULL, make_in_background, &waiter));
	/* A host that holds the machine up spoils an attempt; the harness ends endless ones. */
	do {
		ASSERT_TRUE(wait_for(attempt = waits_in(&waiter)));
		describe_cpu(&self->s, 0);
		ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
		ASSERT_EQ(0, session_enable(&self->s));
		ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
		session_close(&self->s);
	} while (waits_in(&waiter) != attempt);
	__atomic_store_n(&waiter.end, true, __ATOMIC_RELEASE);
	ASSERT_EQ(0, pthread_join(thread, NULL));
}

TEST_F(isolated, waiting_session_can_be_killed)
{
	pid_t pid = fork();
	int status;

	ASSERT_LE(0, pid);
	if (!pid)
		for (;;) {
			describe_cpu(&self->s, ISOLATED);
			session_make(&self->s);
		}
	/* it sleeps in the kernel, for a signal to end */
	EXPECT_TRUE(wait_for(task_state(pid, pid) == 'S'));
	ASSERT_EQ(0, kill(pid, SIGKILL));
	EXPECT_TRUE(wait_for(waitpid(pid, &status, WNOHANG) == pid));
}

/* A fixture, since tests without one run first */
FIXTURE(afterwards) { };
FIXTURE_SETUP(afterwards) { }
FIXTURE_TEARDOWN(afterwards) { }

TEST_F(afterwards, other_tasks_have_their_share_again)
{
	char text[32];

	ASSERT_TRUE(read_text(FAIR_RUNTIME, text, sizeof(text)));
	if (!*text)
		SKIP(return, "this kernel has no share for them");
	EXPECT_STRNE("0\n", text);
}

TEST_HARNESS_MAIN
