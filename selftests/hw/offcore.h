/* SPDX-License-Identifier: GPL-2.0-only */
/* Offcore response events of the CPUs that the model can emulate, and their registers. */
#ifndef HW_OFFCORE_H
#define HW_OFFCORE_H

#include "holder.h"
#include "session.h"

#define EV_OFFCORE_0	0x01b7ULL
#define EV_OFFCORE_1	0x02b7ULL
#define MSR_RSP_0	0x1a6
#define MSR_RSP_1	0x1a7

/* Requests, and any response to them: the same bits on all of these CPUs */
#define RSP_DATA_RD	0x1ULL
#define RSP_RFO		0x2ULL
#define RSP_CODE_RD	0x4ULL
#define RSP_ANY		0x10000ULL

/**
 * struct offcore_cpu - what differs between CPUs
 * @name: as in ACRPMU_INFO
 * @outstanding: the bit of OFFCORE_RSP_0 that counts requests under way
 * @valid: the bits that each register has
 * @hit: responses by the last level of cache
 * @miss: responses by memory
 *
 * From Intel's event files: L2_HIT and L2_MISS.ANY of Goldmont; L3_HIT.SNOOP_NOT_NEEDED and L3_MISS
 * of the others.
 */
struct offcore_cpu {
	const char *name;
	uint64_t outstanding;
	uint64_t valid[2];
	uint64_t hit, miss;
};

/**
 * offcore_cpu() - the CPU that this is
 *
 * Return: its description; NULL if the module does not know offcore registers here.
 */
static inline const struct offcore_cpu *offcore_cpu(void)
{
	static const struct offcore_cpu known[] = {
		{ "goldmont", 1ULL << 38, { 0x760005ffbf, 0x360005ffbf },
		  0x40000, 0x3600000000 },
		{ "clearwaterforest", 1ULL << 63, { 0x800ff3ffffffffff, 0x000ff3ffffffffff },
		  0x1003c0000, 0x33fbfc00000 },
		{ "pantherlake-e", 1ULL << 63, { 0x800ff3ffffffffff, 0x000ff3ffffffffff },
		  0x1003c0000, 0x33fbfc00000 },
	};
	static struct acrpmu_cpu_info cpus[MAX_CPUS];
	struct acrpmu_info info = { .size = sizeof(info), .nr_cpus = MAX_CPUS,
				    .cpus = (uintptr_t)cpus, .cpu_size = sizeof(cpus[0]) };
	int dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC);
	unsigned int i;

	if (dev < 0 || ioctl(dev, ACRPMU_INFO, &info))
		return NULL;
	close(dev);
	for (i = 0; i < sizeof(known) / sizeof(known[0]); i++)
		if (cpus[0].nr_extra_regs && !strcmp(cpus[0].name, known[i].name))
			return &known[i];
	return NULL;
}

/**
 * offcore_reg() - what an extra register holds
 * @cpu: the CPU
 * @msr: MSR_RSP_0 or MSR_RSP_1
 *
 * Return: its value, by the model CPU.
 */
static inline uint64_t offcore_reg(int cpu, uint32_t msr)
{
	return oracle_get(ORACLE_MSR, cpu, msr);
}

/**
 * offcore_writes() - how often an extra register was written
 * @msr: MSR_RSP_0 or MSR_RSP_1
 *
 * Return: writes by anybody on all CPUs, by the model CPU.
 */
static inline uint64_t offcore_writes(uint32_t msr)
{
	return oracle_accesses(ORACLE_ALL_CPUS, msr, ORACLE_WR, ORACLE_ORIGIN_ANY,
			       ORACLE_ANY_TIME);
}

/**
 * offcore_event() - add an offcore response event that counts only
 * @s: the session, not made yet
 * @config: EV_OFFCORE_0 or EV_OFFCORE_1
 * @value: of its register
 * @levels: USER, KERNEL or both
 *
 * Return: its index in the group.
 */
static inline int offcore_event(struct session *s, uint64_t config, uint64_t value,
				unsigned int levels)
{
	int i = session_event(s, config, levels | COUNT, 0, 0);

	s->ev[i].extra_value = value;
	return i;
}

/**
 * offcore_describe() - describe a session with one event that counts only, at user level
 * @s: the session
 * @cpu_bits: its CPUs
 * @config: EV_OFFCORE_0 or EV_OFFCORE_1
 * @value: of its register
 */
static inline void offcore_describe(struct session *s, uint64_t cpu_bits, uint64_t config,
				    uint64_t value)
{
	session_cpus(s, cpu_bits);
	offcore_event(s, config, value, USER);
}

/**
 * offcore_make() - make such a session
 * @s: the session
 * @cpu_bits: its CPUs
 * @config: EV_OFFCORE_0 or EV_OFFCORE_1
 * @value: of its register
 *
 * Return: as session_make().
 */
static inline int offcore_make(struct session *s, uint64_t cpu_bits, uint64_t config,
			       uint64_t value)
{
	offcore_describe(s, cpu_bits, config, value);
	return session_make(s);
}

/**
 * offcore_hold() - start a process with such a session
 * @cpu_bits: its CPUs
 * @config: EV_OFFCORE_0 or EV_OFFCORE_1
 * @value: of its register
 *
 * Return: as holder_start().
 */
static inline pid_t offcore_hold(uint64_t cpu_bits, uint64_t config, uint64_t value)
{
	struct session s;

	offcore_describe(&s, cpu_bits, config, value);
	return holder_start(&s, 1);
}

/* Both registers of a CPU */
#define EXPECT_REGISTERS(cpu, rsp_0, rsp_1) do {		\
	EXPECT_EQ(rsp_0, offcore_reg(cpu, MSR_RSP_0));		\
	EXPECT_EQ(rsp_1, offcore_reg(cpu, MSR_RSP_1));		\
} while (0)

/* The whole refusal: the register, its value, the CPU and the holder */
#define EXPECT_BUSY(session, ret, msr, holds, where, pid) do {			\
	EXPECT_EQ(-EBUSY, ret);							\
	EXPECT_EQ(ACRPMU_REASON_EXTRA_BUSY, (session)->attr.error.reason)	\
		TH_LOG("%s", session_refusal(session));				\
	EXPECT_EQ(msr, (session)->attr.error.limit);				\
	EXPECT_EQ(holds, (session)->attr.error.value);				\
	EXPECT_EQ(where, (session)->attr.error.cpu);				\
	EXPECT_EQ(pid, (session)->attr.error.holder_pid);			\
} while (0)

#endif /* HW_OFFCORE_H */
