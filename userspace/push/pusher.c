// SPDX-License-Identifier: GPL-2.0-only
/* A process that stores profiles in a queue and sends them. */
#include "pusher.h"

#include <errno.h>
#include <linux/capability.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "deliver.h"

/* ---- in the process --------------------------------------------------------------------- */

/* Whoever answers is not trusted, and nothing here needs privileges. */
static void drop_capabilities(void)
{
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct none[_LINUX_CAPABILITY_U32S_3] = { 0 };

	prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
	syscall(SYS_capset, &head, none);
}

/* A signal for all, from a terminal or a service manager, ends what is recorded; then this ends. */
static void ignore_signals(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXFSZ };
	size_t i;

	for (i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		signal(signals[i], SIG_IGN);
}

/* Read, not mapped: truncating the file at the same time does no harm. */
static int put(struct push_queue *q, struct push_entry *e, int fd)
{
	char *profile;
	struct stat st;
	int err;

	if (fstat(fd, &st))
		return -errno;
	if (!st.st_size)
		return -ENODATA;
	if ((__u64)st.st_size > q->max_bytes)
		return -EFBIG;
	profile = malloc(st.st_size);
	if (!profile)
		return -ENOMEM;
	err = push_entry_read(fd, profile, st.st_size);
	if (!err) {
		push_entry_seal(e, profile, st.st_size);
		err = push_queue_put(q, e, profile);
	}
	free(profile);
	return err;
}

static void store(struct push_delivery *d, struct push_entry *e, int fd)
{
	__u64 dropped = d->queue->dropped;
	int err = put(d->queue, e, fd);

	push_deliver_dropped(d, d->queue->dropped - dropped);
	d->counts->stored += !err;
	if (err)
		push_deliver_say(d, "a profile cannot be stored in %s: %s; it is lost",
				 d->options->queue_path, strerror(-err));
}

/* Returns whether there may be more. */
static bool take_profile(struct push_delivery *d, int fd)
{
	char head[PUSH_HEAD_LEN + 1], control[CMSG_SPACE(sizeof(int))] = "";
	struct iovec data = { head, PUSH_HEAD_LEN };
	struct msghdr m = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	ssize_t n = recvmsg(fd, &m, MSG_CMSG_CLOEXEC);
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	struct push_entry e;
	int profile_fd;

	if (n <= 0)
		return n < 0 && errno == EINTR;
	head[n] = '\0';
	if (!c || c->cmsg_level != SOL_SOCKET || c->cmsg_type != SCM_RIGHTS)
		return true;
	memcpy(&profile_fd, CMSG_DATA(c), sizeof(profile_fd));
	if (push_entry_parse(head, n, &e))
		store(d, &e, profile_fd);
	close(profile_fd);
	d->counts->waiting = push_queue_waiting(d->queue);
	return true;
}

static void run(struct push_delivery *d, int fd)
{
	struct push_result r;
	bool readable;

	while (!push_deliver_is_over(d)) {
		push_deliver_next(d);
		if (push_deliver_is_over(d))
			break;
		if (push_client_wait(d->client, fd, push_deliver_timeout_ms(d), &readable, &r))
			push_deliver_result(d, &r);
		if (readable && fd >= 0 && !take_profile(d, fd)) {
			fd = -1;
			push_deliver_finish(d);
		}
	}
}

static int open_queue(struct push_delivery *d)
{
	int err = push_queue_scan(d->queue, d->options->queue_bytes);

	push_deliver_dropped(d, d->queue->dropped);
	d->counts->waiting = push_queue_waiting(d->queue);
	if (err)
		push_deliver_say(d, "%s: %s", d->options->queue_path, strerror(-err));
	else if (d->queue->leftovers)
		push_deliver_say(d,
				 "%s: %llu unfinished profiles of a run that was killed are removed",
				 d->options->queue_path, d->queue->leftovers);
	return err;
}

