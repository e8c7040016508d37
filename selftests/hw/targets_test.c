// SPDX-License-Identifier: GPL-2.0-only
/* Counts for each target of a session: known loops, forks and exits, and the samples of each. */
#include "work.h"
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

#include <pthread.h>

#define NR_TARGETS	3
#define MAX_FAMILY	16
/* A task gives its CPU to another one that often; iterations of each turn of the first target */
#define TURNS		100
#define ITERATIONS	2000ULL
/* Instructions of @share shares of the loops, a ninth of them slow */
#define LOOP_INSNS(share) ((share) * TURNS * (ITERATIONS + ITERATIONS / 8) * WORK_INSNS)
/* User instructions of a task beside that: the gate, turns, fork, exit */
#define SLACK		200000ULL
#define PERIOD		12000
/* Cycles in which the fast loop executes PERIOD instructions, and the slow one does not */
#define LIMIT		10000
#define MAX_READS	100000
#define MAX_SAMPLES	100000

/* The tasks of each target, which they enter themselves */
struct family {
	unsigned int nr;
	pid_t pid[MAX_FAMILY];
};

FIXTURE(targets) {
	struct session s;
	int gate[2], done[2];
	struct family *family;
	pid_t pid[NR_TARGETS];
	unsigned int nr_samples;
	pid_t sampled[MAX_SAMPLES];
	uint64_t records[NR_TARGETS + 1];
};

FIXTURE_VARIANT(targets) {
	uint32_t mask[2];
	unsigned int flags;
};

FIXTURE_VARIANT_ADD(targets, plain) { };
FIXTURE_VARIANT_ADD(targets, hardware) { .mask = { 0x2, 0x3 } };
FIXTURE_VARIANT_ADD(targets, software) {
	.mask = { 0x2, 0x3 }, .flags = ACRPMU_SESSION_SOFTWARE,
};

FIXTURE_SETUP(targets)
{
	self->s.fd = -1;
	self->family = mmap(NULL, NR_TARGETS * sizeof(*self->family), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->family);
	ASSERT_EQ(0, pipe(self->gate));
	ASSERT_EQ(0, pipe(self->done));
}

FIXTURE_TEARDOWN(targets)
{
	unsigned int i;

	for (i = 0; i < NR_TARGETS; i++)
		if (self->pid[i])
			end_child(self->pid[i]);
	session_close(&self->s);
}

/* ---- tasks ---- */

static void enter(struct family *family)
{
	unsigned int i = __atomic_fetch_add(&family->nr, 1, __ATOMIC_RELAXED);

	if (i < MAX_FAMILY)
		family->pid[i] = getpid();
}

static void loops(uint64_t share)
{
	int i;

	for (i = 0; i < TURNS; i++) {
		work_fast(share * ITERATIONS);
		work_slow(share * ITERATIONS / 8);
		sched_yield();
	}
}

static bool pass(int gate[2])
{
	char byte;

	return read(gate[0], &byte, 1) == 1;
}

static void open_gate(int gate[2], unsigned int tasks)
{
	static const char bytes[8];

	if (write(gate[1], bytes, tasks) != (ssize_t)tasks)
		perror("# gate");
}

/* A loop for each time that the gate opens; says when one is done. */
static pid_t worker(FIXTURE_DATA(targets) *self, unsigned int target, int cpu)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (cpu >= 0)
		pin_to(0, cpu);
	enter(&self->family[target]);
	while (pass(self->gate)) {
		loops(target + 1);
		open_gate(self->done, 1);
	}
	_exit(1);
}

/* Each of @target + 1 generations has two children, and all of them loop. */
static void descend(struct family *family, unsigned int generations)
{
	pid_t pid[2] = { };
	int i;

	enter(family);
	for (i = 0; generations && i < 2; i++) {
		pid[i] = fork();
		if (!pid[i]) {
			descend(family, generations - 1);
			_exit(0);
		}
	}
	loops(1);
	for (i = 0; generations && i < 2; i++)
		waitpid(pid[i], NULL, 0);
}

static unsigned int descendants(unsigned int generations)
{
	return (2U << generations) - 1;
}

