// SPDX-License-Identifier: GPL-2.0-only
/* What a listener may know: users without CAP_PERFMON, numbers of pid and user namespaces. */
#include "turns.h"
#include "../hw/msr.h"

#define PERIOD		1000ULL
#define ROUNDS		500000ULL
#define RATE		PARAMETERS "max_sample_rate"
#define DEFAULT_RATE	"100000"

FIXTURE(view)
{
	int dev;
	int fd;
	struct client client;
	struct message msg;
	struct request req;
};

FIXTURE_SETUP(view)
{
	self->fd = -1;
	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	ASSERT_EQ(0, pin(0));
	ASSERT_EQ(0, write_file(UNPRIVILEGED, "Y"));
}

FIXTURE_TEARDOWN(view)
{
	set_online(1, true);
	write_file(UNPRIVILEGED, "N");
	close(self->fd);
	EXPECT_EQ(0, nr_sessions(self->dev));
	close(self->dev);
}

/* ---- users ---- */

static int create_own(int dev, struct request *req)
{
	request_task(req, 0);
	add_counter(req);
	return request(dev, req);
}

static int listen_as_user(struct turns *turns)
{
	struct request req;
	struct client client;
	struct message msg;
	int dev, fd;

	CHECK(!become(SOMEBODY));
	CHECK(!client_open(&client));
	CHECK(!subscribe(&client, ACRPMU_NL_TOPICS));
	CHECK(turn(turns));	/* another user's session comes */
	CHECK(is_silent(&client));
	CHECK(get_session(&client, 1, NULL) == -ENOENT);
	CHECK(!client_send(&client, client.family, ACRPMU_NL_CMD_SESSION_GET, 1, NLM_F_DUMP, NULL,
			   0));
	CHECK(!client_next(&client, &msg) && msg.hdr->nlmsg_type == NLMSG_DONE);
	CHECK(turn(turns));	/* loses samples, a register and a CPU; another one is refused */
	CHECK(next_is(&client, ACRPMU_NL_CMD_CPU_OFFLINE, &msg));
	CHECK(next_is(&client, ACRPMU_NL_CMD_CPU_ONLINE, &msg));
	dev = abi_open();
	fd = create_own(dev, &req);
	CHECK(fd >= 0);
	CHECK(next_is(&client, ACRPMU_NL_CMD_SESSION_CREATED, &msg));
	CHECK(is_about(&msg, &req));
	CHECK(next_is(&client, ACRPMU_NL_CMD_PMU_CLAIMED, &msg));
	close(fd);
	CHECK(next_is(&client, ACRPMU_NL_CMD_PMU_RELEASED, &msg));
	CHECK(next_is(&client, ACRPMU_NL_CMD_SESSION_ENDED, &msg));
	CHECK(is_silent(&client));
	return 0;
}

/*
 * A session of the test that overflows, and can be refused to others: a sampler that nobody reads,
 * and two counters that may be spoilt.
 */
static int create_eventful(int dev, struct request *req, uint8_t cpus)
{
	request_cpus(req, cpus);
	add_sampler(req, PERIOD);
	req->attr.ring_pages = 1;
	add_event(req, EV_BRANCHES, USER | COUNT, 0, 0);
	add_event(req, EV_BRANCHES, USER | COUNT, 0, 0);
	return request(dev, req);
}

/* Read up to a message; @seen has a bit for each command on the way. */
static bool next_until(struct client *client, uint8_t cmd, uint32_t *seen)
{
	struct message msg;

	do {
		if (client_next(client, &msg))
			return false;
		*seen |= BIT64(msg.cmd);
	} while (msg.cmd != cmd);
	return true;
}

