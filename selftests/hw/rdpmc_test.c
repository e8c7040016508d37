// SPDX-License-Identifier: GPL-2.0-only
/* Making in-tree perf forget its counters lets no program read a counter. */
#include "work.h"
#include <pthread.h>
#include <sys/ucontext.h>
#include "intree.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		1
#define SESSIONS	200
#define RDPMC_BYTES	2
#define FIXED_0		(1U << 30)

/* changed by the handler of a signal */
static volatile unsigned long faults;
static unsigned long reads;
static bool over;

static void skip_rdpmc(int sig, siginfo_t *info, void *context)
{
	((ucontext_t *)context)->uc_mcontext.gregs[REG_RIP] += RDPMC_BYTES;
	faults++;
}

static void try_to_read(void)
{
	unsigned long before = faults;
	unsigned int lo, hi;

	__asm__ volatile("rdpmc" : "=a" (lo), "=d" (hi) : "c" (FIXED_0));
	reads += faults == before;
}

/* Sleeping in between makes the CPU switch to this address space again and again. */
static void *keep_trying(void *data)
{
	pin_to(0, CPU);
	while (!__atomic_load_n(&over, __ATOMIC_ACQUIRE)) {
		try_to_read();
		usleep(100);
	}
	return NULL;
}

FIXTURE(rdpmc) {
	struct sigaction before;
};

FIXTURE_SETUP(rdpmc)
{
	struct sigaction action = { .sa_sigaction = skip_rdpmc, .sa_flags = SA_SIGINFO };

	ASSERT_EQ(0, sigaction(SIGSEGV, &action, &self->before));
	faults = 0;
	reads = 0;
	over = false;
}

FIXTURE_TEARDOWN(rdpmc)
{
	sigaction(SIGSEGV, &self->before, NULL);
}

/* The yardstick: with a mapped event of in-tree perf it works. */
TEST_F(rdpmc, mapped_event_of_perf_allows_it)
{
	struct intree e = { .config = EV_INSNS, .cpu = -1, .group = -1 };
	int fd = intree_open(&e);
	void *page;

	ASSERT_LE(0, fd);
	page = mmap(NULL, sysconf(_SC_PAGESIZE), PROT_READ, MAP_SHARED, fd, 0);
	ASSERT_NE(MAP_FAILED, page);
	try_to_read();
	EXPECT_EQ(1, reads);
	munmap(page, sysconf(_SC_PAGESIZE));
	close(fd);
	try_to_read();
	EXPECT_EQ(1, reads);
	EXPECT_EQ(1, faults);
}

TEST_F(rdpmc, creator_of_sessions_cannot_do_it)
{
	pthread_t thread;
	struct session s;
	unsigned int i;

	ASSERT_EQ(0, pin_to(0, 0));
	ASSERT_EQ(0, pthread_create(&thread, NULL, keep_trying, NULL));
	for (i = 0; i < SESSIONS; i++) {
		session_cpus(&s, 1 << CPU);
		session_event(&s, EV_INSNS, USER | COUNT, 0, 0);
		ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
		session_close(&s);
	}
	__atomic_store_n(&over, true, __ATOMIC_RELEASE);
	pthread_join(thread, NULL);
	TH_LOG("%lu tries", faults);
	/* or it would have looked too seldom to see anything */
	EXPECT_LT(SESSIONS / 10, faults);
	EXPECT_EQ(0, reads);
}

TEST_HARNESS_MAIN
