// SPDX-License-Identifier: GPL-2.0-only
/* Stopping the NMI watchdog, and a helper process that starts it again however acrctl ends. */
#include "watchdog.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../uapi/acrpmu.h"

/* The old value is a small number; the kernel's file has at most this much. */
#define VALUE_LEN	16
/* waits between queries for sessions and attempts to write */
#define FIRST_WAIT_MS	5
#define LONGEST_WAIT_MS	500
#define WRITE_ATTEMPTS	20
#define NSEC_PER_MSEC	1000000L

/*
 * Each process that pauses the watchdog holds a shared lock on the state file, through a descriptor
 * that only its helper keeps open.  The helper that can make its lock exclusive is the last one and
 * restores the old value.  All of this happens under the mutex.  If the helpers are killed, the
 * state file keeps the old value, and the next process that pauses takes it over.
 */
const struct watchdog_paths watchdog_default_paths = {
	.control = "/proc/sys/kernel/nmi_watchdog",
	.state = "/run/acrctl-nmi_watchdog",
	.mutex = "/run/acrctl-nmi_watchdog.lock",
	.device = ACRPMU_DEVICE,
};

static int read_value(int fd, int *value)
{
	char buf[VALUE_LEN + 1], *end;
	ssize_t n = pread(fd, buf, VALUE_LEN, 0);

	if (n < 0)
		return -errno;
	buf[n] = 0;
	*value = strtol(buf, &end, 10);
	return end == buf ? -ENODATA : 0;
}

static int read_control(const struct watchdog_paths *p, int *value)
{
	int fd = open(p->control, O_RDONLY | O_CLOEXEC), err;

	if (fd < 0)
		return -errno;
	err = read_value(fd, value);
	close(fd);
	return err;
}

