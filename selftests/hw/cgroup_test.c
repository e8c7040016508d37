// SPDX-License-Identifier: GPL-2.0-only
/* Sessions of a cgroup: tasks of it and of those below are counted exactly, others are not. */
#include "work.h"
#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include "file.h"
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

#define ITERATIONS	200000ULL
#define LOOP_INSNS	(ITERATIONS * WORK_INSNS)
#define PERIOD		20000
/* User instructions of a child outside of the loop; a loop has 1200000 */
#define SLACK		60000ULL
#define GROUPS		"/tmp/acrpmu_groups/"
#define GROUP		GROUPS "observed/"
#define BELOW		GROUP "below/"
#define OTHER		GROUPS "other/"
#define MOVES		100ULL

FIXTURE(cgroup) {
	struct session s;
	int gate[2];
};

static bool move_to(const char *group, pid_t pid)
{
	char path[64], number[16];

	snprintf(path, sizeof(path), "%scgroup.procs", group);
	snprintf(number, sizeof(number), "%d", pid);
	return !write_text(path, number);
}

/* The descriptor is closed again: the session has the cgroup itself. */
static int make(struct session *s, const char *group, unsigned int levels)
{
	int ret;

	session_cpus(s, 0x3);
	session_event(s, EV_INSNS, levels | COUNT, 0, 0);
	session_event(s, EV_BRANCHES, levels | SAMPLED, possible_period(PERIOD, levels), 0);
	s->attr.flags |= ACRPMU_SESSION_CGROUP;
	s->attr.pid = open(group, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ret = session_make(s);
	close(s->attr.pid);
	return ret;
}

#define WORKERS		"/sys/devices/virtual/workqueue/cpumask"

/* What leave_alone() keeps off its CPU */
static char workers[256];
static pid_t kept_off[1024];
static unsigned int nr_kept_off;

/* False if there are more than can be undone */
static bool keep_off(pid_t pid, int cpu)
{
	cpu_set_t cpus;

	/* It may have ended. */
	if (sched_getaffinity(pid, sizeof(cpus), &cpus) || !CPU_ISSET(cpu, &cpus))
		return true;
	if (nr_kept_off == ARRAY_SIZE(kept_off))
		return false;
	CPU_CLR(cpu, &cpus);
	/* Threads that the kernel has bound stay. */
	if (!sched_setaffinity(pid, sizeof(cpus), &cpus))
		kept_off[nr_kept_off++] = pid;
	return true;
}

/* Only bound threads of the kernel, and what starts later, still run there; workers on CPU 0 */
static bool leave_alone(int cpu)
{
	FILE *f = fopen(WORKERS, "re");
	DIR *dir = opendir("/proc");
	struct dirent *entry;
	bool done = dir && f;

	while (done && (entry = readdir(dir)))
		if (atoi(entry->d_name) > 0)
			done = keep_off(atoi(entry->d_name), cpu);
	done = done && fgets(workers, sizeof(workers), f) && !write_text(WORKERS, "1");
	if (dir)
		closedir(dir);
	if (f)
		fclose(f);
	return done;
}

/* Undoes leave_alone() */
static void use_again(int cpu)
{
	cpu_set_t cpus;

	if (workers[0])
		write_text(WORKERS, workers);
	while (nr_kept_off) {
		pid_t pid = kept_off[--nr_kept_off];

		if (sched_getaffinity(pid, sizeof(cpus), &cpus))
			continue;
		CPU_SET(cpu, &cpus);
		sched_setaffinity(pid, sizeof(cpus), &cpus);
	}
}

FIXTURE_SETUP(cgroup)
{
	self->s.fd = -1;
	ASSERT_EQ(0, pipe(self->gate));
	ASSERT_EQ(0, pin_to(0, 0));
	ASSERT_TRUE(!mkdir(GROUPS, 0700) || errno == EEXIST);
	ASSERT_EQ(0, mount("none", GROUPS, "cgroup2", 0, NULL));
	ASSERT_EQ(0, mkdir(GROUP, 0700));
	ASSERT_EQ(0, mkdir(BELOW, 0700));
	ASSERT_EQ(0, mkdir(OTHER, 0700));
}

FIXTURE_TEARDOWN(cgroup)
{
	session_close(&self->s);
	rmdir(BELOW);
	rmdir(GROUP);
	rmdir(OTHER);
	umount(GROUPS);
	rmdir(GROUPS);
	use_again(1);
}

/*
 * A child of a cgroup, on a CPU, that waits at a gate before it works.  It sleeps there when this
 * returns: it is switched to when the gate opens, while a move of a running task is noticed later.
 */
static pid_t child_of(const char *group, int cpu, int gate[2], void (*work)(void))
{
	int ready[2];
	pid_t pid;
	char byte;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid) {
		if (pin_to(0, cpu) || !move_to(group, 0) || write(ready[1], "", 1) != 1 ||
		    read(gate[0], &byte, 1) != 1)
			_exit(1);
		work();
		_exit(0);
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1 || !wait_for(task_state(pid, pid) == 'S'))
		fprintf(stderr, "# child %d does not wait at the gate\n", pid);
	close(ready[0]);
	return pid;
}

