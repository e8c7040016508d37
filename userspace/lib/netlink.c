// SPDX-License-Identifier: LGPL-2.1-or-later
/* The module's generic netlink family: a socket, requests with their answers, and notices. */
#include "netlink.h"

#include <errno.h>
#include <linux/genetlink.h>
#include <netlink/attr.h>
#include <netlink/genl/ctrl.h>
#include <netlink/genl/genl.h>
#include <netlink/msg.h>
#include <netlink/netlink.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* A dump fills datagrams of up to 32 KiB. */
#define RECV_SIZE	65536
/* Nobody waits longer for an answer, however many notices come in between. */
#define ANSWER_MS	10000
#define RETRY_MS	10	/* until a list that changed is asked for again */
#define NSEC_PER_MSEC	1000000LL
#define MSEC_PER_SEC	1000
/* Asked for; the system's limit may be lower. */
#define SOCKET_BYTES	(1 << 20)
/* Notices that come while an answer is waited for. */
#define QUEUE_BYTES	(4U << 20)

/**
 * struct netlink - a socket
 * @sock: libnl's
 * @family: number of the module's family, 0: not known yet
 * @port: address of the socket
 * @seq: number of the last request
 * @queue: notices that were received but not taken
 * @dropped: notices that found no room there
 * @why: words of the kernel for the last refusal
 * @buf: a datagram
 */
struct netlink {
	struct nl_sock *sock;
	int family;
	__u32 port;
	__u32 seq;
	struct queue queue;
	__u64 dropped;
	char why[NETLINK_WHY_LEN];
	unsigned char buf[RECV_SIZE] __attribute__((aligned(8)));
};

/**
 * struct answer - what a request waits for
 * @seq: its number
 * @deadline_ms: when to give up
 * @take: called for each message of the answer; returns 0 or a negative errno
 * @ctx: passed to @take
 * @done: it is complete
 * @interrupted: what was dumped has changed in between
 * @err: the kernel's refusal, or of @take
 */
struct answer {
	__u32 seq;
	long long deadline_ms;
	int (*take)(void *ctx, struct nlmsghdr *nlh);
	void *ctx;
	bool done;
	bool interrupted;
	int err;
};

/* ---- understanding messages --------------------------------------------------------------- */

enum kind { UNKNOWN, U32, U64, TEXT, CPUS };

/* Where an attribute goes in the struct of its nest. */
struct field {
	enum kind kind;
	size_t offset;
};

#define FIELD(attr, kind, of, member)	\
	[attr] = { kind, offsetof(struct of, member) }
#define NOTICE(attr, kind, member)	FIELD(ACRPMU_NL_A_##attr, kind, acrpmu_notice, member)

static const struct field notice_fields[ACRPMU_NL_A_MAX + 1] = {
	NOTICE(TOPICS, U32, topics), NOTICE(ABI, U32, abi_version),
	NOTICE(TIME, U64, time_ns), NOTICE(SESSION, U64, session),
	NOTICE(PID, U32, pid), NOTICE(COMM, TEXT, comm),
	NOTICE(UID, U32, uid), NOTICE(CREATED, U64, created_ns),
	NOTICE(FLAGS, U32, flags), NOTICE(STATE, U32, state),
	NOTICE(CHANGE, U32, change), NOTICE(NR_TASKS, U32, nr_tasks),
	NOTICE(CPUS, CPUS, cpus), NOTICE(UNPLACED, U32, unplaced),
	NOTICE(TIME_ENABLED, U64, time_enabled), NOTICE(TIME_RUNNING, U64, time_running),
	NOTICE(TIME_MISSED, U64, time_missed), NOTICE(RECORDS, U64, records),
	NOTICE(LOST, U64, lost), NOTICE(THROTTLED, U64, throttled),
	NOTICE(DISCARDED, U64, discarded), NOTICE(GUEST, U64, guest),
	NOTICE(QUIET, U64, quiet), NOTICE(CPU, U32, cpu),
	NOTICE(ERRNO, U32, errnum), NOTICE(REASON, U32, reason),
	NOTICE(EVENT_INDEX, U32, event_index), NOTICE(VALUE, U64, value),
	NOTICE(LIMIT, U64, limit), NOTICE(HOLDER_PID, U32, holder_pid),
	NOTICE(HOLDER, TEXT, holder), NOTICE(COUNTER, U32, cntr),
	NOTICE(REGISTER, U32, msr), NOTICE(EXPECTED, U64, expected),
	NOTICE(FOUND, U64, found), NOTICE(PAUSES, U64, pauses),
	NOTICE(MISSED, U64, missed), NOTICE(LEFT_OUT, U64, left_out),
};

