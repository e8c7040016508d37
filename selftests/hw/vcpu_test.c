// SPDX-License-Identifier: GPL-2.0-only
/* Sessions on a host of virtual machines, with a stand-in for KVM (selftests/double). */
#include "work.h"
#include "intree.h"
#include "module.h"
#include "records.h"
#include "../double/kvm.h"
#include "kselftest_harness.h"

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

static uint32_t arbiter(void)
{
	struct acrpmu_info info = { .size = sizeof(info) };
	int dev = open(ACRPMU_DEVICE, O_RDONLY), ret = ioctl(dev, ACRPMU_INFO, &info);

	close(dev);
	return ret ? ~0U : info.arbiter;
}

FIXTURE(mediated) {
	struct session s;
	int vcpu;
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
	if (ret == -EOPNOTSUPP)
		SKIP(return, "this kernel has no mediated vPMUs");
	ASSERT_EQ(0, ret);
}

FIXTURE_TEARDOWN(mediated)
{
	session_close(&self->s);
	close(self->vcpu);
}

TEST_F(mediated, refuses_sessions_until_the_guest_ends)
{
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
	ASSERT_EQ(0, command(self->vcpu, KVM_DOUBLE_MEDIATED, 0));
	describe(&self->s, variant->task);
	ASSERT_EQ(0, session_make(&self->s)) TH_LOG("%s", session_refusal(&self->s));
	EXPECT_EQ(-EBUSY, command(self->vcpu, KVM_DOUBLE_MEDIATED, 1));
	session_close(&self->s);
	EXPECT_EQ(0, command(self->vcpu, KVM_DOUBLE_MEDIATED, 1));
}

/* A refused trial is no proof that perf is absent, which would let both program the counters. */
TEST_F(mediated, does_not_make_a_module_loaded_meanwhile_believe_that_it_is_alone)
{
	struct intree e = { .config = EV_INSNS, .group = -1, .cpu = 0, .pid = -1, .pinned = true };
	int fd;

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

TEST_HARNESS_MAIN
