// SPDX-License-Identifier: GPL-2.0-only
/* Calls beside sessions: events of in-tree perf, the module's netlink family, its limits. */
#include "world.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "../hw/file.h"
#include "acrpmu_netlink.h"

#define PAGE		4096
#define NR(array)	(sizeof(array) / sizeof((array)[0]))
#define PARAMETERS	"/sys/module/acrpmu/parameters/"

#define RING		(2 * PAGE)

static uint16_t family;		/* its number */
static char *rings;		/* for each thread a region: see move() of sessions.c */

/* ---- in-tree perf ---- */

static int open_event(uint64_t arg, uint64_t more)
{
	static const uint64_t configs[] = { 0x3c, 0xc0, 0xc4, 0xc5, 0x300, 0x4f2e };
	struct perf_event_attr attr = {
		.type = PERF_TYPE_RAW, .size = sizeof(attr),
		.config = configs[part(arg, 0, NR(configs))],
		.pinned = !part(arg, 8, 3),
		.exclusive = !part(arg, 10, 5),
		.inherit = !part(arg, 12, 4),
		.disabled = !part(arg, 14, 4),
		.exclude_kernel = part(arg, 16, 2),
		.enable_on_exec = !part(arg, 18, 7),
	};
	bool of_cpu = part(more, 0, 2);

	if (!part(arg, 20, 3)) {
		attr.sample_period = 100000;
		attr.sample_type = PERF_SAMPLE_IP | PERF_SAMPLE_TID;
	}
	return syscall(SYS_perf_event_open, &attr, of_cpu ? -1 : task_of(more >> 8),
		       of_cpu ? (int)part(more, 16, 2) : -1, -1, PERF_FLAG_FD_CLOEXEC);
}

void call_perf(struct thread *t, const struct call *c)
{
	atomic_int *event = &world.perf[part(c->args[0], 0, NR_PERF)];
	char *ring = rings + t->index * RING;
	int fd;

	if (*event != NO_FD && part(c->args[1], 0, 4)) {
		ioctl(*event, part(c->args[1], 8, 2) ? PERF_EVENT_IOC_ENABLE :
						       PERF_EVENT_IOC_DISABLE, 0);
		mmap(ring, RING, PROT_READ, MAP_SHARED | MAP_FIXED, *event, 0);
		count_call(CALL_PERF, 0);
		clear_region(ring, RING);
		if (part(c->args[1], 16, 2))
			return;
	}
	fd = open_event(c->args[2], c->args[3]);
	count_call(CALL_PERF, fd);
	fd = atomic_exchange(event, fd < 0 ? NO_FD : fd);
	if (fd != NO_FD)
		close(fd);
}

/* ---- netlink ---- */

struct request {
	struct nlmsghdr hdr;
	struct genlmsghdr genl;
	struct nlattr attr;
	uint64_t value;
	char more[64];
};

static long send_request(int fd, struct request *req, size_t bytes, uint16_t type, uint8_t cmd,
			 uint16_t flags)
{
	req->hdr = (struct nlmsghdr){ .nlmsg_len = bytes, .nlmsg_type = type,
				      .nlmsg_flags = NLM_F_REQUEST | flags };
	req->genl = (struct genlmsghdr){ .cmd = cmd, .version = 1 };
	return send(fd, req, bytes, MSG_DONTWAIT);
}

static long ask(int fd, const struct call *c)
{
	struct request req = { .attr = { NLA_HDRLEN + 4, ACRPMU_NL_A_TOPICS } };
	size_t bytes = NLMSG_LENGTH(GENL_HDRLEN) + NLA_HDRLEN + 8;

	switch (part(c->args[1], 8, 6)) {
	case 0:
	case 1:
		req.value = c->args[4] ? c->args[5] : c->args[2] & ACRPMU_NL_TOPICS;
		return send_request(fd, &req, bytes - 4, family, ACRPMU_NL_CMD_SUBSCRIBE,
				    NLM_F_ACK);
	case 2:
		req.attr = (struct nlattr){ NLA_HDRLEN + 8, ACRPMU_NL_A_SESSION };
		req.value = world.shared->last_id - part(c->args[2], 0, 8);
		return send_request(fd, &req, bytes, family, ACRPMU_NL_CMD_SESSION_GET,
				    NLM_F_ACK);
	case 3:
		return send_request(fd, &req, NLMSG_LENGTH(GENL_HDRLEN), family,
				    ACRPMU_NL_CMD_SESSION_GET, NLM_F_DUMP);
	default:
		/* Anything */
		req.attr = (struct nlattr){ c->args[2] & 0x1f, c->args[2] >> 8 };
		req.value = c->args[5];
		return send_request(fd, &req, bytes + part(c->args[3], 0, 48), family,
				    c->args[3] >> 8 & 3, c->args[3] >> 16);
	}
}