/* Losses, a register that was written, and a refusal; @client, which may know all, is the proof. */
static int cause_events(int dev, int fd, struct client *client, uint32_t *seen)
{
	struct acrpmu_event_hw hw[3];
	struct request other;
	int ret = abi_query(fd, hw, 3) ?: abi_enable(fd);

	if (ret)
		return ret;
	loop(ROUNDS);
	if (!next_until(client, ACRPMU_NL_CMD_LOST, seen))
		return -EIO;
	/* One that counted would lose the CPU. */
	ret = abi_disable(fd) ?: msr_write(0, hw[1].cfg_a_msr, hw[1].cfg_a ^ 0x5);
	if (ret)
		return ret;
	if (!next_until(client, ACRPMU_NL_CMD_REGISTER_CHANGED, seen))
		return -EIO;
	ret = msr_write(0, hw[1].cfg_a_msr, hw[1].cfg_a & ~(1ULL << 22));
	if (ret)
		return ret;
	request_cpus(&other, 0x1);
	add_most(&other);
	ret = request(dev, &other);
	if (ret != -EBUSY)
		return -EINVAL;
	return next_until(client, ACRPMU_NL_CMD_REFUSED, seen) ? 0 : -EIO;
}

TEST_F(view, user_without_the_capability_hears_of_own_sessions_and_of_cpus)
{
	struct turns turns;
	uint32_t seen = 0;
	pid_t pid;

	if (nr_cpus() < 2 || !this_profile())
		SKIP(return, "needs two CPUs of a known type");
	ASSERT_EQ(0, client_open(&self->client));
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	ASSERT_EQ(0, turns_begin(&turns));
	pid = start_listener(&turns, listen_as_user);
	ASSERT_TRUE(take(turns.from));
	self->fd = create_eventful(self->dev, &self->req, 0x3);
	ASSERT_LE(0, self->fd);
	EXPECT_TRUE(give(turns.to));
	ASSERT_TRUE(take(turns.from));
	EXPECT_EQ(0, cause_events(self->dev, self->fd, &self->client, &seen));
	EXPECT_EQ(0, set_online(1, false));
	EXPECT_TRUE(next_until(&self->client, ACRPMU_NL_CMD_CPU_LOST, &seen));
	EXPECT_EQ(0, set_online(1, true));
	EXPECT_TRUE(give(turns.to));
	EXPECT_EQ(0, stop_listener(&turns, pid));
	client_close(&self->client);
}

/* ---- what a session of the same user has counted ---- */

static const int counted[] = {
	ACRPMU_NL_A_COUNT, ACRPMU_NL_A_TIME_ENABLED, ACRPMU_NL_A_TIME_RUNNING,
	ACRPMU_NL_A_TIME_MISSED, ACRPMU_NL_A_RECORDS, ACRPMU_NL_A_LOST, ACRPMU_NL_A_THROTTLED,
	ACRPMU_NL_A_DISCARDED, ACRPMU_NL_A_GUEST, ACRPMU_NL_A_QUIET,
};

static unsigned int nr_counted(const struct message *msg)
{
	unsigned int nr = 0;

	for (unsigned int i = 0; i < NR(counted); i++)
		nr += !!msg->attr[counted[i]];
	return nr;
}

static int listen_as_same_user(struct turns *turns)
{
	struct request req;
	struct client client;
	struct message msg;
	uint32_t seen = 0;
	int dev, fd;

	CHECK(!become(SOMEBODY));
	CHECK(!client_open(&client));
	CHECK(!subscribe(&client, ACRPMU_NL_TOPICS));
	CHECK(turn(turns));	/* a session of this user comes and goes, but with the capability */
	do {
		CHECK(!client_next(&client, &msg));
		CHECK(number(&msg, ACRPMU_NL_A_UID) == SOMEBODY);
		CHECK(!nr_counted(&msg));
		CHECK(!msg.attr[ACRPMU_NL_A_PAUSES]);
		CHECK(!msg.attr[ACRPMU_NL_A_EXPECTED]);
		seen |= BIT64(msg.cmd);
	} while (msg.cmd != ACRPMU_NL_CMD_SESSION_ENDED);
	CHECK(msg.attr[ACRPMU_NL_A_CREATED]);
	CHECK(seen & BIT64(ACRPMU_NL_CMD_LOST));
	CHECK(seen & BIT64(ACRPMU_NL_CMD_STOPPED));
	CHECK(seen & BIT64(ACRPMU_NL_CMD_RESUMED));
	CHECK(seen & BIT64(ACRPMU_NL_CMD_REGISTER_CHANGED));
	dev = abi_open();
	fd = create_own(dev, &req);
	CHECK(fd >= 0);
	close(fd);
	do {
		CHECK(!client_next(&client, &msg));
	} while (msg.cmd != ACRPMU_NL_CMD_SESSION_ENDED);
	CHECK(nr_counted(&msg) == NR(counted));
	return 0;
}

