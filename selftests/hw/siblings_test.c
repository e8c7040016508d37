// SPDX-License-Identifier: GPL-2.0-only
/* Hardware threads that share offcore registers: one value per core, saved and restored once. */
#include "work.h"
#include "module.h"
#include "threads.h"
#include "kselftest_harness.h"
#include <stdlib.h>

/* Two cores of two threads: CPUs 0 and 1, 2 and 3 */
#define NR_THREADS	2
#define NR_CORES	2
#define CPUS		(NR_CORES * NR_THREADS)
#define THREAD(cpu)	(1ULL << (cpu))
#define ROUNDS		30

#define RSP_READS	(RSP_ANY | RSP_DATA_RD)
#define RSP_OWNERSHIP	(RSP_ANY | RSP_RFO)
#define RSP_CODE	(RSP_ANY | RSP_CODE_RD)

/* A value to be found and restored for each register of each core */
static const uint64_t found[NR_CORES][2] = { { 0x10, 0x20 }, { 0x80, 0x100 } };

static bool read_topology(int cpu, const char *file, char *text, size_t size)
{
	char path[96];
	FILE *in;
	bool read;

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/topology/%s", cpu, file);
	in = fopen(path, "r");
	if (!in)
		return false;
	read = fgets(text, size, in);
	fclose(in);
	return read;
}

static uint64_t writes(void)
{
	return offcore_writes(MSR_RSP_0) + offcore_writes(MSR_RSP_1);
}

FIXTURE(siblings) {
	struct session s, other, third;
	pid_t holder[2];
	uint64_t boot[NR_CORES][2];
	bool able;
};

FIXTURE_SETUP(siblings)
{
	int core, i;

	session_task(&self->s, 0, 0);
	session_task(&self->other, 0, 0);
	session_task(&self->third, 0, 0);
	memset(self->holder, 0, sizeof(self->holder));
	self->able = offcore_cpu() &&
		     oracle_get(ORACLE_NR_CPUS, ORACLE_THIS_CPU, 0) == CPUS &&
		     oracle_get(ORACLE_NR_THREADS, ORACLE_THIS_CPU, 0) == NR_THREADS;
	for (core = 0; self->able && core < NR_CORES; core++)
		for (i = 0; i < 2; i++) {
			int cpu = core * NR_THREADS;

			self->boot[core][i] = offcore_reg(cpu, MSR_RSP_0 + i);
			ASSERT_EQ(0, msr_write(cpu, MSR_RSP_0 + i, found[core][i]));
		}
}

#define EXPECT_AS_FOUND(core)								\
	EXPECT_REGISTERS((core) * NR_THREADS, found[core][0], found[core][1])

FIXTURE_TEARDOWN(siblings)
{
	int core, i;

	session_close(&self->s);
	session_close(&self->other);
	session_close(&self->third);
	end_child(self->holder[0]);
	end_child(self->holder[1]);
	for (core = 0; self->able && core < NR_CORES; core++) {
		EXPECT_AS_FOUND(core);
		for (i = 0; i < 2; i++)
			msr_write(core * NR_THREADS, MSR_RSP_0 + i, self->boot[core][i]);
	}
}

#define REQUIRE_SIBLINGS() do {								\
	if (!self->able)								\
		SKIP(return, "needs offcore registers and two cores of two threads");	\
} while (0)

#define ASSERT_MADE(session, cpu_bits, config, value)					\
	ASSERT_EQ(0, offcore_make(session, cpu_bits, config, value))			\
		TH_LOG("%s", session_refusal(session))

static void kill_holder(pid_t *holder)
{
	end_child(*holder);
	*holder = 0;
}

TEST_F(siblings, guest_sees_which_threads_make_a_core)
{
	char list[32], want[32], core[CPUS][32];
	int cpu;

	REQUIRE_SIBLINGS();
	for (cpu = 0; cpu < CPUS; cpu++) {
		int first = cpu - cpu % NR_THREADS;

		snprintf(want, sizeof(want), "%d-%d\n", first, first + NR_THREADS - 1);
		ASSERT_TRUE(read_topology(cpu, "thread_siblings_list", list, sizeof(list)));
		EXPECT_STREQ(want, list);
		ASSERT_TRUE(read_topology(cpu, "core_id", core[cpu], sizeof(core[cpu])));
		EXPECT_STREQ(core[first], core[cpu]);
	}
	EXPECT_STRNE(core[0], core[NR_THREADS]);
}

