// SPDX-License-Identifier: GPL-2.0-only
/* A stand-in for the module's netlink family by LD_PRELOAD: plays messages from files. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../uapi/acrpmu_netlink.h"

/*
 * It is 2026-11-25 12:00:00 UTC, and the machine has run for 100000 seconds.
 *
 * Environment:
 *   FAKE_NETLINK=DIR        files with messages, one after another, see netlink_messages.py:
 *                             early      come when topics were subscribed to
 *                             dump.N     answer the N-th request for all sessions
 *                             notices.N  come after that answer
 *   FAKE_FAMILY_ERRNO=N     the family is not found, with this
 *   FAKE_SUBSCRIBE_ERRNO=N  subscribing is refused with this
 *   FAKE_DUMP_ERRNO=N       listing sessions is
 *   FAKE_NETLINK_LOG=FILE           one line for each request
 */
#define FAMILY		0x1c
#define PORT		4242
#define BOOT_S		100000
#define REAL_S		1795608000
#define DATAGRAM	65536
#define SOCKET_BYTES	(4 << 20)

static int fake_fd = -1;	/* of the program */
static int module_fd;		/* the other end */

static long env_number(const char *name)
{
	const char *s = getenv(name);

	return s ? strtol(s, NULL, 0) : 0;
}

static void note(const char *what, unsigned int number)
{
	const char *path = getenv("FAKE_NETLINK_LOG");
	FILE *f = path ? fopen(path, "ae") : NULL;

	if (!f)
		return;
	fprintf(f, "%s %u\n", what, number);
	fclose(f);
}

static void *real(const char *name)
{
	return dlsym(RTLD_NEXT, name);
}

/* ---- what the module sends ---------------------------------------------------------------- */

static void put(const void *bytes, size_t size)
{
	if (send(module_fd, bytes, size, 0) != (ssize_t)size)
		abort();
}

static void put_done(const struct nlmsghdr *request, int type, int err)
{
	struct {
		struct nlmsghdr head;
		struct nlmsgerr error;
	} answer = {
		.head = {
			.nlmsg_len = sizeof(answer), .nlmsg_type = type,
			.nlmsg_seq = request->nlmsg_seq, .nlmsg_pid = PORT,
		},
		.error = { .error = -err, .msg = *request },
	};

	put(&answer, sizeof(answer));
}

/* The messages of a file, as notices or as the answer to a request. */
static void put_file(const char *name, unsigned int n, const struct nlmsghdr *request)
{
	static char buf[DATAGRAM] __attribute__((aligned(8)));
	struct nlmsghdr *head = (struct nlmsghdr *)buf;
	char path[4096];
	FILE *f;

	snprintf(path, sizeof(path), n ? "%s/%s.%u" : "%s/%s", getenv("FAKE_NETLINK"), name, n);
	f = fopen(path, "re");
	while (f && fread(head, sizeof(*head), 1, f) == 1) {
		if (fread(head + 1, head->nlmsg_len - sizeof(*head), 1, f) != 1)
			abort();
		head->nlmsg_type = FAMILY;
		head->nlmsg_seq = request ? request->nlmsg_seq : 0;
		head->nlmsg_pid = request ? PORT : 0;
		put(buf, head->nlmsg_len);
	}
	if (f)
		fclose(f);
}

static void put_family(const struct nlmsghdr *request)
{
	struct {
		struct nlmsghdr head;
		struct genlmsghdr genl;
		struct nlattr id_attr;
		uint32_t id;
		struct nlattr version_attr;
		uint32_t version;
	} answer = {
		.head = {
			.nlmsg_len = sizeof(answer), .nlmsg_type = GENL_ID_CTRL,
			.nlmsg_seq = request->nlmsg_seq, .nlmsg_pid = PORT,
		},
		.genl = { .cmd = CTRL_CMD_NEWFAMILY, .version = 1 },
		.id_attr = { NLA_HDRLEN + sizeof(uint16_t), CTRL_ATTR_FAMILY_ID },
		.id = FAMILY,
		.version_attr = { NLA_HDRLEN + sizeof(uint32_t), CTRL_ATTR_VERSION },
		.version = ACRPMU_NL_VERSION,
	};

	put(&answer, sizeof(answer));
}

static void subscribe(const struct nlmsghdr *request)
{
	const char *attr = (const char *)NLMSG_DATA(request) + GENL_HDRLEN;
	int err = env_number("FAKE_SUBSCRIBE_ERRNO");
	uint32_t topics;

	memcpy(&topics, attr + NLA_HDRLEN, sizeof(topics));
	note("SUBSCRIBE", topics);
	put_done(request, NLMSG_ERROR, err);
	put_file("early", 0, NULL);
}

