// SPDX-License-Identifier: GPL-2.0-only
/* The sockets that listen, and what does not fit them. */
#include <linux/cred.h>
#include <linux/jiffies.h>
#include <linux/mutex.h>
#include <linux/rculist.h>
#include <linux/slab.h>
#include <linux/workqueue.h>
#include <net/sock.h>

#include "../uapi/acrpmu_netlink.h"
#include "listener.h"
#include "message.h"
#include "registry.h"
#include "topic.h"

/* A message costs something for each of them. */
#define MAX_LISTENERS			128
#define MAX_LISTENERS_OF_A_USER		8	/* without CAP_PERFMON */

/* Refusals in a second that a listener gets; it gets the number of the others. */
#define MAX_REFUSALS			20

/* A full socket is looked at again after this. */
#define RETRY_AFTER			(HZ / 2)

/* Of its buffer, in quarters: one is left for answers; to report what was missed, two are. */
#define SHARE				3
#define SHARE_FOR_MISSED		2

/**
 * struct listener - a socket that listens
 * @node: in the list of listeners
 * @sk: the socket; a reference is held, so that another one with its port is not taken for it
 * @portid: its port when it subscribed
 * @gone: it was closed
 * @topics: ACRPMU_NL_TOPIC_*; @send_mutex, as all that follows
 * @view: what its owner may know
 * @missed: messages that did not fit and were not reported yet
 * @left_out: refusals that were too many and were not reported yet
 * @refusals: those sent since @second
 * @second: jiffies when the second began in which they are counted
 * @free: frees it after all who may have found it
 */
struct listener {
	struct list_head node;
	struct sock *sk;
	u32 portid;
	bool gone;
	u32 topics;
	struct acrpmu_view view;
	u64 missed;
	u64 left_out;
	unsigned int refusals;
	unsigned long second;
	struct rcu_work free;
};

static LIST_HEAD(listeners);		/* changed under send_mutex, read with RCU */
static unsigned int nr_listeners;	/* send_mutex */
/* One message at a time; the innermost mutex. */
static DEFINE_MUTEX(send_mutex);
/* constant once there are listeners */
static struct sk_buff *(*build)(const struct acrpmu_notice *notice,
				const struct acrpmu_view *view);

static void retry(struct work_struct *work);
static DECLARE_DELAYED_WORK(retry_work, retry);

/* ---- the list ---- */

static void find_topics(void)
{
	const struct listener *listener;
	u32 topics = 0;

	list_for_each_entry(listener, &listeners, node)
		topics |= listener->topics;
	acrpmu_topic_set(topics);
}

static void free_listener(struct work_struct *work)
{
	struct listener *listener = container_of(to_rcu_work(work), struct listener, free);

	acrpmu_view_end(&listener->view);
	sock_put(listener->sk);
	kfree(listener);
}

static void remove(struct listener *listener)
{
	list_del_rcu(&listener->node);
	nr_listeners--;
	queue_rcu_work(acrpmu_wq, &listener->free);
}

static void remove_gone(void)
{
	struct listener *listener, *next;

	list_for_each_entry_safe(listener, next, &listeners, node)
		if (READ_ONCE(listener->gone))
			remove(listener);
}

static void reap(struct work_struct *work)
{
	mutex_lock(&send_mutex);
	remove_gone();
	find_topics();
	mutex_unlock(&send_mutex);
}

static DECLARE_WORK(reap_work, reap);

static struct listener *find(const struct sock *sk)
{
	struct listener *listener;

	list_for_each_entry(listener, &listeners, node)
		if (listener->sk == sk)
			return listener;
	return NULL;
}

static bool is_too_many(bool capable)
{
	const struct listener *listener;
	unsigned int nr = 0;

	if (capable)
		return nr_listeners >= MAX_LISTENERS;
	list_for_each_entry(listener, &listeners, node)
		if (!listener->view.capable && uid_eq(listener->view.cred->euid, current_euid()))
			nr++;
	return nr >= MAX_LISTENERS_OF_A_USER || nr_listeners >= MAX_LISTENERS / 2;
}

static struct listener *make(struct sock *sk, u32 portid, u32 topics, bool capable)
{
	struct listener *listener = kzalloc(sizeof(*listener), GFP_KERNEL_ACCOUNT);

