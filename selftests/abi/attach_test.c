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

static unsigned int nr_tasks(int session)
{
	struct acrpmu_count count;
	struct acrpmu_read read = {
		.size = sizeof(read), .cpu = ACRPMU_CPU_ALL, .nr_counts = 1,
		.counts = (uintptr_t)&count,
	};

	return abi_ioctl(session, ACRPMU_READ, &read) ? ~0U : read.nr_tasks;
}

TEST_F(attach, task_and_process_are_accepted_and_the_error_is_zeroed)
{
	pid_t pid[2] = { sleeper(), sleeper() };

	self->args.pid = pid[0];
	EXPECT_ATTACH(0, 0, 0, 0);
	EXPECT_EQ(2, nr_tasks(self->session));
	self->args.pid = pid[1];
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

TEST_F(attach, unknown_flags_are_refused)
{
	self->args.flags = 0x80000001;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_FLAGS, 0x80000000, ATTACH_FLAGS);
	self->args.flags = 2;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_FLAGS, 2, ATTACH_FLAGS);
}

TEST_F(attach, reserved_and_negative_pid_are_refused)
{
	self->args.reserved = 1;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_RESERVED, 1, 0);
	self->args.reserved = 0;
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
	self->args = (struct acrpmu_attach){ .flags = 2, .pid = -2, .reserved = 1 };
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_FLAGS, 2, ATTACH_FLAGS);
	self->args.flags = 0;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_RESERVED, 1, 0);
	self->args.reserved = 0;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_TARGET, -2ULL, 0);
	self->args.pid = 0x7fffffff;
	EXPECT_ATTACH(-EINVAL, ACRPMU_REASON_ATTACH, 0x7fffffff, 0);
}

TEST_HARNESS_MAIN
