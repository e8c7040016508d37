// SPDX-License-Identifier: GPL-2.0-only
/* The generic netlink family, by raw sockets: requests, sessions, what a listener may know. */
#include "listen.h"

#define MANY		200
#define ROUNDS		100000ULL
#define PERIOD		100000ULL

static int drop_capabilities(void)
{
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { { 0 } };

	return abi_capset(none);
}

/* ---- requests ---- */

TEST_F(netlink, subscription_is_answered_with_topics_and_abi_before_its_acknowledgment)
{
	struct message answer = { 0 };

	EXPECT_EQ(0, subscribe_with(&self->client, ACRPMU_NL_TOPIC_SESSIONS, &answer));
	EXPECT_EQ(ACRPMU_NL_CMD_SUBSCRIBE, answer.cmd);
	EXPECT_EQ(ACRPMU_NL_TOPIC_SESSIONS, number(&answer, ACRPMU_NL_A_TOPICS));
	EXPECT_EQ(ACRPMU_ABI_VERSION, number(&answer, ACRPMU_NL_A_ABI));
}

TEST_F(netlink, refuses_unknown_topics_and_none_at_all)
{
	struct client *client = &self->client;

	EXPECT_EQ(-EINVAL, subscribe(client, ACRPMU_NL_TOPICS + 1));
	EXPECT_EQ(0, client_send(client, client->family, ACRPMU_NL_CMD_SUBSCRIBE, 1, NLM_F_ACK,
				 NULL, 0));
	EXPECT_EQ(-EINVAL, client_ack(client, NULL));
}

TEST_F(netlink, refuses_attributes_that_are_not_for_requests)
{
	struct {
		struct nlattr attr;
		uint32_t value;
	} req[] = {
		{ { sizeof(*req), ACRPMU_NL_A_TOPICS }, ACRPMU_NL_TOPICS },
		{ { sizeof(*req), ACRPMU_NL_A_PID }, 1 },
	};
	struct client *client = &self->client;

	EXPECT_EQ(0, client_send(client, client->family, ACRPMU_NL_CMD_SUBSCRIBE, 1, NLM_F_ACK,
				 req, sizeof(*req)));
	EXPECT_EQ(0, client_ack(client, NULL));
	EXPECT_EQ(0, client_send(client, client->family, ACRPMU_NL_CMD_SUBSCRIBE, 1, NLM_F_ACK,
				 req, sizeof(req)));
	EXPECT_EQ(-EINVAL, client_ack(client, NULL));
}

static void expect_no_permission(struct __test_metadata *_metadata, struct client *client)
{
	EXPECT_EQ(-EPERM, subscribe(client, ACRPMU_NL_TOPICS));
	EXPECT_EQ(-EPERM, get_session(client, 1, NULL));
	EXPECT_EQ(0, client_send(client, client->family, ACRPMU_NL_CMD_SESSION_GET, 1, NLM_F_DUMP,
				 NULL, 0));
	EXPECT_EQ(-EPERM, client_ack(client, NULL));
}

/* Netlink's own check differs between requests that name their receiver and others. */
TEST_F(netlink, refuses_whoever_lacks_the_capability)
{
	ASSERT_EQ(0, drop_capabilities());
	expect_no_permission(_metadata, &self->client);
	self->client.addressed = true;
	expect_no_permission(_metadata, &self->client);
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
	expect_no_permission(_metadata, &weak);
	weak.addressed = true;
	expect_no_permission(_metadata, &weak);
	client_close(&weak);
}

TEST_F(netlink, socket_that_has_not_subscribed_hears_nothing)
{
	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_TRUE(is_silent(&self->client));
}

TEST_F(netlink, subscribing_to_no_topic_ends_it)
{
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	ASSERT_EQ(0, subscribe(&self->client, 0));
	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_TRUE(is_silent(&self->client));
}

TEST_F(netlink, closed_sockets_make_room_for_others)
{
	struct client client;

	for (int i = 0; i < 300; i++) {
		ASSERT_EQ(0, client_open(&client));
		ASSERT_EQ(0, subscribe(&client, ACRPMU_NL_TOPICS));
		client_close(&client);
	}
}

TEST_F(netlink, socket_at_the_port_of_a_closed_one_hears_nothing)
{
	struct client heir;
	uint32_t port;

	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	port = client_port(&self->client);
	client_close(&self->client);
	ASSERT_EQ(0, client_open_at(&heir, port));
	self->client = heir;
	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_TRUE(is_silent(&self->client));
}

/* ---- sessions ---- */

