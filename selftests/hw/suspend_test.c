// SPDX-License-Identifier: GPL-2.0-only
/* System suspend: every register is released before it, and reserved again after it. */
#include "work.h"
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/sem.h>
#include "offcore.h"
#include "records.h"
#include "kselftest_harness.h"

#define POWER_STATE	"/sys/power/state"
#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define PERIOD		100000
#define NR_CPUS_USED	2
#define BOTH_CPUS	0x3

/* Writes of the module to a register of a CPU, by the model CPU */
static uint64_t writes(int cpu, uint32_t msr)
{
	return oracle_get(ORACLE_ACCESSES, cpu,
			  oracle_accesses_arg(msr, ORACLE_WR, ORACLE_ORIGIN_ANY, ORACLE_ANY_TIME));
}

static bool get_paranoid(char value[8])
{
	int fd = open(PARANOID, O_RDONLY);
	bool got = fd >= 0 && read(fd, value, 7) > 0;

	if (fd >= 0)
		close(fd);
	return got;
}

static bool set_paranoid(const char *value)
{
	int fd = open(PARANOID, O_WRONLY);
	bool set = fd >= 0 && write(fd, value, strlen(value)) == (ssize_t)strlen(value);

	if (fd >= 0)
		close(fd);
	return set;
}

/*
 * The guest's file systems cannot suspend, so the kernel aborts half way; by then it has notified
 * every driver of the suspend, and then notifies them of the resume.
 */
static bool sleep_and_wake_by(int fd)
{
	return write(fd, "freeze", 6) == 6 || errno == EOPNOTSUPP;
}

static bool sleep_and_wake(void)
{
	int fd = open(POWER_STATE, O_WRONLY);
	bool tried = fd >= 0 && sleep_and_wake_by(fd);

	if (fd >= 0)
		close(fd);
	return tried;
}

/* The same by a process without any capability, which was given the descriptor. */
static bool sleep_and_wake_unprivileged(void)
{
	int status = -1, fd = open(POWER_STATE, O_WRONLY);
	pid_t pid = fork();

	if (!pid)
		_exit(fd < 0 || setresuid(65534, 65534, 65534) || !sleep_and_wake_by(fd));
	if (fd >= 0)
		close(fd);
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status;
}

/* The next stop of a traced child, by that signal; it continues to there with @request. */
static bool stops_by(pid_t pid, enum __ptrace_request request, int sig)
{
	int status;

	return !ptrace(request, pid, NULL, NULL) && waitpid(pid, &status, 0) == pid &&
	       WIFSTOPPED(status) && WSTOPSIG(status) == sig;
}

/* The same in a child to which a signal has come when the write begins, and is there at its end. */
static bool sleep_and_wake_with_signal(void)
{
	int status;
	pid_t pid = fork();

	if (!pid) {
		/* the stop is at the end of the last call before open() */
		ptrace(PTRACE_TRACEME, 0, NULL, NULL);
		kill(getpid(), SIGSTOP);
		_exit(!sleep_and_wake());
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFSTOPPED(status))
		return false;
	/* open() and write(), at the beginning and the end of each */
	if (!stops_by(pid, PTRACE_SYSCALL, SIGTRAP) || !stops_by(pid, PTRACE_SYSCALL, SIGTRAP) ||
	    !stops_by(pid, PTRACE_SYSCALL, SIGTRAP) || kill(pid, SIGALRM) ||
	    !stops_by(pid, PTRACE_SYSCALL, SIGTRAP) || !stops_by(pid, PTRACE_CONT, SIGALRM) ||
	    ptrace(PTRACE_CONT, pid, NULL, NULL)) {
		end_child(pid);
		return false;
	}
	return waitpid(pid, &status, 0) == pid && WIFEXITED(status) && !WEXITSTATUS(status);
}

FIXTURE(suspend) {
	struct session s, other;
	char paranoid[8];
	const struct offcore_cpu *cpu;
};

FIXTURE_SETUP(suspend)
{
	session_task(&self->s, 0, 0);
	session_task(&self->other, 0, 0);
	self->cpu = offcore_cpu();
	ASSERT_TRUE(get_paranoid(self->paranoid));
}

