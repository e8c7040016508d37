// SPDX-License-Identifier: GPL-2.0-only
/* Offcore response events: the right register and value, shared by value, and put back. */
#include "work.h"
#include "records.h"
#include "kselftest_harness.h"

#define EV_OFFCORE_0	0x01b7ULL
#define EV_OFFCORE_1	0x02b7ULL
#define MSR_RSP_0	0x1a6
#define MSR_RSP_1	0x1a7
/* Any response to demand data reads, and to read-for-ownership */
#define RSP_READS	0x0000010001ULL
#define RSP_RFO		0x0000010002ULL

static uint64_t rsp(int cpu, uint32_t msr)
{
	return oracle_get(ORACLE_MSR, cpu, msr);
}

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

static bool has_offcore(void)
{
	struct acrpmu_cpu_info cpus[MAX_CPUS] = { };
	struct acrpmu_info info = { .size = sizeof(info), .nr_cpus = MAX_CPUS,
				    .cpus = (uintptr_t)cpus, .cpu_size = sizeof(cpus[0]) };
	int dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC);
	bool has = dev >= 0 && !ioctl(dev, ACRPMU_INFO, &info) && cpus[0].nr_extra_regs;

	close(dev);
	return has;
}

FIXTURE(offcore) {
	struct session s, other;
};

FIXTURE_SETUP(offcore)
{
	session_task(&self->s, 0, 0);
	session_task(&self->other, 0, 0);
	if (!has_offcore())
		SKIP(return, "this CPU has no offcore response registers");
}

FIXTURE_TEARDOWN(offcore)
{
	session_close(&self->s);
	session_close(&self->other);
}

static int make(struct session *s, uint64_t config, uint64_t value, unsigned int flags)
{
	session_cpus(s, 3);
	session_event(s, config, USER | flags, flags & SAMPLED ? 1000 : 0, 0);
	s->ev[0].extra_value = value;
	return session_make(s);
}

TEST_F(offcore, value_is_written_and_put_back)
{
	uint64_t before[2] = { rsp(0, MSR_RSP_0), rsp(1, MSR_RSP_1) };

	ASSERT_EQ(0, make(&self->s, EV_OFFCORE_0, RSP_READS, COUNT))
		TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(RSP_READS, self->s.hw[0].extra_value);
	EXPECT_EQ(RSP_READS, rsp(0, self->s.hw[0].extra_msr));
	EXPECT_EQ(RSP_READS, rsp(1, self->s.hw[0].extra_msr));
	session_close(&self->s);
	EXPECT_EQ(before[0], rsp(0, MSR_RSP_0));
	EXPECT_EQ(before[1], rsp(1, MSR_RSP_1));
}

TEST_F(offcore, equal_values_share_and_different_ones_use_both_registers)
{
	struct session third;

	ASSERT_EQ(0, make(&self->s, EV_OFFCORE_0, RSP_READS, COUNT))
		TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, make(&self->other, EV_OFFCORE_0, RSP_READS, COUNT))
		TH_LOG("%s", session_refusal(&self->other));
	EXPECT_EQ(self->s.hw[0].extra_msr, self->other.hw[0].extra_msr);
	session_close(&self->other);
	ASSERT_EQ(0, make(&self->other, EV_OFFCORE_0, RSP_RFO, COUNT))
		TH_LOG("%s", session_refusal(&self->other));
	EXPECT_NE(self->s.hw[0].extra_msr, self->other.hw[0].extra_msr);
	EXPECT_EQ(RSP_READS, rsp(0, self->s.hw[0].extra_msr));
	EXPECT_EQ(RSP_RFO, rsp(0, self->other.hw[0].extra_msr));
	/* Event and register belong together: the second register's event is another. */
	EXPECT_EQ(EV_OFFCORE_1, self->other.hw[0].cfg_a & 0xffff);

	EXPECT_EQ(-EBUSY, make(&third, EV_OFFCORE_0, RSP_READS | RSP_RFO, COUNT));
	EXPECT_EQ(ACRPMU_REASON_EXTRA_BUSY, third.attr.error.reason);
	session_close(&third);
}

TEST_F(offcore, bits_beyond_the_mask_are_refused)
{
	EXPECT_EQ(-EINVAL, make(&self->s, EV_OFFCORE_0, 1ULL << 62, COUNT));
	EXPECT_EQ(ACRPMU_REASON_EXTRA_BITS, self->s.attr.error.reason);
	EXPECT_EQ(0, self->s.attr.error.event);
}

TEST_F(offcore, sampling_is_accounted_for)
{
	ASSERT_EQ(0, make(&self->s, EV_OFFCORE_0, RSP_READS, SAMPLED))
		TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	read_memory(32 << 20);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	/* With the model's caches: two rounds of 32 MiB miss in every line of 64 bytes. */
	EXPECT_GT(self->s.records, 500);
}

TEST_HARNESS_MAIN