static const struct field event_fields[ACRPMU_NL_EV_MAX + 1] = {
	FIELD(ACRPMU_NL_EV_CONFIG, U64, acrpmu_notice_event, config),
	FIELD(ACRPMU_NL_EV_EXTRA, U64, acrpmu_notice_event, extra_value),
	FIELD(ACRPMU_NL_EV_PERIOD, U64, acrpmu_notice_event, period),
	FIELD(ACRPMU_NL_EV_ACR_MASK, U64, acrpmu_notice_event, acr_mask),
	FIELD(ACRPMU_NL_EV_FLAGS, U32, acrpmu_notice_event, flags),
};

static const struct field count_fields[ACRPMU_NL_CN_MAX + 1] = {
	FIELD(ACRPMU_NL_CN_VALUE, U64, acrpmu_notice_count, value),
	FIELD(ACRPMU_NL_CN_OVERFLOWS, U64, acrpmu_notice_count, overflows),
	FIELD(ACRPMU_NL_CN_FLAGS, U32, acrpmu_notice_count, flags),
};

_Static_assert(ACRPMU_NL_A_MAX < 64, "acrpmu_notice.has has a bit for each attribute");

static struct acrpmu_cpu_set cpu_set(const struct nlattr *attr)
{
	struct acrpmu_cpu_set set = { nla_data(attr), nla_len(attr) };

	while (set.size && !set.bits[set.size - 1])
		set.size--;
	return set;
}

/* The name of a task; the kernel ends it with a 0. */
static int put_text(char *to, const struct nlattr *attr)
{
	size_t len = strnlen(nla_data(attr), nla_len(attr));

	if (len >= ACRPMU_COMM_LEN)
		return -EBADMSG;
	memcpy(to, nla_data(attr), len);
	to[len] = 0;
	return 0;
}

static int put_field(const struct field *field, void *to, const struct nlattr *attr)
{
	char *at = (char *)to + field->offset;
	__u64 value;

	switch (field->kind) {
	case U32:
		if (nla_len(attr) != sizeof(__u32))
			return -EBADMSG;
		memcpy(at, nla_data(attr), sizeof(__u32));
		return 0;
	case U64:
		if (nla_len(attr) != sizeof(__u64))
			return -EBADMSG;
		value = nla_get_u64(attr);
		memcpy(at, &value, sizeof(value));
		return 0;
	case TEXT:
		return put_text(at, attr);
	case CPUS:
		*(struct acrpmu_cpu_set *)at = cpu_set(attr);
		return 0;
	case UNKNOWN:
		break;
	}
	return 0;
}

/* The attributes of an event or a count; a newer module may send more of them. */
static int parse_nest(const struct nlattr *nest, const struct field *fields, int max, void *to)
{
	const struct nlattr *attr = nla_data(nest);
	int left = nla_len(nest), err = 0;

	for (; !err && nla_ok(attr, left); attr = nla_next(attr, &left)) {
		if (nla_type(attr) <= max)
			err = put_field(&fields[nla_type(attr)], to, attr);
	}
	return err ? err : left > 0 ? -EBADMSG : 0;
}

static int parse_placement(const struct nlattr *nest, struct acrpmu_notice_placement *to)
{
	const struct nlattr *attr = nla_data(nest);
	int left = nla_len(nest);

	for (; nla_ok(attr, left); attr = nla_next(attr, &left)) {
		if (nla_type(attr) == ACRPMU_NL_PL_CPUS)
			to->cpus = cpu_set(attr);
		if (nla_type(attr) != ACRPMU_NL_PL_COUNTERS)
			continue;
		to->cntrs = nla_data(attr);
		to->nr_cntrs = nla_len(attr);
	}
	return left > 0 || !to->cpus.size || !to->nr_cntrs ? -EBADMSG : 0;
}

static int parse_attr(const struct nlattr *attr, struct netlink_notice *to)
{
	struct acrpmu_notice *n = &to->notice;
	int type = nla_type(attr);

	if (type > ACRPMU_NL_A_MAX)
		return 0;
	n->has |= 1ULL << type;
	switch (type) {
	case ACRPMU_NL_A_EVENT:
		if (n->nr_events == ACRPMU_MAX_EVENTS)
			return -EBADMSG;
		return parse_nest(attr, event_fields, ACRPMU_NL_EV_MAX,
				  &to->events[n->nr_events++]);
	case ACRPMU_NL_A_COUNT:
		if (n->nr_counts == ACRPMU_MAX_EVENTS)
			return -EBADMSG;
		return parse_nest(attr, count_fields, ACRPMU_NL_CN_MAX,
				  &to->counts[n->nr_counts++]);
	case ACRPMU_NL_A_PLACEMENT:
		if (n->nr_placements == NETLINK_MAX_PLACEMENTS)
			return -EBADMSG;
		return parse_placement(attr, &to->placements[n->nr_placements++]);
	default:
		return put_field(&notice_fields[type], n, attr);
	}
}

