// SPDX-License-Identifier: GPL-2.0-only
/* PMIs and status bits that are wrong: counts are right, and every overflow is accounted for. */
#include "work.h"
#include "fault.h"
#include "log.h"
#include "module.h"
#include "msr.h"
#include "records.h"
#include "tick.h"
#include "kselftest_harness.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <time.h>

#define SECONDS		300	/* at most, on however busy a host */
#define CPU		1
#define OTHER_CPU	0
#define PERIOD		100000ULL
#define LOOP		(PERIOD / WORK_INSNS + 1)	/* a little more than a period */
/* Instructions at user level around what is measured: calls, queries */
#define SLACK_INSNS	3000
/* About as long as a handler; and longer than any with debugging options */
#define SOON		2000
#define LATER		50021

/* SDM vol. 3, "Global Status Register" and those that set and reset its bits */
#define MSR_GLOBAL_STATUS	0x38e
#define MSR_STATUS_RESET	0x390
#define MSR_STATUS_SET		0x391
/* SDM vol. 3, "Local APIC Register Address Map" */
#define APIC_BASE		0xfee00000
#define APIC_LVTPC		0x340
#define APIC_SIZE		0x1000
/* The module takes a PMI for lost after that time, which it counts in jiffies. */
#define LOST_PMI_NS		400000000
#define LOOKS			4

static uint64_t user_insns(void)
{
	return oracle_events(CPU, ORACLE_EV_INSN, false);
}

static uint64_t status(void)
{
	return oracle_get(ORACLE_MSR, CPU, MSR_GLOBAL_STATUS);
}

FIXTURE(faults) {
	struct session s;
	uint64_t before, begun;		/* instructions before and after the start */
	int nmis;
};

FIXTURE_SETUP(faults)
{
	ASSERT_EQ(0, pin_to(0, CPU));
	session_cpus(&self->s, 1 << CPU);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
	self->nmis = unknown_nmis();
	ASSERT_LE(0, self->nmis);
}

FIXTURE_TEARDOWN(faults)
{
	session_close(&self->s);
	EXPECT_EQ(0, module_set_usual());
	EXPECT_EQ(self->nmis, unknown_nmis());
}

static void begin(struct __test_metadata *_metadata, FIXTURE_DATA(faults) *self)
{
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	self->before = user_insns();
	ASSERT_EQ(0, session_enable(&self->s));
	self->begun = user_insns();
}

/* The first event counts the instructions of this CPU: none twice, and none not at all. */
static void finish_counts(struct __test_metadata *_metadata, FIXTURE_DATA(faults) *self)
{
	uint64_t least = user_insns() - self->begun, most;

	ASSERT_EQ(0, session_disable(&self->s));
	most = user_insns() - self->before;
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_LE(least, self->s.counts[0].value);
	EXPECT_GE(most, self->s.counts[0].value);
	EXPECT_GT(least + SLACK_INSNS, most);
	EXPECT_EQ(0, self->s.accounts.state);
}

static void finish(struct __test_metadata *_metadata, FIXTURE_DATA(faults) *self)
{
	finish_counts(_metadata, self);
	EXPECT_ACCOUNTED(&self->s);
}

/* ---- PMIs ---- */

static void lose_a_pmi(struct __test_metadata *_metadata)
{
	work_fast(3 * LOOP);
	oracle_get(ORACLE_FAULT_LOSE, CPU, 1);
	work_fast(3 * LOOP);
	EXPECT_EQ(0, fault_pmis_left(ORACLE_FAULT_LOSE));
}

TEST_F_TIMEOUT(faults, lost_pmi_is_made_up_for_by_that_of_another_counter, SECONDS)
{
	session_event(&self->s, EV_BRANCHES, USER | SAMPLED, PERIOD / 2, 0);
	begin(_metadata, self);
	lose_a_pmi(_metadata);
	work_fast(17 * LOOP);
	finish(_metadata, self);
	EXPECT_EQ(0, self->s.accounts.lost);
	/* The one that waits for the other counter's, and perhaps one that came before its end */
	EXPECT_LE(20, self->s.counts[0].overflows);
}

TEST_F_TIMEOUT(faults, lost_pmi_of_the_only_counter_is_accounted_for_at_the_stop, SECONDS)
{
	uint64_t overflows;

	begin(_metadata, self);
	lose_a_pmi(_metadata);
	work_fast(17 * LOOP);
	finish(_metadata, self);
	overflows = self->s.counts[0].overflows;
	/* The fourth; there are more if the module has made up for it before. */
	EXPECT_LE(4, overflows);
	EXPECT_EQ(overflows - 1, self->s.accounts.records);
	EXPECT_EQ(1, self->s.accounts.discarded);
	/* and it samples again when it is started again */
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(5 * LOOP);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_LE(overflows + 5, self->s.counts[0].overflows);
	EXPECT_ACCOUNTED(&self->s);
}