TEST_F(netlink, session_is_announced_with_creator_cpus_events_and_counters)
{
	const struct nlattr *attr[ACRPMU_NL_EV_MAX + 1];
	unsigned int nr[ACRPMU_NL_EV_MAX + 1];
	struct acrpmu_event_hw hw[1];
	char comm[ACRPMU_COMM_LEN];
	struct message *msg = &self->msg;

	ASSERT_EQ(0, prctl(PR_GET_NAME, comm));
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CREATED, msg);
	EXPECT_EQ(0, msg->hdr->nlmsg_seq);
	EXPECT_EQ(self->req.attr.session_id, number(msg, ACRPMU_NL_A_SESSION));
	EXPECT_EQ(getpid(), number(msg, ACRPMU_NL_A_PID));
	EXPECT_STREQ(comm, text(msg, ACRPMU_NL_A_COMM));
	EXPECT_EQ(0, number(msg, ACRPMU_NL_A_UID));
	EXPECT_EQ(0, number(msg, ACRPMU_NL_A_STATE));
	EXPECT_LE(number(msg, ACRPMU_NL_A_CREATED), number(msg, ACRPMU_NL_A_TIME));
	EXPECT_EQ(NULL, msg->attr[ACRPMU_NL_A_NR_TASKS]);
	ASSERT_NE(NULL, msg->attr[ACRPMU_NL_A_CPUS]);
	EXPECT_EQ(1, attr_len(msg->attr[ACRPMU_NL_A_CPUS]));
	EXPECT_EQ(0x1, *(const uint8_t *)attr_data(msg->attr[ACRPMU_NL_A_CPUS]));
	ASSERT_EQ(1, msg->nr[ACRPMU_NL_A_EVENT]);
	ASSERT_TRUE(parse(attr_data(msg->attr[ACRPMU_NL_A_EVENT]),
			  attr_len(msg->attr[ACRPMU_NL_A_EVENT]), ACRPMU_NL_EV_MAX, attr, nr));
	EXPECT_EQ(EV_INSTRUCTIONS, number_in(attr[ACRPMU_NL_EV_CONFIG]));
	EXPECT_EQ(USER | COUNT, number_in(attr[ACRPMU_NL_EV_FLAGS]));
	EXPECT_EQ(NULL, attr[ACRPMU_NL_EV_PERIOD]);
	ASSERT_EQ(1, msg->nr[ACRPMU_NL_A_PLACEMENT]);
	ASSERT_TRUE(parse(attr_data(msg->attr[ACRPMU_NL_A_PLACEMENT]),
			  attr_len(msg->attr[ACRPMU_NL_A_PLACEMENT]), ACRPMU_NL_PL_MAX, attr, nr));
	ASSERT_EQ(0, abi_query(self->fd, hw, 1));
	ASSERT_EQ(1, attr_len(attr[ACRPMU_NL_PL_COUNTERS]));
	EXPECT_EQ(hw[0].cntr, *(const uint8_t *)attr_data(attr[ACRPMU_NL_PL_COUNTERS]));
	EXPECT_EQ(0x1, *(const uint8_t *)attr_data(attr[ACRPMU_NL_PL_CPUS]));
}

TEST_F(netlink, changes_of_a_session_come_in_order)
{
	struct acrpmu_unpark unpark = { .size = sizeof(unpark) };
	static const struct {
		uint32_t change, state;
	} want[] = {
		{ ACRPMU_NL_CHANGE_ENABLED, ACRPMU_STATE_ENABLED },
		{ ACRPMU_NL_CHANGE_PARKED, ACRPMU_STATE_ENABLED | ACRPMU_STATE_PARKED },
		{ ACRPMU_NL_CHANGE_UNPARKED, ACRPMU_STATE_ENABLED },
		{ ACRPMU_NL_CHANGE_DISABLED, 0 },
	};

	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	ASSERT_EQ(0, abi_enable(self->fd));
	ASSERT_EQ(0, abi_enable(self->fd));	/* changes nothing */
	ASSERT_EQ(0, abi_ctl(self->fd, ACRPMU_PARK));
	ASSERT_EQ(0, abi_ioctl(self->fd, ACRPMU_UNPARK, &unpark));
	ASSERT_EQ(0, abi_disable(self->fd));
	for (unsigned int i = 0; i < NR(want); i++) {
		EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, &self->msg);
		EXPECT_EQ(want[i].change, number(&self->msg, ACRPMU_NL_A_CHANGE));
		EXPECT_EQ(want[i].state, number(&self->msg, ACRPMU_NL_A_STATE));
	}
	EXPECT_TRUE(is_silent(&self->client));
}

