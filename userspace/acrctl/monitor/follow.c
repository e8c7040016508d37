// SPDX-License-Identifier: GPL-2.0-only
/* acrctl monitor: listing the sessions, and printing what happens until the end. */
#include "follow.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio_ext.h>
#include <string.h>
#include <unistd.h>

#include "../../util/util.h"
#include "../jsonout.h"

/* ---- the end ------------------------------------------------------------------------------ */

static volatile sig_atomic_t stopped;

static void on_signal(int sig)
{
	(void)sig;
	stopped = 1;
}

static const int ends[] = { SIGINT, SIGTERM, SIGHUP };

/* The second one kills, should something hang. */
static void take_signals(void)
{
	struct sigaction stop = { .sa_handler = on_signal, .sa_flags = SA_RESETHAND };
	struct sigaction before;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		/* nohup, or a shell that starts it in the background */
		if (!sigaction(ends[i], NULL, &before) && before.sa_handler != SIG_IGN)
			sigaction(ends[i], &stop, NULL);
	}
	signal(SIGPIPE, SIG_IGN);
}

/* Wait for any of these, or for a signal: none can come between the look at it and the wait. */
static void wait_for(struct pollfd *polls, nfds_t nr)
{
	sigset_t all, before;
	nfds_t i;

	sigemptyset(&all);
	for (i = 0; i < ARRAY_SIZE(ends); i++)
		sigaddset(&all, ends[i]);
	sigprocmask(SIG_BLOCK, &all, &before);
	if (stopped || ppoll(polls, nr, NULL, &before) < 0) {
		for (i = 0; i < nr; i++)
			polls[i].revents = 0;
	}
	sigprocmask(SIG_SETMASK, &before, NULL);
}

/* What is left in the stream has no reader any more. */
static void give_up_output(struct follow *f)
{
	__fpurge(stdout);
	clearerr(stdout);
	f->end = FOLLOW_DONE;
}

/* A signal ends it, too, where the reader does not read.  Other errors are for output_finish(). */
static void flush(struct follow *f)
{
	struct pollfd out = { .fd = STDOUT_FILENO, .events = POLLOUT };

	while (!stopped && !out.revents)
		wait_for(&out, 1);
	if (!stopped && !fflush(stdout))
		return;
	if (stopped || errno == EPIPE)
		give_up_output(f);
	else
		f->end = FOLLOW_FAILED;
}

/* ---- what is printed ---------------------------------------------------------------------- */

static bool has_pid(const struct follow *f, __u32 pid)
{
	size_t i;

	for (i = 0; pid && i < f->nr_pids; i++) {
		if (f->pids[i] == pid)
			return true;
	}
	return false;
}

/* What is missing concerns everybody. */
static bool is_wanted(const struct follow *f, const struct item *item)
{
	const struct acrpmu_notice *n = item->notice;

	if (n->type == ACRPMU_NL_CMD_MISSED || n->type == ACRPMU_NL_CMD_UNLOADED)
		return true;
	if (f->session && n->session != f->session)
		return false;
	return !f->nr_pids || has_pid(f, n->pid) || has_pid(f, n->holder_pid) ||
	       (item->session && has_pid(f, item->session->pid));
}

static void fail_for_memory(struct follow *f)
{
	output_no_memory("monitor");
	f->end = FOLLOW_FAILED;
}

static void print(struct follow *f, const struct acrpmu_notice *notice)
{
	const struct item item = {
		.notice = notice,
		.session = known_find(&f->known, notice->session),
		.now = moment_now(),
	};
	int err;

	if (!is_wanted(f, &item))
		return;
	if (f->json) {
		err = jsonout_print(item_json(&item));
		if (!err)
			putchar('\n');
	} else {
		err = line_print(stdout, &item);
	}
	if (err)
		fail_for_memory(f);
	else
		flush(f);
}

/* ---- sessions ----------------------------------------------------------------------------- */

static struct known_session *learn(struct follow *f, const struct acrpmu_notice *session)
{
	struct known_session *known = known_add(&f->known, session);

	if (!known || known_set_events(known, &f->listener.names, session)) {
		fail_for_memory(f);
		return NULL;
	}
	known->listed = true;
	return known;
}

static int take_session(void *ctx, const struct acrpmu_notice *session)
{
	struct follow *f = ctx;
	struct known_session *known = known_find(&f->known, session->session);

	if (known)
		known->listed = true;
	else if (learn(f, session))
		print(f, session);
	return f->end != FOLLOW_ON;
}

/* Those that are not in the list have ended, which a message that waits may report. */
static void list_sessions(struct follow *f)
{
	struct acrpmu_message message;
	int ret;
	size_t i;

	for (i = 0; i < f->known.nr; i++)
		f->known.list[i].listed = false;
	ret = acrpmu_monitor_sessions(f->listener.monitor, take_session, f, &message);
	if (ret < 0) {
		output_error("monitor", &message, NULL);
		f->end = FOLLOW_FAILED;
	}
	for (i = 0; !ret && i < f->known.nr; i++)
		f->absent |= !f->known.list[i].listed;
}

static void end_session(struct follow *f, const struct acrpmu_notice *notice)
{
	struct known_session *known = known_find(&f->known, notice->session);

	print(f, notice);
	if (known)
		known_remove(&f->known, known);
	if (f->session == notice->session && f->end == FOLLOW_ON)
		f->end = FOLLOW_DONE;
}

