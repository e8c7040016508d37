// SPDX-License-Identifier: LGPL-2.1-or-later
/* Listening to the module: what happens to sessions and CPUs, and which sessions exist. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../util/message.h"
#include "acrpmu_lib.h"
#include "netlink.h"

/**
 * struct acrpmu_monitor - a listener
 * @netlink: its socket
 * @entry: the message that @parsed points into
 * @parsed: the notice that was returned last
 */
struct acrpmu_monitor {
	struct netlink *netlink;
	struct queue_entry *entry;
	struct netlink_notice parsed;
};

/* ---- refusals ----------------------------------------------------------------------------- */

/* Without the device no module is loaded; otherwise it has no family here. */
static void explain_no_family(struct acrpmu_message *message)
{
	if (access(ACRPMU_DEVICE, F_OK) && errno == ENOENT) {
		acrpmu_explain_open(-ENOENT, message);
		return;
	}
	acrpmu_message_text(message, "no-family", "the module that is loaded reports nothing here: "
			    "there is no netlink family '" ACRPMU_NL_FAMILY "'");
	acrpmu_message_hint(message, "install module and program of one version, and load that "
			    "module; the kernel log may say more: dmesg");
}

static void explain_version(unsigned int version, struct acrpmu_message *message)
{
	acrpmu_message_text(message, "abi", "the module's messages are of version %u, this library "
			    "knows version %u", version, ACRPMU_NL_VERSION);
	acrpmu_message_hint(message, "install module and program of one version");
}

static void explain_errno(int err, const char *why, struct acrpmu_message *message)
{
	switch (-err) {
	case EPERM:
	case EACCES:
		acrpmu_message_text(message, "permission", "the caller may not see sessions");
		acrpmu_message_hint(message, "run it as root, or let root give it CAP_PERFMON for "
				    "one group: acrctl(1), PERMISSION");
		break;
	case EMFILE:
		acrpmu_message_text(message, "listeners", "too many programs listen to the module, "
				    "or too many files are open");
		acrpmu_message_hint(message, "end other monitors, or raise the limit with 'ulimit "
				    "-n'");
		break;
	case ENOMEM:
		acrpmu_message_no_memory(message);
		break;
	case ETIMEDOUT:
		acrpmu_message_text(message, "timeout", "the module did not answer in time");
		acrpmu_message_hint(message, "try again; the kernel log may say more: dmesg");
		break;
	case EAGAIN:
		acrpmu_message_text(message, "changing", "sessions come and go too fast to list "
				    "them all");
		acrpmu_message_hint(message, "try again");
		break;
	case EBADMSG:
		acrpmu_message_text(message, "malformed", "the module's answer is malformed");
		acrpmu_message_hint(message, "install module and program of one version");
		break;
	case EPROTONOSUPPORT:
	case EAFNOSUPPORT:
		acrpmu_message_text(message, "no-netlink", "there is no generic netlink: %s",
				    strerror(-err));
		acrpmu_message_hint(message, "use a kernel with CONFIG_NET, and allow the program "
				    "sockets of AF_NETLINK");
		break;
	default:
		acrpmu_message_text(message, "errno", "the module did not answer: %s%s%s",
				    strerror(-err), *why ? ": " : "", why);
		acrpmu_message_hint(message, "the kernel log may say more: dmesg");
		break;
	}
}

static int explain(const struct acrpmu_monitor *monitor, int err, struct acrpmu_message *message)
{
	if (err)
		explain_errno(err, monitor->netlink ? acrpmu_netlink_why(monitor->netlink) : "",
			      message);
	return err;
}

/* ---- the listener ------------------------------------------------------------------------- */

static int open_family(struct acrpmu_monitor *monitor, struct acrpmu_message *message)
{
	unsigned int version = 0;
	int err = acrpmu_netlink_open(&monitor->netlink);

	if (err)
		return explain(monitor, err, message);
	err = acrpmu_netlink_find_family(monitor->netlink, &version);
	if (err == -ENOENT) {
		explain_no_family(message);
	} else if (!err && version != ACRPMU_NL_VERSION) {
		explain_version(version, message);
		err = -EPROTONOSUPPORT;
	} else {
		explain(monitor, err, message);
	}
	return err;
}

/**
 * acrpmu_monitor_open() - get ready to listen to the module
 * @monitor: out, to be closed by acrpmu_monitor_close(); written only on success
 * @message: out, why not; may be NULL
 *
 * Return: 0; -ENOENT: the module is not loaded, or reports nothing;
 * -EPROTONOSUPPORT: the kernel has no generic netlink, or the module's messages are of another
 * version; -ETIMEDOUT; -EBADMSG; -ENOMEM; another error of the socket.
 */
int acrpmu_monitor_open(struct acrpmu_monitor **monitor, struct acrpmu_message *message)
{
	struct acrpmu_monitor *m = calloc(1, sizeof(*m));
	int err;

	acrpmu_message_clear(message);
	if (!m)
		return acrpmu_message_no_memory(message);
	err = open_family(m, message);
	if (err) {
		acrpmu_monitor_close(m);
		return err;
	}
	*monitor = m;
	return 0;
}