/* It samples again: three, the one without a PMI, and more. */
static bool has_gone_on(const struct session *s)
{
	work_fast(2 * LOOP);
	return session_truth(s, 0) - s->truth[0] > 10;
}

/* Nobody reads the session: the module looks for itself. */
TEST_F_TIMEOUT(faults, lost_pmi_of_the_only_counter_does_not_stop_it_for_good, SECONDS)
{
	begin(_metadata, self);
	lose_a_pmi(_metadata);
	EXPECT_TRUE(wait_for(has_gone_on(&self->s)));
	finish(_metadata, self);
	EXPECT_EQ(1, self->s.accounts.discarded);
}

static uint64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* Somebody else writes to a register of this session, so that the module looks at all CPUs. */
static void have_all_looked_at(struct __test_metadata *_metadata, struct session *other)
{
	ASSERT_EQ(0, msr_write(OTHER_CPU, other->hw[0].cfg_a_msr, 0));
	ASSERT_EQ(0, session_read(other));
	EXPECT_TRUE(other->accounts.state & ACRPMU_STATE_TAKEN);
	usleep(10000);
}

/* Its PMI may still come: looks that follow each other at once prove nothing. */
TEST_F_TIMEOUT(faults, lost_pmi_is_one_that_has_not_come_for_long, SECONDS)
{
	struct session other[LOOKS];
	uint64_t ns, overflows;
	unsigned int i;

	/* A host that holds the machine up spoils an attempt; the harness ends endless ones. */
	do {
		for (i = 0; i < LOOKS; i++) {
			session_cpus(&other[i], 1 << OTHER_CPU);
			session_event(&other[i], EV_BRANCHES, USER | COUNT, 0, 0);
			ASSERT_EQ(0, session_make(&other[i]));
			ASSERT_EQ(0, session_enable(&other[i]));
		}
		begin(_metadata, self);
		ns = now_ns();
		lose_a_pmi(_metadata);
		overflows = session_truth(&self->s, 0);
		for (i = 0; i < LOOKS; i++)
			have_all_looked_at(_metadata, &other[i]);
		work_fast(2 * LOOP);
		overflows = session_truth(&self->s, 0) - overflows;
		ns = now_ns() - ns;
		finish(_metadata, self);
		session_close(&self->s);
		for (i = 0; i < LOOKS; i++)
			session_close(&other[i]);
	} while (ns > LOST_PMI_NS);
	EXPECT_EQ(0, overflows);
}

static bool is_masked(void)
{
	return oracle_get(ORACLE_LVTPC, ORACLE_THIS_CPU, 0) & ORACLE_LVTPC_MASKED;
}

static int mask_lvtpc(void)
{
	int fd = open("/dev/mem", O_RDWR | O_SYNC | O_CLOEXEC);
	volatile uint32_t *apic;

	if (fd < 0)
		return -1;
	apic = mmap(NULL, APIC_SIZE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, APIC_BASE);
	close(fd);
	if (apic == MAP_FAILED)
		return -1;
	apic[APIC_LVTPC / sizeof(*apic)] |= ORACLE_LVTPC_MASKED;
	return munmap((void *)apic, APIC_SIZE);
}

TEST_F_TIMEOUT(faults, masked_entry_of_the_local_apic_does_not_stop_it_for_good, SECONDS)
{
	begin(_metadata, self);
	work_fast(3 * LOOP);
	ASSERT_EQ(0, mask_lvtpc());
	EXPECT_TRUE(is_masked());
	EXPECT_TRUE(wait_for(has_gone_on(&self->s)));
	EXPECT_FALSE(is_masked());
	finish(_metadata, self);
	EXPECT_EQ(1, self->s.accounts.discarded);
}

static bool is_unmasked_beside_reads(struct session *s)
{
	work_fast(2 * LOOP);
	return session_read(s) || !is_masked();
}

/* Each READ stops the counters, and accounts for their overflows itself. */
TEST_F_TIMEOUT(faults, masked_entry_of_the_local_apic_is_found_in_spite_of_reads, SECONDS)
{
	begin(_metadata, self);
	work_fast(3 * LOOP);
	ASSERT_EQ(0, mask_lvtpc());
	EXPECT_TRUE(is_masked());
	EXPECT_TRUE(wait_for(is_unmasked_beside_reads(&self->s)));
	EXPECT_FALSE(is_masked());
	work_fast(3 * LOOP);
	finish(_metadata, self);
	EXPECT_LT(6, self->s.accounts.records);
}

static const enum oracle_query wrong_pmis[] = { ORACLE_FAULT_STRAY, ORACLE_FAULT_REPEAT };
static const uint32_t gaps[] = { SOON, LATER };

