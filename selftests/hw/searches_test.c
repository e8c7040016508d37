// SPDX-License-Identifier: GPL-2.0-only
/* What sessions cost that search all tasks for in-tree perf's events, among many threads. */
#include "work.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include "intree.h"
#include "session.h"
#include "file.h"
#include "kselftest_harness.h"

#define CPU		1
#define NR_SESSIONS	256
/* ACR_THREADS= replaces it, where there is memory for more. */
#define NR_THREADS	2000
#define STACK_BYTES	1024
/* for tries at once and after 1 and 3 seconds; what is tried after 7 takes longer */
#define WATCH_S		4
#define LONG_WATCH_S	8
/* Two such groups do not fit a CPU, whatever keeps in-tree perf off. */
#define NR_EVENTS	5
#define NR_ROUNDS	30
#define NR_OPEN		5000
#define NR_SEARCHES	32
#define TRACING		"/sys/kernel/tracing/"
/* BATCH and LOOKS_PER_S of the module */
#define BATCH		256
#define LOOKS_PER_S	500000

/* ---- many threads ---- */

/* Without the C library: the first call of one of its functions takes more than such a stack. */
static int wait_forever(void *data)
{
	long ret;

	for (;;)
		__asm__ volatile("syscall" : "=a"(ret) : "0"(SYS_pause) : "rcx", "r11", "memory");
	return 0;
}

static unsigned int nr_threads(void)
{
	const char *text = getenv("ACR_THREADS");

	return text ? atoi(text) : NR_THREADS;
}

/* A process with many threads, and their numbers in memory that is shared with it. */
static pid_t start_threads(pid_t *tids)
{
	unsigned int i, nr = nr_threads();
	int fds[2];
	char byte, *stacks;
	pid_t pid;

	if (pipe(fds))
		return -1;
	pid = fork();
	if (!pid) {
		stacks = mmap(NULL, (size_t)nr * STACK_BYTES, PROT_READ | PROT_WRITE,
			      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
		for (i = 0; i < nr; i++) {
			tids[i] = clone(wait_forever, stacks + (i + 1) * STACK_BYTES,
					CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND |
					CLONE_THREAD, NULL);
			if (tids[i] < 0)
				_exit(1);
		}
		if (write(fds[1], "", 1) == 1)
			wait_forever(NULL);
		_exit(1);
	}
	close(fds[1]);
	if (read(fds[0], &byte, 1) != 1) {
		end_child(pid);
		pid = -1;
	}
	close(fds[0]);
	return pid;
}

FIXTURE(searches) {
	pid_t *tids;
	pid_t threads;
	pid_t child[2];
	struct session *s;
	struct session holder;
};

FIXTURE_SETUP(searches)
{
	size_t bytes = nr_threads() * sizeof(pid_t);
	unsigned int i;

	memset(self, 0, sizeof(*self));
	self->holder.fd = -1;
	write_text("/proc/sys/kernel/pid_max", "4194304");
	write_text("/proc/sys/kernel/threads-max", "200000");
	self->tids = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->tids);
	self->s = calloc(NR_SESSIONS, sizeof(*self->s));
	ASSERT_NE(NULL, self->s);
	for (i = 0; i < NR_SESSIONS; i++)
		self->s[i].fd = -1;
	self->threads = start_threads(self->tids);
	ASSERT_LT(0, self->threads);
}

FIXTURE_TEARDOWN(searches)
{
	unsigned int i;

	write_text(TRACING "events/acrpmu/acrpmu_search/enable", "0");
	for (i = 0; i < 2; i++)
		end_child(self->child[i]);
	for (i = 0; i < NR_SESSIONS; i++)
		if (self->s[i].fd >= 0)
			close(self->s[i].fd);
	session_close(&self->holder);
	end_child(self->threads);
	free(self->s);
}

/* ---- sessions that cannot get a CPU ---- */

/**
 * struct walks - walks over all tasks, as the tracepoint has them
 * @nr: walks
 * @searches: that they were for
 * @most: tasks visited in one walk
 * @looks: at tasks, and at events of those that have some
 * @most_looks: in one walk
 * @longest: tasks and events between two points at which another task may run
 */
struct walks {
	unsigned int nr;
	unsigned int searches;
	unsigned int most;
	unsigned int looks;
	unsigned int most_looks;
	unsigned int longest;
};

static struct walks traced(void)
{
	FILE *f = fopen(TRACING "trace", "r");
	unsigned int searches, tasks, looks, longest;
	struct walks w = { };
	char line[256], *at;

