// SPDX-License-Identifier: GPL-2.0-only
/* Plain sampling and counting: addresses and number of samples, all accounted for. */
#include "work.h"
#include "records.h"
#include "kselftest_harness.h"

#include <poll.h>

#define PERIOD		100000
#define MIN_PERIOD	1000
/* Instructions around the loop: the ioctls' wrappers and what a PMI or two cut off. */
#define SLACK_INSNS	2000

FIXTURE(sampling) {
	struct session s;
	uint64_t period;
};

FIXTURE_VARIANT(sampling) {
	uint64_t config;
	unsigned int levels;
	uint64_t period;
	unsigned int pages;
	unsigned int rounds;
};

FIXTURE_VARIANT_ADD(sampling, instructions_u) {
	.config = EV_INSNS, .levels = USER, .period = PERIOD, .pages = 16, .rounds = 20,
};

FIXTURE_VARIANT_ADD(sampling, cycles_u) {
	.config = EV_CYCLES, .levels = USER, .period = PERIOD, .pages = 16, .rounds = 20,
};

FIXTURE_VARIANT_ADD(sampling, ref_cycles_u) {
	.config = EV_REF_CYCLES, .levels = USER, .period = PERIOD, .pages = 16, .rounds = 20,
};

FIXTURE_VARIANT_ADD(sampling, branches_u) {
	.config = EV_BRANCHES, .levels = USER, .period = PERIOD, .pages = 16, .rounds = 20,
};

FIXTURE_VARIANT_ADD(sampling, instructions_uk) {
	.config = EV_INSNS, .levels = USER | KERNEL, .period = PERIOD, .pages = 16, .rounds = 20,
};

FIXTURE_VARIANT_ADD(sampling, branches_k) {
	.config = EV_BRANCHES, .levels = KERNEL, .period = MIN_PERIOD, .pages = 16, .rounds = 20,
};

FIXTURE_VARIANT_ADD(sampling, instructions_u_smallest_period) {
	.config = EV_INSNS, .levels = USER, .period = MIN_PERIOD, .pages = 256, .rounds = 2,
};

FIXTURE_VARIANT_ADD(sampling, instructions_uk_smallest_period) {
	.config = EV_INSNS, .levels = USER | KERNEL, .period = MIN_PERIOD, .pages = 256,
	.rounds = 2,
};

FIXTURE_VARIANT_ADD(sampling, branches_u_tiny_ring) {
	.config = EV_BRANCHES, .levels = USER, .period = MIN_PERIOD, .pages = 1, .rounds = 2,
};

