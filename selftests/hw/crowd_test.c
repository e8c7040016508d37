// SPDX-License-Identifier: GPL-2.0-only
/* As many sessions as the counters of a core allow, all sharing one of its registers. */
#include "work.h"
#include "threads.h"
#include "kselftest_harness.h"
#include <sys/socket.h>

#define THREADS		16	/* of the only core */
/* At most: where keeping perf off takes no counter */
#define MOST		(THREADS * NR_GP)
#define VALUE		(RSP_ANY | RSP_DATA_RD)
#define OTHER_VALUE	(RSP_ANY | RSP_RFO)
#define THIRD_VALUE	(RSP_ANY | RSP_CODE_RD)

/* A value to be found and restored */
#define FOUND_RSP_0	0x10ULL
#define FOUND_RSP_1	0x20ULL

#define CPU_OF(i)	((i) % THREADS)

static unsigned int nr_sessions(void)
{
	struct acrpmu_info info = { .size = sizeof(info) };
	int dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC);

	if (dev < 0 || ioctl(dev, ACRPMU_INFO, &info))
		return ~0U;
	close(dev);
	return info.nr_sessions;
}

static uint64_t writes(void)
{
	return offcore_writes(MSR_RSP_0) + offcore_writes(MSR_RSP_1);
}

/* A CPU other than @cpu, to read its counters from */
static int beside(unsigned int cpu)
{
	return pin_to(0, (cpu + 1) % THREADS);
}

/* ---- one of the crowd: a process with a session ---- */

/**
 * struct reply - the answer of a member
 * @ret: 0 or -errno of the last call
 * @cntr: counter of its event
 * @count: its count
 */
struct reply {
	int ret;
	unsigned int cntr;
	uint64_t count;
};

struct member {
	pid_t pid;
	int fd;
	unsigned int cntr;
};

/* Reports that the session exists, then its count on each request. */
static void be_member(struct session *s, unsigned int cpu, int fd)
{
	struct reply reply = { .ret = beside(cpu) };
	char question;

	if (!reply.ret)
		reply.ret = session_make(s);
	if (!reply.ret)
		reply.ret = session_enable(s);
	reply.cntr = s->hw[0].cntr;
	while (write(fd, &reply, sizeof(reply)) == sizeof(reply) && read(fd, &question, 1) == 1) {
		reply.ret = session_read_cpu(s, cpu);
		reply.count = s->counts[0].value;
	}
	_exit(0);
}

static int listen_to(struct member *m, struct reply *reply)
{
	return read(m->fd, reply, sizeof(*reply)) == sizeof(*reply) ? reply->ret : -EPIPE;
}

static int member_start(struct member *m, unsigned int cpu, uint64_t config)
{
	struct reply reply;
	struct session s;
	int fds[2], ret;

	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds))
		return -errno;
	offcore_describe(&s, 1ULL << cpu, config, VALUE);
	m->pid = fork();
	if (!m->pid) {
		close(fds[0]);
		be_member(&s, cpu, fds[1]);
	}
	close(fds[1]);
	m->fd = fds[0];
	ret = listen_to(m, &reply);
	m->cntr = reply.cntr;
	return ret;
}

static int member_read(struct member *m, uint64_t *count)
{
	struct reply reply;
	int ret = write(m->fd, "?", 1) == 1 ? listen_to(m, &reply) : -EPIPE;

	*count = reply.count;
	return ret;
}

/* Others may run on the thread for a moment: repeat until nothing has happened in between. */
static int member_read_quietly(struct member *m, unsigned int cpu, struct thread_state *state,
			       uint64_t *count)
{
	struct thread_state again;
	int tries, ret;

	for (tries = 0; tries < THREAD_TRIES; tries++) {
		if (!thread_state(cpu, state))
			continue;
		ret = member_read(m, count);
		if (ret)
			return ret;
		if (thread_state(cpu, &again) && !memcmp(state, &again, sizeof(again)))
			return 0;
	}
	return -EAGAIN;
}

static void member_kill(struct member *m)
{
	if (m->pid <= 0)
		return;
	end_child(m->pid);
	close(m->fd);
	m->pid = 0;
}

/* ---- the order in which they end: random, but reproducible ---- */

static void shuffle(unsigned int *order, unsigned int nr)
{
	uint32_t state = 1;
	unsigned int i, j, swap;

	for (i = 0; i < nr; i++)
		order[i] = i;
	for (i = nr - 1; i > 0; i--) {
		state = state * 1664525 + 1013904223;
		j = (state >> 16) % (i + 1);
		swap = order[i];
		order[i] = order[j];
		order[j] = swap;
	}
}