/* All sessions are limited for a while, and this one pauses. */
static int pause_and_resume(int fd)
{
	int ret = write_file(RATE, "1000") ?: abi_enable(fd);

	loop(ROUNDS);
	return write_file(RATE, DEFAULT_RATE) ?: ret;
}

/* Take the effective user id with all capabilities. */
static int act_as(uid_t uid)
{
	struct __user_cap_data_struct all[_LINUX_CAPABILITY_U32S_3];

	if (setresuid(0, uid, 0) || abi_capget(all))
		return -errno;
	all[0].effective = all[0].permitted;
	all[1].effective = all[1].permitted;
	return abi_capset(all);
}

/* It may have counted other users and the kernel. */
TEST_F(view, user_without_the_capability_gets_no_counts_of_sessions_created_with_it)
{
	struct client *client = &self->client;
	struct message *msg = &self->msg;
	struct turns turns;
	uint32_t seen = 0;
	pid_t pid;

	if (!this_profile())
		SKIP(return, "needs a CPU of a known type");
	ASSERT_EQ(0, client_open(client));
	ASSERT_EQ(0, subscribe(client, ACRPMU_NL_TOPICS));
	ASSERT_EQ(0, turns_begin(&turns));
	pid = start_listener(&turns, listen_as_same_user);
	ASSERT_TRUE(take(turns.from));
	ASSERT_EQ(0, act_as(SOMEBODY));
	self->fd = create_eventful(self->dev, &self->req, 0x1);
	ASSERT_EQ(0, setresuid(0, 0, 0));
	ASSERT_LE(0, self->fd);
	EXPECT_EQ(0, cause_events(self->dev, self->fd, client, &seen));
	EXPECT_EQ(0, pause_and_resume(self->fd));
	EXPECT_TRUE(next_until(client, ACRPMU_NL_CMD_RESUMED, &seen));
	close(self->fd);
	self->fd = -1;
	/* Whoever has the capability gets them. */
	do {
		ASSERT_EQ(0, client_next(client, msg));
	} while (msg->cmd != ACRPMU_NL_CMD_SESSION_ENDED);
	EXPECT_EQ(NR(counted), nr_counted(msg));
	EXPECT_TRUE(give(turns.to));
	EXPECT_EQ(0, stop_listener(&turns, pid));
	client_close(client);
}

/* ---- sockets of others ---- */

/* A program of another user, or even root's, can be made to write to a socket that it was given. */
TEST_F(view, user_is_not_answered_at_the_socket_of_another_user)
{
	ASSERT_EQ(0, setresuid(0, SOMEBODY, 0));
	ASSERT_EQ(0, client_open(&self->client));
	EXPECT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPICS));
	/* Netlink's own check differs between requests that name their receiver and others. */
	for (int i = 0; i < 2; i++) {
		self->client.addressed = i;
		ASSERT_EQ(0, setresuid(0, 0, 0));
		EXPECT_EQ(-EPERM, subscribe(&self->client, ACRPMU_NL_TOPICS));
		EXPECT_EQ(-EPERM, get_session(&self->client, 1, NULL));
		ASSERT_EQ(0, setresuid(0, ANOTHER, 0));
		EXPECT_EQ(-EPERM, subscribe(&self->client, ACRPMU_NL_TOPICS));
	}
	ASSERT_EQ(0, setresuid(0, 0, 0));
	client_close(&self->client);
}

/* Root's socket, which a program without the capability has kept. */
TEST_F(view, user_is_not_answered_at_the_socket_of_root)
{
	ASSERT_EQ(0, client_open(&self->client));
	ASSERT_EQ(0, setresuid(0, SOMEBODY, 0));
	for (int i = 0; i < 2; i++) {
		self->client.addressed = i;
		EXPECT_EQ(-EPERM, subscribe(&self->client, ACRPMU_NL_TOPICS));
		EXPECT_EQ(-EPERM, get_session(&self->client, 1, NULL));
	}
	ASSERT_EQ(0, setresuid(0, 0, 0));
	client_close(&self->client);
}