static pid_t ancestor(FIXTURE_DATA(targets) *self, unsigned int target)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (!pass(self->gate))
		_exit(1);
	descend(&self->family[target], target);
	_exit(0);
}

/* ---- the session ---- */

static void describe(FIXTURE_DATA(targets) *self, const FIXTURE_VARIANT(targets) *variant,
		     unsigned int flags)
{
	session_task(&self->s, self->pid[0], flags | variant->flags);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, PERIOD, variant->mask[0]);
	session_event(&self->s, EV_CYCLES, USER | (variant->mask[1] ? 0 : COUNT),
		      variant->mask[1] ? LIMIT : 0, variant->mask[1]);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
}

static int attach(const struct session *s, pid_t pid, unsigned int flags)
{
	struct acrpmu_attach args = { .size = sizeof(args), .pid = pid, .flags = flags };

	return ioctl(s->fd, ACRPMU_ATTACH, &args) ? -errno : (int)args.target;
}

/* Its process may not have entered itself yet. */
static void note_sample(const struct sample *sample, void *data)
{
	FIXTURE_DATA(targets) *self = data;

	if (self->nr_samples < MAX_SAMPLES)
		self->sampled[self->nr_samples++] = sample->pid;
}

/* NR_TARGETS if it is of none */
static unsigned int target_of(const FIXTURE_DATA(targets) *self, pid_t pid)
{
	unsigned int t, i;

	for (t = 0; t < NR_TARGETS; t++)
		for (i = 0; i < MAX_FAMILY; i++)
			if (self->family[t].pid[i] == pid)
				return t;
	return NR_TARGETS;
}

static int finish(FIXTURE_DATA(targets) *self)
{
	int ret = session_finish(&self->s, note_sample, self);
	unsigned int i;

	for (i = 0; i < self->nr_samples; i++)
		self->records[target_of(self, self->sampled[i])]++;
	return ret;
}

static bool between(const char *what, unsigned int target, uint64_t found, uint64_t least,
		    uint64_t most)
{
	if (found >= least && found <= most)
		return true;
	fprintf(stderr, "# target %u: %lu %s, expected %lu to %lu\n", target, found, what, least,
		most);
	return false;
}

/* Overflows that are in no record */
static uint64_t unrecorded(const struct session *s)
{
	return s->accounts.lost + s->accounts.throttled + s->accounts.discarded +
	       s->accounts.guest;
}

/* The target that was read has the counts of its tasks, and the overflows of their samples. */
static bool has_its_own(FIXTURE_DATA(targets) *self, unsigned int t, uint64_t insns,
			uint64_t slack)
{
	const struct session *s = &self->s;
	const struct acrpmu_count *sampled = &s->counts[0];
	bool ok = between("instructions", t + 1, s->counts[2].value, insns, insns + slack);

	ok &= between("overflows", t + 1, sampled->overflows, self->records[t],
		      self->records[t] + unrecorded(s));
	if (sampled->flags & ACRPMU_COUNT_RELOADED)
		ok &= same("periods of a target", sampled->value, sampled->overflows * PERIOD);
	else
		ok &= between("occurrences of the sampled event", t + 1, sampled->value, insns,
			      insns + slack);
	return ok;
}

/* What the targets have adds up to what the session has. */
struct sums {
	struct acrpmu_count counts[ACRPMU_MAX_EVENTS];
	uint64_t outside[ACRPMU_MAX_EVENTS];
	uint64_t running_ns, tasks, nr_tasks;
};

static void add(struct sums *sums, const struct session *s)
{
	unsigned int i;

	for (i = 0; i < s->attr.nr_events; i++) {
		sums->counts[i].value += s->counts[i].value;
		sums->counts[i].overflows += s->counts[i].overflows;
		sums->outside[i] += s->outside[i];
	}
	sums->running_ns += s->accounts.time_running_ns;
	sums->tasks += s->accounts.tasks;
	sums->nr_tasks += s->accounts.nr_tasks;
}

