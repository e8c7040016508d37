// SPDX-License-Identifier: GPL-2.0-only
/* Notifications about conflicts: CPUs claimed, released, refused, registers changed by others. */
#include "listen.h"
#include "../hw/msr.h"

#define REFUSAL_RETRY_US	2500000	/* the module tries again after a second */

/* What the module wrote, and what somebody else writes there. */
#define OTHER_BITS	0x5

/* ---- claims ---- */

TEST_F(netlink, session_is_announced_before_its_claim_and_ends_after_its_release)
{
	ASSERT_EQ(0, subscribe(&self->client,
			       ACRPMU_NL_TOPIC_SESSIONS | ACRPMU_NL_TOPIC_CONFLICTS));
	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	close(self->fd);
	self->fd = -1;
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CREATED, &self->msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_CLAIMED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_TRUE(has_cpus(&self->msg, 0x1));
	EXPECT_NE(POISON64, number(&self->msg, ACRPMU_NL_A_TIME));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_RELEASED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_TRUE(has_cpus(&self->msg, 0x1));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_ENDED, &self->msg);
	EXPECT_TRUE(is_silent(&self->client));
}

TEST_F(netlink, parked_session_claims_nothing_until_it_is_unparked)
{
	struct acrpmu_unpark unpark = { .size = sizeof(unpark) };

	if (nr_cpus() < 2)
		SKIP(return, "needs two CPUs");
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_CONFLICTS));
	request_cpus(&self->req, 0x3);
	add_counter(&self->req);
	self->req.attr.flags |= ACRPMU_SESSION_PARKED;
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_TRUE(is_silent(&self->client));
	ASSERT_EQ(0, abi_ioctl(self->fd, ACRPMU_UNPARK, &unpark));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_CLAIMED, &self->msg);
	EXPECT_TRUE(has_cpus(&self->msg, 0x3));
	ASSERT_EQ(0, abi_ctl(self->fd, ACRPMU_PARK));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_RELEASED, &self->msg);
	EXPECT_TRUE(has_cpus(&self->msg, 0x3));
	ASSERT_EQ(0, abi_ctl(self->fd, ACRPMU_PARK));	/* changes nothing */
	EXPECT_TRUE(is_silent(&self->client));
}

/* ---- refusals ---- */

/* The attributes that repeat the error of the caller. */
static bool has_error(const struct message *msg, int ret, const struct acrpmu_error *err)
{
	return number(msg, ACRPMU_NL_A_ERRNO) == (uint64_t)-ret &&
	       number(msg, ACRPMU_NL_A_REASON) == err->reason &&
	       number(msg, ACRPMU_NL_A_EVENT_INDEX) ==
	       (err->event < 0 ? POISON64 : (uint64_t)err->event) &&
	       number(msg, ACRPMU_NL_A_CPU) == (err->cpu < 0 ? POISON64 : (uint64_t)err->cpu) &&
	       number(msg, ACRPMU_NL_A_VALUE) == err->value &&
	       number(msg, ACRPMU_NL_A_LIMIT) == err->limit &&
	       number(msg, ACRPMU_NL_A_HOLDER_PID) == (uint64_t)err->holder_pid &&
	       !strncmp(text(msg, ACRPMU_NL_A_HOLDER), err->holder[0] ? err->holder : "(none)",
			ACRPMU_COMM_LEN);
}

TEST_F(netlink, extra_register_that_another_session_has_is_refused_by_name)
{
	struct request req;
	int ret;

	if (!this_profile() || !this_profile()->offcore[0])
		SKIP(return, "this CPU has no offcore registers");
	request_cpus(&self->req, 0x1);
	add_event(&self->req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10001;
	add_event(&self->req, EV_OFFCORE_1, USER | COUNT, 0, 0)->extra_value = 0x10002;
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	request_cpus(&req, 0x1);
	add_event(&req, EV_OFFCORE_1, USER | COUNT, 0, 0)->extra_value = 0x10004;
	ret = request(self->dev, &req);
	ASSERT_EQ(-EBUSY, ret);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_REFUSED, &self->msg);
	EXPECT_TRUE(has_error(&self->msg, ret, &req.attr.error));
	EXPECT_EQ(ACRPMU_REASON_EXTRA_BUSY, number(&self->msg, ACRPMU_NL_A_REASON));
	EXPECT_EQ(0x1a7, number(&self->msg, ACRPMU_NL_A_LIMIT));
	EXPECT_EQ(getpid(), number(&self->msg, ACRPMU_NL_A_HOLDER_PID));
	EXPECT_EQ(getpid(), number(&self->msg, ACRPMU_NL_A_PID));
	EXPECT_EQ(NULL, self->msg.attr[ACRPMU_NL_A_SESSION]);
	EXPECT_TRUE(is_silent(&self->client));
}