static void open_gate(int gate[2])
{
	static const char bytes[8];

	if (write(gate[1], bytes, sizeof(bytes)) != sizeof(bytes))
		perror("# gate");
}

static void one_loop(void)
{
	work_fast(ITERATIONS);
}

static void forever(void)
{
	for (;;)
		work_fast(ITERATIONS);
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

#define wait_for_work(pid) ({								\
	uint64_t _from = cpu_ns(pid);							\
											\
	wait_for(cpu_ns(pid) > _from + 20000000);					\
})

TEST_F(cgroup, tasks_of_it_and_below_are_counted_exactly_and_no_others)
{
	pid_t pid[5];
	int i, status;

	ASSERT_EQ(0, make(&self->s, GROUP, USER)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	pid[0] = child_of(GROUP, 0, self->gate, one_loop);
	pid[1] = child_of(BELOW, 1, self->gate, one_loop);
	pid[2] = child_of(OTHER, 0, self->gate, one_loop);
	pid[3] = child_of(OTHER, 1, self->gate, one_loop);
	pid[4] = child_of(GROUPS, 1, self->gate, one_loop);
	open_gate(self->gate);
	for (i = 0; i < 5; i++) {
		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status);
	}
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_LE(2 * LOOP_INSNS, self->s.counts[0].value);
	EXPECT_GE(2 * LOOP_INSNS + 2 * SLACK, self->s.counts[0].value);
	/* a branch in each iteration */
	EXPECT_LE(2 * ITERATIONS / PERIOD - 2, self->s.counts[1].overflows);
	EXPECT_LT(0, self->s.accounts.time_running_ns);
	EXPECT_GT(self->s.accounts.time_enabled_ns, self->s.accounts.time_running_ns);
}

