// SPDX-License-Identifier: GPL-2.0-only
/* What a user's program reads with RDPMC on a CPU where a session counts another task, or all. */
#include "work.h"
#include "intree.h"
#include "module.h"
#include "session.h"
#include "kselftest_harness.h"

#include <cpuid.h>
#include <pthread.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/ucontext.h>

#define CPU		1
#define OTHER_CPU	0
#define ROUNDS		40
#define THREAD_ROUNDS	15
#define NOBODY		65534
#define RDPMC_BYTES	2
#define NR_GP		8
#define NR_FIXED	3
#define NR_CNTRS	(NR_GP + NR_FIXED)
#define FIXED_0		(1U << 30)
#define PERIOD		20000
/* Instructions of a task outside of its loops, in each round */
#define SLACK		2000ULL
#define LEAST_LOOP	1000ULL
#define MOST_LOOP	50000ULL

/**
 * enum how - how the spy may read counters
 * @MAPPED: it has mapped an event of its own all the time
 * @MAPS: it maps the event after the victim has run, and unmaps it after the look
 * @THREAD_MAPS: another thread of it does, on another CPU
 * @ALWAYS: everybody may
 */
enum how { MAPPED, MAPS, THREAD_MAPS, ALWAYS };

/**
 * struct shared - what the tasks share
 * @reads: counters that the spy could read
 * @changes: those that were not what they had been before the victim ran
 * @most: the largest change
 * @iterations: of the victim's loops
 * @map: the other thread is to map the event, or to unmap it
 * @is_mapped: it has
 */
struct shared {
	uint64_t reads;
	uint64_t changes;
	uint64_t most;
	uint64_t iterations;
	bool map;
	bool is_mapped;
};

static volatile sig_atomic_t refused;

/* Two threads that wait for each other take long on a busy machine. */
static unsigned int rounds_of(enum how how)
{
	return how == THREAD_MAPS ? THREAD_ROUNDS : ROUNDS;
}

static void skip_rdpmc(int sig, siginfo_t *info, void *context)
{
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += RDPMC_BYTES;
	refused = 1;
}

static bool read_counter(unsigned int i, uint64_t *value)
{
	unsigned int ecx = i < NR_GP ? i : FIXED_0 | (i - NR_GP), lo, hi;

	refused = 0;
	__asm__ volatile("rdpmc" : "=a" (lo), "=d" (hi) : "c" (ecx) : "memory");
	*value = lo | (uint64_t)hi << 32;
	return !refused;
}

static void look(struct shared *shared, uint64_t *seen, bool compare)
{
	unsigned int i;

	for (i = 0; i < NR_CNTRS; i++) {
		uint64_t before = seen[i], change;

		if (!read_counter(i, &seen[i]))
			continue;
		shared->reads++;
		change = seen[i] - before;
		if (!compare || !change)
			continue;
		shared->changes++;
		if (change > shared->most)
			shared->most = change;
	}
}

static bool write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	bool ok = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);

	close(fd);
	return ok;
}

#define PARANOID	"/proc/sys/kernel/perf_event_paranoid"
#define RDPMC		"/sys/bus/event_source/devices/cpu/rdpmc"
#define GROUPS		"/tmp/acrpmu_groups/"
#define GROUP		GROUPS "spied_on/"
#define FTRACE		"/proc/sys/kernel/ftrace_enabled"

static void read_file(const char *path, char *text, size_t size)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t len = read(fd, text, size - 1);

	text[len > 0 ? len : 0] = 0;
	close(fd);
}

/* ---- the tasks ---- */

static void pass(int fd)
{
	char byte = 0;

	if (write(fd, &byte, 1) != 1)
		_exit(1);
}

static void await(int fd)
{
	char byte;

	if (read(fd, &byte, 1) != 1)
		_exit(1);
}

FIXTURE(spy) {
	struct shared *shared;
	struct session s;
	int intree[3];
	int to_victim[2];
	int to_relay[2];
	int to_spy[2];
	int ready[2];
	int go[2];
	pid_t victim;
	pid_t spy;
	char paranoid[16];
	char rdpmc[16];
};

FIXTURE_VARIANT(spy) {
	enum how how;
	bool relay;
	bool unhooked;
};

