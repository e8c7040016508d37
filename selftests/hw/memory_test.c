// SPDX-License-Identifier: GPL-2.0-only
/* Memory of sessions: the group that is charged for it, and what happens where that is full. */
#include "work.h"
#include <dirent.h>
#include <pthread.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include "file.h"
#include "records.h"
#include "kselftest_harness.h"

#define PERIOD		50000
#define GROUPS		"/tmp/acrpmu_groups/"
#define GROUP		GROUPS "creator/"
#define BIG_RING_PAGES	1024
#define PROGRAMS	"/usr/bin"
#define FILES_BYTES	(8UL << 20)
#define BIG_RING_BYTES	(BIG_RING_PAGES * sysconf(_SC_PAGESIZE))

static uint64_t group_bytes(void)
{
	FILE *f = fopen(GROUP "memory.current", "r");
	unsigned long long bytes = 0;

	if (!f)
		return 0;
	if (fscanf(f, "%llu", &bytes) != 1)
		bytes = 0;
	fclose(f);
	return bytes;
}

/* In a group, by a process that passes the descriptor on and exits. */
static bool made_by_one_that_exits(struct session *s)
{
	int pipe_fds[2], fd = -1, pidfd;
	pid_t pid;

	if (pipe(pipe_fds))
		return false;
	pid = fork();
	if (!pid) {
		if (!write_text(GROUP "cgroup.procs", "0") && !session_make(s))
			fd = s->fd;
		if (write(pipe_fds[1], &fd, sizeof(fd)) != sizeof(fd))
			_exit(1);
		for (;;)
			pause();
	}
	if (read(pipe_fds[0], &fd, sizeof(fd)) == sizeof(fd) && fd >= 0) {
		pidfd = syscall(SYS_pidfd_open, pid, 0);
		s->fd = syscall(SYS_pidfd_getfd, pidfd, fd, 0);
		close(pidfd);
	}
	end_child(pid);
	close(pipe_fds[0]);
	close(pipe_fds[1]);
	return s->fd >= 0;
}

/* A child that works on the caller's CPU until a test moves it. */
static pid_t start_worker(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;)
		work_fast(20000);
}

/* A process of the group, for an out-of-memory killer to find. */
static pid_t start_member(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	if (write_text(GROUP "cgroup.procs", "0"))
		_exit(1);
	for (;;)
		pause();
}

static bool limit_group(uint64_t bytes)
{
	char text[32];

	snprintf(text, sizeof(text), "%lu", bytes);
	return !write_text(GROUP "memory.max", text);
}

static bool holds(const struct session *s, int cpu)
{
	struct acrpmu_event_hw hw[ACRPMU_MAX_EVENTS];

	return !session_query_cpu(s, cpu, hw) && hw[0].cntr >= 0;
}

#define NEED_CONTROLLER() do {								\
	if (!self->limited)								\
		SKIP(return, "this kernel has no controller of memory here");		\
} while (0)

FIXTURE(memory) {
	struct session s;
	bool limited;
	pid_t worker, member;
};

FIXTURE_SETUP(memory)
{
	self->s.fd = -1;
	ASSERT_EQ(0, pin_to(0, 0));
	ASSERT_TRUE(!mkdir(GROUPS, 0700) || errno == EEXIST);
	ASSERT_EQ(0, mount("none", GROUPS, "cgroup2", 0, NULL));
	self->limited = !write_text(GROUPS "cgroup.subtree_control", "+memory");
	ASSERT_EQ(0, mkdir(GROUP, 0700));
	self->worker = start_worker();
	ASSERT_LT(0, self->worker);
	session_task(&self->s, self->worker, 0);
	session_event(&self->s, EV_INSNS, USER | SAMPLED, PERIOD, 0);
	self->s.attr.ring_pages = BIG_RING_PAGES;
	self->s.arrives = true;
}

FIXTURE_TEARDOWN(memory)
{
	end_child(self->worker);
	end_child(self->member);
	session_close(&self->s);
	rmdir(GROUP);
	umount(GROUPS);
	rmdir(GROUPS);
}