FIXTURE_SETUP(sampling)
{
	self->period = possible_period(variant->period, variant->levels);
	session_task(&self->s, 0, 0);
	session_event(&self->s, variant->config, variant->levels | SAMPLED, self->period, 0);
	self->s.attr.ring_pages = variant->pages;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

FIXTURE_TEARDOWN(sampling)
{
	session_close(&self->s);
}

struct found {
	uint64_t inside, kernel, outside;
	bool fields_wrong;
	uint64_t id, period;
	uint64_t last_ns[MAX_CPUS];
	int pid;
};

static void look_at_sample(const struct sample *sample, void *data)
{
	struct found *f = data;
	unsigned int mode = sample->header.misc & PERF_RECORD_MISC_CPUMODE_MASK;

	if (sample->id != f->id || sample->period != f->period || sample->pid != (uint32_t)f->pid ||
	    sample->tid != (uint32_t)f->pid || sample->cpu >= MAX_CPUS ||
	    sample->time_ns < f->last_ns[sample->cpu])
		f->fields_wrong = true;
	else
		f->last_ns[sample->cpu] = sample->time_ns;
	if (mode == PERF_RECORD_MISC_KERNEL)
		f->kernel++;
	else if (in_work(sample->ip))
		f->inside++;
	else
		f->outside++;
}

/* Occurrences of the variant's event in the loops alone; 0 if no simple number is known. */
static uint64_t in_loops(uint64_t config, unsigned int rounds)
{
	switch (config) {
	case EV_INSNS:
		return rounds * PHASE_ITERATIONS * WORK_INSNS;
	case EV_BRANCHES:
		return rounds * PHASE_ITERATIONS;
	}
	return 0;
}

TEST_F(sampling, every_overflow_is_accounted_for_and_lies_where_it_happened)
{
	struct found found = { .id = 100, .period = self->period, .pid = getpid() };
	uint64_t expected;

	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(variant->rounds);
	if (variant->levels & KERNEL)
		work_syscalls(2000);
	ASSERT_EQ(0, session_finish(&self->s, look_at_sample, &found));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_FALSE(found.fields_wrong);
	EXPECT_GT(self->s.records, 10);

	if (!(variant->levels & KERNEL)) {
		/* A sample at the first instruction after the kernel may point anywhere. */
		EXPECT_LE(found.outside + found.kernel, 1 + self->s.records / 1000);
		expected = in_loops(variant->config, variant->rounds) / self->period;
		/*
		 * The loop is surrounded by other code of the test, less than 1 % of it, and a
		 * pause, on a busy host, misses what happens during it.
		 */
		if (expected && !self->s.accounts.throttled)
			EXPECT_GE(self->s.counts[0].overflows, expected - expected / 100 - 1);
		if (expected)
			EXPECT_LE(self->s.counts[0].overflows, expected + expected / 100 + 1);
	} else {
		EXPECT_GT(found.kernel, 0);
	}
	if (variant->pages == 1)
		EXPECT_GT(self->s.accounts.lost, 0);
}

TEST_F(sampling, reset_starts_counts_anew_and_keeps_the_accounts)
{
	uint64_t records;

	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(1);
	if (variant->levels & KERNEL)
		work_syscalls(500);
	ASSERT_EQ(0, session_disable(&self->s));
	ASSERT_EQ(0, session_read(&self->s));
	records = self->s.accounts.records;
	ASSERT_EQ(0, session_ctl(&self->s, ACRPMU_RESET));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(0, self->s.counts[0].value);
	EXPECT_EQ(0, self->s.counts[0].overflows);
	EXPECT_EQ(0, self->s.accounts.time_running_ns);
	EXPECT_EQ(records, self->s.accounts.records);
}

/* Leaves room for so many bytes on CPU 0; returns how many a stop then writes. */
static uint64_t written_by_stop(struct session *s, uint64_t room)
{
	struct acrpmu_ring_page *page = s->ring[0];
	uint64_t head = page->data_head;

	__atomic_store_n(&page->data_tail, head - page->data_size + room, __ATOMIC_RELEASE);
	return session_disable(s) ? UINT64_MAX : page->data_head - head;
}

TEST(record_of_losses_may_fill_a_ring_to_its_last_byte)
{
	struct acrpmu_ring_page *page;
	struct perf_event_header header;
	struct session s;
	uint64_t head;

	ASSERT_EQ(0, pin_to(0, 0));
	session_task(&s, 0, 0);
	session_event(&s, EV_BRANCHES, USER | SAMPLED, MIN_PERIOD, 0);
	s.attr.ring_pages = 1;
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	work_phases(1);
	ASSERT_EQ(0, session_disable(&s));
	page = s.ring[0];
	head = page->data_head;
	ASSERT_EQ(0, written_by_stop(&s, sizeof(header)));
	ASSERT_LT(0, written_by_stop(&s, page->data_size));
	ring_copy(&header, page, head, sizeof(header));
	ASSERT_EQ(PERF_RECORD_LOST, header.type);
	/* That, and the samples of another loss */
	ASSERT_EQ(0, session_enable(&s));
	work_phases(1);
	ASSERT_EQ(0, session_disable(&s));
	EXPECT_EQ(0, written_by_stop(&s, header.size - 8));
	EXPECT_EQ(header.size, written_by_stop(&s, header.size));
	session_close(&s);
}

FIXTURE(busy_child) {
	struct session s;
	pid_t pid;
};

FIXTURE_VARIANT(busy_child) {
	unsigned int levels;
	uint64_t period;
};

FIXTURE_VARIANT_ADD(busy_child, user) { .levels = USER, .period = MIN_PERIOD };

FIXTURE_VARIANT_ADD(busy_child, user_and_kernel) { .levels = USER | KERNEL, .period = 2000 };

FIXTURE_SETUP(busy_child)
{
	self->pid = fork();
	if (!self->pid) {
		for (;;) {
			work_fast(20000);
			work_syscalls(20);
		}
	}
	session_task(&self->s, self->pid, 0);
	session_event(&self->s, EV_INSNS, variant->levels | SAMPLED,
		      possible_period(variant->period, variant->levels), 0);
	session_event(&self->s, EV_BRANCHES, variant->levels | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

FIXTURE_TEARDOWN(busy_child)
{
	session_close(&self->s);
	end_child(self->pid);
}

TEST_F(busy_child, stopping_in_full_flight_loses_nothing)
{
	unsigned int i;

	for (i = 0; i < 40 || !self->s.records; i++) {
		ASSERT_EQ(0, session_enable(&self->s));
		usleep(1000 + i * 97);
		ASSERT_EQ(0, session_disable(&self->s));
		session_drain(&self->s, NULL, NULL);
	}
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(busy_child, reading_in_full_flight_loses_nothing)
{
	uint64_t last = 0;
	unsigned int i;

	ASSERT_EQ(0, session_enable(&self->s));
	for (i = 0; i < 40 || !last; i++) {
		usleep(1000 + i * 53);
		ASSERT_EQ(0, session_read(&self->s));
		EXPECT_GE(self->s.counts[1].value, last);
		last = self->s.counts[1].value;
		session_drain(&self->s, NULL, NULL);
	}
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(busy_child, killing_the_task_ends_the_session)
{
	struct pollfd poller = { .fd = self->s.fd, .events = POLLIN };

	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_TRUE(wait_for(session_count(&self->s)));
	end_child(self->pid);
	self->pid = 0;
	EXPECT_EQ(1, poll(&poller, 1, -1));
	EXPECT_TRUE(poller.revents & POLLHUP);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
	EXPECT_TRUE(self->s.accounts.state & ACRPMU_STATE_ENDED);
	EXPECT_EQ(0, self->s.accounts.nr_tasks);
}

TEST_F(busy_child, poll_wakes_when_enough_is_unread)
{
	struct pollfd poller = { .fd = self->s.fd, .events = POLLIN };

	EXPECT_EQ(0, poll(&poller, 1, 0));
	ASSERT_EQ(0, session_enable(&self->s));
	EXPECT_EQ(1, poll(&poller, 1, -1));
	EXPECT_TRUE(poller.revents & POLLIN);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_GT(self->s.records * sizeof(struct sample), RING_PAGES / 2 * sysconf(_SC_PAGESIZE));
	EXPECT_ACCOUNTED(&self->s);
}

static uint64_t register_of(int cpu, uint32_t msr)
{
	return msr ? oracle_get(ORACLE_MSR, cpu, msr) : 0;
}

TEST(killing_the_owner_restores_every_register)
{
	uint64_t before[2][4], after[2][4];
	int cpu, ready[2], status;
	struct session s;
	char byte;
	pid_t pid;

	ASSERT_EQ(0, pipe(ready));
	session_cpus(&s, 3);
	session_event(&s, EV_BRANCHES, USER | KERNEL | SAMPLED, MIN_PERIOD, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	session_close(&s);
	for (cpu = 0; cpu < 2; cpu++) {
		before[cpu][0] = register_of(cpu, s.hw[0].cntr_msr);
		before[cpu][1] = register_of(cpu, s.hw[0].cfg_a_msr);
		before[cpu][2] = register_of(cpu, s.hw[0].cfg_b_msr);
		before[cpu][3] = register_of(cpu, s.hw[0].cfg_c_msr);
	}
	pid = fork();
	if (!pid) {
		session_cpus(&s, 3);
		session_event(&s, EV_BRANCHES, USER | KERNEL | SAMPLED, MIN_PERIOD, 0);
		if (session_make(&s) || session_enable(&s) || write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			work_syscalls(100);
	}
	ASSERT_EQ(1, read(ready[0], &byte, 1));
	usleep(20000);
	kill(pid, SIGKILL);
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_TRUE(WIFSIGNALED(status));
	for (cpu = 0; cpu < 2; cpu++) {
		after[cpu][0] = register_of(cpu, s.hw[0].cntr_msr);
		after[cpu][1] = register_of(cpu, s.hw[0].cfg_a_msr);
		after[cpu][2] = register_of(cpu, s.hw[0].cfg_b_msr);
		after[cpu][3] = register_of(cpu, s.hw[0].cfg_c_msr);
	}
	EXPECT_EQ(0, memcmp(before, after, sizeof(before)));
}

TEST(counts_of_a_known_loop_are_exact)
{
	const uint64_t n = 2000000;
	struct session s;

	session_task(&s, 0, 0);
	session_event(&s, EV_INSNS, USER | COUNT, 0, 0);
	session_event(&s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	work_fast(n);
	ASSERT_EQ(0, session_finish(&s, NULL, NULL));
	EXPECT_GE(s.counts[0].value, n * WORK_INSNS);
	EXPECT_LE(s.counts[0].value, n * WORK_INSNS + SLACK_INSNS);
	EXPECT_GE(s.counts[1].value, n);
	EXPECT_LE(s.counts[1].value, n + SLACK_INSNS);
	EXPECT_ACCOUNTED(&s);
	session_close(&s);
}

TEST(a_sampled_event_counts_what_a_counting_event_counts)
{
	struct session s;

	session_task(&s, 0, 0);
	session_event(&s, EV_BRANCHES, USER | SAMPLED, 10000, 0);
	session_event(&s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	work_phases(5);
	ASSERT_EQ(0, session_finish(&s, NULL, NULL));
	EXPECT_EQ(s.counts[0].value, s.counts[1].value);
	EXPECT_ACCOUNTED(&s);
	session_close(&s);
}

FIXTURE(whole) {
	struct session s;
	uint64_t period;
};

FIXTURE_VARIANT(whole) {
	uint64_t period;
	unsigned int levels;
	unsigned int flags;
};

FIXTURE_VARIANT_ADD(whole, period_1000) { .period = 1000, .levels = USER };
FIXTURE_VARIANT_ADD(whole, period_10007) { .period = 10007, .levels = USER };
FIXTURE_VARIANT_ADD(whole, period_100000) { .period = 100000, .levels = USER };
FIXTURE_VARIANT_ADD(whole, both_levels) { .period = 10007, .levels = USER | KERNEL };

FIXTURE_VARIANT_ADD(whole, beside_a_window_in_software) {
	.period = 10007, .levels = USER, .flags = ACRPMU_SESSION_SOFTWARE,
};

/* The second event counts the same on another counter; a window has two more. */
FIXTURE_SETUP(whole)
{
	self->period = possible_period(variant->period, variant->levels);
	session_task(&self->s, 0, variant->flags);
	session_event(&self->s, EV_INSNS, variant->levels | SAMPLED, self->period, 0);
	session_event(&self->s, EV_INSNS, variant->levels | COUNT, 0, 0);
	if (variant->flags & ACRPMU_SESSION_SOFTWARE) {
		session_event(&self->s, EV_BRANCHES, USER, 20000, 0x8);
		session_event(&self->s, EV_CYCLES, USER, 100000, 0xc);
	}
	self->s.attr.ring_pages = 256;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

FIXTURE_TEARDOWN(whole)
{
	session_close(&self->s);
}

TEST_F(whole, periods_add_up_to_what_was_counted)
{
	uint64_t periods, counted;

	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(2);
	if (variant->levels & KERNEL)
		work_syscalls(2000);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	periods = self->s.counts[0].overflows * self->period;
	counted = self->s.counts[1].value;
	fprintf(stderr, "# %lu of %lu in %llu periods\n", periods, counted,
		self->s.counts[0].overflows);
	EXPECT_LE(periods, counted);
	EXPECT_GT(periods + self->period, counted);
	/* A pause stops one counter after the other, while the kernel runs. */
	if (!(variant->levels & KERNEL && self->s.accounts.throttled))
		EXPECT_EQ(counted, self->s.counts[0].value);
	EXPECT_ACCOUNTED(&self->s);
}

/* What the samples of an event stand for. */
struct stands {
	uint64_t nr, sum, least, most, last;
	uint64_t changes;
};

static void note_period(const struct sample *sample, void *data)
{
	struct stands *p = data;

	p->least = p->nr && p->least < sample->period ? p->least : sample->period;
	p->most = p->most > sample->period ? p->most : sample->period;
	p->changes += p->nr && p->last != sample->period;
	p->last = sample->period;
	p->sum += sample->period;
	p->nr++;
}

FIXTURE(jitter) {
	struct session s;
};

FIXTURE_VARIANT(jitter) {
	uint64_t period;
	unsigned int percent;
};

FIXTURE_VARIANT_ADD(jitter, none) { .period = 2000, .percent = 0 };
FIXTURE_VARIANT_ADD(jitter, a_tenth) { .period = 2000, .percent = 10 };
FIXTURE_VARIANT_ADD(jitter, half) { .period = 10007, .percent = 50 };

FIXTURE_SETUP(jitter)
{
	session_task(&self->s, 0, 0);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, variant->period, 0);
	session_event(&self->s, EV_INSNS, USER | COUNT, 0, 0);
	self->s.attr.ring_pages = 256;
	self->s.attr.jitter = variant->percent;
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

FIXTURE_TEARDOWN(jitter)
{
	session_close(&self->s);
}

/* An overflow without a record, of a pause on a busy host, leaves its period unknown. */
TEST_F(jitter, samples_carry_what_they_stand_for)
{
	uint64_t width = variant->period * variant->percent / 100;
	struct stands p = { 0 };
	double mean, sigma;

	ASSERT_EQ(0, session_enable(&self->s));
	work_phases(3);
	ASSERT_EQ(0, session_finish(&self->s, note_period, &p));
	EXPECT_ACCOUNTED(&self->s);
	ASSERT_LT(200, p.nr);
	EXPECT_LE(variant->period - width, p.least);
	EXPECT_GE(variant->period + width, p.most);
	if (!self->s.accounts.throttled && !self->s.accounts.discarded) {
		EXPECT_LE(p.sum, self->s.counts[1].value);
		EXPECT_GT(p.sum + variant->period + width, self->s.counts[1].value);
	}
	if (!width) {
		EXPECT_EQ(0, p.changes);
		return;
	}
	/* five times the standard deviation of the mean: by chance once in two million runs */
	mean = (double)p.sum / p.nr - variant->period;
	sigma = (double)width * width / 3 / p.nr;
	EXPECT_LT(mean * mean, 25 * sigma);
	/* as wide as it may be, and new each time: by chance not once in ten thousand runs */
	EXPECT_GT(variant->period - width * 9 / 10, p.least);
	EXPECT_LT(variant->period + width * 9 / 10, p.most);
	EXPECT_GT(p.changes, p.nr * 9 / 10);
}

TEST(jitter_leaves_what_hardware_reloads_alone)
{
	struct stands p = { 0 };
	struct session s;
	int ret;

	session_task(&s, 0, 0);
	session_event(&s, EV_INSNS, USER | SAMPLED, 20000, 0x2);
	session_event(&s, EV_CYCLES, USER, 20000, 0x3);
	s.attr.jitter = 50;
	ret = session_make(&s);
	if (ret == -EOPNOTSUPP)
		SKIP(return, "this CPU has no auto counter reload");
	ASSERT_EQ(0, ret) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	work_fast(500000);
	ASSERT_EQ(0, session_finish(&s, note_period, &p));
	EXPECT_LT(50, p.nr);
	EXPECT_EQ(20000, p.least);
	EXPECT_EQ(20000, p.most);
	session_close(&s);
}

struct group_read {
	struct perf_event_header header;
	uint64_t id;
	uint64_t ip;
	uint64_t nr;
	struct {
		uint64_t value;
		uint64_t id;
	} count[2];
};

TEST(samples_carry_the_counts_of_the_group)
{
	struct acrpmu_ring_page *page;
	struct group_read read;
	uint64_t pos, nr = 0, last = 0;
	struct session s;
	int cpu;

	ASSERT_EQ(0, pin_to(0, 1));
	session_task(&s, 0, 0);
	session_event(&s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
	session_event(&s, EV_BRANCHES, USER | COUNT, 0, 0);
	s.attr.sample_type = PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_IP | PERF_SAMPLE_READ;
	ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	ASSERT_EQ(0, session_enable(&s));
	work_fast(1000000);
	ASSERT_EQ(0, session_disable(&s));
	cpu = 1;
	page = s.ring[cpu];
	for (pos = 0; pos < page->data_head; pos += read.header.size) {
		ring_copy(&read, page, pos, sizeof(read));
		ASSERT_EQ(sizeof(read), read.header.size);
		ASSERT_EQ(2, read.nr);
		EXPECT_EQ(100, read.count[0].id);
		EXPECT_EQ(101, read.count[1].id);
		nr++;
		/* One branch in WORK_INSNS instructions */
		EXPECT_GE(read.count[0].value, nr * PERIOD);
		EXPECT_LE(read.count[0].value, nr * PERIOD + PERIOD / 100);
		EXPECT_GT(read.count[1].value, last);
		EXPECT_GE(read.count[1].value * WORK_INSNS, read.count[0].value - SLACK_INSNS);
		last = read.count[1].value;
	}
	EXPECT_EQ(nr, 1000000 * WORK_INSNS / PERIOD);
	session_drain(&s, NULL, NULL);
	EXPECT_EQ(0, session_finish(&s, NULL, NULL));
	EXPECT_ACCOUNTED(&s);
	session_close(&s);
}

TEST_HARNESS_MAIN
