// SPDX-License-Identifier: GPL-2.0-only
/* CPUs of which the registers do not answer, as under some hypervisors: one, and all of them. */
#include "work.h"
#include "fault.h"
#include "log.h"
#include "module.h"
#include "records.h"
#include "kselftest_harness.h"

#define CPU		1
#define OTHER_CPU	0
#define BOTH_CPUS	0x3
#define PERIOD		100000ULL
#define MSR_GLOBAL_CTRL	0x38f	/* SDM vol. 4 */
/* For grep(1) */
#define HIDDEN_MESSAGE	"-F 'acrpmu: CPUID shows a PMU, but its registers do not answer: " \
			"does the hypervisor hide it?'"

/* Of a register that is read once when its CPU is looked at */
static void hide(unsigned int cpu)
{
	fault_refuse(cpu, MSR_GLOBAL_CTRL, ORACLE_RD, ORACLE_ORIGIN_ANY, 0, 1);
}

FIXTURE(hidden) {
	struct session s;
	int lines;
};

FIXTURE_SETUP(hidden)
{
	session_cpus(&self->s, BOTH_CPUS);
	self->lines = log_count(HIDDEN_MESSAGE);
	ASSERT_LE(0, self->lines);
}

FIXTURE_TEARDOWN(hidden)
{
	session_close(&self->s);
	fault_refuse_left(ORACLE_ALL_CPUS);
	if (!access("/sys/module/acrpmu", F_OK)) {
		EXPECT_EQ(0, module_unload());
	}
}

TEST_F(hidden, pmu_of_all_cpus_fails_the_load_with_the_reason_in_the_log)
{
	hide(OTHER_CPU);
	hide(CPU);
	EXPECT_EQ(-ENODEV, module_load(""));
	EXPECT_EQ(0, fault_refuse_left(OTHER_CPU));
	EXPECT_EQ(0, fault_refuse_left(CPU));
	EXPECT_EQ(self->lines + 1, log_count(HIDDEN_MESSAGE));
	EXPECT_NE(0, access(ACRPMU_DEVICE, F_OK));
	EXPECT_EQ(0, module_load(""));
}

#define EXPECT_NO_PMU(s) do {							\
	EXPECT_EQ(-EOPNOTSUPP, session_make(s));				\
	EXPECT_EQ(ACRPMU_REASON_NO_PMU, (s)->attr.error.reason)			\
		TH_LOG("%s", session_refusal(s));				\
	EXPECT_EQ(CPU, (s)->attr.error.cpu);					\
} while (0)

static void describe(struct session *s, uint64_t cpus)
{
	session_cpus(s, cpus);
	session_event(s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
}

static bool is_usable(int cpu)
{
	struct acrpmu_cpu_info cpus[MAX_CPUS] = { 0 };
	struct acrpmu_info info = { .size = sizeof(info), .nr_cpus = MAX_CPUS,
				    .cpus = (uintptr_t)cpus, .cpu_size = sizeof(cpus[0]) };
	int dev = open(ACRPMU_DEVICE, O_RDWR | O_CLOEXEC), ret = ioctl(dev, ACRPMU_INFO, &info);

	close(dev);
	return !ret && cpus[cpu].flags & ACRPMU_CPU_USABLE;
}

TEST_F(hidden, pmu_of_one_cpu_refuses_sessions_there_and_nowhere_else)
{
	hide(CPU);
	ASSERT_EQ(0, module_load("max_pmi_percent=100"));
	EXPECT_EQ(0, fault_refuse_left(CPU));
	EXPECT_EQ(self->lines, log_count(HIDDEN_MESSAGE));
	EXPECT_FALSE(is_usable(CPU));
	EXPECT_TRUE(is_usable(OTHER_CPU));
	describe(&self->s, 1 << CPU);
	EXPECT_NO_PMU(&self->s);
	describe(&self->s, BOTH_CPUS);
	EXPECT_NO_PMU(&self->s);

	describe(&self->s, 1 << OTHER_CPU);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	ASSERT_EQ(0, pin_to(0, OTHER_CPU));
	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(5 * PERIOD / WORK_INSNS + 1);
	ASSERT_EQ(0, session_finish(&self->s, NULL, NULL));
	EXPECT_LE(5, self->s.counts[0].overflows);
	EXPECT_ACCOUNTED(&self->s);
}

TEST_F(hidden, pmu_is_looked_for_again_when_its_cpu_comes_online)
{
	hide(CPU);
	ASSERT_EQ(0, module_load("max_pmi_percent=100"));
	describe(&self->s, 1 << CPU);
	EXPECT_NO_PMU(&self->s);
	ASSERT_EQ(0, set_online(CPU, false));
	ASSERT_EQ(0, set_online(CPU, true));
	describe(&self->s, 1 << CPU);
	EXPECT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

TEST_HARNESS_MAIN