TEST_F(netlink, unparking_onto_counters_in_use_is_refused_with_the_session)
{
	struct acrpmu_unpark unpark = { .size = sizeof(unpark) };
	int perf, ret;

	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	self->req.attr.flags |= ACRPMU_SESSION_PARKED;
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	perf = open_perf(0);
	ASSERT_LE(0, perf);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_CONFLICTS));
	ret = abi_ioctl(self->fd, ACRPMU_UNPARK, &unpark);
	EXPECT_EQ(-EBUSY, ret);
	close(perf);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_REFUSED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_TRUE(has_error(&self->msg, ret, &unpark.error));
	EXPECT_EQ(getpid(), number(&self->msg, ACRPMU_NL_A_HOLDER_PID));
	EXPECT_TRUE(is_silent(&self->client));
}

TEST_F(netlink, what_is_refused_for_other_reasons_is_no_conflict)
{
	struct request req;

	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_CONFLICTS));
	request_cpus(&req, 0x1);
	for (unsigned int i = 0; i < ACRPMU_MAX_EVENTS; i++)
		add_event(&req, EV_BRANCHES, USER | COUNT, 0, 0);
	EXPECT_GT(0, request(self->dev, &req));
	EXPECT_TRUE(is_silent(&self->client));
}

/* A child that goes to a CPU and runs there once it gets a byte. */
static pid_t start_runner(int cpu, int go[2])
{
	pid_t pid = pipe2(go, O_CLOEXEC) ? -1 : fork();
	char byte;

	if (pid)
		return pid;
	if (read(go[0], &byte, 1) != 1 || pin(cpu))
		_exit(1);
	for (;;)
		loop(100000);
}

/* The module asks itself, and asks again every second. */
TEST_F(netlink, task_that_comes_to_a_cpu_in_use_is_reported_once)
{
	int fd, refused = 0, go[2];
	struct request other;
	pid_t child;

	if (nr_cpus() < 2 || !this_profile())
		SKIP(return, "needs two CPUs of a known type");
	request_cpus(&other, 0x2);
	add_most(&other);
	fd = request(self->dev, &other);
	ASSERT_LE(0, fd);
	child = start_runner(1, go);
	ASSERT_LT(0, child);
	request_task(&self->req, child);
	add_most(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, abi_enable(self->fd));
	ASSERT_EQ(0, subscribe(&self->client,
			       ACRPMU_NL_TOPIC_SESSIONS | ACRPMU_NL_TOPIC_CONFLICTS));
	ASSERT_EQ(1, write(go[1], "", 1));
	/* It may come to the first CPU before. */
	do {
		ASSERT_EQ(0, client_next(&self->client, &self->msg));
	} while (self->msg.cmd == ACRPMU_NL_CMD_PMU_CLAIMED);
	ASSERT_EQ(ACRPMU_NL_CMD_REFUSED, self->msg.cmd);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_EQ(EBUSY, number(&self->msg, ACRPMU_NL_A_ERRNO));
	EXPECT_EQ(ACRPMU_REASON_HELD, number(&self->msg, ACRPMU_NL_A_REASON));
	EXPECT_EQ(1, number(&self->msg, ACRPMU_NL_A_CPU));
	EXPECT_EQ(getpid(), number(&self->msg, ACRPMU_NL_A_HOLDER_PID));
	/* the next try is refused as well, and not reported */
	usleep(REFUSAL_RETRY_US);
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	close(self->fd);
	self->fd = -1;
	do {
		ASSERT_EQ(0, client_next(&self->client, &self->msg));
		refused += self->msg.cmd == ACRPMU_NL_CMD_REFUSED;
	} while (self->msg.cmd != ACRPMU_NL_CMD_SESSION_ENDED);
	EXPECT_EQ(0, refused);
	close(fd);
}