/* A process with a session that the test spoils. */
static int listen_to_change(struct turns *turns)
{
	struct acrpmu_event_hw hw[1];
	struct request req;
	struct client client;
	struct message msg;
	int dev, fd;

	CHECK(!become(SOMEBODY));
	CHECK(!client_open(&client));
	dev = abi_open();
	fd = create_own(dev, &req);
	CHECK(fd >= 0 && !abi_query(fd, hw, 1));
	CHECK(!subscribe(&client, ACRPMU_NL_TOPIC_CONFLICTS));
	CHECK(turn(turns));
	CHECK(next_is(&client, ACRPMU_NL_CMD_REGISTER_CHANGED, &msg));
	CHECK(number(&msg, ACRPMU_NL_A_REGISTER) == MSR_FIXED_CTR_CTRL);
	CHECK(number(&msg, ACRPMU_NL_A_EXPECTED) == 0);
	CHECK(!msg.attr[ACRPMU_NL_A_FOUND]);
	close(fd);
	return 0;
}

TEST_F(view, value_that_somebody_else_wrote_is_not_for_users)
{
	struct turns turns;
	uint64_t value;
	pid_t pid;

	ASSERT_EQ(0, turns_begin(&turns));
	pid = start_listener(&turns, listen_to_change);
	ASSERT_TRUE(take(turns.from));
	value = msr_read(0, MSR_FIXED_CTR_CTRL);
	ASSERT_EQ(0, msr_write(0, MSR_FIXED_CTR_CTRL, value | 0x1));
	EXPECT_TRUE(give(turns.to));
	EXPECT_EQ(0, stop_listener(&turns, pid));
	/* The module leaves what it did not write. */
	EXPECT_EQ(0, msr_write(0, MSR_FIXED_CTR_CTRL, value));
}

/* A process that is refused what the test holds. */
static int listen_to_refusal(struct turns *turns)
{
	struct request req;
	struct client client;
	struct message msg;
	int dev;

	CHECK(!become(SOMEBODY));
	CHECK(!client_open(&client));
	CHECK(!subscribe(&client, ACRPMU_NL_TOPIC_CONFLICTS));
	CHECK(turn(turns));
	dev = abi_open();
	request_task(&req, 0);
	add_event(&req, EV_OFFCORE_1, USER | COUNT, 0, 0)->extra_value = 0x10004;
	CHECK(request(dev, &req) == -EBUSY);
	CHECK(next_is(&client, ACRPMU_NL_CMD_REFUSED, &msg));
	CHECK(number(&msg, ACRPMU_NL_A_PID) == (uint64_t)getpid());
	CHECK(number(&msg, ACRPMU_NL_A_REASON) == ACRPMU_REASON_EXTRA_BUSY);
	CHECK(number(&msg, ACRPMU_NL_A_VALUE) == 0);
	CHECK(number(&msg, ACRPMU_NL_A_LIMIT) == 0x1a7);
	CHECK(number(&msg, ACRPMU_NL_A_HOLDER_PID) == 0);
	CHECK(!msg.attr[ACRPMU_NL_A_HOLDER]);
	return 0;
}

TEST_F(view, holder_of_what_is_refused_is_not_for_users)
{
	struct turns turns;
	struct message *msg = &self->msg;
	pid_t pid;

	if (!this_profile() || !this_profile()->offcore[0])
		SKIP(return, "this CPU has no offcore registers");
	request_cpus(&self->req, 0x1);
	add_event(&self->req, EV_OFFCORE_0, USER | COUNT, 0, 0)->extra_value = 0x10001;
	add_event(&self->req, EV_OFFCORE_1, USER | COUNT, 0, 0)->extra_value = 0x10002;
	self->fd = request(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	ASSERT_EQ(0, client_open(&self->client));
	ASSERT_EQ(0, turns_begin(&turns));
	pid = start_listener(&turns, listen_to_refusal);
	ASSERT_TRUE(take(turns.from));
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_CONFLICTS));
	EXPECT_TRUE(give(turns.to));
	EXPECT_EQ(0, stop_listener(&turns, pid));
	/* The same refusal for whoever may know. */
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_REFUSED, msg);
	EXPECT_EQ(pid, number(msg, ACRPMU_NL_A_PID));
	EXPECT_EQ(SOMEBODY, number(msg, ACRPMU_NL_A_UID));
	EXPECT_EQ(0x10002, number(msg, ACRPMU_NL_A_VALUE));
	EXPECT_EQ(getpid(), number(msg, ACRPMU_NL_A_HOLDER_PID));
	client_close(&self->client);
}

