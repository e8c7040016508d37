// SPDX-License-Identifier: GPL-2.0-only
/* What no program may change: registers, counters that are held, sessions that exist. */
#include "state.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../hw/regs.h"
#include "acrpmu.h"
#include "world.h"

#define MAX_REGS	1024
#define MAX_CPUS	16
#define GP_ENABLE	(1ULL << 22)	/* IA32_PERFEVTSELx */
#define FIXED_CTR_CTRL	0x38d
#define GLOBAL_STATUS	0x38e
#define GLOBAL_CTRL	0x38f

struct regs {
	unsigned int nr;
	struct {
		unsigned int cpu;
		uint32_t msr;
		uint64_t value;
	} reg[MAX_REGS];
};

static struct regs kept;

static void add(unsigned int cpu, uint32_t msr, uint64_t value, void *data)
{
	struct regs *regs = data;

	if (regs->nr < MAX_REGS) {
		regs->reg[regs->nr].cpu = cpu;
		regs->reg[regs->nr].msr = msr;
		regs->reg[regs->nr].value = value;
		regs->nr++;
	}
}

/* False where there are none: what is compared then would be nothing. */
static bool read_registers(struct regs *regs)
{
	regs->nr = 0;
	return regs_each(add, regs) == regs->nr && regs->nr;
}

/* IA32_PERFEVTSELx, IA32_PMC_GPx_CFG_A */
static bool is_select(uint32_t msr)
{
	return (msr >= 0x186 && msr <= 0x18f) ||
	       (msr >= 0x1900 && msr < 0x1980 && (msr & 3) == 1);
}

/* The first one, under all its numbers, has the count of a session's claim, an event of perf. */
static bool is_claimed(uint32_t msr)
{
	return msr == 0xc1 || msr == 0x4c1 || msr == 0x1900;
}

/* In-tree perf zeroes a counter in which one of its events left a count: without others a claim. */
static bool may_become(uint32_t msr, uint64_t before, uint64_t now, bool others)
{
	if (before == now || (is_claimed(msr) && !now))
		return true;
	if (!others)
		return false;
	return regs_is_counter(msr) || (is_select(msr) && !(now & GP_ENABLE)) ||
	       (msr == FIXED_CTR_CTRL && !now) || msr == GLOBAL_CTRL || msr == GLOBAL_STATUS;
}

static bool registers_are_same(bool others)
{
	static struct regs now;
	bool same = true;
	unsigned int i;

	if (!read_registers(&now) || now.nr != kept.nr) {
		printf("# %u registers before, %u now\n", kept.nr, now.nr);
		return false;
	}
	for (i = 0; i < kept.nr; i++) {
		if (may_become(kept.reg[i].msr, kept.reg[i].value, now.reg[i].value, others))
			continue;
		printf("# CPU %u register %#x: %#llx before, %#llx now\n", kept.reg[i].cpu,
		       kept.reg[i].msr, (unsigned long long)kept.reg[i].value,
		       (unsigned long long)now.reg[i].value);
		same = false;
	}
	return same;
}

static bool nothing_is_held(void)
{
	struct acrpmu_cpu_info cpus[MAX_CPUS];
	struct acrpmu_info info = { .size = sizeof(info), .nr_cpus = MAX_CPUS,
				    .cpus = (uintptr_t)cpus, .cpu_size = sizeof(cpus[0]) };
	uint64_t held = 0;
	unsigned int i;

	if (ioctl(world.dev, ACRPMU_INFO, &info)) {
		perror("# ACRPMU_INFO");
		return false;
	}
	for (i = 0; i < info.nr_cpus && i < MAX_CPUS; i++)
		held |= cpus[i].held_cntrs;
	if (info.nr_sessions || held)
		printf("# %u sessions are left, counters %#llx are held\n", info.nr_sessions,
		       (unsigned long long)held);
	return !info.nr_sessions && !held;
}

/* Counts instructions of CPUs, or of the caller where there are none. */
static int count(uint8_t cpus, unsigned int flags)
{
	struct acrpmu_event_attr ev = { .config = 0xc0, .id = 1,
					.flags = ACRPMU_EVENT_USER | ACRPMU_EVENT_COUNT };
	struct acrpmu_session_attr attr = { .size = sizeof(attr), .flags = flags,
					    .events = (uintptr_t)&ev, .nr_events = 1,
					    .event_size = sizeof(ev),
					    .cpus = cpus ? (uintptr_t)&cpus : 0,
					    .cpus_size = !!cpus };
	int fd = ioctl(world.dev, ACRPMU_SESSION_CREATE, &attr);

	if (fd < 0)
		printf("# CPUs %#x: reason %u by %s\n", cpus, attr.error.reason,
		       attr.error.holder);
	return fd;
}

int state_linger(void)
{
	return count(0, ACRPMU_SESSION_TASK | ACRPMU_SESSION_PARKED);
}

/* Counts on one CPU, so that in-tree perf has claimed it, and zeroed what it had left */
static bool settle(unsigned int cpu)
{
	struct acrpmu_ctl ctl = { .size = sizeof(ctl) };
	int fd = count(1 << cpu, 0), ret;

	if (fd < 0)
		return false;
	ret = ioctl(fd, ACRPMU_ENABLE, &ctl);
	close(fd);
	return !ret;
}

bool state_keep(void)
{
	unsigned int cpu;

	for (cpu = 0; cpu < 2; cpu++)
		if (!settle(cpu))
			return false;
	return read_registers(&kept);
}

bool state_is_same(bool others)
{
	bool same = nothing_is_held();

	return registers_are_same(others) && same;
}
