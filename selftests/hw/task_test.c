// SPDX-License-Identifier: GPL-2.0-only
/* Task sessions: across CPUs, fork, clone, exec and exit, with exact counts of known loops. */
#include "work.h"
#include "records.h"
#include "kselftest_harness.h"

#include <pthread.h>
#include <spawn.h>

#define ITERATIONS	200000ULL
#define LOOP_INSNS	(ITERATIONS * WORK_INSNS)
#define PERIOD		20000

/*
 * User instructions of a child outside the loop: fork, the dynamic linker, exit.
 * A loop has 1200000, so that a lost or doubly counted child cannot hide.
 */
#define SLACK_PER_CHILD	400000ULL

/* Counts user instructions exactly, and also samples. */
static void describe(struct session *s, pid_t pid, unsigned int flags)
{
	session_task(s, pid, flags);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
}

FIXTURE(task) {
	struct session s;
	int gate[2];
};

FIXTURE_SETUP(task)
{
	ASSERT_EQ(0, pipe(self->gate));
	describe(&self->s, 0, 0);
}

FIXTURE_TEARDOWN(task)
{
	session_close(&self->s);
}

/* A child that waits at a gate before anything else. */
static pid_t child_at_gate(int gate[2], void (*work)(void))
{
	pid_t pid = fork();
	char byte;

	if (pid)
		return pid;
	close(gate[1]);
	if (read(gate[0], &byte, 1) != 0)
		_exit(1);
	work();
	_exit(0);
}

static void open_gate(int gate[2])
{
	close(gate[1]);
	close(gate[0]);
}

/* Check that the session's count fits this many loops, run by this many children. */
static bool counts_loops(const struct session *s, unsigned int loops, unsigned int children)
{
	uint64_t value = s->counts[0].value, exact = loops * LOOP_INSNS;

	if (value >= exact && value <= exact + children * SLACK_PER_CHILD)
		return true;
	fprintf(stderr, "# %lu instructions, the loops have %lu\n", value, exact);
	return false;
}

static void one_loop(void)
{
	work_fast(ITERATIONS);
}

static void hop_between_cpus(void)
{
	unsigned int i;

	for (i = 0; i < 50; i++) {
		pin_to(0, i & 1);
		work_fast(ITERATIONS / 50);
	}
}

TEST_F(task, is_followed_from_cpu_to_cpu)
{
	pid_t pid = child_at_gate(self->gate, hop_between_cpus);
	int status;

	self->s.attr.pid = pid;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_GE(self->s.counts[0].value, LOOP_INSNS);
	/* 50 calls of sched_setaffinity, and the exit of a process */
	EXPECT_LE(self->s.counts[0].value, LOOP_INSNS + 50000);
	EXPECT_TRUE(self->s.accounts.state & ACRPMU_STATE_ENDED);
}

static void fork_generations(void)
{
	int level;

	/* parent, child and grandchild: three loops */
	for (level = 0; level < 2; level++) {
		pid_t pid = fork();

		if (pid) {
			work_fast(ITERATIONS);
			waitpid(pid, NULL, 0);
			_exit(0);
		}
	}
	work_fast(ITERATIONS);
}

static void *thread_loop(void *arg)
{
	work_fast(ITERATIONS);
	return NULL;
}

static void four_threads(void)
{
	pthread_t thread[4];
	int i;

	for (i = 0; i < 4; i++)
		pthread_create(&thread[i], NULL, thread_loop, NULL);
	for (i = 0; i < 4; i++)
		pthread_join(thread[i], NULL);
}

static void spawn_loop(void)
{
	char *const argv[] = { "/proc/self/exe", "--loop", NULL };
	char *const envp[] = { NULL };
	pid_t pid;

	if (posix_spawn(&pid, argv[0], NULL, NULL, argv, envp))
		_exit(1);
	waitpid(pid, NULL, 0);
	/* posix_spawn is CLONE_VFORK; vfork itself and another loop in the child */
	pid = vfork();
	if (!pid) {
		execl("/proc/self/exe", "test", "--loop", NULL);
		_exit(1);
	}
	waitpid(pid, NULL, 0);
}

static void *exec_in_thread(void *arg)
{
	execl("/proc/self/exe", "test", "--loop", NULL);
	return NULL;
}

static void thread_that_execs(void)
{
	pthread_t thread;

	work_fast(ITERATIONS);
	pthread_create(&thread, NULL, exec_in_thread, NULL);
	pause();
}