static uint64_t period_of(const struct message *msg)
{
	const struct nlattr *attr[ACRPMU_NL_EV_MAX + 1];
	unsigned int nr[ACRPMU_NL_EV_MAX + 1];

	if (msg->nr[ACRPMU_NL_A_EVENT] != 1 ||
	    !parse(attr_data(msg->attr[ACRPMU_NL_A_EVENT]), attr_len(msg->attr[ACRPMU_NL_A_EVENT]),
		   ACRPMU_NL_EV_MAX, attr, nr))
		return POISON64;
	return number_in(attr[ACRPMU_NL_EV_PERIOD]);
}

TEST_F(netlink, periods_that_were_set_are_reported)
{
	uint64_t period = 2 * PERIOD;
	struct acrpmu_set_periods set = {
		.size = sizeof(set), .periods = (uintptr_t)&period, .nr_periods = 1,
	};

	request_cpus(&self->req, 0x1);
	add_sampler(&self->req, PERIOD);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	ASSERT_EQ(0, abi_ioctl(self->fd, ACRPMU_SET_PERIODS, &set));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_EQ(ACRPMU_NL_CHANGE_PERIODS, number(&self->msg, ACRPMU_NL_A_CHANGE));
	EXPECT_EQ(0, number(&self->msg, ACRPMU_NL_A_STATE));
	EXPECT_TRUE(has_cpus(&self->msg, 0x1));
	EXPECT_EQ(period, period_of(&self->msg));
	/* Other changes do not repeat the events. */
	ASSERT_EQ(0, abi_enable(self->fd));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, &self->msg);
	EXPECT_EQ(NULL, self->msg.attr[ACRPMU_NL_A_EVENT]);
	EXPECT_TRUE(is_silent(&self->client));
}

/* A child that executes another program once it gets a byte. */
static pid_t start_exec(int go[2])
{
	pid_t pid = pipe(go) ? -1 : fork();
	char byte;

	if (pid)
		return pid;
	if (read(go[0], &byte, 1) == 1)
		execl("/bin/true", "true", NULL);
	_exit(1);
}

static int create_waiting_for_exec(int dev, struct request *req, pid_t pid)
{
	request_task(req, pid);
	req->attr.flags |= ACRPMU_SESSION_ENABLE_ON_EXEC;
	add_counter(req);
	return request(dev, req);
}

TEST_F(netlink, exec_that_enables_a_session_is_reported)
{
	int go[2];
	pid_t child = start_exec(go);

	ASSERT_LT(0, child);
	self->fd = create_waiting_for_exec(self->dev, &self->req, child);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	ASSERT_EQ(1, write(go[1], "", 1));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, &self->msg);
	EXPECT_EQ(ACRPMU_NL_CHANGE_ENABLED, number(&self->msg, ACRPMU_NL_A_CHANGE));
	waitpid(child, NULL, 0);
	close(go[0]);
	close(go[1]);
}

/* Exec is reported a little later, but not too late. */
TEST_F(netlink, exec_is_reported_before_what_follows_at_once)
{
	int go[2];
	pid_t child = start_exec(go);

	ASSERT_LT(0, child);
	self->fd = create_waiting_for_exec(self->dev, &self->req, child);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	ASSERT_EQ(1, write(go[1], "", 1));
	waitpid(child, NULL, 0);
	ASSERT_EQ(0, abi_disable(self->fd));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, &self->msg);
	EXPECT_EQ(ACRPMU_NL_CHANGE_ENABLED, number(&self->msg, ACRPMU_NL_A_CHANGE));
	EXPECT_TRUE(number(&self->msg, ACRPMU_NL_A_STATE) & ACRPMU_STATE_ENABLED);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, &self->msg);
	EXPECT_EQ(ACRPMU_NL_CHANGE_DISABLED, number(&self->msg, ACRPMU_NL_A_CHANGE));
	EXPECT_FALSE(number(&self->msg, ACRPMU_NL_A_STATE) & ACRPMU_STATE_ENABLED);
	usleep(300000);		/* a mark that was left would be reported by now */
	EXPECT_TRUE(is_silent(&self->client));
	close(go[0]);
	close(go[1]);
}