TEST_F(siblings, what_one_thread_writes_the_other_reads)
{
	REQUIRE_SIBLINGS();
	ASSERT_EQ(0, msr_write(0, MSR_RSP_0, RSP_READS));
	EXPECT_EQ(RSP_READS, msr_read(1, MSR_RSP_0));
	ASSERT_EQ(0, msr_write(1, MSR_RSP_0, RSP_OWNERSHIP));
	EXPECT_EQ(RSP_OWNERSHIP, msr_read(0, MSR_RSP_0));
	EXPECT_EQ(found[0][1], msr_read(1, MSR_RSP_1));
	EXPECT_EQ(found[1][0], msr_read(2, MSR_RSP_0));
	ASSERT_EQ(0, msr_write(0, MSR_RSP_0, found[0][0]));
}

/* Reads, waits, reads twice as much and stores, all without a system call. */
static pid_t start_spinning(int cpu, volatile char *memory)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (pin_to(0, cpu))
		_exit(1);
	thread_reads(memory);
	for (memory[0] = 1; memory[0] != 2;)
		;
	thread_reads(memory);
	thread_stores(memory);
	thread_reads(memory);
	_exit(0);
}

/* Thread 0 writes another value while nothing runs on thread 1. */
static bool write_quietly(uint64_t value, uint64_t old, struct thread_state *state)
{
	struct thread_state again;
	int tries;

	for (tries = 0; tries < THREAD_TRIES; tries++) {
		if (thread_state(1, state) && !msr_write(0, MSR_RSP_0, value) &&
		    thread_state(1, &again) && !memcmp(state, &again, sizeof(again)))
			return true;
		msr_write(0, MSR_RSP_0, old);
	}
	return false;
}

/* No session does this, but the model must be able to show it. */
TEST_F(siblings, count_by_the_value_the_other_thread_writes)
{
	struct thread_state start, before, after;
	unsigned int cntr;
	char *memory;

	REQUIRE_SIBLINGS();
	memory = thread_memory(MAP_SHARED);
	ASSERT_NE(MAP_FAILED, memory);
	ASSERT_EQ(0, pin_to(0, NR_THREADS));
	ASSERT_MADE(&self->s, THREAD(1), EV_OFFCORE_0, RSP_READS);
	cntr = self->s.hw[0].cntr;
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_TRUE(thread_state(1, &start));
	self->holder[0] = start_spinning(1, memory);
	while (*(volatile char *)memory != 1)
		sched_yield();
	ASSERT_TRUE(thread_state(1, &before));
	EXPECT_EQ(before.reads - start.reads, before.cntr[cntr] - start.cntr[cntr]);

	ASSERT_TRUE(write_quietly(RSP_OWNERSHIP, RSP_READS, &before));
	*(volatile char *)memory = 2;
	ASSERT_TRUE(thread_wait(self->holder[0]));
	self->holder[0] = 0;
	ASSERT_TRUE(thread_state(1, &after));
	/* A session restores no register that somebody else has written. */
	ASSERT_EQ(0, msr_write(0, MSR_RSP_0, RSP_READS));
	EXPECT_LE(REQUEST_LINES / 2, after.stores - before.stores);
	EXPECT_LT(after.stores - before.stores, after.reads - before.reads);
	EXPECT_EQ(after.stores - before.stores, after.cntr[cntr] - before.cntr[cntr]);
	munmap(memory, REQUEST_LINES * 64);
}

TEST_F(siblings, equal_values_share_a_register_that_is_written_once)
{
	uint64_t before = writes();

	REQUIRE_SIBLINGS();
	ASSERT_MADE(&self->s, THREAD(0), EV_OFFCORE_0, RSP_READS);
	ASSERT_MADE(&self->other, THREAD(1), EV_OFFCORE_1, RSP_READS);
	EXPECT_EQ(MSR_RSP_0, self->other.hw[0].extra_msr);
	EXPECT_EQ(EV_OFFCORE_0, self->other.hw[0].cfg_a & 0xffff);
	EXPECT_EQ(before + 1, writes());
	EXPECT_REGISTERS(1, RSP_READS, found[0][1]);
	EXPECT_AS_FOUND(1);

	/* the one that wrote it ends first */
	session_close(&self->s);
	EXPECT_EQ(before + 1, writes());
	EXPECT_REGISTERS(0, RSP_READS, found[0][1]);
	ASSERT_MADE(&self->s, THREAD(0), EV_OFFCORE_0, RSP_READS);
	session_close(&self->other);
	EXPECT_EQ(before + 1, writes());
	session_close(&self->s);
	EXPECT_EQ(before + 2, writes());
	EXPECT_AS_FOUND(0);
}

