// SPDX-License-Identifier: GPL-2.0-only
/* Offcore response registers: the right value, shared by value, contended for, and restored. */
#include "work.h"
#include "holder.h"
#include "msr.h"
#include "offcore.h"
#include "records.h"
#include "kselftest_harness.h"

#define BOTH_CPUS	0x3
#define RSP_READS	(RSP_ANY | RSP_DATA_RD)
#define RSP_OWNERSHIP	(RSP_ANY | RSP_RFO)
#define RSP_CODE	(RSP_ANY | RSP_CODE_RD)
#define RSP_OTHER	(RSP_ANY | RSP_DATA_RD | RSP_RFO)

/* Reads more memory than any cache holds. */
static void read_memory(size_t bytes)
{
	volatile char *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
				     MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	size_t i, round;

	if (memory == MAP_FAILED)
		return;
	for (round = 0; round < 2; round++)
		for (i = 0; i < bytes; i += 64)
			(void)memory[i];
	munmap((void *)memory, bytes);
}

/* Both registers of both CPUs */
struct registers {
	uint64_t value[2][2];
};

static struct registers registers_now(void)
{
	struct registers now;
	int cpu;

	for (cpu = 0; cpu < 2; cpu++) {
		now.value[cpu][0] = offcore_reg(cpu, MSR_RSP_0);
		now.value[cpu][1] = offcore_reg(cpu, MSR_RSP_1);
	}
	return now;
}

#define EXPECT_AS_FOUND(found) do {				\
	struct registers now_ = registers_now();		\
								\
	EXPECT_EQ(0, memcmp(found, &now_, sizeof(now_)));	\
} while (0)

FIXTURE(offcore) {
	struct session s, other, third;
	pid_t first_holder, second_holder;
	const struct offcore_cpu *cpu;
	struct registers boot, found;
};

/* Values that somebody else left in the registers, a different one in each. */
static bool leave_something(const struct registers *boot)
{
	static const struct registers something = { { { 0x10, 0x20 }, { 0x80, 0x100 } } };
	const struct registers *regs = boot ?: &something;
	int cpu, i;

	for (cpu = 0; cpu < 2; cpu++)
		for (i = 0; i < 2; i++)
			if (msr_write(cpu, MSR_RSP_0 + i, regs->value[cpu][i]))
				return false;
	return true;
}

FIXTURE_SETUP(offcore)
{
	session_task(&self->s, 0, 0);
	session_task(&self->other, 0, 0);
	session_task(&self->third, 0, 0);
	self->first_holder = 0;
	self->second_holder = 0;
	self->cpu = offcore_cpu();
	self->boot = registers_now();
	if (self->cpu)
		ASSERT_TRUE(leave_something(NULL)) TH_LOG("needs modprobe msr allow_writes=on");
	self->found = registers_now();
}

FIXTURE_TEARDOWN(offcore)
{
	session_close(&self->s);
	session_close(&self->other);
	session_close(&self->third);
	end_child(self->first_holder);
	end_child(self->second_holder);
	EXPECT_AS_FOUND(&self->found);
	if (self->cpu)
		leave_something(&self->boot);
}

#define REQUIRE_OFFCORE() do {							\
	if (!self->cpu)								\
		SKIP(return, "this CPU has no offcore response registers");	\
} while (0)

TEST_F(offcore, value_is_written_and_restored)
{
	REQUIRE_OFFCORE();
	ASSERT_EQ(0, offcore_make(&self->s, BOTH_CPUS, EV_OFFCORE_0, RSP_READS))
		TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(RSP_READS, self->s.hw[0].extra_value);
	EXPECT_EQ(RSP_READS, offcore_reg(0, self->s.hw[0].extra_msr));
	EXPECT_EQ(RSP_READS, offcore_reg(1, self->s.hw[0].extra_msr));
	session_close(&self->s);
	EXPECT_AS_FOUND(&self->found);
}