	if (!listener)
		return NULL;
	sock_hold(sk);
	listener->sk = sk;
	listener->portid = portid;
	listener->topics = topics;
	listener->second = jiffies;
	INIT_RCU_WORK(&listener->free, free_listener);
	acrpmu_view_begin(&listener->view, capable);
	return listener;
}

/* What its owner does not know yet stays to be reported. */
static void inherit(struct listener *listener, const struct listener *old)
{
	listener->missed = old->missed;
	listener->left_out = old->left_out;
	listener->refusals = old->refusals;
	listener->second = old->second;
}

static int replace(struct listener *old, struct listener *listener)
{
	if (listener && !old && is_too_many(listener->view.capable))
		return -EMFILE;
	if (listener && old)
		inherit(listener, old);
	if (listener) {
		list_add_tail_rcu(&listener->node, &listeners);
		nr_listeners++;
	}
	if (old)
		remove(old);
	return 0;
}

/**
 * acrpmu_listener_set() - send some topics to a socket from now on, and no others
 * @sk: the socket, which whoever asks has open
 * @portid: its port
 * @topics: ACRPMU_NL_TOPIC_*; 0: it does not listen any more
 * @capable: whoever asks may know of all sessions
 *
 * Context: process, may sleep, of whoever asks.
 * Return: 0; -EMFILE: there are too many; -ENOMEM.
 */
int acrpmu_listener_set(struct sock *sk, u32 portid, u32 topics, bool capable)
{
	struct listener *listener = topics ? make(sk, portid, topics, capable) : NULL;
	int ret;

	if (topics && !listener)
		return -ENOMEM;
	mutex_lock(&send_mutex);
	/* Closed sockets count for no limit, even if the worker has not come to them yet. */
	remove_gone();
	ret = replace(find(sk), listener);
	find_topics();
	mutex_unlock(&send_mutex);
	if (ret)
		free_listener(&listener->free.work);
	return ret;
}

/**
 * acrpmu_listener_closed() - notice that a socket with some port was closed
 *
 * Another one may have got the port in the meantime, and listen.
 *
 * Context: process; takes no lock, because every closed socket passes here.
 */
void acrpmu_listener_closed(u32 portid)
{
	struct listener *listener;
	bool any = false;

	rcu_read_lock();
	list_for_each_entry_rcu(listener, &listeners, node)
		if (listener->portid == portid && sock_flag(listener->sk, SOCK_DEAD)) {
			WRITE_ONCE(listener->gone, true);
			any = true;
		}
	rcu_read_unlock();
	if (any)
		queue_work(acrpmu_wq, &reap_work);
}

/* ---- sending ---- */

static int room(const struct sock *sk, int share)
{
	unsigned int quarter = READ_ONCE(sk->sk_rcvbuf) / 4U;

	return quarter * share - atomic_read(&sk->sk_rmem_alloc);
}

/*
 * Not netlink's own function: it finds the socket by its port, which may be that of a new socket by
 * now, and reports a full one by ENOBUFS, with which answers would be lost.
 */
static bool queue(const struct listener *listener, struct sk_buff *skb, int share)
{
	int ret = -ENOMEM;

	if (!skb)
		return false;
	if ((int)skb->truesize <= room(listener->sk, share))
		ret = sock_queue_rcv_skb(listener->sk, skb);
	if (ret)
		kfree_skb(skb);
	/* Anything else is that the socket's own filter does not want it. */
	return ret != -ENOMEM && ret != -ENOBUFS;
}

/* Checks before a message is made in vain. */
static bool is_full(const struct listener *listener, int share)
{
	return room(listener->sk, share) < (int)SKB_TRUESIZE(1);
}

static bool is_second_over(const struct listener *listener)
{
	return time_after_eq(jiffies, listener->second + HZ);
}

static noinline bool send_missed(struct listener *listener, u64 left_out)
{
	const struct acrpmu_notice notice = {
		.cmd = ACRPMU_NL_CMD_MISSED,
		.missed = listener->missed,
		.left_out = left_out,
	};

	if (!queue(listener, build(&notice, &listener->view), SHARE_FOR_MISSED))
		return false;
	listener->missed = 0;
	listener->left_out -= left_out;
	return true;
}

