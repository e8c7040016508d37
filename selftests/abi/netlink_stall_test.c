// SPDX-License-Identifier: GPL-2.0-only
/* Listeners that do not read, or that stay when the module goes: they cost and hold up nothing. */
#include "listen.h"
#include "../hw/module.h"

#define CYCLES		1000
#define BLOCK		100
#define LISTENERS	10
#define MAX_PERCENT	5
#define MAX_MEAN_PERCENT 8	/* with ticks, which the median leaves out */
/* KCSAN instruments the module alone, so that its share of a session is larger. */
#define MAX_KCSAN_PERCENT 13
#define MAX_KCSAN_MEAN_PERCENT 16

static uint64_t insns(void)
{
	return oracle_events(ORACLE_ALL_CPUS, ORACLE_EV_INSN, true) +
	       oracle_events(ORACLE_ALL_CPUS, ORACLE_EV_INSN, false);
}

/* Instructions of all CPUs for each of some sessions that come and go. */
static bool measure(int dev, uint64_t *cost)
{
	struct request req;

	for (int i = 0; i < BLOCK; i++) {
		uint64_t before = insns();
		int fd = create_counter(dev, &req);

		if (fd < 0)
			return false;
		close(fd);
		cost[i] = insns() - before;
	}
	return true;
}

static int compare(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return (x > y) - (x < y);
}

/* What is freed later, many sessions at a time, is in it. */
static uint64_t average(const uint64_t *cost)
{
	uint64_t sum = 0;

	for (int i = 0; i < CYCLES; i++)
		sum += cost[i];
	return sum / CYCLES;
}

/* Ticks, and whatever else the host's load brings, are in few of them. */
static uint64_t median(uint64_t *cost)
{
	qsort(cost, CYCLES, sizeof(*cost), compare);
	return cost[CYCLES / 2];
}

/* Without reading anything, so that they stay full. */
static int subscribe_all(struct client *clients, uint32_t topics)
{
	for (int i = 0; i < LISTENERS; i++) {
		int ret = send_subscribe(&clients[i], topics);

		if (ret)
			return ret;
	}
	return 0;
}

/* In turns, so that both meet the same machine. */
TEST_F(netlink, ten_stalled_listeners_make_sessions_little_more_expensive)
{
	static uint64_t alone[CYCLES], stalled[CYCLES];
	bool kcsan = is_flavour("kcsan");
	long long without, more, mean_more;
	struct client clients[LISTENERS];

	REQUIRE_ORACLE();
	for (int i = 0; i < LISTENERS; i++)
		ASSERT_EQ(0, client_open(&clients[i]));
	/* They fill. */
	ASSERT_EQ(0, subscribe_all(clients, ACRPMU_NL_TOPICS));
	for (int i = 0; i < 3; i++)
		ASSERT_TRUE(measure(self->dev, alone));
	for (int i = 0; i < CYCLES; i += BLOCK) {
		ASSERT_EQ(0, subscribe_all(clients, 0));
		ASSERT_TRUE(measure(self->dev, alone + i));
		ASSERT_EQ(0, subscribe_all(clients, ACRPMU_NL_TOPICS));
		ASSERT_TRUE(measure(self->dev, stalled + i));
	}
	without = average(alone);
	mean_more = (long long)average(stalled) - without;
	more = (long long)median(stalled) - (long long)median(alone);
	TH_LOG("a session costs %lld instructions, with %d that stall %lld more, on average %lld",
	       without, LISTENERS, more, mean_more);
	EXPECT_LT(0, without);
	EXPECT_LT(0, more);
	EXPECT_GE(without * (kcsan ? MAX_KCSAN_PERCENT : MAX_PERCENT) / 100, more);
	EXPECT_GE(without * (kcsan ? MAX_KCSAN_MEAN_PERCENT : MAX_MEAN_PERCENT) / 100, mean_more);
	for (int i = 0; i < LISTENERS; i++)
		client_close(&clients[i]);
}

TEST_F(netlink, module_unloads_while_programs_listen_and_reports_it)
{
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	close(self->dev);
	EXPECT_EQ(0, module_unload());
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_UNLOADED, &self->msg);
	EXPECT_NE(POISON64, number(&self->msg, ACRPMU_NL_A_TIME));
	EXPECT_EQ(0, module_load("max_pmi_percent=100"));
	/* the device node may take a moment to appear */
	for (int i = 0; i < 1000 && (self->dev = abi_open()) < 0; i++)
		usleep(10000);
	ASSERT_LE(0, self->dev);
	/* The socket is a stranger to the new one. */
	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	close(self->fd);
	self->fd = -1;
	client_close(&self->client);
	ASSERT_EQ(0, client_open(&self->client));
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	EXPECT_TRUE(is_silent(&self->client));
}

TEST_HARNESS_MAIN