static int write_control(const struct watchdog_paths *p, int value)
{
	char buf[VALUE_LEN];
	int fd, len, err = 0;

	fd = open(p->control, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return -errno;
	len = snprintf(buf, sizeof(buf), "%d\n", value);
	if (write(fd, buf, len) != len)
		err = errno ? -errno : -EIO;
	close(fd);
	return err;
}

static int write_state(int fd, int value)
{
	char buf[VALUE_LEN];
	int len = snprintf(buf, sizeof(buf), "%d\n", value);

	if (ftruncate(fd, 0))
		return -errno;
	return pwrite(fd, buf, len, 0) == len ? 0 : -EIO;
}

static int lock_mutex(const struct watchdog_paths *p)
{
	int fd = open(p->mutex, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

	if (fd < 0)
		return -errno;
	while (flock(fd, LOCK_EX)) {
		if (errno != EINTR) {
			int err = -errno;

			close(fd);
			return err;
		}
	}
	return fd;
}

static void sleep_ms(long ms)
{
	struct timespec t = { .tv_sec = ms / 1000, .tv_nsec = ms % 1000 * NSEC_PER_MSEC };

	nanosleep(&t, NULL);
}

/* Number of sessions; 0 if the module is gone, since it has none then. */
static unsigned int nr_sessions(const struct watchdog_paths *p)
{
	struct acrpmu_info info = { .size = sizeof(info) };
	int fd = open(p->device, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return 0;
	if (ioctl(fd, ACRPMU_INFO, &info))
		info.nr_sessions = 0;
	close(fd);
	return info.nr_sessions;
}

/* The watchdog needs the counter that sessions may hold: wait until the last one has ended. */
static void wait_for_sessions(const struct watchdog_paths *p)
{
	long wait_ms = FIRST_WAIT_MS;

	while (nr_sessions(p)) {
		sleep_ms(wait_ms);
		wait_ms = wait_ms * 2 > LONGEST_WAIT_MS ? LONGEST_WAIT_MS : wait_ms * 2;
	}
}

static void restore(const struct watchdog_paths *p, int state_fd)
{
	int mutex, old, now, attempt;

	wait_for_sessions(p);
	mutex = lock_mutex(p);
	/* another process still pauses it: the last one restores */
	if (flock(state_fd, LOCK_EX | LOCK_NB) || read_value(state_fd, &old))
		goto unlock;
	for (attempt = 0; attempt < WRITE_ATTEMPTS; attempt++) {
		if (!write_control(p, old) && !read_control(p, &now) && now == old) {
			if (ftruncate(state_fd, 0))
				unlink(p->state);
			break;
		}
		sleep_ms(FIRST_WAIT_MS << (attempt / 4));
	}
unlock:
	close(state_fd);
	if (mutex >= 0)
		close(mutex);
}

/* Close what is inherited: a reader of the parent's output must not wait for the helper. */
static void keep_only(int keep_a, int keep_b, int keep_c)
{
	int null = open("/dev/null", O_RDWR), fd, i;
	long max = sysconf(_SC_OPEN_MAX);

	for (i = 0; null >= 0 && i <= STDERR_FILENO; i++)
		dup2(null, i);
	if (max < 0 || max > 65536)
		max = 65536;
	for (fd = STDERR_FILENO + 1; fd < max; fd++) {
		if (fd != keep_a && fd != keep_b && fd != keep_c)
			close(fd);
	}
}

static _Noreturn void helper(const struct watchdog_paths *p, int state_fd, int keep_fd, int done_fd)
{
	static const int ignored[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE };
	unsigned int i;
	char byte;

	setsid();
	for (i = 0; i < sizeof(ignored) / sizeof(*ignored); i++)
		signal(ignored[i], SIG_IGN);
	/* the parent reaps its child at once; this process belongs to init */
	if (fork())
		_exit(0);
	keep_only(state_fd, keep_fd, done_fd);
	if (chdir("/"))
		_exit(1);
	while (read(keep_fd, &byte, 1) < 0 && errno == EINTR)
		;
	restore(p, state_fd);
	_exit(0);
}

static int start_helper(struct watchdog *w, const struct watchdog_paths *p, int state_fd)
{
	int keep[2], done[2], status, err;
	pid_t pid;

	if (pipe2(keep, O_CLOEXEC))
		return -errno;
	if (pipe2(done, O_CLOEXEC)) {
		err = -errno;
		goto close_keep;
	}
	pid = fork();
	if (!pid) {
		close(keep[1]);
		close(done[0]);
		helper(p, state_fd, keep[0], done[1]);
	}
	err = pid < 0 ? -errno : 0;
	close(keep[0]);
	close(done[1]);
	if (err) {
		close(done[0]);
		close(keep[1]);
		return err;
	}
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	w->keep_fd = keep[1];
	w->done_fd = done[0];
	return 0;
close_keep:
	close(keep[0]);
	close(keep[1]);
	return err;
}

/* The value to restore, 0: none; the mutex is held. */
static int old_value(const struct watchdog_paths *p, int state_fd, int *old)
{
	int saved, err;

	err = read_control(p, old);
	if (err)
		return err;
	/* left by killed helpers, or of processes that still pause it */
	if (!*old && !read_value(state_fd, &saved))
		*old = saved;
	return 0;
}

/* With the mutex held. */
static int pause_locked(struct watchdog *w, const struct watchdog_paths *p, const char **failed)
{
	int state_fd, old, err;

	*failed = p->state;
	state_fd = open(p->state, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
	if (state_fd < 0)
		return -errno;
	err = flock(state_fd, LOCK_SH) ? -errno : 0;
	if (err)
		goto out;
	*failed = p->control;
	err = old_value(p, state_fd, &old);
	if (err || !old)
		goto out;
	*failed = p->state;
	err = write_state(state_fd, old);
	if (err)
		goto out;
	/* start the helper first: acrctl may be killed before the next line */
	*failed = "helper process";
	err = start_helper(w, p, state_fd);
	if (err)
		goto out;
	*failed = p->control;
	err = write_control(p, 0);
out:
	close(state_fd);
	return err;
}

/**
 * watchdog_pause() - stop the NMI watchdog if it runs
 *
 * The pause ends with watchdog_resume() or with this process.  A helper in its own session restores
 * the old value once every copy of @w->keep_fd is closed and the module has no session left, unless
 * another process has paused the watchdog too.
 *
 * Return: 0, or -errno with the file or thing that failed in @failed.
 */
int watchdog_pause(struct watchdog *w, const struct watchdog_paths *paths, const char **failed)
{
	int mutex, err;

	w->keep_fd = -1;
	w->done_fd = -1;
	*failed = paths->mutex;
	mutex = lock_mutex(paths);
	if (mutex < 0)
		return mutex;
	err = pause_locked(w, paths, failed);
	close(mutex);
	if (err)
		watchdog_resume(w, 0);
	return err;
}

/**
 * watchdog_resume() - end the pause, if there is one, and wait until the helper has done its work
 *
 * Return: 0, or -ETIMEDOUT if other sessions keep the helper waiting; it goes on by itself.
 */
int watchdog_resume(struct watchdog *w, int timeout_ms)
{
	struct pollfd p = { .fd = w->done_fd, .events = POLLIN };
	int n;

	if (w->keep_fd < 0)
		return 0;
	close(w->keep_fd);
	n = poll(&p, 1, timeout_ms);
	close(w->done_fd);
	w->keep_fd = -1;
	w->done_fd = -1;
	return n > 0 ? 0 : -ETIMEDOUT;
}