/* Overflows of a task that was not known any more are discarded. */
static bool add_up(const struct sums *sums, const struct session *s)
{
	bool ok = same("time of all targets", sums->running_ns, s->accounts.time_running_ns);
	unsigned int i;

	ok &= same("tasks of all targets", sums->tasks, s->accounts.tasks);
	ok &= same("tasks left of all targets", sums->nr_tasks, s->accounts.nr_tasks);
	for (i = 0; i < s->attr.nr_events; i++) {
		uint64_t late = s->counts[i].overflows - sums->counts[i].overflows;

		ok &= between("overflows of no target", 0, late, 0, s->accounts.discarded);
		if (s->counts[i].flags & ACRPMU_COUNT_RELOADED)
			continue;
		ok &= same("values of all targets", sums->counts[i].value, s->counts[i].value);
		ok &= same("outside of all targets", sums->outside[i], s->outside[i]);
	}
	return ok;
}

/* ---- */

static void run_workers(struct __test_metadata *_metadata, FIXTURE_DATA(targets) *self,
			const FIXTURE_VARIANT(targets) *variant, int cpu)
{
	struct sums sums = { };
	unsigned int t;

	for (t = 0; t < NR_TARGETS; t++)
		self->pid[t] = worker(self, t, cpu);
	describe(self, variant, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(2, attach(&self->s, self->pid[1], 0));
	ASSERT_EQ(0, attach(&self->s, self->pid[1], ACRPMU_ATTACH_PROCESS));
	ASSERT_EQ(3, attach(&self->s, self->pid[2], ACRPMU_ATTACH_PROCESS));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate, NR_TARGETS);
	for (t = 0; t < NR_TARGETS; t++)
		ASSERT_TRUE(pass(self->done));
	ASSERT_EQ(0, finish(self));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_EQ(0, self->records[NR_TARGETS]);
	for (t = 0; t < NR_TARGETS; t++) {
		ASSERT_EQ(0, session_read_target(&self->s, t + 1));
		EXPECT_TRUE(has_its_own(self, t, LOOP_INSNS(t + 1), SLACK));
		EXPECT_LE(10, self->records[t]);
		EXPECT_EQ(1, self->s.accounts.tasks);
		add(&sums, &self->s);
	}
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_TRUE(add_up(&sums, &self->s));
}

/* They take turns, so that most switches are from one target to another. */
TEST_F(targets, tasks_of_one_cpu_are_counted_each_for_its_target)
{
	run_workers(_metadata, self, variant, 0);
}

TEST_F(targets, tasks_that_move_are_counted_each_for_its_target)
{
	run_workers(_metadata, self, variant, -1);
}

/* Also while tasks fork and exit, each READ has what a target has counted once. */
TEST_F(targets, forks_belong_to_the_target_and_stay_in_it_when_they_exit)
{
	uint64_t last[NR_TARGETS] = { };
	unsigned int t, reads = 0, left;
	struct sums sums = { };

	for (t = 0; t < NR_TARGETS; t++)
		self->pid[t] = ancestor(self, t);
	describe(self, variant, ACRPMU_SESSION_INHERIT);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(2, attach(&self->s, self->pid[1], ACRPMU_ATTACH_PROCESS));
	ASSERT_EQ(3, attach(&self->s, self->pid[2], 0));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate, NR_TARGETS);
	do {
		for (t = 0, left = 0; t < NR_TARGETS; t++) {
			ASSERT_EQ(0, session_read_target(&self->s, t + 1));
			EXPECT_LE(last[t], self->s.counts[2].value);
			last[t] = self->s.counts[2].value;
			left += self->s.accounts.nr_tasks;
		}
		session_drain(&self->s, note_sample, self);
	} while (left && ++reads < MAX_READS);
	EXPECT_EQ(0, left);
	for (t = 0; t < NR_TARGETS; t++)
		waitpid(self->pid[t], NULL, 0);
	memset(self->pid, 0, sizeof(self->pid));
	ASSERT_EQ(0, finish(self));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_EQ(0, self->records[NR_TARGETS]);
	EXPECT_TRUE(self->s.accounts.state & ACRPMU_STATE_ENDED);
	for (t = 0; t < NR_TARGETS; t++) {
		unsigned int nr = descendants(t);

		ASSERT_EQ(0, session_read_target(&self->s, t + 1));
		EXPECT_EQ(nr, self->family[t].nr);
		EXPECT_EQ(nr, self->s.accounts.tasks);
		EXPECT_TRUE(has_its_own(self, t, nr * LOOP_INSNS(1), nr * SLACK));
		add(&sums, &self->s);
	}
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_TRUE(add_up(&sums, &self->s));
}

