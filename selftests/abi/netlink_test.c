// SPDX-License-Identifier: GPL-2.0-only
/* The generic netlink family, by raw sockets: the list of sessions. */
#include "netlink.h"

#define MANY		200

FIXTURE(netlink)
{
	int dev;
	int fd;
	struct client client;
	struct message msg;
	struct request req;
};

FIXTURE_SETUP(netlink)
{
	self->fd = -1;
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_EQ(0, client_open(&self->client));
	ASSERT_EQ(0, pin(0));
}

FIXTURE_TEARDOWN(netlink)
{
	close(self->fd);
	EXPECT_EQ(0, nr_sessions(self->dev));
	client_close(&self->client);
	close(self->dev);
}

static int create_counter(int dev, struct request *req)
{
	request_cpus(req, 0x1);
	add_counter(req);
	return request(dev, req);
}

static int drop_capabilities(void)
{
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	return abi_capset(none);
}

/* ---- permission ---- */

TEST_F(netlink, refuses_whoever_lacks_the_capability)
{
	ASSERT_EQ(0, drop_capabilities());
	EXPECT_EQ(-EPERM, get_session(&self->client, 1, NULL));
	EXPECT_EQ(0, client_send(&self->client, self->client.family, ACRPMU_NL_CMD_SESSION_GET, 1,
				 NLM_F_DUMP, NULL, 0));
	EXPECT_EQ(-EPERM, client_ack(&self->client, NULL));
}

/* Otherwise it could let a privileged program write to its own socket. */
TEST_F(netlink, refuses_a_socket_whose_opener_lacked_the_capability)
{
	struct __user_cap_data_struct all[_LINUX_CAPABILITY_U32S_3], few[_LINUX_CAPABILITY_U32S_3];
	struct client weak;

	ASSERT_EQ(0, abi_capget(all));
	memcpy(few, all, sizeof(few));
	few[0].effective = 0;
	few[1].effective = 0;
	ASSERT_EQ(0, abi_capset(few));
	ASSERT_EQ(0, client_open(&weak));
	ASSERT_EQ(0, abi_capset(all));
	EXPECT_EQ(-EPERM, get_session(&weak, 1, NULL));
	client_close(&weak);
}

/* ---- the list ---- */

TEST_F(netlink, one_session_is_described_by_its_number)
{
	struct message answer = { 0 };

	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(0, get_session(&self->client, self->req.attr.session_id, &answer));
	EXPECT_EQ(ACRPMU_NL_CMD_SESSION_GET, answer.cmd);
	EXPECT_EQ(self->req.attr.session_id, number(&answer, ACRPMU_NL_A_SESSION));
	EXPECT_EQ(getpid(), number(&answer, ACRPMU_NL_A_PID));
	EXPECT_EQ(-ENOENT, get_session(&self->client, self->req.attr.session_id + 1, NULL));
}

/* Parked ones need no counters. */
static int create_parked(int dev, struct request *req)
{
	request_cpus(req, 0x1);
	req->attr.flags |= ACRPMU_SESSION_PARKED;
	add_counter(req);
	return request(dev, req);
}

static int begin_dump(struct client *client)
{
	return client_send(client, client->family, ACRPMU_NL_CMD_SESSION_GET, 1, NLM_F_DUMP, NULL,
			   0);
}

TEST_F(netlink, dump_lists_every_session_once_in_order)
{
	uint64_t id[MANY], flags = 0;
	int fds[MANY];

	for (int i = 0; i < MANY; i++) {
		fds[i] = create_parked(self->dev, &self->req);
		ASSERT_LE(0, fds[i]);
		id[i] = self->req.attr.session_id;
	}
	ASSERT_EQ(0, begin_dump(&self->client));
	for (int i = 0; i < MANY; i++) {
		EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_GET, &self->msg);
		EXPECT_EQ(id[i], number(&self->msg, ACRPMU_NL_A_SESSION));
		EXPECT_EQ(ACRPMU_STATE_PARKED, number(&self->msg, ACRPMU_NL_A_STATE));
		flags |= self->msg.hdr->nlmsg_flags;
	}
	ASSERT_EQ(0, client_next(&self->client, &self->msg));
	EXPECT_EQ(NLMSG_DONE, self->msg.hdr->nlmsg_type);
	EXPECT_FALSE((flags | self->msg.hdr->nlmsg_flags) & NLM_F_DUMP_INTR);
	for (int i = 0; i < MANY; i++)
		close(fds[i]);
}

TEST_F(netlink, dump_in_which_a_session_ended_is_marked)
{
	int fds[MANY], flags = 0, seen = 0;

	for (int i = 0; i < MANY; i++) {
		fds[i] = create_parked(self->dev, &self->req);
		ASSERT_LE(0, fds[i]);
	}
	ASSERT_EQ(0, begin_dump(&self->client));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_GET, &self->msg);
	close(fds[0]);
	do {
		flags |= self->msg.hdr->nlmsg_flags;
		seen++;
		ASSERT_EQ(0, client_next(&self->client, &self->msg));
	} while (self->msg.hdr->nlmsg_type != NLMSG_DONE);
	EXPECT_TRUE((flags | self->msg.hdr->nlmsg_flags) & NLM_F_DUMP_INTR);
	EXPECT_EQ(MANY, seen);
	for (int i = 1; i < MANY; i++)
		close(fds[i]);
}

TEST_HARNESS_MAIN