FIXTURE_TEARDOWN(suspend)
{
	session_close(&self->s);
	session_close(&self->other);
	set_paranoid(self->paranoid);
}

TEST_F(suspend, releases_each_register_and_reserves_it_again)
{
	uint64_t before[NR_CPUS_USED], found[NR_CPUS_USED], counted;
	int cpu;

	if (!self->cpu)
		SKIP(return, "this CPU has no offcore response registers");
	for (cpu = 0; cpu < NR_CPUS_USED; cpu++)
		found[cpu] = offcore_reg(cpu, MSR_RSP_0);
	session_cpus(&self->s, BOTH_CPUS);
	offcore_event(&self->s, EV_OFFCORE_0, RSP_ANY | RSP_DATA_RD, USER);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(100000);
	ASSERT_EQ(0, session_read(&self->s));
	counted = self->s.counts[1].value;
	for (cpu = 0; cpu < NR_CPUS_USED; cpu++)
		before[cpu] = writes(cpu, MSR_RSP_0);

	ASSERT_TRUE(sleep_and_wake()) TH_LOG("%s: %s", POWER_STATE, strerror(errno));
	for (cpu = 0; cpu < NR_CPUS_USED; cpu++) {
		/* the value found, then the session's again */
		EXPECT_EQ(before[cpu] + 2, writes(cpu, MSR_RSP_0));
		EXPECT_EQ(RSP_ANY | RSP_DATA_RD, offcore_reg(cpu, MSR_RSP_0));
	}
	work_fast(100000);
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->s.accounts.state);
	EXPECT_EQ(NR_CPUS_USED, self->s.accounts.nr_cpus);
	EXPECT_LE(counted + 100000 * WORK_INSNS, self->s.counts[1].value);
	session_close(&self->s);
	for (cpu = 0; cpu < NR_CPUS_USED; cpu++)
		EXPECT_EQ(found[cpu], offcore_reg(cpu, MSR_RSP_0));
}

