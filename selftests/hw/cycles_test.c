// SPDX-License-Identifier: GPL-2.0-only
/* Thousands of sessions that come and go, or are killed with their process: no memory is lost. */
#include "work.h"
#include "records.h"
#include <stdlib.h>
#include "kselftest_harness.h"

#define NR_SESSIONS	10000
#define NR_KILLS	1000
/* Until then the kernel fills its own caches. */
#define WARM_UP		(nr / 4)
#define NR_KINDS	4
/* What the kernel takes for other things; 128 bytes lost with each session are more. */
#define SLACK_KIB	600
#define SEVERAL_EVENTS	5	/* two such groups do not fit a CPU */

/* In KiB, of /proc/meminfo */
struct memory {
	uint64_t slab;
	uint64_t percpu;
	uint64_t vmalloc;
	uint64_t stacks;
};

static uint64_t kib_of(const char *name)
{
	FILE *f = fopen("/proc/meminfo", "r");
	unsigned long kib = 0;
	char line[128];

	while (f && fgets(line, sizeof(line), f))
		if (!strncmp(line, name, strlen(name)))
			sscanf(line + strlen(name), ": %lu", &kib);
	if (f)
		fclose(f);
	return kib;
}

/* After grace periods, in which the kernel frees what was given back. */
static struct memory take_stock(void)
{
	sleep(2);
	return (struct memory){
		.slab = kib_of("SUnreclaim"), .percpu = kib_of("Percpu"),
		.vmalloc = kib_of("VmallocUsed"), .stacks = kib_of("KernelStack"),
	};
}

/* Sampled CPUs, a task sampled by ratio, one that is followed and counted, a counted CPU */
static int begin(struct session *s, unsigned int kind)
{
	switch (kind) {
	case 0:
		session_cpus(s, 3);
		session_event(s, EV_INSNS, USER | KERNEL | SAMPLED, 100000, 0);
		break;
	case 1:
		session_task(s, 0, 0);
		session_event(s, EV_INSNS, USER | SAMPLED, 20000, 2);
		session_event(s, EV_CYCLES, USER, 10000, 3);
		break;
	case 2:
		session_task(s, 0, ACRPMU_SESSION_INHERIT);
		session_event(s, EV_BRANCHES, USER | COUNT, 0, 0);
		break;
	default:
		session_cpus(s, 2);
		session_event(s, EV_CYCLES, USER | KERNEL | COUNT, 0, 0);
	}
	return session_make(s) ?: session_enable(s);
}

FIXTURE(cycles) {
	struct memory before;
};

FIXTURE_SETUP(cycles)
{
	self->before = (struct memory){ };
}

FIXTURE_TEARDOWN(cycles)
{
	struct memory after = take_stock();

	TH_LOG("KiB: slabs %lu -> %lu, per-CPU %lu -> %lu, vmalloc %lu -> %lu, stacks %lu -> %lu",
	       self->before.slab, after.slab, self->before.percpu, after.percpu,
	       self->before.vmalloc, after.vmalloc, self->before.stacks, after.stacks);
	EXPECT_GE(self->before.slab + SLACK_KIB, after.slab);
	EXPECT_GE(self->before.percpu + SLACK_KIB, after.percpu);
	EXPECT_GE(self->before.vmalloc + SLACK_KIB, after.vmalloc);
	EXPECT_GE(self->before.stacks + SLACK_KIB, after.stacks);
}

static void fork_once(void)
{
	pid_t pid = fork();

	if (!pid)
		_exit(0);
	waitpid(pid, NULL, 0);
}

TEST_F_TIMEOUT(cycles, sessions_that_come_and_go_leave_no_memory_behind, 3600)
{
	unsigned int i, nr = NR_SESSIONS;
	struct session s;

	for (i = 0; i < nr; i++) {
		if (i == WARM_UP)
			self->before = take_stock();
		ASSERT_EQ(0, begin(&s, i % NR_KINDS)) TH_LOG("%u: %s", i, session_refusal(&s));
		work_fast(3000);
		if (i % NR_KINDS == 2)
			fork_once();
		session_close(&s);
	}
}

/* Until it is killed, with a child that the session follows */
static void work_forever(unsigned int kind)
{
	struct session s;

	if (begin(&s, kind))
		_exit(1);
	for (;;) {
		work_fast(3000);
		if (kind == 2)
			fork_once();
	}
}

TEST_F_TIMEOUT(cycles, sessions_of_killed_processes_leave_nothing_behind, 3600)
{
	unsigned int i, nr = NR_KILLS;
	struct session s;
	pid_t pid;

	srand(1);
	for (i = 0; i < nr; i++) {
		if (i == WARM_UP)
			self->before = take_stock();
		pid = fork();
		if (!pid)
			work_forever(i % NR_KINDS);
		ASSERT_LT(0, pid);
		/* while it is made, or while it counts */
		usleep(rand() % 20000);
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	/* All counters are free again. */
	session_cpus(&s, 3);
	for (i = 0; i < SEVERAL_EVENTS; i++)
		session_event(&s, EV_BRANCHES, USER | COUNT, 0, 0);
	EXPECT_TRUE(wait_for(!session_make(&s))) TH_LOG("%s", session_refusal(&s));
	session_close(&s);
}

TEST_HARNESS_MAIN
