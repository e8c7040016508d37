// SPDX-License-Identifier: GPL-2.0-only
/* The generic netlink family: requests, answers, and the form of notifications. */
#include <linux/capability.h>
#include <linux/cred.h>
#include <linux/fs.h>
#include <linux/mutex.h>
#include <linux/net.h>
#include <linux/netlink.h>
#include <linux/notifier.h>
#include <linux/skbuff.h>
#include <linux/slab.h>
#include <linux/user_namespace.h>
#include <net/genetlink.h>
#include <net/sock.h>

#include "../uapi/acrpmu_netlink.h"
#include "session.h"
#include "limits.h"
#include "listener.h"
#include "message.h"
#include "netlink.h"
#include "registry.h"

static struct genl_family family;
static bool registered;			/* constant after load */

/* A message in the making; listener.c makes one at a time */
static struct sk_buff *draft;

/* An empty buffer may be larger than was asked for, or a dump's reader may read more at a time. */
static void limit_room(struct sk_buff *skb)
{
	int more = skb_tailroom(skb) - ACRPMU_NL_MAX_MESSAGE;

	if (more > 0)
		skb_reserve(skb, more);
}

/* ---- who may ask ---- */

/* What the sender's socket was opened as; NULL for one of the kernel's own. */
static const struct file *file_of(const struct sk_buff *skb)
{
	const struct socket *socket = NETLINK_CB(skb).sk->sk_socket;

	return socket ? socket->file : NULL;
}

/*
 * Not netlink_capable(): it does not look at the opener if the request was sent with an address,
 * as by sendto().
 */
static bool has_cap(const struct sk_buff *skb, int cap)
{
	const struct file *file = file_of(skb);

	/* The sender without a word to the audit log, since there is another way. */
	return ns_capable_noaudit(&init_user_ns, cap) && file &&
	       file_ns_capable(file, &init_user_ns, cap);
}

static bool is_capable(const struct sk_buff *skb)
{
	return has_cap(skb, CAP_PERFMON) || has_cap(skb, CAP_SYS_ADMIN);
}

/* Otherwise the opener could learn of the sessions of whoever can be made to write to it. */
static bool is_own_socket(const struct sk_buff *skb)
{
	const struct file *file = file_of(skb);

	return file && uid_eq(file->f_cred->euid, current_euid());
}

static int check_permission(const struct sk_buff *skb, bool *capable,
			    struct netlink_ext_ack *extack)
{
	*capable = is_capable(skb);
	if (*capable || (READ_ONCE(acrpmu_unprivileged) && is_own_socket(skb)))
		return 0;
	NL_SET_ERR_MSG(extack,
		       "needs CAP_PERFMON, of the sender and of whoever opened the socket");
	return -EPERM;
}

/* ---- subscribing ---- */

static struct sk_buff *make_answer(const struct genl_info *info, u32 topics)
{
	struct sk_buff *skb = genlmsg_new(2 * nla_total_size(sizeof(u32)), GFP_KERNEL);
	void *hdr;

	if (!skb)
		return NULL;
	hdr = genlmsg_put(skb, info->snd_portid, info->snd_seq, &family, 0,
			  ACRPMU_NL_CMD_SUBSCRIBE);
	if (!hdr || nla_put_u32(skb, ACRPMU_NL_A_TOPICS, topics) ||
	    nla_put_u32(skb, ACRPMU_NL_A_ABI, ACRPMU_ABI_VERSION)) {
		kfree_skb(skb);
		return NULL;
	}
	genlmsg_end(skb, hdr);
	return skb;
}

static int subscribe(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *topics = info->attrs[ACRPMU_NL_A_TOPICS];
	struct sk_buff *answer;
	bool capable;
	int ret = check_permission(skb, &capable, info->extack);

	if (ret)
		return ret;
	if (!topics) {
		NL_SET_ERR_MSG(info->extack, "TOPICS is missing");
		return -EINVAL;
	}
	/* first, so that a request which fails has changed nothing */
	answer = make_answer(info, nla_get_u32(topics));
	if (!answer)
		return -ENOMEM;
	ret = acrpmu_listener_set(NETLINK_CB(skb).sk, info->snd_portid, nla_get_u32(topics),
				  capable);
	if (!ret)
		return genlmsg_reply(answer, info);
	kfree_skb(answer);
	if (ret == -EMFILE)
		NL_SET_ERR_MSG(info->extack, "too many sockets have subscribed: close some");
	return ret;
}