	while (f && fgets(line, sizeof(line), f)) {
		at = strstr(line, "searches=");
		if (!at || sscanf(at, "searches=%u tasks=%u looks=%u longest=%u", &searches, &tasks,
				  &looks, &longest) != 4)
			continue;
		w.nr++;
		w.searches += searches;
		w.most = tasks > w.most ? tasks : w.most;
		w.looks += looks;
		w.most_looks = looks > w.most_looks ? looks : w.most_looks;
		w.longest = longest > w.longest ? longest : w.longest;
	}
	if (f)
		fclose(f);
	return w;
}

static void add_events(struct session *s)
{
	unsigned int i;

	for (i = 0; i < NR_EVENTS; i++)
		session_event(s, EV_BRANCHES, USER | COUNT, 0, 0);
}

static pid_t start_busy(int cpu)
{
	pid_t pid = fork();

	if (!pid)
		for (;;)
			work_fast(10000);
	pin_to(pid, cpu);
	return pid;
}

static uint64_t kernel_insns(void)
{
	return oracle_events(0, ORACLE_EV_INSN, false) + oracle_events(1, ORACLE_EV_INSN, false);
}

static bool any_holds(const struct session *s)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	unsigned int i;

	for (i = 0; i < NR_SESSIONS; i++)
		if (s[i].fd >= 0 && !session_query_cpu(&s[i], CPU, hw) && hw[0].cntr >= 0)
			return true;
	return false;
}

/* Of one session in @s seconds: at once, after 1, 3, 7 and so on, give or take one */
static unsigned int most_searches(double s)
{
	unsigned int nr = 1;

	while ((1 << nr) - 1 <= s + 1)
		nr++;
	return nr + 1;
}

/* A CPU with a holder, and sessions that want it once their task is moved there. */
static int make_refused(struct session *holder, struct session *s, unsigned int nr, pid_t pid)
{
	unsigned int i;
	int ret;

	session_cpus(holder, 1 << CPU);
	add_events(holder);
	ret = session_make(holder);
	for (i = 0; !ret && i < nr; i++) {
		session_task(&s[i], pid, ACRPMU_SESSION_ARRIVE);
		add_events(&s[i]);
		s[i].cpu_bits = 1 << CPU;
		ret = session_make(&s[i]) ?: session_enable(&s[i]);
	}
	return ret;
}

TEST_F(searches, refused_cpus_cost_little_among_many_threads)
{
	int64_t begin_ms;
	double took_s;
	uint64_t insns;
	struct walks w;

	if (arbiter() == ACRPMU_ARBITER_RESERVE)
		SKIP(return, "reservations keep perf off, so that nothing is searched for");
	self->child[0] = start_busy(0);
	ASSERT_LT(0, self->child[0]);
	ASSERT_EQ(0, make_refused(&self->holder, self->s, NR_SESSIONS, self->child[0]));
	ASSERT_EQ(0, write_text(TRACING "trace", ""));
	EXPECT_EQ(0, write_text(TRACING "events/acrpmu/acrpmu_search/enable", "1"));
	insns = kernel_insns();
	begin_ms = now_ms();
	ASSERT_EQ(0, pin_to(self->child[0], CPU));
	sleep(WATCH_S);
	w = traced();
	took_s = (now_ms() - begin_ms) / 1e3;
	insns = kernel_insns() - insns;
	TH_LOG("%.1f s: %lu instructions, %u searches by %u walks, of up to %u tasks, %u at once",
	       took_s, insns, w.searches, w.nr, w.most, w.longest);
	EXPECT_GE(most_searches(took_s) * NR_SESSIONS, w.searches);
	EXPECT_LT(w.nr, w.searches);
	EXPECT_GE(took_s * LOOKS_PER_S + w.most_looks, w.looks);
	EXPECT_LE(nr_threads(), w.most);
	EXPECT_EQ(BATCH, w.longest);
}

