// SPDX-License-Identifier: GPL-2.0-only
/* Many sessions and many tasks: what does nothing costs nothing, and no lock is held for long. */
#include "work.h"
#include <dirent.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include "records.h"
#include "file.h"
#include "kselftest_harness.h"

#define CPU		1
#define MANY		10000
#define NR_THREADS	1000
#define ROUND_TRIPS	200
#define RUNS		20
#define TRACING		"/sys/kernel/tracing/"
/* ACRPMU_WALK_MAX of the module */
#define WALK_MAX	64

static int make_parked(pid_t pid)
{
	struct session s;
	int ret;

	session_task(&s, pid, ACRPMU_SESSION_PARKED | ACRPMU_SESSION_INHERIT);
	session_event(&s, EV_INSNS, USER | COUNT, 0, 0);
	s.arrives = true;
	ret = session_make(&s);
	return ret ?: s.fd;
}

/* ---- many sessions of one task ---- */

static void echo_bytes(int from, int to)
{
	char byte;

	while (read(from, &byte, 1) == 1)
		if (write(to, &byte, 1) != 1)
			break;
	_exit(0);
}

static uint64_t insns(void)
{
	return oracle_events(CPU, ORACLE_EV_INSN, true) + oracle_events(CPU, ORACLE_EV_INSN, false);
}

/* Instructions of a round trip through two pipes on one CPU, in the least disturbed run. */
static uint64_t round_trip(int to, int from)
{
	uint64_t least = UINT64_MAX, start;
	unsigned int i, run;
	char byte = 0;

	for (run = 0; run < RUNS; run++) {
		start = insns();
		for (i = 0; i < ROUND_TRIPS; i++)
			if (write(to, &byte, 1) != 1 || read(from, &byte, 1) != 1)
				return 0;
		start = insns() - start;
		least = start < least ? start : least;
	}
	return least / ROUND_TRIPS;
}

FIXTURE(many) {
	int to[2];
	int from[2];
	int *fds;
	pid_t pid;
};

FIXTURE_SETUP(many)
{
	struct rlimit limit = { MANY + 1000, MANY + 1000 };

	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
	ASSERT_EQ(0, pin_to(0, CPU));
	ASSERT_EQ(0, pipe(self->to));
	ASSERT_EQ(0, pipe(self->from));
	self->fds = calloc(MANY, sizeof(int));
	ASSERT_NE(NULL, self->fds);
	self->pid = fork();
	ASSERT_LE(0, self->pid);
	if (!self->pid)
		echo_bytes(self->to[0], self->from[1]);
}

FIXTURE_TEARDOWN(many)
{
	end_child(self->pid);
	free(self->fds);
}

TEST_F(many, parked_sessions_cost_nothing_at_a_switch)
{
	static const unsigned int steps[] = { 1, 10, 100, 1000, MANY };
	uint64_t cost, first = 0;
	unsigned int i, nr = 0;

	for (i = 0; i < 5; i++) {
		for (; nr < steps[i]; nr++) {
			self->fds[nr] = make_parked(self->pid);
			ASSERT_LE(0, self->fds[nr]) TH_LOG("session %u: %d", nr, self->fds[nr]);
		}
		cost = round_trip(self->to[1], self->from[0]);
		fprintf(stderr, "# %5u parked sessions: %lu instructions a round trip\n", nr, cost);
		first = first ?: cost;
		EXPECT_LT(0, cost);
		/* ticks and wakeups differ by some percent */
		EXPECT_LE(cost, first * 6 / 5);
	}
	while (nr)
		close(self->fds[--nr]);
}

/* ---- many tasks of one session ---- */

static pthread_barrier_t born;
static int go[2];

static void *work_and_exit(void *data)
{
	char byte;

	pthread_barrier_wait(&born);
	if (read(go[0], &byte, 1) == 1)
		work_fast(1000);
	return NULL;
}

/* A process with many threads, each of which works when it gets a byte. */
static pid_t start_threads(int *ready)
{
	pthread_attr_t attr;
	pthread_t thread;
	int fds[2], i;
	pid_t pid;

	if (pipe(go) || pipe(fds))
		return -1;
	pid = fork();
	if (pid) {
		close(fds[1]);
		*ready = fds[0];
		return pid;
	}
	pthread_barrier_init(&born, NULL, NR_THREADS + 1);
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 65536);
	for (i = 0; i < NR_THREADS; i++)
		if (pthread_create(&thread, &attr, work_and_exit, NULL))
			_exit(1);
	pthread_barrier_wait(&born);
	i = write(fds[1], "", 1);
	pause();
	_exit(i);
}

/* Contexts visited in one locked section, at most and in sum, as the tracepoint has it. */
static void walks(unsigned int *most, unsigned int *sum)
{
	FILE *f = fopen(TRACING "trace", "r");
	char line[256], *at;
	unsigned int nr;

	*most = 0;
	*sum = 0;
	while (f && fgets(line, sizeof(line), f)) {
		at = strstr(line, "contexts=");
		if (!at || line[0] == '#')
			continue;
		nr = strtoul(at + strlen("contexts="), NULL, 10);
		*most = nr > *most ? nr : *most;
		*sum += nr;
	}
	if (f)
		fclose(f);
	write_text(TRACING "trace", "");
}

FIXTURE(threads) {
	struct session s;
	pid_t pid;
};