/* No message is left that could report the end of a session. */
static void end_absent(struct follow *f)
{
	size_t i = 0;

	f->absent = false;
	while (i < f->known.nr && f->end == FOLLOW_ON) {
		const struct known_session *s = &f->known.list[i];
		struct acrpmu_notice ended = {
			.type = ACRPMU_NL_CMD_SESSION_ENDED,
			.has = BIT_ULL(ACRPMU_NL_A_SESSION) | BIT_ULL(ACRPMU_NL_A_PID) |
			       BIT_ULL(ACRPMU_NL_A_COMM) | BIT_ULL(ACRPMU_NL_A_UID),
			.session = s->id,
			.pid = s->pid,
			.uid = s->uid,
		};

		memcpy(ended.comm, s->comm, sizeof(ended.comm));
		if (s->listed)
			i++;
		else
			end_session(f, &ended);
	}
}

/* ---- messages ----------------------------------------------------------------------------- */

static void change_session(struct follow *f, const struct acrpmu_notice *notice)
{
	struct known_session *known = known_find(&f->known, notice->session);

	if (known && notice->nr_events &&
	    known_set_events(known, &f->listener.names, notice))
		fail_for_memory(f);
	else
		print(f, notice);
}

static void take(struct follow *f, const struct acrpmu_notice *notice)
{
	switch (notice->type) {
	case ACRPMU_NL_CMD_SESSION_CREATED:
		/* it may have been listed before its message was read */
		if (!known_find(&f->known, notice->session) && learn(f, notice))
			print(f, notice);
		break;
	case ACRPMU_NL_CMD_SESSION_CHANGED:
		change_session(f, notice);
		break;
	case ACRPMU_NL_CMD_SESSION_ENDED:
		end_session(f, notice);
		break;
	case ACRPMU_NL_CMD_MISSED:
		print(f, notice);
		if (f->topics & ACRPMU_NL_TOPIC_SESSIONS && f->end == FOLLOW_ON)
			list_sessions(f);
		break;
	case ACRPMU_NL_CMD_UNLOADED:
		print(f, notice);
		fprintf(stderr, "acrctl: monitor: the module was unloaded; nothing more will "
			"happen\n");
		f->end = FOLLOW_FAILED;
		break;
	default:
		print(f, notice);
	}
}

static void read_error(struct follow *f, int err)
{
	const struct acrpmu_notice missed = { .type = ACRPMU_NL_CMD_MISSED };

	if (err == -ENOBUFS) {
		take(f, &missed);
		return;
	}
	if (err == -EBADMSG) {
		fprintf(stderr, "acrctl: monitor: warning: a message is malformed and left out; "
			"install module and program of one version\n");
		return;
	}
	fprintf(stderr, "acrctl: monitor: listening failed: %s; start it again\n", strerror(-err));
	f->end = FOLLOW_FAILED;
}

static void wait_for_more(struct follow *f)
{
	struct pollfd polls[] = {
		{ .fd = acrpmu_monitor_fd(f->listener.monitor), .events = POLLIN },
		/* nobody reads any more */
		{ .fd = STDOUT_FILENO },
	};

	wait_for(polls, ARRAY_SIZE(polls));
	if (polls[1].revents)
		give_up_output(f);
}

static void read_on(struct follow *f)
{
	const struct acrpmu_notice *notice;
	int ret;

	while (f->end == FOLLOW_ON && !stopped) {
		ret = acrpmu_monitor_next(f->listener.monitor, &notice);
		if (ret == 1)
			take(f, notice);
		else if (ret < 0)
			read_error(f, ret);
		else if (f->absent)
			end_absent(f);
		else
			wait_for_more(f);
	}
}

/* ---- the beginning ------------------------------------------------------------------------ */

/* Messages come from here on, so that no session is overlooked. */
static bool begin(struct follow *f)
{
	struct acrpmu_message message;

	if (acrpmu_monitor_subscribe(f->listener.monitor, f->topics, &message)) {
		output_error("monitor", &message, NULL);
		return false;
	}
	if (!f->quiet) {
		listener_note_limits(&f->listener);
		fprintf(stderr, "acrctl: monitor: listening; Ctrl-C ends it\n");
	}
	if (f->topics & ACRPMU_NL_TOPIC_SESSIONS)
		list_sessions(f);
	return f->end == FOLLOW_ON;
}

static bool misses_session(const struct follow *f)
{
	if (!f->session || !(f->topics & ACRPMU_NL_TOPIC_SESSIONS) ||
	    known_find(&f->known, f->session))
		return false;
	fprintf(stderr, "acrctl: monitor: there is no session %llu; 'acrctl ps' shows those that "
		"exist\n", f->session);
	return true;
}

/**
 * follow_run() - print what happens
 *
 * Return: the exit status.
 */
int follow_run(struct follow *f)
{
	take_signals();
	if (listener_open(&f->listener) || !begin(f) || misses_session(f))
		f->end = f->end == FOLLOW_ON ? FOLLOW_FAILED : f->end;
	read_on(f);
	known_free(&f->known);
	listener_close(&f->listener);
	return f->end == FOLLOW_FAILED ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
}