/* ---- sessions ---- */

static bool is_visible(const struct acrpmu_session *session, const struct acrpmu_view *view)
{
	return session->announced && acrpmu_view_shows(view, session->cred->euid);
}

static int put_session(struct sk_buff *skb, u32 portid, u32 seq, int flags,
		       const struct acrpmu_session *session, const struct acrpmu_view *view,
		       struct netlink_callback *cb)
{
	bool first = !skb->len;
	void *hdr = genlmsg_put(skb, portid, seq, &family, flags, ACRPMU_NL_CMD_SESSION_GET);

	if (!hdr)
		return -EMSGSIZE;
	/* One that is too long even alone is cut. */
	if (acrpmu_message_fill_session(skb, session, view, first)) {
		genlmsg_cancel(skb, hdr);
		return -EMSGSIZE;
	}
	if (cb)
		genl_dump_check_consistent(cb, hdr);
	genlmsg_end(skb, hdr);
	return 0;
}

static int answer_get(struct genl_info *info, u64 id, const struct acrpmu_view *view)
{
	struct sk_buff *skb = nlmsg_new(ACRPMU_NL_MAX_MESSAGE - NLMSG_HDRLEN, GFP_KERNEL);
	const struct acrpmu_session *session;
	int ret = -ENOENT;

	if (!skb)
		return -ENOMEM;
	limit_room(skb);
	mutex_lock(&acrpmu_lock);
	list_for_each_entry(session, &acrpmu_sessions, node)
		if (session->id == id && is_visible(session, view))
			ret = put_session(skb, info->snd_portid, info->snd_seq, 0, session, view,
					  NULL);
	mutex_unlock(&acrpmu_lock);
	if (!ret)
		return genlmsg_reply(skb, info);
	kfree_skb(skb);
	if (ret == -ENOENT)
		NL_SET_ERR_MSG(info->extack, "there is no such session; a dump lists all");
	return ret;
}

static int get(struct sk_buff *skb, struct genl_info *info)
{
	struct nlattr *id = info->attrs[ACRPMU_NL_A_SESSION];
	struct acrpmu_view view;
	bool capable;
	int ret = check_permission(skb, &capable, info->extack);

	if (ret)
		return ret;
	if (!id) {
		NL_SET_ERR_MSG(info->extack, "SESSION is missing; a dump lists all");
		return -EINVAL;
	}
	acrpmu_view_begin(&view, capable);
	ret = answer_get(info, nla_get_u64(id), &view);
	acrpmu_view_end(&view);
	return ret;
}

/**
 * struct dump - a dump under way
 * @view: of whoever has started it; another process may read on
 * @next: the smallest number of a session that may still come
 */
struct dump {
	struct acrpmu_view view;
	u64 next;
};

static struct dump *dump_of(struct netlink_callback *cb)
{
	return (struct dump *)cb->args[0];
}

static int dump_start(struct netlink_callback *cb)
{
	struct dump *dump;
	bool capable;
	int ret = check_permission(cb->skb, &capable, cb->extack);

	if (ret)
		return ret;
	dump = kzalloc(sizeof(*dump), GFP_KERNEL_ACCOUNT);
	if (!dump)
		return -ENOMEM;
	acrpmu_view_begin(&dump->view, capable);
	cb->args[0] = (long)dump;
	return 0;
}

static int dump_done(struct netlink_callback *cb)
{
	struct dump *dump = dump_of(cb);

	acrpmu_view_end(&dump->view);
	kfree(dump);
	return 0;
}

/* Numbers only grow, so it goes on after the last one whatever has gone in between. */
static int dump(struct sk_buff *skb, struct netlink_callback *cb)
{
	const struct acrpmu_session *session;
	struct dump *dump = dump_of(cb);
	int ret = 0;

	limit_room(skb);
	mutex_lock(&acrpmu_lock);
	cb->seq = acrpmu_registry_generation();
	list_for_each_entry(session, &acrpmu_sessions, node) {
		if (session->id < dump->next || !is_visible(session, &dump->view))
			continue;
		ret = put_session(skb, NETLINK_CB(cb->skb).portid, cb->nlh->nlmsg_seq,
				  NLM_F_MULTI, session, &dump->view, cb);
		if (ret)
			break;
		dump->next = session->id + 1;
	}
	mutex_unlock(&acrpmu_lock);
	return skb->len ?: ret;
}