TEST_F(cgroup, nothing_is_counted_while_it_has_no_task)
{
	ASSERT_EQ(0, make(&self->s, GROUP, USER | KERNEL)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(ITERATIONS);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_EQ(0, self->s.counts[0].value);
	EXPECT_EQ(0, self->s.counts[1].overflows);
	EXPECT_EQ(0, self->s.accounts.time_running_ns);
}

TEST_F(cgroup, task_that_moves_while_it_runs_is_counted_from_then_on_and_until_it_leaves)
{
	pid_t pid = child_of(GROUPS, 1, self->gate, forever);
	uint64_t before, after;

	ASSERT_EQ(0, make(&self->s, GROUP, USER)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	ASSERT_TRUE(wait_for_work(pid));
	EXPECT_EQ(0, session_count(&self->s));
	ASSERT_TRUE(move_to(BELOW, pid));
	EXPECT_TRUE(wait_for(session_count(&self->s) > 10 * LOOP_INSNS));
	ASSERT_TRUE(move_to(OTHER, pid));
	/* a moment later at most */
	ASSERT_TRUE(wait_for_work(pid));
	before = session_count(&self->s);
	ASSERT_TRUE(wait_for_work(pid));
	after = session_count(&self->s);
	EXPECT_EQ(before, after);
	end_child(pid);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
}

#define TRACING		"/sys/kernel/tracing/"
#define PROBE		"acrpmu_looks"

/* The module's function that runs on a CPU which is called after a move */
static bool count_looks(void)
{
	return !write_text(TRACING "kprobe_events", "p:" PROBE " acrpmu:look_here") &&
	       !write_text(TRACING "events/kprobes/" PROBE "/enable", "1");
}

static void end_count(void)
{
	write_text(TRACING "events/kprobes/" PROBE "/enable", "0");
	write_text(TRACING "kprobe_events", "");
}

/* Looks so far, ~0 if they are not counted */
static uint64_t looks(void)
{
	FILE *f = fopen(TRACING "kprobe_profile", "re");
	unsigned long long n = ~0ULL;
	char line[256];

	while (f && n == ~0ULL && fgets(line, sizeof(line), f))
		sscanf(line, " " PROBE " %llu", &n);
	if (f)
		fclose(f);
	return n;
}

/* Half of them there, half back; returns the looks because of them */
static uint64_t looks_of_moves(pid_t pid, const char *there, const char *back)
{
	uint64_t before = looks();
	unsigned int i;

	for (i = 0; i < MOVES; i++) {
		if (!move_to(i % 2 ? back : there, pid))
			return ~0ULL;
		/* Moves close together may share a look: let its worker run. */
		usleep(2000);
	}
	return looks() - before;
}

/* A user who may move tasks of some subtree could disturb the CPUs of others with them. */
TEST_F(cgroup, moves_that_change_nothing_for_the_session_interrupt_no_cpu)
{
	pid_t pid = child_of(OTHER, 1, self->gate, forever);
	uint64_t outside, inside, across;

	ASSERT_EQ(0, make(&self->s, GROUP, USER)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	ASSERT_TRUE(wait_for_work(pid));
	EXPECT_TRUE(count_looks());
	EXPECT_EQ(0, looks());
	outside = looks_of_moves(pid, GROUPS, OTHER);
	EXPECT_EQ(0, session_count(&self->s));
	across = looks_of_moves(pid, GROUP, OTHER);
	EXPECT_LT(0, session_count(&self->s));
	EXPECT_TRUE(move_to(GROUP, pid));
	EXPECT_TRUE(wait_for(session_count(&self->s) > 10 * LOOP_INSNS));
	inside = looks_of_moves(pid, BELOW, GROUP);
	end_count();
	end_child(pid);
	fprintf(stderr, "# looks in %llu moves: %llu outside, %llu inside, %llu across\n", MOVES,
		(unsigned long long)outside, (unsigned long long)inside,
		(unsigned long long)across);
	/* one that comes while the task is being switched to */
	EXPECT_GT(5, outside);
	EXPECT_GT(5, inside);
	/* only the task's CPU, and not in vain: a move that is undone before the look needs none */
	EXPECT_GE(MOVES, across);
	EXPECT_LT(MOVES / 4, across);
}

/* Shared with the child: loops of its thread on CPU 1 */
static volatile uint64_t *loops_on_1;

static void *forever_on_1(void *unused)
{
	for (pin_to(0, 1);; ++*loops_on_1)
		work_fast(ITERATIONS);
	return NULL;
}

/*
 * The count once it is above @from, or once the module's worker, which runs on this CPU while the
 * caller sleeps, must have called CPU 1, and that has executed enough to answer.
 */
static uint64_t count_after_call(struct session *s, uint64_t from)
{
	uint64_t loops, count;
	unsigned int i;

	for (i = 0; i < 20; i++) {
		count = session_count(s);
		if (count != from)
			return count;
		usleep(1000);
	}
	loops = *loops_on_1;
	wait_for(*loops_on_1 > loops + 1);
	return session_count(s);
}

/* The first thread sleeps, on another CPU. */
static void forever_in_thread(void)
{
	pthread_t thread;

	if (!pthread_create(&thread, NULL, forever_on_1, NULL))
		pthread_join(thread, NULL);
}

/* The thread other than the first, 0 if there is none */
static pid_t second_thread(pid_t pid)
{
	struct dirent *entry;
	char path[64];
	pid_t tid = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (!tid || tid == pid) && (entry = readdir(dir)))
		tid = atoi(entry->d_name);
	if (dir)
		closedir(dir);
	return tid == pid ? 0 : tid;
}

/* How often a thread of a process has been switched from, ~0 if that is unknown */
static uint64_t switches(pid_t pid, pid_t tid)
{
	unsigned long long by_itself = ~0ULL, by_others = 0;
	char path[64], line[128];
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/task/%d/status", pid, tid);
	f = fopen(path, "re");
	while (f && fgets(line, sizeof(line), f)) {
		sscanf(line, "voluntary_ctxt_switches: %llu", &by_itself);
		sscanf(line, "nonvoluntary_ctxt_switches: %llu", &by_others);
	}
	if (f)
		fclose(f);
	return by_itself + by_others;
}

/* Without the CPU being called that could last until the task's next switch. */
TEST_F(cgroup, moves_of_a_process_are_noticed_where_its_threads_run)
{
	uint64_t before, from, ran, count, since;
	unsigned int good;
	pid_t pid, tid;

	loops_on_1 = mmap(NULL, sizeof(*loops_on_1), PROT_READ | PROT_WRITE,
			  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, loops_on_1);
	/* A move wakes threads of the kernel, wherever they were last. */
	ASSERT_TRUE(leave_alone(1));
	pid = child_of(OTHER, 0, self->gate, forever_in_thread);
	ASSERT_EQ(0, make(&self->s, GROUP, USER)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate);
	ASSERT_TRUE(wait_for(*loops_on_1));
	tid = second_thread(pid);
	ASSERT_NE(0, tid);
	/* A switch for another reason spoils an attempt; the harness ends endless ones. */
	for (good = 0; good < 5; good += !since) {
		/* not what is still counted of the last try */
		ASSERT_TRUE(wait_for(({ from = session_count(&self->s); wait_for_work(pid); }) &&
				     session_count(&self->s) == from));
		before = switches(pid, tid);
		ASSERT_NE(~0ULL, before);
		/* It has run since, and so has been switched to if it was not running. */
		ran = cpu_ns(pid);
		ASSERT_TRUE(wait_for(cpu_ns(pid) > ran));
		ASSERT_TRUE(move_to(GROUP, pid));
		count = count_after_call(&self->s, from);
		since = switches(pid, tid) - before;
		ASSERT_TRUE(move_to(OTHER, pid));
		if (!since)
			EXPECT_LT(from, count);
	}
	end_child(pid);
}

/* It is decided by the task that runs when the session is enabled, too. */
TEST_F(cgroup, task_that_runs_alone_is_counted_from_enable_on)
{
	pid_t pid = child_of(GROUP, 1, self->gate, forever);

	open_gate(self->gate);
	ASSERT_TRUE(wait_for_work(pid));
	ASSERT_EQ(0, make(&self->s, GROUP, USER)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_TRUE(wait_for(session_count(&self->s) > 10 * LOOP_INSNS));
	end_child(pid);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(cgroup, sessions_of_several_cgroups_share_the_cpus)
{
	struct session other;
	pid_t pid[2];

	ASSERT_EQ(0, make(&self->s, GROUP, USER)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, make(&other, OTHER, USER)) TH_LOG("%s", session_refusal(&other));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, session_enable(&other));
	pid[0] = child_of(BELOW, 1, self->gate, one_loop);
	pid[1] = child_of(OTHER, 1, self->gate, one_loop);
	open_gate(self->gate);
	waitpid(pid[0], NULL, 0);
	waitpid(pid[1], NULL, 0);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	ASSERT_EQ(0, session_finish(&other, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_ACCOUNTED(&other);
	EXPECT_LE(LOOP_INSNS, self->s.counts[0].value);
	EXPECT_GE(LOOP_INSNS + SLACK, self->s.counts[0].value);
	EXPECT_LE(LOOP_INSNS, other.counts[0].value);
	EXPECT_GE(LOOP_INSNS + SLACK, other.counts[0].value);
	session_close(&other);
}

TEST_F(cgroup, cgroup_that_is_removed_leaves_the_session_in_peace)
{
	ASSERT_EQ(0, make(&self->s, BELOW, USER)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_EQ(0, rmdir(BELOW));
	work_fast(ITERATIONS);
	EXPECT_EQ(0, session_count(&self->s));
}

/* ---- refusals ---- */

static int refused(struct session *s, unsigned int flags, int fd, uint32_t reason, uint64_t value)
{
	int ret;

	session_cpus(s, 0x3);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	s->attr.flags |= ACRPMU_SESSION_CGROUP | flags;
	s->attr.pid = fd;
	ret = session_make(s);
	session_close(s);
	if (s->attr.error.reason != reason || s->attr.error.value != value)
		return -EPROTO;
	return ret;
}

TEST_F(cgroup, what_is_no_cgroup_is_refused)
{
	int file = open(GROUP "cgroup.procs", O_RDONLY | O_CLOEXEC);
	int elsewhere = open("/proc", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int closed = dup(elsewhere);
	struct session *s = &self->s;

	close(closed);
	EXPECT_EQ(-EBADF, refused(s, 0, file, ACRPMU_REASON_CGROUP, file));
	EXPECT_EQ(-EBADF, refused(s, 0, elsewhere, ACRPMU_REASON_CGROUP, elsewhere));
	EXPECT_EQ(-EBADF, refused(s, 0, closed, ACRPMU_REASON_CGROUP, closed));
	EXPECT_EQ(-EINVAL, refused(s, 0, -1, ACRPMU_REASON_TARGET, -1ULL));
	EXPECT_EQ(-EINVAL, refused(s, ACRPMU_SESSION_TASK, 0, ACRPMU_REASON_FLAGS,
				   ACRPMU_SESSION_CGROUP));
	EXPECT_EQ(-EINVAL, refused(s, ACRPMU_SESSION_INHERIT, 0, ACRPMU_REASON_FLAGS,
				   ACRPMU_SESSION_CGROUP));
	close(file);
	close(elsewhere);
}

TEST_HARNESS_MAIN