FIXTURE(inherit) {
	struct session s;
	int gate[2];
};

FIXTURE_VARIANT(inherit) {
	void (*work)(void);
	unsigned int loops;
};

FIXTURE_VARIANT_ADD(inherit, grandchildren) { .work = fork_generations, .loops = 3 };

FIXTURE_VARIANT_ADD(inherit, threads) { .work = four_threads, .loops = 4 };

FIXTURE_VARIANT_ADD(inherit, spawn_and_vfork) { .work = spawn_loop, .loops = 2 };

FIXTURE_VARIANT_ADD(inherit, exec_in_a_thread) { .work = thread_that_execs, .loops = 2 };

FIXTURE_SETUP(inherit)
{
	ASSERT_EQ(0, pipe(self->gate));
}

FIXTURE_TEARDOWN(inherit)
{
	session_close(&self->s);
}

TEST_F(inherit, counts_the_sum_of_all)
{
	pid_t pid = child_at_gate(self->gate, variant->work);
	int status;

	describe(&self->s, pid, ACRPMU_SESSION_INHERIT);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_TRUE(counts_loops(&self->s, variant->loops, variant->loops));
	EXPECT_EQ(0, self->s.accounts.nr_tasks);
	EXPECT_EQ(0, self->s.accounts.inherit_failed);
}

TEST_F(task, without_inherit_only_the_task_itself_counts)
{
	pid_t pid = child_at_gate(self->gate, fork_generations);

	self->s.attr.pid = pid;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_TRUE(counts_loops(&self->s, 1, 1));
}

static void loop_then_exec(void)
{
	work_fast(10 * ITERATIONS);
	execl("/proc/self/exe", "test", "--loop", NULL);
}

TEST_F(task, starts_at_exec_and_not_before)
{
	pid_t pid = child_at_gate(self->gate, loop_then_exec);
	int status;

	describe(&self->s, pid, ACRPMU_SESSION_INHERIT | ACRPMU_SESSION_ENABLE_ON_EXEC);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	open_gate(self->gate);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_TRUE(counts_loops(&self->s, 1, 1));
}

#define EXECS	20

static void exec_loop(void)
{
	execl("/proc/self/exe", "test", "--loop", NULL);
}

TEST_F(task, starts_at_an_exec_during_resets)
{
	unsigned int i;

	for (i = 0; i < EXECS; i++) {
		struct session s;
		int gate[2];
		pid_t pid;

		ASSERT_EQ(0, pipe(gate));
		pid = child_at_gate(gate, exec_loop);
		describe(&s, pid, ACRPMU_SESSION_INHERIT | ACRPMU_SESSION_ENABLE_ON_EXEC);
		ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
		open_gate(gate);
		do {
			ASSERT_EQ(0, session_ctl(&s, ACRPMU_RESET));
		} while (!waitpid(pid, NULL, WNOHANG));
		ASSERT_EQ(0, session_read(&s));
		EXPECT_TRUE(s.accounts.state & ACRPMU_STATE_ENABLED);
		session_close(&s);
	}
}

TEST_F(task, can_be_attached_while_it_runs)
{
	uint64_t first;
	pid_t pid = fork();

	if (!pid)
		for (;;)
			work_fast(1000);
	pin_to(pid, 1);
	EXPECT_TRUE(wait_for(task_state(pid, pid) == 'R'));
	self->s.attr.pid = pid;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_TRUE(wait_for(session_count(&self->s) > 1000000));
	first = self->s.counts[0].value;
	EXPECT_TRUE(wait_for(session_count(&self->s) > first));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_GT(self->s.counts[0].value, first);
	EXPECT_EQ(1, self->s.accounts.nr_tasks);
	EXPECT_ACCOUNTED(&self->s);
	end_child(pid);
}

#define ATTEMPTS	25

