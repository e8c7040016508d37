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

TEST_F(netlink, lost_overflows_are_reported_with_their_total_at_most_ten_times_a_second)
{
	uint64_t lost = 0, at = 0, time, total;
	struct counts counts;
	bool apart = true;
	int nr = 0;

	ASSERT_EQ(0, subscribe(&self->client,
			       ACRPMU_NL_TOPIC_SESSIONS | ACRPMU_NL_TOPIC_LOSSES));
	self->fd = create_unread(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CREATED, &self->msg);
	ASSERT_EQ(0, abi_enable(self->fd));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, &self->msg);
	for (int i = 0; i < 4; i++)
		loop(ROUNDS);
	ASSERT_EQ(0, abi_disable(self->fd));
	ASSERT_EQ(0, read_all(self->fd, 1, &counts));
	EXPECT_LT(1000, counts.read.lost);
	close(self->fd);
	self->fd = -1;
	for (;;) {
		ASSERT_EQ(0, client_next(&self->client, &self->msg));
		if (self->msg.cmd == ACRPMU_NL_CMD_SESSION_ENDED)
			break;
		if (self->msg.cmd != ACRPMU_NL_CMD_LOST)
			continue;
		EXPECT_TRUE(is_about(&self->msg, &self->req));
		EXPECT_EQ(0, number(&self->msg, ACRPMU_NL_A_CPU));
		total = number(&self->msg, ACRPMU_NL_A_LOST);
		time = number(&self->msg, ACRPMU_NL_A_TIME);
		EXPECT_LT(lost, total);
		/* The last one comes when the session ends. */
		if (total < counts.read.lost && time < at + APART_NS)
			apart = false;
		lost = total;
		at = time;
		nr++;
	}
	EXPECT_TRUE(apart);
	EXPECT_LT(0, nr);
	EXPECT_EQ(counts.read.lost, lost);
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