TEST_F(netlink, end_of_a_session_has_its_final_counts)
{
	const struct nlattr *attr[ACRPMU_NL_CN_MAX + 1];
	unsigned int nr[ACRPMU_NL_CN_MAX + 1];
	struct message *msg = &self->msg;
	struct counts counts;

	request_task(&self->req, 0);
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	ASSERT_EQ(0, abi_enable(self->fd));
	loop(ROUNDS);
	ASSERT_EQ(0, abi_disable(self->fd));
	ASSERT_EQ(0, read_all(self->fd, 1, &counts));
	close(self->fd);
	self->fd = -1;
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, msg);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_ENDED, msg);
	EXPECT_EQ(self->req.attr.session_id, number(msg, ACRPMU_NL_A_SESSION));
	EXPECT_EQ(counts.read.time_enabled_ns, number(msg, ACRPMU_NL_A_TIME_ENABLED));
	EXPECT_EQ(counts.read.time_running_ns, number(msg, ACRPMU_NL_A_TIME_RUNNING));
	EXPECT_EQ(0, number(msg, ACRPMU_NL_A_LOST));
	ASSERT_EQ(1, msg->nr[ACRPMU_NL_A_COUNT]);
	ASSERT_TRUE(parse(attr_data(msg->attr[ACRPMU_NL_A_COUNT]),
			  attr_len(msg->attr[ACRPMU_NL_A_COUNT]), ACRPMU_NL_CN_MAX, attr, nr));
	EXPECT_LE(ROUNDS * LOOP_INSNS, number_in(attr[ACRPMU_NL_CN_VALUE]));
	EXPECT_EQ(counts.count[0].value, number_in(attr[ACRPMU_NL_CN_VALUE]));
}

/* What it has counted when it is closed while it runs is counted, too. */
TEST_F(netlink, end_of_a_running_session_has_all_that_it_counted)
{
	const struct nlattr *attr[ACRPMU_NL_CN_MAX + 1];
	unsigned int nr[ACRPMU_NL_CN_MAX + 1];
	struct message *msg = &self->msg;

	request_task(&self->req, 0);
	add_counter(&self->req);
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, abi_enable(self->fd));
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	loop(ROUNDS);
	close(self->fd);
	self->fd = -1;
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_ENDED, msg);
	ASSERT_TRUE(parse(attr_data(msg->attr[ACRPMU_NL_A_COUNT]),
			  attr_len(msg->attr[ACRPMU_NL_A_COUNT]), ACRPMU_NL_CN_MAX, attr, nr));
	EXPECT_LE(ROUNDS * LOOP_INSNS, number_in(attr[ACRPMU_NL_CN_VALUE]));
	EXPECT_LT(0, number(msg, ACRPMU_NL_A_TIME_ENABLED));
	EXPECT_NE(POISON64, number(msg, ACRPMU_NL_A_TIME_ENABLED));
}

TEST_F(netlink, refused_session_is_not_announced)
{
	struct request req;

	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	request_cpus(&req, 0x1);
	for (unsigned int i = 0; i < ACRPMU_MAX_EVENTS; i++)
		add_event(&req, EV_BRANCHES, USER | COUNT, 0, 0);
	EXPECT_GT(0, request(self->dev, &req));
	EXPECT_TRUE(is_silent(&self->client));
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

/* ---- a full socket ---- */

TEST_F(netlink, what_does_not_fit_is_counted_and_answers_still_fit)
{
	const int rounds = 400;
	int got = 0, missed = 0, reports = 0;

	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	for (int i = 0; i < rounds; i++) {
		ASSERT_EQ(0, abi_enable(self->fd));
		ASSERT_EQ(0, abi_disable(self->fd));
	}
	/* It reads all on its way to the answer. */
	ASSERT_EQ(0, client_send(&self->client, self->client.family, ACRPMU_NL_CMD_SUBSCRIBE, 1,
				 NLM_F_ACK, NULL, 0));
	do {
		ASSERT_EQ(0, client_next(&self->client, &self->msg));
		got += self->msg.cmd == ACRPMU_NL_CMD_SESSION_CHANGED;
	} while (self->msg.hdr->nlmsg_type != NLMSG_ERROR);
	EXPECT_EQ(-EINVAL, self->msg.error);
	EXPECT_LT(0, got);
	EXPECT_GT(2 * rounds, got);
	while (got + missed < 2 * rounds) {
		EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_MISSED, &self->msg);
		missed += number(&self->msg, ACRPMU_NL_A_MISSED);
		EXPECT_EQ(0, number(&self->msg, ACRPMU_NL_A_LEFT_OUT));
		reports++;
	}
	EXPECT_EQ(2 * rounds, got + missed);
	EXPECT_EQ(1, reports);
	/* and from then on everything comes again */
	ASSERT_EQ(0, abi_enable(self->fd));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CHANGED, &self->msg);
}

TEST_HARNESS_MAIN