TEST_F(siblings, session_on_both_threads_writes_once)
{
	uint64_t before = writes();

	REQUIRE_SIBLINGS();
	ASSERT_MADE(&self->s, THREAD(0) | THREAD(1), EV_OFFCORE_0, RSP_READS);
	EXPECT_EQ(before + 1, writes());
	EXPECT_REGISTERS(0, RSP_READS, found[0][1]);
	session_close(&self->s);
	EXPECT_EQ(before + 2, writes());
}

TEST_F(siblings, another_value_moves_and_a_third_is_refused)
{
	REQUIRE_SIBLINGS();
	self->holder[0] = offcore_hold(THREAD(0), EV_OFFCORE_0, RSP_READS);
	ASSERT_LT(0, self->holder[0]);
	ASSERT_MADE(&self->other, THREAD(1), EV_OFFCORE_0, RSP_OWNERSHIP);
	EXPECT_EQ(MSR_RSP_1, self->other.hw[0].extra_msr);
	EXPECT_EQ(EV_OFFCORE_1, self->other.hw[0].cfg_a & 0xffff);
	EXPECT_REGISTERS(0, RSP_READS, RSP_OWNERSHIP);

	/* the CPU is the requested one, whichever thread's session conflicts */
	EXPECT_BUSY(&self->third, offcore_make(&self->third, THREAD(1), EV_OFFCORE_0, RSP_CODE),
		    MSR_RSP_0, RSP_READS, 1, self->holder[0]);
	EXPECT_BUSY(&self->third, offcore_make(&self->third, THREAD(0), EV_OFFCORE_1, RSP_CODE),
		    MSR_RSP_1, RSP_OWNERSHIP, 0, getpid());
	EXPECT_BUSY(&self->third, offcore_make(&self->third, THREAD(1) | THREAD(2), EV_OFFCORE_0,
					       RSP_CODE), MSR_RSP_0, RSP_READS, 1,
		    self->holder[0]);
	EXPECT_REGISTERS(0, RSP_READS, RSP_OWNERSHIP);
	/* the other core is free */
	ASSERT_MADE(&self->third, THREAD(2) | THREAD(3), EV_OFFCORE_0, RSP_CODE);
	EXPECT_REGISTERS(3, RSP_CODE, found[1][1]);
	EXPECT_REGISTERS(0, RSP_READS, RSP_OWNERSHIP);
}

TEST_F(siblings, killed_holders_leave_the_register_to_the_last)
{
	uint64_t before = writes();

	REQUIRE_SIBLINGS();
	self->holder[0] = offcore_hold(THREAD(0), EV_OFFCORE_0, RSP_READS);
	ASSERT_LT(0, self->holder[0]);
	self->holder[1] = offcore_hold(THREAD(1), EV_OFFCORE_0, RSP_READS);
	ASSERT_LT(0, self->holder[1]);
	kill_holder(&self->holder[0]);
	EXPECT_REGISTERS(1, RSP_READS, found[0][1]);
	/* the register is still held by the other thread's session */
	ASSERT_MADE(&self->s, THREAD(0), EV_OFFCORE_0, RSP_OWNERSHIP);
	EXPECT_EQ(MSR_RSP_1, self->s.hw[0].extra_msr);
	EXPECT_BUSY(&self->third, offcore_make(&self->third, THREAD(0), EV_OFFCORE_0, RSP_CODE),
		    MSR_RSP_0, RSP_READS, 0, self->holder[1]);
	kill_holder(&self->holder[1]);
	EXPECT_REGISTERS(0, found[0][0], RSP_OWNERSHIP);
	session_close(&self->s);
	EXPECT_AS_FOUND(0);
	EXPECT_EQ(before + 4, writes());
}

/* ---- counts ---- */

static uint64_t requests(const struct thread_state *state, uint64_t value)
{
	return value & RSP_RFO ? state->stores : state->reads;
}

/* Others may run on the thread for a moment: repeat until nothing has happened in between. */
static bool read_quietly(struct session *s, int cpu, struct thread_state *state)
{
	struct thread_state again;
	int tries;

	for (tries = 0; tries < THREAD_TRIES; tries++)
		if (thread_state(cpu, state) && !session_read_cpu(s, cpu) &&
		    thread_state(cpu, &again) && !memcmp(state, &again, sizeof(again)))
			return true;
	return false;
}