FIXTURE(crowd) {
	struct session s, third;
	struct member member[MOST];
	struct session *own;		/* for those of one process */
	unsigned int size;		/* as many sessions as can have counters */
	uint64_t boot[2];
	bool able;
};

FIXTURE_SETUP(crowd)
{
	const struct offcore_cpu *offcore = offcore_cpu();

	session_task(&self->s, 0, 0);
	session_task(&self->third, 0, 0);
	memset(self->member, 0, sizeof(self->member));
	self->own = NULL;
	self->size = THREADS * (NR_GP - (arbiter() == ACRPMU_ARBITER_CLAIM));
	self->able = offcore && !strcmp(offcore->name, "goldmont") &&
		     oracle_get(ORACLE_NR_CPUS, ORACLE_THIS_CPU, 0) == THREADS &&
		     oracle_get(ORACLE_NR_THREADS, ORACLE_THIS_CPU, 0) == THREADS;
	if (!self->able)
		return;
	self->boot[0] = offcore_reg(0, MSR_RSP_0);
	self->boot[1] = offcore_reg(0, MSR_RSP_1);
	ASSERT_EQ(0, msr_write(0, MSR_RSP_0, FOUND_RSP_0));
	ASSERT_EQ(0, msr_write(0, MSR_RSP_1, FOUND_RSP_1));
}

FIXTURE_TEARDOWN(crowd)
{
	unsigned int i;

	session_close(&self->s);
	session_close(&self->third);
	for (i = 0; i < self->size; i++)
		member_kill(&self->member[i]);
	for (i = 0; self->own && i < self->size; i++)
		session_close(&self->own[i]);
	free(self->own);
	if (!self->able)
		return;
	EXPECT_REGISTERS(0, FOUND_RSP_0, FOUND_RSP_1);
	msr_write(0, MSR_RSP_0, self->boot[0]);
	msr_write(0, MSR_RSP_1, self->boot[1]);
}

#define REQUIRE_CROWD() do {							\
	if (!self->able)							\
		SKIP(return, "needs a core of 16 threads with four counters each");	\
} while (0)

/* Every other one requests the event of the other register, and is moved. */
static int start_crowd(struct member *member, unsigned int size)
{
	unsigned int i;
	int ret = 0;

	for (i = 0; i < size && !ret; i++)
		ret = member_start(&member[i], CPU_OF(i), i % 2 ? EV_OFFCORE_1 : EV_OFFCORE_0);
	return ret;
}

TEST_F(crowd, with_all_counters_counts_by_one_register)
{
	struct thread_state before[THREADS], after[THREADS];
	uint64_t written = writes(), reads, count = 0;
	unsigned int i, j, cntr, used;
	pid_t pid[THREADS];

	REQUIRE_CROWD();
	ASSERT_EQ(0, start_crowd(self->member, self->size));
	EXPECT_EQ(self->size, nr_sessions());
	EXPECT_EQ(written + 1, writes());
	EXPECT_REGISTERS(THREADS - 1, VALUE, FOUND_RSP_1);

	for (i = 0; i < THREADS; i++) {
		ASSERT_EQ(0, beside(i));
		ASSERT_TRUE(thread_state(i, &before[i]));
	}
	/* a different number on neighbours */
	for (i = 0; i < THREADS; i++)
		pid[i] = thread_start(i, 1 + i % 3);
	for (i = 0; i < THREADS; i++)
		ASSERT_TRUE(thread_wait(pid[i]));
	for (i = 0; i < THREADS; i++) {
		ASSERT_EQ(0, beside(i));
		ASSERT_TRUE(thread_state(i, &after[i]));
		reads = after[i].reads - before[i].reads;
		EXPECT_LE((1 + i % 3) * REQUEST_LINES / 2, reads);
		for (j = i, used = 0; j < self->size; j += THREADS) {
			cntr = self->member[j].cntr;
			ASSERT_GT(NR_GP, cntr);
			used |= 1U << cntr;
			EXPECT_EQ(reads, after[i].cntr[cntr] - before[i].cntr[cntr])
				TH_LOG("on CPU %u", i);
		}
		EXPECT_EQ(self->size / THREADS, __builtin_popcount(used));
	}
	for (i = 0; i < self->size; i++) {
		ASSERT_EQ(0, beside(CPU_OF(i)));
		ASSERT_EQ(0, member_read_quietly(&self->member[i], CPU_OF(i), &after[0], &count));
		EXPECT_EQ(after[0].cntr[self->member[i].cntr], count) TH_LOG("session %u", i);
	}
	EXPECT_EQ(written + 1, writes());
}