FIXTURE_VARIANT_ADD(spy, has_mapped) { .how = MAPPED };
FIXTURE_VARIANT_ADD(spy, has_mapped_and_idle_between) { .how = MAPPED, .relay = true };
FIXTURE_VARIANT_ADD(spy, maps_afterwards) { .how = MAPS };
FIXTURE_VARIANT_ADD(spy, thread_maps_afterwards) { .how = THREAD_MAPS };
FIXTURE_VARIANT_ADD(spy, everybody_may) { .how = ALWAYS, .relay = true };
FIXTURE_VARIANT_ADD(spy, everybody_may_and_ftrace_is_off) { .how = ALWAYS, .unhooked = true };

static bool reload(const char *ftrace)
{
	bool ok = !module_unload();

	/* Newer kernels refuse it. */
	write_file(FTRACE, ftrace);
	return !module_load("") && ok;
}

static bool is_hooked(void)
{
	return !system("grep -q 'perf_clear_dirty_counters.*acrpmu' "
		       "/sys/kernel/tracing/enabled_functions");
}

FIXTURE_SETUP(spy)
{
	unsigned int i;

	self->shared = mmap(NULL, sizeof(*self->shared), PROT_READ | PROT_WRITE,
			    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ASSERT_NE(MAP_FAILED, self->shared);
	memset(&self->s, 0, sizeof(self->s));
	self->s.fd = -1;
	for (i = 0; i < 3; i++)
		self->intree[i] = -1;
	self->victim = 0;
	self->spy = 0;
	ASSERT_EQ(0, pipe(self->to_victim));
	ASSERT_EQ(0, pipe(self->to_relay));
	ASSERT_EQ(0, pipe(self->to_spy));
	ASSERT_EQ(0, pipe(self->ready));
	ASSERT_EQ(0, pipe(self->go));
	read_file(PARANOID, self->paranoid, sizeof(self->paranoid));
	read_file(RDPMC, self->rdpmc, sizeof(self->rdpmc));
	ASSERT_TRUE(write_file(PARANOID, "2"));
	ASSERT_EQ(0, pin_to(0, OTHER_CPU));
	if (variant->unhooked)
		ASSERT_TRUE(reload("0"));
	if (variant->how == ALWAYS)
		ASSERT_TRUE(write_file(RDPMC, "2"));
}

/* Return: why the spy and a session cannot be there both, or not as the variant wants it. */
static const char *impossible(const FIXTURE_VARIANT(spy) *variant)
{
	if (variant->how != ALWAYS && arbiter() == ACRPMU_ARBITER_RESERVE)
		return "a session and a program's event exclude each other here";
	if (variant->unhooked && is_hooked())
		return "this kernel's ftrace cannot be turned off";
	return NULL;
}

FIXTURE_TEARDOWN(spy)
{
	unsigned int i;

	end_child(self->spy);
	end_child(self->victim);
	session_close(&self->s);
	for (i = 0; i < 3; i++)
		if (self->intree[i] >= 0)
			close(self->intree[i]);
	write_file(PARANOID, self->paranoid);
	write_file(RDPMC, self->rdpmc);
	if (variant->unhooked)
		reload("1");
	munmap(self->shared, sizeof(*self->shared));
}

static void run_victim(FIXTURE_DATA(spy) * self, enum how how, bool relay)
{
	unsigned int i;

	pin_to(0, CPU);
	for (i = 0; i < rounds_of(how); i++) {
		uint64_t n = i & 1 ? MOST_LOOP : LEAST_LOOP + 37 * i;

		await(self->to_victim[0]);
		work_fast(n);
		self->shared->iterations += n;
		pass(relay ? self->to_relay[1] : self->to_spy[1]);
	}
}

static void *map_page(int fd)
{
	return mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
}

struct mapper {
	struct shared *shared;
	int fd;
};

static void *keep_mapping(void *data)
{
	struct mapper *mapper = data;
	void *page = MAP_FAILED;

	pin_to(0, OTHER_CPU);
	for (;;) {
		bool map = __atomic_load_n(&mapper->shared->map, __ATOMIC_ACQUIRE);

		if (map && page == MAP_FAILED) {
			page = map_page(mapper->fd);
		} else if (!map && page != MAP_FAILED) {
			munmap(page, sysconf(_SC_PAGESIZE));
			page = MAP_FAILED;
		}
		__atomic_store_n(&mapper->shared->is_mapped, page != MAP_FAILED, __ATOMIC_RELEASE);
		sched_yield();
	}
	return NULL;
}

/* Without a system call, which might switch. */
static void let_thread_map(struct shared *shared, bool map)
{
	__atomic_store_n(&shared->map, map, __ATOMIC_RELEASE);
	while (__atomic_load_n(&shared->is_mapped, __ATOMIC_ACQUIRE) != map)
		;
}

static int open_own(void)
{
	/* Disabled: it changes no counter itself, but being mapped is enough. */
	struct intree e = { .config = EV_INSNS, .cpu = -1, .group = -1, .disabled = true };

	return intree_open(&e);
}

static void run_spy(FIXTURE_DATA(spy) * self, enum how how)
{
	struct sigaction action = { .sa_sigaction = skip_rdpmc, .sa_flags = SA_SIGINFO };
	struct mapper mapper = { .shared = self->shared, .fd = -1 };
	uint64_t seen[NR_CNTRS] = { 0 };
	void *page = MAP_FAILED;
	pthread_t thread;
	unsigned int i;

	pin_to(0, CPU);
	if (setresgid(NOBODY, NOBODY, NOBODY) || setresuid(NOBODY, NOBODY, NOBODY) ||
	    sigaction(SIGSEGV, &action, NULL))
		_exit(1);
	if (how != ALWAYS) {
		mapper.fd = open_own();
		if (mapper.fd < 0)
			_exit(2);
	}
	if (how == MAPPED)
		page = map_page(mapper.fd);
	if (how == THREAD_MAPS && pthread_create(&thread, NULL, keep_mapping, &mapper))
		_exit(1);
	pass(self->ready[1]);
	await(self->go[0]);
	for (i = 0; i < rounds_of(how); i++) {
		pass(self->to_victim[1]);
		await(self->to_spy[0]);
		if (how == MAPS)
			page = map_page(mapper.fd);
		if (how == THREAD_MAPS)
			let_thread_map(self->shared, true);
		/* What it finds first is older than the victim's first loop. */
		look(self->shared, seen, i);
		if (how == MAPS)
			munmap(page, sysconf(_SC_PAGESIZE));
		if (how == THREAD_MAPS)
			let_thread_map(self->shared, false);
	}
}

/* The spy is ready, and both wait: its event is open before a session has the CPU. */
static void start(struct __test_metadata *_metadata, FIXTURE_DATA(spy) * self, enum how how,
		  bool relay)
{
	char byte;

	self->victim = fork();
	if (!self->victim) {
		run_victim(self, how, relay);
		pause();
		_exit(0);
	}
	self->spy = fork();
	if (!self->spy) {
		close(self->ready[0]);
		run_spy(self, how);
		_exit(0);
	}
	close(self->ready[1]);
	ASSERT_EQ(1, read(self->ready[0], &byte, 1));
}

static int follow(struct session *s, pid_t pid)
{
	session_task(s, pid, 0);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(s, EV_BRANCHES, USER | SAMPLED, PERIOD, 0);
	session_event(s, EV_CYCLES, USER | SAMPLED, PERIOD, 0);
	return session_make(s) ?: session_enable(s);
}

static void let_run(struct __test_metadata *_metadata, FIXTURE_DATA(spy) * self, bool relay)
{
	int status, i;

	pass(self->go[1]);
	for (i = 0; relay && i < ROUNDS; i++) {
		await(self->to_relay[0]);
		/* The CPU is idle for a while. */
		usleep(200);
		pass(self->to_spy[1]);
	}
	ASSERT_EQ(self->spy, waitpid(self->spy, &status, 0));
	self->spy = 0;
	ASSERT_TRUE(WIFEXITED(status));
	ASSERT_EQ(0, WEXITSTATUS(status));
	TH_LOG("%lu counters read, %lu changes", self->shared->reads, self->shared->changes);
	/* It could look. */
	EXPECT_LT(THREAD_ROUNDS, self->shared->reads);
}

/* The control: one change is what the counters had before perf first zeroed them. */
TEST_F(spy, reads_nothing_of_perf)
{
	struct intree e = { .cpu = -1, .group = -1 };
	const uint64_t config[] = { EV_INSNS, EV_BRANCHES, EV_CYCLES };
	unsigned int i;

	start(_metadata, self, variant->how, variant->relay);
	e.pid = self->victim;
	for (i = 0; i < 3; i++) {
		e.config = config[i];
		self->intree[i] = intree_open(&e);
		ASSERT_LE(0, self->intree[i]);
	}
	let_run(_metadata, self, variant->relay);
	EXPECT_GE(3, self->shared->changes);
}

TEST_F(spy, reads_nothing_of_a_session)
{
	const char *why_not = impossible(variant);
	uint64_t exact, n;

	if (why_not)
		SKIP(return, "%s", why_not);
	start(_metadata, self, variant->how, variant->relay);
	ASSERT_EQ(0, follow(&self->s, self->victim)) TH_LOG("%s", session_refusal(&self->s));
	let_run(_metadata, self, variant->relay);
	EXPECT_EQ(0, self->shared->changes);

	/* And the counts go on where they were. */
	ASSERT_EQ(0, session_read(&self->s));
	n = self->shared->iterations;
	exact = n * WORK_INSNS;
	EXPECT_LE(exact, self->s.counts[0].value);
	EXPECT_GE(exact + ROUNDS * SLACK, self->s.counts[0].value);
	EXPECT_LE(n / PERIOD, self->s.counts[1].overflows);
	EXPECT_GE((n + ROUNDS * SLACK) / PERIOD, self->s.counts[1].overflows);
}

/* Between two looks the spy itself counts: only its own. */
TEST_F(spy, reads_only_its_own_counts_where_both_are_followed)
{
	const char *why_not = impossible(variant);

	if (why_not)
		SKIP(return, "%s", why_not);
	if (variant->how == THREAD_MAPS)
		SKIP(return, "the spy counts how long it waits for its thread");
	self->spy = fork();
	if (!self->spy) {
		await(self->go[0]);
		if (!fork()) {
			run_victim(self, variant->how, variant->relay);
			_exit(0);
		}
		run_spy(self, variant->how);
		_exit(0);
	}
	session_task(&self->s, self->spy, ACRPMU_SESSION_INHERIT);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	pass(self->go[1]);
	let_run(_metadata, self, variant->relay);
	TH_LOG("at most %lu", self->shared->most);
	EXPECT_LT(0, self->shared->most);
	EXPECT_GE(SLACK, self->shared->most);
}

/* ---- sessions of a CPU ---- */

/* CPUID.23H.0:EBX[2] */
static bool keeps_from_users(void)
{
	unsigned int a, b, c, d;

	if (__get_cpuid_max(0, NULL) < 0x23)
		return false;
	__cpuid_count(7, 1, a, b, c, d);
	if (!(a >> 8 & 1))
		return false;
	__cpuid_count(0x23, 0, a, b, c, d);
	return b >> 2 & 1;
}

static unsigned int index_of(const struct acrpmu_event_hw *hw)
{
	return hw->cntr < 32 ? hw->cntr : NR_GP + hw->cntr - 32;
}

FIXTURE(cpu) {
	struct session s;
	char rdpmc[16];
};

FIXTURE_VARIANT(cpu) {
	bool task, cgroup;
};

FIXTURE_VARIANT_ADD(cpu, counted) { };
FIXTURE_VARIANT_ADD(cpu, of_a_task_that_is_counted) { .task = true };
FIXTURE_VARIANT_ADD(cpu, of_a_cgroup_that_is_counted) { .cgroup = true };

FIXTURE_SETUP(cpu)
{
	struct sigaction action = { .sa_sigaction = skip_rdpmc, .sa_flags = SA_SIGINFO };

	self->s.fd = -1;
	ASSERT_EQ(0, pin_to(0, CPU));
	ASSERT_EQ(0, sigaction(SIGSEGV, &action, NULL));
	if (variant->cgroup) {
		ASSERT_TRUE(!mkdir(GROUPS, 0700) || errno == EEXIST);
		ASSERT_EQ(0, mount("none", GROUPS, "cgroup2", 0, NULL));
	}
	read_file(RDPMC, self->rdpmc, sizeof(self->rdpmc));
	EXPECT_TRUE(write_file(RDPMC, "2"));
}

FIXTURE_TEARDOWN(cpu)
{
	session_close(&self->s);
	write_file(RDPMC, self->rdpmc);
	if (!variant->cgroup)
		return;
	write_file(GROUPS "cgroup.procs", "0");
	rmdir(GROUP);
	umount2(GROUPS, MNT_DETACH);
	rmdir(GROUPS);
}

/* The session has the cgroup itself, and so needs no descriptor. */
static int make_counted(struct session *s, bool cgroup)
{
	int ret;

	if (!cgroup)
		return session_make(s);
	if ((mkdir(GROUP, 0700) && errno != EEXIST) || !write_file(GROUP "cgroup.procs", "0"))
		return -errno;
	s->attr.flags |= ACRPMU_SESSION_CGROUP;
	s->attr.pid = open(GROUP, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ret = session_make(s);
	close(s->attr.pid);
	return ret;
}

/*
 * Without the bit, a program reads what is counted while it runs, as with in-tree perf; and always
 * what is counted of itself.
 */
TEST_F(cpu, counter_reads_zero_where_hardware_can_hide_it)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];
	bool kept = !variant->task && keeps_from_users();
	uint64_t value;
	unsigned int i;

	if (variant->task)
		session_task(&self->s, 0, 0);
	else
		session_cpus(&self->s, 1 << CPU);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, make_counted(&self->s, variant->cgroup))
		TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_query_cpu(&self->s, CPU, hw));
	ASSERT_EQ(0, session_enable(&self->s));
	for (i = 0; i < 2; i++) {
		work_fast(MOST_LOOP);
		ASSERT_TRUE(read_counter(index_of(&hw[i]), &value));
		if (kept) {
			EXPECT_EQ(0, value);
		} else {
			EXPECT_LE(MOST_LOOP, value);
		}
	}
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_LE(2 * MOST_LOOP, self->s.counts[1].value);
	EXPECT_EQ(ACRPMU_STATE_ENABLED, self->s.accounts.state);
	/* nor what has been counted */
	ASSERT_EQ(0, session_disable(&self->s));
	for (i = 0; kept && i < 2; i++) {
		ASSERT_TRUE(read_counter(index_of(&hw[i]), &value));
		EXPECT_EQ(0, value);
	}
}