/* A session must count what happened on its thread, and that must be substantial. */
#define EXPECT_COUNTED(session, cpu, before, after, passes) do {			\
	uint64_t want_ = requests(after, (session)->ev[0].extra_value) -		\
			 requests(before, (session)->ev[0].extra_value);		\
	unsigned int cntr_ = (session)->hw[0].cntr;					\
	struct thread_state now_;							\
											\
	EXPECT_LE((passes) * REQUEST_LINES / 2, want_);					\
	EXPECT_EQ(want_, (after)->cntr[cntr_] - (before)->cntr[cntr_]);			\
	EXPECT_TRUE(read_quietly(session, cpu, &now_));					\
	EXPECT_EQ(now_.cntr[cntr_], (session)->counts[0].value);			\
} while (0)

/* Sessions on the threads of core 0, the second one busier than the first, seen from core 1 */
static void count_both(struct __test_metadata *_metadata, FIXTURE_DATA(siblings) *self,
		       uint64_t first, uint64_t second)
{
	struct thread_state before[NR_THREADS], after[NR_THREADS];
	pid_t pid[NR_THREADS];
	int i;

	ASSERT_EQ(0, pin_to(0, NR_THREADS));
	ASSERT_MADE(&self->s, THREAD(0), EV_OFFCORE_0, first);
	ASSERT_MADE(&self->other, THREAD(1), EV_OFFCORE_0, second);
	ASSERT_EQ(0, session_enable(&self->s));
	ASSERT_EQ(0, session_enable(&self->other));
	for (i = 0; i < NR_THREADS; i++)
		ASSERT_TRUE(thread_state(i, &before[i]));
	for (i = 0; i < NR_THREADS; i++)
		pid[i] = thread_start(i, i + 1);
	for (i = 0; i < NR_THREADS; i++)
		ASSERT_TRUE(thread_wait(pid[i]));
	for (i = 0; i < NR_THREADS; i++)
		ASSERT_TRUE(thread_state(i, &after[i]));
	EXPECT_COUNTED(&self->s, 0, &before[0], &after[0], 1);
	EXPECT_COUNTED(&self->other, 1, &before[1], &after[1], 2);
}

TEST_F(siblings, one_value_counts_each_thread_separately)
{
	REQUIRE_SIBLINGS();
	count_both(_metadata, self, RSP_READS, RSP_READS);
	EXPECT_REGISTERS(0, RSP_READS, found[0][1]);
}

TEST_F(siblings, two_values_count_each_on_its_own_thread)
{
	REQUIRE_SIBLINGS();
	count_both(_metadata, self, RSP_READS, RSP_OWNERSHIP);
	EXPECT_REGISTERS(0, RSP_READS, RSP_OWNERSHIP);
}

/* ---- threads going offline and online: those of core 1, as CPU 0 stays ---- */

static bool holds_cpus(struct session *s, unsigned int nr)
{
	return !session_read(s) && s->accounts.nr_cpus == nr;
}

static bool work_counted(struct session *s, int cpu, struct thread_state *before,
			 struct thread_state *after)
{
	return !session_enable(s) && thread_state(cpu, before) &&
	       thread_wait(thread_start(cpu, 1)) && thread_state(cpu, after);
}

TEST_F(siblings, a_thread_that_goes_offline_leaves_the_register_to_the_other)
{
	struct thread_state before, after;

	REQUIRE_SIBLINGS();
	ASSERT_EQ(0, pin_to(0, 0));
	ASSERT_MADE(&self->s, THREAD(2), EV_OFFCORE_0, RSP_READS);
	ASSERT_MADE(&self->other, THREAD(3), EV_OFFCORE_0, RSP_READS);
	ASSERT_EQ(0, set_online(2, false));
	EXPECT_REGISTERS(3, RSP_READS, found[1][1]);
	EXPECT_TRUE(work_counted(&self->other, 3, &before, &after));
	EXPECT_COUNTED(&self->other, 3, &before, &after, 1);
	session_close(&self->other);
	EXPECT_AS_FOUND(1);
	ASSERT_EQ(0, set_online(2, true));
	/* the session has it back */
	EXPECT_TRUE(wait_for(holds_cpus(&self->s, 1)));
	EXPECT_REGISTERS(2, RSP_READS, found[1][1]);
}