/* Returns false if the socket must wait for that. */
static bool report_missed(struct listener *listener)
{
	u64 left_out = is_second_over(listener) ? listener->left_out : 0;

	if (!listener->missed && !left_out)
		return true;
	return !is_full(listener, SHARE_FOR_MISSED) && send_missed(listener, left_out);
}

/* What it has missed comes first. */
static bool is_stalled(const struct listener *listener)
{
	return is_full(listener, listener->missed ? SHARE_FOR_MISSED : SHARE);
}

static void retry_later(void)
{
	queue_delayed_work(acrpmu_wq, &retry_work, RETRY_AFTER);
}

static void retry(struct work_struct *work)
{
	struct listener *listener;
	bool again = false;

	mutex_lock(&send_mutex);
	list_for_each_entry(listener, &listeners, node) {
		report_missed(listener);
		again |= listener->missed || listener->left_out;
	}
	mutex_unlock(&send_mutex);
	if (again)
		retry_later();
}

static bool is_left_out(struct listener *listener, const struct acrpmu_notice *notice)
{
	if (notice->cmd != ACRPMU_NL_CMD_REFUSED)
		return false;
	if (is_second_over(listener)) {
		report_missed(listener);
		listener->second = jiffies;
		listener->refusals = 0;
	}
	if (listener->refusals < MAX_REFUSALS) {
		listener->refusals++;
		return false;
	}
	if (!listener->left_out++)
		retry_later();
	return true;
}

static bool wants(const struct listener *listener, const struct acrpmu_notice *notice)
{
	return listener->topics & notice->topic &&
	       (!notice->owned || acrpmu_view_shows(&listener->view, notice->uid));
}

/**
 * struct made - the message made last, which others with the same view get, too
 * @skb: NULL: none
 */
struct made {
	struct sk_buff *skb;
	const struct acrpmu_view *view;
};

static struct sk_buff *get_message(struct made *made, const struct acrpmu_notice *notice,
				   const struct acrpmu_view *view)
{
	if (!made->skb || !acrpmu_view_same(made->view, view)) {
		kfree_skb(made->skb);
		made->skb = build(notice, view);
		made->view = view;
	}
	return made->skb ? skb_clone(made->skb, GFP_NOWAIT | __GFP_NOWARN) : NULL;
}

static bool deliver(struct listener *listener, const struct acrpmu_notice *notice,
		    struct made *made)
{
	return !READ_ONCE(listener->gone) && report_missed(listener) &&
	       queue(listener, get_message(made, notice, &listener->view), SHARE);
}

/**
 * acrpmu_listener_send() - send what happened to those who listen to its topic
 *
 * Context: process; holds a mutex for a short while, but waits for nothing else.
 */
void acrpmu_listener_send(const struct acrpmu_notice *notice)
{
	struct made made = { };
	struct listener *listener;

	mutex_lock(&send_mutex);
	list_for_each_entry(listener, &listeners, node) {
		if (!wants(listener, notice) || is_left_out(listener, notice))
			continue;
		/* Most that do not read cost no more than this. */
		if ((is_stalled(listener) || !deliver(listener, notice, &made)) &&
		    !listener->missed++)
			retry_later();
	}
	mutex_unlock(&send_mutex);
	kfree_skb(made.skb);
}

/**
 * acrpmu_listener_init() - prepare for listeners
 * @builder: makes a message for a view, one at a time; NULL: out of memory
 *
 * Context: process, at load.
 */
void acrpmu_listener_init(struct sk_buff *(*builder)(const struct acrpmu_notice *notice,
						     const struct acrpmu_view *view))
{
	build = builder;
}

/**
 * acrpmu_listener_exit() - send a last message, and let all listeners go
 *
 * Context: process, may sleep, at unload; nobody can subscribe any more, or close a socket.
 */
void acrpmu_listener_exit(void)
{
	const struct acrpmu_notice notice = {
		.topic = ACRPMU_NL_TOPICS,
		.cmd = ACRPMU_NL_CMD_UNLOADED,
		.cpu = -1,
	};
	struct listener *listener, *next;

	acrpmu_listener_send(&notice);
	mutex_lock(&send_mutex);
	list_for_each_entry_safe(listener, next, &listeners, node)
		remove(listener);
	find_topics();
	mutex_unlock(&send_mutex);
	cancel_delayed_work_sync(&retry_work);
	cancel_work_sync(&reap_work);
	rcu_barrier();
	flush_workqueue(acrpmu_wq);
}
