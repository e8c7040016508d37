// SPDX-License-Identifier: GPL-2.0-only
/* Continuous profiling: rounds, each in its own process, and what becomes of their profiles. */
#include "rounds.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../util/clock.h"
#include "../../util/util.h"
#include "../cmd.h"
#include "../ui/progress.h"
#include "schedule.h"

#define MSEC_PER_SEC	1000
#define KIB		1024.0
/* for the process that sends to end by itself, and to store the last profile */
#define GRACE_MS	1000
#define MODE_FILE	0600
/* what is delivered at the end is shown that often */
#define PROGRESS_MS	100
/* of the process of a round, at most */
#define MESSAGES_LEN	16384

#define ROUNDS_SAY(format, ...)	fprintf(stderr, "acrctl: record: " format "\n", ##__VA_ARGS__)

struct rounds {
	const struct rounds_options *opt;
	struct schedule schedule;
	struct pusher pusher;
	struct rounds_result *result;	/* shared */
	pid_t pid;			/* of the process of a round, 0: none runs */
	int profile_fd;			/* of that round, -1: none */
	int messages_fd;		/* what that process prints */
	char messages[MESSAGES_LEN];	/* of the round before */
	bool failing;			/* that round has failed */
	bool late;			/* it ended when the next one was due */
	int signal_fd;
	int timer_fd;			/* CLOCK_BOOTTIME: it counts while the system sleeps */
	bool stop;			/* no round begins any more */
	__u64 deadline_ms;		/* of what still runs, if @stop */
	__u64 taken;			/* rounds */
	__u64 failed;			/* of them, in part or as a whole */
	__u64 empty;			/* without a sample */
	bool robbed;			/* in one at least somebody else took a CPU */
	__u64 samples, lost, throttled;
	bool sending;			/* nothing else is left to do */
	struct progress shown;		/* of that */
};

static __u64 now_ms(void)
{
	return clock_now_ms(CLOCK_BOOTTIME);
}

/* ---- the process of a round --------------------------------------------------------------- */

/**
 * rounds_open_nameless() - open a file that is gone when it is closed, whoever is killed
 *
 * Return: a descriptor, or -errno.
 */
int rounds_open_nameless(const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, MODE_FILE);
	char *path;

	/* some file systems cannot do that */
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR))
		return fd < 0 ? -errno : fd;
	if (asprintf(&path, "%s/round.XXXXXX", dir) < 0)
		return -ENOMEM;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		fd = -errno;
	else
		unlink(path);
	free(path);
	return fd;
}

/* Nothing of the queue is kept open, and nothing outlives the process that counts rounds. */
static void begin_process(struct rounds *r, pid_t parent)
{
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(ACRCTL_EXIT_FAILED);
	if (r->pusher.fd >= 0)
		close(r->pusher.fd);
	push_queue_close(&r->pusher.queue);
	close(r->signal_fd);
	close(r->timer_fd);
}

static pid_t start(struct rounds *r, bool check)
{
	const struct rounds_options *o = r->opt;
	pid_t parent = getpid(), pid;
	int status;

	fflush(NULL);
	pid = fork();
	if (pid)
		return pid < 0 ? -errno : pid;
	begin_process(r, parent);
	if (!check)
		dup2(r->messages_fd, STDERR_FILENO);
	status = check ? o->ops->check(o->ctx) :
			 o->ops->take(o->ctx, o->push ? o->push->options.queue_path : NULL,
				      r->profile_fd, r->result);
	fflush(NULL);
	_exit(status);
}