static void list_sessions(const struct nlmsghdr *request)
{
	int err = env_number("FAKE_DUMP_ERRNO");
	static unsigned int nr;

	note("DUMP", ++nr);
	if (err) {
		put_done(request, NLMSG_ERROR, err);
		return;
	}
	put_file("dump", nr, request);
	put_done(request, NLMSG_DONE, 0);
	put_file("notices", nr, NULL);
}

static void answer(const struct nlmsghdr *request)
{
	const struct genlmsghdr *genl = NLMSG_DATA(request);
	int err = env_number("FAKE_FAMILY_ERRNO");

	if (request->nlmsg_type == GENL_ID_CTRL) {
		if (!err)
			put_family(request);
		put_done(request, NLMSG_ERROR, err);
	} else if (genl->cmd == ACRPMU_NL_CMD_SUBSCRIBE) {
		subscribe(request);
	} else {
		list_sessions(request);
	}
}

/* ---- system calls ------------------------------------------------------------------------- */

/**
 * socket() - the stand-in for one of netlink, else the C library's
 * @domain: AF_*
 * @type: SOCK_*
 * @protocol: of the domain
 *
 * Return: as socket(2).
 */
int socket(int domain, int type, int protocol)
{
	int (*real_socket)(int domain, int type, int protocol) = real("socket");
	const int bytes = SOCKET_BYTES;
	int fds[2];

	if (domain != AF_NETLINK)
		return real_socket(domain, type, protocol);
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, fds))
		return -1;
	fake_fd = fds[0];
	module_fd = fds[1];
	setsockopt(module_fd, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes));
	return fake_fd;
}

/**
 * bind() - nothing for the stand-in, else the C library's
 * @fd: descriptor
 * @addr: address
 * @len: its bytes
 *
 * Return: as bind(2).
 */
int bind(int fd, const struct sockaddr *addr, socklen_t len)
{
	int (*real_bind)(int fd, const struct sockaddr *addr, socklen_t len) = real("bind");

	return fd == fake_fd ? 0 : real_bind(fd, addr, len);
}

/**
 * getsockname() - the port of the stand-in, else the C library's
 * @fd: descriptor
 * @addr: out
 * @len: its bytes
 *
 * Return: as getsockname(2).
 */
int getsockname(int fd, struct sockaddr *addr, socklen_t *len)
{
	int (*real_getsockname)(int fd, struct sockaddr *addr, socklen_t *len) =
		real("getsockname");
	const struct sockaddr_nl own = { .nl_family = AF_NETLINK, .nl_pid = PORT };

	if (fd != fake_fd)
		return real_getsockname(fd, addr, len);
	memcpy(addr, &own, sizeof(own));
	*len = sizeof(own);
	return 0;
}

/**
 * sendto() - a request to the stand-in, which answers at once, else the C library's
 * @fd: descriptor
 * @buf: request
 * @size: its bytes
 * @flags: MSG_*
 * @addr: whereto
 * @len: its bytes
 *
 * Return: as sendto(2).
 */
ssize_t sendto(int fd, const void *buf, size_t size, int flags, const struct sockaddr *addr,
	       socklen_t len)
{
	ssize_t (*real_sendto)(int fd, const void *buf, size_t size, int flags,
			       const struct sockaddr *addr, socklen_t len) = real("sendto");

	if (fd != fake_fd)
		return real_sendto(fd, buf, size, flags, addr, len);
	answer(buf);
	return size;
}

/**
 * recvfrom() - what the stand-in has sent, as if the kernel had, else the C library's
 * @fd: descriptor
 * @buf: out
 * @size: its bytes
 * @flags: MSG_*
 * @addr: out, wherefrom
 * @len: its bytes
 *
 * Return: as recvfrom(2).
 */
ssize_t recvfrom(int fd, void *buf, size_t size, int flags, struct sockaddr *addr, socklen_t *len)
{
	ssize_t (*real_recvfrom)(int fd, void *buf, size_t size, int flags, struct sockaddr *addr,
				 socklen_t *len) = real("recvfrom");
	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	ssize_t n;

	if (fd != fake_fd)
		return real_recvfrom(fd, buf, size, flags, addr, len);
	n = real_recvfrom(fd, buf, size, flags, NULL, NULL);
	memcpy(addr, &kernel, sizeof(kernel));
	*len = sizeof(kernel);
	return n;
}

/**
 * clock_gettime() - the C library's, but for the two clocks that are printed
 * @clock: CLOCK_*
 * @t: out
 *
 * Return: as clock_gettime(2).
 */
int clock_gettime(clockid_t clock, struct timespec *t)
{
	int (*real_clock)(clockid_t clock, struct timespec *t) = real("clock_gettime");

	if (clock != CLOCK_BOOTTIME && clock != CLOCK_REALTIME)
		return real_clock(clock, t);
	*t = (struct timespec){ .tv_sec = clock == CLOCK_BOOTTIME ? BOOT_S : REAL_S };
	return 0;
}
