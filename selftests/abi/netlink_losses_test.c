// SPDX-License-Identifier: GPL-2.0-only
/* Notifications about losses: overflows without room for a record, and pauses. */
#include "listen.h"

#define PERIOD		1000ULL
#define ROUNDS		2000000ULL
#define RATE		PARAMETERS "max_sample_rate"
#define DEFAULT_RATE	"100000"

/* Notifications of a CPU come in batches, a tenth of a second apart but for what clocks differ. */
#define APART_NS	90000000ULL

/* A session that has no reader, with a ring of one page. */
static int create_unread(int dev, struct request *req)
{
	request_cpus(req, 0x1);
	add_sampler(req, PERIOD);
	req->attr.ring_pages = 1;
	return request(dev, req);
}

struct losses {
	uint64_t lost;
	uint64_t at;
	bool apart;
	int nr;
};

/* @all: all that the session has lost, ~0: it goes on.  Only its end reports these early. */
static void note_losses(struct __test_metadata *_metadata, FIXTURE_DATA(netlink) *self,
			struct losses *losses, uint64_t all)
{
	uint64_t time, total;

	if (self->msg.cmd != ACRPMU_NL_CMD_LOST)
		return;
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_EQ(0, number(&self->msg, ACRPMU_NL_A_CPU));
	total = number(&self->msg, ACRPMU_NL_A_LOST);
	time = number(&self->msg, ACRPMU_NL_A_TIME);
	EXPECT_LT(losses->lost, total);
	if (total < all && time < losses->at + APART_NS)
		losses->apart = false;
	losses->lost = total;
	losses->at = time;
	losses->nr++;
}

static bool has_arrived(const struct client *client)
{
	struct pollfd poll_fd = { .fd = client->fd, .events = POLLIN };

	return client->left || poll(&poll_fd, 1, 0) == 1;
}

TEST_F(netlink, lost_overflows_are_reported_with_their_total_at_most_ten_times_a_second)
{
	struct losses losses = { .apart = true };
	struct counts counts;

	ASSERT_EQ(0, subscribe(&self->client,
			       ACRPMU_NL_TOPIC_SESSIONS | ACRPMU_NL_TOPIC_LOSSES));
	self->fd = create_unread(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CREATED, &self->msg);
	ASSERT_EQ(0, abi_enable(self->fd));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, &self->msg);
	/* On a slow machine they are more than wait for a listener. */
	for (int i = 0; i < 40; i++) {
		loop(ROUNDS / 10);
		while (has_arrived(&self->client)) {
			ASSERT_EQ(0, client_next(&self->client, &self->msg));
			note_losses(_metadata, self, &losses, ~0ULL);
		}
	}
	ASSERT_EQ(0, abi_disable(self->fd));
	ASSERT_EQ(0, read_all(self->fd, 1, &counts));
	EXPECT_LT(1000, counts.read.lost);
	close(self->fd);
	self->fd = -1;
	for (;;) {
		ASSERT_EQ(0, client_next(&self->client, &self->msg));
		if (self->msg.cmd == ACRPMU_NL_CMD_SESSION_ENDED)
			break;
		note_losses(_metadata, self, &losses, counts.read.lost);
	}
	EXPECT_TRUE(losses.apart);
	EXPECT_LT(0, losses.nr);
	EXPECT_EQ(counts.read.lost, losses.lost);
	EXPECT_EQ(counts.read.lost, number(&self->msg, ACRPMU_NL_A_LOST));
}

TEST_F(netlink, lost_overflows_are_reported_while_the_session_counts)
{
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_LOSSES));
	self->fd = create_unread(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, abi_enable(self->fd));
	loop(ROUNDS);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_LOST, &self->msg);
	EXPECT_LT(0, number(&self->msg, ACRPMU_NL_A_LOST));
}

TEST_F(netlink, pauses_and_their_ends_are_reported)
{
	uint64_t pauses, throttled;
	int limited, enabled;

	request_cpus(&self->req, 0x1);
	add_sampler(&self->req, PERIOD);
	self->req.attr.ring_pages = 256;
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client,
			       ACRPMU_NL_TOPIC_SESSIONS | ACRPMU_NL_TOPIC_LOSSES));
	/* Nothing may end the test while all sessions are limited. */
	limited = write_file(RATE, "1000");
	enabled = abi_enable(self->fd);
	loop(ROUNDS);
	EXPECT_EQ(0, write_file(RATE, DEFAULT_RATE));
	ASSERT_EQ(0, limited);
	ASSERT_EQ(0, enabled);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, &self->msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_STOPPED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_EQ(0, number(&self->msg, ACRPMU_NL_A_CPU));
	pauses = number(&self->msg, ACRPMU_NL_A_PAUSES);
	throttled = number(&self->msg, ACRPMU_NL_A_THROTTLED);
	EXPECT_LT(0, pauses);
	EXPECT_LT(0, throttled);
	/* The timer of the last one ends it; on a slow machine others come before. */
	ASSERT_EQ(0, client_next(&self->client, &self->msg));
	while (self->msg.cmd == ACRPMU_NL_CMD_STOPPED) {
		ASSERT_LT(pauses, number(&self->msg, ACRPMU_NL_A_PAUSES));
		pauses = number(&self->msg, ACRPMU_NL_A_PAUSES);
		throttled = number(&self->msg, ACRPMU_NL_A_THROTTLED);
		ASSERT_EQ(0, client_next(&self->client, &self->msg));
	}
	ASSERT_EQ(ACRPMU_NL_CMD_RESUMED, self->msg.cmd);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_EQ(0, number(&self->msg, ACRPMU_NL_A_CPU));
	EXPECT_LE(pauses, number(&self->msg, ACRPMU_NL_A_PAUSES));
	EXPECT_LE(throttled, number(&self->msg, ACRPMU_NL_A_THROTTLED));
	close(self->fd);
	self->fd = -1;
	do {
		ASSERT_EQ(0, client_next(&self->client, &self->msg));
	} while (self->msg.cmd != ACRPMU_NL_CMD_SESSION_ENDED);
	EXPECT_LE(throttled, number(&self->msg, ACRPMU_NL_A_THROTTLED));
}

TEST_HARNESS_MAIN
