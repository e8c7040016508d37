/* SPDX-License-Identifier: GPL-2.0-only */
/* What happened, as attributes of a message, for a reader who may not know all of it. */
#ifndef _ACRPMU_MESSAGE_H
#define _ACRPMU_MESSAGE_H

#include <linux/cred.h>
#include <linux/types.h>
#include <linux/uidgid.h>

struct acrpmu_changed;
struct acrpmu_error;
struct acrpmu_session;
struct cpumask;
struct pid;
struct pid_namespace;
struct sk_buff;

/**
 * struct acrpmu_view - what a reader may know, and the numbers that processes and users have there
 * @pid_ns: of whoever asked; a reference is held
 * @cred: of whoever asked; a reference is held
 * @capable: may know of all sessions; others of those of their own user only, and their
 *	counts only if the creator was not capable either
 */
struct acrpmu_view {
	struct pid_namespace *pid_ns;
	const struct cred *cred;
	bool capable;
};

/**
 * struct acrpmu_notice - something that happened, for those who listen to its topic
 * @topic: ACRPMU_NL_TOPIC_*; 0: for one listener, whatever the topic
 * @cmd: ACRPMU_NL_CMD_*, which says what of the following is used
 * @session: the session concerned, NULL if none
 * @owned: somebody did it, or it concerns a session: @pid, @comm and @uid are valid
 * @cpu: the CPU concerned, negative: none
 * @ret: negative errno of a refusal
 */
struct acrpmu_notice {
	u32 topic;
	u8 cmd;
	struct acrpmu_session *session;
	bool owned;
	struct pid *pid;
	const char *comm;
	kuid_t uid;
	u32 change;
	int cpu;
	const struct cpumask *cpus;
	int ret;
	const struct acrpmu_error *err;
	const struct acrpmu_changed *changed;
	u64 lost;
	u64 throttled;
	u64 pauses;
	u64 missed;
	u64 left_out;
};

void acrpmu_view_begin(struct acrpmu_view *view, bool capable);
void acrpmu_view_end(struct acrpmu_view *view);
bool acrpmu_view_same(const struct acrpmu_view *a, const struct acrpmu_view *b);

int acrpmu_message_fill(struct sk_buff *skb, const struct acrpmu_notice *notice,
			const struct acrpmu_view *view);
int acrpmu_message_fill_session(struct sk_buff *skb, const struct acrpmu_session *session,
				const struct acrpmu_view *view, bool may_cut);

/**
 * acrpmu_view_shows() - check that a reader may know of what belongs to a user
 *
 * Context: any.
 */
static inline bool acrpmu_view_shows(const struct acrpmu_view *view, kuid_t owner)
{
	return view->capable || uid_eq(view->cred->euid, owner);
}

#endif /* _ACRPMU_MESSAGE_H */