TEST_F(memory, ring_is_charged_to_the_group_of_a_creator_that_has_exited)
{
	uint64_t before;

	NEED_CONTROLLER();
	ASSERT_TRUE(made_by_one_that_exits(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	before = group_bytes();
	ASSERT_LT(0, before);
	ASSERT_EQ(0, pin_to(self->worker, 1));
	ASSERT_TRUE(wait_for(holds(&self->s, 1)));
	/* What the creator leaves may go in the meantime. */
	EXPECT_LE(before + BIG_RING_BYTES / 2, group_bytes());
	TH_LOG("%lu bytes, then %lu", before, group_bytes());
}

/* The ring of the CPU that the task moves to does not fit. */
TEST_F(memory, full_group_costs_time_and_no_process)
{
	NEED_CONTROLLER();
	ASSERT_TRUE(made_by_one_that_exits(&self->s));
	ASSERT_EQ(0, session_enable(&self->s));
	self->member = start_member();
	ASSERT_LT(0, self->member);
	ASSERT_TRUE(wait_for(task_state(self->member, self->member) == 'S'));
	ASSERT_TRUE(limit_group(group_bytes() + BIG_RING_BYTES / 2));
	ASSERT_EQ(0, pin_to(self->worker, 1));
	/* so long that it has been tried */
	ASSERT_TRUE(wait_for(!session_read(&self->s) &&
			     self->s.accounts.time_missed_ns > 2000000000));
	EXPECT_FALSE(holds(&self->s, 1));
	EXPECT_EQ(0, waitpid(self->member, NULL, WNOHANG));
	ASSERT_EQ(0, write_text(GROUP "memory.max", "max"));
	EXPECT_TRUE(wait_for(holds(&self->s, 1)));
}

static void *wait_for_the_end(void *arg)
{
	pause();
	return NULL;
}

static int start_threads(unsigned int nr)
{
	pthread_attr_t attr;
	pthread_t thread;
	int ret = 0;

	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, 32768);
	while (nr-- && !ret)
		ret = pthread_create(&thread, &attr, wait_for_the_end, NULL);
	return ret;
}

/* A session of the group for this process and the threads that it starts. */
#define FOLLOW_CHARGED_THREADS() do {							\
	NEED_CONTROLLER();								\
	if (!access("/sys/kernel/realtime", F_OK))					\
		SKIP(return, "on this kernel nobody is charged for threads");		\
	/* what it would do makes starts slow */					\
	end_child(self->worker);							\
	self->worker = 0;								\
	self->s.attr.pid = getpid();							\
	self->s.attr.flags |= ACRPMU_SESSION_INHERIT;					\
	ASSERT_TRUE(made_by_one_that_exits(&self->s));					\
} while (0)

/* More than the kernel charges a group for in advance on two CPUs, and than are kept ready */
#define MANY	2000
/* Each of them exceeds the limit by less than is allowed. */
#define BATCHES	20

/* Kernels with debugging options take long to start that many. */
TEST_F(memory, full_group_has_none_for_threads)
{
	uint64_t failed;

	FOLLOW_CHARGED_THREADS();
	ASSERT_TRUE(limit_group(group_bytes()));
	ASSERT_EQ(0, start_threads(MANY));
	ASSERT_EQ(0, session_read(&self->s));
	failed = self->s.accounts.inherit_failed;
	TH_LOG("%lu of %u threads are not followed", failed, MANY);
	/* the group has room for some only; how many is the kernel's affair */
	EXPECT_LT(MANY / 4, failed);
	EXPECT_EQ(MANY + 1, self->s.accounts.nr_tasks + failed);
	ASSERT_EQ(0, write_text(GROUP "memory.max", "max"));
	ASSERT_EQ(0, start_threads(1));
	ASSERT_EQ(0, session_read(&self->s));
	EXPECT_EQ(failed, self->s.accounts.inherit_failed);
}

/* Reads programs until the group is full of what it has of them in memory. */
static bool fill_group_with_files(void)
{
	static char buffer[65536];
	DIR *dir = opendir(PROGRAMS);
	struct dirent *entry;
	size_t total = 0;
	ssize_t bytes;
	int fd;

	while (dir && total < 2 * FILES_BYTES && (entry = readdir(dir))) {
		fd = openat(dirfd(dir), entry->d_name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
		while (fd >= 0 && (bytes = read(fd, buffer, sizeof(buffer))) > 0)
			total += bytes;
		if (fd >= 0)
			close(fd);
	}
	return dir && !closedir(dir);
}

static bool group_is_full_of_files(uint64_t bytes)
{
	int status = -1;
	pid_t pid;

	if (!limit_group(bytes) || write_text("/proc/sys/vm/drop_caches", "1"))
		return false;
	pid = fork();
	if (!pid)
		_exit(write_text(GROUP "cgroup.procs", "0") || !fill_group_with_files());
	return pid > 0 && waitpid(pid, &status, 0) == pid && !status &&
	       group_bytes() > bytes - FILES_BYTES / 8;
}

/* Files in memory can make room, even though a fork cannot wait for that. */
TEST_F(memory, group_full_of_files_has_room_for_threads)
{
	uint64_t limit;
	unsigned int i;

	FOLLOW_CHARGED_THREADS();
	limit = group_bytes() + FILES_BYTES;
	ASSERT_TRUE(group_is_full_of_files(limit));
	for (i = 0; i < BATCHES; i++) {
		ASSERT_EQ(0, start_threads(MANY / BATCHES));
		ASSERT_TRUE(wait_for(group_bytes() <= limit));
	}
	ASSERT_EQ(0, session_read(&self->s));
	TH_LOG("%lu bytes of the group", group_bytes());
	EXPECT_EQ(0, self->s.accounts.inherit_failed);
	EXPECT_EQ(MANY + 1, self->s.accounts.nr_tasks);
}

TEST_HARNESS_MAIN