/* Nobody makes walks long with many events of one task: they count as much as tasks do. */
TEST_F(searches, events_of_a_task_are_counted_as_looks)
{
	struct rlimit files = { NR_OPEN + 1000, NR_OPEN + 1000 };
	struct intree e = { .config = EV_INSNS, .cpu = -1, .group = -1, .disabled = true };
	int64_t begin_ms;
	double took_s;
	unsigned int i;
	struct walks w;

	if (arbiter() == ACRPMU_ARBITER_RESERVE)
		SKIP(return, "reservations keep perf off, so that nothing is searched for");
	ASSERT_EQ(0, setrlimit(RLIMIT_NOFILE, &files));
	self->child[0] = start_busy(0);
	ASSERT_LT(0, self->child[0]);
	e.pid = self->child[0];
	for (i = 0; i < NR_OPEN; i++)
		ASSERT_LE(0, intree_open(&e)) TH_LOG("event %u: %s", i, strerror(errno));
	ASSERT_EQ(0, make_refused(&self->holder, self->s, NR_SEARCHES, self->child[0]));
	ASSERT_EQ(0, write_text(TRACING "trace", ""));
	EXPECT_EQ(0, write_text(TRACING "events/acrpmu/acrpmu_search/enable", "1"));
	begin_ms = now_ms();
	ASSERT_EQ(0, pin_to(self->child[0], CPU));
	sleep(WATCH_S);
	w = traced();
	took_s = (now_ms() - begin_ms) / 1e3;
	TH_LOG("%u searches by %u walks, %u looks, %u at once", w.searches, w.nr, w.looks,
	       w.longest);
	/* once among those of the task, and once among those of the opener */
	EXPECT_LE(2 * NR_OPEN * w.searches, w.looks);
	EXPECT_GE(took_s * LOOKS_PER_S + w.most_looks, w.looks);
	EXPECT_LE(NR_OPEN, w.longest);
	EXPECT_GT(NR_OPEN + BATCH, w.longest);
}

/* What a session waits for is noticed soon, however long that took. */
TEST_F(searches, refused_cpu_is_tried_after_1_3_and_7_seconds_or_once_it_is_free)
{
	int64_t begin_ms;
	struct walks w;

	if (arbiter() == ACRPMU_ARBITER_RESERVE)
		SKIP(return, "reservations keep perf off, so that nothing is searched for");
	self->child[0] = start_busy(0);
	ASSERT_LT(0, self->child[0]);
	ASSERT_EQ(0, make_refused(&self->holder, self->s, 1, self->child[0]));
	ASSERT_EQ(0, write_text(TRACING "trace", ""));
	EXPECT_EQ(0, write_text(TRACING "events/acrpmu/acrpmu_search/enable", "1"));
	begin_ms = now_ms();
	ASSERT_EQ(0, pin_to(self->child[0], CPU));
	sleep(LONG_WATCH_S);
	ASSERT_TRUE(wait_for((w = traced()).searches >= 3));
	/* The task may be noticed again while it is being refused. */
	EXPECT_GE(most_searches((now_ms() - begin_ms) / 1e3), w.searches);
	session_close(&self->holder);
	EXPECT_TRUE(wait_for(any_holds(self->s)));
	/* The next search is due then: a host that is held up for 6 s makes this red. */
	EXPECT_GT(15, (now_ms() - begin_ms) / 1e3);
}

/* ---- a search is answered by a walk that begins after it ---- */

static void describe(struct session *s, int cpu)
{
	session_cpus(s, 1 << cpu);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
}

static pid_t start_creating(int cpu)
{
	pid_t pid = fork();
	struct session s;

	if (pid)
		return pid;
	for (;;) {
		describe(&s, cpu);
		session_make(&s);
		session_close(&s);
	}
}

/* An event of a thread that sleeps is on no counter: only its list shows it. */
TEST_F(searches, answers_are_never_older_than_the_question)
{
	struct intree e = { .config = EV_INSNS, .cpu = -1, .group = -1 };
	unsigned int i;
	int fd, ret;

	for (i = 0; i < 2; i++)
		self->child[i] = start_creating(0);
	srand(1);
	for (i = 0; i < NR_ROUNDS; i++) {
		e.pid = self->tids[rand() % nr_threads()];
		fd = intree_open(&e);
		/* Where perf reserves counters, others may have them at this moment. */
		if (fd == -EBUSY)
			continue;
		ASSERT_LE(0, fd);
		describe(&self->s[0], CPU);
		ret = session_make(&self->s[0]);
		ASSERT_EQ(-EBUSY, ret) TH_LOG("round %u, thread %d", i, e.pid);
		EXPECT_EQ(getpid(), self->s[0].attr.error.holder_pid);
		close(fd);
		ret = session_make(&self->s[0]);
		ASSERT_EQ(0, ret) TH_LOG("round %u: %s", i, session_refusal(&self->s[0]));
		session_close(&self->s[0]);
	}
}

TEST_HARNESS_MAIN