TEST_F(siblings, a_core_that_goes_offline_has_its_registers_as_found)
{
	REQUIRE_SIBLINGS();
	ASSERT_EQ(0, pin_to(0, 0));
	ASSERT_MADE(&self->s, THREAD(2), EV_OFFCORE_0, RSP_READS);
	ASSERT_MADE(&self->other, THREAD(2) | THREAD(3), EV_OFFCORE_0, RSP_OWNERSHIP);
	ASSERT_EQ(0, set_online(2, false));
	EXPECT_REGISTERS(3, found[1][0], RSP_OWNERSHIP);
	ASSERT_EQ(0, set_online(3, false));
	EXPECT_AS_FOUND(1);
	ASSERT_EQ(0, set_online(3, true));
	ASSERT_EQ(0, set_online(2, true));
	/* the sessions have them back, in the registers as before */
	EXPECT_TRUE(wait_for(holds_cpus(&self->s, 1) && holds_cpus(&self->other, 2)));
	EXPECT_REGISTERS(3, RSP_READS, RSP_OWNERSHIP);
}

TEST_F(siblings, a_task_has_its_value_again_when_threads_return)
{
	REQUIRE_SIBLINGS();
	ASSERT_EQ(0, pin_to(0, 0));
	session_task(&self->s, 0, 0);
	offcore_event(&self->s, EV_OFFCORE_0, RSP_READS, USER);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, set_online(2, false));
	EXPECT_REGISTERS(3, RSP_READS, found[1][1]);
	ASSERT_EQ(0, set_online(3, false));
	EXPECT_AS_FOUND(1);
	ASSERT_EQ(0, set_online(3, true));
	EXPECT_TRUE(wait_for(holds_cpus(&self->s, 3)));
	EXPECT_REGISTERS(2, RSP_READS, found[1][1]);
	ASSERT_EQ(0, set_online(2, true));
	EXPECT_TRUE(wait_for(holds_cpus(&self->s, 4)));
	EXPECT_REGISTERS(2, RSP_READS, found[1][1]);
	session_close(&self->s);
	EXPECT_AS_FOUND(0);
	EXPECT_AS_FOUND(1);
}

/* The module discovered the threads of core 1 one by one: it is still one core. */
static void core_is_one(struct __test_metadata *_metadata, FIXTURE_DATA(siblings) *self)
{
	ASSERT_MADE(&self->s, THREAD(3), EV_OFFCORE_0, RSP_READS);
	ASSERT_MADE(&self->other, THREAD(2), EV_OFFCORE_0, RSP_OWNERSHIP);
	EXPECT_EQ(MSR_RSP_1, self->other.hw[0].extra_msr);
	EXPECT_REGISTERS(2, RSP_READS, RSP_OWNERSHIP);
	EXPECT_BUSY(&self->third, offcore_make(&self->third, THREAD(2), EV_OFFCORE_0, RSP_CODE),
		    MSR_RSP_0, RSP_READS, 2, getpid());
}

TEST_F(siblings, are_found_when_the_first_comes_after_the_module)
{
	REQUIRE_SIBLINGS();
	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(0, set_online(2, false));
	ASSERT_EQ(0, module_load("max_pmi_percent=100"));
	ASSERT_EQ(0, set_online(2, true));
	core_is_one(_metadata, self);
}

TEST_F(siblings, are_found_when_they_were_never_online_together)
{
	REQUIRE_SIBLINGS();
	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(0, set_online(2, false));
	ASSERT_EQ(0, module_load("max_pmi_percent=100"));
	ASSERT_EQ(0, set_online(3, false));
	ASSERT_EQ(0, set_online(2, true));
	ASSERT_EQ(0, set_online(3, true));
	core_is_one(_metadata, self);
}

/* ---- both concurrently ---- */

/* Sessions come and go on one thread; while one exists, so must the value. */
static pid_t start_rounds(int cpu)
{
	unsigned int i;
	struct session s;
	pid_t pid = fork();

	if (pid)
		return pid;
	if (pin_to(0, cpu))
		_exit(1);
	for (i = 0; i < ROUNDS; i++) {
		if (offcore_make(&s, THREAD(cpu), EV_OFFCORE_0, RSP_READS))
			_exit(2);
		if (s.hw[0].extra_msr != MSR_RSP_0 || offcore_reg(cpu, MSR_RSP_0) != RSP_READS)
			_exit(3);
		session_close(&s);
	}
	_exit(0);
}

TEST_F(siblings, that_come_and_go_concurrently_keep_what_was_found)
{
	pid_t pid[NR_THREADS];
	int i, status;

	REQUIRE_SIBLINGS();
	for (i = 0; i < NR_THREADS; i++)
		pid[i] = start_rounds(i);
	for (i = 0; i < NR_THREADS; i++) {
		ASSERT_EQ(pid[i], waitpid(pid[i], &status, 0));
		EXPECT_EQ(0, status) TH_LOG("on CPU %d", i);
	}
	EXPECT_AS_FOUND(0);
}

TEST_HARNESS_MAIN
