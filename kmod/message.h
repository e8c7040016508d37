/* SPDX-License-Identifier: GPL-2.0-only */
/* Sessions as attributes of a message, for a reader who may not know all of them. */
#ifndef _ACRPMU_MESSAGE_H
#define _ACRPMU_MESSAGE_H

#include <linux/types.h>
#include <linux/uidgid.h>

struct acrpmu_session;
struct cred;
struct pid_namespace;
struct sk_buff;

/**
 * struct acrpmu_view - what a reader may know, and the numbers that processes and users have there
 * @pid_ns: of whoever asked; a reference is held
 * @cred: of whoever asked; a reference is held
 * @capable: may know of all sessions; others of those of their own user only
 */
struct acrpmu_view {
	struct pid_namespace *pid_ns;
	const struct cred *cred;
	bool capable;
};

void acrpmu_view_begin(struct acrpmu_view *view, bool capable);
void acrpmu_view_end(struct acrpmu_view *view);
bool acrpmu_view_shows(const struct acrpmu_view *view, kuid_t owner);

int acrpmu_message_fill_session(struct sk_buff *skb, const struct acrpmu_session *session,
				const struct acrpmu_view *view, bool may_cut);

#endif /* _ACRPMU_MESSAGE_H */