static int set_periods(const struct session *s, uint64_t sampled, uint64_t limit)
{
	uint64_t periods[] = { sampled, limit, 0 };
	struct acrpmu_set_periods args = { .size = sizeof(args), .nr_periods = 3,
					   .periods = (uintptr_t)periods };

	return ioctl(s->fd, ACRPMU_SET_PERIODS, &args) ? -errno : 0;
}

TEST_F(targets, periods_that_ended_keep_their_length_and_reset_forgets_them)
{
	struct acrpmu_count before;
	unsigned int t;

	for (t = 0; t < 2; t++)
		self->pid[t] = worker(self, t, 0);
	describe(self, variant, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(2, attach(&self->s, self->pid[1], 0));
	ASSERT_EQ(0, session_enable(&self->s));
	open_gate(self->gate, 2);
	ASSERT_TRUE(pass(self->done) && pass(self->done));
	ASSERT_EQ(0, session_read_target(&self->s, 2));
	before = self->s.counts[0];
	EXPECT_LE(10, before.overflows);
	ASSERT_EQ(0, set_periods(&self->s, 2 * PERIOD, variant->mask[1] ? 2 * LIMIT : 0));
	open_gate(self->gate, 2);
	ASSERT_TRUE(pass(self->done) && pass(self->done));
	ASSERT_EQ(0, session_read_target(&self->s, 2));
	EXPECT_LE(before.overflows + 5, self->s.counts[0].overflows);
	if (self->s.counts[0].flags & ACRPMU_COUNT_RELOADED)
		EXPECT_EQ(PERIOD * (2 * self->s.counts[0].overflows - before.overflows),
			  self->s.counts[0].value);
	ASSERT_EQ(0, session_disable(&self->s));
	ASSERT_EQ(0, session_ctl(&self->s, ACRPMU_RESET));
	for (t = 0; t < 2; t++) {
		ASSERT_EQ(0, session_read_target(&self->s, t + 1));
		EXPECT_EQ(0, self->s.counts[0].value);
		EXPECT_EQ(0, self->s.counts[0].overflows);
		EXPECT_EQ(0, self->s.counts[2].value);
		EXPECT_EQ(0, self->s.outside[0]);
		EXPECT_EQ(0, self->s.accounts.time_running_ns);
		EXPECT_EQ(1, self->s.accounts.tasks);
	}
}

/* ---- a process that clones while its threads are attached one by one ---- */

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

static bool has_cloned(struct session *s, uint64_t more)
{
	return !session_read_target(s, 2) && s->accounts.tasks > more;
}

TEST_F(targets, what_clones_while_it_is_attached_belongs_to_the_target)
{
	struct sums sums = { };
	unsigned int t;

	self->pid[0] = worker(self, 0, 0);
	self->pid[1] = fork();
	if (!self->pid[1]) {
		enter(&self->family[1]);
		clone_next(NULL);
		for (;;)
			pause();
	}
	ASSERT_TRUE(wait_for(self->family[1].nr));
	describe(self, variant, ACRPMU_SESSION_INHERIT);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(2, attach(&self->s, self->pid[1], ACRPMU_ATTACH_PROCESS));
	EXPECT_TRUE(wait_for(has_cloned(&self->s, 50)));
	end_child(self->pid[1]);
	self->pid[1] = 0;
	ASSERT_EQ(0, finish(self));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_EQ(0, self->records[0] + self->records[NR_TARGETS]);
	for (t = 0; t < 2; t++) {
		ASSERT_EQ(0, session_read_target(&self->s, t + 1));
		EXPECT_TRUE(has_its_own(self, t, 0, t ? UINT64_MAX / 2 : SLACK));
		EXPECT_EQ(!t, self->s.accounts.nr_tasks);
		add(&sums, &self->s);
	}
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_TRUE(add_up(&sums, &self->s));
	EXPECT_EQ(0, self->s.accounts.inherit_failed);
}

TEST_HARNESS_MAIN