TEST_F(offcore, equal_values_share_and_different_ones_use_both_registers)
{
	REQUIRE_OFFCORE();
	ASSERT_EQ(0, offcore_make(&self->s, BOTH_CPUS, EV_OFFCORE_0, RSP_READS))
		TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, offcore_make(&self->other, BOTH_CPUS, EV_OFFCORE_0, RSP_READS))
		TH_LOG("%s", session_refusal(&self->other));
	EXPECT_EQ(self->s.hw[0].extra_msr, self->other.hw[0].extra_msr);
	session_close(&self->other);
	ASSERT_EQ(0, offcore_make(&self->other, BOTH_CPUS, EV_OFFCORE_0, RSP_OWNERSHIP))
		TH_LOG("%s", session_refusal(&self->other));
	EXPECT_REGISTERS(0, RSP_READS, RSP_OWNERSHIP);
	EXPECT_REGISTERS(1, RSP_READS, RSP_OWNERSHIP);
	/* Event and register belong together: the second register has another event. */
	EXPECT_EQ(EV_OFFCORE_1, self->other.hw[0].cfg_a & 0xffff);

	EXPECT_BUSY(&self->third, offcore_make(&self->third, BOTH_CPUS, EV_OFFCORE_0, RSP_OTHER),
		    MSR_RSP_0, RSP_READS, 0, getpid());
}

TEST_F(offcore, each_cpu_has_its_own_registers)
{
	REQUIRE_OFFCORE();
	ASSERT_EQ(0, offcore_make(&self->s, 0x1, EV_OFFCORE_0, RSP_READS));
	ASSERT_EQ(0, offcore_make(&self->other, 0x2, EV_OFFCORE_0, RSP_OWNERSHIP));
	EXPECT_REGISTERS(0, RSP_READS, self->found.value[0][1]);
	EXPECT_REGISTERS(1, RSP_OWNERSHIP, self->found.value[1][1]);
	/* the first register of one CPU is of no use on the other */
	ASSERT_EQ(0, offcore_make(&self->third, BOTH_CPUS, EV_OFFCORE_0, RSP_READS))
		TH_LOG("%s", session_refusal(&self->third));
	EXPECT_REGISTERS(0, RSP_READS, self->found.value[0][1]);
	EXPECT_REGISTERS(1, RSP_OWNERSHIP, RSP_READS);
}

TEST_F(offcore, each_cpu_of_a_session_may_use_a_different_register)
{
	struct acrpmu_event_hw hw[2][ACRPMU_MAX_EVENTS];
	uint64_t before[2];
	int cpu;

	REQUIRE_OFFCORE();
	ASSERT_EQ(0, offcore_make(&self->s, 0x1, EV_OFFCORE_0, RSP_OWNERSHIP));
	ASSERT_EQ(0, offcore_make(&self->other, 0x2, EV_OFFCORE_1, RSP_CODE));
	/* no register is free on both */
	ASSERT_EQ(0, offcore_make(&self->third, BOTH_CPUS, EV_OFFCORE_1,
				  self->cpu->miss | RSP_DATA_RD))
		TH_LOG("%s", session_refusal(&self->third));
	EXPECT_REGISTERS(0, RSP_OWNERSHIP, self->cpu->miss | RSP_DATA_RD);
	EXPECT_REGISTERS(1, self->cpu->miss | RSP_DATA_RD, RSP_CODE);
	for (cpu = 0; cpu < 2; cpu++) {
		ASSERT_EQ(0, session_query_cpu(&self->third, cpu, hw[cpu]));
		EXPECT_EQ(cpu ? MSR_RSP_0 : MSR_RSP_1, hw[cpu]->extra_msr);
		EXPECT_EQ(cpu ? EV_OFFCORE_0 : EV_OFFCORE_1, hw[cpu]->cfg_a & 0xffff);
	}
	for (cpu = 0; cpu < 2; cpu++)
		before[cpu] = oracle_events(cpu, ORACLE_EV_RD_MISS, false);
	for (cpu = 0; cpu < 2; cpu++) {
		ASSERT_EQ(0, pin_to(0, cpu));
		ASSERT_EQ(0, session_enable(&self->third));
		read_memory(32 << 20);
		ASSERT_EQ(0, session_disable(&self->third));
	}
	/* the rest are reads by the ioctl path and by the other CPU */
	for (cpu = 0; cpu < 2; cpu++) {
		uint64_t truth = oracle_events(cpu, ORACLE_EV_RD_MISS, false) - before[cpu];

		ASSERT_EQ(0, session_read_cpu(&self->third, cpu));
		EXPECT_LT(100000, self->third.counts[0].value);
		EXPECT_LE(self->third.counts[0].value, truth);
		EXPECT_GE(self->third.counts[0].value + 2000, truth);
	}
	session_close(&self->third);
	EXPECT_REGISTERS(0, RSP_OWNERSHIP, self->found.value[0][1]);
	EXPECT_REGISTERS(1, self->found.value[1][0], RSP_CODE);
}