/* ---- kernel threads ---- */

/* The kernel thread that moves tasks off the CPU */
#define MOVER		"migration/1\n"

FIXTURE(mover) {
	struct session s;
	char rdpmc[16];
	pid_t pid;
};

static pid_t find_mover(void)
{
	char path[64], comm[32];
	pid_t pid;

	for (pid = 1; pid < 1000; pid++) {
		snprintf(path, sizeof(path), "/proc/%d/comm", pid);
		comm[0] = 0;
		if (!access(path, F_OK))
			read_file(path, comm, sizeof(comm));
		if (!strcmp(comm, MOVER))
			return pid;
	}
	return 0;
}

FIXTURE_SETUP(mover)
{
	struct sigaction action = { .sa_sigaction = skip_rdpmc, .sa_flags = SA_SIGINFO };

	self->s.fd = -1;
	self->pid = find_mover();
	ASSERT_NE(0, self->pid);
	ASSERT_EQ(0, pin_to(0, CPU));
	ASSERT_EQ(0, sigaction(SIGSEGV, &action, NULL));
	read_file(RDPMC, self->rdpmc, sizeof(self->rdpmc));
	EXPECT_TRUE(write_file(RDPMC, "2"));
}

FIXTURE_TEARDOWN(mover)
{
	session_close(&self->s);
	write_file(RDPMC, self->rdpmc);
}

