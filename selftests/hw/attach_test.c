// SPDX-License-Identifier: GPL-2.0-only
/* Several tasks in one session, by ATTACH: exact counts of known loops, at any time. */
#include "work.h"
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

#include <poll.h>
#include <pthread.h>
#include <time.h>

#define ITERATIONS	200000ULL
#define LOOP_INSNS	(ITERATIONS * WORK_INSNS)
#define PERIOD		20000
/* User instructions of a child outside of the loop: the gate, threads, exit; a loop has 1200000 */
#define SLACK		60000ULL
/* and of a child that itself forks */
#define FORK_SLACK	400000ULL

FIXTURE(attach) {
	struct session s;
	int gate[2];
};

FIXTURE_SETUP(attach)
{
	ASSERT_EQ(0, pipe(self->gate));
	ASSERT_EQ(0, pin_to(0, 0));
}

FIXTURE_TEARDOWN(attach)
{
	session_close(&self->s);
}

/* Counts user instructions exactly, and also samples. */
static void describe(struct session *s, pid_t pid, unsigned int flags)
{
	session_task(s, pid, flags);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
}

static int attach(const struct session *s, pid_t pid, unsigned int flags)
{
	struct acrpmu_attach args = { .size = sizeof(args), .pid = pid, .flags = flags };

	return ioctl(s->fd, ACRPMU_ATTACH, &args) ? -errno : 0;
}

/* A child on a CPU that waits at a gate before anything else. */
static pid_t child_at_gate(int gate[2], int cpu, void (*work)(void))
{
	pid_t pid = fork();
	char byte;

	if (pid)
		return pid;
	pin_to(0, cpu);
	if (read(gate[0], &byte, 1) != 1)
		_exit(1);
	work();
	_exit(0);
}

/* One byte for each task that may wait. */
static void open_gate(int gate[2])
{
	static const char bytes[8];

	if (write(gate[1], bytes, sizeof(bytes)) != sizeof(bytes))
		perror("# gate");
}

/* CPU time of a task since some moment of the past, in nanoseconds */
static uint64_t cpu_ns(pid_t pid)
{
	struct timespec t = { };
	clockid_t clock;

	if (!clock_getcpuclockid(pid, &clock))
		clock_gettime(clock, &t);
	return t.tv_sec * 1000000000ULL + t.tv_nsec;
}

static bool is_asleep(pid_t pid)
{
	char path[32], state = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", pid);
	f = fopen(path, "re");
	if (!f)
		return false;
	if (fscanf(f, "%*d (%*[^)]) %c", &state) != 1)
		state = 0;
	fclose(f);
	return state == 'S';
}

static void one_loop(void)
{
	work_fast(ITERATIONS);
}

