// SPDX-License-Identifier: GPL-2.0-only
/* Notifications about CPUs that come and go, and what sessions lose with them. */
#include "listen.h"

FIXTURE(cpus)
{
	int dev;
	int fd;
	struct client client;
	struct message msg;
	struct request req;
};

FIXTURE_SETUP(cpus)
{
	self->fd = -1;
	if (nr_cpus() < 2)
		SKIP(return, "needs two CPUs");
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_EQ(0, client_open(&self->client));
	ASSERT_EQ(0, pin(0));
}

FIXTURE_TEARDOWN(cpus)
{
	set_online(1, true);
	close(self->fd);
	EXPECT_EQ(0, nr_sessions(self->dev));
	client_close(&self->client);
	close(self->dev);
}

#define EXPECT_CPU(client, expected, msg) do {						\
	EXPECT_NEXT(client, expected, msg);						\
	EXPECT_EQ(1, number(msg, ACRPMU_NL_A_CPU));					\
} while (0)

TEST_F(cpus, come_and_go)
{
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	ASSERT_EQ(0, set_online(1, false));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_CPU_OFFLINE, &self->msg);
	EXPECT_NE(POISON64, number(&self->msg, ACRPMU_NL_A_TIME));
	EXPECT_EQ(NULL, self->msg.attr[ACRPMU_NL_A_SESSION]);
	EXPECT_EQ(NULL, self->msg.attr[ACRPMU_NL_A_PID]);
	EXPECT_TRUE(is_silent(&self->client));
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_CPU_ONLINE, &self->msg);
	EXPECT_TRUE(is_silent(&self->client));
}

TEST_F(cpus, session_of_a_cpu_loses_it_and_gets_it_back)
{
	request_cpus(&self->req, 0x3);
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	ASSERT_EQ(0, set_online(1, false));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_CPU_OFFLINE, &self->msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_RELEASED, &self->msg);
	EXPECT_TRUE(has_cpus(&self->msg, 0x2));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_CPU_LOST, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_CPU_ONLINE, &self->msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_CLAIMED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_TRUE(has_cpus(&self->msg, 0x2));
	EXPECT_TRUE(is_silent(&self->client));
}

TEST_F(cpus, session_of_a_task_gets_it_back)
{
	request_task(&self->req, 0);
	self->req.cpus[0] = 0x3;
	self->req.attr.cpus = (uintptr_t)self->req.cpus;
	self->req.attr.cpus_size = 1;
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client,
			       ACRPMU_NL_TOPIC_CPUS | ACRPMU_NL_TOPIC_CONFLICTS));
	ASSERT_EQ(0, set_online(1, false));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_CPU_OFFLINE, &self->msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_RELEASED, &self->msg);
	EXPECT_TRUE(has_cpus(&self->msg, 0x2));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_CPU_LOST, &self->msg);
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_CPU_ONLINE, &self->msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_CLAIMED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_TRUE(has_cpus(&self->msg, 0x2));
	EXPECT_TRUE(is_silent(&self->client));
}

/* While it is offline, in-tree perf gets an event, and with it all counters of all CPUs. */
TEST_F(cpus, session_that_in_tree_perf_keeps_off_is_refused_by_the_opener_of_its_event)
{
	struct acrpmu_info info = { .size = sizeof(info) };
	char comm[ACRPMU_COMM_LEN];
	int perf;

	ASSERT_EQ(0, abi_info(self->dev, &info));
	if (info.arbiter != ACRPMU_ARBITER_RESERVE)
		SKIP(return, "in-tree perf reserves no counters on this kernel and CPU");
	ASSERT_EQ(0, prctl(PR_GET_NAME, comm));
	request_task(&self->req, 0);
	self->req.cpus[0] = 0x2;
	self->req.attr.cpus = (uintptr_t)self->req.cpus;
	self->req.attr.cpus_size = 1;
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, set_online(1, false));
	perf = open_perf(0);
	ASSERT_LE(0, perf);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_CPU_ONLINE, &self->msg);
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_REFUSED, &self->msg);
	close(perf);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_EQ(ACRPMU_REASON_PMU_RESERVED, number(&self->msg, ACRPMU_NL_A_REASON));
	EXPECT_EQ(getpid(), number(&self->msg, ACRPMU_NL_A_HOLDER_PID));
	EXPECT_STREQ(comm, text(&self->msg, ACRPMU_NL_A_HOLDER));
}

/*
 * The guest's file systems cannot sleep, and the kernel ends it half way, before any CPU goes
 * offline; by then the module has released all.
 */
static int sleep_and_wake(void)
{
	int ret = write_file("/sys/power/state", "freeze");

	return ret == -EOPNOTSUPP ? 0 : ret;
}

TEST_F(cpus, sleep_releases_them_without_a_reason_and_each_is_claimed_again)
{
	request_cpus(&self->req, 0x3);
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	ASSERT_EQ(0, sleep_and_wake());
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_RELEASED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_TRUE(has_cpus(&self->msg, 0x3));
	for (int i = 0; i < 2; i++) {
		EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_CLAIMED, &self->msg);
		EXPECT_TRUE(is_about(&self->msg, &self->req));
		EXPECT_TRUE(has_cpus(&self->msg, 0x1) || has_cpus(&self->msg, 0x2));
	}
	EXPECT_TRUE(is_silent(&self->client));
}

static int create_large(int dev, struct request *req, uint8_t cpus)
{
	request_task(req, 0);
	req->cpus[0] = cpus;
	req->attr.cpus = (uintptr_t)req->cpus;
	req->attr.cpus_size = 1;
	add_most(req);
	return request(dev, req);
}

/* Two sessions do not fit; the older one was parked while the other had the CPU.  One gets it. */
TEST_F(cpus, session_that_does_not_get_it_back_is_refused_by_name)
{
	struct acrpmu_unpark unpark = { .size = sizeof(unpark) };
	struct request other, *refused;
	int fd;

	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its counters are unknown");
	fd = create_large(self->dev, &other, 0x3);
	ASSERT_LE(0, fd);
	ASSERT_EQ(0, abi_ctl(fd, ACRPMU_PARK));
	self->fd = create_large(self->dev, &self->req, 0x2);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, set_online(1, false));
	ASSERT_EQ(0, abi_ioctl(fd, ACRPMU_UNPARK, &unpark));
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	ASSERT_EQ(0, set_online(1, true));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_CPU_ONLINE, &self->msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_PMU_CLAIMED, &self->msg);
	refused = is_about(&self->msg, &other) ? &self->req : &other;
	EXPECT_TRUE(refused == &self->req || is_about(&self->msg, &self->req));
	EXPECT_CPU(&self->client, ACRPMU_NL_CMD_REFUSED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, refused));
	EXPECT_EQ(ACRPMU_REASON_HELD, number(&self->msg, ACRPMU_NL_A_REASON));
	EXPECT_EQ(getpid(), number(&self->msg, ACRPMU_NL_A_HOLDER_PID));
	EXPECT_TRUE(is_silent(&self->client));
	close(fd);
}

TEST_HARNESS_MAIN
