// SPDX-License-Identifier: GPL-2.0-only
/* Sessions on a host of virtual machines, with a stand-in for KVM (selftests/double). */
#include "work.h"
#include "intree.h"
#include "module.h"
#include "records.h"
#include "../double/kvm.h"
#include "kselftest_harness.h"

#include <sys/wait.h>

#define LOAD_PARAMS	"max_pmi_percent=100"

static int command(int vcpu, unsigned int cmd, unsigned long arg)
{
	return ioctl(vcpu, cmd, arg) ? -errno : 0;
}

static void describe(struct session *s, bool task)
{
	if (task)
		session_task(s, 0, 0);
	else
		session_cpus(s, 3);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
}

/* ---- guests with a mediated vPMU ---- */

FIXTURE(mediated) {
	struct session s;
	int vcpu;
	bool known;
};

FIXTURE_VARIANT(mediated) {
	bool task;
};

FIXTURE_VARIANT_ADD(mediated, cpus) { };

FIXTURE_VARIANT_ADD(mediated, task) { .task = true };

FIXTURE_SETUP(mediated)
{
	int ret;

	self->s.fd = -1;
	self->vcpu = open(KVM_DOUBLE, O_RDWR);
	ASSERT_LE(0, self->vcpu);
	ret = command(self->vcpu, KVM_DOUBLE_MEDIATED, 1);
	self->known = ret != -EOPNOTSUPP;
	if (self->known)
		ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(mediated)
{
	session_close(&self->s);
	close(self->vcpu);
}

TEST_F(mediated, refuses_sessions_until_the_guest_ends)
{
	if (!self->known)
		SKIP(return, "this kernel has no mediated vPMUs");
	describe(&self->s, variant->task);
	EXPECT_EQ(-EBUSY, session_make(&self->s));
	EXPECT_EQ(ACRPMU_REASON_GUEST_PMU, self->s.attr.error.reason)
		TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(0, self->s.attr.error.cpu);
	EXPECT_STREQ("", self->s.attr.error.holder);

	ASSERT_EQ(0, command(self->vcpu, KVM_DOUBLE_MEDIATED, 0));
	describe(&self->s, variant->task);
	EXPECT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

TEST_F(mediated, cannot_start_while_a_session_exists)
{
	if (!self->known)
		SKIP(return, "this kernel has no mediated vPMUs");
	ASSERT_EQ(0, command(self->vcpu, KVM_DOUBLE_MEDIATED, 0));
	describe(&self->s, variant->task);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(-EBUSY, command(self->vcpu, KVM_DOUBLE_MEDIATED, 1));
	session_close(&self->s);
	EXPECT_EQ(0, command(self->vcpu, KVM_DOUBLE_MEDIATED, 1));
}

/* A refused trial is no proof that perf is absent, which would let both program the counters. */
TEST_F(mediated, does_not_make_a_module_loaded_then_believe_that_it_is_alone)
{
	struct intree e = { .config = EV_INSNS, .group = -1, .cpu = 0, .pid = -1, .pinned = true };
	int fd;

	if (!self->known)
		SKIP(return, "this kernel has no mediated vPMUs");
	ASSERT_EQ(0, module_unload());
	ASSERT_EQ(0, module_load(LOAD_PARAMS));
	describe(&self->s, variant->task);
	EXPECT_EQ(-EBUSY, session_make(&self->s));
	EXPECT_EQ(ACRPMU_REASON_GUEST_PMU, self->s.attr.error.reason)
		TH_LOG("%s", session_refusal(&self->s));

	ASSERT_EQ(0, command(self->vcpu, KVM_DOUBLE_MEDIATED, 0));
	fd = intree_open(&e);
	ASSERT_LE(0, fd);
	describe(&self->s, variant->task);
	EXPECT_EQ(-EBUSY, session_make(&self->s));
	EXPECT_EQ(ACRPMU_REASON_PMU_IN_USE, self->s.attr.error.reason)
		TH_LOG("%s", session_refusal(&self->s));
	close(fd);
	describe(&self->s, variant->task);
	EXPECT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(ACRPMU_ARBITER_CLAIM, arbiter());
}

/* ---- events of emulated vPMUs, and of nobody ---- */

static bool reserves(void)
{
	return arbiter() == ACRPMU_ARBITER_RESERVE;
}

/* A task that sleeps on CPU 1 and has an event there, which the kernel opened for it. */
static pid_t start_vcpu(void)
{
	int ready[2];
	char byte;
	pid_t pid;

	if (pipe(ready))
		return -1;
	pid = fork();
	if (!pid) {
		int vcpu = open(KVM_DOUBLE, O_RDWR);

		if (vcpu < 0 || pin_to(0, 1) || command(vcpu, KVM_DOUBLE_EVENT, EV_INSNS) ||
		    write(ready[1], "", 1) != 1)
			_exit(1);
		for (;;)
			pause();
	}
	close(ready[1]);
	if (read(ready[0], &byte, 1) != 1) {
		end_child(pid);
		pid = -1;
	}
	close(ready[0]);
	return pid > 0 && wait_for(task_state(pid, pid) == 'S') ? pid : -1;
}

static void only_cpu(struct session *s, unsigned int cpu)
{
	session_cpus(s, 1 << cpu);
	session_event(s, EV_INSNS, USER | COUNT, 0, 0);
}

TEST(the_event_of_a_vcpu_that_sleeps_refuses_sessions_on_its_cpu)
{
	pid_t pid = start_vcpu();
	struct session s;

	ASSERT_LT(0, pid);
	only_cpu(&s, 1);
	EXPECT_EQ(-EBUSY, session_make(&s));
	EXPECT_EQ(ACRPMU_REASON_VPMU_EVENT, s.attr.error.reason)
		TH_LOG("%s", session_refusal(&s));
	EXPECT_EQ(1, s.attr.error.cpu);
	EXPECT_EQ(pid, s.attr.error.holder_pid);
	EXPECT_STREQ("vcpu_test", s.attr.error.holder);
	session_close(&s);
	/* a reservation is for all CPUs */
	only_cpu(&s, 0);
	EXPECT_EQ(reserves() ? -EBUSY : 0, session_make(&s));
	session_close(&s);

	end_child(pid);
	only_cpu(&s, 1);
	EXPECT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
	session_close(&s);
}

/* Opens an event of a task, leaves its descriptor to a child that sleeps, and exits. */
static void abandon_event(pid_t task, int answer)
{
	struct intree e = { .config = EV_INSNS, .group = -1, .cpu = -1, .pid = task };
	pid_t keeper;
	int fd = intree_open(&e);

	if (fd < 0)
		_exit(1);
	keeper = fork();
	if (!keeper)
		for (;;)
			pause();
	_exit(write(answer, &keeper, sizeof(keeper)) != sizeof(keeper));
}

TEST(an_event_left_by_its_opener_refuses_sessions_on_the_cpu_of_its_task)
{
	pid_t task = fork(), keeper = 0, opener;
	struct session s;
	int answer[2];

	if (!task)
		for (;;)
			pause();
	ASSERT_EQ(0, pin_to(task, 1));
	ASSERT_TRUE(wait_for(task_state(task, task) == 'S'));
	ASSERT_EQ(0, pipe(answer));
	opener = fork();
	if (!opener)
		abandon_event(task, answer[1]);
	ASSERT_EQ(sizeof(keeper), read(answer[0], &keeper, sizeof(keeper)));
	ASSERT_EQ(opener, waitpid(opener, NULL, 0));

	only_cpu(&s, 1);
	EXPECT_EQ(-EBUSY, session_make(&s));
	EXPECT_EQ(reserves() ? ACRPMU_REASON_PMU_RESERVED : ACRPMU_REASON_PMU_IN_USE,
		  s.attr.error.reason) TH_LOG("%s", session_refusal(&s));
	EXPECT_STREQ("perf", s.attr.error.holder);
	EXPECT_EQ(0, s.attr.error.holder_pid);
	session_close(&s);

	kill(keeper, SIGKILL);
	/* it is not our child: the event goes with its last descriptor */
	only_cpu(&s, 1);
	EXPECT_TRUE(wait_for(!session_make(&s))) TH_LOG("%s", session_refusal(&s));
	session_close(&s);
	end_child(task);
	close(answer[0]);
	close(answer[1]);
}

/* ---- samples in guests ---- */

#define PERIOD		20000
#define ROUNDS		200000

/* What the samples of a session say, by the phase of the program that they were taken in. */
struct seen {
	unsigned int guest;
	unsigned int host;
	unsigned int bad;
	uint16_t mode;
};

static void look(const struct sample *sample, void *data)
{
	uint16_t mode = sample->header.misc & PERF_RECORD_MISC_CPUMODE_MASK;
	struct seen *seen = data;

	if (mode == seen->mode) {
		seen->guest++;
		seen->bad += !!sample->ip;
	} else {
		seen->host++;
		seen->bad += mode == PERF_RECORD_MISC_GUEST_KERNEL ||
			     mode == PERF_RECORD_MISC_GUEST_USER || !sample->ip;
	}
}

FIXTURE(samples) {
	struct session s;
	struct seen seen;
	int vcpu;
};

FIXTURE_VARIANT(samples) {
	unsigned int levels;
	uint16_t mode;
	bool task;
	bool exclude;
};

FIXTURE_VARIANT_ADD(samples, of_user_level) {
	.levels = USER, .mode = PERF_RECORD_MISC_GUEST_USER, .task = true,
};

FIXTURE_VARIANT_ADD(samples, of_a_cpu) { .levels = USER, .mode = PERF_RECORD_MISC_GUEST_USER };

FIXTURE_VARIANT_ADD(samples, of_both_levels) {
	.levels = USER | KERNEL, .mode = PERF_RECORD_MISC_GUEST_KERNEL, .task = true,
};

FIXTURE_VARIANT_ADD(samples, without_guests) {
	.levels = USER, .mode = PERF_RECORD_MISC_GUEST_USER, .task = true, .exclude = true,
};

FIXTURE_SETUP(samples)
{
	self->seen.mode = variant->mode;
	self->vcpu = open(KVM_DOUBLE, O_RDWR);
	ASSERT_LE(0, self->vcpu);
	ASSERT_EQ(0, pin_to(0, 0));
	if (variant->task)
		session_task(&self->s, 0, 0);
	else
		session_cpus(&self->s, 1);
	if (variant->exclude)
		self->s.attr.flags |= ACRPMU_SESSION_EXCLUDE_GUEST;
	session_event(&self->s, EV_INSNS, variant->levels | SAMPLED, PERIOD, 0);
	session_event(&self->s, EV_INSNS, variant->levels | COUNT, 0, 0);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
}

FIXTURE_TEARDOWN(samples)
{
	session_close(&self->s);
	close(self->vcpu);
}

TEST_F(samples, of_a_guest_are_marked_and_have_no_address_of_the_host)
{
	/* per phase; the second one is twice as long */
	unsigned int phase = ROUNDS * WORK_INSNS / PERIOD;
	const struct acrpmu_read *a = &self->s.accounts;

	ASSERT_EQ(0, session_enable(&self->s));
	work_fast(ROUNDS);
	ASSERT_EQ(0, command(self->vcpu, KVM_DOUBLE_ENTER, 1));
	work_fast(2 * ROUNDS);
	ASSERT_EQ(0, command(self->vcpu, KVM_DOUBLE_ENTER, 0));
	work_fast(ROUNDS);
	ASSERT_EQ(0, session_finish(&self->s, look, &self->seen));
	EXPECT_ACCOUNTED(&self->s);

	EXPECT_EQ(0, self->seen.bad);
	EXPECT_LE(2 * phase - 1, self->seen.host);
	EXPECT_LE(4ULL * ROUNDS * WORK_INSNS, self->s.counts[1].value);
	if (variant->exclude) {
		EXPECT_EQ(0, self->seen.guest);
		EXPECT_LE(2 * phase - 1, a->guest);
		EXPECT_GE(2 * phase + 1, a->guest);
	} else {
		EXPECT_LE(2 * phase - 1, self->seen.guest);
		EXPECT_EQ(0, a->guest);
	}
	printf("# %u host, %u guest, %llu excluded\n", self->seen.host, self->seen.guest,
	       (unsigned long long)a->guest);
}

TEST_HARNESS_MAIN