static long receive(int fd)
{
	char answer[ACRPMU_NL_MAX_MESSAGE];

	return recv(fd, answer, sizeof(answer), MSG_DONTWAIT);
}

void call_netlink(struct thread *t, const struct call *c)
{
	atomic_int *at = &world.sockets[part(c->args[0], 0, NR_SOCKETS)];
	int fd;

	if (*at == NO_FD || !part(c->args[1], 0, 16)) {
		fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
		fd = atomic_exchange(at, fd < 0 ? NO_FD : fd);
		if (fd != NO_FD)
			count_call(CALL_NETLINK, close(fd));
	}
	if (part(c->args[1], 0, 2))
		count_call(CALL_NETLINK, ask(*at, c));
	count_call(CALL_NETLINK, receive(*at));
}

static bool find_family(void)
{
	struct request req = { .attr = { NLA_HDRLEN + sizeof(ACRPMU_NL_FAMILY),
					 CTRL_ATTR_FAMILY_NAME } };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	char answer[ACRPMU_NL_MAX_MESSAGE];
	struct nlattr *attr = (struct nlattr *)(answer + NLMSG_LENGTH(GENL_HDRLEN));
	ssize_t len;

	memcpy(&req.value, ACRPMU_NL_FAMILY, sizeof(ACRPMU_NL_FAMILY));
	if (send_request(fd, &req, NLMSG_LENGTH(GENL_HDRLEN) + NLA_HDRLEN + 8, GENL_ID_CTRL,
			 CTRL_CMD_GETFAMILY, 0) < 0)
		return false;
	len = recv(fd, answer, sizeof(answer), 0);
	close(fd);
	while ((char *)attr < answer + len && attr->nla_len) {
		if (attr->nla_type == CTRL_ATTR_FAMILY_ID)
			family = *(uint16_t *)(attr + 1);
		attr = (struct nlattr *)((char *)attr + NLA_ALIGN(attr->nla_len));
	}
	return family;
}

/* ---- limits ---- */

/* The first of each is what every program begins with. */
static const struct {
	const char *path;
	const char *values[4];
} limits[] = {
	{ PARAMETERS "min_period", { "1000", "20000", "0", "4294967295" } },
	{ PARAMETERS "min_period_quiet", { "1", "100", "0", "x" } },
	{ PARAMETERS "max_sample_rate", { "100000", "1000", "1", "0" } },
	{ PARAMETERS "max_pmi_percent", { "25", "1", "10", "101" } },
	{ PARAMETERS "max_sessions", { "16384", "2", "1", "0" } },
	{ PARAMETERS "max_unprivileged_sessions", { "256", "1", "0", "" } },
	{ PARAMETERS "unprivileged", { "1", "0", "1", "x" } },
};

static int set_limit(unsigned int which, unsigned int value)
{
	return write_text(limits[which].path, limits[which].values[value]);
}

void call_limit(struct thread *t, const struct call *c)
{
	world.limited = true;
	count_call(CALL_LIMIT, set_limit(part(c->args[1], 0, NR(limits)), part(c->args[2], 0, 4)));
}

static void close_all(atomic_int *fds, unsigned int nr)
{
	unsigned int i;
	int fd;

	for (i = 0; i < nr; i++) {
		fd = atomic_exchange(&fds[i], NO_FD);
		if (fd != NO_FD)
			close(fd);
	}
}

static void reset_limits(void)
{
	unsigned int i;

	for (i = 0; i < NR(limits); i++)
		set_limit(i, 0);
	world.limited = false;
}

bool beside_begin(void)
{
	unsigned int i;

	for (i = 0; i < NR_PERF; i++)
		world.perf[i] = NO_FD;
	for (i = 0; i < NR_SOCKETS; i++)
		world.sockets[i] = NO_FD;
	rings = mmap(NULL, NR_THREADS * RING, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	reset_limits();
	return rings != MAP_FAILED && find_family();
}

void beside_reset(void)
{
	close_all(world.perf, NR_PERF);
	close_all(world.sockets, NR_SOCKETS);
	if (world.limited)
		reset_limits();
}