int acrpmu_netlink_parse(const void *bytes, size_t size, struct netlink_notice *parsed)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)bytes;
	const struct genlmsghdr *head;
	const struct nlattr *attr;
	int left, err = 0;

	memset(parsed, 0, sizeof(*parsed));
	if (size > ACRPMU_NL_MAX_MESSAGE || !nlmsg_ok(nlh, size) || !genlmsg_valid_hdr(nlh, 0))
		return -EBADMSG;
	head = nlmsg_data(nlh);
	attr = genlmsg_attrdata(head, 0);
	left = genlmsg_attrlen(head, 0);
	for (; !err && nla_ok(attr, left); attr = nla_next(attr, &left))
		err = parse_attr(attr, parsed);
	if (err || left > 0)
		return -EBADMSG;
	parsed->notice.type = head->cmd;
	parsed->notice.events = parsed->events;
	parsed->notice.counts = parsed->counts;
	parsed->notice.placements = parsed->placements;
	return 0;
}

/* ---- receiving ---------------------------------------------------------------------------- */

static void keep_why(struct netlink *nl, const char *text, size_t size)
{
	size_t i, len = strnlen(text, size);

	if (len >= sizeof(nl->why))
		len = sizeof(nl->why) - 1;
	for (i = 0; i < len; i++)
		nl->why[i] = text[i] >= ' ' && text[i] <= '~' ? text[i] : '?';
	nl->why[len] = 0;
}

/* A refusal, or 0: the acknowledgment. Behind it the kernel may give its reason in words. */
static void take_error(struct netlink *nl, struct nlmsghdr *nlh, struct answer *answer)
{
	const struct nlmsgerr *e = nlmsg_data(nlh);
	const struct nlattr *attr;
	size_t len = sizeof(*e);
	int left;

	answer->done = true;
	answer->err = -EBADMSG;
	if (nlmsg_datalen(nlh) < (int)sizeof(*e) || e->error > 0)
		return;
	answer->err = e->error;
	if (!(nlh->nlmsg_flags & NLM_F_ACK_TLVS))
		return;
	/* the request comes first, or of that only its header */
	if (!(nlh->nlmsg_flags & NLM_F_CAPPED) && e->msg.nlmsg_len >= NLMSG_HDRLEN)
		len += NLMSG_ALIGN(e->msg.nlmsg_len) - NLMSG_HDRLEN;
	if (len > (size_t)nlmsg_datalen(nlh))
		return;
	attr = (const struct nlattr *)((const char *)e + len);
	left = nlmsg_datalen(nlh) - len;
	for (; nla_ok(attr, left); attr = nla_next(attr, &left)) {
		if (nla_type(attr) == NLMSGERR_ATTR_MSG)
			keep_why(nl, nla_data(attr), nla_len(attr));
	}
}

static void take_answer(struct netlink *nl, struct nlmsghdr *nlh, struct answer *answer)
{
	int err = 0;

	if (answer->done)
		return;
	if (nlh->nlmsg_flags & NLM_F_DUMP_INTR)
		answer->interrupted = true;
	switch (nlh->nlmsg_type) {
	case NLMSG_ERROR:
		take_error(nl, nlh, answer);
		return;
	case NLMSG_DONE:
		answer->done = true;
		/* the end of a dump has its result */
		if (nlmsg_datalen(nlh) >= (int)sizeof(err))
			memcpy(&err, nlmsg_data(nlh), sizeof(err));
		answer->err = err > 0 ? -EBADMSG : err;
		return;
	default:
		answer->err = answer->take ? answer->take(answer->ctx, nlh) : 0;
		answer->done = answer->err;
	}
}

static void take_notice(struct netlink *nl, const struct nlmsghdr *nlh)
{
	if (!nl->family || nlh->nlmsg_type != nl->family)
		return;
	if (nl->queue.bytes + nlh->nlmsg_len > QUEUE_BYTES ||
	    acrpmu_queue_add(&nl->queue, nlh, nlh->nlmsg_len))
		nl->dropped++;
}

