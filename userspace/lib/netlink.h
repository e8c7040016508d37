/* SPDX-License-Identifier: LGPL-2.1-or-later */
/* The module's generic netlink family: a socket, requests with their answers, and notices. */
#ifndef _ACRPMU_LIB_NETLINK_H
#define _ACRPMU_LIB_NETLINK_H

#include "acrpmu_lib.h"
#include "queue.h"

/* a placement is a nest of two attributes, each with at least one byte */
#define NETLINK_MAX_PLACEMENTS	(ACRPMU_NL_MAX_MESSAGE / 20)
/* bytes of the extended ack of a refusal, with its terminating 0 */
#define NETLINK_WHY_LEN		160

/**
 * struct netlink_notice - a notice with what it points to
 * @notice: the notice; its sets of CPUs and counters point into the message
 * @events: the events of @notice
 * @counts: the counts of @notice
 * @placements: the placements of @notice
 */
struct netlink_notice {
	struct acrpmu_notice notice;
	struct acrpmu_notice_event events[ACRPMU_MAX_EVENTS];
	struct acrpmu_notice_count counts[ACRPMU_MAX_EVENTS];
	struct acrpmu_notice_placement placements[NETLINK_MAX_PLACEMENTS];
};

struct netlink;

/**
 * acrpmu_netlink_parse() - understand a message of the module
 * @bytes: the message with its header, aligned as a struct nlmsghdr
 * @size: bytes that there are
 * @parsed: out, overwritten altogether; valid as long as @bytes
 *
 * Return: 0; -EBADMSG: the message is malformed, or longer than the module sends.
 */
int acrpmu_netlink_parse(const void *bytes, size_t size, struct netlink_notice *parsed);

/**
 * acrpmu_netlink_open() - open a socket
 * @netlink: out, written only on success
 *
 * Return: 0; -ENOMEM; the error of socket(2).
 */
int acrpmu_netlink_open(struct netlink **netlink);

/**
 * acrpmu_netlink_close() - close the socket
 * @netlink: may be NULL
 */
void acrpmu_netlink_close(struct netlink *netlink);

/**
 * acrpmu_netlink_fd() - descriptor of the socket
 *
 * Return: the descriptor, which is readable when there is a message.
 */
int acrpmu_netlink_fd(const struct netlink *netlink);

/**
 * acrpmu_netlink_why() - words of the kernel for the refusal of the last request
 *
 * Return: the text, printable; empty if it gave none.
 */
const char *acrpmu_netlink_why(const struct netlink *netlink);

/**
 * acrpmu_netlink_find_family() - find the module's family, before all other requests
 * @version: out, of its messages
 *
 * Return: 0; -ENOENT: there is none; or as any request: -ETIMEDOUT: no answer came; -EBADMSG: it is
 * malformed; -ENOMEM; an error of sendto(2) or recvfrom(2); the kernel's refusal.
 */
int acrpmu_netlink_find_family(struct netlink *netlink, unsigned int *version);

/**
 * acrpmu_netlink_subscribe() - request notices
 * @topics: ACRPMU_NL_TOPIC_*
 *
 * Return: 0; as any request.
 */
int acrpmu_netlink_subscribe(struct netlink *netlink, __u32 topics);

/**
 * acrpmu_netlink_dump() - request all sessions
 * @sessions: out, one message for each; complete only on success, to be freed in any case
 *
 * Return: 0; -EAGAIN: they kept changing; as any request.
 */
int acrpmu_netlink_dump(struct netlink *netlink, struct queue *sessions);

/**
 * acrpmu_netlink_next() - take the next notice
 * @entry: out, the message, to be freed by free()
 *
 * Return: 1; 0: there is none yet; -ENOBUFS: the kernel had to drop messages, go on; another error
 * of recvfrom(2).
 */
int acrpmu_netlink_next(struct netlink *netlink, struct queue_entry **entry);

/**
 * acrpmu_netlink_dropped() - notices that found no room while a request was waited for
 *
 * Return: their number since the last call.
 */
__u64 acrpmu_netlink_dropped(struct netlink *netlink);

#endif /* _ACRPMU_LIB_NETLINK_H */
