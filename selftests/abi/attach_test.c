// SPDX-License-Identifier: GPL-2.0-only
/* ACRPMU_ATTACH: every refusal with one thing wrong, and their order. */
#include "common.h"

#define ATTACH_FLAGS	ACRPMU_ATTACH_PROCESS

FIXTURE(attach)
{
	int dev, session;
	struct acrpmu_attach args;
};

FIXTURE_SETUP(attach)
{
	struct request req;

	self->dev = abi_open();
	ASSERT_LE(0, self->dev) TH_LOG("%s does not open: load the module", ACRPMU_DEVICE);
	request_task(&req, 0);
	add_counter(&req);
	self->session = request(self->dev, &req);
	ASSERT_LE(0, self->session) describe(__LINE__, self->session, &req.attr.error);
	memset(&self->args.error, POISON, sizeof(self->args.error));
}

FIXTURE_TEARDOWN(attach)
{
	close(self->session);
	EXPECT_EQ(0, nr_sessions(self->dev));
	close(self->dev);
}

/* What an attempt must return and write, with all else of the error zero. */
#define EXPECT_ATTACH(ret_, reason_, value_, limit_) do {				\
	struct acrpmu_error _want = {							\
		.reason = (reason_), .value = (value_), .limit = (limit_),		\
		.event = (reason_) ? NO_EVENT : 0, .cpu = (reason_) ? NO_CPU : 0,	\
	};										\
	int _ret = abi_attach(self->session, &self->args);				\
											\
	EXPECT_EQ(ret_, _ret);								\
	EXPECT_EQ(0, memcmp(&_want, &self->args.error, sizeof(_want)))			\
		describe(__LINE__, _ret, &self->args.error);				\
} while (0)

static pid_t sleeper(void)
{
	pid_t pid = fork();

	if (pid)
		return pid;
	for (;;)
		pause();
}

static void end(pid_t pid)
{
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
}

static int read_target(int session, uint32_t target, struct acrpmu_read *read)
{
	static struct acrpmu_count count;

	memset(read, POISON, sizeof(*read));
	read->size = sizeof(*read);
	read->flags = 0;
	read->cpu = ACRPMU_CPU_ALL;
	read->nr_counts = 1;
	read->target = target;
	read->counts = (uintptr_t)&count;
	read->outside = 0;
	return abi_ioctl(session, ACRPMU_READ, read);
}

static unsigned int nr_tasks(int session)
{
	struct acrpmu_read read;

	return read_target(session, 0, &read) ? ~0U : read.nr_tasks;
}

/* Attach @pid, and return the number of its target, -1 if it is refused. */
static int target_of(int session, pid_t pid, uint32_t flags)
{
	struct acrpmu_attach args = { .pid = pid, .flags = flags };

	return abi_attach(session, &args) ? -1 : (int)args.target;
}

TEST_F(attach, task_and_process_are_accepted_and_the_error_is_zeroed)
{
	pid_t pid[2] = { sleeper(), sleeper() };

	self->args.pid = pid[0];
	EXPECT_ATTACH(0, 0, 0, 0);
	EXPECT_EQ(2, nr_tasks(self->session));
	self->args.pid = pid[1];
	self->args.target = 0;
	self->args.flags = ACRPMU_ATTACH_PROCESS;
	EXPECT_ATTACH(0, 0, 0, 0);
	EXPECT_EQ(3, nr_tasks(self->session));
	end(pid[0]);
	end(pid[1]);
}

TEST_F(attach, caller_is_pid_0_and_what_is_followed_already_stays)
{
	EXPECT_ATTACH(0, 0, 0, 0);
	self->args.pid = getpid();
	EXPECT_ATTACH(0, 0, 0, 0);
	self->args.flags = ACRPMU_ATTACH_PROCESS;
	EXPECT_ATTACH(0, 0, 0, 0);
	EXPECT_EQ(1, nr_tasks(self->session));
}

TEST_F(attach, targets_are_numbered_as_tasks_are_followed)
{
	pid_t pid[3] = { sleeper(), sleeper(), sleeper() };
	struct acrpmu_read read;
	uint32_t i;

	EXPECT_EQ(2, target_of(self->session, pid[0], 0));
	/* what is followed, or does not exist, takes no number */
	EXPECT_EQ(0, target_of(self->session, pid[0], ACRPMU_ATTACH_PROCESS));
	EXPECT_EQ(0, target_of(self->session, getpid(), 0));
	EXPECT_EQ(-1, target_of(self->session, 0x7fffffff, 0));
	EXPECT_EQ(3, target_of(self->session, pid[1], ACRPMU_ATTACH_PROCESS));
	EXPECT_EQ(4, target_of(self->session, pid[2], 0));
	for (i = 1; i <= 4; i++) {
		ASSERT_EQ(0, read_target(self->session, i, &read));
		EXPECT_EQ(i, read.target);
		EXPECT_EQ(1, read.nr_tasks);
		EXPECT_EQ(1, read.tasks);
	}
	EXPECT_EQ(-EINVAL, read_target(self->session, 5, &read));
	EXPECT_EQ(-EINVAL, read_target(self->session, ~0U, &read));
	ASSERT_EQ(0, read_target(self->session, 0, &read));
	EXPECT_EQ(4, read.nr_tasks);
	EXPECT_EQ(4, read.tasks);
	for (i = 0; i < NR(pid); i++)
		end(pid[i]);
}