/* ---- registers that others change ---- */

FIXTURE(change)
{
	int dev;
	int fd;
	struct client client;
	struct message msg;
	struct request req;
	struct acrpmu_event_hw hw[3];
	uint64_t fixed_ctrl;
};

/* Three events: on a fixed counter, on another one, and with an extra register if there is one. */
FIXTURE_SETUP(change)
{
	unsigned int nr = 2;

	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_EQ(0, client_open(&self->client));
	ASSERT_EQ(0, pin(0));
	request_cpus(&self->req, 0x1);
	add_counter(&self->req);
	add_event(&self->req, EV_BRANCHES, USER | COUNT, 0, 0);
	if (this_profile() && this_profile()->offcore[0]) {
		add_event(&self->req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10001;
		nr++;
	}
	self->fixed_ctrl = msr_read(0, MSR_FIXED_CTR_CTRL);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, abi_query(self->fd, self->hw, nr));
	ASSERT_EQ(0, abi_enable(self->fd));
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_CONFLICTS));
}

/* The module leaves what somebody else has written. */
FIXTURE_TEARDOWN(change)
{
	close(self->fd);
	EXPECT_EQ(0, msr_write(0, MSR_FIXED_CTR_CTRL, self->fixed_ctrl));
	EXPECT_EQ(0, msr_write(0, self->hw[1].cfg_a_msr, 0));
	if (self->hw[2].extra_msr)
		EXPECT_EQ(0, msr_write(0, self->hw[2].extra_msr, 0));
	EXPECT_EQ(0, nr_sessions(self->dev));
	client_close(&self->client);
	close(self->dev);
}

static void expect_changed(struct __test_metadata *_metadata, FIXTURE_DATA(change) *self,
			   const struct acrpmu_event_hw *hw, uint32_t msr, uint64_t expected,
			   uint64_t found)
{
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_REGISTER_CHANGED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_EQ(0, number(&self->msg, ACRPMU_NL_A_CPU));
	EXPECT_EQ((uint64_t)hw->cntr, number(&self->msg, ACRPMU_NL_A_COUNTER));
	EXPECT_EQ(msr, number(&self->msg, ACRPMU_NL_A_REGISTER));
	EXPECT_EQ(expected, number(&self->msg, ACRPMU_NL_A_EXPECTED));
	EXPECT_EQ(found, number(&self->msg, ACRPMU_NL_A_FOUND));
}

/* A session that counts has lost the CPU then. */
static void expect_taken(struct __test_metadata *_metadata, FIXTURE_DATA(change) *self,
			 uint32_t msr, uint64_t found)
{
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_RELEASED, &self->msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_TAKEN, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_EQ(EBUSY, number(&self->msg, ACRPMU_NL_A_ERRNO));
	EXPECT_EQ(ACRPMU_REASON_REGISTER, number(&self->msg, ACRPMU_NL_A_REASON));
	EXPECT_EQ(0, number(&self->msg, ACRPMU_NL_A_CPU));
	EXPECT_EQ(msr, number(&self->msg, ACRPMU_NL_A_LIMIT));
	EXPECT_EQ(found, number(&self->msg, ACRPMU_NL_A_VALUE));
	EXPECT_TRUE(is_silent(&self->client));
}

TEST_F(change, event_select_that_somebody_else_writes_is_noticed_while_the_session_counts)
{
	const struct acrpmu_event_hw *hw = &self->hw[1];

	ASSERT_EQ(0, msr_write(0, hw->cfg_a_msr, hw->cfg_a ^ OTHER_BITS));
	expect_changed(_metadata, self, hw, hw->cfg_a_msr, hw->cfg_a, hw->cfg_a ^ OTHER_BITS);
	expect_taken(_metadata, self, hw->cfg_a_msr, hw->cfg_a ^ OTHER_BITS);
}