TEST_F(suspend, is_survived_by_samples_of_a_task)
{
	session_event(&self->s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(5 * PERIOD);
	ASSERT_TRUE(sleep_and_wake()) TH_LOG("%s: %s", POWER_STATE, strerror(errno));
	work_fast(5 * PERIOD);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_FALSE(self->s.accounts.state & ACRPMU_STATE_CPU_LOST);
	EXPECT_EQ(10, self->s.counts[0].overflows);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(suspend, is_survived_by_periods_that_were_changed)
{
	uint64_t periods[] = { 2 * PERIOD };
	struct acrpmu_set_periods set = {
		.size = sizeof(set), .periods = (uintptr_t)periods, .nr_periods = 1,
	};

	session_event(&self->s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, ioctl(self->s.fd, ACRPMU_SET_PERIODS, &set));
	ASSERT_TRUE(sleep_and_wake()) TH_LOG("%s: %s", POWER_STATE, strerror(errno));
	ASSERT_EQ(0, session_query(&self->s));
	EXPECT_EQ((uint32_t)(-2 * PERIOD), (uint32_t)self->s.hw[0].start);
	work_fast(11 * PERIOD);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_EQ(5, self->s.counts[0].overflows);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(suspend, is_survived_whoever_has_begun_it)
{
	session_cpus(&self->s, BOTH_CPUS);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_TRUE(set_paranoid("2"));
	EXPECT_TRUE(sleep_and_wake_unprivileged());
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->s.accounts.state);
	EXPECT_EQ(NR_CPUS_USED, self->s.accounts.nr_cpus);
}

/* It does not end the wait for the CPUs to be clean, which would leave them unreserved. */
TEST_F(suspend, is_survived_while_a_signal_is_pending)
{
	session_cpus(&self->s, BOTH_CPUS);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_TRUE(sleep_and_wake_with_signal());
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->s.accounts.state);
	EXPECT_EQ(NR_CPUS_USED, self->s.accounts.nr_cpus);
}

/* The first in the list unparked last: a new choice would take what only the other can use. */
TEST_F(suspend, leaves_each_session_the_registers_and_counters_it_had)
{
	int cntr[2];

	if (!self->cpu)
		SKIP(return, "this CPU has no offcore response registers");
	session_cpus(&self->s, BOTH_CPUS);
	self->s.attr.flags |= ACRPMU_SESSION_PARKED;
	offcore_event(&self->s, EV_OFFCORE_0, RSP_ANY | RSP_DATA_RD, USER);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	session_cpus(&self->other, BOTH_CPUS);
	offcore_event(&self->other, EV_OFFCORE_0, self->cpu->outstanding | RSP_DATA_RD, USER);
	offcore_event(&self->other, EV_OFFCORE_1, RSP_ANY | RSP_DATA_RD, USER);
	ASSERT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	ASSERT_EQ(0, session_unpark(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(MSR_RSP_1, self->s.hw[0].extra_msr);
	cntr[0] = self->s.hw[0].cntr;
	cntr[1] = self->other.hw[0].cntr;

	ASSERT_TRUE(sleep_and_wake()) TH_LOG("%s: %s", POWER_STATE, strerror(errno));
	ASSERT_EQ(0, session_query(&self->s));
	ASSERT_EQ(0, session_query(&self->other));
	EXPECT_EQ(MSR_RSP_1, self->s.hw[0].extra_msr);
	EXPECT_EQ(cntr[0], self->s.hw[0].cntr);
	EXPECT_EQ(MSR_RSP_0, self->other.hw[0].extra_msr);
	EXPECT_EQ(cntr[1], self->other.hw[0].cntr);
	ASSERT_EQ(0, session_read(&self->other));
	EXPECT_EQ(0, self->other.accounts.state);
	EXPECT_EQ(NR_CPUS_USED, self->other.accounts.nr_cpus);
}

/* ---- a session in the middle of it ---- */

/* Parent and child share it. */
struct attempt {
	int sem;
	int ret;
	struct session s;
};

static void describe(struct session *s)
{
	session_cpus(s, BOTH_CPUS);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
}

/* The wait ends when the kernel freezes all tasks, and the child goes on when it thaws them. */
static void try_when_thawed(struct attempt *attempt)
{
	struct sched_param first = { .sched_priority = 1 };
	struct sembuf wait = { .sem_op = -1 };

	if (sched_setscheduler(0, SCHED_FIFO, &first) || !semop(attempt->sem, &wait, 1) ||
	    errno != EINTR)
		_exit(1);
	describe(&attempt->s);
	attempt->ret = session_make(&attempt->s);
	_exit(0);
}

/*
 * Whoever sleeps thaws all tasks, lets them run, and then tells drivers that the sleep is over.  On
 * its CPU the child comes first.
 */
TEST_F(suspend, refuses_sessions_until_it_is_over)
{
	struct attempt *attempt = mmap(NULL, sizeof(*attempt), PROT_READ | PROT_WRITE,
				       MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status = -1;
	pid_t pid;

	ASSERT_NE(MAP_FAILED, attempt);
	ASSERT_EQ(0, pin_to(0, 0));
	attempt->sem = semget(IPC_PRIVATE, 1, 0600);
	ASSERT_LE(0, attempt->sem);
	pid = fork();
	if (!pid)
		try_when_thawed(attempt);
	ASSERT_TRUE(wait_for(task_state(pid, pid) == 'S'));
	EXPECT_TRUE(sleep_and_wake()) TH_LOG("%s: %s", POWER_STATE, strerror(errno));
	/* where it did not freeze, this ends the wait, and the child fails */
	EXPECT_EQ(0, semctl(attempt->sem, 0, IPC_RMID));
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	ASSERT_EQ(0, status);
	EXPECT_EQ(-EBUSY, attempt->ret);
	EXPECT_EQ(ACRPMU_REASON_SUSPEND, attempt->s.attr.error.reason)
		TH_LOG("%s", session_refusal(&attempt->s));
	describe(&self->s);
	EXPECT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	munmap(attempt, sizeof(*attempt));
}

TEST_HARNESS_MAIN