TEST_F(attach, target_is_kept_when_its_tasks_have_exited)
{
	pid_t pid[2] = { sleeper(), sleeper() };
	struct acrpmu_read read;

	EXPECT_EQ(2, target_of(self->session, pid[0], 0));
	end(pid[0]);
	ASSERT_EQ(0, read_target(self->session, 2, &read));
	EXPECT_EQ(0, read.nr_tasks);
	EXPECT_EQ(1, read.tasks);
	ASSERT_EQ(0, abi_reset(self->session));
	EXPECT_EQ(3, target_of(self->session, pid[1], 0));
	ASSERT_EQ(0, read_target(self->session, 0, &read));
	EXPECT_EQ(2, read.nr_tasks);
	EXPECT_EQ(3, read.tasks);
	end(pid[1]);
}

TEST_F(attach, session_of_cpus_has_no_target)
{
	struct acrpmu_read read;
	struct request req;

	close(self->session);
	request_cpus(&req, 1);
	add_counter(&req);
	self->session = request(self->dev, &req);
	ASSERT_LE(0, self->session) describe(__LINE__, self->session, &req.attr.error);
	EXPECT_EQ(-EINVAL, read_target(self->session, 1, &read));
	ASSERT_EQ(0, read_target(self->session, 0, &read));
	EXPECT_EQ(0, read.nr_tasks);
	EXPECT_EQ(0, read.tasks);
}

TEST_F(attach, target_of_a_task_session_has_no_cpu)
{
	struct acrpmu_read read;

	ASSERT_EQ(0, read_target(self->session, 1, &read));
	read.cpu = 0;
	EXPECT_EQ(-EINVAL, abi_ioctl(self->session, ACRPMU_READ, &read));
}

TEST_F(attach, unknown_flags_are_refused)
{
	self->args.flags = 0x80000001;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_FLAGS, 0x80000000, ATTACH_FLAGS);
	self->args.flags = 2;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_FLAGS, 2, ATTACH_FLAGS);
}

TEST_F(attach, target_that_is_not_0_and_negative_pid_are_refused)
{
	self->args.target = 1;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_RESERVED, 1, 0);
	self->args.target = 0;
	self->args.pid = -2;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_TARGET, -2ULL, 0);
}

TEST_F(attach, session_of_cpus_follows_no_task)
{
	struct request req;

	close(self->session);
	request_cpus(&req, 1);
	add_counter(&req);
	self->session = request(self->dev, &req);
	ASSERT_LE(0, self->session) describe(__LINE__, self->session, &req.attr.error);
	self->args.pid = getpid();
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_ATTACH, getpid(), 0);
}

TEST_F(attach, tasks_that_do_not_exist_or_have_exited_are_refused)
{
	pid_t pid = sleeper();
	siginfo_t info;

	kill(pid, SIGKILL);
	ASSERT_EQ(0, waitid(P_PID, pid, &info, WEXITED | WNOWAIT));
	self->args.pid = pid;
	EXPECT_ATTACH(-ESRCH, ACRPMU_REASON_TASK, pid, 0);
	self->args.flags = ACRPMU_ATTACH_PROCESS;
	EXPECT_ATTACH(-ESRCH, ACRPMU_REASON_TASK, pid, 0);
	ASSERT_EQ(pid, waitpid(pid, NULL, 0));
	EXPECT_ATTACH(-ESRCH, ACRPMU_REASON_TASK, pid, 0);
	/* nothing of the session has changed */
	EXPECT_EQ(1, nr_tasks(self->session));
}

TEST_F(attach, caller_needs_the_capability_whoever_created_the_session)
{
	int status;
	pid_t pid = fork();

	ASSERT_LE(0, pid);
	if (!pid) {
		int ret = drop_to(NO_CAP) ? 0 : abi_attach(self->session, &self->args);
		/* without it, even a bad struct is refused for that alone */
		struct acrpmu_attach small = { .size = 4 };

		_exit(!(ret == -EPERM && self->args.error.reason == ACRPMU_REASON_PERM &&
			abi_ioctl(self->session, ACRPMU_ATTACH, &small) == -EPERM));
	}
	ASSERT_EQ(pid, waitpid(pid, &status, 0));
	EXPECT_EQ(0, status);
}

TEST_F(attach, order_of_checks_is_that_of_the_abi)
{
	struct request req;

	close(self->session);
	request_cpus(&req, 1);
	add_counter(&req);
	self->session = request(self->dev, &req);
	ASSERT_LE(0, self->session) describe(__LINE__, self->session, &req.attr.error);
	self->args = (struct acrpmu_attach){ .flags = 2, .pid = -2, .target = 1 };
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_FLAGS, 2, ATTACH_FLAGS);
	self->args.flags = 0;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_RESERVED, 1, 0);
	self->args.target = 0;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_TARGET, -2ULL, 0);
	self->args.pid = 0x7fffffff;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_ATTACH, 0x7fffffff, 0);
}

TEST_HARNESS_MAIN