TEST_F(change, event_select_of_a_session_that_does_not_count_is_noticed)
{
	const struct acrpmu_event_hw *hw = &self->hw[1];
	uint64_t stopped = hw->cfg_a & ~(1ULL << 22);	/* EN, SDM vol. 3, IA32_PERFEVTSELx */

	ASSERT_EQ(0, abi_disable(self->fd));
	ASSERT_EQ(0, msr_write(0, hw->cfg_a_msr, hw->cfg_a));
	expect_changed(_metadata, self, hw, hw->cfg_a_msr, stopped, hw->cfg_a);
}

/* One that does not count keeps its counters. That another register is reported shows a look. */
TEST_F(change, each_value_is_reported_once)
{
	const struct acrpmu_event_hw *hw = &self->hw[2], *other = &self->hw[1];
	uint64_t stopped = other->cfg_a & ~(1ULL << 22);

	if (!hw->extra_msr)
		SKIP(return, "this CPU has no offcore registers");
	ASSERT_EQ(0, abi_disable(self->fd));
	ASSERT_EQ(0, msr_write(0, hw->extra_msr, 0x10002));
	expect_changed(_metadata, self, hw, hw->extra_msr, 0x10001, 0x10002);
	ASSERT_EQ(0, msr_write(0, other->cfg_a_msr, stopped ^ OTHER_BITS));
	expect_changed(_metadata, self, other, other->cfg_a_msr, stopped, stopped ^ OTHER_BITS);
	ASSERT_EQ(0, msr_write(0, hw->extra_msr, 0));
	expect_changed(_metadata, self, hw, hw->extra_msr, 0x10001, 0);
	/* and again once it was right in between */
	ASSERT_EQ(0, msr_write(0, hw->extra_msr, 0x10001));
	ASSERT_EQ(0, msr_write(0, other->cfg_a_msr, stopped ^ 2 * OTHER_BITS));
	expect_changed(_metadata, self, other, other->cfg_a_msr, stopped, stopped ^ 2 * OTHER_BITS);
	ASSERT_EQ(0, msr_write(0, hw->extra_msr, 0));
	expect_changed(_metadata, self, hw, hw->extra_msr, 0x10001, 0);
}

TEST_F(change, end_of_a_running_session_notices_it)
{
	const struct acrpmu_event_hw *hw = &self->hw[1];

	ASSERT_EQ(0, msr_write(0, hw->cfg_a_msr, hw->cfg_a ^ OTHER_BITS));
	close(self->fd);
	self->fd = -1;
	expect_changed(_metadata, self, hw, hw->cfg_a_msr, hw->cfg_a, hw->cfg_a ^ OTHER_BITS);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_RELEASED, &self->msg);
}

TEST_F(change, control_of_fixed_counters_is_compared_counter_by_counter)
{
	const struct acrpmu_event_hw *hw = &self->hw[0];
	uint64_t value = msr_read(0, MSR_FIXED_CTR_CTRL);

	ASSERT_EQ(MSR_FIXED_CTR_CTRL, hw->cfg_a_msr);
	ASSERT_EQ(0, msr_write(0, MSR_FIXED_CTR_CTRL, value & ~hw->cfg_a));
	ASSERT_EQ(0, abi_disable(self->fd));
	expect_changed(_metadata, self, hw, MSR_FIXED_CTR_CTRL, hw->cfg_a, 0);
	expect_taken(_metadata, self, MSR_FIXED_CTR_CTRL, 0);
}

TEST_F(change, enable_bit_for_all_counters_is_noticed)
{
	const struct acrpmu_event_hw *hw = &self->hw[1];
	uint64_t value = msr_read(0, MSR_GLOBAL_CTRL);

	ASSERT_EQ(0, msr_write(0, MSR_GLOBAL_CTRL, value & ~BIT64(hw->cntr)));
	ASSERT_EQ(0, abi_disable(self->fd));
	expect_changed(_metadata, self, hw, MSR_GLOBAL_CTRL, BIT64(hw->cntr), 0);
	ASSERT_EQ(0, msr_write(0, MSR_GLOBAL_CTRL, value));
}

