/* SPDX-License-Identifier: GPL-2.0-only */
/* A raw socket of the generic netlink family, with nothing between a test and the module. */
#ifndef ABI_NETLINK_H
#define ABI_NETLINK_H

#include "common.h"

#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <poll.h>
#include <sys/socket.h>

#include <acrpmu_netlink.h>

#define DATAGRAM	8192	/* and so the kernel cuts dumps into as many bytes */
#define LONG_S		120	/* on a loaded machine everything takes long */

/**
 * struct client - a socket that talks to the module
 * @addressed: requests name the kernel as their receiver, as by sendto()
 * @family: number of the family
 * @buf: the datagram received last, then that of the answer before it
 * @left: bytes of it that were not looked at
 * @at: where these begin
 */
struct client {
	int fd;
	bool addressed;
	uint16_t family;
	uint32_t seq;
	char *buf;
	unsigned int left;
	const struct nlmsghdr *at;
};

/**
 * struct message - a message with its attributes by number
 * @cmd: ACRPMU_NL_CMD_*; 0 for those of netlink itself
 * @error: of an acknowledgment: negative errno; else 0
 * @bytes: of the whole
 * @attr: the first attribute with each number, NULL if there is none
 * @nr: how many there are of each
 */
struct message {
	const struct nlmsghdr *hdr;
	uint8_t cmd;
	int error;
	unsigned int bytes;
	const struct nlattr *attr[ACRPMU_NL_A_MAX + 1];
	unsigned int nr[ACRPMU_NL_A_MAX + 1];
};

static inline const void *attr_data(const struct nlattr *attr)
{
	return (const char *)attr + NLA_HDRLEN;
}

static inline unsigned int attr_len(const struct nlattr *attr)
{
	return attr->nla_len - NLA_HDRLEN;
}

/* The value of an attribute of 4 or 8 bytes, which 8-byte ones need not align; POISON64 if none. */
static inline uint64_t number_in(const struct nlattr *attr)
{
	uint64_t value = 0;

	if (!attr || (attr_len(attr) != 4 && attr_len(attr) != 8))
		return POISON64;
	memcpy(&value, attr_data(attr), attr_len(attr));
	return value;
}

static inline uint64_t number(const struct message *msg, int attr)
{
	return number_in(msg->attr[attr]);
}

static inline const char *text(const struct message *msg, int attr)
{
	return msg->attr[attr] ? attr_data(msg->attr[attr]) : "(none)";
}

/* Find the attributes in @bytes; false if they do not fill them. */
static inline bool parse(const void *data, int bytes, int max, const struct nlattr **attr,
			 unsigned int *nr)
{
	const struct nlattr *at = data;

	memset(attr, 0, (max + 1) * sizeof(*attr));
	memset(nr, 0, (max + 1) * sizeof(*nr));
	while (bytes >= (int)sizeof(*at) && at->nla_len >= NLA_HDRLEN && at->nla_len <= bytes) {
		int type = at->nla_type & NLA_TYPE_MASK;

		if (type <= max && !nr[type]++)
			attr[type] = at;
		bytes -= NLA_ALIGN(at->nla_len);
		at = (const void *)((const char *)at + NLA_ALIGN(at->nla_len));
	}
	return bytes <= 0;
}

static inline int client_send(struct client *client, uint16_t type, uint8_t cmd, uint8_t version,
			      uint16_t flags, const void *attrs, unsigned int bytes)
{
	struct {
		struct nlmsghdr hdr;
		struct genlmsghdr genl;
		char attrs[256];
	} req = {
		.hdr = {
			.nlmsg_len = NLMSG_LENGTH(GENL_HDRLEN) + bytes,
			.nlmsg_type = type,
			.nlmsg_flags = NLM_F_REQUEST | flags,
			.nlmsg_seq = ++client->seq,
		},
		.genl = { .cmd = cmd, .version = version },
	};

	const struct sockaddr_nl kernel = { .nl_family = AF_NETLINK };
	ssize_t sent;

	if (bytes)
		memcpy(req.attrs, attrs, bytes);
	if (client->addressed)
		sent = sendto(client->fd, &req, req.hdr.nlmsg_len, 0, (const void *)&kernel,
			      sizeof(kernel));
	else
		sent = send(client->fd, &req, req.hdr.nlmsg_len, 0);
	return sent < 0 ? -errno : 0;
}

static inline int read_message(struct message *msg, const struct nlmsghdr *hdr)
{
	const struct genlmsghdr *genl = NLMSG_DATA(hdr);

	*msg = (struct message){ .hdr = hdr, .bytes = hdr->nlmsg_len };
	if (hdr->nlmsg_type == NLMSG_ERROR)
		msg->error = ((const struct nlmsgerr *)NLMSG_DATA(hdr))->error;
	if (hdr->nlmsg_type < NLMSG_MIN_TYPE)
		return 0;
	msg->cmd = genl->cmd;
	return parse((const char *)genl + GENL_HDRLEN, hdr->nlmsg_len - NLMSG_LENGTH(GENL_HDRLEN),
		     ACRPMU_NL_A_MAX, msg->attr, msg->nr) ? 0 : -EBADMSG;
}