/* What is wrong now would be wrong in each round. */
static int check(struct rounds *r)
{
	pid_t pid = start(r, true);
	int status;

	if (pid < 0) {
		ROUNDS_SAY("fork: %s", strerror(-pid));
		return ACRCTL_EXIT_FAILED;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return WIFEXITED(status) ? WEXITSTATUS(status) : ACRCTL_EXIT_FAILED;
}

/* ---- profiles ----------------------------------------------------------------------------- */

/* Rounds are not for nothing: profiles wait until it runs again. */
static void restart_pusher(struct rounds *r)
{
	int err;

	if (!r->opt->push || r->pusher.pid)
		return;
	err = pusher_start(&r->pusher, &r->opt->push->options);
	ROUNDS_SAY("the process that sends profiles has ended; %s",
		   err ? strerror(-err) : "it is started again");
}

static void give(struct rounds *r)
{
	const struct rounds_result *result = r->result;
	const struct push_entry e = {
		.url = r->opt->push->options.access.url, .name = r->opt->push->full_name,
		.tenant = r->opt->push->tenant, .types = "",
		.from_s = result->from_s, .until_s = result->until_s, .rate_hz = result->rate_hz,
	};
	int err = pusher_give(&r->pusher, &e, r->profile_fd);

	if (err)
		ROUNDS_SAY("the process that sends profiles does not take this one: %s; it is lost",
			   strerror(-err));
}

/* Of the profile or file. */
static __u64 bytes_of(const struct rounds *r)
{
	const struct rounds_result *result = r->result;
	struct stat st;

	if (*result->path)
		return stat(result->path, &st) ? 0 : st.st_size;
	return result->profile && !fstat(r->profile_fd, &st) ? st.st_size : 0;
}

/* ---- rounds ------------------------------------------------------------------------------- */

/* No more of them: what has been sampled is sent. */
static void finish(struct rounds *r)
{
	const struct push_args *push = r->opt->push;

	r->stop = true;
	r->deadline_ms = now_ms() + (push ? push->options.finish_ms : 0) + GRACE_MS;
}

static void begin_round(struct rounds *r)
{
	schedule_take(&r->schedule, now_ms());
	if (!r->opt->ops->begin(r->opt->ctx)) {
		finish(r);
		return;
	}
	/* before there is a profile, which it would keep open */
	restart_pusher(r);
	memset(r->result, 0, sizeof(*r->result));
	if (ftruncate(r->messages_fd, 0) || lseek(r->messages_fd, 0, SEEK_SET))
		ROUNDS_SAY("messages of rounds: %s", strerror(errno));
	r->taken++;
	if (r->opt->push)
		r->profile_fd = rounds_open_nameless(r->opt->push->options.queue_path);
	r->pid = r->opt->push && r->profile_fd < 0 ? r->profile_fd : start(r, false);
	if (r->pid > 0)
		return;
	r->failed++;
	ROUNDS_SAY("a round cannot begin: %s", strerror(-r->pid));
	r->pid = 0;
}

/* The same ones again are no news.  Returns whether there are others. */
static bool print_messages(struct rounds *r)
{
	char text[MESSAGES_LEN];
	ssize_t n = pread(r->messages_fd, text, sizeof(text) - 1, 0);
	bool news;

	text[n > 0 ? n : 0] = '\0';
	news = strcmp(text, r->messages);
	if (news || r->opt->verbose)
		fputs(text, stderr);
	if (n == sizeof(text) - 1)
		ROUNDS_SAY("this round has more messages than these");
	strcpy(r->messages, text);
	return news;
}

static void print_failure(struct rounds *r, int status)
{
	bool news = print_messages(r) || r->failing != !!status || r->opt->verbose;
	__u64 now = now_ms(), due = r->schedule.due_ms;

	if (WIFSIGNALED(status) && news)
		ROUNDS_SAY("signal %d (%s) ended the process of a round", WTERMSIG(status),
			   strsignal(WTERMSIG(status)));
	if (status && news && !r->stop)
		ROUNDS_SAY("this round has failed; the next one begins in %llu s",
			   due > now ? (due - now) / MSEC_PER_SEC : 0);
	if (!status && r->failing)
		ROUNDS_SAY("rounds work again");
	r->failing = status;
}

static void print_round(const struct rounds *r)
{
	const struct rounds_result *result = r->result;

	bool news = result->lost || (result->throttled && !r->opt->quiet);

	if (!r->opt->verbose && !news)
		return;
	ROUNDS_SAY("round %llu: %llu samples, %llu lost, %llu throttled%s%s (%.1f KiB)", r->taken,
		   result->samples, result->lost, result->throttled, *result->path ? ", " : "",
		   result->path, bytes_of(r) / KIB);
}

static void end_round(struct rounds *r, int status)
{
	const struct rounds_result *result = r->result;
	__u64 skipped;

	r->pid = 0;
	r->samples += result->samples;
	r->lost += result->lost;
	r->throttled += result->throttled;
	r->failed += !!status;
	r->robbed |= result->taken;
	r->empty += !status && !result->samples;
	skipped = r->stop ? 0 : schedule_skip(&r->schedule, now_ms());
	if (skipped && !r->opt->quiet && (!r->late || r->opt->verbose))
		ROUNDS_SAY("a round took longer than --every: %llu skipped", skipped);
	r->late = skipped;
	print_failure(r, status);
	print_round(r);
	/* a half-written one of a process that was killed says nothing */
	if (result->profile && WIFEXITED(status) && r->profile_fd >= 0)
		give(r);
	if (r->profile_fd >= 0)
		close(r->profile_fd);
	r->profile_fd = -1;
	r->opt->ops->end(r->opt->ctx, result);
}

/* ---- signals and the end ------------------------------------------------------------------ */

/* The first signal ends sampling, the second one everything. */
static void end(struct rounds *r)
{
	bool again = r->stop;

	finish(r);
	if (r->pid)
		kill(r->pid, again ? SIGKILL : SIGTERM);
	if (again)
		pusher_kill(&r->pusher);
}

static void reap(struct rounds *r)
{
	int status;

	if (r->pid && waitpid(r->pid, &status, WNOHANG) == r->pid)
		end_round(r, status);
	pusher_reap(&r->pusher, false);
}

static void take_signals(struct rounds *r)
{
	struct signalfd_siginfo info;

	while (read(r->signal_fd, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGCHLD)
			end(r);
	}
	reap(r);
}

/* Sending has its own limit; this one is for what does not keep it. */
static void take_time(struct rounds *r)
{
	if (!r->stop && !r->pid && now_ms() >= r->schedule.due_ms)
		begin_round(r);
	if (!r->stop || now_ms() < r->deadline_ms)
		return;
	/* without --push a round is not waited for in vain: its file is as good as complete */
	if (r->pid && r->opt->push)
		kill(r->pid, SIGKILL);
	if (!r->pid)
		pusher_kill(&r->pusher);
	r->deadline_ms = now_ms() + GRACE_MS;
}

static void arm(const struct rounds *r)
{
	__u64 at_ms = r->stop ? r->deadline_ms : r->pid ? 0 : r->schedule.due_ms;
	const struct itimerspec when = { .it_value = {
		.tv_sec = at_ms / MSEC_PER_SEC,
		.tv_nsec = at_ms % MSEC_PER_SEC * NSEC_PER_MSEC,
	} };

	timerfd_settime(r->timer_fd, TFD_TIMER_ABSTIME, &when, NULL);
}

/* On a terminal, show what is delivered in the meantime. */
static void show_sending(struct rounds *r)
{
	if (!r->sending && !r->opt->quiet)
		progress_begin(&r->shown, "sending from", r->opt->push->options.queue_path,
			       "delivered");
	r->sending = true;
	progress_step(&r->shown, r->pusher.counts->delivered, 0);
}

static void loop(struct rounds *r)
{
	struct pollfd polls[] = {
		{ .fd = r->signal_fd, .events = POLLIN }, { .fd = r->timer_fd, .events = POLLIN },
	};

	while (!r->stop || r->pid || r->pusher.pid) {
		if (r->stop && !r->pid)
			pusher_end(&r->pusher);
		if (r->stop && !r->pid && r->pusher.pid)
			show_sending(r);
		arm(r);
		poll(polls, ARRAY_SIZE(polls), r->shown.out ? PROGRESS_MS : -1);
		take_signals(r);
		take_time(r);
	}
	progress_end(&r->shown);
}

static int open_descriptors(struct rounds *r)
{
	static const int ends[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	struct sigaction now;
	sigset_t set;
	size_t i;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	for (i = 0; i < ARRAY_SIZE(ends); i++) {
		/* nohup(1) keeps its effect */
		if (!sigaction(ends[i], NULL, &now) &&
		    (now.sa_handler != SIG_IGN || ends[i] == SIGINT || ends[i] == SIGTERM))
			sigaddset(&set, ends[i]);
	}
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGCHLD, SIG_DFL);
	r->signal_fd = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	r->messages_fd = memfd_create("messages", MFD_CLOEXEC);
	r->timer_fd = timerfd_create(CLOCK_BOOTTIME, TFD_CLOEXEC | TFD_NONBLOCK);
	r->result = mmap(NULL, sizeof(*r->result), PROT_READ | PROT_WRITE,
			 MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (r->signal_fd >= 0 && r->timer_fd >= 0 && r->messages_fd >= 0 &&
	    r->result != MAP_FAILED)
		return 0;
	ROUNDS_SAY("rounds cannot be prepared: %s", strerror(errno));
	return -errno;
}

static void begin(struct rounds *r)
{
	const struct round_args *a = r->opt->args;
	__u64 now = now_ms();
	__u32 random = 0;

	(void)!getrandom(&random, sizeof(random), GRND_NONBLOCK);
	schedule_begin(&r->schedule, a->every_ms, a->spread_ms, now, random);
	if (!r->opt->quiet)
		ROUNDS_SAY("every %g s for %g s; the first round begins in %llu s; Ctrl-C ends it",
			   a->every_ms / (double)MSEC_PER_SEC, a->for_ms / (double)MSEC_PER_SEC,
			   (r->schedule.due_ms - now) / MSEC_PER_SEC);
}

static void print_closing(const struct rounds *r)
{
	const struct push_counts *c = r->pusher.counts;

	fprintf(stderr,
		"acrctl: record: %llu rounds: %llu samples, %llu lost, %llu throttled; %llu failed, %llu without samples, %llu skipped\n",
		r->taken, r->samples, r->lost, r->throttled, r->failed, r->empty,
		r->schedule.skipped);
	if (c)
		ROUNDS_SAY("profiles: %llu delivered, %llu waiting in %s, %llu rejected, %llu lost",
			   c->delivered, c->waiting, r->opt->push->options.queue_path, c->rejected,
			   pusher_lost(&r->pusher) - c->rejected);
}

static int run(struct rounds *r)
{
	int status = check(r);

	if (status)
		return status;
	if (r->opt->push && !push_args_ready(r->opt->push, &r->pusher))
		return ACRCTL_EXIT_FAILED;
	begin(r);
	loop(r);
	if (!r->opt->quiet || r->failed || r->lost || (r->opt->push && pusher_lost(&r->pusher)))
		print_closing(r);
	/* what waits is sent by the next run */
	return (r->opt->push && pusher_lost(&r->pusher)) || r->robbed ||
	       (r->taken && r->failed == r->taken) ? ACRCTL_EXIT_FAILED : ACRCTL_EXIT_DONE;
}

/**
 * rounds_run() - take rounds until a signal comes or there is nothing left to sample
 *
 * Whatever fails in a round ends with its process, and the next one tries again.
 *
 * Return: an exit status.
 */
int rounds_run(const struct rounds_options *o)
{
	struct rounds r = {
		.opt = o, .pusher = PUSHER_IDLE, .profile_fd = -1, .signal_fd = -1, .timer_fd = -1,
	};
	int status = open_descriptors(&r) ? ACRCTL_EXIT_FAILED : run(&r);

	pusher_close(&r.pusher);
	return status;
}