TEST_F(task, that_exits_while_it_is_attached_is_refused_or_ended)
{
	unsigned int i, refused = 0, made = 0;
	struct session s;
	int ret;

	for (i = 0; i < ATTEMPTS; i++) {
		pid_t pid = fork();

		/* Exits long before, in the middle, or not at all */
		if (!pid) {
			usleep(i * 10000);
			if (i == ATTEMPTS - 1)
				pause();
			_exit(0);
		}
		if (!i)
			waitpid(pid, NULL, 0);
		describe(&s, pid, ACRPMU_SESSION_INHERIT);
		ret = session_make(&s);
		if (ret) {
			EXPECT_EQ(-ESRCH, ret);
			EXPECT_EQ(ACRPMU_REASON_TASK, s.attr.error.reason);
			refused++;
		} else {
			made++;
			EXPECT_EQ(0, session_enable(&s));
			end_child(pid);
			EXPECT_EQ(0, session_finish(&s, NULL, NULL));
			EXPECT_TRUE(s.accounts.state & ACRPMU_STATE_ENDED);
			EXPECT_ACCOUNTED(&s);
		}
		session_close(&s);
		waitpid(pid, NULL, 0);
	}
	EXPECT_GT(refused, 0);
	EXPECT_GT(made, 0);
}

#define MANY_CHILDREN	500

static void many_children(void)
{
	unsigned int i;

	for (i = 0; i < MANY_CHILDREN; i++) {
		pid_t pid = fork();

		if (!pid) {
			work_fast(ITERATIONS / 100);
			_exit(0);
		}
		/* Some ten live at a time, on both CPUs */
		if (i % 10 == 9)
			while (waitpid(-1, NULL, 0) > 0)
				;
	}
	while (waitpid(-1, NULL, 0) > 0)
		;
}

TEST_F(task, with_five_hundred_short_lived_children_misses_none)
{
	const uint64_t loops = MANY_CHILDREN * LOOP_INSNS / 100;
	pid_t pid = child_at_gate(self->gate, many_children);

	describe(&self->s, pid, ACRPMU_SESSION_INHERIT);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_GE(self->s.counts[0].value, loops);
	EXPECT_LE(self->s.counts[0].value, loops + MANY_CHILDREN * 6000ULL);
	EXPECT_EQ(0, self->s.accounts.nr_tasks);
}

/* Branches by task id: a sample must name the task that ran. */
struct owners {
	pid_t pid[2];
	uint64_t of[2], others;
};

static void note_owner(const struct sample *sample, void *data)
{
	struct owners *o = data;

	if (sample->pid == (uint32_t)o->pid[0])
		o->of[0]++;
	else if (sample->pid == (uint32_t)o->pid[1])
		o->of[1]++;
	else
		o->others++;
}

TEST_F(task, sessions_on_one_cpu_each_count_their_own_task)
{
	struct owners owners[2] = { 0 };
	struct session s[2];
	pid_t pid[2];
	int i;

	for (i = 0; i < 2; i++)
		pid[i] = child_at_gate(self->gate, one_loop);
	for (i = 0; i < 2; i++) {
		pin_to(pid[i], 1);
		describe(&s[i], pid[i], 0);
		ASSERT_EQ(0, session_make(&s[i])) TH_LOG("%s", session_refusal(&s[i]));
		ASSERT_EQ(0, session_enable(&s[i]));
		owners[i].pid[0] = pid[i];
		owners[i].pid[1] = pid[!i];
	}
	open_gate(self->gate);
	for (i = 0; i < 2; i++)
		waitpid(pid[i], NULL, 0);
	for (i = 0; i < 2; i++) {
		ASSERT_EQ(0, session_finish(&s[i], note_owner, &owners[i]));
		EXPECT_ACCOUNTED(&s[i]);
		EXPECT_GE(s[i].counts[0].value, LOOP_INSNS);
		EXPECT_LE(s[i].counts[0].value, LOOP_INSNS + 20000);
		EXPECT_GE(owners[i].of[0], ITERATIONS / PERIOD - 1);
		EXPECT_EQ(0, owners[i].of[1]);
		EXPECT_EQ(0, owners[i].others);
		session_close(&s[i]);
	}
}

TEST_F(task, can_be_counted_on_some_cpus_only)
{
	pid_t pid = child_at_gate(self->gate, hop_between_cpus);

	self->s.attr.pid = pid;
	self->s.cpu_bits = 2;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_GE(self->s.counts[0].value, LOOP_INSNS / 2 - 10000);
	EXPECT_LE(self->s.counts[0].value, LOOP_INSNS / 2 + 50000);
}

int main(int argc, char **argv)
{
	/* What the tests exec: one loop */
	if (argc == 2 && !strcmp(argv[1], "--loop")) {
		work_fast(ITERATIONS);
		return 0;
	}
	return test_harness_run(argc, argv);
}
