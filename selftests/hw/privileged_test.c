// SPDX-License-Identifier: GPL-2.0-only
/* Tasks that execute a privileged program: nothing of it is counted or sampled, by any session. */
#include "work.h"
#include "records.h"
#include "kselftest_harness.h"

#include <poll.h>
#include <pthread.h>
#include <sys/stat.h>

#define NOBODY		65534
#define ITERATIONS	200000ULL
#define LOOP_INSNS	(ITERATIONS * WORK_INSNS)
/* Branches, one of them in each iteration */
#define PERIOD		20000ULL
/* Instructions of a task outside the loop until it executes a program; a dynamic linker has more */
#define SLACK		20000ULL
/* Exit status of a task that could not execute the program */
#define NOT_EXECUTED	99
#define PROGRAM		"/run/acrpmu-privileged"

struct seen {
	uint64_t loop;
	uint64_t elsewhere;
};

static void note_sample(const struct sample *sample, void *data)
{
	struct seen *seen = data;

	if (in_fast(sample->ip))
		seen->loop++;
	else
		seen->elsewhere++;
}

/* Install a copy of this program; returns whether it has the mode then. */
static bool install(mode_t mode)
{
	char command[128];
	struct stat st;

	snprintf(command, sizeof(command), "cp --remove-destination /proc/%d/exe " PROGRAM,
		 getpid());
	return !system(command) && !chmod(PROGRAM, mode) && !stat(PROGRAM, &st) &&
	       (st.st_mode & 07777) == mode && !st.st_uid;
}

static void become(uid_t uid)
{
	if (setresgid(uid, uid, uid) || setresuid(uid, uid, uid))
		_exit(1);
}

static void *execute(void *arg)
{
	execl(PROGRAM, "privileged", "--program", NULL);
	_exit(NOT_EXECUTED);
}

static void *execute_in_thread(void *arg)
{
	pthread_t thread;

	pthread_create(&thread, NULL, execute, NULL);
	pause();
	return NULL;
}

/* What the privileged program does: it also has a child, and executes an ordinary program. */
static int run_program(void)
{
	pid_t pid = fork();

	work_fast(ITERATIONS);
	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
	become(getuid());
	execl("/proc/self/exe", "privileged", "--loop", NULL);
	/* A program that its user may not read has no such link for him. */
	work_fast(ITERATIONS);
	return 0;
}

FIXTURE(privileged) {
	struct session s[2];
	int gate[2];
	pid_t pid;
};

FIXTURE_VARIANT(privileged) {
	mode_t mode;
	unsigned int flags;
	bool reload;
	bool inherited;
	bool thread;
};

FIXTURE_VARIANT_ADD(privileged, set_uid) { .mode = 04755 };

FIXTURE_VARIANT_ADD(privileged, set_gid) { .mode = 02755 };

FIXTURE_VARIANT_ADD(privileged, unreadable) { .mode = 0711 };

FIXTURE_VARIANT_ADD(privileged, under_a_reload_pair) { .mode = 04755, .reload = true };

FIXTURE_VARIANT_ADD(privileged, with_inherit) { .mode = 04755, .flags = ACRPMU_SESSION_INHERIT };

FIXTURE_VARIANT_ADD(privileged, in_a_child) {
	.mode = 04755, .flags = ACRPMU_SESSION_INHERIT, .inherited = true,
};

FIXTURE_VARIANT_ADD(privileged, in_a_thread) {
	.mode = 04755, .flags = ACRPMU_SESSION_INHERIT, .thread = true,
};

/* A user's task that works and then executes the program, by itself or by a child or thread. */
static pid_t child_at_gate(int gate[2], bool inherited, bool thread)
{
	pid_t pid = fork();
	char byte;

	if (pid)
		return pid;
	close(gate[1]);
	become(NOBODY);
	if (read(gate[0], &byte, 1) != 0)
		_exit(1);
	if (inherited && fork()) {
		wait(NULL);
		_exit(0);
	}
	work_fast(ITERATIONS);
	if (thread)
		execute_in_thread(NULL);
	else
		execute(NULL);
	return 0;
}

