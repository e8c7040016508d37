// SPDX-License-Identifier: GPL-2.0-only
/* Limits of notifications: refusals in a second, sockets that listen. */
#include "turns.h"

#define MAX_REFUSALS		20	/* of a second, Documentation/netlink.rst */
#define REFUSALS		30
#define SECOND_S		1.0

#define MAX_LISTENERS		128
#define MAX_UNPRIVILEGED	64
#define MAX_OF_A_USER		8

FIXTURE(limits)
{
	int dev;
	int fd;
	struct client client;
	struct message msg;
	struct request req;
};

FIXTURE_SETUP(limits)
{
	self->fd = -1;
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_EQ(0, client_open(&self->client));
	ASSERT_EQ(0, pin(0));
	ASSERT_EQ(0, write_file(UNPRIVILEGED, "Y"));
}

FIXTURE_TEARDOWN(limits)
{
	write_file(UNPRIVILEGED, "N");
	close(self->fd);
	EXPECT_EQ(0, nr_sessions(self->dev));
	client_close(&self->client);
	close(self->dev);
}

/* ---- refusals ---- */

/* All of them are refused what @self->fd holds; the time that they took. */
static double be_refused(int dev)
{
	double begin = now_s();
	struct request req;

	request_cpus(&req, 0x1);
	add_most(&req);
	for (int i = 0; i < REFUSALS; i++)
		if (request(dev, &req) != -EBUSY)
			return -1;
	return now_s() - begin;
}

TEST_F(limits, refusals_beyond_twenty_a_second_are_only_counted)
{
	int refused = 0;
	double took;

	if (!this_profile())
		SKIP(return, "the CPU is not a profile of the model: its counters are unknown");
	request_cpus(&self->req, 0x1);
	add_most(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	/* A host that holds the machine up spoils an attempt; the harness ends endless ones. */
	do {
		ASSERT_EQ(0, subscribe(&self->client, 0));
		ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_CONFLICTS));
		took = be_refused(self->dev);
		ASSERT_LT(0, took);
		TH_LOG("%d refusals took %f s", REFUSALS, took);
	} while (took > 0.9 * SECOND_S);
	for (;;) {
		ASSERT_EQ(0, client_next(&self->client, &self->msg));
		if (self->msg.cmd != ACRPMU_NL_CMD_REFUSED)
			break;
		refused++;
	}
	EXPECT_EQ(MAX_REFUSALS, refused);
	EXPECT_EQ(ACRPMU_NL_CMD_MISSED, self->msg.cmd);
	EXPECT_EQ(0, number(&self->msg, ACRPMU_NL_A_MISSED));
	EXPECT_EQ(REFUSALS - MAX_REFUSALS, number(&self->msg, ACRPMU_NL_A_LEFT_OUT));
	EXPECT_TRUE(is_silent(&self->client));
	/* In the next second they come again. */
	EXPECT_LT(0, be_refused(self->dev));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_REFUSED, &self->msg);
}

/* ---- listeners ---- */

/* The socket is not needed for anything but to listen. */
static int open_listener(void)
{
	struct client client;
	int ret = client_open(&client) ?: subscribe(&client, ACRPMU_NL_TOPICS);

	free(client.buf);
	if (ret)
		close(client.fd);
	return ret ?: client.fd;
}

/* Subscribe until that is refused, for which the errno must be right; how many there are. */
static int open_listeners(int *fds, int max)
{
	int nr = 0, ret = 0;

	while (nr < max) {
		ret = open_listener();
		if (ret < 0)
			break;
		fds[nr++] = ret;
	}
	return ret == -EMFILE ? nr : -1;
}

static void close_listeners(const int *fds, int nr)
{
	while (nr-- > 0)
		close(fds[nr]);
}

static int listen_too_often(struct turns *turns)
{
	int fds[MAX_OF_A_USER + 1];
	struct client client;

	CHECK(!become(SOMEBODY));
	CHECK(!client_open(&client));
	CHECK(!subscribe(&client, ACRPMU_NL_TOPICS));
	CHECK(open_listeners(fds, NR(fds)) == MAX_OF_A_USER - 1);
	/* One that has subscribed may do so again, and one that ends makes room. */
	CHECK(!subscribe(&client, ACRPMU_NL_TOPIC_CPUS));
	CHECK(open_listener() == -EMFILE);
	CHECK(!subscribe(&client, 0));
	CHECK(open_listener() >= 0);
	CHECK(subscribe(&client, ACRPMU_NL_TOPICS) == -EMFILE);
	CHECK(turn(turns));
	return 0;
}

TEST_F(limits, ninth_socket_of_a_user_without_the_capability_is_refused)
{
	struct turns turns;
	pid_t pid;
	int fd;

	ASSERT_EQ(0, turns_begin(&turns));
	pid = start_listener(&turns, listen_too_often);
	EXPECT_TRUE(take(turns.from));
	/* Others are not concerned. */
	fd = open_listener();
	EXPECT_LE(0, fd);
	close(fd);
	ASSERT_EQ(0, setresuid(0, ANOTHER, 0));
	fd = open_listener();
	EXPECT_LE(0, fd);
	close(fd);
	ASSERT_EQ(0, setresuid(0, 0, 0));
	EXPECT_TRUE(give(turns.to));
	EXPECT_EQ(0, stop_listener(&turns, pid));
}

TEST_F(limits, half_of_all_sockets_are_for_those_with_the_capability)
{
	int fds[MAX_LISTENERS + 1], nr, fd;

	for (nr = 0; nr < MAX_UNPRIVILEGED - 1; nr++) {
		fds[nr] = open_listener();
		EXPECT_LE(0, fds[nr]);
	}
	ASSERT_EQ(0, setresuid(0, SOMEBODY, 0));
	fds[nr] = open_listener();
	EXPECT_LE(0, fds[nr++]);
	fd = open_listener();
	ASSERT_EQ(0, setresuid(0, 0, 0));
	EXPECT_EQ(-EMFILE, fd);
	fd = open_listeners(fds + nr, NR(fds) - nr);
	EXPECT_EQ(MAX_LISTENERS - MAX_UNPRIVILEGED, fd);
	close_listeners(fds, nr + fd);
}

TEST_HARNESS_MAIN