/* Only the kernel has port 0; whoever has CAP_NET_ADMIN could send from another one. */
static ssize_t receive(struct netlink *nl)
{
	struct sockaddr_nl from = { .nl_family = AF_NETLINK };
	socklen_t len = sizeof(from);
	ssize_t n = recvfrom(nl_socket_get_fd(nl->sock), nl->buf, sizeof(nl->buf),
			     MSG_DONTWAIT | MSG_TRUNC, (struct sockaddr *)&from, &len);

	if (n < 0)
		return -errno;
	if (n > (ssize_t)sizeof(nl->buf))
		return -EBADMSG;
	return from.nl_pid ? 0 : n;
}

/*
 * Take one datagram: answers to @answer, which may be NULL, and notices into the queue.
 * Return: 1; -EAGAIN: there is none; -ENOBUFS; -EBADMSG; another error of recvfrom(2).
 */
static int take(struct netlink *nl, struct answer *answer)
{
	struct nlmsghdr *nlh = (struct nlmsghdr *)nl->buf;
	ssize_t n = receive(nl);
	int left = n;

	if (n < 0)
		return n;
	for (; nlmsg_ok(nlh, left); nlh = nlmsg_next(nlh, &left)) {
		if (!nlh->nlmsg_seq)
			take_notice(nl, nlh);
		else if (answer && nlh->nlmsg_seq == answer->seq && nlh->nlmsg_pid == nl->port)
			take_answer(nl, nlh, answer);
	}
	return left > 0 ? -EBADMSG : 1;
}

/* ---- requests ----------------------------------------------------------------------------- */

static long long now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (long long)t.tv_sec * MSEC_PER_SEC + t.tv_nsec / NSEC_PER_MSEC;
}

static int wait_for_answer(struct netlink *nl, struct answer *answer)
{
	struct pollfd pfd = { .fd = nl_socket_get_fd(nl->sock), .events = POLLIN };
	long long left_ms;
	int err;

	while (!answer->done) {
		left_ms = answer->deadline_ms - now_ms();
		if (left_ms <= 0)
			return -ETIMEDOUT;
		err = take(nl, answer);
		if (err == -EAGAIN) {
			if (poll(&pfd, 1, left_ms) < 0 && errno != EINTR)
				return -errno;
		} else if (err < 0 && err != -EINTR) {
			return err;
		}
	}
	return answer->err;
}

/* A request to a family; its attributes follow. */
static struct nl_msg *new_request(struct netlink *nl, int family, int flags, int cmd, int version)
{
	struct nl_msg *msg = nlmsg_alloc();