static void describe(struct session *s, pid_t pid, unsigned int flags, bool reload)
{
	session_task(s, pid, flags);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	if (reload) {
		session_event(s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0x4);
		session_event(s, EV_BRMISSES, USER, 1000000, 0x6);
	} else {
		session_event(s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
	}
}

FIXTURE_SETUP(privileged)
{
	ASSERT_TRUE(install(variant->mode));
	ASSERT_EQ(0, pipe(self->gate));
	self->pid = child_at_gate(self->gate, variant->inherited, variant->thread);
}

FIXTURE_TEARDOWN(privileged)
{
	session_close(&self->s[0]);
	session_close(&self->s[1]);
	end_child(self->pid);
}

static int open_gate_and_wait(FIXTURE_DATA(privileged) *self)
{
	int status = -1;

	close(self->gate[1]);
	waitpid(self->pid, &status, 0);
	self->pid = 0;
	return status;
}

static bool hung_up(const struct session *s)
{
	struct pollfd p = { .fd = s->fd, .events = POLLIN };

	return poll(&p, 1, 0) == 1 && p.revents & POLLHUP;
}

/*
 * Without reload, tasks of a session that take turns on a CPU end each other's periods.  Then the
 * parts of a period that two tasks leave may add up to a whole one, for which there is no sample.
 */
#define SHARED_PERIOD	1

/* Everything of the ordinary program, and nothing else; but @less samples */
static void expect_until_exec(struct __test_metadata *_metadata, struct session *s,
			      unsigned int less)
{
	struct seen seen = { 0 };

	EXPECT_TRUE(hung_up(s));
	ASSERT_EQ(0, session_finish(s, note_sample, &seen));
	EXPECT_ACCOUNTED(s);
	EXPECT_LE(ITERATIONS / PERIOD - less, seen.loop);
	EXPECT_GE(ITERATIONS / PERIOD, seen.loop);
	EXPECT_EQ(0, seen.elsewhere);
	EXPECT_GE(s->counts[0].value, LOOP_INSNS);
	EXPECT_LE(s->counts[0].value, LOOP_INSNS + SLACK);
	EXPECT_TRUE(s->accounts.state & ACRPMU_STATE_PRIVILEGED_EXEC);
	EXPECT_TRUE(s->accounts.state & ACRPMU_STATE_ENDED);
	EXPECT_EQ(0, s->accounts.nr_tasks);
}

TEST_F(privileged, program_ends_every_session_for_its_task)
{
	int i;

	/* Those of a program that may count anything, and of one that only holds descriptors */
	for (i = 0; i < 2; i++) {
		describe(&self->s[i], self->pid, variant->flags, variant->reload && !i);
		ASSERT_EQ(0, session_make(&self->s[i])) TH_LOG("%s", session_refusal(&self->s[i]));
		ASSERT_EQ(0, session_enable(&self->s[i]));
	}
	ASSERT_EQ(0, open_gate_and_wait(self));
	become(NOBODY);
	for (i = 0; i < 2; i++)
		expect_until_exec(_metadata, &self->s[i], variant->inherited ? SHARED_PERIOD : 0);
}

TEST_F(privileged, program_does_not_enable_a_session)
{
	struct session *s = &self->s[0];

	describe(s, self->pid, variant->flags | ACRPMU_SESSION_ENABLE_ON_EXEC, variant->reload);
	ASSERT_EQ(0, session_make(s)) TH_LOG("%s", session_refusal(s));
	ASSERT_EQ(0, open_gate_and_wait(self));
	ASSERT_EQ(0, session_finish(s, NULL, NULL));
	EXPECT_ACCOUNTED(s);
	EXPECT_EQ(0, s->counts[0].value);
	EXPECT_EQ(0, s->records);
	EXPECT_TRUE(s->accounts.state & ACRPMU_STATE_PRIVILEGED_EXEC);
}

/* The parent of the task waits on the same CPU, and then works there itself. */
TEST_F(privileged, program_leaves_other_tasks_of_the_session_alone)
{
	struct session *s = &self->s[0];
	struct seen seen = { 0 };
	pid_t child;

	ASSERT_EQ(0, pin_to(0, 1));
	describe(s, 0, ACRPMU_SESSION_INHERIT, variant->reload);
	ASSERT_EQ(0, session_make(s)) TH_LOG("%s", session_refusal(s));
	ASSERT_EQ(0, session_enable(s));
	child = fork();
	if (!child) {
		become(NOBODY);
		work_fast(ITERATIONS);
		execute(NULL);
	}
	waitpid(child, NULL, 0);
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_finish(s, note_sample, &seen));
	EXPECT_ACCOUNTED(s);
	EXPECT_GE(seen.loop + seen.elsewhere,
		  2 * ITERATIONS / PERIOD - (variant->reload ? 0 : SHARED_PERIOD))
		TH_LOG("%llu lost, %llu throttled, %llu discarded", s->accounts.lost,
		       s->accounts.throttled, s->accounts.discarded);
	EXPECT_LE(seen.loop + seen.elsewhere, 2 * ITERATIONS / PERIOD + 1);
	EXPECT_GE(s->counts[0].value, 2 * LOOP_INSNS);
	EXPECT_LE(s->counts[0].value, 2 * (LOOP_INSNS + SLACK));
	EXPECT_TRUE(s->accounts.state & ACRPMU_STATE_PRIVILEGED_EXEC);
	EXPECT_FALSE(s->accounts.state & ACRPMU_STATE_ENDED);
	EXPECT_EQ(1, s->accounts.nr_tasks);
}

/* For root, set-uid root is no more privilege. */
TEST(set_uid_program_of_the_same_user_is_followed)
{
	struct session s;
	int gate[2];
	char byte;
	pid_t pid;

	ASSERT_TRUE(install(04755));
	ASSERT_EQ(0, pipe(gate));
	pid = fork();
	if (!pid) {
		close(gate[1]);
		if (read(gate[0], &byte, 1) != 0)
			_exit(1);
		execl(PROGRAM, "privileged", "--loop", NULL);
		_exit(NOT_EXECUTED);
	}
	describe(&s, pid, 0, false);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	close(gate[1]);
	waitpid(pid, NULL, 0);
	ASSERT_EQ(0, session_finish(&s, NULL, NULL));
	EXPECT_ACCOUNTED(&s);
	EXPECT_GE(s.counts[0].value, LOOP_INSNS);
	EXPECT_FALSE(s.accounts.state & ACRPMU_STATE_PRIVILEGED_EXEC);
	session_close(&s);
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "--program"))
		return run_program();
	if (argc == 2 && !strcmp(argv[1], "--loop")) {
		work_fast(ITERATIONS);
		return 0;
	}
	return test_harness_run(argc, argv);
}