TEST_F(crowd, is_full_and_then_has_room_for_one_more_value_only)
{
	REQUIRE_CROWD();
	ASSERT_EQ(0, start_crowd(self->member, self->size));
	/* the register could serve more, but no counters are left, whatever the value */
	EXPECT_EQ(-EBUSY, offcore_make(&self->s, 1 << 5, EV_OFFCORE_0, VALUE));
	EXPECT_EQ(ACRPMU_REASON_HELD, self->s.attr.error.reason);
	EXPECT_EQ(5, self->s.attr.error.cpu);
	EXPECT_EQ(-EBUSY, offcore_make(&self->s, 1 << 5, EV_OFFCORE_0, OTHER_VALUE));
	EXPECT_EQ(ACRPMU_REASON_HELD, self->s.attr.error.reason);

	/* with one counter free on two threads, another value finds the other register */
	member_kill(&self->member[5]);
	member_kill(&self->member[THREADS + 9]);
	ASSERT_EQ(0, offcore_make(&self->s, 1 << 5, EV_OFFCORE_0, OTHER_VALUE))
		TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(MSR_RSP_1, self->s.hw[0].extra_msr);
	EXPECT_REGISTERS(0, VALUE, OTHER_VALUE);
	/* a third finds none: it conflicts with the member that has held the register longest */
	EXPECT_BUSY(&self->third, offcore_make(&self->third, 1 << 9, EV_OFFCORE_0, THIRD_VALUE),
		    MSR_RSP_0, VALUE, 9, self->member[0].pid);
	EXPECT_BUSY(&self->third, offcore_make(&self->third, 1 << 9, EV_OFFCORE_1, THIRD_VALUE),
		    MSR_RSP_1, OTHER_VALUE, 9, getpid());
	ASSERT_EQ(0, offcore_make(&self->third, 1 << 9, EV_OFFCORE_0, OTHER_VALUE))
		TH_LOG("%s", session_refusal(&self->third));
	EXPECT_EQ(MSR_RSP_1, self->third.hw[0].extra_msr);
	EXPECT_EQ(self->size, nr_sessions());
}

TEST_F(crowd, killed_in_any_order_releases_the_register)
{
	unsigned int order[MOST], i;
	uint64_t written = writes();

	REQUIRE_CROWD();
	ASSERT_EQ(0, start_crowd(self->member, self->size));
	shuffle(order, self->size);
	for (i = 0; i < self->size; i++) {
		EXPECT_REGISTERS(CPU_OF(i), VALUE, FOUND_RSP_1);
		member_kill(&self->member[order[i]]);
		EXPECT_EQ(self->size - 1 - i, nr_sessions());
	}
	EXPECT_REGISTERS(0, FOUND_RSP_0, FOUND_RSP_1);
	EXPECT_EQ(written + 2, writes());
}

/* The value stays until the last session ends: until then another one must move. */
TEST_F(crowd, of_one_process_closed_in_any_order_releases_the_register)
{
	unsigned int order[MOST], i;
	struct session *s;

	REQUIRE_CROWD();
	self->own = calloc(self->size, sizeof(*self->own));
	ASSERT_NE(NULL, self->own);
	for (i = 0; i < self->size; i++)
		offcore_describe(&self->own[i], 1ULL << CPU_OF(i), EV_OFFCORE_0, VALUE);
	for (i = 0; i < self->size; i++) {
		ASSERT_EQ(0, session_make(&self->own[i]))
			TH_LOG("%s", session_refusal(&self->own[i]));
	}
	shuffle(order, self->size);
	for (i = 0; i < self->size; i++) {
		s = &self->own[order[i]];
		EXPECT_REGISTERS(CPU_OF(i), VALUE, FOUND_RSP_1);
		session_close(s);
		EXPECT_EQ(0, offcore_make(s, 1ULL << CPU_OF(order[i]), EV_OFFCORE_0, OTHER_VALUE));
		EXPECT_EQ(i + 1 == self->size ? MSR_RSP_0 : MSR_RSP_1, s->hw[0].extra_msr);
		session_close(s);
	}
	EXPECT_REGISTERS(0, FOUND_RSP_0, FOUND_RSP_1);
}

TEST_HARNESS_MAIN