TEST_F(change, counter_that_stands_still_is_noticed)
{
	const struct acrpmu_event_hw *hw = &self->hw[1];
	uint64_t before;

	if (zeroes_at_stop())
		SKIP(return, "the stop zeroes it, and what others write there then does no harm");
	loop(1000);
	ASSERT_EQ(0, abi_disable(self->fd));
	before = on_model() ? oracle_get(ORACLE_MSR, 0, hw->cntr_msr) :
				    msr_read(0, hw->cntr_msr);
	ASSERT_EQ(0, msr_write(0, hw->cntr_msr, before + 1));
	expect_changed(_metadata, self, hw, hw->cntr_msr, before, before + 1);
}

/* As in-tree perf writes 0 to counters that it believes unused. */
TEST_F(change, counter_that_goes_back_is_noticed)
{
	const struct acrpmu_event_hw *hw = &self->hw[1];
	uint64_t expected, found;

	loop(1000);
	/* What it has counted so far is read, and known from then on. */
	ASSERT_EQ(0, abi_disable(self->fd));
	ASSERT_EQ(0, abi_enable(self->fd));
	ASSERT_EQ(0, msr_write(0, hw->cntr_msr, 0));
	ASSERT_EQ(0, abi_disable(self->fd));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_REGISTER_CHANGED, &self->msg);
	EXPECT_EQ(hw->cntr_msr, number(&self->msg, ACRPMU_NL_A_REGISTER));
	expected = number(&self->msg, ACRPMU_NL_A_EXPECTED);
	EXPECT_LE(1000, expected);
	found = number(&self->msg, ACRPMU_NL_A_FOUND);
	EXPECT_GT(1000, found);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_RELEASED, &self->msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_TAKEN, &self->msg);
	EXPECT_EQ(hw->cntr_msr, number(&self->msg, ACRPMU_NL_A_LIMIT));
	/* It counted on until the stop. */
	EXPECT_LE(found, number(&self->msg, ACRPMU_NL_A_VALUE));
	EXPECT_GT(expected, number(&self->msg, ACRPMU_NL_A_VALUE));
}

TEST_F(change, reload_registers_are_noticed)
{
	struct acrpmu_event_hw hw[2];
	struct request req;
	int fd;

	REQUIRE_ACR();
	request_cpus(&req, 0x1);
	add_pair(&req);
	fd = request(self->dev, &req);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_query(fd, hw, 2));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_CLAIMED, &self->msg);
	ASSERT_EQ(0, abi_enable(fd));
	ASSERT_EQ(0, msr_write(0, hw[0].cfg_b_msr, 0));
	ASSERT_EQ(0, msr_write(0, hw[1].cfg_c_msr, hw[1].cfg_c + 1));
	ASSERT_EQ(0, abi_disable(fd));
	for (int i = 0; i < 2; i++) {
		EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_REGISTER_CHANGED, &self->msg);
		EXPECT_EQ(req.attr.session_id, number(&self->msg, ACRPMU_NL_A_SESSION));
		if (number(&self->msg, ACRPMU_NL_A_REGISTER) == hw[0].cfg_b_msr) {
			EXPECT_EQ(hw[0].cfg_b, number(&self->msg, ACRPMU_NL_A_EXPECTED));
			EXPECT_EQ(0, number(&self->msg, ACRPMU_NL_A_FOUND));
		} else {
			EXPECT_EQ(hw[1].cfg_c_msr, number(&self->msg, ACRPMU_NL_A_REGISTER));
			EXPECT_EQ(hw[1].cfg_c, number(&self->msg, ACRPMU_NL_A_EXPECTED));
			EXPECT_EQ(hw[1].cfg_c + 1, number(&self->msg, ACRPMU_NL_A_FOUND));
		}
	}
	close(fd);
	ASSERT_EQ(0, msr_write(0, hw[1].cfg_c_msr, 0));
}

TEST_F(change, what_nobody_changes_is_not_reported)
{
	double end = now_s() + 2.5;

	while (now_s() < end)
		loop(100000);
	ASSERT_EQ(0, abi_disable(self->fd));
	EXPECT_TRUE(is_silent(&self->client));
}

TEST_HARNESS_MAIN