TEST_F(offcore, refusal_names_the_conflicting_process)
{
	REQUIRE_OFFCORE();
	/* on CPU 0 the register holds the right value; the conflict is on CPU 1 */
	ASSERT_EQ(0, offcore_make(&self->s, 0x1, EV_OFFCORE_0, RSP_READS));
	self->first_holder = offcore_hold(0x2, EV_OFFCORE_0, RSP_OWNERSHIP);
	ASSERT_LT(0, self->first_holder);
	self->second_holder = offcore_hold(BOTH_CPUS, EV_OFFCORE_1, RSP_CODE);
	ASSERT_LT(0, self->second_holder);
	EXPECT_BUSY(&self->third, offcore_make(&self->third, BOTH_CPUS, EV_OFFCORE_0, RSP_READS),
		    MSR_RSP_0, RSP_OWNERSHIP, 1, self->first_holder);
	EXPECT_BUSY(&self->third, offcore_make(&self->third, BOTH_CPUS, EV_OFFCORE_1, RSP_OTHER),
		    MSR_RSP_1, RSP_CODE, 0, self->second_holder);
}

TEST_F(offcore, a_killed_holder_leaves_the_registers_as_found)
{
	struct session both;

	REQUIRE_OFFCORE();
	session_cpus(&both, BOTH_CPUS);
	offcore_event(&both, EV_OFFCORE_0, RSP_READS, USER);
	offcore_event(&both, EV_OFFCORE_0, RSP_OWNERSHIP, USER);
	self->first_holder = holder_start(&both, 1);
	ASSERT_LT(0, self->first_holder);
	EXPECT_REGISTERS(0, RSP_READS, RSP_OWNERSHIP);
	EXPECT_REGISTERS(1, RSP_READS, RSP_OWNERSHIP);
	EXPECT_BUSY(&self->s, offcore_make(&self->s, BOTH_CPUS, EV_OFFCORE_0, RSP_CODE),
		    MSR_RSP_0, RSP_READS, 0, self->first_holder);
	end_child(self->first_holder);
	self->first_holder = 0;
	EXPECT_AS_FOUND(&self->found);
	EXPECT_EQ(0, offcore_make(&self->s, BOTH_CPUS, EV_OFFCORE_0, RSP_CODE));
}

TEST_F(offcore, a_register_is_held_until_the_last_of_its_sessions_is_killed)
{
	REQUIRE_OFFCORE();
	self->first_holder = offcore_hold(0x1, EV_OFFCORE_0, RSP_READS);
	ASSERT_LT(0, self->first_holder);
	self->second_holder = offcore_hold(BOTH_CPUS, EV_OFFCORE_1, RSP_READS);
	ASSERT_LT(0, self->second_holder);
	EXPECT_REGISTERS(0, RSP_READS, self->found.value[0][1]);
	EXPECT_REGISTERS(1, self->found.value[1][0], RSP_READS);
	end_child(self->first_holder);
	self->first_holder = 0;
	EXPECT_REGISTERS(0, RSP_READS, self->found.value[0][1]);
	end_child(self->second_holder);
	self->second_holder = 0;
	EXPECT_AS_FOUND(&self->found);
}