static void fork_and_loop(void)
{
	pid_t pid = fork();

	work_fast(ITERATIONS);
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

static void *thread_loop(void *arg)
{
	char byte;

	if (read(*(int *)arg, &byte, 1) == 1)
		work_fast(ITERATIONS);
	return NULL;
}

/* Two threads that wait at a gate. */
static pid_t process_at_gate(int gate[2], int ready[2])
{
	pid_t pid = fork();
	pthread_t thread;

	if (pid)
		return pid;
	pthread_create(&thread, NULL, thread_loop, &gate[0]);
	if (write(ready[1], "", 1) != 1)
		_exit(1);
	thread_loop(&gate[0]);
	pthread_join(thread, NULL);
	_exit(0);
}

static bool counts(const struct session *s, uint64_t exact, uint64_t slack)
{
	uint64_t value = s->counts[0].value;

	if (value >= exact && value <= exact + slack)
		return true;
	fprintf(stderr, "# %lu instructions, the loops have %lu\n", value, exact);
	return false;
}

TEST_F(attach, tasks_of_a_session_are_counted_exactly_and_no_others)
{
	int ready[2];
	char byte;
	pid_t in[3], out[2];
	int i;

	ASSERT_EQ(0, pipe(ready));
	for (i = 0; i < 2; i++) {
		in[i] = child_at_gate(self->gate, i, one_loop);
		out[i] = child_at_gate(self->gate, i, one_loop);
	}
	in[2] = process_at_gate(self->gate, ready);
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	describe(&self->s, in[0], 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, attach(&self->s, in[1], 0));
	ASSERT_EQ(0, attach(&self->s, in[2], ACRPMU_ATTACH_PROCESS));
	/* a second time changes nothing */
	ASSERT_EQ(0, attach(&self->s, in[1], 0));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(4, self->s.accounts.nr_tasks);
	open_gate(self->gate);
	for (i = 0; i < 3; i++)
		EXPECT_EQ(in[i], waitpid(in[i], NULL, 0));
	for (i = 0; i < 2; i++)
		EXPECT_EQ(out[i], waitpid(out[i], NULL, 0));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_TRUE(counts(&self->s, 4 * LOOP_INSNS, 4 * SLACK));
	EXPECT_EQ(0, self->s.accounts.nr_tasks);
	EXPECT_TRUE(self->s.accounts.state & ACRPMU_STATE_ENDED);
}

TEST_F(attach, what_an_attached_task_forks_is_inherited_if_the_session_inherits)
{
	pid_t pid[2] = { child_at_gate(self->gate, 0, one_loop),
			 child_at_gate(self->gate, 1, fork_and_loop) };

	describe(&self->s, pid[0], ACRPMU_SESSION_INHERIT);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, attach(&self->s, pid[1], ACRPMU_ATTACH_PROCESS));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	waitpid(pid[0], NULL, 0);
	waitpid(pid[1], NULL, 0);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_TRUE(counts(&self->s, 3 * LOOP_INSNS, FORK_SLACK));
	EXPECT_EQ(0, self->s.accounts.nr_tasks);
}

static void forever(void)
{
	for (;;)
		work_fast(ITERATIONS);
}

/* It runs alone on its CPU and may never be switched. */
TEST_F(attach, task_that_runs_is_counted_at_once_by_an_enabled_session)
{
	int other_gate[2];
	pid_t pid, other;

	ASSERT_EQ(0, pipe(other_gate));
	other = child_at_gate(other_gate, 0, one_loop);
	ASSERT_TRUE(wait_for(is_asleep(other)));
	pid = child_at_gate(self->gate, 1, forever);
	describe(&self->s, other, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	ASSERT_TRUE(wait_for(cpu_ns(pid) > 10000000));
	EXPECT_EQ(0, session_count(&self->s));
	ASSERT_EQ(0, attach(&self->s, pid, 0));
	EXPECT_TRUE(wait_for(session_count(&self->s) > 10 * LOOP_INSNS));
	end_child(pid);
	end_child(other);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
}

static bool hangs_up(const struct session *s)
{
	struct pollfd poll_fd = { .fd = s->fd };

	return poll(&poll_fd, 1, 0) == 1 && poll_fd.revents & POLLHUP;
}

TEST_F(attach, session_that_has_ended_goes_on_with_a_new_task)
{
	int second_gate[2];
	pid_t first, second;

	ASSERT_EQ(0, pipe(second_gate));
	second = child_at_gate(second_gate, 0, one_loop);
	first = child_at_gate(self->gate, 0, one_loop);
	describe(&self->s, first, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	ASSERT_EQ(first, waitpid(first, NULL, 0));
	EXPECT_TRUE(hangs_up(&self->s));
	ASSERT_EQ(0, attach(&self->s, second, 0));
	EXPECT_FALSE(hangs_up(&self->s));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_FALSE(self->s.accounts.state & ACRPMU_STATE_ENDED);
	open_gate(second_gate);
	ASSERT_EQ(second, waitpid(second, NULL, 0));
	EXPECT_TRUE(hangs_up(&self->s));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_TRUE(counts(&self->s, 2 * LOOP_INSNS, 2 * SLACK));
}

TEST_F(attach, cpus_of_all_tasks_attached_to_a_parked_session_are_reserved_together)
{
	pid_t pid[2] = { child_at_gate(self->gate, 0, one_loop),
			 child_at_gate(self->gate, 1, one_loop) };
	unsigned int i;

	/* until the children have pinned themselves and wait */
	ASSERT_TRUE(wait_for(is_asleep(pid[0]) && is_asleep(pid[1])));
	describe(&self->s, pid[0], ACRPMU_SESSION_PARKED);
	self->s.arrives = true;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, attach(&self->s, pid[1], 0));
	ASSERT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	session_map(&self->s);
	for (i = 0; i < self->s.attr.nr_events; i++)
		self->s.truth[i] = session_truth(&self->s, i);
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(2, self->s.accounts.nr_cpus);
	open_gate(self->gate);
	waitpid(pid[0], NULL, 0);
	waitpid(pid[1], NULL, 0);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_TRUE(counts(&self->s, 2 * LOOP_INSNS, 2 * SLACK));
	EXPECT_EQ(0, self->s.accounts.time_missed_ns);
}

TEST_F(attach, session_that_counts_reserves_the_cpu_of_a_new_task_when_that_runs_there)
{
	pid_t pid[2] = { child_at_gate(self->gate, 0, one_loop),
			 child_at_gate(self->gate, 1, forever) };

	ASSERT_TRUE(wait_for(is_asleep(pid[0]) && is_asleep(pid[1])));
	describe(&self->s, pid[0], 0);
	self->s.arrives = true;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, attach(&self->s, pid[1], 0));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(1, self->s.accounts.nr_cpus);
	EXPECT_FALSE(self->s.accounts.state & ACRPMU_STATE_CPU_LOST);
	open_gate(self->gate);
	EXPECT_TRUE(wait_for(session_count(&self->s) > 10 * LOOP_INSNS));
	EXPECT_EQ(2, self->s.accounts.nr_cpus);
	end_child(pid[1]);
	waitpid(pid[0], NULL, 0);
}