/* ---- the family ---- */

/* Attributes that requests may have; all others are of messages to programs only. */
static const struct nla_policy policy[ACRPMU_NL_A_MAX + 1] = {
	[ACRPMU_NL_A_TOPICS]	= NLA_POLICY_MASK(NLA_U32, ACRPMU_NL_TOPICS),
	[ACRPMU_NL_A_SESSION]	= { .type = NLA_U64 },
};

static const struct genl_ops ops[] = {
	{
		.cmd = ACRPMU_NL_CMD_SUBSCRIBE,
		.doit = subscribe,
	},
	{
		.cmd = ACRPMU_NL_CMD_SESSION_GET,
		.doit = get,
		.start = dump_start,
		.dumpit = dump,
		.done = dump_done,
	},
};

static struct genl_family family __ro_after_init = {
	.name = ACRPMU_NL_FAMILY,
	.version = ACRPMU_NL_VERSION,
	.maxattr = ACRPMU_NL_A_MAX,
	.policy = policy,
	.ops = ops,
	.n_ops = ARRAY_SIZE(ops),
	.resv_start_op = ACRPMU_NL_CMD_SUBSCRIBE,
	.module = THIS_MODULE,
	/* A container has its own network, and its privileged programs may observe all the same. */
	.netnsok = true,
	/* Whoever waits for acrpmu_lock must not hold up other families. */
	.parallel_ops = true,
};

/* ---- notifications ---- */

/* A copy of the draft that is no longer than needed, since its size counts for the socket. */
static struct sk_buff *copy_draft(void)
{
	struct sk_buff *skb = alloc_skb(draft->len, GFP_NOWAIT | __GFP_NOWARN);

	if (skb)
		skb_put_data(skb, draft->data, draft->len);
	return skb;
}

static struct sk_buff *build(const struct acrpmu_notice *notice, const struct acrpmu_view *view)
{
	struct sk_buff *skb = NULL;
	void *hdr = genlmsg_put(draft, 0, 0, &family, 0, notice->cmd);

	if (!WARN_ON_ONCE(!hdr || acrpmu_message_fill(draft, notice, view))) {
		genlmsg_end(draft, hdr);
		skb = copy_draft();
	}
	skb_trim(draft, 0);
	return skb;
}

static int on_netlink(struct notifier_block *block, unsigned long event, void *data)
{
	const struct netlink_notify *notify = data;

	if (event == NETLINK_URELEASE && notify->protocol == NETLINK_GENERIC)
		acrpmu_listener_closed(notify->portid);
	return NOTIFY_DONE;
}

static struct notifier_block block = {
	.notifier_call = on_netlink,
};

static int begin(void)
{
	int ret;

	draft = nlmsg_new(ACRPMU_NL_MAX_MESSAGE - NLMSG_HDRLEN, GFP_KERNEL);
	if (!draft)
		return -ENOMEM;
	limit_room(draft);
	acrpmu_listener_init(build);
	ret = netlink_register_notifier(&block);
	if (ret)
		goto err_draft;
	ret = genl_register_family(&family);
	if (ret)
		goto err_notifier;
	return 0;

err_notifier:
	netlink_unregister_notifier(&block);
err_draft:
	kfree_skb(draft);
	return ret;
}

/**
 * acrpmu_netlink_init() - let programs list sessions and subscribe; the module works without, too
 *
 * Context: process, at load.
 */
void acrpmu_netlink_init(void)
{
	int ret = begin();

	registered = !ret;
	if (ret)
		pr_warn("no generic netlink family (%d): nobody can list sessions or listen\n",
			ret);
}

/**
 * acrpmu_netlink_exit() - undo acrpmu_netlink_init()
 *
 * Context: process, may sleep, at unload.
 */
void acrpmu_netlink_exit(void)
{
	if (!registered)
		return;
	genl_unregister_family(&family);
	netlink_unregister_notifier(&block);
	acrpmu_listener_exit();
	kfree_skb(draft);
}