	if (msg && !genlmsg_put(msg, nl->port, ++nl->seq, family, 0, NLM_F_REQUEST | flags, cmd,
				version)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return msg;
}

/* Send a request, which is freed, and wait for its answer; NULL: there was no memory for it. */
static int ask(struct netlink *nl, struct nl_msg *msg, struct answer *answer)
{
	const struct sockaddr_nl to = { .nl_family = AF_NETLINK };
	const struct nlmsghdr *nlh;
	ssize_t n;

	if (!msg)
		return -ENOMEM;
	nlh = nlmsg_hdr(msg);
	nl->why[0] = 0;
	answer->seq = nlh->nlmsg_seq;
	do {
		n = sendto(nl_socket_get_fd(nl->sock), nlh, nlh->nlmsg_len, 0,
			   (const struct sockaddr *)&to, sizeof(to));
	} while (n < 0 && errno == EINTR);
	if (n < 0)
		n = -errno;
	nlmsg_free(msg);
	return n < 0 ? n : wait_for_answer(nl, answer);
}

/* Members of a family of the kernel's table; 0: not seen. */
struct family {
	int id;
	unsigned int version;
};

static int take_family(void *ctx, struct nlmsghdr *nlh)
{
	struct nlattr *attrs[CTRL_ATTR_MAX + 1];
	struct family *family = ctx;

	if (!genlmsg_valid_hdr(nlh, 0) ||
	    genlmsg_parse(nlh, 0, attrs, CTRL_ATTR_MAX, NULL) < 0)
		return -EBADMSG;
	if (!attrs[CTRL_ATTR_FAMILY_ID] || !attrs[CTRL_ATTR_VERSION] ||
	    nla_len(attrs[CTRL_ATTR_FAMILY_ID]) != sizeof(__u16) ||
	    nla_len(attrs[CTRL_ATTR_VERSION]) != sizeof(__u32))
		return -EBADMSG;
	family->id = nla_get_u16(attrs[CTRL_ATTR_FAMILY_ID]);
	family->version = nla_get_u32(attrs[CTRL_ATTR_VERSION]);
	return 0;
}

int acrpmu_netlink_find_family(struct netlink *netlink, unsigned int *version)
{
	struct family family = { 0 };
	struct answer answer = {
		.deadline_ms = now_ms() + ANSWER_MS, .take = take_family, .ctx = &family,
	};
	struct nl_msg *msg = new_request(netlink, GENL_ID_CTRL, NLM_F_ACK, CTRL_CMD_GETFAMILY, 1);
	int err;

	if (msg && nla_put_string(msg, CTRL_ATTR_FAMILY_NAME, ACRPMU_NL_FAMILY)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	err = ask(netlink, msg, &answer);
	if (!err && family.id < NLMSG_MIN_TYPE)
		err = -EBADMSG;
	if (err)
		return err;
	netlink->family = family.id;
	*version = family.version;
	return 0;
}

int acrpmu_netlink_subscribe(struct netlink *netlink, __u32 topics)
{
	struct answer answer = { .deadline_ms = now_ms() + ANSWER_MS };
	struct nl_msg *msg = new_request(netlink, netlink->family, NLM_F_ACK,
					 ACRPMU_NL_CMD_SUBSCRIBE, ACRPMU_NL_VERSION);

	if (msg && nla_put_u32(msg, ACRPMU_NL_A_TOPICS, topics)) {
		nlmsg_free(msg);
		msg = NULL;
	}
	return ask(netlink, msg, &answer);
}

static int take_session(void *ctx, struct nlmsghdr *nlh)
{
	return acrpmu_queue_add(ctx, nlh, nlh->nlmsg_len);
}

int acrpmu_netlink_dump(struct netlink *netlink, struct queue *sessions)
{
	const long long deadline_ms = now_ms() + ANSWER_MS;
	struct answer answer;
	struct nl_msg *msg;
	int err = 0;

	do {
		acrpmu_queue_free(sessions);
		poll(NULL, 0, err ? RETRY_MS : 0);
		answer = (struct answer){
			.deadline_ms = deadline_ms, .take = take_session, .ctx = sessions,
		};
		msg = new_request(netlink, netlink->family, NLM_F_DUMP, ACRPMU_NL_CMD_SESSION_GET,
				  ACRPMU_NL_VERSION);
		err = ask(netlink, msg, &answer);
		if (!err && answer.interrupted)
			err = -EAGAIN;
		/* -EBUSY: the one before ends while its rest is read */
	} while ((err == -EAGAIN || err == -ENOBUFS || err == -EBUSY) && now_ms() < deadline_ms);
	return err;
}

/* ---- the socket --------------------------------------------------------------------------- */

static int new_socket(struct netlink *nl)
{
	const int on = 1;

	nl->sock = nl_socket_alloc();
	if (!nl->sock)
		return -ENOMEM;
	errno = 0;
	if (genl_connect(nl->sock) < 0)
		return errno ? -errno : -EPROTONOSUPPORT;
	nl->port = nl_socket_get_local_port(nl->sock);
	nl_socket_set_buffer_size(nl->sock, SOCKET_BYTES, 0);
	/* without these a refusal has no words: no reason to fail */
	setsockopt(nl_socket_get_fd(nl->sock), SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
	setsockopt(nl_socket_get_fd(nl->sock), SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	return 0;
}

int acrpmu_netlink_open(struct netlink **netlink)
{
	struct netlink *nl = calloc(1, sizeof(*nl));
	int err;

	if (!nl)
		return -ENOMEM;
	err = new_socket(nl);
	if (err) {
		acrpmu_netlink_close(nl);
		return err;
	}
	*netlink = nl;
	return 0;
}

void acrpmu_netlink_close(struct netlink *netlink)
{
	if (!netlink)
		return;
	if (netlink->sock)
		nl_socket_free(netlink->sock);
	acrpmu_queue_free(&netlink->queue);
	free(netlink);
}

int acrpmu_netlink_fd(const struct netlink *netlink)
{
	return nl_socket_get_fd(netlink->sock);
}

const char *acrpmu_netlink_why(const struct netlink *netlink)
{
	return netlink->why;
}

int acrpmu_netlink_next(struct netlink *netlink, struct queue_entry **entry)
{
	int err;

	while (!netlink->queue.first) {
		/* what was dropped is reported before anything later */
		if (netlink->dropped)
			return 0;
		err = take(netlink, NULL);
		if (err == -EAGAIN)
			return 0;
		if (err < 0 && err != -EINTR)
			return err;
	}
	*entry = acrpmu_queue_take(&netlink->queue);
	return 1;
}

__u64 acrpmu_netlink_dropped(struct netlink *netlink)
{
	__u64 dropped = netlink->queue.first ? 0 : netlink->dropped;

	if (dropped)
		netlink->dropped = 0;
	return dropped;
}