TEST_F(offcore, outstanding_never_moves_but_others_make_room_for_it)
{
	uint64_t outstanding;

	REQUIRE_OFFCORE();
	outstanding = self->cpu->outstanding | RSP_DATA_RD;
	/* others came first: running events do not move */
	ASSERT_EQ(0, offcore_make(&self->s, BOTH_CPUS, EV_OFFCORE_0, RSP_READS));
	session_cpus(&self->other, BOTH_CPUS);
	offcore_event(&self->other, EV_OFFCORE_0, outstanding, USER);
	offcore_event(&self->other, EV_OFFCORE_1, RSP_READS, USER);
	EXPECT_BUSY(&self->other, session_make(&self->other), MSR_RSP_0, RSP_READS, 0, getpid());
	session_close(&self->s);
	EXPECT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
	/* a request for the value of its partner moves there */
	EXPECT_EQ(0, offcore_make(&self->s, BOTH_CPUS, EV_OFFCORE_0, RSP_READS))
		TH_LOG("%s", session_refusal(&self->s));
	EXPECT_REGISTERS(0, outstanding, RSP_READS);
	session_close(&self->other);
	EXPECT_REGISTERS(1, self->found.value[1][0], RSP_READS);
	/* and stays there while another group has the first register */
	EXPECT_EQ(0, session_make(&self->other)) TH_LOG("%s", session_refusal(&self->other));
}

TEST_F(offcore, bits_beyond_the_mask_are_refused_and_never_written)
{
	static const uint64_t configs[] = { EV_OFFCORE_0, EV_OFFCORE_1 };
	uint64_t violations = oracle_get(ORACLE_VIOLATIONS, ORACLE_ALL_CPUS, ORACLE_ORIGIN_ANY);
	uint64_t writes[2] = { offcore_writes(MSR_RSP_0), offcore_writes(MSR_RSP_1) };
	unsigned int i, bit, tried = 0;

	REQUIRE_OFFCORE();
	for (i = 0; i < 2; i++) {
		for (bit = 0; bit < 64; bit++) {
			uint64_t invalid = 1ULL << bit & ~self->cpu->valid[i];

			if (!invalid)
				continue;
			tried++;
			EXPECT_EQ(-EINVAL, offcore_make(&self->s, BOTH_CPUS, configs[i],
							RSP_DATA_RD | invalid));
			EXPECT_EQ(ACRPMU_REASON_EXTRA_BITS, self->s.attr.error.reason);
			EXPECT_EQ(0, self->s.attr.error.event);
			EXPECT_EQ(invalid, self->s.attr.error.value);
		}
	}
	/* the second register lacks one more bit, the outstanding one */
	EXPECT_EQ(self->cpu->outstanding, self->cpu->valid[0] ^ self->cpu->valid[1]);
	EXPECT_LT(20, tried);
	EXPECT_AS_FOUND(&self->found);
	EXPECT_EQ(violations,
		  oracle_get(ORACLE_VIOLATIONS, ORACLE_ALL_CPUS, ORACLE_ORIGIN_ANY));
	EXPECT_EQ(writes[0], offcore_writes(MSR_RSP_0));
	EXPECT_EQ(writes[1], offcore_writes(MSR_RSP_1));
}

TEST_F(offcore, sampling_is_accounted_for)
{
	REQUIRE_OFFCORE();
	session_cpus(&self->s, BOTH_CPUS);
	session_event(&self->s, EV_OFFCORE_0, USER | SAMPLED, 1000, 0);
	self->s.ev[0].extra_value = RSP_READS;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	read_memory(32 << 20);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	/* With the model's caches: two rounds of 32 MiB miss in every line of 64 bytes. */
	EXPECT_GT(self->s.records, 500);
}

TEST_HARNESS_MAIN
