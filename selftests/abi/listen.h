/* SPDX-License-Identifier: GPL-2.0-only */
/* What tests of notifications share: a socket that listens, sessions, files of the kernel. */
#ifndef ABI_LISTEN_H
#define ABI_LISTEN_H

#include "netlink.h"

#include <fcntl.h>

#define PARAMETERS	"/sys/module/acrpmu/parameters/"

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

static inline int create_counter(int dev, struct request *req)
{
	request_cpus(req, 0x1);
	add_counter(req);
	return request(dev, req);
}

/* So many general-purpose counters that two such sessions do not fit; on a CPU of the model. */
static inline void add_most(struct request *req)
{
	int nr = __builtin_popcount((uint32_t)this_profile()->cntrs) - 1;

	while (nr--)
		add_event(req, EV_BRANCHES, USER | COUNT, 0, 0);
}

/* Instructions of a CPU, counted by in-tree perf. */
static inline int open_perf(int cpu)
{
	struct perf_event_attr attr = {
		.type = PERF_TYPE_HARDWARE,
		.size = sizeof(attr),
		.config = PERF_COUNT_HW_INSTRUCTIONS,
	};

	return abi_perf_event_open(&attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC);
}

static inline int write_file(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC), ret;

	if (fd < 0)
		return -errno;
	ret = write(fd, text, strlen(text)) < 0 ? -errno : 0;
	close(fd);
	return ret;
}

static inline int set_online(int cpu, bool online)
{
	char path[64];

	snprintf(path, sizeof(path), "/sys/devices/system/cpu/cpu%d/online", cpu);
	return write_file(path, online ? "1" : "0");
}

/* Whether an attribute is this set of the first 8 CPUs. */
static inline bool has_cpus(const struct message *msg, uint8_t cpus)
{
	const struct nlattr *attr = msg->attr[ACRPMU_NL_A_CPUS];

	return attr && attr_len(attr) == 1 && *(const uint8_t *)attr_data(attr) == cpus;
}

/* Whether a message is about this session of the caller. */
static inline bool is_about(const struct message *msg, const struct request *req)
{
	return number(msg, ACRPMU_NL_A_SESSION) == req->attr.session_id &&
	       number(msg, ACRPMU_NL_A_PID) == (uint64_t)getpid() &&
	       number(msg, ACRPMU_NL_A_UID) == geteuid();
}

#endif /* ABI_LISTEN_H */