/**
 * acrpmu_monitor_close() - listen no longer
 * @monitor: may be NULL
 */
void acrpmu_monitor_close(struct acrpmu_monitor *monitor)
{
	if (!monitor)
		return;
	acrpmu_netlink_close(monitor->netlink);
	free(monitor->entry);
	free(monitor);
}

/**
 * acrpmu_monitor_fd() - descriptor for poll(2)
 *
 * Before waiting, acrpmu_monitor_next() must have returned 0: notices that came with an answer do
 * not make the descriptor readable.
 *
 * Return: the descriptor, which the monitor keeps; readable when there are notices.
 */
int acrpmu_monitor_fd(const struct acrpmu_monitor *monitor)
{
	return acrpmu_netlink_fd(monitor->netlink);
}

/**
 * acrpmu_monitor_subscribe() - choose what to listen to
 * @topics: ACRPMU_NL_TOPIC_*, instead of those before; 0: nothing any more
 * @message: out, why not; may be NULL
 *
 * Return: 0; -EPERM: neither CAP_PERFMON nor CAP_SYS_ADMIN, and the module does not let others
 * listen; -EINVAL: the module does not know a topic; -EMFILE: too many listeners; -ETIMEDOUT;
 * -EBADMSG; -ENOMEM; another error of the socket.
 */
int acrpmu_monitor_subscribe(struct acrpmu_monitor *monitor, __u32 topics,
			     struct acrpmu_message *message)
{
	acrpmu_message_clear(message);
	return explain(monitor, acrpmu_netlink_subscribe(monitor->netlink, topics), message);
}

/* Notices that this process has dropped are missing as those that the module had no room for. */
static int next_dropped(struct acrpmu_monitor *monitor)
{
	struct acrpmu_notice *n = &monitor->parsed.notice;
	const __u64 dropped = acrpmu_netlink_dropped(monitor->netlink);

	if (!dropped)
		return 0;
	memset(n, 0, sizeof(*n));
	n->type = ACRPMU_NL_CMD_MISSED;
	n->has = 1ULL << ACRPMU_NL_A_MISSED;
	n->missed = dropped;
	return 1;
}

/**
 * acrpmu_monitor_next() - read the next notice, without waiting
 * @notice: out, valid until the next call on @monitor
 *
 * Return: 1; 0: there is none yet; -ENOBUFS: the kernel dropped an unknown number of messages;
 * -EBADMSG: a message is malformed; after either the next call goes on; -ENOMEM; another error of
 * recvfrom(2).
 */
int acrpmu_monitor_next(struct acrpmu_monitor *monitor, const struct acrpmu_notice **notice)
{
	int ret, err;

	free(monitor->entry);
	monitor->entry = NULL;
	ret = acrpmu_netlink_next(monitor->netlink, &monitor->entry);
	if (ret == 1) {
		err = acrpmu_netlink_parse(monitor->entry->bytes, monitor->entry->size,
					   &monitor->parsed);
		if (err)
			return err;
	} else if (!ret) {
		ret = next_dropped(monitor);
	}
	if (ret == 1)
		*notice = &monitor->parsed.notice;
	return ret;
}

static int parse_each(const struct queue *sessions, struct netlink_notice *parsed,
		      int (*each)(void *ctx, const struct acrpmu_notice *session), void *ctx,
		      struct acrpmu_message *message)
{
	const struct queue_entry *entry;
	int ret = 0;

	for (entry = sessions->first; !ret && entry; entry = entry->next) {
		ret = acrpmu_netlink_parse(entry->bytes, entry->size, parsed);
		if (ret)
			explain_errno(ret, "", message);
		else
			ret = each(ctx, &parsed->notice);
	}
	return ret;
}

/**
 * acrpmu_monitor_sessions() - list the sessions that exist
 * @each: called for each session, in the order of their numbers, as they were at one moment; any
 *	value but 0 ends the list
 * @ctx: passed to @each
 * @message: out, why not; may be NULL
 *
 * Notices that arrive in the meantime are kept for acrpmu_monitor_next(): those who subscribe first
 * overlook no session.
 *
 * Return: 0; what @each returned; -EPERM; -EAGAIN: sessions kept changing; -ETIMEDOUT; -EBADMSG;
 * -ENOMEM; another error of the socket.
 */
int acrpmu_monitor_sessions(struct acrpmu_monitor *monitor,
			    int (*each)(void *ctx, const struct acrpmu_notice *session), void *ctx,
			    struct acrpmu_message *message)
{
	struct queue sessions = { NULL };
	int ret;

	acrpmu_message_clear(message);
	free(monitor->entry);
	monitor->entry = NULL;
	ret = explain(monitor, acrpmu_netlink_dump(monitor->netlink, &sessions), message);
	if (!ret)
		ret = parse_each(&sessions, &monitor->parsed, each, ctx, message);
	acrpmu_queue_free(&sessions);
	return ret;
}
