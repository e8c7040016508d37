// SPDX-License-Identifier: GPL-2.0-only
/* Sessions that begin to follow a process while its threads come and go. */
#include "work.h"
#include "records.h"
#include "kselftest_harness.h"

#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUNDS	20

static void *come_and_go(void *arg)
{
	work_fast(200);
	return NULL;
}

static void *keep_coming(void *arg)
{
	pthread_t thread;

	for (;;) {
		if (!pthread_create(&thread, NULL, come_and_go, NULL))
			pthread_join(thread, NULL);
	}
	return NULL;
}

static pid_t start_restless(void)
{
	pthread_t thread;
	pid_t pid = fork();

	if (pid)
		return pid;
	pthread_create(&thread, NULL, keep_coming, NULL);
	keep_coming(NULL);
	return 0;
}

/* Threads of a process that was sent SIGSTOP; -1 while some still run or exit */
static int stopped_threads(pid_t pid)
{
	const struct dirent *entry;
	char path[32];
	int nr = 0;
	DIR *dir;

	snprintf(path, sizeof(path), "/proc/%d/task", pid);
	dir = opendir(path);
	while (dir && nr >= 0 && (entry = readdir(dir))) {
		if (entry->d_name[0] != '.')
			nr = task_state(pid, atoi(entry->d_name)) == 'T' ? nr + 1 : -1;
	}
	if (dir)
		closedir(dir);
	return nr;
}

/* A list read before the signal arrived may lack a thread: only the second of two alike is sure. */
static bool threads_settle(pid_t pid, int *nr)
{
	int before = *nr;

	*nr = stopped_threads(pid);
	return *nr >= 0 && *nr == before;
}

static int stop_threads(pid_t pid)
{
	int nr = -1;

	kill(pid, SIGSTOP);
	return wait_for(threads_settle(pid, &nr)) ? nr : -1;
}

FIXTURE(threads) {
};

FIXTURE_SETUP(threads)
{
}

FIXTURE_TEARDOWN(threads)
{
}

TEST_F(threads, each_is_followed_once)
{
	pid_t pid = start_restless();
	unsigned int round, wrong = 0;
	struct session s;
	int there;

	for (round = 0; round < ROUNDS; round++) {
		session_task(&s, pid, ACRPMU_SESSION_PROCESS | ACRPMU_SESSION_INHERIT);
		session_event(&s, EV_INSNS, USER | COUNT, 0, 0);
		ASSERT_EQ(0, session_make(&s)) TH_LOG("%s", session_refusal(&s));
		there = stop_threads(pid);
		ASSERT_EQ(0, session_read(&s));
		if (s.accounts.nr_tasks != there) {
			TH_LOG("round %u: %u followed, %d there", round, s.accounts.nr_tasks,
			       there);
			wrong++;
		}
		kill(pid, SIGCONT);
		session_close(&s);
	}
	EXPECT_EQ(0, wrong);
	end_child(pid);
}

TEST_HARNESS_MAIN
