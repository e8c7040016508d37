// SPDX-License-Identifier: GPL-2.0-only
/* Pausing the NMI watchdog on files of our own: values, several users, users that are killed. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tap.h"
#include "userspace/acrctl/watchdog.h"

#define WAIT_MS		60000
#define STEP_US		10000

static char dir[] = "/tmp/watchdog_test.XXXXXX";
static char control[64], state[64], mutex[64];
static struct watchdog_paths paths = {
	.control = control, .state = state, .mutex = mutex, .device = "/nonexistent/acrpmu",
};

static void set(const char *path, const char *text)
{
	FILE *f = fopen(path, "w");

	fputs(text, f);
	fclose(f);
}

static int get(const char *path)
{
	FILE *f = fopen(path, "r");
	int value = -1;

	if (!f)
		return -1;
	if (fscanf(f, "%d", &value) != 1)
		value = -1;
	fclose(f);
	return value;
}

static bool becomes(int value)
{
	int i;

	for (i = 0; i < WAIT_MS * 1000 / STEP_US; i++) {
		if (get(control) == value)
			return true;
		usleep(STEP_US);
	}
	return false;
}

static void test_value(const char *text, int value)
{
	struct watchdog w;
	const char *failed;

	set(control, text);
	is_u64(watchdog_pause(&w, &paths, &failed), 0, "value %d is paused", value);
	is_u64(get(control), 0, "it is off");
	is_u64(watchdog_resume(&w, WAIT_MS), 0, "the helper ends");
	is_u64(get(control), value, "exactly %d is back", value);
	is_u64(get(state), -1, "nothing is left to restore");
}

static void test_off(void)
{
	struct watchdog w;
	const char *failed;

	set(control, "0\n");
	is_u64(watchdog_pause(&w, &paths, &failed), 0, "a watchdog that is off");
	ok(w.keep_fd < 0, "needs no helper");
	is_u64(watchdog_resume(&w, WAIT_MS), 0, "and no end");
	is_u64(get(control), 0, "it stays off");
}

static void test_two(void)
{
	struct watchdog a, b;
	const char *failed;

	set(control, "1\n");
	watchdog_pause(&a, &paths, &failed);
	is_u64(watchdog_pause(&b, &paths, &failed), 0, "a second user");
	is_u64(watchdog_resume(&a, WAIT_MS), 0, "the first ends");
	is_u64(get(control), 0, "it stays off for the second");
	is_u64(watchdog_resume(&b, WAIT_MS), 0, "the second ends");
	is_u64(get(control), 1, "now it is back");
}

static pid_t pausing_child(void)
{
	int done[2];
	pid_t pid;
	char byte;

	if (pipe(done))
		abort();
	pid = fork();
	if (!pid) {
		struct watchdog w;
		const char *failed;

		watchdog_pause(&w, &paths, &failed);
		if (write(done[1], "", 1) != 1)
			_exit(1);
		pause();
	}
	close(done[1]);
	if (read(done[0], &byte, 1) != 1)
		abort();
	close(done[0]);
	return pid;
}

static void test_killed(void)
{
	pid_t pid;

	set(control, "1\n");
	pid = pausing_child();
	is_u64(get(control), 0, "a child has paused it");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	ok(becomes(1), "it is back after the child was killed");
}

static void test_killed_beside_another(void)
{
	struct watchdog w;
	const char *failed;
	pid_t pid;

	set(control, "1\n");
	pid = pausing_child();
	watchdog_pause(&w, &paths, &failed);
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	/* long enough for a helper that would restore at once */
	usleep(300000);
	is_u64(get(control), 0, "it stays off while another user needs it");
	watchdog_resume(&w, WAIT_MS);
	ok(becomes(1), "and is back after that one");
}

static void test_left_behind(void)
{
	struct watchdog w;
	const char *failed;

	set(control, "0\n");
	set(state, "1\n");
	is_u64(watchdog_pause(&w, &paths, &failed), 0, "user and helper were killed earlier");
	ok(w.keep_fd >= 0, "the next user takes over");
	watchdog_resume(&w, WAIT_MS);
	is_u64(get(control), 1, "and restores their value");
}

static void test_failures(void)
{
	struct watchdog_paths bad = paths;
	struct watchdog w;
	const char *failed;

	bad.control = "/nonexistent/nmi_watchdog";
	is_u64(watchdog_pause(&w, &bad, &failed), -ENOENT, "no such switch");
	is_str(failed, bad.control, "and it is named");
	bad = paths;
	bad.mutex = "/nonexistent/lock";
	is_u64(watchdog_pause(&w, &bad, &failed), -ENOENT, "no directory for the lock");
	is_str(failed, bad.mutex, "and it is named");
}

int main(void)
{
	plan(0);
	if (!mkdtemp(dir))
		return 1;
	snprintf(control, sizeof(control), "%s/control", dir);
	snprintf(state, sizeof(state), "%s/state", dir);
	snprintf(mutex, sizeof(mutex), "%s/mutex", dir);
	test_value("1\n", 1);
	test_value("3\n", 3);
	test_off();
	test_two();
	test_killed();
	test_killed_beside_another();
	test_left_behind();
	test_failures();
	unlink(control);
	unlink(state);
	unlink(mutex);
	rmdir(dir);
	return done();
}