static void be_moved(struct __test_metadata *_metadata, struct shared *shared)
{
	uint64_t seen[NR_CNTRS] = { 0 };
	unsigned int i;

	for (i = 0; i < ROUNDS; i++) {
		pin_to(0, OTHER_CPU);
		pin_to(0, CPU);
		look(shared, seen, i);
	}
	TH_LOG("%lu counters read, %lu changes", shared->reads, shared->changes);
}

/* The address space of the program stays loaded, so that its return is no switch to another one. */
TEST_F(mover, program_that_it_moves_reads_nothing_of_it)
{
	struct shared shared = { 0 };

	session_task(&self->s, self->pid, 0);
	session_event(&self->s, EV_INSNS, KERNEL | COUNT, 0, 0);
	session_event(&self->s, EV_BRANCHES, KERNEL | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	be_moved(_metadata, &shared);
	EXPECT_LT(ROUNDS, shared.reads);
	EXPECT_EQ(0, shared.changes);
	/* It was counted. */
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_LT(ROUNDS, self->s.counts[0].value);
}

/* Shown for comparison: that a kernel closes this is no fault. */
TEST_F(mover, program_that_it_moves_reads_what_perf_counts_of_it)
{
	struct intree e = { .pid = self->pid, .cpu = -1, .group = -1, .kernel = true,
			    .config = EV_INSNS };
	struct shared shared = { 0 };
	int fd = intree_open(&e);

	ASSERT_LE(0, fd);
	be_moved(_metadata, &shared);
	close(fd);
	EXPECT_LT(ROUNDS, shared.reads);
}

TEST_HARNESS_MAIN