FIXTURE_SETUP(threads)
{
	int ready;
	char byte;

	self->s.fd = -1;
	self->pid = start_threads(&ready);
	ASSERT_LT(0, self->pid);
	ASSERT_EQ(1, read(ready, &byte, 1));
	close(ready);
	session_task(&self->s, self->pid, ACRPMU_SESSION_PROCESS | ACRPMU_SESSION_INHERIT);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

FIXTURE_TEARDOWN(threads)
{
	end_child(self->pid);
	session_close(&self->s);
	close(go[0]);
	close(go[1]);
	write_text(TRACING "events/acrpmu/acrpmu_walk/enable", "0");
}

TEST_F(threads, locked_sections_visit_a_few_contexts_each)
{
	unsigned int most, sum;

	ASSERT_EQ(0, write_text(TRACING "events/acrpmu/acrpmu_walk/enable", "1"));
	write_text(TRACING "trace", "");
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(NR_THREADS + 1, self->s.accounts.nr_tasks);
	walks(&most, &sum);
	EXPECT_EQ(WALK_MAX, most);
	EXPECT_EQ(NR_THREADS + 1, sum);
	ASSERT_EQ(0, session_enable(&self->s));
	walks(&most, &sum);
	EXPECT_EQ(WALK_MAX, most);
	session_close(&self->s);
	walks(&most, &sum);
	EXPECT_EQ(WALK_MAX, most);
	EXPECT_LE(NR_THREADS + 1, sum);
}

/* Each READ is one snapshot: what an exiting task has counted is in it once. */
TEST_F(threads, counts_grow_steadily_while_tasks_exit)
{
	uint64_t last = 0, reads = 0;
	char bytes[NR_THREADS] = { };

	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(NR_THREADS, write(go[1], bytes, NR_THREADS));
	do {
		ASSERT_EQ(0, session_read(&self->s));
		EXPECT_LE(last, self->s.counts[0].value);
		last = self->s.counts[0].value;
		reads++;
	} while (self->s.accounts.nr_tasks > 1 && reads < 100000);
	EXPECT_EQ(1, self->s.accounts.nr_tasks);
	TH_LOG("%lu reads, %lu instructions", reads, last);
	/* each a thousand iterations, and what a thread executes before and after them */
	EXPECT_LE(NR_THREADS * 1000ULL * WORK_INSNS, last);
	EXPECT_GT(NR_THREADS * 1000ULL * WORK_INSNS * 3, last);
	EXPECT_EQ(0, self->s.accounts.inherit_failed);
}

/* Adds each thread of a process as a target; returns the number of the last one. */
static uint32_t attach_threads(struct session *s, pid_t pid)
{
	struct acrpmu_attach args = { .size = sizeof(args) };
	struct dirent *entry;
	uint32_t last = 0;
	char path[64];
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && (entry = readdir(dir))) {
		args.pid = atoi(entry->d_name);
		args.target = 0;
		if (args.pid && !ioctl(s->fd, ACRPMU_ATTACH, &args) && args.target)
			last = args.target;
	}
	if (dir)
		closedir(dir);
	return last;
}

/* Instructions of reading one target, in the least disturbed run. */
static uint64_t read_cost(struct session *s, uint32_t target)
{
	uint64_t least = UINT64_MAX, start;
	unsigned int run;

	for (run = 0; run < RUNS; run++) {
		start = insns();
		if (session_read_target(s, target))
			return 0;
		start = insns() - start;
		least = start < least ? start : least;
	}
	return least;
}

TEST_F(threads, reading_the_last_target_costs_what_reading_the_first_does)
{
	uint64_t first, last;
	struct session s;

	ASSERT_EQ(0, pin_to(0, CPU));
	session_task(&s, self->pid, ACRPMU_SESSION_PARKED);
	session_event(&s, EV_INSNS, USER | COUNT, 0, 0);
	s.arrives = true;
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	/* the first target is the first thread, followed already */
	ASSERT_EQ(NR_THREADS + 1, attach_threads(&s, self->pid));
	first = read_cost(&s, 1);
	last = read_cost(&s, NR_THREADS + 1);
	TH_LOG("%lu instructions for the first target, %lu for the last", first, last);
	EXPECT_LT(0, first);
	EXPECT_LT(0, last);
	/* a look at each bit of the number, not at each target */
	EXPECT_LT(last, first + 200);
	EXPECT_EQ(-EINVAL, session_read_target(&s, NR_THREADS + 2));
	session_close(&s);
}

/* ---- a process that clones faster than it is attached ---- */

static void *clone_next(void *data)
{
	pthread_attr_t attr;
	pthread_t thread;

	pthread_attr_init(&attr);
	pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
	pthread_attr_setstacksize(&attr, 65536);
	while (pthread_create(&thread, &attr, clone_next, NULL))
		;
	return NULL;
}

FIXTURE(cloning) {
};

FIXTURE_SETUP(cloning) {}

FIXTURE_TEARDOWN(cloning) {}

TEST_F(cloning, session_of_a_process_that_never_stops_is_created)
{
	unsigned int flags, i;
	pid_t pid = fork();
	struct session s;

	ASSERT_LE(0, pid);
	if (!pid) {
		for (i = 0; i < 2; i++)
			clone_next(NULL);
		for (;;)
			pause();
	}
	for (i = 0; i < 4; i++) {
		flags = ACRPMU_SESSION_PROCESS | (i & 1 ? ACRPMU_SESSION_INHERIT : 0);
		session_task(&s, pid, flags);
		session_event(&s, EV_INSNS, USER | COUNT, 0, 0);
		EXPECT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
		session_close(&s);
	}
	end_child(pid);
}

TEST_HARNESS_MAIN