/* ---- namespaces ---- */

static int listen_in_pid_namespace(struct turns *turns)
{
	struct request req;
	struct client client;
	struct message msg;
	int dev, fd;

	CHECK(getpid() == 1);
	CHECK(!client_open(&client));
	CHECK(!subscribe(&client, ACRPMU_NL_TOPIC_SESSIONS));
	CHECK(turn(turns));	/* a session of somebody outside comes */
	CHECK(next_is(&client, ACRPMU_NL_CMD_SESSION_CREATED, &msg));
	CHECK(number(&msg, ACRPMU_NL_A_PID) == 0);
	dev = abi_open();
	fd = create_counter(dev, &req);
	CHECK(fd >= 0);
	CHECK(next_is(&client, ACRPMU_NL_CMD_SESSION_CREATED, &msg));
	CHECK(number(&msg, ACRPMU_NL_A_PID) == 1);
	close(fd);
	return 0;
}

TEST_F(view, processes_have_the_numbers_of_the_listeners_pid_namespace)
{
	struct message *msg = &self->msg;
	struct turns turns;
	pid_t pid;

	ASSERT_EQ(0, client_open(&self->client));
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	ASSERT_EQ(0, unshare(CLONE_NEWPID));
	ASSERT_EQ(0, turns_begin(&turns));
	pid = start_listener(&turns, listen_in_pid_namespace);
	ASSERT_TRUE(take(turns.from));
	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_TRUE(give(turns.to));
	EXPECT_EQ(0, stop_listener(&turns, pid));
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CREATED, msg);
	EXPECT_EQ(getpid(), number(msg, ACRPMU_NL_A_PID));
	/* and that of the session inside is the one outside */
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CREATED, msg);
	EXPECT_EQ(pid, number(msg, ACRPMU_NL_A_PID));
	client_close(&self->client);
}

static int listen_in_user_namespace(struct turns *turns)
{
	struct client client;
	struct message msg;

	CHECK(!become(SOMEBODY));
	CHECK(!unshare(CLONE_NEWUSER));
	CHECK(!client_open(&client));
	CHECK(!subscribe(&client, ACRPMU_NL_TOPIC_SESSIONS));
	CHECK(turn(turns));	/* a session of the same user comes, outside */
	CHECK(next_is(&client, ACRPMU_NL_CMD_SESSION_CREATED, &msg));
	CHECK(number(&msg, ACRPMU_NL_A_UID) == 65534);
	return 0;
}

/* All capabilities of a user namespace are none here. */
TEST_F(view, user_has_the_number_of_the_listeners_user_namespace)
{
	struct turns turns;
	int status = -1;
	pid_t pid, user;

	ASSERT_EQ(0, turns_begin(&turns));
	pid = start_listener(&turns, listen_in_user_namespace);
	ASSERT_TRUE(take(turns.from));
	self->fd = create_counter(self->dev, &self->req);	/* not for it */
	ASSERT_LE(0, self->fd);
	user = fork();
	if (!user)
		_exit(become(SOMEBODY) || create_own(self->dev, &self->req) < 0);
	waitpid(user, &status, 0);
	EXPECT_EQ(0, status);
	EXPECT_TRUE(give(turns.to));
	EXPECT_EQ(0, stop_listener(&turns, pid));
}

/* Others have their own generic netlink sockets, but the family is there, too. */
TEST_F(view, network_namespace_is_no_obstacle)
{
	ASSERT_EQ(0, unshare(CLONE_NEWNET));
	ASSERT_EQ(0, client_open(&self->client));
	ASSERT_EQ(0, subscribe(&self->client, ACRPMU_NL_TOPIC_SESSIONS));
	self->fd = create_counter(self->dev, &self->req);
	ASSERT_LE(0, self->fd);
	EXPECT_NEXT(&self->client, ACRPMU_NL_CMD_SESSION_CREATED, &self->msg);
	EXPECT_TRUE(is_about(&self->msg, &self->req));
	EXPECT_EQ(0, get_session(&self->client, self->req.attr.session_id, NULL));
	client_close(&self->client);
}

TEST_HARNESS_MAIN
