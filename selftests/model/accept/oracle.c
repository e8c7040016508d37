// SPDX-License-Identifier: GPL-2.0-only
/* In the guest: the oracle's answers agree with each other, with the program and with perf. */
#define _GNU_SOURCE
#include <linux/perf_event.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../oracle.h"
#include "tap.h"

#define N		1000000
#define INSNS_PER_TURN	2
#define PERIOD		100000
#define TRIES		5
/* Overhead around the loop: the query itself, and setting up the loop's count */
#define AROUND		200

static void spin(unsigned long n)
{
	__asm__ volatile("1: dec %0\n\tjnz 1b" : "+r" (n) : : "cc");
}

static uint64_t mine(unsigned int kind)
{
	return oracle_events(ORACLE_THIS_CPU, kind, false);
}

/* Cost of the loop: the least of some tries, since other tasks may run on this CPU too */
static uint64_t cost_of_spin(unsigned int kind)
{
	uint64_t least = ~(uint64_t)0;
	int i;

	for (i = 0; i < TRIES; i++) {
		uint64_t n = mine(kind);

		spin(N);
		n = mine(kind) - n;
		if (n < least)
			least = n;
	}
	return least;
}

static void counts_what_runs(void)
{
	/* dec: 2 eighths of a cycle, jnz: 4; the CPUID of the query itself: 100 cycles */
	static const struct {
		const char *name;
		unsigned int kind;
		uint64_t want;
	} costs[] = {
		{ "instructions", ORACLE_EV_INSN, INSNS_PER_TURN * N },
		{ "branches", ORACLE_EV_BR, N },
		{ "cycles", ORACLE_EV_CYC, N * 6 / 8 },
		{ "reference cycles", ORACLE_EV_REF, N * 6 / 8 * 3 / 4 },
	};
	unsigned int i;

	for (i = 0; i < sizeof(costs) / sizeof(costs[0]); i++) {
		uint64_t n = cost_of_spin(costs[i].kind);

		ok(n >= costs[i].want && n < costs[i].want + AROUND, "%llu %s for %llu",
		   (unsigned long long)n, costs[i].name, (unsigned long long)costs[i].want);
	}
}

static void questions_have_no_side_effects(void)
{
	uint64_t before = oracle_accesses(ORACLE_ALL_CPUS, ORACLE_ALL_MSRS, ORACLE_WR,
					  ORACLE_ORIGIN_ANY, ORACLE_ANY_TIME);
	uint64_t violations = oracle_get(ORACLE_VIOLATIONS, ORACLE_ALL_CPUS, ORACLE_ORIGIN_ANY);
	uint64_t value = 0;

	ok(oracle_ask(ORACLE_MSR, 0, 0x38f, &value), "GLOBAL_CTRL of CPU 0 is %#llx",
	   (unsigned long long)value);
	ok(!oracle_ask(ORACLE_MSR, 0, 0x10, &value), "the model does not answer for the TSC");
	ok(!oracle_ask(ORACLE_MSR, 63, 0x38f, &value), "there is no CPU 63");
	is_u64(oracle_get(ORACLE_VIOLATIONS, ORACLE_ALL_CPUS, ORACLE_ORIGIN_ANY), violations,
	       "no question is a violation");
	ok(oracle_accesses(ORACLE_ALL_CPUS, ORACLE_ALL_MSRS, ORACLE_WR, ORACLE_ORIGIN_ANY,
			   ORACLE_ANY_TIME) >= before, "nor takes accesses back");
}

static int open_counter(uint64_t period)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
		.sample_period = period,
		.exclude_kernel = 1,
		.exclude_hv = 1,
		.disabled = 1,
	};

	return syscall(SYS_perf_event_open, &attr, 0, -1, -1, 0);
}

static void agrees_with_perf(void)
{
	uint64_t count = 0, insns, taken, windows, overflows, raised;
	int fd = open_counter(PERIOD);

	if (fd < 0) {
		skip(5, "this kernel has no counter to offer");
		return;
	}
	raised = oracle_get(ORACLE_PMI_RAISED, ORACLE_THIS_CPU, 0);
	taken = oracle_get(ORACLE_PMI_TAKEN, ORACLE_THIS_CPU, 0);
	windows = oracle_get(ORACLE_WINDOWS, ORACLE_THIS_CPU, ORACLE_WIN_NR);
	overflows = oracle_get(ORACLE_OVERFLOWS_INT, ORACLE_THIS_CPU, 32);
	insns = mine(ORACLE_EV_INSN);
	ioctl(fd, PERF_EVENT_IOC_ENABLE, 0);
	spin(N);
	ioctl(fd, PERF_EVENT_IOC_DISABLE, 0);
	insns = mine(ORACLE_EV_INSN) - insns;
	if (read(fd, &count, sizeof(count)) != sizeof(count))
		count = 0;
	close(fd);
	ok(count >= INSNS_PER_TURN * N && count <= insns && count < INSNS_PER_TURN * N + AROUND,
	   "perf counts %llu of %llu instructions", (unsigned long long)count,
	   (unsigned long long)insns);
	is_u64(oracle_get(ORACLE_OVERFLOWS_INT, ORACLE_THIS_CPU, 32) - overflows,
	       count / PERIOD, "fixed counter 0 overflows once a period");
	is_u64(oracle_get(ORACLE_PMI_RAISED, ORACLE_THIS_CPU, 0) - raised, count / PERIOD,
	       "each raises a PMI");
	is_u64(oracle_get(ORACLE_PMI_TAKEN, ORACLE_THIS_CPU, 0) - taken, count / PERIOD,
	       "each PMI is taken");
	is_u64(oracle_get(ORACLE_WINDOWS, ORACLE_THIS_CPU, ORACLE_WIN_NR) - windows,
	       count / PERIOD, "each has its window");
}

int main(void)
{
	cpu_set_t cpus;

	CPU_ZERO(&cpus);
	CPU_SET(1, &cpus);
	plan(0);
	if (!ok(!sched_setaffinity(0, sizeof(cpus), &cpus), "on CPU 1") ||
	    !ok(oracle_present(), "this is the model CPU"))
		return done();
	is_u64(oracle_get(ORACLE_NR_CPUS, ORACLE_THIS_CPU, 0), sysconf(_SC_NPROCESSORS_CONF),
	       "it has as many CPUs as the kernel sees");
	counts_what_runs();
	questions_have_no_side_effects();
	agrees_with_perf();
	oracle_mark(1);
	return done();
}