TEST_F_TIMEOUT(faults, stray_and_repeated_pmis_change_nothing, SECONDS)
{
	unsigned int i, nr = 0;

	begin(_metadata, self);
	for (i = 0; i < 4; i++) {
		fault_pmis(wrong_pmis[i / 2], 5, gaps[i % 2]);
		work_fast(6 * LOOP);
		EXPECT_EQ(0, fault_pmis_left(wrong_pmis[i / 2]));
		nr += 6;
	}
	finish(_metadata, self);
	EXPECT_LE(nr, self->s.counts[0].overflows);
	EXPECT_EQ(self->s.counts[0].overflows, self->s.accounts.records);
}

TEST_F_TIMEOUT(faults, stray_pmis_change_nothing_beside_an_event_that_only_counts, SECONDS)
{
	struct session other;

	session_cpus(&other, 1 << CPU);
	session_event(&other, EV_INSNS, USER | COUNT, 0, 0);
	self->s = other;
	begin(_metadata, self);
	fault_pmis(ORACLE_FAULT_STRAY, 5, LATER);
	work_fast(6 * LOOP);
	EXPECT_EQ(0, fault_pmis_left(ORACLE_FAULT_STRAY));
	finish(_metadata, self);
}

/* ---- status bits ---- */

static uint64_t own_bit(const struct session *s)
{
	return 1ULL << s->hw[0].cntr;
}

TEST_F_TIMEOUT(faults, status_bits_of_others_are_left_to_them, SECONDS)
{
	uint64_t others;

	begin(_metadata, self);
	/* a counter that nobody holds, and a buffer of PEBS */
	others = (own_bit(&self->s) == 1 << 5 ? 1 << 6 : 1 << 5) | 1ULL << 62;
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, others));
	work_fast(10 * LOOP);
	finish(_metadata, self);
	/* in-tree perf clears every bit if it has an event, such as a claim */
	if (arbiter() == ACRPMU_ARBITER_RESERVE) {
		EXPECT_EQ(others, status() & others);
	}
	EXPECT_EQ(0, msr_write(CPU, MSR_STATUS_RESET, others));
	EXPECT_EQ(self->s.counts[0].overflows, self->s.accounts.records);
}

TEST_F_TIMEOUT(faults, status_bit_without_an_overflow_is_one_with_the_next_pmi, SECONDS)
{
	begin(_metadata, self);
	work_fast(3 * LOOP);
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
	work_fast(3 * LOOP);
	finish(_metadata, self);
	EXPECT_EQ(self->s.counts[0].overflows, self->s.accounts.records);
}

TEST_F_TIMEOUT(faults, status_bit_without_an_overflow_is_none_for_a_stray_pmi, SECONDS)
{
	begin(_metadata, self);
	work_fast(3 * LOOP);
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
	fault_pmis(ORACLE_FAULT_STRAY, 1, SOON);
	work_fast(3 * LOOP);
	EXPECT_EQ(0, fault_pmis_left(ORACLE_FAULT_STRAY));
	finish(_metadata, self);
}

TEST_F_TIMEOUT(faults, status_bit_without_an_overflow_is_none_at_a_stop, SECONDS)
{
	begin(_metadata, self);
	work_fast(3 * LOOP);
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
	finish(_metadata, self);
}

/* There the status has to be looked at, for overflows that a reload hides. */
TEST_F_TIMEOUT(faults, status_bit_without_an_overflow_is_none_at_a_stop_beside_a_window, SECONDS)
{
	session_event(&self->s, EV_BRANCHES, USER | SAMPLED, 1ULL << 30, 0x4);
	session_event(&self->s, EV_CYCLES, USER, 1ULL << 30, 0x6);
	begin(_metadata, self);
	work_fast(3 * LOOP);
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
	finish(_metadata, self);
}

TEST_F_TIMEOUT(faults, status_bit_without_an_overflow_is_none_for_a_pmi_after_a_stop, SECONDS)
{
	begin(_metadata, self);
	work_fast(3 * LOOP);
	ASSERT_EQ(0, session_disable(&self->s));
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
	fault_pmis(ORACLE_FAULT_STRAY, 1, SOON);
	work_fast(LOOP);
	EXPECT_EQ(0, fault_pmis_left(ORACLE_FAULT_STRAY));
	EXPECT_EQ(0, status() & own_bit(&self->s));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
}

/* Else it is an unknown NMI, which the end of the test looks for. */
TEST_F_TIMEOUT(faults, pmi_of_a_status_bit_at_a_stop_may_come_after_the_session, SECONDS)
{
	begin(_metadata, self);
	work_fast(3 * LOOP);
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
	session_close(&self->s);
	fault_pmis(ORACLE_FAULT_STRAY, 1, SOON);
	work_fast(LOOP);
	EXPECT_EQ(0, fault_pmis_left(ORACLE_FAULT_STRAY));
}