static _Noreturn void process(struct pusher *p, const struct push_options *o, int fd)
{
	struct push_delivery d = { .options = o, .counts = p->counts, .queue = &p->queue };
	const char *why = NULL;
	int err;

	ignore_signals();
	drop_capabilities();
	/* a core file would have the token */
	prctl(PR_SET_DUMPABLE, 0);
	err = open_queue(&d);
	d.client = err ? NULL : push_client_open(&o->access, &why);
	if (!err && !d.client)
		push_deliver_say(&d, "profiles cannot be sent: %s", why);
	if (d.client) {
		run(&d, fd);
		push_client_close(d.client);
	}
	push_deliver_free(&d);
	push_queue_close(&p->queue);
	_exit(d.client ? EXIT_SUCCESS : EXIT_FAILURE);
}

/* ---- in the process that starts it ------------------------------------------------------ */

static int map_counts(struct pusher *p)
{
	void *at;

	if (p->counts)
		return 0;
	at = mmap(NULL, sizeof(*p->counts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
		  -1, 0);
	if (at == MAP_FAILED)
		return -errno;
	p->counts = at;
	return 0;
}

/**
 * pusher_start() - start the process
 * @p: its queue is locked
 *
 * It holds the queue until it ends, and then its owner may start it again.
 *
 * Return: 0 or -errno.
 */
int pusher_start(struct pusher *p, const struct push_options *o)
{
	int ends[2], err = map_counts(p);

	if (err)
		return err;
	if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends))
		return -errno;
	fflush(NULL);
	p->pid = fork();
	if (!p->pid) {
		close(ends[0]);
		process(p, o, ends[1]);
	}
	close(ends[1]);
	p->fd = ends[0];
	if (p->pid > 0)
		return 0;
	err = -errno;
	p->pid = 0;
	close(p->fd);
	p->fd = -1;
	return err;
}

/**
 * pusher_give() - hand over a profile
 * @e: what belongs to it; its size and checksum are found out
 *
 * Return: 0 or -errno.
 */
int pusher_give(struct pusher *p, const struct push_entry *e, int profile_fd)
{
	char control[CMSG_SPACE(sizeof(int))] = "", *head = malloc(PUSH_HEAD_LEN);
	struct iovec data = { .iov_base = head };
	struct msghdr m = {
		.msg_iov = &data, .msg_iovlen = 1,
		.msg_control = control, .msg_controllen = sizeof(control),
	};
	struct cmsghdr *c = CMSG_FIRSTHDR(&m);
	int len = head ? push_entry_format(e, head) : -ENOMEM, err = len < 0 ? len : 0;

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof(int));
	memcpy(CMSG_DATA(c), &profile_fd, sizeof(profile_fd));
	data.iov_len = err ? 0 : len;
	p->given++;
	if (!err && sendmsg(p->fd, &m, MSG_NOSIGNAL) != len)
		err = -errno;
	free(head);
	return err;
}

/**
 * pusher_end() - nothing more comes: the process sends what it can in its time, and ends
 */
void pusher_end(struct pusher *p)
{
	if (p->fd >= 0)
		close(p->fd);
	p->fd = -1;
}

/**
 * pusher_reap() - check whether the process has ended, or wait until it has
 *
 * Return: whether it has.
 */
bool pusher_reap(struct pusher *p, bool wait)
{
	pid_t pid;

	if (!p->pid)
		return true;
	do {
		pid = waitpid(p->pid, NULL, wait ? 0 : WNOHANG);
	} while (pid < 0 && errno == EINTR);
	if (!pid)
		return false;
	p->pid = 0;
	pusher_end(p);
	return true;
}

/**
 * pusher_kill() - end the process now; what it has not sent stays in the queue
 */
void pusher_kill(struct pusher *p)
{
	if (p->pid)
		kill(p->pid, SIGKILL);
}

/**
 * pusher_lost() - count the profiles that will never arrive, when the process has ended
 */
__u64 pusher_lost(const struct pusher *p)
{
	const struct push_counts *c = p->counts;

	if (!c)
		return p->given;
	return p->given - c->stored + c->rejected + c->dropped;
}

/**
 * pusher_close() - free what belongs to a process that has ended
 */
void pusher_close(struct pusher *p)
{
	pusher_end(p);
	if (p->counts)
		munmap(p->counts, sizeof(*p->counts));
	p->counts = NULL;
	push_queue_close(&p->queue);
}