/* The next message, if need be of the next datagram; waits long. */
static inline int client_next(struct client *client, struct message *msg)
{
	struct pollfd poll_fd = { .fd = client->fd, .events = POLLIN };
	const struct nlmsghdr *hdr;
	ssize_t bytes;

	if (!client->left) {
		if (poll(&poll_fd, 1, LONG_S * 1000) != 1)
			return -ETIMEDOUT;
		bytes = recv(client->fd, client->buf, DATAGRAM, 0);
		if (bytes < 0)
			return -errno;
		client->left = bytes;
		client->at = (void *)client->buf;
	}
	hdr = client->at;
	if (!NLMSG_OK(hdr, client->left))
		return -EBADMSG;
	client->at = NLMSG_NEXT(client->at, client->left);
	return read_message(msg, hdr);
}

/* Wait for the answer to the last request: an acknowledgment; others before it go to @answer. */
static inline int client_ack(struct client *client, struct message *answer)
{
	struct message msg;
	int ret;

	for (;;) {
		ret = client_next(client, &msg);
		if (ret)
			return ret;
		if (msg.hdr->nlmsg_seq != client->seq)
			continue;
		if (msg.hdr->nlmsg_type == NLMSG_ERROR)
			return msg.error;
		if (answer) {
			memcpy(client->buf + DATAGRAM, msg.hdr, msg.bytes);
			read_message(answer, (void *)(client->buf + DATAGRAM));
		}
	}
}

static inline int find_family(struct client *client)
{
	struct {
		struct nlattr attr;
		char name[8];
	} name = { { NLA_HDRLEN + sizeof(ACRPMU_NL_FAMILY), CTRL_ATTR_FAMILY_NAME },
		   ACRPMU_NL_FAMILY };
	struct message msg;
	int ret = client_send(client, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1, 0, &name, sizeof(name));

	if (!ret)
		ret = client_next(client, &msg);
	if (ret || msg.error)
		return ret ?: msg.error;
	client->family = *(const uint16_t *)attr_data(msg.attr[CTRL_ATTR_FAMILY_ID]);
	/* and its acknowledgment, where the kernel sends one */
	while (recv(client->fd, client->buf, DATAGRAM, MSG_DONTWAIT) > 0)
		;
	client->left = 0;
	return 0;
}

/* A socket at a port, 0: whatever is free. */
static inline int client_open_at(struct client *client, uint32_t port)
{
	struct sockaddr_nl addr = { .nl_family = AF_NETLINK, .nl_pid = port };

	*client = (struct client){ .buf = malloc(2 * DATAGRAM) };
	client->fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC);
	if (!client->buf || client->fd < 0)
		return -errno;
	if (bind(client->fd, (void *)&addr, sizeof(addr)))
		return -errno;
	return find_family(client);
}

static inline int client_open(struct client *client)
{
	return client_open_at(client, 0);
}

static inline void client_close(struct client *client)
{
	close(client->fd);
	free(client->buf);
	client->buf = NULL;
}

static inline uint32_t client_port(const struct client *client)
{
	struct sockaddr_nl addr = { 0 };
	socklen_t len = sizeof(addr);

	getsockname(client->fd, (void *)&addr, &len);
	return addr.nl_pid;
}

/* It is in force when this returns; the answer is not read. */
static inline int send_subscribe(struct client *client, uint32_t topics)
{
	struct {
		struct nlattr attr;
		uint32_t topics;
	} req = { { sizeof(req), ACRPMU_NL_A_TOPICS }, topics };

	return client_send(client, client->family, ACRPMU_NL_CMD_SUBSCRIBE, ACRPMU_NL_VERSION,
			   NLM_F_ACK, &req, sizeof(req));
}

static inline int subscribe_with(struct client *client, uint32_t topics, struct message *answer)
{
	int ret = send_subscribe(client, topics);

	return ret ?: client_ack(client, answer);
}

static inline int subscribe(struct client *client, uint32_t topics)
{
	return subscribe_with(client, topics, NULL);
}

static inline int get_session(struct client *client, uint64_t id, struct message *answer)
{
	struct {
		struct nlattr attr;
		char id[8];
	} req = { { sizeof(req), ACRPMU_NL_A_SESSION } };
	int ret;

	memcpy(req.id, &id, sizeof(id));
	ret = client_send(client, client->family, ACRPMU_NL_CMD_SESSION_GET, ACRPMU_NL_VERSION,
			  NLM_F_ACK, &req, sizeof(req));
	return ret ?: client_ack(client, answer);
}

/* Whether anything arrives that has been sent by now: an answer comes after it. */
static inline bool is_silent(struct client *client)
{
	struct message msg;

	if (client_send(client, client->family, ACRPMU_NL_CMD_SESSION_GET, ACRPMU_NL_VERSION,
			NLM_F_ACK, NULL, 0) || client_next(client, &msg))
		return false;
	return msg.hdr->nlmsg_type == NLMSG_ERROR && msg.hdr->nlmsg_seq == client->seq;
}

/* The next message must be this one. */
#define EXPECT_NEXT(client, expected, msg) do {						\
	ASSERT_EQ(0, client_next(client, msg));						\
	ASSERT_EQ(expected, (msg)->cmd);						\
	EXPECT_GE(ACRPMU_NL_MAX_MESSAGE, (msg)->bytes);					\
} while (0)

#endif /* ABI_NETLINK_H */