TEST_F_TIMEOUT(faults, status_bit_of_before_a_start_is_none_of_the_session, SECONDS)
{
	session_event(&self->s, EV_BRANCHES, USER | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
	self->before = user_insns();
	ASSERT_EQ(0, session_enable(&self->s));
	self->begun = user_insns();
	work_fast(LOOP / 2);
	finish(_metadata, self);
}

/* ---- status bits in a session with events that software restarts ---- */

/* The window is so long that nothing restarts the first event, and no overflow is dropped. */
static void describe_window(FIXTURE_DATA(faults) *self)
{
	session_cpus(&self->s, 1 << CPU);
	self->s.attr.flags |= ACRPMU_SESSION_SOFTWARE;
	session_event(&self->s, EV_INSNS, USER | SAMPLED, PERIOD, 0x2);
	session_event(&self->s, EV_CYCLES, USER, 1ULL << 30, 0x3);
}

/* The model has none of them. */
static void expect_one_dropped(struct __test_metadata *_metadata, const struct session *s)
{
	EXPECT_EQ(session_truth(s, 0), s->truth[0]);
	EXPECT_EQ(0, s->counts[0].overflows);
	EXPECT_EQ(0, s->records);
	EXPECT_EQ(1, s->accounts.dropped);
}

TEST_F_TIMEOUT(faults, status_bit_without_an_overflow_is_dropped_at_a_pmi_in_software, SECONDS)
{
	describe_window(self);
	begin(_metadata, self);
	work_fast(LOOP / 2);
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
	fault_pmis(ORACLE_FAULT_STRAY, 1, SOON);
	work_fast(LOOP / 4);
	EXPECT_EQ(0, fault_pmis_left(ORACLE_FAULT_STRAY));
	finish_counts(_metadata, self);
	expect_one_dropped(_metadata, &self->s);
}

TEST_F_TIMEOUT(faults, status_bit_without_an_overflow_is_dropped_at_a_stop_in_software, SECONDS)
{
	describe_window(self);
	begin(_metadata, self);
	work_fast(LOOP / 2);
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
	finish_counts(_metadata, self);
	expect_one_dropped(_metadata, &self->s);
}

TEST_F_TIMEOUT(faults, status_bit_without_an_overflow_is_dropped_after_a_stop_in_software, SECONDS)
{
	describe_window(self);
	begin(_metadata, self);
	work_fast(LOOP / 2);
	ASSERT_EQ(0, session_disable(&self->s));
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
	fault_pmis(ORACLE_FAULT_STRAY, 1, SOON);
	work_fast(LOOP);
	EXPECT_EQ(0, fault_pmis_left(ORACLE_FAULT_STRAY));
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	expect_one_dropped(_metadata, &self->s);
}

TEST_F_TIMEOUT(faults, status_bit_without_an_overflow_is_dropped_beside_one_in_software, SECONDS)
{
	uint64_t other_bit;

	describe_window(self);
	begin(_metadata, self);
	other_bit = 1ULL << self->s.hw[1].cntr;
	oracle_get(ORACLE_FAULT_LOSE, CPU, 1);
	work_fast(LOOP);
	EXPECT_EQ(0, fault_pmis_left(ORACLE_FAULT_LOSE));
	ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, other_bit));
	finish_counts(_metadata, self);
	EXPECT_EQ(1, self->s.counts[0].overflows);
	EXPECT_EQ(1, self->s.accounts.discarded);
	EXPECT_EQ(1, self->s.accounts.dropped);
}

/* ---- PMIs beyond the limits ---- */

/*
 * A PMI for a status bit that no overflow has set is charged as any other: the overflow after it,
 * in the same tick, is beyond the limit.  Two overflows are ticks apart.
 */
TEST_F_TIMEOUT(faults, status_bit_without_an_overflow_counts_for_the_limit, SECONDS)
{
	ASSERT_EQ(0, module_set("max_sample_rate", "1"));
	begin(_metadata, self);
	while (!self->s.accounts.throttled) {
		work_fast(LOOP * 3 / 4);
		wait_for_tick();
		ASSERT_EQ(0, msr_write(CPU, MSR_STATUS_SET, own_bit(&self->s)));
		fault_pmis(ORACLE_FAULT_STRAY, 1, SOON);
		work_fast(LOOP / 2);
		wait_for_tick();
		EXPECT_EQ(0, fault_pmis_left(ORACLE_FAULT_STRAY));
		ASSERT_EQ(0, session_read(&self->s));
	}
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_ACCOUNTED(&self->s);
}

TEST_HARNESS_MAIN