/* ---- ATTACH while UNPARK reserves CPUs ---- */

#define ROUNDS	60

struct attacher {
	const struct session *s;
	pthread_barrier_t start;
	pid_t pid;
	int ret;
};

static void *attach_at_start(void *data)
{
	struct attacher *a = data;

	pthread_barrier_wait(&a->start);
	a->ret = attach(a->s, a->pid, 0);
	return NULL;
}

/* Returns what UNPARK does while @pid is attached. */
static int unpark_and_attach(struct session *s, pid_t pid)
{
	struct attacher a = { .s = s, .pid = pid };
	pthread_t thread;
	int ret;

	pthread_barrier_init(&a.start, NULL, 2);
	if (pthread_create(&thread, NULL, attach_at_start, &a))
		return -EAGAIN;
	pthread_barrier_wait(&a.start);
	ret = session_unpark(s);
	pthread_join(thread, NULL);
	pthread_barrier_destroy(&a.start);
	return ret ? ret : a.ret;
}

/* Each session reaches CPU 0, or none, when UNPARK begins, and CPU 1 some time later. */
TEST_F(attach, task_attached_while_cpus_are_reserved_makes_none_of_them_lost)
{
	pid_t pid[2] = { child_at_gate(self->gate, 0, one_loop),
			 child_at_gate(self->gate, 1, one_loop) };
	cpu_set_t cpus = { };
	int round;

	ASSERT_TRUE(wait_for(is_asleep(pid[0]) && is_asleep(pid[1])));
	CPU_SET(0, &cpus);
	CPU_SET(1, &cpus);
	ASSERT_EQ(0, sched_setaffinity(0, sizeof(cpus), &cpus));
	for (round = 0; round < ROUNDS; round++) {
		describe(&self->s, pid[0], ACRPMU_SESSION_PARKED | ACRPMU_SESSION_ARRIVE);
		if (round % 2)
			self->s.cpu_bits = 1U << 1;
		else
			self->s.arrives = true;
		ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
		ASSERT_EQ(0, unpark_and_attach(&self->s, pid[1]))
			TH_LOG("round %d: %s", round, session_refusal(&self->s));
		ASSERT_EQ(0, session_read(&self->s));
		ASSERT_FALSE(self->s.accounts.state & ACRPMU_STATE_CPU_LOST)
			TH_LOG("round %d", round);
		session_close(&self->s);
	}
	end_child(pid[0]);
	end_child(pid[1]);
}

TEST_HARNESS_MAIN
